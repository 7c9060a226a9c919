"""Articles in TEI P5."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape as escape_text
from xml.sax.saxutils import quoteattr

from newscrawler.article import Article, Image, ParagraphKind, Span, SpanKind
from newscrawler.formats.markup import FORBIDDEN, Markup, group_blocks

TEI_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
TEI_NAMESPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
TEI_PROJECT = "<p>Collected and segmented by newscrawler; title, paragraphs, lists, quotations and table rows as on the page.</p>"
#: As xml:lang and ident demand.
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\Z")


def escape_xml(text: object) -> str:
    """Return text as the content of an element of XML, without the characters that XML 1.0 cannot contain."""
    return escape_text(FORBIDDEN.sub("", str(text)))


def quote_xml(value: object) -> str:
    """Return a value as an attribute of XML, with its quotes; line breaks become spaces."""
    return quoteattr(" ".join(FORBIDDEN.sub("", str(value)).split()), {'"': "&quot;"})


def render_tei(article: Article) -> str:
    """Return an article as a complete document of TEI."""
    return TEI_HEAD + write_tei_article(article, namespace=TEI_NAMESPACE)


def write_tei_article(article: Article, *, namespace: str = "", number: int | None = None, availability: str = "") -> str:
    """Return the element TEI of an article.

    Args:
        article: the article.
        namespace: its declaration, where the element is the outermost.
        number: the number of a stored article.
        availability: an element with the publisher's restrictions.
    """
    language = _get_tei_language(article)
    named = f' xml:id="a{number}"' if number is not None else ""
    tag = f"<TEI{namespace}{named}" + (f' xml:lang="{language}"' if language else "") + ">"
    identifier = f'<idno type="newscrawler">{number}</idno>' if number is not None else ""
    head = f"<head>{escape_xml(article.title)}</head>" if article.title else ""
    body = "".join(_write_tei_figure(group) if isinstance(group, Image) else _TEI.write(*group) for group in group_blocks(article))
    comments = "".join(f"<p>{escape_xml(comment)}</p>" for comment in article.comments or ())
    back = f'<back><div type="comments">{comments}</div></back>' if comments else ""
    return (
        f"{tag}\n{_write_tei_header(article, identifier + availability)}\n"
        f"<text><body><div>{head}{body or '<p/>'}</div></body>{back}</text></TEI>\n"
    )


def _get_tei_language(article: Article) -> str | None:
    return article.language if article.language and _LANGUAGE.match(article.language) else None


def _write_tei_header(article: Article, further: str) -> str:
    authors = "".join(f"<author>{escape_xml(name)}</author>" for name in article.authors)
    words = f'<extent><measure unit="word" quantity="{article.word_count}"/></extent>'
    publication = f"<publicationStmt><publisher>{escape_xml(article.portal or 'unknown')}</publisher>{_write_tei_date(article)}"
    publication += f"{further}</publicationStmt>"
    return (
        f"<teiHeader><fileDesc><titleStmt><title>{escape_xml(article.title)}</title>{authors}</titleStmt>{words}{publication}"
        f"<sourceDesc>{_write_tei_source(article)}</sourceDesc></fileDesc><encodingDesc>{TEI_PROJECT}</encodingDesc>"
        f"{_write_tei_profile(article)}{_write_tei_revisions(article)}</teiHeader>"
    )


def _write_tei_date(article: Article) -> str:
    if article.published_at is None:
        return ""
    exact = article.published_at.isoformat(timespec="seconds") if article.published_precision == "minute" else article.date
    return f'<date when="{exact}"/>'


def _write_tei_source(article: Article) -> str:
    fetched = article.fetched_at.isoformat(timespec="seconds") if article.fetched_at else None
    link = f"<ref target={_quote_url(article.url)}>{escape_xml(article.url)}</ref>" if article.url else ""
    when = f'<date type="accessed" when="{fetched}"/>' if fetched else ""
    return f"<bibl><title>{escape_xml(article.title)}</title>{link}{when}</bibl>"


def _write_tei_profile(article: Article) -> str:
    language = _get_tei_language(article)
    used = f'<langUsage><language ident="{language}"/></langUsage>' if language else ""
    named = [("genre", article.genre), ("section", article.section), *(("keyword", each) for each in article.keywords)]
    terms = "".join(f"<term type={quote_xml(kind)}>{escape_xml(term)}</term>" for kind, term in named if term)
    return f"<profileDesc>{used}<textClass><keywords>{terms}</keywords></textClass></profileDesc>"


def _write_tei_revisions(article: Article) -> str:
    changes = ((article.fetched_at, "Fetched and read."), (article.modified_at, "Last changed, as the page states."))
    said = "".join(f'<change when="{at.isoformat(timespec="seconds")}">{what}</change>' for at, what in changes if at)
    return f"<revisionDesc>{said}</revisionDesc>" if said else ""


def _quote_url(url: str | None) -> str:
    return quote_xml((url or "").replace(" ", "%20"))


def _tag_tei(span: Span) -> tuple[str, str]:
    if span.kind is SpanKind.LINK:
        return f"<ref target={_quote_url(span.url)}>", "</ref>"
    return f'<hi rend="{"bold" if span.kind is SpanKind.STRONG else "italic"}">', "</hi>"


def _write_tei_figure(image: Image) -> str:
    caption = f"<head>{escape_xml(image.caption)}</head>" if image.caption else ""
    said = f"<figDesc>{escape_xml(image.alt)}</figDesc>" if image.alt else ""
    return f"<figure>{caption}<graphic url={_quote_url(image.url)}/>{said}</figure>"


_TEI = Markup(
    list_names=("list", "item"),
    numbered_name='list rend="numbered"',
    table_names=("table", "row", "cell"),
    header_cell='cell role="label"',
    around={
        ParagraphKind.PREFORMATTED: ('<p rend="preformatted" xml:space="preserve">', "</p>"),
        ParagraphKind.QUOTE: ("<quote><p>", "</p></quote>"),
    },
    number_attribute="n",
    heading=lambda level: (f'<p><hi rend="heading" n="{level}">', "</hi></p>"),
    tag=_tag_tei,
    escape_part=escape_xml,
)
