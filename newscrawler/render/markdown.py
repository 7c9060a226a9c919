"""An article as CommonMark with tables as GitHub writes them."""

from __future__ import annotations

from collections.abc import Sequence

from newscrawler.article import Article, Image, Paragraph, ParagraphKind, Span, SpanKind
from newscrawler.render.spans import groups, with_spans

_BEFORE = {ParagraphKind.HEADING: "## ", ParagraphKind.LIST_ITEM: "- ", ParagraphKind.QUOTE: "> "}
_EMPHASIS = {SpanKind.STRONG: "**", SpanKind.EMPHASIS: "*"}


def as_markdown(article: Article) -> str:
    """Return title and body, and the comments if there are any."""
    parts = [f"# {escaped(' '.join(article.title.split()))}", *body_parts(article)]
    if article.comments:
        parts += ["## Comments", *map(escaped, article.comments)]
    return "\n\n".join(parts) + "\n"


def body_parts(article: Article) -> list[str]:
    """Return the paragraphs, lists, tables and images of an article, each as Markdown."""
    return [_image(group) if isinstance(group, Image) else _group(*group) for group in groups(article)]


def escaped(text: str) -> str:
    """Escape what Markdown would take for markup."""
    found = "".join(f"\\{sign}" if sign in r"\`*_[]<>#" else sign for sign in text.replace("\n", " "))
    return f"\\{found}" if found[:1] in {"-", "+", "="} else found


def _group(kind: ParagraphKind, paragraphs: Sequence[Paragraph]) -> str:
    if kind is ParagraphKind.TABLE_ROW and any(row.cells for row in paragraphs):
        return _table([row.cells or (row.text,) for row in paragraphs])
    lines = [_BEFORE.get(kind, "") + with_spans(each, _tags, escaped) for each in paragraphs]
    return ("\n" if kind is ParagraphKind.LIST_ITEM else "\n\n").join(lines)


def _table(rows: Sequence[Sequence[str]]) -> str:
    width = max(map(len, rows))
    filled = [[*(escaped(cell).replace("|", "\\|") for cell in row), *[""] * (width - len(row))] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in filled]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def _tags(span: Span) -> tuple[str, str]:
    if span.kind is SpanKind.LINK:
        return "[", f"](<{(span.url or '').replace('<', '%3C').replace('>', '%3E')}>)"
    return _EMPHASIS[span.kind], _EMPHASIS[span.kind]


def _image(image: Image) -> str:
    shown = f"![{escaped(image.alt or '')}](<{image.url.replace('<', '%3C').replace('>', '%3E')}>)"
    return shown + (f"\n*{escaped(image.caption)}*" if image.caption else "")
