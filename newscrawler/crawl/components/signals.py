"""Signals of a crawl, like Scrapy's own: connect to them with `crawler.signals.connect(handler, signal=run_started)`.

A handler takes some facts by name, or all as `**facts`.
"""

#: A run begins; sent with portal, run_id, resumed (it continues one that was broken off) and waiting (URLs).
run_started = object()
#: The outcome of a URL was committed; sent with portal, url, progress, article and reason.
url_completed = object()
#: The run sends no requests for a while; sent with portal, seconds and why.
run_waits = object()
#: A run has ended; sent with summary.
run_ended = object()
#: A request waits for its host slot; sent with seconds and why.
slot_waits = object()
#: An origin's robots.txt is known or has been fetched again; sent with entry.
robots_known = object()
