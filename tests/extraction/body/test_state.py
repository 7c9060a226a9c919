"""Pages that show no text: the article in the state from which they build themselves, in the forms that systems give it."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import perf_counter
from typing import Any

import pytest

from newscrawler import extract
from newscrawler.article import Article, ParagraphKind
from newscrawler.errors import PageError
from newscrawler.extraction.body.extractor import load_default_extractor
from newscrawler.extraction.body.state import read_state
from newscrawler.page import Document

HEADLINE = "Harbour ferry returns after two years in dry dock"
SLUG = "harbour-ferry-returns-after-two-years"
URL = f"https://courier.example/news/{SLUG}"
PARTS = [
    "The last wooden ferry of the bay will carry passengers again from Saturday, the harbour board's office announced.",
    "The vessel was taken out of service when inspectors found rot in the keel, and repairs took longer than planned.",
    "The board spent 1.2 million on the refit, half of it raised by residents of the island.",
]
OTHERS = [
    "Six hives now stand above the reading room of the library, and the first honey is expected in July.",
    "Engineers checked the load of the roof for months before the council gave its permission in January.",
    "School classes may visit on Wednesdays, in suits that the beekeepers lend them, and taste the honey.",
    "The idea came from a night porter who had kept bees for thirty years and wanted company in his shifts.",
]
Bodies = Callable[[list[str]], Any]


def html_of(parts: list[str]) -> str:
    return (
        "".join(f"<p>{part.replace(chr(39), '&#x27;')}</p>" for part in parts)
        + "<figure><figcaption>The ferry.</figcaption></figure>"
    )


def draft(parts: list[str]) -> Any:
    return {"blocks": [{"key": "a", "text": part, "type": "unstyled"} for part in parts] + [{"text": " ", "type": "atomic"}]}


def portable(parts: list[str]) -> Any:
    return [
        {
            "_type": "block",
            "style": "normal",
            "children": [{"_type": "span", "text": part[:9]}, {"_type": "span", "text": part[9:]}],
        }
        for part in parts
    ]


def slate(parts: list[str]) -> Any:
    return [{"children": [{"text": part[:9]}, {"text": part[9:], "bold": True}]} for part in parts]


def document(parts: list[str]) -> Any:
    link = {"nodeType": "hyperlink", "data": {"uri": "/a"}}
    return {
        "nodeType": "document",
        "content": [
            {
                "nodeType": "paragraph",
                "content": [
                    {**link, "content": [{"nodeType": "text", "value": part[:9]}]},
                    {"nodeType": "text", "value": part[9:]},
                ],
            }
            for part in parts
        ],
    }


def editor(parts: list[str]) -> Any:
    read_more = {"type": "readMore", "data": {"text": OTHERS[0]}}
    picture = {"type": "image", "data": {"caption": "The ferry at its berth."}}
    return {"blocks": [*({"type": "paragraph", "data": {"text": part}} for part in parts), read_more, picture]}


def nested(parts: list[str]) -> Any:
    return {
        "root": {
            "type": "root",
            "children": [{"type": "paragraph", "children": [{"type": "text", "text": part}]} for part in parts],
        }
    }


def tree(parts: list[str]) -> Any:
    return [{"tag": "p", "children": [part[:9], {"tag": "b", "children": [part[9:]]}]} for part in parts]


FORMS: list[Bodies] = [html_of, draft, portable, slate, document, editor, nested, tree]


def story(body: Bodies = html_of, **more: Any) -> dict[str, Any]:
    return {"title": HEADLINE, "slug": SLUG, "publishedAt": "2026-03-02T09:15:00Z", "content": body(PARTS), **more}


def other(body: Bodies = html_of) -> dict[str, Any]:
    return {
        "title": "Town library opens its roof to beekeepers",
        "slug": "town-library-opens-its-roof",
        "publishedAt": "2026-03-09T09:15:00Z",
        "content": body(OTHERS),
    }


def page(script: str, *, title: str = f"{HEADLINE} | Courier", shown: str = "") -> str:
    return f"<html lang=en><head><title>{title}</title></head><body>{shown}<div id=root></div>{script}</body></html>"


def island(data: Any) -> str:
    return f'<script type="application/json">{json.dumps(data)}</script>'


def texts_of(article: Article) -> list[str]:
    return [paragraph.text for paragraph in article.paragraphs]


@pytest.mark.parametrize("body", FORMS)
def test_the_text_of_the_pages_own_article_is_read_whatever_tree_holds_it(body: Bodies) -> None:
    state = {"latest": [other(body)], "page": {"article": story(body, related=[other(body)])}, "more": other(body)}

    assert texts_of(extract(page(island(state)), URL)) == PARTS


@pytest.mark.parametrize(
    "script",
    [
        "window.__STATE__ = {json};(function(){{}})()",
        'window["__STATE__"]={json}',
        "self.state = JSON.parse({quoted});",
        "window.__STATE__ = {undefined};",
    ],
)
def test_what_a_script_assigns_to_the_window_is_read_as_an_island_is(script: str) -> None:
    said = json.dumps({"page": story()}).replace("</", "<\\/")
    loose = said.replace('{"page"', '{"user": undefined, "at": new Date("2026-03-02"), "page"')
    filled = script.format(json=said, quoted=json.dumps(said), undefined=loose)

    assert texts_of(extract(page(f"<script>{filled}</script>"), URL)) == PARTS


def test_a_flattened_state_is_put_together() -> None:
    flat: list[Any] = [["ShallowReactive", 1], {"article": 2}, {"title": 3, "slug": 4, "date": 5, "text": 6}]
    flat += [HEADLINE, SLUG, "2026-03-02T09:15:00Z", [7, 8, 9], *PARTS]

    assert texts_of(extract(page(island(flat)), URL)) == PARTS


def test_references_of_a_cache_are_followed() -> None:
    cache = {
        "Article:7": {"title": HEADLINE, "slug": SLUG, "authors": [{"__ref": "Author:1"}], "body": {"__ref": "Body:7"}},
        "Article:8": other(),
        "Author:1": {"name": "Harriet Olmsted"},
        "Body:7": {"json": document(PARTS)},
    }

    article = extract(page(island({"cache": cache})), URL)

    assert texts_of(article) == PARTS
    assert article.authors == ("Harriet Olmsted",)


def test_the_state_tells_headline_date_and_authors_too() -> None:
    told = story(
        modifiedAt="2026-03-03T10:00:00Z",
        author={"firstName": "Harriet", "lastName": "Olmsted"},
        standfirst="It took two years and a third of the planks.",
    )

    article = extract(page(island({"more": [other()], "post": told}), title="Courier"), URL)

    assert article.title == HEADLINE
    assert article.authors == ("Harriet Olmsted",)
    assert article.published_at is not None
    assert article.published_at.isoformat() == "2026-03-02T09:15:00+00:00"
    assert texts_of(article)[0] == "It took two years and a third of the planks."


def test_authors_may_stand_in_an_object_that_only_describes_the_article() -> None:
    state = {"post": story(author=7, _embedded={"author": [{"id": 7, "name": "Harriet Olmsted", "bio": "She writes."}]})}

    assert extract(page(island(state)), URL).authors == ("Harriet Olmsted",)


def test_what_describes_the_article_may_stand_beside_its_text() -> None:
    state = {
        "data": {"head": {"title": HEADLINE, "url": f"/news/{SLUG}", "date": "2026-03-02"}, "copy": html_of(PARTS)},
        "x": [other()],
    }

    assert texts_of(extract(page(island(state)), URL)) == PARTS


def test_headings_lists_and_quotes_keep_their_kind() -> None:
    blocks = [
        {"type": "paragraph", "text": PARTS[0]},
        {"type": "heading", "level": 2, "text": "The costs"},
        {"type": "list", "items": ["Planks", "Paint"]},
        {"type": "quote", "text": PARTS[1]},
    ]

    article = extract(page(island({"post": story(lambda _: blocks)})), URL)

    assert [paragraph.kind for paragraph in article.paragraphs] == [
        ParagraphKind.PARAGRAPH,
        ParagraphKind.HEADING,
        ParagraphKind.LIST_ITEM,
        ParagraphKind.LIST_ITEM,
        ParagraphKind.QUOTE,
    ]


@pytest.mark.parametrize(
    "state",
    [
        {"latest": [other(), other()]},
        {"section": {"title": HEADLINE, "slug": SLUG, "description": " ".join(PARTS)}},
        {"post": {"title": HEADLINE, "slug": SLUG, "related": [other()], "comments": [{"text": text} for text in OTHERS]}},
        {"messages": {"title": HEADLINE, "text": "function(){return[1,2,3]};" * 40}},
        ["not", "an", "object"],
    ],
)
def test_a_state_without_the_pages_own_text_makes_no_article(state: Any) -> None:
    with pytest.raises(PageError):
        extract(page(island(state)), URL)


def test_where_the_page_shows_a_part_of_the_article_and_a_wall_there_is_no_more() -> None:
    wall = "<div><div>Subscribe to read on: with a subscription you can read all our stories.</div><a href=/s>Subscribe</a></div>"
    state = story(lambda parts: html_of([parts[0][:60], *parts[1:]]))

    shown = f"<div><h1>{HEADLINE}</h1><p>{PARTS[0][:60]}</p>{wall}</div>"
    found = load_default_extractor().examine(Document.parse(page(island({"post": state}), shown=shown), URL))

    assert found.body is not None
    assert [paragraph.text for paragraph in found.body.paragraphs] == [PARTS[0][:60]]
    assert found.body.confidence < 0.5


def test_where_the_page_shows_a_part_of_the_article_that_part_is_all() -> None:
    shown = f"<div><h1>{HEADLINE}</h1><p>{PARTS[0]}</p></div>"

    found = load_default_extractor().examine(Document.parse(page(island({"post": story()}), shown=shown), URL))
    assert found.body is not None
    assert [paragraph.text for paragraph in found.body.paragraphs] == PARTS[:1]


def test_a_notice_about_cookies_is_not_the_text_that_a_page_shows() -> None:
    notice = (
        "<div>We use cookies and similar techniques to measure traffic and to show you content. Choose what you agree to.</div>"
    )

    assert texts_of(extract(page(island({"post": story()}), shown=notice), URL)) == PARTS


def test_the_scripts_of_a_page_with_text_are_not_looked_at() -> None:
    shown = "".join(f"<p>{part}</p>" for part in OTHERS * 2)

    assert Document.parse(page(island({"post": story()}), shown=shown), URL).view(read_state) is None


@pytest.mark.parametrize(
    "script",
    [
        island([{"title": HEADLINE, "url": "/q", "x": [[["y"] * 50] * 20]}] * 500),
        f"<script>{'window.a={b:' * 20_000}</script>",
        f"<script>window.a = JSON.parse('{chr(92)}'{chr(92)}{chr(92)}' * 50_000</script>",
        f'<script type="application/json">{"[" * 50_000}</script>',
        island([["Reactive", 1], *([(n + 1) % 50_000, n] for n in range(50_000))]),
    ],
    ids=["many", "no json", "no end", "deep", "references"],
)
def test_a_state_takes_no_more_than_a_moment(script: str) -> None:
    started = perf_counter()

    assert Document.parse(page(script), URL).view(read_state) is None
    assert perf_counter() - started < 3


def typed(value: Any) -> Any:
    """A value in the form in which Astro writes the properties of an island."""
    if isinstance(value, dict):
        return [0, {key: typed(inner) for key, inner in value.items()}]
    return [1, list(map(typed, value))] if isinstance(value, list) else [0, value]


def push(rows: str) -> str:
    """Scripts that push a text in pieces of 200 characters."""
    pieces = (rows[at : at + 200] for at in range(0, len(rows), 200))
    return "".join(f"<script>self.__rows.push([1,{json.dumps(piece)}])</script>" for piece in pieces)


STORY = {"headline": HEADLINE, "slug": SLUG, "datePublished": "2026-11-20T08:00:00Z", "author": {"name": "Ann Reed"}}
TEXT = "".join(f"<p>{part}</p>" for part in PARTS)
WRAPPINGS = {
    "rows in pieces": push(
        f'1:"$Sreact"\n5:{json.dumps({"story": STORY | {"body": "$7"}})}\n7:T{len(TEXT.encode()):x},{TEXT}8:[1]\n'
    ),
    "an island": "<x-island props='{}'></x-island>".format(
        json.dumps(typed({"story": STORY | {"body": TEXT}})[1]).replace("&", "&amp;").replace("'", "&#39;")
    ),
    "literals": (
        f"<script>boot(app, {{ids: [0, 2], data: [null, {{type: 'data', story: {{headline: '{HEADLINE}', slug: '{SLUG}', "
        f"datePublished: '2026-11-20T08:00:00Z', author: {{name: 'Ann Reed'}}, body: `{TEXT}`,}},}}]}});</script>"
    ),
    "a script of a type of its own": f"<script type='x/state'>{json.dumps({'objs': [STORY | {'body': TEXT}]})}</script>",
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_a_state_is_read_in_any_wrapping(wrapping: str) -> None:
    head = f"<html lang=en><head><title>{HEADLINE} | Courier</title></head><body><div id=app></div>"

    article = extract(f"{head}{WRAPPINGS[wrapping]}</body></html>", url=URL)

    assert [paragraph.text for paragraph in article.paragraphs] == PARTS
    assert (article.title, article.authors) == (HEADLINE, ("Ann Reed",))
