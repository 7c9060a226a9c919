"""The fast path: a page that fits a layout is read at the learned places alone, without weighing its blocks.

Learned are the smallest element that holds the text of all pages, by its name, and the paths in it that lead to text and to other
things; and the sources of headline, authors, section and dates that proved right. A page is read in full if it does not have the
element exactly once, if something in it stands at a path that is not known, if sources of its headline contradict, or if its text
is of an unusual size. Other fields whose sources contradict, or say nothing, are read in full alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from operator import itemgetter
from typing import Any
from zlib import crc32

from lxml import etree

from newscrawler.article import Body, Paragraph, ParagraphKind
from newscrawler.dates import DateContext, Dates
from newscrawler.dates.collect import hint_dates
from newscrawler.dates.moment import Clock
from newscrawler.extraction.body import Examination, deduplicate
from newscrawler.extraction.declared_body import KINDS
from newscrawler.extraction.declared_titles import declared_titles
from newscrawler.extraction.lead import is_described, key_of_description
from newscrawler.metadata import Metadata
from newscrawler.metadata.describe import find_canonical, find_description, find_keywords, find_picture
from newscrawler.metadata.genre import find_free, find_genre
from newscrawler.metadata.language import choose_language
from newscrawler.page import Document
from newscrawler.page.blocks import WIDE, Block
from newscrawler.page.layout import SILENT
from newscrawler.page.likeness import key_of
from newscrawler.wrappers.portal.evidence import KnownEvidence
from newscrawler.wrappers.portal.model import FastPath, Layout
from newscrawler.wrappers.portal.signatures import Namer
from newscrawler.wrappers.portal.sources import (
    AUTHORS,
    MODIFIED,
    PUBLISHED,
    SECTION,
    TITLE,
    FieldReader,
    as_candidate,
    clock_of,
    elements_at,
)

#: Share of the shortest learned text, and of the longest, that an article may have.
_SHORTER, _LONGER = 0.5, 2.0
#: Of so many pages one is read in full all the same.
_SAMPLED = 8
#: Mark the paths of lines that recur, and of those that are links as a whole.
_RECURS, _LINKED = STATES = " recurring", " link"
#: Elements that stay in the line of their paragraph.
_IN_LINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label", "mark", "q",
    "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
#: Marks the path of lines at the head of a text that are never its lead.
NO_LEAD = " no lead"
_EMPHASIS, _EMPHASISED = frozenset({"b", "em", "i", "strong"}), " emphasised"
_AHEAD = timedelta(days=1)
#: Share of the classes of two elements that both have, from which on they are alike; names that are remembered.
_LEAST_ALIKE, _MOST_SEEN = 0.5, 5_000


def is_sampled(page: Document) -> bool:
    """Tell whether a page is read in full to be compared, by its address, or else its title, alone."""
    return crc32((page.url or page.title).encode("utf-8", "replace")) % _SAMPLED == 0


@dataclass(slots=True)
class _Node:
    """What is known of the elements at one path: of which kind the text is that they are, and what is below them."""

    kind: str = ""
    is_other: bool = False
    #: Paths of learned elements that share this node.
    paths: set[str] = field(default_factory=set)
    below: dict[str, _Node] = field(default_factory=dict)
    _near: dict[str, _Node | None] = field(default_factory=dict)

    def child(self, name: str) -> _Node | None:
        """Return what is known of a child, or of the one most like it, with other classes of its section, say; None: nothing."""
        if (found := self.below.get(name)) is not None or "." not in name:
            return found
        if name not in self._near:
            if len(self._near) > _MOST_SEEN:
                self._near.clear()
            self._near[name] = self._nearest(name)
        return self._near[name]

    def _nearest(self, name: str) -> _Node | None:
        tag, *classes = name.split(".")
        others = ((other.split("."), node) for other, node in self.below.items())
        like = [(_jaccard(classes, known), node) for (own, *known), node in others if own == tag]
        best = max(like, key=itemgetter(0), default=(0.0, None))
        return best[1] if best[0] >= _LEAST_ALIKE else None

    def add(self, names: Sequence[str]) -> _Node:
        """Return the node at a path; elements with text below them that are alike share one."""
        node = self
        for name in names[:-1]:
            node.below[name] = node.below.get(name) or node._nearest(name) or _Node()
            node = node.below[name]
        return node.below.setdefault(names[-1], _Node())


def _jaccard(one: Sequence[str], other: Sequence[str]) -> float:
    return len({*one} & {*other}) / max(len({*one, *other}), 1)


class Surprise(Exception):  # noqa: N818  not an error
    """A page has something that no learned page had."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FastReader:
    """Reads the pages of one layout."""

    path: FastPath
    layout: Layout
    namer: Namer
    evidence: KnownEvidence
    fields: FieldReader
    _tree: _Node

    @classmethod
    def of(cls, path: FastPath, layout: Layout, fields: FieldReader, evidence: KnownEvidence) -> FastReader:
        """Make a fast path ready."""
        tree = _Node()
        for known in sorted((*path.text, *path.other)):
            bare = known.removesuffix(_RECURS).removesuffix(_LINKED)
            node = tree.add(bare.split("|"))
            node.paths.add(bare)
            if known in path.text or bare != known:
                node.kind = node.kind or path.text.get(known, "p")
            else:
                node.is_other = True
        return cls(path=path, layout=layout, namer=fields.namer, evidence=evidence, fields=fields, _tree=tree)

    def read(self, page: Document) -> FastPage | None:
        """Return the page as it is read at the learned places; None: read it in full."""
        try:
            return self.try_to_read(page)
        except Surprise:
            return None

    def try_to_read(self, page: Document) -> FastPage:
        """Return the page as it is read at the learned places.

        Raises:
            Surprise: it does not fit.
        """
        region = region_of(page, self.path.region, self.namer)
        if region is None:
            raise Surprise(f"not one {self.path.region}")
        is_sure, _, title = self.fields.read(page, TITLE, Clock())
        if not is_sure or title is None:
            raise Surprise("no headline for sure")
        chosen: list[Block] = []
        leads: list[Block] = []
        for path, element, node in self._texts(region):
            block = block_of(element, node.kind, len(chosen))
            if block is not None and block.text != title and self._is_text(path, block, None if chosen else title):
                if len(leads) == len(chosen) < self.path.most_leads and self._is_lead(page, path, block, node):
                    leads.append(block)
                chosen.append(block)
        taken = deduplicate(chosen)
        size = sum(block.size for block in taken)
        if not taken or not _SHORTER * self.layout.shortest <= size <= _LONGER * self.layout.longest:
            raise Surprise(f"{size} characters")
        lead = " ".join(block.text for block in leads if block in taken) or None
        paragraphs = tuple(Paragraph(text=block.text, kind=KINDS.get(block.kind, ParagraphKind.PARAGRAPH)) for block in taken)
        confidence = self.path.confidence
        body = Body(paragraphs=paragraphs, headline=title, lead=lead, confidence=confidence, elements=(region,))
        return FastPage(found=Examination(page=page, taken=taken, body=body), reader=self)

    def _is_text(self, path: str, block: Block, title: str | None) -> bool:
        """Tell whether a line at a path is text.

        Args:
            path: its path.
            block: the line.
            title: the headline, given with the first line: with both, other pages may announce the article.

        Raises:
            Surprise: no learned page had such a line there.
        """
        known = path_of(path, block, self.evidence)
        if known not in self.path.text and known not in self.path.other and known != path:
            raise Surprise(f"{known} is not known")
        if known.endswith(_RECURS) and title is not None and self.evidence.recurs(title):
            raise Surprise("other pages announce the article")
        return known not in self.path.other

    def _is_lead(self, page: Document, path: str, block: Block, node: _Node) -> bool:
        """Return whether a line at the head of the text belongs to the lead.

        Raises:
            Surprise: such lines do on some learned pages and do not on others, or no learned page begins with one.
        """
        forms = {lead_form(known, block.element) for known in (path, *node.paths)}
        is_lead, is_none = (not self.path.lead.isdisjoint(each) for each in (forms, {form + NO_LEAD for form in forms}))
        if is_lead == is_none or (is_none and is_described(block, key_of_description(page))):
            raise Surprise("a lead is not known for sure")
        return is_lead

    def _texts(self, region: etree._Element) -> Iterator[tuple[str, etree._Element, _Node]]:
        """Yield the elements in a region that are text, each with its path."""
        waiting: list[tuple[str, etree._Element, _Node]] = [("", region, self._tree)]
        while waiting:
            path, element, node = waiting.pop()
            if (node.kind or node.is_other) and is_line(element):
                yield path, element, node
                continue
            deeper = []
            if not node.below or ((text := element.text) and not text.isspace()):
                raise Surprise(f"text in {path}")
            for child in element:
                if (text := child.tail) and not text.isspace():
                    raise Surprise(f"text in {path}")
                if child.tag in SILENT:
                    continue
                name = self.namer.name(child)
                known = node.child(name)
                if known is not None and (known.kind or known.below):
                    deeper.append((f"{path}|{name}" if path else name, child, known))
                elif known is None and _has_text(child):
                    raise Surprise(f"{path}|{name} is not known")
            waiting.extend(reversed(deeper))


def lead_form(path: str, element: etree._Element) -> str:
    """Return the path of a line, with a mark where its whole text is in one element such as strong, as leads often are."""
    only = element[0] if len(element) == 1 else None
    if only is None or only.tag not in _EMPHASIS or (element.text or "").strip() or (only.tail or "").strip():
        return path
    return path + _EMPHASISED


def is_line(element: etree._Element) -> bool:
    """Tell whether an element holds nothing but one line of text, or one row of a table."""
    if element.tag == "tr":
        return all(map(is_line, element))
    return not len(element) or all(below.tag in _IN_LINE for below in element.iterdescendants())


def _has_text(element: etree._Element) -> bool:
    return any(text and not text.isspace() for text in element.itertext())


def block_of(element: etree._Element, kind: str, index: int) -> Block | None:
    """Return the block of an element that holds nothing but a line of text; None for an empty one."""
    parts = element if kind == "tr" else (element,)
    pieces = " ".join("".join(map(str, part.itertext())) for part in parts)
    text = " ".join(pieces.split())
    if not text:
        return None
    linked = sum(len("".join(map(str, link.itertext()))) for link in element.iter("a")) if len(element) else 0
    size = len(text) if text.isascii() else len(text) + 2 * len(WIDE.findall(text))
    return Block(index, 0, text, kind, element, size, min(linked, len(text)), 0)


def region_of(page: Document, name: str, namer: Namer) -> etree._Element | None:
    """Return the only element of this name; None where there is none, or are several."""
    found = elements_at(page, name, namer)
    first = next(found, None)
    return first if first is not None and next(found, None) is None else None


@dataclass(frozen=True, slots=True, eq=False)
class FastPage:
    """A page that was read at the learned places."""

    found: Examination
    reader: FastReader

    @property
    def headline(self) -> str | None:
        """The headline by its sources."""
        return self.found.body.headline if self.found.body is not None else None

    def metadata(self, page: Document, language: str | None, in_full: Callable[[], Metadata]) -> Metadata:
        """Return the metadata; what no source gives for sure is read in full."""
        body = self.found.body
        assert body is not None
        values = {name: self.reader.fields.read(page, name, Clock()) for name in (AUTHORS, SECTION)}
        if not all(is_sure for is_sure, _, _ in values.values()):
            return in_full()
        authors, section = (value for _, _, value in values.values())
        spoken, other = choose_language(language, page.declared_language, body.text)
        return Metadata(
            headline=body.headline, headline_declared=_declared_title(page, body.headline or ""), authors=authors or (),
            description=find_description(page), section=section, section_source=values[SECTION][1] if section else None,
            keywords=find_keywords(page), language=spoken, canonical_url=find_canonical(page), image_url=find_picture(page),
            genre=find_genre(page, body.headline, section), language_detected=other,
            free=find_free(page, body.elements if self.reader.path.shows_walls else ()),
        )  # fmt: skip

    def dates(self, page: Document, context: DateContext, in_full: Callable[[], Dates]) -> Dates:
        """Return the dates; where no source is sure, or the crawl saw another day, they are read in full."""
        clock = clock_of(context)
        (sure, kind, published), (sure_too, kind_too, modified) = (
            self.reader.fields.read(page, name, clock) for name in (PUBLISHED, MODIFIED)
        )
        if not (sure and sure_too) or published is None or _is_doubted(published.value, context, clock):
            return in_full()
        if modified is not None and modified.value < published.value:
            return in_full()
        modified = modified if modified is None or modified.value != published.value else None
        return Dates(
            published=as_candidate(kind, published), modified=as_candidate(kind_too, modified) if modified else None,
            confidence=self.reader.path.date_confidence, why="the portal's other pages show their date there",
        )  # fmt: skip


def _declared_title(page: Document, title: str) -> str | None:
    """Return how the page's head words the headline, where that is otherwise."""
    key = key_of(title)
    written = [*page.meta.get("og:title", ()), *(item.get("headline") for item in page.article_json_ld)]
    if all(key_of(text) == key for text in written if isinstance(text, str)):
        return None
    said = page.view(declared_titles).headline
    return said if said is not None and key_of(said) != key else None


def _is_doubted(value: Any, context: DateContext, clock: Clock) -> bool:
    """Tell whether a date lies in the future, or the crawl saw another day."""
    if context.fetched_at is not None and value > context.fetched_at:
        return True
    return any(abs(hint.value - value) > _AHEAD for hint in hint_dates(context, clock) if hint.source != "last-modified")


def path_of(path: str, block: Block, evidence: KnownEvidence) -> str:
    """Return the path of a line; one that recurs or is a link as a whole has a path of its own."""
    if 5 * block.linked >= 4 * len(block.text):
        return path + _LINKED
    return path + _RECURS if evidence.recurs(block.text) else path


def likeness_of(one: Examination, other: Examination) -> float:
    """Return the characters of paragraphs that two bodies share, twice, over those of both."""
    first, second = ({p.text for p in found.body.paragraphs} if found.body else set[str]() for found in (one, other))
    total = sum(map(len, first)) + sum(map(len, second))
    return 2 * sum(map(len, first & second)) / total if total else 1.0
