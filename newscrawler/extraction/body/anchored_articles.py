"""Several articles on one page, each with an anchor of its own: `/november.html#bridge`.

Two signs are taken: `article` elements that have an id, and anchors to which other pages link. Each must hold a headline,
paragraphs and a time of its own, and lead to no page of its own: the others are teasers. A headline above all of them is that of
a live blog, or of an article with chapters; there only what other pages link to counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from urllib.parse import unquote, urldefrag, urljoin

from lxml import etree

from newscrawler.extraction.body.page_kind import read_declared_kind
from newscrawler.page import Document, join_text, squeeze

#: Fewer articles are none of several; a page with more is cut off.
LEAST_ANCHORED, MOST_ARTICLES = 2, 200
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchoredArticle:
    """One article of a page of several, as a page of its own."""

    headline: str
    #: Its address ends in the anchor.
    page: Document


def find_anchored_articles(page: Document, linked: frozenset[str] = frozenset()) -> tuple[AnchoredArticle, ...]:
    """Return the articles of a page of several; empty: it is no such page.

    `linked`: anchors of the page to which other pages link.
    """
    if (
        page.url is None
        or not (linked or len(list(page.body.iter("article"))) >= LEAST_ANCHORED)
        or read_declared_kind(page).article
    ):
        return ()
    boxes = {anchor: box for anchor in sorted(linked) if (box := _find_box(page, anchor))}
    found = _read(page, boxes)
    outside = (heading for heading in page.body.iter("h1") if next(heading.iterancestors("article"), None) is None)
    if len(found) < LEAST_ANCHORED and next(outside, None) is None:
        found = _read(page, dict(_find_identified(page)))
    return found if len(found) >= LEAST_ANCHORED else ()


def _find_identified(page: Document) -> Iterator[tuple[str, list[etree._Element]]]:
    """Yield the outermost article elements by their anchors."""
    for element in page.body.iter("article"):
        anchor = element.get("id") or next((each.get("id") for each in element.iter(*_HEADINGS)), None)
        if anchor and next(element.iterancestors("article"), None) is None:
            yield anchor, [element]


def _find_box(page: Document, anchor: str) -> list[etree._Element]:
    """Return the elements of the article at an anchor: one that holds it all, or a heading and what follows it."""
    target = next((each for each in page.body.iter() if anchor in {each.get("id"), each.get("name")}), None)
    while target is not None and target.tag not in _HEADINGS and next(target.iter(*_HEADINGS), None) is None:
        following, parent = target.getnext(), target.getparent()  # an empty `a` in or before the heading
        target = following if following is not None and following.tag in _HEADINGS else parent
        if target is page.body:
            return []
    if target is None or target is page.body or target.tag not in _HEADINGS:
        return [] if target is None or target is page.body else [target]
    box = [target]
    for element in target.itersiblings():
        if element.tag in _HEADINGS and element.tag <= target.tag:
            break
        box.append(element)
    return box


def _read(page: Document, boxes: dict[str, list[etree._Element]]) -> tuple[AnchoredArticle, ...]:
    articles = (_make_article(page, anchor, box) for anchor, box in list(boxes.items())[:MOST_ARTICLES])
    return tuple(article for article in articles if article is not None)


def _make_article(page: Document, anchor: str, box: list[etree._Element]) -> AnchoredArticle | None:
    heading = next((each for top in box for each in top.iter(*_HEADINGS)), None)
    headline = join_text(heading) if heading is not None else ""
    size = sum(len(join_text(each)) for top in box for each in top.iter("p"))  # less is a teaser
    timed = any(True for top in box for _ in top.iter("time"))
    if heading is None or not headline or size < 300 or not timed or _is_link_elsewhere(page, box, heading):
        return None
    inner = "".join(etree.tostring(each, encoding="unicode", method="html", with_tail=each is not box[-1]) for each in box)
    shown = etree.tostring(heading, encoding="unicode", method="html", with_tail=False)
    body = inner.replace(shown, f"<h1>{escape(headline)}</h1>", 1)
    language = escape(page.declared_language or "")
    html = f"<!doctype html><html lang='{language}'><head><title>{escape(headline)}</title></head><body>{body}</body></html>"
    return AnchoredArticle(headline=headline, page=Document.parse(html, f"{urldefrag(page.url or '').url}#{anchor}"))


def _is_link_elsewhere(page: Document, box: list[etree._Element], heading: etree._Element) -> bool:
    """Tell a teaser: its headline or its time is a link to another page, or its text ends with such a link."""
    here = urldefrag(page.url or "").url
    links = [each for top in box for each in top.iter("a") if each.get("href")]
    away = [link for link in links if urldefrag(urljoin(page.base_url or "", link.get("href") or "")).url != here]
    if any(
        heading in {*link.iter(), *link.iterancestors()} or next(link.iter("time"), None) is not None
        or next(link.iterancestors("time", *_HEADINGS), None) is not None
        for link in away
    ):  # fmt: skip
        return True
    last = join_text(away[-1]) if away and away[-1] is links[-1] else ""
    return bool(last) and squeeze("".join(str(piece) for top in box for piece in top.itertext())).endswith(last)


def find_anchors(page: Document) -> Iterator[tuple[str, str]]:
    """Yield (absolute address without anchor, anchor) of each link to a place within another page."""
    here = urldefrag(page.url or "").url
    for element in page.root.iter("a"):
        href = element.get("href") or ""
        if "#" not in href or href[0] == "#" or "#!" in href:
            continue
        try:
            url, anchor = urldefrag(urljoin(page.base_url or "", href.strip()))
        except ValueError:
            continue
        if anchor and url != here:
            yield url, unquote(anchor)
