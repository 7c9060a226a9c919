"""Who wrote the article: every name that the page gives is a candidate, and a forest says how likely each is an author.

What is declared to machines is read first. Where the forest is sure of it, the page's lines need not be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from lxml import etree

from newscrawler.extraction.body.forest import Forest
from newscrawler.extraction.body.ranking import Rows, field_forest, probabilities
from newscrawler.extraction.body.signatures import is_name_alone
from newscrawler.extraction.metadata.author_candidates import rows_of, texts_of
from newscrawler.extraction.metadata.candidates import Candidate, Candidates
from newscrawler.extraction.metadata.declared_authors import note_declared
from newscrawler.extraction.metadata.shown_authors import note_elements, note_lines, surroundings_of
from newscrawler.page import Document

#: A name is given from this probability on; where none reaches it, the likeliest of those that
#: the page itself calls authors from the lower one.
THRESHOLD, LOWEST = 0.5, 0.2
#: No more is read where each declared name is this near to being surely an author, or surely none.
_DOUBT = 0.25
#: Numbers of turns: of what is declared, and of the persons alone.
_DECLARED, _PERSONS = 0, 2
_SHOWN = ("marked", "called", "label", "author page", "dated", "beside date")
_MOST_NAMES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Authors:
    """Who wrote an article."""

    names: tuple[str, ...] = ()
    #: The best evidence for the first name.
    source: str | None = None
    #: Probability that the least sure of the names is an author; 1 less that of the likeliest name where none is given.
    confidence: float = 0.0


def find_authors(page: Document, body: Sequence[etree._Element]) -> Authors:
    """Return the authors in the page's order; none where no name is likely to be one."""
    return decide(read_in_turn(page, body), field_forest("authors"))


def decide(turns: Iterable[tuple[Candidates, Rows]], forest: Forest) -> Authors:
    """Return the authors among the candidates of the first turn after which the forest is sure, or else of the last.

    A person goes before the site and its sections, which the forest may take for one.
    """
    authors = Authors(confidence=1.0)
    for turn, (found, rows) in enumerate(turns):
        if not found:
            continue
        likely = probabilities(forest, rows)
        shows_person = any(each >= THRESHOLD and _is_shown(one) for one, each in zip(found.values(), likely, strict=True))
        if turn == _PERSONS and (not shows_person or {one.name for one in found.values()}.issuperset(authors.names)):
            break
        authors = chosen(found, likely)
        is_sure = max(likely) > 1 - _DOUBT and all(one < _DOUBT or one > 1 - _DOUBT for one in likely)
        if turn == _DECLARED and is_sure and len(_persons(found)) == len(found):
            break
    return authors


def _is_shown(one: Candidate) -> bool:
    """Tell whether the page shows a name, written as a person's in full, as that of its author."""
    return any(map(one.values.get, _SHOWN)) and (is_name_alone(one.name) or not one.name.isascii())


def read_in_turn(page: Document, body: Sequence[etree._Element], *, declared: bool = True) -> Iterator[tuple[Candidates, Rows]]:
    """Yield the candidates and their features: what the head declares, the elements with names and the lines too.

    At last, where the site or a section is among them, the others alone.

    Args:
        page: the page.
        body: the elements of the text.
        declared: False, for training: as if the head said nothing.
    """
    found = Candidates()
    if declared:
        note_declared(page, found)
        yield found, rows_of(page, found, looked=0)
    where = surroundings_of(page, body)
    note_elements(page, where, found)
    note_lines(page, where, found)
    texts = texts_of(page, where) if found else None
    yield found, rows_of(page, found, looked=1, texts=texts)
    persons = _persons(found)
    persons = persons if len(persons) < len(found) else Candidates()
    yield persons, rows_of(page, persons, looked=1, texts=texts)


def _persons(found: Candidates) -> Candidates:
    """Return those that are not called as the site or a section is."""
    return Candidates((key, one) for key, one in found.items() if not one.values["institution"])


def chosen(found: Candidates, likely: Sequence[float]) -> Authors:
    """Return the names that are likely enough."""
    pairs = list(zip(found.values(), likely, strict=True))
    best = max(pairs, key=itemgetter(1))
    pairs = [pair for pair in pairs if pair[1] >= THRESHOLD] or ([best] if best[1] >= LOWEST and is_given(best[0].values) else [])
    if not pairs:
        return Authors(confidence=1.0 - max(likely))
    return Authors(
        names=tuple(one.name for one, _ in pairs[:_MOST_NAMES]),
        source=_source_of(pairs[0][0].values),
        confidence=min(probability for _, probability in pairs),
    )


def is_given(values: Mapping[str, float]) -> bool:
    """Tell whether the head of a page, or the name of an element, says that a name is the author's."""
    return any(values.get(name) for name in ("json-ld", "meta", "state", "marked", "called"))


def _source_of(values: Mapping[str, float]) -> str:
    return next((name for name in ("json-ld", "meta", "state") if values.get(name)), "byline")
