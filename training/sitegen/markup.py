"""The markup of a generated site: what elements a role ("teaser", "byline", "caption" …) is written with.

A layout file holds `frame` (the page's body as a template of $header, $main, $sidebar, $footer), `naming` (how elements without a
class get one) and `[roles]` in a short notation: "div.post[itemprop=articleBody]>div.inner" is a div in a div, the text in the
inner one. "&<br><br>" is the text followed by two line breaks, without an element.
"""

from __future__ import annotations

import hashlib
import random
import re
import tomllib
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template
from typing import Any

LAYOUTS = Path(__file__).parent / "layouts"
_PART = re.compile(r"([.#])([^.#\[]+)|\[([^\]=]+)(?:=([^\]]*))?\]")
_TAG = re.compile(r"([\w-]+)(.*)")
_STEP = re.compile(r">(?![^\[]*\])")

#: Elements of a page in semantic HTML5; a layout names what it writes in another way.
ROLES: dict[str, str] = {
    "header": "header", "logo": "div", "tagline": "p", "nav": "nav>ul", "nav-item": "li", "search": "form",
    "breadcrumb": "nav", "main": "main", "sidebar": "aside", "footer": "footer", "footer-text": "p", "cookies": "div",
    "box": "section", "box-title": "h2", "box-list": "ul", "box-item": "li", "button": "button", "social": "div",
    "listing": "section", "listing-title": "h1", "listing-intro": "p", "teasers": "div", "teaser": "article", "teaser-image": "div",
    "teaser-kicker": "span", "teaser-title": "h2", "teaser-text": "p", "teaser-meta": "div", "teaser-date": "time",
    "teaser-author": "span", "teaser-more": "div", "pager": "nav", "pager-link": "span",
    "article": "article", "kicker": "p", "headline": "h1", "lead": "p", "byline": "div", "author": "span", "date": "time",
    "body": "div", "p": "p", "h2": "h2", "ul": "ul", "li": "li", "quote": "blockquote", "figure": "figure", "caption": "figcaption",
    "ad": "div", "inline-box": "aside", "newsletter": "form", "tags": "div", "tag": "span", "tools": "ul", "tool": "li",
    "bio": "div", "related": "section", "comments": "section", "comments-title": "h2", "comment": "div", "comment-head": "div",
    "comment-text": "p", "text": "section", "text-title": "h1", "message": "p", "form": "form", "field": "p",
    "player": "div", "media-text": "p", "media-meta": "p", "slide": "figure", "price": "p", "product": "div", "product-text": "p",
    "spec": "table", "offers": "div", "offer": "div", "post": "div", "post-head": "div", "post-text": "div",
}  # fmt: skip
_PLAIN = {"header", "nav", "main", "article", "section", "aside", "footer", "figure", "figcaption", "time", "blockquote"}
_UTILITIES = (
    "flex", "grid", "gap-4", "mt-2", "mb-4", "px-4", "py-2", "text-sm", "text-lg", "font-bold", "leading-relaxed", "text-gray-700",
    "rounded-lg", "border-b", "w-full", "md:w-2/3", "max-w-prose", "tracking-tight", "uppercase", "hover:underline",
)  # fmt: skip


def load_layout(name: str, folder: Path = LAYOUTS) -> dict[str, Any]:
    """Read a layout file."""
    return tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))


@dataclass(frozen=True, kw_only=True)
class Markup:
    """The elements of one site."""

    layout: dict[str, Any]
    #: Makes hashed and utility classes differ from site to site.
    seed: str
    _steps: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def __call__(self, role: str, html: str, **attributes: str) -> str:
        """Wrap HTML in the elements of a role; attributes go to the innermost."""
        if role not in self._steps:
            self._steps[role] = list(self._parse(role))
        given = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items())
        for number, (tag, own) in enumerate(reversed(self._steps[role])):
            html = html + tag[1:] if tag.startswith("&") else f"<{tag}{own}{given if number == 0 else ''}>{html}</{tag}>"
        return html

    def frame(self, **parts: str) -> str:
        """Fill the page's body."""
        return Template(self.layout["frame"]).substitute(parts)

    def _parse(self, role: str) -> list[tuple[str, str]]:
        notation = self.layout.get("roles", {}).get(role)
        given = notation is not None
        notation = notation or ROLES[role]
        if notation.startswith("&"):
            return [(notation, "")]
        steps = []
        for number, step in enumerate(_STEP.split(notation)):
            tag, rest = _TAG.match(step).groups()  # type: ignore[union-attr]
            if not given and self.layout.get("plain") and tag in _PLAIN:
                tag = "span" if tag == "time" else "div"
            steps.append((tag, self._attributes(rest, role, number)))
        return steps

    def _attributes(self, notation: str, role: str, number: int) -> str:
        classes: list[str] = []
        others: list[str] = []
        for sign, word, name, value in _PART.findall(notation):
            if sign == ".":
                classes.append(word)
            elif sign == "#":
                others.append(f' id="{word}"')
            else:
                others.append(f' {name}="{escape(value)}"' if value else f" {name}")
        if not classes and (named := self._class_of(role, number)):
            classes.append(named)
        return (f' class="{" ".join(classes)}"' if classes else "") + "".join(others)

    def _class_of(self, role: str, number: int) -> str:
        block, _, element = role.partition("-")
        naming = self.layout.get("naming", "none")
        key = hashlib.sha256(f"{self.seed} {role} {number}".encode()).hexdigest()
        if naming == "bem":
            return f"c-{block}__{element or 'inner'}" if element or number else f"c-{block}"
        if naming == "modules":
            return f"{block.title()}_{element or 'root'}__{key[:5]}"
        if naming == "hashed":
            return f"sc-{key[:6]} {key[6:11]}"
        if naming == "utilities":
            dice = random.Random(key)
            return " ".join(dice.sample(_UTILITIES, 2 + len(key) % 3))
        return "" if naming == "none" else role
