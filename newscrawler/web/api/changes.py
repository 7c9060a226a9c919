"""Operations of the API that change something: verdicts on articles, jobs for the service, and releases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from newscrawler.config import Export, Portal
from newscrawler.corpus.reviews import read_gold, save_verdict
from newscrawler.store.articles import Fault
from newscrawler.store.service import Job, JobKind
from newscrawler.web.api.call import Operating, Reviewing, make_router
from newscrawler.web.api.models import SearchFilters, SentJob, SentRelease, SentVerdict, Whole, make_model
from newscrawler.web.requests.problems import RequestProblem, report_missing, require
from newscrawler.web.requests.selection import check_release_parameters
from newscrawler.web.requests.visit import add_job

_LONGEST_NOTE = 2_000
VERDICT = make_model("Verdict", article=int, faults=list[Fault] | None)
ADDED_JOB = make_model("AddedJob", Job, "id state")
router = make_router()


@router.post("/articles/{number}/review", response_model=VERDICT)
def review_article(call: Reviewing, number: Whole, said: SentVerdict) -> Any:
    """Save your verdict on an article."""
    stored = call.context.find_article(number)
    gold = None if said.gold is None else said.gold.model_dump(exclude_unset=True)
    if gold is not None and not said.faults:
        raise RequestProblem(422, "An article that is right needs no gold. Name what is wrong in faults.")
    if gold is not None and isinstance(wrong := read_gold(gold), str):
        raise RequestProblem(422, wrong)
    page = call.store.pages.of_article(number)
    if page is None:
        raise RequestProblem(409, f"The page of article {number} is not kept, so the article cannot be checked.")
    save_verdict(
        call.store, call.context.configuration.pages_folder, stored, page, faults=said.faults, corrected=gold,
        note=said.note[:_LONGEST_NOTE], now=call.now, reviewer=call.caller.name,
    )  # fmt: skip
    call.note("review", f"article {number}", ", ".join(said.faults) or "right")
    return {"article": number, "faults": said.faults}


@router.delete("/articles/{number}/review", response_model=VERDICT)
def withdraw_review(call: Reviewing, number: Whole) -> Any:
    """Withdraw your verdict on an article."""
    call.context.find_article(number)
    if not call.store.reviews.withdraw(number, call.caller.name):
        raise report_missing(f"verdict of {call.caller.name} on article {number}")
    call.note("review withdrawn", f"article {number}")
    return {"article": number, "faults": None}


@router.post("/jobs", response_model=ADDED_JOB)
def request_job(call: Operating, said: SentJob) -> Any:
    """Ask the service to crawl, to stop, to export or to read kept pages again; the configuration must have the target."""
    configured = call.context.configuration
    known: Sequence[Portal | Export] = configured.exports if said.kind is JobKind.EXPORT else configured.crawled
    if said.kind is JobKind.REEXTRACT:
        known = configured.portals
    kind = "export" if said.kind is JobKind.EXPORT else "portal"
    require(next((each for each in known if each.name == said.target), None), f"{kind} {said.target!r} in the configuration")
    parameters = {"apply": said.apply} if said.kind is JobKind.REEXTRACT else None
    return add_job(call.context, said.kind, said.target, who=call.caller.name, now=call.now, parameters=parameters)


@router.post("/releases", response_model=ADDED_JOB)
def request_release(call: Operating, said: SentRelease) -> Any:
    """Ask the service for a release of a selection."""
    parameters = check_release_parameters(
        call.store, said.name, (said.selection or SearchFilters()).model_dump(), **said.model_dump(exclude={"name", "selection"})
    )
    return add_job(call.context, JobKind.RELEASE, said.name, who=call.caller.name, now=call.now, parameters=parameters)
