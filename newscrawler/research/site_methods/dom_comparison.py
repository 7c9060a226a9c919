"""DOM comparison: what stands at the same place with the same text on several pages is the site's, what differs is the article's.

Source: Š. Blanár: Extrakcia správ z webových stránok (News Extraction from Web Pages), master's thesis, section 2.1.2.

The trees of two or more pages are walked element by element; contents at the same absolute path are compared, and those that
differ carry the information. Learned is what did not differ: path and text of everything that two of the pages share. On a new
page all other text is what differs.

Where the paper is silent:
- A path has positions (div[2]), so it names one element; an element's content is its direct text.
- "V prípade, že sa v rovnakom elemente … nachádza rôzny obsah, tak si tento obsah zapamätá" (content that differs at the same path
  is kept): the text of a page is compared with the texts that two learned pages agree on; with those of any one, .847. "Uložíme si
  buď obsah daných elementov alebo cestu" (the content or the path): by the paths where learned pages differ, .565.
- Learning stops at 200,000 texts.

Reaches a body F1 of .828 on fe, learned from the other four pages of each publisher (the second implementation,
tests/independent_methods.py, .826); `dom_comparison_article`, with our last step (`newscrawler.research.site_methods.container`),
.900; measured by tools/measure_methods.py on the development halves of the two datasets, by four-word shingles.

Known failures, most of them the author's: needs pages of the same structure; only differing text is found, so what two articles
have in common is lost; related links and comments differ too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Any, ClassVar

from newscrawler.article import Body
from newscrawler.extraction.templates import check_number
from newscrawler.page import Document, squeeze
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.site_methods.container import body_of_extracted

_MOST_TEXTS = 200_000


@dataclass(frozen=True, slots=True)
class DomComparison:
    """Learns which text stands at the same path of two pages or more."""

    least_pages: ClassVar[int] = 2
    version: ClassVar[int] = 1

    #: Pages that must agree on a text at a path.
    least_agreement: int = 2
    #: Of the extracted text, what a child must hold to be entered in search of the main container; None: all text is the answer.
    least_share: float | None = None

    def learn(self, pages: Sequence[Document], /) -> DomComparisonTemplate:
        """Compare pages of one site."""
        check_number("dom_comparison", pages, self.least_pages)
        seen: Counter[str] = Counter()
        for page in pages:
            seen.update(set(islice(signatures(outline(page.body)), _MOST_TEXTS)))
        same = frozenset(signature for signature, count in seen.items() if count >= self.least_agreement)
        return DomComparisonTemplate(method=self, same=same)

    def restore(self, learned: Mapping[str, Any], /) -> DomComparisonTemplate:
        """Make a template of what was stored."""
        return DomComparisonTemplate(method=self, same=frozenset(map(str, learned["same"])))


@dataclass(frozen=True, slots=True)
class DomComparisonTemplate:
    """Takes the text that differs from what the learned pages share."""

    method: DomComparison
    #: Signatures of path and text.
    same: frozenset[str]

    def __call__(self, page: Document, /) -> Body | None:
        """Read one page."""
        tree = outline(page.body)
        differing = [number for number, signature in enumerate(signatures(tree)) if signature not in self.same]
        return body_of_extracted(tree, differing, self.method.least_share)

    def learned(self) -> dict[str, Any]:
        """What was learned, as JSON has it."""
        return {"same": sorted(self.same)}


def signatures(tree: Outline) -> list[str]:
    """For every text node a short digest of its absolute path and its text."""
    positions: Counter[tuple[int, str]] = Counter()
    paths: list[bytes] = []
    for parent, tag in zip(tree.parents, tree.tags, strict=True):
        positions[parent, tag] += 1
        above = paths[parent] if parent >= 0 else b""
        paths.append(_digest(above + f"/{tag}[{positions[parent, tag]}]".encode()))
    return [_digest(paths[node.owner] + squeeze(node.text).encode("utf-8", "replace")).hex() for node in tree.texts]


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=8).digest()
