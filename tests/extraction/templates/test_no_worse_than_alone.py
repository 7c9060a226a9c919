"""What is learned makes no article worse than the page-level detector alone reads it."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from portal_pages import page, paragraphs_of

from newscrawler.article import Body
from newscrawler.demo import DemoPortal
from newscrawler.demo.gold import PublishedArticle
from newscrawler.extraction.body.extractor import find_body
from newscrawler.extraction.templates import PortalTemplate, TemplateRefused, learn_template
from newscrawler.page import Document

ANCHOR = datetime(2026, 11, 20, 12, tzinfo=UTC)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def lines(body: Body | None) -> list[str]:
    return [] if body is None else [squeezed(paragraph.text) for paragraph in body.paragraphs]


def alone(document: Document) -> list[str]:
    return lines(find_body(document))


def applied(template: PortalTemplate, document: Document) -> list[str]:
    found = template.apply(document).found
    return lines(None if found.refusal else found.body)


def published(layout: str) -> list[tuple[Document, PublishedArticle]]:
    """The demo portal's articles that are encoded in UTF-8."""
    portal = DemoPortal(anchor=ANCHOR, layout=layout)
    found = []
    for article in portal.published():
        parts = urlsplit(article.url)
        answer = portal.answer(f"{parts.path}?{parts.query}" if parts.query else parts.path)
        try:
            found.append((Document.parse(answer.content.decode(), article.url), article))
        except UnicodeDecodeError:
            continue
    return found


@pytest.mark.parametrize("layout", ["classic", "modern"])
def test_no_article_of_the_demo_portal_gets_worse_whatever_was_learned_from(layout: str) -> None:
    pages = published(layout)
    assert len(pages) > 40
    by_itself = {article.url: alone(document) for document, article in pages}
    known, refused = 0, 0
    for count in (1, 2, 3, 5, 12):
        try:
            learned = learn_template([document for document, _ in random.Random(count).sample(pages, count)])
        except TemplateRefused:  # the pages are of several languages, and too few to say that all have one layout
            refused += 1
            continue
        for document, article in pages:
            before, after = by_itself[article.url], applied(learned, document)
            known += learned.apply(document).explained.explained
            own = {squeezed(text) for text in (article.lead, *article.paragraphs)}
            optional = set(map(squeezed, article.optional))  # right with them and without
            assert {line for line in before if line not in after} & own == set(), article.url
            assert {line for line in after if line not in before} - own - optional == set(), article.url
    assert refused <= 1
    assert known > 2 * len(pages)


@pytest.mark.parametrize("layout", ["classic", "modern"])
def test_no_page_of_the_demo_portal_loses_its_lead_by_the_fast_path(layout: str) -> None:
    pages = [document for document, _ in published(layout)]
    learned = learn_template(random.Random(24).sample(pages, 24))
    fast = [(document, result.found.body) for document in pages if (result := learned.apply(document)).fast is not None]

    assert len(fast) > len(pages) / 2
    for document, body in fast:
        alone_too = find_body(document)
        assert body is not None
        assert alone_too is not None
        assert alone_too.lead in {None, body.lead}, document.url


def test_a_form_that_no_learned_page_had_is_not_taken_in_because_paragraphs_are() -> None:
    learned = learn_template([Document.parse(page(number)) for number in range(1, 8)])
    form = "<form class=letter-box action=/join><p>Get the morning letter of the valley and never miss a story.</p><input></form>"
    document = Document.parse(page(9).replace("</p><p>", f"</p>{form}<p>", 1))

    found = learned.apply(document)

    assert found.explained.fields == ("body",)
    assert lines(found.found.body) == paragraphs_of(9)


def table(article: int) -> str:
    rows = "".join(
        f"<tr><td>{place} {article}</td><td>{article * number}</td></tr>"
        for number, place in enumerate(("Mill Lane", "Castle Hill"))
    )
    return f"<table><tr><td>Street or square</td><td>Number of votes</td></tr>{rows}</table>"


def with_table(article: int) -> Document:
    texts = paragraphs_of(article)
    middle = f"<h2>How it all began</h2><p>{texts[3]}</p>{table(article)}"
    return Document.parse(page(article, promoted=False).replace(f"<p>{texts[3]}</p>", middle))


def test_a_header_amid_the_rows_of_a_table_and_a_subheading_stay_though_they_recur() -> None:
    learned = learn_template([with_table(number) for number in range(1, 6)])

    found = applied(learned, with_table(9))

    assert found == alone(with_table(9))
    assert "How it all began" in found
    assert "Street or square Number of votes" in found


def test_a_heading_that_recurs_above_a_line_that_recurs_is_boilerplate() -> None:
    pages = [Document.parse(page(n, promoted=False, inner=LETTERS)) for n in (*range(1, 6), 9)]
    assert "Letters of our readers" in alone(pages[-1])

    found = applied(learn_template(pages[:-1]), pages[-1])

    assert found == paragraphs_of(9)


LETTERS = (
    "<h2>Letters of our readers</h2><p>Our reporters are in the valley every day, and they are glad of every letter that their "
    "readers send to them.</p>"
)


def closing(article: int, text: str) -> Document:
    return Document.parse(page(article, promoted=False).replace("</p></div>", f"</p><p>{text}</p></div>", 1))


def test_a_sentence_at_the_end_in_which_the_numbers_are_others_is_said_anew() -> None:
    text = "The exchange of the valley closed at {} points, after a day on which hardly anybody bought or sold a thing."
    learned = learn_template([closing(number, text.format(5000 + number)) for number in range(1, 6)])

    assert applied(learned, closing(9, text.format(5009)))[-1] == text.format(5009)
    same = learn_template([closing(number, text.format(5000)) for number in range(1, 6)])
    assert applied(same, closing(9, text.format(5000)))[-1] == paragraphs_of(9)[-1]
