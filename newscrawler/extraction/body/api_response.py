"""A page together with the answer of its site's API: the answer becomes a script of the page, where `state.py` reads it."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from typing import Any

import orjson

from newscrawler.extraction.body.state import DEEPEST_TEXT, References, find_texts, find_title, measure_size
from newscrawler.limits import API_ANSWER_BYTES, API_ANSWER_VALUES

_HEAD = re.compile(rb"<head(?:\s[^>]*)?>", re.IGNORECASE)
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
    """Return whether an object has a title and, not within objects that have one, a text."""
    texts = find_texts(node, None, References(()), DEEPEST_TEXT) if find_title(node) is not None else ()
    return any(measure_size(text) >= _LEAST_TEXT for text in texts)
