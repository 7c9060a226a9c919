"""Stories composed from the material of an edition (texts/*.toml): text, everything around it, and the form in a page."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

LANGUAGES = ("cs", "en", "pl", "de", "uk", "he")
_NOT_DECOMPOSED = str.maketrans({"ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "’": "", "'": ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The specific texts of one story; the rest is composed from the edition's sentences."""

    section: str
    headline: str
    #: "about the topic", in the grammatical case that the sentences need.
    topic: str
    lead: str
    #: Sentences that only this story has; the answers of an interview.
    facts: tuple[str, ...]
    #: news, brief, interview, table, list, multipage.
    kind: str = "news"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One language of the portal."""

    code: str
    direction: str
    name: str
    site: str
    tagline: str
    months: tuple[str, ...]
    #: Names of weekdays, from Monday.
    weekdays: tuple[str, ...]
    date: str
    today: str
    yesterday: str
    hours_ago: str
    name_days: tuple[str, ...]
    name_day: str
    #: Key in the URL and name.
    sections: tuple[tuple[str, str], ...]
    authors: tuple[str, ...]
    initials: tuple[str, ...]
    persons: tuple[str, ...]
    places: tuple[str, ...]
    days: tuple[str, ...]
    sentences: tuple[str, ...]
    questions: tuple[str, ...]
    subheadings: tuple[str, ...]
    list_intro: str
    list_items: tuple[str, ...]
    table_head: tuple[str, ...]
    table_places: tuple[str, ...]
    captions: tuple[str, ...]
    ads: tuple[str, ...]
    newsletter: str
    comments: tuple[str, ...]
    nicknames: tuple[str, ...]
    bio: str
    #: Labels of the page.
    words: Mapping[str, str]
    tags: Mapping[str, str]
    stories: tuple[Material, ...]
    unpublished: tuple[Material, ...] = ()

    def section_name(self, key: str) -> str:
        """Return the name of a section."""
        return dict(self.sections)[key]


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value


@cache
def load_edition(code: str) -> Edition:
    """Read the texts of one language."""
    raw = tomllib.loads(files("newscrawler.demo").joinpath("texts", f"{code}.toml").read_text("utf-8"))
    stories, unpublished = (
        tuple(Material(**{name: _frozen(value) for name, value in story.items()}) for story in raw.pop(kind, []))
        for kind in ("stories", "unpublished")
    )
    return Edition(stories=stories, unpublished=unpublished, **{name: _frozen(value) for name, value in raw.items()})


def build_slug(text: str, *, ascii_only: bool = True) -> str:
    """Return the words of a headline joined for a URL, without diacritics or in the script of the language."""
    if ascii_only:
        text = unicodedata.normalize("NFKD", text.translate(_NOT_DECOMPOSED)).encode("ascii", "ignore").decode()
    return re.sub(r"[\W_]+", "-", text.lower().replace("’", "")).strip("-")


T = TypeVar("T")


class Dice:
    """A stream of choices determined by its seed; `random` guarantees that only for its floats."""

    def __init__(self, *seed: object) -> None:
        self._state = sha256("|".join(str(part) for part in seed).encode()).digest()

    def draw(self, limit: int) -> int:
        """Return a number from 0 to limit − 1."""
        self._state = sha256(self._state).digest()
        return int.from_bytes(self._state[:8], "big") % limit

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of several."""
        return choices[self.draw(len(choices))]

    def shuffle(self, choices: Sequence[T]) -> list[T]:
        """Return all of them in random order."""
        rest = list(choices)
        return [rest.pop(self.draw(len(rest))) for _ in range(len(rest))]


#: Numbers that take the genitive plural in the Slavic languages.
GENITIVE_NUMBERS = tuple(n for n in range(15, 60) if n % 10 in {0, 5, 6, 7, 8, 9})
#: Distance of the numbers of two stories from one material; more than an edition has stories.
_COPY = 100
_LENGTHS = (3, 4, 4, 5, 5, 6, 7, 8, 9, 10)
_OLDER_DATE_FORMS = ("json-ld", "time", "worded", "meta", "numeric", "time without offset", "day", "time", "worded")
_BYLINES = ("link", "json-ld", "plain", "initials", "meta", "link", "plain")
_LEADS = ("class", "class", "plain", "bold", "class", "none", "plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryBlock:
    """One piece between headline and comments."""

    #: paragraph, question, heading, list, table, pull quote, picture, ad, read also, newsletter, page break.
    kind: str
    text: str = ""
    items: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment of a reader."""

    nickname: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One article and how its page shows it."""

    number: int
    edition: Edition
    section: str
    headline: str
    lead: str
    #: class (an element of its own), plain (the first paragraph), bold, none (not shown).
    lead_form: str
    blocks: tuple[StoryBlock, ...]
    #: In the time zone of the portal.
    published_at: datetime
    #: Time of the latest change, shown next to the time of publication.
    modified_at: datetime | None
    #: json-ld, time, time without offset, meta, worded, numeric, day, relative, hours ago.
    date_form: str
    author: str
    #: json-ld, link, plain, meta, initials.
    byline: str
    initials: str
    tags: tuple[str, ...]
    comments: tuple[Comment, ...]
    has_description: bool
    #: Empty, "broken" (invalid HTML) or "windows-1250".
    quirk: str = ""

    @property
    def slug(self) -> str:
        """Return the headline for the URL."""
        return build_slug(self.headline)

    @property
    def parts(self) -> tuple[tuple[StoryBlock, ...], ...]:
        """Return the blocks, page by page; most stories have one page."""
        parts: list[list[StoryBlock]] = [[]]
        for block in self.blocks:
            if block.kind == "page break":
                parts.append([])
            else:
                parts[-1].append(block)
        return tuple(tuple(part) for part in parts)


@dataclass(slots=True)
class _Writer:
    """Fills the edition's sentences for one story."""

    edition: Edition
    topic: str
    dice: Dice
    unused: list[str]

    def fill(self, template: str) -> str:
        number = self.dice.pick(GENITIVE_NUMBERS)
        smaller = self.dice.pick([n for n in (5, 6, 7, 8, 9, *GENITIVE_NUMBERS) if n < number])
        first, second = self.dice.shuffle(self.edition.persons)[:2]
        place, day = self.dice.pick(self.edition.places), self.dice.pick(self.edition.days)
        text = template.format(P=first, Q=second, C=place, D=day, T=self.topic, N=number, M=smaller)
        return text[0].upper() + text[1:]

    def paragraph(self, *begin: str, sentences: int) -> str:
        """Return a paragraph of sentences that the story has not used yet."""
        return " ".join([*begin, *(self.fill(self.unused.pop()) for _ in range(sentences))])


def _write_paragraphs(writer: _Writer, material: Material) -> list[StoryBlock]:
    """Return the running text: the facts of the story first, then quotations."""
    if material.kind == "interview":
        talk = [StoryBlock(kind="paragraph", text=writer.paragraph(sentences=2))]
        for question, answer in zip(writer.edition.questions, material.facts, strict=True):
            talk.append(StoryBlock(kind="question", text=question.format(T=writer.topic)))
            talk.append(StoryBlock(kind="paragraph", text=answer))
        return talk
    if material.kind == "brief":
        return [
            StoryBlock(kind="paragraph", text=" ".join(material.facts)),
            StoryBlock(kind="paragraph", text=writer.paragraph(sentences=2)),
        ]
    facts = list(material.facts)
    length = 9 if material.kind == "multipage" else max(writer.dice.pick(_LENGTHS), len(facts))
    texts: list[str] = []
    while len(texts) < length and len(writer.unused) >= 3:
        begin = [facts.pop(0)] if facts else []
        texts.append(writer.paragraph(*begin, sentences=1 + writer.dice.draw(2) + (not begin)))
    return [StoryBlock(kind="paragraph", text=text) for text in texts]


def _add_list(text: list[StoryBlock], writer: _Writer) -> Iterator[StoryBlock]:
    yield text[0]
    yield StoryBlock(kind="paragraph", text=writer.fill(writer.edition.list_intro))
    yield StoryBlock(kind="list", items=tuple(_decapitalise(writer.fill(item)) for item in writer.edition.list_items))
    yield from text[1:]


def _decapitalise(text: str) -> str:
    return text[0].lower() + text[1:]


def _add_table(text: list[StoryBlock], writer: _Writer) -> Iterator[StoryBlock]:
    numbers = writer.dice.shuffle(GENITIVE_NUMBERS)
    rows = tuple((place, str(numbers[i] * 7), f"{numbers[i + 3]} %") for i, place in enumerate(writer.edition.table_places))
    yield from text[:2]
    yield StoryBlock(kind="table", rows=(writer.edition.table_head, *rows))
    yield from text[2:]


def _add_surroundings(text: list[StoryBlock], writer: _Writer, material: Material, position: int) -> Iterator[StoryBlock]:
    """Put pictures, advertisements and the like between the paragraphs, as an editor and a sales department would."""
    edition, brief, interview = writer.edition, material.kind == "brief", material.kind == "interview"
    if position % 3 != 1:
        yield StoryBlock(kind="picture", text=writer.fill(writer.dice.pick(edition.captions)))
    subheadings = writer.dice.shuffle(edition.subheadings)
    others = writer.dice.shuffle([m.headline for m in edition.stories if m is not material])
    for i, block in enumerate(text):
        if material.kind == "multipage" and i in {4, 7}:
            yield StoryBlock(kind="page break")
        if not interview and len(text) > 6 and i in {3, 6}:
            yield StoryBlock(kind="heading", text=subheadings.pop())
        yield block
        if not brief:
            yield from _add_insertions(i, text, others, writer, position, interview=interview)


def _add_insertions(
    i: int, text: list[StoryBlock], others: list[str], writer: _Writer, position: int, *, interview: bool
) -> Iterator[StoryBlock]:
    """Yield the insertions behind the paragraph with this number."""
    edition = writer.edition
    if i == (6 if interview else 1) and position % 2 == 0:
        yield StoryBlock(kind="ad", text=writer.dice.pick(edition.ads[:-1]))
    if i == 2 and position % 3 != 0:
        yield StoryBlock(kind="read also", items=tuple(others[: 1 + position % 2]))
    if i == 4 and position % 3 == 1:
        yield StoryBlock(kind="picture", text=writer.fill(writer.dice.pick(edition.captions)))
    if i == 5 and not interview:
        yield StoryBlock(kind="pull quote", text=text[0].text.split(". ")[0].rstrip(".") + ".")
    if i == (8 if interview else 3) and position % 4 == 2:
        yield StoryBlock(kind="newsletter", text=edition.newsletter)


def _write_comments(writer: _Writer, published_at: datetime, position: int, anchor: datetime) -> tuple[Comment, ...]:
    """Return no comments, a few, or more text than the article has."""
    count = (0, 3, 1, 0, 26, 2)[position % 6]
    step = (anchor - published_at) / (count + 1)
    texts = [
        " ".join(writer.fill(template) for template in writer.dice.shuffle(writer.edition.comments)[: 1 + writer.dice.draw(3)])
        for _ in range(count)
    ]
    return tuple(
        Comment(nickname=writer.dice.pick(writer.edition.nicknames), text=text, at=published_at + step * (i + 1))
        for i, text in enumerate(texts)
    )


def _choose_date_form(age: timedelta, rank: int, published_at: datetime, anchor: datetime) -> str:
    """Return the form of the date; every other recent article says "yesterday" or "hours ago".

    The Polish and Ukrainian word for hours is right from 5 to 20.
    """
    days = (anchor.date() - published_at.date()).days
    if rank % 2 and timedelta(hours=5) <= age < timedelta(hours=20):
        return "hours ago"
    if rank % 2 == 0 and days <= 1:
        return "relative"
    return _OLDER_DATE_FORMS[rank % len(_OLDER_DATE_FORMS)]


def _choose_age(rank: int) -> timedelta:
    """Return the age of a story, from half an hour to seven weeks; recent ones lie closer together."""
    minutes = 35 + int(75 * rank**1.6)
    return timedelta(minutes=minutes + (rank * 37) % 50)


def _write_story(edition: Edition, material: Material, position: int, rank: int, anchor: datetime, copy: int = 0) -> Story:
    place = position
    if copy:  # another text from the same material, at a separate address
        position += copy * _COPY
        material = replace(material, headline=f"{material.headline} ({copy + 1})")
    dice = Dice(edition.code, position, material.headline)
    writer = _Writer(edition, material.topic, dice, dice.shuffle(edition.sentences))
    text = _write_paragraphs(writer, material)
    if material.kind == "list":
        text = list(_add_list(text, writer))
    elif material.kind == "table":
        text = list(_add_table(text, writer))
    blocks = tuple(_add_surroundings(text, writer, material, position))
    age = _choose_age(rank)
    # Counted in UTC: over a change to summer time, "5 hours ago" would be 6.
    published_at = (anchor.astimezone(UTC) - age).astimezone(anchor.tzinfo).replace(second=0, microsecond=0)
    if rank > 12 and published_at.hour < 6:  # only the newest are published at night
        published_at += timedelta(hours=6)
    tags = tuple(dice.shuffle(tuple(edition.tags))[: position % 3])
    return Story(
        number=1009 + 7 * position + 211 * LANGUAGES.index(edition.code),
        edition=edition,
        section=material.section,
        headline=material.headline,
        lead=material.lead,
        lead_form="class" if material.kind == "brief" else _LEADS[(position + len(edition.code)) % len(_LEADS)],
        blocks=blocks,
        published_at=published_at,
        modified_at=published_at + timedelta(hours=3, minutes=17) if rank > 12 and rank % 5 == 2 else None,
        date_form=_choose_date_form(age, rank, published_at, anchor),
        author=edition.authors[position % len(edition.authors)],
        byline=_BYLINES[rank % len(_BYLINES)],
        initials=edition.initials[position % len(edition.initials)],
        tags=tags,
        comments=_write_comments(writer, published_at, position, anchor),
        has_description=position % 4 != 3,
        quirk={("en", 8): "broken", ("cs", 12): "windows-1250"}.get((edition.code, place), ""),
    )


def write_stories(anchor: datetime, time_zone: str, copies: int = 1) -> tuple[Story, ...]:
    """Return all stories of the portal, newest first.

    Args:
        anchor: aware; the portal's "now", from which all dates count back.
        time_zone: IANA name; the clock of the newsroom.
        copies: number of stories composed from each material, for a larger portal.
    """
    local = anchor.astimezone(ZoneInfo(time_zone))
    slots = [
        (code, position, copy)
        for copy in range(copies)
        for code in LANGUAGES
        for position in range(len(load_edition(code).stories))
    ]
    order = Dice("order of publication").shuffle(slots)
    stories = [
        _write_story(load_edition(code), load_edition(code).stories[position], position, rank, local, copy)
        for rank, (code, position, copy) in enumerate(order)
    ]
    return tuple(sorted(stories, key=lambda story: story.published_at, reverse=True))


def write_drafts(anchor: datetime, time_zone: str) -> tuple[Story, ...]:
    """Return stories that no crawl may store: half of them are forbidden by robots.txt, the others are drafts without links."""
    local, edition = anchor.astimezone(ZoneInfo(time_zone)), load_edition("en")
    return tuple(_write_story(edition, material, 60 + i, 20 + i, local) for i, material in enumerate(edition.unpublished))
