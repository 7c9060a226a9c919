"""`newscrawler wrapper field`: regular expressions for fields, learned from examples."""

from __future__ import annotations

from typing import Any, BinaryIO

import click

from newscrawler.cli.lines import encode


@click.group("field")
def field_group() -> None:
    """Learn regular expressions that find a field in the text of pages.

    \b
    Example:
      newscrawler wrapper field learn phone --regex "\\d[\\d\\W]+\\d" --pages labelled.jsonl
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
      newscrawler wrapper field learn phone --regex "\\d[\\d\\W]+\\d" --pages labelled.jsonl
    """
    from newscrawler.cli.wrapper_learn import read_labelled
    from newscrawler.methods.regex_model import read_expression
    from newscrawler.methods.relie import Example, Learned, Relie, f1_of
    from newscrawler.page.document import visible_text

    examples = [Example(text=visible_text(page.body), wanted=_values(gold, field)) for page, gold in read_labelled(pages) if gold]
    learned = Relie().learn(first, examples)
    before = f1_of(Learned(root=read_expression(first)), examples)
    found = {"field": field, "pattern": learned.pattern, "f1_before": round(before, 4), "f1": round(f1_of(learned, examples), 4)}
    click.echo(encode({**found, "examples": len(examples)}), nl=False)


def _values(gold: dict[str, Any], field: str) -> frozenset[str]:
    value = gold.get(field)
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset([str(value)] if value else [])
