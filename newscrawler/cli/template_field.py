"""`newscrawler template field`: regular expressions for fields, learned from examples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO

import click

from newscrawler.cli.lines import LineError, converse, encode
from newscrawler.cli.template_learn import read_labelled
from newscrawler.errors import ConfigError
from newscrawler.page import Document
from newscrawler.page.document import visible_text
from newscrawler.research.methods.regex_model import read_expression
from newscrawler.research.methods.relie import Example, Learned, Relie, checked_expression, f1_of, find_all


@click.group("field")
def field_group() -> None:
    """Learn regular expressions that find a field in the text of pages.

    \b
    Example:
      newscrawler template field learn phone --regex "\\d[\\d\\W]+\\d" --pages labelled.jsonl > phone.json
      newscrawler template field find phone.json < pages.jsonl
    """


@field_group.command("learn")
@click.argument("field", metavar="FIELD")
@click.option("--regex", "first", required=True, metavar="REGEX", help="An expression that finds too much, to begin with.")
@click.option("--pages", type=click.File("rb"), required=True, metavar="FILE", help='JSON lines {"html","gold":{FIELD: value}}.')
def learn_command(field: str, *, first: str, pages: BinaryIO) -> None:
    """Improve a rough regular expression for FIELD by examples, after ReLIE, and print it with its F1 before and after.

    FIELD is any key of "gold": dates and authors as the pages write them, or a field of your own. A value may be a list.

    \b
    Example:
      newscrawler template field learn phone --regex "\\d[\\d\\W]+\\d" --pages labelled.jsonl > phone.json
    """
    examples = [Example(text=visible_text(page.body), wanted=_values(gold, field)) for page, gold in read_labelled(pages) if gold]
    learned = Relie().learn(first, examples)
    before = f1_of(Learned(root=read_expression(first)), examples)
    found = {"field": field, "pattern": learned.pattern, "f1_before": round(before, 4), "f1": round(f1_of(learned, examples), 4)}
    click.echo(encode({**found, "examples": len(examples)}), nl=False)


@field_group.command("find")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def find_command(file: Path) -> None:
    """Find a field on pages from standard input by the expression that `template field learn` wrote to FILE.

    Each JSON line {"id","url","html"} gets one line as its answer: {"id","url","field","found"}, where "found" lists the matches in
    the visible text, each once.

    \b
    Example:
      newscrawler template field find phone.json < pages.jsonl
    """
    field, pattern = _expression(file)

    def answer(question: dict[str, Any]) -> dict[str, Any]:
        html, url = question.get("html"), question.get("url")
        if not isinstance(html, str):
            raise LineError('"html" is missing or not a string')
        page = Document.parse(html, url if isinstance(url, str) else None)
        return {"url": url, "field": field, "found": list(dict.fromkeys(find_all(pattern, visible_text(page.body))))}

    converse(answer)


def _expression(file: Path) -> tuple[str, str]:
    """Return field and expression of a file that `template field learn` wrote.

    Raises:
        ConfigError: it is none.
    """
    try:
        learned = json.loads(file.read_text("utf-8"))
        field, pattern = learned["field"], checked_expression(learned["pattern"])
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{file} is not a file that `newscrawler template field learn` wrote.") from error
    except ConfigError as error:
        raise ConfigError(f"{file} is not a file that `newscrawler template field learn` wrote: {error}") from error
    return str(field), pattern


def _values(gold: dict[str, Any], field: str) -> frozenset[str]:
    value = gold.get(field)
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset([str(value)] if value else [])
