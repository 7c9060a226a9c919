"""Articles in: each once, and corrected where its page was; within the transaction of that page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import Connection, TextClause, bindparam, insert, select, text, union_all, update

from newscrawler.article import Article
from newscrawler.store.article_rows import digest, values_of
from newscrawler.store.frontier_records import TextSketch
from newscrawler.store.tables import ARTICLE, BAND, REVISION

_DATE_COLUMNS = frozenset({"published_at", "published_offset_minutes", "published_precision", "published_source", "offset_given"})
#: Articles that share a band, compared with a new one at most.
_MOST_COMPARED = 50
# What every article asks for is built once: that costs SQLAlchemy more than running it does.
_OF_PORTAL = select(ARTICLE.c.id, ARTICLE.c.url_hash, ARTICLE.c.headline, ARTICLE.c.text_hash).where(
    ARTICLE.c.portal_id == bindparam("portal")
)
#: Each half has an index of its own; an OR of both would read all of the portal's articles.
_KNOWN = union_all(
    _OF_PORTAL.where(ARTICLE.c.url_hash.in_(bindparam("keys", expanding=True))),
    _OF_PORTAL.where(ARTICLE.c.text_hash == bindparam("text")),
)
_INSERT = insert(ARTICLE).returning(ARTICLE.c.id)
_SHARING = (
    select(ARTICLE.c.id, ARTICLE.c.sketch)
    .where(ARTICLE.c.id.in_(select(BAND.c.article_id).where(BAND.c.value.in_(bindparam("bands", expanding=True)))))
    .order_by(ARTICLE.c.id)
    .limit(_MOST_COMPARED)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What became of an article that was to be stored."""

    #: Of the new article.
    id: int | None = None
    #: Of the one that is there already; nothing was stored.
    twin_of: int | None = None
    #: Of the earliest article, on any portal, that says nearly the same as the new one.
    similar_to: int | None = None


@lru_cache(maxsize=2)  # all sketches have as many
def _insert_bands(count: int) -> TextClause:
    """All bands in one statement: as many rows, one by one, cost several times as much."""
    rows = ", ".join(f"(:article, {number}, :v{number})" for number in range(count))
    return text(f"INSERT INTO {BAND.name} (article_id, number, value) VALUES {rows}")  # noqa: S608  nothing of it is from outside


def store_article(connection: Connection, portal_id: int, article: Article, sketch: TextSketch | None = None) -> Kept:
    """Insert an article, unless the portal has it already.

    It is there already if an article stands under the same URL, or the same canonical URL with the same headline, or has
    the same headline and text. A canonical URL that leads to a different article (portals that name their front page on
    every page) is not believed.

    Args:
        connection: in a transaction.
        portal_id: whose it is.
        article: what was read.
        sketch: the fingerprint of its text, by which articles are found that say nearly the same.
    """
    text_hash = digest(article.headline, article.text)
    keys = [digest(url) for url in dict.fromkeys((article.canonical_url, article.url)) if url]
    if not keys:
        msg = "an article without a URL cannot be stored"
        raise ValueError(msg)
    taken = set()
    for row in connection.execute(_KNOWN, {"portal": portal_id, "keys": keys, "text": text_hash}):
        if row.text_hash == text_hash or row.headline == article.headline or row.url_hash == keys[-1]:
            return Kept(twin_of=row.id)
        taken.add(bytes(row.url_hash))
    free_key = next(key for key in keys if key not in taken)
    values = values_of(portal_id, article) | {"url_hash": free_key, "text_hash": text_hash}
    if sketch is None:
        return Kept(id=connection.execute(_INSERT, values).scalar_one())
    bands = sketch.bands()
    rows = connection.execute(_SHARING, {"bands": bands})
    similar_to = next((row.id for row in rows if row.sketch and sketch.is_twin_of(bytes(row.sketch))), None)
    values |= {"sketch": sketch.to_bytes(), "similar_to": similar_to}
    article_id = connection.execute(_INSERT, values).scalar_one()
    connection.execute(_insert_bands(len(bands)), {"article": article_id, **{f"v{n}": value for n, value in enumerate(bands)}})
    return Kept(id=article_id, similar_to=similar_to)


def correct_article(connection: Connection, article_id: int, article: Article, *, keeps_earlier: bool = True) -> bool:
    """Put a changed text in place of the stored one, which is kept as a revision unless its publisher reserves that.

    A text that has lost more than half of its words is not believed: the page is cut off, or behind a paywall by now. A date
    that is known by now is taken all the same, where there was none.
    """
    stored = connection.execute(select(ARTICLE).where(ARTICLE.c.id == article_id)).first()
    text_hash = digest(article.headline, article.text)
    if stored is None:
        return False
    dated = stored.published_at is not None
    if bytes(stored.text_hash) == text_hash or article.word_count * 2 < stored.word_count:
        if not dated and article.published_at is not None:
            values = {name: value for name, value in values_of(stored.portal_id, article).items() if name in _DATE_COLUMNS}
            connection.execute(update(ARTICLE).where(ARTICLE.c.id == article_id).values(values))
        return False
    if keeps_earlier:
        revision = {name: getattr(stored, name) for name in ("fetched_at", "headline", "lead", "paragraphs", "modified_at")}
        connection.execute(insert(REVISION).values(article_id=article_id, **revision))
    kept = {"portal_id", "url"} | _DATE_COLUMNS
    values = {name: value for name, value in values_of(stored.portal_id, article).items() if name not in kept or not dated}
    connection.execute(update(ARTICLE).where(ARTICLE.c.id == article_id).values(**values, text_hash=text_hash))
    return True
