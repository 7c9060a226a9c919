"""The differences between a stored article and the same article extracted again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from newscrawler.article import Article
from newscrawler.errors import PageError, PageReason
from newscrawler.store.articles import StoredArticle

#: Fields that do not belong to the article, or follow from others.
_NOT_COMPARED = frozenset({
    "url", "portal", "fetched_at", "method", "confidence", "word_count", "date", "published_source", "section_source",
    "language_detected", "date_confidence",
})  # fmt: skip
#: Number of equal paragraphs shown before and after a difference.
_CONTEXT = 1
#: The page cannot be read, which says nothing about the extractor.
_UNREADABLE = frozenset({PageReason.NOT_KEPT, PageReason.DAMAGED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One article, as stored and as extracted again."""

    stored: StoredArticle
    #: None: the current extractor finds no article, or the page cannot be read.
    article: Article | None
    refusal: PageError | None = None
    #: Stored and new value of the fields that differ.
    fields: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Return same, changed, refused (no article any more) or unreadable (its page is gone or damaged)."""
        if self.refusal is not None:
            return "unreadable" if self.refusal.reason in _UNREADABLE else "refused"
        return "changed" if self.fields else "same"

    def lines(self) -> Iterator[str]:
        """Yield the differences as text, without a heading."""
        if self.refusal is not None:
            yield f"  {'page cannot be read' if self.kind == 'unreadable' else 'no article any more'}: {self.refusal}"
        for name, (before, after) in self.fields.items():
            if name in {"body", "paragraphs"}:
                yield f"  {name}:"
                yield from _difference(_paragraphs(before), _paragraphs(after))
            else:
                yield f"  {name}:"
                yield f"    - {_shown(before)}"
                yield f"    + {_shown(after)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the record for `--json`."""
        return {
            "id": self.stored.id,
            "url": self.stored.article.url,
            "kind": self.kind,
            "reason": str(self.refusal) if self.refusal else None,
            "fields": {name: {"before": before, "after": after} for name, (before, after) in self.fields.items()},
        }


@dataclass(slots=True, kw_only=True)
class Totals:
    """Counts of articles by kind of change, and of changed fields."""

    kinds: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)

    def add(self, change: Change) -> None:
        """Count an article."""
        self.kinds[change.kind] += 1
        self.fields.update(change.fields.keys())

    def sentence(self, *, applied: bool = False) -> str:
        """Return the totals as a sentence."""
        fields = ", ".join(f"{name} {count}" for name, count in self.fields.most_common())
        number, total = self.kinds["changed"], self.kinds.total()
        verb = ("was changed" if number == 1 else "were changed") if applied else "would change"
        changed = f"{number} {verb} ({fields})" if fields else f"{number} {verb}"
        same, refused, unreadable = (self.kinds[kind] for kind in ("same", "refused", "unreadable"))
        parts = [f"{total} article{'' if total == 1 else 's'} read again", changed, f"{same} unchanged"]
        if refused:
            parts.append(f"{refused} no longer recognised as {'an article' if refused == 1 else 'articles'}, and left as stored")
        if unreadable:
            parts.append(f"{unreadable} with a missing or damaged page")
        return "; ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return the record for `--json`."""
        return {"articles": self.kinds.total(), "kinds": dict(self.kinds), "fields": dict(self.fields)}


def compare(stored: StoredArticle, article: Article) -> Change:
    """Compare a new extraction with the stored article."""
    before, after = stored.article.as_dict(), article.as_dict()
    differs = {name: (before[name], after[name]) for name in before if name not in _NOT_COMPARED and before[name] != after[name]}
    if "body" in differs:  # the paragraphs repeat it
        differs.pop("paragraphs", None)
    return Change(stored=stored, article=article, fields=differs)


def _paragraphs(value: Any) -> list[str]:
    if isinstance(value, str):
        return value.split("\n")
    return [f"[{item['kind']}] {item['text']}" for item in value or ()]


def _difference(before: list[str], after: list[str]) -> Iterator[str]:
    """Yield removed and added paragraphs with their context; other equal paragraphs are only counted."""
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for number, (kind, start, end, new_start, new_end) in enumerate(steps):
        if kind != "equal":
            yield from (f"    - {line}" for line in before[start:end])
            yield from (f"    + {line}" for line in after[new_start:new_end])
            continue
        same = before[start:end]
        head = same[:_CONTEXT] if number else []
        tail = same[max(len(head), len(same) - _CONTEXT) :] if number < len(steps) - 1 else []
        yield from (f"      {line}" for line in head)
        left_out = len(same) - len(head) - len(tail)
        if left_out:
            yield f"      … {left_out} paragraph{'' if left_out == 1 else 's'} the same …"
        yield from (f"      {line}" for line in tail)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value in {None, ""} else str(value)
