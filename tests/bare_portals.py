"""Small and old portals without JSON-LD, classes or feeds: pages of bare HTML in four languages, and which of them are articles."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odd_sites import OddSite, Routes

#: By language: headlines of stories and of service pages, each with its sentences, and words of menus.
TEXTS: Mapping[str, Any] = json.loads((Path(__file__).parent / "data/bare_portals.json").read_text("utf-8"))
Page = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BarePortal:
    """A small portal: how its pages are addressed, linked and laid out."""

    language: str
    #: Of stories: {n} counts them, {id} with gaps; {slug} is the headline, {word} a word of it, {day} of two digits.
    address: str
    #: Of the pages that are no stories; of sections and tags with {word}.
    gallery: str = "/galerie.html"
    about: str = "/about.html"
    terms: str = "/terms.html"
    #: A page for readers whose name says nothing.
    service: str = "/p17.html"
    section: str | None = None
    tag: str | None = None
    #: The only page to which the front page links, with the list of stories.
    only: str | None = None
    stories: int = 8
    #: Sentences of a story, and of a paragraph.
    sentences: int = 5
    a_paragraph: int = 1
    #: Text of links to stories: headline, file, more, date.
    link: str = "headline"
    #: How pages are laid out: plain, table, font, main.
    layout: str = "plain"
    #: How stories are listed: list, menu, teasers, rows.
    listed: str = "list"
    #: Stories show their dates.
    dated: bool = True
    #: Words of a headline.
    words: int = 20

    def make_site(self) -> OddSite:
        """Return the portal with its pages, and the paths of its stories."""
        paths = [self._make_path(n, story[0]) for n, story in enumerate(self._texts["stories"][: self.stories], 1)]
        return OddSite(f"bare, {self.language}: {self.address}", self._make_routes(paths), articles=tuple(paths))

    @property
    def _texts(self) -> Mapping[str, Any]:
        texts = TEXTS[self.language]
        return {**texts, "stories": [[" ".join(story[0].split()[: self.words]), *story[1:]] for story in texts["stories"]]}

    def _make_path(self, n: int, headline: str) -> str:
        slug = make_slug(headline)
        word = max(slug.split("-"), key=len)
        return self.address.format(n=n, id=1000 + 7 * n, slug=slug, word=word, day=f"{n:02}", capitals=word.upper())

    def _make_routes(self, paths: Sequence[str]) -> Routes:
        texts, words = self._texts, self._texts["words"]
        pages = {self.about: texts["about"], self.terms: texts["terms"], self.service: texts["service"]}
        sections = {self.section.format(word=make_slug(words[name])): words[name] for name in _SECTIONS} if self.section else {}
        menu = {"/": words["home"], **sections, self.gallery: words["gallery"], **{path: page[0] for path, page in pages.items()}}
        listed = [self._list_story(path, n) for n, path in enumerate(paths)]
        routes: Routes = {path: self._make_page(menu, page[0], _show(page)) for path, page in pages.items()}
        routes |= {path: self._make_list(menu, name, listed[number::2]) for number, (path, name) in enumerate(sections.items())}
        routes |= {path: self._make_page(menu, texts["stories"][n][0], self._show_story(n)) for n, path in enumerate(paths)}
        if self.tag:
            routes[self.tag] = self._make_list(menu, words["tag"], listed[::3])
            menu[self.tag] = words["tag"]
        pictures = "".join(f"<p><img src='/p{n}.jpg' width=400><br>{words['caption']} ({n})</p>" for n in range(1, 13))
        routes[self.gallery] = self._make_page(menu, words["gallery"], f"<h1>{words['gallery']}</h1>{pictures}")
        routes["/"] = self._make_list(menu, texts["name"], listed[:2] if sections else listed)
        if self.only:
            routes[self.only] = self._make_list(menu, words["news"], listed)
            routes["/"] = f"<title>{texts['name']}</title><h1>{texts['name']}</h1><a href='{self.only}'>{words['news']}</a>"
        return routes

    def _list_story(self, path: str, n: int) -> str:
        headline, first, *_ = self._texts["stories"][n]
        date = f"{3 + n}.11.2026"
        text = {"headline": headline, "file": path.rpartition("/")[2], "more": self._texts["more"], "date": date}[self.link]
        shown = f"<a href='{path}'>{text}</a>"
        if self.link in {"more", "date"}:
            shown = f"<b>{headline}</b> {shown}"
        if self.listed == "teasers":
            return f"<p>{shown}<br>{first}</p>"
        return f"<tr><td>{date}</td><td>{shown}</td></tr>" if self.listed == "rows" else f"<li>{shown}</li>"

    def _make_list(self, menu: Mapping[str, str], title: str, listed: Sequence[str]) -> str:
        around = {"list": "<ul>{}</ul>", "menu": "<nav><ul>{}</ul></nav>", "teasers": "{}", "rows": "<table>{}</table>"}[
            self.listed
        ]
        return self._make_page(menu, title, f"<h1>{title}</h1>{around.format(''.join(listed))}")

    def _show_story(self, n: int) -> str:
        headline, *sentences = self._texts["stories"][n][: self.sentences + 1]
        parts = [" ".join(sentences[k : k + self.a_paragraph]) for k in range(0, len(sentences), self.a_paragraph)]
        date = f"{3 + n}.11.2026" if self.dated else ""
        if self.layout == "font":
            return f"<font size=5><b>{headline}</b></font><br>{date}<br><br>{'<br><br>'.join(parts)}"
        return _show([headline, *filter(None, [date]), *parts])

    def _make_page(self, menu: Mapping[str, str], title: str, content: str) -> str:
        name = self._texts["name"]
        links = " | ".join(f"<a href='{path}'>{text}</a>" for path, text in menu.items())
        shown = {
            "table": f"<table width=800><tr><td>{links.replace(' | ', '<br>')}</td><td>{content}</td></tr></table>",
            "main": f"<nav>{links}</nav><main>{content}</main><footer>{name}</footer>",
        }.get(self.layout, f"<p>{links}</p>{content}<hr><p>{name}</p>")
        head = f"<head><meta charset=utf-8><title>{title} - {name}</title></head>"
        return f"<html lang={self.language}>{head}<body>{shown}</body></html>"


_SECTIONS = ("first section", "second section")


def make_slug(text: str) -> str:
    """Return the words of a text as they are written in addresses."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("ł", "l").replace("ß", "ss")).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def _show(page: Page) -> str:
    return f"<h1>{page[0]}</h1>" + "".join(f"<p>{sentence}</p>" for sentence in page[1:])


PORTALS: Mapping[str, BarePortal] = {
    "numbered": BarePortal(language="en", address="/news-article-{id}.html", stories=4),
    "short": BarePortal(language="en", address="/{slug}.html", sentences=2),
    "file-names": BarePortal(language="de", address="/artikel{n}.htm", link="file", gallery="/bilder.htm", service="/preise.htm"),
    "one-link": BarePortal(language="cs", address="/zprava-{n}.html", only="/zpravy.html", about="/o-nas.html"),
    "sections": BarePortal(
        language="pl", address="/artykuly/{slug}.html", section="/{word}.html", tag="/tag/kolej.html", listed="teasers"
    ),
    "words": BarePortal(language="de", address="/{word}.html", layout="table", listed="rows", terms="/agb.html"),
    "numbers": BarePortal(language="cs", address="/clanek/{n}", layout="main", listed="teasers", gallery="/clanek/99"),
    "read-more": BarePortal(language="pl", address="/aktualnosci/{slug}", link="more", layout="main", sentences=3),
    "undated": BarePortal(language="en", address="/town/{word}", dated=False, listed="teasers", tag="/town/ships"),
    "pages": BarePortal(language="de", address="/seite{n}.html", layout="font", about="/wir.html", gallery="/seite44.html"),
    "notices": BarePortal(language="cs", address="/{slug}", sentences=2, a_paragraph=2, layout="main", section="/{word}"),
    "in-a-menu": BarePortal(language="cs", address="/{slug}/", layout="main", listed="menu", sentences=3),
    "few-words": BarePortal(language="pl", address="/{slug}.html", words=3, sentences=3),
    "query": BarePortal(language="en", address="/index.php?id={id}", gallery="/index.php?id=1", service="/index.php?id=2"),
    "years": BarePortal(language="pl", address="/2026/{word}.html", listed="rows", a_paragraph=2, section="/dzial-{word}.html"),
}  # fmt: skip
