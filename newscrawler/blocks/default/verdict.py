"""Article or not: the body that was found, held against what the page is built like and says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from newscrawler.blocks.default.other_pages import lies_behind_a_password, other_page
from newscrawler.blocks.default.teasers import LONGEST_TEASER, is_numbered, teasers_of
from newscrawler.errors import PageReason
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.kind import declared_kind

#: Characters of the text of an error; and where its words may be a headline's.
_LONGEST_ERROR, _EXCUSE = 1500, 250
#: Characters; a shorter text must follow its headline to count as an article.
_SHORT = 600
_MOST_LINKS_BEFORE = 10
#: A front page may welcome its readers at such length; less than that of a tiny text is what stands in the foot of all pages.
_FRONT, _TINY = 3000, 200
#: Links of a page that all lie below its own address, and links that stand between a mere name and a tiny text.
_LEAST_BELOW, _LEAST_LISTED = 8, 5
#: Characters; a headline has more.
_LONGEST_NAME = 18
#: Links that are no headings announce other pages only if there are several with a text each.
_LEAST_CARDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a page holds no article."""

    reason: PageReason
    #: The evidence, in words.
    detail: str


def refusal(page: Document, taken: Sequence[Block]) -> Refusal | None:
    """Say why the page holds no article; None where it holds one.

    Args:
        page: the page.
        taken: the blocks that would be its body, in page order.
    """
    declared = declared_kind(page)
    size = sum(block.size for block in taken if block.kind[0] != "h")
    longest = _EXCUSE if declared.maybe_error else _LONGEST_ERROR
    if declared.error and size < longest and not declared.article:
        return Refusal(reason=PageReason.ERROR_PAGE, detail=f"title: {page.title[:80]}")
    if size < _SHORT and lies_behind_a_password(page, taken):
        return Refusal(reason=PageReason.NO_BODY, detail="a form that asks for the password of the text")
    calls_itself_list = declared.listing and not declared.article
    share, announced = teaser_share(page, taken, long_teasers=calls_itself_list)
    limit = 0.8 if declared.article else 0.5
    if declared.listing and not declared.article:
        limit = 0.3
    if announced and share >= limit and not declared.surely_article:
        return Refusal(
            reason=PageReason.LISTING, detail=f"{announced} headings lead elsewhere, {share:.0%} of the text stands under them"
        )
    if declared.site:
        return Refusal(reason=PageReason.LISTING, detail="what it declares has the name of the site for its headline")
    if not declared.article and size < _FRONT and (declared.root or holds_all_links(page)):
        return Refusal(reason=PageReason.LISTING, detail="front page of the host" if declared.root else "front page of a site")
    if declared.listing and not declared.article and announced and share >= 0.1:
        return Refusal(reason=PageReason.LISTING, detail="the page calls itself a list")
    links = _links_before(page, taken)
    if size < _SHORT and links >= _MOST_LINKS_BEFORE and not declared.article:
        return Refusal(reason=PageReason.LISTING, detail=f"{links} links stand between the headline and the little text there is")
    if size < _TINY and _is_list_of_names(page, taken):
        return Refusal(reason=PageReason.LISTING, detail="a name, links below it, and hardly any text behind them")
    if not declared.article and (other := other_page(page, taken, declared, size)) is not None:
        return Refusal(reason=other[0], detail=other[1])
    if page.headline is None:
        return Refusal(reason=PageReason.NO_HEADLINE, detail="no heading that the title knows, and no title")
    return None


def holds_all_links(page: Document) -> bool:
    """Tell whether all pages of the site to which a page links lie below its address: the front page of a site in a folder."""
    try:
        here = urlsplit(page.url or "")
    except ValueError:
        return False
    if not here.path.endswith("/") or here.path == "/" or here.query:
        return False
    below = set()
    for link in page.body.iter("a"):
        target = page.resolve(link.get("href") or "#")
        parts = urlsplit(target) if target else here
        if parts.netloc != here.netloc or here.path.startswith(parts.path):  # another host, itself, and what it lies in
            continue
        if not parts.path.startswith(here.path):
            return False
        below.add(parts.path)
    return len(below) >= _LEAST_BELOW


def _is_list_of_names(page: Document, taken: Sequence[Block]) -> bool:
    """Tell whether a heading as short as the name of a topic and a tiny text have nothing but links between them."""
    headline = page.headline
    if headline is None or headline.block is None or headline.block.size >= _LONGEST_NAME or not taken:
        return False
    between = page.layout.blocks[headline.block.index + 1 : taken[0].index]
    return sum(block.links for block in between) >= _LEAST_LISTED


def _links_before(page: Document, taken: Sequence[Block]) -> int:
    """Count the blocks between headline and text that are nothing but a link."""
    headline = page.headline
    if headline is None or headline.block is None or not taken:
        return 0
    between = page.layout.blocks[headline.block.index + 1 : taken[0].index]
    return sum(block.link_density > 0.9 for block in between)


def teaser_share(page: Document, taken: Sequence[Block], *, long_teasers: bool = False) -> tuple[float, int]:
    """Share of the text that stands under headings which lead to other pages, and how many such headings there are.

    A long text under a single such heading is no teaser, unless `long_teasers`: lists may show their newest story in full.
    """
    teasers = teasers_of(page, taken)
    total = sum(block.size for block in taken if block.kind[0] != "h") or 1
    announced = sum(teaser.announcing.kind[0] == "h" for teaser in teasers)
    spans = [teaser.size for teaser in teasers if teaser.texts]
    if not long_teasers and ((len(spans) == 1 and spans[0] > LONGEST_TEASER) or is_numbered(page, taken, teasers)):
        return 0.0, announced
    return sum(spans) / total, announced or (len(spans) if len(spans) >= _LEAST_CARDS else 0)
