"""The articles that a release leaves out: withdrawn, gone, or reserved for its purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from newscrawler.corpus.releases.recipe import Recipe
from newscrawler.corpus.withdrawals import Disregarded, find_withdrawals
from newscrawler.politeness.rights import Intent, decide_rights, list_reserving_words
from newscrawler.store import Store
from newscrawler.store.articles import Selection

#: Articles read in one query.
_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """An article that is left out."""

    id: int
    url: str
    portal: str
    #: The reserving word, "gone", or why it cannot be rebuilt.
    because: str
    said: str
    since: str | None

    def as_dict(self) -> dict[str, Any]:
        """Return the tombstone as JSON writes it."""
        return {name: getattr(self, name) for name in ("id", "url", "portal", "because", "said", "since")}


def tombstones_of(
    store: Store, recipe: Recipe, disregarded: Disregarded, selection: Selection, *, now: datetime
) -> dict[int, Tombstone]:
    """Return the articles of a selection that a release leaves out, by number, in order."""
    found = {each.id: each for each in _reserved(store, recipe, disregarded, selection, now=now)}
    found |= {each.id: each for each in _withdrawn_or_gone(store, recipe, disregarded, selection, now=now)}
    return {number: found[number] for number in sorted(found)}


def _withdrawn_or_gone(
    store: Store, recipe: Recipe, disregarded: Disregarded, selection: Selection, *, now: datetime
) -> Iterator[Tombstone]:
    """Yield articles reserved for every purpose of the collection, and those whose pages answer 404 or 410."""
    found = find_withdrawals(store, disregarded, selection.portal, now=now, intent=recipe.intent)
    withdrawn = ((each.page, str(each.because.word), each.because.said, each.since) for each in found.withdrawn)
    gone = ((page, "gone", f"HTTP {page.http_status}", page.fetched_at) for page in found.gone)
    every = {
        page.article_id: Tombstone(
            id=page.article_id,
            url=page.url,
            portal=page.portal,
            because=word,
            said=said,
            since=since.isoformat() if since else None,
        )
        for page, word, said, since in (*withdrawn, *gone)
    }
    numbers = sorted(every)
    for start in range(0, len(numbers), _AT_ONCE):
        for number in store.articles.numbers(replace(selection, ids=tuple(numbers[start : start + _AT_ONCE]))):
            yield every[number]


def _reserved(
    store: Store, recipe: Recipe, disregarded: Disregarded, selection: Selection, *, now: datetime
) -> Iterator[Tombstone]:
    """Yield articles that any of their pages reserves for the purpose of the release."""
    if recipe.purpose is None:
        return
    intent = Intent(purposes=frozenset({recipe.purpose}), legal_basis=recipe.intent.legal_basis)
    words = frozenset(map(str, list_reserving_words(recipe.purpose, intent)))
    numbers = list(store.articles.numbers(replace(selection, says=words, at=now)))
    for start in range(0, len(numbers), _AT_ONCE):
        chosen = numbers[start : start + _AT_ONCE]
        said = store.rights.of_articles(chosen)
        for stored in store.articles.stream(replace(selection, ids=tuple(chosen))):
            portal = stored.article.portal or ""
            kept = [each for each in said[stored.id] if each.ended_at is None]
            because = decide_rights([each.reservation for each in kept], disregarded(portal), now, intent).because
            if because is not None:
                since = because.from_at or next(each.first_said_at for each in kept if each.reservation == because)
                yield Tombstone(
                    id=stored.id, url=stored.article.url or "", portal=portal, because=str(because.word), said=because.said,
                    since=since.isoformat(),
                )  # fmt: skip
