"""Limits of the work that others can cause: pages, servers, users of the web application.

A module that enforces a limit takes its number from here, so that nobody has to search for it. `tools/write_limits_page.py` writes
`docs/limits.md` from it: a name, its value, the sentence in front of it, and the modules that use it.
"""

from __future__ import annotations

# Answers of servers
#: Bytes of the headers of an answer together; beyond, a fault that is not retried.
HEADER_BYTES = 64 * 1024
#: MiB of a page, unpacked, if `page_megabytes` of its portal says nothing else.
PAGE_MEGABYTES = 5.0
#: MiB of a sitemap as it comes.
SITEMAP_MEGABYTES = 50.0
#: Seconds in which a sitemap has to come.
SITEMAP_SECONDS = 120.0
#: Bytes of a page or file that a command reads by itself.
SINGLE_PAGE_BYTES = 50 * 2**20
#: Seconds of a request of a command for one page.
SINGLE_PAGE_SECONDS = 60.0
#: Redirects in a row.
REDIRECTS = 10
#: Redirects in a row of robots.txt and its like (RFC 9309, section 2.3.1.2).
ORIGIN_FILE_REDIRECTS = 5
#: Bytes of robots.txt that are read (RFC 9309, section 2.5: at least these).
ROBOTS_BYTES = 500 * 1024
#: Sitemaps that robots.txt may name.
ROBOTS_SITEMAPS = 200
#: Rules of a tdmrep.json.
TDM_RULES = 1_000
#: Bytes of a policy of text mining.
TDM_BYTES = 256 * 1024
#: Bytes of a licence in RSL.
RSL_BYTES = 2**20
#: Bytes of a feed with licences in RSL.
RSL_FEED_BYTES = 5 * 2**20
#: Contents of a licence in RSL.
RSL_CONTENTS = 1_000
#: Bytes of a directory of keys.
KEY_DIRECTORY_BYTES = 64 * 1024
#: Entries of a feed.
FEED_ENTRIES = 5_000
#: Bytes of a feed, unpacked, which is in memory as a whole.
FEED_BYTES = 10 * 2**20
#: Tags of a feed: each takes a hundred times its own length in memory.
FEED_TAGS = 400_000
#: Bytes of a sitemap, unpacked, as its protocol limits it.
SITEMAP_BYTES = 52_428_800
#: Members of a gzip file, of which thousands may be empty.
GZIP_MEMBERS = 1_000
#: Entries that are taken of a sitemap, the newest.
SITEMAP_ENTRIES = 50_000
#: Entries that are read of a sitemap.
SITEMAP_ENTRIES_READ = 200_000
#: Sitemaps of an index.
SITEMAPS_OF_AN_INDEX = 2_000
#: Indexes of sitemaps within indexes.
SITEMAP_NESTING = 2
#: Nesting of the elements of a sitemap.
SITEMAP_DEPTH = 200
#: Characters of a line of a sitemap in plain text.
SITEMAP_LINE_CHARACTERS = 100_000
#: Bytes of a kept page; a record that claims more is not believed.
KEPT_PAGE_BYTES = 32 * 2**20
#: Bytes of the headers of a record of a WARC file together.
WARC_HEADER_BYTES = 2**20
#: Bytes of a line on standard input.
LINE_BYTES = 256 * 2**20

# Pages
#: Tags of a page that is read again by the rules of browsers.
PAGE_TAGS = 200_000
#: Attributes of a tag; the others are left out.
TAG_ATTRIBUTES = 500
#: Nesting of the elements of a page; what is deeper gives its text.
TREE_DEPTH = 300
#: Blocks of text of a page.
PAGE_BLOCKS = 10_000
#: Boxes of a page.
PAGE_BOXES = 50_000
#: Elements that are put where style sheets show them.
MOVED_ELEMENTS = 2_000
#: Links of a page that are read.
PAGE_LINKS = 20_000
#: Links of a page that are read from scripts and attributes.
HIDDEN_LINKS = 500
#: Objects of the JSON-LD of a page.
JSON_LD_OBJECTS = 2_000
#: Characters of a script of JSON-LD.
JSON_LD_CHARACTERS = 2_000_000
#: Characters of a script of JSON-LD with mistakes that is mended.
JSON_LD_REPAIRED = 200_000
#: Characters of one state in a script.
STATE_CHARACTERS = 4_000_000
#: Characters of all states of a page together.
STATE_CHARACTERS_OF_PAGE = 6_000_000
#: Scripts of a page that are searched for a state.
STATE_SCRIPTS = 400
#: References of a state within references.
STATE_DEPTH = 60
#: Characters of a text with markup in a state or a feed.
RICH_TEXT_CHARACTERS = 1_000_000
#: Nodes of such a text.
RICH_TEXT_NODES = 20_000
#: Nesting of such a text.
RICH_TEXT_DEPTH = 40
#: Characters of a style sheet in a page.
SHEET_CHARACTERS = 400_000
#: Rules of style sheets that hide elements.
SHEET_RULES = 60
#: Bytes of an answer of an API that may contain an article.
API_ANSWER_BYTES = 4_000_000
#: Values of such an answer.
API_ANSWER_VALUES = 20_000
#: Bytes of a query that a page sends to its API.
API_QUERY_BYTES = 64 * 1024
#: Values of a state in which the text of an article is looked for.
DECLARED_BODY_VALUES = 200_000
#: Nesting of such values.
DECLARED_BODY_DEPTH = 60
#: Nesting of values of a state in which links are looked for.
STATE_VALUE_DEPTH = 12
#: Attributes of a page that are searched for a state.
STATE_ATTRIBUTES = 50_000
#: Nesting of elements in which lists of posts are looked for.
POST_DEPTH = 12
#: Nesting of an element in which a date is looked for.
DATE_DEPTH = 30
#: Bytes of a kept page by which a template is mended.
REPAIRED_PAGE_BYTES = 2 * 2**20
#: Pages of an article.
ARTICLE_PAGES = 40

# Portals
#: URLs of a portal that wait; the rest of a sitemap is left for a later visit.
WAITING_URLS = 250_000
#: Patterns of URLs of a portal that are remembered.
URL_PATTERNS = 5_000
#: Texts that a new one is compared with for near duplicates.
COMPARED_TEXTS = 50
#: Characters of a template in a file.
TEMPLATE_CHARACTERS = 4_000_000
#: Characters of a selector of a user.
SELECTOR_CHARACTERS = 300
#: Elements that a selector finds.
SELECTED_ELEMENTS = 2_000
#: Seconds that a search for a pattern of a user in an address may take.
PATTERN_SECONDS = 0.05
#: Characters of such a pattern.
PATTERN_CHARACTERS = 1_000

# Browser
#: Bytes of the head of a message of the browser; a larger one ends its process.
BROWSER_HEAD_BYTES = 4 * 2**20
#: Bytes of the body of such a message.
BROWSER_BODY_BYTES = 64 * 2**20
#: Requests of a page that are passed to the crawl, which refuses most.
BROWSER_REQUESTS = 200
#: Bytes that a page sends by POST.
BROWSER_SENT_BYTES = 64 * 1024
#: Seconds after which a page counts as complete though it still changes.
BROWSER_SECONDS = 8.0
#: Bytes of scripts and styles that a run keeps for its browser.
BROWSER_CACHE_BYTES = 32 * 2**20

# Time and memory
#: Seconds of one step of reading a page; then the page is left to a later try.
READING_SECONDS = 300.0
#: The same once a signal has come or the time of a run is over.
READING_SECONDS_AT_END = 3.0
#: Seconds after a signal at which requests without an answer are left to the next run.
SHUTDOWN_SECONDS = 7.0
#: Seconds without a sign of life of a crawl that is to end; then it is killed.
FROZEN_SECONDS = 6.0
#: Memory of a crawl that the system refuses, as a multiple of `max_memory`, at which it ends by itself.
MEMORY_WALL = 2
#: Seconds that a crawl waits for its database.
OUTAGE_SECONDS = 600.0
#: Seconds of one exchange with a mail server, a webhook or a command for alerts.
NOTIFICATION_SECONDS = 20.0
#: Seconds of a message by one channel altogether, however slowly its server answers.
DELIVERY_SECONDS = 60.0
#: Seconds to reach an object store, for each of its tries.
OBJECT_STORE_CONNECT_SECONDS = 10
#: Seconds between two pieces of its answer.
OBJECT_STORE_READ_SECONDS = 20
#: Tries of a request to it.
OBJECT_STORE_TRIES = 3

# Web application
#: Requests that are answered at the same time; more get 503.
REQUESTS_AT_ONCE = 200
#: Connections of an address that have not sent a whole request; the oldest is closed for a further one.
WAITING_CONNECTIONS = 50
#: Seconds from the connection, or from the previous answer, to the end of the headers.
HEADERS_SECONDS = 20.0
#: Seconds that a client may read nothing of an answer.
WRITE_SECONDS = 60.0
#: Bytes of the headers of a request.
REQUEST_HEADER_BYTES = 64 * 1024
#: Bytes of a form or another body: many times a corrected article of a long live blog.
FORM_BYTES = 4 * 2**20
#: Fields of a form.
FORM_FIELDS = 5_000
#: Seconds in which a form has to come.
FORM_SECONDS = 20.0
#: Characters of a password.
PASSWORD_CHARACTERS = 200
#: Hashes of passwords at the same time, of 64 MB each; two at once wait for each other for ever in OpenSSL.
HASHES_AT_ONCE = 1
#: Seconds that one more waits for its turn; then 503.
HASH_WAIT_SECONDS = 1.0
#: Failed attempts to log in to an account from an address that cost no wait; later ones wait longer and longer.
FREE_ATTEMPTS = 5
#: The same for an account from any address.
FREE_ATTEMPTS_OF_ACCOUNT = 20
#: The same from an address for any account.
FREE_ATTEMPTS_OF_ADDRESS = 50
#: Keys of attempts to log in that are remembered; the oldest go.
REMEMBERED_ATTEMPTS = 10_000
#: Probes of portals at the same time.
PROBES_AT_ONCE = 2
#: Seconds of a probe.
PROBE_SECONDS = 120.0
#: Bytes that a probe answers.
PROBE_BYTES = 32 * 2**20
#: Items of a list of the API.
LIST_ITEMS = 500
#: Hits of a search that can be turned to; only the newest matches are ranked.
SEARCH_OFFSET = 1_000
#: Seconds of CPU of the queries of a search, a list of articles or an analysis; a job has no such limit.
QUERY_SECONDS = 1.0
#: The same for a statistic of words, which takes two seconds for 48 million words, and n-grams four.
STATISTIC_SECONDS = 6.0
#: Seconds of such a query on PostgreSQL, whose CPU time is not known.
QUERY_WALL_SECONDS = 5.0
#: Jobs of a user that wait or run, crawls apart.
JOBS_OF_A_USER = 20
#: Brackets of a search within brackets.
QUERY_DEPTH = 30
#: Saved searches of an owner.
SAVED_SEARCHES = 100
#: Articles whose texts one request of the page Explore reads; a job reads all.
TEXTS_READ = 100
#: Rows that a job of the page Explore writes.
ROWS_OF_A_JOB = 100_000
#: Seconds of a stream of events; browsers open it again.
STREAM_SECONDS = 300.0
#: Articles of a queue for review.
REVIEW_QUEUE = 1_000
