"""Articles in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from newscrawler.article import Article, Image, ParagraphKind, Span, SpanKind
from newscrawler.formats.markup import Markup, group_blocks

HTML_END = "</body></html>\n"
_STYLE = "body{font:17px/1.55 Georgia,serif;max-width:42rem;margin:2rem auto;padding:0 1rem}.facts{color:#555;font-size:.85rem}"


def render_html(article: Article) -> str:
    """Return an article as a page."""
    facts = [*article.authors, article.date.isoformat() if article.date else "", article.section or ""]
    return write_html_head(article.title, article.language) + write_html_article(article, list(filter(None, facts))) + HTML_END


def write_html_head(title: str, language: str | None = None) -> str:
    """Return the beginning of a page."""
    tag = f'<html lang="{escape(language)}">' if language else "<html>"
    return f'<!doctype html>{tag}<head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n'


def write_html_article(article: Article, facts: Sequence[str], identifier: str = "") -> str:
    """Return an article as an element of a page.

    Args:
        article: the article.
        facts: texts for the line below the headline.
        identifier: the id of the element; empty: it has none.
    """
    url = article.url or ""
    link = f'<a href="{escape(url)}">{escape(url)}</a>' if _is_web(url) else ""
    language = f' lang="{escape(article.language)}"' if article.language else ""
    named = f' id="{escape(identifier)}"' if identifier else ""
    comments = "".join(f"<p>{escape(comment)}</p>" for comment in article.comments or ())
    comments = f'<section class="comments">{comments}</section>' if comments else ""
    return (
        f'<article{named}{language}><h2>{escape(article.title)}</h2><p class="facts">{" · ".join(map(escape, facts))} {link}</p>\n'
        f"{write_html_body(article)}{comments}</article>\n"
    )


def write_html_body(article: Article) -> str:
    """Return the paragraphs and images of an article as elements of a page."""
    blocks = (_write_html_image(group) if isinstance(group, Image) else _HTML.write(*group) for group in group_blocks(article))
    return "\n".join(blocks)


def _tag_html(span: Span) -> tuple[str, str]:
    if span.kind is SpanKind.LINK:
        return (f'<a href="{escape(span.url or "")}">', "</a>") if _is_web(span.url or "") else ("", "")
    name = "strong" if span.kind is SpanKind.STRONG else "em"
    return f"<{name}>", f"</{name}>"


def _tag_html_heading(level: int) -> tuple[str, str]:
    """Return the markup of a heading one level below its own, as that of the article is an `<h2>`."""
    return ('<h6 aria-level="7">', "</h6>") if level >= 6 else (f"<h{level + 1}>", f"</h{level + 1}>")


def _write_html_image(image: Image) -> str:
    if not _is_web(image.url):
        return ""
    caption = f"<figcaption>{escape(image.caption)}</figcaption>" if image.caption else ""
    return f'<figure><img src="{escape(image.url)}" alt="{escape(image.alt or "")}">{caption}</figure>'


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))


_HTML = Markup(
    list_names=("ul", "li"),
    numbered_name="ol",
    table_names=("table", "tr", "td"),
    header_cell="th",
    number_attribute="value",
    heading=_tag_html_heading,
    around={ParagraphKind.QUOTE: ("<blockquote>", "</blockquote>"), ParagraphKind.PREFORMATTED: ("<pre>", "</pre>")},
    tag=_tag_html,
    escape_part=escape,
)
