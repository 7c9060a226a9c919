"""Signals of a crawl, as Scrapy's own are: connect to them with `crawler.signals.connect(handler, signal=run_started)`.

A handler names what it takes as ordinary arguments, or takes everything as `**facts`.
"""

from __future__ import annotations

#: A run begins; is sent with portal, run_id, resumed (it goes on where a broken one stopped) and waiting (URLs).
run_started = object()
#: The outcome of a URL was committed; is sent with portal, url, progress, article and reason.
url_completed = object()
#: Nothing is asked for a while; is sent with portal, seconds and why.
run_waits = object()
#: A run has ended; is sent with its summary.
run_ended = object()
#: A request waits for the turn of its host; is sent with seconds and why.
slot_waits = object()
#: An origin's robots.txt is known, or known anew; is sent with its entry.
robots_known = object()
