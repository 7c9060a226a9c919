"""Check a portal for layout drift in a crawl run and at its end, and learn a new template if one is due.

A template is due if there is none and about three articles are kept, if the one in use no longer fits or was written by an earlier
version of the program, or if it was learned from few pages and many more are kept by now. It is learned from one part of the kept
pages, measured on the other part, and adopted only if it is better. If a user has gone back to an earlier version, new ones are
stored but not used.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from newscrawler.corpus.templates.comparison import (
    DriftFigure,
    Measurement,
    decide,
    figures_of,
    find_violations,
    measure,
    read_figures,
)
from newscrawler.corpus.templates.sampling import select_evenly, split
from newscrawler.errors import ConfigError, PageError
from newscrawler.extraction import ExtractionOptions
from newscrawler.extraction.templates import PortalTemplate, TemplateProvenance, TemplateRefused, learn_template, read_overrides
from newscrawler.limits import REPAIRED_PAGE_BYTES
from newscrawler.page import Document
from newscrawler.store import Store
from newscrawler.store.archive import PageSelection, PagesFolder, StoredPage, read_page
from newscrawler.store.articles import DriftCheck, Fault, Review, StoredTemplate
from newscrawler.store.vocabularies import TemplateState

logger = logging.getLogger(__name__)

#: What is expected of a page, as `newscrawler evaluate` reads it.
Gold = Mapping[str, Any]

#: "From about three articles on."
MIN_ARTICLES = 3
#: Pages considered, newest first; pages used since a change; pages used from before it.
_MAX_CONSIDERED, _MAX_NEW, _MAX_OLD = 2_000, 36, 18
_HELD_OUT_SHARE = 1 / 3
#: A template learned from fewer articles than this is learned again when there are three times as many.
_FEW_ARTICLES, _GROWTH = 12, 3
_MAX_RUNS = 30
#: After this many runs outside the limits, the new values are the usual ones.
_RUNS_UNTIL_USUAL = 6
_TEMPLATE_FIGURES = frozenset({"explained", "agreement", "boilerplate"})
#: Begins the sentence about a new version.
_VERSION = "version"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftReport:
    """The figures of a portal's pages in one crawl run, and their consequences."""

    portal: str
    #: The version that the pages were extracted with; None: none.
    template: int | None
    figures: Mapping[str, DriftFigure]
    #: A sentence for each figure outside its limits.
    broken: tuple[str, ...] = ()
    #: Those that no earlier run of the same round has reported.
    news: tuple[str, ...] = ()
    #: The action, as a sentence; empty: none.
    done: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the record for `--json`."""
        figures = {name: figure.as_dict() for name, figure in self.figures.items()}
        return {"template": self.template, "broken": list(self.broken), "done": self.done, "figures": figures}


def check_round(
    store: Store, folder: PagesFolder, reading: ExtractionOptions, *, round_number: int, now: datetime
) -> DriftReport | None:
    """Check the pages of a round for layout drift, and learn a new template if one is due; None: there were no pages."""
    portal = reading.portal or ""
    figures = figures_of(store.pages.drift_notes(portal, round_number))
    if not figures:
        return None
    repair = _Repair(store, folder, reading, store.templates.in_use(portal), now)
    used = repair.used if not repair.is_outdated else None
    known = store.drift_checks.of(portal, limit=_MAX_RUNS)
    past = [run for run in known if run.round < round_number]
    earlier = next((run for run in known if run.round == round_number), None)
    reported = {_subject(each) for each in earlier.broken} if earlier else set()
    known_figures = history(past, used)
    violations = find_violations(figures, known_figures)
    # a template of the round's first pages that does not fit the later ones is learned anew; the portal has not changed
    adopted = earlier if earlier is not None and used is not None and used.created_at == earlier.at else None
    misfits = set()
    if adopted is not None and not adopted.broken:
        misfits.update(find_violations({name: figures[name] for name in _TEMPLATE_FIGURES & figures.keys()}, known_figures))
        violations = [each for each in violations if each not in misfits]
    news = tuple(each for each in violations if _subject(each) not in reported)
    learned = repair.learn_from(article_pages(store, portal), []) if misfits else repair.learn_if_due(news, past, round_number)
    done = learned or (adopted.done if adopted is not None and not adopted.broken else "")
    version = used.version if used else None
    report = DriftReport(portal=portal, template=version, figures=figures, broken=tuple(violations), news=news, done=done)
    as_stored = {name: figure.as_dict() for name, figure in figures.items()}
    # if an earlier check of the round adopted a template, its time connects the template with the round
    at = adopted.at if adopted is not None and not learned else now
    store.drift_checks.note(portal, round_number, template=report.template, figures=as_stored, broken=violations, done=done, now=at)
    return report


def _subject(sentence: str) -> str:
    """Return what a sentence about a figure outside its limits is about."""
    return sentence.partition(":")[0]


def learn_by_hand(
    store: Store,
    folder: PagesFolder,
    reading: ExtractionOptions,
    *,
    now: datetime,
    pages: Mapping[Document, Gold | None] | None = None,
    force: bool = False,
) -> str:
    """Learn a portal's template on request of a user; return the result as a sentence.

    `pages`: to learn from, each with what a person says of it; by default those kept. `force`: adopt it whatever its figures are.

    Raises:
        TemplateRefused: nothing can be learned from the pages.
        ConfigError: there are too few kept pages.
    """
    repair = _Repair(store, folder, reading, store.templates.in_use(reading.portal or ""), now)
    if pages:
        training, held_out = split(list(pages), _HELD_OUT_SHARE) if len(pages) >= MIN_ARTICLES else (list(pages), list(pages))
    else:
        kept = article_pages(store, repair.portal)
        if not kept:
            msg = f"no page of an article of {repair.portal} is kept to learn from; crawl it first, or give --pages or --url"
            raise ConfigError(msg)
        some = select_evenly(kept, _MAX_NEW)
        parts = split(some, _HELD_OUT_SHARE) if len(some) >= MIN_ARTICLES else (some, some)
        training, held_out = (repair.documents(each) for each in parts)
    golds = {page: gold for page, gold in (pages or {}).items() if gold}
    return repair.learn_and_measure(training, held_out, golds=golds, by_hand=force)


def candidate(store: Store, folder: PagesFolder, reading: ExtractionOptions, *, most: int, now: datetime) -> PortalTemplate:
    """Return what a portal's template would be with all labels of today, learned from few pages; nothing is stored.

    Raises:
        TemplateRefused: nothing can be learned from the pages.
    """
    repair = _Repair(store, folder, reading, store.templates.in_use(reading.portal or ""), now)
    return repair.learned(repair.documents(select_evenly(article_pages(store, repair.portal), most)))


def history(past: Sequence[DriftCheck], used: StoredTemplate | None) -> list[Mapping[str, DriftFigure]]:
    """Return the figures to compare a run with: those of earlier runs without a violation, newest first.

    The fit of a template is compared with its own history only, which begins with its measurement before it was adopted. If it was
    adopted because the portal had changed, earlier runs do not count; after some runs outside the limits the new values are usual.
    """
    known: list[Mapping[str, DriftFigure]] = []
    for place, run in enumerate(past):
        if used is not None and run.broken and run.at == used.created_at:
            break
        if not run.broken or place >= _RUNS_UNTIL_USUAL:
            same = used is not None and run.template == used.version
            figures = read_figures(run.figures)
            known.append({name: figure for name, figure in figures.items() if same or name not in _TEMPLATE_FIGURES})
    if used is not None:
        known.append({name: figure for name, figure in read_figures(used.figures).items() if name in _TEMPLATE_FIGURES})
    return known


@dataclass(frozen=True, slots=True)
class _Repair:
    """Learns, measures and stores new templates of one portal."""

    store: Store
    folder: PagesFolder
    reading: ExtractionOptions
    used: StoredTemplate | None
    now: datetime

    @property
    def portal(self) -> str:
        return self.reading.portal or ""

    @property
    def is_outdated(self) -> bool:
        """Return whether the template in use is of an earlier version of the program: it is not applied."""
        return self.used is not None and self.current_template() is None

    def learn_if_due(self, violations: Sequence[str], past: Sequence[DriftCheck], round_number: int) -> str:
        """Learn a template if one is due; return the action as a sentence, empty if there was none."""
        pages = article_pages(self.store, self.portal)
        articles = len({page.article_id for page in pages})
        versions = self.store.templates.versions(self.portal)
        if self.is_outdated and articles >= MIN_ARTICLES and versions[-1] == self.used:
            return self.learn_from(pages, [])
        if violations:
            since = _first_violation(past, round_number)
            new = [page for page in pages if page.round >= since]
            if _tried_since(past, since, new):
                return ""
            return self.learn_from(new, [page for page in pages if page.round < since])
        if articles < MIN_ARTICLES:
            return ""
        labelled = max((int(version.figures.get("labelled", 0)) for version in versions), default=0)
        if self.used is not None and labelled < len(self.teaching_reviews()):
            return self.learn_from(pages, [])
        learned_from = max((int(version.figures.get("learned_from", 0)) for version in versions), default=0)
        if self.used is None and not _tried(past, articles):
            return self.learn_from(pages, [])
        if self.used is not None and learned_from < _FEW_ARTICLES and articles >= _GROWTH * max(learned_from, 1):
            return self.learn_from(pages, [])
        return ""

    def learn_from(self, new: Sequence[StoredPage], old: Sequence[StoredPage]) -> str:
        """Learn from pages since a change and some older ones, measure the template, and adopt it if it is better."""
        if len({page.article_id for page in new}) < MIN_ARTICLES:
            return f"nothing is learned from fewer than {MIN_ARTICLES} pages; until there are more, pages are read one by one"
        new_training, new_held_out = split(select_evenly(new, _MAX_NEW), _HELD_OUT_SHARE)
        old_training, old_held_out = split(select_evenly(old, _MAX_OLD), 0.5)
        training = [*self.documents(new_training), *self.documents(old_training)]
        return self.learn_and_measure(training, self.documents(new_held_out), self.documents(old_held_out))

    def learned(self, training: Sequence[Document], *, golds: Mapping[Document, Gold] | None = None) -> PortalTemplate:
        """Return a template learned from pages and from all that people have said is right; values set by hand stay.

        Raises:
            TemplateRefused: nothing can be learned from the pages.
        """
        reviewed = self.reviewed_pages() | dict(golds or {})
        known = {page.url for page in reviewed}
        template = learn_template(
            [*reviewed, *(page for page in training if page not in reviewed and page.url not in known)],
            golds=reviewed,
            provenance=TemplateProvenance(portal=self.portal, learned_at=self.now),
            language=self.reading.language,
            time_zone=self.reading.time_zone,
        )
        return replace(template, overrides=read_overrides(self.used.document)) if self.used is not None else template

    def learn_and_measure(
        self,
        training: Sequence[Document],
        held_out: Sequence[Document],
        old_held_out: Sequence[Document] = (),
        *,
        golds: Mapping[Document, Gold] | None = None,
        by_hand: bool = False,
    ) -> str:
        """Learn from the training pages, measure on the held-out ones, and store the template."""
        try:
            template = self.learned(training, golds=golds)
        except TemplateRefused as refused:
            if by_hand:
                raise
            return f"nothing was learned: {refused}"
        before = self.current_template()
        measurement = measure(template, held_out, self.reading)
        decision = decide(
            measurement,
            measure(before, held_out, self.reading) if before else None,
            on_old=(measure(template, old_held_out, self.reading), measure(before, old_held_out, self.reading)) if before else None,
            has_more_labels=before is not None and template.labels.pages > before.labels.pages,
        )
        forced = by_hand and not decision.adopted
        reason = f"taken into use by hand, though {decision.reason}" if forced else decision.reason
        adopted = decision.adopted or by_hand
        return self.store_version(template, measurement, len(training), adopted=adopted, reason=reason, by_hand=by_hand)

    def store_version(
        self, template: PortalTemplate, measurement: Measurement, learned_from: int, *, adopted: bool, reason: str, by_hand: bool
    ) -> str:
        """Store a template, in use or refused."""
        if adopted and not by_hand and self.was_reverted():
            adopted = False
            reason = f"offered, for someone went back to an earlier one by hand: {reason.removeprefix('adopted: ')}"
        state = TemplateState.IN_USE if adopted else TemplateState.REFUSED
        figures = measurement.as_dict() | {
            "learned_from": learned_from,
            "labelled": max(template.labels.pages, len(self.teaching_reviews())),
        }
        stored = self.store.templates.add(
            self.portal, template.to_json(), origin="learned", state=state, note=reason, figures=figures, now=self.now
        )
        return f"{_VERSION} {stored.version} was learned from {learned_from} pages and {reason}"

    def current_template(self) -> PortalTemplate | None:
        """Return the template in use; None: there is none, or it cannot be read."""
        try:
            return PortalTemplate.from_json(self.used.document) if self.used else None
        except ConfigError:
            return None

    def was_reverted(self) -> bool:
        """Return whether a user went back from a version later than the one in use."""
        after = self.used.version if self.used else 0
        return any(
            version.state is TemplateState.WITHDRAWN and version.version > after
            for version in self.store.templates.versions(self.portal)
        )

    def documents(self, pages: Sequence[StoredPage]) -> list[Document]:
        """Read and parse pages; skip those that are gone or damaged."""
        return list(documents_of(self.folder, pages))

    def teaching_reviews(self) -> list[tuple[StoredPage, Gold]]:
        """Return the pages of articles of which people have said what is right, or that text is missing or too much, with that."""
        found = []
        for review in self.store.reviews.of(self.portal):
            page = self.store.pages.get(review.page_id)
            if page is not None and _teaches(review):
                found.append((page, review.gold or {}))
        return found

    def reviewed_pages(self) -> dict[Document, Gold]:
        """Return the documents of the pages that reviews teach of."""
        return {page: gold for stored, gold in self.teaching_reviews() for page in documents_of(self.folder, [stored])}


#: Faults of a text that say on which side the mistake is.
_SIDES = (frozenset({Fault.LEAD_MISSING, Fault.PART_MISSING}), frozenset({Fault.FOREIGN}))


def _teaches(review: Review) -> bool:
    """Return whether a review says what the text is, or whether some is missing or too much, but not both."""
    if review.gold is None or "faulty" not in review.gold:
        return review.gold is not None and review.gold.get("article") is not False
    said = {fault for fault in review.faults if fault not in {Fault.DATE, Fault.AUTHORS}}
    return any(said <= side for side in _SIDES)


def article_pages(store: Store, portal: str, reserved: Mapping[str, Any] | None = None) -> list[StoredPage]:
    """Return the newest kept pages of articles of a portal, without those that are reserved."""
    selection = PageSelection(portal=portal, outcome="article", reserved=reserved or {}, limit=_MAX_CONSIDERED)
    return [page for page in store.pages.select(selection) if page.kept.size <= REPAIRED_PAGE_BYTES]


def kept_documents(
    store: Store, folder: PagesFolder, portal: str, count: int, reserved: Mapping[str, Any] | None = None
) -> Iterator[Document]:
    """Yield kept pages of articles of a portal, evenly over sections and time, without those that are reserved."""
    return documents_of(folder, select_evenly(article_pages(store, portal, reserved), count))


def documents_of(folder: PagesFolder, pages: Iterable[StoredPage]) -> Iterator[Document]:
    """Read and parse kept pages; skip those that are gone or damaged."""
    for page in pages:
        try:
            yield read_page(folder, page.kept).parse()
        except PageError as error:
            logger.warning("%s", error)


def _first_violation(past: Sequence[DriftCheck], round_number: int) -> int:
    """Return the first of the consecutive runs with violations up to this one; `past` is newest first."""
    since = round_number
    for run in past:
        if not run.broken:
            break
        since = run.round
    return since


def _tried_since(past: Sequence[DriftCheck], since: int, new: Sequence[StoredPage]) -> bool:
    """Return whether a template was learned since the change, and there are fewer than twice as many new pages by now."""
    tried = next((run.round for run in past if run.round >= since and run.done.startswith(_VERSION)), None)
    if tried is None:
        return False
    then = {page.article_id for page in new if page.round <= tried}
    return len({page.article_id for page in new}) < 2 * len(then)


def _tried(past: Sequence[DriftCheck], articles: int) -> bool:
    """Return whether learning was tried without success, and there are fewer than twice as many articles by now."""
    tried = next((place for place, run in enumerate(past) if run.done), None)
    if tried is None:
        return False
    return articles < 2 * sum(int(run.figures.get("article", {}).get("pages", 0)) for run in past[tried:])
