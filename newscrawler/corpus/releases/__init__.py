"""Releases: snapshots of a corpus that can be cited, checked, compared and made again."""

from __future__ import annotations

from newscrawler.corpus.releases.check import Hydrated, ReleaseDifference, Verification, difference, hydrate, manifest_of, verify
from newscrawler.corpus.releases.create import MANIFEST, MadeAgain, create_release, make_again
from newscrawler.corpus.releases.documents import TOMBSTONES, read_lines
from newscrawler.corpus.releases.recipe import Recipe, check_name

__all__ = [
    "MANIFEST",
    "TOMBSTONES",
    "Hydrated",
    "MadeAgain",
    "Recipe",
    "ReleaseDifference",
    "Verification",
    "check_name",
    "create_release",
    "difference",
    "hydrate",
    "make_again",
    "manifest_of",
    "read_lines",
    "verify",
]
