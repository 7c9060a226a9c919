"""Every candidate for title, date, authors and section, as its decision weighed it, and why it was chosen or lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from operator import itemgetter

import numpy as np

from newscrawler.article import DatePrecision, Judgement
from newscrawler.errors import counted
from newscrawler.extraction.body.forest import load_field_forest
from newscrawler.extraction.body.headline import Headline, explain_headings, find_headline
from newscrawler.extraction.body.site_names import isolate_title, remove_site
from newscrawler.extraction.body.titles import list_foreign_titles, read_declared_titles
from newscrawler.extraction.dates import DateCandidate, Dates
from newscrawler.extraction.dates.structured_data import explain_refused as explain_refused_dates
from newscrawler.extraction.metadata import Metadata, author_sources, authors, section
from newscrawler.extraction.metadata.candidates import OTHER_ARTICLE, NameCandidate, NameChoice, explain_refused
from newscrawler.page import Document, key_of

_BY_TEMPLATE = "the portal's template, or the method, gives it"
_REPLACED = "the portal's template, or the method, gives another"
_NOT_NEEDED = "not weighed: a declared day is sure enough"
_LIKELIEST, _GIVEN = "probable enough, and the most probable", "the most probable, and the page calls it so"
_FORESTS = {"authors": "authors", "section": "sections"}
_NO_NAME = "the page gives no name"
_FEWER = "too little evidence"
_LESS = "less probable than the chosen one"
#: Phrases of features that speak against a name.
AGAINST = {
    "site": "the site's name", "rubric": "the label of a section", "in menu": "a line above the headline",
    "spoken of": "the text speaks of this name", "heading": "in a heading", "sentence": "within a sentence",
    "foreign mark": "in a box that is not the article's", "below kind": "below the name of a kind of text",
    "other link": "linked to another page", "json-ld organization": "declared as an organization",
    "small": "begins with a small letter", "others json-ld": "JSON-LD names another", "others meta": "the head names another",
    "others marked": "the markup names another as the author", "others called": "an element called author names another",
    "others label": 'another name has a label such as "By"', "less evidence": "others have more evidence",
    "part of other": "part of another name", "behind text": "below the text",
    "no section": "a word that names no section", "common words": "made of common words",
    "others list": "the breadcrumb names another", "in title": "part of the title",
}  # fmt: skip


_ROLES = {"title": "headline", "authors": "author", "section": "section"}
_MOST_CONSIDERED = 200


def explain_fields(
    page: Document, title: str | None, metadata: Metadata, dates: Dates, *, unread: Iterable[DateCandidate] = ()
) -> tuple[Judgement, ...]:
    """Return the candidates for the fields of a page, those that were chosen first; for an empty field, why it is empty.

    `unread`: dates of the page that were not weighed, since a declared day was sure enough.
    """
    fields = (
        _complete("title", [title] if title else [], _explain_title(page), "the page has no heading, and declares no title"),
        _explain_date(page, dates, unread),
        _complete("authors", metadata.authors, _explain_authors(page, metadata), _describe_lack(metadata.authors_choice)),
        _complete(
            "section", [metadata.section] if metadata.section else [], _explain_section(page, metadata),
            _describe_lack(metadata.section_choice),
        ),
    )  # fmt: skip
    return tuple(chain.from_iterable(dict.fromkeys(islice(field, _MOST_CONSIDERED)) for field in fields))


def _complete(field: str, values: Sequence[str], judged: Iterable[Judgement], lack: str) -> Iterator[Judgement]:
    """Yield the judgements on a field, those that were chosen first, with those of values that no decision on the page gave."""
    found = [
        replace(each, is_chosen=False, reason=_REPLACED) if each.is_chosen and each.text not in values else each for each in judged
    ]
    if not values:
        lack = f"{counted(len(found), 'text')}: {found[0].reason}" if lack == _NO_NAME and found else lack
        yield Judgement(field=field, reason=lack)
    for value in values:
        own = next((each for each in found if each.is_chosen and each.text == value), None)
        yield own or Judgement(field=field, text=value, source="template", role=_ROLES[field], reason=_BY_TEMPLATE, is_chosen=True)
    yield from (each for each in found if not each.is_chosen)


def _explain_title(page: Document) -> Iterator[Judgement]:
    headline, declared = page.view(find_headline), page.view(read_declared_titles)
    make = partial(Judgement, field="title")
    if headline is not None:
        yield make(text=headline.text, source=headline.source, role="headline", reason=headline.why, is_chosen=True)
    given = [("json-ld", "headline", text) for text in declared.json_ld]
    given += [("og:title", "shared title", declared.open_graph or ""), ("title", "title of the page", declared.title)]
    given += [(headline.block.kind, "heading", headline.block.text)] if headline is not None and headline.block is not None else []
    for source, role, text in given:
        if not text or headline is None or (source, text) == (headline.source, headline.text):
            continue
        yield make(text=text, source=source, role=role, reason=_explain_wording(source, text, headline, declared.names))
    yield from (make(text=block.text, source=block.kind, role="heading", reason=why) for block, why in explain_headings(page))
    yield from (make(text=text, source="json-ld", role="headline", reason=OTHER_ARTICLE) for text in list_foreign_titles(page))


def _explain_wording(source: str, text: str, headline: Headline, names: frozenset[str]) -> str:
    """Return why a text is not the wording of the headline."""
    if key_of(text) == key_of(headline.text):
        return "says the same"
    if source in headline.refused:
        return headline.refused[source]
    if key_of(text) in names:
        return "the site's name"
    if key_of(headline.text) in (key_of(remove_site(text, names)), key_of(isolate_title(text, names))):
        return "the same with the site's name"
    return (
        f"the wording of {'the heading' if headline.source[0] == 'h' else headline.source.replace('json-ld', 'JSON-LD')} goes first"
    )


def _explain_date(page: Document, dates: Dates, unread: Iterable[DateCandidate]) -> Iterator[Judgement]:
    published, modified, refused = dates.published, dates.modified, list(explain_refused_dates(page))
    if published is None:
        lack = dates.reason or "no date on the page"
        of_refused = f"{counted(len(refused), 'date')}: {refused[0][-1]}" if refused and not dates.candidates else lack
        yield Judgement(field="date", reason=of_refused)
    else:
        yield _judge_date(published, dates.why, role="published", is_chosen=True)
    if modified is not None:
        yield _judge_date(modified, "the most probable change", role="modified", is_chosen=True)
    shown = {_identify(c) for c in (published, modified) if c is not None}
    for c in dates.candidates:
        if _identify(c) not in shown:
            by_hand = _REPLACED if published is not None and published.source == "override" else "the same moment on another clock"
            yield _judge_date(c, c.why or by_hand)
    shown.update(map(_identify, dates.candidates))
    for source, role, text, why in refused:
        yield Judgement(field="date", text=text, source=source, role=role, reason=why)
    yield from (replace(_judge_date(c, _NOT_NEEDED), probability=None) for c in unread if _identify(c) not in shown)


def _identify(c: DateCandidate) -> tuple[str, str, str]:
    return c.source, c.place, c.text


def _judge_date(c: DateCandidate, reason: str, *, role: str = "", is_chosen: bool = False) -> Judgement:
    value = c.value.isoformat(timespec="minutes") if c.precision == DatePrecision.MINUTE else f"{c.value.date()}"
    return Judgement(
        field="date", text=c.text or value, value=value[:7] if c.precision == DatePrecision.MONTH else value,
        source=f"{c.source}, {c.place}" if c.place and c.place not in c.source else c.source, role=role or str(c.role),
        probability=c.probability or None, reason=reason, is_chosen=is_chosen,
    )  # fmt: skip


def _explain_authors(page: Document, metadata: Metadata) -> Iterator[Judgement]:
    refused = author_sources.explain_refused_authors(page)
    return _explain_names("authors", metadata.authors_choice, authors.name_source, authors.FEATURES, refused)


def _explain_section(page: Document, metadata: Metadata) -> Iterator[Judgement]:
    refused = explain_refused(page, ("json-ld:articleSection", *section.META_NAMES), section.explain_no_section)
    for each in _explain_names("section", metadata.section_choice, section.name_source, section.FEATURES, refused):
        # links word a folder of the address as readers know it
        yield replace(each, text=metadata.section) if each.is_chosen and each.source == metadata.section_source else each


def _explain_names(
    field: str, choice: NameChoice | None, name_source: Callable[[NameCandidate], str], names: Sequence[str],
    refused: Iterable[tuple[str, str, str]],
) -> Iterator[Judgement]:  # fmt: skip
    """Yield the judgements on the candidates of a choice, the most probable first, and on declared texts that were not read."""
    make = partial(Judgement, field=field)
    choice = choice or NameChoice()
    left_out = {one.key: why for one, why in choice.left_out}
    judged = sorted(zip(choice.found.values(), choice.rows, choice.likely, strict=True), key=itemgetter(2), reverse=True)
    doubts = _find_doubts([row for _, row, _ in judged], names, _FORESTS[field])
    for (one, _, likely), doubt in zip(judged, doubts, strict=True):
        is_chosen, is_likely = one in choice.chosen, likely >= choice.threshold
        why = (_LIKELIEST if is_likely else _GIVEN) if is_chosen else left_out.get(one.key) or (_LESS if is_likely else doubt)
        yield make(
            text=one.name, source=name_source(one), role=_find_role(one, field), reason=why, is_chosen=is_chosen,
            probability=None if one.key in left_out else likely,
        )  # fmt: skip
    for one, why in choice.left_out:
        if one.key not in choice.found:
            yield make(text=one.name, source=name_source(one), role=_find_role(one, field), reason=why)
    for source, text, why in refused:
        yield make(text=text, source=source, role=_ROLES[field], reason=why)


def _find_role(one: NameCandidate, field: str) -> str:
    return next((kind for kind in ("person", "organization") if one.values.get(f"json-ld {kind}")), _ROLES[field])


def _find_doubts(rows: Sequence[Sequence[float]], names: Sequence[str], forest: str) -> list[str]:
    """Return the phrase of the feature that speaks most against each row."""
    if not rows:
        return []
    moved = load_field_forest(forest).compute_contributions(np.array(rows, dtype=np.float32))
    found = []
    for row, changes in zip(rows, moved, strict=True):
        against = [
            (change.moved, AGAINST[name]) for name, value in zip(names, row, strict=True)
            if value > 0 and name in AGAINST and (change := changes.get(name)) and change.moved < 0
        ]  # fmt: skip
        found.append(min(against, default=(0.0, _FEWER))[1])
    return found


def _describe_lack(choice: NameChoice | None) -> str:
    """Return why nothing was chosen."""
    if choice is None or not (choice.found or choice.left_out):
        return _NO_NAME
    found = counted(len(choice.found) or len(choice.left_out), "name")
    name, likely = max(zip(choice.found.values(), choice.likely, strict=True), key=itemgetter(1), default=(None, 0.0))
    if name is None or (not likely and choice.left_out):
        return f"{found}: {choice.left_out[0][1]}"
    return f"{found}, none probable enough: {name.name} has {likely:.2f}, {choice.threshold:.2f} is needed"
