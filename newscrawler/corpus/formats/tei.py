"""TEI P5: each article a TEI document with a header of its own; in one file, the documents of a teiCorpus."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import BinaryIO

from newscrawler.article import Article, Paragraph, ParagraphKind
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.corpus.formats.xml_text import attribute, content
from newscrawler.store.records import StoredArticle

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
_PROJECT = "<p>Collected and segmented by newscrawler; headline, paragraphs, lists, quotations and table rows as on the page.</p>"
#: As xml:lang and ident demand.
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\Z")


def write_tei(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write a teiCorpus."""
    count = 0
    title = content(options.title)
    header = (
        f"<teiHeader><fileDesc><titleStmt><title>{title}</title></titleStmt>"
        "<publicationStmt><p>Not published; the articles are their publishers'.</p></publicationStmt>"
        f"<sourceDesc><p>News portals on the web.</p></sourceDesc></fileDesc><encodingDesc>{_PROJECT}</encodingDesc></teiHeader>"
    )
    stream.write(f"{_HEAD}<teiCorpus{_NAMESPACE}>\n{header}\n".encode())
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write(_document(stored, options).encode())
    if not count:
        stream.write(b"<TEI><teiHeader><fileDesc><titleStmt><title/></titleStmt><publicationStmt><p/></publicationStmt>")
        stream.write(b"<sourceDesc><p/></sourceDesc></fileDesc></teiHeader><text><body><p/></body></text></TEI>\n")
    stream.write(b"</teiCorpus>\n")
    return Written(articles=count)


def as_tei(stored: StoredArticle, options: Options) -> str:
    """Return one article as a document."""
    return _HEAD + _document(stored, options, _NAMESPACE)


def _document(stored: StoredArticle, options: Options, namespace: str = "") -> str:
    language = _language(stored.article)
    tag = f'<TEI{namespace} xml:id="a{stored.id}"' + (f' xml:lang="{language}"' if language else "") + ">"
    return f"{tag}\n{_header(stored, options)}\n<text><body>{_body(stored.article)}</body></text></TEI>\n"


def _language(article: Article) -> str | None:
    return article.language if article.language and _LANGUAGE.match(article.language) else None


def _header(stored: StoredArticle, options: Options) -> str:
    article = stored.article
    authors = "".join(f"<author>{content(name)}</author>" for name in article.authors)
    words = f'<extent><measure unit="word" quantity="{article.word_count}"/></extent>'
    publication = f"<publicationStmt><publisher>{content(article.portal or 'unknown')}</publisher>{_date(article)}"
    publication += f'<idno type="newscrawler">{stored.id}</idno>{_availability(options.rights_of(stored.id))}</publicationStmt>'
    return (
        f"<teiHeader><fileDesc><titleStmt><title>{content(article.title)}</title>{authors}</titleStmt>{words}{publication}"
        f"<sourceDesc>{_source(article)}</sourceDesc></fileDesc><encodingDesc>{_PROJECT}</encodingDesc>"
        f"{_profile(article)}{_revisions(article)}</teiHeader>"
    )


def _date(article: Article) -> str:
    if article.published_at is None:
        return ""
    exact = article.published_at.isoformat(timespec="seconds") if article.published_precision == "minute" else article.date
    return f'<date when="{exact}"/>'


def _availability(said: list[str]) -> str:
    sentences = said or ["The publisher reserved nothing in a form that machines read."]
    status = "restricted" if said else "unknown"
    return f'<availability status="{status}">' + "".join(f"<p>{content(each)}</p>" for each in sentences) + "</availability>"


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
    return f"<div>{head}{''.join(_blocks(article.paragraphs)) or '<p/>'}</div>"


def _blocks(body: Iterable[Paragraph]) -> Iterator[str]:
    for kind, group in groupby(body, key=lambda paragraph: paragraph.kind):
        texts = [content(paragraph.text) for paragraph in group]
        if kind is ParagraphKind.LIST_ITEM:
            yield "<list>" + "".join(f"<item>{text}</item>" for text in texts) + "</list>"
        elif kind is ParagraphKind.TABLE_ROW:
            yield "<table>" + "".join(f"<row><cell>{text}</cell></row>" for text in texts) + "</table>"
        elif kind is ParagraphKind.QUOTE:
            yield "".join(f"<quote><p>{text}</p></quote>" for text in texts)
        elif kind is ParagraphKind.HEADING:
            yield "".join(f'<p><hi rend="heading">{text}</hi></p>' for text in texts)
        else:
            yield "".join(f"<p>{text}</p>" for text in texts)
