"""What kind of page a page says that it is: in JSON-LD, in Open Graph, in the class of its body element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from newscrawler.page import Document

_ARTICLE_TYPE = re.compile(r"(?:article|(?<!job)posting|review|report|recipe|interview)$", re.IGNORECASE)
_LISTING_TYPE = re.compile(r"^(?:CollectionPage|SearchResultsPage|ItemList|Blog|ProfilePage)$", re.IGNORECASE)
_OTHER_TYPE = re.compile(r"^(?:Product|ProductGroup|DiscussionForumPosting|QAPage|VideoObject|Event|JobPosting)$", re.IGNORECASE)
_LISTING_CLASS = re.compile(
    r"(?:archive|category|tag|home|blog|search(?:-results)?|author|date|paged|page-list|taxonomy|front-?page|homepage)"
)
_ERROR_CLASS = re.compile(r"(?:error-?404|not-?found|page-?404|error-?page)")
_MOST_OBJECTS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredKind:
    """What a page declares itself to be; several may be said at once."""

    article: bool
    listing: bool
    error: bool
    other: bool


def declared_kind(page: Document) -> DeclaredKind:
    """Read what the page declares itself to be."""
    types = set(_types(page))
    open_graph = (page.first_meta("og:type") or "").lower()
    classes = (page.body.get("class") or "").lower().split()
    return DeclaredKind(
        article=any(map(_ARTICLE_TYPE.search, types))
        or open_graph in ("article", "news", "newsarticle", "blogpost")
        or page.first_meta("article:published_time") is not None
        or "single" in classes
        or "single-post" in classes,
        listing=any(map(_LISTING_TYPE.match, types)) or any(map(_LISTING_CLASS.fullmatch, classes)),
        error=any(map(_ERROR_CLASS.fullmatch, classes)),
        other=any(map(_OTHER_TYPE.match, types)) or open_graph.startswith(("product", "profile", "video")),
    )


def _types(page: Document) -> Iterator[str]:
    """Yield the types of the first JSON-LD objects, without the address before them."""
    for item in page.json_ld[:_MOST_OBJECTS]:
        kind = item.get("@type")
        for name in kind if isinstance(kind, list) else [kind]:
            if isinstance(name, str):
                yield name.rsplit("/", 1)[-1]
