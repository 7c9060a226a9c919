"""Lines by which texts of the Chinese and Japanese press are signed: a word for who writes beside a name, and nothing else."""

from __future__ import annotations

import re

_NAME = r"[\u3040-\u30ff\u4e00-\u9fff々]{2,4}(?:[ \u3000][\u3040-\u30ff\u4e00-\u9fff々]{1,4})?"
_WORD = r"(?:文|撰文|取材・文|執筆|記者|记者|作者)"
_SIGNED = re.compile(rf"[(（【〔]?(?:{_WORD}(?:\s?[・／/:：=＝]\s?|[ \u3000]){_NAME}|{_NAME}[ \u3000](?:記者|记者))[)）】〕]?")
_LONGEST = 24


def signs(text: str) -> bool:
    """Tell whether a line signs a text, as in "文・佐藤英樹" and "记者 王小明"."""
    return len(text) <= _LONGEST and not text.isascii() and _SIGNED.fullmatch(text.strip()) is not None
