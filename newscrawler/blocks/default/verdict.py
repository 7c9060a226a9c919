"""Article or not: the body that was found, held against what the page is built like and says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from newscrawler.blocks.default.other_pages import lies_behind_a_password, other_page
from newscrawler.blocks.default.teasers import LONGEST_TEASER, teasers_of
from newscrawler.errors import PageReason
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.kind import declared_kind

#: Characters; a shorter text must follow its headline to count as an article.
_SHORT = 600
_MOST_LINKS_BEFORE = 10
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
    if declared.error and size < 1500 and not declared.article:
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
    if declared.root and not declared.article and size < 3000:
        return Refusal(reason=PageReason.LISTING, detail="front page of the host")
    if declared.listing and not declared.article and announced and share >= 0.1:
        return Refusal(reason=PageReason.LISTING, detail="the page calls itself a list")
    links = _links_before(page, taken)
    if size < _SHORT and links >= _MOST_LINKS_BEFORE and not declared.article:
        return Refusal(reason=PageReason.LISTING, detail=f"{links} links stand between the headline and the little text there is")
    if not declared.article and (other := other_page(page, taken, declared, size)) is not None:
        return Refusal(reason=other[0], detail=other[1])
    if page.headline is None:
        return Refusal(reason=PageReason.NO_HEADLINE, detail="no heading that the title knows, and no title")
    return None


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
    if not long_teasers and len(spans) == 1 and spans[0] > LONGEST_TEASER:
        return 0.0, announced
    return sum(spans) / total, announced or (len(spans) if len(spans) >= _LEAST_CARDS else 0)
