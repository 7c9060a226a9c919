"""Convert articles to rows and back, with the names that they share; keep records of released articles before they change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any

import orjson
from sqlalchemy import JSON, Connection, Select, Table, bindparam, delete, insert, literal_column, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from newscrawler.article import FIELDS, Article, DatePrecision, Paragraph, ParagraphKind
from newscrawler.store.articles.records import StoredArticle
from newscrawler.store.database import make_insert
from newscrawler.store.statements import IsAny, PreparedStatement
from newscrawler.store.tables import (
    ARTICLE,
    ARTICLE_AUTHOR,
    ARTICLE_ENTITY,
    ARTICLE_KEYWORD,
    AUTHOR,
    KEYWORD,
    PORTAL,
    RECOGNISED_ARTICLE,
    RELEASE_DOCUMENT,
    RELEASED_RECORD,
    SECTION,
)
from newscrawler.store.vocabularies import ReleaseLoss

#: PostgreSQL cannot index longer names; a longer text is not a name.
_LONGEST = 600
# Statements that run for every article are prepared: building and running them by SQLAlchemy costs more than SQLite's part.
_SECTION = PreparedStatement(
    select(SECTION.c.id).where((SECTION.c.portal_id == bindparam("portal")) & (SECTION.c.name == bindparam("named")))
)
_OF_NAMES = {
    table: PreparedStatement(select(table.c.name, table.c.id).where(IsAny(table.c.name, "names"))) for table in (AUTHOR, KEYWORD)
}
_LINK = {link: PreparedStatement(insert(link)) for link in (ARTICLE_AUTHOR, ARTICLE_KEYWORD)}


def section_id(connection: Connection, portal_id: int, name: str | None) -> int | None:
    """Return the id of a portal's section, adding a new one; None for no section."""
    if not name:
        return None
    values = {"portal": portal_id, "named": name[:_LONGEST]}
    if not (found := _SECTION.run(connection, values)):
        connection.execute(_make_insertion(SECTION, connection.dialect.name), {"portal_id": portal_id, "name": name[:_LONGEST]})
        found = _SECTION.run(connection, values)
    return int(found[0][0])


def add_names(connection: Connection, articles: Iterable[Article]) -> None:
    """Add the new names of several articles at once in a fixed order, which avoids deadlocks."""
    authors, keywords = set(), set()
    for article in articles:
        authors |= {name[:_LONGEST] for name in article.authors}
        keywords |= {name[:_LONGEST] for name in article.keywords}
    _find_ids(connection, AUTHOR, sorted(authors))
    _find_ids(connection, KEYWORD, sorted(keywords))


def keyword_ids(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """Return the ids of keywords, adding new ones."""
    cut = {name: name[:_LONGEST] for name in names}
    known = _find_ids(connection, KEYWORD, sorted(set(cut.values())))
    return {name: known[short] for name, short in cut.items()}


def link_names(connection: Connection, article_id: int, article: Article, *, replace: bool = False) -> None:
    """Link a stored article to its authors and keywords; `replace`: remove its earlier ones, and its entities."""
    if replace:
        for found in (ARTICLE_ENTITY, RECOGNISED_ARTICLE):
            connection.execute(delete(found).where(found.c.article_id == article_id))
    for link, table, names in ((ARTICLE_AUTHOR, AUTHOR, article.authors), (ARTICLE_KEYWORD, KEYWORD, article.keywords)):
        if replace:
            connection.execute(delete(link).where(link.c.article_id == article_id))
        if not names:
            continue
        cut = [name[:_LONGEST] for name in names]
        ids = _find_ids(connection, table, sorted(set(cut)))
        column = f"{table.name}_id"
        rows = [{"article_id": article_id, "position": place, column: ids[name]} for place, name in enumerate(cut, start=1)]
        _LINK[link].run_many(connection, rows)


def _find_ids(connection: Connection, table: Table, names: Sequence[str]) -> dict[str, int]:
    """Return the ids of names, adding new ones."""
    if not names:
        return {}
    known = dict(_OF_NAMES[table].run(connection, {"names": names}))
    missing = [name for name in names if name not in known]
    if missing:
        connection.execute(_make_insertion(table, connection.dialect.name), [{"name": name} for name in missing])
        known |= dict(_OF_NAMES[table].run(connection, {"names": missing}))
    return known


@lru_cache(maxsize=6)
def _make_insertion(table: Table, dialect: str) -> Any:
    return make_insert(dialect, table).on_conflict_do_nothing()


class NamesOf(FunctionElement[Any]):
    """The authors or keywords of a row's article, in order, as a list."""

    type = JSON()
    inherit_cache = True


@compiles(NamesOf, "sqlite")
def _sqlite(element: Any, compiler: Any, **kwargs: Any) -> str:
    (named,) = (compiler.process(part, **kwargs) for part in element.clauses)
    return (
        f"(SELECT json_group_array(name) FROM (SELECT {named}.name FROM article_{named} JOIN {named} ON {named}.id = {named}_id "  # noqa: S608  our own names
        f"WHERE article_{named}.article_id = article.id ORDER BY position))"
    )


@compiles(NamesOf, "postgresql")
def _postgresql(element: Any, compiler: Any, **kwargs: Any) -> str:
    (named,) = (compiler.process(part, **kwargs) for part in element.clauses)
    return (
        f"(SELECT json_agg({named}.name ORDER BY position) FROM article_{named} JOIN {named} ON {named}.id = {named}_id "  # noqa: S608  our own names
        f"WHERE article_{named}.article_id = article.id)"
    )


#: Columns of a SELECT from `article`.
AUTHORS = NamesOf(literal_column("author")).label("authors")
KEYWORDS = NamesOf(literal_column("keyword")).label("keywords")
SECTION_NAME = (
    select(SECTION.c.name).where(SECTION.c.id == ARTICLE.c.section_id).correlate(ARTICLE).scalar_subquery().label("section")
)


#: Kind of the first paragraph in the column `paragraphs` where it is the lead.
LEAD = "lead"
#: Columns filled after an article was extracted.
LATER = tuple(field.name for field in FIELDS if field.column and field.exported)
_COLUMNS = tuple(field.name for field in FIELDS if field.column and not field.exported)
_READ = tuple(name for name in _COLUMNS if name not in {"word_count", "published_precision"})  # computed, and an enum
_KINDS = {LEAD: ParagraphKind.PARAGRAPH} | {str(kind): kind for kind in ParagraphKind}


def digest(*parts: str) -> bytes:
    """Return the BLAKE2b hash, 16 bytes, of the parts."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def offset_minutes(moment: datetime | None) -> int | None:
    """Return the UTC offset of a time in minutes."""
    offset = moment.utcoffset() if moment else None
    return round(offset.total_seconds() / 60) if offset is not None else None


def texts_of(article: Article) -> dict[str, Any]:
    """Return the columns `lead` and `paragraphs`; a lead that is the first paragraph is marked there and not repeated."""
    paragraphs = [_write_paragraph(p) for p in article.paragraphs]
    first = article.paragraphs[0] if article.paragraphs else None
    if first is None or article.lead is None or first.text != article.lead or first.kind is not ParagraphKind.PARAGRAPH:
        return {"lead": article.lead, "paragraphs": paragraphs}
    paragraphs[0][0] = LEAD
    return {"lead": None, "paragraphs": paragraphs}


def make_row(portal_id: int, article: Article) -> dict[str, Any]:
    """Return the columns that an article fills, without its hashes, its section, authors and keywords."""
    is_canonical = article.canonical_url is not None and article.canonical_url == article.url
    stands_in = article.description_is_lead and article.description == _get_first_text(article.lead, article.paragraphs)
    return {
        "portal_id": portal_id,
        **{name: getattr(article, name) for name in _COLUMNS},
        "is_canonical": is_canonical,
        "canonical_url": None if is_canonical else article.canonical_url,
        **texts_of(article),
        "description": None if stands_in else article.description,
        "published_at": article.published_at,
        "published_offset_minutes": offset_minutes(article.published_at),
        "modified_at": article.modified_at,
        "modified_offset_minutes": offset_minutes(article.modified_at),
        "fetched_at": article.fetched_at or datetime.now(UTC),
    }


def local_time(moment: datetime | None, minutes: int | None) -> datetime | None:
    """Return a time on the clock of its offset."""
    if moment is None or minutes is None:
        return moment
    return moment.astimezone(_make_zone(minutes))


@lru_cache(maxsize=200)
def _make_zone(minutes: int) -> timezone:
    return timezone(timedelta(minutes=minutes))


def paragraphs_of(stored: list[list[str]]) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a column."""
    return tuple(map(_read_paragraph, stored))


def _write_paragraph(paragraph: Paragraph) -> list[str]:
    """Return kind and text, and where there are any the post, the structure and the lines as written or the cells.

    The structure is the level, with # before it for a numbered item and .7 behind it for its number; or th for a row of headings.
    """
    number = f".{paragraph.number}" if paragraph.number is not None else ""
    structure = "th" if paragraph.is_header else f"{'#' * paragraph.is_numbered}{paragraph.level or ''}{number}"
    parts = paragraph.lines or paragraph.cells
    found = [str(paragraph.kind), paragraph.text, str(paragraph.post or ""), structure, *parts]
    while not found[-1] and len(found) > 2 and not parts:
        found.pop()
    return found


def _read_paragraph(stored: list[str]) -> Paragraph:
    kind, text, post, structure, *parts = [*stored, "", ""][: max(4, len(stored))]
    level, _, number = structure.removeprefix("#").partition(".")
    is_row = kind == ParagraphKind.TABLE_ROW
    return Paragraph(
        kind=_KINDS[kind], text=text, post=int(post) if post else None, level=int(level) if level.isdecimal() else None,
        is_numbered=structure.startswith("#"), is_header=structure == "th", number=int(number) if number else None,
        lines=() if is_row else tuple(parts), cells=tuple(parts) if is_row else (),
    )  # fmt: skip


def lead_of(lead: str | None, stored: list[list[str]]) -> str | None:
    """Return the lead from the columns `lead` and `paragraphs`."""
    return stored[0][1] if lead is None and stored and stored[0][0] == LEAD else lead


def _get_first_text(lead: str | None, body: tuple[Paragraph, ...]) -> str | None:
    """Return the text that replaces a missing description."""
    return lead or (body[0].text if body else None)


def joined_articles() -> Select[Any]:
    """Select articles with names from other tables."""
    query = select(ARTICLE, PORTAL.c.name.label("portal"), SECTION_NAME, AUTHORS, KEYWORDS)
    # an outer join: without statistics, SQLite would start with the portals, and sort
    return query.select_from(ARTICLE.outerjoin(PORTAL))


def stored_of(row: Any) -> StoredArticle:
    """Return the article of a row of `joined_articles`."""
    body = paragraphs_of(row.paragraphs)
    lead = lead_of(row.lead, row.paragraphs)
    stands_in = row.description_is_lead and row.description is None
    article = Article(
        **{name: getattr(row, name) for name in _READ},
        paragraphs=body,
        canonical_url=row.url if row.is_canonical else row.canonical_url,
        lead=lead,
        description=_get_first_text(lead, body) if stands_in else row.description,
        authors=tuple(row.authors or ()),
        published_at=local_time(row.published_at, row.published_offset_minutes),
        published_precision=DatePrecision(row.published_precision) if row.published_precision else None,
        modified_at=local_time(row.modified_at, row.modified_offset_minutes),
        section=row.section,
        keywords=tuple(row.keywords or ()),
        fetched_at=row.fetched_at,
        portal=row.portal,
    )
    later = {name: getattr(row, name) for name in LATER}
    return StoredArticle(id=row.id, article=article, similar_to=row.similar_to_id, **later)


#: Columns that make up an article's record; the others identify it, are computed, or are filled later.
_RELEASED_TIMES = ("published_at", "modified_at", "fetched_at")
_IDENTITY = {
    "id", "portal_id", "section_id", "url_hash", "text_hash", "minhash", "similar_to_id", "word_count", "dated_at", "day",
}  # fmt: skip
_NAMES = ("portal", "section", "authors", "keywords")
_RELEASED = (*(column.name for column in ARTICLE.columns if column.name not in _IDENTITY | set(LATER)), *_NAMES)
_CHUNK = 400
#: The record is in a release and equals the current article.
_HOLDS = RELEASE_DOCUMENT.c.record_hash.is_not(None) & RELEASE_DOCUMENT.c.record_id.is_(None) & RELEASE_DOCUMENT.c.lost.is_(None)
_HELD = (
    select(RELEASE_DOCUMENT.c.article_id)
    .distinct()
    .where(RELEASE_DOCUMENT.c.article_id.in_(bindparam("ids", expanding=True)) & _HOLDS)
)
_OF_ARTICLE = RELEASE_DOCUMENT.c.article_id == bindparam("which")


def record_hash(article: Article) -> bytes:
    """Return the BLAKE2b hash, 16 bytes, of the whole record of an article."""
    record = article.as_dict()
    try:
        data = orjson.dumps(record)
    except TypeError:  # orjson does not encode lone surrogates
        data = json.dumps(record).encode()
    return blake2b(data, digest_size=16).digest()


def keep_released(connection: Connection, article_ids: Sequence[int], *, keeps_earlier: bool = True) -> None:
    """Keep the records of released articles; call before the articles change, in the same transaction.

    Without `keeps_earlier`, the publisher does not allow kept copies, and the record is lost.
    """
    for start in range(0, len(article_ids), _CHUNK):
        held = list(connection.execute(_HELD, {"ids": article_ids[start : start + _CHUNK]}).scalars())
        if held and not keeps_earlier:
            lost = update(RELEASE_DOCUMENT).where(RELEASE_DOCUMENT.c.article_id.in_(held) & _HOLDS)
            connection.execute(lost.values(lost=ReleaseLoss.RESERVED))
        elif held:
            for row in connection.execute(joined_articles().where(ARTICLE.c.id.in_(held))).all():
                values = {"article_id": row.id, "record": _record(row)}
                record_id = connection.execute(insert(RELEASED_RECORD).returning(RELEASED_RECORD.c.id), values).scalar_one()
                connection.execute(
                    update(RELEASE_DOCUMENT).where(_OF_ARTICLE & _HOLDS).values(record_id=record_id), {"which": row.id}
                )


def forget_released(connection: Connection, article_ids: Sequence[int]) -> None:
    """Mark released articles as removed together with their records; releases keep their URLs."""
    url = select(ARTICLE.c.url).where(ARTICLE.c.id == RELEASE_DOCUMENT.c.article_id).scalar_subquery()
    there = RELEASE_DOCUMENT.c.article_id.in_(article_ids) & RELEASE_DOCUMENT.c.record_hash.is_not(None)
    there &= RELEASE_DOCUMENT.c.lost.is_distinct_from(ReleaseLoss.REMOVED)
    connection.execute(update(RELEASE_DOCUMENT).where(there).values(lost=ReleaseLoss.REMOVED, url=url))


def released_article(article_id: int, record: Mapping[str, Any]) -> StoredArticle:
    """Return the article of a kept record."""
    values: dict[str, Any] = dict.fromkeys(_RELEASED) | dict(record)
    values |= {name: datetime.fromisoformat(values[name]) for name in _RELEASED_TIMES if values[name]}
    values |= {
        "id": article_id, "similar_to_id": None, "corrections": 0, "corrected_at": None, "gone_at": None, "http_status": None,
    }  # fmt: skip
    return stored_of(SimpleNamespace(**values))


def _record(row: Any) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in _RELEASED}
    return values | {name: values[name].isoformat() for name in _RELEASED_TIMES if values[name]}
