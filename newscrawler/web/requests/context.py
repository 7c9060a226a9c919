"""What every page works with: the database, the configuration, the clock, the templates."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

from jinja2 import Environment

from newscrawler.config import Configuration
from newscrawler.config.load import parse_configuration, read_text
from newscrawler.errors import ConfigError
from newscrawler.service.overview import Overviews
from newscrawler.store import Store
from newscrawler.web.requests.login_limiter import LoginLimiter
from newscrawler.web.requests.probes import Probes
from newscrawler.web.requests.templating import environment

#: A proxy is on this machine, unless the configuration names another.
LOCAL_PROXIES = ("127.0.0.0/8", "::1/128")


def _now() -> datetime:
    return datetime.now(UTC)


class ConfigurationFile:
    """newscrawler.toml, read again when it has changed; while it is wrong, what it held before is used."""

    def __init__(self, path: Path | None, configuration: Configuration) -> None:
        #: None: there is no file, and nothing can be changed.
        self.path = path
        self._configuration = configuration
        self._stamp: tuple[int, int] | None = None
        self._lock = threading.Lock()
        #: Why the file is not used as it is; empty: it is.
        self.problem = ""

    def read(self) -> Configuration:
        """Return what the file holds."""
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
    """What every page works with."""

    store: Store
    file: ConfigurationFile
    #: Accounts are demanded even where there are none yet.
    needs_login: bool = False
    #: Whether an account was seen.
    has_accounts: threading.Event = field(default_factory=threading.Event)
    #: Header in which a proxy names the user; None: there is no proxy.
    user_header: str | None = None
    #: Where the proxy may be; the header is believed from there only.
    proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    #: Names under which the application may be asked while nobody has to log in.
    hosts: frozenset[str] = frozenset({"localhost", "127.0.0.1", "[::1]"})
    now: Callable[[], datetime] = _now
    templates: Environment = field(default_factory=environment)
    limiter: LoginLimiter = field(default_factory=LoginLimiter)
    probes: Probes = field(default_factory=Probes)
    overviews: Overviews

    @classmethod
    def of(
        cls, store: Store, configuration: Configuration, *, needs_login: bool = False, user_header: str | None = None,
        proxies: Sequence[str] = LOCAL_PROXIES, now: Callable[[], datetime] = _now,
    ) -> WebContext:  # fmt: skip
        """Create the context of a database and a configuration."""
        return cls(
            store=store,
            file=ConfigurationFile(configuration.path, configuration),
            needs_login=needs_login,
            user_header=user_header,
            proxies=tuple(ip_network(network) for network in proxies),
            now=now,
            overviews=Overviews(store),
        )

    @property
    def configuration(self) -> Configuration:
        """The configuration as the file holds it now."""
        return self.file.read()

    @property
    def is_for_this_machine(self) -> bool:
        """Whether nobody but this machine can ask: it is served to it alone, without a proxy in front."""
        return not self.needs_login and self.user_header is None

    def is_proxy(self, address: str | None) -> bool:
        """Return whether an address is that of the proxy in front of us."""
        try:
            found = ip_address(address or "")
        except ValueError:
            return False
        return self.user_header is not None and any(found in network for network in self.proxies)


def config_path(context: WebContext) -> Path:
    """Return the file of the configuration, to be changed.

    Raises:
        ConfigError: there is none.
    """
    if context.file.path is None:
        raise ConfigError(
            "there is no newscrawler.toml to write to; `newscrawler init` writes one, then start the web application again"
        )
    return context.file.path
