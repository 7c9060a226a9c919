"""Notifications of problems that begin or end: the news, the channels (e-mail, a webhook, a command), and their retries."""

from __future__ import annotations

import json
import logging
import os
import smtplib
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from threading import Thread
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from newscrawler import __version__
from newscrawler.config import AlertSettings
from newscrawler.errors import NewscrawlerError
from newscrawler.limits import DELIVERY_SECONDS, NOTIFICATION_SECONDS
from newscrawler.plugins import PluginGroup, find_plugins
from newscrawler.politeness import is_this_machine
from newscrawler.store import Store
from newscrawler.store.service import AlertRecord

#: Environment variables for secrets that should not be in a file.
PASSWORD_VARIABLE = "NEWSCRAWLER_SMTP_PASSWORD"  # noqa: S105  the name of the variable
WEBHOOK_VARIABLE = "NEWSCRAWLER_WEBHOOK"
logger = logging.getLogger(__name__)
#: Pauses before retries of a failed channel; the last repeats.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
#: Undelivered notifications are dropped after this.
STALE = timedelta(days=3)


def compare_problems(
    before: Iterable[AlertRecord], findings: Mapping[str, str], known: Collection[str]
) -> tuple[dict[str, str], list[AlertRecord]]:
    """Return which findings of a crawl, a sentence each, are new, and which open problems are over; only `known` ones can end."""
    lasting = {alert.problem: alert for alert in before}
    begun = {problem: sentence for problem, sentence in findings.items() if problem not in lasting}
    return begun, [alert for problem, alert in lasting.items() if problem in known and problem not in findings]


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """The beginning or end of a problem, as reported."""

    alert: AlertRecord
    over: bool

    @property
    def line(self) -> str:
        """Return the news as one line."""
        alert = self.alert
        if self.over:
            return f"{alert.portal}: over: {alert.problem} (since {alert.began_at:%Y-%m-%d %H:%M} UTC)"
        return f"{alert.portal}: {alert.problem}: {alert.sentence}"

    def as_dict(self) -> dict[str, Any]:
        """Return the news for programs."""
        alert = self.alert
        return {
            "portal": alert.portal,
            "problem": alert.problem,
            "event": "over" if self.over else "begun",
            "sentence": alert.sentence,
            "began_at": alert.began_at.isoformat(),
            "over_at": alert.over_at.isoformat() if alert.over_at else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """A notification: text for people, data for programs."""

    subject: str
    text: str
    html: str | None = None
    data: Mapping[str, Any]


def find_undelivered_news(alerts: Iterable[AlertRecord], channel: str, *, since: datetime) -> list[News]:
    """Return the news since a time that one channel has not delivered yet, in order of time."""
    found = []
    for alert in alerts:
        if (alert.over_at or alert.began_at) < since:
            continue
        if channel not in alert.delivered:
            found.append(News(alert=alert, over=False))
        if alert.over_at is not None and channel not in alert.delivered_over:
            found.append(News(alert=alert, over=True))
    return sorted(found, key=lambda news: news.alert.over_at if news.over and news.alert.over_at else news.alert.began_at)


def write_message(news: Sequence[News]) -> Notification:
    """Return one message for all news."""
    subject = f"newscrawler: {news[0].line}" if len(news) == 1 else f"newscrawler: {len(news)} news of portals"
    text = "\n".join(each.line for each in news)
    return Notification(subject=subject, text=text, data={"kind": "alert", "news": [each.as_dict() for each in news]})


class DeliveryError(Exception):
    """The message could not be delivered; the text says why."""


class Notifier(Protocol):
    """One channel of notification."""

    @property
    def name(self) -> str:
        """Return the name under which the store records deliveries."""

    def deliver(self, message: Notification) -> None:
        """Deliver a message.

        Raises:
            DeliveryError: it could not be delivered.
        """


def create_notifiers(settings: AlertSettings) -> list[Notifier]:
    """Return all configured channels."""
    found: list[Notifier] = []
    if settings.mail_to:
        found.append(Mail(settings))
    webhook = settings.webhook or os.environ.get(WEBHOOK_VARIABLE)
    if webhook:
        found.append(Webhook(webhook))
    if settings.command:
        found.append(Command(settings.command))
    installed = find_plugins(PluginGroup.NOTIFIERS)
    return [*found, *(installed[name].load()() for name in settings.plugins)]


@dataclass(frozen=True, slots=True)
class Mail:
    """E-mail by SMTP, over TLS (smtps) or with STARTTLS; without TLS only on this machine."""

    settings: AlertSettings
    name: str = "mail"

    def deliver(self, message: Notification) -> None:
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
            raise DeliveryError(f"{self.settings.smtp}: {_get_first_line(error)}") from error

    def _send(self, mail: EmailMessage) -> None:
        parts = urlsplit(self.settings.smtp)
        host, user = parts.hostname or "localhost", unquote(parts.username or "")
        context = ssl.create_default_context()
        server: smtplib.SMTP
        if parts.scheme == "smtps":
            server = smtplib.SMTP_SSL(host, parts.port or 465, timeout=NOTIFICATION_SECONDS, context=context)
        else:
            server = smtplib.SMTP(host, parts.port or (25 if is_this_machine(host) else 587), timeout=NOTIFICATION_SECONDS)
        with server:
            if parts.scheme == "smtp" and not is_this_machine(host):
                server.starttls(context=context)
            if user:
                server.login(user, self._read_password())
            server.send_message(mail)

    def _read_password(self) -> str:
        file = self.settings.smtp_password_file
        return file.read_text("utf-8").strip() if file else os.environ.get(PASSWORD_VARIABLE, "")


@dataclass(frozen=True, slots=True)
class Webhook:
    """JSON by POST: `text` for Slack and compatible services, `newscrawler` for programs."""

    address: str
    name: str = "webhook"

    def deliver(self, message: Notification) -> None:
        """Send one message by POST."""
        body = {"text": f"*{_escape(message.subject)}*\n{_escape(message.text)}", "newscrawler": dict(message.data)}
        headers = {"Content-Type": "application/json", "User-Agent": f"newscrawler/{__version__}"}
        request = urllib.request.Request(self.address, json.dumps(body).encode(), headers)  # noqa: S310  checked in the schema
        try:
            with urllib.request.urlopen(request, timeout=NOTIFICATION_SECONDS) as answer:  # noqa: S310
                answer.read(1000)
        except urllib.error.HTTPError as error:
            error.close()
            raise DeliveryError(f"the webhook of {urlsplit(self.address).hostname} answers HTTP {error.code}") from error
        except (OSError, ValueError) as error:
            raise DeliveryError(f"the webhook of {urlsplit(self.address).hostname}: {_get_first_line(error)}") from error


@dataclass(frozen=True, slots=True)
class Command:
    """A program that reads JSON from standard input; any exit code but 0 is a failure."""

    arguments: tuple[str, ...]
    name: str = "command"

    def deliver(self, message: Notification) -> None:
        """Run it once."""
        body = {"subject": message.subject, "text": message.text, **message.data}
        try:
            done = subprocess.run(  # noqa: S603  the user's command
                self.arguments, input=json.dumps(body).encode(), capture_output=True, timeout=NOTIFICATION_SECONDS * 3, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DeliveryError(f"{Path(self.arguments[0]).name}: {_get_first_line(error)}") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0][:200]
            raise DeliveryError(f"{Path(self.arguments[0]).name} ended with exit code {done.returncode} {said}".rstrip())


def _escape(text: str) -> str:
    """Return text with the three special characters of Slack escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _get_first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).partition("\n")[0][:200]


def deliver_in_time(notifier: Notifier, message: Notification) -> None:
    """Deliver a message, but do not wait longer than a minute: time limits of sockets are for each piece of an answer.

    Raises:
        DeliveryError: it could not be delivered.
    """
    work: Future[None] = Future()

    def deliver() -> None:
        try:
            notifier.deliver(message)
            work.set_result(None)
        except Exception as error:  # noqa: BLE001  its caller gets it
            work.set_exception(error)

    Thread(target=deliver, name=f"notification-{notifier.name}", daemon=True).start()
    try:
        work.result(DELIVERY_SECONDS)
    except TimeoutError as error:
        raise DeliveryError(f"{notifier.name}: no end after {DELIVERY_SECONDS:g} s") from error


@dataclass(slots=True)
class _Channel:
    notifier: Notifier
    failures: int = 0
    next_try_at: datetime | None = None


@dataclass(slots=True)
class Delivery:
    """Delivers notifications once by each channel, with retries, in a separate thread."""

    store: Store
    executor: Executor
    _channels: list[_Channel] = field(default_factory=list)
    _work: Future[None] | None = None
    _news: bool = True

    def configure(self, notifiers: Sequence[Notifier]) -> None:
        """Apply a configuration; undelivered notifications go to the new channels."""
        self._channels = [_Channel(notifier) for notifier in notifiers]
        self._news = True

    def announce(self) -> None:
        """Wake the delivery, because there may be news."""
        self._news = True

    def deliver(self, now: datetime) -> None:
        """Send the news, after any delivery in progress."""
        if self._is_busy():
            return
        ready = [channel for channel in self._channels if channel.next_try_at is None or channel.next_try_at <= now]
        if ready and (self._news or any(channel.next_try_at for channel in ready)):
            self._news = False
            self._work = self.executor.submit(self._deliver, ready, now)

    def send(self, make: Callable[[], Notification], then: Callable[[frozenset[str]], None], delivered: frozenset[str]) -> bool:
        """Create a message and send it by all channels that have not delivered it; False: another delivery is in progress."""
        if self._is_busy():
            return False
        self._work = self.executor.submit(self._send, make, then, delivered)
        return True

    def find_next_event(self) -> datetime | None:
        """Return when a failed channel is retried."""
        return min((channel.next_try_at for channel in self._channels if channel.next_try_at), default=None)

    def _is_busy(self) -> bool:
        if self._work is None or not self._work.done():
            return self._work is not None
        work, self._work = self._work, None
        error = work.exception()
        if error is not None:
            self._news = True
            if not isinstance(error, NewscrawlerError):
                raise error
            logger.error("not every notification was delivered: %s", error)
        return False

    def _deliver(self, channels: Sequence[_Channel], now: datetime) -> None:
        for channel in channels:
            since = now - STALE
            news = find_undelivered_news(self.store.service.open_alerts(since=since), channel.notifier.name, since=since)
            if not news:
                channel.failures, channel.next_try_at = 0, None
                continue
            if self._deliver_by(channel, write_message(news), now):
                for each in news:
                    self.store.service.mark_delivered(each.alert.id, channel.notifier.name, over=each.over)

    def _send(self, make: Callable[[], Notification], then: Callable[[frozenset[str]], None], delivered: frozenset[str]) -> None:
        message = make()
        done = set(delivered)
        for channel in self._channels:
            if channel.notifier.name not in delivered and self._deliver_by(channel, message, None):
                done.add(channel.notifier.name)
        then(frozenset(done))

    def _deliver_by(self, channel: _Channel, message: Notification, now: datetime | None) -> bool:
        try:
            deliver_in_time(channel.notifier, message)
        except DeliveryError as error:
            level = logging.DEBUG if channel.failures else logging.WARNING  # once, until it works again
            logger.log(level, "no notification was delivered by %s: %s", channel.notifier.name, error)
            if now is not None:
                channel.next_try_at = now + PAUSES[min(channel.failures, len(PAUSES) - 1)]
            channel.failures += 1
            return False
        channel.failures, channel.next_try_at = 0, None
        return True
