from __future__ import annotations

import random

import pytest

from newscrawler.corpus.reviews import Gold, split_words
from newscrawler.research.evaluation.answer import MethodAnswer
from newscrawler.research.evaluation.judgement import AnswerVerdict, Judge, covered, shared
from newscrawler.research.evaluation.scores import common_places, rouge_lsum, same_day, score, sentences

LEAD = "The council of the town decided on Monday to build a second bridge over the river."
REST = "Work begins in spring and will take two years.\nThe mayor expects fewer cars in the old centre from then on."
BODY = f"{LEAD}\n{REST}"


def judged(found: str, **told: str | None) -> AnswerVerdict:
    return Judge()(gold=BODY, found=found, **({"lead": LEAD, "title": None, "found_title": None} | told))  # type: ignore[arg-type]


def test_shingles_count_as_often_as_they_occur() -> None:
    text = split_words("one two three four five")

    assert shared(text, text) == (2, 2, 2)
    assert shared(text, text + text) == (2, 2, 7)
    assert shared(text, split_words("one two")) == (0, 2, 1)


def test_what_is_repeated_is_covered_once() -> None:
    text = split_words("one two three four five")

    marks = covered(text + text, text)

    assert marks == [True] * 5 + [False] * 5


def test_a_different_word_uncovers_only_itself() -> None:
    marks = covered(split_words("a b c d e f g h i j k"), split_words("a b c d e X g h i j k"))

    assert marks.count(False) == 1


def test_the_bits_give_a_longest_common_subsequence() -> None:
    dice = random.Random(3)
    for _ in range(300):
        one = tuple(dice.choice("abcd") for _ in range(dice.randrange(9)))
        other = tuple(dice.choice("abcd") for _ in range(dice.randrange(9)))

        places = sorted(common_places(one, other))

        assert len(places) == longest(one, other)
        rest = iter(other)
        assert all(one[place] in rest for place in places)


def longest(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    if not one or not other:
        return 0
    if one[-1] == other[-1]:
        return longest(one[:-1], other[:-1]) + 1
    return max(longest(one[:-1], other), longest(one, other[:-1]))


def test_rouge_takes_the_union_over_the_sentences_found() -> None:
    # Lin (2004), section 3.2: w1 w2 w3 w4 w5 against "w1 w2 w6 w7 w8" and "w1 w3 w8 w9 w5" has the union w1 w2 w3 w5
    wanted = [("w1", "w2", "w3", "w4", "w5")]
    found = [("w1", "w2", "w6", "w7", "w8"), ("w1", "w3", "w8", "w9", "w5")]

    precision, recall = rouge_lsum(wanted, found)

    assert recall == pytest.approx(4 / 5)
    assert precision == pytest.approx(4 / 10)


def test_sentences_end_at_stops_before_anything_but_small_letters() -> None:
    found = sentences("Cena je 5 tis. korun. Mluvčí řekl: „Ano.“ Potom odešel\nKonec")

    assert [" ".join(words) for words in found] == ["cena je 5 tis korun", "mluvčí řekl ano", "potom odešel", "konec"]


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (BODY, AnswerVerdict.RIGHT),
        (BODY.replace("Monday", "monday"), AnswerVerdict.RIGHT),
        (REST, AnswerVerdict.NO_LEAD),
        (f"{LEAD}\nWork begins in spring and will take two years.", AnswerVerdict.PART_MISSING),
        (f"{BODY}\nRead more about our newsletter and other offers", AnswerVerdict.FOREIGN),
        (f"{BODY}\n{LEAD}", AnswerVerdict.FOREIGN),
        (f"{REST}\nSubscribe now to read all of our stories", AnswerVerdict.NO_LEAD),
    ],
)
def test_the_worst_error_counts(found: str, verdict: AnswerVerdict) -> None:
    assert judged(found) is verdict


def test_the_headline_may_stand_at_the_head_of_the_text() -> None:
    title = "A second bridge for the old town"

    assert judged(f"{title}\n{BODY}", title=title, found_title=title) is AnswerVerdict.RIGHT
    assert judged(BODY, title=title, found_title="Another story") is AnswerVerdict.OTHER


def test_a_page_without_an_article_is_right_if_nothing_is_found() -> None:
    gold = Gold(article=False)

    assert score(gold, MethodAnswer()).verdict is AnswerVerdict.RIGHT
    assert score(gold, MethodAnswer(text="Menu")).verdict is AnswerVerdict.NOT_AN_ARTICLE


def test_the_precision_of_nothing_is_no_number() -> None:
    found = score(Gold(texts=(BODY,)), MethodAnswer())

    assert found.precision is None
    assert (found.recall, found.f1, found.rouge_f1, found.verdict) == (0, 0, 0, AnswerVerdict.NOTHING)


def test_the_closest_of_several_right_texts_counts() -> None:
    found = score(Gold(texts=(REST, BODY)), MethodAnswer(text=BODY))

    assert (found.f1, found.variant, found.verdict) == (1.0, 1, AnswerVerdict.RIGHT)


def test_pieces_that_must_and_must_not_occur_are_counted() -> None:
    gold = Gold(wanted_pieces=("two  years", "nowhere"), unwanted_pieces=("Subscribe",))

    found = score(gold, MethodAnswer(text=BODY))

    assert (found.pieces_found, found.pieces_kept_out, found.f1) == (0.5, 1.0, None)


def test_days_are_compared_on_the_clock_of_the_expected_date() -> None:
    assert same_day("2026-02-05", "2026-02-05T23:30:00+01:00")
    assert same_day("2026-02-05T23:30:00+00:00", "2026-02-06T00:30:00+01:00")
    assert not same_day("2026-02-05", "2026-02-06T00:30:00+01:00")
    assert not same_day("2026-02-05", None)
