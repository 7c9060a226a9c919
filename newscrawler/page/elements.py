"""Kinds of HTML elements, by the rules of HTML5's tree construction, and patterns for tags."""

from __future__ import annotations

import re


def _names(words: str) -> frozenset[bytes]:
    return frozenset(words.encode().split())


HEADINGS = _names("h1 h2 h3 h4 h5 h6")
VOID = _names("area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr")
RAW = _names("script style textarea title xmp iframe noembed noframes")
CELLS = _names("td th")
ROW_GROUPS = _names("tbody thead tfoot")
TABLE_PARTS = CELLS | ROW_GROUPS | _names("tr caption colgroup")
#: Elements whose start tag ends an open paragraph, and whose end tag ends all that is open inside.
BLOCKS = _names(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main"
    " menu nav ol pre search section summary ul"
)
ENDS_PARAGRAPH = BLOCKS | HEADINGS | _names("p hr xmp plaintext")
SEALED = _names("noscript template")
#: Elements that limit how far an end tag reaches, outside and inside of SVG and MathML.
SCOPE = CELLS | SEALED | _names("table caption applet marquee object")
HTML_IN_FOREIGN = _names("foreignobject desc mi mo mn ms mtext annotation-xml")
SPECIAL = (
    BLOCKS | HEADINGS | SCOPE | TABLE_PARTS | RAW | VOID | _names("p li dd dt form button body frameset head html plaintext select")
)
IMPLIED_END = _names("dd dt li optgroup option p rb rp rt rtc")
#: Start tags before which an open link is not reopened.
OUTSIDE_LINKS = (
    (ENDS_PARAGRAPH - {b"xmp"})
    | TABLE_PARTS
    | RAW
    | SEALED
    | _names("li dd dt form table html head body base link meta param source track col")
)
HEAD = _names("html head base basefont bgsound link meta title style script") | SEALED
#: Start tags that end SVG and MathML.
ENDS_FOREIGN = HEADINGS | _names(
    "b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta nobr ol p pre ruby s small span"
    " strong strike sub sup table tt u ul var"
)
#: What libxml2 closes at a start tag, where HTML5 does not.
_FORMATTING = _names("b i big s small strike tt u")
_PREFORMATTED = _names("listing pre xmp")
_DIRECTORIES = _names("dir menu")
CLOSED_BY_LIBXML2 = {
    b"a": _names("a"),
    b"address": _names("ul"),
    b"center": _names("b i font"),
    b"dd": _names("address") | _DIRECTORIES | _PREFORMATTED,
    b"dl": _names("address dt") | _DIRECTORIES | _PREFORMATTED,
    b"dt": _names("address") | _DIRECTORIES | _PREFORMATTED,
    b"fieldset": _names("a legend") | HEADINGS | _PREFORMATTED,
    b"form": _names("address dl ol ul") | _DIRECTORIES | HEADINGS | _PREFORMATTED,
    b"li": _names("address dl") | HEADINGS | _PREFORMATTED,
    b"menu": _names("ul"),
    b"p": _FORMATTING | HEADINGS,
    b"pre": _names("ul"),
    b"table": _names("a") | HEADINGS | _PREFORMATTED,
    b"td": _names("a b font i span u"),
    b"th": _names("a b font i span u"),
    b"ul": _names("address") | _DIRECTORIES | _PREFORMATTED,
}

ENDS_ALL_INSIDE = BLOCKS | _names("button dd dt select applet marquee object")
MARKED = CELLS | SEALED | _names("caption applet marquee object")
#: Elements out of which the start tag of an item leads.
INSIDE_LI = _names("address div p li")
INSIDE_DD = _names("address div p dd dt")
#: Elements that an end tag ends in any case, where they are the innermost.
PLAIN = BLOCKS | HEADINGS | _names("p li dd dt button span b i em strong small label select option")
#: Elements whose start tag does nothing but end a paragraph.
PLAIN_START = BLOCKS | _names("p span b i em strong small label")
TABLE_CONTEXT = ROW_GROUPS | _names("table tr")
SLASH = ord("/")
TABLE_LEVELS = {b"caption": 1, b"colgroup": 1, b"tr": 2, b"td": 3, b"th": 3} | dict.fromkeys(ROW_GROUPS, 1)

VALUE = rb"""=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+)?+"""
ATTRIBUTES = rb"""[^>=]*+(?:="[^"]*+"[^>=]*+)*+(?:""" + VALUE + rb"[^>=]*+)*+"
_TAG = rb"<(/?)([a-zA-Z][^\s/>]*+)" + ATTRIBUTES + rb">"
_COMMENT = rb"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z|-))|<(?:[!?]|/[^a-zA-Z])[^>]*+(?:>|\Z)"
_TEXT = rb"[^<]++|<(?![a-zA-Z/!?])"
#: An element that holds nothing but text; no link may be open around it.
_PLAIN_REST = rb"""(?=[\s>])[^<>"'/]*+(?:(?:"[^"<>]*+"|'[^'<>]*+'|/(?!>))[^<>"'/]*+)*+"""
_LEAF = rb"<(a|span|b|i|em|strong|small|sup|sub|u|label|time|abbr|cite|code)" + _PLAIN_REST + rb">[^<]*+</\2\s*+>"
_VOID_LEAF = rb"<(?:br|img|wbr|meta|link)" + _PLAIN_REST + rb"/?>"
#: The next tag, with text and comments in front of it; and with leaves, too.
NEXT = re.compile(rb"((?:" + _TEXT + rb"|" + _COMMENT + rb")*+)()" + _TAG)
NEXT_BRANCH = re.compile(rb"((?:" + _TEXT + rb"|" + _COMMENT + rb"|" + _VOID_LEAF + rb"|" + _LEAF + rb")*+)" + _TAG)
COMMENTS = re.compile(rb"(?:" + _COMMENT + rb")*+")
UNQUOTED_SLASH = re.compile(rb"""=\s*[^\s"'>][^\s>]*/>\Z""")
RAW_ENDS = {name: re.compile(rb"</" + name + rb"(?=[\s/>])[^>]*+>", re.IGNORECASE) for name in RAW}
SCRIPT_PARTS = re.compile(rb"<!--|-->|<(/?)script(?=[\s/>])[^>]*+>", re.IGNORECASE)
#: All tags but those of paragraphs and scripts; what is kept is named so.
BOXES = re.compile(
    rb"(?P<kept><(script|style|textarea|title)\b(?s:.*?)</\2[^>]*+>|" + _COMMENT + rb")|</?(?!(?:p|br|hr|img)\b)[a-z][^>]*+>",
    re.IGNORECASE,
)
