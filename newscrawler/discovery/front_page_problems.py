"""Problems of front pages that lead to no article: unmet requirements, or another kind of page than a front page of news.

Used only for portals of which nothing at all was found, so each rule may be generous: it explains a result and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from urllib.parse import urlsplit

from newscrawler.discovery.links import FoundLink
from newscrawler.discovery.urls import Scope
from newscrawler.discovery.urls.vocabulary import find_category
from newscrawler.page import Document, extract_visible_text

#: A page with more text or links than this shows something to everybody.
_FEW_WORDS, _FEW_LINKS = 60, 3
#: Prices or baskets from which on a page is a shop's.
_FEWEST_OFFERS = 3
#: Elements that applications fill.
_ROOTS = frozenset({"root", "app", "__next", "__nuxt", "main-app", "react-root", "svelte", "gatsby-focus-template"})
_PRICE = re.compile(r"(?:^|[\s_-])(?:price|add-to-cart|addtocart|product-card|basket)(?:$|[\s_-])")
_COMPONENT = re.compile(r"[a-z][a-z0-9]*-[a-z0-9-]+\Z")


class FrontPageProblem(StrEnum):
    """The problem of a front page, in words that complete "its front page …"."""

    JAVASCRIPT = "is empty without JavaScript"
    FRAMES = "consists of frames"
    SHOP = "is that of a shop"
    SHUT_OUT = "links only to addresses that `include` and `exclude` shut out"
    OTHER_HOSTS = "links only to other hosts"
    NO_LINKS = "links to nothing"


def find_front_page_problem(page: Document, links: Sequence[FoundLink], scope: Scope) -> FrontPageProblem | None:
    """Return why a front page leads nowhere; None: nothing is known against it."""
    if len(links) <= _FEW_LINKS and len(extract_visible_text(page.body).split()) <= _FEW_WORDS:
        if next(page.root.iter("frame", "iframe"), None) is not None:
            return FrontPageProblem.FRAMES
        if _needs_script(page):
            return FrontPageProblem.JAVASCRIPT
    if _is_shop(page, links):
        return FrontPageProblem.SHOP
    others = [link.url for link in links if link.url not in scope.start_urls]
    if not others:
        return FrontPageProblem.NO_LINKS
    own = [url for url in others if scope.allows_host(url)]
    if not own:
        return FrontPageProblem.OTHER_HOSTS
    return None if any(scope.allows(url) for url in own) else FrontPageProblem.SHUT_OUT


def _needs_script(page: Document) -> bool:
    """Return whether scripts are to fill the page: it says so, or has an empty element or custom components for that."""
    if next(page.root.iter("script"), None) is None:
        return False
    if any("".join(map(str, element.itertext())).strip() for element in page.root.iter("noscript")):
        return True
    for element in page.body.iter("*"):
        if (element.get("id") or "") in _ROOTS or element.get("data-reactroot") is not None or _COMPONENT.match(str(element.tag)):
            return True
    return not extract_visible_text(page.body).split()


def _is_shop(page: Document, links: Sequence[FoundLink]) -> bool:
    kinds = {str(entry.get("@type")) for entry in page.json_ld}
    if kinds & {"Product", "Store", "OnlineStore"} or (page.get_first_meta("og:type") or "").startswith("product"):
        return True
    offers = sum(
        element.get("itemprop") == "price" or bool(_PRICE.search(f"{element.get('class') or ''} {element.get('id') or ''}"))
        for element in page.body.iter()
        if isinstance(element.tag, str)
    )
    baskets = sum(find_category(part) == "shop" for link in links for part in urlsplit(link.url).path.strip("/").split("/"))
    return offers >= _FEWEST_OFFERS or baskets >= _FEWEST_OFFERS
