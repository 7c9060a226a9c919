"""A request that is not read to its end holds no connection, even while its error is still looked at."""

from __future__ import annotations

from time import monotonic
from typing import Any

import pytest

from newscrawler.cli import transport
from newscrawler.errors import PageError, PageReason
from newscrawler.politeness.addresses import AddressRules


def refuse(_status: int, _named: dict[str, str]) -> None:
    raise PageError(PageReason.NOT_HTML)


def test_an_answer_whose_headers_are_refused_leaves_no_socket_open(site: Any) -> None:
    bounds = transport.Bounds(rules=AddressRules.of(["127.0.0.1"]), most_bytes=1000, deadline=monotonic() + 5, decide=refuse)

    with pytest.raises(PageError) as caught:
        transport.get(f"{site.url}2026/02/01/zprava-1.html", {"Connection": "close"}, bounds)

    (request,) = [entry for entry in caught.traceback if entry.name == "get"]
    assert request.locals["response"].closed
