"""Authors in elements that the markup marks: microdata and rel="author", links to an author's page, names such as "byline".

What stands in a comment, a side column, the page's foot or another article's teaser names others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from lxml import etree

from newscrawler.languages import one_of, words
from newscrawler.metadata.author_candidates import Candidates
from newscrawler.metadata.names import marked_names
from newscrawler.page import Document
from newscrawler.page.marks import Mark
from newscrawler.page.named import pieces_of_small

#: Names of an element that holds who wrote; each holds one of the words.
_HINTS = (*sorted(words("element_names/author")), "vcard")
_BYLINE_NAME = re.compile(
    rf"(?:^|[\s_-]){one_of(_HINTS[:-1])}s?(?:$|[\s_-])|"
    r"author(?:__|-|_)?name|article-?_?author|post-?_?author|entry-?author|byline|(?:^|\s)vcard(?:$|\s)",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"comment|related|recommend|sidebar|teaser|reply|more-?(?:from|news)", re.IGNORECASE)
_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "option"})
_LONGEST = 160
_BYLINE = int(Mark.BYLINE)
_MOST_NAMES, _DEEPEST = 12, 30
_NOT_THE_AUTHORS = frozenset({"aside", "footer", "nav", "figure", "figcaption"})
_MOST_LOOKED_AT = 200
_NEVER_NAME = re.compile(
    r"comment|related|recommend|sidebar|widget|teaser|footer|bio\b|about-?author|author-?(?:bio|box|info|description|card)|avatar|image|photo|follow|social|share|more-from|other",
    re.IGNORECASE,
)


def note_elements(page: Document, headline: etree._Element | None, body: Sequence[etree._Element], found: Candidates) -> None:
    """Add the names in elements that microdata or rel marks as the author's, or that are called byline or author."""
    at, own, elements = page.place_of(headline), _own_boxes(headline, body), page.names.elements
    said = page.names.said.items()
    marked = [place for place, (prop, rel, _) in said if ("author" in prop or "author" in rel) and "dc:" not in prop]
    called = (element for element, bits in page.names.marks.items() if bits & _BYLINE and _is_called_author(element))
    for feature, those in (("marked", map(elements.__getitem__, marked)), ("called", called)):
        named = 0
        for element in islice(those, _MOST_LOOKED_AT):
            if named > _MOST_NAMES or _beside(element, own) or not (names := _names_of(element)):
                continue
            place = elements.index(element)
            distance = math.copysign(math.log2(1 + abs(place - at)), place - at) if at is not None else -1.0
            for name in names if feature == "marked" or place not in marked else ():
                values, named = found.of(name).values, named + 1
                values[feature] = values.get(feature, 0.0) + 1
                values[f"{feature} distance"] = min(distance, values.get(f"{feature} distance", distance), key=abs)


def _names_of(element: etree._Element) -> list[str]:
    """Return the names in an element, or in the one within it that microdata calls the name."""
    inner = element.find(".//*[@itemprop='name']")
    said = inner if inner is not None else element
    if said.tag == "meta":
        return marked_names(said.get("content"))
    parted = _parted_text(said)
    texts = dict.fromkeys((parted, parted.replace("\n", " ")))
    return max(map(marked_names, texts), key=lambda names: sum(" " in name for name in names))


def _parted_text(element: etree._Element) -> str:
    """Return the text of a small element, with line breaks where elements part it; none where it is longer."""
    pieces = pieces_of_small(element, 4 * _LONGEST, unseen=_UNSEEN) or []
    return "\n".join(text for piece in pieces if (text := " ".join(piece.split())))


def _is_called_author(element: etree._Element) -> bool:
    return _speaks_of_authors(f"{element.get('class', '')} {element.get('id', '')}")


@lru_cache(maxsize=4_096)  # the names of a site's pages are always the same
def _speaks_of_authors(name: str) -> bool:
    """Tell whether class and id of an element call it that of the authors."""
    lower = name.lower()
    return any(hint in lower for hint in _HINTS) and _BYLINE_NAME.search(lower) is not None and _NEVER_NAME.search(lower) is None


def _own_boxes(headline: etree._Element | None, body: Sequence[etree._Element]) -> frozenset[etree._Element]:
    """The boxes that hold the headline or the body: what stands in them is the article's, whatever they are called."""
    own: set[etree._Element] = set()
    if headline is not None:
        own.update(headline.iterancestors())
    if body:
        own.update((body[0], *body[0].iterancestors()))
    return frozenset(own)


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
