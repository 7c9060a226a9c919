"""Fields that a person has placed with a selector: they go before learned sources, and before the page-level answer.

An override that finds nothing on a page changes nothing there, and is reported as broken.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from newscrawler.article import Body
from newscrawler.extraction.dates import DateContext, DateRole, Dates
from newscrawler.extraction.dates.candidate import Family
from newscrawler.extraction.dates.structured_data import make_candidate
from newscrawler.extraction.dates.text_dates import read_moment
from newscrawler.extraction.metadata import Metadata
from newscrawler.extraction.metadata.names import find_names, merge_names
from newscrawler.extraction.templates.model import FieldName, TemplateFit
from newscrawler.extraction.templates.selectors import Selector, read_selector
from newscrawler.extraction.templates.sources import make_portal_clock
from newscrawler.page import Block, Document, extract_visible_text, squeeze

_LONGEST_TEXT, _MOST_ELEMENTS = 1000, 12
OF_HEADING, _DATES = (FieldName.TITLE, FieldName.LEAD), (FieldName.DATE, FieldName.MODIFIED)
#: Attributes of a field where no other is named.
_ATTRIBUTES: Mapping[FieldName, tuple[str, ...]] = {
    FieldName.DATE: ("datetime", "content"),
    FieldName.MODIFIED: ("datetime", "content"),
    FieldName.IMAGE: ("src", "content", "href"),
    FieldName.CANONICAL_URL: ("href", "content"),
}


@dataclass(frozen=True, slots=True)
class Overrides:
    """Selectors by field, ready to be used."""

    selectors: Mapping[FieldName, Selector]

    @classmethod
    def read(cls, written: Mapping[FieldName, str], source: str = "the template") -> Overrides:
        """Read selectors.

        Raises:
            ConfigError: a selector is not allowed.
        """
        return cls({name: read_selector(text, f"{source}: overrides.{name}") for name, text in written.items()})

    def is_found(self, page: Document, name: FieldName) -> bool:
        """Return whether the selector of a field finds anything on a page."""
        return bool(self.find_blocks(page) if name is FieldName.BODY else self.find_texts(page, name))

    def find_texts(self, page: Document, name: FieldName) -> list[str]:
        """Return the texts that are placed, those of a few elements at most."""
        selector = self.selectors.get(name)
        if selector is None:
            return []
        named = (selector.attribute,) if selector.attribute else _ATTRIBUTES.get(name, ())
        found = []
        for element in selector.find(page.root)[:_MOST_ELEMENTS]:
            said = [squeeze(element.get(attribute)) for attribute in named]
            found += [*filter(None, said), *([] if selector.attribute else [extract_visible_text(element)])]
        return [text[:_LONGEST_TEXT] for text in found if text]

    def find_blocks(self, page: Document) -> list[Block] | None:
        """Return the blocks in the elements placed as the body; None where there is no override, or it finds nothing."""
        selector = self.selectors.get(FieldName.BODY)
        if selector is None:
            return None
        chosen = frozenset(selector.find(page.root))
        inside: list[bool] = []
        for box in page.layout.boxes:
            inside.append(box.element in chosen or (box.parent >= 0 and inside[box.parent]))
        return [block for block in page.layout.blocks if inside[block.box] or block.element in chosen] or None

    def amend_heading(self, page: Document, body: Body, explained: TemplateFit) -> tuple[Body, TemplateFit]:
        """Return the body with headline and lead as they are placed."""
        found = {name: texts[0] for name in OF_HEADING if (texts := self.find_texts(page, name))}
        headline, lead = found.get(FieldName.TITLE, body.headline), found.get(FieldName.LEAD, body.lead)
        return replace(body, headline=headline, lead=lead), self.note_found(explained, OF_HEADING, found)

    def amend_metadata(self, page: Document, metadata: Metadata, explained: TemplateFit) -> tuple[Metadata, TemplateFit]:
        """Return the metadata with the placed fields."""
        read = {name: make(page, texts) for name, make in _METADATA.items() if (texts := self.find_texts(page, name))}
        found = {name: values for name, values in read.items() if any(values.values())}
        values = {key: value for each in found.values() for key, value in each.items() if value}
        return replace(metadata, **values), self.note_found(explained, _METADATA, found)

    def amend_dates(self, page: Document, dates: Dates, context: DateContext, explained: TemplateFit) -> tuple[Dates, TemplateFit]:
        """Return the dates with the placed ones."""
        clock, found = make_portal_clock(context), {}
        for name in _DATES:
            read = ((read_moment(text, clock), text) for text in self.find_texts(page, name))
            placed = (
                make_candidate(moment, Family.NAMED, "override", DateRole.PUBLISHED, text=text) for moment, text in read if moment
            )
            if (first := next(placed, None)) is not None:
                found[name] = first
                is_published = name is FieldName.DATE
                changes = {"published": first, "reason": None, "why": "placed by hand"} if is_published else {"modified": first}
                dates = replace(dates, **changes)
        return dates, self.note_found(explained, _DATES, found)

    def note_found(self, explained: TemplateFit, among: Iterable[FieldName], found: Container[FieldName]) -> TemplateFit:
        """Note which of some fields that have a selector were found, and which were not."""
        placed = [name for name in among if name in self.selectors]
        given, broken = ([str(name) for name in placed if (name in found) is wanted] for wanted in (True, False))
        return replace(explained, fields=(*explained.fields, *given), broken=(*explained.broken, *broken))


_METADATA: Mapping[FieldName, Callable[[Document, Sequence[str]], Mapping[str, Any]]] = {
    FieldName.AUTHORS: lambda _, texts: {"authors": merge_names(name for text in texts for name in find_names(text))},
    FieldName.SECTION: lambda _, texts: {"section": texts[0], "section_source": "template"},
    FieldName.DESCRIPTION: lambda _, texts: {"description": texts[0]},
    FieldName.KEYWORDS: lambda _, texts: {"keywords": tuple(dict.fromkeys(texts))},
    FieldName.IMAGE: lambda page, texts: {"image_url": page.resolve(texts[0])},
    FieldName.CANONICAL_URL: lambda page, texts: {"canonical_url": page.resolve(texts[0])},
}
