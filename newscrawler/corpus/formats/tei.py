"""TEI P5: each article is a TEI document with its own header; one file is a teiCorpus of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from newscrawler.corpus.formats.options import Options, Written
from newscrawler.formats import TEI_HEAD, TEI_NAMESPACE, TEI_PROJECT, escape_xml, write_tei_article
from newscrawler.store.articles import StoredArticle


def write_tei(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write a teiCorpus."""
    count = 0
    title = escape_xml(options.title)
    header = (
        f"<teiHeader><fileDesc><titleStmt><title>{title}</title></titleStmt>"
        "<publicationStmt><p>Not published; the articles are their publishers'.</p></publicationStmt>"
        f"<sourceDesc><p>News portals on the web.</p></sourceDesc></fileDesc><encodingDesc>{TEI_PROJECT}</encodingDesc></teiHeader>"
    )
    stream.write(f"{TEI_HEAD}<teiCorpus{TEI_NAMESPACE}>\n{header}\n".encode())
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write(_render_document(stored, options).encode())
    if not count:
        stream.write(b"<TEI><teiHeader><fileDesc><titleStmt><title/></titleStmt><publicationStmt><p/></publicationStmt>")
        stream.write(b"<sourceDesc><p/></sourceDesc></fileDesc></teiHeader><text><body><p/></body></text></TEI>\n")
    stream.write(b"</teiCorpus>\n")
    return Written(articles=count)


def render_tei(stored: StoredArticle, options: Options) -> str:
    """Return one article as a document."""
    return TEI_HEAD + _render_document(stored, options, TEI_NAMESPACE)


def _render_document(stored: StoredArticle, options: Options, namespace: str = "") -> str:
    return write_tei_article(
        stored.article, namespace=namespace, number=stored.id, availability=_describe_availability(options.rights_of(stored.id))
    )


def _describe_availability(said: list[str]) -> str:
    sentences = said or ["The publisher reserved nothing in a form that machines read."]
    status = "restricted" if said else "unknown"
    return f'<availability status="{status}">' + "".join(f"<p>{escape_xml(each)}</p>" for each in sentences) + "</availability>"
