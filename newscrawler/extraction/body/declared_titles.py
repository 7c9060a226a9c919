"""What the head of a page says of its headline: in JSON-LD, in Open Graph and in the title element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from newscrawler.extraction.body.site_names import read_site_names, title_alone, without_site
from newscrawler.page import Document
from newscrawler.page.likeness import key_of

_ARTICLE_TYPES = ("article", "posting", "report", "review", "recipe", "interview")
_TAGS = re.compile(r"<[^>]{1,40}>")
#: Soft hyphens and blanks without width.
UNSEEN = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredTitles:
    """What a page declares its headline to be."""

    #: Headline, name and alternative headline of the article in JSON-LD.
    json_ld: tuple[str, ...] = ()
    #: JSON-LD describes no other article.
    sole: bool = True
    open_graph: str | None = None
    #: Content of the title element.
    title: str = ""
    #: What the page calls its site, letters only.
    names: frozenset[str] = frozenset()

    @property
    def headline(self) -> str | None:
        """The headline in JSON-LD, else in Open Graph, without the name of the site; None where neither says more than that."""
        said = self.json_ld[0] if self.json_ld else self.open_graph
        text = without_site(said, self.names) if said else ""
        return text if key_of(text) and key_of(text) not in self.names else None

    @property
    def texts(self) -> tuple[str, ...]:
        """All wordings, without repetitions; of a title without others beside it, also what is left without the site's name.

        That may stand before a colon too ("The Courier: Headline"), which parts nothing unless the page shows the rest alone.
        """
        found = [*self.json_ld[:1], self.open_graph or "", self.title]
        if not self.open_graph and not self.json_ld:
            found += [title_alone(self.title, self.names), self.title.partition(": ")[2]]
        return tuple(dict.fromkeys(text for text in found if text and key_of(text) not in self.names))


def declared_titles(page: Document) -> DeclaredTitles:
    """Collect what the page's head says of its headline."""
    articles = list(_from_json_ld(page))
    return DeclaredTitles(
        json_ld=tuple(articles[0]) if articles else (),
        sole=len(articles) == 1,
        open_graph=plain_text(page.first_meta("og:title", "twitter:title")),
        title=plain_text(page.title) or "",
        names=page.view(read_site_names),
    )


def _from_json_ld(page: Document) -> Iterator[list[str]]:
    for item in page.json_ld:
        kinds = item.get("@type")
        names = kinds if isinstance(kinds, list) else [kinds]
        if any(isinstance(name, str) and name.lower().endswith(_ARTICLE_TYPES) for name in names):
            texts = [plain_text(item.get(field)) for field in ("headline", "name", "alternativeHeadline")]
            if texts[0] or texts[1]:
                yield [text for text in texts if text]


def plain_text(value: object) -> str | None:
    """Return a declared text without markup, entities and signs that nobody sees; None where it is no text or empty."""
    if not isinstance(value, str):
        return None
    text = unescape(unescape(value)) if "&" in value else value
    text = _TAGS.sub("", text) if "<" in text else text
    return " ".join((text if text.isascii() else text.translate(UNSEEN)).split()) or None
