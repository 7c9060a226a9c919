#!/usr/bin/env python3
"""Train the weighting of the default detector on the development half of the bench and write it as plain numbers.

    OMP_NUM_THREADS=1 train_default.py ../shared/bench [--folds 5] [--seeds 2] [--folds-to FOLDER] [--write]

Needs numpy and scikit-learn, which the program itself does not; run it in an environment of its own that can import newscrawler.
Without --write it only cross-validates: folds are made by site, so that no page is read by a model that has seen its site, and by
the name of the site alone, so that they stay the same whatever else changes; each seed makes other folds. One model differs from
the next by .001 in the mean of the four figures, and by .004 in one of them. Where others work on the machine, several threads of
scikit-learn wait for each other, and one is five times as fast.
A block counts as body where the gold text holds it; its weight is its share of the page's words, damped, so that a long
block does not outvote all others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree
from sklearn.ensemble import HistGradientBoostingClassifier

from newscrawler.blocks.default.detector import settle, without_labels
from newscrawler.blocks.default.evidence import NAMES, Evidence, gather
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.likeness import key_of

SETS = ("aeb", "fe", "fundus", "trafilatura")
TARGET = Path(__file__).parents[1] / "newscrawler/blocks/default/weights.json"
WORDS = re.compile(r"\w+")
#: Weight of a block = (share of the page's words) ** DAMPING; 0.4 to 1 were tried, 0.6 was as good as any on all four sets.
DAMPING = 0.6
CHUNK_WEIGHT = 0.16


#: Names whose presence may only lower the chance of a block.
FALLING = [
    "NAVIGATION",
    "FOOTER",
    "ASIDE",
    "RELATED",
    "PROMOTION",
    "SOCIAL",
    "COMMENT",
    "CAPTION",
    "BYLINE",
    "TAGS",
    "POPUP",
    "WIDGET",
    "HIDDEN",
    "FORM",
    "FIGURE",
    "CONSENT",
]
#: What publishing systems put between the paragraphs of an article, by the names they give it.
INSERTS: tuple[str, ...] = (
    '<div class="ad banner">{text}</div>', '<div class="advertisement"><p>{text}</p></div>', '<p class="ad-label">{text}</p>',
    '<aside class="newsletter-box"><h3>{short}</h3><p>{text}</p></aside>', '<div class="newsletter">{text}</div>',
    '<div class="signup-promo"><p><strong>{short}</strong></p><p>{text}</p></div>', '<p class="promo">{text}</p>',
    '<div class="related"><p>{short}</p><ul><li><a href="/a/1">{text}</a></li><li><a href="/a/2">{short}</a></li></ul></div>',
    '<div class="read-more"><strong>{short}:</strong> <a href="/a/3">{text}</a></div>', '<p class="subscribe">{text}</p>',
    '<figure><img src="a.jpg"><figcaption>{text}</figcaption></figure>', '<p class="caption">{text}</p>',
    '<p class="image-credit">{text}</p>', '<p class="comment-text">{text}</p>', '<p class="related-story">{text}</p>',
    '<p class="wp-caption-text">{text}</p>',
    '<div class="image"><img src="a.jpg"><span class="caption">{text}</span></div>',
    '<div class="sponsored-content"><p>{text}</p></div>', '<div class="paywall"><p>{text}</p></div>',
    '<blockquote class="pullquote"><p>{repeated}</p></blockquote>', '<aside class="pull-quote">{repeated}</aside>',
    '<div class="quote-box pullquote">{repeated}</div>', '<div class="author-bio"><p>{text}</p></div>',
    '<div class="cookie-notice"><p>{text}</p></div>', '<div class="share-bar"><p>{short}</p></div>',
    '<div class="comments"><h3>{short}</h3><div class="comment"><p>{text}</p></div></div>', "<aside><p>{text}</p></aside>",
)  # fmt: skip


@dataclass
class Rows:
    """Evidence of all pages in one table."""

    x: list[list[float]] = field(default_factory=list)
    y: list[int] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    site: list[str] = field(default_factory=list)
    page: list[tuple[str, str]] = field(default_factory=list)
    block: list[int] = field(default_factory=list)
    caution: list[float] = field(default_factory=list)
    #: The blocks of each page, and its headline among them; without their elements, so that no tree is kept.
    blocks: dict[tuple[str, str], tuple[list[Block], Block | None]] = field(default_factory=dict)
    gold: dict[tuple[str, str], Any] = field(default_factory=dict)


def shingles(text: str) -> Counter[tuple[str, ...]]:
    words = WORDS.findall(text.casefold())
    return Counter(tuple(words[i : i + 4]) for i in range(max(1, len(words) - 3))) if words else Counter()


def labels_from_text(evidence: Evidence, lines: list[str]) -> dict[int, float]:
    """Share of each block that the gold text holds; of a repeated text only one block counts."""
    gold, whole, known = key_of("\n".join(lines)), {key_of(line) for line in lines}, shingles("\n".join(lines))
    blocks = evidence.layout.blocks
    keys = [key_of(block.text) for block in blocks]
    found: dict[int, float] = {}
    for block, key in zip(blocks, keys, strict=True):
        i = block.index
        if len(key) < 20:
            before = keys[i - 1][-25:] if i else ""
            after = keys[i + 1][:25] if i + 1 < len(blocks) else ""
            beside = (len(before) > 8 and before + key in gold) or (len(after) > 8 and key + after in gold)
            found[i] = float(bool(key) and (key in whole or beside))
        elif key in gold:
            found[i] = 1.0
        else:
            own = shingles(block.text)
            found[i] = sum((own & known).values()) / max(sum(own.values()), 1)
    if evidence.headline is not None:
        found[evidence.headline.index] = 0.0
    _settle_repetitions(evidence, keys, gold, found)
    return found


def _settle_repetitions(evidence: Evidence, keys: list[str], gold: str, found: dict[int, float]) -> None:
    def holds_many(j: int) -> bool:
        return sum(len(key) > 15 and key in keys[j] for m, key in enumerate(keys) if m != j) >= 3

    for i, key in enumerate(keys):
        if found[i] <= 0.5 or len(key) < 15:
            continue
        holders = [j for j, other in enumerate(keys) if key in other]
        if len(holders) <= max(1, gold.count(key)):
            continue
        longer = [j for j in holders if len(keys[j]) > len(key)]
        heaps = [j for j in longer if holds_many(j)]
        if heaps:
            for j in heaps:
                found[j] = 0.0
        elif longer or i != max(holders, key=lambda j: (sum(evidence.mass[max(0, j - 3) : j + 4]), -j)):
            found[i] = 0.0


def gold_lines(dataset: str, gold: dict[str, Any]) -> list[str]:
    if dataset == "fe":
        return [re.sub(r"^\[|\]$", "", paragraph) for paragraph in gold["paragraphs"]]
    return [line for line in (gold.get("body") or "").split("\n") if line.strip()]


def with_inserts(evidence: Evidence, shares: dict[int, float], strangers: list[str], rng: random.Random) -> bool:
    """Put three or four foreign pieces between the paragraphs of a page; False where it has too few paragraphs."""
    blocks = evidence.layout.blocks
    spots = [blocks[i].element for i in evidence.indices if shares[i] > 0.9 and blocks[i].kind == "p" and blocks[i].size > 60]
    spots = [spot for spot in spots if spot.tag == "p" and spot.getparent() is not None]
    if len(spots) < 4 or len(strangers) < 50:
        return False
    for spot in rng.sample(spots[:-1], min(4, len(spots) - 1)):
        text = rng.choice(strangers)
        repeated = re.split(r"(?<=[.!?]) ", " ".join("".join(rng.choice(spots).itertext()).split()))[0]
        short = " ".join(rng.choice(strangers).split()[:3])
        form = rng.choice(INSERTS)
        parts = {name: value.replace("&", "&amp;").replace("<", "&lt;") for name, value in
                 (("text", text), ("short", short), ("repeated", repeated))}  # fmt: skip
        spot.addnext(etree.fromstring(form.format(**parts), etree.HTMLParser())[0][0])
    return True


def add_page(rows: Rows, key: tuple[str, str], site: str, evidence: Evidence, gold: dict[str, Any], factor: float = 1.0) -> None:
    blocks = evidence.layout.blocks
    if key[0] == "trafilatura":
        flat = [(re.sub(r"\s+", " ", chunk).strip(), int(name == "with")) for name in ("without", "with") for chunk in gold[name]]
        marks = {i: [y for chunk, y in flat if chunk in blocks[i].text] for i in evidence.indices}
        weighed = {i: (marks[i][-1], CHUNK_WEIGHT) if marks[i] else (0, 0.0) for i in evidence.indices}
    else:
        lines = gold_lines(key[0].split()[0], gold)
        if not lines:
            return
        shares = labels_from_text(evidence, lines)
        total = max(sum(map(len, lines)) / 5.5, 1.0)
        weighed = {}
        for i in evidence.indices:
            y = shares[i]
            share = min(1.0, max(blocks[i].size / 5.5, 2.0) / total)
            weighed[i] = int(y > 0.5), factor * share**DAMPING * (abs(2 * y - 1) + 0.05)
    for i, row, caution in zip(evidence.indices, evidence.rows, evidence.caution, strict=True):
        rows.x.append(row)
        rows.caution.append(caution)
        rows.y.append(weighed[i][0])
        rows.weight.append(weighed[i][1])
        rows.site.append(site)
        rows.page.append(key)
        rows.block.append(i)


def collect(bench: Path) -> Rows:
    sys.path.insert(0, str(bench))
    corpora = __import__("corpora")
    rows = Rows()
    strangers: list[str] = []
    for dataset in SETS:
        for page in corpora.LOADERS[dataset](bench / "data"):
            key = (dataset, page.id)
            rows.gold[key] = page.gold
            evidence = gather(Document.parse(page.html, page.url if page.give_url else None))
            if evidence is not None:
                light = [replace(block, element=None) for block in evidence.layout.blocks]
                rows.blocks[key] = light, None if evidence.headline is None else light[evidence.headline.index]
                site = corpora.registered_host(page.url) or page.id
                add_page(rows, key, site, evidence, page.gold)
                if dataset != "trafilatura" and (lines := gold_lines(dataset, page.gold)):
                    shares = labels_from_text(evidence, lines)
                    disturbed = Document.parse(page.html, page.url)
                    if with_inserts(gather(disturbed) or evidence, shares, strangers, random.Random(page.id)):
                        again = gather(Document(disturbed.root, url=disturbed.url))
                        if again is not None:
                            add_page(rows, (f"{dataset} disturbed", page.id), site, again, page.gold, 0.5)
                    blocks = evidence.layout.blocks
                    strangers += [blocks[i].text for i in evidence.indices if shares[i] < 0.1 and 25 < blocks[i].size < 220][:12]
                    strangers += [blocks[i].text for i in evidence.indices if shares[i] > 0.9 and 40 < blocks[i].size < 900][:12]
    return rows


def new_model() -> HistGradientBoostingClassifier:
    falling = {f"mark {name}" for name in FALLING} | {"own marks", "headlines since", "is headline"}
    signs = [-1 if name in falling or name.startswith("within ") else 0 for name in NAMES]
    return HistGradientBoostingClassifier(
        max_iter=50, max_leaf_nodes=12, learning_rate=0.14, l2_regularization=1.0, min_samples_leaf=25, max_features=0.7,
        random_state=2, early_stopping=False, monotonic_cst=signs,
    )  # fmt: skip


def fold_of(site: str, folds: int, seed: int) -> int:
    return int(hashlib.md5(f"{seed}:{site}".encode(), usedforsecurity=False).hexdigest(), 16) % folds


def folds_of(rows: Rows, folds: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Numbers of the rows to train on and to test on, fold by fold."""
    number = np.array([fold_of(site, folds, seed) for site in rows.site])
    for fold in range(folds):
        yield np.flatnonzero(number != fold), np.flatnonzero(number == fold)


def cross_validate(rows: Rows, folds: int, seed: int) -> np.ndarray:
    x, y, weight = np.array(rows.x, dtype=np.float32), np.array(rows.y), np.array(rows.weight)
    odds = np.zeros(len(y))
    for train, test in folds_of(rows, folds, seed):
        kept = train[weight[train] > 0]
        odds[test] = new_model().fit(x[kept], y[kept], sample_weight=weight[kept] * 1000).decision_function(x[test])
    return 1 / (1 + np.exp(np.array(rows.caution) - odds))


def write_folds(rows: Rows, folds: int, folder: Path) -> None:
    """Write the weights of each fold, and which fold has not seen a site."""
    folder.mkdir(parents=True, exist_ok=True)
    x, y, weight = np.array(rows.x, dtype=np.float32), np.array(rows.y), np.array(rows.weight)
    where: dict[str, int] = {}
    for fold, (train, test) in enumerate(folds_of(rows, folds, 0)):
        kept = train[weight[train] > 0]
        model = new_model().fit(x[kept], y[kept], sample_weight=weight[kept] * 1000)
        (folder / f"{fold}.json").write_text(json.dumps(as_weights(model)), encoding="utf-8")
        where.update(dict.fromkeys((rows.site[i] for i in test), fold))
    (folder / "where.json").write_text(json.dumps(where), encoding="utf-8")


def score(rows: Rows, chance: np.ndarray, threshold: float) -> dict[str, float]:
    """Scores of the bench for what the detector would take; the shingle F1 stands in for ROUGE on fe, which takes long."""
    metrics = __import__("metrics")
    chosen: dict[tuple[str, str], list[Block]] = {}
    for key, index, value in zip(rows.page, rows.block, chance, strict=True):
        if value >= threshold and key in rows.gold:
            chosen.setdefault(key, []).append(rows.blocks[key][0][index])
    bodies = {
        key: [block.text for block in without_labels(settle(found, rows.blocks[key][1]), rows.blocks[key][0])]
        for key, found in chosen.items()
    }
    pages: dict[str, list[Any]] = {}
    for key, gold in rows.gold.items():
        body = "\n".join(bodies.get(key, ())) or None
        if key[0] == "fe":
            scores = [metrics.shingle_page("\n".join(v), body) for v in metrics.gold_variants(gold["paragraphs"])]
            pages.setdefault("fe", []).append(max(scores, key=lambda s: s["f1"]))
        else:
            pages.setdefault(key[0], []).append(metrics.score_page(key[0], gold, {"title": None, "body": body}))
    return {
        "aeb": metrics.TOTAL["aeb"](pages["aeb"])["f1"],
        "fe": statistics.fmean(page["f1"] for page in pages["fe"]),
        "trafilatura": metrics.TOTAL["trafilatura"](pages["trafilatura"])["f1"],
        "fundus": metrics.TOTAL["fundus"](pages["fundus"])["body_f1"],
    }


def as_tree(nodes: Any, index: int = 0) -> Any:
    """A tree as nested lists: [feature, threshold, below, above], or the number of a leaf."""
    node = nodes[index]
    if node["is_leaf"]:
        return round(float(node["value"]), 4)
    threshold = float(f"{float(node['num_threshold']):.6g}")
    return [int(node["feature_idx"]), threshold, as_tree(nodes, int(node["left"])), as_tree(nodes, int(node["right"]))]


def export(rows: Rows) -> dict[str, Any]:
    x, y, weight = np.array(rows.x, dtype=np.float32), np.array(rows.y), np.array(rows.weight)
    kept = weight > 0
    return as_weights(new_model().fit(x[kept], y[kept], sample_weight=weight[kept] * 1000))


def as_weights(model: HistGradientBoostingClassifier) -> dict[str, Any]:
    """A trained model as plain numbers."""
    trees = [as_tree(stage[0].nodes) for stage in model._predictors]  # noqa: SLF001
    return {"features": list(NAMES), "base": round(float(model._baseline_prediction.item()), 4), "trees": trees}  # noqa: SLF001


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=2, help="ways to make the folds, over which the figures are averaged")
    parser.add_argument("--write", action="store_true", help="train on all pages and write the weights")
    parser.add_argument("--folds-to", type=Path, help="write the weights of each fold, for tools/leave_one_out.py --weights")
    args = parser.parse_args()
    rows = collect(args.bench)
    print(f"{len(rows.x)} blocks, {len(rows.blocks)} pages, {len(set(rows.site))} sites, {len(NAMES)} features", flush=True)
    if args.folds_to:
        write_folds(rows, args.folds, args.folds_to)
        return
    if args.folds > 1:
        chances = [cross_validate(rows, args.folds, seed) for seed in range(args.seeds)]
        for threshold in (0.35, 0.4, 0.45):
            scores = [score(rows, chance, threshold) for chance in chances]
            print(threshold, {name: round(statistics.fmean(one[name] for one in scores), 4) for name in scores[0]}, flush=True)
    if args.write:
        TARGET.write_text(json.dumps(export(rows), separators=(",", ":")) + "\n", encoding="utf-8")
        print(f"written: {TARGET}")


if __name__ == "__main__":
    main()
