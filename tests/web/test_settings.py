"""Settings and alerts in the browser: what is written, what is refused, who did it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mail_server import mail_server
from web_site import Site, form_token, send

from newscrawler.config import load_configuration
from newscrawler.store.web import Role
from newscrawler.web.requests.context import format_code

MORE = """
[service]
max_hours = 8  # the backup begins at 6

[alerts]
webhook = "https://hooks.example.org/services/T0/B0/secret"
command = ["/usr/local/bin/page", "me"]
"""


@pytest.fixture
def file(site: Site) -> Path:
    """A file with comments and all tables."""
    path = site.folder / "newscrawler.toml"
    path.write_text(path.read_text() + MORE)
    return path


def audit(site: Site) -> list[tuple[str, str, str]]:
    return [(entry.action, entry.subject, entry.detail) for entry in site.store.audit.entries()]


def test_keys_of_every_table_are_changed_and_comments_stay(site: Site, file: Path) -> None:
    client = site.client()
    for table, fields in {
        "crawler": {"denylist": "a.example\nb.example"},
        "defaults": {"delay": "7.5"},
        "service": {"at_once": "3", "max_hours": ""},
        "alerts": {"mail_to": "me@example.org", "digest": "never"},
    }.items():
        page = client.get(f"/settings/{table}")
        assert page.status_code == 200
        assert send(client, f"/settings/{table}", page=f"/settings/{table}", **fields).status_code == 303, table

    configuration = load_configuration(file)
    assert configuration.denylist == ("a.example", "b.example")
    assert {portal.delay_seconds for portal in configuration.portals} == {7.5}
    assert (configuration.service.at_once, configuration.service.max_hours) == (3, 12.0)
    assert (configuration.alerts.mail_to, configuration.alerts.digest) == (("me@example.org",), None)
    assert "# the first portal" in file.read_text()
    assert "command = [" in file.read_text()
    assert audit(site)[0] == ("settings changed", "alerts", "mail_to: '' → 'me@example.org'; digest: '07:30' → 'never'")
    assert len(audit(site)) == 4


def test_a_wrong_value_is_said_beside_what_was_sent_and_nothing_is_written(site: Site, file: Path) -> None:
    before = file.read_text()
    client = site.client()

    wrong = send(client, "/settings/service", page="/settings/service", at_once="many", max_hours="9")
    refused = send(client, "/settings/alerts", page="/settings/alerts", mail_to="nobody")

    assert wrong.status_code == refused.status_code == 422
    assert "at_once is &#39;many&#39;; it must be a whole number, 1 to 1000" in wrong.text
    assert 'value="many"' in wrong.text
    assert "which is not an e-mail address" in refused.text
    assert file.read_text() == before
    assert audit(site) == []
    assert client.get("/settings/portal").status_code == 404


def test_programs_files_secrets_and_addresses_are_changed_in_the_file_alone(site: Site, file: Path) -> None:
    before = file.read_text()
    client = site.client()

    for path, fields in (
        ("/settings/alerts", {"command": "/bin/sh"}),
        ("/settings/alerts", {"webhook": "http://169.254.169.254/"}),
        ("/settings/alerts", {"smtp": "smtp://mail.attacker.example"}),
        ("/settings/service", {"textfile": "/etc/cron.d/x"}),
        ("/settings/service", {"web_user_header": "X-Me"}),
        ("/settings/crawler", {"database": "sqlite:////etc/x"}),
        ("/portals/one/keys", {"networks": "10.0.0.0/8"}),
        ("/portals/one/keys", {"headers": "Cookie: file:/etc/shadow"}),
    ):
        refused = send(client, path, page=path, **fields)
        assert refused.status_code == 403, path
        assert "can be changed only in newscrawler.toml" in refused.text

    assert file.read_text() == before
    page = client.get("/settings/alerts").text
    assert "/usr/local/bin/page" in page
    assert "secret" not in page.replace("smtp_password_file", "").replace("set, and not shown", "")


def test_what_somebody_else_has_saved_meanwhile_is_not_undone(site: Site, file: Path) -> None:
    client = site.client()
    stale = client.get("/settings/service").text
    version = stale.split('name="version" value="')[1][:16]
    send(client, "/settings/service", page="/settings/service", max_hours="3")

    late = client.post("/settings/service", data={"csrf": form_token(stale), "version": version, "max_hours": "8.0", "grace": "5"})

    assert late.status_code == 409
    assert load_configuration(file).service.max_hours == 3.0


def test_an_export_is_added_changed_and_removed_and_stays_in_its_folder(site: Site, file: Path) -> None:
    client = site.client()
    path = "/settings/exports"
    fields: dict[str, Any] = {"name": "weekly", "portals": "one", "only_new": "true"}
    assert send(client, path, page=path, **fields).status_code == 303
    assert send(client, path, page=path, **fields).status_code == 422
    for elsewhere in ("/etc/cron.d/x.csv", "exports/../newscrawler.toml", "newscrawler.sqlite", "../exports/x.csv"):
        refused = send(client, f"{path}/weekly", page=f"{path}/weekly", path=elsewhere)
        assert refused.status_code == 422, elsewhere
        assert "writes to the folder exports" in refused.text

    assert send(client, f"{path}/weekly", page=f"{path}/weekly", path="exports/{name}.csv", days="7").status_code == 303
    (export,) = load_configuration(file).exports
    assert (export.path, export.days, export.portals, export.only_new) == (
        str(site.folder / "exports/{name}.csv"), 7, ("one",), True
    )  # fmt: skip
    assert send(client, f"{path}/weekly/remove", page=f"{path}/weekly").status_code == 303
    assert load_configuration(file).exports == ()
    assert [entry[0] for entry in audit(site)] == ["export removed", "export changed", "export added"]
    assert client.get(f"{path}/weekly").status_code == 404


def test_only_operators_see_and_change_settings(site: Site, file: Path) -> None:
    assert file
    reviewer = site.logged_in("vera", Role.REVIEWER)
    token = form_token(reviewer.get("/account").text)

    for path in ("/settings", "/settings/alerts", "/settings/exports"):
        assert reviewer.get(path).status_code == 403
    for path in ("/settings/alerts", "/settings/exports", "/alerts", "/alerts/test"):
        assert reviewer.post(path, data={"csrf": token, "alert": "1"}).status_code == 403
    assert reviewer.get("/alerts").status_code == 200
    assert "Send a test message" not in reviewer.get("/alerts").text


def test_alerts_have_a_history_and_are_acknowledged_once(site: Site) -> None:
    service = site.store.service
    service.record_alerts([("one", "blocked", "12 of 20 requests were answered with HTTP 403")], [], now=site.now)
    service.record_alerts([("two", "empty", "nothing came")], [], now=site.now)
    service.record_alerts([], [2], now=site.now)
    client = site.logged_in("anna", Role.OPERATOR)

    assert send(client, "/alerts", page="/alerts", alert="1").status_code == 303
    site.account("bert", Role.OPERATOR)
    service.acknowledge(1, "bert", now=site.now)

    page = client.get("/alerts").text
    assert "12 of 20 requests were answered with HTTP 403" in page
    assert page.index("Closed alerts") < page.index("nothing came")
    assert "Acknowledged 20 Nov 2026, 12:00" in page
    assert "nothing came" not in client.get("/alerts?portal=one").text
    assert send(client, "/alerts", page="/alerts", alert="9").status_code == 404
    assert audit(site)[0] == ("alert acknowledged", "one", "alert 1: blocked")


def test_a_test_message_is_sent_and_what_fails_is_said(site: Site) -> None:
    client = site.client()
    file = site.folder / "newscrawler.toml"
    text = file.read_text()
    assert send(client, "/alerts/test", page="/alerts").status_code == 409
    with mail_server() as (box, port):
        file.write_text(f'{text}\n[alerts]\nmail_to = ["me@example.org"]\nsmtp = "smtp://127.0.0.1:{port}"\ncommand = ["false"]\n')
        sent = send(client, "/alerts/test", page="/alerts").text

    (mail,) = box.mails
    assert mail.rcpt_tos == ["me@example.org"]
    assert "Sent by mail." in sent
    assert "Not sent by command: false ended with exit code 1" in sent
    assert audit(site)[0] == ("test message", "alerts", "mail: sent; command: false ended with exit code 1")


def test_words_between_backquotes_are_code_and_stay_escaped(site: Site) -> None:
    assert format_code("run `a <b>`, <i>") == "run <code>a &lt;b&gt;</code>, &lt;i&gt;"
    assert "<code>newscrawler run</code>" in site.client().get("/settings/service").text
