"""Authors in elements that the markup marks: microdata and rel="author", links to an author's page, names such as "byline".

What stands in a comment, a side column, the page's foot or another article's teaser names others.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from lxml import etree

from newscrawler.languages import alternatives, one_of, words
from newscrawler.metadata.bylines import byline_text, shown_names
from newscrawler.page import Document
from newscrawler.page.named import Named

#: Names of an element that holds who wrote; each holds one of the words.
_HINTS = (*sorted(words("element_names/author")), "vcard")
_BYLINE_NAME = re.compile(
    rf"(?:^|[\s_-]){one_of(_HINTS[:-1])}s?(?:$|[\s_-])|"
    r"author(?:__|-|_)?name|article-?_?author|post-?_?author|entry-?author|byline|(?:^|\s)vcard(?:$|\s)",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"comment|related|recommend|sidebar|teaser|reply|more-?(?:from|news)", re.IGNORECASE)
#: A name and the place of its element.
Placed = tuple[int, str]
_MOST_NAMES, _DEEPEST = 12, 30
_NOT_THE_AUTHORS = frozenset({"aside", "footer", "nav", "figure", "figcaption"})
_MOST_LOOKED_AT = 200
#: Letters of a line of names that are none of theirs: "By", "and".
_MOST_BETWEEN_NAMES = 12
#: Elements below the headline in which a link to an author's page is expected.
_NEAR = 60
_AUTHOR_PAGE = re.compile(rf"/{alternatives('author_pages', extent='all')}/[^/?#]", re.IGNORECASE)
_NEVER_NAME = re.compile(
    r"comment|related|recommend|sidebar|widget|teaser|footer|bio\b|about-?author|author-?(?:bio|box|info|description|card)|avatar|image|photo|follow|social|share|more-from|other",
    re.IGNORECASE,
)


def marked_and_called(
    page: Document, headline: etree._Element | None, body: Sequence[etree._Element]
) -> tuple[list[Placed], list[Placed]]:
    """Give the names in elements that microdata or rel marks as the author's, and those in elements called byline or author."""
    own = _own_boxes(headline, body)
    marked: list[Placed] = []
    named: list[Placed] = []
    looked = 0
    declared = {each for each in page.described if "author" in each.prop or "author" in each.rel}
    for each in sorted(declared.union(_bylines(page))):
        index, element = each.place, each.element
        if each in declared:
            looked += 1
            if "dc:" not in each.prop and len(marked) < _MOST_NAMES and looked < _MOST_LOOKED_AT and not _beside(element, own):
                inner = element.find(".//*[@itemprop='name']")
                said = _said(inner if inner is not None else element)
                names = shown_names(said, single=True)
                marked.extend((index, found) for found in (_with_those_beside(element, names) if element.tag == "a" else names))
        elif len(named) < _MOST_NAMES:
            looked += 1
            if looked < _MOST_LOOKED_AT and not _beside(element, own):
                named.extend((index, found) for found in shown_names(_said(element)))
    return marked, named


def _bylines(page: Document) -> list[Named]:
    """Those of a page's elements whose names speak of its authors."""
    if not any(map(_BYLINE_NAME.search, page.names_with(_HINTS))):
        return []
    return [each for each in page.named_with(_HINTS) if _speaks_of_authors(each.name)]


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def _speaks_of_authors(name: str) -> bool:
    lower = name.lower()
    return any(hint in lower for hint in _HINTS) and _BYLINE_NAME.search(lower) is not None and _NEVER_NAME.search(lower) is None


def linked(page: Document, headline: int) -> list[Placed]:
    """Give what links to the pages of authors say, from the headline up to a little below it."""
    links = page.names.tagged["a"]
    near = links[bisect_left(links, headline, key=itemgetter(0)) : bisect_left(links, headline + _NEAR, key=itemgetter(0))]
    return [
        (index, found)
        for index, link in near
        if _AUTHOR_PAGE.search(link.get("href") or "")
        for found in _with_those_beside(link, shown_names(byline_text(link)))
    ]


def _with_those_beside(link: etree._Element, names: list[str]) -> list[str]:
    """The names of a link, or of all its line where that holds nothing but names: only some authors may have a page.

    The line may go on behind an element that ends it (a line break, a date), so what stands up to the next element is tried too.
    """
    around = link.getparent()
    if not names or around is None:
        return names
    for said in (byline_text(around), f"{byline_text(link)}{link.tail or ''}"):
        if not said or len(said) <= len(names[0]):
            continue
        line = " ".join(said.split()).strip("()")
        found = shown_names(line)
        rest = line
        for name in found:
            rest = rest.replace(name, "")
        if set(names) < set(found) and sum(map(str.isalpha, rest)) <= _MOST_BETWEEN_NAMES:
            return found
    return names


def _own_boxes(headline: etree._Element | None, body: Sequence[etree._Element]) -> frozenset[etree._Element]:
    """The boxes that hold the headline or the body: what stands in them is the article's, whatever they are called."""
    own: set[etree._Element] = set()
    if headline is not None:
        own.update(headline.iterancestors())
    if body:
        own.update((body[0], *body[0].iterancestors()))
    return frozenset(own)


def _said(element: etree._Element) -> str | None:
    return element.get("content") if element.tag == "meta" else byline_text(element)


def _beside(element: etree._Element, own: frozenset[etree._Element]) -> bool:
    """Tell whether an element stands in a comment, a side column, the page's foot or another article's teaser."""
    for depth, ancestor in enumerate(element.iterancestors()):
        if ancestor in own or depth > _DEEPEST:
            return False
        parent = ancestor.getparent()
        if ancestor.tag == "footer" and parent is not None and parent in own and parent.tag != "body":
            return False
        if ancestor.tag in _NOT_THE_AUTHORS:
            return True
        name = f"{ancestor.get('class', '')} {ancestor.get('id', '')}"
        if len(name) > 1 and _BESIDE.search(name):
            return True
    return False
