"""The wall behind the first paragraphs of an article that is not free is no text of it."""

from __future__ import annotations

import pytest

from newscrawler import extract

HEADLINE = "The last night tram of the town disappears"
PARTS = (
    "The town will take away the last tram of the night on the first of January, since there are too few passengers and drivers.",
    "The decision was made on Monday evening in the council, by 61 votes to 42, after more than four hours of debate.",
)
OFFERS = (
    "Subscribe from five pounds a month to read on, and support our work.",
    "Předplaťte si nás od 99 korun měsíčně a čtěte dál bez omezení.",
    "La suite est réservée aux abonnés, à partir d’un euro par mois.",
    "Подпишитесь за 99 рублей в месяц, чтобы читать дальше.",
    "この記事は有料会員限定です。初月無料でお読みいただけます。",
    "הכתבה זמינה למנויים בלבד, הצטרפו עכשיו בחמישה שקלים לחודש.",
)


def texts(behind: str, head: str = "") -> list[str]:
    body = "".join(f"<div class=a><p>{part}</p></div>" for part in PARTS)
    html = (
        f"<html><head><title>{HEADLINE} | Courier</title>{head}</head><body><main><h1>{HEADLINE}</h1>{body}{behind}</main></body>"
    )
    return [paragraph.text for paragraph in extract(html, "https://courier.example/2026/tram-4711.html").body]


@pytest.mark.parametrize("offer", OFFERS)
@pytest.mark.parametrize(
    "form",
    ["<div class=b><div>{}</div><button>OK</button></div>", "<div class=c><p>{}</p><a href=/abo>OK, go on</a></div>"],
    ids=["button", "link"],
)
def test_an_offer_in_a_box_with_something_to_press_is_left_out(form: str, offer: str) -> None:
    assert texts(form.format(offer)) == list(PARTS)


def test_an_offer_on_a_page_that_says_it_is_not_free_is_left_out_with_what_follows() -> None:
    script = '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": "False"}</script>'

    assert texts(f"<div class=pw><h3>{OFFERS[0]}</h3><ul><li>a thousand articles more</li></ul></div>", script) == list(PARTS)


def test_news_about_subscribers_keeps_its_last_paragraph() -> None:
    last = "The firm lost a million subscribers within a year, <a href=/x>as it told</a> its owners on Monday."

    assert len(texts(f"<div class=a><p>{last}</p></div>")) == 3
