"""Short lines that announce something else than text: bylines, credits, "Read also", headings of comment sections, signatures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile

from newscrawler.languages import alternatives, compile_late, one_of, pattern, words
from newscrawler.page import Block, may_be_eastern_name

#: Characters of a line of the page, and of a heading.
LONGEST_LINE = 200
_LONGEST_HEADING = 60
#: Characters at the beginning and the end of a comment in which its date stands.
_ENDS = 36
#: Words of scripts that part them by blanks.
_FIRST_WORDS = re.compile(r"[^\W\d_\u0e00-\u0eff\u2e80-\ud7ff]+(?:[ '’-][^\W\d_]+)*")
DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b")


#: A heading that says nothing but that comments follow, maybe with their number.
_COMMENTS = compile_late(
    lambda: rf"[\W\d]*(?:{alternatives('reader')}[- ]?)?{alternatives('comments', 'reply')}[\W\d]*", re.IGNORECASE
)


@cache
def _build_openings(topic: str) -> tuple[frozenset[str], int]:
    """Return the phrases of a topic that lines open with, and how many words the longest has."""
    phrases = frozenset(phrase.strip("*").replace(". ", " ") for phrase in words(topic))
    return phrases, max(phrase.count(" ") for phrase in phrases) + 1


def opens_with(line: str, topic: str) -> bool:
    """Return whether a line opens with a phrase of a topic; scripts that part no words by blanks are compared sign by sign."""
    start = line[:24].lstrip("(['\"•·–—-> ").lower().replace("i\u0307", "i")  # the capital of Turkish
    start = start.replace("’", "'").replace(". ", " ")
    phrases, most = _build_openings(topic)
    first = _FIRST_WORDS.match(start)
    parts, blank = (start[:8], "") if first is None else (first[0].split()[:most], " ")
    return any(blank.join(parts[:end]) in phrases for end in range(len(parts), int(first is None), -1))


@cache
def _read_date_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of months, and all words of dates."""
    months = words("months") | words("month_signs")
    others = words("weekdays").union(*map(words, _OF_DATES))
    return months, frozenset(part for phrase in months | others for part in _TOKENS.findall(phrase))


def is_date_line(line: str) -> bool:
    """Return whether a line is a date of our time, maybe with a label before it, a place or a section: no text says only that."""
    if len(line) > _LONGEST_HEADING or not any(map(str.isdecimal, line)):
        return False
    line = re.sub(r"(?<=\d)\s+(?:[^\W\d_]{1,4}\s+){1,2}(?=\d{1,2}\s?[:.h]\s?\d\d)", " ", line.lower())
    label = "".join(takewhile(lambda sign: not sign.isdecimal(), line))
    if found := pattern("published", "modified").search(label):
        line = re.sub(r"^[^\W\d_]*[\s:]*", "", line[found.end() :], count=1)
    months, known = _read_date_words()
    has = {"year": False, "month": False, "day": False}
    strange = 0
    for part in re.split(r"[,|·•–—()\[\]]|\s[/-]\s", line):
        tokens = _TOKENS.findall(part)
        numbers = [int(token) for token in tokens if token.isdecimal() and len(token) <= 4]
        foreign = [token for token in tokens if len(token) > 2 and not token.isdecimal() and token not in known]
        if foreign and (numbers or strange):
            return False
        strange += len(foreign)
        has["year"] |= any(1995 <= number <= 2100 for number in numbers)
        has["month"] |= any(token in months for token in tokens) or len(numbers) > 2
        has["day"] |= any(1 <= number <= 31 for number in numbers)
    return all(has.values()) and strange <= 3


_OF_DATES = (
    "day_periods", "ordinals", "ordinals_behind_month", "of_month", "of_year", "year_suffixes", "day_articles", "hour_signs",
    "minute_signs", "hour_words", "oclock", "years_short", "year_words", "day_words", "time_zones",
)  # fmt: skip
_TOKENS = re.compile(r"[^\W\d_]+|\d+")


def count_since_comments(blocks: Sequence[Block], weighed: Sequence[bool], headline: int) -> list[float]:
    """Return for each block the number of blocks since the last heading of comments below the headline, 1 to 40; 0: there is none.

    `weighed`: which blocks may be such a heading; `headline`: index of its block, -1 where there is none.
    """
    found: list[float] = []
    since = 0.0
    is_heading = _COMMENTS.fullmatch
    for block, counts in zip(blocks, weighed, strict=True):
        since = min(since + 1.0, 40.0) if since else 0.0
        if counts and block.index > headline and len(block.text) <= _LONGEST_HEADING and is_heading(block.text):
            since = 1.0
        found.append(since)
    return found


def has_date_at_an_end(text: str) -> bool:
    """Return whether a text that is longer than a heading has a date at its beginning or its end, as comments have."""
    return len(text) > _LONGEST_HEADING and bool(DATE.search(text[:_ENDS]) or DATE.search(text[-_ENDS:]))


#: Lines of the page that are not text: their beginnings, and any part of them.
_BEGINS_FURNITURE = compile_late(lambda: one_of((phrase for phrase in words("furniture") if phrase[0] != "*"), "words"))
_FURNITURE = compile_late(lambda: one_of((phrase for phrase in words("furniture") if phrase[0] == "*"), "words"))


_SIGNS = re.compile(r"^[\W_]+")


def is_furniture(block: Block) -> bool:
    """Return whether a line of the text belongs to the page: "Article continues below", a link to another article, "Follow us"."""
    text = block.text
    if len(text) > 240:  # longer ones are text
        return False
    lower = _SIGNS.sub("", text.lower())
    if _BEGINS_FURNITURE.match(lower) or _FURNITURE.search(lower):
        return True
    if block.kind[0] != "h" and pattern("advertisement").fullmatch(lower.strip(_WRAPPING)):
        return True
    # a label before a link to another article
    return block.links == 1 and 2 * block.linked > len(text) > block.linked and opens_with(text, "read_also")


_NAME = r"[\u3040-\u30ff\u4e00-\u9fff々]{2,4}(?:[ \u3000][\u3040-\u30ff\u4e00-\u9fff々]{1,4})?"
_WORD = r"(?:文|撰文|取材・文|執筆|記者|记者|作者)"
_SIGNED = compile_late(
    lambda: rf"[(（【〔]?(?:{_WORD}(?:\s?[・／/:：=＝｜|]\s?|[ \u3000]){_NAME}|{_NAME}[ \u3000](?:記者|记者))[)）】〕]?"
)
#: A name alone, and particles within it.
_MOST_WORDS = 4
_ALONE = re.compile(r"[^\W\d_]+(?:[-'’.][^\W\d_]*)*")
_PARTICLES = frozenset({
    "von", "van", "der", "den", "de", "da", "di", "del", "della", "dos", "das", "du", "la", "le", "y", "e", "al", "bin", "ibn",
    "ter", "ten", "zu", "af", "av",
})  # fmt: skip


def signs(text: str) -> bool:
    """Return whether a line signs a text, as in "文・佐藤英樹" and "记者 王小明"."""
    return len(text) <= 24 and not text.isascii() and _SIGNED.fullmatch(text.strip()) is not None


def names_staff(text: str) -> bool:
    """Return whether a line says who worked on a text: "(Redaktion: Max Horn)", "dpa/vog", an address for letters."""
    if len(text) > 60:  # longer lines are text
        return False
    bare = text.strip(_WRAPPING)
    labels = [(part, _WORKED.match(part)) for part in re.split(r"\s*[;·؛；]\s*", bare)]
    if any(label for _, label in labels) and all(_is_name(part[label.end() if label else 0 :]) for part, label in labels):
        return True
    return _is_shorthand(bare, wrapped=text[0] in "([" and text[-1] in ")]") or (
        _MAIL.search(bare) is not None and not bare.endswith((".", "!", "?", "。"))
    )


#: A label of who worked on a text.
_WORKED = compile_late(lambda: rf"{alternatives('by_others', 'by')}(?:\s*[:：]\s*|\s+)", re.IGNORECASE)


def _is_name(text: str) -> bool:
    """Return whether a text is a full name, as far as its script tells."""
    words = text.split()
    if may_be_eastern_name(text.replace(" ", "")) or is_name_alone(text):
        return True
    return 2 <= len(words) <= _MOST_WORDS and all(map(_WITHOUT_CAPITALS.fullmatch, words))


def _is_shorthand(text: str, *, wrapped: bool) -> bool:
    """Return whether a line consists of agencies and the short signs of writers."""
    parts = [part.strip() for part in _SHORT_MARKS.split(text.lower())]
    agencies = sum(part in words("agencies") for part in parts)
    is_set_apart = len(parts) > 1 and text.isascii() and wrapped
    return (agencies > 0 or is_set_apart) and all(
        part in words("agencies") or (len(part) <= 4 and part.isalpha()) for part in parts
    )


_WRAPPING = "()[]（）【】〔〕–—- "
_SHORT_MARKS, _MAIL = re.compile(r"[,/;+、，・·]|\s-\s"), re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")
_WITHOUT_CAPITALS = re.compile(r"[\u0590-\u08ff\u0900-\u0eff\u10a0-\u10ff\u200c]+")


def is_name_alone(text: str) -> bool:
    """Return whether a line is written as a full name is, and as nothing else: two words to four, each with a capital."""
    words = text.strip(" ()[]–—-,").split()
    if len(text) > 40 or not 2 <= len(words) <= _MOST_WORDS:
        return False
    if not all(map(_ALONE.fullmatch, words)) or text.isupper() or not (words[0][0].isupper() and words[-1][0].isupper()):
        return False
    return all((word[0].isupper() and not word[1:].isupper()) or word in _PARTICLES for word in words) and words[-1][-1] != "."
