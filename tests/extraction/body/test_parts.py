"""Lists, quotations, posts and panels between the paragraphs of a text belong to it, though each of their lines is unlikely."""

from __future__ import annotations

import pytest
from extraction.test_guises import BYLINE, TEXT, make_page, read

ITEMS = ("Trams: every half hour", "Buses: every hour", "Ferry: twice a night")
SPOKEN = "I doubt that anybody will take the tram at two in the morning."


def read_body(within: str, head: str = "") -> str:
    return read(make_page(head=head, header=BYLINE, within=within)).body


@pytest.mark.parametrize(
    "form",
    [
        "<ul><li>{0}<ul><li>{1}</li><li>{2}</li></ul></li></ul>",
        "<dl><dt>{0}</dt><dd>{1}</dd><dt>Across the water</dt><dd>{2}</dd></dl>",
        "<ol><li><p>{0}</p></li><li><p>{1}</p></li><li><p>{2}</p></li></ol>",
    ],
)
def test_a_list_between_paragraphs_is_whole(form: str) -> None:
    body = read_body(form.format(*ITEMS))

    assert [item for item in ITEMS if item not in body] == []


def test_a_list_with_pictures_or_links_is_not_added() -> None:
    with_links = "".join(f'<li><a href="/{number}">{item}</a></li>' for number, item in enumerate(ITEMS))
    with_pictures = "".join(f'<dt><img src="/{number}.jpg"></dt><dd>{item}</dd>' for number, item in enumerate(ITEMS))

    assert not any(item in read_body(f"<ul>{with_links}</ul><dl>{with_pictures}</dl>") for item in ITEMS)


def test_an_embedded_post_belongs_to_the_text() -> None:
    writer = '&mdash; Mo Tan (@mo) <a href="https://x.example/s/1">5 Mar 2024</a>'

    assert SPOKEN in read_body(f'<blockquote class="twitter-tweet"><p>{SPOKEN}</p>{writer}</blockquote>')


def test_a_sentence_that_is_repeated_large_is_not_added() -> None:
    assert read_body(f"<blockquote><p>{TEXT[0][:60]}</p></blockquote>").count(TEXT[0][:60]) == 1


def test_posts_of_a_live_blog_without_headings_are_text_but_not_their_times() -> None:
    posts = "".join(f'<article class="item"><span>1{n}:05</span><div>{TEXT[n]}</div></article>' for n in (1, 2, 3))

    body = read(make_page(header=BYLINE, end=posts, paragraphs=1)).body

    assert [text for text in TEXT if text not in body] == []
    assert "11:05" not in body


@pytest.mark.parametrize(
    ("part", "style"),
    [
        ('<span class="elementor-screen-only">X</span>', ""),
        ('<span class="q9">X</span>', ".q9{position:absolute;left:-9999px}"),
        ('<span class="q9">X</span>', ".q9{display:inline-block;text-indent:-9999px}"),
    ],
)
def test_words_beyond_the_screen_are_no_part_of_a_line(part: str, style: str) -> None:
    line = f'<p>So wrote the <a href="/x">Harbour Weekly</a>{part} on Sunday, citing two people from the authority.</p>'

    assert "opens in" not in read_body(line.replace("X", "(opens in a new tab)"), f"<style>{style}</style>")


def test_a_question_whose_microdata_hides_the_answer_is_whole() -> None:
    answer = '<div itemprop="acceptedAnswer" style="display:none"><div>{}</div></div>'
    item = f'<div itemprop="mainEntity"><h3 itemprop="name">{{}}</h3>{answer}</div>'
    items = "".join(item.format(f"And question {number}?", text) for number, text in enumerate(TEXT[2:]))

    body = read(make_page(header=BYLINE, paragraphs=2, end=f"<section>{items}</section>")).body

    assert [text for text in TEXT if text not in body] == []


def test_short_initials_in_brackets_close_no_text() -> None:
    assert "hf/mo" not in read(make_page(header=BYLINE, end="<p>(hf/mo)</p>")).body


def test_an_article_element_behind_the_text_is_the_next_article() -> None:
    others = (
        "The lake district has ordered two electric boats for its northern line.",
        "The first of them comes in May, the second in autumn.",
    )
    article = f"<article><h2>Ferry company buys boats</h2><div>{''.join(f'<p>{text}</p>' for text in others)}</div></article>"

    body = read(make_page(header=BYLINE, below=article)).body

    assert not any(text in body for text in others)
