"""Articles in, articles out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    Row,
    Select,
    String,
    TextClause,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    text,
    union_all,
    update,
)  # fmt: skip
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from newscrawler.article import Article, DatePrecision, Paragraph, ParagraphKind
from newscrawler.store.database import translated
from newscrawler.store.frontier_records import SECTION_HINT, TextSketch
from newscrawler.store.records import Selection, StoredArticle
from newscrawler.store.tables import ARTICLE, BAND, FRONTIER, PORTAL, REVISION

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
#: Source of a section that only the listing tells.
FROM_LISTING = "listing"
#: Articles are given their sections in batches, so that a portal of very many takes no more memory than one of few.
_SECTIONS_AT_ONCE = 1_000
_FILL_SECTION = (
    update(ARTICLE)
    .where((ARTICLE.c.id == bindparam("row")) & ARTICLE.c.section.is_(None))
    .values(section=bindparam("named"), section_source=FROM_LISTING)
)


def digest(*parts: str) -> bytes:
    """BLAKE2b, 16 bytes, over the parts."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


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
    values = _values(portal_id, article) | {"url_hash": free_key, "text_hash": text_hash}
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

    A text that has lost more than half of its words is not believed: the page is cut off, or behind a paywall by now.
    """
    stored = connection.execute(select(ARTICLE).where(ARTICLE.c.id == article_id)).first()
    text_hash = digest(article.headline, article.text)
    if stored is None or bytes(stored.text_hash) == text_hash or article.word_count * 2 < stored.word_count:
        return False
    if keeps_earlier:
        revision = {name: getattr(stored, name) for name in ("fetched_at", "headline", "lead", "paragraphs", "modified_at")}
        connection.execute(insert(REVISION).values(article_id=article_id, **revision))
    kept = {
        "portal_id",
        "url",
        "published_at",
        "published_offset_minutes",
        "published_precision",
        "published_source",
        "offset_given",
    }
    dated = stored.published_at is not None
    values = {name: value for name, value in _values(stored.portal_id, article).items() if name not in kept or not dated}
    connection.execute(update(ARTICLE).where(ARTICLE.c.id == article_id).values(**values, text_hash=text_hash))
    return True


def _offset_minutes(moment: datetime | None) -> int | None:
    offset = moment.utcoffset() if moment else None
    return round(offset.total_seconds() / 60) if offset is not None else None


def _values(portal_id: int, article: Article) -> dict[str, Any]:
    return {
        "portal_id": portal_id,
        "url": article.url,
        "canonical_url": article.canonical_url,
        "headline": article.headline,
        "lead": article.lead,
        "body": article.text,
        "paragraphs": [[str(p.kind), p.text, *([str(p.post)] if p.post else [])] for p in article.body],
        "description": article.description,
        "description_is_lead": article.description_is_lead,
        "authors": list(article.authors),
        "published_at": article.published_at,
        "published_offset_minutes": _offset_minutes(article.published_at),
        "published_precision": article.published_precision,
        "published_source": article.published_source,
        "offset_given": article.offset_given,
        "modified_at": article.modified_at,
        "modified_offset_minutes": _offset_minutes(article.modified_at),
        "section": article.section,
        "section_source": article.section_source,
        "keywords": list(article.keywords),
        "language": article.language,
        "language_detected": article.language_detected,
        "image_url": article.image_url,
        "genre": article.genre,
        "free": article.free,
        "word_count": article.word_count,
        "fetched_at": article.fetched_at or datetime.now(UTC),
        "method": article.method,
        "confidence": article.confidence,
    }


def _local(moment: datetime | None, minutes: int | None) -> datetime | None:
    if moment is None or minutes is None:
        return moment
    return moment.astimezone(timezone(timedelta(minutes=minutes)))


def _paragraphs(stored: list[list[str]]) -> tuple[Paragraph, ...]:
    return tuple(
        Paragraph(kind=ParagraphKind(kind), text=text, post=int(post[0]) if post else None) for kind, text, *post in stored
    )


def _stored(row: Row[Any]) -> StoredArticle:
    article = Article(
        headline=row.headline,
        body=_paragraphs(row.paragraphs),
        url=row.url,
        canonical_url=row.canonical_url,
        lead=row.lead,
        description=row.description,
        description_is_lead=row.description_is_lead,
        authors=tuple(row.authors),
        published_at=_local(row.published_at, row.published_offset_minutes),
        published_precision=DatePrecision(row.published_precision) if row.published_precision else None,
        published_source=row.published_source,
        offset_given=row.offset_given,
        modified_at=_local(row.modified_at, row.modified_offset_minutes),
        section=row.section,
        section_source=row.section_source,
        keywords=tuple(row.keywords),
        language=row.language,
        language_detected=row.language_detected,
        image_url=row.image_url,
        genre=row.genre,
        free=row.free,
        fetched_at=row.fetched_at,
        portal=row.portal,
        method=row.method,
        confidence=row.confidence,
    )
    return StoredArticle(id=row.id, article=article, similar_to=row.similar_to)


class Articles:
    """The articles of all portals."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, article_id: int) -> StoredArticle | None:
        """The article with this id, if there is one."""
        query = _select().where(ARTICLE.c.id == article_id)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(query).first()
        return _stored(row) if row else None

    def revisions(self, article_id: int) -> list[tuple[datetime, str, tuple[Paragraph, ...]]]:
        """(fetched at, headline, paragraphs) of an article's earlier texts, oldest first."""
        query = select(REVISION).where(REVISION.c.article_id == article_id).order_by(REVISION.c.id)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [(row.fetched_at, row.headline, _paragraphs(row.paragraphs)) for row in connection.execute(query)]

    def revise(self, before: StoredArticle, article: Article, *, why: str) -> bool:
        """Put what was read anew of an article in place of the stored record, which is kept whole as a revision.

        Returns:
            False: the article is gone, or has changed since `before` was read; nothing is written.
        """
        old = digest(before.article.headline, before.article.text)
        with translated(self._engine), self._engine.begin() as connection:
            query = select(ARTICLE).where((ARTICLE.c.id == before.id) & (ARTICLE.c.text_hash == old)).with_for_update()
            stored = connection.execute(query).first()
            if stored is None:
                return False
            revision = {name: getattr(stored, name) for name in ("fetched_at", "headline", "lead", "paragraphs", "modified_at")}
            connection.execute(insert(REVISION).values(article_id=before.id, why=why, record=before.article.as_dict(), **revision))
            values = _values(stored.portal_id, article)
            values = {name: value for name, value in values.items() if name not in {"portal_id", "url", "fetched_at"}}
            values["text_hash"] = digest(article.headline, article.text)
            connection.execute(update(ARTICLE).where(ARTICLE.c.id == before.id).values(values))
        return True

    def fill_sections(self, portal: str) -> int:
        """Give articles whose pages name no section the one whose listing leads to them; answer how many.

        Where the listings of several sections do, it is not known which is the article's.
        """
        listed = (
            select(ARTICLE.c.id, FRONTIER.c.hints)
            .select_from(ARTICLE.join(PORTAL))
            .join(FRONTIER, (FRONTIER.c.portal_id == ARTICLE.c.portal_id) & (FRONTIER.c.url_hash == ARTICLE.c.url_hash))
            .where((PORTAL.c.name == portal) & ARTICLE.c.section.is_(None) & FRONTIER.c.hints.is_not(None))
            .where(ARTICLE.c.id > bindparam("behind"))
            .order_by(ARTICLE.c.id)
            .limit(_SECTIONS_AT_ONCE)
        )
        filled = behind = 0
        while True:
            with translated(self._engine), self._engine.begin() as connection:
                rows = connection.execute(listed, {"behind": behind}).all()
                named = [(row.id, {text for source, text in row.hints if source == SECTION_HINT}) for row in rows]
                known = [{"row": number, "named": next(iter(sections))} for number, sections in named if len(sections) == 1]
                if known:
                    connection.execute(_FILL_SECTION, known)
            filled += len(known)
            if len(rows) < _SECTIONS_AT_ONCE:
                return filled
            behind = rows[-1].id

    def count(self, selection: Selection) -> int:
        """How many articles a selection holds (its limit left aside)."""
        query = _narrow(select(func.count()).select_from(ARTICLE.join(PORTAL)), selection)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return int(connection.execute(query).scalar_one())

    def newest_id(self) -> int:
        """The number of the article that was stored last; 0: there is none."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return int(connection.execute(select(func.coalesce(func.max(ARTICLE.c.id), 0))).scalar_one())

    def stream(self, selection: Selection, *, batch: int = 500) -> Iterator[StoredArticle]:
        """Yield a selection in constant memory: oldest stored first, or newest published first."""
        query = _narrow(_select(), selection)
        if selection.newest_first:
            query = query.order_by(func.coalesce(ARTICLE.c.published_at, ARTICLE.c.fetched_at).desc(), ARTICLE.c.id.desc())
        else:
            query = query.order_by(ARTICLE.c.id)
        if selection.limit is not None:
            query = query.limit(selection.limit)
        with translated(self._engine), self._engine.connect().execution_options(reading=True, yield_per=batch) as connection:
            for row in connection.execute(query):
                yield _stored(row)


def _select() -> Select[Any]:
    return select(ARTICLE, PORTAL.c.name.label("portal")).select_from(ARTICLE.join(PORTAL))


class LocalDay(FunctionElement[str]):
    """The day, as YYYY-MM-DD, of a moment on the clock of its own offset: the `date` of an article."""

    type = String()
    inherit_cache = True


@compiles(LocalDay, "sqlite")
def _sqlite_day(element: Any, compiler: Any, **kwargs: Any) -> str:
    moment, minutes = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"date({moment}, {minutes} || ' minutes')"


@compiles(LocalDay, "postgresql")
def _postgresql_day(element: Any, compiler: Any, **kwargs: Any) -> str:
    moment, minutes = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"to_char(timezone('UTC', {moment}) + make_interval(mins => {minutes}), 'YYYY-MM-DD')"


def _narrow(query: Select[Any], selection: Selection) -> Select[Any]:
    moment = func.coalesce(ARTICLE.c.published_at, ARTICLE.c.fetched_at)
    day = LocalDay(moment, func.coalesce(ARTICLE.c.published_offset_minutes, literal_column("0")))
    if selection.portal is not None:
        query = query.where(PORTAL.c.name == selection.portal)
    if selection.portals:
        query = query.where(PORTAL.c.name.in_(selection.portals))
    if selection.after_id is not None:
        query = query.where(ARTICLE.c.id > selection.after_id)
    if selection.until_id is not None:
        query = query.where(ARTICLE.c.id <= selection.until_id)
    if selection.language is not None:
        query = query.where(ARTICLE.c.language == selection.language)
    if selection.since is not None:
        query = query.where(day >= selection.since.isoformat())
    if selection.until is not None:
        query = query.where(day <= selection.until.isoformat())
    if selection.text is not None:
        query = query.where(ARTICLE.c.headline.icontains(selection.text, autoescape=True))
    return query
