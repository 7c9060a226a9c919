"""The model card: what the models were trained on, what they reach on hosts that they never saw, and how sure they are of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from newscrawler.extraction.body.features import GROUPS
from newscrawler.extraction.body.forest import LEAVES
from newscrawler.extraction.body.page_kind import NAMES as PAGE_NAMES
from training.ablation import read_ablation
from training.forests import THRESHOLD
from training.models import SHARE_OF_NETWORK, TREES_OF_FIRST, TREES_OF_SECOND
from training.network import ROUNDS, WIDTH
from training.page_kinds import REFUSED, TREES_OF_PAGES
from training.samples import WEIGHTS, Sample
from training.validation import Answers

FIGURES = Path(__file__).parent / "model-card.json"
FIELDS = Path(__file__).parent / "fields-card.json"
DATES = Path(__file__).parent / "date-figures.json"
PAGE = Path(__file__).parents[1] / "docs/model-card.md"
_BINS = 10


def make_card(samples: Sequence[Sample], rounds: Sequence[Answers]) -> dict[str, Any]:
    """Return figures, intervals and sizes as plain values; figures are means over the rounds, intervals those of the first."""
    totals = [each.totals() for each in rounds]
    intervals = rounds[0].intervals()
    figures = {
        dataset: {
            name: {
                "value": round(sum(each[dataset][name] for each in totals) / len(totals), 4),
                "interval": [round(value, 4) for value in intervals[dataset][name]],
            }
            for name in names
        }
        for dataset, names in totals[0].items()
    }
    pages = Counter((sample.dataset, sample.other_kind is None) for sample in samples if not sample.disturbed)
    return {
        "seeds": len(rounds),
        "pages": {dataset: [pages[dataset, True], pages[dataset, False]] for dataset in WEIGHTS},
        "blocks": int(sum(sample.features.weighed.sum() for sample in samples)),
        "figures": figures,
        "languages": languages(rounds),
        "confidence rank": round(sum(each.confidence_rank() for each in rounds) / len(rounds), 3),
        "reliability": reliability(rounds),
    }


def languages(rounds: Sequence[Answers]) -> dict[str, dict[str, list[float]]]:
    """Return the number of pages and the mean of their F1 over the rounds, by data set and language."""
    found = [each.by_language() for each in rounds]
    return {
        dataset: {name: [pages, round(fmean(each[dataset][name][1] for each in found), 4)] for name, (pages, _) in groups.items()}
        for dataset, groups in found[0].items()
    }


def reliability(rounds: Sequence[Answers]) -> list[list[float]]:
    """Return of pages in order of their confidence, a tenth of them each: how many, mean confidence, mean F1."""
    known = sorted(
        (page["confidence"], page["f1"]) for each in rounds for pages in each.pages.values() for page in pages if "f1" in page
    )
    parts = [known[len(known) * i // _BINS : len(known) * (i + 1) // _BINS] for i in range(_BINS)]
    return [[len(p), round(sum(c for c, _ in p) / len(p), 3), round(sum(f for _, f in p) / len(p), 3)] for p in parts if p]


def write_card(card: Mapping[str, Any]) -> None:
    """Write the figures as JSON, which `make quality` holds against its floors, and as a page for people."""
    FIGURES.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    write_page()


def write_page() -> None:
    """Write the page for people anew, from the figures of all models."""
    card = json.loads(FIGURES.read_text(encoding="utf-8"))
    PAGE.write_text("\n".join(_page(card)) + "\n", encoding="utf-8")


def _dates() -> list[str]:
    """Return what `--only dates --validate` measured of the day of publication."""
    if not DATES.is_file():
        return []
    return [
        "",
        "## Days of publication",
        "",
        "By `--only dates --validate`: five folds by host, the whole decision of the program. `dated`: pages of our own with",
        "dates of all kinds; `without a date`: such pages without their own, on which no date is right.",
        "",
        "| data set | pages | right | none | interval of right |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {name} | {each['pages']} | {each['right']:.4f} | {each['none']:.4f} | ± {each['margin']:.3f} |"
            for name, each in json.loads(DATES.read_text(encoding="utf-8")).items()
        ),
    ]


def _fields() -> list[str]:
    """Return what `--only fields --validate` measured of the models beside the body."""
    if not FIELDS.is_file():
        return []
    card = json.loads(FIELDS.read_text(encoding="utf-8"))
    return [
        "",
        "## Fields beside the body",
        "",
        f"Share of pages whose field is right, by `--only fields --validate`: five folds by host, {card['seeds']} seed(s).",
        "Authors of wcxb: one of the names is in the gold; elsewhere: the same names and no others.",
        "",
        "Sections: of 316 real pages on which a declaration and another source agree, by what was taken away: `undeclared` JSON-LD",
        "and meta, `shown` breadcrumb lists too; where nothing that is left names the section, none is right. The order of sources",
        "that the forest replaced reached .910 whole, .659 undeclared, .647 shown, .632 without address, .539 without breadcrumb,",
        ".737 by the address alone. As in the program, a line for which only its place near the headline speaks is left out where",
        "no menu has it. Without this rule .99 of our own pages (`own`), some of which have no menu, are right; fewer real ones.",
        "",
        "| field | data set | right |",
        "| --- | --- | --- |",
        *(f"| {field} | {name} | {value:.4f} |" for field, sets in card["figures"].items() for name, value in sets.items()),
    ]


def _page(card: Mapping[str, Any]) -> list[str]:
    worth = read_ablation()
    lines = [
        "# Model card of the extractor",
        "",
        "Written by `python -m training --data FOLDER --validate`; do not edit.",
        "",
        "## What the models do",
        "",
        f"Two forests of {TREES_OF_FIRST} and {TREES_OF_SECOND} trees with at most {LEAVES} leaves give each block of a page the",
        "probability that it is part of the article's body; the second one sees what the first made of the blocks around it. Both",
        "read the words of the block and the names of the boxes around it as two linear models weigh them. A network over the",
        f"same numbers and the words, {WIDTH} wide, mixes what it knows of a block {ROUNDS} times with what it knows of its",
        f"neighbours, the boxes around, blocks of its make and the page; it counts {SHARE_OF_NETWORK:.0%} of the second look.",
        f"Blocks from {THRESHOLD} on are taken. Forests of {TREES_OF_PAGES} trees over the page predict",
        "whether it is an article, with the words of the page and of its names, what else it is, and the F1 that its body is",
        "expected to have; that, times the probability of an article (from .9 on it counts as 1), is the `confidence`.",
        "",
        "| What led to the page | share of articles that the threshold may refuse |",
        "| --- | --- |",
        *(f"| {origin.lower()} | {share:.2%} |" for origin, share in REFUSED.items()),
        "",
        "## Data",
        "",
        f"{card['blocks']:,} blocks. Copies of these pages are added, not scored: with boilerplate of other pages between the",
        "paragraphs; and without any name (class, id, role), with captions and comments that nothing names.",
        "",
        "| data set | articles | other pages | weight |",
        "| --- | --- | --- | --- |",
        *(f"| {name} | {articles} | {others} | {WEIGHTS[name]} |" for name, (articles, others) in card["pages"].items()),
        "",
        "## Figures on hosts that were not in training",
        "",
        f"Five folds by host, {card['seeds']} seed(s), the whole decision of the program; interval: the middle 95 % of resamples.",
        "`f1` of aeb, dragnet, l3s, fundus: four-word shingles; fe: ROUGE-LSum; wcxb, waddle, turing: words; trafilatura: chunks.",
        "",
        "| data set | figure | value | interval |",
        "| --- | --- | --- | --- |",
    ]
    for dataset, figures in card["figures"].items():
        for name, figure in figures.items():
            low, high = figure["interval"]
            lines.append(f"| {dataset} | {name} | {figure['value']:.4f} | {low:.3f} to {high:.3f} |")
    lines += [
        "",
        "By the language of the text; mean F1 of the pages (of `fundus` and `own` shingles, of the others words), languages of",
        "fewer than ten pages together:",
        "",
        "| data set | language | pages | F1 |",
        "| --- | --- | --- | --- |",
        *(
            f"| {dataset} | {name} | {pages:.0f} | {f1:.4f} |"
            for dataset, groups in card["languages"].items()
            for name, (pages, f1) in groups.items()
        ),
        *_fields(),
        *_dates(),
    ]
    lines += [
        "",
        "## Confidence",
        "",
        f"Rank correlation with the page's F1: {card['confidence rank']:.2f}. Pages in order of confidence, a tenth of them each:",
        "",
        "| pages | mean confidence | mean F1 |",
        "| --- | --- | --- |",
        *(f"| {number:.0f} | {confidence:.2f} | {f1:.2f} |" for number, confidence, f1 in card["reliability"]),
        "",
        "## Tried without gain",
        "",
        "- A learned end and beginning of the text, one decision a page (27 November 2026): a forest over 83,508 places where",
        "  the chosen blocks could be cut, by folds of hosts. The best cuts would bring .003 (aeb) to .017 (waddle); the",
        "  learned ones bring -.002 to +.001 at any threshold, as both passes know already what they see.",
        "- A choice among boxes on the 140 pages whose expected F1 is .8 or less (18,040 candidates): at best .017 (dragnet)",
        "  and .010 (wcxb) are in reach, -.001 to +.0004 came.",
        "- A threshold for each page by its expected F1: wcxb +.004, dragnet -.003, others within .001.",
        "- One forest in place of the two (28 November 2026), on models that saw no page of the host, mean F1 of the chosen",
        "  blocks over nine sets, two seeds: .9581 and .9586 with 180 trees of all pages and copies, at 75 %, and 60 of public",
        "  pages; the two that ship .9571 and .9530; the second with 180 and 60 trees, and the mean log-odds of a block's place",
        "  (its make and that of the box around) .9586 and .9557; one with the network .9604 and .9596. The whole decision, seed",
        "  0, gains nothing by it: aeb .979, fe .974, fundus .964, trafilatura .948, wcxb .952, dragnet .908, l3s .970, waddle",
        "  .942, turing .986, others refused .80. Of 744 pages with one defect, whose markup names nothing, 651 to 681 are right,",
        "  by the weight of copies and the seed; with two forests 671. Two networks, more trees, smaller leaves: within .0005.",
        "- Of the network, mean F1 of the chosen blocks over nine sets (it brings +.0020 to +.0030): trained on what the second",
        "  forest leaves open -.0008; on what the first one leaves +.0008; with numbers of the page +.0026; attention in place",
        "  of the page's mean +.0028; means of its weights over the steps +.0030; vectors of names, too, +.0028; two networks",
        "  +.0034; in place of the second forest +.0018; without words +.0022.",
        "- Of unnamed captions it knows little: where the markup names fewer than four kinds of content (0 to 3 % of the pages",
        "  of most sets, 17 % of l3s), where a text is a quotation, and in other articles than the headline's, the forest alone",
        "  decides. The public sets lose nothing by it; of 744 pages with one defect 667 stay right, with the network 612.",
        "- Behind the models (28 November 2026, whole decision, seed 0): paragraphs of a make of which most were chosen +.0003;",
        "  other shares of the network, another one upwards than downwards, or limits of its log-odds within .0002. Without",
        "  any one of the twenty rules that follow the models no public set changes by more than .0037: the rules are for",
        "  what is rare there.",
        "- The kind of a page: a column for each part of its words, forests of five seeds in place of one, more trees, smaller",
        "  or larger leaves, other weights of the sets: within the noise of a few pages. Probabilities of blocks by the",
        "  forests alone, too.",
        "- Groups of features (28 November 2026, forests alone, two seeds; change of the public sets and of the copies with",
        "  boilerplate): without neighbours +.0013 and -.0004, declared +.0004 and -.0016, both -.0011 and -.0019, neighbours",
        "  and lines +.0002 and -.0026, these three -.0001 and -.0022. Other draws move a set by .002, so no group is shown",
        "  to be of no use; pages with unnamed captions and comments need the lines.",
        "- Words of the text that was found, and of the rest, as columns for the kind of a page: area under the curve of",
        "  articles against others of wcxb .986 with and without them (two seeds), articles refused .4 to .6 % and others .75",
        "  to .80 either way.",
        "",
        "## Features",
        "",
        f"{sum(map(len, GROUPS.values()))} of a block, {len(PAGE_NAMES)} of a page.",
        "",
        "By `--ablate`: how the F1 of the blocks that the forests choose, by characters, changes without a group.",
        f"Mean of all sets, with every group: {worth.get('all', 'not measured')}.",
        "",
        "| group | change without it | features |",
        "| --- | --- | --- |",
        *(f"| {group} | {worth.get(group, 'not measured')} | {', '.join(names)} |" for group, names in GROUPS.items()),
    ]
    return lines
