"""`newscrawler run`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from newscrawler.cli.options import config_option, configuration_of, database_option, log_option
from newscrawler.cli.web import server_of
from newscrawler.config import CONFIGURATION_FILE
from newscrawler.errors import ConfigError


@click.command("run")
@log_option
@database_option
@config_option
def run_command(*, log: str | None, database: str | None, config: Path | None) -> None:
    """Crawl all portals, each when its turn comes, until you end it.

    When that is, a portal's `schedule`, `window` and `time_zone` say; without any, nightly from 22:00 on. Each crawl is
    a process of its own. A crawl that dies is tried again, a night that was missed is made up for once, and whoever
    [alerts] names is notified of problems, of their end, and each morning of what came in. With `web` in [service], the
    web application is served as well.

    Ctrl-C or SIGTERM ends it cleanly; it goes on where it stopped when it is started again. A change of the
    configuration is taken in by itself, or on SIGHUP; one that is wrong is refused, and the old one holds.

    \b
    Example:
      newscrawler run
      newscrawler run --config /etc/newscrawler/newscrawler.toml --log json
    """
    from newscrawler.service.daemon import serve
    from newscrawler.service.logs import write_logs
    from newscrawler.service.reload import load

    path = config or Path(CONFIGURATION_FILE)
    loaded = load(path)
    if not loaded.configuration.crawled:
        raise ConfigError(f"there is no portal to crawl in {path}; add one with `newscrawler portal add URL`")
    name = log or "text"
    write_logs(name)
    configuration = configuration_of(config, database)
    service = configuration.service
    web = server_of(configuration, service.web, service.web_user_header, service.web_proxies) if service.web else None
    with web.running() if web else nullcontext():
        serve(loaded, database_url=configuration.database_url, log=name)
