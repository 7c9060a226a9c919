"""Writes a release: a folder that is complete when it gets its name, and not there otherwise."""

from __future__ import annotations

import json
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from hashlib import sha256
from importlib.resources import files as package_files
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from newscrawler import __version__
from newscrawler.corpus.duplicates import LeftOut, deduplicated
from newscrawler.corpus.export import Progress, export_articles, export_folder, refuse_nothing, reported
from newscrawler.corpus.formats import FORMATS, Format, Options
from newscrawler.corpus.releases.documents import DOCUMENTS, DUPLICATES, TOMBSTONES, document, line_of
from newscrawler.corpus.releases.figures import Composition, collections_of, error_rates
from newscrawler.corpus.releases.papers import Facts, File, citation, croissant, datasheet
from newscrawler.corpus.releases.recipe import Recipe
from newscrawler.corpus.releases.spool import Spool
from newscrawler.corpus.releases.tombstones import write_tombstones
from newscrawler.corpus.sources import rights_of
from newscrawler.corpus.target import export_errors
from newscrawler.corpus.withdrawals import Disregarded
from newscrawler.errors import ConfigError
from newscrawler.store import ReleaseRecord, Store
from newscrawler.store.records import StoredArticle

MANIFEST = "manifest.json"
#: Articles whose rights are asked for at once.
_AT_ONCE = 500


def create_release(
    store: Store, recipe: Recipe, folder: Path, *, disregarded: Disregarded, now: datetime, progress: Progress | None = None
) -> ReleaseRecord:
    """Write a release and return its record, which is not in the database yet.

    Args:
        store: holds the articles.
        recipe: what is wanted.
        folder: where to; it must not be there.
        disregarded: what does not count for a portal of what is reserved.
        now: rights are looked at once more at this moment, also where a release is made again.
        progress: called now and then how many articles are read.

    Raises:
        ConfigError: the folder is there.
        ExportError: no article is left, or something cannot be written; nothing of the release is left.
    """
    selection = replace(recipe.selection, until_id=recipe.until_id)
    refuse_nothing(store.articles.count(selection))
    with _complete_or_gone(folder) as part:
        tombstones = write_tombstones(store, recipe, disregarded, part / TOMBSTONES, now=now)
        with Spool() as spool:
            composition = _write_documents(store, recipe, set(tombstones), disregarded, part, spool, progress)
            refuse_nothing(spool.count)
            if not recipe.dehydrated:
                for name in recipe.formats:
                    _write_data(spool, FORMATS[name], part / "data", recipe, store)
        facts = Facts(
            recipe=recipe, version=__version__, models=_models(), templates=_templates(store, composition.articles, recipe),
            composition=composition, collections=collections_of(store, recipe.created_at),
            errors=error_rates(store, recipe.created_at), tombstones=Counter(tombstones.values()),
        )  # fmt: skip
        digest = _write_papers(facts, part)
    return ReleaseRecord(
        name=recipe.name, created_at=recipe.created_at, recipe=recipe.as_dict(), version=__version__,
        articles=composition.articles.total(), manifest_sha256=digest, path=str(folder.resolve()),
    )  # fmt: skip


@contextmanager
def _complete_or_gone(folder: Path) -> Iterator[Path]:
    """Give a folder to write to, which gets its name when all is well, and is removed otherwise."""
    if folder.exists():
        raise ConfigError(f"{folder} is there already; name another folder with --output")
    part = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    with export_errors(str(folder)):
        folder.parent.mkdir(parents=True, exist_ok=True)
        part.mkdir()
        try:
            yield part
            part.rename(folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise


def _write_documents(
    store: Store, recipe: Recipe, dead: set[int], disregarded: Disregarded, part: Path, spool: Spool, progress: Progress | None
) -> Composition:
    """Read the database once: count, spool and list what goes into the release."""
    composition = Composition()
    selection = replace(recipe.selection, until_id=recipe.until_id)
    with (part / DUPLICATES).open("xb") as duplicates, (part / DOCUMENTS).open("xb") as documents:

        def report(left: LeftOut) -> None:
            composition.left_out[str(left.kind)] += 1
            record = asdict(left) | {"text": None if recipe.dehydrated else left.text}
            duplicates.write(line_of(record))

        living = (stored for stored in deduplicated(store, selection, recipe.deduplication, report, without=dead))
        for batch in _batches(reported(spool.take(living), progress)):
            said = store.rights.of_articles([stored.id for stored in batch])
            for stored in batch:
                line = document(
                    stored, said.get(stored.id, ()), recipe.created_at,
                    disregarded=disregarded(stored.article.portal or ""), intent=recipe.intent,
                )  # fmt: skip
                composition.count(stored, line["reserved_for"])
                documents.write(line_of(line))
    return composition


def _batches(articles: Iterable[StoredArticle]) -> Iterator[list[StoredArticle]]:
    each = iter(articles)
    while batch := list(islice(each, _AT_ONCE)):
        yield batch


def _write_data(spool: Spool, form: Format, data: Path, recipe: Recipe, store: Store) -> None:
    data.mkdir(exist_ok=True)
    options = Options(title=recipe.title, rights_of=rights_of(store))
    if form.write is None:
        export_folder(spool.articles(), form, data / form.name, options)
    else:
        export_articles(spool.articles(), form, data / f"articles.{form.ending}", options)


def _models() -> dict[str, str]:
    """Return the SHA-256 of the models that extract texts, by name."""
    folder = package_files("newscrawler").joinpath("extraction", "models")
    return {each.name: sha256(each.read_bytes()).hexdigest() for each in folder.iterdir() if each.name.endswith(".json")}


def _templates(store: Store, portals: Iterable[str], recipe: Recipe) -> dict[str, Mapping[str, Any]]:
    """Return the newest template of each portal that was there when the release was made."""
    found: dict[str, Mapping[str, Any]] = {}
    for portal in sorted(portals):
        known = [each for each in store.wrappers.versions(portal) if each.created_at <= recipe.created_at]
        if known:
            newest = max(known, key=lambda each: each.version)
            found[portal] = {"version": newest.version, "sha256": sha256(newest.document.encode()).hexdigest()}
    return found


def _write_papers(facts: Facts, part: Path) -> str:
    """Write what goes with the data, the manifest last; return its SHA-256."""
    data = [file_of(part, path) for path in files_in(part)]
    listed = [each for each in data if not each.path.startswith(("data/txt/", "data/markdown/"))]
    (part / "CITATION.cff").write_text(citation(facts), "utf-8")
    (part / "DATASHEET.md").write_text(datasheet(facts), "utf-8")
    (part / "croissant.json").write_text(_json(croissant(facts, listed)), "utf-8")
    manifest = {
        "recipe": facts.recipe.as_dict(),
        "newscrawler": facts.version,
        "models": facts.models,
        "templates": facts.templates,
        "articles": facts.composition.articles.total(),
        "words": facts.composition.words.total(),
        "files": [asdict(file_of(part, path)) for path in files_in(part)],
    }
    (part / MANIFEST).write_text(_json(manifest), "utf-8")
    return file_of(part, part / MANIFEST).sha256


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def files_in(folder: Path) -> list[Path]:
    """Return the files of a release, by path."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def file_of(folder: Path, path: Path) -> File:
    """Return size and SHA-256 of a file."""
    digest, size = sha256(), 0
    with path.open("rb") as stream:
        for piece in _pieces(stream):
            digest.update(piece)
            size += len(piece)
    return File(path=path.relative_to(folder).as_posix(), bytes=size, sha256=digest.hexdigest())


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    read: Callable[[], bytes] = lambda: stream.read(1 << 20)  # noqa: E731
    return iter(read, b"")
