"""The schema of newscrawler 0.1.0, on which all migrations build.

New databases get their tables from `newscrawler.store.tables` and the number of the newest migration (`newscrawler.store.schema`), so
nothing runs this file. tests/store/data has the schema of 0.1.0 as it was; a test upgrades a database with it.
"""

revision = "0101"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing: databases begin with this schema."""
