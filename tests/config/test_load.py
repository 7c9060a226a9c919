from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from newscrawler.config import Configuration, load_configuration, parse_configuration
from newscrawler.errors import ConfigError

PLAIN = '[[portal]]\nname = "a"\nstart_urls = ["https://news.example.org/"]\n'
PATH = Path("newscrawler.toml")


def mistakes(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse_configuration(text, PATH)
    assert caught.value.exit_code == 2
    return str(caught.value).splitlines()


def test_without_a_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert load_configuration() == Configuration()


def test_every_key_reaches_its_record() -> None:
    text = """
[crawler]
contact = "me@example.org"
database = "postgresql+psycopg://me@db.example.org/news"
data_folder = "kept"
[[portal]]
name = "deník.cz"
start_urls = ["https://www.denik.example", "https://sport.denik.example/"]
hosts = ["Denik.example"]
language = "cs"
time_zone = "Europe/Prague"
delay = 2
max_pages = 10
max_articles = 9
max_minutes = 1.5
max_depth = 0
include = ["/zpravy/"]
exclude = ['\\?print=']
required = ["title", "date"]
ignore_authors = ["NOC Admin", "Redaktion", "NOC Admin"]
method = "pagelet"
classifier = "documents"
"""

    configuration = parse_configuration(text, PATH)

    (portal,) = configuration.portals
    assert configuration.contact == "me@example.org"
    assert configuration.database_url == "postgresql+psycopg://me@db.example.org/news"
    assert configuration.data_folder == Path("kept")
    assert portal.name == "deník.cz"
    assert portal.start_urls == ("https://www.denik.example/", "https://sport.denik.example/")
    assert portal.hosts == ("denik.example",)
    assert (portal.language, portal.time_zone, portal.delay_seconds) == ("cs", "Europe/Prague", 2.0)
    assert (portal.max_pages, portal.max_articles, portal.max_minutes, portal.max_depth) == (10, 9, 1.5, 0)
    assert [pattern.pattern for pattern in portal.include + portal.exclude] == ["/zpravy/", r"\?print="]
    assert portal.required == {"title", "date"}
    assert portal.ignore_authors == ("NOC Admin", "Redaktion")
    assert (portal.method, portal.classifier) == ("pagelet", "documents")


def test_a_backfill_names_a_portal_and_archives_and_is_carried_out_in_the_hours_of_the_night() -> None:
    archive = '[[archive]]\nname = "old"\nformat = "wayback"\n'
    table = '[[backfill]]\nportal = "a"\nsince = 2015-01-01\narchives = ["old"]\n'
    (backfill,) = parse_configuration(PLAIN + archive + table, PATH).list_backfills(date(2026, 11, 20))
    assert (backfill.queue, backfill.until, backfill.night_pages) == ("a~past", date(2026, 11, 20), 500)
    assert str(backfill.window) == "22:00-06:00"
    assert [each.name for each in backfill.archives] == ["old"]
    found = mistakes(PLAIN + table.replace('"a"', '"b"') + table + "until = 2014-01-01\n")
    assert [mistake.partition(": ")[2] for mistake in found] == [
        'backfill[1].archives has "old"; it must be names of [[archive]]',
        'backfill[1].portal is "b"; it must be the name of a [[portal]], once',
        'backfill[2].archives has "old"; it must be names of [[archive]]',
        "backfill[2].until is 2014-01-01; it must be 2015-01-01 or later",
    ]


def test_an_empty_file_is_a_configuration_without_portals() -> None:
    assert parse_configuration("", PATH).portals == ()


def test_the_default_delay_is_five_seconds() -> None:
    (portal,) = parse_configuration(PLAIN, PATH).portals

    assert portal.delay_seconds == 5.0


def test_a_default_holds_for_portals_that_do_not_say_otherwise() -> None:
    text = f'[crawler.defaults]\ndelay = 7\nlanguage = "sk"\n{PLAIN}{PLAIN.replace(chr(97) + chr(34), "b" + chr(34), 1)}delay = 9\n'

    first, second = parse_configuration(text, PATH).portals

    assert (first.delay_seconds, second.delay_seconds, second.language) == (7, 9, "sk")


@pytest.mark.parametrize(
    ("line", "start", "parts"),
    [
        ("delay = -1", "newscrawler.toml: portal[1].delay is -1;", ["0 to 86400"]),
        ('delay = "5"', 'newscrawler.toml: portal[1].delay is "5";', ["a number of seconds"]),
        ("delay = true", "newscrawler.toml: portal[1].delay is true;", ["a number of seconds"]),
        ("delay = nan", "newscrawler.toml: portal[1].delay is nan;", ["a number of seconds"]),
        ("delay = 0", "newscrawler.toml: portal[1].delay is 0, but news.example.org is not this machine;", ["above 0"]),
        ("delay = 0.0", "newscrawler.toml: portal[1].delay is 0, but news.example.org is not this machine;", ["above 0"]),
        ("max_pages = 0", "newscrawler.toml: portal[1].max_pages is 0;", ["1 or more"]),
        ("max_pages = 1.5", "newscrawler.toml: portal[1].max_pages is 1.5;", ["a whole number"]),
        ("max_minutes = 0", "newscrawler.toml: portal[1].max_minutes is 0;", ["above 0"]),
        ("max_minutes = inf", "newscrawler.toml: portal[1].max_minutes is inf;", ["above 0"]),
        ("max_depth = -1", "newscrawler.toml: portal[1].max_depth is -1;", ["0 or more"]),
        ('include = ["("]', 'newscrawler.toml: portal[1].include[1] is "(", which does not compile', ["regular expressions"]),
        ('include = "x"', 'newscrawler.toml: portal[1].include is "x";', ["a list of regular expressions"]),
        ('exclude = ["a", 3]', "newscrawler.toml: portal[1].exclude[2] is 3;", ["regular expressions"]),
        ('required = ["titel"]', 'portal[1].required[1] is "titel" (did you mean title?);', ["source, date, body"]),
        ("required = []", "newscrawler.toml: portal[1].required is [];", ["title, description, source, date, body"]),
        ('ignore_authors = "Redaktion"', 'portal[1].ignore_authors is "Redaktion";', ["a list of names", "NOC Admin"]),
        ('ignore_authors = ["A B", " "]', 'portal[1].ignore_authors[2] is " ", which is empty or contains line breaks', ["names"]),
        ("ignore_authors = [5]", "portal[1].ignore_authors[1] is 5;", ["a list of names"]),
        ('method = "pagelets"', 'portal[1].method is "pagelets" (did you mean pagelet?);', ["default", "pagelet"]),
        ('classifier = "x"', 'newscrawler.toml: portal[1].classifier is "x";', ["documents"]),
        ('time_zone = "Europe/Pragu"', 'portal[1].time_zone is "Europe/Pragu"', ["did you mean Europe/Prague?", "IANA"]),
        ('time_zone = "../etc/passwd"', 'portal[1].time_zone is "../etc/passwd"', ["IANA"]),
        ('time_zone = "Europe"', 'portal[1].time_zone is "Europe"', ["IANA"]),
        ('time_zone = ""', 'portal[1].time_zone is ""', ["IANA"]),
        ('language = "czech"', 'portal[1].language is "czech"', ["two or three small letters"]),
        ('hosts = ["https://x.org"]', 'portal[1].hosts[1] is "https://x.org", which is not a host name', ["host names"]),
        ("dealy = 3", "newscrawler.toml: portal[1].dealy is not a key", ["did you mean delay?"]),
    ],
)
def test_a_wrong_value_is_told_with_file_key_value_and_what_is_allowed(line: str, start: str, parts: list[str]) -> None:
    (message,) = mistakes(PLAIN + line)

    assert start in message
    assert all(part in message for part in parts)


@pytest.mark.parametrize(
    "address",
    ["ftp://example.org/", "example.org", "https://", "http:///path", "http://[::1/", "https://x.org:port/", "https://a b.org/"],
)
def test_a_start_url_that_is_no_web_address_is_refused(address: str) -> None:
    (message,) = mistakes(f'[[portal]]\nname = "a"\nstart_urls = ["{address}"]')

    assert f'portal[1].start_urls[1] is "{address}", which is not a web address' in message


def test_a_password_does_not_belong_into_a_start_url() -> None:
    (message,) = mistakes('[[portal]]\nname = "a"\nstart_urls = ["https://me:secret@x.org/"]')

    assert "which holds a user name or password" in message


def test_a_portal_on_this_machine_may_have_no_delay() -> None:
    text = '[[portal]]\nname = "a"\nstart_urls = ["http://127.0.0.1:8732/", "http://[::1]:80/", "http://localhost/"]\ndelay = 0'

    assert parse_configuration(text, PATH).portals[0].delay_seconds == 0


def test_a_foreign_host_in_scope_needs_a_delay() -> None:
    text = '[[portal]]\nname = "a"\nstart_urls = ["http://127.0.0.1:8732/"]\nhosts = ["example.org"]\ndelay = 0'

    (message,) = mistakes(text)
    assert "example.org is not this machine" in message


def test_no_delay_by_default_is_refused_for_a_portal_elsewhere() -> None:
    (message,) = mistakes(f"[crawler.defaults]\ndelay = 0\n{PLAIN}")

    assert "portal[1].delay is 0, but news.example.org" in message


def test_all_mistakes_are_told_at_once() -> None:
    text = f'[crawler]\ncontact = "nobody"\ndatabse = "x"\n{PLAIN}delay = -1\n{PLAIN}max_pages = 0\n[other]\n'

    found = mistakes(text)

    assert len(found) == 6
    for part in ("other", "crawler.contact", "crawler.databse", "portal[1].delay", "portal[2].max_pages", "portal[2].name"):
        assert sum(f": {part} " in line for line in found) == 1


def test_a_mistake_in_the_defaults_is_told_once() -> None:
    (message,) = mistakes(f"[crawler.defaults]\ndelay = -1\n{PLAIN}")

    assert "crawler.defaults.delay is -1" in message


def test_two_portals_of_one_name_are_refused() -> None:
    (message,) = mistakes(PLAIN + PLAIN)

    assert 'portal[2].name is "a", which portal[1] has already' in message


@pytest.mark.parametrize("text", ['portal = "x"', "[portal]\nname = 'a'", "crawler = 3", "[crawler]\ndefaults = 3", "portal = [1]"])
def test_a_table_in_the_wrong_shape_is_told(text: str) -> None:
    (message,) = mistakes(text)

    assert "it must be a" in message


def test_a_missing_key_is_told() -> None:
    (message,) = mistakes('[[portal]]\nname = "a"')

    assert "portal[1].start_urls is missing" in message


def test_broken_toml_is_told_with_line_and_column() -> None:
    (message,) = mistakes("[crawler]\ncontact = \n")

    assert message.startswith("newscrawler.toml is not valid TOML")
    assert "line 2, column 11" in message


@pytest.mark.parametrize("contact", ["nobody", "a@b", "a b@c.org", "a@b.org\\nX: y", "https://", "me(x)@y.org", ""])
def test_a_contact_that_could_not_stand_in_a_header_is_refused(contact: str) -> None:
    (message,) = mistakes(f'[crawler]\ncontact = "{contact}"')

    assert "crawler.contact is" in message
    assert "e-mail address" in message


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no file .*absent\.toml; `newscrawler init` writes one"):
        load_configuration(tmp_path / "absent.toml")


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_configuration(tmp_path)


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "newscrawler.toml"
    path.write_bytes('[crawler]\ndata_folder = "články"\n'.encode("iso-8859-2"))

    with pytest.raises(ConfigError, match="is not UTF-8"):
        load_configuration(path)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "newscrawler.toml"
    path.write_bytes(b"\xef\xbb\xbf" + PLAIN.encode())

    assert load_configuration(path).portals[0].name == "a"


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("sqlite:///news.sqlite", "sqlite:////etc/crawler/news.sqlite"),
        ("sqlite+pysqlite:///news.sqlite", "sqlite+pysqlite:////etc/crawler/news.sqlite"),
        ("sqlite:////var/news.sqlite", "sqlite:////var/news.sqlite"),
        ("sqlite:///:memory:", "sqlite:///:memory:"),
        ("postgresql://me@host/news", "postgresql://me@host/news"),
    ],
)
def test_a_relative_database_lies_beside_the_configuration(given: str, read: str) -> None:
    configuration = parse_configuration(f'[crawler]\ndatabase = "{given}"', Path("/etc/crawler/newscrawler.toml"))

    assert configuration.database_url == read
    assert configuration.data_folder == Path("/etc/crawler/newscrawler-data")


def test_records_load_without_pydantic_and_tomlkit() -> None:
    code = "import sys; before = set(sys.modules); import newscrawler.config; "  # whoever measures coverage reads TOML as well
    code += "sys.exit(bool({'pydantic', 'tomlkit', 'tomllib'} & (set(sys.modules) - before)))"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
