"""What only JSON-LD holds is read from there: a body written in HTML, the posts of a live blog; and small things of short news."""

from __future__ import annotations

import json
from html import escape

import pytest

from newscrawler import extract
from newscrawler.article import Article, ParagraphKind

HEADLINE = "Council votes all night on the plan for the harbour"
INTRODUCTION = "The council of Brackley votes through the night on the new plan for the harbour, and we report from the town hall."
PARTS = (
    "Several hundred people had come to the town hall since the early evening, some of them with folding chairs.",
    "The plan foresees two new quays and a bridge; it would cost fourteen million, of which the region pays half.",
    "The opposition calls it absurd, and wants to ask the citizens before the first stone is laid in the spring.",
)
POSTS = [
    {
        "@type": "BlogPosting",
        "headline": f"Hour {n} of the session",
        "articleBody": f"<p>At hour {n} they voted on part {n}.</p>",
        "text": "x",
    }
    for n in range(1, 5)
]


def read(body: str, data: object = None, *, title: str = HEADLINE) -> Article:
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data else ""
    html = f"<html><head><title>{title} | Courier</title>{script}</head><body>{body}</body></html>"
    return extract(html, "https://courier.example/2026/council-4711.html")


@pytest.mark.parametrize("written", ["plain", "html", "escaped"])
def test_a_body_that_only_json_ld_holds_is_parted_however_it_is_written(written: str) -> None:
    body = "\r\n\r\n".join(PARTS) if written == "plain" else "".join(f"<p>{part}</p>" for part in PARTS)
    data = {"@type": "NewsArticle", "headline": HEADLINE, "articleBody": escape(body) if written == "escaped" else body}

    assert [paragraph.text for paragraph in read("<div id=app></div>", data).body] == list(PARTS)


def test_posts_that_only_json_ld_holds_follow_the_introduction() -> None:
    data = {"@type": "LiveBlogPosting", "headline": HEADLINE, "liveBlogUpdate": POSTS}

    article = read(f"<article><h1>{HEADLINE}</h1><p>{INTRODUCTION}</p><div id=live></div></article>", data)

    assert [(paragraph.post, paragraph.kind) for paragraph in article.body[:3]] == [
        (None, ParagraphKind.PARAGRAPH),
        (1, ParagraphKind.HEADING),
        (1, ParagraphKind.PARAGRAPH),
    ]
    assert article.body[-1].text == "At hour 4 they voted on part 4."
    assert article.genre == "live"


def test_posts_that_the_page_shows_are_not_told_twice() -> None:
    data = {"@type": "LiveBlogPosting", "headline": HEADLINE, "liveBlogUpdate": POSTS}
    shown = "".join(
        f"<section><time>1{n}:05</time><p>At hour {n} they voted on part {n}. {PARTS[0]} {n}</p></section>" for n in range(1, 5)
    )

    article = read(f"<article><h1>{HEADLINE}</h1><p>{INTRODUCTION}</p>{shown}</article>", data)

    assert len(article.body) == 5


@pytest.mark.parametrize(
    ("headline", "text"),
    [
        ("市议会批准在河上修建新桥", "经过九个小时的辩论，市议会星期二批准修建一座大桥，居民自1998年以来一直要求修建这座桥。"),
        (
            "市議会、川に架かる新しい橋を承認",
            "九時間に及ぶ議論の末、市議会は火曜日、住民が1998年から求めてきた橋の建設を承認した。",
        ),
        (
            "부산 앞바다에서 등대 다시 불 밝혀",
            "부산 앞바다의 작은 섬에 있는 백 년 된 등대가 이 년간의 보수를 마치고 토요일 밤 다시 불을 밝혔다고 당국이 알렸다.",
        ),
    ],
)
def test_news_of_one_sentence_is_an_article_in_scripts_that_need_few_characters(headline: str, text: str) -> None:
    assert read(f"<article><h1>{headline}</h1><p>{text}</p></article>", title=headline).text == text


def test_a_table_that_is_set_as_a_figure_is_read() -> None:
    rows = "".join(f"<tr><td>Team {n}</td><td>{n}</td><td>{n * 7}</td></tr>" for n in range(1, 5))
    table = f"<figure class=wp-block-table><table><tbody>{rows}</tbody></table></figure>"

    article = read(
        f"<article><h1>{HEADLINE}</h1><p>{INTRODUCTION}</p><p>{PARTS[0]}</p>{table}<p>{PARTS[1]}</p><p>{PARTS[2]}</p></article>"
    )

    assert sum(paragraph.kind is ParagraphKind.TABLE_ROW for paragraph in article.body) == 4
