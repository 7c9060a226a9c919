"""Channels of notification: e-mail, a webhook, a command. Each raises DeliveryError if it fails, and is retried later."""

from __future__ import annotations

import json
import os
import smtplib
import ssl
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from newscrawler import __version__
from newscrawler.config.contact import is_loopback
from newscrawler.config.service import AlertSettings
from newscrawler.plugins import PluginGroup, plugins_of
from newscrawler.service.alerts import Message

TIMEOUT_SECONDS = 20.0
#: Environment variables for secrets that should not be in a file.
PASSWORD_VARIABLE = "NEWSCRAWLER_SMTP_PASSWORD"  # noqa: S105  the name of the variable
WEBHOOK_VARIABLE = "NEWSCRAWLER_WEBHOOK"


class DeliveryError(Exception):
    """The message could not be delivered; the text says why."""


class Notifier(Protocol):
    """One channel of notification."""

    @property
    def name(self) -> str:
        """Return the name under which the store records deliveries."""
        ...

    def deliver(self, message: Message) -> None:
        """Deliver a message.

        Raises:
            DeliveryError: it could not be delivered.
        """
        ...


def notifiers_of(settings: AlertSettings) -> list[Notifier]:
    """Return all configured channels."""
    found: list[Notifier] = []
    if settings.mail_to:
        found.append(Mail(settings))
    webhook = settings.webhook or os.environ.get(WEBHOOK_VARIABLE)
    if webhook:
        found.append(Webhook(webhook))
    if settings.command:
        found.append(Command(settings.command))
    installed = plugins_of(PluginGroup.NOTIFIERS)
    return [*found, *(installed[name].load()() for name in settings.plugins)]


@dataclass(frozen=True, slots=True)
class Mail:
    """E-mail by SMTP, over TLS (smtps) or with STARTTLS; without TLS only on this machine."""

    settings: AlertSettings
    name: str = "mail"

    def deliver(self, message: Message) -> None:
        """Send one mail to all recipients."""
        mail = EmailMessage()
        mail["Subject"] = " ".join(message.subject.split())[:200]
        mail["From"] = self.settings.mail_from
        mail["To"] = ", ".join(self.settings.mail_to)
        mail["Date"] = formatdate()
        mail["Message-ID"] = make_msgid(domain=self.settings.mail_from.rpartition("@")[2])
        mail["Auto-Submitted"] = "auto-generated"  # RFC 3834: prevents automatic replies
        mail.set_content(message.text)
        if message.html is not None:
            mail.add_alternative(message.html, subtype="html")
        try:
            self._send(mail)
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            raise DeliveryError(f"{self.settings.smtp}: {_first_line(error)}") from error

    def _send(self, mail: EmailMessage) -> None:
        parts = urlsplit(self.settings.smtp)
        host, user = parts.hostname or "localhost", unquote(parts.username or "")
        context = ssl.create_default_context()
        server: smtplib.SMTP
        if parts.scheme == "smtps":
            server = smtplib.SMTP_SSL(host, parts.port or 465, timeout=TIMEOUT_SECONDS, context=context)
        else:
            server = smtplib.SMTP(host, parts.port or (25 if is_loopback(host) else 587), timeout=TIMEOUT_SECONDS)
        with server:
            if parts.scheme == "smtp" and not is_loopback(host):
                server.starttls(context=context)
            if user:
                server.login(user, self._password())
            server.send_message(mail)

    def _password(self) -> str:
        file = self.settings.smtp_password_file
        return file.read_text("utf-8").strip() if file else os.environ.get(PASSWORD_VARIABLE, "")


@dataclass(frozen=True, slots=True)
class Webhook:
    """JSON by POST: `text` for Slack and compatible services, `newscrawler` for programs."""

    address: str
    name: str = "webhook"

    def deliver(self, message: Message) -> None:
        """Post one message."""
        body = {"text": f"*{_escaped(message.subject)}*\n{_escaped(message.text)}", "newscrawler": dict(message.data)}
        headers = {"Content-Type": "application/json", "User-Agent": f"newscrawler/{__version__}"}
        request = urllib.request.Request(self.address, json.dumps(body).encode(), headers)  # noqa: S310  checked in the schema
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
                answer.read(1000)
        except urllib.error.HTTPError as error:
            error.close()
            raise DeliveryError(f"the webhook of {urlsplit(self.address).hostname} answers HTTP {error.code}") from error
        except (OSError, ValueError) as error:
            raise DeliveryError(f"the webhook of {urlsplit(self.address).hostname}: {_first_line(error)}") from error


@dataclass(frozen=True, slots=True)
class Command:
    """A program that reads JSON from standard input; any exit code but 0 is a failure."""

    arguments: tuple[str, ...]
    name: str = "command"

    def deliver(self, message: Message) -> None:
        """Run it once."""
        body = {"subject": message.subject, "text": message.text, **message.data}
        try:
            done = subprocess.run(  # noqa: S603  it is what the user configured
                self.arguments, input=json.dumps(body).encode(), capture_output=True, timeout=TIMEOUT_SECONDS * 3, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DeliveryError(f"{Path(self.arguments[0]).name}: {_first_line(error)}") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0][:200]
            raise DeliveryError(f"{Path(self.arguments[0]).name} ended with exit code {done.returncode} {said}".rstrip())


def _escaped(text: str) -> str:
    """Return text with the three special characters of Slack escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).partition("\n")[0][:200]
