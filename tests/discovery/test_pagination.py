import pytest

from newscrawler.discovery import FoundLink, HeadLinks, split_page_number
from newscrawler.discovery.pagination import find_following, find_next_part, find_pagination

_BASE = "https://example.com"


def _links(*pairs: tuple[str, str], where: str = "") -> list[FoundLink]:
    return [FoundLink(url=_BASE + path, anchor=anchor, where=where) for path, anchor in pairs]


@pytest.mark.parametrize(
    ("path", "series", "number"),
    [
        ("/sport/page/3/", "/sport/page/{n}/", 3),
        ("/sport/strana-12", "/sport/strana-{n}", 12),
        ("/sport?page=2&x=1", "/sport?page={n}&x=1", 2),
        ("/?cat=3&paged=2", "/?cat=3&paged={n}", 2),
        ("/index-7.html", "/index-{n}.html", 7),
        ("/index3.html", "/index{n}.html", 3),
        ("/sport/2/", "/sport/{n}/", 2),
    ],
)
def test_a_numbered_page_is_known(path, series, number):
    found = split_page_number(_BASE + path)

    assert (found.series, found.number) == (_BASE + series, number)


@pytest.mark.parametrize("path", ["/", "/sport/", "/?p=12", "/sport/article-1234567", "/?page=next"])
def test_other_addresses_have_no_number(path):
    assert split_page_number(_BASE + path) is None


@pytest.mark.parametrize(
    ("path", "following"),
    [
        ("/list?page=2&size=8", "/list?page=3&size=8"),
        ("/list?offset=16&limit=8", "/list?offset=24&limit=8"),
        ("/list?start=5&q=x", "/list?start=10&q=x"),  # by the number of entries
        ("/parts/2.html", "/parts/3.html"),
        ("/list/2", "/list/3"),
    ],
)
def test_the_next_part_of_a_list_has_the_next_number(path, following):
    assert find_next_part(_BASE + path, 5) == _BASE + following


@pytest.mark.parametrize("path", ["/list?id=123456", "/article/1234567", "/list?q=page"])
def test_other_numbers_are_of_no_list(path):
    assert find_next_part(_BASE + path, 5) is None


@pytest.mark.parametrize(
    ("answer", "following"),
    [
        ({"items": [{"t": 1}, {"t": 2}]}, "/api?offset=6"),
        ({"total": 30, "items": [{"t": 1}, {"t": 2}]}, "/api?offset=6"),
        ({"has_more": False, "items": [{"t": 1}, {"t": 2}]}, None),
        ({"data": {"items": [{"t": 1}], "pageInfo": {"next": None}}}, None),
        ({"total": 2, "items": [{"t": 1}, {"t": 2}]}, None),
    ],
)
def test_an_answer_is_followed_until_it_says_that_it_ends(answer, following):
    assert find_following(answer, f"{_BASE}/api?offset=4") == (following and _BASE + following)


def test_pages_are_found_by_number_from_the_first_page():
    found = find_pagination(_BASE + "/sport/", _links(("/sport/page/2/", "2"), ("/sport/page/9/", "9"), ("/culture/page/2/", "2")))

    assert found.next_url == _BASE + "/sport/page/2/"
    assert [number for number, _ in found.numbered] == [2, 9]


def test_what_follows_is_told_by_rel_before_numbers():
    head = HeadLinks(next=_BASE + "/index-6.html", previous=_BASE + "/index-8.html")

    found = find_pagination(_BASE + "/index-7.html", _links(("/index-6.html", "6"), ("/index-8.html", "8"), ("/", "Home")), head)

    assert (found.next_url, found.previous_url) == (_BASE + "/index-6.html", _BASE + "/index-8.html")
    assert found.further == (_BASE + "/index-6.html", _BASE + "/")


@pytest.mark.parametrize("text", ["Older posts", "Další strana", "Następna", "Weiter »", "Siguiente", "Следующая", "»", "›"])
def test_what_follows_is_told_by_the_text_of_a_link(text):
    found = find_pagination(_BASE + "/blog/", _links(("/blog/page/17/", text)))

    assert found.next_url == _BASE + "/blog/page/17/"


def test_the_next_article_is_no_next_page():
    links = _links(("/2026/11/another-article-of-today/", "Next"), ("/culture/2/", "»"))

    assert find_pagination(_BASE + "/2026/11/an-article-of-today/", links).next_url is None


def test_a_bare_number_in_an_address_is_a_page_only_if_the_text_says_so():
    assert find_pagination(_BASE + "/sport/", _links(("/sport/7/", "Seven wonders"))).numbered == ()
    assert find_pagination(_BASE + "/sport/", _links(("/sport/7/", "7"))).numbered == ((7, _BASE + "/sport/7/"),)


def test_the_last_page_has_no_next():
    links = _links(("/sport/page/1/", "1"), ("/sport/page/2/", "2"))

    found = find_pagination(_BASE + "/sport/page/3/", links)

    assert found.next_url is None
    assert set(found.further) == {_BASE + "/sport/page/1/", _BASE + "/sport/page/2/"}


def test_a_page_does_not_follow_itself():
    url = _BASE + "/sport/page/3/"

    assert find_pagination(url, _links(("/sport/page/3/", "3")), HeadLinks(next=url)).next_url is None


@pytest.mark.parametrize(("text", "further"), [("the bridge of last year", ()), ("1262", (1262,)), ("Next", (1262,))])
def test_articles_with_numbers_for_names_are_no_pages_of_one_another(text, further):
    found = find_pagination(_BASE + "/archive/1322", _links(("/archive/1262", text)))

    assert tuple(number for number, _ in found.numbered) == further
