"""Pages of a made-up portal: one layout, any number of articles, with what portals put into them."""

from __future__ import annotations

import random

NOUNS = "council bridge winter school garden market engine museum doctor forest island harbour station library orchard".split()  # noqa: SIM905
VERBS = "opens closes repairs visits praises rebuilds paints sells inspects rescues measures borrows".split()  # noqa: SIM905
PLACES = "valley town village district region county parish quarter suburb province".split()  # noqa: SIM905
#: A line that reads like an article's and stands in every one.
PROMOTION = "Our reporters are in the valley every day, and they are glad of every letter that their readers send to them."


def sentence(article: int, number: int) -> str:
    dice = random.Random(f"{article} {number}")
    noun, verb, place = dice.sample(NOUNS, 4), dice.sample(VERBS, 2), dice.sample(PLACES, 2)
    return (
        f"The {noun[0]} of the {place[0]} {verb[0]} the {noun[1]} for {dice.randint(11, 99)} days, while the {noun[2]} {verb[1]} "
        f"the {noun[3]} in the {place[1]} without a word of complaint."
    )


def headline(article: int) -> str:
    dice = random.Random(f"headline {article}")
    return f"The {dice.choice(NOUNS)} {dice.choice(VERBS)} the {dice.choice(NOUNS)} of the {dice.choice(PLACES)} {article}"


def paragraphs_of(article: int, count: int = 6) -> list[str]:
    return [f"{sentence(article, 2 * number)} {sentence(article, 2 * number + 1)}" for number in range(count)]


def page(
    article: int, *, count: int = 6, promoted: bool = True, inner: str = "", container: str = "story-text", head: str = "",
    author: str = "",
) -> str:  # fmt: skip
    """One article; `inner` goes between its paragraphs, `head` into the head of the page."""
    texts = paragraphs_of(article, count)
    body = "".join(f"<p>{text}</p>{inner}" for text in texts) + (f"<p>{PROMOTION}</p>" if promoted else "")
    menu = "".join(f"<li><a href='/section-{name}'>{name.title()}</a></li>" for name in PLACES[:6])
    related = "".join(f"<li><a href='/{article}{n}'>{headline(article * 100 + n)}</a></li>" for n in range(4))
    return (
        f"<html lang=en><head><title>{headline(article)} | Valley News</title>{head}</head><body><ul class=menu>{menu}</ul>"
        f"<div class='page wide'><h1 class='story-title size-{article}'>{headline(article)}</h1>"
        f"<div class=story-meta><span class=written-by>{author}</span><time datetime='2026-02-{article % 27 + 1:02}T08:00:00Z'>"
        f"{article % 27 + 1} February 2026</time></div>"
        f"<div class='{container}'>{body}</div><h3>More</h3><ul class=more>{related}</ul></div>"
        "<div class=foot><p>Valley News is printed by the Valley Press, Mill Lane 4, and answers letters on Mondays.</p></div>"
        "</body></html>"
    )


def listing(number: int) -> str:
    cards = "".join(
        f"<article class=card><h2><a href='/{n}'>{headline(number * 100 + n)}</a></h2><p>{sentence(number, n)}</p></article>"
        for n in range(12)
    )
    head = f"<html lang=en><head><title>News, page {number} | Valley News</title></head>"
    menu = "".join(f"<li><a href='/{name.lower()}/'>{name}</a></li>" for name in ("News", "Sport", "Culture", "Opinion"))
    pages = "".join(f"<a href='/news/{n}'>{n}</a> " for n in range(1, 9))
    around = f"<header><a href='/'>Valley News</a><nav><ul>{menu}</ul></nav></header><h1>News</h1>"
    return f"{head}<body class=archive>{around}<div class=cards>{cards}</div><nav>{pages}</nav></body></html>"
