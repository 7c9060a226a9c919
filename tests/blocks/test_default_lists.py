"""Lists that call themselves articles, front pages in folders, and pages of mere names hold no article."""

from __future__ import annotations

import pytest

from newscrawler.blocks.default import DefaultDetector
from newscrawler.errors import PageReason
from newscrawler.page import Document

SENTENCE = "The council met on the hill and spoke of the bridge, which is to be built by the spring after next"
STORY = "".join(f"<p>{SENTENCE}, said speaker {n}. {SENTENCE}, or so it was told to the {n} visitors.</p>" for n in range(6))
TOPICS = ["sport", "culture", "politics", "travel", "money", "food", "music", "cars", "art"]
MENU = "".join(f"<a href='/news/{name}/'>All about {name}</a> " for name in TOPICS)
LD = (
    '<script type="application/ld+json">{"@type":"BlogPosting","headline":"%s",'
    '"publisher":{"@type":"Organization","name":"The Bridge Post"}}</script>'
)
FOOT = "<p>© 2026 The Bridge Post. Some rights are reserved.</p><p>A new version of this site is there, and it may be loaded.</p>"
ARTICLE = '<meta property="og:type" content="article"><meta property="article:published_time" content="2026-02-03T10:00:00Z">'


def reason(body: str, *, title: str, url: str, head: str = "") -> PageReason | None:
    page = Document.parse(f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>", url)
    refusal = DefaultDetector().examine(page).refusal
    return refusal.reason if refusal else None


def test_a_list_whose_article_in_json_ld_is_the_site_itself_is_none_though_it_shows_a_story_in_full() -> None:
    url = "https://example.org/page/7/"
    list_ = f"<div><p><a href='/one/'>What the council wants to do with the bridge</a></p>{STORY}</div>"
    article = f"<h1>A bridge is built between the hills</h1>{STORY}"

    assert reason(list_, title="The Bridge Post", url=url, head=LD % "The Bridge Post") == PageReason.LISTING
    assert reason(article, title="A bridge is built between the hills", url=url, head=LD % "The Bridge Post") is None
    assert reason(list_, title="The Bridge Post", url=url, head=LD % "What the council wants") is None


@pytest.mark.parametrize(
    ("folder", "expected"), [("news/", PageReason.LISTING), ("news/sport/", None), ("news/a-tower.html", None)]
)
def test_the_front_page_of_a_site_in_a_folder_is_told_by_the_links_that_all_lie_below_it(
    folder: str, expected: PageReason | None
) -> None:
    body = f"<nav>{MENU}<a href='/'>Home</a></nav><h1>What is new between the hills</h1>{STORY}"

    assert reason(body, title="What is new between the hills", url=f"https://example.org/{folder}") == expected


def test_a_name_with_links_below_it_and_the_foot_of_the_page_is_none_even_if_it_declares_an_article() -> None:
    names = f"<h1>Tags</h1><div>{MENU}</div><footer>{FOOT}</footer>"
    brief = f"<h1>Fire!</h1><p>{SENTENCE}, and nobody was hurt.</p><div>{MENU}</div>"

    assert reason(names, title="Tags", url="https://example.org/tags/", head=ARTICLE) == PageReason.LISTING
    assert reason(brief, title="Fire!", url="https://example.org/fire/", head=ARTICLE) is None


PLACES = {
    "en": ("The old mill", "It stands by the river and has been grinding flour again since spring, and a guide shows its wheel"),
    "de": ("Die alte Mühle", "Sie steht am Fluss und mahlt seit dem Frühjahr wieder Mehl, und sonntags zeigt ein Führer das Rad"),
    "cs": ("Starý mlýn", "Stojí u řeky a od jara zase mele mouku, a v neděli tu průvodce ukazuje návštěvníkům mlýnské kolo"),
}


@pytest.mark.parametrize("language", PLACES)
@pytest.mark.parametrize("boxed", [False, True], ids=["in a row", "in boxes"])
@pytest.mark.parametrize(
    ("headline", "numbered", "introduced", "expected"),
    [
        ("Places for a trip in the autumn", True, True, None),
        ("6 places for a trip in the autumn", False, True, None),
        ("Places for a trip in the autumn", False, True, PageReason.LISTING),
        ("Places for a trip in the autumn", True, False, PageReason.LISTING),
        ("Trips in the autumn, page 6 of 12", False, True, PageReason.LISTING),
    ],
)
def test_an_article_that_is_a_list_may_link_its_headings(
    language: str,
    boxed: bool,  # noqa: FBT001
    headline: str,
    numbered: bool,  # noqa: FBT001
    introduced: bool,  # noqa: FBT001
    expected: PageReason | None,
) -> None:
    name, text = PLACES[language]
    items = [
        f"<h2><a href='/places/{n}.html'>{f'{n}. ' if numbered else ''}{name} {n}</a></h2><p>{text}, {n}.</p>" for n in range(1, 7)
    ]
    inner = "".join(f"<div>{item}</div>" for item in items) if boxed else "".join(items)
    introduction = f"<p>{SENTENCE}. {SENTENCE}.</p>" if introduced else ""
    body = f"<main><h1>{headline}</h1>{introduction}{inner}</main>"
    url = "https://example.org/trips.html"

    assert reason(body, title=headline, url=url) == expected
    if expected is None:
        found = DefaultDetector().examine(Document.parse(f"<title>{headline}</title><body>{body}</body>", url)).body
        assert found is not None
        assert found.text.count(text) == 6
