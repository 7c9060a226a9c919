"""Canonical form, scope and kind of URLs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from newscrawler.discovery.urls.canonical import canonicalize, canonicalize_or_none, split_address
from newscrawler.discovery.urls.classifiers import classify_by_documents, classify_link
from newscrawler.discovery.urls.kinds import Classifier, PageLink, UrlKind, UrlVerdict
from newscrawler.discovery.urls.learned import (
    UNPRODUCTIVE_AFTER,
    PatternRecord,
    RedundantParameters,
    compute_prior,
    correct_verdict,
    get_probe_interval,
    is_day_archive,
    is_name,
    should_request,
)
from newscrawler.discovery.urls.patterns import make_pattern
from newscrawler.discovery.urls.same_page import TwinRules, accept_canonical, is_other_form, make_same_page_key
from newscrawler.discovery.urls.scope import Scope, find_registered_domain
from newscrawler.discovery.urls.traps import SESSION, find_trap, remove_session
from newscrawler.discovery.urls.user_patterns import UserPattern
from newscrawler.discovery.urls.vocabulary import find_category, fold

#: The classifiers of links by the names that configurations use.
CLASSIFIERS: Mapping[str, Classifier] = MappingProxyType({"default": classify_link, "documents": classify_by_documents})

__all__ = [
    "CLASSIFIERS", "SESSION", "UNPRODUCTIVE_AFTER", "Classifier", "PageLink", "PatternRecord", "RedundantParameters", "Scope",
    "TwinRules", "UrlKind", "UrlVerdict", "UserPattern", "accept_canonical", "canonicalize", "canonicalize_or_none",
    "compute_prior", "correct_verdict", "find_category", "find_registered_domain", "find_trap", "fold", "get_probe_interval",
    "is_day_archive", "is_name", "is_other_form", "make_pattern", "make_same_page_key", "remove_session", "should_request",
    "split_address",
]  # fmt: skip
