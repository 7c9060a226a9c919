"""Whether somebody stands before the page: a challenge that asks whether we are human, or a page that wants consent first.

Both are known by their make, not by their site: hardly a link, few words, and either a part of one of the common challenge
systems or a heading and a button that speak of consent. A page that has a body of its own is none, whatever banner lies over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from newscrawler.errors import PageReason
from newscrawler.languages import pattern
from newscrawler.page.document import Document, visible_text

#: A wall leads to few places and says little; more of either, and it is a page.
MOST_LINKS = 20
MOST_WORDS = 300
#: A challenge alone says no more than this.
FEW_WORDS = 120

#: Names of scripts, frames and elements of systems that bar the way.
_WALL = re.compile(
    r"cf-challenge|cf_chl|challenge-platform|captcha-delivery|px-captcha|awswaf|_incapsula_resource|ddos-guard|captcha-container",
    re.IGNORECASE,
)
#: Of those that stand in forms as well, and in the scripts of whole sites.
_WIDGET = re.compile(r"recaptcha|hcaptcha|h-captcha|turnstile|geetest|friendly-?captcha|arkoselabs|smartcaptcha", re.IGNORECASE)


def barrier_of(page: Document) -> PageReason | None:
    """Say what stands before the page; None: nothing does."""
    links = sum(1 for _ in islice(page.body.iter("a"), MOST_LINKS + 1))
    if links > MOST_LINKS or _is_article(page):
        return None
    words = len(visible_text(page.body).split())
    if words > MOST_WORDS:
        return None
    heading = f"{page.title} {' '.join(visible_text(element) for element in page.body.iter('h1', 'h2'))}".lower()
    if words <= FEW_WORDS:
        asks = pattern("human_check").search
        human = asks(heading) is not None
        if any(_WALL.search(make) or (human and _WIDGET.search(make)) for make in _makes(page)) or asks(page.title.lower()):
            return PageReason.CAPTCHA
    if pattern("consent").search(heading) and any(pattern("accept").search(label.lower()) for label in _buttons(page)):
        return PageReason.CONSENT
    return None


def _is_article(page: Document) -> bool:
    kinds = (str(entry.get("@type")) for entry in page.json_ld)
    return (
        any("Article" in kind or "BlogPosting" in kind for kind in kinds) or page.first_meta("article:published_time") is not None
    )


def _makes(page: Document) -> Iterator[str]:
    """Where scripts, frames and forms lead, and what elements are called."""
    for element in page.root.iter("script", "iframe", "form", "link"):
        yield from (value for key in ("src", "action", "href") if (value := element.get(key)))
        if element.tag == "script" and element.text:
            yield element.text[:5000]
    yield page.all_names


def _buttons(page: Document) -> Iterator[str]:
    """What buttons say."""
    for element in page.body.iter("button", "input", "a"):
        if element.tag == "input":
            if element.get("type") in {"submit", "button"}:
                yield element.get("value") or ""
        else:
            yield _label(element)


def _label(element: etree._Element) -> str:
    return visible_text(element)[:60]
