"""Texts for people and for concordance programs (AntConc, LancsBox, WordSmith): plain text, Markdown, HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from newscrawler.article import Article
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.formats import HTML_END, clean_text, write_html_article, write_html_head
from newscrawler.store.articles import StoredArticle

#: Characters that YAML cannot contain, and XML can.
_UNPRINTABLE = re.compile("[\x7f-\x9f]")


def list_facts(stored: StoredArticle) -> Iterator[tuple[str, str]]:
    """Yield the metadata of an article as (name, value), without empty values."""
    article = stored.article
    values = {
        "id": str(stored.id), "title": article.title, "author": "; ".join(article.authors),
        "date": article.published_at.isoformat() if article.published_at else None, "portal": article.portal,
        "section": article.section, "language": article.language, "genre": article.genre, "url": article.url,
    }  # fmt: skip
    yield from ((name, value) for name, value in values.items() if value)


def write_text(stored: StoredArticle, options: Options) -> str:
    """Return title and paragraphs, a line each, optionally after lines of metadata as tags, which corpus programs skip."""
    head = ""
    if options.header:
        lines = (f"<{name}>{clean_text(value)}</{name}>" for name, value in list_facts(stored))
        head = "\n".join(lines) + "\n\n"
    return head + stored.article.to("text")


def write_markdown(stored: StoredArticle, options: Options) -> str:
    """Return an article as CommonMark, its metadata as YAML front matter."""
    head = ""
    if options.header:
        texts = ((name, _UNPRINTABLE.sub("", clean_text(value))) for name, value in list_facts(stored))
        lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in texts)
        head = "---\n" + "\n".join(lines) + "\n---\n\n"
    return head + stored.article.to("markdown")


def render_html(stored: StoredArticle, _options: Options) -> str:
    """Return an article as a page."""
    return write_html_head(stored.article.title, stored.article.language) + _write_section(stored) + HTML_END


def write_html(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write all articles as one page."""
    count = 0
    stream.write(write_html_head(options.title).encode("utf-8", "replace"))
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write(_write_section(stored).encode("utf-8", "replace"))
    stream.write(HTML_END.encode())
    return Written(articles=count)


def _write_section(stored: StoredArticle) -> str:
    written = [value for name, value in list_facts(stored) if name not in {"id", "title", "url"}]
    return write_html_article(stored.article, written, f"a{stored.id}")


def make_file_name(stored: StoredArticle, ending: str) -> str:
    """Return a file name that sorts by portal, day and id."""
    article: Article = stored.article
    portal = "".join(sign if sign.isalnum() or sign in "-." else "-" for sign in article.portal or "articles").strip(".")[:80]
    day = article.date.isoformat() if article.date else "0000-00-00"
    return f"{portal}_{day}_{stored.id:09d}.{ending}"
