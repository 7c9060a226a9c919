"""How crawls ended: a table, why pages gave no article, and what to do where a portal gave nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from newscrawler.cli.crawl_progress import FIGURES, format_cells
from newscrawler.cli.screen import format_duration
from newscrawler.crawl import RunSummary
from newscrawler.discovery import FrontPageProblem
from newscrawler.errors import PageReason, counted
from newscrawler.politeness import find_status_rule
from newscrawler.store.vocabularies import EndReason

#: What to do where a portal gave nothing at all.
_WAYS_OUT = {
    PageReason.ROBOTS: "respect it, or ask the operator for permission",
    PageReason.TDM_RESERVED: "its publisher reserves text mining: ask for a licence; `newscrawler rights` shows its conditions",
    PageReason.NOINDEX: "its publisher does not want its pages indexed: respect it, or ask for permission",
    PageReason.CAPTCHA: "it is protected against robots: ask its operator to allow the crawler",
    PageReason.CONSENT: "it answers with a consent page: ask its operator for access",
    PageReason.WALL: "it requires a login: ask its operator for access",
    PageReason.REDIRECT_LOOP: 'it redirects in a circle, as sites do that need cookies: try `cookies = "session"`',
    PageReason.REDIRECT_OFF_SCOPE: "it leads to another host: crawl the address that a browser ends up at",
    PageReason.NOT_HTML: "the address is not a web page: name the front page of the portal",
    PageReason.EMPTY: "the server sends an empty page: check the address in a browser",
    PageReason.ADDRESS: "if it is yours, put its network into `networks` of the portal in newscrawler.toml",
    PageReason.DENYLISTED: "it is on the list `denylist` in newscrawler.toml",
    PageReason.TLS: "check its certificate in a browser; newscrawler trusts those that the system trusts",
    PageReason.DNS: "check the spelling of its address, and whether this machine reaches a name server",
}


#: What to do where the front page leads nowhere.
_PROBLEMS = {
    FrontPageProblem.JAVASCRIPT: 'name a feed or sitemap in `start_urls`, or let a browser build its pages: `render = "auto"`',
    FrontPageProblem.FRAMES: "name the address of the frame that has the text in `start_urls`",
    FrontPageProblem.SHOP: "newscrawler reads news: name the front page of its magazine, if it has one",
    FrontPageProblem.SHUT_OUT: "let `include` match its sections and its articles",
    FrontPageProblem.OTHER_HOSTS: "name those that are the portal's in `hosts`",
    FrontPageProblem.NO_LINKS: "check the address in a browser, or name its sections in `start_urls`",
}


def make_summary_table(summaries: list[RunSummary]) -> RenderableType:
    """Format one row per portal for 80 columns, then why each crawl ended and why pages failed or gave no article."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for name in FIGURES:
        table.add_column(name, justify="left" if name == "portal" else "right", overflow="fold")
    reasons: list[Text] = []
    for summary in summaries:
        styles = {"articles": "bold green", "errors": "red" if summary.counts.failed else ""}
        row = format_cells(summary.portal, summary.progress)
        table.add_row(*(Text(text, style=styles.get(name, "")) for name, text in row.items()))
        reasons += _list_reasons(summary)
    return Group(table, *reasons)


def _list_reasons(summary: RunSummary) -> Iterator[Text]:
    """Return lines on why a crawl ended, how its pages were classified, and how complete it is."""
    counts, name = summary.counts, summary.portal
    ending = f"{summary.ended_because} after {format_duration(summary.seconds)}"
    ending += f", {counted(summary.waiting, 'URL')} left for the next run" if summary.waiting else ""
    yield Text(f"{name}  ended: {ending}", style="red" if summary.needs_attention else "")
    others = {"listing": counts.listings, "known article": counts.twins, "corrected article": counts.corrected}
    if listed := ", ".join(counted(number, what) for what, number in others.items() if number):
        yield Text(f"{name}  other pages: {listed}", style="dim")
    for heading, counter in (("refused", counts.refused), ("skipped", counts.skipped), ("errors", counts.failed)):
        if counter:
            listed = ", ".join(f"{number} × {reason}" for reason, number in counter.most_common())
            yield Text(f"{name}  {heading}: {listed}", style="dim")
    if counts.unfollowed:
        yield Text(f"{name}  links skipped (rel=nofollow): {counts.unfollowed}", style="dim")
    for note in summary.notes:
        yield Text(f"{name}  note: {note}", style="yellow")
    if summary.coverage:
        style = "yellow" if summary.coverage.is_partial else "dim"
        yield Text(f"{name}  articles of this crawl: {summary.coverage.sentence}", style=style)
    if summary.coverage and (account := summary.coverage.account) and account.named:
        yield Text(f"{name}  articles of the portal: {account.sentence}", style="yellow" if account.missing else "dim")


def describe_failure(summary: RunSummary) -> str | None:
    """Return a sentence on a portal without articles and what to do, or None where it gave some or the reason was printed."""
    counts = summary.counts
    if not summary.needs_attention or summary.ended_because.word is EndReason.ERROR:
        return None
    if summary.ended_because.word in {EndReason.HOST, EndReason.MEMORY}:
        return f"{summary.portal}: {summary.ended_because}; the next crawl after that fetches the rest"
    reasons = (counts.failed + counts.refused + counts.skipped).most_common()
    listed = ", ".join(f"{number} × {reason}" for reason, number in reasons)
    way_out = next(filter(None, (_advise(reason) for reason, _ in reasons)), None)
    if summary.got_nothing:
        way_out = way_out or "check that it is up and that its address is right, then crawl again"
        return f"no page of {summary.portal} could be fetched ({listed}); {way_out}"
    if (problem := summary.front_page_problem) is not None:
        return f"no article of {summary.portal} was found: its front page {problem}; {_PROBLEMS[problem]}"
    listings = [counted(counts.listings, "listing")] if counts.listings else []
    way_out = way_out or f"`newscrawler pages list --portal {summary.portal}` shows how each page was classified"
    pages = ", ".join(filter(None, [*listings, listed])) or "no page"
    return f"no article of {summary.portal} was found ({pages}); {way_out}"


def _advise(reason: str) -> str:
    """Return what a user can do about a reason; "": nothing that is known."""
    if (status := reason.removeprefix("HTTP ")) != reason and status.isdecimal():
        return find_status_rule(int(status)).advice
    return next((way for word, way in _WAYS_OUT.items() if reason.startswith(word)), "")
