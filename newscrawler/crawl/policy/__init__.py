"""Which URLs go into the frontier, in which order they are fetched, and when to stop; without Scrapy."""
