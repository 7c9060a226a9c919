"""Trains and measures what labels of other pages of a host tell of a page: gold texts of these simulate the labels.

python -m training.sites --data ../shared/bench/data             train, and write the model
python -m training.sites --data ../shared/bench/data --validate  cross-validate by host, on hosts with four pages or more
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from lxml import etree
from numpy.typing import NDArray

from newscrawler.extraction.body.block_classifier import (
    EVIDENCE,
    LINE_PAGES,
    OF_LINES,
    PLACE_PAGES,
    EvidenceClassifier,
    lowered,
    rows_of,
)
from newscrawler.extraction.body.details import measure_shares_in_gold
from newscrawler.extraction.body.extractor import BodyExtractor, Examination
from newscrawler.extraction.body.forest import Forest
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.templates.evidence import KnownEvidence, PageLines, find_recurring_lines, learn_labels
from newscrawler.extraction.templates.evidence import LabelledPage as Labelled
from newscrawler.extraction.templates.places import Namer, Places, find_known_classes
from newscrawler.page import Document
from training.forests import fit, fold_of
from training.labels import gold_lines
from training.models import train
from training.pages import SETS, LabelledPage, load
from training.samples import DAMPING, WEIGHTS, Sample, collect
from training.scores import score
from training.wording import Vocabulary

#: Data sets whose gold is the whole body, and those in which hosts have several pages of news.
DATASETS, MEASURED = ("fe", "l3s", "dragnet", "fundus", "wcxb", "aeb"), ("fe", "l3s", "dragnet", "fundus")
TARGET = Path(__file__).parents[1] / "newscrawler/extraction/body/models/evidence.json"
#: Numbers of labelled pages, of the most pages that are learned from.
LABELLED, _MOST_PAGES = (0, 1, 2, 3, 5, 10), 10
_FOLDS, _TREES, _LEAVES, _LEAST_PAGES = 5, 90, 8, 4
#: Log-odds from which on a block may be taken; that a line recurs is asked of such blocks alone.
_LEAST_TAKEN = -1.0
#: Which way evidence may move a block: +1 towards the text, -1 away from it.
_SIGNS_OF_LINES = {"line pages": -1}
_SIGNS_OF_PLACES = (
    _SIGNS_OF_LINES
    | {"own": 1, "right": 1, "right near": 1, "wrong": -1, "wrong near": -1}
    | {name: 1 for name in EVIDENCE if name.startswith(("balance", "surprise"))}
)
#: Of the lines that are put into articles: paragraphs that an article must have, characters of each, texts to draw from.
_FEWEST_SPOTS, _LONG, _FEWEST_STRANGERS = 4, 60, 60
#: Where a host puts notes into its articles, *: their text, and names of such places that say nothing.
_PLACES_OF_NOTES = ('<div class="{name}"><p>*</p></div>', '<section class="{name}"><p>*</p></section>', '<p class="{name}">*</p>')
_NAMES_OF_NOTES = ("inset", "panel", "strip", "c-box", "extra", "item-2", "tile", "unit")
#: Difference of page F1, or of that of a host, that counts as worse.
_WORSE = 0.01


@dataclass(slots=True, kw_only=True)
class SitePage:
    """A page of a host with several, read by models that did not see the host."""

    page: LabelledPage
    found: Examination
    shares: Sequence[float]
    headline: int | None
    gold_size: float

    @property
    def host(self) -> tuple[str, str]:
        """What pages of one template have in common."""
        return self.page.dataset, self.page.host


def read_sites(root: Path, extractors: Sequence[BodyExtractor], least: int) -> Iterator[list[SitePage]]:
    """Yield the pages of each host that has enough of them in a data set."""
    hosts: dict[tuple[str, str], list[LabelledPage]] = defaultdict(list)
    for dataset in DATASETS:
        for page in load(root, dataset):
            if page.other_kind is None and not page.host.startswith(f"{dataset}:"):
                hosts[dataset, page.host].append(page)
    for (_, host), pages in hosts.items():
        if len(pages) >= least:
            read = (_read(page, extractors[fold_of(host, len(extractors), 0)]) for page in pages)
            if len(found := [page for page in read if page.found.features is not None]) >= least:
                yield found


def _read(page: LabelledPage, extractor: BodyExtractor) -> SitePage:
    return _read_again(page, Document.parse(page.html, page.address), extractor, ())


def _read_again(page: LabelledPage, document: Document, extractor: BodyExtractor, added: Sequence[str]) -> SitePage:
    found = extractor.examine(document)
    headline = document.view(find_headline)
    index = headline.block.index if headline is not None and headline.block is not None else None
    lines = [*gold_lines(page.dataset, page.gold), *added]
    mass = found.features.mass.tolist() if found.features is not None else []
    shares = measure_shares_in_gold([block.text for block in document.layout.blocks], lines, mass, index)
    return SitePage(page=page, found=found, shares=shares, headline=index, gold_size=float(sum(map(len, lines))))


def disturb(pages: Sequence[SitePage], strangers: Sequence[str], rng: random.Random, extractor: BodyExtractor) -> list[SitePage]:
    """Put into the articles of a host promotions, sub-headings and tables that recur on all of them, and notes that never recur.

    Sub-headings and tables are text. The notes read like the text, and only their place tells that they are not.
    """
    place = rng.choice(_PLACES_OF_NOTES).format(name=rng.choice(_NAMES_OF_NOTES))
    promotions = [escape(text) for text in rng.sample(list(strangers), 2)]
    words = [" ".join(rng.choice(strangers).split()[: rng.randint(2, 5)]) for _ in range(5)]
    return [
        _with_lines(page, promotions, [place.replace("*", escape(rng.choice(strangers))), *words], rng, extractor) for page in pages
    ]


def _with_lines(
    target: SitePage, promotions: Sequence[str], words: Sequence[str], rng: random.Random, extractor: BodyExtractor
) -> SitePage:
    blocks = target.found.page.layout.blocks
    spots = [
        block.element for block in blocks
        if target.shares[block.index] > 0.9 and block.kind == "p" and block.size > _LONG and block.element.tag == "p"
    ]  # fmt: skip
    if len(spots) < _FEWEST_SPOTS:
        return target
    note, *words = words
    heading, first, second, name, title = map(escape, words)
    rows = [f"{name} {target.page.id} {number}" for number in range(rng.randint(2, 4))]
    cells = "".join(f"<tr><td>{escape(row)}</td><td>{rng.randint(1, 900)}</td></tr>" for row in rows)
    amid = rng.sample(spots[:-1], 3)
    rng.choice(spots[:-1]).addnext(_element(note))
    amid[0].addnext(_element(f"<p>{promotions[0]}</p>"))
    amid[1].addnext(_element(f"<h2>{heading}</h2>"))
    table = _element(f"<table><tr><td>{first}</td><td>{second}</td></tr>{cells}</table>")
    amid[2].addnext(table)
    spots[-1].addnext(_element(f"<p>{promotions[1]}</p>"))
    spots[-1].addnext(_element(f"<h2>{title}</h2>"))
    document = Document(target.found.page.root, url=target.found.page.url)
    texts = [" ".join(str(text) for text in row.itertext()) for row in table.iter("tr")]
    return _read_again(target.page, document, extractor, [words[0], *texts])


def _element(source: str) -> etree._Element:
    return etree.fromstring(f"<html><body>{source}</body></html>".encode(), etree.HTMLParser(encoding="utf-8"))[0][0]


def evidence_of(target: SitePage, others: Sequence[SitePage], labelled: int) -> Mapping[int, Sequence[float]]:
    """Return the evidence of other pages, the first of which are labelled, as a template gives it."""
    namer = Namer(find_known_classes([other.found.page for other in others]))
    labels, lines = [], []
    for number, other in enumerate(others):
        layout = other.found.page.layout
        taken = other.found.taken
        if number < labelled:
            labels.append(Labelled(other.found, Places(other.found.page, namer), other.shares))
            taken = [block for block in layout.blocks if other.shares[block.index] > 0.5]
        lines.append(PageLines.read(layout, taken))
    known = KnownEvidence.prepare(learn_labels(labels), find_recurring_lines(lines))
    return known.find_evidence(target.found, Places(target.found.page, namer))


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRows:
    """The evidence of one page, and what is right of its blocks."""

    dataset: str
    fold: int
    rows: NDArray[np.float32]
    right: NDArray[np.bool_]
    weight: NDArray[np.float64]


def draw(pages: Sequence[SitePage], rng: random.Random) -> Iterator[tuple[SitePage, list[SitePage], int]]:
    """Yield each page with others of its host, and how many of these are labelled."""
    for target in pages:
        others = [other for other in pages if other is not target]
        others = rng.sample(others, min(_MOST_PAGES, len(others)))
        for labelled in LABELLED:
            if labelled <= len(others):
                yield target, others, labelled


def site_rows(pages: Sequence[SitePage], rng: random.Random) -> Iterator[SiteRows]:
    """Yield the rows of the pages of a host, for each number of labelled pages."""
    for target, others, labelled in draw(pages, rng):
        evidence = evidence_of(target, others, labelled)
        if not evidence:
            continue
        index = list(evidence)
        share = np.array(target.shares)[index]
        size = np.array([target.found.page.layout.blocks[number].size for number in index], dtype=np.float64)
        of_text = np.minimum(1.0, np.maximum(size, 1) / max(target.gold_size, 1)) ** DAMPING
        yield SiteRows(
            dataset=target.page.dataset, fold=fold_of(target.page.host, _FOLDS, 0),
            rows=rows_of(target.found.probabilities, evidence), right=share > 0.5,
            weight=of_text * (np.abs(2 * share - 1) + 0.05) * WEIGHTS[target.page.dataset] / len(LABELLED),
        )  # fmt: skip


def fit_evidence(found: Sequence[SiteRows]) -> dict[str, Any]:
    """Train the forest of recurring lines, and on top of it that of labelled places."""
    rows = np.concatenate([each.rows for each in found])
    right, weight = np.concatenate([each.right for each in found]), np.concatenate([each.weight for each in found])
    known = (rows[:, LINE_PAGES] > 0) & (rows[:, 0] > _LEAST_TAKEN)
    lines = _fit(rows[known], right[known], np.ones(known.sum()), OF_LINES, _SIGNS_OF_LINES)
    rows = lowered(Forest.of(lines), rows)
    known = rows[:, PLACE_PAGES] > 0
    return {"lines": lines, "places": _fit(rows[known], right[known], weight[known], range(len(EVIDENCE)), _SIGNS_OF_PLACES)}


def _fit(
    rows: NDArray[Any], right: NDArray[Any], weight: NDArray[Any], columns: Sequence[int], signs: Mapping[str, int]
) -> dict[str, Any]:
    names = [EVIDENCE[column] for column in columns]
    start = rows[:, 0].astype(np.float64)
    monotone = [signs.get(name, 0) for name in names]
    settings = {"monotone_constraints": monotone, "feature_fraction": 0.6, "num_leaves": _LEAVES, "start": start}
    return fit(rows[:, columns], right, weight, names, trees=_TREES, seed=0, **settings)


def extractors_of(samples: Sequence[Sample], known: Vocabulary) -> list[BodyExtractor]:
    """Train an extractor for each fold, without its hosts."""
    parts = ([sample for sample in samples if fold_of(sample.host, _FOLDS, 0) != fold] for fold in range(_FOLDS))
    return [train(part, known).extractor() for part in parts]


def all_rows(root: Path, extractors: Sequence[BodyExtractor]) -> list[SiteRows]:
    """Return the rows of all hosts with two pages or more."""
    rng, strangers = random.Random(0), list[str]()
    found: list[SiteRows] = []
    for pages in read_sites(root, extractors, 2):
        found += site_rows(pages, rng)
        extractor = extractors[fold_of(pages[0].page.host, _FOLDS, 0)]
        if len(strangers) >= _FEWEST_STRANGERS:
            found += site_rows(disturb(pages, strangers, rng, extractor), rng)
        for page in pages:
            blocks = page.found.page.layout.blocks
            strangers += [b.text for b in blocks if page.shares[b.index] < 0.1 and 40 < b.size < 300 and b.is_sentence][:6]
            strangers += [b.text for b in blocks if page.shares[b.index] > 0.9 and 40 < b.size < 300][:6]
    return found


def validate(root: Path, extractors: Sequence[BodyExtractor], found: Sequence[SiteRows]) -> dict[int, dict[str, list[Outcome]]]:
    """Return by number of labelled pages and data set what became of each page of hosts with four or more."""
    models = [fit_evidence([row for row in found if row.fold != fold]) for fold in range(_FOLDS)]
    classifiers = [EvidenceClassifier(Forest.of(model["lines"]), Forest.of(model["places"])) for model in models]
    rng = random.Random(1)
    outcomes: dict[int, dict[str, list[Outcome]]] = {labelled: defaultdict(list) for labelled in LABELLED}
    for pages in read_sites(root, extractors, _LEAST_PAGES):
        if pages[0].page.dataset not in MEASURED:
            continue
        fold = fold_of(pages[0].page.host, _FOLDS, 0)
        extractor = BodyExtractor(extractors[fold].blocks, extractors[fold].pages, classifiers[fold])
        for target, others, labelled in draw(pages, rng):
            evidence = evidence_of(target, others, labelled)
            amended = extractor.amend(target.found, evidence)
            outcomes[labelled][target.page.dataset].append(_outcome(target, amended))
    return outcomes


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """F1 of one page, read by itself and by evidence of other pages, and whether all its paragraphs are right."""

    host: str
    before: float
    after: float
    perfect_before: bool
    perfect_after: bool


def _outcome(target: SitePage, amended: Examination) -> Outcome:
    return Outcome(
        host=target.page.host, before=_f1(target.page, target.found), after=_f1(target.page, amended),
        perfect_before=_is_perfect(target, target.found), perfect_after=_is_perfect(target, amended),
    )  # fmt: skip


def _f1(page: LabelledPage, found: Examination) -> float:
    refused = found.refusal is not None
    body = found.body.text if found.body is not None and not refused else None
    return score(page, body, refused=refused)["f1"]


def _is_perfect(target: SitePage, found: Examination) -> bool:
    """Tell whether every block that is surely text was taken, and none that surely is not."""
    taken = {block.index for block in found.taken} if found.refusal is None else set()
    share = target.shares
    return all(
        (block.index in taken) == (share[block.index] > 0.5)
        for block in found.page.layout.blocks
        if block.size > 25 and abs(share[block.index] - 0.5) > 0.2 and block.index != target.headline
    )


def report(outcomes: Mapping[int, Mapping[str, Sequence[Outcome]]]) -> Iterator[str]:
    """Yield a line for each number of labelled pages and data set."""
    for labelled, by_set in outcomes.items():
        for dataset, pages in (*by_set.items(), ("all", list(chain.from_iterable(by_set.values())))):
            hosts: dict[str, list[float]] = defaultdict(list)
            for page in pages:
                hosts[page.host].append(page.after - page.before)
            changes = {host: statistics.fmean(values) for host, values in hosts.items()}
            worst = min(changes, key=lambda host: changes[host])
            before, after = (statistics.fmean(getattr(page, name) for page in pages) for name in ("before", "after"))
            perfect = [statistics.fmean(getattr(page, name) for page in pages) for name in ("perfect_before", "perfect_after")]
            worse = sum(page.after < page.before - _WORSE for page in pages)
            yield (
                f"{labelled:>2} labelled  {dataset:<8}{len(pages):>4} pages  F1 {before:.4f} {after - before:+.4f}  "
                f"perfect {perfect[0]:.2f} {perfect[1] - perfect[0]:+.2f}  {worse} pages worse, "
                f"{sum(change < -_WORSE for change in changes.values())} of {len(hosts)} hosts; worst {worst} {changes[worst]:+.3f}"
            )


def main() -> int:
    """Read the arguments, and train or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--validate", action="store_true", help="cross-validate; write no model")
    args = parser.parse_args()
    extractors = extractors_of(*collect(args.data, (*SETS, "own")))
    found = all_rows(args.data, extractors)
    print(f"{len(found)} readings, {sum(len(each.rows) for each in found)} rows", file=sys.stderr)
    if args.validate:
        for line in report(validate(args.data, extractors, found)):
            print(line)
        return 0
    TARGET.write_bytes(orjson.dumps(fit_evidence(found)) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
