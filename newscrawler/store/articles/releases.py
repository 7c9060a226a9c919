"""Records of releases, and of the documents in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, exc, exists, insert, select

from newscrawler.errors import ConfigError
from newscrawler.store.articles.article_rows import digest, joined_articles, record_hash, released_article, stored_of
from newscrawler.store.articles.articles import select_articles
from newscrawler.store.articles.records import Selection, StoredArticle
from newscrawler.store.database import StorePart, fill_record
from newscrawler.store.service.runs import RunRecord, make_run_record, select_runs
from newscrawler.store.tables import ARTICLE, PORTAL, RELEASE, RELEASE_DOCUMENT, RELEASED_RECORD, RUN
from newscrawler.store.vocabularies import ReleaseLoss

#: Documents written or rebuilt at a time.
_AT_ONCE = 500
_NOTHING_LATER = {"similar_to": None, "corrections": 0, "corrected_at": None, "gone_at": None, "http_status": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRecord:
    """A release that was written."""

    name: str
    created_at: datetime
    recipe: Mapping[str, Any]
    version: str
    articles: int
    manifest_sha256: str
    path: str
    #: The facts in its datasheet; None: made by an earlier newscrawler, which did not keep its documents.
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedDocument:
    """An article that was released or left out."""

    article_id: int
    #: Hash of the released record; None: it was left out.
    record_hash: bytes | None = None
    #: Known facts about the article besides its record; None: none.
    later: Mapping[str, Any] | None = None
    #: Its rights in the release; None: nothing was reserved.
    rights: Mapping[str, Any] | None = None
    #: Why it was left out.
    left_out: Mapping[str, Any] | None = None
    #: The article as it was released; None: it was left out or is lost.
    stored: StoredArticle | None = None
    #: Why it cannot be rebuilt.
    lost: ReleaseLoss | None = None
    #: The URL of a lost article.
    url: str | None = None
    portal: str | None = None


def later_of(stored: StoredArticle) -> dict[str, Any] | None:
    """Return the known facts about an article besides its record, as JSON; None: none."""
    values = {name: getattr(stored, name) for name, empty in _NOTHING_LATER.items() if getattr(stored, name) != empty}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()} or None


def _compare_later(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Read what `later_of` returns."""
    return {name: datetime.fromisoformat(value) if name.endswith("_at") else value for name, value in (values or {}).items()}


class Releases(StorePart):
    """The releases of a database."""

    def add(self, record: ReleaseRecord, documents: Iterable[ReleasedDocument] = ()) -> None:
        """Store the record of a release and its documents.

        Raises:
            ConfigError: there is one of this name.
        """
        with self._writing() as connection:
            try:
                added = connection.execute(insert(RELEASE).values(asdict(record)).returning(RELEASE.c.id)).scalar_one()
            except exc.IntegrityError as error:
                raise ConfigError(f"there is a release {record.name} already; choose another name") from error
            _insert_documents(connection, added, documents)

    def get(self, name: str) -> ReleaseRecord | None:
        """Return the release of this name, if there is one."""
        return next((record for record in self.all() if record.name == name), None)

    def all(self) -> list[ReleaseRecord]:
        """Return all releases, oldest first."""
        return [fill_record(ReleaseRecord, row) for row in self._read(select(RELEASE).order_by(RELEASE.c.id))]

    def is_permitted(self, record: ReleaseRecord, reserved: Mapping[str, Any]) -> bool:
        """Return whether a release has no text of an article that was removed or withdrawn since, or that is reserved.

        `reserved`: the fields of `Selection` that `Configuration.reserved_for` returns.
        """
        if record.recipe.get("dehydrated"):
            return True
        kept, permitted = (
            RELEASE_DOCUMENT.c.article_id.in_(select_articles(Selection(**each), ARTICLE.c.id))
            for each in ({**reserved, "reserved": frozenset()}, reserved)
        )
        has_text = RELEASE_DOCUMENT.c.rights.is_(None) | bool(record.recipe.get("with_reserved"))
        released = select(RELEASE_DOCUMENT.c.article_id).join(RELEASE).where(RELEASE.c.name == record.name)
        released = released.where(RELEASE_DOCUMENT.c.record_hash.is_not(None) & (~kept | (has_text & ~permitted)))
        return not self._read_value(select(exists(released)))

    def documents(self, name: str) -> Iterator[ReleasedDocument]:
        """Yield the documents of a release as they were then, and those left out, by article id, in constant memory."""
        behind = 0
        query = select(RELEASE_DOCUMENT).join(RELEASE).where(RELEASE.c.name == name).order_by(RELEASE_DOCUMENT.c.article_id)
        while True:
            with self._reading() as connection:
                rows = connection.execute(query.where(RELEASE_DOCUMENT.c.article_id > behind).limit(_AT_ONCE)).all()
                found = _rebuild(connection, rows)
            yield from found
            if len(rows) < _AT_ONCE:
                return
            behind = rows[-1].article_id

    def left_out(self, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yield the articles that were left out of a release, by number, and why; in constant memory."""
        query = select(RELEASE_DOCUMENT.c.article_id, RELEASE_DOCUMENT.c.left_out).join(RELEASE).where(RELEASE.c.name == name)
        left = query.where(RELEASE_DOCUMENT.c.left_out.is_not(None)).order_by(RELEASE_DOCUMENT.c.article_id)
        return ((row.article_id, row.left_out) for row in self._stream(left))

    def rights(self, name: str, article_ids: Sequence[int]) -> dict[int, Mapping[str, Any]]:
        """Return the rights of some articles in a release by article id, without those that reserve nothing."""
        query = select(RELEASE_DOCUMENT.c.article_id, RELEASE_DOCUMENT.c.rights).join(RELEASE).where(RELEASE.c.name == name)
        rows = self._read(query.where(RELEASE_DOCUMENT.c.article_id.in_(article_ids)))
        return {row.article_id: row.rights for row in rows if row.rights}

    def runs(self, until: datetime) -> list[RunRecord]:
        """Return the runs that had ended by a time, oldest first."""
        return [make_run_record(row) for row in self._read(select_runs().where(RUN.c.ended_at <= until).order_by(RUN.c.id))]

    def articles_at(self, urls: Sequence[str]) -> Iterator[StoredArticle]:
        """Yield the articles stored under one of the URLs, of any portal."""
        keys, portals = [digest(url) for url in urls], select(PORTAL.c.id)
        query = joined_articles().where(ARTICLE.c.portal_id.in_(portals) & ARTICLE.c.url_hash.in_(keys)).order_by(ARTICLE.c.id)
        return map(stored_of, self._read(query))


def _insert_documents(connection: Connection, release_id: int, documents: Iterable[ReleasedDocument]) -> None:
    each = iter(documents)
    names = ("article_id", "record_hash", "later", "rights", "left_out")
    while batch := list(islice(each, _AT_ONCE)):
        rows = [{"release_id": release_id} | {name: getattr(document, name) for name in names} for document in batch]
        connection.execute(insert(RELEASE_DOCUMENT), rows)


def _rebuild(connection: Connection, rows: Sequence[Row[Any]]) -> list[ReleasedDocument]:
    """Return the documents of rows with their articles as released."""
    wanted = [row for row in rows if row.record_hash is not None]
    numbers, records = [row.article_id for row in wanted], [row.record_id for row in wanted if row.record_id is not None]
    now = {row.id: stored_of(row) for row in connection.execute(joined_articles().where(ARTICLE.c.id.in_(numbers)))}
    kept = {
        row.id: released_article(row.article_id, row.record)
        for row in connection.execute(select(RELEASED_RECORD).where(RELEASED_RECORD.c.id.in_(records)))
    }
    return [_make_document(row, now.get(row.article_id) if row.record_id is None else kept.get(row.record_id)) for row in rows]


def _make_document(row: Row[Any], found: StoredArticle | None) -> ReleasedDocument:
    document = ReleasedDocument(article_id=row.article_id, later=row.later, rights=row.rights, left_out=row.left_out)
    if row.record_hash is None:
        return document
    if row.lost is not None or found is None:
        lost = ReleaseLoss(row.lost or ReleaseLoss.REMOVED)
        if lost is ReleaseLoss.REMOVED or found is None:
            return replace(document, lost=lost, url=row.url)
        return replace(document, lost=lost, url=found.article.url, portal=found.article.portal)
    hashed = bytes(row.record_hash)
    if record_hash(found.article) != hashed:
        return replace(document, lost=ReleaseLoss.CHANGED, url=found.article.url, portal=found.article.portal)
    return replace(document, record_hash=hashed, stored=replace(found, **_NOTHING_LATER | _compare_later(row.later)))
