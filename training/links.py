"""Measure the weight of a link beside its page: a logistic regression over the log-odds of both, on labelled pages with addresses.

The page's log-odds come from models that saw no page of its host. The text of the link is the title of the page, as in a crawl.
"""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from newscrawler.discovery.urls import CLASSIFIERS, PageLink
from newscrawler.extraction.body.block_classifier import load_block_classifier
from newscrawler.extraction.body.features import block_features
from newscrawler.extraction.body.forest import sigmoid
from newscrawler.extraction.body.page_kind import compute_features
from newscrawler.extraction.body.page_words import read_page_words
from newscrawler.page import Document
from training.own_pages import is_unnamed
from training.page_kinds import Floats, PageSamples
from training.pages import SETS, LabelledPage, load

_STEPS, _LEAST_SCORE = 50, 0.001


def measure_links(root: Path) -> dict[str, float]:
    """Return the weight of a link's log-odds as a share of the page's, and the log-odds of a link that says nothing."""
    with Pool(2) as pool:
        read = pool.imap(_describe, (page for name in (*SETS, "own", "software") for page in load(root, name)), chunksize=50)
        found = [pair for pair in read if pair is not None]
    samples = PageSamples(cast("Any", [page for page, _ in found]), [likely for _, likely in found], seed=0)
    of_page = samples.find_unseen_log_odds()
    chosen = np.array([cast("Any", page).score is not None for page in samples.pages])
    chosen[len(chosen) // 2 :] = False  # each page comes twice, the second time without its address
    score = np.array([cast("Any", page).score for page in samples.pages])[chosen].astype(float)
    rows = np.stack([of_page[chosen], np.log(score / (1 - score)), np.ones(len(score))], axis=1)
    page, link, constant = _fit(rows, samples.article[chosen])
    return {"pages": len(rows), "weight": link / page, "neutral": -constant / link}


def _describe(page: LabelledPage) -> tuple[Any, Floats] | None:
    document = Document.parse(page.html, page.address)
    if not document.layout.blocks:
        return None
    features, url = block_features(document), page.url or ""
    score = CLASSIFIERS["default"](PageLink(href=url, page_url=url, anchor=document.title)).article_score
    sample = SimpleNamespace(
        dataset=page.dataset, host=page.host, other_kind=page.other_kind, disturbed=False,
        unnamed=page.dataset == "own" and is_unnamed(page.host), features=SimpleNamespace(rows=features.rows),
        of_page=np.array(compute_features(document, features), dtype=np.float32), page_words=read_page_words(document),
        score=min(max(score, _LEAST_SCORE), 1 - _LEAST_SCORE) if url.partition("://")[2].partition("/")[2] else None,
    )  # fmt: skip
    return sample, load_block_classifier().probabilities(features)


def _fit(rows: Floats, labels: Any) -> Iterator[float]:
    """Yield the coefficients of a logistic regression in which articles and other pages weigh the same (Newton's method)."""
    weight = np.where(labels, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    found = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        likely = sigmoid(rows @ found)
        curve = (rows * (weight * likely * (1 - likely))[:, None]).T @ rows
        found -= np.linalg.solve(curve + 1e-9 * np.eye(len(found)), rows.T @ (weight * (likely - labels)))
    yield from found.tolist()
