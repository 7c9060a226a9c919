"""Authors in markup that says nothing: parted from "By" by elements, or in a card with a portrait and a date."""

from __future__ import annotations

import pytest

from newscrawler import extract
from newscrawler.extraction.metadata.names import find_shown_names

HEADLINE = "Harbour ferry returns after two years in dry dock"
TEXT = "".join(
    f"<div class=p>{part}</div>"
    for part in (
        "The last wooden ferry of the bay will carry passengers again from Saturday, the harbour board announced.",
        "The vessel was taken out of service when inspectors found rot in the keel, and repairs took longer than planned.",
        "The board spent 1.2 million on the refit in 2025, half of it raised by residents of the island.",
    )
)


def authors_of(above: str, *, lead: str = "", behind: str = "") -> tuple[str, ...]:
    body = f"<div class=a><h1>{HEADLINE}</h1>{lead}{above}<div class=b>{TEXT}{behind}</div></div>"
    html = f"<html><head><title>{HEADLINE} | Courier</title></head><body>{body}</body></html>"
    return extract(html, "https://courier.example/harbour-ferry-returns").authors


@pytest.mark.parametrize(
    "line",
    [
        "<div><span>By</span><span><a href=/staff/x1>Ann Lee</a></span></div>",
        "<div><div>By</div><div>Ann Lee</div></div>",
        "<div><div>Autor:</div><div><div>Ann Lee</div></div><div>2 March 2026</div></div>",
        "<div><span>文・</span><span>Ann Lee</span><span>2026年3月2日</span></div>",
        "<div><span>Von</span><b>Ann Lee</b></div><div>2. März 2026</div>",
    ],
)
def test_by_may_be_parted_from_the_name_by_elements(line: str) -> None:
    assert authors_of(line) == ("Ann Lee",)


def test_by_and_the_name_may_end_the_text() -> None:
    assert authors_of("<div>2 March 2026</div>", behind="<div class=n><div>By</div><div>Ann Lee</div></div>") == ("Ann Lee",)


def test_by_and_a_name_in_what_announces_another_article_name_nobody() -> None:
    card = "<a href=/t-1>Bridge works close the northern bypass for a week</a><div><div>By</div><div>Ann Lee</div></div>"

    assert authors_of("<div>2 March 2026</div>", behind=f"{TEXT.replace('a', 'e') * 4}</div><div class=c>{card}") == ()


def test_the_kind_of_a_text_above_a_name_does_not_say_who_wrote() -> None:
    assert authors_of("<div><div>Interview</div><div>Ann Lee</div></div>") == ()


def test_a_time_elsewhere_in_the_box_does_not_date_a_line() -> None:
    assert authors_of("Marlow Bay <div class=x>Ann Lee</div> <div><p>Boats</p><time>3 hours ago</time></div>") == ()


def test_a_name_beside_a_time_that_is_worded_is_the_authors() -> None:
    time = "<time datetime=2026-03-02T09:00Z>3 hours ago</time>"

    assert authors_of(f"<div><img src=a.png alt=''><div><div>Ann Lee</div><div>{time}</div></div></div>") == ("Ann Lee",)


def test_a_year_in_the_lead_is_not_the_line_of_the_date() -> None:
    lead = "<div>It is the first crossing since 2024, the board announced on its evening at the pier.</div>"

    assert authors_of("<div>Ann Lee</div><div>2 March 2026, 14:05</div>", lead=lead) == ("Ann Lee",)


def test_what_a_caption_beside_the_date_begins_with_is_no_name() -> None:
    caption = "<div><div><img src=a.jpg></div><div>Marlow Bay on a Thursday with fresh paint and new railings for all</div></div>"

    assert authors_of(f"<div>2 March 2026</div>{caption}") == ()


@pytest.mark.parametrize(
    "card",
    [
        "<div><a href=/p/1><img src=a.png alt=大野健太></a><div>大野健太</div></div><div>2026年3月2日</div>",
        "<div><span>文・</span><span>大野健太</span><span>2026年3月2日</span></div>",
        "<div><img src=a.png alt=''><div><div>大野健太</div><div>2026年3月2日 14:05</div></div></div>",
    ],
)
def test_a_name_without_blanks_beside_a_portrait_is_the_authors(card: str) -> None:
    assert authors_of(card) == ("大野健太",)


def test_a_rubric_without_a_portrait_is_no_name() -> None:
    assert authors_of("<div>社会</div><div>2026年3月2日</div>") == ()


def test_the_words_before_a_date_are_no_names() -> None:
    assert find_shown_names("文・\n大野健太\n · 公開 2026年3月2日 · 更新 2026年3月4日") == ["大野健太"]
