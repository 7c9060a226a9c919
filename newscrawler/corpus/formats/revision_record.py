"""Earlier texts of an article as JSON objects, each with what the next one changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from newscrawler.corpus.formats.word_changes import Edit, changed_paragraphs
from newscrawler.store.articles import Revision, StoredArticle


def revision_records(stored: StoredArticle, revisions: Sequence[Revision]) -> Iterator[dict[str, Any]]:
    """Yield each earlier text of an article, oldest first, with the changes that led to the next.

    Args:
        stored: the article as it is now.
        revisions: its earlier texts, oldest first.
    """
    if not revisions:
        return
    texts = [(revision.title, *(p.text for p in revision.paragraphs)) for revision in revisions]
    texts.append((stored.article.title, *(p.text for p in stored.article.paragraphs)))
    fetched = [*(revision.fetched_at for revision in revisions[1:]), stored.article.fetched_at]
    for revision, (before, after), changed_at in zip(revisions, pairwise(texts), fetched, strict=True):
        changes = [[[str(piece.edit), piece.text] for piece in pieces] for pieces in changed_paragraphs(before, after)]
        yield {
            "fetched_at": revision.fetched_at.isoformat(),
            "modified_at": revision.modified_at.isoformat() if revision.modified_at else None,
            "changed_at": changed_at.isoformat() if changed_at else None,
            "why": revision.detail or str(revision.reason),
            "title": revision.title,
            "lead": revision.lead,
            "body": "\n".join(paragraph.text for paragraph in revision.paragraphs),
            "changes": changes,
        }


def marked(pieces: Sequence[Sequence[str]]) -> str:
    """Write the pieces of a changed paragraph on one line, as wdiff marks them: [-removed-] {+added+}."""
    marks = {Edit.REMOVED: ("[-", "-]"), Edit.ADDED: ("{+", "+}"), Edit.SAME: ("", "")}
    return " ".join(f"{marks[Edit(edit)][0]}{text}{marks[Edit(edit)][1]}" for edit, text in pieces)
