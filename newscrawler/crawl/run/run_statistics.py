"""The statistics of a run: counts, notes for the user, the progress and the summary; bounded, however long the run."""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic
from typing import ClassVar

from newscrawler.article import Suspicion, find_suspicions
from newscrawler.config import Portal
from newscrawler.crawl.policy.portal_profile import PortalProfile
from newscrawler.crawl.policy.stop_rules import FAR, FAR_SECTION, NEW_ARTICLE, NEW_SECTION, StopRules
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.crawl.run.report import RunCounts, RunProgress, RunSummary
from newscrawler.discovery import Coverage, FrontPageProblem
from newscrawler.discovery.urls import UrlKind, make_pattern
from newscrawler.errors import MISSING_ATTRIBUTES, PageReason, counted
from newscrawler.store.frontier import Committed, LeasedUrl
from newscrawler.store.service import LogLine, RunRecord
from newscrawler.store.vocabularies import EndReason, FrontierKind, LogLevel, RunEnd, UrlOutcome, UrlState

logger = logging.getLogger(__name__)

#: Notes of one run; a run with more has one problem many times.
MOST_NOTES = 20
#: Patterns that a note names; the counts have all.
MOST_NAMED = 30
#: A sitemap with fewer articles does not count as the list of all.
LEAST_LISTED = 30
#: Fewer records that look wrong are not mentioned, nor those of less than a quarter of the articles.
LEAST_SUSPECT = 5
#: Patterns whose pages are counted as given up.
MOST_GIVEN_UP = 1_000
#: A pattern of archives, of which many pages may be empty.
_DATED = re.compile(r"\{(?:year|month|day|date)\}")
_NEW = frozenset({FAR_SECTION, NEW_SECTION, NEW_ARTICLE})
#: Kinds of URLs whose patterns are learned, and outcomes of pages that were read.
_PAGES = frozenset({FrontierKind.ARTICLE, FrontierKind.SECTION, FrontierKind.OTHER})
_SEEN = frozenset({UrlOutcome.ARTICLE, UrlOutcome.LISTING, UrlOutcome.NOTHING})


class RunStatistics:
    """Counts of one run; stop rules and profile learn from the same outcomes.

    Attributes:
        queue: URLs that are still to be fetched, as far as they are found.
        coverage: how many articles were found, of how many; None: not known yet.
        front_page_problem: why the front page leads nowhere, if it does.
        has_articles: the portal has articles, of this run or of an earlier one.
    """

    def __init__(self, portal: Portal, profile: PortalProfile) -> None:
        self.counts = RunCounts()
        self.stop_rules = StopRules()
        self.profile = profile
        self.queue = 0
        self.coverage: Coverage | None = None
        self.front_page_problem: FrontPageProblem | None = None
        self.has_articles = True
        self._portal = portal
        self._notes: list[str] = []
        self._began = monotonic()

    @property
    def seconds(self) -> float:
        """Return how long the run has taken so far."""
        return monotonic() - self._began

    def make_progress(self) -> RunProgress:
        """Return how far the run is."""
        return RunProgress(counts=self.counts, seconds=self.seconds, queue=self.queue, delay_seconds=self._portal.delay_seconds)

    def summarize(self, record: RunRecord | None, because: RunEnd, waiting: int) -> RunSummary:
        """Return how the run ended."""
        return RunSummary(
            portal=self._portal.name, run_id=record.id if record else 0, round=record.round if record else 0,
            ended_because=because, seconds=self.seconds, counts=self.counts, waiting=waiting, coverage=self.coverage,
            front_page_problem=self.front_page_problem, has_articles=self.has_articles, notes=tuple(self._notes),
        )  # fmt: skip

    def note(self, text: str, *, level: int = logging.WARNING) -> None:
        """Log something that the user should know of this run, and keep it for the summary."""
        if text not in self._notes and len(self._notes) < MOST_NOTES:
            self._notes.append(text)
            logger.log(level, "%s: %s", self._portal.name, text)

    def note_ending(self, because: RunEnd) -> None:
        """Note findings about the portal's addresses, and the URLs left when the budget of a day ends the run."""
        if idle := self.profile.parameters.idle:
            self.note(f"parameters that change nothing are removed from its addresses: {', '.join(sorted(idle))}")
        for pattern, count in self.profile.take_skipped().items():
            self._give_up(pattern, count)
        given_up = self.counts.given_up.most_common()
        named = [f"{pattern} ({count})" for pattern, count in given_up[:MOST_NAMED]]
        if len(given_up) > MOST_NAMED:
            named.append(f"{len(given_up) - MOST_NAMED} more, which `--json` names")
        if named:
            text = f"patterns given up, as their pages led to no article (URLs skipped): {', '.join(named)}"
            self.note(text, level=logging.INFO)
        for word, number in self.counts.suspect.items():
            if word == Suspicion.TEASER or (number >= LEAST_SUSPECT and number >= self.counts.new_articles / 4):
                self.note(f"{number} of {counted(self.counts.new_articles, 'new article')}: {word}")
        if because.word is EndReason.BUDGET and self.queue:
            keys = "`night_pages`, `night_megabytes`, `night_articles` and `night_minutes`"
            left = counted(self.queue, "URL")
            self.note(f"the budget of this night is used up: {left} wait for the next night; {keys} set it")

    def count_skipped(self, url: str, count: int = 1, *, names_pattern: bool) -> None:
        """Count URLs that are skipped because their kind is unproductive."""
        self.counts.skipped[PageReason.UNPRODUCTIVE] += count
        if names_pattern and not self.profile.is_twin(url):
            self._give_up(make_pattern(url), count)

    def _give_up(self, pattern: str, count: int) -> None:
        if pattern in self.counts.given_up or len(self.counts.given_up) < MOST_GIVEN_UP:
            self.counts.given_up[pattern] += count

    def is_unproductive(self, lease: LeasedUrl) -> bool:
        """Return whether requesting a URL is useless, as other outcomes of the run show."""
        if self.is_twin(lease) or self.stop_rules.is_unproductive(lease.url, lease.kind, _find_subkind(lease)):
            return True
        is_likely = lease.kind not in _PAGES or lease.is_listed or lease.is_stored or lease.visits
        is_useless = not is_likely and self.profile.is_useless(lease.url)
        if is_useless:
            self.profile.note_skipped(lease.url, is_link=False)
        return is_useless

    def find_alike(self, lease: LeasedUrl) -> tuple[str, Callable[[str], bool]] | None:
        """Return which waiting URLs are skipped with this one, by their beginning and a test; None: none now."""
        is_empty = self.stop_rules.is_unproductive(lease.url, lease.kind, lease.why)
        if not (is_empty or self.profile.is_useless(lease.url)) and _find_subkind(lease) in _NEW:
            return None  # those that were visited before are not skipped
        pattern = None if is_empty else make_pattern(lease.url)
        return self.stop_rules.count_skipped(lease.url, lease.kind, lease.why, pattern=pattern)

    def is_twin(self, lease: LeasedUrl) -> bool:
        """Return whether a URL that has no article leads to one that was read."""
        return not lease.is_stored and self.profile.is_twin(lease.url)

    def add(self, item: FetchedUrl, committed: Committed) -> None:
        """Count a committed outcome, and learn from it."""
        counts = self.counts
        for note in item.notes:
            self.note(note)
        if committed.left_out:
            number = counted(committed.left_out, "article")
            self.note(f"{item.lease.url}: {number} not taken on this visit, as so many already wait")
        self.queue = max(0, self.queue + committed.fresh - (committed.state is not UrlState.WAITING))
        counts.skipped.update(str(reason.word) for reason in committed.skipped)
        counts.bytes += item.size
        counts.new_articles += (committed.article_id is not None) + committed.anchored
        counts.undated += committed.article_id is not None and item.article is not None and item.article.published_at is None
        if committed.article_id is not None and item.article is not None:
            counts.suspect.update(map(str, find_suspicions(item.article)))
        counts.suspect.update([str(Suspicion.TEASER)] * len(item.teasers))
        counts.undated = max(0, counts.undated - committed.dated)  # an earlier run of the round may have counted some
        if item.http_status is not None:
            counts.statuses[str(item.http_status)] += 1
        counts.twins += committed.twin_of is not None
        counts.corrected += committed.corrected
        counts.similar += committed.similar_to is not None
        if committed.state is UrlState.WAITING:
            counts.retries += not item.retry.blameless
        elif committed.state is UrlState.FAILED:
            counts.failed[_name_reason(item)] += 1
        elif committed.state is UrlState.SKIPPED:
            counts.skipped[str(item.word)] += 1
        else:
            self._add_page(item)
            self._learn(item, committed)

    def _add_page(self, item: FetchedUrl) -> None:
        counts = self.counts
        counts.pages += (item.http_status == 200) + item.parts
        counts.requests += item.parts
        counts.listings += _is_listing(item)
        counts.unchanged += item.outcome is UrlOutcome.UNCHANGED
        counts.redirects += item.outcome is UrlOutcome.REDIRECT
        counts.unfollowed += item.unfollowed
        if item.reason is not None and not _is_listing(item) and not _is_absent_list(item):
            counts.refused[_name_reason(item)] += 1

    def _learn(self, item: FetchedUrl, committed: Committed) -> None:
        lease = item.lease
        if (article_id := committed.article_id or committed.twin_of) is not None:
            self.profile.note_article(lease.url, article_id, item.twins)
        if lease.kind == FrontierKind.ARTICLE and (item.says_nothing or _leads_to_article(item)):
            return
        fruitful = item.outcome in {UrlOutcome.ARTICLE, UrlOutcome.REDIRECT, UrlOutcome.UNCHANGED}
        fruitful = fruitful or (committed.fresh_articles > 0 and item.word is not PageReason.PART)
        fruitful = fruitful or item.word in MISSING_ATTRIBUTES  # articles without a required attribute
        self.stop_rules.listed |= lease.kind == FrontierKind.SITEMAP and len(item.found) >= LEAST_LISTED
        self.stop_rules.note_linked(url.url for url in item.found if url.why == "pagination")
        if item.outcome in _SEEN and lease.kind in _PAGES and item.word not in MISSING_ATTRIBUTES:
            self.profile.note_page(lease.url, _classify(item, committed), fresh=committed.fresh_articles)
        is_twin = committed.twin_of is not None
        self.stop_rules.note(lease.url, lease.kind, _find_subkind(lease), fruitful=fruitful, is_twin=is_twin)


def _find_subkind(lease: LeasedUrl) -> str | None:
    """Return why a URL has its kind, or that it is a new article that no list dates, or a new section far from the front page.

    Archives have many empty pages, so those of days and months do not count as new sections.
    """
    if lease.kind == FrontierKind.ARTICLE and lease.why is None and not (lease.is_stored or lease.is_listed):
        return NEW_ARTICLE
    is_new = lease.kind == FrontierKind.SECTION and lease.depth > 1 and lease.why != "pagination" and not lease.visits
    if not is_new or _DATED.search(make_pattern(lease.url)):
        return lease.why
    return FAR_SECTION if lease.depth > FAR else NEW_SECTION


def _leads_to_article(item: FetchedUrl) -> bool:
    """Return whether a page is a part of an article that begins, or is whole, at another URL, to which it leads."""
    is_part = item.reason is not None and item.reason.word is PageReason.PART
    return is_part and bool(item.found) and item.reason is not None and item.found[-1].url == item.reason.detail


def _is_listing(item: FetchedUrl) -> bool:
    """Return whether a page counts as a listing; if an article was expected, only with that reason."""
    if item.outcome is not UrlOutcome.LISTING:
        return False
    return item.lease.kind != FrontierKind.ARTICLE or item.word in {None, PageReason.LISTING}


def _is_absent_list(item: FetchedUrl) -> bool:
    """Return whether a feed or sitemap is missing at a usual URL, which is not a refused page."""
    return item.lease.kind in {FrontierKind.FEED, FrontierKind.SITEMAP, FrontierKind.PROBE} and item.http_status in {404, 410}


def _name_reason(item: FetchedUrl) -> str:
    """Return the reason of a page without an article; a status with its number, a barrier with who bars the way."""
    if item.word is PageReason.HTTP_STATUS:
        return f"HTTP {item.http_status}"
    is_barrier = item.word in {PageReason.CAPTCHA, PageReason.CONSENT} and item.reason is not None and item.reason.detail
    return f"{item.word} ({item.reason.detail})" if is_barrier and item.reason else str(item.word)


def _classify(item: FetchedUrl, committed: Committed) -> UrlKind:
    """Return the kind of a page; one without text counts as a listing only if its layout says so or it brought new articles."""
    if item.outcome is UrlOutcome.ARTICLE:
        return UrlKind.ARTICLE
    if item.word is PageReason.LISTING or (committed.fresh_articles and item.word is not PageReason.PART):
        return UrlKind.SECTION
    return UrlKind.OTHER


#: More lines of one run are not kept.
MOST_LINES = 2_000
_LONGEST = 1_000


class RunLogHandler(logging.Handler):
    """Logging handler that keeps the lines of one run until they are written; safe for threads."""

    #: Portals with a run in this process; a line that begins with the name of another portal is not ours.
    _portals: ClassVar[set[str]] = set()

    def __init__(self, portal: str) -> None:
        """Take the lines of a portal's run from now on."""
        super().__init__(logging.INFO)
        self._portal = portal
        self._lines: deque[LogLine] = deque(maxlen=MOST_LINES)
        self._taken = 0
        self._portals.add(portal)
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line, if it is one of this run."""
        if not self._is_ours(record) or self._taken > MOST_LINES:
            return
        self._taken += 1
        message = " ".join(record.getMessage().split())
        if record.exc_info and record.exc_info[1] is not None:
            message += f" ({type(record.exc_info[1]).__name__}: {record.exc_info[1]})"
        facts = {name: value for name, value in getattr(record, "facts", {}).items() if name not in {"portal", "run"}}
        message += "".join(f" {name}={value}" for name, value in facts.items())
        if self._taken > MOST_LINES:
            message = f"further lines are not kept; the log of the process has all (more than {MOST_LINES} lines)"
        level = LogLevel.ERROR if record.levelno >= logging.ERROR else LogLevel.INFO
        level = LogLevel.WARNING if record.levelno == logging.WARNING else level
        self._lines.append(LogLine(at=datetime.fromtimestamp(record.created, UTC), level=level, message=message[:_LONGEST]))

    def take(self) -> list[LogLine]:
        """Return the lines that were not taken yet."""
        return [self._lines.popleft() for _ in range(len(self._lines))]

    def close(self) -> None:
        """Take no more lines."""
        logging.getLogger().removeHandler(self)
        self._portals.discard(self._portal)
        super().close()

    def _is_ours(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING and not record.name.startswith("newscrawler"):
            return False
        first = record.args[0] if isinstance(record.args, tuple) and record.args else None
        portal = getattr(record, "facts", {}).get("portal", first)
        return portal == self._portal or portal not in self._portals
