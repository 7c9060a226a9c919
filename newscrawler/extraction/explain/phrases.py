"""Phrases for features of blocks and pages.

A phrase is a pair: the wording for values below the thresholds that counted, and for values above them. A single phrase serves
both, since a slot in it shows the value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from newscrawler.page import Mark

Phrase = str | tuple[str, str]

_KINDS = {
    0: "a paragraph", 1: "text in an element of no special kind", 2: "a list item", 3: "a quotation", 4: "a table row",
    5: "a main heading",
}  # fmt: skip
_BEGINNINGS = {-1: "a digit or a sign", 0: "nothing but signs", 1: "a small letter", 2: "a capital letter"}
_ARTICLES = {
    -1: "in an article element without the headline",
    0: "in no article element",
    1: "in the article element of the headline",
    2: "in an article element within that of the headline",
}
_DECLARED = {
    -1: "the article text in the page's JSON-LD does not contain it",
    0: "the page's JSON-LD contains no article text to compare it with",
    1: "the article text in the page's JSON-LD contains it",
}
_RANKS = {0: "the page does not show the headline", 7: "the headline is not a heading on the page"}
_FRONTS = {
    -1: "the page has no known address",
    0: "its address is not that of a front page",
    1: "its address is that of a front page",
}
_NO_HEADLINE = -30


def _describe_share(value: float) -> str:
    if value <= 0:
        return "none"
    return "hardly any" if value < 0.1 else "a part" if value < 0.5 else "most" if value < 1 else "all"


def _describe_distance(value: float) -> str:
    if value <= _NO_HEADLINE:
        return "the page has no headline"
    blocks = "1 block" if abs(value) == 1 else f"{abs(value):.0f} blocks"
    return f"it is {blocks} {'above' if value < 0 else 'below'} the headline" if value else "it is the headline"


#: Functions that fill the slots of a phrase from the value of the feature.
SLOTS: Mapping[str, Callable[[float], str]] = {
    "number": lambda value: f"{value:.0f}",
    "percent": lambda value: "less than 1%" if value < 0.01 else f"{value:.0%}",
    "share": _describe_share,
    "kind": lambda value: _KINDS.get(round(value), "a heading"),
    "items": lambda value: f"{2 ** min(value, 20):.0f}",
    "words": lambda value: "60 words or more" if value >= 60 else "1 word" if value <= 1 else f"{value:.0f} words",
    "beginning": lambda value: _BEGINNINGS.get(round(value), "a letter"),
    "article": lambda value: _ARTICLES.get(round(value), _ARTICLES[0]),
    "declared": lambda value: _DECLARED.get(round(value), _DECLARED[0]),
    "distance": _describe_distance,
    "rank": lambda value: _RANKS.get(round(value), f"the headline is a heading of rank {value:.0f}"),
    "front": lambda value: _FRONTS.get(round(value), _FRONTS[-1]),
}


class _Slots(dict[str, str]):
    """The slots of a phrase for one value, filled on demand."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.value = value

    def __missing__(self, slot: str) -> str:
        return SLOTS[slot](self.value)


def fill_phrase(phrases: Mapping[str, Phrase], name: str, value: float, *, above: bool) -> str:
    """Return the phrase of a feature, or its name if it has none."""
    phrase = phrases.get(name, name)
    return (phrase if isinstance(phrase, str) else phrase[above]).format_map(_Slots(value))


#: Features of pages (`page_kind.NAMES`).
PAGE_PHRASES: Mapping[str, Phrase] = {
    "likeliest": ("no block surely reads like an article's text", "at least one block surely reads like an article's text"),
    "doubt": ("it is clear which blocks are text", "it is doubtful which blocks are text"),
    "likely share": "{percent} of the page reads like an article's text",
    "likely size": ("little of the page reads like an article's text", "much of the page reads like an article's text"),
    "likely mean": ("what may be the text hardly reads like an article's", "what may be the text reads like an article's"),
    "likely blocks": "blocks that read like an article's text: {number}",
    "likely sentences": "{share} of what may be the text ends as sentences do",
    "likely density": "{share} of what may be the text is linked",
    "likely in items": "{share} of what may be the text is in the items of a list",
    "likely spread": ("what may be the text is in one place", "what may be the text is scattered over the page"),
    "first likely": ("what may be the text begins high on the page", "what may be the text begins far down on the page"),
    "text size": ("the page has little text", "the page has much text"),
    "blocks": "blocks of text on the page: {number}",
    "links": "links on the page: {number}",
    "link density": "{share} of the page's text is linked",
    "item share": "{share} of the page's text is in the items of a list",
    "linked headings": "headings that are links: {number}",
    "headings like headline": "further headings that look like the headline: {number}",
    "headline shown": "{rank}",
    "headline size": ("the headline is missing or short ({number} characters)", "the headline has {number} characters"),
    "headline linked": "{share} of the headline is linked",
    "title likeness": ("the page's title and its headline differ", "the page's title and its headline agree"),
    "declares article": ("the page does not declare itself an article", "the page declares itself an article"),
    "declares listing": ("the page does not declare itself a listing", "the page declares itself a listing"),
    "declares error": ("the page does not declare itself an error page", "the page declares itself an error page"),
    "declares other": (
        "the page does not declare itself a product, video or profile",
        "the page declares itself a product, video or profile",
    ),
    "published time": ("the page declares no time of publication", "the page declares its time of publication"),
    "error words": ("title and headline do not report an error", "title or headline reports an error"),
    "prices": "prices on the page: {number}",
    "password": ("the page asks for no password", "the page asks for a password"),
    "front": "{front}",
    "pictures": "pictures on the page: {number}",
    "dated blocks": "short lines with digits, as dates are: {number}",
    "count button": "buttons on the page: {number}",
    "count form": "forms on the page: {number}",
    "count input": "input fields on the page: {number}",
    "count time": "time elements on the page: {number}",
    "count h1": "main headings on the page: {number}",
    "count h2": "second-rank headings on the page: {number}",
    "count h3": "third-rank headings on the page: {number}",
    "count article": "article elements on the page: {number}",
    "count video": "videos on the page: {number}",
    "count iframe": "embedded frames on the page: {number}",
    "count textarea": "text fields on the page: {number}",
    "count select": "selection lists on the page: {number}",
}  # fmt: skip


#: Kinds of content that the names of an element claim.
MARKS: Mapping[Mark, str] = {
    Mark.NAVIGATION: "navigation", Mark.FOOTER: "footer", Mark.ASIDE: "sidebar", Mark.RELATED: "related articles",
    Mark.PROMOTION: "advertisement or newsletter", Mark.SOCIAL: "sharing", Mark.COMMENT: "comment section", Mark.CAPTION: "caption",
    Mark.BYLINE: "byline or date line", Mark.TAGS: "tags", Mark.POPUP: "pop-up or sign-in", Mark.WIDGET: "widget",
    Mark.HIDDEN: "hidden", Mark.PULL_QUOTE: "pull quote", Mark.LEAD: "lead", Mark.BODY: "body text", Mark.ARTICLE: "article",
    Mark.HEADER: "header", Mark.EMBED: "embedded post", Mark.MAIN: "main content", Mark.FORM: "form", Mark.FIGURE: "figure",
    Mark.CONSENT: "cookie consent",
}  # fmt: skip


def _mark_phrases() -> dict[str, Phrase]:
    found: dict[str, Phrase] = {}
    for mark, name in MARKS.items():
        word = str(mark.name).lower()
        present = f'an element around it is named "{name}"'
        found[f"branch named {word}"] = (f'no element between it and the main text is named "{name}"', present)
        found[f"within {word}"] = (f'no element around it is named "{name}"', present)
    return found


def _describe_surroundings(box: str) -> dict[str, Phrase]:
    """Return the phrases for features of a block's element and of the two around it."""
    places = {"box": "its element", "parent": "the element around its own", "grandparent": "the second element around its own"}
    place = places[box]
    return {
        f"{box} density": f"{{share}} of the text in {place} is linked",
        f"{box} text": (f"little text is in {place}", f"much text is in {place}"),
        f"{box} mass": f"{{percent}} of the page's running text is in {place}",
    }


#: Features of blocks (`features.NAMES`, `cues.NAMES`).
BLOCK_PHRASES: Mapping[str, Phrase] = {
    "size": ("it is short ({number} characters)", "it is {number} characters long"),
    "link density": "{share} of its text is linked",
    "links": "links in its text: {number}",
    "kind": "it is {kind}",
    "sentence": ("it does not end as a sentence does", "it ends as a sentence does"),
    "ellipsis": ("it does not end with an ellipsis", "it ends with an ellipsis"),
    "colon": ("it does not end with a colon", "it ends with a colon"),
    "capital": "it begins with {beginning}",
    "commas": ("it has no commas, or few for its length", "it has many commas for its length"),
    "digits": ("it has no digits, or few for its length", "it has many digits for its length"),
    "stops": ("it has no full stops, or few for its length", "it has many full stops for its length"),
    "words": "it has {words}",
    "word length": ("its words are short", "its words are long"),
    "capitals": ("it has few capital letters", "it has many capital letters"),
    "code": ("it contains no signs of program code", "it contains signs of program code"),
    "bold": "{share} of it is in bold type",
    "pictures": "pictures in its element: {number}",
    "pictures before": "pictures right before it: {number}",
    "slanted": "{share} of it is in italics or small type",
    "spanned": "{share} of it is in elements without a meaning (span)",
    "opening": ("it does not open with a link or type set apart", "it opens with a link or type set apart, as a name is"),
    "dated lines": ("no short line with digits comes between the headline and it", "short lines with digits come before it"),
    "dated line mass": ("little running text comes before the last date line above it", "running text comes before that date line"),
    "dated line distance": ("a short line with digits, as dates are, comes close before it", "no date line comes close before it"),
    "next dated line": ("a short line with digits, as dates are, comes close after it", "no date line comes close after it"),
    "short lines": ("few short lines come between the headline and it", "many short lines come between the headline and it"),
    "previous short": ("no short line comes right before it", "a short line, as a name is, comes right before it"),
    "steps alike": ("few blocks follow each other as it follows the one before", "many blocks follow each other as it does"),
    "openings near": ("blocks near it do not open with a name or a date", "blocks near it open with a name or a date"),
    "sentences alike": "{share} of the blocks like it end as sentences do",
    "small letters alike": "{share} of the blocks like it begin with a small letter",
    "pictures after": "pictures right after it: {number}",
    "previous mass": ("no running text, or little, comes right before it", "running text comes right before it"),
    "next mass": ("no running text, or little, comes right after it", "running text comes right after it"),
    "previous density": "{share} of the text right before it is linked",
    "next density": "{share} of the text right after it is linked",
    "previous kind": "right before it comes {kind}",
    "next kind": "right after it comes {kind}",
    "previous size": ("the text right before it is short", "the text right before it is long"),
    "next size": ("the text right after it is short", "the text right after it is long"),
    "previous same": ("the text right before it is in another part", "the text right before it is in the same part"),
    "next same": ("the text right after it is in another part", "the text right after it is in the same part"),
    "run before": ("little running text comes shortly before it", "much running text comes shortly before it"),
    "run after": ("little running text comes shortly after it", "much running text comes shortly after it"),
    "before text": ("it is not above the main text", "it is above the main text"),
    "after text": ("it is not below the main text", "it is below the main text"),
    "place": ("it is early in the main text, or above it", "it is late in the main text, or below it"),
    "mass before": "{percent} of the page's running text is before it",
    "mass after": "{percent} of the page's running text is after it",
    "page place": "{percent} of the page's blocks are before it",
    "from headline": "{distance}",
    "headlines since": ("no other heading like the headline comes before it", "another heading like the headline comes before it"),
    "own article": "it is {article}",
    "heading linked": ("no linked heading is above it", "the heading above it is a link"),
    "heading distance": ("a heading is close above it", "no heading is close above it"),
    "heading like headline": ("the heading above it is unlike the headline", "the heading above it is the headline or like it"),
    "gap": ("it is in or close to the element with the main text", "it is far from the element with the main text"),
    "branch depth": ("few elements or none part it from the main text", "several elements part it from the main text"),
    "branch share": ("its part of the page has little running text", "its part of the page has much running text"),
    **_describe_surroundings("box"),
    **_describe_surroundings("parent"),
    **_describe_surroundings("grandparent"),
    "box blocks": "blocks of text in its element: {number}",
    "parent blocks": "blocks of text in the element around its own: {number}",
    "beside": ("little text with the same signature is next to it", "much text with the same signature is next to it"),
    "alike": ("elements with its tag and class have little running text", "elements with its tag and class have much running text"),
    "alike outer": ("elements like the one around its own have little text", "elements like the one around its own have much text"),
    "boxes alike": ("few elements have its tag and class", "many elements have its tag and class"),
    "blocks alike": ("few blocks are in elements with its tag and class", "many blocks are in elements with its tag and class"),
    "linked alike": "{share} of the blocks in elements with its tag and class are links",
    "dates alike": "{share} of the blocks in elements with its tag and class are short lines with digits, as dates are",
    "dates outer": "{share} of the blocks in elements like the one around its own are short lines with digits, as dates are",
    "siblings alike": ("few elements like its own follow one another", "many elements like its own follow one another"),
    "parent siblings": (
        "few elements like the one around its own follow one another",
        "many elements like the one around its own follow one another",
    ),
    "twice": ("its text comes only once", "its text comes more than once"),
    "items": ("it is part of no list of items, or of a short one", "it is part of a list of {items} items"),
    "item blocks": ("it is in no list, or one of short items", "the items of its list have several blocks each"),
    "item dated": ("it is in no list, or one without dates", "the items of its list bear dates"),
    "item linked": ("it is in no list, or one without links", "the items of its list are links to other pages"),
    "item mass": ("it is in no list, or in an item with little text", "its item of a list has much of the running text"),
    "items mass": ("it is in no list, or in one with little text", "the items of its list have much of the running text"),
    "item place": ("it is in no list, or in its first items", "it is in item {number} of a list"),
    "item sentences": ("it is in no list, or in one without sentences", "the items of its list have whole sentences"),
    "mass share": "it has {percent} of the page's running text",
    "page mass": ("the page has little running text", "the page has much running text"),
    "page blocks": ("the page has few blocks of text", "the page has many blocks of text"),
    "heart": ("the page's running text is scattered", "most of the page's running text is in one element"),
    "kinds named": ("the page's markup names little", "the page's markup names many of its parts"),
    "described": ("the page's description does not quote it", "the page's description quotes it"),
    "declared": "{declared}",
    "opens read_also": ('it does not begin with words like "Read also"', 'it begins with words like "Read also"'),
    "opens photo": ('it does not begin with words like "Photo"', 'it begins with words like "Photo"'),
    "opens byline_prefixes": ('it does not begin with words like "By"', 'it begins with words like "By"'),
    "opens share": ('it does not begin with words like "Share"', 'it begins with words like "Share"'),
    "opens advertisement": ('it does not begin with words like "Advertisement"', 'it begins with words like "Advertisement"'),
    "comments heading": ('it is not a heading like "Comments"', 'it is a heading like "Comments"'),
    "after comments": ('it is not below a heading like "Comments"', 'it is below a heading like "Comments"'),
    "asks to subscribe": ("it does not ask to subscribe", "it asks to subscribe or to sign up"),
    "shape of a date": ("it contains no year and no time of day", "it contains a year or a time of day"),
    "closes photo": ('it does not close with words like "Photo"', 'it closes with words like "Photo"'),
    "date at an end": ("it neither begins nor ends with a year or a time", "it begins or ends with a year or a time of day"),
    **_mark_phrases(),
}  # fmt: skip
