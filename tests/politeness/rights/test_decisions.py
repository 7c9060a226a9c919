"""What may be done with a page, by what was said and what the settings leave aside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.article import Reservation, Reserved
from newscrawler.errors import PageReason
from newscrawler.politeness.rights import DISREGARDABLE, Intent, Purpose, decide_rights, explain_reservation, list_reserving_words

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def said(word: str, hours: float | None = None) -> Reservation:
    moment = None if hours is None else NOW + timedelta(hours=hours)
    return Reservation(word=Reserved(word), said=word, place="meta robots", from_at=moment)


def test_nothing_said_allows_everything() -> None:
    found = decide_rights((), frozenset(), NOW)

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
    found = decide_rights([reservation], frozenset(), NOW)

    assert found.refusal is refusal
    assert found.because is (reservation if refusal else None)


def test_a_page_that_is_said_to_be_free_is_free() -> None:
    free = Reservation(word=Reserved.TDM, said="0", place="meta tdm-reservation", granted=True)

    assert decide_rights([free], frozenset(), NOW).refusal is None


def test_links_and_copies_are_matters_of_their_own() -> None:
    assert not decide_rights([said("nofollow")], frozenset(), NOW).follows_links
    assert decide_rights([said("noindex")], frozenset(), NOW).follows_links
    assert not decide_rights([said("noarchive")], frozenset(), NOW).keeps_copies
    assert not decide_rights([said("noindex")], frozenset(), NOW).keeps_copies


@pytest.mark.parametrize("word", [word for word in DISREGARDABLE[:-1] if word != Reserved.AI_IMAGES])
def test_each_has_its_setting(word: str) -> None:
    everything = [said(each, -1) for each in DISREGARDABLE[:-1]]
    others = set(DISREGARDABLE) - {word}

    assert decide_rights([said(word, -1)], {word}, NOW) == decide_rights((), frozenset(), NOW)
    assert decide_rights(everything, others, NOW) != decide_rights((), frozenset(), NOW)
    assert decide_rights([said(word, -1)], others, NOW) != decide_rights((), frozenset(), NOW)


@pytest.mark.parametrize(
    ("purposes", "words", "verdict"),
    [
        ({"text-analysis"}, ["ai-train"], "noted"),
        ({"ai-train"}, ["ai-train"], "refused"),
        ({"ai-train", "text-analysis"}, ["ai-train"], "noted"),
        ({"ai-train", "search"}, ["ai-train", "search"], "refused"),
        ({"search"}, ["search"], "refused"),
        ({"text-analysis"}, ["search"], "noted"),
        ({"archive"}, ["noarchive"], "refused"),
        ({"archive"}, ["reproduction"], "refused"),
        ({"text-analysis"}, ["reproduction"], "noted"),
        ({"text-analysis"}, ["any-use"], "refused"),
        ({"search"}, ["tdm"], "refused"),
        ({"text-analysis"}, ["ai-images", "nofollow"], "allowed"),
        ({"text-analysis"}, [], "allowed"),
    ],
)
def test_a_text_is_refused_where_every_purpose_is_reserved(purposes: set[str], words: list[str], verdict: str) -> None:
    intent = Intent(purposes=frozenset(map(Purpose, purposes)))

    decision = decide_rights([said(word) for word in words], frozenset(), NOW, intent)

    assert ("refused" if decision.refusal else "noted" if decision.reserved else "allowed") == verdict


def test_research_is_free_of_reservations_of_text_mining_and_of_nothing_else() -> None:
    research = Intent(legal_basis="§ 60d UrhG")

    assert decide_rights([said("tdm")], frozenset(), NOW, research).refusal is None
    assert decide_rights([said("noindex")], frozenset(), NOW, research).refusal is PageReason.NOINDEX
    assert Reserved.TDM in list_reserving_words(Purpose.AI_TRAIN, research)
    assert Reserved.TDM not in list_reserving_words(Purpose.TEXT_ANALYSIS, research)
    for_models = Intent(purposes=frozenset({Purpose.AI_TRAIN}), legal_basis="§ 60d UrhG")
    assert decide_rights([said("tdm")], frozenset(), NOW, for_models).refusal is PageReason.TDM_RESERVED


@pytest.mark.parametrize(
    ("reservation", "sentence"),
    [
        (
            said("noindex"),
            "The publisher says 'noindex' in meta robots, which reserves any use; the text is not stored.",
        ),
        (
            said("ai-train"),
            (
                "The publisher says 'ai-train' in meta robots, which reserves training of AI models; "
                "the text is stored, and left out of exports for ai-train."
            ),
        ),
        (
            said("unavailable_after", 1),
            "The publisher says 'unavailable_after' in meta robots; it reserves nothing yet.",
        ),
        (said("nofollow"), "The publisher says 'nofollow' in meta robots: nofollow; texts may be stored."),
    ],
)
def test_a_sentence_says_who_said_what_where_and_what_follows(reservation: Reservation, sentence: str) -> None:
    assert explain_reservation(reservation, frozenset(), NOW, Intent()) == sentence
    assert "disregard" in explain_reservation(reservation, {reservation.word}, NOW, Intent())
