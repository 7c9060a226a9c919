from __future__ import annotations

import pytest

from newscrawler.page import Document
from newscrawler.research.methods.portal_crawler import TODAY, PortalCrawler

TITLE = "Most nad rzeką zostanie otwarty wiosną"
LEAD = "Nowy most nad rzeką zostanie otwarty wiosną, zapowiedział w poniedziałek prezydent miasta podczas wizyty na budowie."
FIRST = "Budowa trwała cztery lata i kosztowała więcej, niż planowano. Wykonawca tłumaczy to cenami stali i trudnym gruntem."
SECOND = "Mieszkańcy czekali na przeprawę od dawna. Stary most jest wąski, a objazd prowadzi przez trzy wsie i zabiera godzinę."
THIRD = "Pierwsze autobusy pojadą nową trasą w kwietniu. Rozkład jazdy będzie znany miesiąc wcześniej, mówi przewoźnik."
ARTICLE = f"{FIRST}\n{SECOND}\n{THIRD}"


def read(inner: str, *, title: str = f"{TITLE} - Portal Miejski", method: PortalCrawler | None = None):
    return (method or PortalCrawler())(Document.parse(f"<html><head><title>{title}</title></head><body>{inner}</body></html>"))


def text_block(extra: str = "", tag: str = "div") -> str:
    return f"<{tag}><p>{FIRST}</p><p>{SECOND}</p>{extra}<p>{THIRD}</p></{tag}>"


def test_headline_lead_and_body_are_found() -> None:
    body = read(f"<div><h1>{TITLE}</h1></div><div class=lead>{LEAD}</div>{text_block()}")

    assert body is not None
    assert body.headline == TITLE
    assert body.lead == LEAD
    assert body.text == f"{LEAD}\n{ARTICLE}"
    assert body.headline_element is not None
    assert body.headline_element.tag == "h1"


def test_the_name_of_the_portal_is_too_short_for_a_headline() -> None:
    body = read(f"<h1>Portal Miejski</h1><h2>{TITLE}</h2>{text_block()}")

    assert body is not None
    assert body.headline == TITLE


def test_of_two_headlines_the_one_earlier_in_the_title_wins() -> None:
    section = "Wiadomości z miasta i okolic"

    body = read(f"<h1>{section}</h1><h1>{TITLE}</h1>{text_block()}", title=f"{TITLE} | {section}")

    assert body is not None
    assert body.headline == TITLE


@pytest.mark.parametrize("inner", [f"<h3>{TITLE}</h3>{text_block()}", f"<h1>Zupełnie inny nagłówek strony</h1>{text_block()}"])
def test_without_a_headline_there_is_no_article(inner: str) -> None:
    assert read(inner) is None


def test_text_above_the_headline_does_not_count() -> None:
    assert read(f"{text_block()}<h1>{TITLE}</h1>") is None


def test_a_body_of_less_than_280_characters_is_no_article() -> None:
    assert read(f"<h1>{TITLE}</h1><div><p>{FIRST}</p></div>") is None


def test_a_body_of_exactly_280_characters_is_no_article_and_one_more_is() -> None:
    sentence = "A" + "b" * 278

    assert read(f"<h1>{TITLE}</h1><div>{sentence}.</div>") is None
    assert read(f"<h1>{TITLE}</h1><div>{sentence}b.</div>") is not None


def test_the_block_of_the_headline_can_be_named_by_hand() -> None:
    inner = f"<div class=top><b>Inny nagłówek, którego nie ma w tytule</b></div>{text_block()}"

    assert read(inner) is None
    body = read(inner, method=PortalCrawler(headline_path="//div[@class='top']"))
    assert body is not None
    assert body.headline == "Inny nagłówek, którego nie ma w tytule"


def test_only_a_page_without_a_headline_gives_links_and_only_those_in_lists() -> None:
    inner = "<ul><li><a href=/a>A</a></li><li><a href=/b>B</a><a href=/a>A</a></li></ul><a href=/c>C</a>"

    listing = Document.parse(f"<title>Portal</title>{inner}", "https://www.example.org/")
    article = Document.parse(f"<title>{TITLE}</title><h1>{TITLE}</h1>{inner}", "https://www.example.org/")

    assert PortalCrawler().find_links(listing) == ["https://www.example.org/a", "https://www.example.org/b"]
    assert PortalCrawler().find_links(article) == []


def test_what_is_nested_in_a_block_goes_with_its_text_unless_it_formats() -> None:
    extra = "<ul><li>Zobacz także: inny artykuł.</li></ul><div>Reklama.</div><p><b>Ważne</b> słowo.</p>"

    body = read(f"<h1>{TITLE}</h1>{text_block(extra)}")

    assert body is not None
    assert "Zobacz także" not in body.text
    assert "Reklama" not in body.text
    assert "Ważne słowo." in body.text


def test_a_span_with_a_picture_and_little_text_is_a_caption() -> None:
    caption = "<p><span><img src=a.jpg>Fot. Jan Nowak. Budowa mostu w marcu.</span></p>"

    body = read(f"<h1>{TITLE}</h1>{text_block(caption)}")

    assert body is not None
    assert "Fot." not in body.text


def test_pieces_that_are_no_sentences_go_from_both_ends_only() -> None:
    inner = f"<p>{FIRST}</p><p>{SECOND}</p><h3>Śródtytuł bez kropki</h3><p>{THIRD}</p>"
    block = f"<div>drukuj<br>wyślij{inner}<p>Autor: Jan Nowak</p></div>"

    body = read(f"<h1>{TITLE}</h1>{block}")

    assert body is not None
    assert body.text == f"{FIRST}\n{SECOND}\nŚródtytuł bez kropki\n{THIRD}"


def test_more_than_six_rivals_make_a_page_of_summaries() -> None:
    six = read(f"<h1>{TITLE}</h1>{text_block() * 7}")
    seven = read(f"<h1>{TITLE}</h1>{text_block() * 8}")

    assert six is not None
    assert seven is None


def test_a_comment_longer_than_the_article_goes_where_its_block_is_recognised() -> None:
    comment = f"<div class=k>{(FIRST + ' ') * 9}</div>"
    page = f"<h1>{TITLE}</h1>{text_block()}<div><h3>%s</h3>{comment}</div>"

    recognised = read(page % "Komentarze (1)")
    unrecognised = read(page % "Wpisy czytelników")

    assert recognised is not None
    assert recognised.text == ARTICLE
    assert unrecognised is not None
    assert unrecognised.paragraphs[-1].text == " ".join([FIRST] * 9)


def test_a_lead_under_ninety_characters_is_missed_as_the_authors_say() -> None:
    body = read(f"<h1>{TITLE}</h1><div>Krótki wstęp do artykułu.</div>{text_block()}")

    assert body is not None
    assert body.lead is None


def test_at_most_the_two_longest_pieces_make_the_lead() -> None:
    leads = f"<div>Część 1. {LEAD}</div><div>{LEAD}</div><div>Część 2. {LEAD}</div>"

    body = read(f"<h1>{TITLE}</h1>{leads}{text_block()}")

    assert body is not None
    assert body.lead == f"Część 1. {LEAD}\nCzęść 2. {LEAD}"
    assert body.text.startswith(body.lead)


def test_only_the_variant_for_today_reads_article_elements() -> None:
    page = f"<h1>{TITLE}</h1>{text_block(tag='article')}"

    assert read(page) is None
    today = read(page, method=TODAY)
    assert today is not None
    assert today.text == ARTICLE


def test_only_the_variant_for_today_overlooks_typography_in_the_headline() -> None:
    page = f"<h1>Prezydent: „Most otworzymy wiosną” – już w marcu</h1>{text_block()}"
    title = 'PREZYDENT: "Most otworzymy wiosną" - już w marcu'

    assert read(page, title=title) is None
    assert read(page, title=title, method=TODAY) is not None
