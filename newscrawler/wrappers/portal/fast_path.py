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
from newscrawler.extraction.lead import LONGEST_LEAD, MOST_LEADS, is_described, is_long_enough, key_of_description
from newscrawler.metadata import Metadata
from newscrawler.metadata.author_candidates import Candidates, read_institutions
from newscrawler.metadata.authors import Authors, find_authors
from newscrawler.metadata.describe import find_canonical, find_description, find_keywords, find_picture
from newscrawler.metadata.genre import find_free, find_genre
from newscrawler.metadata.language import choose_language
from newscrawler.metadata.section import find_section
from newscrawler.page import Document
from newscrawler.page.blocks import WIDE, Block
from newscrawler.page.layout import SILENT
from newscrawler.page.likeness import key_of
from newscrawler.page.marks import Mark, marks_of
from newscrawler.page.named import hides
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
    declared_change,
    elements_at,
)

#: Share of the shortest learned text, and of the longest, that an article may have.
_SHORTER, _LONGER = 0.5, 2.0
#: Of so many pages one is read in full all the same.
_SAMPLED = 8
#: Mark the paths of lines that recur, and of those that are links as a whole; of boxes that are passed, and such with paragraphs.
_RECURS, _LINKED = STATES = " recurring", " link"
BOX, BOX_OF_PARAGRAPHS = BOXES = " box", " box of paragraphs"
#: What a class that no learned page has may say against the text of its element.
_FOREIGN = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION
    | Mark.BYLINE | Mark.TAGS | Mark.POPUP | Mark.HIDDEN | Mark.PULL_QUOTE | Mark.FORM | Mark.CONSENT
)  # fmt: skip
#: Elements that stay in the line of their paragraph.
_IN_LINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label", "mark", "q",
    "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
#: Marks the path of lines at the head of a text that are never its lead.
NO_LEAD = " no lead"
_EMPHASIS, _EMPHASISED = frozenset({"b", "em", "i", "strong"}), " emphasised"
_AHEAD = timedelta(days=1)
#: Probability to be part of the body of a block that was taken at a learned place, and of any other.
_TEXT, _OTHER = 0.97, 0.03
#: Share of the classes of two elements that both have, from which on they are alike; names that are remembered.
_LEAST_ALIKE, _MOST_SEEN = 0.5, 5_000


def is_sampled(page: Document) -> bool:
    """Tell whether a page is read in full to be compared, by its address, or else its title, alone."""
    return crc32((page.url or page.title).encode("utf-8", "replace")) % _SAMPLED == 0


@dataclass(slots=True)
class _Node:
    """What is known of the elements at one path: of which kind the text is that they are, and what is below them."""

    kind: str = ""
    #: The states of lines here that are text ("": neither recurring nor a link); those of other lines, and boxes.
    text: set[str] = field(default_factory=set)
    other: set[str] = field(default_factory=set)
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

    def passes(self, name: str) -> bool:
        """Tell whether an element that is no text may hold paragraphs; a name without a class says too little of what it is."""
        return "." in name and BOX_OF_PARAGRAPHS in self.other

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
            bare = next((known.removesuffix(each) for each in (*STATES, *BOXES) if known.endswith(each)), known)
            node = tree.add(bare.split("|"))
            node.paths.add(bare)
            state = known[len(bare) :]
            (node.text if known in path.text else node.other).add(state)
            if known in path.text or state in STATES:
                node.kind = node.kind or path.text.get(known, "p")
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
        described = key_of_description(page)
        chosen: list[Block] = []
        leads: list[Block] = []
        for path, element, node, is_foreign in self._lines(region):
            block = block_of(element, node.kind, len(chosen))
            if block is not None and block.text != title and self._is_text(node, block, None if chosen else title):
                if is_foreign:
                    raise Surprise(f"{path} is called what text is not, or hidden")
                if len(leads) == len(chosen) < MOST_LEADS and self._is_lead(path, block, node, described, len(chosen)):
                    leads.append(block)
                chosen.append(block)
        taken = deduplicate(chosen)
        size = sum(block.size for block in taken)
        if not taken or not _SHORTER * self.layout.shortest <= size <= _LONGER * self.layout.longest:
            raise Surprise(f"{size} characters")
        lead = " ".join(block.text for block in leads if block in taken) if is_long_enough(leads) else None
        paragraphs = tuple(Paragraph(text=block.text, kind=KINDS.get(block.kind, ParagraphKind.PARAGRAPH)) for block in taken)
        confidence = self.path.confidence
        body = Body(paragraphs=paragraphs, headline=title, lead=lead, confidence=confidence, elements=(region,))
        return FastPage(found=Examination(page=page, taken=taken, body=body), reader=self)

    def _is_text(self, node: _Node, block: Block, title: str | None) -> bool:
        """Tell whether a line is text.

        Args:
            node: what is known of its path.
            block: the line.
            title: the headline, given with the first line: with both, other pages may announce the article.

        Raises:
            Surprise: no learned page had such a line there, or some had it in the text and others beside it.
        """
        state = state_of(block, self.evidence)
        is_text = state in node.text or (not state and node.text and not node.other)
        is_other = state in node.other or (not node.text and "" in node.other)
        if bool(is_text) == is_other:
            raise Surprise(f"{next(iter(node.paths), '')}{state} is not known")
        if node.text and state == _RECURS and title is not None and self.evidence.recurs(title):
            raise Surprise("other pages announce the article")
        return bool(is_text)

    def _is_lead(self, path: str, block: Block, node: _Node, described: str, before: int) -> bool:
        """Return whether a line at the head of the text, after others of the lead, belongs to it.

        Raises:
            Surprise: such lines do on some learned pages and do not on others, or no learned page begins with one.
        """
        if block.size > LONGEST_LEAD:
            return False
        if is_described(block, described):
            return True
        if before >= self.path.most_leads:
            return False
        forms = {lead_form(known, block.element) for known in (path, *node.paths)}
        is_lead, is_none = (not self.path.lead.isdisjoint(each) for each in (forms, {form + NO_LEAD for form in forms}))
        if is_lead == is_none:
            raise Surprise("a lead is not known for sure")
        return is_lead

    def _lines(self, region: etree._Element) -> Iterator[tuple[str, etree._Element, _Node, bool]]:
        """Yield the lines at learned paths of a region, each with its path, and whether it is in something foreign."""
        waiting: list[tuple[str, etree._Element, _Node, bool]] = [("", region, self._tree, False)]
        while waiting:
            path, element, node, is_foreign = waiting.pop()
            if (node.text or node.other) and is_line(element):
                yield path, element, node, is_foreign
                continue
            if not node.below or has_own_text(element):
                raise Surprise(f"text in {path}")
            deeper = []
            for child in element:
                if child.tag in SILENT:
                    continue
                name = self.namer.name(child)
                known = node.child(name)
                if known is not None and (known.kind or known.below or is_line(child)):
                    deeper.append((f"{path}|{name}" if path else name, child, known, is_foreign or self._is_foreign(child)))
                elif known is None and _has_text(child):
                    raise Surprise(f"{path}|{name} is not known")
                elif known is not None and not known.passes(name) and holds_paragraphs(child):
                    raise Surprise(f"paragraphs in {path}|{name}")
            waiting.extend(reversed(deeper))

    def _is_foreign(self, element: etree._Element) -> bool:
        """Tell whether an element is hidden, or called what text is not by a class that no learned page has."""
        unlearned = self.namer.unlearned(element)
        return bool((unlearned and marks_of(unlearned) & _FOREIGN) or hides(element))


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
    """Tell whether an element holds text that can be part of an article, which the label of a button is not."""
    waiting = [element]
    while waiting:
        outer = waiting.pop()
        if has_own_text(outer):
            return True
        waiting += [child for child in outer if child.tag not in SILENT]
    return False


def holds_paragraphs(element: etree._Element) -> bool:
    """Tell whether a paragraph with text is in an element."""
    return any(map(_has_text, element.iter("p")))


def has_own_text(element: etree._Element) -> bool:
    """Tell whether text stands in an element beside the elements in it."""
    return any(text and not text.isspace() for text in (element.text, *(child.tail for child in element)))


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

    def agrees(self, page: Document, full: Metadata) -> bool:
        """Tell whether headline and authors of the page are those of the full reading, as far as they are known for sure."""
        body, authors = self.found.body, self._authors(page)
        return body is not None and body.headline == full.headline and authors in (None, full.authors)

    def likely(self, page: Document) -> list[float]:
        """Return the probability of each block of the page to be part of the body: the text is known, and so is the rest."""
        text = {block.element for block in self.found.taken}
        return [_OTHER if text.isdisjoint((b.element, *b.element.iterancestors())) else _TEXT for b in page.layout.blocks]

    def _read(self, page: Document, name: str) -> tuple[bool, str | None, Any]:
        return self.reader.fields.read(page, name, Clock())

    def _authors(self, page: Document) -> tuple[str, ...] | None:
        """Return the authors; None where they are not known for sure, or one is called as the site or a section is."""
        is_sure, _, names = self._read(page, AUTHORS)
        named = Candidates(page.view(read_institutions))
        for name in names or ():
            named.of(name)
        return tuple(names or ()) if is_sure and len(named.persons()) == len(named) else None

    def metadata(self, page: Document, language: str | None) -> Metadata:
        """Return the metadata; authors and section that no source gives for sure are read as in full."""
        body = self.found.body
        assert body is not None
        names = self._authors(page)
        authors = Authors(names=names) if names is not None else find_authors(page, None, body.elements)
        is_sure, source, section = self._read(page, SECTION)
        if not is_sure:
            section, source = find_section(page)
        spoken, other = choose_language(language, page.declared_language, body.text)
        return Metadata(
            headline=body.headline, headline_declared=_declared_title(page, body.headline or ""), authors=authors.names,
            authors_source=authors.source, authors_confidence=authors.confidence, description=find_description(page),
            section=section, section_source=source if section else None, keywords=find_keywords(page), language=spoken,
            canonical_url=find_canonical(page), image_url=find_picture(page), genre=find_genre(page, body.headline, section),
            language_detected=other, free=find_free(page, body.elements if self.reader.path.shows_walls else ()),
        )  # fmt: skip

    def dates(self, page: Document, context: DateContext, in_full: Callable[[], Dates]) -> Dates:
        """Return the dates; where no source is sure, or the crawl saw another day, they are read in full."""
        clock = clock_of(context)
        (sure, kind, published), (sure_too, kind_too, modified) = (
            self.reader.fields.read(page, name, clock) for name in (PUBLISHED, MODIFIED)
        )
        if not (sure and sure_too) or published is None or _is_doubted(published.value, context, clock):
            return in_full()
        if modified is None:
            modified = declared_change(page, clock)
            if modified is not None and modified.value != published.value:
                return in_full()  # the first change that a page of the portal declares
        if modified is not None and modified.value < published.value:
            return in_full()
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


def state_of(block: Block, evidence: KnownEvidence) -> str:
    """Return whether a line is a link as a whole, or recurs."""
    if 5 * block.linked >= 4 * len(block.text):
        return _LINKED
    return _RECURS if evidence.recurs(block.text) else ""


def likeness_of(one: Examination, other: Examination) -> float:
    """Return the characters of paragraphs that two bodies share, twice, over those of both."""
    first, second = ({p.text for p in found.body.paragraphs} if found.body else set[str]() for found in (one, other))
    total = sum(map(len, first)) + sum(map(len, second))
    return 2 * sum(map(len, first & second)) / total if total else 1.0
