"""The context of every page: the database, the configuration, the clock, and the templates, in which everything is escaped."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from newscrawler.config import Configuration, parse_configuration, read_text
from newscrawler.errors import ConfigError
from newscrawler.politeness import is_this_machine
from newscrawler.politeness.rights import Purpose
from newscrawler.service import Overviews
from newscrawler.store import Store
from newscrawler.store.articles import Selection, StoredArticle
from newscrawler.web.requests.passwords import LoginLimiter
from newscrawler.web.requests.probes import Probes
from newscrawler.web.requests.problems import RequestProblem, require

FOLDER = Path(__file__).parent.parent / "templates"
_CODE = re.compile("`([^`]+)`")


@cache
def make_environment() -> Environment:
    """Return the environment of all templates; each is compiled once."""
    created = Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        auto_reload=False,
    )  # fmt: skip
    created.filters |= {
        "amount": format_amount, "code": format_code, "day": format_day, "link": format_link,
        "moment": format_time, "number": format_number,
        "only": pick_values, "query": format_query, "share": format_share, "span": format_span,
    }  # fmt: skip
    return created


def format_link(url: str | None) -> str:
    """Return the URL if it is safe in a link, else an empty string: `javascript:` and the like run code."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return ""
    return url or "" if parts.scheme.lower() in {"http", "https"} and parts.netloc else ""


@pass_context
def format_time(context: Context, value: datetime | None, missing: str = "–", *, portal: str = "", zone: bool = True) -> str:
    """Return a time to the minute in the time zone of a portal, or of the service; the head of a table may name the zone."""
    if value is None:
        return missing
    local = context["visit"].localize(value, portal)
    return f"{local.day} {local:%b %Y, %H:%M}" + (f" {local.tzname()}" if zone else "")


def format_day(value: date | str, style: str = "%b %Y") -> str:
    """Return a day or a month, with the day of the month for a day."""
    text = str(value)
    found = date.fromisoformat(text if len(text) > 7 else f"{text}-01" if len(text) > 4 else f"{text}-01-01")
    return f"{found.day} {found:{style}}" if len(text) > 7 else found.strftime(style if len(text) > 4 else "%Y")


def format_code(text: str) -> Markup:
    """Return a sentence with the words between backquotes as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704  escaped before


def format_number(value: float | None, missing: str = "–") -> str:
    """Return a number with commas between thousands."""
    return missing if value is None else f"{value:,.0f}"


def format_amount(value: float, unit: str = "") -> str:
    """Return a large number with three digits at most, such as 48 GB or 612 M."""
    for letter in ("", "k", "M", "G"):
        if value < 1_000 or letter == "G":
            break
        value /= 1_000
    text = f"{value:.1f}" if value < 10 and letter else f"{value:.0f}"
    return f"{text} {letter}{unit}".rstrip()


def format_span(seconds: float | None) -> str:
    """Return a duration in words that fit a table cell."""
    minutes = round((seconds or 0) / 60)
    if minutes < 60:
        return f"{minutes} min" if (seconds or 0) >= 60 else f"{seconds or 0:.0f} s"
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes < 48 * 60 else f"{minutes // 1440} days"


def format_share(value: float | None, missing: str = "–") -> str:
    """Return a share in per cent."""
    return missing if value is None else f"{value:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def format_query(values: dict[str, Any], **changes: Any) -> str:
    """Return values and changes as the query of a URL, without those that are empty."""
    merged = values | changes
    return urlencode({key: value for key, value in merged.items() if value not in (None, "", [])}, doseq=True)


def pick_values(values: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the values of these names."""
    return {name: values[name] for name in names}


#: By default a proxy runs on this machine.
LOCAL_PROXIES = ("127.0.0.0/8", "::1/128")
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})


def _get_now() -> datetime:
    return datetime.now(UTC)


class ConfigurationFile:
    """newscrawler.toml, read again when it has changed. While it is invalid, its last valid content is used."""

    def __init__(self, path: Path | None, configuration: Configuration) -> None:
        #: None without a file; then nothing can be changed.
        self.path = path
        self._configuration = configuration
        self._stamp: tuple[int, int] | None = None
        self._lock = threading.Lock()
        #: Why the file is invalid; empty if it is valid.
        self.problem = ""

    def read(self) -> Configuration:
        """Return the configuration in the file."""
        if self.path is None:
            return self._configuration
        with self._lock:
            try:
                status = self.path.stat()
                stamp = (status.st_mtime_ns, status.st_size)
                if stamp != self._stamp:
                    self._stamp = stamp
                    self._configuration = parse_configuration(read_text(self.path), self.path)
                    self.problem = ""
            except (OSError, ConfigError) as error:
                self.problem = str(error)
            return self._configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class WebContext:
    """The database, configuration, clock and templates for all pages."""

    store: Store
    file: ConfigurationFile
    #: A login is required even if there are no accounts yet.
    needs_login: bool = False
    #: Whether this process carries out jobs while no service runs.
    runs_jobs: threading.Event = field(default_factory=threading.Event)
    #: Whether an account was seen.
    has_accounts: threading.Event = field(default_factory=threading.Event)
    #: Header in which a proxy names the user; None: there is no such proxy.
    user_header: str | None = None
    #: Networks of proxies; their headers are trusted only from there.
    proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    #: The address at which a proxy offers the application; "": there is none.
    public_url: str = ""
    #: Host names that are served while no login is required.
    hosts: frozenset[str] = LOCAL_HOSTS
    now: Callable[[], datetime] = _get_now
    templates: Environment = field(default_factory=make_environment)
    limiter: LoginLimiter = field(default_factory=LoginLimiter)
    probes: Probes = field(default_factory=Probes)
    overviews: Overviews
    #: The pages are written as a static copy.
    is_static: bool = False
    #: Figures that would cost much for each request, with the time at which they were read.
    figures: dict[str, tuple[datetime, Any]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, store: Store, configuration: Configuration, *, needs_login: bool = False, user_header: str | None = None,
        proxies: Sequence[str] = (), now: Callable[[], datetime] = _get_now, is_static: bool = False,
    ) -> WebContext:  # fmt: skip
        """Create the context for a database and a configuration, as its [web] declares the deployment."""
        web = configuration.web
        proxies = proxies or web.trusted_proxies or (LOCAL_PROXIES if user_header or web.public_url else ())
        return cls(
            store=store, file=ConfigurationFile(configuration.path, configuration), user_header=user_header, now=now,
            needs_login=needs_login or is_public(configuration), proxies=tuple(ip_network(network) for network in proxies),
            overviews=Overviews(store), is_static=is_static, public_url=web.public_url or "",
            hosts=LOCAL_HOSTS | ({urlsplit(web.public_url).hostname or ""} if web.public_url else set()),
        )  # fmt: skip

    @property
    def public_netloc(self) -> str:
        """Return the host and port of the public address, in small letters; "": there is none."""
        return urlsplit(self.public_url).netloc.lower()

    @property
    def configuration(self) -> Configuration:
        """Return the current configuration of the file."""
        return self.file.read()

    @property
    def reserved(self) -> dict[str, Any]:
        """Return the fields of `Selection` that leave out articles that publishers withdrew; of a copy, those reserved, too."""
        return self.configuration.reserved_for(Purpose.ARCHIVE if self.is_static else None)

    def restrict(self, selection: Selection) -> Selection:
        """Return a selection without the articles that publishers do not allow to be shown."""
        return self.store.articles.restrict(selection, self.reserved)

    def find_article(self, number: int) -> StoredArticle:
        """Return the article of a number.

        Raises:
            RequestProblem: there is none, or its publisher withdrew it.
        """
        stored = require(self.store.articles.get(number), f"article {number}")
        if not self.store.articles.count(Selection(ids=(number,), **self.reserved)):
            raise RequestProblem(451, f"The publisher withdrew article {number}, {stored.article.url}.")
        return stored

    @property
    def is_for_this_machine(self) -> bool:
        """Return whether only this machine has access: the server listens on it alone, without a proxy in front."""
        return not self.needs_login and self.user_header is None

    def is_proxy(self, address: str | None) -> bool:
        """Return whether an address belongs to a proxy."""
        try:
            found = ip_address(address or "")
        except ValueError:
            return False
        return any(found in network for network in self.proxies)


def is_public(configuration: Configuration) -> bool:
    """Return whether a proxy offers the application to other machines."""
    url = configuration.web.public_url
    return url is not None and not is_this_machine(urlsplit(url).hostname)


def require_config_path(context: WebContext) -> Path:
    """Return the path of the configuration file, for a change.

    Raises:
        ConfigError: there is no configuration file.
    """
    if context.file.path is None:
        raise ConfigError(
            "there is no newscrawler.toml to write to; `newscrawler init` writes one, then start the web application again"
        )
    return context.file.path
