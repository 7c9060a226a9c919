"""Meanings of the names of query parameters, across publishing systems."""

from __future__ import annotations

import re

from newscrawler.languages import words

#: A number in one of these is a place in a listing.
PAGE_PARAMETERS = words("parameters/page")
#: These name a section.
LIST_PARAMETERS = words("parameters/list")
#: A number in one of these names one page.
IDENTIFIER_PARAMETERS = words("parameters/identifier")
#: Parameters of addresses that are neither article nor section: name → reason.
OTHER_PARAMETERS = {
    **dict.fromkeys(("s", "q", "query", "search"), "search"),
    **dict.fromkeys(("sort", "order", "orderby", "sortby", "sort_by", "filter", "filters", "dir", "orderdir"), "sort"),
    **dict.fromkeys(("feed", "rss"), "feed"),
    **dict.fromkeys(("replytocom", "like_comment", "unapproved"), "comments"),
    **dict.fromkeys(("redirect_to", "returnurl", "action"), "login"),
    **dict.fromkeys(("print", "format"), "print"),
    **dict.fromkeys(("lang", "wp_lang", "language"), "language"),
    **dict.fromkeys(words("parameters/author"), "author"),
    **dict.fromkeys(words("parameters/tag"), "tag"),
    "attachment_id": "asset",
    "m": "archive",
    "page_id": "static page",
    "share": "share",
}
#: Parameters whose values name the kind of page that a script shows.
KIND_PARAMETERS = words("parameters/kind")
#: A name and a number without a separator, as in `?article103`.
_JOINED = re.compile(r"([^\W\d]+)(\d+)")


def name_and_value(pair: str) -> tuple[str, str]:
    """Return name and value of a parameter, split at `=`, or without one at the number that ends it (`article103`)."""
    name, equals, value = pair.partition("=")
    joined = None if equals else _JOINED.fullmatch(name)
    return (joined[1], joined[2]) if joined else (name, value)
