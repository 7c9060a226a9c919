"""Canonical form, scope and kind of URLs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from newscrawler.discovery.urls.canonical import canonicalize
from newscrawler.discovery.urls.default import default
from newscrawler.discovery.urls.documents_rule import documents_rule
from newscrawler.discovery.urls.kinds import Classifier, Link, UrlKind, Verdict
from newscrawler.discovery.urls.scope import Scope, registered_domain

#: The classifiers of links by the names that configurations use.
CLASSIFIERS: Mapping[str, Classifier] = MappingProxyType(
    {
        "default": default,
        "documents": documents_rule,
    }
)

__all__ = ["CLASSIFIERS", "Classifier", "Link", "Scope", "UrlKind", "Verdict", "canonicalize", "registered_domain"]
