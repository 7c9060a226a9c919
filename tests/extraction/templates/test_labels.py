"""What a page whose text is known teaches of the other pages of its portal."""

from __future__ import annotations

from typing import Any

import pytest
from portal_pages import page, paragraphs_of, sentence

from newscrawler.extraction.templates import PortalTemplate, estimate_gain, learn_template
from newscrawler.page import Document

#: What a person says of an article.
Gold = dict[str, Any]


def document(number: int) -> Document:
    """An article with a note of its own in each of two places, that reads like its text."""
    notes = "".join(f"<div class=desk><p>{sentence(number, 50 + part)}</p></div>" for part in range(2))
    return Document.parse(page(number, promoted=False).replace("</p><p>", f"</p>{notes}<p>", 1), f"https://valley.example/{number}")


def gold(number: int) -> Gold:
    return {"body": "\n".join(paragraphs_of(number))}


def lines(learned: PortalTemplate, number: int) -> list[str]:
    body = learned.apply(document(number)).found.body
    assert body is not None
    return body.text.split("\n")


def test_one_labelled_page_teaches_which_place_holds_no_text() -> None:
    pages = [document(number) for number in range(1, 6)]

    assert len(lines(learn_template(pages), 9)) == len(paragraphs_of(9)) + 2
    assert lines(learn_template(pages, golds={pages[0]: gold(1)}), 9) == paragraphs_of(9)


@pytest.mark.parametrize("verdict", ["ads or captions", "part missing", "other"])
def test_a_verdict_without_a_correction_teaches_which_place_is_likely_the_mistake(verdict: str) -> None:
    pages = [document(number) for number in range(1, 6)]
    text = "\n".join(paragraphs_of(1) if verdict == "part missing" else lines(learn_template(pages), 1))
    learned = learn_template(pages, golds={pages[0]: {"faulty": {"title": None, "text": text, "verdict": verdict}}})

    assert len(lines(learned, 9)) == len(paragraphs_of(9)) + (0 if verdict == "ads or captions" else 2)
    assert learned.labels.pages == (verdict != "other")


def test_labels_stay_in_the_file_and_a_template_without_any_moves_no_block() -> None:
    pages = [document(number) for number in range(1, 6)]
    learned = learn_template(pages, golds={pages[0]: gold(1), pages[1]: gold(2)})

    again = PortalTemplate.from_json(learned.to_json())

    assert (again, again.labels.pages) == (learned, 2)
    assert any(place.other > place.text for place in again.labels.places.values())
    assert learn_template(pages).labels.places == {}


def test_a_layout_counts_from_one_labelled_page_on() -> None:
    pages = [document(number) for number in range(1, 6)]
    odd = Document.parse(page(11, container="live-report"), "https://valley.example/11")
    unseen = Document.parse(page(19, container="live-report"), "https://valley.example/19")

    assert learn_template([*pages, odd]).apply(unseen).explained.template != "layout 2"
    assert learn_template([*pages, odd], golds={odd: gold(11)}).apply(unseen).explained.template == "layout 2"


def test_a_page_of_another_layout_is_read_by_itself() -> None:
    pages = [document(number) for number in range(1, 6)]
    texts = "".join(f"<p>{text}</p>" for text in paragraphs_of(9))
    other = Document.parse(f"<html><body><main><h1>A title of the valley</h1><section id=text>{texts}</section></main>")

    applied = learn_template(pages, golds={pages[0]: gold(1)}).apply(other)

    assert applied.found.body is not None
    assert applied.found.body.text.split("\n") == paragraphs_of(9)
    assert not applied.explained.explained


def test_the_first_label_brings_most() -> None:
    assert estimate_gain(0) > estimate_gain(1) > 0
    assert estimate_gain(50) == 0
