"""The parameters of a release, which its recipe has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from newscrawler.corpus.duplicates import Deduplication
from newscrawler.corpus.formats import FORMATS
from newscrawler.corpus.removal import Disregarded, find_withdrawals
from newscrawler.errors import ConfigError
from newscrawler.politeness.rights import Intent, Purpose, decide_rights, list_reserving_words
from newscrawler.store import Store
from newscrawler.store.articles import Selection

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlan:
    """All parameters that determine a release, apart from the database.

    Raises:
        ConfigError: the name cannot be that of a folder, or a format has neither one file nor one file per article.
    """

    name: str
    title: str
    #: The creators, as cited.
    creators: tuple[str, ...]
    #: An identifier or address; the texts remain their publishers'.
    licence: str
    #: The time for which articles and rights are evaluated.
    created_at: datetime
    #: The id of the newest article.
    until_id: int
    selection: Selection = field(default_factory=Selection)
    formats: tuple[str, ...] = ("jsonl",)
    deduplication: Deduplication = field(default_factory=Deduplication)
    #: Addresses, hashes and offsets in place of texts.
    dehydrated: bool = False
    #: Texts of articles whose publishers reserve copies are in it, too; else only their addresses, hashes and offsets.
    with_reserved: bool = False
    #: What the texts were collected for; articles that are reserved for all of it are left out.
    intent: Intent = field(default_factory=Intent)
    #: What the release is for: articles reserved for that are left out; None: as for the collection.
    purpose: Purpose | None = None
    #: Of an increment: the name of its series, which each article is in once; `after_id` ends the one before.
    series: str | None = None
    after_id: int = 0

    def __post_init__(self) -> None:
        check_name(self.name)
        if not self.creators:
            raise ConfigError("a release needs the names of its creators for citations; give --creator once for each")
        if len(self.formats) != len(set(self.formats)):
            raise ConfigError(f"a format is given twice ({', '.join(self.formats)}); name each once")
        for name in self.formats:
            if name not in FORMATS or FORMATS[name].needs_pages:
                known = ", ".join(form.name for form in FORMATS.values() if not form.needs_pages)
                raise ConfigError(f"{name} is not a format of releases; choose of: {known}")


def check_name(name: str) -> None:
    """Check the name of a release and its folder.

    Raises:
        ConfigError: the name is not allowed.
    """
    if not _NAME.match(name):
        said = "cannot be the name of a release; use letters, digits, dots and hyphens, as in news-2026.1"
        raise ConfigError(f"{name[:80]!r} {said}")


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


def tombstones_of(
    store: Store, recipe: ReleasePlan, disregarded: Disregarded, selection: Selection, *, now: datetime
) -> dict[int, Tombstone]:
    """Return the articles of a selection that a release leaves out, by number, in order."""
    found = {each.id: each for each in _reserved(store, recipe, disregarded, selection, now=now)}
    found |= {each.id: each for each in _withdrawn_or_gone(store, recipe, disregarded, selection, now=now)}
    return {number: found[number] for number in sorted(found)}


def _withdrawn_or_gone(
    store: Store, recipe: ReleasePlan, disregarded: Disregarded, selection: Selection, *, now: datetime
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
    store: Store, recipe: ReleasePlan, disregarded: Disregarded, selection: Selection, *, now: datetime
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
