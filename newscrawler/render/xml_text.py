"""Text in XML: escaped, without the characters that XML 1.0 cannot hold."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def content(text: object) -> str:
    """Return text as the content of an element."""
    return escape(_FORBIDDEN.sub("", str(text)))


def attribute(value: object) -> str:
    """Return a value as an attribute, with its quotes; line breaks become spaces."""
    return quoteattr(" ".join(_FORBIDDEN.sub("", str(value)).split()), {'"': "&quot;"})
