"""`newscrawler texts`: all coherent texts of a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from newscrawler.cli.extract import contact_option, method_option, url_option
from newscrawler.cli.lines import LineError, answer_lines, encode
from newscrawler.cli.options import config_option
from newscrawler.cli.page_input import load_page, parse_page
from newscrawler.cli.screen import sanitize
from newscrawler.errors import ConfigError, PageError, PageReason
from newscrawler.page import Document
from newscrawler.plugins import find_method, load_methods
from newscrawler.research.methods import TextsMethod
from newscrawler.research.methods.node_energy import NodeEnergy

#: Both methods of the paper together.
DEFAULT = "energy_and_links"


@click.command("texts")
@click.argument("pages", nargs=-1, metavar="[URL|FILE]")
@click.option("--jsonl", "as_lines", is_flag=True, help='Read lines {"id","url","html"} and answer each at once with one line.')
@click.option("--json", "as_json", is_flag=True, help="Print the texts as JSON.")
@url_option
@method_option
@click.option("--dictionary", type=click.Path(path_type=Path), metavar="FILE", help="Words that count as text, one a line.")
@contact_option
@config_option
def texts_command(
    pages: tuple[str, ...],
    *,
    as_lines: bool,
    as_json: bool,
    url: str | None,
    method: str,
    dictionary: Path | None,
    contact: str | None,
    config: Path | None,
) -> None:
    """Print all coherent texts of a page: articles, teasers, links and others.

    The page is divided by --method node_energy, link_position, or both (the default). With --jsonl, each line of standard input
    is answered at once with one line.

    \b
    Example:
      newscrawler texts saved.html --method node_energy
      newscrawler texts saved.html --method node_energy_dictionary --dictionary words.txt
      newscrawler texts --jsonl < pages.jsonl > texts.jsonl
    """
    divider = _find_divider(method, dictionary)
    if as_lines:
        if pages:
            raise click.UsageError("--jsonl reads pages from standard input; give no URL or FILE")
        answer_lines(lambda question: _answer_line(question, divider))
        return
    page = load_page(pages, url=url, config=config, contact=contact)
    _print_texts(divider.texts(parse_page(page)), page.url, as_json=as_json)


def _find_divider(name: str, dictionary: Path | None) -> TextsMethod:
    """Return the method that divides pages into texts."""
    method = find_method(DEFAULT if name == "default" else name)
    if not isinstance(method, TextsMethod):
        able = ", ".join(other for other, made in load_methods().items() if isinstance(made, TextsMethod))
        raise click.UsageError(f"{name} finds one text on a page; newscrawler texts goes with {able}")
    if dictionary is None:
        return method
    if not isinstance(method, NodeEnergy):
        raise click.UsageError("--dictionary goes with --method node_energy_dictionary")
    return replace(method, measure="dictionary words", dictionary=_read_words(dictionary))


def _read_words(path: Path) -> frozenset[str]:
    try:
        return frozenset(path.read_text("utf-8").lower().split())
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as a list of words: {error}") from error


def _answer_line(question: dict[str, Any], method: TextsMethod) -> dict[str, Any]:
    """Return the texts of one line."""
    if not isinstance(question.get("html"), str):
        raise LineError('"html" is missing or not a string')
    url = question.get("url")
    return {"url": url, "texts": method.texts(Document.parse(question["html"], url if isinstance(url, str) else None))}


def _print_texts(texts: Iterable[str], url: str | None, *, as_json: bool) -> None:
    """Print texts with an empty line between them, or as one line of JSON."""
    found = list(texts)
    if as_json:
        click.echo(encode({"url": url, "texts": found}), nl=False)
    elif not found:
        raise PageError(PageReason.NO_BODY, "the page holds no text")
    else:
        click.echo(sanitize("\n\n".join(found)))
