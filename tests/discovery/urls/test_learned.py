from itertools import pairwise

import pytest

from newscrawler.discovery.urls import PatternRecord, UrlKind, UrlVerdict, compute_prior, correct_verdict, is_name, should_request
from newscrawler.discovery.urls.learned import (
    PROBE_AFTER,
    PROBE_AFTER_MOST,
    UNPRODUCTIVE_AFTER,
    RedundantParameters,
    get_probe_interval,
)

_ARTICLE = UrlVerdict(label=UrlKind.ARTICLE, score=0.8, why="long name", article_score=0.8)
_SECTION = UrlVerdict(label=UrlKind.SECTION, score=0.8, why="short name", article_score=0.1)
_OTHER = UrlVerdict(label=UrlKind.OTHER, score=0.7, why="page of the portal", article_score=0.2)
_TAG = UrlVerdict(label=UrlKind.OTHER, score=0.9, why="tag", article_score=0.02)


def _record(outcomes: str, fresh: int = 0) -> PatternRecord:
    record = PatternRecord(pattern="/{slug}")
    for letter in outcomes:
        outcome = {"a": UrlKind.ARTICLE, "l": UrlKind.SECTION, "n": UrlKind.OTHER}[letter]
        record = record.count_page(outcome, fresh=fresh if letter == "l" else 0)
    return record


def test_without_a_page_seen_the_guess_stands():
    assert correct_verdict(_SECTION, _record("")) is _SECTION


def test_one_surprise_changes_no_label_and_many_do():
    assert correct_verdict(_SECTION, _record("a")).label == "section"
    assert correct_verdict(_SECTION, _record("aaaaa")).label == "article"
    assert correct_verdict(_ARTICLE, _record("lllll")).label == "section"
    assert correct_verdict(_ARTICLE, _record("nnnnnn")).label == "other"
    assert correct_verdict(_OTHER, _record("aaaa")).label == "article"


def test_the_score_follows_what_was_seen():
    assert correct_verdict(_ARTICLE, _record("aaaaaaaa")).article_score > 0.9
    assert correct_verdict(_ARTICLE, _record("n")).article_score < 0.8


def test_tag_pages_become_sections_only_if_they_bring_something():
    assert correct_verdict(_TAG, _record("llllllll")).label == "other"
    assert correct_verdict(_TAG, _record("llllllll", fresh=3)).label == "section"


def test_external_links_are_never_corrected_or_asked():
    external = UrlVerdict(label=UrlKind.EXTERNAL, score=1.0)

    assert correct_verdict(external, _record("aaaa")) is external
    assert not should_request(external, _record("aaaa"))


def test_a_pattern_that_gives_nothing_is_asked_less_and_less():
    barren = _record("n" * UNPRODUCTIVE_AFTER)
    requests = []
    for number in range(20_000):
        if should_request(_ARTICLE, barren):
            requests.append(number)
            barren = barren.count_page(UrlKind.OTHER)
        else:
            barren = barren.count_skipped()

    gaps = [later - earlier for earlier, later in pairwise(requests)]
    assert requests[0] == PROBE_AFTER
    assert gaps == sorted(gaps)
    assert gaps[-1] <= PROBE_AFTER_MOST + 1
    assert 5 <= len(requests) <= 20


def test_a_pattern_that_gave_articles_is_not_given_up_for_a_few_that_were_taken_down():
    assert should_request(_ARTICLE, _record("a" * 12 + "n" * 12))
    assert not should_request(_ARTICLE, _record("a" * 12 + "n" * 18))
    assert not should_request(_ARTICLE, _record("a" * 500 + "n" * 40))


def test_one_probe_that_yields_makes_the_pattern_asked_again():
    record = _record("n" * 9 + "a")

    assert record.unproductive == 0
    assert should_request(
        correct_verdict(UrlVerdict(label=UrlKind.ARTICLE, score=0.9, article_score=0.9), PatternRecord(pattern="x")), record
    )


def test_a_page_taken_for_other_is_probed_rarely_and_a_login_never():
    record = PatternRecord(pattern="/{slug}", skipped=PROBE_AFTER)

    assert should_request(_OTHER, record)
    assert not should_request(_OTHER, PatternRecord(pattern="/{slug}", skipped=PROBE_AFTER - 1))
    assert not should_request(
        UrlVerdict(label=UrlKind.OTHER, score=0.9, why="login"), PatternRecord(pattern="/login", skipped=10_000)
    )


def test_the_interval_of_probes_is_bounded():
    assert get_probe_interval(_record("n" * 60)) == PROBE_AFTER_MOST


def test_a_link_that_says_nothing_moves_no_page_and_menus_speak_against_one() -> None:
    assert compute_prior(0.5) == 0.0
    assert compute_prior(0.0) < compute_prior(0.2) < 0.0 < compute_prior(0.9) < compute_prior(1.0) < 4.0
    assert compute_prior(0.9, is_apart=True) < 0.0


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        ("About us", True), ("Sport", True), ("Ferry returns after winter break", False), ("artikel1.htm", False),
        ("3.11.2026", False), ("Read more", False), ("", False), ("市議会が新しい図書館の建設を決定", False), ("社会", True),
    ],
)  # fmt: skip
def test_few_words_name_a_page_but_dates_files_and_read_more_do_not(anchor: str, *, expected: bool) -> None:
    assert is_name(anchor) is expected


def test_articles_of_earlier_crawls_are_known_at_whatever_redundant_parameters() -> None:
    parameters = RedundantParameters()
    parameters.load({"idle": ["box"], "meaningful": []})
    before = parameters.is_seen("https://a.cz/most?box=2")
    parameters.recall(["https://a.cz/most?box=1"])

    assert not before
    assert parameters.is_seen("https://a.cz/most?box=2")
    assert not parameters.is_seen("https://a.cz/skola?box=2")
