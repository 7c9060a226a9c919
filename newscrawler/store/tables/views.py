"""Views for people who write SQL. Migrations drop and create them again, as they cannot rebuild tables that views read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, text

from newscrawler.article import FIELDS

#: What differs between the dialects, by the name that the statements below use for it.
_EXPRESSIONS: Mapping[str, Mapping[str, str]] = {
    "sqlite": {
        "first_kind": "json_extract(a.paragraphs, '$[0][0]')",
        "first_text": "json_extract(a.paragraphs, '$[0][1]')",
        "body": "(SELECT group_concat(json_extract(piece.value, '$[1]'), char(10)) FROM json_each(a.paragraphs) AS piece)",
        "authors": "(SELECT group_concat(name, '; ') FROM (SELECT name FROM article_author JOIN author ON author.id = author_id "
        "WHERE article_id = a.id ORDER BY position))",
        "keywords": "(SELECT group_concat(name, '; ') FROM (SELECT name FROM article_keyword JOIN keyword "
        "ON keyword.id = keyword_id WHERE article_id = a.id ORDER BY position))",
        "local": "strftime('%Y-%m-%d %H:%M', a.published_at, coalesce(a.published_offset_minutes, 0) || ' minutes')",
        "offset": "CASE WHEN a.published_offset_minutes < 0 THEN '-' ELSE '+' END || printf('%02d:%02d', "
        "abs(a.published_offset_minutes) / 60, abs(a.published_offset_minutes) % 60)",
        "seconds": "CAST(round((julianday(coalesce(r.ended_at, r.heartbeat_at)) - julianday(r.started_at)) * 86400) AS INTEGER)",
        "count": "coalesce(json_extract(r.counts, '$.{}'), 0)",
        "found_on": "date(f.found_at)",
    },
    "postgresql": {
        "first_kind": "a.paragraphs -> 0 ->> 0",
        "first_text": "a.paragraphs -> 0 ->> 1",
        "body": "(SELECT string_agg(piece ->> 1, chr(10) ORDER BY place) "
        "FROM json_array_elements(a.paragraphs) WITH ORDINALITY AS pieces(piece, place))",
        "authors": "(SELECT string_agg(name, '; ' ORDER BY position) FROM article_author JOIN author ON author.id = author_id "
        "WHERE article_id = a.id)",
        "keywords": "(SELECT string_agg(name, '; ' ORDER BY position) FROM article_keyword JOIN keyword ON keyword.id = keyword_id "
        "WHERE article_id = a.id)",
        "local": "to_char(timezone('UTC', a.published_at) + coalesce(a.published_offset_minutes, 0) * interval '1 minute', "
        "'YYYY-MM-DD HH24:MI')",
        "offset": "CASE WHEN a.published_offset_minutes < 0 THEN '-' ELSE '+' END || to_char(abs(a.published_offset_minutes) / 60, "
        "'FM00') || ':' || to_char(abs(a.published_offset_minutes) % 60, 'FM00')",
        "seconds": "CAST(round(extract(epoch FROM coalesce(r.ended_at, r.heartbeat_at) - r.started_at)) AS integer)",
        "count": "coalesce(CAST(r.counts ->> '{}' AS bigint), 0)",
        "found_on": "CAST(timezone('UTC', f.found_at) AS date)",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseView:
    """A view, described as a table is."""

    name: str
    comment: str
    #: (name, expression, comment); an expression in braces is one of the dialect's.
    columns: tuple[tuple[str, str, str], ...]
    #: From FROM on.
    source: str

    def statement(self, dialect: str) -> str:
        """Return the SELECT of a dialect."""
        parts = ",\n  ".join(f"{self._format_expression(expression, dialect)} AS {name}" for name, expression, _ in self.columns)
        return f"SELECT\n  {parts}\n{self._format_expression(self.source, dialect)}"

    @staticmethod
    def _format_expression(template: str, dialect: str) -> str:
        known = _EXPRESSIONS[dialect]
        counts = {f"count_{name}": known["count"].format(name) for name in _COUNTS}
        return template.format(**known, **counts)


_COUNTS = ("requests", "pages", "bytes", "new_articles", "corrected", "undated")

#: Columns of `v_article`: expression and comment, or None for a field that is a column of `article`.
_ARTICLE_COLUMNS: Mapping[str, tuple[str, str] | None] = {
    "id": ("a.id", "Number of the article."),
    "portal": ("p.name", "Name of the portal."),
    "section": ("s.name", "Name of the section."),
    "day": ("a.day", "Local day of publication; without a date, the UTC day of fetching."),
    "title": None,
    "lead": ("coalesce(a.lead, CASE WHEN {first_kind} = 'lead' THEN {first_text} END)", "Lead."),
    "body": ("{body}", "Body with the lead first, paragraphs separated by line breaks."),
    "authors": ("{authors}", "Authors in the order of the byline, separated by semicolons."),
    "keywords": ("{keywords}", "Keywords, separated by semicolons."),
    "description": ("a.description", "Description that the page declares."),
    "published_local": ("{local} || coalesce({offset}, '')", "Time of publication on the clock of the page, with its offset."),
    "published_at": ("a.published_at", "Time of publication in UTC."),
    "published_precision": None,
    "modified_at": ("a.modified_at", "Time of the latest change that the page declares, in UTC."),
    "dated_at": ("a.dated_at", "Time of publication, or else of fetching, in UTC: sort by this."),
    **dict.fromkeys(("language", "language_detected", "genre", "free", "word_count", "url")),
    "canonical_url": ("CASE WHEN a.is_canonical THEN a.url ELSE a.canonical_url END", "Canonical URL that the page declares."),
    "image_url": None,
    "publisher": None,
    "fetched_at": ("a.fetched_at", "Time of fetching, in UTC."),
    **dict.fromkeys(("method", "confidence")),
    "similar_to_id": ("a.similar_to_id", "Earlier article with nearly the same text."),
}
_SHOWN = {field.name: (f"a.{field.name}", field.meaning) for field in FIELDS if field.column and field.view}

V_ARTICLE = DatabaseView(
    name="v_article",
    comment="Articles with everything that other tables contain of them.",
    columns=tuple((name, *(_ARTICLE_COLUMNS.get(name) or _SHOWN[name])) for name in {**_ARTICLE_COLUMNS, **_SHOWN}),
    # outer joins: SQLite without statistics would begin with the portals, and sort
    source="FROM article AS a LEFT JOIN portal AS p ON p.id = a.portal_id LEFT JOIN section AS s ON s.id = a.section_id",
)


V_ARTICLE_URL = DatabaseView(
    name="v_article_url",
    comment="All URLs of all articles.",
    columns=(
        ("article_id", "u.article_id", "Article."),
        ("url", "u.url", "URL."),
        ("kind", "u.kind", "current, canonical, duplicate or former."),
    ),
    source="FROM (SELECT id AS article_id, url, 'current' AS kind FROM article "
    "UNION ALL SELECT article_id, url, kind FROM article_url) AS u",
)


V_RUN = DatabaseView(
    name="v_run",
    comment="Crawl runs with their main figures.",
    columns=(
        ("id", "r.id", "Number of the run."),
        ("portal", "p.name", "Name of the portal."),
        ("round", "r.round", "Round of the portal."),
        ("started_at", "r.started_at", "Start, in UTC."),
        ("ended_at", "r.ended_at", "End, in UTC; NULL while it is under way."),
        ("seconds", "{seconds}", "Duration so far, in seconds."),
        ("end_reason", "r.end_reason", "Why it ended."),
        ("end_detail", "r.end_detail", "What the reason is about."),
        ("requests", "{count_requests}", "Requests that were sent."),
        ("pages", "{count_pages}", "Pages that were received."),
        ("bytes", "{count_bytes}", "Bytes that were received."),
        ("new_articles", "{count_new_articles}", "Articles that were new."),
        ("corrected_articles", "{count_corrected}", "Articles whose text the portal had changed."),
        ("undated_articles", "{count_undated}", "New articles without a date."),
        ("version", "r.version", "Version of newscrawler."),
    ),
    source="FROM run AS r JOIN portal AS p ON p.id = r.portal_id",
)


V_COVERAGE = DatabaseView(
    name="v_coverage",
    comment="State of the URLs that were taken for articles, by portal and by the UTC day on which they were found.",
    columns=(
        ("portal", "p.name", "Name of the portal."),
        ("found_on", "{found_on}", "UTC day on which the URLs were found."),
        ("urls", "count(*)", "URLs of articles that were found."),
        ("stored", "count(f.article_id)", "URLs whose article is stored."),
        ("other", "count(*) FILTER (WHERE f.state = 'done' AND f.article_id IS NULL)", "URLs that gave no article."),
        ("waiting", "count(*) FILTER (WHERE f.state IN ('waiting', 'fetching'))", "URLs that are still to be fetched."),
        ("failed", "count(*) FILTER (WHERE f.state = 'failed')", "URLs that could not be fetched."),
        ("skipped", "count(*) FILTER (WHERE f.state = 'skipped')", "URLs that are not fetched: robots.txt, reservations, traps."),
    ),
    source="FROM frontier AS f JOIN portal AS p ON p.id = f.portal_id WHERE f.kind = 'article' OR f.outcome = 'article' "
    "GROUP BY p.name, {found_on}",
)

VIEWS = (V_ARTICLE, V_ARTICLE_URL, V_RUN, V_COVERAGE)


def drop_views(connection: Connection) -> None:
    """Drop the views, as a migration cannot rebuild a table that a view reads."""
    for view in VIEWS:
        connection.execute(text(f"DROP VIEW IF EXISTS {view.name}"))


def create_views(connection: Connection) -> None:
    """Create the views, with their comments on PostgreSQL."""
    dialect = connection.dialect.name
    for view in VIEWS:
        connection.exec_driver_sql(
            f"CREATE VIEW {view.name} AS {view.statement(dialect)}".replace("%", "%%" if dialect != "sqlite" else "%")
        )
        if dialect == "postgresql":
            comments = [(f"VIEW {view.name}", view.comment)]
            comments += [(f"COLUMN {view.name}.{name}", comment) for name, _, comment in view.columns]
            for target, comment in comments:
                quoted = comment.replace("'", "''")
                connection.exec_driver_sql(f"COMMENT ON {target} IS '{quoted}'")
