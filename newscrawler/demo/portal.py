"""The portal: every address it answers, generated in memory; the same anchor, layout and base URL give the same bytes."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from importlib.resources import files
from urllib.parse import urlsplit

from newscrawler.demo import classic, feeds, modern
from newscrawler.demo.address import article_path, author_path, key_of, part_path, print_path, section_path, short_path, tag_path
from newscrawler.demo.edition import Edition, load_edition
from newscrawler.demo.gold import PublishedArticle, gold_of
from newscrawler.demo.markup import Context, Layout, attribute, editions, escape, link_to
from newscrawler.demo.pictures import landscape
from newscrawler.demo.story import Story, compose, compose_unpublished

#: The newsroom's time zone; it applies to dates without an offset.
TIME_ZONE = "Europe/Prague"
LAYOUTS: Mapping[str, Layout] = {"classic": classic, "modern": modern}
_PER_PAGE = 4
_CALENDAR = re.compile(r"/calendar/(\d{4})/(\d{1,2})/")
_FIRST_YEAR, _LAST_YEAR = 2019, 9998


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The portal's response to one request."""

    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    content: bytes = b""
    #: The target of a redirect.
    location: str | None = None


@dataclass(frozen=True, kw_only=True)
class Portal:
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
        return compose(self.anchor, TIME_ZONE, self.copies)[self.held_back :]

    @cached_property
    def _unpublished(self) -> tuple[Story, ...]:
        return compose_unpublished(self.anchor, TIME_ZONE)

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
        return tuple(gold_of(story, self._context) for story in self.stories)

    def drafts(self) -> tuple[str, ...]:
        """Return URLs that exist but have no links to them."""
        return tuple(self.base_url + article_path(story) for story in self._unpublished[2:])

    def forbidden(self) -> tuple[str, ...]:
        """Return URLs of articles that robots.txt forbids and pages link to."""
        return tuple(f"{self.base_url}/internal/{story.number}.html" for story in self._unpublished[:2])

    def answer(self, target: str) -> Answer:
        """Return the response to a request's target: path and query.

        An unknown target gives a 404.
        """
        key = key_of(target)
        page = self._pages.get(key)
        if page is not None:
            return page()
        path = urlsplit(target).path
        month = _CALENDAR.fullmatch(path)
        if month and _FIRST_YEAR <= int(month[1]) <= _LAST_YEAR and 1 <= int(month[2]) <= 12:
            return self._calendar(int(month[1]), int(month[2]))
        if key.split("?")[0] == "/search":
            return self._search()
        if f"{path}/" in self._pages:
            return Answer(status=301, location=f"{path}/")
        return self._not_found(status=404)

    @cached_property
    def _pages(self) -> dict[str, Callable[[], Answer]]:
        """Return a function for each address except the calendar's and the search's."""
        pages = dict(self._machine_pages())
        pages.update(self._article_pages())
        for edition in editions():
            pages.update(self._edition_pages(edition))
        pages["/"] = lambda: _html(self._layout.front(self._context))
        pages["/login"] = self._login
        pages["/internal/"] = self._newsroom
        soft = f"/en/politics/{self._context.anchor:%Y}/{self._context.anchor:%m}/the-story-we-withdrew.html"
        pages[soft] = partial(self._not_found, status=200)
        return pages

    @property
    def _layout(self) -> Layout:
        return LAYOUTS[self.layout]

    def _machine_pages(self) -> Iterable[tuple[str, Callable[[], Answer]]]:
        context = self._context
        yield "/robots.txt", lambda: _text(feeds.robots(context), "text/plain")
        yield "/sitemap.xml", lambda: _text(feeds.sitemap_index(context), "application/xml")
        yield "/sitemap-articles.xml", lambda: _text(feeds.article_sitemap(context), "application/xml")
        yield "/sitemap-sections.xml", lambda: _text(feeds.section_sitemap(context), "application/xml")
        yield f"/assets/{self.layout}.css", lambda: _text(_style(self.layout), "text/css")
        yield "/assets/icon.svg", lambda: _text(landscape("icon"), "image/svg+xml")
        for story in (*self.stories, *self._unpublished):
            for number in range(len(story.blocks)):
                name = f"{story.number}-{number}"
                yield f"/img/{name}.svg", partial(lambda name: _text(landscape(name), "image/svg+xml"), name)

    def _article_pages(self) -> Iterable[tuple[str, Callable[[], Answer]]]:
        for story in self.stories:
            for part in range(1, len(story.parts) + 1):
                yield key_of(part_path(story, part)), partial(self._article, story, part)
            yield short_path(story), partial(Answer, status=301, location=article_path(story))
            printed = print_path(story)
            if printed:
                yield key_of(printed), partial(lambda story: _html(self._layout.printed(story, self._context)), story)
        for story in self._unpublished[:2]:
            yield f"/internal/{story.number}.html", partial(self._article, story, 1)
        for story in self._unpublished[2:]:
            yield key_of(article_path(story)), partial(self._article, story, 1)

    def _article(self, story: Story, part: int) -> Answer:
        html = self._layout.article(story, part, self._context)
        if story.quirk == "broken":
            return _html(_broken(html))
        if story.quirk == "windows-1250":
            content = html.replace('charset="utf-8"', 'charset="windows-1250"').encode("windows-1250", "xmlcharrefreplace")
            return Answer(content=content, content_type="text/html")
        return _html(html)

    def _edition_pages(self, edition: Edition) -> Iterable[tuple[str, Callable[[], Answer]]]:
        code, words, stories = edition.code, edition.words, self._context.of_edition(edition.code)
        yield f"/{code}/", partial(self._listing, edition, words["latest"], stories[:6])
        yield f"/{code}/rss.xml", lambda: _text(feeds.rss(edition, self._context), "application/rss+xml")
        for section, name in edition.sections:
            yield from self._section_pages(edition, section, name)
        for author in edition.authors:
            mine = [story for story in stories if story.author == author and story.byline not in {"initials", "meta"}]
            intro = f"<p>{escape(author)} {escape(edition.bio)}</p>"
            yield key_of(author_path(code, author)), partial(self._listing, edition, author, mine, intro=intro)
        for tag, name in edition.tags.items():
            yield tag_path(code, tag), partial(self._listing, edition, name, [story for story in stories if tag in story.tags])
        for page in ("about", "contact", "legal"):
            content = f"<p>{escape(words[f'{page}_text'])}</p>"
            yield f"/{code}/{page}/", partial(self._text_page, edition, words[page], content)

    def _section_pages(self, edition: Edition, section: str, name: str) -> Iterable[tuple[str, Callable[[], Answer]]]:
        code, words = edition.code, edition.words
        stories = [story for story in self._context.of_edition(code) if story.section == section]
        last = max(1, -(-len(stories) // _PER_PAGE))
        for page in range(1, last + 1):
            links = []
            if page > 1:
                links.append(f'<a rel="prev" href="{section_path(code, section, page - 1)}">{escape(words["newer"])}</a>')
            if page < last:
                links.append(f'<a rel="next" href="{section_path(code, section, page + 1)}">{escape(words["older"])}</a>')
            extra = f'<p class="pager">{" ".join(links)}</p>'
            shown = stories[(page - 1) * _PER_PAGE : page * _PER_PAGE]
            title = name if page == 1 else f"{name} – {words['page']} {page}"
            yield key_of(section_path(code, section, page)), partial(self._listing, edition, title, shown, extra=extra)

    def _listing(self, edition: Edition, title: str, stories: Iterable[Story], *, extra: str = "", intro: str = "") -> Answer:
        return _html(self._layout.listing(edition, title, stories, self._context, extra=extra, intro=intro))

    def _text_page(self, edition: Edition, title: str, content: str, status: int = 200) -> Answer:
        return _html(self._layout.text(edition, title, content, self._context), status=status)

    def _not_found(self, *, status: int) -> Answer:
        """Return the page for unknown addresses; with status 200 it is a soft 404, as many portals send."""
        edition = load_edition("en")
        return self._text_page(edition, edition.words["not_found"], f"<p>{escape(edition.words['not_found_text'])}</p>", status)

    def _login(self) -> Answer:
        words = load_edition("en").words
        form = (
            f'<form action="/login"><p><input placeholder="{attribute(words["email"])}"></p>'
            f'<p><input type="password"></p><button>{escape(words["login"])}</button></form>'
        )
        return self._text_page(load_edition("en"), words["login"], form)

    def _search(self) -> Answer:
        edition = load_edition("en")
        form = '<form action="/search"><input name="q"><button>Search</button></form>'
        return self._listing(edition, edition.words["search"], self._context.of_edition("en")[:5], intro=form)

    def _newsroom(self) -> Answer:
        links = "".join(
            f'<li><a href="/internal/{story.number}.html">{escape(story.headline)}</a></li>' for story in self._unpublished[:2]
        )
        return self._text_page(load_edition("en"), "Newsroom", f"<ul>{links}</ul>")

    def _calendar(self, year: int, month: int) -> Answer:
        """Return the page of a month, with links to its articles and to the months before and after, without end."""
        edition = load_edition("en")
        of_day: dict[int, Story] = {
            story.published_at.day: story
            for story in self.stories
            if (story.published_at.year, story.published_at.month) == (year, month)
        }
        cells = "".join(
            "<tr>" + "".join(f"<td>{_day(day, of_day.get(day))}</td>" for day in week) + "</tr>"
            for week in calendar.monthcalendar(year, month)
        )
        before = (year, month - 1) if month > 1 else (year - 1, 12)
        after = (year, month + 1) if month < 12 else (year + 1, 1)
        steps = (
            f'<p class="pager"><a href="/calendar/{before[0]}/{before[1]}/">Previous month</a> '
            f'<a href="/calendar/{after[0]}/{after[1]}/">Next month</a></p>'
        )
        return self._text_page(edition, f"{edition.months[month - 1]} {year}", f'<table class="calendar">{cells}</table>{steps}')


def _day(day: int, story: Story | None) -> str:
    if not day:
        return ""
    return link_to(story, str(day)) if story else str(day)


def _html(text: str, status: int = 200) -> Answer:
    return Answer(status=status, content=text.encode())


def _text(text: str, content_type: str) -> Answer:
    return Answer(content=text.encode(), content_type=f"{content_type}; charset=utf-8")


def _style(layout: str) -> str:
    return files("newscrawler.demo").joinpath("styles", f"{layout}.css").read_text("utf-8")


def _broken(html: str) -> str:
    """Return the page as a careless system writes it: elements left open or closed twice, attributes without quotes."""
    html = html.replace("</p>", "").replace("</li>", "").replace("</article>", "").replace("</body></html>", "</font></body>")
    html = html.replace("</div></div>\n</font>", "\n</font>")
    html = re.sub(r'class="([\w-]+)"', r"class=\1", html)
    return html.replace("</h1>", "</h1></b></td>", 1).replace("<h1", "<b><h1 id=x id=y", 1)
