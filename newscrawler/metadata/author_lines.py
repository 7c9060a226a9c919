"""The names in the lines around the headline, before the text and at its end, with how these lines look."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from newscrawler.extraction.headline import headline_block
from newscrawler.extraction.signed_names import is_name_alone, signs
from newscrawler.extraction.site_names import letters_of
from newscrawler.languages import alternatives, words
from newscrawler.metadata.author_candidates import Candidates
from newscrawler.metadata.names import behind_label, has_label_within, may_introduce, shown_names, written_alone
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout, holds_time
from newscrawler.page.document import squeeze
from newscrawler.page.marks import Mark
from newscrawler.page.named import short_text

_FOREIGN = int(Mark.COMMENT | Mark.RELATED | Mark.NAVIGATION | Mark.PROMOTION | Mark.ASIDE | Mark.FOOTER)
_OTHERS = int(Mark.COMMENT | Mark.RELATED | Mark.NAVIGATION | Mark.PROMOTION)
_BYLINE = int(Mark.BYLINE)
#: Lines above and below the headline, before the text and at its end.
_ABOVE, _BELOW, _BEFORE, _WITHIN, _BEHIND = 3, 12, 5, 3, 5
_LONGEST_LINE, _LONGEST_NAME, _MOST_OF_CARD = 120, 60, 4
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\b\d{1,2}[:.]\d\d\b|\d{1,2}\. ?\d{1,2}\.")
#: Characters of a link that announces another article, and the share of its line.
_SHORTEST_TITLE, _ONLY_LINK = 25, 0.9
_HOURS = alternatives("hour_words", "years_short")
_BEHIND_DATE = re.compile(rf"\d(?:\s?(?:[ap]\.?m\.?|hs?|{_HOURS}))?[\s,|·•/–—)-]+|\s\|\s", re.IGNORECASE)
AUTHOR_PAGE = re.compile(rf"/{alternatives('author_pages', extent='all')}/[^/?#]", re.IGNORECASE)
_USER_PAGE = re.compile(rf"/{alternatives('user_pages')}/[^/?#]", re.IGNORECASE)
_USER_NAME = re.compile(r"@?[^\W\d_]{2,20}(?:[_.-][^\W\d_]{2,20}){1,2}")
_EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "option"})
_ENDS = frozenset("!?…")
_PICTURED = frozenset({"figure", "figcaption"})
#: Characters in which the lines of an element are looked for, all in all: more than pages have in use.
_MOST_COMPARED = 40_000_000


@dataclass(slots=True, kw_only=True)
class Surroundings:
    """Where on the page the headline and the text stand, as numbers of blocks; -1 where one is not known."""

    headline: int
    first: int
    last: int


def surroundings_of(page: Document, body: Sequence[etree._Element]) -> Surroundings:
    """Return where the headline and the text stand."""
    heading = headline_block(page)
    first = last = -1
    if body:
        boxes = page.layout.boxes
        first = next((box.first for box in boxes if box.element is body[0]), -1)
        last = next((box.last - 1 for box in boxes if box.element is body[-1]), first)
    return Surroundings(headline=heading.index if heading else -1, first=first, last=last)


def note_lines(page: Document, where: Surroundings, found: Candidates) -> None:
    """Add the names in the lines around headline and text to the candidates."""
    layout = page.layout
    for index in _near(where, len(layout.blocks)):
        block = layout.blocks[index]
        if index > where.last >= 0 and _is_of_another(layout, block):
            continue
        if index == where.headline:
            lines = lines_of(block)[1:]
        elif len(block.text) > _LONGEST_LINE or (
            block.is_sentence and block.size > _LONGEST_NAME and not may_introduce(block.text)
        ):
            continue
        elif (marked := (block.marks | layout.boxes[block.box].within) & _BYLINE) or block.links or _may_name(block.text):
            if not marked and block.links and not _may_name(block.text) and not _pages(block, only_authors=True):
                continue
            lines = lines_of(block)
        else:
            continue
        for line, parted in lines:
            if len(line) <= _LONGEST_LINE and line[-1:] not in _ENDS:
                _note_line(page, where, block, line, parted, found)


def _is_of_another(layout: Layout, block: Block) -> bool:
    """Tell whether a line behind the text belongs to the announcement of another article, or to a comment."""
    return (
        bool(layout.boxes[block.box].within & _OTHERS)
        or (block.kind[0] == "h" and block.links > 0)
        or any(_announces(other) for other in layout.blocks[max(block.index - 2, 0) : block.index])
    )


def _may_name(line: str) -> bool:
    """Tell whether a line without names of elements and links may say who wrote: by a word, beside a date, or as a name alone."""
    return (
        may_introduce(line)
        or has_label_within(line)
        or _DATED.search(line) is not None
        or is_name_alone(line)
        or (not line.isascii() and len(line) <= _LONGEST_NAME and (_EASTERN.search(line) is not None))
    )


def _near(where: Surroundings, blocks: int) -> Iterator[int]:
    """Yield the numbers of the lines in which authors are named, each once."""
    windows = []
    if where.headline >= 0:
        windows.append(range(where.headline - _ABOVE, where.headline + _BELOW))
    if where.first >= 0:
        windows += [range(where.first - _BEFORE, where.first + 1), range(where.last - _WITHIN + 1, where.last + _BEHIND)]
    yield from sorted({index for window in windows for index in window if 0 <= index < blocks})


def _note_line(page: Document, where: Surroundings, block: Block, line: str, parted: str, found: Candidates) -> None:
    names, label = _read(line, parted)
    if not names and behind_label(line) == "" and block.index + 1 < len(page.layout.blocks):
        below = page.layout.blocks[block.index + 1]
        if len(below.text) <= _LONGEST_NAME:
            names, label = _read(*lines_of(below)[0])[0], 3.0
    pages = _pages(block) if block.links else {}
    users = [name for text, (kind, _) in pages.items() if kind != "linked" and (name := _user(text))] if not names else []
    if not names and not users:
        return
    of_line = _look(page, where, block, line, names or users) | {"label": label}
    any_page = {name: 0.5 * any(kind == name for kind, _ in pages.values()) for name in ("author page", "user page")}
    for name in names or users:
        values = found.of(name).values
        values["lines"] = values.get("lines", 0.0) + 1
        if values.get("best line", -1.0) >= label:
            continue
        link, slug = next((found for text, found in pages.items() if name in text or text in name), ("", ""))
        values |= of_line | {"best line": label, "user name": float(not names)}
        values |= {kind: 1.0 if link == kind else of_another for kind, of_another in any_page.items()}
        values["other link"] = float(link == "linked" and not (slug and letters_of(name) in slug))


def _read(line: str, parted: str) -> tuple[list[str], float]:
    """Return the names of a line, and how sure a word says that they wrote: 2 at its start, 1 within, 0 where none does.

    Args:
        line: its text.
        parted: the same with line breaks where elements part it; names may stand in several of them, as in
            "<b>Jane</b> Doe", and be parted from the word that introduces them by nothing else.
    """
    readings = [_read_text(text) for text in dict.fromkeys((parted, line)) if text]
    return max(readings, key=lambda reading: (sum(" " in name or not name.isascii() for name in reading[0]), reading[1]))


def _read_text(text: str) -> tuple[list[str], float]:
    text = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    names = shown_names(text)
    for number, piece in enumerate(_BEHIND_DATE.split(text)):
        if (behind := behind_label(piece)) and (said := shown_names(piece) or (written_alone(behind) if not number else [])):
            return (said if number else names or said), (1.0 if number else 2.0)
    return names, 0.0


def _look(page: Document, where: Surroundings, block: Block, line: str, names: Sequence[str]) -> dict[str, float]:
    """Return the features of a line."""
    layout = page.layout
    box, at = layout.boxes[block.box], block.index
    beside = [layout.blocks[n] for n in (at - 1, at + 1) if 0 <= n < len(layout.blocks)]
    return {
        "below headline": float(at - where.headline + 4) if where.headline >= 0 and at - where.headline <= _BELOW else 0.0,
        "before text": float(max(where.first - at + 1, 0)) if where.first >= 0 else 0.0,
        "behind text": float(max(at - where.last, 0)) if where.last >= 0 else 0.0,
        "dated": float(_gives_date(block)),
        "beside date": float(any(map(_gives_date, beside))),
        "share of line": min(sum(map(len, names)) / max(len(line), 1), 1.0),
        "byline mark": float(bool((block.marks | box.within) & _BYLINE)),
        "foreign mark": float(bool(box.within & _FOREIGN)),
        "heading": float(block.kind[0] == "h"),
        "sentence": float(block.is_sentence),
        "below kind": float(at > 0 and layout.blocks[at - 1].text.casefold() in words("kinds_of_text")),
        "picture": float(box.tag in _PICTURED),
        "portrait": _portrait(page, block),
        "signed": float(signs(line)),
        "names of line": float(len(names)),
    }


def _announces(block: Block) -> bool:
    """Tell whether a block is the headline of another article."""
    return block.linked >= _SHORTEST_TITLE and block.link_density > _ONLY_LINK


def _gives_date(block: Block) -> bool:
    """Tell whether a short line holds a date, or a time however it is worded ("3 hours ago")."""
    return len(block.text) <= _LONGEST_LINE and (_DATED.search(block.text) is not None or holds_time(block))


def _portrait(page: Document, block: Block) -> float:
    """Return 2 where a small box holds the line and a picture of that name, 1 where it holds the line and any picture."""
    for box in islice(page.layout.outer(block.box), 4):
        if box.last - box.first > _MOST_OF_CARD:
            break
        if box.images:
            named = any((image.get("alt") or "").strip() == block.text for image in box.element.iter("img"))
            return 2.0 if named else 1.0
    return 0.0


def _pages(block: Block, *, only_authors: bool = False) -> dict[str, tuple[str, str]]:
    """What the links of a block say, with the kind of page that they lead to and the letters of its address."""
    found = {}
    for link in block.element.iter("a"):
        href = link.get("href") or ""
        if only_authors and not AUTHOR_PAGE.search(href) and not _USER_PAGE.search(href):
            continue
        text = short_text(link, _LONGEST_LINE)
        if text and text in block.text:
            kind = "author page" if AUTHOR_PAGE.search(href) else "user page" if _USER_PAGE.search(href) else "linked"
            found[text] = kind, letters_of(href)
    return found


def _user(text: str) -> str | None:
    """The name of a user whose page is linked; one that is made of a person's names, as these are written."""
    return readable(text) or next(iter(shown_names(text, single=True)), None)


def readable(user: str) -> str | None:
    """Return a user name that is made of a person's names as these are written; None where it is made of anything else."""
    if not _USER_NAME.fullmatch(user):
        return None
    return " ".join(part.capitalize() for part in re.split(r"[_.-]", user.lstrip("@")))


def lines_of(block: Block) -> list[tuple[str, str]]:
    """Give the lines of a block as line breaks part them, each with its text as elements part it, by line breaks.

    Where its element holds more than the block, those that the block holds, too; one line where that is none, or takes too long.
    """
    element = block.element
    if not len(element):
        return [(block.text, "")]
    lines: list[list[str]] = [[element.text or ""]]
    for child in element:
        if child.tag == "br":
            lines.append([])
        elif child.tag not in _UNSEEN and isinstance(child.tag, str):
            lines[-1] += map(str, child.itertext())
        lines[-1].append(child.tail or "")
    pieces = [[piece for part in line if (piece := squeeze(part))] for line in lines]
    said = [(squeeze("".join(line)), "\n".join(parts)) for line, parts in zip(lines, pieces, strict=True) if parts]
    if " ".join(text for text, _ in said) == block.text:
        return said
    if sum(map(len, pieces)) * len(block.text) > _MOST_COMPARED:
        return [(block.text, "")]
    held = [each for each in said if each[0] in block.text] if len(lines) > 1 else []
    return held or [(block.text, "\n".join(piece for parts in pieces for piece in parts if piece in block.text))]
