"""Scores of whole decisions, from the definitions of the benchmarks that the pages come from."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from newscrawler.research.evaluation.scores import rouge_lsum, sentences
from training.pages import LabelledPage

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])\w)+")
_MOST_OPTIONAL, _SHINGLE = 4, 4
_BY_WORDS = frozenset({"wcxb", "waddle", "turing"})


def score(page: LabelledPage, body: str | None, *, refused: bool) -> dict[str, float]:
    """Return the figures of one page; `body` is None where nothing was found, or the page was refused."""
    if page.other_kind is not None:
        return {"refused other": float(refused)}
    figures = {"refused": float(refused)}
    gold = page.gold
    if page.dataset == "trafilatura":
        text = " ".join((body or "").split())
        hits = sum(" ".join(chunk.split()) in text for chunk in gold["with"])
        wrong = sum(" ".join(chunk.split()) in text for chunk in gold["without"])
        return figures | {"hits": hits, "wrong": wrong, "chunks": len(gold["with"])}
    if page.dataset == "fe":
        return figures | {"f1": max(_rouge(paragraphs, body) for paragraphs in _variants(gold["paragraphs"]))}
    if page.dataset in _BY_WORDS:
        flat = " ".join((body or "").split()).lower()
        for name in ("with", "without"):
            if chunks := gold.get(name):
                figures[name] = sum(" ".join(chunk.split()).lower() in flat for chunk in chunks) / len(chunks)
        return figures | _overlap(Counter(_WORD.findall(gold["body"].lower())), Counter(_WORD.findall((body or "").lower())))
    return figures | _overlap(_shingles(gold["body"]), _shingles(body or ""))


def _overlap(gold: Counter[Any], found: Counter[Any]) -> dict[str, float]:
    hits = sum((gold & found).values())
    precision = hits / sum(found.values()) if found else 0.0
    recall = hits / sum(gold.values()) if gold else 0.0
    return {"p": precision, "r": recall, "f1": _f1(precision, recall), "found": float(bool(found))}


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text)
    return Counter(tuple(words[i : i + _SHINGLE]) for i in range(max(1, len(words) - _SHINGLE + 1))) if words else Counter()


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _rouge(paragraphs: Sequence[str], body: str | None) -> float:
    lines = [" ".join(line.split()) for line in (body or "").split("\n")]
    precision, recall = rouge_lsum(sentences("\n".join(paragraphs)), sentences("\n\n".join(line for line in lines if line)))
    return _f1(precision, recall)


def _variants(paragraphs: Sequence[str]) -> Iterable[list[str]]:
    """Yield the gold texts that are right: paragraphs in brackets may be there or not; of many, all or none."""
    optional = [i for i, paragraph in enumerate(paragraphs) if paragraph[0] == "[" and paragraph[-1] == "]"]
    plain = [paragraph.strip("[]") if i in optional else paragraph for i, paragraph in enumerate(paragraphs)]
    sizes: Iterable[int] = (0, len(optional)) if len(optional) > _MOST_OPTIONAL else range(len(optional) + 1)
    for dropped in dict.fromkeys(chosen for size in sizes for chosen in combinations(optional, size)):
        yield [paragraph for i, paragraph in enumerate(plain) if i not in dropped]


def total(dataset: str, pages: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the figures of a data set."""
    found: dict[str, float] = {}
    for name in ("refused", "refused other", "with", "without"):
        if values := [page[name] for page in pages if name in page]:
            found[name] = statistics.fmean(values)
    articles = [page for page in pages if "refused" in page]
    if dataset == "trafilatura":
        hits, wrong, chunks = (sum(page[name] for page in articles) for name in ("hits", "wrong", "chunks"))
        found["f1"] = _f1(hits / (hits + wrong) if hits + wrong else 0.0, hits / chunks if chunks else 0.0)
    elif dataset == "fe" or dataset in _BY_WORDS:
        found["f1"] = statistics.fmean(page["f1"] for page in articles)
    else:  # mean precision over the pages with an answer, mean recall over all
        precision = [page["p"] for page in articles if page["found"]]
        recall = statistics.fmean(page["r"] for page in articles)
        found["f1"] = _f1(statistics.fmean(precision) if precision else 0.0, recall)
    return found
