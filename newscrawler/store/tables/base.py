"""Shared by all tables: names of constraints, times in UTC, ids, checked vocabularies, comments.

The `comment` of each table and column is the one description of it: PostgreSQL stores it, docs/schema.md prints it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Constraint,
    Date,
    DateTime,
    Dialect,
    Index,
    Integer,
    MetaData,
    Table,
    TypeDecorator,
    text,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time, stored in UTC; comes back aware from SQLite too."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Move to UTC; refuse a naive time."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no offset")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Make what the database gives aware."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


#: SQLite numbers rows automatically only in a column of exactly the type INTEGER.
RowId = BigInteger().with_variant(Integer, "sqlite")


#: All tables, with named constraints, so that migrations can refer to them.
METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def define_table(name: str, *parts: Column[Any] | Constraint | Index, **options: Any) -> Table:
    """Return a table of `METADATA`."""
    return Table(name, METADATA, *parts, **options)


def define_partial_index(name: str, *columns: str, where: str) -> Index:
    """Return an index of the rows for which a condition holds."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


def tune_vacuum(*, fill: int) -> dict[str, Any]:
    """Return the options of a table whose rows change all the time.

    In PostgreSQL, vacuum comes when a fiftieth has changed, and pages are filled to this percentage, to have room for new versions.
    """
    settings = {"fillfactor": fill, "autovacuum_vacuum_scale_factor": 0.02, "autovacuum_analyze_scale_factor": 0.02}
    return {"postgresql_with": settings}


def one_of(column: str, words: Iterable[str]) -> CheckConstraint:
    """Return the constraint that a column contains one of these words, or NULL where it may."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


class LocalDay(FunctionElement[Any]):
    """The day of a time of publication on the clock of its offset, else the UTC day of the time of fetching."""

    type = Date()
    inherit_cache = True


@compiles(LocalDay, "sqlite")
def _sqlite(element: Any, compiler: Any, **kwargs: Any) -> str:
    published, minutes, fetched = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"date(coalesce({published}, {fetched}), coalesce({minutes}, 0) || ' minutes')"


@compiles(LocalDay, "postgresql")
def _postgresql(element: Any, compiler: Any, **kwargs: Any) -> str:
    published, minutes, fetched = (compiler.process(part, **kwargs) for part in element.clauses)
    moment = f"timezone('UTC', coalesce({published}, {fetched}))"
    return f"CAST({moment} + coalesce({minutes}, 0) * CAST('1 minute' AS interval) AS date)"
