"""The command `newscrawler`: its sub-commands, by task."""

from __future__ import annotations

import click

from newscrawler import __version__
from newscrawler.cli.group import MainGroup

#: The tasks in the order of the help, and their commands: "module:attribute" of this package, and the summary.
SECTIONS = {
    "Start": {
        "init": ("setup:init_command", "Write a first newscrawler.toml."),
        "portal": ("portal:portal_group", "Add, list, show or remove portals."),
        "crawl": ("crawl:crawl_command", "Crawl portals and keep their articles."),
        "web": ("web:web_group", "Serve the web application until you stop it."),
        "demo": ("demo:demo_command", "Crawl the bundled portal and check the result."),
    },
    "Read": {
        "articles": ("articles:articles_command", "List articles, newest first."),
        "show": ("articles:show_command", "Show one article."),
        "search": ("search:search_command", "Find articles by the words of their titles and bodies."),
        "revisions": ("articles:revisions_command", "Show the earlier texts of an article, word by word."),
        "extract": ("extract:extract_command", "Extract the articles of pages or files, without a database."),
    },
    "Analyse": {
        "concordance": ("search:concordance_command", "List each occurrence of a query with its context (KWIC)."),
        "frequencies": ("statistics:frequencies_command", "List the most frequent words, or words in a row."),
        "collocates": ("statistics:collocates_command", "List words that occur near a query more often than by chance."),
        "trends": ("statistics:trends_command", "Show how often queries occur over time, per million words."),
        "keywords": ("statistics:keywords_command", "List words more frequent in articles A than in B (keyness)."),
        "entities": ("entities:entities_group", "Find persons, places and topics of articles, and list them."),
        "saved": ("saved:saved_group", "Name selections of articles, for --saved of all commands."),
        "again": ("again:again_command", "Repeat an analysis or an export from its recipe."),
        "mcp": ("web:mcp_command", "Let an assistant search the corpus (Model Context Protocol)."),
        "annotate": ("annotate:annotate_command", "Annotate articles from standard input, one JSON line each."),
    },
    "Publish": {
        "export": ("export:export_command", "Write articles to files, in one of twelve formats."),
        "release": ("release:release_group", "Make corpora that can be cited, with hashes and a datasheet."),
    },
    "Service": {
        "run": ("service:run_command", "Crawl all portals on schedule until you stop the service."),
        "worker": ("service:worker_command", "Crawl portals together with workers on other machines."),
        "status": ("status:status_command", "Show what runs, what is next, and the state of each portal."),
        "health": ("status:health_command", "Judge the last crawl of each portal by the portal's history."),
        "digest": ("status:digest_command", "Print the digest: new articles, problems, and what is next."),
        "runs": ("runs:runs_group", "List past crawls, newest first."),
        "db": ("db:db_group", "Back up, check, prune, upgrade or move the database."),
    },
    "Check": {
        "explain": ("explain:explain_command", "Show why a page gives this text, title, date and authors."),
        "review": ("review:review_group", "Compare articles with their pages, and judge them."),
        "pages": ("pages:pages_group", "List, show and export the pages that crawls have kept."),
        "politeness": ("politeness:politeness_command", "Show the rules in force for a portal, and why."),
        "rights": ("rights:rights_group", "Show what publishers reserve."),
    },
    "Experts": {
        "backfill": ("backfill:backfill_command", "Fetch the past of a portal, some pages a day."),
        "collect": ("collect:collect_command", "Collect news articles from a mixed set of pages."),
        "collection": ("collection:collection_group", "Show collections, their keywords, and keywords learned."),
        "template": ("template:template_group", "Show, learn and repair the templates of portals."),
        "reextract": ("reextract:reextract_command", "Extract the articles of PORTAL anew from its kept pages."),
        "texts": ("texts:texts_command", "Print all texts of a page: menu, teaser, comment, body."),
        "classify": ("classify:classify_command", "Classify links: article, section, other or external."),
        "evaluate": ("evaluate:evaluate_command", "Compare block-detection methods on pages with expectations."),
        "identity": ("identity:identity_group", "Sign requests, so that operators can recognise you."),
        "plugins": ("setup:plugins_command", "List the plugins of installed packages."),
        "completion": ("setup:completion_command", "Print a completion script for a shell."),
    },
}
COMMANDS = {name: entry for commands in SECTIONS.values() for name, entry in commands.items()}

HELP = """A polite, focused news crawler: portals in, clean articles in an SQL database out.

\b
To begin with:
  newscrawler demo
  newscrawler web
  newscrawler crawl URL --contact ADDRESS
  newscrawler export --output articles.jsonl

ADDRESS is the e-mail or web address at which the operator of the portal reaches you. In a folder with a newscrawler.toml,
`newscrawler` shows the state of its portals and the next steps.

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


@click.group(
    "newscrawler", cls=MainGroup, lazy=COMMANDS, sections=SECTIONS, help=HELP, context_settings=SETTINGS,
    invoke_without_command=True,
)  # fmt: skip
@click.version_option(__version__, "-V", "--version", prog_name="newscrawler")
@click.pass_context
def main(ctx: click.Context) -> None:
    """See HELP."""
    if ctx.invoked_subcommand is None:
        from newscrawler.cli.status import show_next_steps  # reads the database, which the help should not

        if not show_next_steps():
            raise click.exceptions.NoArgsIsHelpError(ctx)
