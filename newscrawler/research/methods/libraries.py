"""Extractors of other libraries as page methods, for comparison only; each is optional.

Sources: A. Barbaresi: Trafilatura, ACL 2021; Y. Baburov: readability-lxml, after Arc90's Readability; J. Pomikálek: Removing
Boilerplate and Duplicate Content from Web Corpora, 2011 (jusText); A. Paraschiv: newspaper4k; J. Bevendorff et al.: Elastic
ChatNoir, ECIR 2018 (Resiliparse).

A library gets the page parsed and serialised again, since a Document does not keep its source. It returns plain text; a line that
is also a line of the page gets the kind and the element of that line. Marks that a library adds for lists and tables are removed.
If a library raises an error, it has found no article. None of them bounds its time, so pages that are nested unusually deep are
skipped.

`INSTALLED` holds the methods whose library is installed; nothing is imported before a method is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from lxml import etree

from newscrawler.article import Body, Paragraph
from newscrawler.page import Document, squeeze
from newscrawler.research.methods.outline import outline
from newscrawler.research.methods.paragraphs import paragraphs_of

_MARK = re.compile(r"^(?:[-*•|]\s*)+|(?:\s*\|)+$")


@dataclass(frozen=True, slots=True)
class LibraryExtractor:
    """Takes the text that a library extracts; None: it finds nothing or raises an error."""

    #: From HTML and URL to the text of the article, paragraphs separated by line breaks.
    extract: Callable[[str, str | None], str | None]
    #: Pages nested deeper are skipped.
    most_levels: int = 250

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        if not tree.texts or max(tree.depths) > self.most_levels:
            return None
        html = etree.tostring(page.root, encoding="unicode", method="html")
        try:
            text = self.extract(html, page.url)
        except Exception:  # noqa: BLE001 - an error of a library concerns this page only
            return None
        known = {paragraph.text: (paragraph, block) for paragraph, block in reversed(paragraphs_of(tree, range(len(tree.texts))))}
        paragraphs: list[Paragraph] = []
        blocks: list[int] = []
        for line in map(squeeze, (text or "").split("\n")):
            cleaned = line if line in known else _MARK.sub("", line).replace(" | ", " ")
            if cleaned in known:
                paragraphs.append(known[cleaned][0])
                blocks.append(known[cleaned][1])
            elif any(character.isalnum() for character in cleaned):
                paragraphs.append(Paragraph(text=cleaned))
        elements = tuple(tree.elements[block] for block in sorted(set(blocks))) or (page.body,)
        return Body(paragraphs=tuple(paragraphs), elements=elements) if paragraphs else None


def _trafilatura(html: str, url: str | None) -> str | None:
    text: str | None = import_module("trafilatura").extract(html, url=url, include_comments=False)
    return text


def _readability(html: str, url: str | None) -> str | None:
    summary: str = import_module("readability").Document(html, url=url).summary(html_partial=True)
    tree = outline(Document.parse(summary).body)
    return "\n".join(paragraph.text for paragraph, _ in paragraphs_of(tree, range(len(tree.texts))))


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    justext = import_module("justext")
    return frozenset().union(*(justext.get_stoplist(name) for name in justext.get_stoplists()))


def _justext(html: str, _url: str | None) -> str | None:
    # the language is not known beforehand, so the stop words of every language count
    found: list[Any] = import_module("justext").justext(html, _stop_words())
    return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)


def _newspaper(html: str, url: str | None) -> str | None:
    article = import_module("newspaper").Article(url or "", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    text: str = article.text
    return text


def _resiliparse(html: str, _url: str | None) -> str | None:
    text: str = import_module("resiliparse.extract.html2text").extract_plain_text(html, main_content=True)
    return text


_LIBRARIES: Mapping[str, tuple[str, LibraryExtractor]] = {
    "trafilatura": ("trafilatura", LibraryExtractor(_trafilatura)),
    "readability": ("readability", LibraryExtractor(_readability)),
    "justext": ("justext", LibraryExtractor(_justext)),
    "newspaper4k": ("newspaper", LibraryExtractor(_newspaper)),
    "resiliparse": ("resiliparse", LibraryExtractor(_resiliparse)),
}

#: The methods whose library is installed.
INSTALLED: Mapping[str, LibraryExtractor] = {
    name: method for name, (module, method) in _LIBRARIES.items() if find_spec(module) is not None
}
