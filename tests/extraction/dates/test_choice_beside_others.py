"""Dates that stand beside the article's own, in the same line, the same list or the same sentence, are told from it."""

from __future__ import annotations

import pytest
from lxml import etree

from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, read_dates
from newscrawler.extraction.dates import DateContext, Dates, find_dates
from newscrawler.page import Document

HEADLINE = "<h1>A dog bites a mayor in the park</h1>"
SENTENCE = "The mayor was walking along the river when the dog, which nobody had seen before, came out of the bushes. "
BODY = "".join(f"<p>{number}. {SENTENCE * 3}</p>" for number in ("One", "Two", "Three", "Four", "Five"))


def page(inside: str) -> Document:
    return Document.parse(
        f"<html lang='en'><head><title>A dog bites a mayor in the park</title></head><body>{inside}</body></html>"
    )


def day(found: Dates) -> str | None:
    return found.published.value.date().isoformat() if found.published else None


def day_on(inside: str) -> str | None:
    return day(find_dates(page(inside), DateContext()))


def day_beside_body(inside: str) -> str | None:
    draft = ExtractionState(page=page(inside))
    detect_body(draft, ExtractionOptions())
    read_dates(draft, ExtractionOptions())
    assert draft.body is not None
    assert draft.dates is not None
    return day(draft.dates)


@pytest.mark.parametrize(
    "box",
    ["story-social-area", "meta has-social-tools", "articleDateAndDuration", "news-nav", "reading-time"],
)
def test_a_line_that_holds_buttons_beside_the_date_dates_the_article(box: str) -> None:
    assert day_on(f"{HEADLINE}<div class='{box}'><span>3 February 2026</span> <a href='#c'>Share</a></div>{BODY}") == "2026-02-03"


@pytest.mark.parametrize("box", ["comment-date", "comments", "related-social", "weather", "tweet-date twitter-tweet"])
def test_a_box_of_another_text_does_not(box: str) -> None:
    assert day_on(f"{HEADLINE}<div class='{box}'><span>3 February 2026</span></div>{BODY}") is None


def test_the_dates_in_a_list_of_links_are_not_the_articles() -> None:
    rows = "".join(
        f"<div class='item'><a href='/{number}'>Another dog</a><span class='timestamp'>{number} January 2026</span></div>"
        for number in range(1, 5)
    )

    assert day_beside_body(
        f"<article>{HEADLINE}<p class=small>Last updated: 4 February 2026</p>{BODY}</article><div>{rows}</div>"
    ) == ("2026-02-04")
    assert day_beside_body(f"<article>{HEADLINE}<p class=date>3 February 2026</p>{BODY}</article><div>{rows}</div>") == "2026-02-03"


def test_a_box_says_of_a_date_what_the_element_in_it_says() -> None:
    line = "<div class='post-meta'><span>{}</span> <span class='updated'>Updated 4 February 2026</span></div>"

    assert day_on(f"{HEADLINE}{line.format('3 February 2026')}{BODY}") == "2026-02-03"
    both = "<div class='post-meta'><span class='date'>4 February 2026</span><span class='updated'>4 February 2026</span></div>"
    assert day_on(f"{HEADLINE}{both}{BODY}") == "2026-02-04"


@pytest.mark.parametrize(
    "text",
    [
        "Both men were sentenced at the crown court on Friday 27th October 2023.",
        "Ab 1. März 2024 die neue Rathauschefin",
        "À partir du 12 janvier 2020",
    ],
)
def test_a_day_on_which_something_happens_is_null_rather_than_wrong(text: str) -> None:
    assert day_on(f"{HEADLINE}<p>{text}</p>") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Posted in privacy by somebody on August 3, 2019", "2019-08-03"),
        ("Nov 18, 2019 at 9:24 pm ET • 2 min read", "2019-11-18"),
        ("miércoles, 11 de mayo de 2022 - 3:40 a.m.", "2022-05-11"),
        ("Do 25.04.24 | 14:07 Uhr | Von Eva Kirchner", "2024-04-25"),
    ],
)
def test_a_byline_of_many_words_is_no_sentence(text: str, expected: str) -> None:
    assert day_on(f"{HEADLINE}<p>{text}</p>") == expected


def test_the_day_in_the_head_goes_before_those_of_the_cards_of_other_articles() -> None:
    card = (
        "<div class=card><a href='/{0}'>Another dog</a><span itemprop=datePublished content=2026-03-{0}>Mar {0}, 2026</span></div>"
    )
    cards = "".join(card.format(number) for number in (13, 13, 13, 12, 10))
    found = page(f"{HEADLINE}{BODY}{cards}")
    found.root.find("head").append(etree.Element("meta", name="date", content="2025-03-27"))

    assert day(find_dates(found, DateContext())) == "2025-03-27"
