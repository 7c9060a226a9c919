"""`extract` gives a record, or the reason why there is none."""

from __future__ import annotations

import pytest
from own_pages import pages_of

from newscrawler import extract
from newscrawler.article import Article, Paragraph, ParagraphKind
from newscrawler.errors import ConfigError, PageError, PageReason

TEXT = "The council approved the new bridge over the river on Tuesday evening after a long debate, and work begins in spring."
PAGE = (
    "<html lang=en><head><title>Council approves the new bridge | The Daily</title></head><body><article>"
    f"<h1>Council approves the new bridge</h1><p class=lead>{TEXT} Residents are glad.</p><h2>What comes next</h2><p>{TEXT}</p>"
    f"<p>{TEXT} It was built in 1931.</p></article></body></html>"
)


def test_an_article_has_headline_lead_and_typed_body():
    article = extract(PAGE, "https://n.example/bridge")

    assert article.title == "Council approves the new bridge"
    assert article.lead == f"{TEXT} Residents are glad."
    assert article.paragraphs[0].text == article.lead
    assert [paragraph.kind for paragraph in article.paragraphs][1] is ParagraphKind.HEADING
    assert article.method == "default"
    assert 0 < article.confidence <= 1


def test_bytes_are_decoded_by_their_header():
    czech = PAGE.replace("Residents are glad", "Obyvatelé se těší a žádají přívoz")

    article = extract(czech.encode("cp1250"), "https://n.example/bridge", content_type="text/html; charset=windows-1250")

    assert "Obyvatelé se těší a žádají přívoz." in article.body


def test_a_page_without_an_article_tells_its_reason():
    missing = next(page for page in pages_of("portlets") if "/missing" in (page.given_url or ""))

    with pytest.raises(PageError) as caught:
        extract(missing.html, missing.given_url)

    assert caught.value.reason is PageReason.ERROR_PAGE
    assert "error page" in caught.value.detail


def test_a_required_date_that_is_missing_is_the_reason():
    with pytest.raises(PageError) as caught:
        extract(PAGE, "https://n.example/bridge", required={"date"})

    assert caught.value.reason is PageReason.NO_DATE


def test_a_method_that_does_not_exist_is_a_mistake_of_the_configuration():
    with pytest.raises(ConfigError, match="'magic'"):
        extract(PAGE, method="magic")


def test_the_record_says_what_its_section_and_its_language_rest_on():
    record = extract(PAGE.replace("lang=en", "lang=cs"), "https://n.example/politics/bridge").as_dict()

    assert (record["section"], record["section_source"]) == ("politics", "address")
    assert (record["language"], record["language_detected"]) == ("en", "en")
    assert extract(PAGE, "https://n.example/politics/bridge").language_detected is None


def test_the_record_keeps_the_declared_wording_of_the_title_and_how_sure_the_date_is():
    shared = "<meta property='og:title' content='Nobody expected this crossing'><meta property='article:published_time' content='"
    page = PAGE.replace("</title>", f"</title>{shared}2026-03-01T10:00:00Z'>")

    record = extract(page, "https://n.example/politics/bridge").as_dict()

    assert record["title"] == extract(PAGE, "https://n.example/politics/bridge").title
    assert record["title_declared"] == "Nobody expected this crossing"
    assert 0.5 < record["date_confidence"] <= 1.0
    assert extract(PAGE, "https://n.example/politics/bridge").date_confidence is None


def test_where_a_page_describes_nothing_its_lead_stands_in():
    article = extract(PAGE, "https://n.example/bridge")
    described = extract(
        PAGE.replace("</title>", "</title><meta name=description content='A bridge at last.'>"), "https://n.example/bridge"
    )

    assert (article.description, article.description_is_lead) == (article.lead, True)
    assert (described.description, described.description_is_lead) == ("A bridge at last.", False)


@pytest.mark.parametrize(
    ("text", "words"),
    [("The council met.", 3), ("Rada se sešla v pátek.", 5), ("市长说，狗咬了他。", 7), ("市長は iPhone 17 を使う。", 8), ("", 0)],
)
def test_words_are_counted_in_any_script(text, words):
    article = Article(title="x", paragraphs=(Paragraph(text=text),), method="default", confidence=1.0)

    assert article.word_count == words
