"""Words of their own for hosts that are suspended and for those on the denylist, which both were "left alone" before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0017"
branch_labels = None
depends_on = None

_BEFORE, _SUSPENDED, _DENYLISTED = "host left alone", "host suspended", "host on the denylist"
_END_BEFORE = "left alone"
_TABLES = ("frontier", "request", "page")
_ENDS = "finished', 'interrupted', 'killed', 'limit', 'window', 'budget', '{}', 'memory', 'busy', 'error"
_CONDITION = f"end_reason IN ('{_ENDS}')"


def _rename_end(before: str, after: str) -> None:
    """Let `end_reason` hold another word. Tables refer to `run`, so SQLite's statement is changed in place (lang_altertable, 7)."""
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint(op.f("ck_run_end_reason"), "run", type_="check")
        op.execute(f"UPDATE run SET end_reason = '{after}' WHERE end_reason = '{before}'")
        op.create_check_constraint(op.f("ck_run_end_reason"), "run", _CONDITION.format(after))
        return
    bind = op.get_bind()
    version = bind.exec_driver_sql("PRAGMA schema_version").scalar()
    bind.exec_driver_sql("PRAGMA writable_schema = ON")
    changed = bind.execute(
        sa.text("UPDATE sqlite_master SET sql = replace(sql, :before, :after) WHERE type = 'table' AND name = 'run'"),
        {"before": _CONDITION.format(before), "after": _CONDITION.format(after)},
    )
    assert changed.rowcount == 1
    bind.exec_driver_sql(f"PRAGMA schema_version = {int(version or 0) + 1}")
    bind.exec_driver_sql("PRAGMA writable_schema = RESET")
    op.execute(f"UPDATE run SET end_reason = '{after}' WHERE end_reason = '{before}'")


def upgrade() -> None:
    """Replace the word; of URLs, those that were skipped are on the denylist."""
    op.bulk_insert(sa.table("reason", sa.column("word", sa.String)), [{"word": _SUSPENDED}, {"word": _DENYLISTED}])
    op.execute(f"UPDATE frontier SET reason = '{_DENYLISTED}' WHERE reason = '{_BEFORE}' AND state = 'skipped'")
    for table in _TABLES:
        op.execute(f"UPDATE {table} SET reason = '{_SUSPENDED}' WHERE reason = '{_BEFORE}'")
    op.execute(f"DELETE FROM reason WHERE word = '{_BEFORE}'")
    _rename_end(_END_BEFORE, _SUSPENDED)


def downgrade() -> None:
    """Use one word for both again."""
    op.bulk_insert(sa.table("reason", sa.column("word", sa.String)), [{"word": _BEFORE}])
    for table in _TABLES:
        op.execute(f"UPDATE {table} SET reason = '{_BEFORE}' WHERE reason IN ('{_SUSPENDED}', '{_DENYLISTED}')")
    op.execute(f"DELETE FROM reason WHERE word IN ('{_SUSPENDED}', '{_DENYLISTED}')")
    _rename_end(_SUSPENDED, _END_BEFORE)
