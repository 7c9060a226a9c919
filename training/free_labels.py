"""Measure what full texts bring that a portal gives away: python -m training.free_labels --sites DIR [--whole].

Texts of a feed (Atom, `content:encoded`) and of WordPress's API label ten pages of a publishing system; the others are read by what
these pages teach, without labels, with these, and with what the editors published. A text is trusted as far as it agrees with its
page: the page shows nearly all of it, it is most of what was read there, and of its lines those count that the block model finds
possible (--whole: all).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.request import urlopen

from lxml import etree

from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, read_article
from newscrawler.extraction.body.extractor import Examination, load_default_extractor
from newscrawler.extraction.templates import PortalTemplate, learn_template
from newscrawler.page import Document, key_of
from training.portals import PortalPage, PortalPages
from training.systems import STATE, System, start_systems

#: Share of a text that its page must show, share of what was read that it must hold, and probability of a line that counts.
_LEAST_SHOWN, _LEAST_HELD, _LEAST_LIKELY = 0.9, 0.6, 0.1
_CONTENT = ("{http://purl.org/rss/1.0/modules/content/}encoded", "{http://www.w3.org/2005/Atom}content")
_FULL_TEXTS = {"pelican": "/feeds/all.atom.xml", "wp-plain": "/?rest_route=/wp/v2/posts&per_page=100"}
_LABELLED, _READ = 10, 60


def texts_in(data: bytes) -> dict[str, str]:
    """Return the full texts of a feed, or of an answer of WordPress, as HTML by address."""
    return dict(_in_api(data) if data.lstrip()[:1] == b"[" else _in_feed(data))


def _in_api(data: bytes) -> Iterator[tuple[str, str]]:
    for post in json.loads(data):
        yield post["link"], post["content"]["rendered"]


def _in_feed(data: bytes) -> Iterator[tuple[str, str]]:
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(data, parser)
    for entry in root.iter("{*}item", "{*}entry"):
        link = next(iter(entry.iterchildren("{*}link")), None)
        address = (link.get("href") or link.text or "").strip() if link is not None else ""
        html = next((text for name in _CONTENT for element in entry.iterchildren(name) if (text := element.text)), "")
        if address and html:
            yield address, html


def free_label(found: Examination, html: str, least_likely: float) -> Mapping[str, Any] | None:
    """Return what a text says is right of its page, as `newscrawler evaluate` reads it; None where the two do not agree.

    Args:
        found: the page, read by itself.
        html: the text.
        least_likely: probability that a line must have.
    """
    told = {key: block.size for block in Document.parse(f"<body>{html}</body>").layout.blocks if (key := key_of(block.text))}
    shown = {key_of(block.text) for block in found.page.layout.blocks}
    held = [block for block in found.taken if key_of(block.text) in told]
    agrees = sum(size for key, size in told.items() if key in shown) >= _LEAST_SHOWN * sum(told.values())
    if not told or not agrees or _size(held) < _LEAST_HELD * _size(found.taken):
        return None
    likely = found.probabilities
    right = [block for block in found.page.layout.blocks if key_of(block.text) in told and likely[block.index] >= least_likely]
    return {"paragraphs": [block.text for block in right]}


def _size(blocks: Sequence[Any]) -> int:
    return sum(block.size for block in blocks)


def f1_of(pages: Sequence[PortalPage], template: PortalTemplate | None) -> float:
    """Return the mean F1 of pages that are read in full by a template."""
    reading = ExtractionOptions(template=template.remove_fast_paths() if template is not None else None)
    return fmean(page.f1(_body(page, reading)) for page in pages)


def _body(page: PortalPage, reading: ExtractionOptions) -> str | None:
    try:
        return read_article(ExtractionState(page=page.document), reading).body
    except PageError:
        return None


def measure(system: System, least_likely: float) -> Iterator[str]:
    """Yield what labels bring on one system."""
    with urlopen(system.base_url + _FULL_TEXTS[system.name]) as answer:  # noqa: S310  loopback
        texts = {system.url(address.removeprefix(system.base_url)): html for address, html in texts_in(answer.read()).items()}
    rows = [{**page, "url": system.url(page["path"])} for part in ("training", "tests") for page in system.articles(part, 150)]
    pages = PortalPages.of(system.name, "system", rows).pages
    labelled = random.Random(1).sample([page for page in pages if page.url in texts], _LABELLED)
    others = [page for page in pages if page not in labelled][:_READ]
    given = {page.document: page for page in labelled}
    found = {document: free_label(load_default_extractor().examine(document), texts[page.url or ""], least_likely)
             for document, page in given.items()}  # fmt: skip
    free = {document: gold for document, gold in found.items() if gold is not None}
    right = {document: {"paragraphs": page.gold["paragraphs"]} for document, page in given.items()}
    yield f"{system.name}: {len(texts)} full texts, {len(free)} of {len(given)} agree with their pages; {len(others)} other pages"
    for name, golds in (("no labels", {}), ("full texts", free), ("what was published", right)):
        yield f"  {name:<20}F1 {f1_of(others, learn_template(list(given), golds=golds)):.4f}"


def main() -> int:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=Path, required=True, help="the publishing systems")
    parser.add_argument("--state", type=Path, default=STATE, help="where they are built")
    parser.add_argument("--whole", action="store_true", help="trust every line of a text that agrees with its page")
    args = parser.parse_args()
    for system in start_systems(args.sites, args.state):
        if system.name in _FULL_TEXTS:
            for line in measure(system, 0.0 if args.whole else _LEAST_LIKELY):
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
