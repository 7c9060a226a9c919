"""Corrections of a link's classification by pages that were fetched already, and redundant parameters of a portal's URLs.

The first verdict counts like a few fetched pages, and every fetched page counts as one. So one exception changes little, and a
wrong verdict is corrected after about five pages. The store keeps the counts.

A parameter is redundant if several pairs of URLs that differ only in it show the same text; one pair with different texts rules it
out for good.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from threading import Lock
from typing import Any

from newscrawler.discovery.urls.features import UNPARTED
from newscrawler.discovery.urls.kinds import UrlKind, UrlVerdict
from newscrawler.discovery.urls.vocabulary import find_category, fold

#: Number of fetched pages that the first guess counts for.
GUESS_WEIGHT = 4.0
#: A pattern gives nothing if so many pages in a row were neither article nor list; more, where it has given articles before,
#: whose neighbours a portal may have taken down in one go.
UNPRODUCTIVE_AFTER = 6
MOST_TRUST = 30
#: Pages of an archive by days that may be empty in a row.
EMPTY_DAYS = 31
#: Links of a fruitless pattern that are skipped before the first probe; doubled after each failed probe, up to the maximum.
PROBE_AFTER = 25
PROBE_AFTER_MOST = 3_200
#: Reasons for which a page of kind other is never probed: there is nothing to read, or a request has side effects.
NEVER_PROBED = frozenset({
    "asset", "login", "share", "print", "comments", "search", "api", "feed", "subscribe", "newsletter", "shop", "donate", "sort",
    "pagination", "contact", "legal", "sitemap", "app",
})  # fmt: skip
#: Lists of kind other become sections only if they lead to articles that are not found elsewhere.
_LISTS = frozenset({"tag", "author", "archive"})
#: Weight of a link's log-odds next to those of its page, which knows the words of the address: `python -m training --only links`.
#: No address is certain.
WEIGHT_OF_LINK, _LEAST_SCORE = 0.46, 0.001
#: Log-odds of a page to which menus lead, links with the few words of its title, or lists of tags and authors: of labelled articles
#: 4 % have titles of so few words, .7 % link to themselves so, .15 % are below tags or authors; of other pages half, 15 and 11 %.
WEIGHT_APART, _LONGEST_NAME = -2.8, 3
#: Characters of a name in a language that does not separate words.
_LONGEST_UNPARTED = 6
#: Pairs of addresses with the same text after which a parameter is redundant.
PAIRS = 3
#: Addresses that are remembered.
_MOST = 5_000
#: Shorter texts are those of error pages and the like.
_LEAST_CHARACTERS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternRecord:
    """The counts of a pattern on one portal."""

    pattern: str
    #: Pages fetched, by their kind.
    articles: int = 0
    listings: int = 0
    others: int = 0
    #: Links to new articles on its lists.
    new_articles: int = 0
    #: Pages in a row, up to the latest, that were neither.
    unproductive: int = 0
    #: Links skipped since the latest page was fetched.
    skipped: int = 0

    @property
    def fetched(self) -> int:
        """Pages fetched."""
        return self.articles + self.listings + self.others

    def count_page(self, kind: UrlKind, *, fresh: int = 0) -> PatternRecord:
        """Return the record after a fetched page; `fresh`: the number of new articles to which it led."""
        if kind is UrlKind.ARTICLE:
            return replace(self, articles=self.articles + 1, unproductive=0, skipped=0, new_articles=self.new_articles + fresh)
        if kind is UrlKind.SECTION:
            return replace(self, listings=self.listings + 1, unproductive=0, skipped=0, new_articles=self.new_articles + fresh)
        unproductive, articles = self.unproductive + 1, self.new_articles + fresh
        if is_day_archive(self.pattern):  # a day without an article is still a page of the archive
            return replace(self, listings=self.listings + 1, unproductive=unproductive, skipped=0, new_articles=articles)
        return replace(self, others=self.others + 1, unproductive=unproductive, skipped=0, new_articles=articles)

    def count_skipped(self) -> PatternRecord:
        """Return the record after a skipped link."""
        return replace(self, skipped=self.skipped + 1)


def correct_verdict(verdict: UrlVerdict, record: PatternRecord) -> UrlVerdict:
    """Return the verdict on a link, corrected by the record of its pattern."""
    if verdict.label is UrlKind.EXTERNAL or record.fetched == 0:
        return verdict
    total = GUESS_WEIGHT + record.fetched
    article = (GUESS_WEIGHT * verdict.article_score + record.articles) / total
    section = (GUESS_WEIGHT * _estimate_section_score(verdict) + _count_useful_listings(verdict, record)) / total
    other = max(0.0, 1.0 - article - section)
    why = f"{record.articles} articles, {record.listings} lists, {record.others} neither of this pattern"
    best = max(article, section, other)
    if best == article:
        return UrlVerdict(label=UrlKind.ARTICLE, score=article, why=why, article_score=article)
    if best == section:
        return UrlVerdict(label=UrlKind.SECTION, score=section, why=why, article_score=article)
    reason = verdict.why if verdict.label is UrlKind.OTHER else "pattern gives nothing"
    return UrlVerdict(label=UrlKind.OTHER, score=other, why=reason, article_score=article)


def compute_prior(article_score: float, *, is_apart: bool = False) -> float:
    """Return the log-odds that links add to those of a page, by the probability that one leads to an article.

    `is_apart`: it lists a tag or an author, or only menus lead to it, or links with its title's few words, as to service pages.
    """
    score = min(max(article_score, _LEAST_SCORE), 1 - _LEAST_SCORE)
    return WEIGHT_OF_LINK * math.log(score / (1 - score)) + WEIGHT_APART * is_apart


def is_name(anchor: str) -> bool:
    """Return whether the text of a link has few words, as names of pages in menus; dates, files and "read more" are none."""
    words = fold(anchor).split()
    if not 0 < len(words) <= _LONGEST_NAME or any(map(str.isdigit, anchor)) or "." in anchor.rstrip("."):
        return False
    return len(UNPARTED.findall(anchor)) <= _LONGEST_UNPARTED and find_category("-".join(words)) != "more"


def should_request(verdict: UrlVerdict, record: PatternRecord) -> bool:
    """Return whether to request a link: articles and sections by the corrected verdict, and a rare probe of the rest."""
    if verdict.label is UrlKind.EXTERNAL:
        return False
    if record.unproductive < _get_patience(record) and verdict.label is not UrlKind.OTHER:
        return True
    if verdict.label is UrlKind.OTHER and verdict.why in NEVER_PROBED:
        return False
    return record.skipped >= get_probe_interval(record)


def get_probe_interval(record: PatternRecord) -> int:
    """Return the number of links of a pattern that are skipped before the next probe."""
    most = _get_patience(record)
    in_vain = record.unproductive - most if record.unproductive >= most else record.others
    return min(PROBE_AFTER << min(in_vain, 12), PROBE_AFTER_MOST)


def is_day_archive(pattern: str) -> bool:
    """Return whether the addresses of a pattern end in a day, as in archives with a page for each day, some of them empty."""
    return pattern.rstrip("/").endswith(("{day}", "{date}"))


def _get_patience(record: PatternRecord) -> int:
    return (EMPTY_DAYS if is_day_archive(record.pattern) else UNPRODUCTIVE_AFTER) + min(record.articles, MOST_TRUST)


def _estimate_section_score(verdict: UrlVerdict) -> float:
    if verdict.label is UrlKind.SECTION:
        return verdict.score
    # The remaining probability is shared evenly.
    return (1 - verdict.score) if verdict.label is UrlKind.ARTICLE else max(0.0, 1 - verdict.score - verdict.article_score)


def _count_useful_listings(verdict: UrlVerdict, record: PatternRecord) -> float:
    if verdict.label is UrlKind.OTHER and verdict.why in _LISTS and record.new_articles < record.listings:
        return 0.0
    return float(record.listings)


class RedundantParameters:
    """The redundant parameters of one portal; safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._same: Counter[str] = Counter()
        self._meaningful: set[str] = set()
        #: Digest of the text at an address without one parameter, and the value that the parameter had ("": it was not there).
        self._texts: dict[str, tuple[bytes, str]] = {}
        self.idle: frozenset[str] = frozenset()
        #: Addresses of articles that earlier crawls have stored, without redundant parameters.
        self._stored: frozenset[str] = frozenset()

    def load(self, known: Mapping[str, Any]) -> None:
        """Load the findings of earlier crawls."""
        self.idle = frozenset(known.get("idle", ()))
        self._meaningful = set(known.get("meaningful", ()))

    def recall(self, urls: Iterable[str]) -> None:
        """Load the addresses of articles that earlier crawls have stored."""
        self._stored = frozenset(map(self.remove_from, urls)) if self.idle else frozenset()

    def as_dict(self) -> dict[str, list[str]]:
        """Return the findings for the next crawl."""
        return {"idle": sorted(self.idle), "meaningful": sorted(self._meaningful)[:200]}

    def note_text(self, url: str, text: str) -> bool:
        """Learn from the text of a page; return whether another parameter is known to be redundant."""
        if len(text) < _LEAST_CHARACTERS:
            return False
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        bare, _, query = url.partition("?")
        pairs = query.split("&") if query else []
        with self._lock:
            for key in {url, self.remove_from(url)}:
                self._compare(key, "", digest, name=None)
            for place, pair in enumerate(pairs):
                name, _, value = pair.partition("=")
                rest = "&".join(pairs[:place] + pairs[place + 1 :])
                self._compare(f"{bare}?{rest}" if rest else bare, value or "1", digest, name=name)
            return self._find_idle()

    def note_pair(self, first: str, second: str) -> bool:
        """Learn from two addresses of one article; return whether another parameter is known to be redundant."""
        (bare, _, one), (other_bare, _, other) = first.partition("?"), second.partition("?")
        if bare != other_bare:
            return False
        with self._lock:
            self._same.update({pair.partition("=")[0] for pair in set(one.split("&")) ^ set(other.split("&")) if pair})
            return self._find_idle()

    def _find_idle(self) -> bool:
        before = self.idle
        self.idle |= {name for name, pairs_seen in self._same.items() if pairs_seen >= PAIRS and name not in self._meaningful}
        if self.idle != before:
            self._texts = {self.remove_from(url): known for url, known in self._texts.items()} | self._texts
        return self.idle != before

    def _compare(self, key: str, value: str, digest: bytes, *, name: str | None) -> None:
        known = self._texts.get(key)
        if known is None or not value:
            self._texts.setdefault(key, (digest, value))
            if len(self._texts) > _MOST:
                del self._texts[next(iter(self._texts))]
            return
        if name is None or known[1] == value:
            return
        if known[0] == digest:
            self._same[name] += 1
        else:
            self._meaningful.add(name)
            self.idle -= {name}

    def remove_from(self, url: str) -> str:
        """Return an address without its redundant parameters."""
        if not self.idle or "?" not in url:
            return url
        bare, _, query = url.partition("?")
        kept = [pair for pair in query.split("&") if pair.partition("=")[0] not in self.idle]
        return f"{bare}?{'&'.join(kept)}" if kept else bare

    def is_seen(self, url: str) -> bool:
        """Return whether a URL has redundant parameters, and a page that differs from it only in these was seen."""
        bare = self.remove_from(url)
        return bare != url and (bare in self._texts or bare in self._stored)
