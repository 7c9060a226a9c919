"""The example queries of docs/schema.md, for SQLite and for PostgreSQL; a test runs them all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question and its answer in SQL."""

    question: str
    sqlite: str
    #: Empty: as for SQLite.
    postgresql: str = ""

    def text(self, dialect: str) -> str:
        """Return the statement for a dialect."""
        return (self.postgresql or self.sqlite) if dialect == "postgresql" else self.sqlite


QUERIES = (
    Query(
        question="The newest articles",
        sqlite="""\
SELECT portal, published_local, title, authors
FROM v_article
ORDER BY dated_at DESC, id DESC
LIMIT 20;""",
    ),
    Query(
        question="The article that stands, or once stood, at a URL",
        sqlite="""\
SELECT v_article.*
FROM v_article_url JOIN v_article ON v_article.id = v_article_url.article_id
WHERE v_article_url.url = 'https://www.example.org/sport/match-1.html';""",
    ),
    Query(
        question="All articles of an author",
        sqlite="""\
SELECT article.day, article.title, article.url
FROM author
JOIN article_author ON article_author.author_id = author.id
JOIN article ON article.id = article_author.article_id
WHERE author.name LIKE '%Markéta%'
ORDER BY article.dated_at;""",
        postgresql="""\
SELECT article.day, article.title, article.url
FROM author
JOIN article_author ON article_author.author_id = author.id
JOIN article ON article.id = article_author.article_id
WHERE author.name ILIKE '%markéta%'
ORDER BY article.dated_at;""",
    ),
    Query(
        question="Articles and words of each portal by month",
        sqlite="""\
SELECT portal.name AS portal, strftime('%Y-%m', article.day) AS month, count(*) AS articles, sum(article.word_count) AS words
FROM article JOIN portal ON portal.id = article.portal_id
GROUP BY portal.name, month
ORDER BY portal.name, month;""",
        postgresql="""\
SELECT portal.name AS portal, to_char(article.day, 'YYYY-MM') AS month, count(*) AS articles, sum(article.word_count) AS words
FROM article JOIN portal ON portal.id = article.portal_id
GROUP BY portal.name, month
ORDER BY portal.name, month;""",
    ),
    Query(
        question="The articles of a portal on one day, with their text",
        sqlite="""\
SELECT title, body
FROM v_article
WHERE portal = 'example' AND day = '2026-02-01'
ORDER BY id;""",
    ),
    Query(
        question="The most frequent keywords of a section since a day",
        sqlite="""\
SELECT keyword.name, count(*) AS articles
FROM section
JOIN article ON article.section_id = section.id
JOIN article_keyword ON article_keyword.article_id = article.id
JOIN keyword ON keyword.id = article_keyword.keyword_id
WHERE section.name = 'Sport' AND article.day >= '2026-01-01'
GROUP BY keyword.name
ORDER BY articles DESC, keyword.name
LIMIT 20;""",
    ),
    Query(
        question="Paragraphs one by one: all quotations of articles in a language",
        sqlite="""\
SELECT article.id, json_extract(paragraph.value, '$[1]') AS quotation
FROM article, json_each(article.paragraphs) AS paragraph
WHERE article.language = 'cs' AND json_extract(paragraph.value, '$[0]') = 'quote'
LIMIT 100;""",
        postgresql="""\
SELECT article.id, paragraph ->> 1 AS quotation
FROM article, json_array_elements(article.paragraphs) AS paragraph
WHERE article.language = 'cs' AND paragraph ->> 0 = 'quote'
LIMIT 100;""",
    ),
    Query(
        question="Articles that a portal has changed, with their first title",
        sqlite="""\
SELECT article.id, revision.title AS first_title, article.title,
  count(*) AS corrections, min(revision.fetched_at) AS first_seen
FROM revision JOIN article ON article.id = revision.article_id
WHERE revision.reason = 'corrected'
GROUP BY article.id
ORDER BY corrections DESC, article.id;""",
        postgresql="""\
SELECT article.id, (array_agg(revision.title ORDER BY revision.id))[1] AS first_title, article.title,
  count(*) AS corrections, min(revision.fetched_at) AS first_seen
FROM revision JOIN article ON article.id = revision.article_id
WHERE revision.reason = 'corrected'
GROUP BY article.id
ORDER BY corrections DESC, article.id;""",
    ),
    Query(
        question="What is missing: why URLs gave no article, by portal",
        sqlite="""\
SELECT portal.name AS portal, frontier.state, frontier.reason, count(*) AS urls
FROM frontier JOIN portal ON portal.id = frontier.portal_id
WHERE frontier.article_id IS NULL AND frontier.reason IS NOT NULL
GROUP BY portal.name, frontier.state, frontier.reason
ORDER BY portal.name, urls DESC, frontier.reason;""",
    ),
    Query(
        question="The latest run of each portal, and how much of what it found is stored",
        sqlite="""\
SELECT v_run.portal, v_run.started_at, v_run.end_reason, v_run.new_articles,
  sum(v_coverage.stored) AS stored, sum(v_coverage.urls) AS urls
FROM v_run JOIN v_coverage ON v_coverage.portal = v_run.portal
WHERE v_run.id IN (SELECT max(id) FROM run GROUP BY portal_id)
GROUP BY v_run.portal, v_run.started_at, v_run.end_reason, v_run.new_articles
ORDER BY v_run.portal;""",
    ),
)
