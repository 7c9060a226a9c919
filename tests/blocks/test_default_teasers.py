"""Summaries of other pages below an article, or in a box amid it, are left out; lists as articles keep their entries."""

from __future__ import annotations

import pytest

from newscrawler import extract

HEADLINE = "Rescuers dig two skiers out of an avalanche"
PARTS = (
    "Two skiers whom an avalanche had buried on Sunday afternoon were dug out alive by mountain rescuers within an hour.",
    "One of the men was covered in part only and was able to call for help, said Peter Beran, who heads the service.",
    "The other one was found thanks to his beacon; after half an hour the chance to survive sinks quickly, he added.",
    "A helicopter took both of them to the hospital of the county town, where they are treated for frostbite.",
)
OTHERS = (
    (
        "Cold as never before on the highest summit",
        "The thermometer fell below minus thirty, and the wind blew at more than a hundred.",
    ),
    (
        "Cable car stays closed until spring",
        "A part that only one firm in Austria makes has to be replaced before it may run again.",
    ),
    (
        "Wolves seen near the village once more",
        "Shepherds ask for help, since they have lost forty sheep within only two weeks of autumn.",
    ),
)


def texts(article: str) -> list[str]:
    head = f"<title>{HEADLINE} | Courier</title><meta property=og:type content=article>"
    html = f"<html><head>{head}</head><body><main>{article}</main></body></html>"
    return [paragraph.text for paragraph in extract(html, "https://courier.example/2026/avalanche-4711.html").body]


def p(*parts: str) -> str:
    return "".join(f"<p>{part}</p>" for part in parts)


def cards(form: str) -> str:
    return "".join(form.format(url=f"/2026/other-{n}.html", title=title, text=text) for n, (title, text) in enumerate(OTHERS))


CARDS = "<article><h3><a href='{url}'>{title}</a></h3><p>{text}</p></article>"


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize(
    "form",
    [
        CARDS,
        "<div class=k1><a href='{url}'><h2>{title}</h2></a><div class=k2>{text}</div></div>",
        "<h4><a href='{url}'>{title}</a></h4><p>{text}</p>",
    ],
    ids=["article elements", "boxes", "one box for all"],
)
def test_summaries_below_an_article_are_left_out_however_short_it_is(form: str, count: int) -> None:
    article = f"<div class=k0><h1>{HEADLINE}</h1>{p(*PARTS[:count])}</div><section>{cards(form)}</section>"

    assert texts(article) == list(PARTS[:count])


def test_summaries_between_two_parts_of_an_article_are_left_out() -> None:
    box = f"<div class=k5>{cards(CARDS)}</div>"

    assert texts(f"<h1>{HEADLINE}</h1><div>{p(*PARTS[:2])}</div>{box}<div>{p(*PARTS[2:])}</div>") == list(PARTS)


@pytest.mark.parametrize("host", ["", "https://elsewhere.example"])
def test_a_list_as_article_keeps_entries_whose_headings_are_links(host: str) -> None:
    entries = "".join(f"<h2><a href='{host}/place/{n}'>Place number {n}</a></h2><p>{text}</p>" for n, text in enumerate(PARTS))

    assert texts(f"<h1>{HEADLINE}</h1><p>{OTHERS[0][1]} {OTHERS[1][1]}</p>{entries}")[-1] == PARTS[-1]
