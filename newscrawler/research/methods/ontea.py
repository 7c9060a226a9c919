"""ONTEA: annotate a text with persons, organisations, places and dates that patterns and a gazetteer find.

Source: M. Laclavik, M. Seleng, E. Gatial, Z. Balogh, L. Hluchy: Ontology based Text Annotation – OnTeA, 2007, as section 2.1.1.2
of Š. Blanár's master's thesis Extrakcia správ z webových stránok describes it.

Every pattern is a regular expression of a class. What it finds is looked up among the known individuals (the gazetteer); where
none has this label, a new individual is made that has only a label. A new individual for the text (a NewsArticle) gets all of
them as properties. Words of patterns (forms of companies, titles of persons, prepositions of places) and months are in
`newscrawler.languages`, by language.

Where the paper is silent:
- The classes are those of schema.org: Person, Organization, Place; dates are kept in ISO 8601 where they have a year.
- A name of two or three words in capitals is a person after a title, or where it does not begin a sentence and no form of a
  company follows; in German, where all nouns have
  capitals, only if it follows a title somewhere in the text. Longer matches take precedence over shorter ones, the gazetteer over
  patterns.
- Lemmatization, which the thesis shows as an addition: two names are one where their words are equal without the endings of
  declined names (`name_endings` of the language), or where the lemmas that a tagger gives are. A declined name gets the label of
  the gazetteer, or else the shortest form in the text, with a tagger its lemma.

Known failures: the ones that the thesis names; names that begin a sentence; names whose stem changes (Karel, Karlem), without a
tagger.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import regex

from newscrawler.article import Article
from newscrawler.corpus import Recogniser, join_texts, place_mentions
from newscrawler.errors import ConfigError
from newscrawler.languages import languages, table, words
from newscrawler.store.articles import Mention
from newscrawler.store.vocabularies import EntityKind

_NAME = r"\p{Lu}[\p{L}'’-]+"
_BOUND = r"(?<![\p{L}\p{N}])"
_END = r"(?![\p{L}\p{N}])"
#: Languages that write every noun with a capital.
_CAPITAL_NOUNS = frozenset({"de", "lb"})
_Stem: TypeAlias = tuple[str, ...]
_SENTENCE_END = frozenset('.!?…:\n"„“”»«')


class AnnotationClass(StrEnum):
    """The class of an individual."""

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
    #: Declined names are taken for one.
    joins_declined: bool = True
    _by_stem: dict[str | None, dict[_Stem, str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def annotate(
        self, text: str, language: str | None = None, lemmas: Mapping[int, str] = MappingProxyType({})
    ) -> list[Annotation]:
        """Return the annotations of a text in reading order; none overlaps another.

        Args:
            text: to annotate.
            language: of the text, as an ISO 639 code; None: the words of all languages count, and no ending is known.
            lemmas: by the place where their word begins, from a tagger.
        """
        language = _known_language(language)
        found = [*self._known(text, language, lemmas), *_by_patterns(text, language)]
        taken: list[Annotation] = []  # in reading order, so that only two neighbours can overlap
        for one in sorted(found, key=lambda each: (not each.is_known, each.start - each.end, each.start)):
            place = bisect_left(taken, one.start, key=attrgetter("start"))
            if all(one.end <= other.start or one.start >= other.end for other in taken[max(0, place - 1) : place + 1]):
                taken.insert(place, one)
        return _joined(taken, language, lemmas) if self.joins_declined else taken

    def _known(self, text: str, language: str | None, lemmas: Mapping[int, str]) -> Iterator[Annotation]:
        for found in regex.finditer(rf"{_BOUND}{_NAME}(?: {_NAME})*", text):
            parts = list(regex.finditer(_NAME, found[0]))
            for first in range(len(parts)):
                for last in range(first, min(first + 5, len(parts))):
                    start, end = found.start() + parts[first].start(), found.start() + parts[last].end()
                    if (label := self._label_of(text[start:end], start, language, lemmas)) is not None:
                        kind, identifier = self.gazetteer[label]
                        yield Annotation(start=start, end=end, kind=kind, label=label, identifier=identifier, is_known=True)

    def _label_of(self, name: str, start: int, language: str | None, lemmas: Mapping[int, str]) -> str | None:
        """Return the label of the gazetteer that a name is, as it is written or declined; None: it has none."""
        if name in self.gazetteer or not (self.gazetteer and self.joins_declined):
            return name if name in self.gazetteer else None
        by_stem = self._by_stem.get(language)
        if by_stem is None:
            by_stem = self._by_stem[language] = {_stem(label, language): label for label in reversed(list(self.gazetteer))}
        return by_stem.get(_stem(name, language)) or by_stem.get(_stem(_lemma(name, start, lemmas), language))


def _known_language(code: str | None) -> str | None:
    """Return the code of a language that has words here, without its region; None: it has none."""
    primary = (code or "").partition("-")[0].lower()
    return primary if primary in languages() else None


def _lemma(name: str, start: int, lemmas: Mapping[int, str]) -> str:
    """Return a name with the lemmas of its words, as capitals as they are written."""
    found: str = regex.sub(r"[\p{L}'’-]+", lambda word: _as_capital(lemmas.get(start + word.start(), word[0]), word[0]), name)
    return found


def _as_capital(lemma: str, word: str) -> str:
    return lemma[:1].upper() + lemma[1:] if word[0].isupper() else lemma


def _stem(name: str, language: str | None) -> _Stem:
    """Return the words of a name in small letters without the endings of declined names."""
    endings = _endings(language)
    return tuple(endings.sub("", word) for word in name.lower().split())


@cache
def _endings(language: str | None) -> regex.Pattern[str]:
    """Return the expression for the longest ending of a word that leaves three letters."""
    endings = words("name_endings", language) if language is not None else ()
    return regex.compile(rf"(?<=^\p{{L}}{{3,}})(?:{_any(endings)})$")


def _joined(found: Sequence[Annotation], language: str | None, lemmas: Mapping[int, str]) -> list[Annotation]:
    """Give the forms of one name one label: that of the gazetteer, its lemma, or the shortest form."""
    named = [
        one if one.is_known or one.kind is AnnotationClass.DATE else replace(one, label=_lemma(one.label, one.start, lemmas))
        for one in found
    ]
    labels: dict[tuple[AnnotationClass, _Stem], str] = {}
    for one in sorted(named, key=lambda each: (not each.is_known, len(each.label))):
        labels.setdefault((one.kind, _stem(one.label, language)), one.label)
    return [
        one if one.kind is AnnotationClass.DATE else replace(one, label=labels[one.kind, _stem(one.label, language)])
        for one in named
    ]


def _by_patterns(text: str, language: str | None) -> Iterator[Annotation]:
    for kind, pattern in _patterns(language):
        matches = list(pattern.finditer(text))
        if kind is AnnotationClass.PERSON:
            matches = [found for found in matches if found["title"] or not _begins_sentence(text, found.start("label"))]
            if language in _CAPITAL_NOUNS:
                titled = {_stem(found["label"], language) for found in matches if found["title"]}
                matches = [found for found in matches if _stem(found["label"], language) in titled]
        for found in matches:
            start, end = found.span("label")
            label = found["label"]
            if kind is AnnotationClass.DATE:
                label = _date(found, language) or label
            yield Annotation(start=start, end=end, kind=kind, label=label)


def _begins_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 100) : start].rstrip(" ")  # not all of a long text
    return not before or before[-1] in _SENTENCE_END


@cache
def _patterns(language: str | None) -> tuple[tuple[AnnotationClass, regex.Pattern[str]], ...]:
    """Return the patterns of a language, or of all where the text's is not known."""
    forms, titles = _any(words("company_forms", language)), _any(words("person_titles", language))
    places, months = _any(words("place_prepositions", language)), _any(chain.from_iterable(table("months", language).values()))
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


def read_gazetteer(path: Path) -> dict[str, tuple[AnnotationClass, str | None]]:
    """Return the known individuals of a file, a line each: label, class and address with tabs between them; the address may lack.

    Raises:
        ConfigError: it cannot be read, or a class is unknown.
    """
    known: dict[str, tuple[AnnotationClass, str | None]] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}.") from error
    for number, line in enumerate(lines, 1):
        label, kind, address = (*line.split("\t"), "", "")[:3]
        if line and kind not in list(AnnotationClass):
            raise ConfigError(
                f"{path}, line {number}: {kind or 'nothing'} is not a class; a line is label, class and address with tabs between "
                f"them, and the classes are {', '.join(AnnotationClass)}."
            )
        if line:
            known[label] = (AnnotationClass(kind), address or None)
    return known


_KINDS = {
    AnnotationClass.PERSON: EntityKind.PERSON, AnnotationClass.ORGANISATION: EntityKind.ORGANISATION,
    AnnotationClass.PLACE: EntityKind.PLACE,
}  # fmt: skip


def make_recogniser(gazetteer: str) -> Recogniser:
    """Return a recogniser of persons, organisations and places of stored articles; `gazetteer`: path of a file, or empty.

    Raises:
        ConfigError: the file cannot be read.
    """
    ontea = Ontea(gazetteer=read_gazetteer(Path(gazetteer)) if gazetteer else {})

    def recognise(article: Article) -> Iterator[Mention]:
        found = (each for each in ontea.annotate(join_texts(article), article.language) if each.kind in _KINDS)
        return place_mentions(article, ((_KINDS[each.kind], each.label, each.start, each.end) for each in found))

    return recognise
