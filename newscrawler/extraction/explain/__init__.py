"""Explain how a page was read, for a terminal and as the page itself with its parts marked."""

from newscrawler.extraction.explain.explanation import Explanation, Piece, explain_page
from newscrawler.extraction.explain.facts import Fact
from newscrawler.extraction.explain.html_view import as_html
from newscrawler.extraction.explain.text_view import as_text

__all__ = ["Explanation", "Fact", "Piece", "as_html", "as_text", "explain_page"]
