"""PostgreSQL's full-text index as strings of words' codes, a third of the `tsvector`s; indexed anew behind the migration."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

INDEX = "article_search"
CREATE = (
    """CREATE TABLE search_word (word TEXT COLLATE "C" PRIMARY KEY, id BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL, code TEXT
    COLLATE "C" GENERATED ALWAYS AS (CASE
    WHEN id <= 55168 THEN chr(127 + id::integer)
    WHEN id <= 587648 THEN chr(2175 + id::integer)
    ELSE chr(1110016 + ((id - 1 - 587648) / 520192)::integer) || chr(589824 + mod(id - 1 - 587648, 520192)::integer)
    END) STORED)""",
    f'CREATE TABLE {INDEX} (article_id BIGINT PRIMARY KEY REFERENCES article (id), words TEXT COLLATE "C" NOT NULL)',
    f"ALTER TABLE {INDEX} ALTER words SET STORAGE MAIN",
    f"CREATE INDEX ix_{INDEX}_words ON {INDEX} USING gin (string_to_array(words, NULL)) WITH (gin_pending_list_limit = 1024)",
)


def upgrade() -> None:
    """Create the index, empty, and note what is to be put into it (`newscrawler.store.search.index.index_backlog`)."""
    if op.get_bind().dialect.name == "sqlite":
        return
    op.execute(f"DROP TABLE {INDEX}")
    for statement in CREATE:
        op.execute(statement)
    op.execute("DELETE FROM search_backlog")
    op.execute("INSERT INTO search_backlog (until_id, indexed_id) SELECT max(id), 0 FROM article HAVING max(id) IS NOT NULL")


def downgrade() -> None:
    """Make the index of tsvectors anew, empty."""
    if op.get_bind().dialect.name == "sqlite":
        return
    op.execute(f"DROP TABLE {INDEX}")
    op.execute("DROP TABLE search_word")
    op.execute(f"CREATE TABLE {INDEX} (article_id BIGINT PRIMARY KEY REFERENCES article (id), words TSVECTOR NOT NULL)")
    op.execute(f"CREATE INDEX ix_{INDEX}_words ON {INDEX} USING gin (words)")
    op.execute("DELETE FROM search_backlog")
    op.execute("INSERT INTO search_backlog (until_id, indexed_id) SELECT max(id), 0 FROM article HAVING max(id) IS NOT NULL")
