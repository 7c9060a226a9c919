"""From blocks to a body: what is dropped, what the page declares beyond what it shows, and pages without a headline."""

from __future__ import annotations

import json
from html import escape

import pytest
from kurier import LANGUAGES, TEXTS, headline, page, paragraphs, teasers

from newscrawler import extract
from newscrawler.article import Article, ParagraphKind
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction import DEFAULT_REQUIRED
from newscrawler.extraction.body.extractor import Examination, load_default_extractor
from newscrawler.page import Document


def examined(document: Document) -> Examination:
    found = load_default_extractor().examine(document)
    assert found.refusal is None, found.refusal
    return found


def texts(document: Document) -> list[str]:
    body = examined(document).body
    assert body is not None
    return [paragraph.text for paragraph in body.paragraphs]


def article(language: str, more: str = "") -> str:
    return f"<h1>{headline(language)}</h1>{paragraphs(language)}{more}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_headline_and_kicker_are_no_part_of_the_body(language: str) -> None:
    kicker = TEXTS[language][6][:12]

    assert texts(page(language, f"<p>{kicker}</p>{article(language)}")) == list(TEXTS[language][1:])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_headline_that_comes_again_above_the_text_is_no_part_of_it(language: str) -> None:
    again = f"<h1>{headline(language)}</h1><div><p><b>{headline(language)}</b></p>{paragraphs(language)}</div>"

    assert texts(page(language, again)) == list(TEXTS[language][1:])


@pytest.mark.parametrize("language", ["en", "cs", "ar"])
def test_a_paragraph_that_comes_again_is_told_once(language: str) -> None:
    parts = f"{paragraphs(language, 1, 5)}{paragraphs(language, 3, 4)}{paragraphs(language, 5)}"

    assert texts(page(language, f"<h1>{headline(language)}</h1>{parts}")) == list(TEXTS[language][1:])


@pytest.mark.parametrize("end", ["<h2>{}</h2>", "<h3>{}</h3><p>***</p>", "<p>—</p>"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_and_signs_that_no_text_follows_are_dropped(language: str, end: str) -> None:
    found = texts(page(language, article(language, end.format(TEXTS[language][0][:14]))))

    assert found == list(TEXTS[language][1:])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_whose_paragraphs_are_all_headings_is_kept(language: str) -> None:
    written = paragraphs(language).replace("<p>", "<h2>").replace("</p>", "</h2>")

    found = texts(page(language, f"<article><h1>{headline(language)}</h1>{written}</article>"))

    assert found[:5] == list(TEXTS[language][1:6])


def test_a_heading_that_text_follows_is_kept_as_a_heading() -> None:
    between = f"<h1>{headline('en')}</h1>{paragraphs('en', 1, 4)}<h2>Who pays for it</h2>{paragraphs('en', 4)}"
    body = examined(page("en", between)).body
    assert body is not None

    assert [p.text for p in body.paragraphs if p.kind is ParagraphKind.HEADING] == ["Who pays for it"]
    assert [p.text for p in body.paragraphs][3] == "Who pays for it"


def _read(body: str, data: object = None, *, required: frozenset[str] = DEFAULT_REQUIRED) -> Article:
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data else ""
    head = f"<html lang=en><head><title>{headline('en')} | Kurier</title>{script}</head>"
    return extract(f"{head}<body>{body}</body></html>", "https://kurier.example/en/bridge.html", required=required)


@pytest.mark.parametrize("written", ["plain", "html", "escaped"])
@pytest.mark.parametrize("shown", ["<div id=app></div>", f"<h1>{headline('en')}</h1><p>Sign in to read on.</p>"])
def test_a_body_that_only_json_ld_holds_is_parted_however_it_is_written(written: str, shown: str) -> None:
    body = "\r\n\r\n".join(TEXTS["en"][1:]) if written == "plain" else paragraphs("en")
    data = {"@type": "NewsArticle", "headline": headline("en"), "articleBody": escape(body) if written == "escaped" else body}

    assert [paragraph.text for paragraph in _read(shown, data).paragraphs] == list(TEXTS["en"][1:])


def test_a_body_in_json_ld_that_is_cut_off_does_not_replace_the_one_shown() -> None:
    data = {"@type": "NewsArticle", "headline": headline("en"), "articleBody": " ".join(TEXTS["en"][1:3]) + " …"}

    assert [paragraph.text for paragraph in _read(article("en"), data).paragraphs] == list(TEXTS["en"][1:])


@pytest.mark.parametrize("place", ["comment", "review", "itemListElement"])
def test_the_text_of_others_in_json_ld_is_no_body(place: str) -> None:
    other = {"@type": "NewsArticle", "headline": "Another", "articleBody": "Something else was said here. " * 90}

    assert "Something else" not in _read(article("en"), {"@type": "NewsArticle", place: [other]}).body


def test_posts_of_a_live_blog_are_numbered_and_its_introduction_is_not() -> None:
    posts = "".join(f"<div><time>1{number}:05</time><p>{text}</p></div>" for number, text in enumerate(TEXTS["en"][2:]))
    found = _read(f"<h1>{headline('en')}</h1><p>{TEXTS['en'][1]}</p><div>{posts}</div>")
    numbers = {paragraph.text: paragraph.post for paragraph in found.paragraphs}

    assert [numbers[text] for text in TEXTS["en"][1:]] == [None, 1, 2, 3, 4, 5]
    assert found.genre == "live"


def test_posts_that_only_json_ld_holds_follow_the_introduction() -> None:
    posts = [{"@type": "BlogPosting", "headline": f"Hour {n}", "articleBody": f"<p>{TEXTS['en'][n]}</p>"} for n in range(2, 7)]
    data = {"@type": "LiveBlogPosting", "headline": headline("en"), "liveBlogUpdate": posts}
    shown = f"<h1>{headline('en')}</h1><p>{TEXTS['en'][1]}</p><p>We report all day long from the town hall, where it is full.</p>"

    found = _read(shown, data)

    assert [paragraph.post for paragraph in found.paragraphs if paragraph.kind is ParagraphKind.HEADING] == [1, 2, 3, 4, 5]
    assert found.paragraphs[0].text == TEXTS["en"][1]
    assert found.paragraphs[-1].text == TEXTS["en"][6]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_without_title_and_heading_is_an_article_with_an_empty_headline(language: str) -> None:
    menu = "".join(f"<a href=/{number}>{number}</a> " for number in range(9))
    html = f"<html><body><div>{menu}</div><div>{paragraphs(language)}</div><div>{teasers(language)}</div></body></html>"
    url = "https://kurier.example/9003"

    found = extract(html, url)

    assert found.title == ""
    assert [paragraph.text for paragraph in found.paragraphs] == list(TEXTS[language][1:])
    assert "title" not in DEFAULT_REQUIRED
    with pytest.raises(PageError) as caught:
        extract(html, url, required={"title"})
    assert caught.value.reason is PageReason.NO_TITLE_ATTRIBUTE


def test_the_elements_of_a_body_hold_all_its_paragraphs_and_no_teaser() -> None:
    body = examined(page("en", article("en"))).body
    assert body is not None
    held = " ".join(" ".join(map(str, element.itertext())) for element in body.elements)

    assert all(text in held for text in TEXTS["en"][1:])
    assert "2026" not in held


@pytest.mark.parametrize("form", ["<form><p>{}</p>{}</form>", "<p>{}</p><form>{}</form>"])
def test_a_post_that_asks_for_a_password_is_refused(form: str) -> None:
    prompt = "This content is password protected. Please enter a password to view."
    form = form.format(prompt, "<input type=password><input type=submit>")
    shown = f"<h1>Protected: {headline('en')}</h1><div class=entry-content>{{}}</div>"

    protected = load_default_extractor().examine(page("en", shown.format(form)))
    beside = load_default_extractor().examine(page("en", shown.format(paragraphs("en")) + form))

    assert protected.refusal is not None
    assert protected.refusal.reason is PageReason.WALL
    assert beside.refusal is None
