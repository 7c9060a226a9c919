"""When a crawl stops asking, and when it does not."""

from __future__ import annotations

from newscrawler.crawl.patience import _MOST_REMEMBERED, MOST_BARREN, MOST_BARREN_OTHER, Patience, shape_of

SITE = "http://127.0.0.1"


def page(number: int, name: str = "sport") -> str:
    return f"{SITE}/{name}/page/{number}/"


def fetched(patience: Patience, *numbers: int, fruitful: bool = False) -> None:
    for number in numbers:
        patience.note(page(number), "section", "pagination", fruitful=fruitful)


def test_numbers_do_not_make_a_shape() -> None:
    assert shape_of(f"{SITE}/cal/2026/11/?d=3&x=") == shape_of(f"{SITE}/cal/1999/1/?x=7&d=12")
    assert shape_of(f"{SITE}/cal/2026/") != shape_of(f"{SITE}/archive/2026/")


def test_a_shape_that_brings_nothing_is_left_after_a_while_and_not_before() -> None:
    patience = Patience()

    lost = []
    for number in range(MOST_BARREN + 1):
        lost.append(patience.is_lost(f"{SITE}/cal/{number}/", "section", None))
        patience.note(f"{SITE}/cal/{number}/", "section", None, fruitful=False)

    assert lost == [False] * MOST_BARREN + [True]


def test_one_find_renews_the_patience() -> None:
    patience = Patience()
    for number in range(100):
        patience.note(f"{SITE}/cal/{number}/", "section", None, fruitful=number % 10 == 9)

    assert not patience.is_lost(f"{SITE}/cal/101/", "section", None)


def test_tag_pages_are_one_kind_whatever_they_are_called() -> None:
    patience = Patience()
    for name in "abcdefg"[:MOST_BARREN_OTHER]:
        patience.note(f"{SITE}/tag/{name}/", "other", "tag", fruitful=False)

    assert patience.is_lost(f"{SITE}/tag/z/", "other", "tag")
    assert not patience.is_lost(f"{SITE}/author/z/", "other", "author")


def test_a_listing_whose_first_and_last_further_page_bring_nothing_is_known() -> None:
    patience = Patience()
    patience.linked([page(2), page(3), page(19)])
    fetched(patience, 2)
    after_one_end = patience.is_lost(page(3), "section", "pagination")

    fetched(patience, 19)

    assert not after_one_end
    assert patience.is_lost(page(3), "section", "pagination")
    assert not patience.is_lost(page(3, "kultura"), "section", "pagination")


def test_a_listing_that_shows_only_the_next_page_is_followed() -> None:
    patience = Patience()

    lost = []
    for number in range(2, 10):
        patience.linked([page(number + 1)])
        fetched(patience, number)
        lost.append(patience.is_lost(page(number + 1), "section", "pagination"))

    assert not any(lost)


def test_a_listing_with_news_at_its_end_is_walked() -> None:
    patience = Patience()
    patience.linked([page(2), page(19)])
    fetched(patience, 2)
    fetched(patience, 19, fruitful=True)

    assert not patience.is_lost(page(10), "section", "pagination")


def test_a_shape_that_gave_articles_gets_more_patience() -> None:
    patience = Patience()
    for number in range(20):
        patience.note(f"http://a/{number}", "article", None, fruitful=True)
    for number in range(20, 20 + MOST_BARREN + 5):
        patience.note(f"http://a/{number}", "article", None, fruitful=False)

    assert not patience.is_lost("http://a/99", "article", None)


def test_shapes_and_series_are_forgotten_in_the_order_in_which_they_were_met_last() -> None:
    patience = Patience()
    for number in range(3 * _MOST_REMEMBERED):
        name = f"{number:x}".translate(str.maketrans("0123456789", "ghijklmnop"))  # digits do not make a shape
        patience.note(f"{SITE}/{name}/", "article", None, fruitful=True)
        patience.note(f"{SITE}/empty-{name}/", "section", None, fruitful=False)
        patience.note(f"{SITE}/cal/{number}/", "section", None, fruitful=False)
        patience.linked([page(2, name), page(9, name)])

    assert len(patience._found) == len(patience._barren) == len(patience._series) == _MOST_REMEMBERED
    assert patience.is_lost(f"{SITE}/cal/1/", "section", None)
