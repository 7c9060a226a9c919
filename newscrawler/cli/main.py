"""The command `newscrawler`: its sub-commands, by name."""

from __future__ import annotations

import click

from newscrawler import __version__
from newscrawler.cli.group import MainGroup

#: Each command: "module:attribute" of this package, and its summary.
COMMANDS = {
    "init": ("setup:init_command", "Write a first newscrawler.toml."),
    "portal": ("portal:portal_group", "Add, list, show or remove portals."),
    "crawl": ("crawl:crawl_command", "Crawl portals and keep their articles."),
    "collect": ("collect:collect_command", "Collect news articles from a mixed set of pages."),
    "collection": ("collection:collection_group", "Show collections, their keywords, and keywords learned from news."),
    "run": ("service:run_command", "Crawl all portals on schedule until you stop the service."),
    "worker": ("service:worker_command", "Crawl portals together with workers on other machines, until you end it."),
    "web": ("web:web_group", "Serve the web application until you stop it: view, search, check and control the crawls."),
    "articles": ("articles:articles_command", "List articles, newest first."),
    "show": ("articles:show_command", "Show one article."),
    "revisions": ("articles:revisions_command", "Show the earlier texts of an article and what changed, word by word."),
    "search": (
        "search:search_command",
        "Find articles by the words of their titles and bodies, in any case, with or without accents.",
    ),
    "concordance": ("search:concordance_command", "List every occurrence of a query with the words around it (KWIC)."),
    "frequencies": (
        "statistics:frequencies_command",
        "List the most frequent words, or words in a row, with their number per million.",
    ),
    "collocates": ("statistics:collocates_command", "List the words that occur near a query more often than by chance."),
    "trends": (
        "statistics:trends_command",
        "Show how often a query occurs over time, per million words of all articles of the selection.",
    ),
    "keywords": (
        "statistics:keywords_command",
        "List the words that are more frequent in the articles of A than in those of B (keyness).",
    ),
    "export": (
        "export:export_command",
        "Write articles: jsonl, json, csv, xlsx, txt, markdown, html, tei, vertical, conllu, parquet, warc.",
    ),
    "release": ("release:release_group", "Make corpora that can be cited: data, hashes, citation, datasheet, metadata."),
    "pages": ("pages:pages_group", "List, show and export the pages that crawls have kept."),
    "politeness": ("politeness:politeness_command", "Show the rules in force for a portal, and why."),
    "rights": ("rights:rights_group", "Show what publishers reserve."),
    "identity": ("identity:identity_group", "Sign requests, so that operators of portals can distinguish you from others."),
    "status": ("status:status_command", "Show on one screen what runs, what is next, and the state of each portal."),
    "health": ("status:health_command", "Judge the last crawl of each portal, in words, by the portal's own history."),
    "digest": ("status:digest_command", "Print the morning's digest: new articles, problems, and what is next."),
    "runs": ("runs:runs_group", "List past crawls, newest first."),
    "template": ("template:template_group", "Look after what was learned of portals: how their pages are laid out."),
    "reextract": (
        "reextract:reextract_command",
        "Read the kept pages of PORTAL with today's extractor and template, and show what would change.",
    ),
    "annotate": (
        "annotate:annotate_command",
        "Annotate articles from standard input, one JSON line each, as `newscrawler extract --jsonl` and exports write them.",
    ),
    "extract": (
        "extract:extract_command",
        "Extract the article of one page and show its record, or those of many pages into a folder.",
    ),
    "texts": ("texts:texts_command", "Print all coherent texts of a page: menu, teaser, comment, body and other."),
    "explain": (
        "explain:explain_command",
        "Show how each block of a page was classified, and why its title, date, authors and section were chosen.",
    ),
    "classify": ("classify:classify_command", "Classify links: article, section, other or external."),
    "review": ("review:review_group", "Compare articles with their pages, and judge whether they are right."),
    "evaluate": ("evaluate:evaluate_command", "Compare block-detection methods on pages with expectations."),
    "db": ("db:db_group", "Maintain the database: back it up, check it, prune it, move it."),
    "demo": ("demo:demo_command", "Crawl the bundled portal and check the result."),
    "plugins": ("setup:plugins_command", "List the plugins of installed packages."),
    "completion": ("setup:completion_command", "Print a completion script for a shell."),
}

HELP = """A polite, focused news crawler: portals in, clean articles in an SQL database out.

\b
Two commands are enough to begin with:
  newscrawler crawl URL
  newscrawler export --format jsonl --output articles.jsonl

\b
Exit codes:
    0  success
    1  a crawl did not end normally; everything that it found is kept
    2  wrong use or configuration; nothing was started
    3  the database cannot be opened, read or written
    4  the export, or other output, cannot be written
    5  the page is not an article, or cannot be fetched
   70  newscrawler failed unexpectedly
  130  interrupted
  141  the reader of the output closed it
"""


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group("newscrawler", cls=MainGroup, lazy=COMMANDS, help=HELP, context_settings=SETTINGS)
@click.version_option(__version__, "-V", "--version", prog_name="newscrawler")
def main() -> None:
    """See HELP."""
