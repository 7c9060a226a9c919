"""Sources of authors' names: what a page declares to machines, elements named as the author's, and lines near headline and text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from lxml import etree

from newscrawler.extraction.body.cues import is_name_alone
from newscrawler.extraction.body.headline import find_headline_block
from newscrawler.extraction.body.site_names import reduce_to_letters
from newscrawler.extraction.body.state import read_state
from newscrawler.extraction.metadata.candidates import NameCandidates, explain_refused, find_own_links
from newscrawler.extraction.metadata.names import (
    consists_of_names,
    explain_no_name,
    find_marked_names,
    find_names,
    find_shown_names,
    get_text_behind_label,
    get_text_behind_label_within,
    has_label_within,
    is_introduction,
    read_single_name,
)
from newscrawler.languages import alternatives, compile_late, one_of, words
from newscrawler.page import (
    Block,
    Document,
    Layout,
    Mark,
    PlacedObject,
    collect_small_pieces,
    find_extent,
    has_eastern_letters,
    is_article,
    read_types,
    short_text,
)

#: Types of JSON-LD, besides articles, whose authors are the page's.
_WITH_AUTHORS = re.compile(r"webpage|videoobject|creativework", re.IGNORECASE)
_ELSEWHERE = frozenset({
    "comment", "comments", "mentions", "relatedlink", "itemlistelement", "haspart", "ispartof", "citation", "review",
    "associatedmedia", "publisher",
    "author", "about", "subjectof", "isbasedon", "image", "logo", "video", "liveblogupdate", "itemreviewed", "sponsor",
    "hasoffer", "reviewrating", "blogpost", "blogposts",
})  # fmt: skip
_META_NAMES = (
    "author", "article:author_name", "articleauthor", "parsely-author", "mrf:authors", "sailthru.author", "byl",
    "dc.creator", "dcterms.creator", "dc.contributor",
    "article:author", "og:article:author", "author_name", "authors", "cxenseparse:author", "cxenseparse:recs:authors",
    "dcsext.author", "citation_author",
    "bt:author", "rbauthors", "creator", "byline", "news_author", "article.author", "vr:author", "shareaholic:article_author_name",
    "twitter:data1",
)  # fmt: skip
#: Value of a label, on many systems the author, elsewhere the time that a text takes to read.
_WRITTEN_BY = "twitter:data1"


def note_declared(page: Document, found: NameCandidates) -> None:
    """Add the names that JSON-LD, meta elements and the page's state declare to the candidates."""
    given = _read_json_ld_authors(page)
    for name, kind in given:
        values = found.get_or_add(name).values
        if not values:
            values |= {"json-ld": 1.0, f"json-ld {kind}": 1.0, "json-ld names": float(len(given))}
    for rank, family in enumerate(_META_NAMES):
        given_here = page.meta.get(family, ())[:20] if family != _WRITTEN_BY else _find_writer(page)
        for name in chain.from_iterable(find_names(text) for text in given_here if not _is_program(page, text)):
            found.get_or_add(name).values.setdefault("meta", float(rank + 1))
    state = page.view(read_state) if not given else None
    for name in chain.from_iterable(map(find_marked_names, state.writers)) if state else ():
        found.get_or_add(name).values.setdefault("meta", 1.0)


def _is_program(page: Document, text: str) -> bool:
    """Return whether a text is the name of the program that made the page."""
    return any(text.casefold() in made.casefold() for made in page.meta.get("generator", ()))


def explain_refused_authors(page: Document) -> Iterator[tuple[str, str, str]]:
    """Yield sources and texts of authors that the page gives and that were not read as names, and why."""
    sources = ("json-ld:author", *(family for family in _META_NAMES if family != _WRITTEN_BY))
    yield from explain_refused(page, sources, lambda text: None if find_names(text) else explain_no_name(text))
    marked, called = _find_author_elements(page)
    for element in islice(chain(marked, called), _MOST_ELEMENTS):
        text = element.get("content") or " ".join(_split_text(element))
        if text and not _read_names(element):
            yield "byline", text, explain_no_name(text)


def _find_writer(page: Document) -> Sequence[str]:
    label, said = page.get_first_meta("twitter:label1"), page.get_first_meta(_WRITTEN_BY)
    return [said] if label and said and get_text_behind_label(label) == "" else []


def _read_json_ld_authors(page: Document) -> list[tuple[str, str]]:
    """Return names and kinds of the authors of the first article in the JSON-LD that names any."""
    objects = page.placed_json_ld
    for placed in objects:
        given = list(filter(None, map(placed.value.get, ("author", "creator"))))
        if not given or not _may_name_authors(placed.types) or any(key.lower() in _ELSEWHERE for key in placed.path):
            continue
        if "VideoObject" in placed.types and placed.value.get("name") and not page.is_headline_of(placed.value):
            continue
        for value in given:
            if names := list(_read_ld_names(value, objects)):
                return names
    return []


@lru_cache(maxsize=512)
def _may_name_authors(types: tuple[str, ...]) -> bool:
    return is_article(types) or any(map(_WITH_AUTHORS.search, types))


def _read_ld_names(value: Any, objects: Sequence[PlacedObject], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names in the value of a JSON-LD field, each with its kind: "person", "organization" or ""."""
    if isinstance(value, str):
        yield from ((name, "") for name in find_names(value))
    elif isinstance(value, list) and depth < 3:
        for item in value[:40]:
            yield from _read_ld_names(item, objects, depth + 1)
    elif isinstance(value, Mapping):
        kinds = " ".join(read_types(value)).lower()
        kind = "organization" if "organization" in kinds else "person" if "person" in kinds else ""
        name = value.get("name") or f"{value.get('givenName') or ''} {value.get('familyName') or ''}".strip()
        if not name and isinstance(identity := value.get("@id"), str) and depth < 3:
            named = (each.value for each in objects if each.value.get("@id") == identity and each.value.get("name"))
            name = next(named, {"name": ""})["name"]
        for text in name[:40] if isinstance(name, list) else [name]:
            if isinstance(text, str):
                yield from ((found, kind) for found in find_names(text, split=kind != "organization"))


_OTHERS = int(Mark.COMMENT | Mark.RELATED | Mark.NAVIGATION | Mark.PROMOTION)
_FOREIGN = _OTHERS | int(Mark.ASIDE | Mark.FOOTER)
_OF_PICTURES = int(Mark.FIGURE | Mark.CAPTION)
_BESIDE = _OTHERS | _OF_PICTURES | int(Mark.ASIDE)
_BYLINE, _HEADER, _PROMOTION = int(Mark.BYLINE), int(Mark.HEADER), int(Mark.PROMOTION)
#: Words in the names of an element with the authors; names of other elements near it.
_HINTS = (*sorted(words("element_names/author")), "vcard")
_BYLINE_NAME = re.compile(
    rf"(?:^|[\s_-]){one_of(_HINTS[:-1])}s?(?:$|[\s_-])|"
    r"author(?:__|-|_)?name|article-?_?author|post-?_?author|entry-?author|byline|(?:^|\s)vcard(?:$|\s)",
    re.IGNORECASE,
)
_NEVER_NAME = re.compile(
    r"comment|related|recommend|sidebar|widget|teaser|footer|bio\b|about-?author|author-?(?:bio|box|info|description|card)|avatar|image|photo|follow|social|share|more-from|other",
    re.IGNORECASE,
)
_MOST_ELEMENTS = 200
#: Lines below the headline.
_BELOW = 12
#: A word or two behind a name, perhaps the role of its bearer.
_ROLE_BEHIND = re.compile(r"(?:,|\s[/|–—-])\s(?:\S+\s?){1,2}$")
_LONGEST_ELEMENT, _LONGEST_LINE, _LONGEST_NAME = 160, 120, 60
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\b\d{1,2}[:.]\d\d\b|\d{1,2}\. ?\d{1,2}\.")
_BEHIND_DATE = compile_late(
    lambda: rf"\d(?:\s?(?:[ap]\.?m\.?|hs?|{alternatives('hour_words', 'years_short')}))?[\s,|·•/–—)-]+|\s[|·•]\s", re.IGNORECASE
)
_PAGES = {
    "author": re.compile(rf"/{alternatives('author_pages', extent='all')}/[^/?#]", re.IGNORECASE),
    "user": re.compile(rf"/{alternatives('user_pages')}/[^/?#]", re.IGNORECASE),
}
_SECTION = "section"
#: Features of a name in the form of a signature, as those of a line that a word for its author opens.
_SIGNATURE = {"label": 2.0, "best line": 2.0, "share of line": 1.0, "names of line": 1.0, "behind text": 1.0}
#: Names of elements with the words of somebody else.
_QUOTATION = re.compile(rf"(?:^|[\s_-]){one_of(words('element_names/quotation'))}s?(?:$|[\s_-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Positions of headline and text on the page, as numbers of blocks; -1 where one is not known."""

    headline: int
    first: int
    last: int


def find_surroundings(page: Document, body: Sequence[etree._Element]) -> Surroundings:
    """Return the positions of headline and text."""
    heading, ends = find_headline_block(page), [page.box_of.get(element) for element in (*body[:1], *body[-1:])]
    first = ends[0].first if ends and ends[0] else -1
    last = ends[1].last - 1 if ends and ends[1] else first
    return Surroundings(headline=heading.index if heading else -1, first=first, last=last)


def note_elements(page: Document, where: Surroundings, found: NameCandidates) -> None:
    """Add the names in elements that microdata or rel marks as the author's, or that are called byline or author."""
    layout, elements = page.layout, page.names.elements
    headline = layout.blocks[where.headline] if where.headline >= 0 else None
    at = elements.index(headline.element) if headline else None
    foreign = _BESIDE & ~(layout.boxes[headline.box].within if headline else 0)
    marked, called = _find_author_elements(page)
    for feature, those in (("marked", marked), ("called", (each for each in called if each not in marked))):
        named = 0
        for element in islice(those, _MOST_ELEMENTS):
            box = next(filter(None, map(page.box_of.get, (element, *element.iterancestors()))), None)
            within = box.within if box is not None else 0
            if within & _HEADER:
                within &= ~_PROMOTION  # a "banner" with headline and byline
            if named > 12 or within & foreign or not (names := _read_names(element)):
                continue
            if (box is not None and _is_of_others(layout, where, box.index)) or _is_of_teaser(page, where, element):
                continue
            place, named = elements.index(element), named + len(names)
            distance = math.copysign(math.log2(1 + abs(place - at)), place - at) if at is not None else -1.0
            for name in names:
                values = found.get_or_add(name).values
                values[feature] = values.get(feature, 0.0) + 1
                values[f"{feature} distance"] = min(distance, values.get(f"{feature} distance", distance), key=abs)


def _find_author_elements(page: Document) -> tuple[list[etree._Element], Iterator[etree._Element]]:
    """Return the elements that microdata or rel marks as the author's, and those that are called so."""
    said, elements = page.names.said.items(), page.names.elements
    marked = [elements[place] for place, (prop, rel, _) in said if ("author" in prop or "author" in rel) and "dc:" not in prop]
    named = (element for element, bits in page.names.marks.items() if bits & _BYLINE)
    marked = [element for element in marked if not page.is_of_other_article(element) and not _is_of_medium(element)]
    return marked, (each for each in named if _is_author_name(f"{each.get('class', '')} {each.get('id', '')}"))


def _is_of_medium(element: etree._Element) -> bool:
    """Return whether the microdata of a video or the like contains an element."""
    scope = next((outer for outer in islice(element.iterancestors(), 12) if "itemscope" in outer.attrib), None)
    return scope is not None and _MEDIUM.search(scope.get("itemtype", "")) is not None


_MEDIUM = re.compile(r"(?:Video|Image|Audio|Media)Object")


def _read_names(element: etree._Element) -> list[str]:
    """Return the names in an element, or in the one within it that microdata calls the name."""
    inner = element.find(".//*[@itemprop='name']")
    said = inner if inner is not None else element
    if said.tag == "meta":
        return find_marked_names(said.get("content"))
    pieces = _split_text(said) or _split_text_behind_icon(said)
    return max(map(find_marked_names, ("\n".join(pieces), " ".join(pieces))), key=lambda names: sum(" " in name for name in names))


def _split_text_behind_icon(icon: etree._Element) -> list[str]:
    """Return the only text of the element of an icon, such as `icon-author`, that is empty itself."""
    parent = icon.getparent()
    pieces = _split_text(parent) if parent is not None and icon.tag in {"i", "span", "svg"} and not len(icon) else []
    return pieces if len(pieces) == 1 and len(pieces[0]) <= _LONGEST_NAME else []


def _split_text(element: etree._Element) -> list[str]:
    """Return the pieces of text in a small element, as other elements part them; none where it is larger."""
    pieces = collect_small_pieces(element, 4 * _LONGEST_ELEMENT) or []
    return list(filter(None, map(" ".join, map(str.split, pieces))))


@lru_cache(maxsize=4_096)  # the names of a site's pages are always the same
def _is_author_name(name: str) -> bool:
    """Return whether class and id of an element call it that of the authors."""
    lower = name.lower()
    return any(hint in lower for hint in _HINTS) and _BYLINE_NAME.search(lower) is not None and _NEVER_NAME.search(lower) is None


def _find_links_in_margin(page: Document, where: Surroundings) -> Sequence[etree._Element]:
    """Return the article's own links to pages of authors, which a list of all confirms, if all such links are in margins."""
    own, layout = [link for link, is_listed in find_own_links(page, _PAGES["author"]).items() if is_listed], page.layout
    margin = _FOREIGN & ~(layout.boxes[layout.blocks[where.headline].box].within if where.headline >= 0 else 0)
    linked = (link for link in page.tagged("a") if own and _PAGES["author"].search(link.get("href") or ""))
    boxes = (next(filter(None, map(page.box_of.get, (link, *link.iterancestors()))), None) for link in linked)
    return own if all(box is not None and box.within & margin for box in boxes) else []


def note_lines(page: Document, where: Surroundings, found: NameCandidates) -> None:
    """Add the names in the lines around headline and text to the candidates."""
    layout, in_margin = page.layout, _find_links_in_margin(page, where)
    for name in chain.from_iterable(find_shown_names(short_text(link, _LONGEST_NAME)) for link in in_margin):
        found.get_or_add(name).values["author page"] = 1.0
    headline = layout.boxes[layout.blocks[where.headline].box].within if where.headline >= 0 else 0
    passed = (_OF_PICTURES & ~headline) | (_FOREIGN if in_margin else 0)  # perhaps in the list of all authors
    for index in _find_nearby_lines(where, len(layout.blocks)):
        block = layout.blocks[index]
        is_long = len(block.text) > _LONGEST_LINE and index != where.headline
        if is_long or (index > where.last >= 0 and _is_of_other_article(page, where, block)):
            continue
        if layout.boxes[block.box].within & passed or _is_of_others(layout, where, block.box):
            continue
        pieces = _split_line(block)[1:] if index == where.headline else None
        text = block.text if pieces is None else " ".join(pieces)
        if text and len(text) <= _LONGEST_LINE and text[-1] not in "!?…" and _is_possible_byline(layout, block, text):
            _note_line(page, where, block, text, "\n".join(_split_line(block) if pieces is None else pieces), found)


def _split_line(block: Block) -> list[str]:
    return [piece for piece in _split_text(block.element) if piece in block.text]


def note_signatures(page: Document, where: Surroundings, found: NameCandidates) -> None:
    """Add the reporters who are named within the first and the last line of the text to the candidates."""
    blocks = page.layout.blocks
    if not 0 <= where.first <= where.last < len(blocks):
        return
    around = [n for n in (where.first - 1, where.last + 1) if 0 <= n < len(blocks) and n != where.headline]
    nearby = [blocks[n].text for n in around if n < where.last or not _is_of_other_article(page, where, blocks[n])]
    begins = [block.text for block in blocks[max(where.first, where.headline + 1) : where.last + 1] if block.is_sentence][:2]
    lines = [*begins, *(line for line in nearby if len(line) <= _LONGEST_NAME), blocks[where.last].text]
    head = (blocks[n] for n in _find_nearby_lines(where, len(blocks)) if n < where.last and n != where.headline)
    short = (block for block in head if len(block.text) <= _LONGEST_LINE and has_eastern_letters(block.text))
    bylines = [*chain.from_iterable(map(_split_line, short))]
    if not bylines and not any(map(has_eastern_letters, lines)):
        return
    from newscrawler.extraction.metadata.signatures import find_signatures  # its patterns take long to compile

    for name in find_signatures(lines, bylines):
        values = found.get_or_add(name).values
        values |= _SIGNATURE | {"lines": values.get("lines", 0.0) + 1}


def _is_of_others(layout: Layout, where: Surroundings, box: int) -> bool:
    """Return whether a quotation, or a table with a row of headings, contains a box: they name who wrote something else."""
    for outer in islice(layout.outer(box), 6):
        if outer.first <= where.headline < outer.last or outer.first <= where.first <= where.last < outer.last:
            break
        if outer.tag == "blockquote" or _is_quotation(f"{outer.element.get('class', '')} {outer.element.get('id', '')}"):
            return True
        if outer.tag == "table":
            return _has_columns(outer.element, is_in_text=outer.first > where.first >= 0)
    return False


@lru_cache(maxsize=4_096)
def _is_quotation(name: str) -> bool:
    return _QUOTATION.search(name) is not None


def _is_of_teaser(page: Document, where: Surroundings, element: etree._Element) -> bool:
    """Return whether one of several like elements contains a name, and a link to something that is not its bearer's page."""
    name = short_text(element, _LONGEST_ELEMENT) or ""
    for outer in islice(element.iterancestors(), _MOST_AROUND if where.first >= 0 else 0):
        box = page.box_of.get(outer)
        if box is not None and (box.first <= where.headline < box.last or box.first <= where.first < box.last):
            return False
        if short_text(outer, _LONGEST_TEASER) is None:
            return False
        siblings = (outer.getprevious(), outer.getnext())
        if any(each is not None and each.tag == outer.tag and each.get("class") == outer.get("class") for each in siblings):
            links = (link for link in outer.iter("a") if not any(each.search(link.get("href") or "") for each in _PAGES.values()))
            texts = (text for link in links if (text := short_text(link, _LONGEST_LINE)) and "@" not in text and text not in name)
            if any(find_extent(text) >= _SHORTEST_TITLE and not _DATED.search(text) for text in texts):
                return True
    return False


#: Elements around a name that may be its teaser, and the extent of the shortest headline of one.
_MOST_AROUND, _SHORTEST_TITLE, _LONGEST_TEASER = 4, 12, 400


def _has_columns(table: etree._Element, *, is_in_text: bool) -> bool:
    """Return whether a table has a first row of headings for the rows below it, and not a heading before each value."""
    rows = [[cell for cell in row if cell.tag in {"td", "th"}] for row in islice(table.iter("tr"), 12)]
    if len(rows) < 2 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return False
    heads = sum(cell.tag == "th" for cell in rows[0])
    if heads == len(rows[0]):
        return True
    return is_in_text and not heads and not (short_text(rows[0][0], _LONGEST_NAME) or "").endswith((":", "\uff1a"))


def _is_of_other_article(page: Document, where: Surroundings, block: Block) -> bool:
    """Return whether a line behind the text belongs to the announcement of another article, or to a comment."""
    layout = page.layout
    return (
        bool(layout.boxes[block.box].within & _OTHERS)
        or (block.kind[0] == "h" and block.links > 0)
        or any(
            other.linked >= 25 * other.links and other.link_density > 0.9  # links as long as titles, and nothing else
            for other in layout.blocks[max(block.index - 2, where.last + 1) : block.index]
        )
        or _is_of_teaser(page, where, next(block.element.iterchildren(etree.Element), block.element))
    )


def _is_possible_byline(layout: Layout, block: Block, line: str) -> bool:
    """Return whether a line may be a byline: by its markup, a link, a word, a date, or as a mere name."""
    if is_introduction(line) or has_label_within(line):
        return True
    if block.is_sentence and block.size > _LONGEST_NAME:
        return False
    return (
        (block.marks | layout.boxes[block.box].within) & _BYLINE != 0
        or _DATED.search(line) is not None
        or is_name_alone(_ROLE_BEHIND.sub("", line))
        or (not block.links and consists_of_names(line))
        or (len(line) <= _LONGEST_NAME and has_eastern_letters(line))
        or (block.links > 0 and any(kind for kind, _ in _find_linked_pages(block).values()))
    )


def _find_nearby_lines(where: Surroundings, blocks: int) -> list[int]:
    """Return the numbers of the lines in which authors are named: around the headline, before the text and at its end."""
    near = {*range(where.headline - 3, where.headline + _BELOW)} if where.headline >= 0 else set()
    if where.first >= 0:
        near |= {*range(where.first - 5, where.first + 3), *range(where.last - 2, where.last + 5)}
    return sorted(near.intersection(range(blocks)))


def _note_line(page: Document, where: Surroundings, block: Block, line: str, parted: str, found: NameCandidates) -> None:
    names, label = _read(line, parted)
    if not names and get_text_behind_label(line) == "" and block.index + 1 < len(page.layout.blocks):
        below = page.layout.blocks[block.index + 1]
        if len(below.text) <= _LONGEST_NAME:
            names, label = _read(below.text, "\n".join(_split_text(below.element)))[0], 3.0
    pages = _find_linked_pages(block) if block.links else {}
    names = [name for name in names if not any(kind == _SECTION and name in text for text, (kind, _) in pages.items())]
    names = names or [name for text, (kind, _) in pages.items() if kind == "author" for name in read_single_name(text)]
    if not names:
        return
    of_line = _describe_line(page.layout, where, block, line, names) | {"label": label}
    any_page = {f"{name} page": 0.5 * any(kind == name for kind, _ in pages.values()) for name in _PAGES}
    for name in names:
        values = found.get_or_add(name).values
        values["lines"] = values.get("lines", 0.0) + 1
        if values.get("best line", -1.0) >= label:
            continue
        values |= of_line | any_page | {"best line": label} | _describe_link(name, pages)


def _describe_link(name: str, pages: Mapping[str, tuple[str, str]]) -> dict[str, float]:
    """Return the features of the link of a name, if it has one."""
    kind, slug = next((found for text, found in pages.items() if name in text or text in name), ("", None))
    if slug is None:
        return {}
    of_page = {f"{kind} page": 1.0} if kind in _PAGES else {}
    return of_page | {"other link": float(not kind and reduce_to_letters(name) not in slug)}


def _read(line: str, parted: str) -> tuple[list[str], float]:
    """Return the names of a line, and how sure a word says that they wrote: 2 at its start, 1 within, 0 where none does.

    Args:
        line: its text.
        parted: the same with line breaks where elements part it; names may be in several of them, as in
            "<b>Jane</b> Doe", and be parted from the word that introduces them by nothing else.
    """
    readings = [_read_text(text) for text in dict.fromkeys((parted, line)) if text]
    return max(readings, key=lambda reading: (sum(" " in name or not name.isascii() for name in reading[0]), reading[1]))


def _read_text(text: str) -> tuple[list[str], float]:
    text = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    names = find_shown_names(text)
    for number, piece in enumerate(_BEHIND_DATE.split(text)):
        if (behind := get_text_behind_label(piece)) and (
            said := find_shown_names(piece) or (read_single_name(behind) if not number else [])
        ):
            return (said if number else names or said), (1.0 if number else 2.0)
    within = get_text_behind_label_within(text) or ""
    return names, float(any(name in within for name in names))


def _describe_line(layout: Layout, where: Surroundings, block: Block, line: str, names: Sequence[str]) -> dict[str, float]:
    """Return the features of a line."""
    box, at = layout.boxes[block.box], block.index
    adjoining = [layout.blocks[n] for n in (at - 1, at + 1) if 0 <= n < len(layout.blocks)]
    return {
        "below headline": float(at - where.headline + 4) if where.headline >= 0 and at - where.headline <= _BELOW else 0.0,
        "before text": float(max(where.first - at + 1, 0)) if where.first >= 0 else 0.0,
        "behind text": float(max(at - where.last, 0)) if where.last >= 0 else 0.0,
        "dated": float(_has_date(block)),
        "beside date": float(any(map(_has_date, adjoining))),
        "share of line": min(sum(map(len, names)) / max(len(line), 1), 1.0),
        "byline mark": float(bool((block.marks | box.within) & _BYLINE)),
        "foreign mark": float(bool(box.within & _FOREIGN)),
        "heading": float(block.kind[0] == "h"),
        "sentence": float(block.is_sentence),
        "below kind": float(at > 0 and layout.blocks[at - 1].text.casefold() in words("kinds_of_text")),
        "names of line": float(len(names)),
    }


def _has_date(block: Block) -> bool:
    return len(block.text) <= _LONGEST_LINE and _DATED.search(block.text) is not None


def _find_linked_pages(block: Block) -> dict[str, tuple[str, str]]:
    """Return, by text of the links of a block, the kind of page that each leads to, or "", and the letters of its address."""
    found = {}
    for link in block.element.iter("a"):
        text, href = short_text(link, _LONGEST_LINE), link.get("href") or ""
        if text and text in block.text:
            kind = next((kind for kind, page in _PAGES.items() if page.search(href)), "")
            is_section = not {"category", "tag"}.isdisjoint((link.get("rel") or "").lower().split())
            found[text] = _SECTION if is_section else kind, reduce_to_letters(href)
    return found
