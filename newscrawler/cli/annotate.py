"""`newscrawler annotate`: persons, organisations, places and dates of articles, as JSON-LD or RDF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from newscrawler.cli.lines import LineError, answer_lines
from newscrawler.corpus import find_annotator
from newscrawler.research.methods.ontea import Ontea, as_json_ld, as_n_triples, read_gazetteer


@click.command("annotate")
@click.option("--format", "form", type=click.Choice(["json-ld", "n-triples"]), default="json-ld", show_default=True)
@click.option(
    "--gazetteer",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Known individuals: label, class, address; tabs between them.",
)
@click.option(
    "--tagger", metavar="NAME", help="Take lemmas from spacy:MODEL, stanza:LANGUAGE, udpipe:FILE, a plugin, or MODULE:FUNCTION."
)
@click.option("--as-written", is_flag=True, help="Do not join the declined forms of a name.")
def annotate_command(*, form: str, gazetteer: Path | None, tagger: str | None, as_written: bool) -> None:
    """Annotate articles from standard input, one JSON line each.

    A line is an article as `newscrawler extract --jsonl` and exports write it.
    Each line gets one line as its answer: the id, the url, and the annotation as schema.org JSON-LD ("annotation") or as RDF
    ("n_triples"). The classes of a gazetteer are Person, Organization and Place. Declined forms of a name are joined by the
    endings of the article's language, or by the lemmas of a tagger.

    \b
    Example:
      newscrawler extract --jsonl < pages.jsonl | newscrawler annotate --gazetteer known.tsv > annotations.jsonl
    """
    if as_written and tagger is not None:
        raise click.UsageError("--as-written leaves names as they are; it does not go with --tagger")
    annotator = Ontea(gazetteer=read_gazetteer(gazetteer) if gazetteer is not None else {}, joins_declined=not as_written)
    lemmas = _load_lemmatizer(tagger) if tagger is not None else None
    answer_lines(lambda article: _annotate(article, annotator, form, lemmas))


def _load_lemmatizer(tagger: str) -> Callable[[str], dict[int, str]]:
    """Return the function that finds the lemmas of a text, by the offset of their word."""
    annotate = find_annotator(tagger)
    return lambda text: {word.start: word.lemma for sentence in annotate(text) for word in sentence if word.lemma}


def _annotate(
    article: dict[str, Any], annotator: Ontea, form: str, lemmas: Callable[[str], dict[int, str]] | None
) -> dict[str, Any]:
    body = article.get("body")
    if not isinstance(body, str):
        raise LineError('"body" is missing or not a string')
    url, language = article.get("url"), article.get("language")
    text = f"{article.get('title') or ''}\n{body}"
    found = annotator.annotate(text, language if isinstance(language, str) else None, lemmas(text) if lemmas else {})
    if form == "json-ld":
        return {"url": url, "annotation": as_json_ld(found, url)}
    if not isinstance(url, str):
        raise LineError('"url" is missing; RDF needs one')
    return {"url": url, "n_triples": as_n_triples(found, url)}
