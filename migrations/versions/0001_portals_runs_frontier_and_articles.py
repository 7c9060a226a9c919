"""Portals, runs, frontier and articles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('portal',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('name', sa.String(length=200), nullable=False),
    sa.Column('round', sa.Integer(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_portal')),
    sa.UniqueConstraint('name', name=op.f('uq_portal_name'))
    )
    op.create_table('article',
    sa.Column('id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('portal_id', sa.Integer(), nullable=False),
    sa.Column('url', sa.Text(), nullable=False),
    sa.Column('url_hash', sa.LargeBinary(length=16), nullable=False),
    sa.Column('text_hash', sa.LargeBinary(length=16), nullable=False),
    sa.Column('canonical_url', sa.Text(), nullable=True),
    sa.Column('headline', sa.Text(), nullable=False),
    sa.Column('lead', sa.Text(), nullable=True),
    sa.Column('body', sa.Text(), nullable=False),
    sa.Column('paragraphs', sa.JSON(), nullable=False),
    sa.Column('description', sa.Text(), nullable=True),
    sa.Column('description_is_lead', sa.Boolean(), nullable=False),
    sa.Column('authors', sa.JSON(), nullable=False),
    sa.Column('published_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('published_offset_minutes', sa.SmallInteger(), nullable=True),
    sa.Column('published_precision', sa.String(length=10), nullable=True),
    sa.Column('published_source', sa.String(length=40), nullable=True),
    sa.Column('offset_given', sa.Boolean(), nullable=False),
    sa.Column('modified_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('modified_offset_minutes', sa.SmallInteger(), nullable=True),
    sa.Column('section', sa.Text(), nullable=True),
    sa.Column('keywords', sa.JSON(), nullable=False),
    sa.Column('language', sa.String(length=12), nullable=True),
    sa.Column('image_url', sa.Text(), nullable=True),
    sa.Column('genre', sa.String(length=20), nullable=False),
    sa.Column('free', sa.Boolean(), nullable=True),
    sa.Column('word_count', sa.Integer(), nullable=False),
    sa.Column('fetched_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('method', sa.String(length=60), nullable=False),
    sa.Column('confidence', sa.Float(), nullable=False),
    sa.Column('sketch', sa.LargeBinary(length=256), nullable=True),
    sa.Column('similar_to', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=True),
    sa.ForeignKeyConstraint(['portal_id'], ['portal.id'], name=op.f('fk_article_portal_id_portal')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_article')),
    sa.UniqueConstraint('portal_id', 'url_hash', name=op.f('uq_article_portal_id'))
    )
    with op.batch_alter_table('article', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_article_fetched_at'), ['fetched_at'], unique=False)
        batch_op.create_index('ix_article_published', ['portal_id', 'published_at'], unique=False)
        batch_op.create_index('ix_article_text', ['portal_id', 'text_hash'], unique=False)

    op.create_table('frontier',
    sa.Column('id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('portal_id', sa.Integer(), nullable=False),
    sa.Column('url', sa.Text(), nullable=False),
    sa.Column('url_hash', sa.LargeBinary(length=16), nullable=False),
    sa.Column('kind', sa.String(length=16), nullable=False),
    sa.Column('why', sa.String(length=40), nullable=True),
    sa.Column('priority', sa.SmallInteger(), nullable=False),
    sa.Column('depth', sa.Integer(), nullable=False),
    sa.Column('hops', sa.SmallInteger(), nullable=False),
    sa.Column('state', sa.String(length=10), nullable=False),
    sa.Column('outcome', sa.String(length=16), nullable=True),
    sa.Column('http_status', sa.SmallInteger(), nullable=True),
    sa.Column('reason', sa.String(length=300), nullable=True),
    sa.Column('tries', sa.SmallInteger(), nullable=False),
    sa.Column('fresh_links', sa.Integer(), nullable=False),
    sa.Column('barren_visits', sa.SmallInteger(), nullable=False),
    sa.Column('found_on_id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=True),
    sa.Column('sources', sa.SmallInteger(), nullable=False),
    sa.Column('hints', sa.JSON(), nullable=True),
    sa.Column('found_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('fetched_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('next_try_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('round', sa.Integer(), nullable=False),
    sa.Column('run_id', sa.Integer(), nullable=True),
    sa.Column('etag', sa.String(length=300), nullable=True),
    sa.Column('last_modified', sa.String(length=60), nullable=True),
    sa.Column('article_id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=True),
    sa.ForeignKeyConstraint(['portal_id'], ['portal.id'], name=op.f('fk_frontier_portal_id_portal')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_frontier')),
    sa.UniqueConstraint('portal_id', 'url_hash', name=op.f('uq_frontier_portal_id'))
    )
    with op.batch_alter_table('frontier', schema=None) as batch_op:
        batch_op.create_index('ix_frontier_lease', ['run_id', 'state'], unique=False)
        batch_op.create_index('ix_frontier_next', ['portal_id', 'state', 'priority', 'id'], unique=False)

    op.create_table('band',
    sa.Column('article_id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('number', sa.SmallInteger(), nullable=False),
    sa.Column('value', sa.BigInteger(), nullable=False),
    sa.ForeignKeyConstraint(['article_id'], ['article.id'], name=op.f('fk_band_article_id_article')),
    sa.PrimaryKeyConstraint('article_id', 'number', name=op.f('pk_band'))
    )
    op.create_index('ix_band_value', 'band', ['value'])
    op.create_table('revision',
    sa.Column('id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('article_id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('fetched_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('headline', sa.Text(), nullable=False),
    sa.Column('lead', sa.Text(), nullable=True),
    sa.Column('paragraphs', sa.JSON(), nullable=False),
    sa.Column('modified_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['article_id'], ['article.id'], name=op.f('fk_revision_article_id_article')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_revision'))
    )
    op.create_index(op.f('ix_revision_article_id'), 'revision', ['article_id'])
    op.create_table('pattern',
    sa.Column('id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=False),
    sa.Column('portal_id', sa.Integer(), nullable=False),
    sa.Column('pattern', sa.String(length=500), nullable=False),
    sa.Column('articles', sa.Integer(), nullable=False),
    sa.Column('listings', sa.Integer(), nullable=False),
    sa.Column('neither', sa.Integer(), nullable=False),
    sa.Column('fresh', sa.Integer(), nullable=False),
    sa.Column('barren', sa.Integer(), nullable=False),
    sa.Column('passed_over', sa.Integer(), nullable=False),
    sa.ForeignKeyConstraint(['portal_id'], ['portal.id'], name=op.f('fk_pattern_portal_id_portal')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_pattern')),
    sa.UniqueConstraint('portal_id', 'pattern', name=op.f('uq_pattern_portal_id'))
    )
    op.create_table('run',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('portal_id', sa.Integer(), nullable=False),
    sa.Column('round', sa.Integer(), nullable=False),
    sa.Column('started_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('heartbeat_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('ended_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('ended_because', sa.String(length=200), nullable=True),
    sa.Column('host', sa.String(length=255), nullable=False),
    sa.Column('pid', sa.Integer(), nullable=False),
    sa.Column('version', sa.String(length=40), nullable=False),
    sa.Column('counts', sa.JSON(), nullable=False),
    sa.ForeignKeyConstraint(['portal_id'], ['portal.id'], name=op.f('fk_run_portal_id_portal')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_run'))
    )
    with op.batch_alter_table('run', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_run_portal_id'), ['portal_id'], unique=False)



def downgrade() -> None:
    with op.batch_alter_table('run', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_run_portal_id'))

    op.drop_table('run')
    with op.batch_alter_table('frontier', schema=None) as batch_op:
        batch_op.drop_index('ix_frontier_next')
        batch_op.drop_index('ix_frontier_lease')

    op.drop_table('frontier')
    op.drop_table('pattern')
    op.drop_table('revision')
    op.drop_table('band')
    with op.batch_alter_table('article', schema=None) as batch_op:
        batch_op.drop_index('ix_article_text')
        batch_op.drop_index('ix_article_published')
        batch_op.drop_index(batch_op.f('ix_article_fetched_at'))

    op.drop_table('article')
    op.drop_table('portal')
