"""The portal: every address it answers, generated in memory; the same anchor, layout and base URL give the same bytes."""

from __future__ import annotations

import calendar
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from newscrawler.demo.address import (
    build_key,
    get_article_path,
    get_author_path,
    get_part_path,
    get_section_path,
    get_short_path,
    get_tag_path,
    print_path,
)
from newscrawler.demo.gold import PublishedArticle, build_gold
from newscrawler.demo.pages import LAYOUTS, Context, get_editions
from newscrawler.demo.story import Dice, Edition, Story, load_edition, write_drafts, write_stories

#: The newsroom's time zone; it applies to dates without an offset.
TIME_ZONE = "Europe/Prague"
#: Paths that robots.txt forbids to all crawlers, as prefixes: the newsroom's pages, the search and the login.
DISALLOWED = ("/internal/", "/search", "/login")
_PER_PAGE = 4
_CALENDAR = re.compile(r"/calendar/(\d{4})/(\d{1,2})/")
_FIRST_YEAR, _LAST_YEAR = 2019, 9998


@dataclass(frozen=True, kw_only=True)
class DemoAnswer:
    """The portal's response to one request."""

    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    content: bytes = b""
    #: The target of a redirect.
    location: str | None = None

    @cached_property
    def etag(self) -> str:
        """Return the validator of the content."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:20]}"'


@dataclass(frozen=True, kw_only=True)
class DemoPortal:
    """A news portal whose dates count back from an anchor, so that its articles are always recent.

    Raises:
        ValueError: a layout that there is not, or an anchor without an offset.
    """

    #: The portal's "now".
    anchor: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))
    #: classic (semantic elements) or modern (nested divs).
    layout: str = "classic"
    #: Without a slash at the end.
    base_url: str = "http://127.0.0.1:8000"
    #: Number of the newest articles that are not published yet; 0 publishes them all.
    held_back: int = 0
    #: Number of stories composed from each material.
    copies: int = 1

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            msg = f"there is no layout {self.layout!r}; choose one of: {', '.join(LAYOUTS)}"
            raise ValueError(msg)
        if self.anchor.tzinfo is None:
            msg = f"the anchor {self.anchor!r} has no offset"
            raise ValueError(msg)

    @cached_property
    def stories(self) -> tuple[Story, ...]:
        """Return all published stories, newest first."""
        return write_stories(self.anchor, TIME_ZONE, self.copies)[self.held_back :]

    @cached_property
    def _unpublished(self) -> tuple[Story, ...]:
        return write_drafts(self.anchor, TIME_ZONE)

    @cached_property
    def _context(self) -> Context:
        by_headline = {(story.edition.code, story.headline): story for story in self.stories}
        return Context(
            anchor=self.anchor.astimezone(self.stories[0].published_at.tzinfo),
            base_url=self.base_url,
            layout=self.layout,
            stories=self.stories,
            by_headline=by_headline,
        )

    def published(self) -> tuple[PublishedArticle, ...]:
        """Return the gold: the articles that a crawl should store, newest first."""
        return tuple(build_gold(story, self._context) for story in self.stories)

    def drafts(self) -> tuple[str, ...]:
        """Return URLs that exist but have no links to them."""
        return tuple(self.base_url + get_article_path(story) for story in self._unpublished[2:])

    def forbidden(self) -> tuple[str, ...]:
        """Return URLs of articles that robots.txt forbids and pages link to."""
        return tuple(f"{self.base_url}/internal/{story.number}.html" for story in self._unpublished[:2])

    def answer(self, target: str) -> DemoAnswer:
        """Return the response to a request's target: path and query.

        An unknown target gives a 404.
        """
        key = build_key(target)
        page = self._build_pages.get(key)
        if page is not None:
            return page()
        path = urlsplit(target).path
        month = _CALENDAR.fullmatch(path)
        if month and _FIRST_YEAR <= int(month[1]) <= _LAST_YEAR and 1 <= int(month[2]) <= 12:
            return self._write_calendar(int(month[1]), int(month[2]))
        if key.split("?")[0] == "/search":
            return self._search()
        if f"{path}/" in self._build_pages:
            return DemoAnswer(status=301, location=f"{path}/")
        return self._answer_not_found(status=404)

    @cached_property
    def _build_pages(self) -> dict[str, Callable[[], DemoAnswer]]:
        """Return a function for each address except the calendar's and the search's."""
        pages = dict(self._build_machine_pages())
        pages.update(self._build_article_pages())
        for edition in get_editions():
            pages.update(self._build_edition_pages(edition))
        pages["/"] = lambda: _answer_html(self._pages.front(load_edition("en")))
        pages["/login"] = self._answer_login
        pages["/internal/"] = self._write_newsroom
        soft = f"/en/politics/{self._context.anchor:%Y}/{self._context.anchor:%m}/the-story-we-withdrew.html"
        pages[soft] = partial(self._answer_not_found, status=200)
        return pages

    @cached_property
    def _pages(self) -> Any:
        """Return the pages of the layout, each a function."""
        return self._context.load_template(f"{self.layout}.html")

    @cached_property
    def _shared(self) -> Any:
        """Return contents of pages that are alike in all layouts."""
        return self._context.load_template("shared.html")

    def _build_machine_pages(self) -> Iterable[tuple[str, Callable[[], DemoAnswer]]]:
        feeds = self._context.load_template("feeds.xml")
        forbidden = "".join(f"Disallow: {prefix}\n" for prefix in DISALLOWED)
        robots = f"User-agent: *\n{forbidden}\nSitemap: {self.base_url}/sitemap.xml\n"
        yield "/robots.txt", lambda: _answer_text(robots, "text/plain")
        yield "/sitemap.xml", lambda: _answer_text(feeds.sitemap_index(), "application/xml")
        yield "/sitemap-articles.xml", lambda: _answer_text(feeds.article_sitemap(), "application/xml")
        yield "/sitemap-sections.xml", lambda: _answer_text(feeds.section_sitemap(), "application/xml")
        for edition in get_editions():
            yield (
                f"/{edition.code}/rss.xml",
                partial(lambda edition: _answer_text(feeds.rss(edition), "application/rss+xml"), edition),
            )
        yield f"/assets/{self.layout}.css", lambda: _answer_text(_read_style(self.layout), "text/css")
        yield "/assets/icon.svg", lambda: _answer_text(draw_landscape("icon"), "image/svg+xml")
        for story in (*self.stories, *self._unpublished):
            for number in range(len(story.blocks)):
                name = f"{story.number}-{number}"
                yield f"/img/{name}.svg", partial(lambda name: _answer_text(draw_landscape(name), "image/svg+xml"), name)

    def _build_article_pages(self) -> Iterable[tuple[str, Callable[[], DemoAnswer]]]:
        for story in self.stories:
            for part in range(1, len(story.parts) + 1):
                yield build_key(get_part_path(story, part)), partial(self._article, story, part)
            yield get_short_path(story), partial(DemoAnswer, status=301, location=get_article_path(story))
            printed = print_path(story)
            if printed:
                yield (build_key(printed), partial(lambda story: _answer_html(self._pages.printed_article(story)), story))
        for story in self._unpublished[:2]:
            yield f"/internal/{story.number}.html", partial(self._article, story, 1)
        for story in self._unpublished[2:]:
            yield build_key(get_article_path(story)), partial(self._article, story, 1)

    def _article(self, story: Story, part: int) -> DemoAnswer:
        html = str(self._pages.article(story, part))
        if story.quirk == "broken":
            return _answer_html(_break_markup(html))
        if story.quirk == "windows-1250":
            content = html.replace('charset="utf-8"', 'charset="windows-1250"').encode("windows-1250", "xmlcharrefreplace")
            return DemoAnswer(content=content, content_type="text/html")
        return _answer_html(html)

    def _build_edition_pages(self, edition: Edition) -> Iterable[tuple[str, Callable[[], DemoAnswer]]]:
        code, words, stories = edition.code, edition.words, self._context.select_edition(edition.code)
        yield f"/{code}/", partial(self._list_stories, edition, words["latest"], stories[:6])
        for section, name in edition.sections:
            yield from self._build_section_pages(edition, section, name)
        for author in edition.authors:
            mine = [story for story in stories if story.author == author and story.byline not in {"initials", "meta"}]
            intro = self._shared.paragraph(f"{author} {edition.bio}")
            yield build_key(get_author_path(code, author)), partial(self._list_stories, edition, author, mine, intro=intro)
        for tag, name in edition.tags.items():
            yield (
                get_tag_path(code, tag),
                partial(self._list_stories, edition, name, [story for story in stories if tag in story.tags]),
            )
        for page in ("about", "contact", "legal"):
            content = self._shared.paragraph(words[f"{page}_text"])
            yield f"/{code}/{page}/", partial(self._build_text_page, edition, words[page], content)

    def _build_section_pages(self, edition: Edition, section: str, name: str) -> Iterable[tuple[str, Callable[[], DemoAnswer]]]:
        code, words = edition.code, edition.words
        stories = [story for story in self._context.select_edition(code) if story.section == section]
        last = max(1, -(-len(stories) // _PER_PAGE))
        for page in range(1, last + 1):
            links = []
            if page > 1:
                links.append((get_section_path(code, section, page - 1), words["newer"], "prev"))
            if page < last:
                links.append((get_section_path(code, section, page + 1), words["older"], "next"))
            extra = self._shared.pager(links)
            shown = stories[(page - 1) * _PER_PAGE : page * _PER_PAGE]
            title = name if page == 1 else f"{name} – {words['page']} {page}"
            yield (
                build_key(get_section_path(code, section, page)),
                partial(self._list_stories, edition, title, shown, extra=extra),
            )

    def _list_stories(
        self, edition: Edition, title: str, stories: Iterable[Story], *, extra: str = "", intro: str = ""
    ) -> DemoAnswer:
        return _answer_html(self._pages.listing(edition, title, stories, extra=extra, intro=intro))

    def _build_text_page(self, edition: Edition, title: str, content: str, status: int = 200) -> DemoAnswer:
        return _answer_html(self._pages.text(edition, title, content), status=status)

    def _answer_not_found(self, *, status: int) -> DemoAnswer:
        """Return the page for unknown addresses; with status 200 it is a soft 404, as many portals send."""
        edition = load_edition("en")
        content = self._shared.paragraph(edition.words["not_found_text"])
        return self._build_text_page(edition, edition.words["not_found"], content, status)

    def _answer_login(self) -> DemoAnswer:
        edition = load_edition("en")
        return self._build_text_page(edition, edition.words["login"], self._shared.login_form(edition.words))

    def _search(self) -> DemoAnswer:
        edition, form = load_edition("en"), self._shared.search_form()
        return self._list_stories(edition, edition.words["search"], self._context.select_edition("en")[:5], intro=form)

    def _write_newsroom(self) -> DemoAnswer:
        return self._build_text_page(load_edition("en"), "Newsroom", self._shared.newsroom(self._unpublished[:2]))

    def _write_calendar(self, year: int, month: int) -> DemoAnswer:
        """Return the page of a month, with links to its articles and to the months before and after, without end."""
        edition = load_edition("en")
        of_day: dict[int, Story] = {
            story.published_at.day: story
            for story in self.stories
            if (story.published_at.year, story.published_at.month) == (year, month)
        }
        before = (year, month - 1) if month > 1 else (year - 1, 12)
        after = (year, month + 1) if month < 12 else (year + 1, 1)
        steps = [
            (f"/calendar/{step[0]}/{step[1]}/", name, "") for step, name in ((before, "Previous month"), (after, "Next month"))
        ]
        content = self._shared.calendar(calendar.monthcalendar(year, month), of_day, steps)
        return self._build_text_page(edition, f"{edition.months[month - 1]} {year}", content)


def _answer_html(text: str, status: int = 200) -> DemoAnswer:
    return DemoAnswer(status=status, content=text.encode())


def _answer_text(text: str, content_type: str) -> DemoAnswer:
    return DemoAnswer(content=text.encode(), content_type=f"{content_type}; charset=utf-8")


def _read_style(layout: str) -> str:
    return files("newscrawler.demo").joinpath("styles", f"{layout}.css").read_text("utf-8")


def _break_markup(html: str) -> str:
    """Return the page as a careless system writes it: elements left open or closed twice, attributes without quotes."""
    html = html.replace("</p>", "").replace("</li>", "").replace("</article>", "").replace("</body></html>", "</font></body>")
    html = html.replace("</div></div>\n</font>", "\n</font>")
    html = re.sub(r'class="([\w-]+)"', r"class=\1", html)
    return html.replace("</h1>", "</h1></b></td>", 1).replace("<h1", "<b><h1 id=x id=y", 1)


_SKIES = (("#f6d8ae", "#e07a5f"), ("#cfe8ef", "#7fb2c9"), ("#e8e4f3", "#8f86b5"), ("#fdf1d3", "#e9b872"), ("#dbe9d8", "#88a987"))
_LANDS = (
    ("#5b7553", "#41563b", "#2d3d29"),
    ("#6b705c", "#4f5345", "#37392f"),
    ("#4a6572", "#344955", "#232f34"),
    ("#8a6f5a", "#6a5343", "#4a392e"),
)
_WALLS = ("#f4efe6", "#e6d5c3", "#d9c2b0", "#c9d3d6")


def _draw_ridge(dice: Dice, height: int, swing: int) -> str:
    points = " ".join(f"{x},{height + dice.draw(swing)}" for x in range(0, 801, 100))
    return f"0,450 {points} 800,450"


def _draw_house(dice: Dice, x: int) -> str:
    wide, high, foot = 40 + dice.draw(30), 34 + dice.draw(34), 392 + dice.draw(26)
    top = foot - high
    roof = f'<polygon fill="#9c4a3c" points="{x - 6},{top} {x + wide // 2},{top - 26} {x + wide + 6},{top}"/>'
    window = f'<rect x="{x + wide // 2 - 6}" y="{top + 10}" width="12" height="14" fill="#f2c14e"/>'
    return f'<rect x="{x}" y="{top}" width="{wide}" height="{high}" fill="{dice.pick(_WALLS)}"/>{roof}{window}'


def draw_landscape(name: str) -> str:
    """Return an SVG document of 800 × 450: sky, sun, three ridges and a village."""
    dice = Dice("picture", name)
    light, deep = dice.pick(_SKIES)
    lands = dice.pick(_LANDS)
    sun = f'<circle cx="{90 + dice.draw(620)}" cy="{80 + dice.draw(90)}" r="{28 + dice.draw(22)}" fill="#fff7e0" opacity=".9"/>'
    ridges = "".join(
        f'<polygon fill="{colour}" points="{_draw_ridge(dice, height, swing)}"/>'
        for colour, height, swing in zip(lands, (190, 262, 340), (90, 60, 40), strict=True)
    )
    start = dice.draw(260)
    houses = "".join(_draw_house(dice, start + 40 + 92 * i) for i in range(3 + dice.draw(3)))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 450" width="800" height="450">'
        f'<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{deep}"/>'
        f'<stop offset="1" stop-color="{light}"/></linearGradient></defs>'
        f'<rect width="800" height="450" fill="url(#s)"/>{sun}{ridges}{houses}</svg>'
    )
