"""An article as a document of TEI P5."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from newscrawler.article import Article, Image, Paragraph, ParagraphKind, Span, SpanKind
from newscrawler.render.spans import groups, with_spans
from newscrawler.render.xml_text import attribute, content

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
PROJECT = "<p>Collected and segmented by newscrawler; title, paragraphs, lists, quotations and table rows as on the page.</p>"
#: As xml:lang and ident demand.
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\Z")
_EMPHASIS = {SpanKind.STRONG: "bold", SpanKind.EMPHASIS: "italic"}


def as_tei(article: Article) -> str:
    """Return an article as a complete document."""
    return HEAD + document(article, namespace=NAMESPACE)


def document(article: Article, *, namespace: str = "", number: int | None = None, availability: str = "") -> str:
    """Return the element TEI of an article.

    Args:
        article: the article.
        namespace: its declaration, where the element is the outermost.
        number: the number of a stored article.
        availability: an element that says what the publisher reserved.
    """
    language = _language(article)
    named = f' xml:id="a{number}"' if number is not None else ""
    tag = f"<TEI{namespace}{named}" + (f' xml:lang="{language}"' if language else "") + ">"
    identifier = f'<idno type="newscrawler">{number}</idno>' if number is not None else ""
    return (
        f"{tag}\n{_header(article, identifier + availability)}\n<text><body>{_body(article)}</body>{_back(article)}</text></TEI>\n"
    )


def _language(article: Article) -> str | None:
    return article.language if article.language and _LANGUAGE.match(article.language) else None


def _header(article: Article, further: str) -> str:
    authors = "".join(f"<author>{content(name)}</author>" for name in article.authors)
    words = f'<extent><measure unit="word" quantity="{article.word_count}"/></extent>'
    publication = f"<publicationStmt><publisher>{content(article.portal or 'unknown')}</publisher>{_date(article)}"
    publication += f"{further}</publicationStmt>"
    return (
        f"<teiHeader><fileDesc><titleStmt><title>{content(article.title)}</title>{authors}</titleStmt>{words}{publication}"
        f"<sourceDesc>{_source(article)}</sourceDesc></fileDesc><encodingDesc>{PROJECT}</encodingDesc>"
        f"{_profile(article)}{_revisions(article)}</teiHeader>"
    )


def _date(article: Article) -> str:
    if article.published_at is None:
        return ""
    exact = article.published_at.isoformat(timespec="seconds") if article.published_precision == "minute" else article.date
    return f'<date when="{exact}"/>'


def _source(article: Article) -> str:
    fetched = article.fetched_at.isoformat(timespec="seconds") if article.fetched_at else None
    link = f"<ref target={attribute((article.url or '').replace(' ', '%20'))}>{content(article.url)}</ref>" if article.url else ""
    when = f'<date type="accessed" when="{fetched}"/>' if fetched else ""
    return f"<bibl><title>{content(article.title)}</title>{link}{when}</bibl>"


def _profile(article: Article) -> str:
    language = _language(article)
    used = f'<langUsage><language ident="{language}"/></langUsage>' if language else ""
    named = [("genre", article.genre), ("section", article.section), *(("keyword", each) for each in article.keywords)]
    terms = "".join(f"<term type={attribute(kind)}>{content(term)}</term>" for kind, term in named if term)
    return f"<profileDesc>{used}<textClass><keywords>{terms}</keywords></textClass></profileDesc>"


def _revisions(article: Article) -> str:
    changes = ((article.fetched_at, "Fetched and read."), (article.modified_at, "Last changed, as the page states."))
    said = "".join(f'<change when="{at.isoformat(timespec="seconds")}">{what}</change>' for at, what in changes if at)
    return f"<revisionDesc>{said}</revisionDesc>" if said else ""


def _body(article: Article) -> str:
    head = f"<head>{content(article.title)}</head>" if article.title else ""
    return f"<div>{head}{''.join(_blocks(article)) or '<p/>'}</div>"


def _back(article: Article) -> str:
    comments = "".join(f"<p>{content(comment)}</p>" for comment in article.comments or ())
    return f'<back><div type="comments">{comments}</div></back>' if comments else ""


def _blocks(article: Article) -> Iterator[str]:
    for group in groups(article):
        yield _figure(group) if isinstance(group, Image) else _group(*group)


def _group(kind: ParagraphKind, paragraphs: Sequence[Paragraph]) -> str:
    texts = [with_spans(paragraph, _tags, content) for paragraph in paragraphs]
    if kind is ParagraphKind.LIST_ITEM:
        return "<list>" + "".join(f"<item>{text}</item>" for text in texts) + "</list>"
    if kind is ParagraphKind.TABLE_ROW:
        rows = ("".join(f"<cell>{content(cell)}</cell>" for cell in row.cells or (row.text,)) for row in paragraphs)
        return "<table>" + "".join(f"<row>{row}</row>" for row in rows) + "</table>"
    if kind is ParagraphKind.QUOTE:
        return "".join(f"<quote><p>{text}</p></quote>" for text in texts)
    if kind is ParagraphKind.HEADING:
        return "".join(f'<p><hi rend="heading">{text}</hi></p>' for text in texts)
    return "".join(f"<p>{text}</p>" for text in texts)


def _tags(span: Span) -> tuple[str, str]:
    if span.kind is SpanKind.LINK:
        return f"<ref target={attribute((span.url or '').replace(' ', '%20'))}>", "</ref>"
    return f'<hi rend="{_EMPHASIS[span.kind]}">', "</hi>"


def _figure(image: Image) -> str:
    caption = f"<head>{content(image.caption)}</head>" if image.caption else ""
    said = f"<figDesc>{content(image.alt)}</figDesc>" if image.alt else ""
    return f"<figure>{caption}<graphic url={attribute(image.url.replace(' ', '%20'))}/>{said}</figure>"
