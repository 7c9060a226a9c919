"""Kept pages: finds the WARC record of an article or URL, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, insert, select, update

from newscrawler.store.archive.page_records import PageLocation, PageSelection, StoredPage, WarcFile
from newscrawler.store.articles.article_rows import digest
from newscrawler.store.articles.articles import select_articles
from newscrawler.store.articles.records import Selection
from newscrawler.store.database import StorePart, fill_record, make_insert
from newscrawler.store.statements import match_given
from newscrawler.store.tables import ARTICLE, FRONTIER, PAGE, PORTAL, REVIEW, SECTION, WARC_FILE
from newscrawler.store.vocabularies import Reason, UrlOutcome, reason_values

_CHUNK = 400
_INSERT = insert(PAGE)


def add_pages(
    connection: Connection,
    *,
    portal_id: int,
    round_number: int,
    pages: Sequence[tuple[PageLocation, str | None]],
    reason: Reason | None = None,
    article_id: int | None = None,
    drift_note: Mapping[str, Any] | None = None,
    files: dict[str, int] | None = None,
) -> None:
    """Store the locations of kept pages with their outcomes; `reason`, `article_id` and `drift_note` are those of the first.

    `files`: ids of known files by path; new ones are added. Discard it after a rollback.
    """
    known = {} if files is None else files
    rows = [
        {
            **_make_location(connection, portal_id, page, known),
            "round": round_number,
            "outcome": outcome,
            **(reason_values(None if number else reason)),
            "article_id": article_id,
            "reading": None if number or drift_note is None else dict(drift_note),
        }
        for number, (page, outcome) in enumerate(pages)
    ]
    if rows:
        connection.execute(_INSERT, rows)


def _make_location(connection: Connection, portal_id: int, page: PageLocation, files: dict[str, int]) -> dict[str, Any]:
    if page.warc not in files:
        files[page.warc] = _find_warc_id(connection, portal_id, page)
    return {
        "portal_id": portal_id, "warc_id": files[page.warc], "url": page.url, "url_hash": digest(page.url),
        "fetched_at": page.fetched_at, "warc_offset": page.offset, "warc_length": page.length, "size": page.size,
        "digest": page.digest[:60],
    }  # fmt: skip


def _find_warc_id(connection: Connection, portal_id: int, page: PageLocation) -> int:
    query = select(WARC_FILE.c.id).where((WARC_FILE.c.portal_id == portal_id) & (WARC_FILE.c.path == page.warc))
    found = connection.execute(query).scalar()
    if found is not None:
        return int(found)
    values = {"portal_id": portal_id, "path": page.warc, "created_at": page.fetched_at}
    connection.execute(make_insert(connection.dialect.name, WARC_FILE).values(values).on_conflict_do_nothing())
    return int(connection.execute(query).scalar_one())


class Pages(StorePart):
    """The kept pages of all portals."""

    def get(self, page_id: int) -> StoredPage | None:
        """Return the page with this id, if there is one."""
        row = self._read_first(_PAGES.where(PAGE.c.id == page_id))
        return _make_stored_page(row) if row else None

    def select(self, selection: PageSelection) -> Iterator[StoredPage]:
        """Yield a selection in constant memory."""
        query = _narrow(_PAGES, selection)
        order = (PAGE.c.fetched_at, PAGE.c.id)
        query = query.order_by(*(column.desc() for column in order)) if selection.newest_first else query.order_by(*order)
        if selection.limit is not None:
            query = query.limit(selection.limit)
        return map(_make_stored_page, self._stream(query))

    def of_article(self, article_id: int) -> StoredPage | None:
        """Return the newest page of an article, preferring the one at its own URL."""
        own = (PAGE.c.url == ARTICLE.c.url).desc()
        query = _PAGES.where((PAGE.c.article_id == article_id) & (PAGE.c.outcome == UrlOutcome.ARTICLE))
        row = self._read_first(query.order_by(own, PAGE.c.fetched_at.desc(), PAGE.c.id.desc()).limit(1))
        return _make_stored_page(row) if row else None

    def parts_of(self, page: StoredPage) -> dict[str, PageLocation]:
        """Return the further pages of an article fetched with a page, by URL."""
        of_it = PageSelection(portal=page.portal, article_id=page.article_id, outcome="part", newest_first=False)
        if page.article_id is None:
            return {}
        mine = (found for found in self.select(of_it) if found.round == page.round)
        return {found.kept.url: found.kept for found in mine}

    def hints_of(self, page: StoredPage) -> tuple[tuple[str, str], ...]:
        """Return the hints of a page's date found next to its links: (source, text)."""
        query = (
            select(FRONTIER.c.hints)
            .join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
            .where((PORTAL.c.name == page.portal) & (FRONTIER.c.url_hash == digest(page.kept.url)))
        )
        found = self._read_value(query)
        return tuple((source, text) for source, text in found or ())

    def articles_of(self, selection: PageSelection) -> list[int]:
        """Return the ids of the articles of a selection of pages, oldest first."""
        query = (
            select(PAGE.c.article_id)
            .join(PORTAL, PORTAL.c.id == PAGE.c.portal_id)
            .where((PAGE.c.outcome == UrlOutcome.ARTICLE) & PAGE.c.article_id.is_not(None))
            .distinct()
            .order_by(PAGE.c.article_id)
        )
        return [int(row.article_id) for row in self._read(_narrow(query, selection))]

    def drift_notes(self, portal: str, round_number: int) -> Iterator[Mapping[str, Any]]:
        """Yield how the pages of a round were extracted, in constant memory."""
        query = (
            select(PAGE.c.reading)
            .join(PORTAL, PORTAL.c.id == PAGE.c.portal_id)
            .where((PORTAL.c.name == portal) & (PAGE.c.round == round_number) & PAGE.c.reading.is_not(None))
            .order_by(PAGE.c.id)
        )
        return (row.reading for row in self._stream(query))

    def files(self, portal: str | None = None) -> list[WarcFile]:
        """Return the WARC files, oldest first."""
        reviewed = select(REVIEW.c.page_id)
        query = (
            select(
                WARC_FILE.c.id, WARC_FILE.c.path, WARC_FILE.c.created_at.label("began_at"), PORTAL.c.name.label("portal"),
                func.count(PAGE.c.id).label("pages"),
                func.coalesce(func.sum(PAGE.c.warc_length), 0).label("bytes"),
                func.count(PAGE.c.id).filter(PAGE.c.id.in_(reviewed)).label("reviewed"),
                func.coalesce(func.min(PAGE.c.warc_offset), 0).label("first"),
                func.coalesce(func.max(PAGE.c.warc_offset + PAGE.c.warc_length), 0).label("end"),
            )
            .select_from(WARC_FILE.join(PORTAL).outerjoin(PAGE, PAGE.c.warc_id == WARC_FILE.c.id))
            .group_by(WARC_FILE.c.id, WARC_FILE.c.path, WARC_FILE.c.created_at, PORTAL.c.name)
            .where(*match_given((PORTAL.c.name, portal)))
            .order_by(WARC_FILE.c.created_at, WARC_FILE.c.id)
        )  # fmt: skip
        return [fill_record(WarcFile, row, reviewed=bool(row.reviewed), bytes=int(row.bytes)) for row in self._read(query)]

    def records(self, file_id: int) -> list[tuple[int, int, int]]:
        """Return (page, offset, length) of a file's records known to the database, in file order."""
        query = (
            select(PAGE.c.id, PAGE.c.warc_offset, PAGE.c.warc_length).where(PAGE.c.warc_id == file_id).order_by(PAGE.c.warc_offset)
        )
        return [(row.id, row.warc_offset, row.warc_length) for row in self._read(query)]

    def rewritten(self, file_id: int, path: str, places: Mapping[int, int]) -> None:
        """Store that a file was rewritten under another name; `places` are the records' new offsets, by page."""
        with self._writing() as connection:
            connection.execute(update(WARC_FILE).where(WARC_FILE.c.id == file_id).values(path=path))
            rows = [{"page": page, "place": place} for page, place in places.items()]
            statement = update(PAGE).where(PAGE.c.id == bindparam("page")).values(warc_offset=bindparam("place"))
            if rows:
                connection.execute(statement, rows)

    def forget(self, files: Sequence[int]) -> int:
        """Delete files and their pages from the database; return the number of pages."""
        gone = 0
        with self._writing() as connection:
            for start in range(0, len(files), _CHUNK):
                some = files[start : start + _CHUNK]
                gone += connection.execute(delete(PAGE).where(PAGE.c.warc_id.in_(some))).rowcount
                connection.execute(delete(WARC_FILE).where(WARC_FILE.c.id.in_(some)))
        return gone

    def move(self, page_id: int, *, warc: str, offset: int, length: int) -> None:
        """Store the new location of a page."""
        with self._writing() as connection:
            row = connection.execute(_PAGES.where(PAGE.c.id == page_id)).one()
            moved = replace(_make_stored_page(row).kept, warc=warc, offset=offset, length=length)
            there = _make_location(connection, row.portal_id, moved, {})
            connection.execute(update(PAGE).where(PAGE.c.id == page_id).values(there))


#: Built once, as it runs for every page that is read again.
_PAGES = select(
    PAGE, PORTAL.c.name.label("portal"), WARC_FILE.c.path, SECTION.c.name.label("section"), ARTICLE.c.published_at
).select_from(
    PAGE.join(WARC_FILE, WARC_FILE.c.id == PAGE.c.warc_id)
    .join(PORTAL, PORTAL.c.id == PAGE.c.portal_id)
    .outerjoin(ARTICLE, ARTICLE.c.id == PAGE.c.article_id)
    .outerjoin(SECTION, SECTION.c.id == ARTICLE.c.section_id)
)


def _narrow(query: Select[Any], selection: PageSelection) -> Select[Any]:
    given = ((PORTAL.c.name, selection.portal), (PAGE.c.outcome, selection.outcome), (PAGE.c.article_id, selection.article_id))
    query = query.where(*match_given(*given))
    if selection.since is not None:
        query = query.where(PAGE.c.fetched_at >= selection.since)
    if selection.before is not None:
        query = query.where(PAGE.c.fetched_at < selection.before)
    if selection.url is not None:
        query = query.where((PAGE.c.url_hash == digest(selection.url)) & (PAGE.c.url == selection.url))
    if selection.reserved:
        permitted = select_articles(Selection(**selection.reserved), ARTICLE.c.id)
        query = query.where(PAGE.c.article_id.is_(None) | PAGE.c.article_id.in_(permitted))
    return query


def _make_stored_page(row: Row[Any]) -> StoredPage:
    kept = fill_record(PageLocation, row, {"warc": "path", "offset": "warc_offset", "length": "warc_length"})
    return fill_record(
        StoredPage,
        row,
        {"drift_note": "reading"},
        kept=kept,
        reason=f"{row.reason}: {row.detail}" if row.reason and row.detail else row.reason,
    )
