"""Checks whether a release is complete, compares two, and restores texts from one's own crawl."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from newscrawler.corpus.export import Progress, export_articles, open_target, report_progress
from newscrawler.corpus.formats import FORMATS, Options
from newscrawler.corpus.releases.create import MANIFEST, file_of, files_in
from newscrawler.corpus.releases.documents import DOCUMENTS, digest_of, line_of, read_lines
from newscrawler.errors import ConfigError
from newscrawler.store import Store
from newscrawler.store.articles import StoredArticle


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The faults of a release; none: it is complete."""

    files: int
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    #: Files that are not in the manifest.
    strange: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Return whether every file exists unchanged."""
        return not (self.changed or self.missing or self.strange)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseDifference:
    """A document that differs between two releases."""

    #: added, removed or changed.
    what: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hydrated:
    """The result of rebuilding a release's texts."""

    written: int
    absent: int
    changed: int


def manifest_of(folder: Path) -> dict[str, Any]:
    """Read the manifest of a release.

    Raises:
        ConfigError: there is none, or it is damaged.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
    except OSError as error:
        raise ConfigError(f"{folder} holds no release: {MANIFEST} cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise ConfigError(f"{folder / MANIFEST} is damaged ({error}); take the release from where it was published") from error
    if not isinstance(manifest, dict) or "files" not in manifest:
        raise ConfigError(f"{folder / MANIFEST} is not the manifest of a release")
    return manifest


def verify(folder: Path) -> Verification:
    """Compare the files of a release with its manifest; return the differences."""
    known = {each["path"]: each["sha256"] for each in manifest_of(folder)["files"]}
    there = {path.relative_to(folder).as_posix(): path for path in files_in(folder)}
    there.pop(MANIFEST, None)
    changed = [name for name, path in there.items() if name in known and file_of(folder, path).sha256 != known[name]]
    return Verification(
        files=len(known), changed=tuple(changed), missing=tuple(sorted(known.keys() - there.keys())),
        strange=tuple(sorted(there.keys() - known.keys())),
    )  # fmt: skip


def difference(before: Path, after: Path) -> Iterator[ReleaseDifference]:
    """Yield the documents by which two releases differ."""
    manifest_of(before), manifest_of(after)
    earlier = {_key(each["url"]): _short(each) for each in read_lines(before / DOCUMENTS)}
    later = set()
    for each in read_lines(after / DOCUMENTS):
        key = _key(each["url"])
        later.add(key)
        if key not in earlier:
            yield ReleaseDifference(what="added", url=each["url"])
        elif earlier[key] != _short(each):
            yield ReleaseDifference(what="changed", url=each["url"])
    for each in read_lines(before / DOCUMENTS):
        if _key(each["url"]) not in later:
            yield ReleaseDifference(what="removed", url=each["url"])


def _key(url: str) -> int:
    return int.from_bytes(blake2b(str(url).encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _short(record: Mapping[str, Any]) -> int:
    """Return a short hash that represents title and text in memory."""
    return int(record["text_sha256"][:12], 16) ^ int(record["title_sha256"][:12], 16)


def hydrate(store: Store, folder: Path, target: Path, *, form: str = "jsonl", progress: Progress | None = None) -> Hydrated:
    """Rebuild the texts of a release from the articles of a database.

    An article counts if its text is identical; `*.missing.jsonl` next to the target lists the others.

    Raises:
        ConfigError: the folder is not a release, or the format has one file per article.
        ExportError: the target cannot be written.
    """
    manifest_of(folder)
    counts = {"absent": 0, "changed": 0}
    with open_target(target.with_name(f"{target.name}.missing.jsonl")) as missing:

        def found() -> Iterator[StoredArticle]:
            for record in read_lines(folder / DOCUMENTS):
                stored = _found(store, record)
                if isinstance(stored, StoredArticle):
                    yield replace(stored, id=record["id"], similar_to=None)
                else:
                    counts[stored] += 1
                    missing.write(line_of({"id": record["id"], "url": record["url"], "because": stored}))

        written = export_articles(report_progress(found(), progress), FORMATS[form], target, Options())
    return Hydrated(written=written.articles, absent=counts["absent"], changed=counts["changed"])


def _found(store: Store, record: Mapping[str, Any]) -> StoredArticle | str:
    """Return the article of a document, or why there is none: "absent" or "changed"."""
    verdict = "absent"
    for stored in store.releases.articles_at([url for url in (record["url"], record["canonical_url"]) if url]):
        if digest_of(stored.article.body) == record["text_sha256"]:
            return stored
        verdict = "changed"
        for revision in store.articles.revisions(stored.id):
            earlier = replace(stored.article, title=revision.title, paragraphs=revision.paragraphs)
            if digest_of(earlier.body) == record["text_sha256"]:
                return replace(stored, article=earlier)
    return verdict
