"""Who wrote the article: every name that the page gives is a candidate, and a forest says how likely each is an author.

What is declared to machines is read first. Where the forest is sure of it, the page's lines need not be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from lxml import etree

from newscrawler.extraction.forest import Forest
from newscrawler.extraction.headline import headline_of
from newscrawler.extraction.ranking import Rows, field_forest, probabilities
from newscrawler.extraction.signed_names import is_name_alone
from newscrawler.metadata.author_candidates import Candidate, Candidates, read_institutions, rows_of, texts_of
from newscrawler.metadata.author_elements import note_elements
from newscrawler.metadata.author_lines import note_lines, surroundings_of
from newscrawler.metadata.declared_authors import note_declared
from newscrawler.page import Document

#: A name is given from this probability on; where none reaches it, the likeliest of those that
#: the page itself calls authors from the lower one.
THRESHOLD, LOWEST = 0.5, 0.2
#: After each turn no more is read where each name is this near to being surely an author, or surely none.
_SURE = (0.25, 0.0, 0.0)
#: The turn of the persons alone, and what shows that one of them wrote.
_PERSONS, _SHOWN = 2, ("marked", "called", "label", "author page", "dated", "beside date")
_MOST_NAMES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Authors:
    """Who wrote an article."""

    names: tuple[str, ...] = ()
    #: The best evidence for the first name.
    source: str | None = None
    #: Probability that the least sure of the names is an author; 1 less that of the likeliest name where none is given.
    confidence: float = 0.0


def find_authors(page: Document, headline: etree._Element | None, body: Sequence[etree._Element]) -> Authors:
    """Return the authors in the page's order; none where no name is likely to be one."""
    return decide(read_in_turn(page, headline, body), field_forest("authors"))


def decide(turns: Iterable[tuple[Candidates, Rows]], forest: Forest) -> Authors:
    """Return the authors among the candidates of the first turn after which the forest is sure, or else of the last.

    A person whom the page shows as its author goes before the site and its sections, which the forest may take for one.
    """
    authors = Authors(confidence=1.0)
    for turn, ((found, rows), doubt) in enumerate(zip(turns, _SURE, strict=True)):
        if not found:
            continue
        likely = probabilities(forest, rows)
        if turn == _PERSONS:
            shown = [one for one, each in zip(found.values(), likely, strict=True) if each >= THRESHOLD and _is_shown(one)]
            has_others = not {one.name for one in found.values()}.issuperset(authors.names)
            return chosen(found, likely) if shown and has_others else authors
        authors = chosen(found, likely)
        is_sure = max(likely) > 1 - doubt and all(one < doubt or one > 1 - doubt for one in likely)
        if is_sure and len(found.persons()) == len(found):
            break
    return authors


def _is_shown(one: Candidate) -> bool:
    """Tell whether the page shows a name, written as a person's in full, as that of its author."""
    return any(map(one.values.get, _SHOWN)) and (is_name_alone(one.name) or not one.name.isascii())


def read_in_turn(
    page: Document, headline: etree._Element | None, body: Sequence[etree._Element], *, declared: bool = True
) -> Iterator[tuple[Candidates, Rows]]:
    """Yield the candidates and their features: what the head declares, the elements with names and the lines too.

    At last, where the site or a section is among them, the others alone.

    Args:
        page: the page.
        headline: the element of the headline; by default that which the page is found to have.
        body: the elements of the text.
        declared: False, for training: as if the head said nothing.
    """
    found = Candidates(page.view(read_institutions))
    if declared:
        note_declared(page, found)
        yield found, rows_of(page, found, looked=0)
    if headline is None and (shown := page.view(headline_of)) is not None:
        headline = shown.element
    note_elements(page, headline, body, found)
    where = surroundings_of(page, body)
    note_lines(page, where, found)
    texts = texts_of(page, where.headline, where.first, where.last) if found else None
    yield found, rows_of(page, found, looked=1, texts=texts)
    persons = found.persons() if len(found) > 1 else found
    persons = persons if len(persons) < len(found) else Candidates()
    yield persons, rows_of(page, persons, looked=1, texts=texts)


def chosen(found: Candidates, likely: Sequence[float]) -> Authors:
    """Return the names that are likely enough."""
    pairs = [(one, probability) for one, probability in zip(found.values(), likely, strict=True) if probability >= THRESHOLD]
    if not pairs:
        best = max(zip(found.values(), likely, strict=True), key=itemgetter(1))
        pairs = [best] if best[1] >= LOWEST and is_given(best[0].values) else []
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
