"""A kept page and its article side by side, as one file for a browser that loads nothing external."""

from __future__ import annotations

from html import escape

from newscrawler.corpus.formats.json_record import as_record
from newscrawler.extraction.explain import as_html, explain_page
from newscrawler.page import Document
from newscrawler.store.archive import RawPage
from newscrawler.store.articles import StoredArticle

_STYLE = (
    "body{margin:0;display:grid;grid-template-columns:1fr 1fr;height:100vh;font:15px/1.45 sans-serif}"
    "iframe{width:100%;height:100%;border:0;border-right:2px solid #444}main{overflow:auto;padding:0 1.2em 2em}"
    "dt{color:#666;font-size:.85em}dd{margin:0 0 .5em}.lead{background:#8fe3a0}.heading{font-weight:bold}code{background:#eee}"
    "@media(max-width:60em){body{grid-template-columns:1fr;height:auto}iframe{height:70vh}}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page_beside(stored: StoredArticle, raw: RawPage) -> str:
    """Return HTML with the page and its marked parts on the left, and the record on the right."""
    record = as_record(stored)
    marked = as_html(explain_page(Document.parse(raw.body, raw.url, content_type=raw.content_type)))
    names = ("url", "published_at", "published_source", "authors", "section", "language", "method", "confidence")
    facts = "".join(f"<dt>{name}</dt><dd>{escape(_described(record[name]))}</dd>" for name in names)
    lead = f'<p class="lead">{escape(record["lead"])}</p>' if record["lead"] else "<p><em>no lead</em></p>"
    body = "".join(f'<p class="{escape(item["kind"])}">{escape(item["text"])}</p>' for item in record["paragraphs"])
    judge = f"newscrawler review judge {stored.id} --right"
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{stored.id}: {escape(record['title'])}</title><style>{_STYLE}</style></head><body>"
        f'<iframe sandbox="" title="the page" srcdoc="{escape(marked)}"></iframe>'
        f"<main><h1>{escape(record['title'])}</h1><p><code>{judge}</code></p><dl>{facts}</dl><h2>lead</h2>{lead}<h2>body</h2>{body}</main>"
        "</body></html>"
    )


def _described(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value if value is not None else "–")
