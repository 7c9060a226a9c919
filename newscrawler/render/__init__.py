"""One article as plain text, Markdown, HTML, JSON or TEI."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from newscrawler.article import Article
from newscrawler.errors import ConfigError
from newscrawler.render.html import as_html
from newscrawler.render.markdown import as_markdown
from newscrawler.render.tei import as_tei

__all__ = ["RENDERERS", "render"]


def as_text(article: Article) -> str:
    """Return title and paragraphs, separated by blank lines."""
    return "\n\n".join(filter(None, (article.title, *(paragraph.text for paragraph in article.paragraphs)))) + "\n"


def as_json(article: Article) -> str:
    """Return the record as one line of JSON."""
    return json.dumps(article.as_dict(), ensure_ascii=False) + "\n"


RENDERERS: Mapping[str, Callable[[Article], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "html": as_html,
    "json": as_json,
    "tei": as_tei,
}


def render(article: Article, form: str) -> str:
    """Return an article in a format.

    Raises:
        ConfigError: there is no such format.
    """
    if form not in RENDERERS:
        raise ConfigError(f"{form!r} is not a format of an article. Choose among: {', '.join(RENDERERS)}.")
    return RENDERERS[form](article)
