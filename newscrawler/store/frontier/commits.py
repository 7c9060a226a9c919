"""Writes the outcome of each page: its article, the URLs that it led to, and the state of its own URL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, case, select, update

from newscrawler.article import Article
from newscrawler.errors import PageReason
from newscrawler.store.archive.pages import add_pages
from newscrawler.store.articles.article_intake import StoringResult, correct_article, note_answer, store_article
from newscrawler.store.articles.article_rows import add_names, digest
from newscrawler.store.articles.records import Removal
from newscrawler.store.articles.rights import is_removed, removals_of, save_reservations
from newscrawler.store.frontier.frontier_records import GONE, Committed, Dating, FoundUrl, NextVisit, PageOutcome
from newscrawler.store.frontier.intake import SOURCES, Intake
from newscrawler.store.frontier.late_dates import READ_AGAIN, set_late_date
from newscrawler.store.frontier.leases import requeue
from newscrawler.store.frontier.revisits import QUIET_LISTS, QUIET_SECTIONS, credit_index, wake_listings
from newscrawler.store.search.word_ids import add_words
from newscrawler.store.tables import ARTICLE, FRONTIER
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome, UrlState, reason_values

#: A list with more URLs than the frontier accepts is read again after this.
CAPACITY_AFTER = timedelta(days=7)
_LISTS = {FrontierKind.START, FrontierKind.FEED, FrontierKind.SITEMAP}
# Statements that run for every page are built once: building them costs more than running them.
_LEASED: Select[Any] = (
    select(
        FRONTIER.c.id, FRONTIER.c.kind, FRONTIER.c.article_id, FRONTIER.c.fetched_at, FRONTIER.c.empty_visits,
        FRONTIER.c.redirects, FRONTIER.c.found_on_id, FRONTIER.c.etag, FRONTIER.c.last_modified, FRONTIER.c.url_hash,
        FRONTIER.c.sources,
    )
    .where((FRONTIER.c.id == bindparam("which")) & (FRONTIER.c.run_id == bindparam("run")))
    .where(FRONTIER.c.state == UrlState.FETCHING)
    .with_for_update()
)  # fmt: skip
_REDIRECTED = select(FRONTIER.c.article_id).where(
    (FRONTIER.c.id == bindparam("which")) & (FRONTIER.c.outcome == UrlOutcome.REDIRECT)
)
_LINK_OF_CHAIN = select(FRONTIER.c.id, FRONTIER.c.url_hash, FRONTIER.c.redirects, FRONTIER.c.found_on_id).where(
    (FRONTIER.c.id == bindparam("which")) & (FRONTIER.c.outcome == UrlOutcome.REDIRECT)
)
_TAKE_OUT = (
    update(FRONTIER)
    .where((FRONTIER.c.portal_id == bindparam("portal")) & (FRONTIER.c.url_hash == bindparam("key")))
    .where((FRONTIER.c.state == UrlState.WAITING) & FRONTIER.c.article_id.is_(None))
    .values(state=UrlState.DONE, outcome=UrlOutcome.ARTICLE, article_id=bindparam("stored"))
)
_MARK_TEASERS = update(ARTICLE).values(free=False).where(
    ARTICLE.c.id.in_(select(FRONTIER.c.article_id).where(
        (FRONTIER.c.portal_id == bindparam("portal")) & FRONTIER.c.url_hash.in_(bindparam("keys", expanding=True))))
)  # fmt: skip
#: The lists that name an address name that to which it leads, too.
_NAME = (
    update(FRONTIER)
    .where((FRONTIER.c.portal_id == bindparam("portal")) & (FRONTIER.c.url_hash == bindparam("key")))
    .values(
        sources=case(  # that it was found by a redirect does not make it a link of a page
            (FRONTIER.c.found_on_id == bindparam("origin"), FRONTIER.c.sources.bitwise_and(~SOURCES["links"])),
            else_=FRONTIER.c.sources,
        ).bitwise_or(bindparam("bits"))
    )
)
_COMPLETE = update(FRONTIER).where(FRONTIER.c.id == bindparam("which"))


class OutcomeWriter:
    """Writes outcomes of one run within the transactions of its frontier."""

    def __init__(self, *, portal_id: int, run_id: int, round_number: int, articles_portal_id: int) -> None:
        self._portal_id = portal_id
        self._run_id = run_id
        self._round = round_number
        #: Another one in the queue of a portal's past.
        self._articles_portal_id = articles_portal_id
        self._intake = Intake(portal_id=portal_id, round_number=round_number, articles_portal_id=articles_portal_id)
        #: Ids of the WARC files that this run writes, by path.
        self._files: dict[str, int] = {}

    def forget(self) -> None:
        """Clear the caches after a transaction was rolled back."""
        self._intake.forget()
        self._files.clear()

    def add_urls(self, connection: Connection, found: Sequence[FoundUrl], *, now: datetime) -> int:
        """Add URLs that no page led to; return the number of new ones."""
        return self._intake.add(connection, found, found_on=None, now=now).fresh

    def write(self, connection: Connection, outcomes: Sequence[PageOutcome], dating: Dating | None) -> list[Committed]:
        """Write outcomes; those of URLs that this run has not leased are ignored."""
        articles = [article for outcome in outcomes for article in _list_articles(outcome)]
        if connection.dialect.name != "sqlite":  # which has one writer at a time
            add_names(connection, articles)
            add_words(connection, (each.text for article in articles for each in article.paragraphs))
        removals = removals_of(connection) if articles else ()
        return [self._write_one(connection, outcome, dating, removals) for outcome in outcomes]

    def _write_one(
        self, connection: Connection, outcome: PageOutcome, dating: Dating | None, removals: Sequence[Removal]
    ) -> Committed:
        leased = connection.execute(_LEASED, {"which": outcome.url_id, "run": self._run_id}).first()
        if leased is None:
            return Committed(url_id=outcome.url_id, written=False)
        outcome = _refuse_removed(removals, outcome)
        stored = self._store_article(connection, leased, outcome)
        if outcome.teasers:
            connection.execute(_MARK_TEASERS, {"portal": self._portal_id, "keys": list(map(digest, outcome.teasers))})
        anchored = self._store_anchored(connection, outcome, removals)
        article_id = leased.article_id or stored.id or stored.twin_of
        self._note_visit(connection, leased, outcome, article_id)
        if outcome.outcome == UrlOutcome.REDIRECT and outcome.found and leased.kind == FrontierKind.ARTICLE:
            self._intake.follow(connection, outcome.found[0].url)
        added = self._intake.add(connection, outcome.found, found_on=outcome.url_id, now=outcome.fetched_at, dating=dating)
        if self._is_past and outcome.outcome == UrlOutcome.REDIRECT and outcome.found:
            bits, key = leased.sources, digest(outcome.found[0].url)
            connection.execute(_NAME, {"portal": self._portal_id, "key": key, "bits": bits, "origin": outcome.url_id})
        if outcome.outcome == UrlOutcome.REDIRECT:
            self._resume_chain(connection, outcome, leased.found_on_id)
        if added.fresh_articles and leased.kind in _LISTS and not self._is_past:
            wake_listings(connection, self._portal_id, self._round)
            credit_index(connection, leased.kind, leased.found_on_id)
        fresh_articles = added.fresh_articles + anchored
        is_changed = bool(fresh_articles or stored.corrected)
        values = {"round": self._round} | _make_values(outcome, leased, fresh_articles, is_cut=added.left_out > 0)
        values |= _make_validators(outcome, leased, is_changed=is_changed, is_cut=added.left_out > 0)
        if stored.id or stored.twin_of:
            values["article_id"] = article_id
        if self._is_past and outcome.article is not None:
            values |= self._note_past(connection, leased, outcome.article, article_id)
        late = set_late_date(connection, self._articles_portal_id, outcome, article_id, dating)
        if late.is_requeued:
            values |= READ_AGAIN
        connection.execute(_COMPLETE, values | {"which": outcome.url_id})
        return Committed(
            url_id=outcome.url_id, state=outcome.state, article_id=stored.id, anchored=anchored, twin_of=stored.twin_of,
            fresh=added.fresh, fresh_articles=fresh_articles, skipped=added.skipped, corrected=stored.corrected,
            similar_to=stored.similar_to, dated=added.dated + (late.dated if stored.id else 0), left_out=added.left_out,
        )  # fmt: skip

    @property
    def _is_past(self) -> bool:
        return self._articles_portal_id != self._portal_id

    def _note_past(self, connection: Connection, leased: Row[Any], article: Article, article_id: int | None) -> dict[str, Any]:
        """Take an article out of the portal's own queue; return its day for this one."""
        connection.execute(_TAKE_OUT, {"portal": self._articles_portal_id, "key": leased.url_hash, "stored": article_id})
        return {"day": article.date, "day_percent": 100} if article.date is not None else {}

    def _resume_chain(self, connection: Connection, outcome: PageOutcome, found_on: int | None) -> None:
        """Requeue the URL where a chain of redirects began and to which it leads back, as sites do that first set a cookie."""
        targets = {digest(found.url): found.hops for found in outcome.found if found.hops > 1}
        for _ in range(max(targets.values(), default=0)):
            row = connection.execute(_LINK_OF_CHAIN, {"which": found_on}).first()
            if row is None:
                return
            if row.redirects == 0 and (hops := targets.get(bytes(row.url_hash))):
                requeue(connection, (FRONTIER.c.id == row.id) & (FRONTIER.c.state == UrlState.DONE), attempts=0, redirects=hops)
            found_on = row.found_on_id

    def _store_article(self, connection: Connection, leased: Row[Any], outcome: PageOutcome) -> StoringResult:
        """Store or correct the article of a page."""
        if outcome.article is None:
            return StoringResult()
        keeps_earlier = _keeps_earlier(outcome)
        if leased.article_id is not None:
            corrected = correct_article(connection, leased.article_id, outcome.article, keeps_earlier=keeps_earlier)
            return StoringResult(corrected=corrected)
        moved = connection.execute(_REDIRECTED, {"which": leased.found_on_id}).scalar() if leased.redirects else None
        owner = self._articles_portal_id
        return store_article(connection, owner, outcome.article, outcome.sketch, moved=moved, keeps_earlier=keeps_earlier)

    def _store_anchored(self, connection: Connection, outcome: PageOutcome, removals: Sequence[Removal]) -> int:
        """Store or correct the articles of a page of several; return the number of new ones."""
        fresh, keeps_earlier = 0, _keeps_earlier(outcome)
        for article, sketch in outcome.anchored:
            if is_removed(removals, article):
                continue
            stored = store_article(connection, self._articles_portal_id, article, sketch, keeps_earlier=keeps_earlier)
            if stored.twin_of is not None and not stored.corrected:
                correct_article(connection, stored.twin_of, article, keeps_earlier=keeps_earlier)
            fresh += stored.id is not None
        return fresh

    def _note_visit(self, connection: Connection, leased: Row[Any], outcome: PageOutcome, article_id: int | None) -> None:
        """Write the status of the article's URL, the kept pages, and the publisher's reservations."""
        status = _find_final_status(outcome, is_known=leased.article_id is not None)
        if status is not None and article_id is not None:
            note_answer(connection, article_id, status, gone=_is_gone(outcome), at=outcome.fetched_at)
        add_pages(
            connection, portal_id=self._articles_portal_id, round_number=0 if self._is_past else self._round, pages=outcome.pages,
            reason=outcome.reason,
            article_id=article_id, drift_note=outcome.drift_note, files=self._files,
        )  # fmt: skip
        if outcome.said is not None and (outcome.said.reservations or leased.fetched_at is not None):
            save_reservations(connection, self._articles_portal_id, outcome.url_id, outcome.said, now=outcome.fetched_at)


def _list_articles(outcome: PageOutcome) -> list[Article]:
    own = [outcome.article] if outcome.article is not None else []
    return own + [article for article, _ in outcome.anchored]


def _keeps_earlier(outcome: PageOutcome) -> bool:
    """Return whether the publisher allows to keep earlier texts."""
    return outcome.said is None or outcome.said.keeps_copies


def _refuse_removed(removals: Sequence[Removal], outcome: PageOutcome) -> PageOutcome:
    """Return the outcome without an article that an operator had removed."""
    if outcome.article is None or not is_removed(removals, outcome.article):
        return outcome
    reason = Reason(PageReason.REMOVED, outcome.article.canonical_url or "")
    return replace(outcome, article=None, outcome=UrlOutcome.NOTHING, reason=reason, pages=())


def _make_values(outcome: PageOutcome, leased: Row[Any], fresh_articles: int, *, is_cut: bool) -> dict[str, Any]:
    """Return the new values of a URL's row; `is_cut`: the frontier did not accept all URLs of the page."""
    values: dict[str, Any] = {
        "state": outcome.state, "http_status": outcome.http_status, **reason_values(outcome.reason), "attempts": outcome.tries,
        "fetched_at": outcome.fetched_at, "retry_at": outcome.next_try_at, "new_articles": fresh_articles, "run_id": None,
    }  # fmt: skip
    if outcome.outcome != UrlOutcome.UNCHANGED:  # which leaves the earlier outcome and validators
        values["outcome"] = outcome.outcome
    if outcome.outcome == UrlOutcome.REDIRECT and outcome.found:
        values["detail"] = outcome.found[0].url[:300]
    if leased.kind == FrontierKind.ARTICLE and outcome.outcome != UrlOutcome.UNCHANGED:
        values["empty_visits"] = leased.empty_visits + (outcome.next_try_at is not None and outcome.state != UrlState.WAITING)
        values["empty_visits"] *= outcome.outcome != UrlOutcome.ARTICLE
    elif outcome.outcome in {UrlOutcome.LISTING, UrlOutcome.UNCHANGED}:
        unproductive = max(leased.empty_visits + 1, QUIET_LISTS if outcome.heavy else 0)
        values["empty_visits"] = 0 if fresh_articles else unproductive
    if outcome.plan is not None:
        values |= _plan_visit(outcome.plan(fresh_articles))
    if is_cut:  # read the whole list again when the frontier accepts more
        values["revisit_at"] = outcome.fetched_at + CAPACITY_AFTER
    return values


def _make_validators(outcome: PageOutcome, leased: Row[Any], *, is_changed: bool, is_cut: bool) -> dict[str, Any]:
    """Return the ETag and time to send with the next request; of a list that is to be read as a whole again, none.

    Those that came with another page are never sent again, and those of an answer without the page are not stored.
    """
    if outcome.outcome == UrlOutcome.UNCHANGED or outcome.state != UrlState.DONE:
        return {}
    is_of_page = outcome.outcome in {UrlOutcome.ARTICLE, UrlOutcome.LISTING} and not is_cut
    found = {"etag": _drop_long(outcome.etag, 300), "last_modified": _drop_long(outcome.last_modified, 60)} if is_of_page else {}
    if leased.etag == "" or (is_changed and any(value and value == getattr(leased, name) for name, value in found.items())):
        return {"etag": "", "last_modified": None}
    return {"etag": None, "last_modified": None, **found}


def _plan_visit(visit: NextVisit) -> dict[str, Any]:
    values: dict[str, Any] = {"revisit_at": visit.at, "visits": [[at.isoformat(), fresh] for at, fresh in visit.visits]}
    values |= {"empty_visits": QUIET_SECTIONS} if visit.is_over else {}
    return values if visit.priority is None else values | {"priority": visit.priority}


def _find_final_status(outcome: PageOutcome, *, is_known: bool) -> int | None:
    """Return the final status of an article's URL; None: the response says nothing about the article."""
    if outcome.state != UrlState.DONE or outcome.http_status is None:
        return None
    if outcome.article is not None or outcome.outcome == UrlOutcome.UNCHANGED:
        return 200
    return outcome.http_status if is_known and _is_gone(outcome) else None


def _is_gone(outcome: PageOutcome) -> bool:
    """Return whether a response says that the page no longer exists."""
    is_missing = outcome.reason is not None and outcome.reason.word is PageReason.SOFT_404
    return outcome.http_status in GONE or is_missing


def _drop_long(text: str | None, most: int) -> str | None:
    return text if text is not None and len(text) <= most else None
