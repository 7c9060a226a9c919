"""One article as plain text, Markdown, HTML, JSON or TEI."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from newscrawler.article import Article
from newscrawler.errors import ConfigError
from newscrawler.formats.html import HTML_END, render_html, write_html_article, write_html_body, write_html_head
from newscrawler.formats.markdown import render_markdown
from newscrawler.formats.markup import clean_paragraph, clean_text
from newscrawler.formats.tei import TEI_HEAD, TEI_NAMESPACE, TEI_PROJECT, escape_xml, quote_xml, render_tei, write_tei_article

__all__ = [
    "HTML_END", "RENDERERS", "TEI_HEAD", "TEI_NAMESPACE", "TEI_PROJECT", "clean_text", "escape_xml", "quote_xml", "render",
    "write_html_article", "write_html_body", "write_html_head", "write_tei_article",
]  # fmt: skip


def render(article: Article, form: str) -> str:
    """Return an article in a format.

    Raises:
        ConfigError: there is no such format.
    """
    if form not in RENDERERS:
        raise ConfigError(f"{form!r} is not a format of an article. Choose among: {', '.join(RENDERERS)}.")
    return RENDERERS[form](article)


def render_text(article: Article) -> str:
    """Return title and paragraphs, separated by blank lines."""
    texts = (clean_paragraph(paragraph).text for paragraph in article.paragraphs)
    return "\n\n".join(filter(None, (clean_text(article.title), *texts))) + "\n"


def render_json(article: Article) -> str:
    """Return the record as one line of JSON."""
    return json.dumps(article.as_dict(), ensure_ascii=False) + "\n"


RENDERERS: Mapping[str, Callable[[Article], str]] = {
    "text": render_text, "markdown": render_markdown, "html": render_html, "json": render_json, "tei": render_tei,
}  # fmt: skip
