"""Disturbed copies of labelled pages: boilerplate of other pages put between, and behind, the paragraphs of an article.

Public data sets hold few pages with a caption, a sign-up box or another story in the middle of the text; without them a model
trusts the text more than its name. They hold fewer pages whose captions and comments nothing names; without those a model trusts
names alone. Such are put into copies without a class, id or role anywhere, and into copies that keep theirs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from html import escape
from itertools import islice

from lxml import etree

from newscrawler.languages import words as words_of_topic
from training.sitegen.unnamed import UnnamedForms, comments_of

INSERTS: tuple[str, ...] = (
    '<div class="ad banner">{text}</div>', '<div class="advertisement"><p>{text}</p></div>', '<p class="ad-label">{short}</p>',
    '<aside class="newsletter-box"><h3>{short}</h3><p>{text}</p></aside>', '<div class="newsletter">{text}</div>',
    '<div class="signup-promo"><p><strong>{short}</strong></p><p>{text}</p></div>', '<p class="promo">{text}</p>',
    '<div class="related"><p>{short}</p><ul><li><a href="/a/1">{text}</a></li><li><a href="/a/2">{short}</a></li></ul></div>',
    '<div class="read-more"><strong>{short}:</strong> <a href="/a/3">{text}</a></div>', '<p class="subscribe">{text}</p>',
    '<p><strong>{short}:</strong> <a href="/a/3">{text}</a></p>', '<p><a href="/a/4">{text}</a></p>',
    '<figure><img src="a.jpg"><figcaption>{text}</figcaption></figure>', '<p class="caption">{text}</p>',
    '<div><img src="a.jpg"><p>{text}</p></div>', '<div><img src="a.jpg"><span>{text}</span></div>',
    '<p class="image-credit">{short}</p>', '<p class="comment-text">{text}</p>', '<p class="related-story">{text}</p>',
    '<p class="wp-caption-text">{text}</p>', '<div class="image"><img src="a.jpg"><span class="caption">{text}</span></div>',
    '<div class="sponsored-content"><p>{text}</p></div>', '<blockquote class="pullquote"><p>{repeated}</p></blockquote>',
    '<aside class="pull-quote">{repeated}</aside>', '<div class="quote-box pullquote">{repeated}</div>',
    '<div class="author-bio"><p>{text}</p></div>', '<div class="cookie-notice"><p>{text}</p></div>',
    '<div class="share-bar"><p>{short}</p></div>', "<aside><p>{text}</p></aside>", "<form><p>{text}</p><input></form>",
    '<div class="modal" hidden><p>{text}</p></div>', '<div style="display:none"><p>{text}</p></div>',
)  # fmt: skip
TAILS: tuple[str, ...] = (
    '<div class="comments"><h3>{short}</h3>{comments}</div>', '<section id="comments"><ol>{comments}</ol></section>',
    "<div><h4>{short}</h4>{comments}</div>", "<div><h3>{heading}</h3>{comments}</div>",
    "<section><h2>{heading}</h2>{comments}</section>", "<h3>{heading}</h3><div>{comments}</div>",
    "<div><p>{heading}</p>{comments}</div>",
    '<div id="onetrust-consent-sdk"><p>{text}</p><p>{text2}</p></div>',
    '<div class="cookie-consent"><h3>{short}</h3><p>{text}</p><p>{text2}</p></div>',
    '<article><h2><a href="/b/1">{short}</a></h2><p>{text}</p><p>{text2}</p></article>',
    '<div class="next-story"><h1>{short}</h1><p>{text}</p><p>{text2}</p><p>{text3}</p></div>',
    "<article><h1>{short}</h1><p>{text}</p><p>{text2}</p><p>{text3}</p><p>{text4}</p></article>",
    '<div class="about-author"><p>{text}</p></div>', "<footer><p>{text}</p></footer>", "<div><p>{text}</p></div>",
)  # fmt: skip
COMMENT = (
    '<li class="comment"><b>{short}</b><p>{text}</p></li>', "<div><b>{short}</b> <p>{text}</p></div>",
    "<div><div><b>{short}</b> <small>{number}.3.2026 1{digit}:20</small></div><p>{text}</p></div>", "<p><b>{short}:</b> {text}</p>",
)  # fmt: skip
_PARSER = etree.HTMLParser(encoding="utf-8")


def put_in(spots: Sequence[etree._Element], strangers: Sequence[str], rng: random.Random) -> None:
    """Put pieces behind some of the paragraphs of an article, and now and then one behind all of it."""
    for spot in rng.sample(list(spots[:-1]), min(4, len(spots) - 1)):
        repeated = re.split(r"(?<=[.!?]) ", " ".join("".join(map(str, rng.choice(spots).itertext())).split()))[0]
        spot.addnext(_element(rng.choice(INSERTS), strangers, rng, repeated))
    if rng.random() < 0.6:
        around = spots[-1].getparent()
        level = rng.choice((0, 0, 1, 2))
        for _ in range(level):
            outer = around.getparent() if around is not None else None
            around = outer if outer is not None and outer.tag not in ("html", "body") else around
        if around is not None:
            around.append(_element(rng.choice(TAILS), strangers, rng, ""))


#: Attributes that name an element.
_NAMES = ("class", "id", "role", "itemprop", "itemtype", "aria-label", "data-testid", "data-component")
#: Elements whose tag says what they hold.
_TELLING = ("article", "section", "main", "aside", "header", "footer", "nav", "figure", "figcaption")
_MOST_CAPTIONS, _SHORTENED, _LONGEST_TEXT = 3, 0.4, 320


def remove_names(body: etree._Element, *, tags: bool) -> None:
    """Remove all class names, ids and roles from a page, and where `tags` is set the tags that name what an element holds."""
    for element in body.iter("*"):
        for name in _NAMES:
            if name in element.attrib:
                del element.attrib[name]
        if tags and element.tag in _TELLING:
            element.tag = "div"


def put_in_unnamed(spots: Sequence[etree._Element], strangers: Sequence[str], rng: random.Random) -> list[etree._Element]:
    """Put captions between the paragraphs of an article, and comments behind it, that no name tells from text.

    Of some articles few paragraphs are left, so that the comments are longer. Returns the elements that were put in.
    """
    put: list[etree._Element] = []
    kept = list(spots)
    if rng.random() < _SHORTENED:
        first = rng.randint(2, 4)
        for spot in spots[first:-1]:
            _remove(spot)
        kept = [*spots[:first], spots[-1]]
    forms = UnnamedForms.draw(rng)
    for spot in rng.sample(kept[:-1], min(rng.randint(0, _MOST_CAPTIONS), len(kept) - 1)):
        put += _put_behind(spot, forms.caption_of(escape(_caption(strangers, rng))))
    if rng.random() < 0.7:
        names = [" ".join(text.split()[: rng.randint(1, 2)]) for text in rng.sample(list(strangers), 12)]
        comments = [(escape(who), escape(text)) for who, text in islice(comments_of(strangers, names, rng), 14)]
        place = spots[-1]
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            outer = place.getparent()
            place = outer if outer is not None and outer.tag != "body" and outer.getparent() is not None else place
        put += _put_behind(place, forms.section_of(comments, rng))
    return put


def _caption(strangers: Sequence[str], rng: random.Random) -> str:
    text = rng.choice(strangers)[:_LONGEST_TEXT]
    if rng.random() < 0.5:
        text = re.split(r"(?<=[.!?。]) ", text)[0]
    if rng.random() < 0.3:
        credit = rng.choice(sorted(phrase.strip("*") for phrase in words_of_topic("photo"))).capitalize()
        text += f" {credit}: {' '.join(rng.choice(strangers).split()[:2])}"
    return text


def _put_behind(spot: etree._Element, html: str) -> list[etree._Element]:
    """Put HTML of several elements behind an element, and return these."""
    body = etree.fromstring(f"<html><body>{html}</body></html>".encode(), _PARSER)[0]
    elements = list(body)
    for element in reversed(elements):
        spot.addnext(element)
    return elements


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None and not (element.tail or "").strip():
        parent.remove(element)


def _element(form: str, strangers: Sequence[str], rng: random.Random, repeated: str) -> etree._Element:
    def words() -> str:
        return " ".join(rng.choice(strangers).split()[: rng.randint(2, 7)])

    shape = rng.choice(COMMENT)
    comments = "".join(
        shape.format(short=escape(words()), text=escape(rng.choice(strangers)), number=number, digit=number % 10)
        for number in range(1, rng.randint(3, 15))
    )
    heading = rng.choice(sorted(phrase.strip("*") for phrase in words_of_topic("comments"))).capitalize()
    heading += rng.choice(("", f" ({rng.randint(1, 90)})"))
    texts = {name: escape(rng.choice(strangers)) for name in ("text", "text2", "text3", "text4")}
    source = form.format(heading=escape(heading), short=escape(words()), repeated=escape(repeated), comments=comments, **texts)
    return etree.fromstring(f"<html><body>{source}</body></html>".encode(), _PARSER)[0][0]
