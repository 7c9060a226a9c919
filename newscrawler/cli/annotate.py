"""`newscrawler annotate`: persons, organisations, places and dates of articles, as JSON-LD or RDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.lines import LineError, converse
from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.methods.ontea import Ontea


@click.command("annotate")
@click.option("--format", "form", type=click.Choice(["json-ld", "n-triples"]), default="json-ld", show_default=True)
@click.option(
    "--gazetteer",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Known individuals: label, class, address; tabs between them.",
)
def annotate_command(*, form: str, gazetteer: Path | None) -> None:
    """Annotate articles from standard input, one JSON line each, as `newscrawler extract --jsonl` and exports write them.

    Each line is answered with one line: the id, the url, and the annotation as JSON-LD of schema.org ("annotation") or as RDF
    ("n_triples"). Classes of a gazetteer are Person, Organization and Place.

    \b
    Example:
      newscrawler extract --jsonl < pages.jsonl | newscrawler annotate --gazetteer known.tsv > annotations.jsonl
    """
    from newscrawler.methods.ontea import Ontea

    annotator = Ontea(gazetteer=_gazetteer(gazetteer) if gazetteer is not None else {})
    converse(lambda article: _annotation(article, annotator, form))


def _annotation(article: dict[str, Any], annotator: Ontea, form: str) -> dict[str, Any]:
    from newscrawler.methods.ontea import as_json_ld, as_n_triples

    body = article.get("body")
    if not isinstance(body, str):
        raise LineError('"body" is missing or not a string')
    url, language = article.get("url"), article.get("language")
    title = article.get("title") or ""
    found = annotator.annotate(f"{title}\n{body}", language if isinstance(language, str) else None)
    if form == "json-ld":
        return {"url": url, "annotation": as_json_ld(found, url)}
    if not isinstance(url, str):
        raise LineError('"url" is missing; RDF needs one')
    return {"url": url, "n_triples": as_n_triples(found, url)}


def _gazetteer(path: Path) -> dict[str, Any]:
    from newscrawler.methods.ontea import AnnotationClass

    known: dict[str, Any] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        label, kind, address = (*line.split("\t"), "", "")[:3]
        if line and kind not in list(AnnotationClass):
            raise ConfigError(f"{path}, line {number}: {kind!r} is not a class; these are: {', '.join(AnnotationClass)}")
        if line:
            known[label] = (AnnotationClass(kind), address or None)
    return known
