"""Comments that nothing names are told by the button with which each may be answered."""

from __future__ import annotations

import pytest

from newscrawler.blocks.default import DefaultDetector
from newscrawler.page import Document

SENTENCE = "The council met on the hill and spoke of the bridge, which is to be built by the spring after next"
STORY = "".join(
    f"<div class=x1>{SENTENCE}, said speaker {n}. {SENTENCE}, or so it was told to the {n} visitors.</div>" for n in range(6)
)
REMARK = (
    "I live between the hills and can tell you that nobody has asked us, and that the old bridge was good enough for all of us."
)


def body(behind: str) -> str:
    page = Document.parse(f"<title>A bridge is built</title><h1>A bridge is built</h1><div class=x0>{STORY}</div>{behind}")
    found = DefaultDetector().examine(page).body
    assert found is not None
    return found.text


@pytest.mark.parametrize("word", ["Reply", "Antworten", "Odpovědět", "Odpowiedz", "返信", "Répondre (3)"])
def test_comments_with_a_button_each_are_left_out_by_whatever_name(word: str) -> None:
    remarks = "".join(
        f"<div class=x2><div class=x1>Reader {n}</div><div class=x1>{REMARK} Number {n}.</div><div class=x1>{word}</div></div>"
        for n in range(30)
    )

    found = body(f"<div class=x0>{remarks}</div>")

    assert "speaker 5" in found
    assert "nobody has asked" not in found


def test_the_text_remains_where_the_button_stands_amid_it() -> None:
    text = body(f"<div class=x0>{STORY.replace('speaker', 'witness')}<div class=x1>Reply</div></div>")

    assert "speaker 5" in text
    assert "witness 5" in text


def test_a_label_before_each_answer_is_no_button() -> None:
    answers = "".join(f"<div><h3>What does part {n} cost?</h3><p>Antworten</p><p>{REMARK} Number {n}.</p></div>" for n in range(4))

    assert "Number 2" in body(f"<div class=x0>{answers}</div>")


def test_comments_may_be_longer_than_the_text() -> None:
    remarks = "".join(
        f"<li class=x2><div>Reader {n} wrote on 3 May at 12:0{n}</div><p>{REMARK} {REMARK} Number {n}.</p>"
        f"<p>{REMARK} {SENTENCE}.</p><a>Reply</a></li>"
        for n in range(2)
    )
    page = f"<title>A bridge is built</title><h1>A bridge is built</h1><div><p>{SENTENCE}, or so it was told.</p></div>"

    found = DefaultDetector().examine(Document.parse(f"{page}<h3>2 comments</h3><ol>{remarks}</ol>")).body

    assert found is not None
    assert found.text == f"{SENTENCE}, or so it was told."
