"""A canonical URL is taken apart as the standard library does it."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.discovery.urls.address import address_of
from newscrawler.discovery.urls.canonical import canonicalize
from newscrawler.discovery.urls.vocabulary import fold

HOSTS = st.sampled_from(["www.example.org", "example.org:8080", "127.0.0.1:8702", "[::1]:80", "příklad.cz"])


@given(host=HOSTS, path=st.text(max_size=40), query=st.none() | st.text(max_size=20), fragment=st.none() | st.text(max_size=5))
def test_its_parts_are_those_of_urlsplit(host: str, path: str, query: str | None, fragment: str | None) -> None:
    url = f"https://{host}/{path}" + (f"?{query}" if query is not None else "") + (f"#{fragment}" if fragment is not None else "")
    parts = urlsplit(canonicalize(url))

    address = address_of(url)

    assert address is not None
    assert address.url == parts.geturl()
    assert (address.netloc, address.path, address.query) == (parts.netloc, parts.path, parts.query)
    assert address.folded == fold(unquote(parts.path))


@pytest.mark.parametrize("url", ["", "mailto:a@example.org", "//example.org/", "ftp://example.org/", "http://", "https://a b/"])
def test_what_is_no_http_address_has_no_parts(url: str) -> None:
    assert address_of(url) is None
