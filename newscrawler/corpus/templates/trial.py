"""Trial of a template or a selector on pages: how many it explains, and what it would change; a selector that is then used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from newscrawler.article import Article
from newscrawler.corpus.templates.repair import kept_documents
from newscrawler.errors import ConfigError, PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, read_article
from newscrawler.extraction.templates import FieldName, Overrides, PortalTemplate, SiteTemplate
from newscrawler.page import Document
from newscrawler.store import Store
from newscrawler.store.archive import PagesFolder
from newscrawler.store.articles import StoredTemplate
from newscrawler.store.vocabularies import TemplateOrigin, TemplateState

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
            "pages": self.pages, "explained": self.explained, "changes": dict(self.changes), "broken": dict(self.broken),
            "changed": [{"url": url, "fields": list(fields)} for url, fields in self.changed],
        }  # fmt: skip


def try_template(pages: Iterable[Document], new: ExtractionOptions, old: ExtractionOptions) -> TemplateTrial:
    """Read pages in two ways, the new one with a template, and count where they differ."""
    trial = TemplateTrial()
    for page in pages:
        article, state = _read(page, new)
        before, _ = _read(page, old)
        trial.pages += 1
        if state.explained is not None:
            trial.explained += state.explained.explained
            trial.broken.update(state.explained.broken)
        elif isinstance(new.method, SiteTemplate):
            trial.explained += state.body is not None
        if fields := _differences(before, article):
            trial.changes.update(fields)
            trial.changed.append((page.url or "", fields))
    return trial


def _read(page: Document, reading: ExtractionOptions) -> tuple[Article | None, ExtractionState]:
    draft = ExtractionState(page=page)
    try:
        return read_article(draft, reading), draft
    except PageError:
        return None, draft


def _differences(before: Article | None, after: Article | None) -> tuple[str, ...]:
    if before is None or after is None:
        return () if before is after else ("article",)
    old, new = before.as_dict(), after.as_dict()
    return tuple(name for name in old if name not in _NOT_COMPARED and old[name] != new[name])


def set_override(
    store: Store, folder: PagesFolder, used: StoredTemplate, name: str, selector: str | None, *, now: datetime, tried: int = 30,
    force: bool = False, advice: str = "",
) -> StoredTemplate:  # fmt: skip
    """Set by hand where a field stands, in a new version of the template in use; a selector of None: where it was learned.

    `tried`: number of kept pages that the selector is tried on; `force`: take one that finds nothing on them.

    Raises:
        ConfigError: the selector is not allowed or finds nothing, or the template has no such field; `advice` ends the sentence.
    """
    template, portal = used.read(), used.portal
    if not isinstance(template, PortalTemplate):
        raise ConfigError(f"the template of {portal} in use is of a published method; none of its fields can be set by hand")
    overrides = {each: place for each, place in template.overrides.items() if each != name}
    if selector is not None:
        if name not in list(FieldName):
            raise ConfigError(f"{name} is not a field that can be set by hand; these can: {', '.join(FieldName)}")
        overrides[FieldName(name)] = selector
        placed = Overrides.read({FieldName(name): selector}, "the selector")
        pages = list(kept_documents(store, folder, portal, tried))
        found = sum(placed.is_found(page, FieldName(name)) for page in pages)
        if pages and not found and not force:
            raise ConfigError(f"{selector} finds nothing on any of {len(pages)} kept pages of {portal}{advice}")
        note = f"{name} set by hand to {selector}, found on {found} of {len(pages)} kept pages"
    elif len(overrides) == len(template.overrides):
        raise ConfigError(f"the {name} of {portal} was not set by hand; set are: {', '.join(overrides) or 'none'}")
    else:
        note = f"{name} is taken from where it was learned"
    document = replace(template, overrides=overrides).to_json()
    return store.templates.add(portal, document, origin=TemplateOrigin.MANUAL, state=TemplateState.IN_USE, note=note, now=now)
