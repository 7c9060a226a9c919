"""Writes a release to a folder that gets its name only when it is complete."""

from __future__ import annotations

import glob
import json
import secrets
import shutil
import stat
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from newscrawler.corpus.duplicates import LeftOut, drop_recurring_paragraphs
from newscrawler.corpus.export import (
    Progress,
    convert_export_errors,
    export_articles,
    export_folder,
    read_parameters,
    refuse_empty_export,
    report_progress,
    write_parameters,
)
from newscrawler.corpus.formats import FORMATS, Format, Options
from newscrawler.corpus.releases.contents import Contents, PresentContents, ReleasedContents
from newscrawler.corpus.releases.documents import DOCUMENTS, DUPLICATES, TOMBSTONES, DocumentRights, Spool, document, line_of
from newscrawler.corpus.releases.figures import Composition
from newscrawler.corpus.releases.metadata_files import (
    CRATE,
    METADATA_FILES,
    Facts,
    File,
    citation,
    croissant,
    dataset_card,
    datasheet,
    describe_crate,
    describe_for_datacite,
)
from newscrawler.corpus.releases.recipe import ReleasePlan, Tombstone
from newscrawler.corpus.removal import Disregarded
from newscrawler.errors import ConfigError
from newscrawler.store import Store
from newscrawler.store.archive import lock
from newscrawler.store.articles import ReleasedDocument, ReleaseRecord, StoredArticle, later_of, record_hash

MANIFEST, SIGNATURE, BALANCE = "manifest.json", "manifest.json.sig", "balance.json"
#: In a folder whose release is not in the database yet; locked as long as somebody writes it.
UNRECORDED = ".unrecorded"
#: Articles whose rights are read in one query.
_AT_ONCE = 500


class _Spools(AbstractContextManager["_Spools"]):
    """Records that are read from the database once and used several times."""

    def __init__(self, *, keeps_documents: bool) -> None:
        """Open the files; with keeps_documents=False, nothing is kept for the database."""
        self._keeps_documents = keeps_documents
        #: The articles to write, for each format.
        self.articles = Spool[tuple[StoredArticle, DocumentRights]]()
        #: Their places in it, by the month of publication.
        self.months: defaultdict[str, array[int]] = defaultdict(partial(array, "q"))
        #: Records for the database: all documents read, and the rights, by number, of those written that reserve anything.
        self.documents = Spool[ReleasedDocument]()
        self.rights = Spool[tuple[int, DocumentRights]]()

    def keep_document(self, stored: StoredArticle) -> None:
        """Keep what the database needs of an article that was read."""
        if self._keeps_documents:
            hashed, later = record_hash(stored.article), later_of(stored)
            self.documents.add(ReleasedDocument(article_id=stored.id, record_hash=hashed, later=later))

    def keep_text(self, stored: StoredArticle, rights: DocumentRights, *, has_text: bool) -> None:
        """Keep an article that is listed, with its rights; `has_text`: it is written, too."""
        if has_text:
            month = f"{stored.article.date:%Y-%m}" if stored.article.date else "undated"
            self.months[month].append(self.articles.add((stored, rights)))
        if self._keeps_documents and rights != DocumentRights():
            self.rights.add((stored.id, rights))

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        for spool in (self.articles, self.documents, self.rights):
            spool.__exit__(kind, value, trace)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeAgain:
    """The result of making a release again."""

    #: True: the files are the same, byte for byte.
    is_same: bool
    #: Documents left out this time: withdrawn, gone, removed or not kept.
    missing: tuple[Tombstone, ...]


def create_release(
    store: Store, recipe: ReleasePlan, folder: Path, *, disregarded: Disregarded, now: datetime, progress: Progress | None = None
) -> ReleaseRecord:
    """Write a release into a new folder, and store what is needed to make it again; rights are checked again at `now`.

    Raises:
        ConfigError: the folder or a release of that name exists.
        ExportError: no article remains, or a file cannot be written; nothing of the release is left.
    """
    _clean_up(store, recipe.name, folder)
    if store.releases.get(recipe.name) is not None:
        raise ConfigError(f"there is a release {recipe.name} already (`newscrawler release list`); choose another name")
    contents = PresentContents(store, recipe, disregarded, now=now)
    with _Spools(keeps_documents=True) as spools:
        record = _write(contents, recipe, folder, spools, progress)
        try:
            store.releases.add(record, _released(contents, spools))
            (folder / UNRECORDED).unlink()
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return record


def _clean_up(store: Store, name: str, folder: Path) -> None:
    """Remove the folders that killed calls left, but for a release that the database knows."""
    for left in (folder, *folder.parent.glob(f".{glob.escape(folder.name)}.*.part")):
        try:
            with (left / UNRECORDED).open("rb") as marker:
                if not lock(marker):
                    continue
                if left == folder and store.releases.get(name) is not None:
                    (left / UNRECORDED).unlink()
                else:
                    shutil.rmtree(left)
        except OSError:  # no such folder, or not of ours
            continue


def find_increment(store: Store, series: str, now: datetime) -> tuple[str, int]:
    """Return the name of the next increment of a series, and the newest article of the one before; 0: there is none yet."""
    releases = store.releases.all()
    ends = [release.recipe["until_id"] for release in releases if release.recipe.get("series") == series]
    name, names = f"{series}-{now:%Y-%m-%d}", {release.name for release in releases}
    names_of_day = (name, *(f"{name}.{number}" for number in range(2, len(names) + 3)))
    return next(each for each in names_of_day if each not in names), max(ends, default=0)


def make_again(
    store: Store, release: ReleaseRecord, folder: Path, *, disregarded: Disregarded, now: datetime, progress: Progress | None = None
) -> MadeAgain:
    """Write a release into a new folder again, with its articles as they were, but for those withdrawn before `now`.

    For a release of an earlier newscrawler, which kept no documents, articles are selected again.

    Raises:
        ConfigError: the folder exists.
        ExportError: no article remains, or a file cannot be written; nothing is left.
    """
    recipe = read_parameters(ReleasePlan, release.recipe)
    contents: Contents
    if release.facts is None:
        contents = PresentContents(store, recipe, disregarded, now=now)
    else:
        contents = ReleasedContents(store, release, disregarded, now=now)
    with _Spools(keeps_documents=False) as spools:
        record = _write(contents, recipe, folder, spools, progress)
    (folder / UNRECORDED).unlink()
    missing = tuple(contents.missing.values()) if isinstance(contents, ReleasedContents) else ()
    return MadeAgain(is_same=record.manifest_sha256 == release.manifest_sha256, missing=missing)


def _write(contents: Contents, recipe: ReleasePlan, folder: Path, spools: _Spools, progress: Progress | None) -> ReleaseRecord:
    with _complete_or_gone(folder) as part:
        composition = _write_documents(contents, recipe, part, spools, progress)
        with (part / TOMBSTONES).open("xb") as stream:  # complete only when all articles were read
            stream.writelines(line_of(asdict(each)) for each in contents.tombstones.values())
        refuse_empty_export(composition.articles.total())
        for name in recipe.formats if spools.articles.count else ():
            _write_data(spools, FORMATS[name], part / "data", recipe)
        provenance = contents.provenance()
        facts = Facts(
            recipe=recipe, version=provenance.version, models=provenance.models,
            templates={name: each for name, each in provenance.templates.items() if name in composition.articles},
            composition=composition, collections=provenance.collections, errors=provenance.errors,
            tombstones=Counter(each.because for each in contents.tombstones.values()),
            months={name: each for name, each in provenance.months.items() if name in composition.articles},
        )  # fmt: skip
        (part / BALANCE).write_text(_json(composition.make_balance()), "utf-8")
        digest = _write_metadata_files(facts, part)
    return ReleaseRecord(
        name=recipe.name, created_at=recipe.created_at, recipe=write_parameters(recipe), version=provenance.version,
        articles=composition.articles.total(), manifest_sha256=digest, path=str(folder.resolve()),
        facts=write_parameters(provenance),
    )  # fmt: skip


def _released(contents: Contents, spools: _Spools) -> Iterator[ReleasedDocument]:
    """Yield the documents of a release for the database."""
    for tombstone in contents.tombstones.values():
        yield ReleasedDocument(article_id=tombstone.id, left_out=asdict(tombstone))
    for duplicate in contents.duplicates.values():
        left = {"kind": str(duplicate.kind), "kept_id": duplicate.kept_id}
        yield ReleasedDocument(article_id=duplicate.article_id, left_out=left)
    reserving = spools.rights.items()
    number, rights = next(reserving, (0, None))
    for each in spools.documents.items():  # in the same order
        if rights is not None and number == each.article_id:
            yield replace(each, rights=rights.as_dict())
            number, rights = next(reserving, (0, None))
        else:
            yield each


@contextmanager
def _complete_or_gone(folder: Path) -> Iterator[Path]:
    """Provide a temporary folder, which is renamed on success and removed on failure."""
    if folder.exists():
        raise ConfigError(f"{folder} is there already; name another folder with --output")
    part = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    with convert_export_errors(str(folder)):
        folder.parent.mkdir(parents=True, exist_ok=True)
        part.mkdir(mode=0o700)  # private as the database, until its owner publishes it
        with (part / UNRECORDED).open("xb") as marker:
            lock(marker)
            try:
                yield part
                part.rename(folder)
            except BaseException:
                shutil.rmtree(part, ignore_errors=True)
                raise


def _write_documents(
    contents: Contents, recipe: ReleasePlan, part: Path, spools: _Spools, progress: Progress | None
) -> Composition:
    """Read the database: count, spool and list what goes into the release."""
    composition = Composition()
    with (part / DUPLICATES).open("xb") as duplicates, (part / DOCUMENTS).open("xb") as lines:

        def report(left: LeftOut) -> None:
            composition.left_out[str(left.kind)] += 1
            duplicates.write(line_of(asdict(left) | {"text": left.text if recipe.with_reserved else None}))

        def articles() -> Iterator[StoredArticle]:
            for stored in contents.articles():
                spools.keep_document(stored)
                yield stored

        for duplicate in contents.duplicates.values():
            report(duplicate)
        least = recipe.deduplication.paragraphs
        chosen = articles() if least is None else drop_recurring_paragraphs(contents.articles(), articles(), least, report)
        for batch in _batches(report_progress(chosen, progress)):
            for stored, rights in zip(batch, contents.rights(batch), strict=True):
                has_text = not recipe.dehydrated and (recipe.with_reserved or rights.permits_copies)
                spools.keep_text(stored, rights, has_text=has_text)
                record = document(stored, rights, recipe.created_at, has_text=has_text)
                composition.count(stored, record["words"], rights.reserved_for, has_text=has_text)
                lines.write(line_of(record))
    return composition


def _batches(articles: Iterable[StoredArticle]) -> Iterator[list[StoredArticle]]:
    each = iter(articles)
    while batch := list(islice(each, _AT_ONCE)):
        yield batch


def _write_data(spools: _Spools, form: Format, data: Path, recipe: ReleasePlan) -> None:
    """Write the articles in a format: one file, one for each article, or of Parquet one for each month."""
    data.mkdir(exist_ok=True)
    current: dict[int, DocumentRights] = {}

    def articles(places: Iterable[int] | None = None) -> Iterator[StoredArticle]:
        for stored, rights in spools.articles.items(places):
            current.clear()  # formats read the rights of the article that they are writing
            current[stored.id] = rights
            yield stored

    options = Options(title=recipe.title, rights_of=lambda article_id: list(current[article_id].said))
    if form.name == "parquet":
        (data / form.name).mkdir()
        for month, places in sorted(spools.months.items()):
            export_articles(articles(places), form, data / form.name / f"{month}.parquet", options)
    elif form.write is None:
        export_folder(articles(), form, data / form.name, options)
    else:
        export_articles(articles(), form, data / f"articles.{form.ending}", options)


def _write_metadata_files(facts: Facts, part: Path) -> str:
    """Write the papers, the manifest last; return its SHA-256."""
    data = {path: file_of(part, path) for path in files_in(part)}
    listed = [each for each in data.values() if not each.path.startswith(("data/txt/", "data/markdown/"))]
    (part / "CITATION.cff").write_text(citation(facts), "utf-8")
    (part / "DATASHEET.md").write_text(datasheet(facts), "utf-8")
    (part / "README.md").write_text(dataset_card(facts, listed), "utf-8")
    (part / "croissant.json").write_text(_json(croissant(facts, listed)), "utf-8")
    (part / "datacite.json").write_text(_json(describe_for_datacite(facts, listed)), "utf-8")
    crate = describe_crate(facts, [*listed, *(file_of(part, part / name) for name in METADATA_FILES)])
    (part / CRATE).write_text(_json(crate), "utf-8")
    manifest = {
        "recipe": write_parameters(facts.recipe), "newscrawler": facts.version, "models": facts.models,
        "templates": facts.templates, "articles": facts.composition.articles.total(), "words": facts.composition.words.total(),
        "files": [asdict(data.get(path) or file_of(part, path)) for path in files_in(part)],
    }  # fmt: skip
    (part / MANIFEST).write_text(_json(manifest), "utf-8")
    return file_of(part, part / MANIFEST).sha256


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def files_in(folder: Path) -> list[Path]:
    """Return the files of a release, by path, and everything else there that is not a folder, such as a link to one."""
    return sorted(path for path in folder.rglob("*") if not stat.S_ISDIR(path.lstat().st_mode) and path != folder / UNRECORDED)


def file_of(folder: Path, path: Path) -> File:
    """Return size and SHA-256 of a file.

    Raises:
        ConfigError: it is a link, a pipe or a device.
    """
    if not stat.S_ISREG(path.lstat().st_mode):
        raise ConfigError(f"{path} is not a file")
    digest, size = sha256(), 0
    with path.open("rb") as stream:
        for piece in _pieces(stream):
            digest.update(piece)
            size += len(piece)
    return File(path=path.relative_to(folder).as_posix(), bytes=size, sha256=digest.hexdigest())


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    read: Callable[[], bytes] = lambda: stream.read(1 << 20)  # noqa: E731
    return iter(read, b"")
