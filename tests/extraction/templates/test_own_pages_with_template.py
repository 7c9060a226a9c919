"""With a template of the other pages of a layout, our own labelled pages get no worse, and foreign recurring text goes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from own_pages import layouts, pages_of

from newscrawler.corpus.reviews import split_words
from newscrawler.extraction import ExtractionOptions, read_record
from newscrawler.extraction.templates import PortalTemplate, learn_template
from newscrawler.page import Document
from newscrawler.research.evaluation.data import TestPage
from newscrawler.research.evaluation.judgement import shared
from newscrawler.research.evaluation.scores import harmonic

#: It ends like a sentence and stands in the midst of the text: the page alone does not show that it is none of it.
PROMOTION = (
    "Readers of this paper have asked for a longer evening edition, and from the first of the month there is one, with more "
    "reports from the districts and the towns around them."
)


def articles_of(layout: str) -> list[TestPage]:
    return [page for page in pages_of(layout) if page.gold.article]


def template_without(page: TestPage, pages: list[TestPage]) -> PortalTemplate:
    return learn_template([Document.parse(other.html, other.given_url) for other in pages if other is not page])


def body_of(page: TestPage, template: PortalTemplate | None = None) -> str:
    reading = ExtractionOptions(required=frozenset({"body"}), template=template)
    return read_record(page.html, page.given_url, fetched_at=page.when, reading=reading)["body"] or ""


def f1(page: TestPage, body: str) -> float:
    def one(gold: str) -> float:
        both, wanted, got = shared(split_words(gold), split_words(body))
        return harmonic(both / got if got else 0.0, both / wanted)

    return max(map(one, page.gold.texts))


@pytest.mark.parametrize("layout", layouts())
def test_no_article_gets_worse(layout: str) -> None:
    pages = articles_of(layout)
    assert len(pages) >= 4
    for page in pages:
        assert f1(page, body_of(page, template_without(page, pages))) >= f1(page, body_of(page)), page.id


def with_promotion(page: TestPage) -> TestPage | None:
    """Put the promotion behind the first paragraph that is written without markup; None where there is none."""
    for line in page.gold.texts[0].split("\n"):
        if len(line) > 80 and page.html.count(f"{line}</p>") == 1:
            return replace(page, html=page.html.replace(f"{line}</p>", f"{line}</p><p>{PROMOTION}</p>"))
    return None


@pytest.mark.parametrize("layout", layouts())
def test_a_promotion_amid_the_text_of_all_pages_goes(layout: str) -> None:
    pages = [changed for page in articles_of(layout) if (changed := with_promotion(page)) is not None]
    if len(pages) < 4:
        pytest.skip("the texts of this layout stand in no paragraphs without markup")
    in_text = [page for page in pages if PROMOTION in body_of(page)]
    assert in_text
    for page in in_text:
        body = body_of(page, template_without(page, pages))
        assert PROMOTION not in body, page.id
        assert f1(page, body) > f1(page, body_of(page)), page.id
