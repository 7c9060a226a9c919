"""What generated sites say: stories composed from the demo's editions, and the words of pages that are no articles."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from newscrawler.demo.story import GENITIVE_NUMBERS, LANGUAGES, Edition, build_slug, load_edition

WORDS = Path(__file__).parent / "words"
_NEWEST = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)

__all__ = ["LANGUAGES", "Story", "Writer", "load_words"]


@cache
def load_words(code: str) -> dict[str, Any]:
    """Read the words of one language."""
    return tomllib.loads((WORDS / f"{code}.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One article: what its page says, in whatever markup."""

    number: int
    section: tuple[str, str]
    headline: str
    lead: str
    #: (kind, text): p, h2, li, quote.
    blocks: tuple[tuple[str, str], ...]
    captions: tuple[str, ...]
    author: str
    published_at: datetime
    tags: tuple[tuple[str, str], ...]
    comments: tuple[tuple[str, str], ...]

    @property
    def slug(self) -> str:
        """The headline for the URL."""
        return build_slug(self.headline, ascii_only=len(build_slug(self.headline)) > 12)


class Writer:
    """Writes the texts of one site; the same seed gives the same texts."""

    def __init__(self, code: str, seed: str) -> None:
        self.edition: Edition = load_edition(code)
        self.words = load_words(code)
        self.dice = random.Random(f"texts {seed}")
        more = [(build_slug(name) or f"s{number}", name) for number, name in enumerate(self.words["more_sections"])]
        self.sections = [*self.edition.sections, *self.dice.sample(more, self.dice.randint(2, 6))]
        self.tags = list(self.edition.tags.items())
        self.topic = self.edition.stories[0].topic
        self._headlines: set[str] = set()

    def fill(self, template: str, **more: object) -> str:
        """Fill a sentence about the present topic."""
        edition, dice = self.edition, self.dice
        first, second = dice.sample(edition.persons, 2)
        text = template.format(
            P=first, Q=second, C=dice.choice(edition.places), D=dice.choice(edition.days), T=self.topic,
            N=dice.choice(GENITIVE_NUMBERS[3:]), M=dice.choice([5, 6, 7, 8, 9, 15]), **more,
        )  # fmt: skip
        return text[0].upper() + text[1:]

    def paragraph(self, sentences: int) -> str:
        """Write a paragraph about the present topic."""
        templates = self.dice.sample(self.edition.sentences, min(sentences, len(self.edition.sentences)))
        return " ".join(map(self.fill, templates))

    def story(self, number: int, age: timedelta) -> Story:
        """Write an article."""
        dice, edition = self.dice, self.edition
        material = dice.choice([story for story in edition.stories if story.kind not in {"interview", "multipage"}])
        self.topic = material.topic
        own = dice.random() < 0.5 and material.headline not in self._headlines
        headline = material.headline if own else self._headline()
        self._headlines.add(headline)
        lead = material.lead if own else self.paragraph(dice.choice((1, 1, 2)))
        facts = list(material.facts)
        length = dice.choice((1, 2, 3, 4, 4, 5, 6, 7, 8, 10))
        texts = [self.paragraph(dice.choice((1, 2, 2, 3, 4))) for _ in range(length)]
        for place, fact in enumerate(facts[:length]):
            texts[place] = f"{fact} {texts[place]}"
        return Story(
            number=number,
            section=dice.choice(self.sections),
            headline=headline,
            lead=lead,
            blocks=tuple(self._blocks(texts)),
            captions=tuple(self.fill(caption) for caption in dice.sample(edition.captions, dice.choice((0, 1, 1, 2)))),
            author=dice.choice(edition.authors),
            published_at=(_NEWEST - age).replace(second=0),
            tags=tuple(dice.sample(self.tags, dice.randint(0, 3))),
            comments=tuple(
                (dice.choice(edition.nicknames), self.fill(dice.choice(edition.comments)))
                for _ in range(dice.choice((0, 0, 2, 5, 12)))
            ),
        )

    def _headline(self) -> str:
        """Write a headline that this site has not yet."""
        while (headline := self.fill(self.dice.choice(self.words["headlines"]))) in self._headlines:
            pass
        return headline

    def _blocks(self, texts: Sequence[str]) -> list[tuple[str, str]]:
        dice, edition, blocks = self.dice, self.edition, []
        headings = dice.sample(edition.subheadings, len(edition.subheadings))
        with_headings, with_list = dice.random() < 0.4, dice.random() < 0.2
        for place, text in enumerate(texts):
            if with_headings and place and place % 3 == 0 and headings:
                blocks.append(("h2", headings.pop()))
            blocks.append(("p", text))
            if with_list and place == 1:
                blocks.append(("p", self.fill(edition.list_intro)))
                blocks.extend(("li", self.fill(item)) for item in edition.list_items)
        if len(texts) > 4 and dice.random() < 0.25:
            blocks.insert(3, ("quote", texts[0].split(". ")[0].rstrip(".") + "."))
        return blocks
