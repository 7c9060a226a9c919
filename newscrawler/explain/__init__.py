"""Explain how a page was read, for a terminal and as the page itself with its parts marked."""

from newscrawler.explain.explanation import Explanation, Piece, explain_page
from newscrawler.explain.facts import Fact
from newscrawler.explain.html_view import as_html
from newscrawler.explain.text_view import as_text

__all__ = ["Explanation", "Fact", "Piece", "as_html", "as_text", "explain_page"]
