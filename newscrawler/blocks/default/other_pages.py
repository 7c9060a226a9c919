"""Pages of other kinds that carry a text: what a search found, a login, an offer, a page about an author or a topic, a request.

They are asked only of pages that declare no article, and told by what they are made of: fields of forms, links, declarations.
The one word that is read is the name of a programming language, which is the same in all languages.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

from lxml import etree

from newscrawler.blocks.default.exhibits import exhibit
from newscrawler.blocks.default.teasers import LONGEST_TEASER, teasers_of
from newscrawler.errors import PageReason
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.gate import gate_of
from newscrawler.page.kind import Declared, Teasers
from newscrawler.page.marks import Mark

#: Characters; a headline has more (the authors of PortalCrawler ask for 18), the name of a topic or of an author seldom.
_SHORTEST_HEADLINE = 18
#: Characters of text up to which a page is looked at closely, up to which it may be a mere request, and up to which a search is.
_LITTLE, _REQUEST, _SOME = 600, 400, 1500
#: So many of so many blocks behind the text.
_MANY_LINKS, _FOLLOWING = 10, 12
_SHORTEST_TITLE = 15
#: Links of the same words that lead to different pages, and the share of the text that stands above the last of them.
_LEAST_MORE, _LEAST_ABOVE = 3, 0.8
#: Titles that make a list, and the share of the text that stands under them.
_LEAST_TITLES, _LEAST_UNDER = 4, 0.9


def other_page(page: Document, taken: Sequence[Block], declared: Declared, size: int) -> tuple[PageReason, str] | None:
    """Say what else the page is than an article; None where nothing speaks for it.

    Args:
        page: the page, which declares no article.
        taken: the blocks that would be its body.
        declared: what it declares.
        size: characters of these blocks, headings aside.
    """
    if declared.other and size < _REQUEST:
        return PageReason.NO_BODY, f"the page says it is a {declared.other}"
    if (shown := exhibit(page, taken, size)) is not None:
        return PageReason.NO_BODY, shown
    if (words := _sought(page)) and size < _SOME:
        return PageReason.LISTING, f"results of a search for {words[:80]}"
    if _more_links(page, taken, size):
        return PageReason.LISTING, "its texts end with links of the same words to different pages"
    if _titles_alternate(page, taken, size):
        return PageReason.LISTING, "bold links to other pages stand above all of its text"
    if size < _SOME and (gate := gate_of(page)) is not None:
        return gate, "hardly a link, few words, and a question"
    if size < _REQUEST and (page.headline is None or page.headline.block is None) and _asks_for_scripts(taken):
        return PageReason.NO_BODY, "the page asks for JavaScript"
    if size >= _LITTLE or not _is_short(page):
        return None
    if _asks_for_password(page):
        return PageReason.NO_BODY, "a login"
    if (links := _links_behind(page, taken)) >= _MANY_LINKS:
        return PageReason.LISTING, f"{links} links follow a short heading and a short text"
    return None


def lies_behind_a_password(page: Document, taken: Sequence[Block]) -> bool:
    """Tell whether what would be the body is only the form that asks for the password of the text."""
    boxes = page.layout.boxes
    return bool(taken) and all(boxes[block.box].within & Mark.FORM for block in taken) and _asks_for_password(page)


def _asks_for_scripts(taken: Sequence[Block]) -> bool:
    return any("javascript" in block.text.lower() for block in taken)


def _is_short(page: Document) -> bool:
    """Tell whether what would be the headline is as short as the name of a topic, a place or a person."""
    headline = page.headline
    if headline is None or headline.block is None:
        return True
    return headline.block.size < _SHORTEST_HEADLINE


def _sought(page: Document) -> str | None:
    """What was searched for: a field of a form shows what the address asks for."""
    try:
        asked = {value.casefold() for _, value in parse_qsl(urlsplit(page.url or "").query)}
    except ValueError:
        return None
    if not asked:
        return None
    for field in page.body.iter("input"):
        value = (field.get("value") or "").strip()
        if value and value.casefold() in asked and (field.get("type") or "text").lower() in ("text", "search"):
            return value
    return None


def _more_links(page: Document, taken: Sequence[Block], size: int) -> bool:
    """Tell whether the text is made of pieces that have a heading above and the same words as a link below ("Read more")."""
    if len(taken) < _LEAST_MORE:
        return False
    layout = page.layout
    links = [
        block
        for block in layout.blocks[taken[0].index : taken[-1].index + 8]
        if block.links == 1 and block.link_density > 0.8 and block.kind[0] != "h"
    ]
    words, count = next(iter(Counter(block.text for block in links).most_common(1)), ("", 0))
    if count < _LEAST_MORE:
        return False
    teasers = Teasers(page)
    same = [block for block in links if block.text == words and teasers.announces(block)]
    if len(same) < _LEAST_MORE or len({_target(block.element) for block in same}) < _LEAST_MORE:
        return False
    headed = {
        bisect([block.index for block in same], block.index)
        for block in layout.blocks[max(taken[0].index - 3, 0) :]
        if block.kind[0] == "h"
    }
    above = sum(block.size for block in taken if block.index < same[-1].index and block.kind[0] != "h")
    return headed.issuperset(range(len(same))) and above >= _LEAST_ABOVE * size


def _titles_alternate(page: Document, taken: Sequence[Block], size: int) -> bool:
    """Tell whether titles that are links, bold lines of one box, stand above all of the text, and above little of it each."""
    titles = [teaser.announcing for teaser in teasers_of(page, taken) if teaser.announcing.kind[0] != "h"]
    titles = [block for block in titles if block.box == titles[0].box and 2 * block.bold >= len(block.text)]
    if len(titles) < _LEAST_TITLES:
        return False
    numbers = [block.index for block in titles]
    under = [0] * (len(numbers) + 1)
    for block in taken:
        under[bisect(numbers, block.index)] += block.size
    return under[0] <= (1 - _LEAST_UNDER) * size and max(under[1:]) <= LONGEST_TEASER


def _target(element: etree._Element) -> str | None:
    return next((link.get("href") for link in element.iter("a") if link.get("href")), None)


def _asks_for_password(page: Document) -> bool:
    return any((field.get("type") or "").lower() == "password" for field in page.body.iter("input"))


def _links_behind(page: Document, taken: Sequence[Block]) -> int:
    """Count, of the blocks that follow at once, those that are little but a link of several words."""
    behind = page.layout.blocks[taken[-1].index + 1 :][:_FOLLOWING] if taken else ()
    return sum(block.size * block.link_density >= _SHORTEST_TITLE and block.link_density > 0.5 for block in behind)
