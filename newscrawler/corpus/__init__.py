"""Work with the texts after the crawl: search results, concordances, statistics, exports, releases.

Everything here answers records or writes to streams; printing is the command line's.
"""

from __future__ import annotations

from newscrawler.corpus.snippets import Piece, snippet

__all__ = ["Piece", "snippet"]
