"""Stores, corrects and removes articles within a transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import Connection, Row, bindparam, delete, exists, func, insert, literal, select, text, union_all, update

from newscrawler.article import FROM_FEED, Article, DatePrecision, is_teaser
from newscrawler.discovery import Sketch
from newscrawler.limits import COMPARED_TEXTS as MOST_COMPARED
from newscrawler.store.articles.article_rows import digest, forget_released, keep_released, link_names, make_row, section_id
from newscrawler.store.database import make_insert
from newscrawler.store.search.index import index_article, unindex_articles
from newscrawler.store.statements import PreparedStatement
from newscrawler.store.tables import ARTICLE, ARTICLE_ENTITY, ARTICLE_URL, ENTITY, MINHASH_BAND, PAGE, REVIEW, REVISION, VERDICT
from newscrawler.store.tables.base import UtcDateTime
from newscrawler.store.vocabularies import ArticleUrlKind, RevisionReason

#: If more articles share a band, they share a sentence rather than a text.
COMMON = 64


def candidates(connection: Connection, bands: Sequence[int]) -> list[int]:
    """Return the ids of up to `MOST_COMPARED` articles that share bands with a text, most rare bands first."""
    sharing: list[list[int]] = [[] for _ in bands]
    for number, article_id in _select_sharing(len(bands)).run(connection, {f"v{n}": value for n, value in enumerate(bands)}):
        sharing[number].append(article_id)
    rare, common = Counter[int](), Counter[int]()
    for articles in filter(None, sharing):
        (rare if len(articles) <= COMMON else common).update(articles)
    return sorted(rare.keys() | common.keys(), key=lambda each: (-rare[each], -common[each], each))[:MOST_COMPARED]


@lru_cache(maxsize=2)  # all sketches have as many bands
def _select_sharing(count: int) -> PreparedStatement:
    """Return the statement that selects, for each band, a few of the articles that share it."""
    parts = []
    for number in range(count):
        few = select(MINHASH_BAND.c.article_id).where(MINHASH_BAND.c.hash == bindparam(f"v{number}")).limit(COMMON + 1).subquery()
        parts.append(select(literal(number), few.c.article_id))
    return PreparedStatement(union_all(*parts))


_URL_COLUMNS = frozenset({"url", "is_canonical", "canonical_url"})
_DATE_COLUMNS = frozenset({
    "published_at", "published_offset_minutes", "published_precision", "published_source", "offset_given", "date_confidence",
})  # fmt: skip
#: Least share of the stored words that a later text must have; higher at another URL, where lists show excerpts.
_LEAST, _LEAST_ELSEWHERE = 0.5, 0.9
_OF_PORTAL = select(ARTICLE.c.id, ARTICLE.c.url_hash, ARTICLE.c.title, ARTICLE.c.text_hash).where(
    ARTICLE.c.portal_id == bindparam("portal")
)
#: Each half has its own index; an OR of both would read all of the portal's articles.
_KNOWN = PreparedStatement(
    union_all(
        _OF_PORTAL.where(ARTICLE.c.url_hash.in_([bindparam("key"), bindparam("other_key")])),
        _OF_PORTAL.where(ARTICLE.c.text_hash == bindparam("text")),
    )
)
_OF_ID = select(ARTICLE.c.title, ARTICLE.c.url).where(ARTICLE.c.id == bindparam("which"))
_INSERT = PreparedStatement(insert(ARTICLE).returning(ARTICLE.c.id))
_COMPARED = (
    select(
        ARTICLE.c.id, ARTICLE.c.url, ARTICLE.c.minhash, ARTICLE.c.portal_id, ARTICLE.c.title, ARTICLE.c.published_at,
        ARTICLE.c.published_precision, ARTICLE.c.word_count,
    )
    .where(ARTICLE.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(ARTICLE.c.id)
)  # fmt: skip


class _Known(NamedTuple):
    """A stored article with the URL or text of another."""

    id: int
    url_hash: bytes
    title: str
    text_hash: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoringResult:
    """The result of storing an article."""

    #: The id of the new article.
    id: int | None = None
    #: The id of the same article stored earlier; nothing was stored.
    twin_of: int | None = None
    #: The id of the earliest near-duplicate on any portal.
    similar_to: int | None = None
    #: The text of an existing article was replaced.
    corrected: bool = False


@lru_cache(maxsize=4)  # nearly all sketches have as many
def _insert_bands(count: int) -> PreparedStatement:
    """Return one statement for all bands; inserting row by row takes several times as long."""
    rows = ", ".join(f"(:v{number}, :article)" for number in range(count))
    return PreparedStatement(text(f"INSERT INTO {MINHASH_BAND.name} (hash, article_id) VALUES {rows}"))  # noqa: S608  our names


def band_hashes(sketch: Sketch) -> list[int]:
    """Return the bands of a sketch as signed 32-bit numbers, the form stored in the table."""
    return sorted({(band >> 31) - 2**31 for band in sketch.bands()})


def earlier_text(stored: Row[Any]) -> dict[str, Any]:
    """Return the columns of a revision that contain the text of an article's row."""
    names = ("fetched_at", "title", "lead", "paragraphs", "modified_at", "modified_offset_minutes")
    return {name: getattr(stored, name) for name in names}


def add_url(connection: Connection, article_id: int, url: str, kind: ArticleUrlKind, *, now: datetime) -> None:
    """Add another URL of an article unless it is known."""
    values = {"article_id": article_id, "url_hash": digest(url), "url": url, "kind": str(kind), "first_seen_at": now}
    connection.execute(make_insert(connection.dialect.name, ARTICLE_URL).values(values).on_conflict_do_nothing())


def store_article(
    connection: Connection,
    portal_id: int,
    article: Article,
    sketch: Sketch | None = None,
    *,
    moved: int | None = None,
    keeps_earlier: bool = True,
) -> StoringResult:
    """Insert an article, unless the portal has it already.

    It is a duplicate if a stored article has the same URL, the same canonical URL and title, or the same title and text.
    A canonical URL of a different article is ignored: some portals name their front page on every page.

    It corrects a stored article if that article's URL redirected here, or if title and date of publication are equal and
    the texts are near-duplicates.

    `sketch`: the fingerprint of its text, to find near-duplicates; `moved`: the article whose URL redirected here;
    `keeps_earlier`: see `correct_article`.
    """
    text_hash = digest(article.title, article.body)
    keys = [digest(url) for url in dict.fromkeys((article.canonical_url, article.url)) if url]
    if not keys:
        raise ValueError("an article without a URL cannot be stored")
    taken = set()
    known = [
        _Known(*row)
        for row in _KNOWN.run(connection, {"portal": portal_id, "key": keys[0], "other_key": keys[-1], "text": text_hash})
    ]
    if (
        moved is not None
        and all(row.id == moved or row.url_hash != keys[-1] for row in known)
        and _follow(connection, moved, article, keeps_earlier=keeps_earlier)
    ):
        return StoringResult(twin_of=moved, corrected=correct_article(connection, moved, article, keeps_earlier=keeps_earlier))
    for row in known:
        if row.text_hash == text_hash or row.title == article.title or row.url_hash == keys[-1]:
            _note_duplicate(connection, row.id, article)
            return StoringResult(twin_of=row.id)
        taken.add(row.url_hash)
    free_key = next(key for key in keys if key not in taken)
    values = make_row(portal_id, article) | {"url_hash": free_key, "text_hash": text_hash, "corrections": 0}
    values["section_id"] = section_id(connection, portal_id, article.section)
    if sketch is None:
        return StoringResult(id=_insert(connection, values, article))
    bands = band_hashes(sketch)
    sharing = candidates(connection, bands)
    rows = connection.execute(_COMPARED, {"ids": sharing}).all() if sharing else ()
    similar = [row for row in rows if row.minhash and sketch.is_near_duplicate_of(bytes(row.minhash))]
    earlier = next((row for row in similar if row.portal_id == portal_id and _is_earlier_form(row, article)), None)
    if earlier is not None:
        if earlier.word_count < _LEAST_ELSEWHERE * article.word_count:  # the earlier text was an excerpt in a list
            _follow(connection, earlier.id, article, keeps_earlier=keeps_earlier)
        else:
            _note_duplicate(connection, earlier.id, article)
        corrected = correct_article(connection, earlier.id, article, keeps_earlier=keeps_earlier)
        return StoringResult(twin_of=earlier.id, corrected=corrected)
    similar_to = similar[0].id if similar else None
    values |= {"minhash": sketch.to_bytes(), "similar_to_id": similar_to}
    article_id = _insert(connection, values, article)
    _insert_bands(len(bands)).run(connection, {"article": article_id, **{f"v{n}": value for n, value in enumerate(bands)}})
    return StoringResult(id=article_id, similar_to=similar_to)


def _insert(connection: Connection, values: dict[str, Any], article: Article) -> int:
    article_id = int(_INSERT.run(connection, values)[0][0])
    link_names(connection, article_id, article)
    index_article(connection, article_id, article.title, [paragraph.text for paragraph in article.paragraphs])
    if values["canonical_url"] is not None:
        add_url(connection, article_id, values["canonical_url"], ArticleUrlKind.CANONICAL, now=values["fetched_at"])
    return article_id


def _note_duplicate(connection: Connection, article_id: int, article: Article) -> None:
    """Add the URL of an article that is stored under another URL."""
    stored = connection.execute(_OF_ID, {"which": article_id}).first()
    if article.url and (stored is None or article.url != stored.url):
        now = article.fetched_at or datetime.now(UTC)
        add_url(connection, article_id, article.url, ArticleUrlKind.DUPLICATE, now=now)


def _is_earlier_form(row: Any, article: Article) -> bool:
    """Return whether a stored near-duplicate has the site, title and date of this article."""
    if row.title != article.title or _find_site(row.url) != _find_site(article.url):
        return False
    if row.published_at is None or article.published_at is None:
        return False
    if DatePrecision.MINUTE == row.published_precision == article.published_precision:
        return bool(row.published_at == article.published_at)
    return bool(abs(row.published_at - article.published_at) < timedelta(days=1))


def _find_site(url: str | None) -> list[str]:
    """Return the last two labels of a URL's host: articles of a collection may come from any site."""
    return (urlsplit(url or "").hostname or "").split(".")[-2:]


def _follow(connection: Connection, article_id: int, article: Article, *, keeps_earlier: bool) -> bool:
    """Change a stored article's URL after a move; return False if another article has that URL."""
    stored = connection.execute(_OF_ID, {"which": article_id}).first()
    if stored is None or stored.title != article.title:
        return False
    keep_released(connection, [article_id], keeps_earlier=keeps_earlier)
    values = {name: value for name, value in make_row(0, article).items() if name in _URL_COLUMNS}
    connection.execute(update(ARTICLE).where(ARTICLE.c.id == article_id).values(**values, url_hash=digest(article.url or "")))
    if stored.url != article.url:
        now = article.fetched_at or datetime.now(UTC)
        connection.execute(delete(ARTICLE_URL).where((ARTICLE_URL.c.article_id == article_id) & (ARTICLE_URL.c.url == article.url)))
        add_url(connection, article_id, stored.url, ArticleUrlKind.FORMER, now=now)
    return True


def correct_article(connection: Connection, article_id: int, article: Article, *, keeps_earlier: bool = True) -> bool:
    """Replace a stored text; keep it as a revision unless the publisher reserves that.

    A text that has lost more than half of its words (a tenth at another URL) is ignored: the page is truncated, or behind
    a paywall. A missing date is filled in even then.
    """
    stored = connection.execute(select(ARTICLE).where(ARTICLE.c.id == article_id)).first()
    text_hash = digest(article.title, article.body)
    if stored is None:
        return False
    dated = stored.published_at is not None
    here = bytes(stored.url_hash) in {digest(url) for url in (article.canonical_url, article.url) if url}
    is_from_feed = stored.method == FROM_FEED != article.method
    least = 1.0 if is_teaser(article) else _LEAST if here else _LEAST_ELSEWHERE
    if bytes(stored.text_hash) == text_hash or article.word_count < least * stored.word_count:
        if not dated and article.published_at is not None:
            values = {name: value for name, value in make_row(stored.portal_id, article).items() if name in _DATE_COLUMNS}
            keep_released(connection, [article_id], keeps_earlier=keeps_earlier)
            connection.execute(update(ARTICLE).where(ARTICLE.c.id == article_id).values(values))
        return False
    keep_released(connection, [article_id], keeps_earlier=keeps_earlier)
    if keeps_earlier:
        connection.execute(insert(REVISION).values(article_id=article_id, reason=RevisionReason.CORRECTED, **earlier_text(stored)))
    kept = {"portal_id"}
    if article.url != stored.url:  # the URL stays
        kept |= _URL_COLUMNS
    if dated:
        kept |= _DATE_COLUMNS
    values = {name: value for name, value in make_row(stored.portal_id, article).items() if name not in kept}
    section = section_id(connection, stored.portal_id, article.section)
    unindex_articles(connection, [article_id])
    corrections = {"corrections": stored.corrections + 1, "corrected_at": article.fetched_at or datetime.now(UTC)}
    corrected = corrections if not is_from_feed else {}  # the portal has not changed the text
    values |= {"text_hash": text_hash, "section_id": section}
    connection.execute(update(ARTICLE).where(ARTICLE.c.id == article_id).values(**values, **corrected))
    link_names(connection, article_id, article, replace=True)
    index_article(connection, article_id, article.title, [paragraph.text for paragraph in article.paragraphs])
    return True


_NOTE_ANSWER = update(ARTICLE).where(ARTICLE.c.id == bindparam("which")).values(http_status=bindparam("status"))
_IS_OTHER = ARTICLE.c.http_status.is_distinct_from(bindparam("status"))
_NOTE_GONE = _NOTE_ANSWER.where(_IS_OTHER | ARTICLE.c.gone_at.is_(None)).values(
    gone_at=func.coalesce(ARTICLE.c.gone_at, bindparam("at", type_=UtcDateTime))
)
_NOTE_PRESENT = _NOTE_ANSWER.where(_IS_OTHER | ARTICLE.c.gone_at.is_not(None)).values(gone_at=None)


def note_answer(connection: Connection, article_id: int, http_status: int, *, gone: bool, at: datetime) -> None:
    """Store the status that an article's URL returned, and since when it is gone; an article that reappears no longer is."""
    values = {"which": article_id, "status": http_status}
    connection.execute(_NOTE_GONE if gone else _NOTE_PRESENT, values | ({"at": at} if gone else {}))


def remove_articles(connection: Connection, article_ids: Sequence[int]) -> None:
    """Remove articles with their pages, reviews, revisions and names; their URLs stay in the frontier."""
    unindex_articles(connection, article_ids)
    forget_released(connection, article_ids)
    for judged in (VERDICT, REVIEW):
        connection.execute(delete(judged).where(judged.c.article_id.in_(article_ids)))
    connection.execute(delete(PAGE).where(PAGE.c.article_id.in_(article_ids)))
    connection.execute(delete(ARTICLE).where(ARTICLE.c.id.in_(article_ids)))


def forget_entities(connection: Connection) -> None:
    """Remove the entities that no article mentions any more, as those of removed articles."""
    connection.execute(delete(ENTITY).where(~exists().where(ARTICLE_ENTITY.c.entity_id == ENTITY.c.id)))
