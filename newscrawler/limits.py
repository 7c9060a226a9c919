"""Limits of the work that others can cause: pages, servers, users of the web application.

A module that enforces a limit takes its number from here, so that nobody has to search for it: `docs/limits.md` lists them, and a
test walks both.
"""

from __future__ import annotations

#: Seconds that a search for a pattern of a user in an address may take.
PATTERN_SECONDS = 0.05
#: Characters of such a pattern.
PATTERN_CHARACTERS = 1_000
#: Hashes of passwords at the same time, of 64 MB each, and seconds that one waits for its turn.
HASHES_AT_ONCE, HASH_WAIT_SECONDS = 2, 1.0
#: Failed attempts to log in that cost no wait: for an account from an address, for an account, from an address.
FREE_ATTEMPTS, FREE_ATTEMPTS_OF_ACCOUNT, FREE_ATTEMPTS_OF_ADDRESS = 5, 20, 50
#: Seconds that one step of reading a page may take; the same once the process or the time of a run ends.
READING_SECONDS, READING_SECONDS_AT_END = 300.0, 3.0
#: Seconds after a signal at which requests without an answer are left to the next run, and seconds without a sign of life from the
#: interpreter after which a crawl that is to end is killed.
SHUTDOWN_SECONDS, FROZEN_SECONDS = 8.0, 8.0
#: Headers of a record of a WARC file together; those of an answer have 64 KiB.
WARC_HEADER_BYTES = 1024 * 1024
#: Requests to the web application that are answered at the same time; more get 503.
REQUESTS_AT_ONCE = 200
#: Connections of an address that have not sent a whole request; the oldest is closed for a further one.
WAITING_CONNECTIONS = 50
