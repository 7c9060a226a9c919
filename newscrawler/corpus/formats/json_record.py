"""JSON: one article a line, or one array of all articles; an article is its id in the store, then Article.as_dict.

Earlier texts of an article are JSON objects, each with the changes by the next text, paragraph by paragraph and word by word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise, zip_longest
from typing import Any, BinaryIO

import orjson

from newscrawler.article import FIELDS
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.store.articles import Revision, StoredArticle


def make_record(stored: StoredArticle) -> dict[str, Any]:
    """Return the fields of one article; their names are stable."""
    record = {"id": stored.id, **stored.article.as_dict()} | {field.name: field.read(stored) for field in FIELDS if field.exported}
    if stored.revisions is not None:
        record["revisions"] = list(make_revision_records(stored, stored.revisions))
    if stored.entities is not None:
        record["entities"] = [
            {"kind": each.kind, "name": each.name, "mentions": each.mentions, "spans": list(map(list, each.spans))}
            for each in stored.entities
        ]
    return record


_TEXTS = frozenset({"lead", "body", "description", "paragraphs", "images", "comments", "comment_details", "reasons", "revisions"})


def make_metadata(stored: StoredArticle) -> dict[str, Any]:
    """Return the fields of one article that contain no text of it but the headline."""
    return {name: value for name, value in make_record(stored).items() if name not in _TEXTS}


def encode_record(stored: StoredArticle) -> bytes:
    """Encode one article on one line, without the line break; a lone surrogate becomes its JSON escape."""
    record = make_record(stored)
    try:
        return orjson.dumps(record)
    except TypeError:  # orjson does not encode lone surrogates
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def write_jsonl(articles: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
    """Write one JSON object per line."""
    count = 0
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write(encode_record(stored) + b"\n")
    return Written(articles=count)


def write_json(articles: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
    """Write one JSON array with one article per line."""
    count = 0
    stream.write(b"[")
    for count, stored in enumerate(articles, 1):
        stream.write(b"\n" if count == 1 else b",\n")
        stream.write(encode_record(stored))
    stream.write(b"\n]\n" if count else b"]\n")
    return Written(articles=count)


def make_revision_records(stored: StoredArticle, revisions: Sequence[Revision]) -> Iterator[dict[str, Any]]:
    """Yield each earlier text of an article, oldest first, with the changes that led to the next."""
    if not revisions:
        return
    texts = [(revision.title, *(p.text for p in revision.paragraphs)) for revision in revisions]
    texts.append((stored.article.title, *(p.text for p in stored.article.paragraphs)))
    fetched = [*(revision.fetched_at for revision in revisions[1:]), stored.article.fetched_at]
    for revision, (before, after), changed_at in zip(revisions, pairwise(texts), fetched, strict=True):
        changed = (each for each in compare_paragraphs(before, after) if any(piece.edit is not Edit.SAME for piece in each))
        changes = [[[str(piece.edit), piece.text] for piece in pieces] for pieces in changed]
        yield {
            "fetched_at": revision.fetched_at.isoformat(),
            "modified_at": revision.modified_at.isoformat() if revision.modified_at else None,
            "changed_at": changed_at.isoformat() if changed_at else None, "why": revision.detail or str(revision.reason),
            "title": revision.title, "lead": revision.lead, "body": "\n".join(paragraph.text for paragraph in revision.paragraphs),
            "changes": changes,
        }  # fmt: skip


def mark_edits(pieces: Sequence[Sequence[str]]) -> str:
    """Write the pieces of a changed paragraph on one line, as wdiff marks them: [-removed-] {+added+}."""
    marks = {Edit.REMOVED: ("[-", "-]"), Edit.ADDED: ("{+", "+}"), Edit.SAME: ("", "")}
    return " ".join(f"{marks[Edit(edit)][0]}{text}{marks[Edit(edit)][1]}" for edit, text in pieces)


#: Words with the white space after them, so that joined pieces give the text.
_WORD = re.compile(r"\S+\s*")


class Edit(StrEnum):
    """How a piece of text was changed."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class WordEdit:
    """Words in a row that were kept, removed or added."""

    edit: Edit
    text: str


def compare_paragraphs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[WordEdit, ...]]:
    """Yield the pieces of every paragraph of either text, in reading order; paragraphs are compared first, then their words."""
    for edit, first, last, other_first, other_last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if edit == "equal":
            yield from ((WordEdit(Edit.SAME, text),) for text in before[first:last])
            continue
        for old, new in zip_longest(before[first:last], after[other_first:other_last]):
            yield tuple(compare_words(old or "", new or ""))


def compare_words(before: str, after: str) -> Iterator[WordEdit]:
    """Yield the pieces of two versions of a paragraph: kept ones once, others as removed and added."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = SequenceMatcher(None, [word.strip() for word in old], [word.strip() for word in new], autojunk=False)
    for edit, first, last, other_first, other_last in matcher.get_opcodes():
        if edit == "equal":
            yield WordEdit(Edit.SAME, "".join(new[other_first:other_last]).strip())
            continue
        if last > first:
            yield WordEdit(Edit.REMOVED, "".join(old[first:last]).strip())
        if other_last > other_first:
            yield WordEdit(Edit.ADDED, "".join(new[other_first:other_last]).strip())
