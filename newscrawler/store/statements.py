"""Statements that run for every article, and conditions that databases write each in their way."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import JSON, Boolean, ColumnElement, Connection, Text, bindparam, exc
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

#: Of values, by their places.
_Converters = list[tuple[int, Callable[[Any], Any]]]


class PreparedStatement:
    """A statement that runs for every article; on SQLite it is compiled once and given to the driver, in a tenth of the time."""

    def __init__(self, statement: Any) -> None:
        self._statement = statement
        self._prepared: dict[tuple[str, ...], tuple[str, list[tuple[str, Any]], _Converters, _Converters]] = {}

    def run(self, connection: Connection, values: Mapping[str, Any]) -> Sequence[Any]:
        """Return the rows, each with the columns in order; values for columns of an insertion are always the same ones."""
        if connection.dialect.name != "sqlite":
            result = connection.execute(self._statement, values)
            return result.all() if result.returns_rows else ()
        sql, binds, written, read = self._prepare(connection, values)
        given = [values.get(name, default) for name, default in binds]
        rows = _execute_directly(connection, sql, _convert(given, written)).fetchall()
        return [_convert(list(row), read) for row in rows] if read else rows

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run the statement with each of these values."""
        if connection.dialect.name != "sqlite":
            connection.execute(self._statement, rows)
            return
        for values in rows:
            self.run(connection, values)

    def _prepare(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        names = tuple(values)
        if names not in self._prepared:
            dialect = connection.dialect
            compiled = self._statement.compile(dialect=dialect, column_keys=names)
            types = (compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect) for name in compiled.positiontup)
            columns = getattr(self._statement, "exported_columns", ())
            results = (each.type.dialect_impl(dialect).result_processor(dialect, None) for each in columns)
            written, read = ([pair for pair in enumerate(each) if pair[1] is not None] for each in (types, results))
            self._prepared[names] = str(compiled), [(name, compiled.params[name]) for name in compiled.positiontup], written, read
        return self._prepared[names]


def _convert(values: list[Any], converters: _Converters) -> list[Any]:
    for place, convert in converters:
        values[place] = convert(values[place])
    return values


def _execute_directly(connection: Connection, sql: str, values: Sequence[Any]) -> Any:
    if not connection.in_transaction():
        connection.begin()
    driver: Any = connection.connection.driver_connection
    try:
        return driver.execute(sql, values)
    except sqlite3.Error as error:
        raise getattr(exc, type(error).__name__, exc.DatabaseError)(sql, values, error) from error


def match_given(*pairs: tuple[ColumnElement[Any], Any]) -> list[ColumnElement[bool]]:
    """Return the conditions that columns have these values; None: no condition."""
    return [column == value for column, value in pairs if value is not None]


class IsAny(FunctionElement[bool]):
    """The condition that a column of text is in a list, which is one parameter."""

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: Any = None) -> Any:  # noqa: ARG002  SQLAlchemy's signature
        """Return the condition itself: SQLAlchemy would write `= 1` after it, and SQLite would not use an index."""
        return self

    def __init__(self, column: Any, name: str) -> None:
        super().__init__(column, bindparam(name, type_=JSON().with_variant(postgresql.ARRAY(Text), "postgresql")))


@compiles(IsAny, "sqlite")
def _sqlite(element: Any, compiler: Any, **kwargs: Any) -> str:
    column, values = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({values}))"  # noqa: S608  our own names


@compiles(IsAny, "postgresql")
def _postgresql(element: Any, compiler: Any, **kwargs: Any) -> str:
    column, values = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"{column} = ANY({values})"
