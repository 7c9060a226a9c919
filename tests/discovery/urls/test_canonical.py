"""A canonical URL is taken apart as the standard library does it."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from newscrawler.discovery.urls import canonicalize, canonicalize_or_none, split_address
from newscrawler.discovery.urls.vocabulary import fold

_PIECES = st.lists(
    st.sampled_from(
        [
            "a",
            "B",
            "/",
            "//",
            ".",
            "..",
            "%2e",
            "%2F",
            "%41",
            "%4",
            "%",
            ";",
            ";jsessionid=1A",
            "(S(abcdefghijklmnopqrst))",
            "?",
            "&",
            "amp;",
            "utm_source=x",
            "id=7",
            "=",
            "#",
            "#!x",
            "\\",
            " ",
            "ž",
            "%C5%BE",
            ":",
            "@",
            "+",
            "[",
            "]",
            "sid=0123456789abcdef0",
        ]
    ),
    max_size=12,
).map("".join)
HOSTS = st.sampled_from(["www.example.org", "example.org:8080", "127.0.0.1:8702", "[::1]:80", "příklad.cz"])


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:443/a", "http://example.com:443/a"),
        ("http://example.com:/a", "http://example.com/a"),
        ("http://example.com./a", "http://example.com/a"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/a/..", "http://example.com/"),
        ("http://example.com/%7euser/%c5%be", "http://example.com/~user/%C5%BE"),
        ("http://example.com/ž lutý", "http://example.com/%C5%BE%20lut%C3%BD"),
        ("http://example.com/100%", "http://example.com/100%25"),
        ("http://example.com/a?b=2&a=1", "http://example.com/a?b=2&a=1"),
        ("http://example.com/a?", "http://example.com/a"),
        ("http://example.com/a?&", "http://example.com/a"),
        ("http://example.com/a#top", "http://example.com/a"),
        ("http://example.com/?p=12&utm_source=x&UTM_Medium=y&fbclid=1", "http://example.com/?p=12"),
        ("http://example.com/a?x=1&amp;y=2", "http://example.com/a?x=1&y=2"),
        ("http://example.com/a;jsessionid=1A2B?x=1", "http://example.com/a?x=1"),
        ("http://example.com/(S(lit3py55t21z5v55vlm25s55))/a", "http://example.com/a"),
        ("http://example.com/a?PHPSESSID=1&id=3", "http://example.com/a?id=3"),
        ("http://example.com/a?sid=0123456789abcdef", "http://example.com/a"),
        ("http://example.com/a?sid=12", "http://example.com/a?sid=12"),
        ("http://example.com/a?ref=menu", "http://example.com/a"),
        ("http://example.com/a?ref=1207", "http://example.com/a?ref=1207"),
        ("http://user:secret@example.com/a", "http://example.com/a"),
        ("  http://example.com/a\n", "http://example.com/a"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
        ("http://Háčkyčárky.cz/", "http://xn--hkyrky-ptac70bc.cz/"),
        ("http://[::1]:8702/a", "http://[::1]:8702/a"),
        ("http://127.0.0.1:8702", "http://127.0.0.1:8702/"),
        ("http://example.com/a/?s=kočka", "http://example.com/a/?s=ko%C4%8Dka"),
        ("http://www.example.com/a/", "http://www.example.com/a/"),
    ],
)
def test_an_address_is_written_in_one_way(url, expected):
    assert canonicalize(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/a",
        "mailto:a@b.cz",
        "javascript:void(0)",
        "ftp://example.com/",
        "http://",
        "http:///",
        "http://exa mple.com/",
        "http://a..b/",
        "http://example.com:99999/",
        "http://example.com:x/",
        "http://[::1/",
        "data:text/html,x",
        "tel:+420",
        "http://-/",
    ],
)
def test_what_no_web_server_can_have_is_refused(url):
    with pytest.raises(ValueError, match=r"address|host"):
        canonicalize(url)
    assert canonicalize_or_none(url) is None


@given(_PIECES)
@example("%2e%2e/;jsessionid=1/.;jsessionid=2/a")
def test_the_canonical_form_of_a_canonical_form_is_itself(tail):
    once = canonicalize_or_none("http://example.com/" + tail)

    assert once is not None
    assert canonicalize(once) == once


@example("//a\uff1a80/")  # a wide colon is mapped to one
@given(st.text(max_size=60))
def test_any_text_is_made_canonical_or_refused(text):
    for url in (text, "http:" + text, "https://" + text):
        once = canonicalize_or_none(url)
        assert once is None or canonicalize(once) == once


@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
def test_the_order_of_parameters_is_kept(first, second):
    url = canonicalize("http://example.com/?" + "&".join(f"{n}x={ord(v[0])}" for n, v in (("a", first), ("b", second))))

    assert url == f"http://example.com/?ax={ord(first[0])}&bx={ord(second[0])}"


@given(host=HOSTS, path=st.text(max_size=40), query=st.none() | st.text(max_size=20), fragment=st.none() | st.text(max_size=5))
def test_its_parts_are_those_of_urlsplit(host: str, path: str, query: str | None, fragment: str | None) -> None:
    url = f"https://{host}/{path}" + (f"?{query}" if query is not None else "") + (f"#{fragment}" if fragment is not None else "")
    parts = urlsplit(canonicalize(url))

    address = split_address(url)

    assert address is not None
    assert address.url == parts.geturl()
    assert (address.netloc, address.path, address.query) == (parts.netloc, parts.path, parts.query)
    assert address.folded == fold(unquote(parts.path))


@pytest.mark.parametrize("url", ["", "mailto:a@example.org", "//example.org/", "ftp://example.org/", "http://", "https://a b/"])
def test_what_is_no_http_address_has_no_parts(url: str) -> None:
    assert split_address(url) is None
