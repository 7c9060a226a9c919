"""What a page calls its own site, and titles without it: "Headline | Section | The Site" is the headline."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile
from urllib.parse import urlsplit

from newscrawler.languages import alternatives, compile_late
from newscrawler.page import Document, short_text

_LETTERS = re.compile(r"\w+")
_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "gob", "gov", "go", "ne", "net", "nom", "or", "org"})
_MARKS = re.compile(r"[|｜»«·•*~–—:：_-]+")
_ALWAYS_APART = frozenset("|｜：")
#: Between what is a headline and what surely is none.
_SURE_BAR = frozenset("|｜»«·•")
#: A longer name is a slogan, or the headline in the wrong place.
_LONGEST_NAME = 45
_LEAST_CONTAINED = 4


#: Between a headline and what is not part of it, whatever that is.
BAR = re.compile(r"\s+(?:[|»·•*~]+|::)\s+|\s*[|｜]\s*")
DASH = re.compile(r"\s+[–—-]+\s+")
_LAST_PART = re.compile(r"\s(?:[|»·•*–—-]+)\s+(?P<part>[^|»·•*–—]{6,40})$")
_DAY = re.compile(r"\d{1,2}\D{1,16}(?:19|20)\d\d|(?:19|20)\d\d\D{1,3}\d{1,2}|[^\W\d_]{3,12}\.? \d{1,2},? (?:19|20)\d\d")


def find_registered_part(host: str) -> str:
    """The part of a host that is registered, by rule of thumb: two labels, three under co.uk and the like."""
    labels = host.lower().strip(".").split(".")
    if host.replace(".", "").isdigit():
        return host
    long = len(labels) >= 3 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return ".".join(labels[-3:] if long else labels[-2:])


def reduce_to_letters(text: str) -> str:
    """The letters and digits of a text, folded."""
    return "".join(_LETTERS.findall(text.casefold()))


def read_site_names(page: Document) -> frozenset[str]:
    """The names by which a page calls its site, its publisher and its host; letters and digits only."""
    return frozenset(map(reduce_to_letters, _read_names(page))) - {""}


def _read_names(page: Document) -> Iterable[str]:
    for field in ("og:site_name", "application-name", "publisher", "dc.publisher"):
        name = page.get_first_meta(field)
        if name and len(name) <= _LONGEST_NAME:
            yield name
            if _SURE_BAR.intersection(name) or " - " in name:
                yield from (name[start:end] for start, end in _split_pieces(name, _find_separators(name)))
    for placed in page.placed_json_ld:
        is_site = "WebSite" in placed.types or "organization" in " ".join(placed.types).lower()
        if placed.path[-1:] == ("publisher",) or (not placed.path and is_site):
            name = placed.value.get("name")
            if isinstance(name, str) and len(name) <= _LONGEST_NAME:
                yield name
    for address in (page.url, page.get_first_meta("og:url")):
        try:
            host = (urlsplit(address or "").hostname or "").lower()
        except ValueError:
            continue
        if host:
            yield host.removeprefix("www.")
            registered = find_registered_part(host)
            yield registered
            if "." in registered:
                yield registered.split(".", 1)[0]


def find_shown_name(page: Document) -> str | None:
    """Return the name by which a page links to its front page, where its title or the title of its feed has the same."""
    marks = _find_separators(page.title)
    agreed = {page.title[start:end].casefold() for start, end in _split_pieces(page.title, marks)} if marks else set()
    feeds = [link.get("title", "").casefold().split() for link in page.declarations["link"] if "xml" in link.get("type", "")]
    own = re.match(r"https?://([^/?#]+)", page.url or "")
    roots = {"/", *((f"http{s}://{own[1]}{end}" for s in ("", "s") for end in ("", "/")) if own else ())}
    for link in page.tagged("a"):
        if link.get("href") not in roots and link.get("rel") != "home":
            continue
        text = short_text(link, 2 * _LONGEST_NAME) or ""  # a slogan may be behind the name
        if len(text) <= _LONGEST_NAME and text.casefold() in agreed and len(reduce_to_letters(text)) > 1:
            return text
        said = text.split()
        for feed in feeds:
            same = sum(1 for _ in takewhile(lambda pair: pair[0].casefold() == pair[1], zip(said, feed, strict=False)))
            if same > 1 and len(name := " ".join(said[:same])) <= _LONGEST_NAME:
                return name
    return None


def find_signed_names(page: Document) -> frozenset[str]:
    """Return the letters of the pieces of a title that the page's last lines repeat behind a sign of copyright: its site's name."""
    signed = [reduce_to_letters(block.text) for block in page.layout.blocks[-_LAST_LINES:] if "\xa9" in block.text]
    parts = _split_pieces(page.title, _find_separators(page.title)) if signed else []
    pieces = [reduce_to_letters(page.title[start:end]) for start, end in parts]
    found = [piece for piece in pieces if piece and any(piece in line for line in signed)]
    return frozenset(piece for piece in found if not any(piece != other and piece in other for other in found))


#: Lines at the end of a page.
_LAST_LINES = 5


def is_site_name(text: str, names: frozenset[str]) -> bool:
    """Return whether a piece of a title is the name of the site, or little more: "Mirror Online" of The Mirror."""
    key = reduce_to_letters(text)
    if key in names:
        return True
    key = re.sub(r"\d+", "", key)  # the number of an issue
    if len(text.split()) > 6 or len(key) < _LEAST_CONTAINED:
        return False
    return any(
        (key in name and 2 * len(key) >= len(name)) or (len(name) >= _LEAST_CONTAINED and name in key and 2 * len(name) >= len(key))
        for name in names
    )


@lru_cache(maxsize=64)  # title and og:title are often the same
def remove_site(title: str, names: frozenset[str]) -> str:
    """Cut the names of the site, and of sections beside them, off the ends of a title; the title itself where none stands there."""
    for match in re.finditer(r"(?<=\S)[–—]+(?=\S)|\s+/+\s+", title):  # dashes without blanks, and strokes
        if reduce_to_letters(title[match.end() :]) in names:
            return title[: match.start()].rstrip()
    before = re.match(r"(?:[【\[［]([^】\]］]{2,40})[】\]］]|([^:]{2,40}):\s)\s*(?=\S)", title)
    if before is not None and reduce_to_letters(before[1] or before[2]) in names:
        return remove_site(title[before.end() :], names)
    marks = _find_separators(title)
    if not marks:
        return title
    pieces = _split_pieces(title, marks)
    end = _end(title, pieces, names)
    start = 0
    if end > 1 and reduce_to_letters(title[slice(*pieces[0])]) in names:  # more than the name itself is a headline's beginning
        start = 1
    return title[pieces[start][0] : pieces[end - 1][1]]


def _find_separators(title: str) -> list[tuple[int, int]]:
    """Where what parts a headline, a section and the name of the site stands, with the blanks around it.

    A colon parts only behind a blank or in full width, as French and Japanese set it; a bare dash or low line only between
    Chinese signs.
    """
    found: list[tuple[int, int]] = []
    for match in _MARKS.finditer(title):
        start, end = match.span()
        mark = match.group()
        spaced = title[start - 1 : start] == " " and title[end : end + 1] == " " and mark != "_"
        if spaced or not _ALWAYS_APART.isdisjoint(mark) or mark.startswith("--") or _split_between_signs(title, start, end, mark):
            found.append((start - (title[start - 1 : start] == " "), end + (title[end : end + 1] == " ")))
    return found


def _split_between_signs(title: str, start: int, end: int, mark: str) -> bool:
    around = title[start - 1 : start], title[end : end + 1]
    return mark[0] in "_-" and all("\u3040" <= sign <= "\u9fff" or sign in "”》" for sign in around)


def _split_pieces(title: str, marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    starts = [0, *(end for _, end in marks)]
    ends = [*(start for start, _ in marks), len(title)]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start < end] or [(0, len(title))]


def _end(title: str, pieces: list[tuple[int, int]], names: frozenset[str]) -> int:
    """How many pieces stay when the site's name and the sections before it are gone."""
    end = len(pieces)
    named = next(
        (number for number in range(end - 1, max(0, end - 3), -1) if is_site_name(title[slice(*pieces[number])], names)), None
    )
    # behind the name at most one more piece stands, and is then no headline: "by Jane Doe"
    if named is None or (named < end - 1 and not _is_short(pieces, end - 1)):
        return end
    end = named
    while end > 1 and (is_site_name(title[slice(*pieces[end - 1])], names) or _is_section(title, pieces, end - 1)):
        end -= 1
    return end


def _is_short(pieces: list[tuple[int, int]], number: int) -> bool:
    """Return whether a piece is as short as a section's name, and at most half of what is before it."""
    start, end = pieces[number]
    return end - start <= 24 and 2 * (end - start) <= pieces[number - 1][1] - pieces[0][0]


def _is_section(title: str, pieces: list[tuple[int, int]], number: int) -> bool:
    """Tell a section before the site's name from the end of a headline: a word or two behind a bar, or one behind a dash."""
    start, end = pieces[number]
    words = len(title[start:end].split())
    bar = bool(_SURE_BAR.intersection(title[pieces[number - 1][1] : start]))
    return _is_short(pieces, number) and words <= (3 if bar else 1) and pieces[number - 1][1] > 0


def find_site_headings(page: Document) -> frozenset[str]:
    """Keys of headings that are links to the front page, on any other page: many themes set the name of the site as an h1."""
    if is_front(page.url):
        return frozenset()
    found = set()
    for heading in (*page.tagged("h1"), *page.tagged("h2")):
        links = list(heading.iter("a"))
        parent = heading.getparent()
        links += [parent] if parent is not None and parent.tag == "a" else []
        for link in links:
            target = page.resolve(link.get("href") or "#")
            if is_front(target) and find_host(target) == find_host(page.url):
                found.add(reduce_to_letters("".join(map(str, heading.itertext()))))
    return frozenset(found - {""})


def find_host(url: str | None) -> str:
    """Return the host of an address, with its port."""
    return (url or "").partition("//")[2].partition("/")[0]


def is_front(url: str | None) -> bool:
    """Return whether an address is that of a host's front page, which is never an article."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return False
    return parts.path in ("", "/", "/index.html", "/index.php") and not (parts.query or parts.fragment) and bool(parts.netloc)


def isolate_title(title: str, names: frozenset[str]) -> str:
    """What of a title is the headline: without the site's name; where that is not known, without what looks like it."""
    text = remove_site(title, names)
    if (shorter := _remove_eastern_parts(text)) != text:
        return shorter
    text = text[: match.start()] if (match := _LAST_PART.search(text)) and match.start() and is_day(match["part"]) else text
    head, mark, _ = text.partition(" « ")
    text = head if mark and " " in head else text
    pieces = BAR.split(text)
    if text == title or not title.startswith(text):  # a slogan may be behind the name
        pieces = [part for piece in pieces for part in DASH.split(piece)]
    return max(pieces, key=len).strip() or title


def _remove_eastern_parts(title: str) -> str:
    """Cut parts off the end that are written as the names of Chinese, Japanese and Korean media and of their sections are."""
    for part in (_EASTERN_PART, _EASTERN_PARTS) if not title.isascii() and max(title) >= "\u3040" else ():
        while (match := part.search(title)) and len(title[: match.start()]) >= 7:
            title = title[: match.start()].rstrip()
            title = _EASTERN_SECTION.sub(r"\1", title)
    return title


#: A part behind a mark, and how such names end.
_EASTERN_PART = compile_late(
    lambda: rf"\s*[_|｜\-–—]{{1,2}}\s*(?=[\u3040-\u9fff\uac00-\ud7a3])[^_|｜\-–—]{{1,9}}{alternatives('site_endings')}\s*$"
)
#: The same with a section behind it, and a section that is left before it.
_EASTERN_PARTS = compile_late(
    lambda: _EASTERN_PART.pattern.removesuffix(r"\s*$") + r"\s*[_|｜]\s*[\u3040-\u9fff\uac00-\ud7a3]{2,4}$"
)
_EASTERN_SECTION = compile_late(lambda: r"^(.{7,}?)\s*[_|｜]\s*[\u3040-\u9fff\uac00-\ud7a3]{2,4}$")


def is_day(text: str) -> bool:
    """Return whether a text is nothing but a day with its year, however it is worded."""
    rest, days = _DAY.subn("", text)
    return days > 0 and sum(map(str.isalpha, rest)) <= 25  # its weekday, "Published on"
