"""How many articles of a crawl were found, and of how many: an estimate (capture and recapture), or a lower bound and why.

Chapman's estimator (1951), with Chao's interval (1987), which never falls below what was found. It is valid if both sources could
have brought each article and do so partly independently. Feeds and sitemaps are made by the same program from the same list, so
they count as one source and the links of pages as the other; if one source favours the same articles as the other (articles on the
front page), the estimate is too low. Where there is neither feed nor sitemap, the articles known from the crawls before are held
against those that are linked in this one, restricted to articles that both crawls could have seen.

No estimate is given where its assumptions fail: URLs are left in the queue, articles could not be fetched, there is one source
only, one source names all that the other names, or the two have fewer than seven articles in common (below that the estimator is
biased: Robson and Regier, 1964).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

#: Two-sided 95 % of the normal distribution.
_Z = 1.959964
#: Sources whose lists come from one program.
PUBLISHED_LISTS = frozenset({"feed", "sitemap"})
FEWEST_IN_COMMON = 7
#: Reasons that the sentence of an account names.
_MOST_REASONS = 5


class Basis(StrEnum):
    """Which two sources an estimate compares."""

    LISTS = "links against feeds and sitemaps"
    CRAWLS = "earlier crawls against this one"
    MONTH = "two lists of a month"


class NoEstimate(StrEnum):
    """Why the number of articles is not estimated."""

    QUEUE = "URLs are left in the queue"
    FAILED = "articles could not be fetched"
    NO_ARTICLE = "no article was found"
    ONE_SOURCE = "only one source names its articles"
    CONTAINED = "one source names all articles that the other names"
    FEW_IN_COMMON = "its sources have too few articles in common"


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """How many articles two sources brought: the first, the second, both."""

    first: int
    second: int
    both: int

    @property
    def found(self) -> int:
        """Articles that either brought."""
        return self.first + self.second - self.both

    @property
    def reason_against(self) -> NoEstimate | None:
        """Return why nothing can be estimated from it; None: the assumptions are met."""
        if not self.first or not self.second:
            return NoEstimate.ONE_SOURCE
        if self.both in {self.first, self.second}:
            return NoEstimate.CONTAINED
        return NoEstimate.FEW_IN_COMMON if self.both < FEWEST_IN_COMMON else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """An estimate of how many articles there are."""

    basis: Basis
    #: Found by either source.
    found: int
    #: Found ones included.
    total: float
    #: 95 % interval of `total`.
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingArticles:
    """Articles that a portal names and that are not stored, for one reason."""

    reason: str
    count: int
    #: The earliest next try; None: at the next crawl.
    next_try_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The articles that the lists of a portal name: how many are stored, and why the others are not."""

    stored: int
    #: Most frequent first.
    missing: Sequence[MissingArticles] = ()

    @property
    def named(self) -> int:
        """Return the number of articles that are stored or still named."""
        return self.stored + sum(each.count for each in self.missing)

    @property
    def sentence(self) -> str:
        """Return the account in words that may be quoted."""
        whys = [f"{each.count}: {each.reason}{_name_next_try(each.next_try_at)}" for each in self.missing[:_MOST_REASONS]]
        more = sum(each.count for each in self.missing[_MOST_REASONS:])
        whys += [f"{more}: other reasons"] if more else []
        return "; ".join([f"{self.stored} of {self.named} named articles stored", *whys])

    def as_dict(self) -> dict[str, Any]:
        """Return the record for `--json` and for the run."""
        missing = [
            {"reason": each.reason, "count": each.count, "next_try_at": each.next_try_at and each.next_try_at.isoformat()}
            for each in self.missing
        ]
        return {"named": self.named, "stored": self.stored, "missing": missing}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Account:
        """Read the output of `as_dict`."""
        missing = [
            MissingArticles(**{**each, "next_try_at": each["next_try_at"] and datetime.fromisoformat(each["next_try_at"])})
            for each in record["missing"]
        ]
        return cls(stored=record["stored"], missing=missing)


def _name_next_try(at: datetime | None) -> str:
    return f" (next try {at:%Y-%m-%d %H:%M} UTC)" if at is not None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunArticles:
    """The articles of one round in the frontier."""

    #: How many were brought by just these sources ("links", "feed", "sitemap"), by the sources.
    by_sources: Mapping[frozenset[str], int]
    #: Articles that were stored; None: as many as `by_sources` has.
    new: int | None = None
    #: URLs that are still to be fetched.
    left: int = 0
    #: URLs of articles that could not be fetched.
    failed: int = 0
    #: Articles that both this crawl and those before could have seen; None: this is the first.
    seen_twice: Overlap | None = None
    #: Of all rounds; None: not known.
    account: Account | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The number of articles found, and knowledge of the rest."""

    found: int
    left: int = 0
    failed: int = 0
    estimate: Completeness | None = None
    #: None: there is an estimate.
    why_not: NoEstimate | None = None
    #: Of the articles that the portal names, those of earlier rounds included; None: not known.
    account: Account | None = None

    @property
    def share(self) -> float | None:
        """Estimated share of the articles that was found, 0 to 1; None: it cannot be estimated."""
        return min(1.0, self.estimate.found / self.estimate.total) if self.estimate and self.estimate.total else None

    @property
    def is_partial(self) -> bool:
        """Return whether articles are known, or likely, that were not fetched."""
        return self.why_not in {NoEstimate.QUEUE, NoEstimate.FAILED}

    @property
    def sentence(self) -> str:
        """Return the result in words that may be quoted."""
        if self.estimate is not None:
            low, high = math.floor(self.estimate.low), math.ceil(self.estimate.high)
            share = f"{self.estimate.found} found of about {self.estimate.total:.0f} (95 %: {low} to {high}; {self.estimate.basis})"
            return share if self.estimate.basis is Basis.LISTS else f"{self.found} found; of the days before, {share}"
        if self.why_not is NoEstimate.NO_ARTICLE:
            return "no new article"
        if self.is_partial:
            missing = [f"{self.left} {'URL is' if self.left == 1 else 'URLs are'} left in the queue"] if self.left else []
            articles = "article" if self.failed == 1 else "articles"
            missing += [f"{self.failed} {articles} could not be fetched"] if self.failed else []
            return f"at least {self.found}: {', '.join(missing)}"
        return f"{self.found} found; whether there are more is unknown: {self.why_not}"

    def as_dict(self) -> dict[str, Any]:
        """Return the record for `--json` and for the run."""
        estimate = self.estimate
        figures: dict[str, Any] = dict.fromkeys(("of", "total", "low", "high", "basis"))
        if estimate is not None:
            rounded = {name: round(getattr(estimate, name), 1) for name in ("total", "low", "high")}
            figures = {"of": estimate.found, **rounded, "basis": str(estimate.basis)}
        why_not = str(self.why_not) if self.why_not else None
        account = self.account.as_dict() if self.account else None
        counts = {"found": self.found, "left": self.left, "failed": self.failed}
        return counts | figures | {"why_not": why_not, "account": account}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Coverage:
        """Read the output of `as_dict`."""
        estimate = None
        if record["total"] is not None:
            figures = {name: record[name] for name in ("total", "low", "high")}
            estimate = Completeness(basis=Basis(record["basis"]), found=record["of"], **figures)
        why_not = NoEstimate(record["why_not"]) if record["why_not"] else None
        account = Account.from_dict(record["account"]) if record.get("account") else None
        counts = {name: record[name] for name in ("found", "left", "failed")}
        return cls(**counts, estimate=estimate, why_not=why_not, account=account)


def estimate_coverage(articles: RunArticles) -> Coverage:
    """Work out how complete a round is: estimated where the assumptions are met, otherwise a lower bound."""
    return replace(_estimate_round(articles), account=articles.account)


def _estimate_round(articles: RunArticles) -> Coverage:
    found = sum(articles.by_sources.values()) if articles.new is None else articles.new
    why_not: NoEstimate | None = None
    if articles.left:
        why_not = NoEstimate.QUEUE
    elif articles.failed:
        why_not = NoEstimate.FAILED
    elif not found:
        why_not = NoEstimate.NO_ARTICLE
    if why_not is not None:
        return Coverage(found=found, left=articles.left, failed=articles.failed, why_not=why_not)
    lists = _compare_lists(articles.by_sources)
    why_not = lists.reason_against
    if why_not is None:
        return Coverage(found=found, estimate=estimate_total(lists, Basis.LISTS))
    crawls = articles.seen_twice
    if why_not is NoEstimate.ONE_SOURCE and crawls is not None and crawls.reason_against is None:
        return Coverage(found=found, estimate=estimate_total(crawls, Basis.CRAWLS))
    return Coverage(found=found, why_not=why_not)


def estimate_total(overlap: Overlap, basis: Basis) -> Completeness:
    """Estimate from two sources that meet the assumptions, as `Overlap.reason_against` says."""
    first, second, both, found = overlap.first, overlap.second, overlap.both, overlap.found
    total = (first + 1) * (second + 1) / (both + 1) - 1
    unseen = max(0.0, total - found)
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    low, high = float(found), float(max(total, found))
    if unseen > 0:
        spread = math.exp(_Z * math.sqrt(math.log(1 + variance / unseen**2)))
        low, high = found + unseen / spread, found + unseen * spread
    return Completeness(basis=basis, found=found, total=found + unseen, low=low, high=high)


def _compare_lists(by_sources: Mapping[frozenset[str], int]) -> Overlap:
    """Hold the lists that the portal publishes against the rest."""
    listed = {sources: number for sources, number in by_sources.items() if PUBLISHED_LISTS & sources}
    linked = {sources: number for sources, number in by_sources.items() if sources - PUBLISHED_LISTS}
    both = sum(number for sources, number in listed.items() if sources in linked)
    return Overlap(first=sum(linked.values()), second=sum(listed.values()), both=both)
