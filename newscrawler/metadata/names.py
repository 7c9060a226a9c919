"""From what a page writes in its byline to the names in it.

A name is what stays when "By" words, roles, places, photo credits, handles and dates are gone. People and agencies
("ČTK", "PAP", "dpa", "Redaktion") are names; what is only a role ("Senior reporter") is none.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from newscrawler.languages import alternatives, words

_INTRODUCING = ("by", "by_others", "source")
_WROTE, _OTHERS, _SOURCE = map(alternatives, _INTRODUCING)
#: A word that says what the names behind it did; a colon may stand behind it, and must where more text stands before it.
LABEL_AT_START = re.compile(
    rf"\s*(?:(?P<by>{_WROTE})|(?P<other>{_OTHERS})|(?P<source>{_SOURCE}))(?:\s*[:：＝=/／・](?!\w*//)\s*|\s+|$)",
    re.IGNORECASE,
)
#: The first words of all of them, so that other lines need not be tried.
LABELS_BEGIN = frozenset(
    first.group() for topic in _INTRODUCING for label in words(topic) if (first := re.match(r"[^\W_]+", label))
)
LABEL_WITHIN = re.compile(
    rf"(?<=[\s,;|(])(?:(?:{_WROTE}|{_OTHERS}|{_SOURCE})\s*[:：]|{alternatives('credited')}\s+{alternatives('whose')}\b)\s*",
    re.IGNORECASE,
)
ROLE = re.compile(f"{alternatives('roles', extent='all')}$", re.IGNORECASE)
#: Words for a role that are written as one with a name.
JOINED_ROLE = re.compile(
    rf"^(?:[\u4e00-\u9fff]{{0,4}}{alternatives('roles_before_name')})+\s*|\s*{alternatives('roles_behind_name')}$"
)
#: Who was asked, in a line that says who asked: "Interview von Eugen Zentner mit Sonja Silberhorn".
INTERVIEWED = re.compile(rf"\b({alternatives('interview_labels')}\b.*?)\s+{alternatives('interviewed_with')}\s.*$", re.IGNORECASE)
#: What joins names, and what stands between those who wrote and those who were asked.
AND, WITH = alternatives("and"), alternatives("with")


_LONGEST_NAME = 80
_LONGEST_BYLINE = 400

_BY = re.compile(rf"^{alternatives('byline_prefixes')}(?=[\s:：/]|$)\s*[:：/]?\s*", re.IGNORECASE)
#: The first words of these, so that other texts need not be tried.
_FIRST_WORD = re.compile(r"[^\W_]+")
_BY_BEGINS = frozenset(found[0] for prefix in words("byline_prefixes") if (found := _FIRST_WORD.match(prefix.lower())))
_TAG = re.compile(r"<[^<>]{0,300}>")
_CLOSING = re.compile(r"\s*(?:\(|\[)[^()\[\]]{0,40}(?:\)|\])\s*$")
_CLOSED = (")", "]", " ")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")
_ADDRESS = re.compile(r"https?://|www\.|^/|\.(?:html?|php|aspx)\b", re.IGNORECASE)
_HANDLE = re.compile(r"(?:^|\s)@\w{2,30}")
_PARTS = re.compile(
    r"\s*(?:;|\||•|·|/(?=\s)|(?<=\s)/|\n|\s[–—]\s|、|，|،)\s*"
    rf"|\s+(?:{AND}|{WITH}|[&+])\s+|\s*[,]\s*(?:(?:{AND}|&)\s+)?"
)
_COMMA = re.compile(r"\s*,\s*")
_CREDIT = re.compile(rf"\b{alternatives('credit_words')}\b|©|📷", re.IGNORECASE)
#: A role, with or without what describes it, or the desk of a newsroom; adjectives are tried longest first, each once.
_ROLE = re.compile(rf"^(?:{alternatives('role_adjectives')}[\s-]*)*{alternatives('roles', 'desks', extent='all')}$", re.IGNORECASE)
_DATE_LIKE = re.compile(r"\b\d{1,2}[:.]\d\d\b|\b(?:19|20)\d\d\b|\d{3,}|\d[:.]\d\d|\b\d+\s*min\b", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_INITIALS = re.compile(r"^[a-zäöüčšžř]{2,5}(?:[/-][a-zäöüčšžř]{2,5})?$|^[A-ZČŠŽŘŁŚ]{2,6}$")


def is_agency(name: str) -> bool:
    """Tell whether a name is a news agency's or an editorial office's."""
    return name.casefold() in words("agencies")


def names_in(text: str | None, *, split: bool = True) -> list[str]:
    """Give the names in a byline, in its order."""
    if not text or len(text) > _LONGEST_BYLINE:
        return []
    text = html.unescape(text) if "&" in text else text
    text = _TAG.sub(" ", text) if "<" in text else text
    text = _HANDLE.sub(" ", _EMAIL.sub(" ", text)) if "@" in text else text
    text = " ".join(text.split()).strip(" ,;:|-–—•·")
    for _ in range(2):
        text = _without_by(text)
    if not text:
        return []
    parts = list(_split(text)) if split else [text]
    cleaned = [name for part in parts if (name := clean_name(part))]
    full = [name for name in cleaned if " " in name]
    if full and len(cleaned) > len(full):
        # beside full names a single word is an agency, initials, or else a place
        cleaned = [
            name
            for name in cleaned
            if " " in name or is_agency(name) or _INITIALS.match(name) or (not name.isascii() and len(name) < 5)
        ]
    return cleaned


def _without_by(text: str) -> str:
    """Cut the word that introduces who wrote off the beginning of a text."""
    first = _FIRST_WORD.match(text)
    may = first is None or not first[0].isascii() or first[0].lower() in _BY_BEGINS
    return _BY.sub("", text, count=1) if may else text


def _split(text: str) -> Iterator[str]:
    """Part a byline at commas and "and" words, but not "Müller, Hans" and not "Johnson & Johnson Ltd"."""
    if (turned := _turn_round(text)) is not None:
        yield turned
        return
    for part in _PARTS.split(text):
        if part and part.strip():
            yield part


def _turn_round(text: str) -> str | None:
    """Make "Hans Müller" of "Müller, Hans"."""
    pieces = _COMMA.split(text)
    if len(pieces) == 2 and all(re.fullmatch(r"[^\W\d_][\w'’.-]{1,30}", piece) for piece in pieces):
        last, first = pieces
        if (
            not is_agency(first)
            and not is_agency(last)
            and not _ROLE.match(first)
            and not first.islower()
            and not first.isupper()
            and last.istitle()
        ):
            return f"{first} {last}"
    return None


@lru_cache(maxsize=2048)  # what a byline says is asked for by pieces, and as a whole, in several elements
def clean_name(text: str | None) -> str | None:
    """Give one name without what does not belong to it; None where it is no name."""
    if not text:
        return None
    name = _without_by(" ".join(text.split()))
    name = name if name.isascii() else JOINED_ROLE.sub("", name)
    for _ in range(2):
        name = _CLOSING.sub("", name) if name[-1:] in _CLOSED else name
    name = name.strip(" ,;:|-–—•·*\"'“”„«»()[]/\\")
    if not 2 <= len(name) <= _LONGEST_NAME or not _LETTER.search(name) or _ADDRESS.search(name):
        return None
    if name.casefold() in words("nobody") or _CREDIT.search(name) or _ROLE.match(name) or _DATE_LIKE.search(name):
        return None
    if len(name.split()) > 7 or (name[-1] == "." and len(name.split()) > 4):
        return None
    return name


def merge(names: Iterable[str]) -> tuple[str, ...]:
    """Keep each name once, in order, whatever its letters' case, accents kept."""
    found: dict[str, str] = {}
    for name in names:
        key = re.sub(r"[\W_]+", "", name.casefold())
        if key and key not in found:
            found[key] = name
    return tuple(found.values())
