"""Pages of several articles are told from lists of teasers, live blogs and articles with chapters."""

from __future__ import annotations

import pytest

from newscrawler.extraction.body.anchored_articles import find_anchored_articles, find_anchors
from newscrawler.page import Document

TEXT = "<p>" + "Rada města ve středu rozhodla, že se most přes řeku opraví ještě letos. " * 6 + "</p>"
TIME = "<time datetime='2026-11-03'>3. 11. 2026</time>"


def page(body: str, head: str = "") -> Document:
    return Document.parse(f"<html lang=cs><head>{head}</head><body>{body}</body></html>", "https://example.org/listopad.html")


def boxes(heading: str = "<h2>Most {n}</h2>", end: str = "") -> str:
    return "".join(f"<article id=clanek-{n}>{heading.format(n=n)}{TIME}{TEXT}{end.format(n=n)}</article>" for n in (1, 2, 3))


def test_each_article_becomes_a_page_of_its_own_at_its_anchor() -> None:
    found = find_anchored_articles(page(boxes("<h2><a href='#clanek-{n}'>Most {n}</a></h2>")))

    assert [each.headline for each in found] == ["Most 1", "Most 2", "Most 3"]
    assert [each.page.url for each in found] == [f"https://example.org/listopad.html#clanek-{n}" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "body",
    [
        boxes("<h2><a href='/most-{n}.html'>Most {n}</a></h2>"),
        boxes(end="<a href='/most-{n}.html'>Celý článek</a>"),
        boxes().replace(TIME, ""),
        boxes().replace(TEXT, "<p>Kratší zpráva.</p>"),
        f"<h1>Živě</h1>{boxes()}",
        boxes().replace("clanek-2", "").replace("clanek-3", ""),
    ],
    ids=["linked headlines", "read more", "no times", "short", "live blog", "one anchor"],
)
def test_what_only_looks_like_it_is_no_page_of_several(body: str) -> None:
    assert find_anchored_articles(page(body)) == ()


def test_a_page_that_calls_itself_one_article_is_one() -> None:
    assert find_anchored_articles(page(boxes(), "<meta property='og:type' content='article'>")) == ()


def test_headings_count_where_other_pages_link_to_them() -> None:
    chapters = page("<h1>Listopad</h1>" + "".join(f"<h2 id=m{n}>Most {n}</h2>{TIME}{TEXT}" for n in (1, 2)))
    listing = page("<a href='/rok.html#m1'>Most 1</a><a href='#m2'>Zde</a>")

    assert list(find_anchors(listing)) == [("https://example.org/rok.html", "m1")]
    assert find_anchored_articles(chapters) == ()
    assert [each.headline for each in find_anchored_articles(chapters, frozenset({"m1", "m2"}))] == ["Most 1", "Most 2"]
