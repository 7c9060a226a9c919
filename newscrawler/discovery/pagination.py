"""The further pages of a listing, as its links show them.

Numbers do not say which way time runs: some publishing systems count pages from the oldest. The next page is recognised by
`rel=next` or the text of a link; the numbers only say that pages belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from newscrawler.discovery.links import FoundLink, HeadLinks
from newscrawler.discovery.source import Source, SourceResponse
from newscrawler.discovery.urls.canonical import canonicalize_or_none, split_address
from newscrawler.discovery.urls.vocabulary import PAGE_PARAMETERS, fold
from newscrawler.languages import alternatives, words

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
    return found is not None and (link.where == "pagination" or found.series.partition("{n}")[0].startswith(here.rstrip("/")))


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


class LinkSource(Source):
    """The links of pages, and the further pages of a listing."""

    def read(self, answer: SourceResponse) -> Iterable[FoundLink]:
        """Return the links of a page in their order, then further pages of its listing that no link names."""
        if answer.head is None:
            return ()
        further = find_pagination(answer.url, answer.links, answer.head).further
        if not further:
            return answer.links
        known = {link.url for link in answer.links}
        links = [link._replace(is_further=True) if link.url in further else link for link in answer.links]
        return links + [FoundLink(url, where="pagination", is_further=True) for url in further if url not in known]
