"""What all tables share: names of constraints, times in UTC, ids, checked vocabularies, comments.

The `comment` of each table and column is the one description of it: PostgreSQL stores it, docs/schema.md prints it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, Dialect, Integer, MetaData, TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time, stored in UTC; comes back aware from SQLite too."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Move to UTC; refuse a naive time."""
        if value is None:
            return None
        if value.tzinfo is None:
            msg = f"{value!r} has no offset"
            raise ValueError(msg)
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


def one_of(column: str, words: Iterable[str]) -> CheckConstraint:
    """Return the constraint that a column holds one of these words, or NULL where it may."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)
