"""What stands around a portal's articles is left out when a page is laid out, unless the text may stand there for once."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from portal_pages import page, paragraphs_of

from newscrawler.errors import ConfigError
from newscrawler.extract import Draft, Reading, detect_body
from newscrawler.page import Document
from newscrawler.page.named import MarksOnDemand
from newscrawler.wrappers import PortalWrapper, learn

#: No page is weighed as a whole to watch for drift.
NEVER = 10**9
ASIDE = "<div class='most read'><p>What others read is this: {text}</p><ul><li><a href='/1'>One of them</a></li></ul></div>"


def with_aside(number: int, text: str = "the council, the bridge and the winter.") -> Document:
    aside = ASIDE.format(text=text)
    return Document.parse(page(number, promoted=False).replace("</body>", f"{aside}</body>"), f"https://valley.example/{number}")


@pytest.fixture(scope="module")
def wrapper() -> PortalWrapper:
    return replace(learn([with_aside(number) for number in range(1, 7)]), every_page=NEVER)


def test_a_page_is_laid_out_without_what_stands_around_its_article(wrapper: PortalWrapper) -> None:
    unseen = with_aside(9)

    applied = wrapper.apply(unseen)

    assert "div.most.read" in wrapper.around
    assert applied.found.body is not None
    assert applied.found.body.text.split("\n") == paragraphs_of(9)
    assert "One of them" not in [block.text for block in applied.page.layout.blocks]
    assert not applied.explained.checked


def test_the_page_that_was_given_keeps_its_layout(wrapper: PortalWrapper) -> None:
    unseen, other = with_aside(9), with_aside(9)

    wrapper.apply(unseen)

    assert [block.text for block in unseen.layout.blocks] == [block.text for block in other.layout.blocks]


def test_a_box_with_far_more_text_than_ever_is_read(wrapper: PortalWrapper) -> None:
    unseen = with_aside(9, " ".join(paragraphs_of(30, 12)))

    assert wrapper.apply(unseen).page is unseen


def test_a_page_laid_out_like_no_other_is_read_as_a_whole(wrapper: PortalWrapper) -> None:
    unseen = Document.parse(page(9, container="elsewhere").replace("page wide", "sheet"), "https://valley.example/9")

    assert wrapper.apply(unseen).page is unseen


def test_some_pages_are_weighed_as_a_whole_to_watch_for_drift(wrapper: PortalWrapper) -> None:
    always = replace(wrapper, every_page=1)
    unseen = with_aside(9)

    applied = always.apply(unseen)

    assert applied.page is unseen
    assert applied.explained.checked


def test_the_record_s_other_fields_are_read_of_the_page_that_was_laid_out(wrapper: PortalWrapper) -> None:
    draft = Draft(page=with_aside(9))

    detect_body(draft, Reading(wrapper=wrapper))

    assert "layout" in draft.page.__dict__
    assert draft.page.root is not None


def test_three_pages_are_needed(wrapper: PortalWrapper) -> None:
    assert wrapper.around
    assert not learn([with_aside(1), with_aside(2)]).around


def test_marks_that_are_read_one_by_one_are_those_of_the_whole_page() -> None:
    html = page(9).replace("<body>", "<body><nav role=navigation hidden><p style='display:none' id=cookie-consent>x</p></nav>")
    document = Document.parse(html)
    single = MarksOnDemand()

    marks = {element: single.get(element) for element in document.body.iter() if element.tag != "a"}

    assert {element: found for element, found in marks.items() if found} == dict(document.names.marks)


@pytest.mark.parametrize("around", [{"div.x": [-1, 0]}, {"div.x": [1, "much"]}, {"div.x": 3}, {"d" * 2000: [1, 1]}, []])
def test_boxes_of_a_file_from_elsewhere_are_checked(wrapper: PortalWrapper, around: object) -> None:
    stored = json.loads(wrapper.to_json()) | {"around": around or [1]}

    with pytest.raises(ConfigError, match="around"):
        PortalWrapper.from_json(json.dumps(stored))
