"""The names in a line that a page shows its readers: stricter than what is declared, since anything may stand beside a byline.

A name is written as names are: words with a capital, particles between them, or a script without capitals. Where a line says
more than the names (roles, places, dates, who took the picture, what the site offers), that is cut off; where it is not clear
what is the name, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from lxml import etree

from newscrawler.languages import alternatives, words
from newscrawler.metadata.names import (
    AND,
    INTERVIEWED,
    JOINED_ROLE,
    LABEL_AT_START,
    LABEL_WITHIN,
    LABELS_BEGIN,
    ROLE,
    WITH,
    clean_name,
    is_agency,
    names_in,
)
from newscrawler.page.named import pieces_of_small

_LONGEST, _LONGEST_MARKED = 160, 60
_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "option"})
_MOST_TOKENS = 5
#: Letters before the stop of "Jr.".
_LONGEST_SHORTENED = 3
_EMAIL = re.compile(r"[\w.+-]{1,64}(?:@|\[at\])[\w-]{1,64}\.[\w.-]{1,64}")
_HANDLE = re.compile(r"(?:^|\s)@\w{2,30}")
_INITIALS = re.compile(r"[^\W\d_]{2,5}$")
_BETWEEN = re.compile(
    r"\s*(?:[;|•·\n／、，،]|\s[–—-]\s|/(?![/a-z])|(?<![/a-z])/(?!/)|(?<=[^\W\d_]{3})\.\s+(?=[^\W\d_]))\s*"
    rf"|\s+(?:{AND}|{WITH}|[&+])\s+|\s*,\s*(?:(?:{AND}|&)\s+)?"
)
_WORD = re.compile(r"\S+")
_FIRST_WORD = re.compile(r"\s*([^\W_]+)")
_LONGEST_PAIR = 35
_MAY_PART = re.compile(r"[;|•·\n／、，،/,&+.–—-]|\s[^\W\d_]{1,5}\s")
_MAY_LABEL = re.compile(r"[:：]|\bby\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_ROUND = re.compile(r"\s*\([^()]{0,40}\)?\s*$")
_WRAPPING = " ,;:|-–—•·*\"'“”„«»()[]【】『』「」/\\→←"
_EASTERN_NAME = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,5}$")
#: What a site says beside a byline; a text with one of these is no name. In Chinese and Japanese it is as long as a name.
_NO_NAMES, _EASTERN_NO_NAMES = words("no_names"), words("beside_eastern_names")
_PARTICLES, _ROLE_ADJECTIVES, _NEVER_FIRST = words("name_particles"), words("role_adjectives"), words("no_first_names")
#: Days and months in the languages that set them in capitals; days of the week of others, some of which are surnames, too.
_DAYS_AND_MONTHS, _WEEKDAYS = words("capital_days"), words("weekdays")
_NO_SINGLE_NAMES = _DAYS_AND_MONTHS | _PARTICLES
#: Hebrew and Arabic, the scripts of India, Thai and Lao, Georgian, Khmer.
_WITHOUT_CAPITALS = re.compile(r"[\u0590-\u08ff\u0900-\u0eff\u10a0-\u10ff\u1780-\u17ff]")
#: "and" in Hebrew and Arabic, written as one with the next word.
_JOINED_AND = re.compile(rf"^(\S+ \S+) {alternatives('and_joined')}(\S+ \S+)$")


def shown_names(text: str | None, *, single: bool = False) -> list[str]:
    """Give the names in a line, in its order.

    Args:
        text: the line; line breaks part what stands in elements of their own.
        single: a single word may be a name, since the markup says that it is one.
    """
    if not text or len(text) > _LONGEST:
        return []
    if "@" in text or "[at]" in text:
        text = _HANDLE.sub(" ", _EMAIL.sub(" ", text))
    text = (INTERVIEWED.sub(r"\g<1>", text) if len(text) > _LONGEST_PAIR else text).strip()
    if text[:1] == "(" and text[-1:] == ")":
        inner = [piece.strip() for piece in text[1:-1].split(",")]
        if inner and all(_INITIALS.match(piece) or is_office(piece) for piece in inner):
            return inner
    found: list[str] = []
    alone: list[str] = []
    for kind, said in _segments(text):
        if kind == "other":
            continue
        for part in _BETWEEN.split(_parted(said)) if _MAY_PART.search(said) else (said,):
            name = _name(part or "", single=single)
            if name and (kind != "source" or is_office(name)):
                (alone if len(name) == 2 and name.isascii() and name == said.strip() and "\n" in text else found).append(name)
    found = found or alone  # two letters in an element of their own beside names are an avatar's, or those of a button
    full = any(" " in name or not name.isascii() for name in found)
    # beside a full name a single word is a place, a rubric or a nickname
    return [name for name in found if " " in name or is_office(name) or _EASTERN_NAME.match(name)] if full else found


def begins_with_by(text: str) -> bool:
    """Tell whether a line begins with a word that introduces who wrote."""
    match = _label(text)
    return match is not None and match.group("by") is not None and match.end() < len(text)


def marked_names(text: str | None) -> list[str]:
    """Give the names in a text that the markup calls that of the authors: a single word may be one, and so may a team's."""
    return shown_names(text, single=True) or (names_in(text) if text and len(text) <= _LONGEST_MARKED else [])


def written_alone(text: str) -> list[str]:
    """Give what stands behind a word like "By" where that is a single word, or words with capitals: a team, a pseudonym."""
    match = _label(text)
    name = clean_name(text[match.end() :].split("\n", maxsplit=1)[0]) if match and match.group("by") else None
    said = name.split() if name and not is_office(name) else []
    if not said or len(said) > _MOST_TOKENS or any(map(_DIGIT.search, said)) or ROLE.match(said[0]):
        return []
    small = [word for word in said[1:] if word[:1].islower() and word.lower() not in _PARTICLES]
    return [name] if name and not small and len(said) != len([word for word in said if word.lower() in _NO_SINGLE_NAMES]) else []


def is_label_alone(text: str) -> bool:
    """Tell whether a line is nothing but a word that introduces who wrote, as in "By" and "Autor:"."""
    match = _label(text)
    said = match is not None and match.group("by") is not None and match.end() >= len(text)
    return said and text.strip().casefold() not in words("kinds_of_text")


def is_office(name: str) -> bool:
    """Tell whether a name is that of an agency or an editorial office, in any of the languages."""
    return is_agency(name) or name.casefold() in words("offices")


def byline_text(element: etree._Element, longest: int = _LONGEST) -> str | None:
    """The text of a small element, with line breaks where one of its elements ends beside a name; None where it is longer."""
    pieces = pieces_of_small(element, 4 * longest, unseen=_UNSEEN)
    if pieces is None:
        return None
    texts = [" ".join(piece.split()) for piece in pieces]
    texts = [text for text in texts if text]
    apart = len(texts) > 1 and any(
        " " in text and _name(text[match.end() :] if (match := _label(text)) else text) for text in texts
    )
    shown = "\n".join(texts) if apart else " ".join("".join(pieces).split())
    return shown if len(shown) <= longest else None


def may_begin_with_by(text: str) -> bool:
    """Tell whether the first word of a line can begin one that introduces who wrote."""
    first = _FIRST_WORD.match(text)
    return first is not None and first.group(1).lower() in LABELS_BEGIN


def _label(text: str) -> re.Match[str] | None:
    return LABEL_AT_START.match(text) if may_begin_with_by(text) else None


def _segments(text: str) -> Iterator[tuple[str, str]]:
    """Part a line at the words that say who did what: ("by", names), ("other", ...), ("source", ...)."""
    for line in text.split("\n"):
        within = LABEL_WITHIN.finditer(line) if _MAY_LABEL.search(line) else ()
        cuts = [0, *(match.start() for match in within), len(line)]
        for start, end in pairwise(cuts):
            said, kind = line[start:end], "by"
            for _ in range(3):
                match = _label(said)
                if match is None or (match.group("other") and not match.group()[-1:].strip() and not _separate(match, said)):
                    break
                kind = "other" if match.group("other") else "source" if match.group("source") else kind
                said = said[match.end() :]
            yield kind, said


def _separate(match: re.Match[str], said: str) -> bool:
    """Tell whether a word for somebody else's work stands as such; without a colon "Foto" must be followed by a name or nothing."""
    return (
        match.end() >= len(said) or said[match.end()].isupper() or not said[match.end()].islower() or "by" in match.group().split()
    )


def _parted(text: str) -> str:
    match = None if text.isascii() else _JOINED_AND.match(text.strip())
    return f"{match.group(1)}, {match.group(2)}" if match else text


@lru_cache(maxsize=2048)
def _name(part: str, *, single: bool = False) -> str | None:
    """Make the name of one part of a line; None where it is none."""
    if single and " " not in (handle := part.strip(_WRAPPING)) and _DIGIT.search(handle):
        return clean_name(handle)
    part = (_ROUND.sub("", part) if "(" in part else part).strip(_WRAPPING)
    part = part if part.isascii() else JOINED_ROLE.sub("", part)
    if is_office(part):
        return part
    cleaned = clean_name(part.split("=")[-1] if "=" in part else part) if not _DIGIT.search(part) else part
    if cleaned is None:
        return None
    if _EASTERN_NAME.match(cleaned):
        return cleaned if cleaned not in _EASTERN_NO_NAMES else None
    words = _without_role(_until_it_ends(_WORD.findall(cleaned)))
    if words and len(words[-1].rstrip(".")) > _LONGEST_SHORTENED:
        words[-1] = words[-1].rstrip(".")
    joined = " ".join(words)
    name = cleaned if joined == cleaned and cleaned is not part else clean_name(joined)
    if (
        not words
        or name is None
        or words[0].lower() in _NEVER_FIRST
        or name[-1:] in "!?"
        or name in _EASTERN_NO_NAMES
        or any(word.lower().strip(".,:") in _NO_NAMES for word in words)
    ):
        return None
    if is_office(name) or _EASTERN_NAME.match(name) or (len(words) <= 3 and _EASTERN_NAME.match("".join(words))):
        return name
    if len(words) == 1:
        return name if single and not ROLE.match(name) and name.lower() not in _NO_SINGLE_NAMES else None
    return name if _is_written_as_one(words) else None


def _until_it_ends(words: list[str]) -> list[str]:
    """Cut what follows a name: dates, days, "in London", "for Example News", "ist Redakteur"."""
    kept: list[str] = []
    for word in words:
        bare = word.strip(".,:'’()")
        if kept and kept[-1][-1] == ":" and _DIGIT.search(word):
            return []  # "Article ID: 4711"
        if _DIGIT.search(word) or (bare[:1].islower() and bare.lower() not in _PARTICLES and "'" not in word and "’" not in word):
            break
        kept.append(word)
    if len(kept) < len(words) and len(kept) < 2 and not any(map(_DIGIT.search, words)):
        return words  # the second word is small: no name, and seen as such later
    # "Theresa May" is a name, "Jane Doe May 3" is one and a day
    while kept and (
        ((len(kept) > 2 or len(kept) < len(words)) and kept[-1].strip(".,:").lower() in _DAYS_AND_MONTHS)
        or (len(kept) > 2 and kept[-1].strip(".,:").lower() in _WEEKDAYS)
        or kept[-1].lower() in _PARTICLES
    ):
        kept.pop()
    return kept


def _without_role(words: list[str]) -> list[str]:
    """Cut a role before or behind a name; no words stay where it is not clear where the name ends."""
    before = next(
        (number for number, word in enumerate(words) if not ROLE.match(word) and word.lower() not in _ROLE_ADJECTIVES), len(words)
    )
    if len(words) - before >= 2 and any(map(ROLE.match, words[:before])):
        words = words[before:]
    at = next((number for number, word in enumerate(words) if number > 0 and ROLE.match(word.strip(".,"))), None)
    if at is None:
        return words
    while at > 0 and words[at - 1].lower() in _ROLE_ADJECTIVES:
        at -= 1
    return words[:at] if 2 <= at <= 3 and words[0].lower() not in _ROLE_ADJECTIVES else []


def _is_written_as_one(words: list[str]) -> bool:
    if len(words) > _MOST_TOKENS or words[0].lower() == "the" or ROLE.match(words[0]) or ROLE.match(words[-1]):
        return False
    if any(_WITHOUT_CAPITALS.match(word) for word in words):
        return len(words) <= 4
    capital = sum(word.strip("'’\"(").lower() not in _PARTICLES and any(map(str.isupper, word[:3])) for word in words)
    small = [word for word in words if word[:1].islower()]
    return capital >= 2 and len(small) <= 3 and all(word.lower() in _PARTICLES or "'" in word or "’" in word for word in small)
