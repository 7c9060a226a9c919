import pytest

from newscrawler.discovery.urls import CLASSIFIERS, Link


@pytest.mark.parametrize(
    ("href", "label"),
    [
        ("https://example.com/a?x=y", "article"),
        ("https://example.com/2026-some-title", "article"),
        ("https://example.com/sport/", "section"),
        ("https://example.com/%C5%BEivot/", "section"),
        ("https://example.com/%C5%BEivot-7", "article"),
        ("https://www.example.com/", "section"),
        ("https://other.org/2026", "external"),
        ("mailto:a@example.com", "external"),
        ("https://example.com/about?", "section"),
    ],
)
def test_query_or_digits_make_an_article(href, label):
    assert CLASSIFIERS["documents"](Link(href=href, page_url="https://example.com/")).label == label
