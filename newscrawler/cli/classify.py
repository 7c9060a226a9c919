"""`newscrawler classify --jsonl`: classify links before anything is fetched."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

import click

from newscrawler.cli.lines import LineError, answer_lines
from newscrawler.cli.options import CLASSIFIER
from newscrawler.discovery.urls import CLASSIFIERS, PageLink


@click.command("classify")
@click.option("--jsonl", "as_lines", is_flag=True, help="Read links as JSON lines and answer each with one line at once.")
@click.option("--rule", type=CLASSIFIER, default="default", show_default=True, metavar="NAME", help="Rule to use.")
def classify_command(rule: str, *, as_lines: bool) -> None:
    """Classify links: article, section, other or external.

    Reads {"page_url","href","anchor","where"} and writes {"label","score","why"}. Only href is required. An "id" is echoed.

    \b
    Example:
      echo '{"page_url": "https://example.org/", "href": "/2026/02/title/"}' | newscrawler classify --jsonl
    """
    if not as_lines:
        raise click.UsageError("give --jsonl and the links on standard input")

    classifier = CLASSIFIERS[rule]
    answer_lines(lambda question: _classify_link(question, classifier))


def _classify_link(question: dict[str, Any], classifier: Any) -> dict[str, Any]:
    texts = {name: question.get(name) or "" for name in ("href", "page_url", "anchor", "where")}
    for name, value in texts.items():
        if not isinstance(value, str):
            raise LineError(f'"{name}" is not a string')
    if not texts["href"]:
        raise LineError('"href" is missing')
    href = urljoin(texts["page_url"], texts["href"].strip())
    verdict = classifier(PageLink(href=href, page_url=texts["page_url"], anchor=texts["anchor"], where=texts["where"]))
    return {"label": verdict.label, "score": verdict.score, "why": verdict.why, "article_score": verdict.article_score}
