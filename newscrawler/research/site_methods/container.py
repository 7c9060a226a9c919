"""Our last step of the methods that learn from several pages: the one element that holds most of what they extract.

None of the documents has it: their methods give everything that varies from page to page, related links and comments included. It
is off by default; the variants whose names end in `_article` take it.
"""

from __future__ import annotations

from collections.abc import Sequence

from newscrawler.article import Body
from newscrawler.research.methods.outline import Outline
from newscrawler.research.methods.paragraphs import body_of

_LINK = frozenset({"a"})


def body_of_extracted(tree: Outline, extracted: Sequence[int], least_share: float | None) -> Body | None:
    """Build a body from all extracted text nodes, or, with a share, from those in the main container."""
    if not extracted or least_share is None:
        return body_of(tree, extracted)
    container = main_container(tree, extracted, least_share)
    within = tree.within(container)
    return body_of(tree, [number for number in extracted if number in within], containers=(container,))


def main_container(tree: Outline, chosen: Sequence[int], least_share: float) -> int:
    """Enter the child with most of the chosen text outside of links, as long as it holds a share of all of it."""
    links = tree.nearest(_LINK)
    own = [0] * len(tree.elements)
    for number in chosen:
        node = tree.texts[number]
        if links[node.owner] < 0:
            own[node.owner] += len(node.text.strip())
    total = tree.totals(own)
    heaviest = [-1] * len(total)
    for number in range(1, len(total)):
        parent = tree.parents[number]
        if heaviest[parent] < 0 or total[number] > total[heaviest[parent]]:
            heaviest[parent] = number
    container = 0
    while (child := heaviest[container]) >= 0 and total[child] >= max(least_share * total[0], 1):
        container = child
    return container
