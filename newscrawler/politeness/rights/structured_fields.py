"""Parse Dictionaries of Structured Fields (RFC 9651, section 3.2) with Tokens as values, strictly and in bounded time."""

from __future__ import annotations

import re

#: Longer fields are not read.
LONGEST_FIELD = 4_000
_KEY = r"[a-z*][a-z0-9_\-.*]*"
_TOKEN = r"[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*"  # noqa: S105  no password
_BARE = (
    rf'(?:{_TOKEN}|"(?:[ !#-\[\]-~]|\\["\\])*"|-?\d{{1,12}}\.\d{{1,3}}|-?\d{{1,15}}|:[A-Za-z0-9+/=]*:|\?[01]|@-?\d{{1,15}}'
    r'|%"(?:[ !#$&-~]|%[0-9a-f]{2})*")'
)
_PARAMETERS = rf"(?:;[ ]*{_KEY}(?:={_BARE})?)*"
_ITEM = rf"{_BARE}{_PARAMETERS}"
_INNER_LIST = rf"\([ ]*(?:{_ITEM}(?:[ ]+{_ITEM})*[ ]*)?\){_PARAMETERS}"
_MEMBER = re.compile(rf"({_KEY})(?:=(?:({_BARE}){_PARAMETERS}|({_INNER_LIST}))|{_PARAMETERS})")
_COMMA = re.compile(r"[ \t]*,[ \t]*")
_IS_TOKEN = re.compile(_TOKEN)


def parse_dictionary(text: str) -> dict[str, str | None] | None:
    """Return the members of a dictionary: a Token as its text, any other value as None; the last of equal keys counts.

    Returns:
        None: it is not a dictionary (RFC 9651, section 4.2.2: then the whole field is ignored).
    """
    text = text.strip(" ")
    if len(text) > LONGEST_FIELD or not text.isascii():
        return None
    found: dict[str, str | None] = {}
    at = 0
    while at < len(text):
        member = _MEMBER.match(text, at)
        if member is None:
            return None
        value = member[2]
        found[member[1]] = value if value is not None and _IS_TOKEN.fullmatch(value) else None
        at = member.end()
        if at == len(text):
            return found
        comma = _COMMA.match(text, at)
        if comma is None or comma.end() == len(text):
            return None
        at = comma.end()
    return found
