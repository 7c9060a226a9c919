"""Words that columns may hold; a test compares them with the enums of the program, which this package does not import."""

from __future__ import annotations

ARTICLE_URL_KINDS = ("canonical", "duplicate", "former")
REVISION_REASONS = ("corrected", "reread")
END_REASONS = ("finished", "interrupted", "killed", "limit", "window", "budget", "left alone", "memory", "busy", "error")
URL_KINDS = ("start", "probe", "feed", "sitemap", "article", "section", "other")
URL_STATES = ("waiting", "fetching", "done", "failed", "skipped")
URL_OUTCOMES = ("article", "listing", "nothing", "redirect", "unchanged")
PAGE_OUTCOMES = ("article", "listing", "nothing", "redirect", "unchanged", "part")
FETCH_KINDS = ("page", "robots", "tdm", "part")
ROBOTS_VERDICTS = ("rules", "allow", "forbid")
TEMPLATE_ORIGINS = ("learned", "imported", "by hand")
TEMPLATE_STATES = ("in use", "replaced", "refused", "withdrawn")
SCHEDULED_STATES = ("running", "done", "interrupted", "broken", "given up", "stopped", "missed")
