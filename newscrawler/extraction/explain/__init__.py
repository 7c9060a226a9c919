"""Explain how a page was read, for a terminal and as the page itself with its parts marked."""

from newscrawler.extraction.explain.explanation import BlockDecision, Explanation, explain_page
from newscrawler.extraction.explain.facts import Fact
from newscrawler.extraction.explain.html_view import render_html, render_pick_view, render_saved_page
from newscrawler.extraction.explain.text_view import render_text

__all__ = [
    "BlockDecision",
    "Explanation",
    "Fact",
    "explain_page",
    "render_html",
    "render_pick_view",
    "render_saved_page",
    "render_text",
]
