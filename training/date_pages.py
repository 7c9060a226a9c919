"""Pages whose own date is known, and around it dates of all other kinds, in markup that says now much, now nothing.

Public data sets hold few pages without a date of their own, and few on which the clock of the page, a comment, an event, another
article or a number in the address is all that is left; here each of them stands on many pages, with and without names.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from html import escape
from typing import Any

from newscrawler.languages import words
from training.pages import ANCHOR, LabelledPage
from training.sitegen.texts import LANGUAGES, Story, Writer

_SITES, _PAGES_A_SITE = 80, 10
_PUBLISHED = ("date", "published", "post-date", "entry-date published", "article__date", "meta", "byline", "datum", "info", "time")
_COMMENT = ("comment", "comments", "comment-meta", "diskuse", "reply", "comment-date")
_RELATED = ("related", "related-articles", "teaser", "latest-news", "most-read", "recommended", "popular", "archive")
_CLOCK = ("current-date", "today", "svatek", "weather", "o-date", "top-date", "header-date")
_ASIDE = ("aside", "div class='sidebar'", "footer", "div class='widget'", "nav", "blockquote class='tweet'", "blockquote")
_QUOTES = ("blockquote", "blockquote class='twitter-tweet'", "div class='tweet'", "figure")
_EVENT = ("event", "event-date", "calendar", "upcoming")
_NAMELESS, _MOST_HOURS = 0.5, 20
_AGO = {"en": "{} hours ago", "cs": "před {} hodinami", "de": "vor {} Stunden", "fr": "il y a {} heures", "pl": "{} godz. temu"}


class _Maker:
    """Writes the pages of one site; the same seed gives the same pages."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(f"dates {number}")
        self.writer = Writer(LANGUAGES[number % len(LANGUAGES)], f"dates {number}")
        self.code = self.writer.edition.code
        self.name = f"dated-{number}"
        self.form = self.dice.choice(
            ("{d}. {m} {y}", "{d}.{n}.{y}", "{m} {d}, {y}", "{d} {m} {y}", "{y}-{n:02}-{d:02}", "{d}/{n}/{y}")
        )
        self.own_tag = self.dice.choice(("time", "span", "p", "div"))
        self.names = {kind: self._name(found) for kind, found in _NAMES.items()}

    def _name(self, names: Sequence[str]) -> str:
        return "" if self.dice.random() < _NAMELESS else f" class='{self.dice.choice(names)}'"

    def shown(self, day: date | datetime, *, with_time: bool | None = None) -> str:
        """Return a date as the site writes it."""
        text = self.form.format(d=day.day, m=self.writer.edition.months[day.month - 1], n=day.month, y=day.year)
        with_time = self.dice.random() < 0.5 if with_time is None else with_time
        return f"{text}{self.dice.choice((' ', ', ', ' | '))}{day:%H:%M}" if with_time and isinstance(day, datetime) else text

    def stamp(self, at: datetime, name: str, *, tag: str | None = None) -> str:
        """Return an element that shows a date."""
        tag = tag or self.dice.choice(("time", "span", "div", "i"))
        time = f" datetime='{at.isoformat()}'" if tag == "time" and self.dice.random() < 0.8 else ""
        hours = int((ANCHOR - at).total_seconds() // 3600)
        if 0 < hours < _MOST_HOURS and self.code in _AGO and self.dice.random() < 0.5:
            return f"<{tag}{name}>{_AGO[self.code].format(hours)}</{tag}>"
        text = "" if time and self.dice.random() < 0.15 else self.shown(at)
        return f"<{tag}{name}{time}>{text}</{tag}>"

    def page(self, number: int) -> LabelledPage:
        """Return one page."""
        dice = self.dice
        story = self.writer.story(number, timedelta(hours=dice.choice((3, 30, 200, 2000, 9000)) * dice.random()))
        at = story.published_at
        is_dated = dice.random() < 0.5
        changed = at + (ANCHOR - at) * dice.random() if dice.random() < 0.25 else None
        head, path, is_declared = self._declared(story, at, changed, is_dated=is_dated)
        own = (
            self._own_line(story, at, changed)
            if is_dated and (not is_declared or dice.random() < 0.7)
            else f"<p>{escape(story.author)}</p>"
        )
        parts = [self._top(), f"<h1>{escape(story.headline)}</h1>", own, *self._text(story), self._behind(story, at)]
        if dice.random() < 0.3:
            parts.insert(dice.choice((3, 4, len(parts))), self._stray())
        if dice.random() < 0.2:
            parts[1], parts[2] = parts[2], parts[1]
        language = self.code
        html = (
            f"<html lang='{language}'><head><title>{escape(story.headline)}</title>{head}</head>"
            f"<body>{''.join(parts)}</body></html>"
        )
        gold = {"date": at.isoformat() if is_dated else None}
        url = f"https://{self.name}.example{path}"
        return LabelledPage(dataset="dated", id=f"{self.name}-{number}", url=url, html=html, gold=gold, fetched_at=ANCHOR)

    def _declared(self, story: Story, at: datetime, changed: datetime | None, *, is_dated: bool) -> tuple[str, str, bool]:
        """Return what the head declares, the path, and whether either tells the day."""
        dice = self.dice
        draw = dice.random()
        path = f"/{story.slug}"
        if draw < 0.15 and is_dated:
            path = f"/{at:%Y/%m/%d}/{story.slug}"
        elif draw < 0.4:
            path = f"/{at:%Y/%m}/{dice.randint(2, 28)}-{story.slug}"
        if not is_dated or dice.random() < 0.5:
            return "", path, draw < 0.15 and is_dated
        said: dict[str, Any] = {"@type": dice.choice(("NewsArticle", "Article", "WebPage")), "datePublished": at.isoformat()}
        if changed:
            said["dateModified"] = changed.isoformat()
        meta = f"<meta property='article:published_time' content='{at.isoformat()}'>"
        data = f"<script type='application/ld+json'>{json.dumps(said)}</script>"
        return dice.choice((meta, data, meta + data)), path, True

    def _own_line(self, story: Story, at: datetime, changed: datetime | None) -> str:
        dice = self.dice
        line = self.stamp(at, self.names["own"], tag=self.own_tag)
        if dice.random() < 0.3:
            line = f"{_label('published', self.code, dice)}{line}"
        if changed is not None and dice.random() < 0.6:
            line += f" | {_label('modified', self.code, dice)}{self.stamp(changed, '')}"
        return f"<div>{escape(story.author)} {line}</div>" if dice.random() < 0.6 else f"<p>{line}</p>"

    def _top(self) -> str:
        """Return the head of the page: a menu, and perhaps the day of today."""
        dice = self.dice
        links = "".join(
            f"<li><a href='/{slug}/'>{escape(name)}</a></li>" for slug, name in self.writer.sections[: dice.randint(3, 12)]
        )
        today = f"{dice.choice(self.writer.edition.days)} " if dice.random() < 0.5 else ""
        today += self.shown(ANCHOR, with_time=dice.random() < 0.2)
        today += f" {self.writer.edition.persons[dice.randrange(5)].split()[0]}" if dice.random() < 0.4 else ""
        clock = f"<div{self.names['clock']}>{escape(today)}</div>" if dice.random() < 0.55 else ""
        parts = [f"<ul>{links}</ul>", clock] if dice.random() < 0.8 else [clock]
        dice.shuffle(parts)
        return f"<div>{''.join(parts)}</div>"

    def _stray(self) -> str:
        """Return a box, by its name of another text, with a date close to the text."""
        dice = self.dice
        at = ANCHOR - timedelta(hours=dice.choice((10, 100, 9000)) * dice.random())
        inner = self.stamp(at, self.names["related time"])
        return f"<div class='{dice.choice((*_COMMENT, *_RELATED, *_CLOCK, *_EVENT))}'>{inner}</div>"

    def _text(self, story: Story) -> Iterator[str]:
        """Yield the paragraphs, some with the day of something that they tell of."""
        dice = self.dice
        if dice.random() < 0.1:
            tag = dice.choice(_QUOTES)
            yield f"<{tag}>{self.stamp(ANCHOR - timedelta(hours=dice.randrange(9000)), self.names['own'])}</{tag.split()[0]}>"
        is_short = dice.random() < 0.2
        for _, text in story.blocks[: dice.choice((0, 1, 3, 5, 9))]:
            event = self.shown(ANCHOR + timedelta(days=dice.randint(-3000, 90)), with_time=False)
            told = text.split(". ")[: 1 if is_short else None]
            if dice.random() < (0.6 if is_short else 0.25):
                told[0] = f"{told[0]} {event}"
            yield f"<p>{escape('. '.join(told))}</p>"

    def _behind(self, story: Story, at: datetime) -> str:
        dice = self.dice
        parts = []
        if dice.random() < 0.45:
            comments = (
                f"<div{self.names['comment']}><b>{escape(who)}</b> "
                f"{self.stamp(at + timedelta(minutes=dice.randrange(5000)), self.names['comment time'])}<p>{escape(text)}</p></div>"
                for who, text in story.comments[: dice.randint(1, 6)]
            )
            parts.append(f"<div>{''.join(comments)}</div>")
        if dice.random() < 0.45:
            cards = (
                f"<div><a href='/{n}'>{escape(self.writer.paragraph(1)[:60])}</a>"
                f"{self.stamp(ANCHOR - timedelta(hours=dice.randrange(3000)), self.names['related time'])}</div>"
                for n in range(dice.randint(1, 7))
            )
            parts.append(f"<div{self.names['related']}>{''.join(cards)}</div>")
        if dice.random() < 0.3:
            tag = dice.choice(_ASIDE)
            parts.append(
                f"<{tag}>{self.stamp(ANCHOR - timedelta(hours=dice.randrange(9000)), self.names['own'])}</{tag.split()[0]}>"
            )
        if dice.random() < 0.2:
            parts.append(f"<div{self.names['event']}>{self.shown(ANCHOR + timedelta(days=dice.randint(-90, 1)))}</div>")
        dice.shuffle(parts)
        return "".join(parts)


_NAMES = {
    "own": _PUBLISHED, "clock": _CLOCK, "comment": _COMMENT, "comment time": ("date", "time", "comment-date", "published"),
    "related": _RELATED, "related time": ("date", "time", "published", "meta"), "event": _EVENT,
}  # fmt: skip


def _label(role: str, language: str, dice: random.Random) -> str:
    """Return words that say what the date behind them is."""
    known = sorted(word.strip("*: ") for word in words(role, language))
    return f"{dice.choice(known).capitalize()}: " if known else ""


def dated_pages() -> Iterator[LabelledPage]:
    """Yield all pages."""
    for number in range(_SITES):
        maker = _Maker(number)
        for page in range(_PAGES_A_SITE):
            yield maker.page(page)
