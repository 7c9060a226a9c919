"""Phrases for the features of pages."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.extraction.explain.phrases import Phrase

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
    "text size": ("the page holds little text", "the page holds much text"),
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
