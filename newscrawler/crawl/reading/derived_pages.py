"""Pages that are made of several answers: they take the place of a page whose own answer holds no text."""

from __future__ import annotations

from dataclasses import replace

from scrapy.http import HtmlResponse, Response

from newscrawler.crawl.policy.link_policy import LinkPolicy
from newscrawler.crawl.reading.responses import read_response
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.politeness.rights import PageRights
from newscrawler.store.archive import RawPage, RecordKind

#: Headers of the answer that say nothing of what was made of it.
_OF_THE_BODY = frozenset({b"content-type", b"content-encoding", b"content-length", b"transfer-encoding"})


def derived(
    item: FetchedUrl, body: bytes, content_type: str, sources: tuple[RawPage, ...], link_policy: LinkPolicy, rights: PageRights
) -> FetchedUrl:
    """Return the record of a page with another body; what its own answer says in headers, of rights too, holds on.

    Args:
        item: of the page as it came.
        body: HTML.
        content_type: of the body, with its charset.
        sources: the further answers of which it was made.
        link_policy: of the run.
        rights: of the run.
    """
    assert item.answer is not None
    response = _with_body(item.answer, body, content_type)
    read = read_response(item.claimed, response, link_policy, rights)
    kind = (("Content-Type", content_type),)
    page = RawPage(url=response.url, fetched_at=item.fetched_at, headers=kind, body=body, record=RecordKind.RESOURCE)
    return replace(
        read,
        answer=response,
        raw=(page,),
        sources=(*item.raw, *item.sources, *sources),
        parts=item.parts + len(sources),
        size=item.size + sum(len(source.body) for source in sources),
        pause=item.pause,
    )


def _with_body(answer: Response, body: bytes, content_type: str) -> Response:
    headers = {name: values for name, values in answer.headers.items() if name.lower() not in _OF_THE_BODY}
    headers[b"Content-Type"] = [content_type.encode("latin-1", "replace")]
    return HtmlResponse(answer.url, status=200, headers=headers, body=body, request=answer.request, encoding="utf-8")
