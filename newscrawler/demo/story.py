"""Stories composed from an edition's material: text, everything around it, and the form in which a page shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.demo.dice import Dice
from newscrawler.demo.edition import LANGUAGES, Edition, Material, load_edition, slug_of

#: Numbers that take the genitive plural in the Slavic languages.
_NUMBERS = tuple(n for n in range(15, 60) if n % 10 in {0, 5, 6, 7, 8, 9})
#: Distance of the numbers of two stories from one material; more than an edition has stories.
_COPY = 100
_LENGTHS = (3, 4, 4, 5, 5, 6, 7, 8, 9, 10)
_OLDER_DATE_FORMS = ("json-ld", "time", "worded", "meta", "numeric", "time without offset", "day", "time", "worded")
_BYLINES = ("link", "json-ld", "plain", "initials", "meta", "link", "plain")
_LEADS = ("class", "class", "plain", "bold", "class", "none", "plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
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
    blocks: tuple[Block, ...]
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
        return slug_of(self.headline)

    @property
    def parts(self) -> tuple[tuple[Block, ...], ...]:
        """Return the blocks, page by page; most stories have one page."""
        parts: list[list[Block]] = [[]]
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
        number = self.dice.pick(_NUMBERS)
        smaller = self.dice.pick([n for n in (5, 6, 7, 8, 9, *_NUMBERS) if n < number])
        first, second = self.dice.shuffled(self.edition.persons)[:2]
        place, day = self.dice.pick(self.edition.places), self.dice.pick(self.edition.days)
        text = template.format(P=first, Q=second, C=place, D=day, T=self.topic, N=number, M=smaller)
        return text[0].upper() + text[1:]

    def paragraph(self, *begin: str, sentences: int) -> str:
        """Return a paragraph of sentences that the story has not used yet."""
        return " ".join([*begin, *(self.fill(self.unused.pop()) for _ in range(sentences))])


def _paragraphs(writer: _Writer, material: Material) -> list[Block]:
    """Return the running text: the facts of the story first, then quotations."""
    if material.kind == "interview":
        talk = [Block(kind="paragraph", text=writer.paragraph(sentences=2))]
        for question, answer in zip(writer.edition.questions, material.facts, strict=True):
            talk.append(Block(kind="question", text=question.format(T=writer.topic)))
            talk.append(Block(kind="paragraph", text=answer))
        return talk
    if material.kind == "brief":
        return [
            Block(kind="paragraph", text=" ".join(material.facts)),
            Block(kind="paragraph", text=writer.paragraph(sentences=2)),
        ]
    facts = list(material.facts)
    length = 9 if material.kind == "multipage" else max(writer.dice.pick(_LENGTHS), len(facts))
    texts: list[str] = []
    while len(texts) < length and len(writer.unused) >= 3:
        begin = [facts.pop(0)] if facts else []
        texts.append(writer.paragraph(*begin, sentences=1 + writer.dice.below(2) + (not begin)))
    return [Block(kind="paragraph", text=text) for text in texts]


def _with_list(text: list[Block], writer: _Writer) -> Iterator[Block]:
    yield text[0]
    yield Block(kind="paragraph", text=writer.fill(writer.edition.list_intro))
    yield Block(kind="list", items=tuple(_decapitalised(writer.fill(item)) for item in writer.edition.list_items))
    yield from text[1:]


def _decapitalised(text: str) -> str:
    return text[0].lower() + text[1:]


def _with_table(text: list[Block], writer: _Writer) -> Iterator[Block]:
    numbers = writer.dice.shuffled(_NUMBERS)
    rows = tuple((place, str(numbers[i] * 7), f"{numbers[i + 3]} %") for i, place in enumerate(writer.edition.table_places))
    yield from text[:2]
    yield Block(kind="table", rows=(writer.edition.table_head, *rows))
    yield from text[2:]


def _surrounded(text: list[Block], writer: _Writer, material: Material, position: int) -> Iterator[Block]:
    """Put pictures, advertisements and the like between the paragraphs, as an editor and a sales department would."""
    edition, brief, interview = writer.edition, material.kind == "brief", material.kind == "interview"
    if position % 3 != 1:
        yield Block(kind="picture", text=writer.fill(writer.dice.pick(edition.captions)))
    subheadings = writer.dice.shuffled(edition.subheadings)
    others = writer.dice.shuffled([m.headline for m in edition.stories if m is not material])
    for i, block in enumerate(text):
        if material.kind == "multipage" and i in {4, 7}:
            yield Block(kind="page break")
        if not interview and len(text) > 6 and i in {3, 6}:
            yield Block(kind="heading", text=subheadings.pop())
        yield block
        if brief:
            continue
        if i == (6 if interview else 1) and position % 2 == 0:
            yield Block(kind="ad", text=writer.dice.pick(edition.ads[:-1]))
        if i == 2 and position % 3 != 0:
            yield Block(kind="read also", items=tuple(others[: 1 + position % 2]))
        if i == 4 and position % 3 == 1:
            yield Block(kind="picture", text=writer.fill(writer.dice.pick(edition.captions)))
        if i == 5 and not interview:
            yield Block(kind="pull quote", text=text[0].text.split(". ")[0].rstrip(".") + ".")
        if i == (8 if interview else 3) and position % 4 == 2:
            yield Block(kind="newsletter", text=edition.newsletter)


def _comments(writer: _Writer, published_at: datetime, position: int, anchor: datetime) -> tuple[Comment, ...]:
    """Return no comments, a few, or more text than the article has."""
    count = (0, 3, 1, 0, 26, 2)[position % 6]
    step = (anchor - published_at) / (count + 1)
    texts = [
        " ".join(writer.fill(template) for template in writer.dice.shuffled(writer.edition.comments)[: 1 + writer.dice.below(3)])
        for _ in range(count)
    ]
    return tuple(
        Comment(nickname=writer.dice.pick(writer.edition.nicknames), text=text, at=published_at + step * (i + 1))
        for i, text in enumerate(texts)
    )


def _date_form(age: timedelta, rank: int, published_at: datetime, anchor: datetime) -> str:
    """Return the form of the date; every other recent article says "yesterday" or "hours ago".

    The Polish and Ukrainian word for hours is right from 5 to 20.
    """
    days = (anchor.date() - published_at.date()).days
    if rank % 2 and timedelta(hours=5) <= age < timedelta(hours=20):
        return "hours ago"
    if rank % 2 == 0 and days <= 1:
        return "relative"
    return _OLDER_DATE_FORMS[rank % len(_OLDER_DATE_FORMS)]


def _age(rank: int) -> timedelta:
    """Return the age of a story, from half an hour to seven weeks; recent ones lie closer together."""
    minutes = 35 + int(75 * rank**1.6)
    return timedelta(minutes=minutes + (rank * 37) % 50)


def _story(edition: Edition, material: Material, position: int, rank: int, anchor: datetime, copy: int = 0) -> Story:
    place = position
    if copy:  # another text from the same material, at a separate address
        position += copy * _COPY
        material = replace(material, headline=f"{material.headline} ({copy + 1})")
    dice = Dice(edition.code, position, material.headline)
    writer = _Writer(edition, material.topic, dice, dice.shuffled(edition.sentences))
    text = _paragraphs(writer, material)
    if material.kind == "list":
        text = list(_with_list(text, writer))
    elif material.kind == "table":
        text = list(_with_table(text, writer))
    blocks = tuple(_surrounded(text, writer, material, position))
    age = _age(rank)
    # Counted in UTC: over a change to summer time, "5 hours ago" would be 6.
    published_at = (anchor.astimezone(UTC) - age).astimezone(anchor.tzinfo).replace(second=0, microsecond=0)
    if rank > 12 and published_at.hour < 6:  # only the newest are published at night
        published_at += timedelta(hours=6)
    tags = tuple(dice.shuffled(tuple(edition.tags))[: position % 3])
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
        date_form=_date_form(age, rank, published_at, anchor),
        author=edition.authors[position % len(edition.authors)],
        byline=_BYLINES[rank % len(_BYLINES)],
        initials=edition.initials[position % len(edition.initials)],
        tags=tags,
        comments=_comments(writer, published_at, position, anchor),
        has_description=position % 4 != 3,
        quirk={("en", 8): "broken", ("cs", 12): "windows-1250"}.get((edition.code, place), ""),
    )


def compose(anchor: datetime, time_zone: str, copies: int = 1) -> tuple[Story, ...]:
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
    order = Dice("order of publication").shuffled(slots)
    stories = [
        _story(load_edition(code), load_edition(code).stories[position], position, rank, local, copy)
        for rank, (code, position, copy) in enumerate(order)
    ]
    return tuple(sorted(stories, key=lambda story: story.published_at, reverse=True))


def compose_unpublished(anchor: datetime, time_zone: str) -> tuple[Story, ...]:
    """Return stories that no crawl may store: half of them are forbidden by robots.txt, the others are drafts without links."""
    local, edition = anchor.astimezone(ZoneInfo(time_zone)), load_edition("en")
    return tuple(_story(edition, material, 60 + i, 20 + i, local) for i, material in enumerate(edition.unpublished))
