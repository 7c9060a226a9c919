"""`newscrawler texts`: all coherent texts of a page, or of all kept pages of a portal."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from newscrawler.cli.extract import contact_option, method_option, url_option
from newscrawler.cli.lines import LineError, answer_lines, encode
from newscrawler.cli.options import config_option, database_option, open_known, read_configuration
from newscrawler.cli.page_input import load_page, parse_page
from newscrawler.cli.screen import sanitize
from newscrawler.config import Configuration
from newscrawler.errors import ConfigError, PageError, PageReason
from newscrawler.page import Document
from newscrawler.plugins import find_method, load_methods
from newscrawler.research.methods import PageText, TextKind, TextsMethod
from newscrawler.research.methods.node_energy import NodeEnergy
from newscrawler.store.archive import PageSelection, read_page
from newscrawler.store.articles import Selection

#: Both methods of the paper together; prefix of a portal of the database.
DEFAULT, PORTAL = "energy_and_links", "portal:"


@click.command("texts")
@click.argument("pages", nargs=-1, metavar="[URL|FILE|portal:NAME]")
@click.option("--jsonl", "as_lines", is_flag=True, help='Read lines {"id","url","html"} and answer each at once with one line.')
@click.option("--json", "as_json", is_flag=True, help="Print the texts as JSON.")
@url_option
@method_option
@click.option("--dictionary", type=click.Path(path_type=Path), metavar="FILE", help="Words that count as text, one a line.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice([kind.value for kind in TextKind]),
    help="Only texts of this kind; repeatable.",
)  # fmt: skip
@contact_option
@database_option
@config_option
def texts_command(
    pages: tuple[str, ...],
    *,
    as_lines: bool,
    as_json: bool,
    url: str | None,
    method: str,
    dictionary: Path | None,
    kinds: tuple[str, ...],
    contact: str | None,
    database: str | None,
    config: Path | None,
) -> None:
    """Print all texts of a page: menu, teaser, comment, body.

    A text of none of these kinds is other.
    The page is divided by --method node_energy, link_position, or both (the default). With --jsonl, each line of standard input
    is answered at once with one line. portal:NAME is the corpus of all kept pages of a portal: a line of JSON for each text, with
    its kind and the address of its page.

    \b
    Example:
      newscrawler texts saved.html --method node_energy
      newscrawler texts saved.html --method node_energy_dictionary --dictionary words.txt
      newscrawler texts --jsonl < pages.jsonl > texts.jsonl
      newscrawler texts portal:example --kind body > corpus.jsonl
    """
    divider = _KindFilter(_find_divider(method, dictionary), kinds or tuple(TextKind))
    if as_lines:
        if pages:
            raise click.UsageError("--jsonl reads pages from standard input; give no URL or FILE")
        answer_lines(lambda question: _answer_line(question, divider))
        return
    if pages[:1] and pages[0].startswith(PORTAL):
        _print_corpus(read_configuration(config, database), pages[0].removeprefix(PORTAL), divider)
        return
    page = load_page(pages, url=url, config=config, contact=contact)
    _print_texts(divider.texts(parse_page(page)), page.url, as_json=as_json)


@dataclass(frozen=True, slots=True)
class _KindFilter:
    """A method that gives texts of some kinds only."""

    method: TextsMethod
    kinds: Container[str]

    def texts(self, page: Document) -> list[PageText]:
        return [text for text in self.method.texts(page) if text.kind in self.kinds]


def _print_corpus(configuration: Configuration, portal: str, method: _KindFilter) -> None:
    """Print the texts of the kept pages of a portal, in the order in which the pages were fetched."""
    with open_known(configuration, Selection(portal=portal)) as store:
        for stored in store.pages.select(PageSelection(portal=portal, newest_first=False, reserved=configuration.reserved_for())):
            try:
                page = read_page(configuration.pages_folder, stored.kept).parse()
            except PageError as error:
                click.echo(sanitize(str(error)), err=True)
                continue
            origin = {"portal": portal, "url": stored.kept.url, "fetched_at": stored.kept.fetched_at.isoformat()}
            for number, (kind, text) in enumerate(method.method.texts(page), 1):
                if kind in method.kinds:
                    click.echo(encode(origin | {"number": number, "kind": kind, "text": text}), nl=False)


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


def _answer_line(question: dict[str, Any], method: _KindFilter) -> dict[str, Any]:
    """Return the texts of one line."""
    if not isinstance(question.get("html"), str):
        raise LineError('"html" is missing or not a string')
    url = question.get("url")
    return _describe(method.texts(Document.parse(question["html"], url if isinstance(url, str) else None)), url)


def _describe(found: Sequence[PageText], url: Any) -> dict[str, Any]:
    return {"url": url, "texts": [each.text for each in found], "kinds": [each.kind for each in found]}


def _print_texts(found: Sequence[PageText], url: str | None, *, as_json: bool) -> None:
    """Print texts with an empty line between them, or as one line of JSON."""
    if as_json:
        click.echo(encode(_describe(found, url)), nl=False)
    elif not found:
        raise PageError(PageReason.NO_BODY, "the page holds no such text")
    else:
        click.echo(sanitize("\n\n".join(each.text for each in found)))
