"""The rule of the source documents (002 §3.3): other host, query or digits, neither.

Where the documents are silent: the host is compared without `www.`; everything that is not an http address is external. The
scores are the precision of each branch on the development links of July 2026 (article .67, section .49), not of the documents.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from newscrawler.discovery.urls.canonical import canonical_or_none
from newscrawler.discovery.urls.kinds import Link, UrlKind, Verdict

_DIGIT = re.compile(r"[0-9]")
#: A letter in an address, not digits: %C5%BE.
_ESCAPE = re.compile(r"%[0-9A-F]{2}")
_EXTERNAL = Verdict(label=UrlKind.EXTERNAL, score=1.0, why="other host")
_QUERY = Verdict(label=UrlKind.ARTICLE, score=0.67, why="query", article_score=0.67)
_DIGITS = Verdict(label=UrlKind.ARTICLE, score=0.67, why="digits", article_score=0.67)
_NEITHER = Verdict(label=UrlKind.SECTION, score=0.49, why="neither query nor digits", article_score=0.2)


def documents_rule(link: Link) -> Verdict:
    """Return the verdict on a link by the rule of the documents."""
    href = canonical_or_none(link.href)
    if href is None:
        return _EXTERNAL
    target, page = urlsplit(href), urlsplit(canonical_or_none(link.page_url) or href)
    if target.netloc.removeprefix("www.") != page.netloc.removeprefix("www."):
        return _EXTERNAL
    if target.query:
        return _QUERY
    return _DIGITS if _DIGIT.search(_ESCAPE.sub("", target.path)) else _NEITHER
