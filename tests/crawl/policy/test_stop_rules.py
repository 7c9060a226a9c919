"""When a crawl stops asking, and when it does not."""

from __future__ import annotations

from newscrawler.crawl.policy.stop_rules import (
    _MOST_REMEMBERED,
    MOST_EMPTY,
    MOST_EMPTY_OTHER,
    MOST_TWINS,
    NEW_ARTICLE,
    NEW_SECTION,
    StopRules,
    make_shape,
)

SITE = "http://127.0.0.1"


def page(number: int, name: str = "sport") -> str:
    return f"{SITE}/{name}/page/{number}/"


def fetched(stop_rules: StopRules, *numbers: int, fruitful: bool = False) -> None:
    for number in numbers:
        stop_rules.note(page(number), "section", "pagination", fruitful=fruitful)


def test_numbers_do_not_make_a_shape() -> None:
    assert make_shape(f"{SITE}/cal/2026/11/?d=3&x=") == make_shape(f"{SITE}/cal/1999/1/?x=7&d=12")
    assert make_shape(f"{SITE}/cal/2026/") != make_shape(f"{SITE}/archive/2026/")


def test_a_shape_that_brings_nothing_is_left_after_a_while_and_not_before() -> None:
    stop_rules = StopRules()

    lost = []
    for number in range(MOST_EMPTY + 1):
        lost.append(stop_rules.is_unproductive(f"{SITE}/cal/{number}/", "section", None))
        stop_rules.note(f"{SITE}/cal/{number}/", "section", None, fruitful=False)

    assert lost == [False] * MOST_EMPTY + [True]


def test_one_find_renews_the_patience() -> None:
    stop_rules = StopRules()
    for number in range(100):
        stop_rules.note(f"{SITE}/cal/{number}/", "section", None, fruitful=number % 10 == 9)

    assert not stop_rules.is_unproductive(f"{SITE}/cal/101/", "section", None)


def test_tag_pages_are_one_kind_whatever_they_are_called() -> None:
    stop_rules = StopRules()
    for name in "abcdefg"[:MOST_EMPTY_OTHER]:
        stop_rules.note(f"{SITE}/tag/{name}/", "other", "tag", fruitful=False)

    assert stop_rules.is_unproductive(f"{SITE}/tag/z/", "other", "tag")
    assert not stop_rules.is_unproductive(f"{SITE}/author/z/", "other", "author")


def test_a_listing_whose_first_and_last_further_page_bring_nothing_is_known() -> None:
    stop_rules = StopRules()
    stop_rules.note_linked([page(2), page(3), page(19)])
    fetched(stop_rules, 2)
    after_one_end = stop_rules.is_unproductive(page(3), "section", "pagination")

    fetched(stop_rules, 19)

    assert not after_one_end
    assert stop_rules.is_unproductive(page(3), "section", "pagination")
    assert not stop_rules.is_unproductive(page(3, "kultura"), "section", "pagination")


def test_a_listing_that_shows_only_the_next_page_is_followed() -> None:
    stop_rules = StopRules()

    lost = []
    for number in range(2, 10):
        stop_rules.note_linked([page(number + 1)])
        fetched(stop_rules, number)
        lost.append(stop_rules.is_unproductive(page(number + 1), "section", "pagination"))

    assert not any(lost)


def test_a_listing_with_news_at_its_end_is_walked() -> None:
    stop_rules = StopRules()
    stop_rules.note_linked([page(2), page(19)])
    fetched(stop_rules, 2)
    fetched(stop_rules, 19, fruitful=True)

    assert not stop_rules.is_unproductive(page(10), "section", "pagination")


def test_a_shape_that_gave_articles_gets_more_patience() -> None:
    stop_rules = StopRules()
    for number in range(20):
        stop_rules.note(f"http://a/{number}", "article", None, fruitful=True)
    for number in range(20, 20 + MOST_EMPTY + 5):
        stop_rules.note(f"http://a/{number}", "article", None, fruitful=False)

    assert not stop_rules.is_unproductive("http://a/99", "article", None)


def test_new_sections_of_one_folder_that_bring_nothing_are_left_and_others_are_not() -> None:
    stop_rules = StopRules()
    for name in "abcdefghijklmnop"[:MOST_EMPTY]:
        stop_rules.note(f"{SITE}/topic-pages/{name * 5}/", "section", NEW_SECTION, fruitful=False)

    assert stop_rules.is_unproductive(f"{SITE}/topic-pages/zzzzz/", "section", NEW_SECTION)
    assert not stop_rules.is_unproductive(f"{SITE}/topic-pages/zzzzz/", "section", None)  # the front page links to it
    assert not stop_rules.is_unproductive(f"{SITE}/region/zzzzz/", "section", NEW_SECTION)


def test_links_that_only_lead_to_known_articles_are_left_and_new_articles_renew_the_patience() -> None:
    stop_rules = StopRules()
    for number in range(MOST_TWINS):
        stop_rules.note(f"{SITE}/a{number:04}xyz/title-of-an-article", "article", NEW_ARTICLE, fruitful=True, is_twin=True)
    is_left = stop_rules.is_unproductive(f"{SITE}/b9999yz/title-of-an-article", "article", NEW_ARTICLE)
    stop_rules.note(f"{SITE}/a1000xyz/title-of-an-article", "article", NEW_ARTICLE, fruitful=True)

    assert is_left
    assert not stop_rules.is_unproductive(f"{SITE}/b9999yz/title-of-an-article", "article", NEW_ARTICLE)


def test_shapes_and_series_are_forgotten_in_the_order_in_which_they_were_met_last() -> None:
    stop_rules = StopRules()
    for number in range(3 * _MOST_REMEMBERED):
        name = f"{number:x}".translate(str.maketrans("0123456789", "ghijklmnop"))  # digits do not make a shape
        stop_rules.note(f"{SITE}/{name}/", "article", None, fruitful=True)
        stop_rules.note(f"{SITE}/empty-{name}/", "section", None, fruitful=False)
        stop_rules.note(f"{SITE}/cal/{number}/", "section", None, fruitful=False)
        stop_rules.note_linked([page(2, name), page(9, name)])

    assert len(stop_rules._found) == len(stop_rules._empty) == len(stop_rules._series) == _MOST_REMEMBERED
    assert stop_rules.is_unproductive(f"{SITE}/cal/1/", "section", None)
