"""Recipes: selection, parameters, versions and the state of the corpus, from which a figure or a file can be cited and made again.

A recipe is one JSON object. It is in a file next to its file (FILE.recipe.json), of SVG within in `metadata`, of PNG in a tEXt
chunk; that of a release is its manifest.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from html import escape, unescape
from io import BytesIO
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import Any

from newscrawler import __version__
from newscrawler.corpus.analyses import Analysis, AnalysisResult, Tool, analyse, list_series, place_periods
from newscrawler.corpus.annotation import find_annotator
from newscrawler.corpus.charts import draw_lines
from newscrawler.corpus.concordance import write_lines_html
from newscrawler.corpus.duplicates import Deduplication, LeftOut, remove_duplicates
from newscrawler.corpus.export import (
    Progress,
    export_articles,
    export_folder,
    make_record_reader,
    make_rights_reader,
    open_target,
    read_parameters,
    write_parameters,
)
from newscrawler.corpus.formats import FORMATS, Options, Written, choose_excel_options, write_table
from newscrawler.corpus.selections import make_saved_reader
from newscrawler.errors import ConfigError, counted
from newscrawler.store import HEAD, Store
from newscrawler.store.archive import PagesFolder
from newscrawler.store.articles import Selection

#: The ending of the file with the recipe, behind the name of the file that it is of.
BESIDE = ".recipe.json"
EXPORT, RELEASE = "export", "release"
_MANIFEST = "manifest.json"
#: Most rows of a table, and characters of ids, that a recipe has; of more it has the hash only.
_MOST_ROWS, _MOST_CHARACTERS = 1_000, 20_000
#: The parameters of a tool that its citation names.
_CITED: Mapping[str, Sequence[str]] = {
    Tool.TRENDS: ("measure", "by"), Tool.CONCORDANCE: ("sorting", "width"), Tool.FREQUENCIES: ("length", "groups", "annotate"),
    Tool.COLLOCATES: ("window", "least", "annotate"), Tool.KEYWORDS: ("least", "annotate"), Tool.COVERAGE: ("by",),
    Tool.COUNTS: ("by",), EXPORT: ("format",),
}  # fmt: skip
#: Characters of a line below a chart.
_NOTE_CHARACTERS = 118
_PNG, _KEYWORD = b"\x89PNG\r\n\x1a\n", b"newscrawler recipe\0"
_METADATA = re.compile(rb"<metadata>(.*?)</metadata>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleState:
    """The articles of a selection at a time."""

    count: int
    newest_id: int = 0
    #: SHA-256 of the hashes of titles and bodies, in their order: databases with the same texts have the same.
    sha256: str
    #: Ids in this database, as 1-4,7; "": too many to list.
    ids: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that determines an analysis, an export or a release, and its result."""

    #: A tool of analysis, "export" or "release".
    kind: str
    made_at: datetime
    #: Version of the program, and of the tables.
    newscrawler: str = __version__
    tables: str = HEAD
    #: Those of `Analysis` or `ExportPlan`; of a release, those in its manifest.
    parameters: Mapping[str, Any]
    articles: ArticleState
    #: The reference articles of keywords.
    against: ArticleState | None = None
    #: Of a table: heading, rows or their number, and SHA-256; of an export: the number of articles, and the SHA-256 of its file.
    result: Mapping[str, Any] = field(default_factory=dict)
    #: As the JSON has it.
    citation: str = field(default="", compare=False)

    def encode(self) -> str:
        """Return the recipe as JSON in ASCII, with its citation."""
        return json.dumps({"citation": " ".join(cite(self))} | write_parameters(replace(self, citation="")), indent=1) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPlan:
    """The parameters of an export: which articles, and how they are written."""

    format: str = "jsonl"
    selection: Selection = field(default_factory=Selection)
    deduplication: Deduplication = field(default_factory=Deduplication)
    with_revisions: bool = False
    #: With the entities that recognisers found in the articles.
    with_entities: bool = False
    delimiter: str | None = None
    #: The locale of the Excel that reads it.
    excel: str | None = None
    header: bool = True
    title: str = "Articles"
    #: The tagger.
    annotate: str | None = None

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise ConfigError(f"{self.format} is not a format of exports; there are: {', '.join(FORMATS)}")
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise ConfigError("the delimiter is a single character, such as ; or \\t (--delimiter)")

    def make_options(self, store: Store, pages: PagesFolder | None) -> Options:
        """Return the options of the format."""
        options = choose_excel_options(self.excel) if self.excel else Options()
        if self.delimiter:
            options = replace(options, delimiter=self.delimiter)
        if self.annotate:
            options = replace(options, annotate=find_annotator(self.annotate), annotated=True)
        if FORMATS[self.format].needs_pages and pages is not None:
            options = replace(options, record_of=make_record_reader(store, pages))
        return replace(
            options, header=self.header, title=self.title, rights_of=make_rights_reader(store),
            collections_of=store.collections.of_article, with_entities=self.with_entities,
            selections_of=make_saved_reader(store) if self.format == "vertical" else options.selections_of,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """A recipe and its repetition."""

    before: Recipe
    now: Recipe
    #: Articles that the selection has and had not, and the other way round; of long lists without ids, by their number.
    added: int
    removed: int
    #: A line for each row that differs.
    rows: Sequence[str]
    #: Of an analysis.
    table: AnalysisResult | None = None

    @property
    def is_same(self) -> bool:
        """Return whether articles, texts and numbers are those of then."""
        then, now = self.before, self.now
        has_same_articles = then.articles.sha256 == now.articles.sha256
        has_same_reference = then.against is None or now.against is None or then.against.sha256 == now.against.sha256
        return has_same_articles and has_same_reference and (not now.result or then.result == now.result)


def make_recipe(store: Store, analysis: Analysis, result: AnalysisResult, *, now: datetime | None = None) -> Recipe:
    """Return the recipe of an analysis that was just carried out."""
    against = read_articles(store, analysis.choose(analysis.against)) if analysis.tool is Tool.KEYWORDS else None
    return Recipe(
        kind=str(analysis.tool), made_at=_round(now), parameters=write_parameters(analysis),
        articles=read_articles(store, analysis.choose(analysis.selection)), against=against,
        result=_describe_table(analysis, result),
    )  # fmt: skip


def make_export_recipe(store: Store, plan: ExportPlan, *, now: datetime | None = None) -> Recipe:
    """Return the recipe of an export of the articles that there are."""
    return Recipe(
        kind=EXPORT, made_at=_round(now), parameters=write_parameters(plan), articles=read_articles(store, plan.selection)
    )


def _round(now: datetime | None) -> datetime:
    return (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)


def read_articles(store: Store, selection: Selection) -> ArticleState:
    """Return the state of the articles of a selection."""
    ids, hashes = store.articles.text_hashes(selection)
    ranges, digest = ",".join(_join_ranges(sorted(ids))), sha256(b"".join(sorted(hashes))).hexdigest()
    listed = ranges if len(ranges) <= _MOST_CHARACTERS else ""
    return ArticleState(count=len(ids), newest_id=max(ids, default=0), sha256=digest, ids=listed)


def _join_ranges(numbers: Iterable[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        first, *others = [number for _, number in run]
        yield f"{first}-{others[-1]}" if others else f"{first}"


def _split_ranges(ids: str) -> tuple[list[int], list[int]]:
    """Return the first and the last id of each range.

    Raises:
        ConfigError: a range is wrong.
    """
    try:
        pairs = [[int(end) for end in each.split("-")] for each in ids.split(",") if each]
    except ValueError:
        raise ConfigError(f"the recipe is damaged: {ids[:40]!r} is not a list of ids") from None
    return [each[0] for each in pairs], [each[-1] for each in pairs]


def _describe_table(analysis: Analysis, result: AnalysisResult) -> dict[str, Any]:
    """Return the table; of a concordance, which consists of texts, the number of its rows and their hash only."""
    rows = json.loads(json.dumps(result.rows, default=str))
    digest = sha256(json.dumps([result.heading, rows]).encode()).hexdigest()
    is_short = analysis.tool is not Tool.CONCORDANCE and len(rows) <= _MOST_ROWS
    table = {"heading": list(result.heading), "rows": rows if is_short else len(rows), "sha256": digest}
    return table | ({"latest": result.latest} if result.latest else {})


def write_export_plan(
    store: Store, plan: ExportPlan, path: Path | None, *, pages: PagesFolder | None = None, in_folder: bool = False,
    resume: bool = False, report: Callable[[LeftOut], None] = lambda _left: None, progress: Progress | None = None,
) -> tuple[Written, Recipe]:  # fmt: skip
    """Write the articles of a plan to a file, a folder or standard output (None), and the recipe next to it; return it, too.

    Articles that are stored meanwhile are left out.

    Raises:
        ConfigError: the format is not of files, or of folders.
        ExportError: it cannot be written.
    """
    form, selection = FORMATS[plan.format], plan.selection.end_at(store.articles.newest_id())
    state = read_articles(store, selection) if path is not None else ArticleState(count=0, sha256="")
    recipe = Recipe(kind=EXPORT, made_at=_round(None), parameters=write_parameters(plan), articles=state)
    articles, options = remove_duplicates(store, selection, plan.deduplication, report), plan.make_options(store, pages)
    articles = store.articles.with_revisions(articles) if plan.with_revisions else articles
    articles = store.entities.attach(articles) if plan.with_entities else articles
    if path is not None and in_folder:
        written = export_folder(articles, form, path, options, resume=resume, progress=progress)
        recipe = replace(recipe, result={"articles": written.articles})
    else:
        written = export_articles(articles, form, path, options, progress=progress)
    if path is not None and path.is_file():
        with path.open("rb") as stream:
            recipe = replace(recipe, result={"articles": written.articles, "sha256": file_digest(stream, "sha256").hexdigest()})
    if recipe.result and path is not None:
        write_beside(path, recipe)
    return written, recipe


def write_beside(path: Path, recipe: Recipe) -> None:
    """Write the recipe of a file, or of a folder, next to it.

    Raises:
        ExportError: it cannot be written.
    """
    with open_target(path.with_name(path.name + BESIDE)) as stream:
        stream.write(recipe.encode().encode())


def write_figure(analysis: Analysis, result: AnalysisResult, recipe: Recipe, path: Path) -> None:
    """Write a figure, in the form that the ending of the path says, with its recipe.

    Raises:
        ConfigError: it has no chart.
        ExportError: it cannot be written.
    """
    content = encode_figure(analysis, result, path.suffix.lower(), recipe)
    with open_target(path) as stream:
        stream.write(content)
    if path.suffix.lower() != ".svg":
        write_beside(path, recipe)


def encode_figure(analysis: Analysis, result: AnalysisResult, ending: str, recipe: Recipe | None = None) -> bytes:
    """Return a table (.csv), a concordance (.html as well), or a chart with its recipe (.svg).

    Raises:
        ConfigError: it has no chart.
    """
    if ending == ".svg" and recipe is not None:
        return draw_figure(analysis, result, recipe).encode("utf-8", "replace")
    stream = BytesIO()
    if ending == ".html" and analysis.tool is Tool.CONCORDANCE:
        write_lines_html(result.lines, stream, title=" / ".join(analysis.queries))
    else:
        write_table(result.heading, result.rows, stream)
    return stream.getvalue()


def draw_figure(analysis: Analysis, result: AnalysisResult, recipe: Recipe) -> str:
    """Return a chart over time as an SVG file with its source, and with the recipe in its metadata.

    Raises:
        ConfigError: this analysis has no chart, or there is only one period.
    """
    periods, series = list_series(result, analysis)
    if not series:
        raise ConfigError("only counts over several periods have a chart; name a file that ends in .csv")
    title = " / ".join(analysis.queries) or f"Articles by {analysis.by}"
    places, sentences = place_periods(periods), (*cite(recipe), f"Published {periods[0]} to {periods[-1]}.")
    notes = [line for sentence in sentences for line in wrap(sentence, _NOTE_CHARACTERS)]
    chart = draw_lines(periods, series, label=title, heading=title[:60], notes=notes, places=places)
    return f"{chart.removesuffix('</svg>')}<metadata>{escape(recipe.encode())}</metadata></svg>"


def cite(recipe: Recipe) -> tuple[str, str]:
    """Return two sentences that cite a figure or a file: its parameters, and the state of the corpus."""
    said = {name: recipe.parameters.get(name) for name in _CITED.get(recipe.kind, ())}
    names = ("selection", "against") if recipe.kind == Tool.KEYWORDS else ("selection",)
    chosen = [_say(recipe.parameters.get(name, {})) for name in names]
    words = " / ".join(recipe.parameters.get("queries", ()))
    title = f"{recipe.kind.capitalize()}{f' of {words}' if words else ''}{f' ({_say(said)})' if said else ''}"
    return (
        f"{title}. Selection: {' against '.join(each or 'all articles' for each in chosen)}.",
        (
            f"Source: newscrawler {recipe.newscrawler}, corpus as of {recipe.made_at:%d %B %Y, %H:%M} UTC: "
            f"{counted(recipe.articles.count, 'article')}, SHA-256 {recipe.articles.sha256[:12]}."
        ),
    )


def _say(values: Mapping[str, Any]) -> str:
    listed = ((name, " and ".join(map(str, value)) if isinstance(value, list) else value) for name, value in values.items())
    return ", ".join(f"{name} {value}" for name, value in listed if isinstance(value, str | int))


def read_recipe(path: Path) -> Recipe:
    """Return the recipe in a file, in an SVG or PNG, in the manifest of a release, or next to a file.

    Raises:
        ConfigError: there is none, or it is damaged.
    """
    adjacent = path.with_name(path.name + BESIDE)
    place = adjacent if adjacent.is_file() else path / _MANIFEST if path.is_dir() else path
    try:
        content = _find_json(place.read_bytes())
        said = json.loads(content)
        return _read_manifest(said) if "recipe" in said else read_parameters(Recipe, said)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, AttributeError, KeyError, StopIteration, RecursionError) as error:
        raise ConfigError(f"{path} has no recipe; name a recipe, or a file with one next to it or within") from error


def _find_json(content: bytes) -> bytes | str:
    if content.startswith(_PNG):
        chunk = content.index(b"tEXt" + _KEYWORD)
        size = int.from_bytes(content[chunk - 4 : chunk])
        return content[chunk + 4 + len(_KEYWORD) : chunk + 4 + size]
    found = _METADATA.search(content)
    return unescape(found[1].decode()) if found else content


def _read_manifest(manifest: Mapping[str, Any]) -> Recipe:
    plan = manifest["recipe"]
    documents = next(each["sha256"] for each in manifest["files"] if each["path"] == "documents.jsonl")
    state = ArticleState(count=manifest["articles"], newest_id=plan["until_id"], sha256=documents)
    return Recipe(
        kind=RELEASE, made_at=datetime.fromisoformat(plan["created_at"]), newscrawler=manifest["newscrawler"], tables="",
        parameters=plan, articles=state,
    )  # fmt: skip


def repeat_analysis(
    store: Store,
    recipe: Recipe,
    *,
    reserved: Mapping[str, Any] = MappingProxyType({}),
    progress: Callable[[int], None] | None = None,
) -> Repetition:
    """Carry out an analysis again without the articles that are `reserved` today, and compare it with its recipe.

    Raises:
        ConfigError: a parameter is unknown or wrong.
    """
    analysis = read_parameters(Analysis, recipe.parameters).restrict(store, reserved)
    latest = recipe.result.get("latest")
    table = analyse(store, analysis, most=latest if isinstance(latest, int) else None, progress=progress)
    now = make_recipe(store, analysis, table)
    added, removed = _compare_articles(store, analysis.choose(analysis.selection), recipe.articles, now.articles)
    keys = len(analysis.groups) + 1
    return Repetition(
        before=recipe, now=now, added=added, removed=removed, rows=list(_compare_rows(recipe.result, now.result, keys)), table=table
    )


def repeat_export(
    store: Store, recipe: Recipe, path: Path | None, *, reserved: Mapping[str, Any] = MappingProxyType({}), **options: Any
) -> Repetition:
    """Compare the articles of an export with those of its recipe; with a path, write it again by `write_export_plan`.

    Raises:
        ConfigError: a parameter is unknown or wrong.
    """
    plan = read_parameters(ExportPlan, recipe.parameters)
    plan = replace(plan, selection=store.articles.restrict(plan.selection, reserved))
    if path is None:
        now = make_export_recipe(store, plan)
    else:
        _, now = write_export_plan(store, plan, path, **options)
    added, removed = _compare_articles(store, plan.selection, recipe.articles, now.articles)
    return Repetition(before=recipe, now=now, added=added, removed=removed, rows=())


def _compare_articles(store: Store, selection: Selection, then: ArticleState, now: ArticleState) -> tuple[int, int]:
    """Return how many articles a selection has that it had not, and the other way round."""
    if then.sha256 == now.sha256:  # perhaps with other ids, in a copy
        return 0, 0
    starts, ends = _split_ranges(then.ids)
    if not starts:
        added = sum(1 for _ in store.articles.numbers(replace(selection, after_id=then.newest_id)))
        return added, max(0, then.count + added - now.count)
    kept = 0
    for number in store.articles.numbers(selection):
        place = bisect_right(starts, number) - 1
        kept += place >= 0 and number <= ends[place]
    return now.count - kept, then.count - kept


def _compare_rows(then: Mapping[str, Any], now: Mapping[str, Any], keys: int) -> Iterator[str]:
    """Yield a line for each row that differs, or that only one table has; rows are known by their first cells."""
    if not isinstance(then.get("rows"), list) or not isinstance(now.get("rows"), list):
        return
    before, after = ({tuple(map(str, row[:keys])): row[keys:] for row in each["rows"]} for each in (then, now))
    for key in dict.fromkeys([*before, *after]):
        old, new = (", ".join(map(str, each[key])) if key in each else "none" for each in (before, after))
        if old != new:
            yield f"{' '.join(key)}: {old} → {new}"
