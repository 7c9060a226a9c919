"""A page together with the answer of its site's API: the answer becomes a script of the page, where `state.py` reads it."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from typing import Any

import orjson

from newscrawler.limits import API_ANSWER_BYTES, API_ANSWER_VALUES
from newscrawler.page import paragraphs_of

_HEAD = re.compile(rb"<head(?:\s[^>]*)?>", re.IGNORECASE)
_TITLE = re.compile(r"title|headline|name|heading", re.IGNORECASE)
#: Characters of a value from which on it may be the text of an article.
_LEAST_TEXT = 200


def build_page_with_answer(html: bytes, url: str, answer: bytes) -> bytes | None:
    """Return a page with an article's data in its head; None: the answer holds no article.

    Args:
        html: of the page, in any encoding that writes ASCII as ASCII.
        url: of the page. The article in the answer gets it as its address, since the page itself names the answer as its own.
        answer: JSON.
    """
    if len(answer) > API_ANSWER_BYTES:
        return None
    try:
        value = orjson.loads(answer)
    except ValueError:
        return None
    try:
        article = _find_article(value)
        if article is None:
            return None
        article["page_url"] = url
        data = json.dumps(value)
    except RecursionError:
        return None
    data = data.replace("</", "<\\/").replace("<!--", "<\\u0021--")
    script = b'<script type="application/json" id="api-answer">' + data.encode("ascii") + b"</script>"
    head = _HEAD.search(html)
    return html[: head.end()] + script + html[head.end() :] if head else script + html


def _find_article(root: Any) -> dict[str, Any] | None:
    """Return the outermost object with a title and a text; None: there is none, or there are several articles."""
    waiting: deque[Any] = deque([root])
    for _ in range(API_ANSWER_VALUES):
        if not waiting:
            return None
        value = waiting.popleft()
        if isinstance(value, dict):
            if _is_article(value):
                return value
            waiting.extend(inner for inner in value.values() if isinstance(inner, (dict, list)))
        elif isinstance(value, list):
            if sum(isinstance(each, dict) and _is_article(each) for each in value[:20]) > 1:
                return None
            waiting.extend(inner for inner in value if isinstance(inner, (dict, list)))
    return None


def _is_article(node: Mapping[str, Any]) -> bool:
    return any(_TITLE.search(key) and _is_short(value) for key, value in node.items()) and any(
        _measure_size(value) >= _LEAST_TEXT for key, value in node.items() if not _TITLE.search(key)
    )


def _is_short(value: Any) -> bool:
    if isinstance(value, Mapping):
        value = value.get("rendered") or value.get("text")
    return isinstance(value, str) and 1 < len(value) <= 2 * _LEAST_TEXT


def _measure_size(value: Any) -> int:
    """Return the characters of prose in a value; an object counts only if it is a text itself."""
    if isinstance(value, str) and len(value) < _LEAST_TEXT:
        return 0
    if not isinstance(value, (str, list, dict)) or not value:
        return 0
    if isinstance(value, Mapping) and any(_TITLE.search(key) for key in value):
        return 0
    if isinstance(value, list) and any(isinstance(each, Mapping) and _is_article(each) for each in value[:20]):
        return 0
    return sum(len(each.text) for each in paragraphs_of(value))
