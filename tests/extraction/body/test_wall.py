"""Challenges and consent pages are told from pages that only have a banner or a form."""

from __future__ import annotations

import pytest

from newscrawler.errors import PageReason
from newscrawler.extraction.body.page_kind import find_barrier
from newscrawler.page import Document

CHALLENGE = (
    "<html><head><title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/h/b/orchestrate'></script></head>"
    "<body><h1>www.example.org</h1><p>Verifying you are human. This may take a few seconds.</p></body></html>"
)
QUESTION = (
    "<html lang=cs><title>Ověření</title><body><h1>Nejste robot?</h1><form action=/overit><div class='g-recaptcha'></div>"
    "<button>Pokračovat</button></form></body></html>"
)
CONSENT = (
    "<html lang=cs><title>Souhlas s cookies</title><body><h1>Vážíme si vašeho soukromí</h1>"
    f"<p>{'My a naši partneři ukládáme. ' * 20}</p>"
    "<a href=/podrobne>Podrobné nastavení</a><button>Souhlasím</button></body></html>"
)  # fmt: skip
GERMAN = (
    "<html lang=de><title>Zeitung</title><body><h2>Mit Werbung und Einwilligung weiterlesen</h2><p>Wir verwenden Kennungen.</p>"
    "<form><input type=submit value='Akzeptieren und weiter'></form></body></html>"
)
SENTENCES = "Rada města ve středu rozhodla o opravě mostu přes řeku a uvolnila na ni peníze z rozpočtu. " * 30


@pytest.mark.parametrize(
    ("html", "barrier"),
    [
        (CHALLENGE, PageReason.CAPTCHA),
        (QUESTION, PageReason.CAPTCHA),
        (CONSENT, PageReason.CONSENT),
        (GERMAN, PageReason.CONSENT),
    ],
)
def test_who_stands_before_a_page_is_recognised(html: str, barrier: PageReason) -> None:
    assert find_barrier(Document.parse(html)) is barrier


def test_an_article_with_a_banner_and_a_protected_form_is_a_page() -> None:
    html = (
        f"<html><title>Most se opraví</title><body><h1>Most se opraví</h1><p>{SENTENCES}</p>"
        "<div class=cookie-banner>Používáme cookies <button>Souhlasím</button></div>"
        "<form class=comments><div class=g-recaptcha></div></form></body></html>"
    )

    assert find_barrier(Document.parse(html)) is None


def test_very_short_news_with_a_banner_are_a_page() -> None:
    html = (
        "<html><title>Most se opraví</title><body><h1>Most se opraví</h1><p>Rada města o tom rozhodla ve středu.</p>"
        "<div>Používáme cookies <button>Souhlasím</button></div></body></html>"
    )

    assert find_barrier(Document.parse(html)) is None


def test_short_news_about_consent_that_say_that_they_are_an_article_are_a_page() -> None:
    head = '<meta property="article:published_time" content="2026-11-01T10:00:00Z">'
    body = "<body><h1>Souhlas</h1><button>Přijmout</button></body>"
    html = f"<html><head><title>Souhlas s cookies podle soudu</title>{head}</head>{body}</html>"

    assert find_barrier(Document.parse(html)) is None


def test_a_listing_is_a_page() -> None:
    links = "".join(f"<li><a href=/c{number}>Soud rozhodl o souhlasu s cookies číslo {number}</a></li>" for number in range(30))
    html = f"<html><title>Souhlas a soukromí</title><body><h1>Soukromí</h1><ul>{links}</ul><button>Přijmout</button></body></html>"

    assert find_barrier(Document.parse(html)) is None


def test_a_page_whose_scripts_know_a_widget_is_no_challenge() -> None:
    html = "<html><head><title>Deník</title><script src='/recaptcha/api.js'></script></head><body><div id=app></div></body></html>"

    assert find_barrier(Document.parse(html)) is None
