"""Portals to measure templates on: generated sites, the demo, publishing systems, and hosts of the data sets."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Self

from newscrawler.page import Document
from training.own_gold import TEST_LAYOUTS
from training.pages import LabelledPage, load
from training.scores import score
from training.sitegen.articles import article_page
from training.sitegen.markup import load_layout
from training.sitegen.site import Site
from training.sitegen.texts import LANGUAGES
from training.systems import Source, demos, start_systems

#: Of a publishing system: articles; of a data set: pages that a host must have.
_MOST_SERVED, _LEAST_PAGES = 40, 10
_DATASETS = ("l3s", "dragnet")


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalPage:
    """An article of a portal, and what is right of it."""

    id: str
    url: str | None
    html: str
    gold: dict[str, Any]

    @property
    def document(self) -> Document:
        """The page, parsed anew."""
        return Document.parse(self.html, self.url)

    def f1(self, body: str | None) -> float:
        """Return the F1 of a body, by shingles; an optional paragraph counts where the body has it."""
        gold = self.gold
        if "paragraphs" in gold:
            found = body or ""
            gold = {"body": "\n".join(part.strip("[]") for part in gold["paragraphs"] if part[0] != "[" or part[1:-1] in found)}
        page = LabelledPage(dataset="own", id=self.id, url=self.url, html="", gold=gold)
        return score(page, body, refused=not body)["f1"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalPages:
    """Articles of one portal."""

    name: str
    #: "generated", "demo", "system", or the data set.
    kind: str
    pages: Sequence[PortalPage]

    def parts(self, folds: int, most: int) -> Iterator[tuple[list[PortalPage], list[PortalPage]]]:
        """Yield for each fold the pages to learn from, and the others."""
        order = random.Random(self.name).sample(range(len(self.pages)), len(self.pages))
        for fold in range(folds):
            held_out = {number for place, number in enumerate(order) if place % folds == fold}
            learned = [number for number in order if number not in held_out][:most]
            yield [self.pages[number] for number in sorted(learned)], [self.pages[number] for number in sorted(held_out)]

    @classmethod
    def of(cls, name: str, kind: str, rows: Iterator[dict[str, Any]] | Sequence[dict[str, Any]]) -> Self:
        """Make the portal from rows {"url", "html", "gold"}."""
        pages = [
            PortalPage(id=f"{name}-{number}", url=row["url"], html=row["html"], gold=row["gold"]) for number, row in enumerate(rows)
        ]
        return cls(name=name, kind=kind, pages=pages)


def generated() -> Iterator[PortalPages]:
    """Yield a site for each layout of the tests, which no model was trained on."""
    for number, path in enumerate(sorted(TEST_LAYOUTS.glob("*.toml"))):
        site = Site(name=f"{path.stem}-1", layout=load_layout(path.stem, TEST_LAYOUTS), language=LANGUAGES[number % len(LANGUAGES)])
        yield PortalPages.of(path.stem, "generated", [article_page(site, story) for story in site.stories])


def served(sites: Path | None, state: Path) -> Iterator[PortalPages]:
    """Yield the layouts of the demo, and the publishing systems where there is a folder of them."""
    sources: list[tuple[str, Source]] = [("demo", source) for source in demos()]
    sources += [("system", source) for source in (start_systems(sites, state) if sites is not None else [])]
    for kind, source in sources:
        found = chain(*(source.articles(part, _MOST_SERVED) for part in ("training", "tests")))
        yield PortalPages.of(source.name, kind, [{**page, "url": source.url(page["path"])} for page in found])


def hosts(root: Path, least: int = _LEAST_PAGES) -> Iterator[PortalPages]:
    """Yield the hosts of the data sets that have several pages."""
    for dataset in _DATASETS:
        groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for page in load(root, dataset):
            if page.other_kind is None and not page.host.startswith(f"{dataset}:"):
                groups[page.host].append({"url": page.address, "html": page.html, "gold": page.gold})
        yield from (PortalPages.of(host, dataset, rows) for host, rows in groups.items() if len(rows) >= least)
