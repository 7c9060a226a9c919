"""Trinity: a ternary tree of what pages share, grown by cutting every page at the longest shared pattern, again and again.

Source: H. A. Sleiman, R. Corchuelo: Trinity: On Using Trinary Trees for Unsupervised Web Data Extraction, IEEE TKDE 26(6), 2014,
as S. Pogorilyy and A. Kramov describe and try it on pages of two journals (Automated extraction of structured information from a
set of web pages; 2.5 % and 0 % of the pages did not match, 1.6 % and 3.7 % differed from hand-written selectors).

Pages are sequences of tokens. The longest pattern that all of them share is part of the template. It cuts every page into a
prefix, separators (between its occurrences) and a suffix; with each of the three it goes on in the same way, until nothing is
shared. Read in preorder, the tree is a regular expression with a group for every leaf, optional where a page had nothing there,
repeated where a pattern occurs several times.

Where the paper is silent:
- A token is a tag with its attributes, as they are part of the paper's template ("<td width="100">Annotation</td>"), or a whole
  text, not a character as in "201{A}": of articles, every word that they share would become part of the template.
- Texts that are empty on some pages do not take part in the search; the part is optional.
- Of several longest patterns the first one on the first page is taken.
- A template is applied by cutting the page in the way it was learned, which needs no backtracking. `strict`: "У випадку
  невідповідності шаблону веб-сторінці набір таких значень відсутній" (a page that does not match has no values); only a part that
  "?" marks may be absent. Otherwise a part in which a pattern is missing is cut at the longest pattern below that it has: almost
  every page of today fails to match strictly.
- Which groups are the article: all of them, unless groups were given names (`newscrawler.research.site_methods.trinity_fields`).
- Growth ends after 600,000 tokens were searched; what is left then becomes groups.

Reaches a body F1 of .804 on fe, learned from the other four pages of each publisher, strictly .329, for 43 of 55 pages do not match
(the second implementation, tests/independent_methods.py: .794 and .328); `trinity_article`, with our last step
(`newscrawler.research.site_methods.container`), .888; measured by tools/measure_methods.py on the development halves of the two
datasets, by four-word shingles.

Known failures: text that all learned pages share by chance is lost; pages learned from one section only; related links are
captured like the article.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

from newscrawler.article import Body
from newscrawler.extraction.templates import check_number
from newscrawler.page import Document, squeeze
from newscrawler.plugins import Bounds
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.site_methods.container import body_of_extracted
from newscrawler.research.site_methods.tokens import TEXT_MARK, Alphabet, Tokens, tokens_of

NOTHING = -1
_LONGEST_SHOWN, _DEEPEST_SHOWN = 100, 40
#: In a regular expression: what may be anything, and how a part ends that may be empty.
_ANYTHING, _EMPTY = ".*", (".*", ")?", ")*")


@dataclass(slots=True)
class Node:
    """A part of the pages: what they share there, and the numbers of the three parts that it cuts them into."""

    #: Letters of an alphabet; empty for a group.
    pattern: str = ""
    prefix: int = NOTHING
    separator: int = NOTHING
    suffix: int = NOTHING
    #: Some page had nothing here.
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Trinity:
    """Learns the ternary tree of two pages or more."""

    least_pages: ClassVar[int] = 2
    version: ClassVar[int] = 3

    #: A page that lacks a pattern does not match at all.
    strict: bool = False
    #: Tokens that a pattern has; the search goes down from the greatest length in the paper.
    least_pattern: Annotated[int, Bounds(least=1)] = 1
    most_pattern: Annotated[int, Bounds(least=1)] = 256
    #: Tokens that are searched in all while learning, and on a page for patterns below one that is missing.
    most_searched: int = 600_000
    #: Of the extracted text, what a child must hold to be entered in search of the main container; None: all text is the answer.
    least_share: float | None = None

    def learn(self, pages: Sequence[Document], /) -> TrinityTemplate:
        """Grow the tree from pages of one site."""
        check_number("trinity", pages, self.least_pages)
        alphabet = Alphabet()
        texts = [alphabet.write(read_tokens(outline(page.body)).names) for page in pages]
        nodes: list[Node] = [Node()]
        waiting = [(0, texts)]
        left = self.most_searched
        while waiting and left > 0:
            number, parts = waiting.pop()
            left -= sum(map(len, parts))
            for slot, found in self.grow(nodes[number], parts):
                setattr(nodes[number], slot, len(nodes))
                waiting.append((len(nodes), found))
                nodes.append(Node(optional="" in found))
        return TrinityTemplate.of(self, nodes, alphabet)

    def grow(self, node: Node, parts: Sequence[str]) -> list[tuple[str, list[str]]]:
        """Find the pattern of a node; give the parts it cuts its texts into, those left out that are empty everywhere."""
        full = [part for part in parts if part]
        node.optional = len(full) < len(parts)
        node.pattern = longest_shared(full, self.least_pattern, self.most_pattern) if len(full) > 1 else ""
        if not node.pattern:
            return []
        pieces = [part.split(node.pattern) for part in full]
        found = [
            ("prefix", [piece[0] for piece in pieces]),
            ("separator", [separator for piece in pieces for separator in piece[1:-1]]),
            ("suffix", [piece[-1] for piece in pieces]),
        ]
        return [(slot, texts) for slot, texts in found if any(texts) or (slot == "separator" and texts)]

    def restore(self, learned: Mapping[str, Any], /) -> TrinityTemplate:
        """Make a template of what was stored."""
        alphabet = Alphabet(list(map(str, learned["tokens"])))
        nodes = [
            Node("".join(alphabet.letter(number) for number in pattern), prefix, separator, suffix, bool(optional))
            for pattern, prefix, separator, suffix, optional in learned["nodes"]
        ]
        fields = {str(name): tuple(map(int, numbers)) for name, numbers in learned["fields"].items()}
        return replace(TrinityTemplate.of(self, nodes, alphabet), fields=fields)


@dataclass(frozen=True, slots=True)
class TrinityTemplate:
    """Takes what the groups of the template capture."""

    method: Trinity
    nodes: tuple[Node, ...]
    #: Tokens of the patterns.
    alphabet: Alphabet = field(compare=False)
    #: Groups that were given names: title, authors, annotation, keywords, body
    #: (`newscrawler.research.site_methods.trinity_fields`).
    fields: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, method: Trinity, nodes: Sequence[Node], alphabet: Alphabet) -> TrinityTemplate:
        """Keep only the tokens that stand in patterns."""
        kept = Alphabet()
        for node in nodes:
            node.pattern = kept.write(alphabet.read(node.pattern))
        return cls(method, tuple(nodes), kept)

    def __call__(self, page: Document, /) -> Body | None:
        """Read one page; None where it does not match or nothing was captured."""
        tree = outline(page.body)
        tokens = read_tokens(tree)
        groups = self.match(self.alphabet.spell(tokens.names), strict=self.method.strict)
        if groups is None:
            return None
        named = self.fields.get("body")
        captured = sorted(
            tokens.texts[place]
            for number, start, end in groups
            if named is None or number in named
            for place in range(start, end)
            if tokens.texts[place] >= 0
        )
        return body_of_extracted(tree, captured, self.method.least_share)

    def read_groups(self, page: Document) -> dict[int, str] | None:
        """Return what the groups capture on a page, one text a line; None: the page does not match the template."""
        tree = outline(page.body)
        tokens = read_tokens(tree)
        cuts = self.match(self.alphabet.spell(tokens.names), strict=True)
        if cuts is None:
            return None
        found: dict[int, list[str]] = {}
        for group, start, end in sorted(cuts, key=lambda cut: cut[1]):
            texts = (tree.texts[tokens.texts[place]].text for place in range(start, end) if tokens.texts[place] >= 0)
            found.setdefault(group, []).extend(filter(None, map(squeeze, texts)))
        return {group: "\n".join(texts) for group, texts in sorted(found.items())}

    def read_fields(self, page: Document) -> dict[str, str] | None:
        """Return the fields of a page by the names of their groups; None: the page does not match."""
        if not self.fields:
            return {}
        groups = self.read_groups(page)
        if groups is None:
            return None
        named = {name: "\n".join(groups[group] for group in numbers if groups.get(group)) for name, numbers in self.fields.items()}
        return {name: text for name, text in named.items() if text}

    def matches(self, page: Document) -> bool:
        """Say whether the page matches strictly, whatever the template's parameter."""
        return self.match(self.alphabet.spell(read_tokens(outline(page.body)).names), strict=True) is not None

    def match(self, text: str, *, strict: bool) -> list[tuple[int, int, int]] | None:
        """Cut a page, in letters of the alphabet, as the template was learned; `strict`: every part must be there.

        Returns:
            Number of a node, start and end of what it captured; None where the page does not match strictly.
        """
        groups: list[tuple[int, int, int]] = []
        waiting, left = [(0, 0, len(text))], self.method.most_searched
        while waiting:
            number, start, end = waiting.pop()
            node = self.nodes[number] if number >= 0 else None
            if start == end:
                if strict and node is not None and not node.optional:
                    return None
                continue
            if node is None or not node.pattern:
                if strict and node is None:
                    return None
                groups.append((number, start, end))
            elif (first := text.find(node.pattern, start, end)) >= 0:
                waiting.extend(self.cut(node, text, start, first, end))
            elif strict:
                return None
            elif left > 0 and (known := [pattern for pattern in self.patterns_below(number) if pattern in text[start:end]]):
                left -= end - start
                first = text.find(longest := max(known, key=len), start, end)
                waiting += [(number, start, first), (number, first + len(longest), end)]
            else:
                groups.append((number, start, end))
        return groups

    def patterns_below(self, number: int) -> list[str]:
        """Return the patterns of all nodes below one."""
        found: list[str] = []
        waiting = [number]
        while waiting:
            node = self.nodes[waiting.pop()]
            waiting += [part for part in (node.suffix, node.separator, node.prefix) if part >= 0]
            found += [node.pattern] if node.pattern else []
        return found

    def cut(self, node: Node, text: str, start: int, first: int, end: int) -> list[tuple[int, int, int]]:
        """The parts that a node's pattern cuts a part of a page into, and the nodes that they belong to."""
        size = len(node.pattern)
        parts = [(node.prefix, start, first)] if node.prefix >= 0 or first > start else []
        last = first + size
        while node.separator >= 0 and (following := text.find(node.pattern, last, end)) >= 0:
            parts.append((node.separator, last, following))
            last = following + size
        if node.suffix >= 0 or end > last:
            parts.append((node.suffix, last, end))
        return parts

    def groups(self) -> list[int]:
        """Return the numbers of the groups: the parts that vary, in the order of the pages."""
        found: list[int] = []
        waiting = [0]
        while waiting:
            number = waiting.pop()
            if number >= 0:
                node = self.nodes[number]
                found += [] if node.pattern else [number]
                waiting += [node.suffix, node.separator, node.prefix]
        return found

    def expression(self) -> str:
        """Return the template as a regular expression with a named group for every part that varies.

        It is written over the pages' tokens (`newscrawler.research.site_methods.tokens`), with `re.DOTALL`. Optional parts end in
        ?, repeated ones in *, as the paper has it.
        """
        written: list[str] = []
        waiting: list[tuple[int, str]] = [(0, "")]
        while waiting:
            number, literal = waiting.pop()
            if number < 0:
                written.append(literal)
                continue
            node = self.nodes[number]
            if not node.pattern:
                written.append(f"(?P<g{number}>.*?)" + ("?" if node.optional else ""))
                continue
            shared = re.escape(self.shared(node))
            steps = [(NOTHING, "(?:")] * node.optional + [(node.prefix, ""), (NOTHING, shared)]
            if node.separator >= 0:
                steps += [(NOTHING, "(?:"), (node.separator, ""), (NOTHING, shared + ")*")]
            steps += [(node.suffix, "")] + [(NOTHING, ")?")] * node.optional
            waiting.extend(reversed(steps))
        return "".join(written)

    def minimised(self) -> str:
        """Return the shortest expression of the same pages that the paper's simplification leads to, without names of groups.

        The paper leaves it to a finite automaton that is minimised and written back. Here the same rules of regular languages are
        applied to the tree: what may be anything takes in its neighbours that are optional or repeated, or may be anything, too.
        """
        return "".join(self._minimise(0))

    def _minimise(self, number: int) -> list[str]:
        """Return a part of the template as a sequence of literals, optional and repeated parts, and `_ANYTHING`."""
        node = self.nodes[number]
        if not node.pattern:
            return [_ANYTHING]
        shared, before, between, after = (
            re.escape(self.shared(node)),
            *(self._minimise(part) if part >= 0 else [] for part in (node.prefix, node.separator, node.suffix)),
        )
        parts = [*before, shared]
        if node.separator >= 0:
            parts.append(f"(?:{''.join(_merge([*between, shared]))})*")
        found = _merge([*parts, *after])
        return [f"(?:{''.join(found)})?"] if node.optional else found

    def shared(self, node: Node) -> str:
        """Return what pages share at a node, as tags and texts."""
        return "".join(name.removeprefix(TEXT_MARK) for name in self.alphabet.read(node.pattern))

    def drawing(self) -> str:
        """Return the ternary tree as lines: prefix, separator and suffix below what they are cut by, groups with their numbers."""
        lines: list[str] = []
        waiting = [(0, 0, "page")]
        names = {number: name for name, numbers in self.fields.items() for number in numbers}
        while waiting:
            number, depth, slot = waiting.pop()
            node = self.nodes[number]
            said = squeeze(self.shared(node))[:_LONGEST_SHOWN] if node.pattern else f"{{{number}}} {names.get(number, '')}".rstrip()
            lines.append("  " * min(depth, _DEEPEST_SHOWN) + f"{slot}: {said}" + (" ?" if node.optional else ""))
            parts = ((node.suffix, "suffix"), (node.separator, "separator"), (node.prefix, "prefix"))
            waiting += [(part, depth + 1, name) for part, name in parts if part >= 0]
        return "\n".join(lines)

    def learned(self) -> dict[str, Any]:
        """What was learned, as JSON has it."""
        return {
            "tokens": self.alphabet.names,
            "fields": {name: list(numbers) for name, numbers in self.fields.items()},
            "nodes": [
                [[self.alphabet.number(letter) for letter in node.pattern], node.prefix, node.separator, node.suffix, node.optional]
                for node in self.nodes
            ],
        }


def _merge(parts: Sequence[str]) -> list[str]:
    """Return a sequence in which anything has taken in its neighbours that may be empty."""
    found: list[str] = []
    for part in parts:
        if part == _ANYTHING:
            while found and found[-1].endswith(_EMPTY):
                found.pop()
        if not (found and found[-1] == _ANYTHING and part.endswith(_EMPTY)):
            found.append(part)
    return found


def read_tokens(tree: Outline) -> Tokens:
    """Write a page as the paper's strings have it, with all attributes of tags."""
    return tokens_of(tree, with_attributes=True)


def longest_shared(texts: Sequence[str], least: int, most: int) -> str:
    """The longest string of these lengths that lies in all texts, the first of several in the first text; empty if there is none.

    What is shared at some length is shared at every smaller one, so lengths are doubled until one fails and then halved in between.
    """
    best: set[str] = set()
    known, size, bound = least - 1, least, min(most, *map(len, texts))
    while size <= bound and (shared := _shared_of_length(texts, size)):
        best, known, size = shared, size, size * 2
    bound = min(bound, size - 1)
    while best and known < bound:
        size = (known + bound + 1) // 2
        if shared := _shared_of_length(texts, size):
            best, known = shared, size
        else:
            bound = size - 1
    return min(best, key=texts[0].find) if best else ""


def _shared_of_length(texts: Sequence[str], size: int) -> set[str]:
    shortest = min(texts, key=len)
    shared = {shortest[place : place + size] for place in range(len(shortest) - size + 1)}
    for text in texts:
        shared &= {text[place : place + size] for place in range(len(text) - size + 1)}
        if not shared:
            break
    return shared
