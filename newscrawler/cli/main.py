"""The command `newscrawler`: its sub-commands, by name."""

from __future__ import annotations

import click

from newscrawler import __version__
from newscrawler.cli.group import MainGroup

COMMANDS = {
    "init": "newscrawler.cli.init:init_command",
    "portal": "newscrawler.cli.portal:portal_group",
    "crawl": "newscrawler.cli.crawl:crawl_command",
    "collect": "newscrawler.cli.collect:collect_command",
    "collection": "newscrawler.cli.collection:collection_group",
    "run": "newscrawler.cli.run:run_command",
    "worker": "newscrawler.cli.worker:worker_command",
    "plan": "newscrawler.cli.plan:plan_command",
    "web": "newscrawler.cli.web:web_group",
    "articles": "newscrawler.cli.articles:articles_command",
    "show": "newscrawler.cli.articles:show_command",
    "revisions": "newscrawler.cli.revisions:revisions_command",
    "search": "newscrawler.cli.search:search_command",
    "concordance": "newscrawler.cli.concordance:concordance_command",
    "frequencies": "newscrawler.cli.statistics:frequencies_command",
    "collocates": "newscrawler.cli.statistics:collocates_command",
    "trends": "newscrawler.cli.statistics:trends_command",
    "keywords": "newscrawler.cli.statistics:keywords_command",
    "export": "newscrawler.cli.export:export_command",
    "release": "newscrawler.cli.release:release_group",
    "pages": "newscrawler.cli.pages:pages_group",
    "politeness": "newscrawler.cli.politeness:politeness_command",
    "rights": "newscrawler.cli.rights:rights_group",
    "identity": "newscrawler.cli.identity:identity_group",
    "status": "newscrawler.cli.status:status_command",
    "health": "newscrawler.cli.status:health_command",
    "digest": "newscrawler.cli.status:digest_command",
    "runs": "newscrawler.cli.runs:runs_group",
    "template": "newscrawler.cli.template:template_group",
    "reextract": "newscrawler.cli.reextract:reextract_command",
    "annotate": "newscrawler.cli.annotate:annotate_command",
    "extract": "newscrawler.cli.extract:extract_command",
    "classify": "newscrawler.cli.classify:classify_command",
    "review": "newscrawler.cli.review:review_group",
    "evaluate": "newscrawler.cli.evaluate:evaluate_command",
    "db": "newscrawler.cli.db:db_group",
    "demo": "newscrawler.cli.demo:demo_command",
    "plugins": "newscrawler.cli.plugins:plugins_command",
    "completion": "newscrawler.cli.completion:completion_command",
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
