"""Reviews: the portals with their results, and one article of a queue after another, each verdict with a key, saved at once."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any
from urllib.parse import urlencode

from starlette.responses import JSONResponse, Response

from newscrawler.corpus.formats import make_cell
from newscrawler.corpus.reviews import (
    ErrorClass,
    PortalResult,
    QueueOrder,
    compute_agreements,
    compute_mean_accuracy,
    order_queue,
    save_verdict,
    summarise_reviews,
)
from newscrawler.errors import ConfigError
from newscrawler.limits import REVIEW_QUEUE
from newscrawler.store.archive import StoredPage
from newscrawler.store.articles import Fault, Selection, StoredArticle
from newscrawler.store.web import Role
from newscrawler.web.pages.article import find_article
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import RequestProblem
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
        "review.html", portals=sorted(visit.store.articles.counts()), mine=mine, mean=compute_mean_accuracy(results),
        results={result.portal: result for result in results}, errors=list(ErrorClass), kinds=_count_kinds(results),
        agreements=compute_agreements(verdicts), orders=list(QueueOrder), usual=USUAL_COUNT,
    )  # fmt: skip


def export_results(visit: Visit) -> Response:
    """Return table 1 as CSV."""
    stream = StringIO()
    writer = csv.writer(stream)
    writer.writerow(["portal", "collected", "judged", "right", *ErrorClass, "accuracy", "from", "to"])
    for result in _compute_results(visit):
        low, high = result.interval
        errors = [result.errors.get(error, 0) for error in ErrorClass]
        shares = [f"{value:.4f}" for value in (result.accuracy, low, high)]
        writer.writerow([make_cell(result.portal), result.collected, result.judged, result.right, *errors, *shares])
    headers = {"Content-Disposition": 'attachment; filename="review-results.csv"'}
    return Response(stream.getvalue(), media_type="text/csv", headers=headers)


def _compute_results(visit: Visit) -> list[PortalResult]:
    return summarise_reviews(visit.store.reviews.of(), visit.store.articles.counts())


def _count_kinds(results: Sequence[PortalResult]) -> list[dict[str, Any]]:
    """Return the shares of each kind of error over all portals (figure 2 of the method), or nothing without an error."""
    counts = {error: sum(result.errors.get(error, 0) for result in results) for error in ErrorClass}
    total = sum(counts.values())
    shares = {error: count / total for error, count in counts.items()} if total else {}
    return [{"error": error, "articles": counts[error], "share": share} for error, share in shares.items()]


#: The key of each fault, and its label.
FAULTS: Sequence[tuple[str, Fault, str]] = (
    ("1", Fault.TITLE, "Headline wrong"),
    ("2", Fault.LEAD_MISSING, "Lead missing"),
    ("3", Fault.LEAD_WRONG, "Lead wrong"),
    ("4", Fault.PART_MISSING, "Text missing"),
    ("5", Fault.FOREIGN, "Boilerplate in text"),
    ("6", Fault.DATE, "Date wrong"),
    ("7", Fault.AUTHORS, "Authors wrong"),
    ("8", Fault.NO_ARTICLE, "Not an article"),
    ("9", Fault.OTHER, "Other"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """The articles to review one after another."""

    portal: str
    order: QueueOrder
    count: int
    seed: int
    articles: tuple[int, ...]

    @property
    def query(self) -> str:
        """Return the query of addresses in the queue."""
        return urlencode({"portal": self.portal, "order": str(self.order), "count": self.count, "seed": self.seed})

    def around(self, number: int) -> tuple[int | None, int | None]:
        """Return the articles before and after one."""
        if number not in self.articles:
            return None, self.articles[0] if self.articles else None
        place = self.articles.index(number)
        before = self.articles[place - 1] if place else None
        return before, self.articles[place + 1] if place + 1 < len(self.articles) else None


def start_queue(visit: Visit) -> Response:
    """Redirect to the first article of a queue that this reviewer has not judged."""
    queue = _find_queue(visit)
    if queue is None or not queue.articles:
        raise RequestProblem(404, "There is nothing to review in this order.")
    done = {each.article_id for each in visit.store.reviews.verdicts(queue.portal) if each.reviewer == visit.user.name}
    first = next((number for number in queue.articles if number not in done), None)
    return visit.go(f"/review?done={queue.portal}" if first is None else f"/review/{first}?{queue.query}")


def show_judging(visit: Visit) -> Response:
    """Show an article next to its page, with the verdict of this reviewer."""
    stored, page = find_judged_article(visit)
    queue = _find_queue(visit)
    verdicts = visit.store.reviews.verdicts(stored.article.portal)
    mine = {each.article_id: each for each in verdicts if each.reviewer == visit.user.name}
    before, after = queue.around(stored.id) if queue else (None, None)
    return visit.page(
        "judging.html", stored=stored, article=stored.article, page=page, queue=queue, before=before, after=after, faults=FAULTS,
        place=queue.articles.index(stored.id) + 1 if queue and stored.id in queue.articles else None,
        done=sum(number in mine for number in queue.articles) if queue else 0, mine=mine.get(stored.id),
    )  # fmt: skip


def save_judgement(visit: Visit) -> Response:
    """Save a verdict."""
    stored, page = find_judged_article(visit)
    faults = [fault for fault in dict.fromkeys(visit.form.all("fault")) if fault in set(Fault)]
    if visit.form.text("verdict") == "right":
        faults = []
    elif not faults:  # the last fault was withdrawn
        visit.store.reviews.withdraw(stored.id, visit.user.name)
        return _answer_verdict(visit, stored, "not judged")
    save_verdict(
        visit.store, visit.context.configuration.pages_folder, stored, page, faults=faults, corrected=None,
        note=visit.form.text("note")[:2000], now=visit.now, reviewer=visit.user.name,
    )  # fmt: skip
    visit.note("review", f"article {stored.id}", ", ".join(faults) or "right")
    return _answer_verdict(visit, stored, ", ".join(faults) or "right")


def withdraw_judgement(visit: Visit) -> Response:
    """Withdraw this reviewer's verdict on an article."""
    stored, _ = find_judged_article(visit)
    if visit.store.reviews.withdraw(stored.id, visit.user.name):
        visit.note("review withdrawn", f"article {stored.id}")
    return _answer_verdict(visit, stored, "not judged")


def _answer_verdict(visit: Visit, stored: StoredArticle, verdict: str) -> Response:
    """Return JSON to our script. Without it, redirect to the next article after the verdict right, else to the same one."""
    if visit.form.text("script"):
        return JSONResponse({"article": stored.id, "verdict": verdict})
    queue = _find_queue(visit)
    after = queue.around(stored.id)[1] if queue else None
    number = after if verdict == "right" and after is not None else stored.id
    return visit.go(f"/review/{number}?{visit.query}")


def find_judged_article(visit: Visit) -> tuple[StoredArticle, StoredPage]:
    """Return the article of a path and its kept page."""
    stored = find_article(visit)
    review = visit.store.reviews.get(stored.id)
    page = visit.store.pages.get(review.page_id) if review else visit.store.pages.of_article(stored.id)
    if page is None:
        raise RequestProblem(409, f"The page of article {stored.id} is not kept, so the article cannot be checked.")
    return stored, page


def _find_queue(visit: Visit) -> Queue | None:
    """Return the queue that an address names, or None."""
    portal = visit.query.get("portal", "")
    if not portal:
        return None
    order = visit.query.get("order", str(QueueOrder.RANDOM))
    if order not in set(QueueOrder):
        raise RequestProblem(422, f"The order must be one of: {', '.join(QueueOrder)}.")
    count = min(REVIEW_QUEUE, parse_whole_number(visit.query.get("count", "100"), "count"))
    seed = parse_whole_number(visit.query.get("seed", "0"), "seed")
    try:
        chosen = Selection(portal=portal, **visit.context.reserved)
        lines = order_queue(visit.store, chosen, QueueOrder(order), count=count, seed=seed)
    except ConfigError:
        lines = []
    return Queue(portal=portal, order=QueueOrder(order), count=count, seed=seed, articles=tuple(line.id for line in lines))


PAGES = (
    Page(path="/review", show=show_reviews),
    Page(path="/review/results.csv", show=export_results),
    Page(path="/review/start", show=start_queue, role=Role.REVIEWER),
    Page(path="/review/{number}", show=show_judging, role=Role.REVIEWER, change=save_judgement),
    Page(path="/review/{number}/undo", show=show_judging, role=Role.REVIEWER, change=withdraw_judgement),
)
