"""The lists of posts of WordPress and Ghost are found where their pages declare them."""

from __future__ import annotations

import pytest

from newscrawler.discovery.posts import find_posts, find_section_feeds
from newscrawler.page import Document

SITE = "https://example.org"


def page(head: str, path: str = "/") -> Document:
    return Document.parse(f"<html><head>{head}</head><body></body></html>", SITE + path)


@pytest.mark.parametrize(
    "attributes",
    ["data-ghost='https://example.org/' data-key=ab12", "data-api='https://example.org/ghost/api/content/' data-key=ab12"],
)
def test_the_scripts_of_ghost_name_its_list(attributes: str) -> None:
    (url,) = find_posts(page(f"<script src=/portal.js {attributes}></script>"))

    assert url.startswith(f"{SITE}/ghost/api/content/posts/?")
    assert {"key=ab12", "limit=100", "page=1"} < set(url.partition("?")[2].split("&"))


def test_a_script_with_a_key_for_something_else_names_no_list() -> None:
    assert find_posts(page("<script src=/map.js data-key=ab12 data-api='https://example.org/maps/'></script>")) == ()


@pytest.mark.parametrize(
    ("generator", "path", "feed"),
    [
        ("WordPress 6.4", "/category/sport/", "/category/sport/feed/"),
        ("Drupal 10 (https://www.drupal.org)", "/taxonomy/term/7", "/taxonomy/term/7/feed"),
        ("Hugo 0.120", "/category/sport/", None),
        ("Drupal 10 (https://www.drupal.org)", "/sport", None),
    ],
)
def test_known_systems_have_feeds_of_sections_at_known_addresses(generator: str, path: str, feed: str | None) -> None:
    expected = (SITE + feed,) if feed else ()

    assert find_section_feeds(page(f"<meta name=generator content='{generator}'>", path)) == expected
