"""What the names of query parameters mean, across publishing systems."""

from __future__ import annotations

import re

_TYPO3_PAGE = "tx_ttnews[pointer] tx_news_pi1[@widget_0][currentpage] tx_news_pi1[currentpage]"
_PAGE = "page paged pg p_ seite strona strana stranka pagina pageno page_no pagenumber start offset from_page pn"
_LIST = "cat category kategorie kategoria category_name section rubric rubrik rubrique catid"
_TYPO3_IDENTIFIER = "tx_ttnews[tt_news] tx_news_pi1[news]"
_IDENTIFIER = "p id article artikel articleid article_id aid nid newsid news_id story storyid idarticle art clanek post_id cikk sid"

#: A number in one of these is a place in a listing.
PAGE_PARAMETERS = frozenset([*_PAGE.split(), *_TYPO3_PAGE.split()])
#: These name a section.
LIST_PARAMETERS = frozenset(_LIST.split())
#: A number in one of these names one page.
IDENTIFIER_PARAMETERS = frozenset([*_IDENTIFIER.split(), *_TYPO3_IDENTIFIER.split()])
#: These make an address something else than an article or a section: name → what.
OTHER_PARAMETERS = {
    **dict.fromkeys(("s", "q", "query", "search"), "search"),
    **dict.fromkeys(("sort", "order", "orderby", "sortby", "sort_by", "filter", "filters", "dir", "orderdir"), "sort"),
    **dict.fromkeys(("feed", "rss"), "feed"),
    **dict.fromkeys(("replytocom", "like_comment", "unapproved"), "comments"),
    **dict.fromkeys(("redirect_to", "returnurl", "action"), "login"),
    **dict.fromkeys(("print", "format"), "print"),
    **dict.fromkeys(("lang", "wp_lang", "language"), "language"),
    "attachment_id": "asset",
    "author": "author",
    "auteur": "author",
    "m": "archive",
    "page_id": "static page",
    "share": "share",
    "tag": "tag",
    "mot": "tag",
}
#: Their values say what kind of page a script shows.
KIND_PARAMETERS = frozenset(("view", "mod", "module", "task", "type", "controller", "do", "act", "rubrik", "route", "file", "op"))
#: A name and a number that nothing parts, as in `?article103`.
_JOINED = re.compile(r"([^\W\d]+)(\d+)")


def name_and_value(pair: str) -> tuple[str, str]:
    """Part a parameter at its sign of equality; without one, at the number that ends it (`article103`)."""
    name, equals, value = pair.partition("=")
    joined = None if equals else _JOINED.fullmatch(name)
    return (joined[1], joined[2]) if joined else (name, value)
