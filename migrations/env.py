"""Alembic's door: runs on the connection that newscrawler hands over, or on NEWSCRAWLER_DATABASE by hand."""

from __future__ import annotations

import os

from alembic import context
from sqlalchemy import Connection

from newscrawler.store import open_engine
from newscrawler.store.tables import METADATA, UtcDateTime


def render(kind: str, item: object, _context: object) -> str | bool:
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UtcDateTime) else False


#: Tables of the full-text index and of Procrastinate, which SQLAlchemy does not describe.
FOREIGN = ("article_search", "procrastinate_")


def include(_item: object, name: str | None, kind: str, reflected: bool, compared: object) -> bool:  # noqa: FBT001  Alembic's order
    return not (kind == "table" and reflected and compared is None and (name or "").startswith(FOREIGN))


def run(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # a migration may compute for long between two statements
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
    context.configure(
        connection=connection, target_metadata=METADATA, render_as_batch=True, render_item=render, include_object=include
    )
    with context.begin_transaction():
        context.run_migrations()


handed_over = context.config.attributes.get("connection")
if handed_over is not None:
    run(handed_over)
else:
    engine = open_engine(os.environ.get("NEWSCRAWLER_DATABASE", "sqlite:///newscrawler.sqlite"))
    with engine.begin() as opened:
        run(opened)
    engine.dispose()
