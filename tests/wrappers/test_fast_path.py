"""A page that fits the template is read at the learned places; a surprise, and every eighth page, is read in full."""

from __future__ import annotations

from dataclasses import replace

import pytest
from portal_pages import headline, page, paragraphs_of, sentence
from stopwatch import cpu_seconds

from newscrawler.drift import noted
from newscrawler.extract import Draft, Reading, detect_body, finish, read_dates, read_metadata
from newscrawler.page import Document
from newscrawler.wrappers import PortalWrapper, learn
from newscrawler.wrappers.portal.fast_path import is_sampled
from newscrawler.wrappers.portal.model import FieldSource

#: Stories that many pages show beside the article.
BESIDE = "".join(f"<div class=teaser><h3><a href=/t/{n}>Story {n} of the valley</a></h3><p>Read it.</p></div>" for n in range(150))


def document(number: int, inner: str = "", **changes: object) -> Document:
    html = page(number, inner=inner, promoted=False, **changes).replace("</body>", f"<div class=beside>{BESIDE}</div></body>")  # type: ignore[arg-type]
    return Document.parse(html, f"https://valley.example/{number}")


@pytest.fixture(scope="module")
def wrapper() -> PortalWrapper:
    return PortalWrapper.from_json(learn([document(number) for number in range(1, 9)]).to_json())


def drafted(wrapper: PortalWrapper | None, read: Document) -> Draft:
    draft, reading = Draft(page=read), Reading(wrapper=wrapper)
    detect_body(draft, reading)
    read_metadata(draft, reading)
    read_dates(draft, reading)
    finish(draft, reading)
    return draft


def unsampled(first: int) -> int:
    return next(number for number in range(first, first + 50) if not is_sampled(document(number)))


def test_a_page_that_fits_is_read_at_the_learned_places_as_it_is_in_full(wrapper: PortalWrapper) -> None:
    number = unsampled(20)
    fast, full = drafted(wrapper, document(number)), drafted(None, document(number))

    assert fast.explained is not None
    assert fast.explained.is_fast
    assert fast.fast is not None
    assert "layout" not in fast.page.__dict__  # nobody walked over the whole page
    assert fast.body is not None
    assert full.body is not None
    assert fast.body.text.split("\n") == paragraphs_of(number)
    assert (fast.body.headline, fast.body.lead) == (headline(number), full.body.lead)
    assert fast.metadata is not None
    assert full.metadata is not None
    guess = {"authors_source": None, "authors_confidence": 0.0, "section_source": None}
    assert replace(fast.metadata, **guess) == replace(full.metadata, **guess)
    assert fast.dates is not None
    assert full.dates is not None
    assert fast.dates.published is not None
    assert full.dates.published is not None
    assert fast.dates.published.value == full.dates.published.value


def test_a_block_at_a_place_that_no_learned_page_had_is_a_surprise(wrapper: PortalWrapper) -> None:
    number = unsampled(20)

    applied = wrapper.apply(document(number, inner=f"<blockquote class=said>{sentence(number, 77)}</blockquote>"))

    assert not applied.explained.is_fast
    assert applied.found.body is not None
    assert sentence(number, 77) in applied.found.body.text


def test_a_page_without_the_region_or_of_an_unusual_length_is_read_in_full(wrapper: PortalWrapper) -> None:
    number = unsampled(20)

    assert not wrapper.apply(document(number, count=60)).explained.is_fast
    assert not wrapper.apply(document(number, container="live-report")).explained.is_fast


def test_every_eighth_page_is_read_in_full_and_what_differs_counts_as_drift(wrapper: PortalWrapper) -> None:
    sampled = [number for number in range(100, 500) if is_sampled(document(number))]
    assert 30 < len(sampled) < 70

    same = wrapper.apply(document(sampled[0])).explained
    assert (same.is_fast, same.agreement) == (False, 1.0)
    other = replace(wrapper, fields={**wrapper.fields, "title": (FieldSource("title", 8, 0),)})
    compared = drafted(other, document(sampled[0])).explained
    assert compared is not None
    assert (compared.is_fast, compared.agreement) == (False, 0.5)


def test_a_page_read_fast_says_nothing_of_agreement(wrapper: PortalWrapper) -> None:
    applied = wrapper.apply(document(unsampled(20)))

    note = noted(applied.explained, None, expected=True)
    assert note is not None
    assert "agreement" not in note
    assert note["explained"]


def test_nothing_is_read_fast_of_too_few_pages_or_where_fields_are_placed_by_hand(wrapper: PortalWrapper) -> None:
    few = learn([document(1), document(2)])
    placed = PortalWrapper.from_json(wrapper.to_json().replace('"overrides": {}', '"overrides": {"lead": "css: .nowhere"}'))

    assert few.layouts[0].fast_path is None
    assert not placed.apply(document(unsampled(20))).explained.is_fast


def test_the_fast_path_costs_less_than_a_third_of_the_full_reading(wrapper: PortalWrapper) -> None:
    numbers = [number for number in range(20, 60) if not is_sampled(document(number))]

    def seconds(used: PortalWrapper | None) -> float:
        pages = [document(number) for number in numbers]
        return cpu_seconds(lambda: [drafted(used, each) for each in pages])

    drafted(wrapper, document(numbers[0]))
    rounds = [(seconds(wrapper), seconds(None)) for _ in range(3)]
    assert min(fast for fast, _ in rounds) < 0.33 * min(full for _, full in rounds)
