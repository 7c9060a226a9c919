"""How much room what is stored takes."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine, func, select, text

from newscrawler.store.database import translated
from newscrawler.store.tables import ARTICLE, FRONTIER, PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Room of a database and of the pages that are kept."""

    database_bytes: int
    articles: int
    urls: int
    kept_pages: int
    kept_bytes: int


def sizes_of(engine: Engine) -> Sizes:
    """Measure a database."""
    with translated(engine), engine.connect().execution_options(reading=True) as connection:
        if connection.dialect.name == "postgresql":
            size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        else:
            pages = connection.execute(text("PRAGMA page_count")).scalar_one()
            size = pages * connection.execute(text("PRAGMA page_size")).scalar_one()
        kept = connection.execute(select(func.count(), func.coalesce(func.sum(PAGE.c.warc_length), 0)).select_from(PAGE)).one()
        return Sizes(
            database_bytes=int(size),
            articles=connection.execute(select(func.count()).select_from(ARTICLE)).scalar_one(),
            urls=connection.execute(select(func.count()).select_from(FRONTIER)).scalar_one(),
            kept_pages=int(kept[0]),
            kept_bytes=int(kept[1]),
        )
