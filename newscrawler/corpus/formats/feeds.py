"""Feeds of articles: Atom (RFC 4287) and JSON Feed 1.1."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from newscrawler import __version__
from newscrawler.formats import clean_text, escape_xml, quote_xml, write_html_body
from newscrawler.store.articles import StoredArticle

#: In place of a reserved text; JSON Feed requires one.
_NO_TEXT = "The text is at the address of the article only."
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """An article in a feed."""

    stored: StoredArticle
    #: Its text may be sent.
    has_text: bool

    @property
    def updated_at(self) -> datetime:
        """Return when it was published or corrected, or else fetched."""
        article = self.stored.article
        return max(filter(None, (article.published_at, self.stored.corrected_at)), default=article.fetched_at or _NEVER)

    @property
    def changed_at(self) -> datetime:
        """Return when we fetched or corrected it."""
        return max(filter(None, (self.stored.article.fetched_at, self.stored.corrected_at)), default=_NEVER)


def write_atom(title: str, address: str, page: str, entries: Sequence[FeedEntry]) -> str:
    """Return a feed; `address` is that of the feed, `page` shows the same articles."""
    updated = max((each.updated_at for each in entries), default=_NEVER)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>{uuid5(NAMESPACE_URL, address).urn}</id><title>{escape_xml(title)}</title>"
        f"<updated>{updated.isoformat()}</updated>"
        f'<link rel="self" type="application/atom+xml" href={quote_xml(address)}/>'
        f'<link rel="alternate" type="text/html" href={quote_xml(page)}/>'
        f'<generator version="{__version__}">newscrawler</generator>\n'
        f"{''.join(map(_write_atom_entry, entries))}</feed>\n"
    )


def _write_atom_entry(entry: FeedEntry) -> str:
    article = entry.stored.article
    url, language = article.url or "", f" xml:lang={quote_xml(article.language)}" if article.language else ""
    names = article.authors or (article.portal or "unknown",)
    authors = "".join(f"<author><name>{escape_xml(name)}</name></author>" for name in names)
    published = f"<published>{article.published_at.isoformat()}</published>" if article.published_at else ""
    section = f"<category term={quote_xml(article.section)}/>" if article.section else ""
    text = ""
    if entry.has_text:
        lead = f"<summary>{escape_xml(article.lead)}</summary>" if article.lead else ""
        text = f'{lead}<content type="html">{escape_xml(write_html_body(article))}</content>'
    return (
        f"<entry{language}><id>{escape_xml(url)}</id><title>{escape_xml(article.title)}</title><link href={quote_xml(url)}/>"
        f"{published}<updated>{entry.updated_at.isoformat()}</updated>{authors}{section}{text}</entry>\n"
    )


def write_json_feed(title: str, address: str, page: str, entries: Sequence[FeedEntry]) -> str:
    """Return a feed; its addresses are left out unless they are absolute."""
    addresses = {"home_page_url": page, "feed_url": address} if "://" in address else {}
    head = {"version": "https://jsonfeed.org/version/1.1", "title": clean_text(title)}
    return json.dumps(head | addresses | {"items": list(map(_make_json_item, entries))}, ensure_ascii=False) + "\n"


def _make_json_item(entry: FeedEntry) -> dict[str, Any]:
    article = entry.stored.article
    item = {
        "id": article.url, "url": article.url, "title": article.title, "language": article.language,
        "date_published": article.published_at.isoformat() if article.published_at else None,
        "date_modified": entry.updated_at.isoformat(), "authors": [{"name": name} for name in article.authors],
        "tags": [article.section] if article.section else None,
        "summary": article.lead if entry.has_text else None,
        "content_html": write_html_body(article) if entry.has_text else None,
        "content_text": None if entry.has_text else _NO_TEXT,
    }  # fmt: skip
    return {name: value for name, value in item.items() if value}
