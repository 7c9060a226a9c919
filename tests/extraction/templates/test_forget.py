"""An article that was withdrawn leaves what was learned, too."""

from __future__ import annotations

import json

from portal_pages import PROMOTION, page, paragraphs_of

from newscrawler.extraction.templates import PortalTemplate, forget_article, learn_template
from newscrawler.page import Document

SHARED = "The mayor said that the bridge will be repaired before the winter comes to the valley again this year."


def url(number: int) -> str:
    return f"https://valley.example/{number}"


def document(number: int) -> str:
    """The page of an article; the first two share a sentence."""
    return page(number, inner=f"<p>{SHARED}</p>" if number < 3 else "")


def learned() -> PortalTemplate:
    return learn_template([Document.parse(document(number), url(number)) for number in range(1, 5)])


def test_address_lines_of_the_article_go_and_the_rest_stays() -> None:
    before = learned()
    assert SHARED in [line.text for line in before.lines]

    text = forget_article(before.to_json(), [url(1)], [*paragraphs_of(1), SHARED])

    assert text is not None
    after = PortalTemplate.from_json(text)
    assert SHARED not in text
    assert url(1) not in text
    assert url(2) in text
    assert PROMOTION in [line.text for line in after.lines]
    assert after.layouts == before.layouts


def test_what_holds_nothing_of_it_is_left_as_it_is() -> None:
    assert forget_article(learned().to_json(), [url(77)], paragraphs_of(77)) is None


def test_of_a_template_of_another_version_only_what_was_set_by_hand_stays() -> None:
    document = json.loads(learned().to_json()) | {"version": 1, "overrides": {"lead": "css: p"}}

    text = forget_article(json.dumps(document), [url(1)], paragraphs_of(1))

    assert text is not None
    assert json.loads(text) == {"method": "portal_template", "version": 1, "overrides": {"lead": "css: p"}}
    assert forget_article(text, [url(1)], paragraphs_of(1)) is None
