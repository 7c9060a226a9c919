"""Trial of a template or a selector on pages: how many it explains, and what it would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from newscrawler.article import Article
from newscrawler.corpus.templates.repair import kept_documents
from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, finish, read_dates, read_metadata
from newscrawler.extraction.templates import TemplateFit
from newscrawler.page import Document

__all__ = ["TemplateTrial", "kept_documents", "try_template"]

#: Fields that do not belong to the article, or follow from others.
_NOT_COMPARED = frozenset(
    {"portal", "method", "confidence", "word_count", "paragraphs", "section_source", "published_source", "date_confidence"}
)


@dataclass(slots=True, kw_only=True)
class TemplateTrial:
    """The result of reading pages with a template."""

    pages: int = 0
    explained: int = 0
    #: Pages on which a field would change, by field.
    changes: Counter[str] = field(default_factory=Counter)
    #: Pages on which an override finds nothing, by field.
    broken: Counter[str] = field(default_factory=Counter)
    #: Addresses of the pages that would change, each with its fields.
    changed: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def sentences(self) -> Iterator[str]:
        """Yield the result as sentences."""
        yield f"{self.pages} pages tried, {self.explained} explained by the template, {len(self.changed)} would change"
        for name, pages in self.changes.most_common():
            yield f"  {name} on {pages}"
        for name, pages in self.broken.most_common():
            yield f"  {name}, set by hand, is not found on {pages}"

    def as_dict(self) -> dict[str, Any]:
        """Return the record for `--json`."""
        return {
            "pages": self.pages,
            "explained": self.explained,
            "changes": dict(self.changes),
            "broken": dict(self.broken),
            "changed": [{"url": url, "fields": list(fields)} for url, fields in self.changed],
        }


def try_template(pages: Iterable[Document], new: ExtractionOptions, old: ExtractionOptions) -> TemplateTrial:
    """Read pages in two ways, the new one with a template, and count where they differ."""
    trial = TemplateTrial()
    for page in pages:
        article, explained = _read(page, new)
        before, _ = _read(page, old)
        trial.pages += 1
        if explained is not None:
            trial.explained += explained.explained
            trial.broken.update(explained.broken)
        if fields := _differences(before, article):
            trial.changes.update(fields)
            trial.changed.append((page.url or "", fields))
    return trial


def _read(page: Document, reading: ExtractionOptions) -> tuple[Article | None, TemplateFit | None]:
    draft = ExtractionState(page=page)
    try:
        detect_body(draft, reading)
        read_metadata(draft, reading)
        read_dates(draft, reading)
        return finish(draft, reading), draft.explained
    except PageError:
        return None, draft.explained


def _differences(before: Article | None, after: Article | None) -> tuple[str, ...]:
    if before is None or after is None:
        return () if before is after else ("article",)
    old, new = before.as_dict(), after.as_dict()
    return tuple(name for name in old if name not in _NOT_COMPARED and old[name] != new[name])
