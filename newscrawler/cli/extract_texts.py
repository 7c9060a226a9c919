"""`newscrawler extract --texts`: all coherent texts of a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from newscrawler.cli.lines import LineError, encode
from newscrawler.errors import ConfigError, PageError, PageReason
from newscrawler.page import Document
from newscrawler.research.methods import TextsMethod

#: Both methods of the paper together.
DEFAULT = "energy_and_links"


def texts_method(name: str, dictionary: Path | None) -> TextsMethod:
    """Return the method that divides pages into texts.

    Raises:
        UsageError: the method returns a single text, or uses no dictionary.
        ConfigError: the dictionary cannot be read.
    """
    from newscrawler.plugins import find_method
    from newscrawler.research.methods.node_energy import NodeEnergy
    from newscrawler.research.page_methods import PAGE_METHODS

    method = find_method(DEFAULT if name == "default" else name)
    if not isinstance(method, TextsMethod):
        able = ", ".join(other for other, made in PAGE_METHODS.items() if isinstance(made, TextsMethod))
        raise click.UsageError(f"{name} finds one text on a page; --texts goes with {able}")
    if dictionary is None:
        return method
    if not isinstance(method, NodeEnergy):
        raise click.UsageError("--dictionary goes with --method node_energy_dictionary")
    return replace(method, measure="dictionary words", dictionary=_words(dictionary))


def _words(path: Path) -> frozenset[str]:
    try:
        return frozenset(path.read_text("utf-8").lower().split())
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as a list of words: {error}") from error


def answer_line(question: dict[str, Any], method: TextsMethod) -> dict[str, Any]:
    """Return the texts of one line.

    Raises:
        LineError: `html` is not what it should be.
    """
    if not isinstance(question.get("html"), str):
        raise LineError('"html" is missing or not a string')
    url = question.get("url")
    return {"url": url, "texts": method.texts(Document.parse(question["html"], url if isinstance(url, str) else None))}


def show_texts(texts: Iterable[str], url: str | None, *, as_json: bool) -> None:
    """Print texts with an empty line between them, or as one line of JSON.

    Raises:
        PageError: there are none.
    """
    from newscrawler.cli.screen import harmless

    found = list(texts)
    if as_json:
        click.echo(encode({"url": url, "texts": found}), nl=False)
    elif not found:
        raise PageError(PageReason.NO_BODY, "the page holds no text")
    else:
        click.echo(harmless("\n\n".join(found)))
