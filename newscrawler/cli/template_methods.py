"""`newscrawler template field`, `groups`, `name` and `compare`: templates of published methods, ReLIE and Trinity."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO

import click

from newscrawler.cli.lines import LineError, answer_lines, encode
from newscrawler.cli.options import json_option
from newscrawler.cli.screen import print_rows, sanitize
from newscrawler.cli.template_learn import prefix_selector, read_labelled, read_pages
from newscrawler.corpus import open_target
from newscrawler.errors import ConfigError
from newscrawler.extraction.templates import PortalTemplate, read_template_file, write_template
from newscrawler.page import Document, extract_visible_text
from newscrawler.plugins import get_site_method_name
from newscrawler.research.methods.relie import Example, Learned, Relie, checked_expression, f1_of, find_all, read_expression
from newscrawler.research.site_methods.trinity import TrinityTemplate
from newscrawler.research.site_methods.trinity_fields import TemplateField, compare_with_selectors, name_by_hand, name_by_samples


@click.group("field")
def field_group() -> None:
    """Learn regular expressions that find a field in texts.

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
    """Improve a rough regular expression for FIELD, after ReLIE.

    It is improved by examples, and printed with its F1 before and after.
    FIELD is any key of "gold": dates and authors as the pages write them, or a field of your own. A value may be a list.

    \b
    Example:
      newscrawler template field learn phone --regex "\\d[\\d\\W]+\\d" --pages labelled.jsonl > phone.json
    """
    examples = [
        Example(text=extract_visible_text(page.body), wanted=_read_values(gold, field))
        for page, gold in read_labelled(pages)
        if gold
    ]
    learned = Relie().learn(first, examples)
    before = f1_of(Learned(root=read_expression(first)), examples)
    found = {"field": field, "pattern": learned.pattern, "f1_before": round(before, 4), "f1": round(f1_of(learned, examples), 4)}
    click.echo(encode({**found, "examples": len(examples)}), nl=False)


@field_group.command("find")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def find_command(file: Path) -> None:
    """Find a field on pages by an expression that was learned.

    `template field learn` wrote the expression to FILE.
    Each JSON line {"id","url","html"} gets one line as its answer: {"id","url","field","found"}, where "found" lists the matches in
    the visible text, each once.

    \b
    Example:
      newscrawler template field find phone.json < pages.jsonl
    """
    field, pattern = _read_learned_expression(file)

    def answer(question: dict[str, Any]) -> dict[str, Any]:
        html, url = question.get("html"), question.get("url")
        if not isinstance(html, str):
            raise LineError('"html" is missing or not a string')
        page = Document.parse(html, url if isinstance(url, str) else None)
        return {"url": url, "field": field, "found": list(dict.fromkeys(find_all(pattern, extract_visible_text(page.body))))}

    answer_lines(answer)


def _read_learned_expression(file: Path) -> tuple[str, str]:
    """Return field and expression of a file that `template field learn` wrote."""
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


def _read_values(gold: dict[str, Any], field: str) -> frozenset[str]:
    value = gold.get(field)
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset([str(value)] if value else [])


file_argument = click.argument("file", type=click.Path(path_type=Path), metavar="FILE")


def _read_trinity_template(file: Path) -> TrinityTemplate:
    template = read_template_file(file)
    if not isinstance(template, TrinityTemplate):
        raise ConfigError(f"{file} is not a template of Trinity; only those have groups")
    return template


def _write_expression(file: Path, *, minimised: bool) -> str:
    template = _read_trinity_template(file) if minimised else read_template_file(file)
    write = getattr(template, "minimised" if minimised else "expression", None)
    if write is None:
        method = "a portal" if isinstance(template, PortalTemplate) else get_site_method_name(template.method)
        raise ConfigError(f"{file} is a template of {method}, which is no regular expression")
    return str(write())


@click.command("groups")
@file_argument
@click.option("--pages", type=click.File("rb"), metavar="FILE", help='JSON lines {"url","html"}: show what the groups capture.')
@click.option("--expression", is_flag=True, help="Print the template as a regular expression; also of FiVaTech and RoadRunner.")
@click.option("--minimised", is_flag=True, help="Print the shortest expression that the same pages match, without groups.")
@json_option
def groups_command(file: Path, *, pages: BinaryIO | None, expression: bool, minimised: bool, as_json: bool) -> None:
    """Show the tree of a Trinity template, or what groups capture.

    \b
    Example:
      newscrawler template groups trinity.json
      newscrawler template groups fivatech.json --expression
      newscrawler template groups trinity.json --pages pages.jsonl
    """
    if expression or minimised:
        click.echo(sanitize(_write_expression(file, minimised=minimised)))
        return
    template = _read_trinity_template(file)
    if pages is None:
        click.echo(sanitize(template.drawing()))
        return
    for page in read_pages(pages):
        groups = template.read_groups(page)
        if as_json:
            click.echo(
                encode({"url": page.url, "groups": {str(number): text for number, text in (groups or {}).items()}}), nl=False
            )
            continue
        click.echo(sanitize(f"{page.url or 'a page'}{': does not match the template' if groups is None else ''}"))
        print_rows([(number, text.replace("\n", " | ")) for number, text in (groups or {}).items()], ("group", "text"))


@click.command("name")
@file_argument
@click.option("--set", "given", multiple=True, metavar="FIELD=GROUP[,GROUP]", help="Name groups by hand; may be given often.")
@click.option(
    "--samples", type=click.File("rb"), metavar="FILE", help='JSON lines {"url","html","gold"}: find the groups by values.'
)
def name_command(file: Path, *, given: tuple[str, ...], samples: BinaryIO | None) -> None:
    """Name the groups of a Trinity template: title, body and others.

    FILE is written anew.

    \b
    Example:
      newscrawler template name trinity.json --set title=5 --set body=17,19
      newscrawler template name trinity.json --samples samples.jsonl
    """
    template = _read_trinity_template(file)
    if samples is not None:
        known = [
            (page, {str(name): str(gold[name]) for name in TemplateField if isinstance(gold.get(name), str)})
            for page, gold in read_labelled(samples)
            if gold
        ]
        template = name_by_samples(template, known)
    template = name_by_hand(template, dict(map(_parse_groups, given)))
    with open_target(file) as stream:
        stream.write(write_template(template).encode("utf-8", "backslashreplace"))
    for name, numbers in template.fields.items():
        click.echo(f"{name}: group {', '.join(map(str, numbers))}")


def _parse_groups(text: str) -> tuple[str, list[int]]:
    name, _, numbers = text.partition("=")
    try:
        return name.strip(), [int(number) for number in numbers.split(",")]
    except ValueError as error:
        raise click.UsageError(f"{text} does not name groups; write it as title=5 or body=17,19") from error


@click.command("compare")
@file_argument
@click.option("--pages", type=click.File("rb"), metavar="FILE", required=True, help='JSON lines {"url","html"}.')
@click.option("--selector", "written", multiple=True, metavar="FIELD=SELECTOR", help="By hand, for example title=h1.")
@json_option
def compare_command(file: Path, *, pages: BinaryIO, written: tuple[str, ...], as_json: bool) -> None:
    """Report the pages that do not match a Trinity template.

    With --selector, also the pages whose fields differ from selectors.

    \b
    Example:
      newscrawler template compare trinity.json --pages pages.jsonl --selector title=h1 --selector authors=.byline
    """
    selectors = {name: prefix_selector(selector) for name, _, selector in (text.partition("=") for text in written)}
    report = compare_with_selectors(_read_trinity_template(file), read_pages(pages), selectors)
    if as_json:
        differences = [
            {"url": d.url, "field": d.field, "template": d.by_template, "selector": d.by_selector} for d in report.differences
        ]
        counts = {"pages": report.pages, "not_matching": len(report.not_matching), "wrong": report.wrong}
        click.echo(encode({**counts, "urls_not_matching": list(report.not_matching), "differences": differences}), nl=False)
        return
    click.echo(f"pages {report.pages}, not matching {len(report.not_matching)} ({report.not_matching_share:.1%}), ", nl=False)
    click.echo(f"fields differ on {report.wrong} ({report.wrong_share:.1%})")
    for url in report.not_matching:
        click.echo(sanitize(f"does not match: {url}"))
    rows = [(d.field, d.by_template, d.by_selector, d.url or "") for d in report.differences]
    print_rows(rows, ("field", "template", "selector", "url"))
