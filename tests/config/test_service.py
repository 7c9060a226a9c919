"""[service], [alerts] and [[export]]: what they become, and how mistakes in them are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from newscrawler.config import AlertSettings, Configuration, Export, ServiceSettings, parse_configuration
from newscrawler.errors import ConfigError

FILE = Path("/etc/newscrawler/newscrawler.toml")
PORTAL = '[[portal]]\nname = "one"\nstart_urls = ["http://127.0.0.1/"]\n'


def test_without_them_the_defaults_hold() -> None:
    configuration = parse_configuration(PORTAL, FILE)

    assert (configuration.service, configuration.alerts, configuration.exports) == (ServiceSettings(), AlertSettings(), ())
    assert configuration.portals[0].schedule == "nightly"
    assert Configuration().service == ServiceSettings()


def test_they_become_records_whose_paths_begin_at_the_file() -> None:
    text = PORTAL + (
        '[service]\nat_once = 2\nlisten = "[::1]:9477"\ntextfile = "nc.prom"\ntime_zone = "Europe/Prague"\n'
        '[alerts]\nmail_to = ["a@example.org"]\nsmtp = "smtps://user@mail.example.org"\nsmtp_password_file = "password"\n'
        'command = ["notify", "-v"]\ndigest = "never"\n'
        '[[export]]\nname = "weekly"\npath = "out/{date}/{name}.csv"\nportals = ["one"]\nonly_new = true\ndays = 7\n'
        '[[export]]\nname = "all"\npath = "/srv/all.data"\n'
    )

    configuration = parse_configuration(text, FILE)

    assert configuration.service.listen == ("::1", 9477)
    assert configuration.service.textfile == FILE.parent / "nc.prom"
    assert str(configuration.service.zone) == "Europe/Prague"
    assert configuration.alerts.smtp_password_file == FILE.parent / "password"
    assert configuration.alerts.digest is None
    weekly, everything = configuration.exports
    assert weekly == Export(name="weekly", path="/etc/newscrawler/out/{date}/{name}.csv", portals=("one",), only_new=True, days=7)
    assert (everything.format, everything.path) == ("jsonl", "/srv/all.data")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[service]\nlisten = "9477"', 'service.listen is "9477"; it must be an address and port'),
        ("[service]\nat_once = 0", "service.at_once is 0; it must be a whole number, 1 to 1000"),
        ("[service]\nmax_memry = 1", "service.max_memry is not a key that is known here (did you mean max_memory?)"),
        ('[alerts]\nmail_to = ["nobody"]', 'alerts.mail_to[1] is "nobody", which is not an e-mail address'),
        ('[alerts]\nsmtp = "smtp://u:p@h"', "which holds a password"),
        ('[alerts]\nwebhook = "hooks.example.org"', "which is not a web address"),
        ('[alerts]\ndigest = "morning"', 'alerts.digest is "morning"; it must be a time of the day'),
        ('[[export]]\nname = "a"', "export[1].path is missing"),
        ('[[export]]\nname = "a"\npath = "{day}.csv"', "in which {day} is not known"),
        ('[[export]]\nname = "a"\npath = "{.csv"', 'export[1].path is "{.csv"'),
        ('[[export]]\nname = "a"\npath = "a"\nformat = "xml"', 'export[1].format is "xml"'),
        ('[[export]]\nname = "a"\npath = "a"\n[[export]]\nname = "a"\npath = "b"', "which another export has already"),
        (
            '[[export]]\nname = "a"\npath = "a"\nportals = ["two"]',
            'names "two", which is not a portal of this file; there',
        ),
        ("export = 3", "export is 3; it must be a list of tables"),
        (
            "[servce]",
            "use [crawler], [[portal]], [[collection]], [[search_service]], [[archive]], [[backfill]], [service], [web], [browser]",
        ),
    ],
)
def test_mistakes_are_told(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_configuration(f"{text}\n{PORTAL}" if "=" in text.splitlines()[0] else f"{PORTAL}\n{text}", FILE)

    assert told in str(raised.value)


@pytest.mark.parametrize(("schedule", "told"), [("daily", '"daily"; it must be "nightly"'), ("61 * * * *", "(bad minute)")])
def test_a_wrong_schedule_is_told(schedule: str, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_configuration(f'{PORTAL}schedule = "{schedule}"\n', FILE)

    assert told in str(raised.value)


def test_all_portals_may_share_a_schedule() -> None:
    configuration = parse_configuration(f'[crawler.defaults]\nschedule = "30 1 * * *"\n{PORTAL}', FILE)

    assert configuration.portals[0].schedule == "30 1 * * *"
