"""Compares the export of a crawl with the portal's published articles, and reports whether it passes."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from newscrawler.demo.address import build_key
from newscrawler.demo.gold import PublishedArticle, ShownDate
from newscrawler.demo.portal import DISALLOWED, DemoPortal
from newscrawler.demo.server import AccessEntry

#: Relative times ("3 hours ago") are rounded down, and the crawl itself takes time.
_HOUR_TOLERANCE = timedelta(minutes=90)
#: Tolerance of the delay: the server notes the time of a request late, as it shares the process with the crawler.
_MOST_JITTER_SECONDS = 0.05
_SHOWN_PER_KIND = 5
_CLOCK = "%Y-%m-%d %H:%M"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoFinding:
    """One comparison with the gold."""

    name: str
    of: int
    #: What is wrong, one line each.
    wrong: Sequence[str]
    #: The smallest share that passes; 1 requires all.
    demanded: float = 1.0

    @property
    def right(self) -> int:
        """Return how many are right."""
        return self.of - len(self.wrong)

    @property
    def share(self) -> float:
        """Return the correct share, 0 to 1; 1 if there is nothing to compare."""
        return self.right / self.of if self.of else 1.0

    @property
    def ok(self) -> bool:
        """Return whether the share is large enough."""
        return self.share >= self.demanded


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoReport:
    """The result of a crawl of the demo portal."""

    findings: tuple[DemoFinding, ...]
    requests: int
    found: int
    #: None with fewer than two requests.
    smallest_gap_seconds: float | None

    @property
    def ok(self) -> bool:
        """Return whether every finding passes."""
        return all(finding.ok for finding in self.findings)

    def __getitem__(self, name: str) -> DemoFinding:
        """Return the finding of a name."""
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise KeyError(name)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report for a terminal."""
        for finding in self.findings:
            mark = "ok   " if finding.ok else "WRONG"
            yield f"  {mark} {finding.name:<34} {finding.right:>4} of {finding.of:<4} {_format_percent(finding.share):>7}"
            for detail in finding.wrong[:_SHOWN_PER_KIND]:
                yield f"          {detail}"
            if len(finding.wrong) > _SHOWN_PER_KIND:
                yield f"          and {len(finding.wrong) - _SHOWN_PER_KIND} more"
        if self.requests and self.found:
            gap = "" if self.smallest_gap_seconds is None else f", smallest gap {self.smallest_gap_seconds:.3f} s"
            yield f"  {self.requests} requests, {self.requests / self.found:.1f} an article{gap}"
        yield (
            "Everything the portal published was found as published."
            if self.ok
            else "Something is wrong; see the lines marked WRONG."
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "ok": self.ok,
            "requests": self.requests,
            "smallest_gap_seconds": self.smallest_gap_seconds,
            "findings": [
                {"name": f.name, "right": f.right, "of": f.of, "share": round(f.share, 4), "ok": f.ok, "wrong": list(f.wrong)}
                for f in self.findings
            ],
        }


def check(
    exported: Iterable[Mapping[str, Any]],
    portal: DemoPortal,
    log: Sequence[AccessEntry] = (),
    *,
    delay_seconds: float | None = None,
) -> DemoReport:
    """Compare exported articles with the gold; return the report.

    Args:
        exported: records as `Article.as_dict` returns them.
        portal: what was crawled; only the paths of URLs are compared, so that the port does not matter.
        log: the server's requests.
        delay_seconds: the delay configured for the crawl; None: not checked.
    """
    items = list(exported)
    gold = portal.published()
    owner = {build_key(url): article for article in gold for url in (*article.also_at, article.url)}
    owners = [owner.get(build_key(str(item.get("url") or ""))) for item in items]
    found: dict[str, Mapping[str, Any]] = {}
    for item, article in zip(items, owners, strict=True):
        if article is not None and (article.url not in found or item.get("url") == article.url):
            found[article.url] = item
    pairs = [(article, found[article.url]) for article in gold if article.url in found]
    gaps = [after.at_seconds - before.at_seconds for before, after in pairwise(log)]
    smallest = min(gaps) if gaps else None
    return DemoReport(
        findings=(
            *_check_article(gold, items, owners, found),
            *_check_text(pairs),
            *_record_findings(pairs),
            *_check_politeness(portal, items, log, gaps, delay_seconds),
        ),
        requests=len(log),
        found=len(found),
        smallest_gap_seconds=smallest,
    )


def _check_article(
    gold: Sequence[PublishedArticle],
    items: Sequence[Mapping[str, Any]],
    owners: Sequence[PublishedArticle | None],
    found: Mapping[str, Any],
) -> Iterator[DemoFinding]:
    missing = tuple(article.url for article in gold if article.url not in found)
    yield DemoFinding(name="articles found", of=len(gold), wrong=missing)
    strangers = tuple(str(item.get("url")) for item, article in zip(items, owners, strict=True) if article is None)
    yield DemoFinding(name="exported that are articles", of=len(items), demanded=0.98, wrong=strangers)
    times = Counter(article.url for article in owners if article is not None)
    twice = tuple(f"{count} times {url}" for url, count in times.items() if count > 1)
    yield DemoFinding(name="articles exported once", of=len(found), wrong=twice)


def _check_text(pairs: Sequence[tuple[PublishedArticle, Mapping[str, Any]]]) -> Iterator[DemoFinding]:
    titles, leads, lost, foreign = [], [], [], []
    for article, item in pairs:
        text = _squeeze_spaces(item.get("body"))
        if _squeeze_spaces(item.get("title")) != _squeeze_spaces(article.title):
            titles.append(f"{item.get('title')!r} instead of {article.title!r}")
        if article.lead and not text.startswith(_squeeze_spaces(article.lead)):
            leads.append(f"{article.url} begins {text[:60]!r}")
        lost += [f"{article.url} lacks {part[:60]!r}" for part in article.paragraphs if _squeeze_spaces(part) not in text]
        strange = next(_find_foreign_text(article, str(item.get("body") or "")), None)
        if strange is not None:
            foreign.append(f"{article.url} holds {strange[:70]!r}")
    with_lead = sum(bool(article.lead) for article, _ in pairs)
    yield DemoFinding(name="titles", of=len(pairs), demanded=0.98, wrong=titles)
    yield DemoFinding(name="texts that begin with the lead", of=with_lead, demanded=0.98, wrong=leads)
    yield DemoFinding(name="paragraphs", of=sum(len(article.paragraphs) for article, _ in pairs), demanded=0.98, wrong=lost)
    yield DemoFinding(name="texts with nothing foreign", of=len(pairs), wrong=foreign)


def _find_foreign_text(article: PublishedArticle, body: str) -> Iterator[str]:
    """Yield what the body contains and the article does not: known boilerplate first, then any other line not in the gold."""
    text = _squeeze_spaces(body)
    yield from (part for part in article.pollution if _squeeze_spaces(part) in text)
    own = sorted(
        {_squeeze_spaces(part) for part in (article.lead, *article.paragraphs, *article.optional) if part}, key=len, reverse=True
    )
    cells = [cell for part in article.optional for cell in part.split()]
    for line in map(_squeeze_spaces, body.split("\n")):
        rest = line
        for part in own:
            if line in part:
                rest = ""
            rest = rest.replace(part, " ")
        if set(re.findall(r"[^\W\d_]{2,}", rest)) - set(cells):
            yield line


def _record_findings(pairs: Sequence[tuple[PublishedArticle, Mapping[str, Any]]]) -> Iterator[DemoFinding]:
    dates = tuple(
        f"{article.url}: {item.get('published_at')} instead of {article.published_at.isoformat()}"
        for article, item in pairs
        if not _is_same_time(article, item)
    )
    yield DemoFinding(name="dates of publication", of=len(pairs), demanded=0.95, wrong=dates)
    named = [(article, item) for article, item in pairs if article.authors]
    authors = tuple(
        f"{article.url}: {', '.join(item.get('authors') or ()) or 'nobody'} instead of {', '.join(article.authors)}"
        for article, item in named
        if tuple(item.get("authors") or ()) != article.authors
    )
    yield DemoFinding(name="authors", of=len(named), demanded=0.9, wrong=authors)


def _is_same_time(article: PublishedArticle, item: Mapping[str, Any]) -> bool:
    """Return whether times agree as exactly as the page shows them; without an offset, local times are compared."""
    try:
        moment = datetime.fromisoformat(str(item.get("published_at")))
    except ValueError:
        return False
    if article.shown is ShownDate.DAY or moment.tzinfo is None:
        return moment.date() == article.published_at.date()
    apart = abs(moment - article.published_at)
    if article.shown is ShownDate.HOUR:
        return apart <= _HOUR_TOLERANCE
    same_clock = not item.get("offset_given") and f"{moment:{_CLOCK}}" == f"{article.published_at:{_CLOCK}}"
    return apart < timedelta(minutes=1) or same_clock


def _check_politeness(
    portal: DemoPortal,
    items: Sequence[Mapping[str, Any]],
    log: Sequence[AccessEntry],
    gaps: Sequence[float],
    delay_seconds: float | None,
) -> Iterator[DemoFinding]:
    wrong = tuple(access.path for access in log if access.path.startswith(DISALLOWED))
    yield DemoFinding(name="requests that robots.txt allows", of=len(log), wrong=wrong)
    hidden = {build_key(url) for url in (*portal.drafts(), *portal.forbidden())}
    seen = [str(item.get("url")) for item in items if build_key(str(item.get("url") or "")) in hidden]
    yield DemoFinding(name="drafts not fetched", of=len(hidden), wrong=seen)
    if delay_seconds:
        least = delay_seconds - min(_MOST_JITTER_SECONDS, delay_seconds / 2)
        close = tuple(f"{gap:.3f} s instead of {delay_seconds} s" for gap in gaps if gap < least)
        yield DemoFinding(name="gaps that keep the delay", of=len(gaps), wrong=close)


def _format_percent(share: float) -> str:
    """Return a percentage rounded down, so that less than all is never 100 %."""
    return f"{int(share * 1000) / 10:.1f}%"


def _squeeze_spaces(text: str | None) -> str:
    """Return text with normalised white space and Unicode composition."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text or "")).strip()
