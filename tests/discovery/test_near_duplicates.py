import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.discovery import Sketch, make_sketch
from newscrawler.discovery.near_duplicates import BINS, make_text_key, measure_similarity

_WORDS = [f"{a}{b}{c}" for a in "bcdfghklmnprstvz" for b in "aeiouy" for c in ("rak", "nov", "lis", "ten", "mos")]


def _text(seed: int, words: int = 300) -> list[str]:
    chance = random.Random(seed)
    return [chance.choice(_WORDS) for _ in range(words)]


def _similar(first: list[str], second: list[str]) -> float:
    return measure_similarity(make_sketch(" ".join(first)), make_sketch(" ".join(second)))


def test_the_same_text_in_other_clothes_is_the_same():
    text = " ".join(_text(1))

    assert make_sketch(text) == make_sketch(text.upper().replace(" ", ",\n"))
    assert make_text_key("Žluťoučký  kůň!") == make_text_key("zlutoucky kun")
    assert make_text_key("a b") != make_text_key("ab")


def test_agency_copy_with_another_beginning_and_end_is_a_twin():
    copy = _text(1)

    assert make_sketch(" ".join(copy)).is_near_duplicate_of(
        make_sketch(" ".join(_text(2, 20) + copy[:-30] + _text(3, 15))).to_bytes()
    )


def test_other_texts_are_no_twins():
    assert not any(
        make_sketch(" ".join(_text(1))).is_near_duplicate_of(make_sketch(" ".join(_text(seed))).to_bytes()) for seed in range(2, 40)
    )


@pytest.mark.parametrize("kept", [0.25, 0.5, 0.75, 0.9])
def test_the_estimate_follows_what_texts_share(kept):
    # Texts that share a beginning of so many words: Jaccard = kept / (2 − kept).
    errors = []
    for seed in range(20):
        first, second = _text(seed), _text(seed + 100)
        cut = int(300 * kept)
        errors.append(_similar(first, first[:cut] + second[cut:]) - kept / (2 - kept))

    assert abs(sum(errors) / len(errors)) < 0.05
    assert max(map(abs, errors)) < 0.25


def test_twins_share_a_band_and_others_do_not():
    def share(first: list[str], second: list[str]) -> bool:
        one, two = make_sketch(" ".join(first)), make_sketch(" ".join(second))
        return not set(one.bands()).isdisjoint(two.bands())

    assert all(share(_text(seed), _text(seed)[15:] + _text(seed + 500, 10)) for seed in range(20))
    assert not any(share(_text(seed), _text(seed + 500)) for seed in range(20))


def test_a_short_text_has_no_sketch():
    assert make_sketch("") is None
    assert make_sketch("word " * 10) is None


def test_a_sketch_survives_a_database():
    sketch = make_sketch(" ".join(_text(4)))

    assert Sketch.from_bytes(sketch.to_bytes()) == sketch
    assert all(0 <= band < 2**63 for band in sketch.bands())
    with pytest.raises(ValueError, match="256 bytes"):
        Sketch.from_bytes(b"short")


@given(st.text(max_size=400))
def test_any_text_can_be_sketched(text):
    sketch = make_sketch(text)

    assert sketch is None or len(sketch.values) == BINS
