"""Markup that says nothing: captions with a credit, notices of copyright, players, letters to subscribe to, the next story."""

from __future__ import annotations

from time import perf_counter

import pytest

from newscrawler import extract
from newscrawler.article import Article
from newscrawler.blocks.default.unnamed import next_stories
from newscrawler.errors import PageError
from newscrawler.page import Document

HEADLINE = "Harbour ferry returns after two years in dry dock"
NEXT = "Town library opens its roof to beekeepers"
PARTS = (
    "The last wooden ferry of the bay will carry passengers again from Saturday, the harbour board announced.",
    "The vessel was taken out of service when inspectors found rot in the keel, and repairs took longer than planned.",
    "The board spent 1.2 million on the refit, half of it raised by residents of the island.",
    "The first crossing leaves at seven in the morning and is already sold out.",
)
OTHERS = (
    "Six hives now stand above the reading room of the library, and the first honey is expected in July.",
    "Engineers checked the load of the roof for months before the council gave its permission in January.",
    "School classes may visit on Wednesdays, in suits that the beekeepers lend them.",
)
FURTHER = (
    "The idea came from a night porter who had kept bees for thirty years and wanted company during his shifts.",
    "The honey will be sold at the front desk, and what it brings goes to the children's section of the library.",
)
LETTER = "Get the five stories that matter in your inbox every morning, before your first coffee, and nothing else."


def read(body: str, title: str = HEADLINE) -> Article:
    html = f"<html lang=en><head><title>{title} | Courier</title></head><body><div id=app>{body}</div></body></html>"
    return extract(html, "https://courier.example/harbour-ferry-returns")


def story(headline: str, parts: tuple[str, ...], *, amid: str = "", behind: str = "") -> str:
    texts = "".join(f'<div class="css-1p">{part}</div>' for part in parts)
    return f'<div class="css-1s"><h1 class="css-1h">{headline}</h1>{amid}<div class="css-1b">{texts}</div>{behind}</div>'


def texts_of(article: Article) -> list[str]:
    return [paragraph.text for paragraph in article.body]


@pytest.mark.parametrize("credit", ["Photo: Ann Lee", "Foto: Jana Kolb", "Fot. Ewa Lis", "© Ann Lee", "写真：石田絵里"])
def test_a_caption_that_ends_with_a_credit_is_no_text_whatever_its_box_is_called(credit: str) -> None:
    caption = f"<span>The ferry at its berth on Thursday, with fresh paint and new railings.</span><span>{credit}</span>"
    picture = f"<div class=x7><div class=x8><img src=a.jpg></div><div class=x9>{caption}</div></div>"

    assert texts_of(read(story(HEADLINE, PARTS, amid=picture))) == list(PARTS)


@pytest.mark.parametrize(
    "picture",
    [
        "<div><picture><img src=a.jpg></picture><div>{}</div><div>Photo: Ann Lee</div></div>",
        "<div class=v><img src=a.jpg></div><div>{}</div><div>Photo: Ann Lee</div>",
        "<div class=v><img src=a.jpg></div><p class=c>{} Photo: Ann Lee</p>",
        "<img src=a.jpg><p>{} (Photo: Ann Lee)</p>",
    ],
)
def test_a_caption_below_a_picture_is_no_text_where_a_credit_follows_it(picture: str) -> None:
    shown = picture.format("The ferry at its berth on Thursday, with fresh paint and new railings.")

    assert texts_of(read(story(HEADLINE, PARTS, amid=shown))) == list(PARTS)


def test_a_paragraph_between_two_pictures_is_text_though_the_credit_of_the_second_follows() -> None:
    pictures = ["<div class=i><img src=1.jpg></div>", "<div class=i><img src=2.jpg></div><div>Photo: Ann Lee</div>"]
    texts = [f"<div class=t><p>{part}</p></div>" for part in PARTS]

    body = read(f"<div class=a><h1>{HEADLINE}</h1>{texts[0]}{pictures[0]}{texts[1]}{pictures[1]}{texts[2]}{texts[3]}</div>").body

    assert [paragraph.text for paragraph in body] == list(PARTS)


@pytest.mark.parametrize("heading", ["Join the conversation", "Zapojte se do diskuse", "Únete a la conversación", "コメントする"])
def test_a_line_that_begins_with_the_heading_of_comments_is_no_text(heading: str) -> None:
    teaser = (
        f"<div class=k><span>{heading}</span><span>42 readers have commented on this story so far, and it is lively.</span></div>"
    )

    assert texts_of(read(story(HEADLINE, PARTS, behind=teaser))) == list(PARTS)


def test_a_name_and_a_date_that_touch_each_other_are_no_text() -> None:
    line = "<div class=m><span>Ann Lee</span><span>March 5, 2026</span></div>"

    assert texts_of(read(f"<div><h1>{HEADLINE}</h1>{line}{''.join(f'<p>{part}</p>' for part in PARTS)}</div>")) == list(PARTS)


def test_a_notice_of_copyright_is_no_text_even_where_it_is_a_sentence() -> None:
    notice = (
        "<div class=q3>© 2026 The Courier. All rights reserved. Reproduction only with written permission of the publisher.</div>"
    )

    assert texts_of(read(f"{story(HEADLINE, PARTS[:2])}{notice}")) == list(PARTS[:2])


def test_the_next_story_below_in_a_box_of_the_same_make_is_another_article() -> None:
    dated = "<div class=d>2 March 2026</div>"
    next_one = story(NEXT, (*OTHERS, *FURTHER), amid=dated)

    article = read(f"<div class=w>{story(HEADLINE, PARTS[:2], amid=dated)}<div>Next</div>{next_one}</div>")

    assert article.headline == HEADLINE
    assert texts_of(article) == list(PARTS[:2])


def test_sections_of_one_story_with_a_heading_of_the_first_rank_each_are_its_parts() -> None:
    body = f"<div class=w>{story(HEADLINE, PARTS, amid='<div>2 March 2026</div>')}{story('The costs', OTHERS)}</div>"
    page = Document.parse(f"<html><head><title>{HEADLINE}</title></head><body>{body}</body></html>")

    assert page.headline is not None
    assert not next_stories(page, page.headline.block)


def test_headings_of_the_first_rank_within_one_text_part_it() -> None:
    first, second = ("".join(f"<p>{part}</p>" for part in half) for half in (PARTS[:2], PARTS[2:]))
    body = f"<div class=w><h1>{HEADLINE}</h1>{first}<h1>The costs</h1>{second}</div>"

    assert PARTS[3] in texts_of(read(body))


@pytest.mark.parametrize(
    "control",
    [
        "<div class=p1><button>▶</button><div>Listen</div><div>In the new episode we talk about boats and the sea.</div></div>",
        "<div class=p1><div role=button>▶</div><div>In the new episode we talk about boats, and those on them.</div></div>",
        "<div class=p2><audio src=a.mp3></audio><div>In the new episode we talk about boats, and those who build them.</div></div>",
        f"<div class=p3><div>{LETTER}</div><div><input type=email><button>Go</button></div></div>",
    ],
    ids=["button", "role", "audio", "letter"],
)
def test_a_small_box_with_a_control_of_its_own_is_no_text(control: str) -> None:
    texts = [f"<p class=t>{part}</p>" for part in PARTS]

    article = read(f"<div class=a><h1>{HEADLINE}</h1>{texts[0]}{control}<div class=b>{''.join(texts[1:])}</div></div>")

    assert texts_of(article) == list(PARTS)


@pytest.mark.parametrize(
    "button", ["<button aria-expanded=true>Who pays?</button>", "<button>How long did the repairs take?</button>"]
)
def test_an_answer_below_a_button_that_asks_is_text(button: str) -> None:
    parts = [f"<p>{part}</p>" for part in (*PARTS, *FURTHER)]
    parts.insert(3, f"<div class=q>{button}<p>{OTHERS[0]}</p></div>")

    assert OTHERS[0] in texts_of(read(f"<div><h1>{HEADLINE}</h1><div class=t>{''.join(parts)}</div></div>"))


def test_a_lead_beside_a_button_to_share_it_is_text() -> None:
    lead = f"<div class=l><p>{PARTS[0]}</p><div><button>Share</button></div></div>"

    article = read(
        f"<div class=a><h1>{HEADLINE}</h1>{lead}<div class=b>{''.join(f'<p>{part}</p>' for part in PARTS[1:])}</div></div>"
    )

    assert texts_of(article) == list(PARTS)


def test_a_weblog_of_whole_stories_is_not_read_as_its_first() -> None:
    html = (
        "<html><head><title>The Harbour Blog</title></head><body><div class=w>"
        f"{story(f'<a href=/1>{HEADLINE}</a>', PARTS)}{story(f'<a href=/2>{NEXT}</a>', OTHERS)}</div></body></html>"
    )

    with pytest.raises(PageError):
        extract(html, "https://courier.example/")


@pytest.mark.parametrize(
    "line",
    [
        "The bridge was closed again on Monday. Photo: Ann Lee<br><br>",
        "<img src=a.jpg><span>A boat</span> <i>Photo: Ann</i><br><br>",
    ],
)
def test_thousands_of_credits_in_one_box_are_read_in_time(line: str) -> None:
    started = perf_counter()

    read(f"<div><h1>{HEADLINE}</h1>{''.join(f'<p>{part}</p>' for part in PARTS)}<div>{line * 2000}</div></div>")

    assert perf_counter() - started < 8
