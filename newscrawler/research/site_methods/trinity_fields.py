"""Fields of articles from the groups of a Trinity template, and the pages on which the template and selectors differ.

Source: S. Pogorilyy, A. Kramov (see `newscrawler.research.site_methods.trinity`), who name by hand which groups are title,
authors, annotation
and keywords, and count the pages that do not match (2.5 % and 0 %) and those that differ from hand-written selectors in at least
one field (1.6 % and 3.7 %).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from newscrawler.errors import ConfigError
from newscrawler.extraction.templates import Selector, read_selector
from newscrawler.page import Document, extract_visible_text, squeeze
from newscrawler.research.site_methods.trinity import TrinityTemplate

#: Elements that count of those that a selector finds.
_MOST_SELECTED = 12


class TemplateField(StrEnum):
    """What a group of a template may hold."""

    TITLE = "title"
    AUTHORS = "authors"
    ANNOTATION = "annotation"
    KEYWORDS = "keywords"
    BODY = "body"


def name_by_hand(template: TrinityTemplate, fields: Mapping[str, Sequence[int]]) -> TrinityTemplate:
    """Give names to groups.

    Raises:
        ConfigError: there is no such field or group.
    """
    groups = template.groups()
    for name, numbers in fields.items():
        if name not in list(TemplateField):
            raise ConfigError(f"{name} is not a field of a template; these are: {', '.join(TemplateField)}")
        if unknown := [number for number in numbers if number not in groups]:
            raise ConfigError(f"the template has no group {unknown[0]}; `newscrawler template groups` lists them")
    return replace(template, fields={**template.fields, **{name: tuple(numbers) for name, numbers in fields.items()}})


def name_by_samples(template: TrinityTemplate, samples: Iterable[tuple[Document, Mapping[str, str]]]) -> TrinityTemplate:
    """Give a field's name to the group that holds the field's value on most sample pages.

    Raises:
        ConfigError: a value stands in no group of any sample.
    """
    votes: dict[str, Counter[int]] = {}
    for page, values in samples:
        groups = template.read_groups(page) or {}
        for name, value in values.items():
            counter = votes.setdefault(name, Counter())
            counter.update(group for group, text in groups.items() if squeeze(text) == squeeze(value))
    for name, counter in votes.items():
        if not counter:
            raise ConfigError(f"no group of the template holds the {name} of a sample; name its group by hand")
    return name_by_hand(template, {name: (counter.most_common(1)[0][0],) for name, counter in votes.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDifference:
    """A field that a template and a selector read differently."""

    url: str | None
    field: str
    by_template: str
    by_selector: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MismatchReport:
    """How a template does on pages, held against selectors written by hand."""

    pages: int
    #: Addresses of the pages that do not match the template.
    not_matching: tuple[str | None, ...]
    differences: tuple[FieldDifference, ...]
    #: Pages that match and differ in at least one field.
    wrong: int

    @property
    def not_matching_share(self) -> float:
        """Return the share of pages that do not match."""
        return len(self.not_matching) / self.pages if self.pages else 0.0

    @property
    def wrong_share(self) -> float:
        """Return the share of pages that differ in at least one field."""
        return self.wrong / self.pages if self.pages else 0.0


def compare_with_selectors(template: TrinityTemplate, pages: Iterable[Document], written: Mapping[str, str]) -> MismatchReport:
    """Read pages by the template, whose groups have names, and by selectors ("css: …", "xpath: …"), and list where both differ.

    Raises:
        ConfigError: a selector is not allowed, or is for a field that no group of the template is named after.
    """
    selectors = read_selectors(written)
    if unnamed := [name for name in written if name not in template.fields]:
        named = ", ".join(template.fields) or "none"
        raise ConfigError(
            f"no group of the template is named {unnamed[0]} (named: {named}). Name it with `newscrawler template name`."
        )
    count = wrong = 0
    not_matching: list[str | None] = []
    differences: list[FieldDifference] = []
    for page in pages:
        count += 1
        read = template.read_fields(page)
        if read is None:
            not_matching.append(page.url)
            continue
        before = len(differences)
        for name, selector in selectors.items():
            by_selector = selected_text(selector, page)
            by_template = squeeze(read.get(name))
            if by_selector != by_template:
                differences.append(FieldDifference(url=page.url, field=name, by_template=by_template, by_selector=by_selector))
        wrong += len(differences) > before
    return MismatchReport(pages=count, not_matching=tuple(not_matching), differences=tuple(differences), wrong=wrong)


def read_selectors(written: Mapping[str, str]) -> dict[str, Selector]:
    """Return the selectors that are written for fields of a template.

    Raises:
        ConfigError: a selector is not allowed, or is for no field of a template.
    """
    if unknown := [name for name in written if name not in list(TemplateField)]:
        raise ConfigError(f"{unknown[0]} is not a field of a template; these are: {', '.join(TemplateField)}")
    return {name: read_selector(text, f"the selector of {name}") for name, text in written.items()}


def selected_text(selector: Selector, page: Document) -> str:
    """Return the text of what a selector finds on a page."""
    return squeeze(" ".join(map(extract_visible_text, selector.find(page.root)[:_MOST_SELECTED])))
