"""Fields that a person has placed with a selector: they go before what was learned, and before the page-level answer.

An override that finds nothing on a page changes nothing there, and is reported as broken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lxml import etree

from newscrawler.dates import DateCandidate, DateContext, Dates
from newscrawler.dates.moment import Clock, read_moment
from newscrawler.dates.zones import zone_of
from newscrawler.metadata.names import merge, names_in
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.document import squeeze, visible_text
from newscrawler.wrappers.portal.selectors import Selector, read_selector

#: What can be placed by hand.
FIELDS = ("headline", "lead", "body", "date", "authors", "section")
_LONGEST_TEXT, _MOST_PEOPLE = 1000, 12


@dataclass(frozen=True, slots=True)
class Overrides:
    """Selectors by field, ready to be used."""

    selectors: Mapping[str, Selector]

    @classmethod
    def of(cls, written: Mapping[str, str], source: str = "the template") -> Overrides:
        """Read selectors.

        Raises:
            ConfigError: a field is unknown, or a selector is not allowed.
        """
        return cls({name: read_selector(text, f"{source}: overrides.{name}") for name, text in written.items()})

    def text(self, page: Document, name: str) -> str | None:
        """The text that is placed; None where there is no override, or it finds nothing."""
        return next(iter(self.texts(page, name)), None)

    def texts(self, page: Document, name: str) -> list[str]:
        """The texts that are placed, those of a few elements at most."""
        selector = self.selectors.get(name)
        if selector is None:
            return []
        found = [_text_of(element, selector.attribute) for element in selector.find(page.root)[:_MOST_PEOPLE]]
        return [text[:_LONGEST_TEXT] for text in found if text]

    def blocks(self, page: Document) -> list[Block] | None:
        """The blocks that stand in the elements placed as the body; None where there is no override, or it finds nothing."""
        selector = self.selectors.get("body")
        if selector is None:
            return None
        chosen = frozenset(selector.find(page.root))
        inside: list[bool] = []
        for box in page.layout.boxes:
            inside.append(box.element in chosen or (box.parent >= 0 and inside[box.parent]))
        return [block for block in page.layout.blocks if inside[block.box] or block.element in chosen] or None

    def authors(self, page: Document) -> tuple[str, ...]:
        """The names that are placed."""
        return merge(name for text in self.texts(page, "authors") for name in names_in(text))

    def dates(self, page: Document, dates: Dates, context: DateContext) -> Dates | None:
        """The dates with the placed one for publication; None where there is none."""
        selector = self.selectors.get("date")
        elements = selector.find(page.root)[:_MOST_PEOPLE] if selector else []
        languages = (context.language,) if context.language else ()
        clock = Clock(
            zone=zone_of(context.time_zone),
            fetched_at=context.fetched_at,
            month_first=context.day_order == "mdy",
            languages=languages,
        )
        for element in elements:
            attributes = [selector.attribute] if selector and selector.attribute else ["datetime", "content", ""]
            for attribute in attributes:
                text = _text_of(element, attribute or None)
                if text and (moment := read_moment(text, clock)):
                    placed = DateCandidate(
                        value=moment.value, precision=moment.precision, source="override", offset_given=moment.offset_given,
                        text=text[:80], ambiguous=moment.ambiguous, day_order=moment.day_order,
                    )  # fmt: skip
                    return replace(dates, published=placed, reason=None, why="placed by hand")
        return None


def _text_of(element: etree._Element, attribute: str | None) -> str:
    return squeeze(element.get(attribute)) if attribute else visible_text(element)
