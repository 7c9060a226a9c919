"""The template of a portal: what is learned of it, ready to be applied, and stored as a file that people can review and edit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from newscrawler.errors import ConfigError
from newscrawler.extraction.dates import DateContext, Dates
from newscrawler.extraction.dates.candidate import Clock
from newscrawler.extraction.metadata import Metadata
from newscrawler.extraction.metadata.authors import is_institution
from newscrawler.extraction.templates.evidence import KnownEvidence, PageLines, find_recurring_lines, make_line_key
from newscrawler.extraction.templates.fast_path import FastReader
from newscrawler.extraction.templates.fast_path_learning import learn_fast_path, learn_fields
from newscrawler.extraction.templates.learning import collect_labels, group_layouts, read, read_fields, select_sound_pages
from newscrawler.extraction.templates.model import (
    LONGEST_SELECTOR,
    MOST_INLINE,
    MOST_LAYOUTS,
    MOST_LINES,
    FieldName,
    InlineText,
    LearnedLabels,
    LearnedLayout,
    RecurringLine,
    Sources,
    TemplateFit,
    TemplateProvenance,
)
from newscrawler.extraction.templates.overrides import Overrides
from newscrawler.extraction.templates.page_reader import Applied, PageReader, learn_inline, prepare_layouts
from newscrawler.extraction.templates.places import Namer, extract_classes, find_known_classes
from newscrawler.extraction.templates.sources import AUTHORS, FieldReader
from newscrawler.limits import TEMPLATE_CHARACTERS
from newscrawler.page import Document

#: Characters of a file.
LARGEST_FILE = TEMPLATE_CHARACTERS
_LONGEST_SHOWN = 80


def _explain_error(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid" or not first["loc"]:
        return f"this is no template of a portal: {first['msg']}"
    path = ""
    for step in first["loc"]:
        path += f"[{step}]" if isinstance(step, int) or not step.isidentifier() else f".{step}" if path else step
    reason = str(first.get("ctx", {}).get("error", first["msg"]))
    if first["type"] == "missing":
        return f"{path} is missing"
    hint = ": learn it again" if first["loc"] == ("version",) else ""
    return f"{path} is {_shorten(first['input'])}; {reason[:1].lower()}{reason[1:]}{hint}"


def _shorten(value: Any) -> str:
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'} of {len(value)}"
    return json.dumps(value, ensure_ascii=False, default=str)[:_LONGEST_SHOWN]


METHOD: Literal["portal_template"] = "portal_template"
VERSION: Literal[7] = 7


@dataclass(frozen=True, kw_only=True)
class PortalTemplate:
    """What was learned of a portal; frozen, but for the caches of its first use."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(strict=True, extra="forbid", title="Template of a portal")

    method: Literal["portal_template"]
    version: Literal[7]
    provenance: TemplateProvenance = field(default_factory=TemplateProvenance)
    #: Selectors by field, written by hand: "css: …" or "xpath: …". They go before learned sources.
    overrides: Mapping[FieldName, Annotated[str, Field(max_length=LONGEST_SELECTOR)]] = field(default_factory=dict)
    fields: Sources = field(default_factory=dict)
    labels: LearnedLabels = field(default_factory=LearnedLabels)
    layouts: Annotated[tuple[LearnedLayout, ...], Field(max_length=MOST_LAYOUTS + 1)] = ()
    lines: Annotated[tuple[RecurringLine, ...], Field(max_length=MOST_LINES)] = ()
    inline: Annotated[tuple[InlineText, ...], Field(max_length=MOST_INLINE)] = ()

    @cached_property
    def _namer(self) -> Namer:
        places = [*self.labels.places, *(place for layout in self.layouts for place in layout.places)]
        for path in (layout.fast_path for layout in self.layouts if layout.fast_path is not None):
            places += [f"|{path.region}", *path.lines]
        sources = (source for known in self.fields.values() for source, _, _ in known)
        return Namer(extract_classes([*places, *(f"|{source.partition(':')[2]}" for source in sources)]))

    @cached_property
    def _overrides(self) -> Overrides:
        return Overrides.read(self.overrides)

    @cached_property
    def _fields(self) -> FieldReader:
        return FieldReader(self.fields, self._namer)

    @cached_property
    def _reader(self) -> PageReader:
        evidence = KnownEvidence.prepare(self.labels, self.lines)
        fast = [
            FastReader.prepare(layout.fast_path, layout, self._fields, evidence)
            for layout in self.layouts if layout.fast_path is not None
        ]  # fmt: skip
        return PageReader(prepare_layouts(self.layouts), self._namer, evidence, fast, self.inline, self._overrides)

    def __getstate__(self) -> Mapping[str, Any]:
        """Return only the fields: prepared parts contain caches, which no other process can take."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def make_ready(self) -> None:
        """Prepare the reader, for which the first page would wait."""
        _ = self._reader

    def apply(self, page: Document, prior: float = 0.0) -> Applied:
        """Find the body of a page; the page is left untouched."""
        return self._reader.read(page, prior)

    def amend_metadata(self, page: Document, metadata: Metadata, explained: TemplateFit) -> tuple[Metadata, TemplateFit]:
        """Put in the fields placed by hand, and missing authors from the sources of the portal's other pages."""
        amended, explained = self._overrides.amend_metadata(page, metadata, explained)
        authors = self._fields.read(page, AUTHORS, Clock())[2] if explained.explained and not amended.authors else None
        if authors and not any(is_institution(page, name) for name in authors):
            return replace(amended, authors=authors), replace(explained, fields=(*explained.fields, "authors"))
        return amended, explained

    def amend_dates(self, page: Document, dates: Dates, context: DateContext, explained: TemplateFit) -> tuple[Dates, TemplateFit]:
        """Put in the dates that were placed by hand."""
        return self._overrides.amend_dates(page, dates, context, explained)

    def remove_fast_paths(self) -> PortalTemplate:
        """Return the same template without its fast paths, for measurements and explanations."""
        return replace(self, layouts=tuple(replace(layout, fast_path=None) for layout in self.layouts))

    def remove_article(self, urls: Iterable[str], texts: Iterable[str]) -> PortalTemplate:
        """Return the template without an article: all its addresses, and headline, lead and paragraphs of all its revisions."""
        own, known = frozenset(urls), frozenset(filter(None, map(make_line_key, texts)))
        starts = tuple(f"{url}:" for url in own)
        kept = replace(
            self.provenance, urls=tuple(url for url in self.provenance.urls if url not in own),
            left_out=tuple(reason for reason in self.provenance.left_out if not reason.startswith(starts)),
        )  # fmt: skip
        lines = tuple(line for line in self.lines if known.isdisjoint(map(make_line_key, (line.text, line.below))))
        joined = "\n".join(known)
        inline = tuple(item for item in self.inline if not (key := make_line_key(item.text)) or key not in joined)
        return replace(self, lines=lines, inline=inline, provenance=kept)

    def to_json(self) -> str:
        """Write the template so that people can read it, and compare two of them line by line."""
        return _make_adapter().dump_json(self, indent=1).decode() + "\n"

    @classmethod
    def from_json(cls, text: str, source: str = "the template") -> PortalTemplate:
        """Read a template; the text may come from anywhere.

        Raises:
            ConfigError: something in it is not allowed; the message names file, key and value.
        """
        if len(text) > LARGEST_FILE:
            raise ConfigError(f"{source} has {len(text)} characters; a template of a portal has at most {LARGEST_FILE}")
        try:
            template = _make_adapter().validate_json(text)
        except ValidationError as error:
            raise ConfigError(f"{source}: {_explain_error(error)}") from error
        Overrides.read(template.overrides, source)
        template.make_ready()
        return template


@cache
def _make_adapter() -> TypeAdapter[PortalTemplate]:
    return TypeAdapter(PortalTemplate)


def make_schema() -> Mapping[str, Any]:
    """Return the JSON Schema (2020-12) of template files."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_make_adapter().json_schema()}


def learn_template(
    pages: Sequence[Document],
    *,
    golds: Mapping[Document, Mapping[str, Any]] | None = None,
    provenance: TemplateProvenance | None = None,
    language: str | None = None,
    time_zone: str = "UTC",
) -> PortalTemplate:
    """Learn a template from pages of one portal.

    Args:
        pages: three articles or more, from all sections.
        golds: labels of some of the pages, as `newscrawler evaluate` reads them.
        provenance: where the pages come from; their addresses are added.
        language: the portal's, where it is configured.
        time_zone: the portal's; dates without an offset are read in it.

    Raises:
        TemplateRefused: the pages teach nothing, or the wrong thing.
    """
    namer = Namer(find_known_classes(pages))
    articles, left_out = select_sound_pages([read(page, namer, (golds or {}).get(page)) for page in pages], language)
    read_fields(articles, language, time_zone)
    labels, lines = (
        collect_labels(articles),
        find_recurring_lines([PageLines.read(reading.page.layout, reading.found.taken) for reading in articles]),
    )
    sources = learn_fields(articles, namer, time_zone)
    evidence, reader = KnownEvidence.prepare(labels, lines), FieldReader(sources, namer)
    return PortalTemplate(
        method=METHOD, version=VERSION, fields=sources, labels=labels, lines=lines,
        layouts=tuple(
            replace(layout, fast_path=learn_fast_path(layout, group, reader, evidence)) for layout, group in group_layouts(articles)
        ),
        inline=learn_inline([reading.found.taken for reading in articles]),
        provenance=replace(
            provenance or TemplateProvenance(), urls=tuple(reading.page.url for reading in articles if reading.page.url),
            left_out=tuple(left_out),
        ),
    )  # fmt: skip


def read_overrides(document: str) -> dict[FieldName, str]:
    """Return the selectors set by hand in a template, of whatever version; none where they cannot be read."""
    try:
        written = {FieldName(name): selector for name, selector in json.loads(document)["overrides"].items()}
        Overrides.read(written)
    except (ConfigError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
    return written


def forget_article(document: str, urls: Iterable[str], texts: Iterable[str]) -> str | None:
    """Take an article out of a stored template, as `remove_article` does; None: nothing of it is in there.

    Of a template of another version of the program, which is never applied, only the settings by hand stay.
    """
    try:
        template = PortalTemplate.from_json(document)
    except ConfigError:
        return _set_by_hand(document)
    forgotten = template.remove_article(urls, texts)
    return forgotten.to_json() if forgotten != template else None


def _set_by_hand(document: str) -> str | None:
    """Return the settings by hand in a template that cannot be read; None if it contains nothing else."""
    try:
        stored = json.loads(document)
        kept = {key: stored[key] for key in ("method", "version", "overrides") if key in stored}
    except (ValueError, TypeError, RecursionError):
        return "{}"
    return json.dumps(kept, ensure_ascii=False) if kept != stored else None
