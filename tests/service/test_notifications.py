"""Telling somebody for real: an SMTP server, a webhook and a program on this machine."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from mail_server import Mailbox, mail_server
from portal_server import Answer, PortalServer

from newscrawler.config import AlertSettings
from newscrawler.service import DeliveryError, Notification, create_notifiers, deliver_in_time, notifications
from newscrawler.service.notifications import Command, Mail, Webhook

MESSAGE = Notification(
    subject="newscrawler: deník: blocked: 4 of 4 requests were answered with HTTP 403",
    text="deník: blocked: <b>403</b> & more\n",
    html="<!doctype html><p>deník</p>",
    data={"kind": "alert", "news": [{"portal": "deník", "problem": "blocked", "event": "begun"}]},
)


@pytest.fixture
def mailbox() -> Iterator[tuple[Mailbox, int]]:
    with mail_server() as found:
        yield found


def mail(port: int, user: str = "", **more: Any) -> Mail:
    settings = AlertSettings(mail_to=("a@example.org", "b@example.org"), smtp=f"smtp://{user}127.0.0.1:{port}", **more)
    return Mail(settings)


def test_a_mail_arrives_as_text_and_as_a_page(mailbox: tuple[Mailbox, int]) -> None:
    box, port = mailbox

    mail(port).deliver(MESSAGE)

    (envelope,) = box.mails
    received = message_from_bytes(envelope.content, policy=policy.default)  # type: ignore[arg-type]
    assert envelope.rcpt_tos == ["a@example.org", "b@example.org"]
    assert received["Subject"] == MESSAGE.subject
    assert received["Auto-Submitted"] == "auto-generated"
    text, page = received.get_body(("plain",)), received.get_body(("html",))
    assert text is not None
    assert page is not None
    assert text.get_content().replace("\r\n", "\n") == MESSAGE.text
    assert "deník" in page.get_content()


def test_a_password_comes_from_a_file_or_the_environment(
    mailbox: tuple[Mailbox, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, port = mailbox
    (tmp_path / "password").write_text("secret\n")

    mail(port, "user@", smtp_password_file=tmp_path / "password").deliver(MESSAGE)
    monkeypatch.setenv("NEWSCRAWLER_SMTP_PASSWORD", "secret")
    mail(port, "user@").deliver(MESSAGE)
    monkeypatch.setenv("NEWSCRAWLER_SMTP_PASSWORD", "wrong")

    with pytest.raises(DeliveryError, match="535"):
        mail(port, "user@").deliver(MESSAGE)
    assert len(box.mails) == 2


def test_a_mail_server_that_is_not_there_is_told() -> None:
    with pytest.raises(DeliveryError, match=r"smtp://127\.0\.0\.1:1: "):
        mail(1).deliver(MESSAGE)


def test_a_webhook_takes_what_slack_takes_and_what_programs_want() -> None:
    with PortalServer({"POST /services/T0/B0/x": ""}) as hook:
        hook.heads = []
        Webhook(f"{hook.url}services/T0/B0/x").deliver(MESSAGE)

    body = json.loads(hook.posted[0])
    assert "Content-Type: application/json" in hook.heads[0].splitlines()
    assert body["text"] == f"*{MESSAGE.subject}*\ndeník: blocked: &lt;b&gt;403&lt;/b&gt; &amp; more\n"
    assert body["newscrawler"]["news"][0]["problem"] == "blocked"


def test_a_webhook_that_refuses_is_told_without_its_secret_address() -> None:
    with PortalServer({"POST /bad/secret": Answer("", 500)}) as hook, pytest.raises(DeliveryError) as told:
        Webhook(f"{hook.url}bad/secret").deliver(MESSAGE)

    assert str(told.value) == "the webhook of 127.0.0.1 answers HTTP 500"


def test_a_command_is_given_json(tmp_path: Path) -> None:
    script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_bytes(sys.stdin.buffer.read())"

    Command((sys.executable, "-c", script, str(tmp_path / "taken"))).deliver(MESSAGE)

    assert json.loads((tmp_path / "taken").read_text())["news"][0]["portal"] == "deník"
    with pytest.raises(DeliveryError, match="ended with exit code 3 no"):
        Command((sys.executable, "-c", "import sys; sys.exit(print('no', file=sys.stderr) or 3)")).deliver(MESSAGE)
    with pytest.raises(DeliveryError, match="No such file"):
        Command(("/nowhere/at/all",)).deliver(MESSAGE)


def test_only_what_is_configured_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert create_notifiers(AlertSettings()) == []
    monkeypatch.setenv("NEWSCRAWLER_WEBHOOK", "https://127.0.0.1/secret")

    found = create_notifiers(AlertSettings(mail_to=("a@example.org",), command=("true",)))

    assert [each.name for each in found] == ["mail", "webhook", "command"]


@pytest.mark.parametrize("way", ["webhook", "mail"])
@pytest.mark.parametrize("drips", [b"", b"2"])
def test_a_receiver_that_hangs_or_drips_holds_nothing_up(monkeypatch: pytest.MonkeyPatch, way: str, drips: bytes) -> None:
    monkeypatch.setattr(notifications, "DELIVERY_SECONDS", 0.6)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ends = threading.Event()

        def answer() -> None:
            connection = listener.accept()[0]
            with connection, contextlib.suppress(OSError):
                while not ends.wait(0.1):
                    connection.send(drips)

        server = threading.Thread(target=answer, daemon=True)
        server.start()
        port = listener.getsockname()[1]
        began = time.monotonic()
        with pytest.raises(DeliveryError, match="no end after"):
            deliver_in_time(Webhook(f"http://127.0.0.1:{port}/") if way == "webhook" else mail(port), MESSAGE)
        took = time.monotonic() - began
        ends.set()
        server.join()

    assert took < 5
