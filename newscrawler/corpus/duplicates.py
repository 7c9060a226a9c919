"""Duplicates in a corpus: whole articles, and paragraphs that recur; what is left out is always told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from itertools import groupby

from newscrawler.corpus.spilled_counter import SpilledCounter
from newscrawler.store import Selection, Store
from newscrawler.store.records import Fingerprint, StoredArticle
from newscrawler.text import fold_text

#: A paragraph of fewer words ("Photo: agency") says nothing of where it comes from.
_LEAST_WORDS = 6


class Kind(StrEnum):
    """Why something was left out."""

    EXACT = "same title and body"
    NEAR = "nearly the same text"
    PARAGRAPH = "paragraph of another article"


class Keep(StrEnum):
    """Which of articles that say nearly the same stays."""

    EARLIEST = "earliest"
    #: The longest, and of these the one that was read with most confidence.
    BEST = "best"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deduplication:
    """What is left out."""

    exact: bool = False
    near: Keep | None = None
    #: Paragraphs that occur in so many articles stay in the first alone.
    paragraphs: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An article, or a paragraph of one, that was left out."""

    kind: Kind
    article_id: int
    #: The one that stays in its place.
    kept_id: int
    #: Of a paragraph.
    text: str | None = None


#: Told of everything that is left out.
Report = Callable[[LeftOut], None]


def deduplicated(store: Store, selection: Selection, wanted: Deduplication, report: Report) -> Iterator[StoredArticle]:
    """Yield the articles of a selection without duplicates, in the order in which they were stored.

    Args:
        store: holds them.
        selection: which articles.
        wanted: what counts as a duplicate.
        report: told of everything that is left out as one.
    """
    dropped = duplicates_of(store, selection, wanted)
    for each in dropped.values():
        report(each)

    def remaining() -> Iterator[StoredArticle]:
        return (stored for stored in store.articles.stream(selection) if stored.id not in dropped)

    if wanted.paragraphs is None:
        yield from remaining()
    else:
        yield from without_recurring(remaining, wanted.paragraphs, report)


def duplicates_of(
    store: Store, selection: Selection, wanted: Deduplication, *, without: Collection[int] = ()
) -> dict[int, LeftOut]:
    """Return the articles of a selection that are duplicates of others, by number, in their order.

    Args:
        store: holds them.
        selection: which articles.
        wanted: what counts as a duplicate.
        without: numbers of articles that are left out before.
    """
    dropped: dict[int, LeftOut] = {}
    if wanted.exact or wanted.near:
        for _, group in groupby(_living(store.articles.fingerprints(selection), without), key=lambda each: each.text_hash):
            first, *others = group
            dropped |= {each.id: LeftOut(kind=Kind.EXACT, article_id=each.id, kept_id=first.id) for each in others}
    if wanted.near:
        for cluster in clusters(_living(store.articles.similar(selection), without)):
            left = [each for each in cluster if each.id not in dropped]
            kept = min(left, key=_early if wanted.near is Keep.EARLIEST else _good)
            dropped |= {each.id: LeftOut(kind=Kind.NEAR, article_id=each.id, kept_id=kept.id) for each in left if each is not kept}
    return {number: dropped[number] for number in sorted(dropped)}


def _living(found: Iterable[Fingerprint], without: Collection[int]) -> Iterator[Fingerprint]:
    return (each for each in found if each.id not in without)


def _early(each: Fingerprint) -> tuple[str, int]:
    return each.published_at.isoformat() if each.published_at else "9", each.id


def _good(each: Fingerprint) -> tuple[int, float, int]:
    return -each.word_count, -each.confidence, each.id


def clusters(similar: Iterable[Fingerprint]) -> list[list[Fingerprint]]:
    """Return the groups of articles that say nearly the same, each with two at least, by the links from later to earlier ones."""
    known = list(similar)
    links = {each.id: each.similar_to for each in known}
    groups: dict[int, list[Fingerprint]] = {}
    for each in known:
        root = each.id
        while (earlier := links.get(root)) is not None and earlier < root:  # links lead to earlier articles
            root = earlier
        groups.setdefault(root, []).append(each)
    return [group for group in groups.values() if len(group) > 1]


def without_recurring(articles: Callable[[], Iterable[StoredArticle]], least: int, report: Report) -> Iterator[StoredArticle]:
    """Yield articles without paragraphs that recur in others; an article of nothing else is left out.

    Args:
        articles: yields them; asked twice.
        least: in how many articles a paragraph recurs.
        report: told of each paragraph that is left out.
    """
    with SpilledCounter() as counter:
        for stored in articles():
            counter.add({key for key in map(_key, (each.text for each in stored.article.paragraphs)) if key})
        recurring = {key: 0 for key, count in counter.items() if count >= least}
    for stored in articles():
        body = []
        for paragraph in stored.article.paragraphs:
            key = _key(paragraph.text)
            first = recurring.get(key, 0) if key in recurring else stored.id
            if key in recurring and not first:
                recurring[key] = first = stored.id
            if first == stored.id:
                body.append(paragraph)
            else:
                report(LeftOut(kind=Kind.PARAGRAPH, article_id=stored.id, kept_id=first, text=paragraph.text))
        if body:
            yield replace(stored, article=replace(stored.article, paragraphs=tuple(body)))


def _key(text: str) -> str:
    """Return what stands for a paragraph; "": it is too short."""
    words = fold_text(text)
    return blake2b(" ".join(words).encode(), digest_size=12).hexdigest() if len(words) >= _LEAST_WORDS else ""
