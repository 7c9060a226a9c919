"""Parts of a page that stand elsewhere in its source than readers see them: shadow roots, and what a server sends late."""

from __future__ import annotations

from newscrawler import extract
from newscrawler.page import Document

HEADLINE = "Harbour ferry returns after two years in dry dock"
PARTS = [
    "The last wooden ferry of the bay will carry passengers again from Saturday, the harbour board announced.",
    "The vessel was taken out of service when inspectors found rot in the keel, and repairs took longer than planned.",
    "The board spent 1.2 million on the refit, half of it raised by residents of the island.",
]
TEXT = "".join(f"<p>{part}</p>" for part in PARTS)
URL = "https://courier.example/harbour-ferry-returns"


def page(body: str) -> str:
    return f"<html lang=en><head><title>{HEADLINE} | Courier</title></head><body>{body}</body></html>"


def test_a_declarative_shadow_root_is_what_its_element_shows() -> None:
    inside = f'<h1>{HEADLINE}</h1><x-by><template shadowrootmode="open">By <b>Ann Lee</b>, 2 March 2026</template></x-by>{TEXT}'

    article = extract(page(f'<x-story><template shadowrootmode="open"><style>p{{}}</style>{inside}</template></x-story>'), URL)

    assert [paragraph.text for paragraph in article.paragraphs] == PARTS
    assert article.authors == ("Ann Lee",)
    assert str(article.published_at)[:10] == "2026-03-02"


def test_the_children_of_an_element_stand_in_the_slots_of_its_shadow_root() -> None:
    root = '<div>Above</div><slot name="a">-</slot><div>Between</div><slot></slot><div>Below</div>'
    source = f'<x-a><template shadowrootmode="open">{root}</template><p>rest</p><p slot="a">named</p></x-a>'

    layout = Document.parse(page(source)).layout

    assert [block.text for block in layout.blocks if len(block.text) > 1] == ["Above", "named", "Between", "rest", "Below"]


def test_a_template_without_a_shadow_root_shows_nothing() -> None:
    assert not Document.parse(page(f"<template><h1>{HEADLINE}</h1>{TEXT}</template>")).layout.blocks


def test_what_a_server_sends_late_stands_where_it_belongs() -> None:
    early = '<div class=q><template id="B:0"></template></div><div class=f>© 2026 The Courier</div>'
    late = f'<div hidden id="S:0"><h1>{HEADLINE}</h1><template id="P:1"></template></div><script>$RC("B:0","S:0")</script>'
    later = f'<div hidden id="S:1">{TEXT}</div><script>$RS("S:1","P:1")</script>'

    document = Document.parse(page(early + late + later), URL)

    assert [block.text for block in document.layout.blocks] == [HEADLINE, *PARTS, "© 2026 The Courier"]
    assert [paragraph.text for paragraph in extract(page(early + late + later), URL).paragraphs] == PARTS


def test_hidden_boxes_of_other_names_stay_hidden() -> None:
    hidden = '<div hidden id="menu"><p>Not shown to anybody who has not asked for the menu.</p></div>'

    article = extract(page(f'<h1>{HEADLINE}</h1>{TEXT}{hidden}<div id="S:9"></div>'), URL)

    assert [paragraph.text for paragraph in article.paragraphs] == PARTS


def test_an_article_for_readers_without_scripts_is_seen() -> None:
    story = f"<h1>{HEADLINE}</h1><div class=column><noscript id=as-1><div class=intro>{TEXT}</div></noscript></div>"

    assert [paragraph.text for paragraph in extract(page(story), URL).paragraphs] == PARTS


def test_a_message_for_readers_without_scripts_is_not() -> None:
    message = "<p>Please enable JavaScript to read this page with all of its pictures and films.</p>"

    article = extract(page(f"<h1>{HEADLINE}</h1>{TEXT}<noscript>{message}<p>Thank you.</p></noscript>"), URL)

    assert [paragraph.text for paragraph in article.paragraphs] == PARTS
