"""An article as a page of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from newscrawler.article import Article, Image, Paragraph, ParagraphKind, Span, SpanKind
from newscrawler.render.spans import groups, with_spans

_STYLE = "body{font:17px/1.55 Georgia,serif;max-width:42rem;margin:2rem auto;padding:0 1rem}.facts{color:#555;font-size:.85rem}"
_TAGS = {ParagraphKind.HEADING: "h3", ParagraphKind.QUOTE: "blockquote"}
_EMPHASIS = {SpanKind.STRONG: "strong", SpanKind.EMPHASIS: "em"}
END = "</body></html>\n"


def as_html(article: Article) -> str:
    """Return an article as a page."""
    facts = [*article.authors, article.date.isoformat() if article.date else "", article.section or ""]
    return head(article.title, article.language) + section(article, [fact for fact in facts if fact]) + END


def head(title: str, language: str | None = None) -> str:
    """Return the beginning of a page."""
    tag = f'<html lang="{escape(language)}">' if language else "<html>"
    return f'<!doctype html>{tag}<head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n'


def section(article: Article, facts: Sequence[str], identifier: str = "") -> str:
    """Return an article as an element of a page.

    Args:
        article: the article.
        facts: what is known of it, on a line of its own.
        identifier: the id of the element; empty: it has none.
    """
    url = article.url or ""
    link = f'<a href="{escape(url)}">{escape(url)}</a>' if _is_web(url) else ""
    language = f' lang="{escape(article.language)}"' if article.language else ""
    named = f' id="{escape(identifier)}"' if identifier else ""
    body = "\n".join(_image(group) if isinstance(group, Image) else _group(*group) for group in groups(article))
    comments = "".join(f"<p>{escape(comment)}</p>" for comment in article.comments or ())
    comments = f'<section class="comments">{comments}</section>' if comments else ""
    return (
        f'<article{named}{language}><h2>{escape(article.title)}</h2><p class="facts">{" · ".join(map(escape, facts))} {link}</p>\n'
        f"{body}{comments}</article>\n"
    )


def _group(kind: ParagraphKind, paragraphs: Sequence[Paragraph]) -> str:
    if kind is ParagraphKind.TABLE_ROW:
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row.cells or (row.text,)) for row in paragraphs)
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
    texts = [with_spans(each, _tags, escape) for each in paragraphs]
    if kind is ParagraphKind.LIST_ITEM:
        return "<ul>" + "".join(f"<li>{text}</li>" for text in texts) + "</ul>"
    tag = _TAGS.get(kind, "p")
    return "".join(f"<{tag}>{text}</{tag}>" for text in texts)


def _tags(span: Span) -> tuple[str, str]:
    if span.kind is SpanKind.LINK:
        return (f'<a href="{escape(span.url or "")}">', "</a>") if _is_web(span.url or "") else ("", "")
    return f"<{_EMPHASIS[span.kind]}>", f"</{_EMPHASIS[span.kind]}>"


def _image(image: Image) -> str:
    if not _is_web(image.url):
        return ""
    caption = f"<figcaption>{escape(image.caption)}</figcaption>" if image.caption else ""
    return f'<figure><img src="{escape(image.url)}" alt="{escape(image.alt or "")}">{caption}</figure>'


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))
