"""Jobs, films, sounds, terms and events are told from articles though they declare nothing of themselves."""

from __future__ import annotations

import json

import pytest

from newscrawler.blocks.default import DefaultDetector
from newscrawler.errors import PageReason
from newscrawler.page import Document

TEXT = "Several hundred people had queued since the early morning, some of them with folding chairs and flasks of tea."
MORE = "The director cut a blue ribbon shortly after ten; she had almost stopped believing in it, she told the visitors."
TASKS = "<ul><li>You plan the work of each day by yourself</li><li>You write down what was done</li><li>You teach others</li></ul>"
OTHERS = "".join(f"<li><a href=/play/{n}>Number {n}: about the harbour of the town</a> {n + 20} min</li>" for n in range(6))


def reason(headline: str, body: str, *, ld: object = None) -> PageReason | None:
    head = f'<script type="application/ld+json">{json.dumps(ld)}</script>' if ld else ""
    head = f"<head><title>{headline} | Courier</title>{head}</head>"
    page = f"<html>{head}<body><main>{body}</main><p>Courier, Mill Lane 4</p></body></html>"
    found = DefaultDetector().examine(Document.parse(page, "https://courier.example/x/1"))
    return found.refusal.reason if found.refusal else None


@pytest.mark.parametrize("sexes", ["(m/w/d)", "(f/m/x)", "(H/F)", "(k/m)", "(m/ž)"])
def test_who_names_the_sexes_and_lists_tasks_offers_work(sexes: str) -> None:
    body = f"<h1>Nurse {sexes} for the harbour</h1><p>{TEXT} {MORE}</p><h2>Tasks</h2>{TASKS}"

    assert reason(f"Nurse {sexes} for the harbour", body) is PageReason.NO_BODY


def test_a_headline_may_joke_about_it() -> None:
    assert reason("Mayor (m/w/d) wanted", f"<h1>Mayor (m/w/d) wanted</h1><p>{TEXT}</p><p>{MORE}</p><p>{TEXT}</p>") is None


def test_an_offer_of_work_is_told_by_its_record_though_the_headline_adds_the_place() -> None:
    body = f"<h1>Nurse for the night in Harbour Town and Mill Lane</h1><p>{TEXT} {MORE}</p>"
    ld = {"@type": "JobPosting", "title": "Nurse for the night"}

    assert reason("Nurse for the night in Harbour Town and Mill Lane", body, ld=ld) is PageReason.NO_BODY


@pytest.mark.parametrize("kind", ["VideoObject", "PodcastEpisode", "RadioEpisode"])
def test_a_record_of_a_film_or_a_sound_with_the_headlines_name_and_a_line_about_it_is_no_article(kind: str) -> None:
    ld = {"@type": kind, "name": "The harbour opens again"}

    assert reason("The harbour opens again", f"<h1>The harbour opens again</h1><p>{TEXT}</p>", ld=ld) is PageReason.NO_BODY


def test_a_text_with_a_film_of_its_name_is_an_article() -> None:
    ld = {"@type": "VideoObject", "name": "The harbour opens again"}
    body = f"<h1>The harbour opens again</h1><p>{TEXT} {MORE}</p><p>{MORE} {TEXT}</p>"

    assert reason("The harbour opens again", body, ld=ld) is None


def test_a_film_above_a_line_about_it_is_no_article_and_one_below_it_may_be() -> None:
    film, text = "<div><video src=/a.mp4></video></div>", f"<p>{TEXT} {MORE}</p>"
    headline = "<h1>The harbour opens again</h1>"

    assert reason("The harbour opens again", f"{film}{headline}{text}") is PageReason.NO_BODY
    assert reason("The harbour opens again", f"{headline}{text}{film}") is None
    assert reason("The harbour opens again", f"{film}{headline}{text}<p>{MORE} {TEXT}</p>") is None


def test_a_sound_among_others_with_how_long_they_play_is_no_article_and_an_article_read_aloud_is() -> None:
    body = f"<h1>The harbour opens again</h1><div><audio src=/a.mp3></audio></div><p>{TEXT} {MORE}</p>"

    assert reason("The harbour opens again", f"{body}<ul>{OTHERS}</ul>") is PageReason.NO_BODY
    assert reason("The harbour opens again", body) is None


@pytest.mark.parametrize("begins", ["Isotope is a word", "Isotopes are kinds", "An isotope is a kind"])
def test_a_term_with_which_its_text_begins_is_an_entry(begins: str) -> None:
    body = "<h1>Isotope</h1><p>{}, of which several hundred have been found since, some in the ice of lakes and of the sea.</p>"

    assert reason("Isotope", body.format(begins)) is PageReason.NO_BODY
    assert reason("Isotope", body.format("Nobody has seen it")) is None


def test_three_labels_under_the_headline_make_an_event_unless_they_are_an_articles() -> None:
    body = "<h1>Evening of songs in the mill</h1>{}<p>" + f"{TEXT} {MORE}</p>"

    assert reason("Evening of songs in the mill", body.format("<p>When: 3 May, 7 pm</p><p>Where: the mill</p><p>Tickets: 5</p>"))
    assert (
        reason("Evening of songs in the mill", body.format("<p>When: 3 May, 7 pm</p><p>Section: local</p><p>Read: 2 min</p>"))
        is None
    )
