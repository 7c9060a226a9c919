"""What goes along with a request in its meta."""

from __future__ import annotations

#: What a request is for, a `FetchKind`; pages have none.
KIND = "kind"
#: The pause of the host that followed from a request.
PAUSE = "host_pause"
#: The robots.txt of its origin.
ROBOTS_RULES = "robots_rules"
#: What its origin says about its pages, and the licences that the page itself declares.
STATEMENTS = "statements"
LICENSES = "licenses"
#: The URL of the frontier that a request is for.
CLAIMED = "claimed"
#: When an archived page was fetched by whoever archived it.
FETCHED_AT = "fetched_at"
#: True: the operator of a search service allows us to ask it, whatever its robots.txt says of crawlers.
ALLOWED = "allowed_by_operator"
#: The number of its row: redirects and retries of a request keep it.
ROW = "frontier_row"
