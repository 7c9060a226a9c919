"""Classifiers of links: the default one, and the rule of the source documents.

The default has plain rules for unambiguous addresses, and for the rest a multinomial logistic regression over the features of
`features.py`; its numbers are in `default_weights.json` and come from `tools/train_links.py`. tools/evaluate_links.py measures on
the development links, each site with a model that was not trained on it: article F1 .943 to .949, section F1 .913.

The rule of the documents (002 §3.3; F1 .73 and .58) is: other host, query or digits, neither. Where they are silent, the host is
compared without `www.`, and everything that is not an http address is external. Its scores are the precision of each branch on the
development links of July 2026 (article .67, section .49).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from urllib.parse import urlsplit

from newscrawler.discovery.urls.canonical import canonicalize_or_none, split_address
from newscrawler.discovery.urls.features import GROUPS, Evidence, collect_evidence
from newscrawler.discovery.urls.kinds import PageLink, UrlKind, UrlVerdict
from newscrawler.discovery.urls.scope import Scope

LABELS = (UrlKind.ARTICLE, UrlKind.SECTION, UrlKind.OTHER)
WEIGHTS_FILE = "default_weights.json"
_EXTERNAL = UrlVerdict(label=UrlKind.EXTERNAL, score=1.0, why="other site")
#: Feature → reason: such an address is neither a page of text nor a list of articles, whatever the other features.
_ALWAYS_OTHER = {
    "asset": "asset", "query:page number": "pagination", "page number": "pagination", "fragment:comments": "comments",
    "anchor:comment count": "comments", "query:search": "search", "first:search": "search", "query:tag": "tag",
    "query:author": "author", "query:feed": "feed", "query:comments": "comments", "query:share": "share",
    "query:print": "print", "query:login": "login", "query:asset": "asset", "system:login": "login", "system:feed": "feed",
    "query:static page": "about", "system:api": "api",
}  # fmt: skip
_ALWAYS_SECTION = {
    "front page": "front page", "query:list": "list in the query", "query:archive": "archive", "only a date": "archive",
}  # fmt: skip
Weights = Mapping[str, tuple[float, float, float]]
_DIGIT = re.compile(r"[0-9]")
#: A letter in an address, not digits: %C5%BE.
_ESCAPE = re.compile(r"%[0-9A-F]{2}")
_OTHER_HOST = UrlVerdict(label=UrlKind.EXTERNAL, score=1.0, why="other host")
_WITH_QUERY = UrlVerdict(label=UrlKind.ARTICLE, score=0.67, why="query", article_score=0.67)
_WITH_DIGITS = UrlVerdict(label=UrlKind.ARTICLE, score=0.67, why="digits", article_score=0.67)
_NEITHER = UrlVerdict(label=UrlKind.SECTION, score=0.49, why="neither query nor digits", article_score=0.2)


def classify_link(link: PageLink) -> UrlVerdict:
    """Classify a link by its address, its text and its place on the page."""
    href = split_address(link.href)
    if href is None:
        return _EXTERNAL
    page = _split_page_url(link.page_url)
    if page is None:
        return judge_evidence(collect_evidence(link), _load_weights())
    front, host, path = page
    if href.netloc != host and not _is_same_portal(href.netloc, host):
        return _EXTERNAL
    # One page stands for all pages of a host for which the link has the same features: only links to a folder above differ.
    folder = href.path[1:]
    above = len(folder) < len(path) and path.startswith(folder)
    return _judge_link(link.href, link.anchor, link.where, f"{front}{folder}below" if above else front)


@lru_cache(maxsize=256)  # a page has many links
def _split_page_url(url: str) -> tuple[str, str, str] | None:
    """Return the front page of a page's host, the host, and the rest of the address, or None without an http(s) address."""
    canonical = canonicalize_or_none(url)
    if canonical is None:
        return None
    scheme, _, host, rest = canonical.split("/", 3)
    return f"{scheme}//{host}/", host, rest


@lru_cache(maxsize=2_048)  # each page of a portal repeats its menu
def _judge_link(href: str, anchor: str, where: str, page_url: str) -> UrlVerdict:
    return judge_evidence(collect_evidence(PageLink(href=href, page_url=page_url, anchor=anchor, where=where)), _load_weights())


def judge_evidence(evidence: Evidence, weights: Weights) -> UrlVerdict:
    """Return the verdict on a link by its evidence."""
    features = evidence.features
    if not _ALWAYS_OTHER.keys().isdisjoint(features):
        for feature, reason in _ALWAYS_OTHER.items():
            if feature not in features:
                continue
            why = "feed" if reason == "asset" and any(category == "feed" for category, _ in evidence.reasons) else reason
            return UrlVerdict(label=UrlKind.OTHER, score=0.95, why=why, article_score=0.02)
    if "query:category" in features:
        return UrlVerdict(label=UrlKind.SECTION, score=0.8, why="list in the query", article_score=0.1)
    if "query:identifier alone" in features:
        return UrlVerdict(label=UrlKind.ARTICLE, score=0.9, why="identifier in the query", article_score=0.9)
    if "program with an identifier" in features and "last:other" not in features and "anchor:other" not in features:
        return UrlVerdict(label=UrlKind.ARTICLE, score=0.7, why="identifier in the query", article_score=0.7)
    for feature, reason in _ALWAYS_SECTION.items():
        if feature in features:
            return UrlVerdict(label=UrlKind.SECTION, score=0.9, why=reason, article_score=0.05)
    article, section, other = compute_probabilities(features, weights)
    if article >= section and article >= other:
        return UrlVerdict(label=UrlKind.ARTICLE, score=article, why=_describe_shape(features), article_score=article)
    if section >= other:
        return UrlVerdict(label=UrlKind.SECTION, score=section, why=_describe_shape(features), article_score=article)
    return UrlVerdict(label=UrlKind.OTHER, score=other, why=_name_reason(evidence), article_score=article)


def compute_probabilities(features: Mapping[str, float], weights: Weights) -> tuple[float, float, float]:
    """Return the probabilities of article, section and other."""
    article = section = other = 0.0
    for row, value in zip(map(weights.get, features), features.values(), strict=True):
        if row is not None:
            article += row[0] * value
            section += row[1] * value
            other += row[2] * value
    top = max(article, section, other)
    article, section, other = math.exp(article - top), math.exp(section - top), math.exp(other - top)
    total = article + section + other
    return article / total, section / total, other / total


@lru_cache(maxsize=1)
def _load_weights() -> Weights:
    text = files("newscrawler.discovery.urls").joinpath(WEIGHTS_FILE).read_text(encoding="utf-8")
    return {name: (row[0], row[1], row[2]) for name, row in json.loads(text)["weights"].items()}


def _is_same_portal(host: str, page_host: str) -> bool:
    """Return whether two hosts belong to one registered domain."""
    return _make_scope(page_host).allows_host(f"http://{host}/")


@lru_cache(maxsize=1_024)
def _make_scope(netloc: str) -> Scope:
    return Scope.of([f"http://{netloc}/"])


def _name_reason(evidence: Evidence) -> str:
    for category, _ in evidence.reasons:
        if category in GROUPS or category in {"pagination", "asset", "archive"}:
            return category
    if "where=tags" in evidence.features:
        return "tag"
    return "author" if "where=author" in evidence.features else "page of the portal"


def _describe_shape(features: Mapping[str, float]) -> str:
    """Return in a few words the evidence for an article or a section."""
    if "root" in features:
        return "front page"
    seen = [name for name in ("date in folders", "date in a name", "hexadecimal", "mixed identifier") if name in features]
    if "digits=5" in features or "digits=7" in features or "digits before=7" in features:
        seen.append("number")
    if features.get("long name", 0) >= 4 / 12:
        seen.append("long name")
    if "anchor is a long name" in features:
        seen.append("anchor repeats the name")
    if not seen and any(name.endswith((":topic", ":category")) for name in features):
        seen.append("section word")
    return ", ".join(seen[:3]) or "short name"


def classify_by_documents(link: PageLink) -> UrlVerdict:
    """Return the verdict on a link by the rule of the documents."""
    href = canonicalize_or_none(link.href)
    if href is None:
        return _OTHER_HOST
    target, page = urlsplit(href), urlsplit(canonicalize_or_none(link.page_url) or href)
    if target.netloc.removeprefix("www.") != page.netloc.removeprefix("www."):
        return _OTHER_HOST
    if target.query:
        return _WITH_QUERY
    return _WITH_DIGITS if _DIGIT.search(_ESCAPE.sub("", target.path)) else _NEITHER
