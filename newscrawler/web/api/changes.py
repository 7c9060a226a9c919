"""Operations of the API that change something: verdicts on articles, and jobs for the service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from newscrawler.corpus.reviews import read_gold, save_verdict
from newscrawler.store.articles import Fault, StoredArticle
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role
from newscrawler.web.api.operation import Call, HttpMethod, Operation, Parameter
from newscrawler.web.requests.asking import add_job
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import RequestProblem, report_missing

_LONGEST_NOTE = 2_000
#: Jobs that need only a target.
_ASKED = (JobKind.CRAWL, JobKind.STOP, JobKind.EXPORT, JobKind.REEXTRACT)


class SentGold(BaseModel):
    """The correct values of an article."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: str | None = None
    lead: str | None = None
    body: str
    date: str | None = None
    authors: list[str] = []


def review(call: Call) -> Any:
    """Save the caller's verdict on an article."""
    stored = _article(call)
    faults, gold, note = call.body.get("faults", []), call.body.get("gold"), call.body.get("note", "")
    if not isinstance(faults, list) or any(fault not in list(Fault) for fault in faults):
        raise RequestProblem(422, f"faults must be a list of: {', '.join(Fault)}; empty: the article is right.")
    try:
        gold = None if gold is None else SentGold.model_validate(gold).model_dump(exclude_unset=True)
    except ValidationError:
        raise RequestProblem(
            422, "gold must be null, or an object of title, lead, body and date, texts, and authors, a list."
        ) from None
    if gold is not None and not faults:
        raise RequestProblem(422, "An article that is right needs no gold. Name what is wrong in faults.")
    if gold is not None and isinstance(wrong := read_gold(gold), str):
        raise RequestProblem(422, wrong)
    page = call.store.pages.of_article(stored.id)
    if page is None:
        raise RequestProblem(409, f"The page of article {stored.id} is not kept, so the article cannot be checked.")
    folder = call.context.configuration.pages_folder
    save_verdict(
        call.store, folder, stored, page, faults=faults, corrected=gold, note=str(note)[:_LONGEST_NOTE], now=call.now,
        reviewer=call.caller.name,
    )  # fmt: skip
    _note(call, "review", f"article {stored.id}", ", ".join(faults) or "right")
    return {"article": stored.id, "faults": faults}


def withdraw(call: Call) -> Any:
    """Withdraw the caller's verdict on an article."""
    stored = _article(call)
    if not call.store.reviews.withdraw(stored.id, call.caller.name):
        raise report_missing(f"verdict of {call.caller.name} on article {stored.id}")
    _note(call, "review withdrawn", f"article {stored.id}", "")
    return {"article": stored.id, "faults": None}


def ask(call: Call) -> Any:
    """Ask the service to crawl, to stop, to export or to read kept pages again."""
    kind, target = call.body.get("kind"), call.body.get("target")
    if kind not in _ASKED or not isinstance(target, str):
        raise RequestProblem(422, f"kind must be one of: {', '.join(_ASKED)}; target the name of a portal or of an export.")
    parameters = {"apply": call.body.get("apply") is True} if kind == JobKind.REEXTRACT else None
    job = add_job(call.store, JobKind(kind), target[:200], who=call.caller.name, now=call.now, parameters=parameters)
    return {"id": job.id, "state": job.state}


def _article(call: Call) -> StoredArticle:
    number = parse_whole_number(call.arguments["number"], "number")
    stored = call.store.articles.get(number)
    if stored is None:
        raise report_missing(f"article {number}")
    return stored


def _note(call: Call, action: str, subject: str, detail: str) -> None:
    call.store.audit.note(who=call.caller.name, action=action, subject=subject, detail=detail, now=call.now)


_NUMBER = Parameter(name="number", about="the number of an article", kind="integer")
OPERATIONS: Sequence[Operation] = (
    Operation(
        path="/articles/{number}/review", summary="Save your verdict on an article", answer=review, method=HttpMethod.POST,
        parameters=(_NUMBER,), role=Role.REVIEWER,
        body={"faults": "a list of words for what is wrong; empty: right", "note": "text",
              "gold": "the correct values: an object of title, lead, body, date and authors; or null"},
    ),
    Operation(
        path="/articles/{number}/review", summary="Withdraw your verdict", answer=withdraw, method=HttpMethod.DELETE,
        parameters=(_NUMBER,), role=Role.REVIEWER,
    ),
    Operation(
        path="/jobs", summary="Ask the service to crawl, to stop, to export or to read kept pages again", answer=ask,
        method=HttpMethod.POST, role=Role.OPERATOR,
        body={"kind": f"one of: {', '.join(_ASKED)}", "target": "the name of a portal or of an export",
              "apply": "true: write the changes of pages that are read again"},
    ),
)  # fmt: skip
