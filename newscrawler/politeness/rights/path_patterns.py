"""Path patterns of robots.txt, tdmrep.json and RSL: `*` matches anything, `$` at the end matches the end."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def get_path(url: str) -> str:
    """Return the path of a URL with its query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def matches(pattern: str, path: str) -> bool:
    """Return whether a pattern matches the beginning of a path; percent escapes in both are decoded."""
    verbatim = _normalize(path).replace("$", "%24").replace("*", "%2A")
    return _compile(pattern).match(verbatim) is not None


def measure_specificity(pattern: str) -> int:
    """Return the length of a pattern; longer ones are more specific (RFC 9309, section 2.2.2)."""
    return len(_normalize(pattern))


def _normalize(text: str) -> str:
    """Decode escapes of unreserved characters, write other escapes in capitals, and escape other characters than ASCII."""

    def plain(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if character in _UNRESERVED else found[0].upper()

    ascii_only = "".join(c if c.isascii() else "".join(f"%{b:02X}" for b in c.encode("utf-8", "replace")) for c in text)
    return _ESCAPE.sub(plain, ascii_only) if "%" in ascii_only else ascii_only


@lru_cache(maxsize=4_096)
def _compile(pattern: str) -> re.Pattern[str]:
    """Compile a pattern. A run of stars counts as one, so that matching never takes exponential time."""
    text = _normalize(pattern)
    ends = text.endswith("$")
    pieces = re.sub(r"\*+", "*", text.removesuffix("$")).split("*")
    # each piece is found at its first place and not given back: (?>.*?piece), as star patterns allow
    head, *rest = map(re.escape, pieces)
    if not ends:
        return re.compile(head + "".join(f"(?>.*?{piece})" for piece in rest), re.DOTALL)
    middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1])
    last = f".*{rest[-1]}" if rest else ""
    return re.compile(f"{head}{middle}{last}\\Z", re.DOTALL)
