"""An article as a row of its table, and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from hashlib import blake2b
from typing import Any

from sqlalchemy import Row

from newscrawler.article import Article, DatePrecision, Paragraph, ParagraphKind
from newscrawler.store.records import StoredArticle


def digest(*parts: str) -> bytes:
    """BLAKE2b, 16 bytes, over the parts."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def offset_minutes(moment: datetime | None) -> int | None:
    """The offset of a time, as a column holds it."""
    offset = moment.utcoffset() if moment else None
    return round(offset.total_seconds() / 60) if offset is not None else None


def values_of(portal_id: int, article: Article) -> dict[str, Any]:
    """What the columns of an article hold, but for its hashes."""
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
        "published_offset_minutes": offset_minutes(article.published_at),
        "published_precision": article.published_precision,
        "published_source": article.published_source,
        "offset_given": article.offset_given,
        "modified_at": article.modified_at,
        "modified_offset_minutes": offset_minutes(article.modified_at),
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


def paragraphs_of(stored: list[list[str]]) -> tuple[Paragraph, ...]:
    """The paragraphs that a column holds."""
    return tuple(
        Paragraph(kind=ParagraphKind(kind), text=text, post=int(post[0]) if post else None) for kind, text, *post in stored
    )


def stored_of(row: Row[Any]) -> StoredArticle:
    """The article of a row that has the name of its portal too."""
    article = Article(
        headline=row.headline,
        body=paragraphs_of(row.paragraphs),
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
    later = {name: getattr(row, name) for name in ("similar_to", "corrections", "corrected_at", "gone_at", "http_status")}
    return StoredArticle(id=row.id, article=article, **later)
