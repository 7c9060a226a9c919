"""Records of releases, and what they ask of the store beside the articles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, exc, insert, select

from newscrawler.errors import ConfigError
from newscrawler.store.article_rows import digest, stored_of
from newscrawler.store.articles import joined_articles
from newscrawler.store.database import translated
from newscrawler.store.records import StoredArticle
from newscrawler.store.runs import RunRecord, all_runs
from newscrawler.store.tables import ARTICLE, PORTAL, RELEASE


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


class Releases:
    """The releases of a database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, record: ReleaseRecord) -> None:
        """Take down a release.

        Raises:
            ConfigError: there is one of this name.
        """
        with translated(self._engine):
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(RELEASE).values(asdict(record)))
            except exc.IntegrityError as error:
                raise ConfigError(f"there is a release {record.name} already; choose another name") from error

    def get(self, name: str) -> ReleaseRecord | None:
        """Return the release of this name, if there is one."""
        return next((record for record in self.all() if record.name == name), None)

    def all(self) -> list[ReleaseRecord]:
        """Return all releases, oldest first."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            rows = connection.execute(select(RELEASE).order_by(RELEASE.c.id)).all()
        names = ReleaseRecord.__slots__
        return [ReleaseRecord(**{name: getattr(row, name) for name in names}) for row in rows]

    def runs(self, until: datetime) -> list[RunRecord]:
        """Return the runs that had ended by then, oldest first."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return all_runs(connection, until)

    def articles_at(self, urls: Sequence[str]) -> Iterator[StoredArticle]:
        """Yield the articles that are stored under one of the addresses, on whatever portal."""
        keys = [digest(url) for url in urls]
        portals = select(PORTAL.c.id)
        query = joined_articles().where(ARTICLE.c.portal_id.in_(portals) & ARTICLE.c.url_hash.in_(keys)).order_by(ARTICLE.c.id)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            rows = connection.execute(query).all()
        yield from map(stored_of, rows)
