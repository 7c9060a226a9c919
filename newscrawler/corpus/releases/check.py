"""Checks whether a release is complete, compares two, and restores texts from one's own crawl."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b, sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from newscrawler.corpus.export import Progress, export_articles, open_target, report_progress
from newscrawler.corpus.formats import FORMATS, Options
from newscrawler.corpus.releases.create import MANIFEST, SIGNATURE, file_of, files_in
from newscrawler.corpus.releases.documents import digest_of, line_of, read_documents
from newscrawler.errors import ConfigError
from newscrawler.politeness.identity import SigningKey, choose_signing_key, is_signed_document
from newscrawler.store import Store
from newscrawler.store.articles import Selection, StoredArticle


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
    path = folder / MANIFEST
    manifest = _read_object(path)
    files = manifest.get("files")
    if not isinstance(files, list) or not all(
        isinstance(each, dict) and isinstance(each.get("path"), str) and isinstance(each.get("sha256"), str) for each in files
    ):
        raise ConfigError(f"{path} is not the manifest of a release: `files` must list objects with a path and a sha256")
    return manifest


def _read_object(path: Path) -> dict[str, Any]:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise ConfigError(f"{path} is not a file; take the release from where it was published")
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path.parent} is not a release: {path.name} cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is damaged ({error}); take the release from where it was published") from error
    if not isinstance(found, dict):
        raise ConfigError(f"{path} is not of a release: it does not contain an object")
    return found


def verify(folder: Path) -> Verification:
    """Compare the files of a release with its manifest; return the differences.

    Raises:
        ConfigError: the folder is not a release.
    """
    known = {each["path"]: each["sha256"] for each in manifest_of(folder)["files"]}
    there = {path.relative_to(folder).as_posix(): path for path in files_in(folder)}
    for name in (MANIFEST, SIGNATURE):
        there.pop(name, None)
    changed = [name for name, path in there.items() if name in known and not _is_as_released(folder, path, known[name])]
    return Verification(
        files=len(known), changed=tuple(changed), missing=tuple(sorted(known.keys() - there.keys())),
        strange=tuple(sorted(there.keys() - known.keys())),
    )  # fmt: skip


def _is_as_released(folder: Path, path: Path, digest: str) -> bool:
    try:
        return file_of(folder, path).sha256 == digest
    except ConfigError:  # a link or a pipe in its place
        return False


def sign_release(folder: Path, keys: Sequence[SigningKey], now: datetime) -> bool:
    """Sign the manifest of a release, and with it the hashes of all files, by the key in use; False: there is none."""
    key = choose_signing_key(keys, now)
    if key is None:
        return False
    content = (folder / MANIFEST).read_bytes()
    signature = key.sign_document(content) | {"manifest_sha256": sha256(content).hexdigest()}
    (folder / SIGNATURE).write_text(json.dumps(signature, indent=2) + "\n", "utf-8")
    return True


def find_signature_fault(folder: Path, keys: Iterable[Mapping[str, Any]]) -> str | None:
    """Return why a release lacks a signature by one of some public keys (JWK); None: it has one.

    Raises:
        ConfigError: the folder is not a release, or its signature cannot be read.
    """
    manifest_of(folder)
    if not (folder / SIGNATURE).exists():
        return f"it is not signed: {SIGNATURE} is missing"
    signature = _read_object(folder / SIGNATURE)
    if not is_signed_document((folder / MANIFEST).read_bytes(), signature, keys):
        return f"its manifest was not signed by this key, or was changed since; the signature names the key {signature.get('kid')}"
    return None


def difference(before: Path, after: Path) -> Iterator[ReleaseDifference]:
    """Yield the documents by which two releases differ."""
    manifest_of(before), manifest_of(after)
    earlier = {_key(each["url"]): _short(each) for each in read_documents(before)}
    later = set()
    for each in read_documents(after):
        key = _key(each["url"])
        later.add(key)
        if key not in earlier:
            yield ReleaseDifference(what="added", url=each["url"])
        elif earlier[key] != _short(each):
            yield ReleaseDifference(what="changed", url=each["url"])
    for each in read_documents(before):
        if _key(each["url"]) not in later:
            yield ReleaseDifference(what="removed", url=each["url"])


def _key(url: str) -> int:
    return int.from_bytes(blake2b(str(url).encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _short(record: Mapping[str, Any]) -> int:
    """Return a short hash that represents title and text in memory."""
    return int(record["text_sha256"][:12], 16) ^ int(record["title_sha256"][:12], 16)


def hydrate(
    store: Store,
    folder: Path,
    target: Path,
    *,
    reserved: Mapping[str, Any] = MappingProxyType({}),
    form: str = "jsonl",
    progress: Progress | None = None,
) -> Hydrated:
    """Rebuild the texts of a release from the articles of a database.

    An article counts if its text is identical and its publisher did not withdraw it; `*.missing.jsonl` next to the target lists
    the others. `reserved`: the fields of `Selection` that `Configuration.reserved_for` returns.

    Raises:
        ConfigError: the folder is not a release, or the format has one file per article.
        ExportError: the target cannot be written.
    """
    manifest_of(folder)
    counts = {"absent": 0, "changed": 0}
    with open_target(target.with_name(f"{target.name}.missing.jsonl")) as missing:

        def found() -> Iterator[StoredArticle]:
            for record in read_documents(folder):
                stored = _found(store, record, reserved)
                if isinstance(stored, StoredArticle):
                    yield replace(stored, id=record["id"], similar_to=None)
                else:
                    counts[stored] += 1
                    missing.write(line_of({"id": record["id"], "url": record["url"], "because": stored}))

        written = export_articles(report_progress(found(), progress), FORMATS[form], target, Options())
    return Hydrated(written=written.articles, absent=counts["absent"], changed=counts["changed"])


def _found(store: Store, record: Mapping[str, Any], reserved: Mapping[str, Any]) -> StoredArticle | str:
    """Return the article of a document, or why there is none: "absent" or "changed"."""
    verdict = "absent"
    for stored in store.releases.articles_at([url for url in (record["url"], record["canonical_url"]) if url]):
        if not store.articles.count(Selection(ids=(stored.id,), **reserved)):
            continue
        if digest_of(stored.article.body) == record["text_sha256"]:
            return stored
        verdict = "changed"
        for revision in store.articles.revisions(stored.id):
            earlier = replace(stored.article, title=revision.title, paragraphs=revision.paragraphs)
            if digest_of(earlier.body) == record["text_sha256"]:
                return replace(stored, article=earlier)
    return verdict
