"""`newscrawler portal`: add, import, probe, list, show and remove portals of newscrawler.toml."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.group import LazyGroup, find_program, print_error
from newscrawler.cli.lines import encode
from newscrawler.cli.options import METHOD, Decimal, PortalName, Whole, config_option, json_option, read_configuration
from newscrawler.cli.screen import format_time, print_listing, print_rows, sanitize
from newscrawler.cli.targets import find_portal
from newscrawler.config import (
    CONFIGURATION_FILE,
    Configuration,
    Portal,
    TableArray,
    add_table,
    as_table,
    build_portal,
    find_foreign_hosts,
    remove_table,
)
from newscrawler.discovery import Account
from newscrawler.errors import ConfigError, NewscrawlerError, NoDatabaseError, StoreError
from newscrawler.store import open_store
from newscrawler.store.archive import PageSelection, remove_files

if TYPE_CHECKING:
    from newscrawler.cli.probe import PortalProbe

#: Columns of a CSV file with several values, separated by blanks.
_LISTS = frozenset({"feeds", "sitemaps", "hosts"})
#: Keys of a portal that a CSV file may have as columns.
_COLUMNS = ("name", "language", "time_zone", "delay", *sorted(_LISTS))
#: Separators of the fields of a line, and the beginning of an address.
_SEPARATOR, _ADDRESS = re.compile(r'[\s,;"]+'), re.compile(r"https?://|[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
#: Number of sources, and of missing articles, that `show` prints; --json prints all.
_MOST_SOURCES = 15
#: Where the text of an article was found, as `show` prints it.
_WAYS = {
    "html": "in the page", "state": "in JSON in the page", "api": "in the site's own API", "amp": "on an AMP page",
    "browser": "in the page as a browser builds it",
}  # fmt: skip


@click.group("portal", cls=LazyGroup)
def portal_group() -> None:
    """Add, list, show or remove portals.

    Portals are written to newscrawler.toml, whose comments and order are preserved.

    \b
    Example:
      newscrawler portal add https://www.example.org/ --language cs --time-zone Europe/Prague
      newscrawler portal list
    """


@portal_group.command("add")
@click.argument("url")
@click.option("--name", help="By default the host.")
@click.option("--host", "hosts", multiple=True, help="A host in scope, with its subdomains; may be repeated.")
@click.option("--language", metavar="CODE", help="Such as cs.")
@click.option("--time-zone", metavar="NAME", help="Such as Europe/Prague.")
@click.option("--delay", type=Decimal(), metavar="SECONDS", help="Between two requests.")
@click.option("--max-pages", type=Whole(1), metavar="N", help="Pages to fetch in one run at most.")
@click.option("--max-articles", type=Whole(1), metavar="N", help="New articles to store in one run at most.")
@click.option("--max-minutes", type=Decimal(), metavar="N", help="Minutes that one run may take.")
@click.option("--max-depth", type=Whole(0), metavar="N", help="Maximum number of links away from the start URL.")
@click.option("--window", metavar="HOURS", help="Hours of the day in which it may be crawled, such as 22:00-06:00.")
@click.option("--include", multiple=True, metavar="REGEX", help="Visit only URLs in which this is found; may be repeated.")
@click.option("--exclude", multiple=True, metavar="REGEX", help="Visit no URL in which this is found; may be repeated.")
@click.option("--method", type=METHOD, metavar="NAME", help="Block-detection method.")
@click.option("--probe/--no-probe", "wanted", default=True, help="Fetch a few pages first and show what was found.")
@click.option("--force", is_flag=True, help="Add it without a probe, even if its host cannot be reached.")
@config_option
def add(url: str, config: Path | None, *, wanted: bool, force: bool, **values: Any) -> None:
    """Add the portal with the front page URL.

    A few of its pages are fetched first, to show feeds, sitemaps, sections and articles. A portal on another machine is
    probed only if newscrawler.toml gives a contact. The portal has the articles that `newscrawler crawl URL` found before.

    \b
    Example:
      newscrawler portal add https://www.example.org/ --name example --language cs --time-zone Europe/Prague
    """
    path = config or Path(CONFIGURATION_FILE)
    given = {key: list(value) if isinstance(value, tuple) else value for key, value in values.items() if value not in {None, ()}}
    portal = build_portal(url, **given)
    configuration = read_configuration(path if path.exists() else None)
    if any(known.name == portal.name for known in configuration.portals):
        raise ConfigError(f"{path} has a portal {portal.name!r} already; choose another with --name")
    if (known := configuration.find_portal_at(portal.start_urls[0])) is not None:
        raise ConfigError(f"{portal.start_urls[0]} is the portal {known.name} already: newscrawler portal show {known.name}")
    can_probe = configuration.contact or not find_foreign_hosts(portal.start_urls, portal.hosts)
    if wanted and can_probe and not force and (found := _probe(configuration, portal)).is_unreachable:
        raise NewscrawlerError(f"{found.failure}. It is not added; --force adds it all the same")
    former = _adopt(configuration, portal)
    add_table(path, TableArray.PORTAL, {"name": portal.name, "start_urls": list(portal.start_urls)} | given)
    if former:
        click.echo(f"It was crawled as {former}; its articles and crawls are those of {portal.name} now.")
    program = find_program()
    if can_probe:
        click.echo(f"{portal.name} is added to {path}; crawl it: {program} crawl {portal.name}")
    else:
        click.echo(f"{portal.name} is added to {path} and was not probed, as no contact is set; crawl it:")
        click.echo(f"  {program} crawl {portal.name} --contact ADDRESS")


def _adopt(configuration: Configuration, portal: Portal) -> str | None:
    """Give a new portal the crawls of its address without configuration; return their name."""
    try:
        with open_store(configuration.database_url, create=False) as store:
            configured = [known.name for known in configuration.portals]
            return store.portals.adopt(portal.name, portal.start_urls, configured=configured, now=datetime.now(UTC))
    except NoDatabaseError:
        return None


@portal_group.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--probe/--no-probe", "wanted", default=True, help="Fetch a few pages of each first, and show how many articles came."
)
@json_option
@config_option
def import_command(file: Path, *, wanted: bool, as_json: bool, config: Path | None) -> None:
    """Add the portals of a FILE, and report on each.

    The file is a list of addresses, one a line; CSV with a column `url` and, if you like, columns of the keys of a portal (name,
    language, time_zone, delay, and feeds, sitemaps and hosts, separated by blanks); or OPML, as feed readers export it. An address
    may be that of a front page, a feed or a sitemap. Portals that newscrawler.toml has already are left as they are.

    \b
    Example:
      newscrawler portal import portals.csv --no-probe
    """
    path = config or Path(CONFIGURATION_FILE)
    seeds = list(_read_seeds(file))
    probes = _probe_seeds(read_configuration(path if path.exists() else None), seeds) if wanted else {}
    report = [_import_portal(path, seed, probes.get(seed["url"])) for seed in seeds]
    if not report:
        raise ConfigError(f"{file} contains no address; write one a line, or CSV with a column `url`, or OPML")
    columns = ("name", "url", "outcome", "articles", "remark")
    print_listing(report, [tuple(str(each[column]) for column in columns) for each in report], columns, as_json=as_json)


def _probe_seeds(configuration: Configuration, seeds: Iterable[dict[str, Any]]) -> dict[str, PortalProbe]:
    """Probe the new portals of a file by one crawl; return the results by URL."""
    from newscrawler.cli.probe import probe_portals  # loads Scrapy

    portals: dict[str, tuple[str, Portal]] = {}
    for seed in seeds:
        with suppress(ConfigError):  # which the import reports
            portal = build_portal(**{**configuration.defaults, **seed})
            can_probe = configuration.contact or not find_foreign_hosts(portal.start_urls, portal.hosts)
            if can_probe and not configuration.find_portal_at(portal.start_urls[0]):
                portals.setdefault(portal.name, (seed["url"], portal))
    urls = [url for url, _ in portals.values()]
    found = probe_portals(configuration, [portal for _, portal in portals.values()]) if portals else []
    return dict(zip(urls, found, strict=True))


def _import_portal(path: Path, seed: dict[str, Any], probe: PortalProbe | None) -> dict[str, Any]:
    """Add a portal, and return what became of it."""
    url = seed.pop("url")
    line: dict[str, Any] = {"name": seed.get("name", ""), "url": url, "outcome": "refused", "articles": "", "remark": ""}
    configuration = read_configuration(path if path.exists() else None)
    try:
        portal = build_portal(url, **seed)
        line["name"] = portal.name
        if configuration.find_portal_at(portal.start_urls[0]):
            return line | {"outcome": "known"}
        if any(known.name == portal.name for known in configuration.portals):
            return line | {"remark": f"there is another portal {portal.name!r}; give this one another name"}
        if probe is not None:
            line |= {"articles": len(probe.articles), "remark": probe.failure or ""}
            if probe.is_unreachable:
                return line | {"remark": f"{probe.failure}; --no-probe adds it all the same"}
        _adopt(configuration, portal)
        add_table(path, TableArray.PORTAL, {"name": portal.name, "start_urls": list(portal.start_urls)} | seed)
    except ConfigError as error:
        return line | {"remark": str(error)}
    return line | {"outcome": "added"}


def _read_seeds(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the portals of a file: `url`, and further keys of a portal."""
    text = path.read_bytes().decode("utf-8-sig", "replace")
    if text.lstrip().startswith("<"):
        yield from _read_opml(text)
        return
    lines = [line for line in text.splitlines() if line.strip(" \t,;") and not line.lstrip().startswith("#")]
    rows = csv.reader(lines, dialect=_find_dialect(lines))
    header = [name.strip().lower() for name in next(rows, [])]
    if "url" not in header:
        found = [next(filter(_ADDRESS.match, _SEPARATOR.split(line)), "") for line in lines]
        yield from ({"url": _complete(url or line)} for url, line in zip(found, lines, strict=True) if url or line is not lines[0])
        return
    for row in (dict(zip(header, each, strict=False)) for each in rows):
        given = {key: (row.get(key) or "").strip() for key in ("url", *_COLUMNS)}
        seed: dict[str, Any] = {key: value.split() if key in _LISTS else value for key, value in given.items() if value}
        if "delay" in seed:
            seed["delay"] = float(seed["delay"]) if seed["delay"].replace(".", "", 1).isdigit() else seed["delay"]
        if "url" in seed:
            yield seed | {"url": _complete(seed["url"])}


def _find_dialect(lines: list[str]) -> type[csv.Dialect]:
    """Return the dialect of a CSV file by the separator of its header."""
    separator = next((sign for sign in ("\t", ";") if lines and sign in lines[0]), ",")
    return type("Columns", (csv.excel,), {"delimiter": separator})


def _read_opml(text: str) -> Iterator[dict[str, Any]]:
    """Yield the sites of a list of feeds (OPML); feeds of one site become one portal."""
    from newscrawler.discovery import read_opml

    feeds: dict[str, list[str]] = {}
    for site, feed in read_opml(text):
        feeds.setdefault(site or feed, []).extend([feed] if site and feed else [])
    yield from ({"url": site, "feeds": named} if named else {"url": site} for site, named in feeds.items())


def _complete(url: str) -> str:
    """Return an address with the scheme that a browser would add."""
    return url if "://" in url else f"https://{url}"


@portal_group.command("probe")
@click.argument("url")
@click.option("--language", metavar="CODE", help="Such as cs.")
@click.option("--time-zone", metavar="NAME", help="Such as Europe/Prague.")
@click.option("--pages", "marked", is_flag=True, help="With --json: add the first articles' pages with parts marked, as HTML.")
@json_option
@config_option
def probe_command(
    url: str, config: Path | None, *, language: str | None, time_zone: str | None, marked: bool, as_json: bool
) -> None:
    """Fetch a few pages under the rules of a crawl, and show the result.

    \b
    Example:
      newscrawler portal probe https://www.example.org/
    """
    configuration = read_configuration(config)
    given = {"language": language, "time_zone": time_zone}
    table = {**configuration.defaults, **{key: value for key, value in given.items() if value is not None}}
    found = _probe(configuration, build_portal(url, **table), marked=marked, as_json=as_json)
    if found.failure and not as_json:
        print_error(found.failure)


@portal_group.command("list")
@json_option
@config_option
def list_command(*, as_json: bool, config: Path | None) -> None:
    """List the portals.

    \b
    Example:
      newscrawler portal list --json
    """
    portals = read_configuration(config).portals
    rows = [(p.name, p.language, p.time_zone, f"{p.delay_seconds:g}", " ".join(p.start_urls)) for p in portals]
    print_listing(map(as_table, portals), rows, ("name", "language", "time zone", "delay", "start URLs"), as_json=as_json)


@portal_group.command("show")
@click.argument("name", type=PortalName())
@json_option
@config_option
def show(name: str, *, as_json: bool, config: Path | None) -> None:
    """Show a portal's settings, and what crawls have learned of it.

    Settings include defaults.

    \b
    Example:
      newscrawler portal show example
    """
    configuration = read_configuration(config)
    table = as_table(find_portal(configuration, name))
    learned = _read_learned(configuration.database_url, name)
    if as_json:
        click.echo(encode(table | learned | {"account": learned["account"].as_dict()}), nl=False)
        return
    patterns, sources, ways, layout = (learned[key] for key in ("patterns", "sources", "ways", "layout"))
    for key, value in table.items():
        click.echo(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    if patterns:
        click.echo("\nURL patterns, and the kinds of their pages:\n")
        columns = ("pattern", "articles", "listings", "others", "new_articles", "skipped")
        rows = [tuple(pattern[column] for column in columns) for pattern in patterns]
        print_rows(rows, ("pattern", "articles", "listings", "others", "new articles", "skipped"))
    if sources:
        click.echo("\nPages, feeds and sitemaps that list articles, and their next visits:\n")
        shown = ("kind", "url", "visits", "fresh", "next_visit_at", "last_success_at", "error")
        print_rows(
            [tuple(source[column] for column in shown) for source in sources[:_MOST_SOURCES]],
            ("kind", "address", "visits", "new links", "next visit", "last success", "error"),
        )
    if learned["account"].named:
        click.echo(f"\n{learned['account'].sentence}\n")
        wanted = ("url", "reason", "detail", "visits", "next_try_at")
        rows = [tuple(missing[column] for column in wanted) for missing in learned["missing"][:_MOST_SOURCES]]
        print_rows(rows, ("address", "reason", "detail", "visits", "next try"))
    if ways:
        click.echo("\nWhere the text of its articles was found:\n")
        rows = [(_WAYS.get(way, way), counts["tried"], counts["articles"]) for way, counts in ways.items()]
        print_rows(rows, ("where", "pages", "articles"))
    if layout is not None:
        _print_layout(name, layout)


def _print_layout(name: str, layout: dict[str, Any]) -> None:
    """Print the latest check of the layout, and what to do if it has changed."""
    click.echo(f"\nLayout, checked at {layout['checked_at']}:\n")
    template = layout["template"]
    how = f"with version {template} of the template" if template else "page by page, as no template was in use"
    click.echo(f"  the crawl read its pages {how}")
    for sentence in (*layout["broken"], layout["done"]):
        if sentence:
            click.echo(sanitize(f"  {sentence}"))
    pages = "1 page is" if layout["labelled"] == 1 else f"{layout['labelled']} pages are"
    click.echo(
        f"  {pages} labelled; on other portals, one more changed F1 by {layout['next_label_gain']:+.3f} on average"
        f" (`newscrawler review start {name} --to-learn`)"
    )
    if layout["changed"]:
        click.echo(
            f"  The layout has changed. `newscrawler template show {name}` shows more; `newscrawler template learn {name}` learns"
        )
        click.echo(f"  a new template at once; `newscrawler template rollback {name}` returns to the previous version.")


def _probe(configuration: Configuration, portal: Portal, *, marked: bool = False, as_json: bool = False) -> PortalProbe:
    from newscrawler.cli.probe import print_probe, probe_portal  # loads Scrapy

    found = probe_portal(configuration, portal, marked=marked and as_json)
    if as_json:
        click.echo(encode(found.as_dict()), nl=False)
    else:
        print_probe(found)
    return found


def _read_learned(database_url: str, name: str) -> dict[str, Any]:
    """Return a portal's patterns, sources, ways to its articles, account of its articles, and layout at its last check."""
    from newscrawler.extraction.templates import estimate_gain

    try:
        with open_store(database_url, create=False) as store:
            check = next(iter(store.drift_checks.of(name, limit=1)), None)
            layout = None
            used = store.templates.in_use(name)
            labelled = int(used.figures.get("labelled", 0)) if used is not None else 0
            if check is not None:
                layout = {
                    "checked_at": format_time(check.at), "template": check.template, "changed": bool(check.broken),
                    "broken": list(check.broken), "done": check.done, "labelled": labelled,
                    "next_label_gain": estimate_gain(labelled),
                }  # fmt: skip
            ways = store.patterns.learned_of(name).get("ways", {})
            return {
                "patterns": store.patterns.of(name), "sources": store.patterns.sources_of(name), "ways": ways, "layout": layout,
                "account": store.patterns.account_of(name), "missing": store.patterns.missing_of(name),
            }  # fmt: skip
    except StoreError:
        return {"patterns": [], "sources": [], "ways": {}, "layout": None, "account": Account(stored=0), "missing": []}


@portal_group.command("remove")
@click.argument("name", type=PortalName())
@config_option
def remove(name: str, config: Path | None) -> None:
    """Remove a portal from newscrawler.toml; its articles stay.

    \b
    Example:
      newscrawler portal remove example
    """
    path = config or Path(CONFIGURATION_FILE)
    remove_table(path, TableArray.PORTAL, name)
    click.echo(f"{name} is removed from {path}; its articles stay in the database")


@portal_group.command("forget")
@click.argument("name", metavar="NAME|URL", type=PortalName())
@config_option
def forget(name: str, config: Path | None) -> None:
    """Remove a mistyped address and its crawls from the database.

    The portal, its crawls, addresses, kept pages and templates are removed from the database, and the portal from
    newscrawler.toml. A portal with articles is left as it is.

    \b
    Example:
      newscrawler portal forget https://www.exmaple.org/
      newscrawler portal forget www.exmaple.org
    """
    configuration = read_configuration(config)
    configured = {portal.name for portal in configuration.portals}
    urls = None
    try:
        with open_store(configuration.database_url, create=False) as store:
            if "://" in name:
                known, url = configuration.find_portal_at(name), build_portal(name).start_urls[0]
                name = known.name if known else next(iter(store.portals.starting_at([url])), name)
            files = {page.kept.warc for page in store.pages.select(PageSelection(portal=name))}
            urls = store.portals.forget(name, now=datetime.now(UTC))
            remove_files(configuration.pages_folder, files)
    except NoDatabaseError:
        pass
    if urls is None and name not in configured:
        raise ConfigError(f"neither the database nor newscrawler.toml has a portal {name}")
    if name in configured:
        remove_table(config or Path(CONFIGURATION_FILE), TableArray.PORTAL, name)
    click.echo(f"{name} is forgotten, with {urls or 0} addresses")
