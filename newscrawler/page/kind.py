"""What the page says of itself: is it one article, or a list of them, or an error?

Declarations (JSON-LD, Open Graph, the class of the body element, the address) are evidence; none decides alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lxml import etree

from newscrawler.page.error_title import says_error, tells_what_is_missing
from newscrawler.page.likeness import likeness
from newscrawler.page.site_names import is_front, letters_of

if TYPE_CHECKING:
    from newscrawler.page.blocks import Block
    from newscrawler.page.document import Document

_ARTICLE_TYPE = re.compile(r"(?:article|(?<!job)posting|review|report|recipe|interview)$", re.IGNORECASE)
_LIST_TYPE = re.compile(r"^(?:CollectionPage|SearchResultsPage|ItemList|Blog|ProfilePage)$", re.IGNORECASE)
_LIST_BODY = re.compile(
    r"^(?:archive|category|tag|home|blog|search(?:-results)?|author|date|paged|page-list|taxonomy|front-?page|homepage)$"
)
_ERROR_BODY = re.compile(r"^(?:error-?404|not-?found|page-?404|error-?page)$")
_OTHER_TYPE = re.compile(r"^(?:product|profile)\b")
#: Characters of a date beside a link, and of a link that is a title.
_LONGEST_DATE, _SHORTEST_TITLE = 25, 15
_LONGEST_HEADING = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What a page declares itself to be."""

    article: bool
    listing: bool
    error: bool
    #: It says so beyond doubt: JSON-LD describes this one article, or Open Graph says when it was published.
    surely_article: bool
    #: The address has no path, or that of an index file: the front page of a host.
    root: bool
    #: The words of an error are all that says so, in a headline that tells of something that is missing in the world.
    maybe_error: bool = False
    #: What JSON-LD calls an article is the site itself, by its name, as on the lists of some systems.
    site: bool = False
    #: What else than an article or a list it says it is: a product, a profile.
    other: str | None = None


def declared_kind(page: Document) -> Declared:
    """Read what the page declares itself to be."""
    types = set(_types(page))
    said = page.declared_headline
    headline = page.headline
    site = headline is not None and headline.block is None and _is_site(page, said.json_ld)
    if site:
        types = {name for name in types if not _ARTICLE_TYPE.search(name)}
    graph_type = (page.first_meta("og:type") or "").lower()
    names = (page.body.get("class") or "").lower().split()
    article = (
        any(_ARTICLE_TYPE.search(name) for name in types)
        or graph_type in ("article", "news", "newsarticle", "blogpost")
        or page.first_meta("article:published_time") is not None
        or "single" in names
        or "single-post" in names
    )
    listing = any(_LIST_TYPE.match(name) for name in types) or any(_LIST_BODY.match(name) for name in names)
    heading = next(("".join(map(str, element.itertext())) for element in page.tagged("h1")), "")
    title = f"{page.title} | {headline.text if headline else ''} | {' '.join(heading.split())[:_LONGEST_HEADING]}"
    shown = headline.text if headline is not None and headline.block is not None else ""
    error = any(_ERROR_BODY.match(name) for name in names)
    worded = not error and says_error(title)
    address = page.url or page.first_meta("og:url")
    try:
        parts = urlsplit(address) if address else None
    except ValueError:  # "http://[bad"
        parts = None
    surely = graph_type == "article" and page.first_meta("article:published_time") is not None
    if said.json_ld and said.sole and headline is not None and headline.block is not None:
        surely = surely or likeness(said.json_ld[0], headline.block.text) >= 0.5
    return Declared(
        surely_article=surely,
        article=article or surely,
        listing=listing,
        error=error or worded,
        maybe_error=worded and tells_what_is_missing(shown),
        other=found.group() if not article and (found := _OTHER_TYPE.match(graph_type)) else None,
        site=site and not article,
        root=parts is not None and is_front(parts.path) and not parts.query,
    )


def _is_site(page: Document, headlines: Sequence[str]) -> bool:
    """Tell whether the article of JSON-LD has the name of the site for its headline, and no other."""
    return bool(headlines) and all(letters_of(text) in page.site_names for text in headlines)


def _types(page: Document) -> Iterator[str]:
    """Types of the outermost JSON-LD objects; those that only lie in an article or a list say nothing of the page."""
    for item in page.json_ld[:40]:
        kind = item.get("@type")
        for name in kind if isinstance(kind, list) else [kind]:
            if isinstance(name, str):
                yield name.rsplit("/", 1)[-1]


class Teasers:
    """Tells headings that announce other pages from headings of this page."""

    def __init__(self, page: Document) -> None:
        self.page = page
        headline = page.headline
        self.titles = [*page.declared_headline.texts, *([headline.text] if headline else [])]
        self.own = {_address(url) for url in (page.url, page.first_meta("og:url"), _canonical(page)) if url}
        self.hosts = {address[0] for address in self.own}

    def announces(self, block: Block) -> bool:
        """Tell whether the block is a link to another page of the same site, maybe with a date, and not this page's own title."""
        beside = len(block.text) - block.linked
        if block.link_density < 0.8 and (block.kind[0] == "h" or beside > _LONGEST_DATE or block.linked < _SHORTEST_TITLE):
            return False
        if any(likeness(block.text, title) >= 0.85 for title in self.titles):
            return False
        return any(self._leads_elsewhere(href) for href in _hrefs(block))

    def announce_the_same(self, one: Block, other: Block) -> bool:
        """Tell whether a link of one block leads where a link of the other does: a headline, and its date as a link."""
        targets = {self.page.resolve(href) for href in _hrefs(one)}
        return any(self.page.resolve(href) in targets for href in _hrefs(other))

    def _leads_elsewhere(self, href: str) -> bool:
        if href.startswith(("#", "javascript:", "mailto:", "tel:")):
            return False
        target = self.page.resolve(href)
        if target is None:
            return False
        address = _address(target)
        if address in self.own or address[1:] == ("", ""):  # itself, or the front page that a masthead links to
            return False
        return not address[0] or not self.hosts or any(_same_site(address[0], host) for host in self.hosts)


def _hrefs(block: Block) -> list[str]:
    """Where the links in a block lead, or the link in which it stands."""
    hrefs = [href for element in block.element.iter("a") if (href := element.get("href"))]
    element: etree._Element | None = block.element
    while not hrefs and element is not None:
        if element.tag == "a" and (href := element.get("href")):
            hrefs = [href]
        element = element.getparent()
    return hrefs


def _same_site(one: str, other: str) -> bool:
    return one == other or one.endswith("." + other) or other.endswith("." + one)


def _address(url: str) -> tuple[str, str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", url, ""
    host = parts.netloc.lower().removeprefix("www.")
    return host, parts.path.rstrip("/"), parts.query


def _canonical(page: Document) -> str | None:
    for link in page.declarations["link"]:
        if "canonical" in (link.get("rel") or "").lower().split():
            return page.resolve(link.get("href") or "")
    return None
