"""One generated site: a layout, a language and a seed decide its addresses, its habits and what stands around every page."""

from __future__ import annotations

import random
from datetime import timedelta
from functools import cached_property
from html import escape
from typing import Any
from urllib.parse import quote

from newscrawler.demo.story import build_slug
from training.sitegen.markup import Markup
from training.sitegen.texts import Story, Writer
from training.sitegen.unnamed import UnnamedForms

_SHAPES = (
    "/{section}/{slug}", "/{at:%Y}/{at:%m}/{slug}/", "/{at:%Y}/{at:%m}/{at:%d}/{slug}.html", "/?p={number}",
    "/{section}/{slug}-{number}.html", "/article/{number}", "/{slug}/", "/news.php?id={number}",
)  # fmt: skip
_DATES = ("{day}. {month} {year}", "{day} {month} {year}, {at:%H:%M}", "{at:%Y-%m-%d}", "{at:%d/%m/%Y}", "{at:%d.%m.%Y %H:%M}")
_GENERATORS = ("", "WordPress 6.8", "Hugo 0.140", "Drupal 10", "Blogger", "Joomla! 4", "TYPO3 CMS", "Next.js")


class Habits:
    """What differs from site to site, whatever the layout; the order of the draws is part of the sites."""

    def __init__(self, dice: random.Random) -> None:
        def often(share: float) -> bool:
            return dice.random() < share

        self.shape = dice.choice(_SHAPES)
        self.date = dice.choice(_DATES)
        self.teaser_dates = often(0.65)
        self.teaser_texts = dice.choice(("none", "short", "short", "long", "paragraphs", "mixed"))
        self.teaser_images = often(0.6)
        self.teaser_more = often(0.4)
        self.teaser_authors = often(0.3)
        self.listing_heading = often(0.7)
        self.og = dice.choice(("none", "right", "right", "always article", "always website"))
        self.json_ld = often(0.55)
        self.meta_dates = often(0.35)
        self.description = often(0.7)
        self.boxes = dice.randint(0, 4)
        self.cookies_first = often(0.4)
        self.breadcrumb = often(0.4)
        #: After the headline, before the text.
        self.tools_first = often(0.5)
        self.login_beside_text = often(0.2)
        self.byline_last = often(0.2)
        self.headline_linked = often(0.2)
        self.lead_shown = often(0.7)
        self.headline_shown = often(0.92)
        #: The list of related articles has pictures and texts, as listings have.
        self.related_texts = often(0.35)
        self.generator = dice.choice(_GENERATORS)
        self.pages_of_news = dice.randint(2, 5)


class Site:
    """The site that stands at one host name."""

    def __init__(self, *, name: str, layout: dict[str, Any], language: str, unnamed: bool = False) -> None:
        self.name, self.language = name, language
        self.dice = random.Random(f"site {name}")
        self.habits = Habits(self.dice)
        self.writer = Writer(language, name)
        self.edition, self.words = self.writer.edition, self.writer.words
        self.markup = Markup(layout=layout, seed=name)
        self.title = f"{self.edition.site} {self.dice.choice(('24', 'Online', 'Post', 'Express', 'Plus', ''))}".strip()
        self.base_url = f"https://{name}.example"
        #: How captions and comments are written where the layout does not name them.
        self.forms = UnnamedForms.draw(random.Random(f"forms {name}")) if unnamed else None

    @cached_property
    def stories(self) -> list[Story]:
        """All articles, newest first."""
        ages = sorted(self.dice.randint(30, 60_000) for _ in range(26))
        return [self.writer.story(4000 - 7 * place, timedelta(minutes=age)) for place, age in enumerate(ages)]

    def path(self, story: Story) -> str:
        """The address of an article on this host."""
        shape = self.habits.shape
        section = story.section[0]
        return quote(shape.format(section=section, slug=story.slug, number=story.number, at=story.published_at), safe="/?=&.-")

    def section_path(self, section: tuple[str, str], page: int = 1) -> str:
        """The address of a section's listing."""
        return quote(f"/{section[0]}/") + (f"page/{page}/" if page > 1 else "")

    def tag_path(self, key: str) -> str:
        """The address of a topic's listing."""
        return f"/tag/{key}/"

    def author_path(self, author: str) -> str:
        """The address of an author's listing."""
        return quote(f"/author/{build_slug(author, ascii_only=False)}/")

    def link(self, path: str, text: str) -> str:
        """A link in HTML."""
        return f'<a href="{escape(path)}">{escape(text)}</a>'

    def shown_date(self, story: Story) -> str:
        """The date as this site writes it."""
        at = story.published_at
        return self.habits.date.format(day=at.day, month=self.edition.months[at.month - 1], year=at.year, at=at)

    def date(self, story: Story, role: str) -> str:
        """The date in its element, with a machine-readable time where that is a time element."""
        html = self.markup(role, escape(self.shown_date(story)))
        return html.replace("<time", f'<time datetime="{story.published_at.isoformat()}"', 1)
