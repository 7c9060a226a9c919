from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from newscrawler.cli import lines
from newscrawler.cli.lines import answer_lines


def answers(source: bytes, answer: Any = lambda question: {"got": question.get("x")}) -> list[dict[str, Any]]:
    target = io.BytesIO()
    answer_lines(answer, io.BytesIO(source), target)
    return [json.loads(line) for line in target.getvalue().splitlines()]


def test_each_line_is_answered_with_its_id() -> None:
    assert answers(b'{"id": 1, "x": 2}\n{"id": {"a": [1]}, "x": 3}\n') == [{"id": 1, "got": 2}, {"id": {"a": [1]}, "got": 3}]


def test_the_last_line_needs_no_line_break() -> None:
    assert answers(b'{"id": 1}') == [{"id": 1, "got": None}]


def test_empty_lines_are_passed_over() -> None:
    assert answers(b'\n \r\n{"id": 1}\n') == [{"id": 1, "got": None}]


@pytest.mark.parametrize("line", [b"nonsense", b"[1]", b"3", b'{"id": ', b"\xff\xfe", b"[" * 100_000, b'"' + b"x" * 1000])
def test_a_bad_line_does_not_end_the_conversation(line: bytes) -> None:
    first, second = answers(line + b'\n{"id": 2, "x": 1}\n')

    assert first["id"] is None
    assert first["error"]
    assert second == {"id": 2, "got": 1}


@pytest.mark.parametrize("fault", [ValueError("no"), RecursionError("deep"), MemoryError(), KeyError("x"), AssertionError()])
def test_a_page_on_which_the_program_fails_does_not_end_the_conversation(fault: Exception) -> None:
    def fail(question: dict[str, Any]) -> dict[str, Any]:
        if question["id"] == 1:
            raise fault
        return {}

    first, second = answers(b'{"id": 1}\n{"id": 2}\n', fail)

    assert first["id"] == 1
    assert first["error"].startswith(type(fault).__name__)
    assert second == {"id": 2}


def test_a_line_that_is_too_long_is_refused_and_the_next_one_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE_BYTES", 50)

    first, second = answers(b'{"x": "' + b"y" * 500 + b'"}\n{"id": 2, "x": 1}\n')

    assert first == {"id": None, "error": "the line is longer than 50 bytes"}
    assert second == {"id": 2, "got": 1}


def test_a_lone_surrogate_comes_back_as_it_was() -> None:
    assert answers(b'{"id": "\\ud83d", "x": "\\udc80"}\n') == [{"id": "\ud83d", "got": "\udc80"}]


@pytest.mark.parametrize(
    "key", ["123456789012345678901234567890", '{"a": [123456789012345678901234567890]}', "1.5", "18446744073709551615"]
)
def test_numbers_of_any_length_come_back_as_they_were(key: str) -> None:
    assert answers(f'{{"id": {key}, "x": 1}}\n'.encode()) == [{"id": json.loads(key), "got": 1}]


def test_a_line_may_hold_what_only_python_calls_json() -> None:
    (found,) = answers(b'{"id": 1, "x": 2, "y": NaN}\n')

    assert found == {"id": 1, "got": 2}


def test_an_answer_comes_before_the_next_question_is_sent() -> None:
    command = [sys.executable, "-m", "newscrawler", "extract", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stdout
        for number in range(3):
            child.stdin.write(json.dumps({"id": number, "url": None, "html": "<p>a</p>"}).encode() + b"\n")
            child.stdin.flush()

            assert json.loads(child.stdout.readline())["id"] == number
        child.stdin.close()
        assert child.wait(30) == 0
