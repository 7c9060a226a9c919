"""Queries of the full-text index on PostgreSQL: which characters a string of codes contains, and how they follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Any, Self

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    FromClause,
    Select,
    and_,
    case,
    cast,
    false,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    table,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by
from sqlalchemy.types import Text

from newscrawler.store.search.index import BAND, BETWEEN, FIRST_LEAD, INDEX, KEYS, LAST_LEAD, SEARCH_WORD, WIDE_BAND, known_codes
from newscrawler.store.search.query_language import And, Near, Node, Not, Or, Phrase, Zone
from newscrawler.store.search.sqlite import TITLE_WEIGHT

_LEADS = f"{chr(FIRST_LEAD)}-{chr(LAST_LEAD)}"
#: Put behind words that begin as a query says, a sign for each of its beginnings; NEAR has two at most.
_MARKS = "\x03\x04"
#: Any word of a zone, as a regular expression, without its marks.
_ANY_WORD = f"(?:[{_LEADS}].|[^{_LEADS}{BETWEEN}{_MARKS}])"
#: Where more words begin so, they are marked: PostgreSQL refuses a regular expression of tens of thousands of characters.
_MOST_IN_PATTERN = 2_000
_WORDS: ColumnElement[str] = literal_column(f"{INDEX}.words", Text())
#: What the index contains of an article: the characters of its codes, and its band.
_KEYS: ColumnElement[Any] = literal_column(f"{KEYS}({INDEX}.words, {INDEX}.article_id)", ARRAY(Text()))
#: Of BM25: how fast repetition counts for less, how much long texts are discounted, and the words of a text of middle length.
_SATURATION, _LENGTH, _MIDDLE = 1.2, 0.75, 400.0
#: Bands are searched in steps: how much wider than estimated, and, where too few matches are found to estimate, than before.
_MARGIN, _STEP, _LEAST_FOUND = 1.3, 16, 5
#: Bands that are searched first, as the newest has few articles at times; more than so many are named by wide bands.
_FIRST, _MOST_NAMED = 2, WIDE_BAND // BAND
#: So many of the newest articles must match for the share of a selection among them to be known.
_LEAST_COMPARED = 200


class PostgreSqlQuery:
    """A query as conditions of SQL; codes that were not looked up before are looked up by it."""

    key: ColumnElement[int] = literal_column(f"{INDEX}.article_id")
    #: Orders matches; an expression, as the planner would otherwise read all articles from the newest on, without the index.
    recency: ColumnElement[int] = literal_column(f"{INDEX}.article_id + 0")
    #: What is looked at of an article that matches, to rank it.
    rankable: ColumnElement[Any] = _WORDS

    def __init__(
        self,
        node: Node,
        codes: Mapping[str, str] | None = None,
        beginnings: Mapping[str, Sequence[str]] | None = None,
        *,
        newest_band: int = 0,
    ) -> None:
        """Take a query, and what is known of its words.

        Args:
            node: the query.
            codes: of its words; None: not looked up.
            beginnings: codes of all words with each of its beginnings, where `codes` is given.
            newest_band: band of the article stored last; the search begins there.
        """
        self._node = node
        self._codes = codes
        self._beginnings = beginnings or {}
        self._newest_band = newest_band
        #: How many of the newest bands are searched; None: all.
        self._bands: int | None = _FIRST if newest_band >= _FIRST else None
        self._by_index = True

    @staticmethod
    def set_up(connection: Connection) -> None:
        """Turn off in this transaction what takes longer to begin than a search takes; count on pages that are in memory."""
        settings = "SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL random_page_cost = 1.1"
        connection.exec_driver_sql(settings, execution_options={"yield_per": None, "stream_results": False})

    @classmethod
    def prepare(cls, connection: Connection, node: Node) -> Self:
        """Look up the codes of a query's words, and begin with the newest band of articles."""
        phrases = list(_phrases(node))
        codes = known_codes(connection, {word for phrase in phrases for word in _whole(phrase)})
        beginnings = {
            word: connection.execute(_beginning(word, SEARCH_WORD.c.code)).scalars().all()
            for word in {phrase.words[-1] for phrase in phrases if phrase.prefix}
        }
        newest = connection.execute(select(func.max(cls.key)).select_from(table(INDEX))).scalar()
        return cls(node, codes, beginnings, newest_band=(newest or 0) // BAND)

    @property
    def is_narrowed(self) -> bool:
        """Return whether only the newest bands are searched."""
        return self._bands is not None

    def widen(self, found: int, wanted: int) -> bool:
        """Search more of the newest bands, as many as are likely to hold enough matches; False: all were searched.

        Args:
            found: matches in the bands that were searched.
            wanted: matches that are enough.
        """
        if found >= wanted or self._bands is None or self._bands > self._newest_band:
            return False
        wider = _STEP * self._bands if found < _LEAST_FOUND else ceil(_MARGIN * self._bands * wanted / found)
        self._bands = wider if 2 * wider <= self._newest_band else None  # nearly all would be searched a second time
        return True

    def compare(self, found: int, unnarrowed: int, wanted: int) -> None:
        """Look at each article of a selection, without the index, where that is less than to look at each match.

        Args:
            found: matches of the selection in the bands that were searched.
            unnarrowed: all matches in these bands.
            wanted: matches that are enough.
        """
        if self._bands is None or unnarrowed < _LEAST_COMPARED:
            return
        share, articles = found / unnarrowed, BAND * (self._newest_band + 1)
        matches = min(articles, articles * unnarrowed / (BAND * self._bands))
        if articles * share < (min(matches, wanted / share) if found else matches):
            self._by_index, self._bands = False, None

    def matches(self) -> tuple[FromClause, ColumnElement[bool]]:
        """Return what to select articles from, and the condition on it; the planner does not take matches by the index apart."""
        if not self._by_index:
            return table(INDEX), self.condition()
        columns = select(self.key.label("article_id"), _WORDS.label("words"))
        return columns.select_from(table(INDEX)).where(self.condition()).offset(0).subquery(INDEX), true()

    def search_all(self) -> None:
        """Search all bands."""
        self._bands = None

    def condition(self) -> ColumnElement[bool]:
        """Return the condition for articles that match; NULL is false."""
        return self._condition(self._node, by_index=self._by_index)

    def _condition(self, node: Node, *, by_index: bool = True) -> ColumnElement[bool]:
        """Return the condition of a part of the query; without the index, only the words are compared."""
        match node:
            case Phrase():
                return self._phrase(node, by_index=by_index)
            case Near(left=left, right=right):
                if self._is_absent(left) or self._is_absent(right):
                    return false()
                beginnings = self._marked_beginnings(left, right)
                is_near = _marked(_zone(left.zone), beginnings).regexp_match(self._near(node, beginnings))
                return and_(self._held(left), self._held(right), is_near) if by_index else is_near
            case And(parts=parts):
                return and_(*(self._condition(part, by_index=by_index) for part in parts))
            case Or(parts=parts):
                return self._any_of(node, parts) if by_index else or_(*(self._condition(part, by_index=False) for part in parts))
            case Not(wanted=wanted, unwanted=unwanted):
                # few of the articles that are left must be looked at
                is_unwanted = func.coalesce(self._condition(unwanted, by_index=False), false())
                return and_(self._condition(wanted, by_index=by_index), not_(is_unwanted))

    def _any_of(self, node: Or, parts: tuple[Node, ...]) -> ColumnElement[bool]:
        """Return the condition of alternatives.

        The index is read once for all of them: the planner would look at the words of every article otherwise.
        """
        if self._codes is None:
            return or_(*map(self._condition, parts))
        characters = self._characters_of_any(node, self._codes)
        held = and_(*self._in_bands(), _KEYS.overlap(_characters(literal(characters, Text()))))
        if all(isinstance(part, Phrase) and part.zone is None and self._is_one_character(part) for part in parts):
            return held
        return and_(held, self._condition(node, by_index=False))

    def _characters_of_any(self, node: Node, codes: Mapping[str, str]) -> str:
        """Return characters of which every text contains one that matches, the rarer ones where there is a choice."""
        match node:
            case Phrase() if self._is_absent(node):
                return ""
            case Phrase(words=(beginning,), prefix=True):
                return "".join(code[-1] for code in self._beginnings[beginning])
            case Phrase():
                return max(codes[word][-1] for word in _whole(node))
            case Near(left=left, right=right):
                return self._rarer((left, right), codes)
            case And(parts=parts):
                return self._rarer(parts, codes)
            case Or(parts=parts):
                return "".join(self._characters_of_any(part, codes) for part in parts)
            case Not(wanted=wanted):
                return self._characters_of_any(wanted, codes)

    def _rarer(self, parts: Sequence[Node], codes: Mapping[str, str]) -> str:
        """Return the characters of the part that has fewest, and of these the word that was numbered last."""
        found = (self._characters_of_any(part, codes) for part in parts)
        return min(found, key=lambda characters: (len(characters), -ord(characters[:1] or "\0")))

    def _phrase(self, phrase: Phrase, *, by_index: bool) -> ColumnElement[bool]:
        if self._is_absent(phrase):
            return false()
        if by_index and self._is_one_character(phrase) and phrase.zone is None:  # only the index decides
            return self._held(phrase)
        beginnings = self._marked_beginnings(phrase)
        words, pattern = _marked(_zone(phrase.zone), beginnings), self._pattern(phrase, beginnings)
        is_there = words.regexp_match(pattern) if phrase.prefix else func.strpos(words, pattern) > 0
        return and_(self._held(phrase), is_there) if by_index else is_there

    def _is_absent(self, phrase: Phrase) -> bool:
        """Return whether no text ever held one of the words."""
        is_absent = self._codes is not None and any(word not in self._codes for word in _whole(phrase))
        return is_absent or (phrase.prefix and not self._beginnings.get(phrase.words[-1], True))

    def _is_one_character(self, phrase: Phrase) -> bool:
        """Return whether an occurrence is known to be a single character."""
        if len(phrase.words) > 1:
            return False
        (word,) = phrase.words
        codes = self._beginnings.get(word, [""]) if phrase.prefix else [(self._codes or {}).get(word, "")]
        return all(len(code) == 1 for code in codes)

    def _held(self, phrase: Phrase) -> ColumnElement[bool]:
        """Return the condition that the index decides: the text contains all characters of the words, and one of a beginning."""
        conditions = self._in_bands()
        if whole := _whole(phrase):
            conditions.append(_KEYS.contains(_characters(self._joined(whole))))
        if phrase.prefix:
            conditions.append(_KEYS.overlap(_characters(self._last_characters(phrase.words[-1]))))
        return and_(*conditions)

    def _in_bands(self) -> list[ColumnElement[bool]]:
        if self._bands is None:
            return []
        first = max(0, self._newest_band - self._bands + 1)
        names = [str(band) for band in range(first, self._newest_band + 1)]
        if len(names) > _MOST_NAMED:
            wide = range(first * BAND // WIDE_BAND, self._newest_band * BAND // WIDE_BAND + 1)
            names = [f"/{band}" for band in wide]
        return [_KEYS.overlap(literal(names, ARRAY(Text())))]

    def _last_characters(self, beginning: str) -> ColumnElement[str]:
        if beginning in self._beginnings:
            return literal("".join(code[-1] for code in self._beginnings[beginning]), Text())
        last = func.string_agg(func.right(SEARCH_WORD.c.code, 1), literal_column("''"))
        return _beginning(beginning, last).scalar_subquery()

    def _marked_beginnings(self, *phrases: Phrase) -> tuple[str, ...]:
        """Return the beginnings whose words are marked in the text, as they are too many to name or were not looked up."""
        found = dict.fromkeys(phrase.words[-1] for phrase in phrases if phrase.prefix)
        return tuple(each for each in found if len(self._beginnings.get(each, range(_MOST_IN_PATTERN + 1))) > _MOST_IN_PATTERN)

    def _pattern(self, phrase: Phrase, marked: Sequence[str] = ()) -> ColumnElement[str]:
        """Return a phrase as a regular expression over codes, which without a beginning and marks is only the codes."""
        marks = f"[{_MARKS}]*" if marked else ""
        whole = self._joined(_whole(phrase), marks)
        if not phrase.prefix:
            return whole
        beginning = phrase.words[-1]
        if beginning in marked:
            last = f"{_ANY_WORD}{marks}{_MARKS[marked.index(beginning)]}{marks}"
        else:
            last = _one_of(self._beginnings[beginning]) + marks
        return whole.concat(literal(last, Text()))

    def _joined(self, words: tuple[str, ...], marks: str = "") -> ColumnElement[str]:
        if self._codes is not None:
            return literal("".join(self._codes[word] + marks for word in words), Text())
        codes = (select(SEARCH_WORD.c.code).where(SEARCH_WORD.c.word == word).scalar_subquery() for word in words)
        joined: ColumnElement[str] = literal("", Text())
        for code in codes:
            joined = joined.concat(code).concat(marks) if marks else joined.concat(code)
        return joined

    def _near(self, near: Near, marked: Sequence[str]) -> ColumnElement[str]:
        """Return both phrases in either order as a regular expression, also where they share words, as FTS5 reads it."""
        one, other = self._pattern(near.left, marked), self._pattern(near.right, marked)
        apart = f"(?:{_ANY_WORD}[{_MARKS}]*){{0,{near.distance}}}" if marked else f"{_ANY_WORD}{{0,{near.distance}}}"
        pattern = one.concat(apart).concat(other).concat("|").concat(other).concat(apart).concat(one)
        for phrase in _overlaid(near.left, near.right):
            pattern = pattern.concat("|").concat(self._pattern(phrase, marked))
        return pattern

    def score(self, rankable: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return the number by which a match is ranked, the larger, the better: BM25 without the rarity of words."""
        discount = _SATURATION * (1 - _LENGTH + _LENGTH * cast(func.length(rankable), Float) / _MIDDLE)
        title = func.split_part(rankable, BETWEEN, 1)
        total: ColumnElement[Any] = literal(0.0)
        for phrase in dict.fromkeys(_phrases(self._node, wanted=True)):
            if not self._is_absent(phrase):
                found = self._number(phrase, rankable) + (TITLE_WEIGHT - 1) * self._number(phrase, title)
                total += func.coalesce(found / (found + discount), 0.0)
        return total

    def _number(self, phrase: Phrase, words: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return how often a phrase occurs."""
        if not phrase.prefix:
            pattern = self._pattern(phrase)
            shorter = func.octet_length(words) - func.octet_length(func.replace(words, pattern, ""))
            return cast(shorter, Float) / func.octet_length(pattern)
        beginnings = self._marked_beginnings(phrase)
        words = _marked(words, beginnings)
        found = func.regexp_replace(words, self._pattern(phrase, beginnings), f"\\&{BETWEEN}", "g")
        return cast(func.length(found) - func.length(words), Float)


def _whole(phrase: Phrase) -> tuple[str, ...]:
    return phrase.words[:-1] if phrase.prefix else phrase.words


def _characters(codes: ColumnElement[str]) -> ColumnElement[Any]:
    return func.string_to_array(codes, literal_column("NULL"), type_=ARRAY(Text()))


def _one_of(codes: Iterable[str]) -> str:
    """Return a regular expression for one of the codes; none contains what has a meaning in it."""
    of_lead: dict[str, str] = {}
    for code in codes:
        of_lead[code[:-1]] = of_lead.get(code[:-1], "") + code[-1]
    return f"(?:{'|'.join(f'{lead}[{last}]' for lead, last in of_lead.items())})"


def _marked(words: ColumnElement[Any], beginnings: Sequence[str]) -> ColumnElement[Any]:
    """Return the words with marks behind those that begin so."""
    if not beginnings:
        return words
    characters = func.unnest(_characters(words), _characters(literal(BETWEEN, Text()).concat(words)))
    each = characters.table_valued("character", "before", with_ordinality="place").render_derived()
    character, before = cast(each.c.character, Text()), cast(each.c.before, Text())
    code = case((before >= chr(FIRST_LEAD), before.concat(character)), else_=character)
    marked: ColumnElement[str] = character
    for mark, beginning in zip(_MARKS, beginnings, strict=False):
        begins_so = code.in_(_beginning(beginning, SEARCH_WORD.c.code))
        marked = marked.concat(case((begins_so, mark), else_=""))
    together = func.string_agg(marked, aggregate_order_by(literal_column("''"), each.c.place))
    return func.coalesce(select(together).select_from(each).scalar_subquery(), "")


def _beginning(beginning: str, column: ColumnElement[Any]) -> Select[Any]:
    """Select an aggregate of all words that begin so."""
    behind = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    return select(column).where((SEARCH_WORD.c.word >= beginning) & (SEARCH_WORD.c.word < behind))


def _zone(zone: Zone | None) -> ColumnElement[str]:
    match zone:
        case None:
            return _WORDS
        case Zone.TITLE:
            return func.split_part(_WORDS, BETWEEN, 1)
        case Zone.BODY:
            return func.split_part(_WORDS, BETWEEN, 2)


def _phrases(node: Node, *, wanted: bool = False) -> Iterator[Phrase]:
    """Yield the phrases of a query, all or those that a match may contain."""
    match node:
        case Phrase():
            yield node
        case Near(left=left, right=right):
            yield from (left, right)
            if not wanted:
                yield from _overlaid(left, right)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _phrases(part, wanted=wanted)
        case Not(wanted=asked, unwanted=unwanted):
            yield from _phrases(asked, wanted=wanted)
            if not wanted:
                yield from _phrases(unwanted)


def _overlaid(left: Phrase, right: Phrase) -> Iterator[Phrase]:
    """Yield the phrases that overlap, in part or whole: to FTS5 they are near as well."""
    for one, other in ((left, right), (right, left)):
        for start in range(len(one.words)):
            merged = _merged(one, other, start)
            if merged is not None:
                yield merged


def _merged(one: Phrase, other: Phrase, start: int) -> Phrase | None:
    """Lay a phrase over another one that begins at least as early; None where their words differ."""
    words: list[tuple[str, bool]] = []
    for number in range(max(len(one.words), start + len(other.words))):
        here = [found for found in (_at(one, number), _at(other, number - start)) if found is not None]
        best = max(here, key=lambda found: (not found[1], len(found[0])))
        if any(best[0] != word if not prefix else not best[0].startswith(word) for word, prefix in here):
            return None
        words.append(best)
    if any(prefix for _, prefix in words[:-1]):  # a word of which only the beginning is known can be only at the end
        return None
    return Phrase(words=tuple(word for word, _ in words), prefix=words[-1][1], zone=one.zone)


def _at(phrase: Phrase, number: int) -> tuple[str, bool] | None:
    if not 0 <= number < len(phrase.words):
        return None
    return phrase.words[number], phrase.prefix and number == len(phrase.words) - 1
