"""Hosts, robots.txt, the fetch log, leases and rights."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create what this step adds."""
    add_hosts()
    add_visits()
    add_leases()
    add_rights()


def downgrade() -> None:
    """Remove it again."""
    remove_rights()
    remove_leases()
    remove_visits()
    remove_hosts()


def add_hosts() -> None:
    op.create_table('host',
    sa.Column('name', sa.String(length=255), nullable=False),
    sa.Column('next_free_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('held_by', sa.String(length=300), nullable=True),
    sa.Column('held_until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('answered_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('response_seconds', sa.Float(), nullable=True),
    sa.Column('slowdown', sa.Float(), nullable=False),
    sa.Column('troubles', sa.Integer(), nullable=False),
    sa.Column('paused_until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('paused_because', sa.String(length=200), nullable=True),
    sa.Column('left_alone', sa.Boolean(), nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_host'))
    )
    op.create_table('robots',
    sa.Column('origin', sa.String(length=300), nullable=False),
    sa.Column('host', sa.String(length=255), nullable=False),
    sa.Column('verdict', sa.String(length=10), nullable=False),
    sa.Column('status', sa.SmallInteger(), nullable=True),
    sa.Column('because', sa.String(length=300), nullable=True),
    sa.Column('body', sa.LargeBinary(), nullable=True),
    sa.Column('asked_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('expires_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('troubles', sa.Integer(), nullable=False),
    sa.Column('asks_seconds', sa.Float(), nullable=True),
    sa.PrimaryKeyConstraint('origin', name=op.f('pk_robots'))
    )
    op.create_index('ix_robots_host', 'robots', ['host'], unique=False)
    op.create_table('fetch_log',
    sa.Column('id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('host', sa.String(length=255), nullable=False),
    sa.Column('address', sa.String(length=45), nullable=True),
    sa.Column('portal', sa.String(length=200), nullable=True),
    sa.Column('run_id', sa.Integer(), nullable=True),
    sa.Column('kind', sa.String(length=10), nullable=False),
    sa.Column('status', sa.SmallInteger(), nullable=True),
    sa.Column('reason', sa.String(length=60), nullable=True),
    sa.Column('bytes', sa.BigInteger(), nullable=False),
    sa.Column('milliseconds', sa.Integer(), nullable=False),
    sa.Column('gap_seconds', sa.Float(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_fetch_log'))
    )
    op.create_index('ix_fetch_log_host', 'fetch_log', ['host', 'at'], unique=False)
    op.create_index('ix_fetch_log_portal', 'fetch_log', ['portal', 'at'], unique=False)
    op.create_index('ix_fetch_log_at', 'fetch_log', ['at'], unique=False)


def remove_hosts() -> None:
    op.drop_table('fetch_log')
    op.drop_table('robots')
    op.drop_table('host')


def add_visits() -> None:
    op.add_column('frontier', sa.Column('next_visit_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('frontier', sa.Column('visits', sa.JSON(), nullable=True))
    op.add_column('portal', sa.Column('learned', sa.JSON(), nullable=True))


def remove_visits() -> None:
    op.drop_column('portal', 'learned')
    op.drop_column('frontier', 'visits')
    op.drop_column('frontier', 'next_visit_at')


def add_leases() -> None:
    op.add_column('run', sa.Column('machine', sa.String(length=400), nullable=True))
    op.add_column('run', sa.Column('process_began', sa.BigInteger(), nullable=True))
    # what failed before had no time for its next try
    op.execute("UPDATE frontier SET next_try_at = fetched_at WHERE state = 'failed' AND tries < 12")


def remove_leases() -> None:
    op.drop_column('run', 'process_began')
    op.drop_column('run', 'machine')


def add_rights() -> None:
    there = sa.text('article_id IS NOT NULL')
    op.create_index('ix_frontier_article', 'frontier', ['article_id'], unique=False, sqlite_where=there, postgresql_where=there)
    op.create_table('reservation',
    sa.Column('id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('portal_id', sa.Integer(), nullable=False),
    sa.Column('url_id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('word', sa.String(length=20), nullable=False),
    sa.Column('said', sa.String(length=200), nullable=False),
    sa.Column('place', sa.String(length=40), nullable=False),
    sa.Column('granted', sa.Boolean(), nullable=False),
    sa.Column('policy', sa.Text(), nullable=True),
    sa.Column('from_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('first_said_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('last_said_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('ended_at', sa.DateTime(timezone=True), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_reservation'))
    )
    op.create_index('ix_reservation_url', 'reservation', ['url_id'], unique=False)
    op.create_index('ix_reservation_portal', 'reservation', ['portal_id', 'word'], unique=False)
    op.create_table('tdm_file',
    sa.Column('origin', sa.String(length=300), nullable=False),
    sa.Column('rules', sa.JSON(), nullable=False),
    sa.Column('status', sa.SmallInteger(), nullable=True),
    sa.Column('because', sa.String(length=300), nullable=True),
    sa.Column('asked_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('said_since', sa.DateTime(timezone=True), nullable=False),
    sa.Column('expires_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('origin', name=op.f('pk_tdm_file'))
    )


def remove_rights() -> None:
    op.drop_table('tdm_file')
    op.drop_table('reservation')
    op.drop_index('ix_frontier_article', table_name='frontier')
