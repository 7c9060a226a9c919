"""The outcomes of a collection's URLs: totals by reason, each with an example, or one JSON line per URL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from newscrawler.cli.crawl_figures import duration
from newscrawler.cli.lines import encode
from newscrawler.cli.screen import harmless, print_rows
from newscrawler.discovery import HTML_PROBLEM
from newscrawler.errors import PageReason
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome, UrlState

if TYPE_CHECKING:
    from newscrawler.crawl import RunSummary
    from newscrawler.store.articles import UrlLine

_WAITING = frozenset({UrlState.WAITING, UrlState.FETCHING})
_HEADING = ("URLs", "what became of them", "for example")
_JSON_MISSING = "; SearXNG answers JSON only if its settings.yml lists json under search.formats"
_WAYS_OUT = {
    PageReason.ROBOTS: "; if its operator allows you to ask it, write `robots = false` under its [[search_service]]",
}


def print_lines(lines: Sequence[UrlLine]) -> None:
    """Print a line of JSON for each URL of a page."""
    for line in lines:
        if line.kind != FrontierKind.FEED:
            record = {
                "url": line.url, "state": str(line.state), "outcome": str(line.outcome) if line.outcome else None,
                "reason": str(line.reason.word) if line.reason else None, "detail": line.reason.detail if line.reason else None,
                "article": line.article_id, "earlier": line.earlier,
            }  # fmt: skip
            click.echo(encode(record), nl=False)


def print_totals(summary: RunSummary, lines: Sequence[UrlLine]) -> None:
    """Print how many URLs had each outcome."""
    pages = [line for line in lines if line.kind != FrontierKind.FEED]
    counts = Counter(map(_became, pages))
    examples = {_became(line): line for line in reversed(pages)}
    if pages:
        print_rows(((number, what, _example(examples[what])) for what, number in counts.most_common()), _HEADING)
    new = summary.counts.new_articles
    left = f", {summary.waiting} URLs left; run the same command to continue" if summary.waiting else ""
    click.echo(
        f"{summary.portal}: {len(pages)} URLs, {new} new article{'' if new == 1 else 's'}; ended: {summary.ended_because} after "
        f"{duration(summary.seconds)}{left}",
        err=True,
    )
    if any(line.reason is not None and line.reason.word is PageReason.ADDRESS for line in pages):
        click.echo("Private networks are refused. --network NETWORK allows one; 127.0.0.0/8 is this machine.", err=True)
    for note in summary.notes:
        click.echo(f"{summary.portal}: {note}", err=True)


def _became(line: UrlLine) -> str:
    if line.state in _WAITING:
        return "waiting" + (f" ({line.reason.word})" if line.reason else "")
    if line.reason is not None and line.reason.word is PageReason.TWIN:
        return "stored before"
    earlier = " (earlier run)" if line.earlier else ""
    if line.reason is None:
        outcomes = {UrlOutcome.ARTICLE: "article", UrlOutcome.REDIRECT: "redirect"}
        return f"{outcomes.get(line.outcome or UrlOutcome.NOTHING, 'nothing')}{earlier}"
    verb = "failed" if line.state is UrlState.FAILED else "refused"
    return f"{verb}: {line.reason.word}{earlier}"


def _example(line: UrlLine) -> str:
    detail = f" ({line.reason.detail})" if line.reason is not None and line.reason.detail else ""
    return harmless(f"{line.url}{detail}")


def problems(lines: Sequence[UrlLine]) -> list[str]:
    """Return the errors of searches and feeds, as sentences."""
    found = []
    for line in lines:
        if line.kind != FrontierKind.FEED or line.earlier or line.outcome is UrlOutcome.LISTING:
            continue
        if line.reason is None or _is_empty(line.reason):
            continue
        way_out = _JSON_MISSING if line.reason.detail == HTML_PROBLEM else _WAYS_OUT.get(line.reason.word, "")
        found.append(f"{harmless(line.url)} gave no URLs ({line.reason}){way_out}")
    return found


def _is_empty(reason: Reason) -> bool:
    """Return whether a feed or page of results was readable but listed nothing."""
    return reason.word is PageReason.NO_ENTRIES and not reason.detail
