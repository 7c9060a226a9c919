"""The contents of a release, from the current database or as they were when the release was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from importlib.resources import files as package_files
from typing import Any

from newscrawler import __version__
from newscrawler.corpus.duplicates import Kind, LeftOut, find_duplicates
from newscrawler.corpus.export import read_parameters, refuse_empty_export
from newscrawler.corpus.releases.documents import DocumentRights
from newscrawler.corpus.releases.figures import CrawlRecord, ErrorRate, collections_of, error_rates, estimate_months
from newscrawler.corpus.releases.recipe import ReleasePlan, Tombstone, tombstones_of
from newscrawler.corpus.removal import Disregarded
from newscrawler.store import Store
from newscrawler.store.articles import ReleasedDocument, ReleaseRecord, Selection, StoredArticle
from newscrawler.store.vocabularies import ReleaseLoss

#: Why a document is missing from a release that is made again.
_LOST: Mapping[ReleaseLoss, str] = {
    ReleaseLoss.REMOVED: "The article was removed from the database.",
    ReleaseLoss.RESERVED: "The article changed, and its publisher reserves that copies be kept.",
    ReleaseLoss.CHANGED: "The article changed, and its earlier record was not kept.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseProvenance:
    """Facts from the database and the program for the papers of a release."""

    version: str
    models: Mapping[str, str]
    templates: Mapping[str, Mapping[str, Any]]
    collections: Mapping[str, CrawlRecord]
    errors: Mapping[str, ErrorRate]
    #: Of portals with a backfill: its months, with estimates.
    months: Mapping[str, Sequence[Mapping[str, Any]]]


class PresentContents:
    """The selection of a recipe from the current database."""

    def __init__(self, store: Store, recipe: ReleasePlan, disregarded: Disregarded, *, now: datetime) -> None:
        self._store = store
        self._recipe = recipe
        self._disregarded = disregarded
        self._selection = replace(recipe.selection.end_at(recipe.until_id), after_id=recipe.after_id or None)
        self._now = now
        refuse_empty_export(store.articles.count(self._selection))

    @cached_property
    def tombstones(self) -> Mapping[int, Tombstone]:
        """Return articles that publishers withdrew or reserve, and those that are gone, by id, in order."""
        return tombstones_of(self._store, self._recipe, self._disregarded, self._selection, now=self._now)

    @cached_property
    def duplicates(self) -> Mapping[int, LeftOut]:
        """Return articles that duplicate others, by id, in order."""
        return find_duplicates(self._store, self._selection, self._recipe.deduplication, without=self.tombstones)

    def articles(self) -> Iterator[StoredArticle]:
        """Yield the remaining articles by id."""
        for stored in self._store.articles.stream(self._selection):
            if stored.id not in self.tombstones and stored.id not in self.duplicates:
                yield stored

    def rights(self, articles: Sequence[StoredArticle]) -> list[DocumentRights]:
        """Return their rights up to now."""
        recipe, said = self._recipe, self._store.rights.of_articles([stored.id for stored in articles])
        return [
            DocumentRights.of(
                stored, said.get(stored.id, ()), recipe.created_at,
                disregarded=self._disregarded(stored.article.portal or ""), intent=recipe.intent,
            )
            for stored in articles
        ]  # fmt: skip

    def provenance(self) -> ReleaseProvenance:
        """Return the current facts."""
        at = self._recipe.created_at
        collections = collections_of(self._store, at)
        return ReleaseProvenance(
            version=__version__, models=_models(), templates=_templates(self._store, at), collections=collections,
            errors=error_rates(self._store, at), months=estimate_months(self._store),
        )  # fmt: skip


class ReleasedContents:
    """The rebuilt contents of a release; documents withdrawn since, or that cannot be rebuilt, have a tombstone."""

    def __init__(self, store: Store, release: ReleaseRecord, disregarded: Disregarded, *, now: datetime) -> None:
        assert release.facts is not None
        self._store = store
        self._release = release
        self._facts = release.facts
        dead = tombstones_of(
            store,
            read_parameters(ReleasePlan, release.recipe),
            disregarded,
            Selection(until_id=release.recipe["until_id"]),
            now=now,
        )
        self._tombstones: dict[int, Tombstone] = {}
        self._duplicates: dict[int, LeftOut] = {}
        #: Documents missing when the release is made again, by id; complete when all articles were read.
        self.missing: dict[int, Tombstone] = {}
        for number, left in store.releases.left_out(release.name):
            if "kept_id" in left:
                kind = Kind(left["kind"])
                self._duplicates[number] = LeftOut(kind=kind, article_id=number, kept_id=left["kept_id"])
            else:
                self._tombstones[number] = Tombstone(**left)
        self._dead = {number: each for number, each in dead.items() if number not in self._tombstones}

    @property
    def tombstones(self) -> Mapping[int, Tombstone]:
        """Return the tombstones of the release, and of the documents found missing by `articles`."""
        every = self._tombstones | self.missing
        return {number: every[number] for number in sorted(every)}

    @property
    def duplicates(self) -> Mapping[int, LeftOut]:
        """Return the duplicates of the release."""
        return self._duplicates

    def articles(self) -> Iterator[StoredArticle]:
        """Yield the articles as released."""
        for document in self._store.releases.documents(self._release.name):
            number = document.article_id
            if document.lost is not None:
                self.missing[number] = _lost(document, document.lost)
            elif document.stored is not None and number in self._dead:
                self.missing[number] = self._dead[number]
            elif document.stored is not None:
                yield document.stored

    def rights(self, articles: Sequence[StoredArticle]) -> list[DocumentRights]:
        """Return their rights as the release states them."""
        kept = self._store.releases.rights(self._release.name, [stored.id for stored in articles])
        return [DocumentRights.from_dict(kept.get(stored.id, {})) for stored in articles]

    def provenance(self) -> ReleaseProvenance:
        """Return the facts that the release quotes."""
        return read_parameters(ReleaseProvenance, self._facts)


#: The source of a release.
Contents = PresentContents | ReleasedContents


def _lost(document: ReleasedDocument, loss: ReleaseLoss) -> Tombstone:
    url, portal = document.url or "", document.portal or ""
    return Tombstone(id=document.article_id, url=url, portal=portal, because=str(loss), said=_LOST[loss], since=None)


def _models() -> dict[str, str]:
    """Return the SHA-256 of the models that extract texts, by name."""
    folder = package_files("newscrawler").joinpath("extraction", "body", "models")
    return {each.name: sha256(each.read_bytes()).hexdigest() for each in folder.iterdir() if each.name.endswith(".json")}


def _templates(store: Store, at: datetime) -> dict[str, Mapping[str, Any]]:
    """Return the newest template of each portal at a time."""
    found: dict[str, Mapping[str, Any]] = {}
    for portal in sorted(store.articles.counts()):
        known = [each for each in store.templates.versions(portal) if each.created_at <= at]
        if known:
            newest = max(known, key=lambda each: each.version)
            found[portal] = {"version": newest.version, "sha256": sha256(newest.document.encode()).hexdigest()}
    return found
