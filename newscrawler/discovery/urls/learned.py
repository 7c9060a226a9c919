"""Correct the guess for a link by the pages already fetched with the same pattern of URLs.

The first guess counts like a few fetched pages, and every fetched page counts as one. So one exception changes little, and a
wrong guess is corrected after about five pages. All functions are pure; the store keeps the counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from newscrawler.discovery.urls.kinds import UrlKind, Verdict

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
NEVER_PROBED = frozenset(
    {
        *(
            "asset",
            "login",
            "share",
            "print",
            "comments",
            "search",
            "api",
            "feed",
            "subscribe",
            "newsletter",
            "shop",
            "donate",
            "sort",
        ),
        *("pagination", "contact", "legal", "sitemap", "app"),
    }
)
#: Lists of kind other become sections only if they lead to articles that are not found elsewhere.
_LISTS = frozenset({"tag", "author", "archive"})


class Outcome(StrEnum):
    """The kind of a fetched page."""

    ARTICLE = "article"
    #: A page that leads to articles.
    LISTING = "listing"
    NEITHER = "neither"


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
    def asked(self) -> int:
        """Pages fetched."""
        return self.articles + self.listings + self.others

    def after(self, outcome: Outcome, *, fresh: int = 0) -> PatternRecord:
        """Return the record after a fetched page; `fresh`: the number of new articles to which it led."""
        if outcome is Outcome.ARTICLE:
            return replace(self, articles=self.articles + 1, unproductive=0, skipped=0, new_articles=self.new_articles + fresh)
        if outcome is Outcome.LISTING:
            return replace(self, listings=self.listings + 1, unproductive=0, skipped=0, new_articles=self.new_articles + fresh)
        unproductive, articles = self.unproductive + 1, self.new_articles + fresh
        if is_day_archive(self.pattern):  # a day without an article is still a page of the archive
            return replace(self, listings=self.listings + 1, unproductive=unproductive, skipped=0, new_articles=articles)
        return replace(self, others=self.others + 1, unproductive=unproductive, skipped=0, new_articles=articles)

    def after_skipping(self) -> PatternRecord:
        """Return the record after a skipped link."""
        return replace(self, skipped=self.skipped + 1)


def corrected(verdict: Verdict, record: PatternRecord) -> Verdict:
    """Return the verdict on a link, corrected by the record of its pattern."""
    if verdict.label is UrlKind.EXTERNAL or record.asked == 0:
        return verdict
    total = GUESS_WEIGHT + record.asked
    article = (GUESS_WEIGHT * verdict.article_score + record.articles) / total
    section = (GUESS_WEIGHT * _section_score(verdict) + _useful_listings(verdict, record)) / total
    other = max(0.0, 1.0 - article - section)
    why = f"{record.articles} articles, {record.listings} lists, {record.others} neither of this pattern"
    best = max(article, section, other)
    if best == article:
        return Verdict(label=UrlKind.ARTICLE, score=article, why=why, article_score=article)
    if best == section:
        return Verdict(label=UrlKind.SECTION, score=section, why=why, article_score=article)
    reason = verdict.why if verdict.label is UrlKind.OTHER else "pattern gives nothing"
    return Verdict(label=UrlKind.OTHER, score=other, why=reason, article_score=article)


def asks(verdict: Verdict, record: PatternRecord) -> bool:
    """Return whether to request a link: articles and sections by the corrected verdict, and a rare probe of the rest."""
    if verdict.label is UrlKind.EXTERNAL:
        return False
    if record.unproductive < _unproductive_after(record) and verdict.label is not UrlKind.OTHER:
        return True
    if verdict.label is UrlKind.OTHER and verdict.why in NEVER_PROBED:
        return False
    return record.skipped >= probe_interval(record)


def probe_interval(record: PatternRecord) -> int:
    """Return the number of links of a pattern that are skipped before the next probe."""
    most = _unproductive_after(record)
    in_vain = record.unproductive - most if record.unproductive >= most else record.others
    return min(PROBE_AFTER << min(in_vain, 12), PROBE_AFTER_MOST)


def is_day_archive(pattern: str) -> bool:
    """Return whether the addresses of a pattern end in a day, as in archives with a page for each day, some of them empty."""
    return pattern.rstrip("/").endswith(("{day}", "{date}"))


def _unproductive_after(record: PatternRecord) -> int:
    return (EMPTY_DAYS if is_day_archive(record.pattern) else UNPRODUCTIVE_AFTER) + min(record.articles, MOST_TRUST)


def _section_score(verdict: Verdict) -> float:
    if verdict.label is UrlKind.SECTION:
        return verdict.score
    # The remaining probability is shared evenly.
    return (1 - verdict.score) if verdict.label is UrlKind.ARTICLE else max(0.0, 1 - verdict.score - verdict.article_score)


def _useful_listings(verdict: Verdict, record: PatternRecord) -> float:
    if verdict.label is UrlKind.OTHER and verdict.why in _LISTS and record.new_articles < record.listings:
        return 0.0
    return float(record.listings)
