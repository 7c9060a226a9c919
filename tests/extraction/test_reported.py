"""Pages rebuilt from what users of other programs reported to their trackers: each gives what its reporter expected.

The pages are our own, and packed into one file; `source` of a case is the report that it goes back to.
"""

from __future__ import annotations

import base64
import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from newscrawler import PageError, extract

CASES = [
    json.loads(line)
    for line in gzip.decompress((Path(__file__).parent / "data" / "reported.jsonl.gz").read_bytes()).decode().splitlines()
]


def read(case: dict[str, Any]) -> dict[str, Any]:
    """Extract the page of a case."""
    page = base64.b64decode(case["bytes"]) if "bytes" in case else case["page"].encode()
    options = dict(case.get("options", {}))
    if "fetched_at" in case:
        options["fetched_at"] = datetime.fromisoformat(case["fetched_at"])
    if "content_type" in case:
        options["content_type"] = case["content_type"]
    try:
        article = extract(page, case["url"], **options)
    except PageError as error:
        return {"refused": str(error.reason)}
    return article.as_dict() | {f"format:{name}": article.to(name) for name in case.get("formats", ())}


def find_faults(expect: dict[str, Any], record: dict[str, Any]) -> dict[str, Any]:
    """Return what differs from the expectation, by its key."""
    if "refused" in expect or "refused" in record:
        return {} if bool(expect.get("refused")) == bool(record.get("refused")) else {"refused": record.get("refused", "no")}
    body, paragraphs = record["body"] or "", record["paragraphs"]
    found: dict[str, Any] = {}
    for key, want in expect.items():
        match key:
            case "contains":
                found[key] = [words for words in want if words not in body]
            case "absent":
                found[key] = [words for words in want if words in body]
            case "once":
                found[key] = [words for words in want if body.count(words) != 1]
            case "kinds":
                kinds = {text: [each["kind"] for each in paragraphs if text in each["text"]] for text in want}
                found[key] = {text: kinds[text] for text, kind in want.items() if kinds[text] != [kind]}
            case "cells":
                cells = [each["cells"] for each in paragraphs if each.get("cells")]
                found[key] = cells if cells != want else []
            case "images" | "captions":
                name = "url" if key == "images" else "caption"
                given = [image.get(name) for image in record.get("images") or []]
                found[key] = given if given != want else []
            case "format_contains":
                found[key] = [
                    (name, part) for name, parts in want.items() for part in parts if part not in record.get(f"format:{name}", "")
                ]
            case "max_cpu":
                pass  # tests/test_growth.py measures how time grows
            case "published_prefix":
                given = record["published_at"] or ""
                found[key] = "" if given.startswith(want) else given or "none"
            case _:
                given = record.get(key)
                is_right = given in want["any"] if isinstance(want, dict) and "any" in want else given == want
                found[key] = None if is_right else repr(given)
    return {key: value for key, value in found.items() if value}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_a_reported_page_gives_what_its_reporter_expected(case: dict[str, Any]) -> None:
    assert find_faults(case["expect"], read(case)) == {}, f"{case['source']}: {case['kind']}"
