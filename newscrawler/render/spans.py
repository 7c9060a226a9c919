"""Paragraphs with their links and emphasis, in any markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise

from newscrawler.article import Article, Image, Paragraph, ParagraphKind, Span

#: What is before and behind the text of a span.
Tags = Callable[[Span], tuple[str, str]]


def with_spans(paragraph: Paragraph, tags: Tags, escaped: Callable[[str], str]) -> str:
    """Return the text of a paragraph with the markup of its spans, everything else escaped."""
    return _marked(paragraph.text, 0, len(paragraph.text), list(paragraph.spans), tags, escaped)


def _marked(text: str, start: int, end: int, spans: list[Span], tags: Tags, escaped: Callable[[str], str]) -> str:
    parts, here = [], start
    while spans and spans[0].start < end:
        span = spans.pop(0)
        before, behind = tags(span)
        parts += [escaped(text[here : span.start]), before, _marked(text, span.start, span.end, spans, tags, escaped), behind]
        here = span.end
    return "".join([*parts, escaped(text[here:end])])


def groups(article: Article) -> Iterator[tuple[ParagraphKind, list[Paragraph]] | Image]:
    """Yield the paragraphs in order, list items and table rows that follow each other together, and the images between them."""
    images = sorted(article.images or (), key=lambda image: image.position)
    places = sorted({image.position for image in images} | {0, len(article.paragraphs)})
    yield from _images_at(images, 0)
    for first, last in pairwise(places):
        yield from _runs(article.paragraphs[first:last])
        yield from _images_at(images, last)


def _images_at(images: Iterable[Image], position: int) -> Iterator[Image]:
    return (image for image in images if image.position == position)


def _runs(paragraphs: Iterable[Paragraph]) -> Iterator[tuple[ParagraphKind, list[Paragraph]]]:
    for kind, run in groupby(paragraphs, key=lambda paragraph: paragraph.kind):
        if kind in (ParagraphKind.LIST_ITEM, ParagraphKind.TABLE_ROW):
            yield kind, list(run)
        else:
            yield from ((kind, [paragraph]) for paragraph in run)
