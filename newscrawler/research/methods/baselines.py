"""Baselines: what any method must beat.

All visible text is the result of stripping the tags (the "HTML stripping" that the source documents start from); the longest
paragraph is the rule of thumb that the retelling of Maximum Subsequence Segmentation starts from. Neither recognises a page
without an article.

Reaches a body F1 of all text .636 on aeb and .631 on fe, the longest paragraph .222 and .203; measured by
tools/measure_methods.py on the development halves of the two datasets, by four-word shingles.
"""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.article import Body
from newscrawler.page import Document
from newscrawler.research.methods.outline import outline
from newscrawler.research.methods.paragraphs import body_of, paragraphs_of


@dataclass(frozen=True, slots=True)
class AllVisibleText:
    """Takes all visible text; None: the page has none."""

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        return body_of(tree, range(len(tree.texts)), containers=(0,), confidence=0.0)


@dataclass(frozen=True, slots=True)
class LongestParagraph:
    """Takes the line with the most characters, the first of several; None: the page has no text."""

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        found = paragraphs_of(tree, range(len(tree.texts)))
        if not found:
            return None
        paragraph, block = max(found, key=lambda pair: len(pair[0].text))
        return Body(paragraphs=(paragraph,), elements=(tree.elements[block],), confidence=0.0)
