"""Exports the articles of a selection to one file, or to a folder with one file per article."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from newscrawler.corpus.formats import FORMATS, Format, Options, Written
from newscrawler.corpus.formats.plain import file_name
from newscrawler.corpus.target import export_errors, open_target
from newscrawler.errors import ConfigError, ExportError
from newscrawler.store.articles import StoredArticle

#: Called with the number of articles written.
Progress = Callable[[int], None]
#: Number of articles between calls.
_REPORTED_EVERY = 1_000


def format_of(path: Path | None, name: str | None = None) -> Format:
    """Return the format of a name, or of the file's ending; JSON lines if there is neither.

    Raises:
        ConfigError: the ending is not that of a format.
    """
    if name is not None:
        return FORMATS[name]
    if path is None or not path.suffix:
        return FORMATS["jsonl"]
    for form in FORMATS.values():
        if path.name.lower().endswith((f".{form.ending}", f".{form.name}")):
            return form
    endings = ", ".join(f".{form.ending}" for form in FORMATS.values())
    raise ConfigError(f"{path} ends in no format that newscrawler writes; end it in one of {endings}, or name one with --format")


def export_articles(
    articles: Iterable[StoredArticle],
    form: Format,
    path: Path | None,
    options: Options | None = None,
    *,
    progress: Progress | None = None,
) -> Written:
    """Write articles to a file, or to standard output if there is no path.

    The file gets its name when it is complete; an older file of that name stays until then.

    Raises:
        ConfigError: the format has one file per article.
        ExportError: the file cannot be written; no partial file is left.
        BrokenPipeError: the reader of standard output stopped.
    """
    chosen = options or Options()
    if form.write is None:
        where = f"--output {path}/" if path else "--output FOLDER/"
        raise ConfigError(f"{form.name} is written as one file for each article. Name a folder, with a slash at its end: {where}")
    with open_target(path) as stream:
        written = form.write(reported(articles, progress), stream, chosen)
    if path is not None:
        for ending, content in form.beside:
            with open_target(path.with_name(path.name + ending)) as stream:
                stream.write(content(path.name, chosen).encode())
    return written


def export_folder(
    articles: Iterable[StoredArticle],
    form: Format,
    folder: Path,
    options: Options | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Write one file per article into a folder; each is complete when it gets its name.

    Args:
        articles: in any order; file names sort by portal, day and id.
        form: a format that has documents.
        folder: created if missing.
        options: of the format.
        resume: the folder may contain files; existing files are left unchanged.
        progress: called now and then.

    Raises:
        ConfigError: the format has only one file, or the folder contains files.
        ExportError: a file cannot be written; earlier files stay, and `resume` continues after them.
    """
    if form.document is None:
        raise ConfigError(f"{form.name} is written as one file; name a file that ends in .{form.ending}, not the folder {folder}")
    chosen, count = options or Options(), 0
    with export_errors(str(folder), left="the files before it stay; --resume goes on behind them"):
        folder.mkdir(parents=True, exist_ok=True)
        if not resume and any(folder.iterdir()):
            raise ConfigError(f"the folder {folder} is not empty; continue with --resume, or name another folder")
    for count, stored in enumerate(reported(articles, progress), 1):  # noqa: B007  the last number is returned
        path = folder / file_name(stored, form.ending)
        if not (resume and path.exists()):
            with open_target(path, durable=False) as stream:
                stream.write(form.document(stored, chosen).encode("utf-8", "replace"))
    return Written(articles=count)


def reported(articles: Iterable[StoredArticle], progress: Progress | None) -> Iterator[StoredArticle]:
    """Yield articles, and report now and then how many there were."""
    for count, stored in enumerate(articles, 1):
        yield stored
        if progress is not None and count % _REPORTED_EVERY == 0:
            progress(count)


def refuse_nothing(number: int) -> None:
    """Refuse to write an empty export.

    Raises:
        ExportError: there is no article.
    """
    if not number:
        raise ExportError("no article matches the selection, and nothing is written; widen it (`newscrawler articles` shows it)")
