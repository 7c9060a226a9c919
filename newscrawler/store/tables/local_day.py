"""The local day of an article, computed by the database itself."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Date
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class LocalDay(FunctionElement[Any]):
    """The day of a time of publication on the clock of its own offset, else the UTC day of the time of fetching."""

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
