"""`newscrawler run`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from newscrawler.cli.options import config_option, configuration_of, database_option, log_option
from newscrawler.cli.web import server_of
from newscrawler.config import CONFIGURATION_FILE
from newscrawler.errors import ConfigError
from newscrawler.service.daemon import serve
from newscrawler.service.logs import write_logs
from newscrawler.service.reload import load


@click.command("run")
@log_option
@database_option
@config_option
def run_command(*, log: str | None, database: str | None, config: Path | None) -> None:
    """Crawl all portals on schedule until you stop the service.

    A portal's `schedule`, `window` and `time_zone` set the time of its crawls; by default they run nightly from 22:00 on. Each
    crawl is a separate process. A crawl that dies is retried, and a missed one is made up for once. [alerts] names who is
    notified of problems, of their end, and of each morning's digest. With `web` in [service], the web application is served too.

    Ctrl-C or SIGTERM ends the service cleanly, and it continues there when started again. Changes of the configuration are
    loaded automatically, or on SIGHUP. An invalid one is refused, and the old one stays in use.

    \b
    Example:
      newscrawler run
      newscrawler run --config /etc/newscrawler/newscrawler.toml --log json
    """
    path = config or Path(CONFIGURATION_FILE)
    loaded = load(path)
    # the first portal can be added in the browser
    if not loaded.configuration.crawled and loaded.configuration.service.web is None:
        raise ConfigError(f"there is no portal to crawl in {path}; add one with `newscrawler portal add URL`")
    name = log or "text"
    write_logs(name)
    configuration = configuration_of(config, database)
    service = configuration.service
    web = server_of(configuration, service.web, service.web_user_header, service.web_proxies) if service.web else None
    with web.running() if web else nullcontext():
        serve(loaded, database_url=configuration.database_url, log=name)
