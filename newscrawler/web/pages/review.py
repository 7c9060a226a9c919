"""The start page of reviews: portals to review, and the results so far."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Any

from starlette.responses import Response

from newscrawler.corpus import Svg, draw_bar
from newscrawler.corpus.reviews import (
    ErrorClass,
    PortalResult,
    QueueOrder,
    compute_agreements,
    compute_mean_accuracy,
    summarise_reviews,
)
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.visit import Visit

#: The authors of the method reviewed as many of each portal.
USUAL_COUNT = 100


def show_reviews(visit: Visit) -> Response:
    """Show the portals, and the results so far."""
    verdicts = visit.store.reviews.verdicts()
    results = _compute_results(visit)
    mine = {
        name: sum(each.portal == name and each.reviewer == visit.user.name for each in verdicts)
        for name in visit.store.articles.counts()
    }
    return visit.page(
        "review.html",
        portals=sorted(visit.store.articles.counts()),
        mine=mine,
        results={result.portal: result for result in results},
        bars={result.portal: _draw_accuracy(result) for result in results},
        mean=compute_mean_accuracy(results),
        errors=list(ErrorClass),
        kinds=_count_kinds(results),
        agreements=compute_agreements(verdicts),
        orders=list(QueueOrder),
        usual=USUAL_COUNT,
    )


def export_results(visit: Visit) -> Response:
    """Return table 1 as CSV."""
    stream = StringIO()
    writer = csv.writer(stream)
    writer.writerow(["portal", "collected", "judged", "right", *ErrorClass, "accuracy", "from", "to"])
    for result in _compute_results(visit):
        low, high = result.interval
        errors = [result.errors.get(error, 0) for error in ErrorClass]
        shares = [f"{value:.4f}" for value in (result.accuracy, low, high)]
        writer.writerow([_escape_cell(result.portal), result.collected, result.judged, result.right, *errors, *shares])
    headers = {"Content-Disposition": 'attachment; filename="review-results.csv"'}
    return Response(stream.getvalue(), media_type="text/csv", headers=headers)


def _compute_results(visit: Visit) -> list[PortalResult]:
    return summarise_reviews(visit.store.reviews.of(), visit.store.articles.counts())


def _count_kinds(results: Sequence[PortalResult]) -> list[dict[str, Any]]:
    """Return the shares of each kind of error over all portals (figure 2 of the method), or nothing without an error."""
    counts = {error: sum(result.errors.get(error, 0) for result in results) for error in ErrorClass}
    total = sum(counts.values())
    shares = {error: count / total for error, count in counts.items()} if total else {}
    return [{"error": error, "articles": counts[error], "share": share, "bar": draw_bar(share)} for error, share in shares.items()]


def _draw_accuracy(result: PortalResult) -> Svg:
    low, high = result.interval
    label = f"{result.portal}: {result.accuracy:.1%}, 95% interval {low:.1%} to {high:.1%}"
    return draw_bar(result.accuracy, interval=result.interval, label=label)


def _escape_cell(text: str) -> str:
    """Return a cell that spreadsheets do not read as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text


PAGES = (Page(path="/review", show=show_reviews), Page(path="/review/results.csv", show=export_results))
