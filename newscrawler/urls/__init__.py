"""Canonical form, scope and kind of URLs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from newscrawler.urls.canonical import canonicalize
from newscrawler.urls.default import default
from newscrawler.urls.documents_rule import documents_rule
from newscrawler.urls.kinds import Classifier, Link, UrlKind, Verdict
from newscrawler.urls.scope import Scope, registered_domain

#: Every way of telling the kind of a page from a link, by the name that a configuration uses.
CLASSIFIERS: Mapping[str, Classifier] = MappingProxyType(
    {
        "default": default,
        "documents": documents_rule,
    }
)

__all__ = ["CLASSIFIERS", "Classifier", "Link", "Scope", "UrlKind", "Verdict", "canonicalize", "registered_domain"]
