"""Authors of an article: every name that the page gives is a candidate, and a forest gives the probability that it is an author.

Declared names are read first. Where the forest is sure of them, the page's lines need not be read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter

from lxml import etree

from newscrawler.extraction.body.cues import is_name_alone
from newscrawler.extraction.body.forest import Forest, Rows, load_field_forest, probabilities
from newscrawler.extraction.body.site_names import find_signed_names, read_site_names, reduce_to_letters
from newscrawler.extraction.metadata.author_sources import (
    Surroundings,
    find_surroundings,
    note_declared,
    note_elements,
    note_lines,
    note_signatures,
)
from newscrawler.extraction.metadata.candidates import (
    COMPARED,
    NameCandidate,
    NameCandidates,
    NameChoice,
    compare_candidates,
    find_stated,
)
from newscrawler.extraction.metadata.names import is_office
from newscrawler.languages import words
from newscrawler.page import Document, Mark, has_eastern_letters

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def is_rubric(name: str) -> bool:
    """Return whether an apparent name is the label of a section."""
    said = list(map(str.casefold, _WORD.findall(name.replace("’", "'"))))
    return not words("rubrics").isdisjoint(said) or (bool(said) and said[0] in words("rubrics_begin"))


#: Evidence by which candidates are compared with each other.
_COMPARED = ("json-ld", "meta", "marked", "called", "label", "dated")
#: Evidence for a name, and doubts about it, of equal weight.
_EVIDENCE = ("json-ld", "meta", "marked", "called", "label", "author page")
_DOUBTS = ("rubric", "foreign mark", "sentence", "heading", "in menu", "spoken of", "below kind")
DECLARED = ("json-ld", "json-ld names", "json-ld person", "json-ld organization", "meta")
SHOWN = (
    "marked", "marked distance", "called", "called distance", "lines", "label", "below headline", "before text", "behind text",
    "dated", "beside date", "author page", "user page", "share of line", "other link", "byline mark", "foreign mark", "heading",
    "sentence", "names of line", "below kind",
)  # fmt: skip
_FORM = ("words", "office", "site", "rubric", "small", "eastern", "common words", "in title", "in menu", "spoken of")
_OF_OTHERS = tuple(f"others {name}" for name in _COMPARED)
FEATURES = (
    *DECLARED, *SHOWN, *_FORM, *COMPARED, "looked at page", "doubts", *_OF_OTHERS,
)  # fmt: skip
_NOTHING, _BYLINE = dict.fromkeys(FEATURES, 0.0), int(Mark.BYLINE)
_row, _doubts = itemgetter(*FEATURES), itemgetter(*_DOUBTS)


def collect_texts(page: Document, where: Surroundings) -> tuple[frozenset[str], str]:
    """Return the lines above the headline, and the text, each paragraph behind a line break."""
    blocks, boxes = page.layout.blocks, page.layout.boxes
    start = where.first if where.first >= 0 else where.headline + 1
    end = where.last + 1 if where.last >= 0 else len(blocks)
    text = [
        f"\n{block.text}"
        for block in blocks[start:end]
        if (block.size > 60 or (block.is_sentence and block.size > 30)) and not (block.marks | boxes[block.box].within) & _BYLINE
    ]
    return frozenset(block.text for block in blocks[: max(where.headline, 0)]), "".join(text)


def _is_written_small(word: str, text: str) -> bool:
    small = f" {word.lower()}"
    return small in text and any(small + mark in text for mark in " ,.")


def read_institutions(page: Document) -> frozenset[str]:
    """Return the page's names of its site and sections, letters only: never persons, whatever they are declared to be."""
    sections = find_stated(page, ("article:section", "json-ld:articleSection"))
    return page.view(read_site_names).union(find_signed_names(page), map(reduce_to_letters, sections))


def is_institution(page: Document, name: str) -> bool:
    """Return whether a name is that of the site or of a section: never a person's, whatever it is declared to be."""
    return reduce_to_letters(name) in page.view(read_institutions) or is_rubric(name)


def build_rows(
    page: Document, candidates: NameCandidates, *, looked: int, texts: tuple[frozenset[str], str] | None = None
) -> list[Sequence[float]]:
    """Return the features of each candidate, in the order of `FEATURES`.

    `looked`: 0 if only declared names were read, 1 if elements and lines of the page were read too. `texts`: as `collect_texts`
    returns them.
    """
    site = page.view(read_site_names)
    rows = {}
    for key, one in candidates.items():
        one.values["institution"] = float(is_institution(page, one.name))
        values = rows[key] = _NOTHING | _describe_form(one.name, site) | one.values
        if values["json-ld"] or values["meta"]:
            values["rubric"] = 0.0
        if texts is not None:
            above, body = texts
            spoken = body.rpartition("\n")[0]
            said = [word for word in one.name.split() if len(word) > 2]
            values |= {
                "in title": float(one.name in page.title), "in menu": float(one.name in above),
                "spoken of": float(spoken.count(one.name) - spoken.count(f"\n{one.name}")),
                "common words": sum(_is_written_small(word, body) for word in said) / max(len(said), 1),
            }  # fmt: skip
            one.values["section"] = values["in menu"] * (" " not in one.name and not _is_declared(one) and not values["site"])
        values["looked at page"] = float(looked)
        values["doubts"] = float(sum(map(bool, _doubts(values))))
    compare_candidates(rows, _EVIDENCE, _COMPARED)
    return list(map(_row, rows.values()))


def _is_declared(one: NameCandidate) -> bool:
    return any(map(one.values.get, _STATED))


@lru_cache(maxsize=4096)
def _describe_form(name: str, site: frozenset[str]) -> dict[str, float]:
    """Return features of the form of a name, and of its likeness to names of the site."""
    key = reduce_to_letters(name)
    near = len(key) > 3 and any(key in other or (other in key and len(other) > 3) for other in site)
    return {
        "words": float(bisect_right((1, 2, 5), len(name.split()))),
        "office": float(is_office(name)),
        "site": 2.0 if key in site else float(near),
        "rubric": float(is_rubric(name)),
        "small": float(name[:1].islower()),
        "eastern": float(has_eastern_letters(name)),
    }


#: A name is given from this probability on; where none reaches it, the likeliest of those that
#: the page itself calls authors from the lower one.
THRESHOLD, LOWEST = 0.5, 0.25
#: Lines between a byline and the text.
_NEAR = 4
#: No more is read where each declared name is this near to certainty.
_DOUBT = 0.25
#: Numbers of turns: of the declared names, and of the persons only.
_DECLARED, _PERSONS = 0, 2
_NO_PERSON = "the name of the site, a section or an organization; a person goes first"
_IGNORED = "ignored, as the configuration says"
_STATED = ("json-ld", "meta")
_GIVEN = (*_STATED, "marked", "called", "label", "author page")
_SHOWN = ("marked", "called", "label", "author page", "dated", "beside date")


@dataclass(frozen=True, slots=True, kw_only=True)
class Authors:
    """Who wrote an article."""

    names: tuple[str, ...] = ()
    #: The best evidence for the first name.
    source: str | None = None
    #: Probability that the least sure of the names is an author; 1 less that of the likeliest name where none is given.
    confidence: float = 0.0
    #: The candidates; None where a template gives the names.
    choice: NameChoice | None = field(default=None, compare=False, repr=False)


def find_authors(page: Document, body: Sequence[etree._Element], ignored: Collection[str] = ()) -> Authors:
    """Return the authors in the page's order; none where no name is likely to be one; `ignored`: never these, folded."""
    return decide(read_in_turn(page, body, ignored=ignored), load_field_forest("authors"))


def decide(turns: Iterable[tuple[NameCandidates, Rows]], forest: Forest) -> Authors:
    """Return the authors among the candidates of the first turn after which the forest is sure, or else of the last.

    A person goes before the site and its sections, which the forest may take for one.
    """
    authors = Authors(confidence=1.0, choice=NameChoice(threshold=THRESHOLD))
    for turn, (found, rows) in enumerate(turns):
        if not found:
            if found.removed:
                authors = replace(authors, choice=NameChoice(left_out=[(one, _IGNORED) for one in found.removed]))
            continue
        likely = probabilities(forest, rows)
        chosen = choose(found, likely, rows)
        if turn == _PERSONS and not _goes_before(authors, chosen, found, likely):
            break
        if turn == _PERSONS and authors.choice is not None and chosen.choice is not None:
            left_out = [(one, _NO_PERSON) for key, one in authors.choice.found.items() if key not in found]
            chosen = replace(chosen, choice=replace(chosen.choice, left_out=[*authors.choice.left_out, *left_out]))
        authors = chosen
        is_sure = max(likely) > 1 - _DOUBT and all(one < _DOUBT or one > 1 - _DOUBT for one in likely)
        if turn == _DECLARED and is_sure and len(_select_persons(found)) == len(found):
            break
    return authors


def _goes_before(authors: Authors, persons: Authors, found: NameCandidates, likely: Sequence[float]) -> bool:
    """Return whether persons go before the authors chosen among all names: one is shown, and likely enough."""
    least = THRESHOLD if authors.names and authors.confidence >= THRESHOLD else LOWEST
    shown = {one.name for one, each in zip(found.values(), likely, strict=True) if each >= least and _is_shown(one)}
    is_other = not authors.names or not {one.name for one in found.values()}.issuperset(authors.names)
    return is_other and not shown.isdisjoint(persons.names)


def _is_shown(one: NameCandidate) -> bool:
    """Return whether the page shows a name, written as a person's in full, as that of its author."""
    return any(map(one.values.get, _SHOWN)) and (is_name_alone(one.name) or not one.name.isascii())


def read_in_turn(
    page: Document, body: Sequence[etree._Element], *, declared: bool = True, ignored: Collection[str] = ()
) -> Iterator[tuple[NameCandidates, Rows]]:
    """Yield the candidates and their features: declared names first, then with the elements and lines of the page.

    At last, where the site or a section is among them, only the others.

    `declared`: False, for training: as if the head said nothing. `ignored`: never these, as `fold_name` returns them.
    """
    found = NameCandidates()
    if declared:
        note_declared(page, found)
        found.remove(ignored)
        yield found, build_rows(page, found, looked=0)
    where = find_surroundings(page, body)
    note_elements(page, where, found)
    note_signatures(page, where, found)
    note_lines(page, where, found)
    found.remove(ignored)
    texts = collect_texts(page, where) if found else None
    yield found, build_rows(page, found, looked=1, texts=texts)
    persons = _select_persons(found)
    persons = persons if len(persons) < len(found) else NameCandidates()
    yield persons, build_rows(page, persons, looked=1, texts=texts)


def _select_persons(found: NameCandidates) -> NameCandidates:
    """Return those that are not called as the site, a section or a user is, nor declared to be an organization."""
    return NameCandidates(
        (key, one)
        for key, one in found.items()
        if not (one.values["institution"] or one.values.get("json-ld organization") or _USER.fullmatch(one.name))
    )


#: A name for signing in.
_USER = re.compile(r"[a-z][a-z._-]*\d+")


def choose(found: NameCandidates, likely: Sequence[float], rows: Rows) -> Authors:
    """Return the names that are likely enough."""
    pairs = list(zip(found.values(), likely, strict=True))
    best = max(pairs, key=itemgetter(1))
    if best[1] >= THRESHOLD:
        pairs = [pair for pair in pairs if pair[1] >= THRESHOLD]
    else:  # as likely as the best, where the head, the name of an element, or a label says that it is the author's
        said = best[0].values
        is_alone = sum(likely == best[1] for _, likely in pairs) == 1 and not has_eastern_letters(best[0].name)
        is_near = best[1] >= 0.4 and is_alone and _is_shown(best[0]) and 0 < said.get("before text", 0.0) <= _NEAR
        is_given = best[1] >= LOWEST and (is_near or any(map(said.get, _GIVEN))) and not said.get("section")
        pairs = [pair for pair in pairs if is_given and pair[1] == best[1]]
    chosen = tuple(one for one, _ in pairs[:24])
    left_out = [(one, _IGNORED) for one in found.removed]
    choice = NameChoice(found=found, rows=rows, likely=likely, chosen=chosen, threshold=THRESHOLD, left_out=left_out)
    if not pairs:
        return Authors(confidence=1.0 - max(likely), choice=choice)
    return Authors(
        names=tuple(one.name for one in chosen),
        source=name_source(chosen[0]),
        confidence=min(map(itemgetter(1), pairs)),
        choice=choice,
    )


def name_source(one: NameCandidate) -> str:
    """Return the best evidence for a name."""
    return next(filter(one.values.get, _STATED), "byline")
