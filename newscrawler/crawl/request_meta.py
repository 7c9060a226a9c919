"""What goes along with a request in its meta."""

from __future__ import annotations

#: What a request is for, a `FetchKind`; pages have none.
KIND = "kind"
#: The pause of the host that followed from a request.
PAUSE = "host_pause"
#: The rules of its origin's tdmrep.json.
TDM_RULES = "tdm_rules"
#: The URL of the frontier that a request is for.
CLAIMED = "claimed"
#: The number of its row: redirects and retries of a request keep it.
ROW = "frontier_row"
