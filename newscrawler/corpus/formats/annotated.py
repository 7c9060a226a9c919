"""Formats with one token per line: vertical text (Sketch Engine, NoSketch Engine, CWB) and CoNLL-U."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import PurePath
from shlex import quote
from typing import BinaryIO

from newscrawler.corpus.annotation import Word
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.corpus.formats.plain import list_facts
from newscrawler.formats import clean_text, escape_xml, quote_xml
from newscrawler.store.articles import StoredArticle

_ATTRIBUTES = ("id", "title", "author", "date", "portal", "section", "language", "genre", "url")
#: Of an article that is in several collections, or saved selections, with all names.
_MULTIPLE = ("collection", "selection")
#: Entity of a word that is in none.
_NO_ENTITY = "_"


def write_vertical(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write <doc>, <p>, <s> and <g/> with one token per line, followed by lemma and part of speech if known."""
    count = 0
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write("".join(_write_vertical_text(stored, options)).encode("utf-8", "replace"))
    return Written(articles=count)


def _write_vertical_text(stored: StoredArticle, options: Options) -> Iterator[str]:
    known = dict(list_facts(stored))
    for each, names in zip(_MULTIPLE, (options.collections_of(stored.id), options.selections_of(stored.id)), strict=True):
        known[each] = "|".join(name.replace("|", "/") for name in names)
    yield "<doc " + " ".join(f"{name}={quote_xml(known.get(name, ''))}" for name in (*_ATTRIBUTES, *_MULTIPLE)) + ">\n"
    spans = [_move_span(stored, *span, each.kind) for each in stored.entities or () for span in each.spans]
    for place, kind, text in _split_paragraphs(stored):
        here = [span[1:] for span in spans if span[0] == place]
        yield f"<p kind={quote_xml(kind)}>\n"
        for sentence in options.annotate(text):
            yield "<s>\n"
            end = sentence[0].start if sentence else 0
            for number, word in enumerate(sentence):
                if number and word.start == end:
                    yield "<g/>\n"
                columns = _list_columns(text[word.start : word.end], word, here, options)
                yield "\t".join(map(escape_xml, columns)) + "\n"
                end = word.end
            yield "</s>\n"
        yield "</p>\n"
    yield "</doc>\n"


def _move_span(stored: StoredArticle, place: int, start: int, end: int, kind: str) -> tuple[int, int, int, str]:
    """Return the span of an entity in the text on one line, which is shorter where a preformatted one has lines and blanks."""
    text = stored.article.paragraphs[place - 1].text if place else stored.article.title
    return place, len(clean_text(f"{text[:start]}|")) - 1, len(clean_text(text[:end])), kind


def _list_columns(form: str, word: Word, spans: Sequence[tuple[int, int, str]], options: Options) -> Iterator[str]:
    yield " ".join(form.split())
    if options.annotated:
        yield word.lemma or form
        yield word.upos or "X"
    if options.with_entities:
        yield next((kind for start, end, kind in spans if start < word.end and word.start < end), _NO_ENTITY)


def _name_columns(options: Options) -> tuple[str, ...]:
    return ("word", *(("lemma", "tag") if options.annotated else ()), *(("entity",) if options.with_entities else ()))


def _split_paragraphs(stored: StoredArticle) -> Iterator[tuple[int, str, str]]:
    """Yield number, kind and text of the headline (0) and of each paragraph."""
    if stored.article.title:
        yield 0, "title", clean_text(stored.article.title)
    for number, paragraph in enumerate(stored.article.paragraphs, 1):
        yield number, str(paragraph.kind), clean_text(paragraph.text)


def write_registry(name: str, options: Options) -> str:
    """Return the registry file of a vertical, for the program that encodes it."""
    lines = [f'NAME "{options.title}"', f'VERTICAL "{name}"', f'PATH "{name}.data"', 'ENCODING "UTF-8"', ""]
    lines += [f"ATTRIBUTE {each}" for each in _name_columns(options)]
    lines += ["", "STRUCTURE doc {", *(f"    ATTRIBUTE {each}" for each in _ATTRIBUTES)]
    for each in _MULTIPLE:
        lines += [f"    ATTRIBUTE {each} {{", "        MULTIVALUE yes", '        MULTISEP "|"', "    }"]
    lines += [
        "}", "STRUCTURE p {", "    ATTRIBUTE kind", "}", "STRUCTURE s", "STRUCTURE g {", "    DISPLAYTAG 0",
        '    DISPLAYBEGIN "_EMPTY_"', "}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def write_blacklab(name: str, options: Options) -> str:
    """Return the configuration with which BlackLab indexes a vertical; it takes attributes of documents as metadata by itself."""
    lines = [f"# IndexTool create INDEX {name} {PurePath(name).stem}", "fileType: tabular", "fileTypeOptions:", "  type: tsv"]
    lines += ["  inlineTags: true", "  glueTags: true", "documentPath: doc", "annotatedFields:", "  contents:", "    annotations:"]
    for place, column in enumerate(_name_columns(options), 1):
        lines += [f"    - name: {column}", f"      valuePath: {place}", "      sensitivity: sensitive_insensitive"]
    return "\n".join(lines) + "\n"


def write_cwb(name: str, options: Options) -> str:
    """Return the commands with which the Corpus Workbench encodes a vertical."""
    corpus = re.sub("[^a-z0-9_]", "_", PurePath(name).stem.lower()).lstrip("_0123456789") or "articles"
    data, columns = f"{corpus}.cwb", "".join(f" -P {each}" for each in _name_columns(options)[1:])
    return (
        f'#!/bin/sh\nset -e\ncd "$(dirname "$0")"\nmkdir -p {data} registry\n'
        f"cwb-encode -c utf8 -d {data} -f {quote(name)} -R registry/{corpus} -xsB{columns} -S s:0 -S p:0+kind "
        f"-S doc:0+{'+'.join((*_ATTRIBUTES, *_MULTIPLE))} -0 g\ncwb-makeall -r registry -V {corpus.upper()}\n"
    )


def write_conllu(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write sentences of ten columns; unknown values are underscores."""
    count = 0
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write("".join(_write_conllu_text(stored, options)).encode("utf-8", "replace"))
    return Written(articles=count)


def _write_conllu_text(stored: StoredArticle, options: Options) -> Iterator[str]:
    known = dict(list_facts(stored))
    yield f"# newdoc id = a{stored.id}\n"
    yield from (f"# meta::{name} = {' '.join(known[name].split())}\n" for name in _ATTRIBUTES[1:] if name in known)
    number = 0
    for paragraph, (_, _, text) in enumerate(_split_paragraphs(stored)):
        for first, sentence in enumerate(filter(None, options.annotate(text))):
            number += 1
            if number > 1:
                yield "" if first else f"# newpar id = a{stored.id}-p{paragraph}\n"
            else:
                yield f"# newpar id = a{stored.id}-p{paragraph}\n"
            yield f"# sent_id = a{stored.id}-s{number}\n"
            yield from _write_sentence(text, sentence)


def _write_sentence(text: str, sentence: list[Word]) -> Iterator[str]:
    forms = [" ".join(text[word.start : word.end].split()) for word in sentence]
    glued = [*(word.end == after.start for word, after in pairwise(sentence)), False]
    said = "".join(form + ("" if is_glued else " ") for form, is_glued in zip(forms, glued, strict=True)).rstrip()
    yield f"# text = {said}\n"
    for number, (word, form, is_glued) in enumerate(zip(sentence, forms, glued, strict=True), 1):
        head = "_" if word.head is None else str(word.head)
        columns = (word.lemma, word.upos, word.xpos, word.feats, head, word.relation, None, "SpaceAfter=No" if is_glued else None)
        yield "\t".join([str(number), form, *(" ".join((each or "").split()) or "_" for each in columns)]) + "\n"
    yield "\n"
