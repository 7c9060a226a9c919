"""The semi-automatic wrapper: an id or class learned from sample articles is where the articles of the portal are.

Source: Š. Blanár: Extrakcia správ z webových stránok (News Extraction from Web Pages), master's thesis, sections 4.1 and 4.2.

On each sample page the modified Text-to-Tag Ratio (`newscrawler.research.methods.modified_ttr`) finds the element of the body; its
id or class is remembered. A page with such an element holds an article, and the element is its body; a page without one holds none.

Where the paper is silent:
- "V ideálnom prípade stačí jednoprvková množina. Hodnota získaného "id" alebo "class" určitého elementu sa následne použije ako
  pravidlo" (ideally one page is enough; the value is the rule): one name, of several pages the one that most agree on. `most_names`
  keeps others as a reserve.
- The id of an element is learned where it has one, otherwise its class, as it is written.
- Of names that equally many pages agree on, ids come before classes, and names that fewer elements of the pages carry before
  others.
- Where several elements carry the name, the one with the greatest sum of the modified ratio is the body.

Reaches a body F1 of .865 on fe, learned from the other four pages of each publisher, with eight names .920;
`modified_ttr_wrapper_classes`, which takes eight, classes one by one, and removes digits, .904; measured by
tools/measure_methods.py on the development halves of the two datasets, by four-word shingles. The second implementation
(tests/independent_methods.py) reaches .862 on these pages.

Known failures: those of the modified ratio; names that also stand on pages without an article; portals with several layouts that
were not all among the samples.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from lxml import etree

from newscrawler.article import Body
from newscrawler.extraction.templates import check_number
from newscrawler.page import Document, squeeze
from newscrawler.research.methods.modified_ttr import ModifiedTextToTagRatio
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.methods.paragraphs import body_of

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ModifiedTextToTagRatioWrapper:
    """Learns the ids and classes of the bodies of sample articles."""

    least_pages: ClassVar[int] = 1
    version: ClassVar[int] = 1

    #: Names that are kept, those after the first as a reserve; the thesis keeps one.
    most_names: int = 1
    #: Ours: take classes one by one, and digits out of ids and classes.
    single_classes: bool = False

    def learn(self, pages: Sequence[Document], /) -> ModifiedTextToTagRatioTemplate:
        """Find the body on each page and count its names."""
        check_number("modified_ttr_wrapper", pages, self.least_pages)
        votes: Counter[str] = Counter()
        carriers: Counter[str] = Counter()
        for page in pages:
            tree = outline(page.body)
            carriers.update(name for element in tree.elements for name in self.names_of(element))
            best = ModifiedTextToTagRatio().best_element(tree)
            if best is not None:
                votes.update(self.names_of(tree.elements[best]))
        order = sorted(votes, key=lambda name: (-votes[name], not name.startswith("#"), carriers[name], name))
        return ModifiedTextToTagRatioTemplate(method=self, names=tuple(order[: self.most_names]))

    def names_of(self, element: etree._Element) -> Iterator[str]:
        """Yield what an element is known by: "#id" or ".class" as written, or ours, id and single classes without digits."""
        written_id, written_class = (element.get("id") or "").strip(), squeeze(element.get("class"))
        if not self.single_classes:
            if written_id or written_class:
                yield "#" + written_id if written_id else "." + written_class
            return
        if name := _DIGITS.sub("", written_id):
            yield "#" + name
        for word in dict.fromkeys(written_class.split()):
            if name := _DIGITS.sub("", word):
                yield "." + name

    def bodies(self, page: Document, /) -> dict[str, Body]:
        """Return what each id or class of a page would give as the body."""
        tree = outline(page.body)
        sums = ModifiedTextToTagRatio().sums(tree)
        carriers = carriers_of(self, tree)
        best = {name: max(numbers, key=lambda number: sums[number]) for name, numbers in carriers.items()}
        read = {number: body_of(tree, tree.within(number), containers=(number,)) for number in set(best.values())}
        return {name: body for name, number in best.items() if (body := read[number])}

    def restore(self, learned: Mapping[str, Any], /) -> ModifiedTextToTagRatioTemplate:
        """Make a template of what was stored."""
        return ModifiedTextToTagRatioTemplate(method=self, names=tuple(map(str, learned["names"])))


@dataclass(frozen=True, slots=True)
class ModifiedTextToTagRatioTemplate:
    """Takes the element that carries the first known name; None: no article here."""

    method: ModifiedTextToTagRatioWrapper
    #: "#id" and ".class" as `names_of` gives them, the most trusted first.
    names: tuple[str, ...]

    def __call__(self, page: Document, /) -> Body | None:
        """Read one page."""
        tree = outline(page.body)
        carriers = carriers_of(self.method, tree)
        sums = ModifiedTextToTagRatio().sums(tree)
        for name in self.names:
            if name in carriers:
                best = max(carriers[name], key=lambda number: sums[number])
                if body := body_of(tree, tree.within(best), containers=(best,)):
                    return body
        return None

    def learned(self) -> dict[str, Any]:
        """What was learned, as JSON has it."""
        return {"names": list(self.names)}


def carriers_of(method: ModifiedTextToTagRatioWrapper, tree: Outline) -> dict[str, list[int]]:
    """Return the numbers of the elements that carry each name."""
    carriers: dict[str, list[int]] = {}
    for number, element in enumerate(tree.elements):
        for name in method.names_of(element):
            carriers.setdefault(name, []).append(number)
    return carriers
