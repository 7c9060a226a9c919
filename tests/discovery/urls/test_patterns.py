import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.discovery.urls import make_pattern


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("/", "/"),
        ("/?p=1058", "?p={id}"),
        ("/?cat=3", "?cat={id}"),
        ("/index.php?name=News&file=article&sid=513", "/index.php?name={value}&file=article&sid={id}"),
        ("/index.php?article103", "/index.php?article{id}"),
        ("/index.php?item.103.2", "/index.php?item.{id}.{id}"),
        ("/?p=12&page=2", "?p={id}&page={n}"),
        ("/index.php?option=com_content&view=article&id=5", "/index.php?option={value}&view=article&id={id}"),
        ("/2026/09/council-approves-new-bridge/", "/{year}/{month}/{slug}/"),
        ("/2026/09/bridge/", "/{year}/{month}/{slug}/"),
        ("/2026/sep/bridge.html", "/{year}/{month}/{slug}.html"),
        ("/2026/0920/1313176-council-approves", "/{year}/{day}/{id}-{slug}"),
        ("/2026/09/", "/{year}/{month}/"),
        ("/sport/trener-odesel-po-porazkach-4207492", "/{section}/{slug}-{id}"),
        ("/politika/most-pres-reku-bude-hotovy.html", "/{section}/{slug}.html"),
        ("/sport/", "/{section}/"),
        ("/sport", "/{section}"),
        ("/lokal/magdeburg", "/{section}/{section}"),
        ("/video/watch-the-bridge-opening", "/video/{slug}"),
        ("/tag/volby/", "/tag/{section}/"),
        ("/clanek/domaci-politika-vlada-podala-demisi-280123", "/clanek/{slug}-{id}"),
        ("/cl/100370/1697139/Policia-vysetruje-lupez", "/cl/{id}/{id}/{slug}"),
        ("/se/10/Domace", "/se/{id}/{section}"),
        ("/category/sport/page/3/", "/category/{section}/page/{n}/"),
        ("/20260731/dtp-1806215448.html", "/{date}/{slug}-{id}.html"),
        ("/como/2024/11/29/67498193fdddff6f2b8b457a.html", "/{section}/{year}/{month}/{day}/{id}.html"),
    ],
)
def test_urls_of_one_make_share_a_pattern(path, pattern):
    assert make_pattern("https://example.com" + path) == pattern


def test_two_articles_of_a_section_and_of_another_share_a_pattern():
    urls = [
        "https://example.com/sport/trainer-leaves-after-three-defeats-123456",
        "https://example.com/culture/5-films-to-see-this-week-in-town-654321",
    ]

    assert len({make_pattern(url) for url in urls}) == 1


def test_another_host_of_the_portal_makes_another_pattern():
    assert make_pattern("https://sport.example.com/a-b-c-d", home="www.example.com") == "//sport.example.com/{slug}"
    assert make_pattern("https://www.example.com/a-b-c-d", home="example.com") == "/{slug}"


def test_what_is_no_web_address_is_refused():
    with pytest.raises(ValueError, match="not an http"):
        make_pattern("mailto:a@example.com")


@given(st.text(alphabet="ab1-/._?=&%2f,~", max_size=40))
def test_every_address_has_a_pattern(tail):
    assert make_pattern("https://example.com/" + tail)
