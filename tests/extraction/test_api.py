"""`newscrawler` as a library: what it takes, and what it says to what it cannot take."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lxml.html import document_fromstring
from scrapy.http import HtmlResponse

from newscrawler import Article, ConfigError, PageError, Paragraph, extract, extract_many

URL = "https://courier.example/2026/ferry"
SENTENCES = (
    "The ferry came back on Monday after two months in dock, and hundreds of people waited for it at the pier in Příbram.",
    "It will sail every hour from nine until six, and a ticket costs four pounds, a pound less than it did last year.",
)
HTML = (
    '<html lang="en"><head><meta charset="utf-8"><title>Ferry returns</title></head><body><h1>Ferry returns to the harbour</h1>'
    f"<p>{SENTENCES[0]}</p><p>{SENTENCES[1]}</p></body></html>"
)


def test_every_form_of_a_page_gives_the_same_article() -> None:
    tree = document_fromstring(HTML)
    scrapy = HtmlResponse(URL, body=HTML.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
    httpx = SimpleNamespace(url=URL, headers={"Content-Type": "text/html; charset=utf-8"}, content=HTML.encode())
    forms: dict[str, Any] = {
        "text": extract(HTML, URL),
        "bytes": extract(HTML.encode(), URL),
        "bytes with a header": extract(scrapy.body, url=scrapy.url, content_type=scrapy.headers.get("Content-Type")),
        "element": extract(tree, URL),
        "tree": extract(tree.getroottree(), URL),
        "Scrapy": extract(scrapy),
        "httpx": extract(httpx),
    }
    expected = ("Ferry returns to the harbour", "\n".join(SENTENCES), URL)
    assert {name: (found.title, found.body, found.url) for name, found in forms.items()} == dict.fromkeys(forms, expected)


def test_a_tree_is_left_as_it_is() -> None:
    tree = document_fromstring(HTML)
    before = len(list(tree.iter()))
    extract(tree, URL)
    assert len(list(tree.iter())) == before


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("https://courier.example/2026/ferry", "is an address, not a page. Fetch it"),
        ("saved/page.html", "is the name of a file, not a page. Pass what it holds"),
        (Path("page.html"), "is the path of a file"),
        (7, "not int"),
        (SimpleNamespace(url=URL, headers={}), "has neither `body` nor `content`"),
    ],
)
def test_what_is_no_page_is_refused_in_a_sentence(page: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        extract(page)


@pytest.mark.parametrize(
    "options",
    [{"time_zone": "Mars/Olympus"}, {"method": "magic"}, {"required": ["headline"]}, {"template": "no-such-file.json"}],
)
def test_wrong_options_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=str(next(iter(options.values()))).strip("[]'")):
        extract(HTML, **options)
    with pytest.raises(ConfigError):
        extract_many([HTML], **options)


def test_published_methods_need_no_address() -> None:
    assert extract(HTML, method="mss").body


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        (HTML, {"url": "https://courier.example/"}, "listing: the address is that of a front page"),
        (
            '[project]\nname = "ferry"\ndescription = "Timetables of the ferry to the islands, and what a ticket costs."\n' * 9,
            {},
            "not HTML",
        ),
        (b"The ferry came back on Monday after two months in dock. " * 9, {}, "not HTML: text/plain"),
        (HTML, {"content_type": "application/json"}, "not HTML: application/json"),
        (
            "<title>Just a moment</title><script src=/cdn-cgi/challenge-platform/x.js></script><p>Verify you are human.",
            {},
            "captcha",
        ),
    ],
)
@pytest.mark.parametrize("method", ["default", "mss"])
def test_what_is_certainly_no_article_is_refused_in_a_sentence(
    content: Any, options: dict[str, Any], says: str, method: str
) -> None:
    with pytest.raises(PageError, match=says):
        extract(content, method=method, **options)


def test_a_page_without_an_article_says_why() -> None:
    with pytest.raises(PageError) as caught:
        extract("")
    assert caught.value.reason


def test_a_notebook_shows_an_article_in_one_line_or_as_html() -> None:
    article = Article(
        title="Ferry <b> & tide", paragraphs=(Paragraph(text="It is <i>back</i>."),) * 400, url="https://courier.example/ferry",
        published_at=datetime(2026, 2, 1, tzinfo=UTC), method="default", confidence=0.9,
    )  # fmt: skip

    assert repr(article) == "<Article 2026-02-01, 'Ferry <b> & tide', 1200 words, https://courier.example/ferry>"
    assert repr([article]) == f"[{article!r}]"
    shown = article._repr_html_()
    assert shown.startswith("<article><h2>Ferry &lt;b&gt; &amp; tide</h2>")
    assert shown.count("<p>It is &lt;i&gt;back&lt;/i&gt;.</p>") == 400
    assert "<html" not in shown
