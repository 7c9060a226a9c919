"""The extractor is free of the defects that the authors of PortalCrawler list, on pages whose markup names nothing."""

from __future__ import annotations

import pytest
from kurier import LANGUAGES, OTHERS, TEXTS, headline, page, paragraphs, teasers

from newscrawler.article import Body, ParagraphKind
from newscrawler.extraction.body import default_extractor
from newscrawler.extraction.further_pages import further_pages
from newscrawler.page import Document


def read(document: Document) -> Body:
    found = default_extractor().examine(document)
    assert found.refusal is None, found.refusal
    assert found.body is not None
    return found.body


def h1(language: str) -> str:
    return f"<h1>{headline(language)}</h1>"


def assert_whole(body: Body, language: str, start: int = 1) -> None:
    assert [part for part in TEXTS[language][start:] if part not in body.text] == []
    assert body.headline == headline(language)
    assert headline(language) not in body.text
    assert [title for title in OTHERS[language] if title in body.text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_1_a_lead_outside_of_any_grouping_element_is_found(language: str) -> None:
    lead = TEXTS[language][1]

    body = read(page(language, f"{h1(language)}{lead}<div>{paragraphs(language, 2)}</div>"))

    assert_whole(body, language)
    assert body.lead == lead
    assert body.paragraphs[0].text == lead


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_2_a_comment_longer_than_the_article_is_not_its_text(language: str) -> None:
    others = [TEXTS[other] for other in LANGUAGES if other != language]
    words = {"en": "Comments", "cs": "Komentáře", "pl": "Komentarze", "de": "Kommentare", "ru": "Комментарии"}
    words |= {"ar": "تعليقات", "zh": "评论", "ja": "コメント"}
    answers = "".join(
        f"<div><div><b>Reader{number}</b> <small>4.3.2026 1{number}:20</small></div><p>{' '.join(text[1:] * 2)}</p></div>"
        for number, text in enumerate(others[:3])
    )

    body = read(page(language, f"{h1(language)}{paragraphs(language)}<div><h3>{words[language]} (3)</h3>{answers}</div>"))

    assert_whole(body, language)
    assert others[0][2] not in body.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_3_a_lead_longer_than_the_rest_is_whole(language: str) -> None:
    lead = " ".join(TEXTS[language][1:5])

    body = read(page(language, f"{h1(language)}<p><b>{lead}</b></p>{paragraphs(language, 5)}"))

    assert_whole(body, language)
    assert body.lead == lead


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_4_a_lead_under_90_characters_is_found(language: str) -> None:
    lead = f"{TEXTS[language][2][:80].rpartition(' ')[0].rstrip(',') or TEXTS[language][2][:30]}."

    body = read(page(language, f"{h1(language)}<p><b>{lead}</b></p><div>{paragraphs(language, 3)}</div>"))

    assert len(lead) < 90
    assert_whole(body, language, 3)
    assert body.lead == lead
    assert body.paragraphs[0].text == lead


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_5_text_in_lists_is_kept_as_list_items(language: str) -> None:
    items = "".join(f"<li>{text}</li>" for text in TEXTS[language][3:6])

    body = read(page(language, f"{h1(language)}{paragraphs(language, 1, 3)}<ul>{items}</ul>{paragraphs(language, 6)}"))

    assert_whole(body, language)
    assert [p.text for p in body.paragraphs if p.kind is ParagraphKind.LIST_ITEM] == list(TEXTS[language][3:6])


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_6_a_page_laid_out_in_tables_is_read(language: str) -> None:
    menu = "".join(f"<a href='/r{n}'>Rubric {n}</a><br>" for n in range(8))
    article = (
        f"<table><tr><td width=150>{menu}</td><td><table><tr><td><h1>{headline(language)}</h1></td></tr>"
        f"<tr><td>{'<br><br>'.join(TEXTS[language][1:])}</td></tr></table></td><td width=200>{teasers(language)}</td></tr></table>"
    )

    body = read(page(language, article))

    assert_whole(body, language)
    assert "Rubric" not in body.text
    assert len(body.paragraphs) == len(TEXTS[language]) - 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_7_a_headline_that_is_no_heading_is_found(language: str) -> None:
    assert_whole(read(page(language, f"<div><b>{headline(language)}</b></div><div>{paragraphs(language)}</div>")), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_8_a_page_of_very_unequal_summaries_is_a_listing(language: str) -> None:
    sizes = (1, 4, 1, 2, 1, 1, 3, 1, 2, 1)
    summaries = "".join(
        f"<div><h2><a href='/{language}/a{number}.html'>{TEXTS[language][number % 5 + 1][:50]}</a></h2>"
        f"<small>{number + 1}.3.2026</small><p>{' '.join(TEXTS[language][1 : size + 1])}</p>"
        f"<a href='/{language}/a{number}.html'>»</a></div>"
        for number, size in enumerate(sizes)
    )

    found = default_extractor().examine(page(language, f"<h1>Region</h1>{summaries}", title="Region", path="/region/"))

    assert found.refusal is not None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "caption",
    [
        "<figure><img src=a.jpg><figcaption>{0}</figcaption></figure>",
        "<div><img src=a.jpg><span class=caption>{0}</span></div>",
        "<p class=wp-caption-text>{0}</p>",
    ],
    ids=["figure", "span", "paragraph"],
)
def test_defect_9_captions_are_left_out_however_long_and_wherever_they_stand(language: str, caption: str) -> None:
    text = f"XQ1 {TEXTS[language][6]} {TEXTS[language][3]}"

    body = read(page(language, f"{h1(language)}{paragraphs(language, 1, 4)}{caption.format(text)}{paragraphs(language, 4)}"))

    assert_whole(body, language)
    assert "XQ1" not in body.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_10_an_article_in_many_blocks_is_put_together_in_order(language: str) -> None:
    blocks = "".join(f"<div><div><p>{text}</p></div></div>" for text in TEXTS[language][1:])

    body = read(page(language, f"{h1(language)}{blocks}"))

    assert_whole(body, language)
    assert [p.text for p in body.paragraphs] == list(TEXTS[language][1:])


def test_defect_11_an_article_on_several_pages_is_read_page_by_page_and_names_the_others() -> None:
    links = "<div class=page-links><a href='/en/bridge.html?page=2' class=post-page-numbers>2</a></div>"
    first = page("en", f"{h1('en')}{paragraphs('en')}{links}")

    assert further_pages(first) == ("https://kurier.example/en/bridge.html?page=2",)
    assert_whole(read(first), "en")
