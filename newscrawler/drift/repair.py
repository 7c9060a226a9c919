"""What is done for a portal at the end of a night: figures and limits, and a new wrapper where one is due.

A wrapper is due where there is none and about three articles are kept; where the one in use no longer fits; and where it was
learned from a handful of pages and there are many more by now. It is learned from one part of the kept pages, measured on the
other, and adopted only if that shows it to be better. After someone has gone back to an earlier version by hand, new ones are only
offered.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from newscrawler.drift.choose import evenly, part
from newscrawler.drift.compare import Measured, judge, measure
from newscrawler.drift.figures import Figure, figures_of, read_figures
from newscrawler.drift.limits import broken
from newscrawler.errors import ConfigError, PageError
from newscrawler.extract import Reading
from newscrawler.page import Document
from newscrawler.pages import read_page
from newscrawler.store import PageSelection, Store, StoredPage
from newscrawler.store.nights import Night
from newscrawler.store.wrappers import StoredWrapper, WrapperState
from newscrawler.wrappers.portal.model import Provenance
from newscrawler.wrappers.portal.refusal import WrapperRefused
from newscrawler.wrappers.portal.wrapper import PortalWrapper, learn

logger = logging.getLogger(__name__)

#: "From about three articles on."
FEWEST_ARTICLES = 3
#: Pages to choose from, newest first; to learn from and hold out; and of those from before a change.
_MOST_LOOKED_AT, _MOST_NEW, _MOST_OLD = 2_000, 36, 18
#: Listings that are shown to the learner, so that it knows what is no article.
_MOST_LISTINGS = 4
_HELD_OUT = 1 / 3
#: A wrapper learned from fewer articles than this is learned again when there are three times as many.
_FEW_ARTICLES, _MANY_TIMES = 12, 3
#: Larger pages teach nothing that smaller ones do not, and take long.
_LARGEST_BYTES = 2 * 2**20
_NIGHTS = 30
#: A figure that has been out of its limits for so many nights is the portal's own by then.
_NIGHTS_UNUSUAL = 6
_OF_THE_WRAPPER = frozenset({"explained", "agreement", "furniture"})
#: How the sentence begins that tells of a new version.
_VERSION = "version"


@dataclass(frozen=True, slots=True, kw_only=True)
class NightReport:
    """What a night showed of a portal's pages."""

    portal: str
    #: The version that the pages were read with; None: none.
    wrapper: int | None
    figures: Mapping[str, Figure]
    #: What is out of the usual, a sentence each.
    broken: tuple[str, ...] = ()
    #: What was done about it; empty: nothing.
    done: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        figures = {name: figure.as_dict() for name, figure in self.figures.items()}
        return {"wrapper": self.wrapper, "broken": list(self.broken), "done": self.done, "figures": figures}


def end_of_night(store: Store, folder: Path, reading: Reading, *, round_number: int, now: datetime) -> NightReport | None:
    """Look at how the pages of a round were read, and repair what does not fit any more; None: there was nothing to look at.

    Args:
        store: the database.
        folder: of the kept pages.
        reading: of the portal, which it names.
        round_number: of the night.
        now: aware.

    Raises:
        StoreError: the database fails.
    """
    portal = reading.portal or ""
    figures = figures_of(store.pages.readings(portal, round_number))
    if not figures:
        return None
    used = store.wrappers.in_use(portal)
    past = [night for night in store.nights.of(portal, limit=_NIGHTS) if night.round < round_number]
    wrong = broken(figures, history(past, used))
    done = _Repair(store, folder, reading, used, now).due(wrong, past, round_number)
    report = NightReport(portal=portal, wrapper=used.version if used else None, figures=figures, broken=tuple(wrong), done=done)
    as_stored = {name: figure.as_dict() for name, figure in figures.items()}
    store.nights.note(portal, round_number, wrapper=report.wrapper, figures=as_stored, broken=wrong, done=done, now=now)
    return report


def learn_by_hand(
    store: Store, folder: Path, reading: Reading, *, now: datetime, pages: Sequence[Document] = (), force: bool = False
) -> str:
    """Learn a portal's wrapper because someone asks for it; answers what came of it, in a sentence.

    Args:
        store: the database.
        folder: of the kept pages.
        reading: of the portal, which it names.
        now: aware.
        pages: what to learn from; without any, the kept pages of the portal.
        force: take the wrapper into use whatever it is measured at.

    Raises:
        WrapperRefused: nothing can be learned of the pages.
        ConfigError: there are too few kept pages.
        StoreError: the database fails.
    """
    repair = _Repair(store, folder, reading, store.wrappers.in_use(reading.portal or ""), now)
    if pages:
        taught, held = part(list(pages), _HELD_OUT) if len(pages) >= FEWEST_ARTICLES else (list(pages), list(pages))
    else:
        kept = repair.article_pages()
        if not kept:
            msg = f"no page of an article of {repair.portal} is kept to learn from; crawl it first, or give --pages or --url"
            raise ConfigError(msg)
        some = evenly(kept, _MOST_NEW)
        parts = part(some, _HELD_OUT) if len(some) >= FEWEST_ARTICLES else (some, some)
        taught, held = (repair.documents(each) for each in parts)
    return repair.measured(taught, held, by_hand=force)


def history(past: Sequence[Night], used: StoredWrapper | None) -> list[Mapping[str, Figure]]:
    """The figures that tonight is held against: of nights in which nothing broke, newest first.

    How well a wrapper fits is compared with its own past only, which begins with what it was measured at before it was adopted.
    When it was adopted because the portal had changed, nothing from before counts; and what stays as it is for days is usual.
    """
    known: list[Mapping[str, Figure]] = []
    for place, night in enumerate(past):
        if used is not None and night.broken and night.at == used.created_at:
            break
        if not night.broken or place >= _NIGHTS_UNUSUAL:
            same = used is not None and night.wrapper == used.version
            figures = read_figures(night.figures)
            known.append({name: figure for name, figure in figures.items() if same or name not in _OF_THE_WRAPPER})
    if used is not None:
        known.append({name: figure for name, figure in read_figures(used.figures).items() if name in _OF_THE_WRAPPER})
    return known


@dataclass(frozen=True, slots=True)
class _Repair:
    """One portal's chance of a better wrapper."""

    store: Store
    folder: Path
    reading: Reading
    used: StoredWrapper | None
    now: datetime

    @property
    def portal(self) -> str:
        return self.reading.portal or ""

    def due(self, wrong: Sequence[str], past: Sequence[Night], round_number: int) -> str:
        """Learn if it is time to; answers what was done, in a sentence."""
        pages = list(
            self.store.pages.select(
                PageSelection(portal=self.portal, outcome="article", limit=_MOST_LOOKED_AT), batch=_MOST_LOOKED_AT
            )
        )
        pages = [page for page in pages if page.kept.size <= _LARGEST_BYTES]
        articles = len({page.article_id for page in pages})
        if wrong:
            since = _first_broken(past, round_number)
            new = [page for page in pages if page.round >= since]
            if _tried_since(past, since, new):
                return ""
            return self.learned(new, [page for page in pages if page.round < since])
        if articles < FEWEST_ARTICLES:
            return ""
        versions = self.store.wrappers.versions(self.portal)
        learned_from = max((int(version.figures.get("learned_from", 0)) for version in versions), default=0)
        if self.used is None and not _tried(past, articles):
            return self.learned(pages, [])
        if self.used is not None and learned_from < _FEW_ARTICLES and articles >= _MANY_TIMES * max(learned_from, 1):
            return self.learned(pages, [])
        return ""

    def learned(self, new: Sequence[StoredPage], old: Sequence[StoredPage]) -> str:
        """Learn from pages since a change and from some of before, measure, and adopt what is better."""
        if len({page.article_id for page in new}) < FEWEST_ARTICLES:
            return f"nothing is learned from fewer than {FEWEST_ARTICLES} pages; until there are more, pages are read one by one"
        new_taught, new_held = part(evenly(new, _MOST_NEW), _HELD_OUT)
        old_taught, old_held = part(evenly(old, _MOST_OLD), 0.5)
        taught = [*self.documents(new_taught), *self.documents(old_taught)]
        return self.measured(taught, self.documents(new_held), self.documents(old_held))

    def measured(
        self, taught: Sequence[Document], held: Sequence[Document], held_before: Sequence[Document] = (), *, by_hand: bool = False
    ) -> str:
        """Learn from some pages, measure on others, and keep what came of it."""
        provenance = Provenance(portal=self.portal, learned_at=self.now)
        try:
            wrapper = learn(
                [*taught, *self.listings()],
                provenance=provenance,
                language=self.reading.language,
                time_zone=self.reading.time_zone,
            )
        except WrapperRefused as refused:
            if by_hand:
                raise
            return f"nothing was learned: {refused}"
        before = self.wrapper()
        if before is not None:  # what people set by hand stays
            wrapper = replace(wrapper, overrides=before.overrides)
        measured = measure(wrapper, held, self.reading)
        verdict = judge(
            measured,
            measure(before, held, self.reading) if before else None,
            on_old=(measure(wrapper, held_before, self.reading), measure(before, held_before, self.reading)) if before else None,
        )
        why = f"taken into use by hand, though {verdict.why}" if by_hand and not verdict.adopted else verdict.why
        return self.kept(wrapper, measured, len(taught), adopted=verdict.adopted or by_hand, why=why, by_hand=by_hand)

    def kept(self, wrapper: PortalWrapper, measured: Measured, learned_from: int, *, adopted: bool, why: str, by_hand: bool) -> str:
        """Store a wrapper, in use or not."""
        if adopted and not by_hand and self.by_hand():
            adopted = False
            why = f"offered, for someone went back to an earlier one by hand: {why.removeprefix('adopted: ')}"
        state = WrapperState.IN_USE if adopted else WrapperState.REFUSED
        figures = measured.as_dict() | {"learned_from": learned_from}
        stored = self.store.wrappers.add(
            self.portal, wrapper.to_json(), origin="learned", state=state, note=why, figures=figures, now=self.now
        )
        return f"{_VERSION} {stored.version} was learned from {learned_from} pages and {why}"

    def wrapper(self) -> PortalWrapper | None:
        """The wrapper in use, if it can be read."""
        try:
            return PortalWrapper.from_json(self.used.document) if self.used else None
        except ConfigError:
            return None

    def by_hand(self) -> bool:
        """Whether someone went back from a version later than the one in use."""
        after = self.used.version if self.used else 0
        return any(
            version.state is WrapperState.WITHDRAWN and version.version > after
            for version in self.store.wrappers.versions(self.portal)
        )

    def article_pages(self) -> list[StoredPage]:
        """The newest pages of articles."""
        chosen = PageSelection(portal=self.portal, outcome="article", limit=_MOST_LOOKED_AT)
        return [page for page in self.store.pages.select(chosen) if page.kept.size <= _LARGEST_BYTES]

    def documents(self, pages: Sequence[StoredPage]) -> list[Document]:
        """Read pages; one that is gone or damaged is gone past."""
        found = []
        for page in pages:
            try:
                raw = read_page(self.folder, page.kept)
            except PageError as error:
                logger.warning("%s: %s", self.portal, error)
                continue
            found.append(Document.parse(raw.body, raw.url, content_type=raw.content_type))
        return found

    def listings(self) -> list[Document]:
        """Some of the newest listings."""
        chosen = PageSelection(portal=self.portal, outcome="listing", limit=_MOST_LISTINGS)
        return self.documents([page for page in self.store.pages.select(chosen) if page.kept.size <= _LARGEST_BYTES])


def _first_broken(past: Sequence[Night], round_number: int) -> int:
    """The round in which the trouble began that goes on tonight; `past` is newest first."""
    since = round_number
    for night in past:
        if not night.broken:
            break
        since = night.round
    return since


def _tried_since(past: Sequence[Night], since: int, new: Sequence[StoredPage]) -> bool:
    """In this trouble something was learned and refused already, and there are not twice as many new pages by now."""
    tried = next((night.round for night in past if night.round >= since and night.done.startswith(_VERSION)), None)
    if tried is None:
        return False
    then = {page.article_id for page in new if page.round <= tried}
    return len({page.article_id for page in new}) < 2 * len(then)


def _tried(past: Sequence[Night], articles: int) -> bool:
    """Nothing that was learned was adopted, and there are not twice as many articles by now."""
    tried = next((place for place, night in enumerate(past) if night.done), None)
    if tried is None:
        return False
    return articles < 2 * sum(int(night.figures.get("article", {}).get("pages", 0)) for night in past[tried:])
