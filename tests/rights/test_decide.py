"""What may be done with a page, by what was said and what the settings leave aside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.article import Reservation, Reserved
from newscrawler.errors import PageReason
from newscrawler.rights import DISREGARDABLE, decide

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def said(word: str, hours: float | None = None) -> Reservation:
    moment = None if hours is None else NOW + timedelta(hours=hours)
    return Reservation(word=Reserved(word), said=word, place="meta robots", from_at=moment)


def test_nothing_said_allows_everything() -> None:
    found = decide((), frozenset(), NOW)

    assert (found.refusal, found.because, found.follows_links, found.keeps_copies) == (None, None, True, True)


@pytest.mark.parametrize(
    ("reservation", "refusal"),
    [
        (said("noindex"), PageReason.NOINDEX),
        (said("tdm"), PageReason.TDM_RESERVED),
        (said("unavailable_after", -1), PageReason.EXPIRED),
        (said("unavailable_after", 0), PageReason.EXPIRED),
        (said("unavailable_after", 1), None),
        (said("unavailable_after"), None),
        (said("noarchive"), None),
        (said("nofollow"), None),
    ],
)
def test_a_reservation_keeps_the_text_from_being_stored(reservation: Reservation, refusal: PageReason | None) -> None:
    found = decide([reservation], frozenset(), NOW)

    assert found.refusal is refusal
    assert found.because is (reservation if refusal else None)


def test_a_page_that_is_said_to_be_free_is_free() -> None:
    free = Reservation(word=Reserved.TDM, said="0", place="meta tdm-reservation", granted=True)

    assert decide([free], frozenset(), NOW).refusal is None


def test_links_and_copies_are_matters_of_their_own() -> None:
    assert not decide([said("nofollow")], frozenset(), NOW).follows_links
    assert decide([said("noindex")], frozenset(), NOW).follows_links
    assert not decide([said("noarchive")], frozenset(), NOW).keeps_copies
    assert not decide([said("noindex")], frozenset(), NOW).keeps_copies


@pytest.mark.parametrize("word", DISREGARDABLE[:-1])
def test_each_has_its_setting(word: str) -> None:
    everything = [said(each, -1) for each in DISREGARDABLE[:-1]]
    others = set(DISREGARDABLE) - {word}

    assert decide([said(word, -1)], {word}, NOW) == decide((), frozenset(), NOW)
    assert decide(everything, others, NOW) != decide((), frozenset(), NOW)
    assert decide([said(word, -1)], others, NOW) != decide((), frozenset(), NOW)
