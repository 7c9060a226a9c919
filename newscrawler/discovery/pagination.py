"""The further pages of a listing, as its links show them.

Numbers do not say which way time runs: some publishing systems count pages from the oldest. The next page is recognised by
`rel=next` or the text of a link; the numbers only say that pages belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from newscrawler.discovery.links import FoundLink, HeadLinks
from newscrawler.discovery.source import Source, SourceResponse
from newscrawler.discovery.urls.canonical import canonicalize_or_none, split_address
from newscrawler.discovery.urls.vocabulary import PAGE_PARAMETERS, fold
from newscrawler.languages import alternatives, words
from newscrawler.limits import STATE_VALUE_DEPTH

_WORDS = alternatives("page")
#: (text before the number, the number, text after it); the first match counts.
_IN_PATH = (
    re.compile(rf"(?P<before>.*?)(?P<lead>/{_WORDS}[/-]?)(?P<number>\d{{1,5}})(?P<after>(?:\.[a-z]{{2,5}})?/?)\Z", re.IGNORECASE),
    re.compile(r"(?P<before>.*?/)(?P<lead>index-?)(?P<number>\d{1,5})(?P<after>(?:\.[a-z]{2,5})?/?)\Z", re.IGNORECASE),
    re.compile(r"(?P<before>.*?[a-z])(?P<lead>-?)(?P<number>\d{1,4})(?P<after>\.[a-z]{2,5})\Z", re.IGNORECASE),
    re.compile(r"(?P<before>.*)(?P<lead>/)(?P<number>\d{1,4})(?P<after>/?)\Z"),
)
#: Whatever fits one of these does; it decides nearly all links.
_ENDS_IN_A_NUMBER = re.compile(r"\d(?:\.[a-z]{2,5})?/?\Z", re.IGNORECASE)
#: Possible endings of the first page's address behind the common part.
_ENDING = re.compile(r"(?:/index)?\.[a-z]{2,5}\Z|/index\Z", re.IGNORECASE)
_NEXT_WORDS, _PREVIOUS_WORDS = frozenset(map(fold, words("next"))), frozenset(map(fold, words("previous")))
_FIRST_WORDS = frozenset(word.partition("-")[0] for word in _NEXT_WORDS | _PREVIOUS_WORDS)
_NEXT_SIGNS = frozenset("> » › → ⟩ ⟫ >> ▶ ►".split())  # noqa: SIM905
_PREVIOUS_SIGNS = frozenset("< « ‹ ← ⟨ ⟪ << ◀ ◄".split())  # noqa: SIM905
_PREVIOUS = frozenset({"prev", "previous"})
_SIGNS = _NEXT_SIGNS | _PREVIOUS_SIGNS
_NEITHER: frozenset[str] = frozenset()
#: A longer text is a headline.
_LONGEST = 120
_LETTERS = re.compile(r"[^\W\d_]+")
#: Parameters of the number of entries before a part of a list, and of those in it; the last number of a path.
_OFFSETS = frozenset({"offset", "skip", "start", "from", "first", "begin"})
_SIZE = re.compile(r"limit|(?:page_?)?size|(?:per_?)?page_?(?:size|count)|per_?page|count|take|num|rows|n", re.IGNORECASE)
_MOST_DIGITS = 6
_TIME = re.compile(r"=(?:19|20)\d\d-?(?:0[1-9]|1[0-2])(?!\d)")
_LAST_NUMBER = re.compile(r"(?<!\d)\d{1,3}(?=\D*\Z)")

#: Parameters that say where a list goes on, as attributes and keys name them.
CURSOR = re.compile(r"(?:^|[-_])(?:next|end|start)?[-_]?(cursor|after|before|offset|page|token|from|skip|since)(?:[-_]value)?$")
CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: Keys of the next page, of whether there is one, and of how many there are; in small letters, words joined by underscores.
NEXT_KEY = re.compile(r"(?:.*[^a-z])?next(?:_?(?:page|link|ur[il]|href|path))*")
_NEXT = re.compile(r"\Anext_")
_HAS_MORE = re.compile(r"(?:has_?|is_?)?(?:more|next)(?:_?(?:page|items|results|posts))?")
_PAGES = re.compile(r"(?:total_?|last_?|num_?|number_?of_?|max_?)pages?|pages?_?(?:count|total)|pages")
_TOTAL = re.compile(
    r"total|(?:total|num|number_?of)_?(?:count|items|results|entries|articles|records|hits)|(?:items|results)_?total"
)
#: Parameters whose values only an answer tells.
_TOKENS = frozenset({"cursor", "after", "token", "from", "since"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNumber:
    """A URL taken apart into a listing and the number of its page."""

    #: The URL with `{n}` in place of the number.
    series: str
    number: int
    #: Possible addresses of the first page, most likely first.
    first_pages: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pagination:
    """The pages of the listing that a page shows links to; every URL canonical."""

    next_url: str | None = None
    previous_url: str | None = None
    #: (number, URL) of the series to which the page belongs, by number.
    numbered: tuple[tuple[int, str], ...] = ()

    @property
    def further(self) -> tuple[str, ...]:
        """Return every other page of the listing, the next ones first."""
        urls = [self.next_url, *(url for _, url in self.numbered)]
        return tuple(dict.fromkeys(url for url in urls if url and url != self.previous_url))


def split_page_number(url: str) -> PageNumber | None:
    """Take a URL of a numbered page apart; None where it has no number of a page."""
    canonical = canonicalize_or_none(url)
    if canonical is None or not _may_be_numbered(canonical):
        return None
    parts = split_address(canonical)
    assert parts is not None
    root = canonical[: canonical.index("/", 8)]
    if parts.query and (found := _split_query(root + parts.path, parts.query)):
        return found
    tail = f"?{parts.query}" if parts.query else ""
    for pattern in _IN_PATH:
        match = pattern.match(parts.path)
        if match is None:
            continue
        before, lead, after = match["before"], match["lead"], match["after"]
        ending = after if "." in after else ""
        bare = before or "/"
        firsts = [f"{bare.rstrip('/')}/", bare, f"{before}{ending}", f"{bare.rstrip('/')}/index{ending or '.html'}"]
        return PageNumber(
            series=f"{root}{before}{lead}{{n}}{after}{tail}",
            number=int(match["number"]),
            first_pages=tuple(dict.fromkeys(f"{root}{first or '/'}{tail}" for first in firsts)),
        )
    return None


def _may_be_numbered(canonical: str) -> bool:
    return "?" in canonical or _ENDS_IN_A_NUMBER.search(canonical, len(canonical) - 8) is not None


def _split_query(address: str, query: str) -> PageNumber | None:
    pairs = query.split("&")
    for index, pair in enumerate(pairs):
        name, _, value = pair.partition("=")
        if name.lower() in PAGE_PARAMETERS and value.isdigit() and len(value) <= 6:
            rest = "&".join(pairs[:index] + pairs[index + 1 :])
            series = "&".join([*pairs[:index], f"{name}={{n}}", *pairs[index + 1 :]])
            return PageNumber(
                series=f"{address}?{series}", number=int(value), first_pages=(f"{address}?{rest}" if rest else address,)
            )
    return None


def find_next_part(url: str, count: int = 0) -> str | None:
    """Return the address of the part of a list behind the one at an address, by the number in it; None: it has none.

    `count`: of the entries of this part, by which an offset grows where no parameter gives their number.
    """
    path, _, query = url.partition("?")
    pairs = [pair.partition("=")[::2] for pair in query.split("&")] if query else []
    numbers = {name: int(value) for name, value in pairs if value.isdecimal() and len(value) <= _MOST_DIGITS}
    size = next((number for name, number in numbers.items() if _SIZE.fullmatch(name)), count)
    for name, number in numbers.items():
        step = 1 if name.lower() in PAGE_PARAMETERS and name.lower() not in _OFFSETS else size if name.lower() in _OFFSETS else 0
        if step:
            return f"{path}?{'&'.join(f'{key}={number + step if key == name else value}' for key, value in pairs)}"
    found = _LAST_NUMBER.search(path, path.find("/", 8)) if not numbers else None
    return f"{path[: found.start()]}{int(found[0]) + 1}{url[found.end() :]}" if found is not None else None


def find_pagination(page_url: str, links: Sequence[FoundLink], head: HeadLinks | None = None) -> Pagination:
    """Find the further pages of a listing by its links and `link` elements."""
    here = canonicalize_or_none(page_url) or page_url
    own, head = split_page_number(here), head or HeadLinks()
    numbered: dict[int, str] = {}
    following, previous = head.next, head.previous
    firsts = own.first_pages if own is not None else ()
    beginnings = _list_beginnings(here, own)
    for link in links:
        url = link.url
        if url == here:
            continue
        # nearly no link has a number and begins like the page
        if (url.startswith(beginnings) and _may_be_numbered(url)) or url in firsts:
            number = _get_number(link, here, own)
            if number is not None:
                numbered.setdefault(number, url)
        if following is None and ("next" in link.rel or _says("next", link, here, own)):
            following = url
        elif previous is None and (not _PREVIOUS.isdisjoint(link.rel) or _says("previous", link, here, own)):
            previous = url
    following = following or numbered.get(own.number + 1 if own is not None else 2)
    return Pagination(
        next_url=following if following != here else None,
        previous_url=previous if previous != here else None,
        numbered=tuple(sorted(numbered.items())),
    )


def _list_beginnings(here: str, own: PageNumber | None) -> tuple[str, ...]:
    """Return how all other pages of the same listing begin, whether this is one of the numbered or the one before them."""
    bare = _ENDING.sub("", here.partition("?")[0]).rstrip("/")
    return (bare,) if own is None else (bare, own.series.partition("{n}")[0])


def _get_number(link: FoundLink, here: str, own: PageNumber | None) -> int | None:
    """Return the number of a link that is a page of the same listing."""
    if own is not None and link.url in own.first_pages:
        return 1 if own.number != 1 else 0
    found = split_page_number(link.url)
    if found is None:
        return None
    same = own is not None and found.series == own.series
    if not same and here not in found.first_pages:
        return None
    # A bare number at the end may be anything, that of an article too; only a text or a place that says so makes it a page.
    bare = found.series.endswith(("/{n}", "/{n}/")) and "page" not in found.series
    if not bare or link.anchor.strip("[]() .") == str(found.number) or link.where == "pagination":
        return found.number
    return found.number if same and _read_direction(link.anchor) else None


def _says(word: str, link: FoundLink, here: str, own: PageNumber | None) -> bool:
    """Return whether a link says "next" or "previous" of the listing, rather than of an article or slide."""
    if word not in _read_direction(link.anchor):
        return False
    if _get_number(link, here, own) is not None:
        return True
    found = split_page_number(link.url)
    if found is None:  # a time or a token says where the list goes on
        return "?" in link.url and (link.where == "pagination" or _TIME.search(link.url) is not None)
    return link.where == "pagination" or found.series.partition("{n}")[0].startswith(here.rstrip("/"))


@lru_cache(maxsize=2_048)  # a portal's menu is on each of its pages
def _read_direction(anchor: str) -> frozenset[str]:
    """Return whether a text says "next" or "previous"; words of some languages may say either."""
    text = anchor.strip()
    folded = fold(text) if len(text) <= _LONGEST else ""
    first = _LETTERS.search(folded)
    begins_known = first is not None and first.group() in _FIRST_WORDS  # the first word decides nearly all texts
    if not begins_known and text not in _SIGNS:
        return _NEITHER
    found = _LETTERS.findall(folded) if begins_known else []
    said = {"-".join(found), "-".join(found[:2]), found[0]} if 0 < len(found) <= 4 else set()
    forward = text in _NEXT_SIGNS or not said.isdisjoint(_NEXT_WORDS)
    backward = text in _PREVIOUS_SIGNS or not said.isdisjoint(_PREVIOUS_WORDS)
    return frozenset(name for name, is_said in (("next", forward), ("previous", backward)) if is_said)


def set_parameter(url: str, name: str, value: str) -> str:
    """Return an address with another value of a parameter; one of a like name is replaced."""
    before, _, query = url.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    known = next((key for key, _ in pairs if key.lower() == name or (CURSOR.search(key.lower()) or [""])[0].endswith(name)), None)
    found = CURSOR.search(name)
    if known is None and found and found[1] in _TOKENS:  # the address may have another name for it
        words = name.split("_")
        named = "after" if words[0] == "end" else words[0] + "".join(map(str.title, words[1:]))  # as Relay and most APIs have it
        known = next((key for key, _ in pairs if key.lower() in _TOKENS), named)
    known = known or name
    return f"{before}?{urlencode([pair for pair in pairs if pair[0] != known] + [(known, value)])}"


def find_following(value: Any, here: str) -> str | None:
    """Return the address of the part of a list behind an answer in JSON: by what it says, or by the number in its own address."""
    following = next(_find_cursors(value, here, 0), None)
    count = _count_entries(value, 0)
    return following or (None if _says_end(value, count, here) else find_next_part(here, count))


def _count_entries(value: Any, depth: int) -> int:
    """Return the length of the longest list of objects in a value."""
    inner = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
    own = len(value) if isinstance(value, list) and any(isinstance(each, Mapping) for each in value) else 0
    return max([own, *(_count_entries(each, depth + 1) for each in inner)]) if depth < STATE_VALUE_DEPTH else own


def _says_end(value: Any, count: int, here: str, depth: int = 0) -> bool:
    """Return whether an answer says that the list ends with its entries: no further page, no cursor, as many as there are."""
    if not isinstance(value, Mapping) or depth >= STATE_VALUE_DEPTH:
        return False
    sent = {name.lower(): int(said) for name, said in parse_qsl(urlsplit(here).query) if said.isdecimal()}
    page = max((number for name, number in sent.items() if CURSOR.search(name) and name not in _OFFSETS), default=1)
    read = max((number for name, number in sent.items() if name in _OFFSETS), default=(page - 1) * count) + count
    for key, inner in value.items():
        name = CAPITAL.sub("_", str(key)).lower()
        is_next = _HAS_MORE.fullmatch(name) or NEXT_KEY.fullmatch(name) or (CURSOR.search(name) and "next" in name)
        is_last = type(inner) is int and inner <= (page if _PAGES.fullmatch(name) else read if _TOTAL.fullmatch(name) else -1)
        if (is_next and not inner) or is_last or _says_end(inner, count, here, depth + 1):
            return True
    return False


def _find_cursors(value: Any, here: str, depth: int) -> Iterator[str]:
    """Yield the address of the next page by the first key that names it, a cursor, its number, or how many pages there are."""
    if not isinstance(value, Mapping) or depth >= STATE_VALUE_DEPTH:
        return
    keys = {CAPITAL.sub("_", str(key)).lower(): inner for key, inner in value.items()}
    sent = dict(parse_qsl(urlsplit(here).query))
    for key in sorted(sent.keys() & value.keys() - PAGE_PARAMETERS):  # the last entry's, as the address has that of the part before
        if (
            isinstance(value[key], (str, int))
            and value[key]
            and any(map(str.isdigit, said := str(value[key])))
            and said != sent[key]
        ):
            yield set_parameter(here, key, said)
    page = next((int(number) for name, number in parse_qsl(urlsplit(here).query) if name == "page" and number.isdecimal()), 1)
    for name, inner in keys.items():
        found = CURSOR.search(name)
        is_next = found and ("next" in name or "end" in name or (name == found[1] and f"{name}=" in here and name != "page"))
        if is_next and found and isinstance(inner, (str, int)) and not isinstance(inner, bool) and inner and here:
            own = _NEXT.sub("", name) if found[1] in _TOKENS else found[1]
            yield str(inner) if str(inner).startswith(("/", "http://", "https://")) else set_parameter(here, own, str(inner))
        if name == "next" and isinstance(inner, int) and inner > 1 and "page=" in here:
            yield set_parameter(here, "page", str(inner))
        is_more = (inner is True and _HAS_MORE.fullmatch(name)) or (
            type(inner) is int and page < inner and _PAGES.fullmatch(name) is not None
        )
        if is_more and here and not any("cursor" in key and inner for key, inner in keys.items()):
            yield set_parameter(here, "page", str(page + 1))
        yield from _find_cursors(inner, here, depth + 1)


class LinkSource(Source):
    """The links of pages, and the further pages of a listing."""

    def read(self, answer: SourceResponse) -> Iterable[FoundLink]:
        """Return the links of a page in their order, then further pages of its listing that no link names."""
        if answer.head is None:
            return ()
        further = find_pagination(answer.url, answer.links, answer.head).further
        if not further and _is_part(answer) and (following := find_next_part(answer.url)) is not None:
            further = (following,)
        if not further:
            return answer.links
        known = {link.url for link in answer.links}
        links = [link._replace(is_further=True) if link.url in further else link for link in answer.links]
        return links + [FoundLink(url, where="pagination", is_further=True) for url in further if url not in known]


def _is_part(answer: SourceResponse) -> bool:
    """Return whether an answer is a part of a list without a page around it, as programs load; what JSON says decides of itself."""
    is_loaded = answer.why == "pagination" and answer.page is not None and bool(answer.links) and not answer.body
    return is_loaded and answer.page is not None and next(answer.page.root.iter("title", "form", "footer"), None) is None
