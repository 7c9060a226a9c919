"""Alembic's door: runs on the connection that newscrawler hands over, or on NEWSCRAWLER_DATABASE by hand."""

from __future__ import annotations

import os

from alembic import context
from sqlalchemy import Connection

from newscrawler.store import open_engine
from newscrawler.store.tables import METADATA, UtcDateTime


def render(kind: str, item: object, _context: object) -> str | bool:
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UtcDateTime) else False


def run(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # a migration may compute for long between two statements
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True, render_item=render)
    with context.begin_transaction():
        context.run_migrations()


handed_over = context.config.attributes.get("connection")
if handed_over is not None:
    run(handed_over)
else:
    with open_engine(os.environ.get("NEWSCRAWLER_DATABASE", "sqlite:///newscrawler.sqlite")).begin() as opened:
        run(opened)
