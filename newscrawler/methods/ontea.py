"""ONTEA: annotate a text with persons, organisations, places and dates that patterns and a gazetteer find.

Source: M. Laclavik, M. Seleng, E. Gatial, Z. Balogh, L. Hluchy: Ontology based Text Annotation – OnTeA, 2007, as section 2.1.1.2
of T. Blanár's master's thesis Extrakcia správ z webových stránok describes it.

Every pattern is a regular expression of a class. What it finds is looked up among the known individuals (the gazetteer); where
none has this label, a new individual is made that has only a label. A new individual for the text (a NewsArticle) gets all of
them as properties. Words of patterns (forms of companies, titles of persons, prepositions of places) stand in
`newscrawler.languages`, by language; months come from there, too.

Where the paper is silent:
- The classes are those of schema.org: Person, Organization, Place; dates are kept in ISO 8601 where they have a year.
- A name of two or three words in capitals is a person where a title stands before it, or where it does not begin a sentence and
  no form of a company follows. Longer matches go before shorter ones, the gazetteer before patterns.
- Lemmatization, which the thesis shows as an addition, is left out: a label is as the text writes it.

Known failures: the ones that the thesis names; names that begin a sentence; inflected names are labels of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

import regex

from newscrawler.languages import table, words

_NAME = r"\p{Lu}[\p{L}'’-]+"
_BOUND = r"(?<![\p{L}\p{N}])"
_END = r"(?![\p{L}\p{N}])"
_SENTENCE_END = frozenset('.!?…:\n"„“”»«')


class AnnotationClass(StrEnum):
    """What an individual is."""

    PERSON = "Person"
    ORGANISATION = "Organization"
    PLACE = "Place"
    DATE = "Date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A place of a text, and the individual that it names."""

    start: int
    end: int
    kind: AnnotationClass
    label: str
    #: An address of the individual, where the gazetteer has one.
    identifier: str | None = None
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class Ontea:
    """Annotates texts of any language that `newscrawler.languages` has words of."""

    #: Class and, where it is known, address by label.
    gazetteer: Mapping[str, tuple[AnnotationClass, str | None]] = field(default_factory=dict, repr=False)

    def annotate(self, text: str, language: str | None = None) -> list[Annotation]:
        """Return the annotations of a text in reading order; none overlaps another."""
        found = [*self._known(text), *_by_patterns(text, language)]
        taken: list[Annotation] = []
        for one in sorted(found, key=lambda each: (not each.is_known, each.start - each.end, each.start)):
            if all(one.end <= other.start or one.start >= other.end for other in taken):
                taken.append(one)
        return sorted(taken, key=lambda each: each.start)

    def _known(self, text: str) -> Iterator[Annotation]:
        for found in regex.finditer(rf"{_BOUND}{_NAME}(?: {_NAME})*", text):
            parts = list(regex.finditer(_NAME, found[0]))
            for first in range(len(parts)):
                for last in range(first, min(first + 5, len(parts))):
                    start, end = found.start() + parts[first].start(), found.start() + parts[last].end()
                    label = text[start:end]
                    if label in self.gazetteer:
                        kind, identifier = self.gazetteer[label]
                        yield Annotation(start=start, end=end, kind=kind, label=label, identifier=identifier, is_known=True)


def _by_patterns(text: str, language: str | None) -> Iterator[Annotation]:
    for kind, pattern in _patterns(language):
        for found in pattern.finditer(text):
            start, end = found.span("label")
            if kind is AnnotationClass.PERSON and not found["title"] and _begins_sentence(text, start):
                continue
            label = found["label"]
            if kind is AnnotationClass.DATE:
                label = _date(found, language) or label
            yield Annotation(start=start, end=end, kind=kind, label=label)


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" ")
    return not before or before[-1] in _SENTENCE_END


@cache
def _patterns(language: str | None) -> tuple[tuple[AnnotationClass, regex.Pattern[str]], ...]:
    """Return the patterns of a language, or of all where the text's is not known."""
    forms, titles = _any(words("company_forms", language)), _any(words("person_titles", language))
    places, months = _any(words("place_prepositions", language)), _any(_month_names(language))
    joins = _any(words("place_joins", language))
    name = f"{_NAME}(?: {_NAME}){{1,2}}"
    written = [
        (AnnotationClass.ORGANISATION, rf"{_BOUND}(?P<label>{_NAME}(?: (?:{_NAME}|[&])){{0,4}},? (?i:{forms})){_END}"),
        (AnnotationClass.PERSON, rf"{_BOUND}(?P<title>(?i:{titles})\.? )?(?P<label>{name}){_END}"),
        (AnnotationClass.PLACE, rf"{_BOUND}(?i:{places}) (?P<label>{_NAME}(?: (?:{joins}) {_NAME})?){_END}"),
        (AnnotationClass.PLACE, rf"{_BOUND}\d{{3}} ?\d{{2}} (?P<label>{_NAME}(?: (?:{joins}) {_NAME}| {_NAME})?){_END}"),
        (
            AnnotationClass.DATE,
            rf"{_BOUND}(?P<label>(?P<day>\d{{1,2}})\.? (?P<month>(?i:{months}))\.?(?: (?P<year>(?:19|20)\d\d))?){_END}",
        ),
        (AnnotationClass.DATE, rf"{_BOUND}(?P<label>(?P<day>\d{{1,2}})\. ?(?P<month>\d{{1,2}})\. ?(?P<year>(?:19|20)\d\d)){_END}"),
        (AnnotationClass.DATE, rf"{_BOUND}(?P<label>(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)){_END}"),
    ]
    return tuple((kind, regex.compile(pattern)) for kind, pattern in written)


def _month_names(language: str | None) -> Iterable[str]:
    return [name for names in table("months", language).values() for name in names]


def _any(phrases: Iterable[str]) -> str:
    return "|".join(map(regex.escape, sorted(phrases, key=len, reverse=True))) or r"(?!)"


def _date(found: regex.Match[str], language: str | None) -> str | None:
    if not found["year"]:
        return None
    month = found["month"].lower()
    number = (
        int(month) if month.isdigit() else next((int(n) for n, names in table("months", language).items() if month in names), 0)
    )
    day = int(found["day"])
    return f"{found['year']}-{number:02}-{day:02}" if 1 <= number <= 12 and 1 <= day <= 31 else None


def as_json_ld(annotations: Iterable[Annotation], url: str | None = None) -> dict[str, Any]:
    """Return the individual of an article with those of its text, as JSON-LD of schema.org."""
    mentions: dict[tuple[str, str], dict[str, Any]] = {}
    dates: list[str] = []
    for one in annotations:
        if one.kind is AnnotationClass.DATE:
            dates.append(one.label)
            continue
        individual = {"@type": str(one.kind), "name": one.label} | ({"@id": one.identifier} if one.identifier else {})
        mentions.setdefault((one.kind, one.label), individual)
    article: dict[str, Any] = {"@context": "https://schema.org", "@type": "NewsArticle"}
    if url:
        article |= {"@id": url, "url": url}
    return article | {"mentions": list(mentions.values()), "temporalCoverage": list(dict.fromkeys(dates))}


def as_n_triples(annotations: Iterable[Annotation], url: str) -> str:
    """Return the same as RDF, one triple a line."""
    article, schema = _iri(url), "https://schema.org/"
    kind_of = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    lines = [f"{article} {kind_of} <{schema}NewsArticle> ."]
    described = as_json_ld(annotations, url)
    for number, individual in enumerate(described["mentions"]):
        subject = _iri(individual["@id"]) if "@id" in individual else f"_:m{number}"
        lines.append(f"{article} <{schema}mentions> {subject} .")
        lines.append(f"{subject} {kind_of} <{schema}{individual['@type']}> .")
        lines.append(f"{subject} <{schema}name> {_literal(individual['name'])} .")
    lines += [f"{article} <{schema}temporalCoverage> {_literal(date)} ." for date in described["temporalCoverage"]]
    return "\n".join(lines) + "\n"


def _iri(address: str) -> str:
    return "<" + re.sub(r'[\x00-\x20<>"{}|^`\\]', lambda found: f"%{ord(found[0]):02X}", address) + ">"


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'
