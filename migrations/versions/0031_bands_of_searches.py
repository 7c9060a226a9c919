"""Let a search on PostgreSQL begin with the articles stored last: the index has the numbers of each article's bands as well."""

from __future__ import annotations

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

_INDEX = "article_search"
_KEYS = f"{_INDEX}_keys"
_FUNCTION = (
    f"CREATE FUNCTION {_KEYS}(words TEXT, article_id BIGINT) RETURNS TEXT[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS "
    "$$ BEGIN RETURN string_to_array(words, NULL) || ARRAY[(article_id / 2048)::text, '/' || (article_id / 65536)::text]; END $$"
)


def _index(keys: str) -> None:
    op.execute(f"DROP INDEX ix_{_INDEX}_words")
    op.execute(f"CREATE INDEX ix_{_INDEX}_words ON {_INDEX} USING gin ({keys}) WITH (gin_pending_list_limit = 1024)")


def upgrade() -> None:
    """Make the index anew."""
    if op.get_bind().dialect.name == "sqlite":
        return
    op.execute(_FUNCTION)
    _index(f"{_KEYS}(words, article_id)")


def downgrade() -> None:
    """Make the earlier index."""
    if op.get_bind().dialect.name == "sqlite":
        return
    _index("string_to_array(words, NULL)")
    op.execute(f"DROP FUNCTION {_KEYS}")
