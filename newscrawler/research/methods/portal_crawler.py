"""PortalCrawler: the longest block of sentences below a headline that the page's title repeats.

Source: K. Ulman, K. Rzecki: Algorytm wykrywania treści na stronach portali internetowych (Detection algorithm for content on
Internet web portals), Politechnika Krakowska, sections 3.1 and 3.2. The authors judged 91.3 % of 2,098 articles of 14 Polish
portals to be entirely right.

The headline is an h1 or h2 whose text occurs in the title and is long enough not to be the portal's name; of several, the one
that occurs earliest in the title. Blocks are div and span. An element nested in a block is removed with its text unless it only
formats text; this removes advertisements, "see also" boxes and captions. Lines at a block's ends that are not sentences are
removed. The longest block is the body, provided that it is long enough and not one of many similar blocks. The lead lies between
the headline and the body.

Where the paper is silent:
- "Below the headline": only text after the headline counts, so a block that begins above it is not lost.
- A piece is a line of text. It is a sentence if it begins with a capital letter (or a digit, or a letter of a script without
  capitals) and ends with one of . ! ? …, quotation marks and brackets apart.
- The comment block is the smallest block around a short line that begins with one of the words; not a block that holds the
  headline.
- Formatting elements may be nested in one another. A span that formats the text of another block is no block of its own.
- The lead may also be a p or h2 to h6 outside of any block: the first defect in section 3.3 implies it. At most two pieces are
  taken ("sometimes in more than one block"), the longest ones (the tenth defect speaks of "the two or three longest fragments").
- The lead is searched between the headline and the beginning of the body's block.

Reaches a body F1 of .764 on aeb and .704 on fe, with no article found on 23 and 21 pages (an independent reading: .741 and .614
on all pages). On fe the difference is explained by which pages are there: 21 of the 55 pages of the development half give no
article, mostly because the h1 is not in the title, and results inside most of its 11 publishers are mixed. `TODAY` reaches .829
and .826; measured by tools/measure_methods.py on the development halves of the two datasets, by four-word shingles.

Known failures, listed by the authors in section 3.3: lead outside any of these elements, or shorter than 90 characters, or longer
than the rest; a comment longer than the article; text in ul; tables as layout; headline not in h1 or h2; captions without a
block of their own; an article in more than two or three blocks.

`TODAY` is not the paper's method: the same rules with the containers and words of today's pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated

from lxml import etree

from newscrawler.article import Body
from newscrawler.errors import ConfigError
from newscrawler.page import Document, squeeze
from newscrawler.plugins import Bounds
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.methods.paragraphs import paragraphs_of

_OPENING = "\"'„“”«»‘’‚‹›([{¿¡–—-… \u00a0"
_TYPOGRAPHY = str.maketrans("‘’‚‹›“”„«»–—‑", "'''''\"\"\"\"\"---")
_CLOSING = "\"'“”„«»‘’‹›)]} \u00a0"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """The text of a block after cleaning."""

    element: int
    lines: tuple[tuple[int, ...], ...]
    length: int
    first: int


@dataclass(frozen=True, slots=True)
class PortalCrawler:
    """Takes the longest block below the headline; None without a headline or a block that is long enough."""

    least_headline: int = 18
    #: The body must be longer.
    least_body: int = 280
    #: An XPath expression that finds the headline, for portals that do not write it as h1 or h2; empty: by the title.
    headline_path: str = ""
    least_lead: int = 90
    most_leads: int = 2
    #: Compare headline and title without regard to capitals and to the shape of quotation marks and dashes.
    ignores_typography: bool = False
    #: A span with a picture and less text than this is a caption.
    least_beside_picture: int = 90
    #: Shorter blocks are ignored.
    least_block: Annotated[int, Bounds(least=1)] = 4
    #: With more other blocks than this, each longer than half of the longest, the page is a list of summaries or comments.
    most_rivals: int = 6
    block_tags: frozenset[str] = frozenset({"div", "span"})
    kept_tags: frozenset[str] = frozenset(
        {"p", "span", "blockquote", "a", "b", "i", "u", "strong", "small", "h2", "h3", "h4", "h5", "h6", "h7", "br", "img"}
    )
    lead_tags: frozenset[str] = frozenset({"div", "span", "p", "h2", "h3", "h4", "h5", "h6", "h7"})
    comment_words: tuple[str, ...] = ("komentarze", "opinie")
    #: A longer line that begins with such a word is no heading.
    longest_comment_heading: int = 40

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        headline = self.named_headline(tree) if self.headline_path else self.find_headline(tree, page.title)
        if headline is None:
            return None
        text = _text_of(tree, headline)
        below = tree.end_text[headline]
        dropped = self.comment_texts(tree, headline)
        blocks = self.clean_blocks(tree, below, dropped, self.block_tags)
        if not blocks:
            return None
        longest = max(blocks, key=lambda block: block.length)
        rivals = sum(block.length > longest.length / 2 for block in blocks) - 1
        if longest.length <= self.least_body or rivals > self.most_rivals:
            return None
        leads = self.find_leads(tree, below, dropped, longest)
        return self.assemble(tree, headline, text, leads, longest)

    def check(self) -> None:
        """Check the path by hand.

        Raises:
            ConfigError: it is not an XPath expression.
        """
        try:
            if self.headline_path:
                etree.Element("html").xpath(self.headline_path)
        except etree.XPathError as error:
            raise ConfigError(
                f"{self.headline_path} is not an XPath expression ({error}). Write headline_path like //h3[@class='title']"
            ) from error

    def named_headline(self, tree: Outline) -> int | None:
        """Return the first element that the path by hand finds."""
        found = tree.elements[0].getroottree().xpath(self.headline_path)
        chosen = found if isinstance(found, list) else []
        return next((number for number, element in enumerate(tree.elements) if element in chosen), None)

    def find_links(self, page: Document) -> list[str]:
        """Return where the links in lists lead to on a page without a headline: pages that may hold articles."""
        tree = outline(page.body)
        if self.find_headline(tree, page.title) is not None:
            return []
        lists = tree.nearest(frozenset({"ul"}))
        links = (element.get("href") for element, around in zip(tree.elements, lists, strict=True) if around >= 0)
        return list(dict.fromkeys(address for link in links if link and (address := page.resolve(link))))

    def find_headline(self, tree: Outline, title: str) -> int | None:
        """Return the h1 or h2 whose text occurs earliest in the title."""
        best: tuple[int, int] | None = None
        title = _plain(title) if self.ignores_typography else title
        for number, tag in enumerate(tree.tags):
            if tag not in {"h1", "h2"}:
                continue
            text = _text_of(tree, number)
            text = _plain(text) if self.ignores_typography else text
            if len(text) < self.least_headline or len(text) > len(title):
                continue
            place = title.find(text)
            if place >= 0 and (best is None or place < best[0]):
                best = (place, number)
        return best[1] if best else None

    def comment_texts(self, tree: Outline, headline: int) -> set[int]:
        """Return the text nodes of comment sections."""
        block_above = tree.nearest(self.block_tags)
        dropped: set[int] = set()
        for number in range(tree.end_text[headline], len(tree.texts)):
            node = tree.texts[number]
            words = node.text.strip()
            if number in dropped or len(words) > self.longest_comment_heading or not words.lower().startswith(self.comment_words):
                continue
            block = block_above[node.owner]
            while block >= 0 and len(tree.within(block)) == 1 and tree.tags[block] == "span":
                parent = tree.parents[block]
                block = block_above[parent] if parent >= 0 else -1
            if block >= 0 and not block < headline <= tree.last[block]:
                dropped.update(tree.within(block))
        return dropped

    def clean_blocks(self, tree: Outline, below: int, dropped: set[int], block_tags: frozenset[str]) -> list[TextBlock]:
        """Return every block with the text that cleaning leaves, in reading order."""
        holder = self.block_holding(tree, block_tags)
        owned: dict[int, list[int]] = {}
        for number in range(below, len(tree.texts)):
            block = holder[tree.texts[number].owner]
            if block >= 0 and number not in dropped:
                owned.setdefault(block, []).append(number)
        found: list[TextBlock] = []
        for block in sorted(owned):
            lines = self.trim(tree, owned[block])
            length = sum(len(_line_text(tree, line)) for line in lines)
            if length >= self.least_block:
                found.append(TextBlock(block, lines, length, lines[0][0]))
        return found

    def block_holding(self, tree: Outline, block_tags: frozenset[str]) -> list[int]:
        """Return for every element the block that its text belongs to; -1: its text is removed."""
        captions = self.captions(tree)
        holder: list[int] = []
        for number, tag in enumerate(tree.tags):
            above = holder[tree.parents[number]] if number else -1
            if number in captions:
                holder.append(-1)
            elif above >= 0 and tag in self.kept_tags:
                holder.append(above)
            else:
                holder.append(number if tag in block_tags else -1)
        return holder

    def captions(self, tree: Outline) -> set[int]:
        """Return the span elements that hold an image and little text."""
        pictures = tree.totals([int(tag == "img") for tag in tree.tags])
        characters = tree.totals(tree.own_characters())
        found: set[int] = set()
        for number, tag in enumerate(tree.tags):
            if tree.parents[number] in found or (
                tag == "span" and pictures[number] and characters[number] < self.least_beside_picture
            ):
                found.add(number)
        return found

    def trim(self, tree: Outline, numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Remove lines from both ends up to the first and the last sentence."""
        lines = [tuple(line) for _, line in groupby(numbers, key=lambda number: tree.texts[number].line)]
        whole = [_is_sentence(_line_text(tree, line)) for line in lines]
        if True not in whole:
            return ()
        return tuple(lines[whole.index(True) : len(whole) - whole[::-1].index(True)])

    def find_leads(self, tree: Outline, below: int, dropped: set[int], longest: TextBlock) -> list[TextBlock]:
        """Return the blocks between the headline and the body that are long enough for a lead."""
        upto = min(longest.first, max(tree.first_text[longest.element], below))
        candidates = self.clean_blocks(tree, below, dropped, self.lead_tags)
        found = [block for block in candidates if block.length >= self.least_lead and block.lines[-1][-1] < upto]
        longest_first = sorted(found, key=lambda block: block.length, reverse=True)
        return sorted(longest_first[: self.most_leads], key=lambda block: block.first)

    def assemble(self, tree: Outline, headline: int, text: str, leads: Sequence[TextBlock], longest: TextBlock) -> Body:
        """Build the result from headline, lead and body."""
        lead_numbers = [number for block in leads for line in block.lines for number in line]
        lead = [paragraph for paragraph, _ in paragraphs_of(tree, lead_numbers)]
        body = [paragraph for paragraph, _ in paragraphs_of(tree, [number for line in longest.lines for number in line])]
        return Body(
            paragraphs=(*lead, *body), headline=text, lead="\n".join(paragraph.text for paragraph in lead) or None,
            headline_element=tree.elements[headline], elements=tuple(tree.elements[block.element] for block in (*leads, longest)),
        )  # fmt: skip


def _text_of(tree: Outline, element: int) -> str:
    return squeeze("".join(tree.texts[number].text for number in tree.within(element)))


def _line_text(tree: Outline, line: Sequence[int]) -> str:
    return squeeze("".join(tree.texts[number].text for number in line))


def _plain(text: str) -> str:
    return text.translate(_TYPOGRAPHY).casefold()


def _is_sentence(text: str) -> bool:
    """Return whether a text begins with a capital letter (or one of a script without capitals) and ends with a punctuation mark."""
    start = text.lstrip(_OPENING)[:1]
    end = text.rstrip(_CLOSING)[-1:]
    return bool(start) and not start.islower() and start.isalnum() and end in {".", "!", "?", "…", "。", "！", "？", "؟", "।"}


#: The same rules for the containers and words of today's pages.
TODAY = replace(
    PortalCrawler(),
    ignores_typography=True,
    block_tags=frozenset({"div", "span", "article", "section", "main", "td"}),
    kept_tags=PortalCrawler().kept_tags
    | {"em", "mark", "q", "cite", "sub", "sup", "s", "del", "ins", "abbr", "time", "font", "code", "wbr", "ul", "ol", "li"},
    comment_words=(
        *PortalCrawler().comment_words,
        "comments",
        "kommentare",
        "commentaires",
        "comentarios",
        "comentários",
        "commenti",
        "reacties",
        "kommentarer",
        "komentáře",
        "komentáre",
        "diskuse",
        "diskusia",
        "коментарі",
        "комментарии",
        "yorumlar",
    ),
)
