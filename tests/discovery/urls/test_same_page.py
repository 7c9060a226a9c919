import pytest

from newscrawler.discovery.urls import Scope, accept_canonical, is_other_form, make_same_page_key

_SCOPE = Scope.of(["https://example.com/"])


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/sport/a-b-c",
        "https://www.example.com/sport/a-b-c/",
        "https://m.example.com/sport/a-b-c",
        "https://www.m.example.com/sport/a-b-c",
        "https://amp.example.com/sport/a-b-c",
        "https://example.com/sport/a-b-c/amp/",
        "https://example.com/amp/sport/a-b-c",
        "https://example.com/sport/a-b-c/print",
        "https://example.com/sport/a-b-c?outputType=amp",
        "https://example.com/sport/a-b-c/index.html",
        "https://example.com/sport/a-b-c?utm_source=x#y",
    ],
)
def test_forms_of_a_page_share_a_key(url):
    assert make_same_page_key(url) == "example.com/sport/a-b-c"


def test_other_pages_have_other_keys():
    urls = ["https://example.com/" + path for path in ("a", "b", "a/b", "a?p=1", "a?p=2", "amp", "print-is-dead")]

    assert len({make_same_page_key(url) for url in urls}) == len(urls)
    assert make_same_page_key("mailto:x@example.com") is None
    assert make_same_page_key("https://m.cz/") == "m.cz"


@pytest.mark.parametrize(
    ("url", "stated"),
    [
        ("https://example.com/?p=12", "https://example.com/2026/09/a-b-c/"),
        ("https://example.com/a-b-c?from=menu", "https://example.com/a-b-c"),
        ("https://example.com/a-b-c/amp/", "https://example.com/a-b-c/"),
        ("https://example.com/a-b-c/2/", "https://example.com/a-b-c/"),
        ("https://m.example.com/a-b-c", "https://www.example.com/a-b-c"),
        ("https://example.com/sport/a-b-c", "https://example.com/culture/a-b-c"),
    ],
)
def test_what_can_be_the_page_is_believed(url, stated):
    assert accept_canonical(url, stated, _SCOPE) == stated


@pytest.mark.parametrize(
    ("url", "stated"),
    [
        ("https://example.com/sport/a-b-c", "https://example.com/"),
        ("https://example.com/sport/a-b-c", "https://example.com/sport/"),
        ("https://example.com/sport/a-b-c", "https://other.org/sport/a-b-c"),
        ("https://example.com/sport/a-b-c", "mailto:x"),
        ("https://example.com/sport/a-b-c", None),
        ("https://example.com/?p=12", "https://example.com/"),
        ("https://example.com/a", "https://example.com/a?p=12"),
    ],
)
def test_what_cannot_be_the_page_is_not_believed(url, stated):
    assert accept_canonical(url, stated, _SCOPE) is None


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("m.example.com/a", True),
        ("www.m.example.com/a", True),
        ("example.com/amp/a", True),
        ("example.com/a/amp/", True),
        ("example.com/a/print", True),
        ("example.com/a?outputType=amp", True),
        ("www.example.com/a/", False),
        ("example.com/a/index.html", False),
        ("example.com/print-is-dead", False),
        ("m.cz/a", False),
    ],
)
def test_an_address_tells_that_it_is_another_form(path, other):
    assert is_other_form(f"https://{path}") is other
