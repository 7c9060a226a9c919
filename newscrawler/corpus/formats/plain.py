"""Texts for people and for concordance programs (AntConc, LancsBox, WordSmith): plain text, Markdown, HTML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import escape
from typing import BinaryIO

from newscrawler.article import Article, ParagraphKind
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.store.records import StoredArticle

_STYLE = "body{font:17px/1.55 Georgia,serif;max-width:42rem;margin:2rem auto;padding:0 1rem}.facts{color:#555;font-size:.85rem}"
_MARKDOWN = {ParagraphKind.HEADING: "## ", ParagraphKind.LIST_ITEM: "- ", ParagraphKind.QUOTE: "> "}
_HTML = {ParagraphKind.HEADING: "h3", ParagraphKind.QUOTE: "blockquote", ParagraphKind.LIST_ITEM: "li"}


def facts(stored: StoredArticle) -> Iterator[tuple[str, str]]:
    """Yield what is known of an article beside its text, by name; empty values are left out."""
    article = stored.article
    values = {
        "id": str(stored.id),
        "title": article.title,
        "author": "; ".join(article.authors),
        "date": article.published_at.isoformat() if article.published_at else None,
        "portal": article.portal,
        "section": article.section,
        "language": article.language,
        "genre": article.genre,
        "url": article.url,
    }
    yield from ((name, value) for name, value in values.items() if value)


def as_text(stored: StoredArticle, options: Options) -> str:
    """Return title and paragraphs, a line each; before them, if wanted, lines of metadata that tag readers pass over."""
    head = ""
    if options.header:
        lines = (f"<{name}>{_on_a_line(value)}</{name}>" for name, value in facts(stored))
        head = "\n".join(lines) + "\n\n"
    article = stored.article
    return head + "\n\n".join(filter(None, (article.title, *(paragraph.text for paragraph in article.paragraphs)))) + "\n"


def as_markdown(stored: StoredArticle, options: Options) -> str:
    """Return an article as CommonMark, its metadata as YAML front matter."""
    head = ""
    if options.header:
        lines = (f"{name}: {json.dumps(_on_a_line(value), ensure_ascii=False)}" for name, value in facts(stored))
        head = "---\n" + "\n".join(lines) + "\n---\n\n"
    body = (_MARKDOWN.get(each.kind, "") + _unmarked(each.text) for each in stored.article.paragraphs)
    return head + "\n\n".join((f"# {_unmarked(stored.article.title)}", *body)) + "\n"


def as_html(stored: StoredArticle, _options: Options) -> str:
    """Return an article as a page."""
    article = stored.article
    return _page(article.title, article.language) + _section(stored) + "</body></html>\n"


def write_html(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write all articles as one page."""
    count = 0
    stream.write(_page(options.title, None).encode("utf-8", "replace"))
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write(_section(stored).encode("utf-8", "replace"))
    stream.write(b"</body></html>\n")
    return Written(articles=count)


def _page(title: str, language: str | None) -> str:
    tag = f'<html lang="{escape(language)}">' if language else "<html>"
    return f'<!doctype html>{tag}<head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n'


def _section(stored: StoredArticle) -> str:
    article = stored.article
    told = " · ".join(escape(value) for name, value in facts(stored) if name not in {"id", "title", "url"})
    url = article.url or ""
    link = f'<a href="{escape(url)}">{escape(url)}</a>' if url.startswith("http") else ""
    paragraphs = "\n".join(_paragraph(each.kind, each.text) for each in article.paragraphs)
    language = f' lang="{escape(article.language)}"' if article.language else ""
    return (
        f'<article id="a{stored.id}"{language}><h2>{escape(article.title)}</h2><p class="facts">{told} {link}</p>\n'
        f"{paragraphs}</article>\n"
    )


def _paragraph(kind: ParagraphKind, text: str) -> str:
    tag = _HTML.get(kind, "p")
    return f"<ul><li>{escape(text)}</li></ul>" if tag == "li" else f"<{tag}>{escape(text)}</{tag}>"


def _on_a_line(text: str) -> str:
    return " ".join(text.split())


def _unmarked(text: str) -> str:
    """Escape what Markdown would take for markup."""
    escaped = "".join(f"\\{sign}" if sign in r"\`*_[]<>#" else sign for sign in _on_a_line(text))
    return f"\\{escaped}" if escaped[:1] in {"-", "+", "="} else escaped


def file_name(stored: StoredArticle, ending: str) -> str:
    """Return a name that sorts by portal, day and number."""
    article: Article = stored.article
    portal = "".join(sign if sign.isalnum() or sign in "-." else "-" for sign in article.portal or "articles").strip(".")[:80]
    day = article.date.isoformat() if article.date else "0000-00-00"
    return f"{portal}_{day}_{stored.id:09d}.{ending}"
