"""The states of an article's text, each at a permanent address, and the changes between them, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from starlette.responses import Response

from newscrawler.article import Paragraph
from newscrawler.corpus.formats.word_changes import Piece, changed_words, compared_paragraphs
from newscrawler.store import Store
from newscrawler.store.articles import StoredArticle
from newscrawler.web.pages.article import find_article
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The text of an article as one visit found it."""

    title: str
    lead: str | None
    paragraphs: Sequence[Paragraph]
    fetched_at: datetime | None
    #: Why a later state replaced it; empty for the current one.
    why: str = ""

    @property
    def texts(self) -> list[str]:
        """Return the paragraphs as text."""
        return [paragraph.text for paragraph in self.paragraphs]


def list_states(store: Store, stored: StoredArticle) -> list[State]:
    """Return all states of an article, oldest first; the last is the current one."""
    earlier = [
        State(
            title=revision.title, lead=revision.lead, paragraphs=revision.paragraphs, fetched_at=revision.fetched_at,
            why=revision.detail or str(revision.reason),
        )
        for revision in store.articles.revisions(stored.id)
    ]  # fmt: skip
    now = stored.article
    return [*earlier, State(title=now.title, lead=now.lead, paragraphs=now.paragraphs, fetched_at=now.fetched_at)]


def show_revision(visit: Visit) -> Response:
    """Show a state with the changes since the previous one, or its plain text on request.

    Raises:
        RequestProblem: there is no such state.
    """
    stored = find_article(visit)
    number = parse_whole_number(visit.arguments["revision"], "revision")
    states = list_states(visit.store, stored)
    if not 1 <= number <= len(states):
        raise report_missing(f"state {number} of this article")
    state, before = states[number - 1], states[number - 2] if number > 1 else None
    title: list[Piece] = []
    body: list[tuple[Piece, ...]] = []
    marks = before is not None and visit.query.get("marks") != "no"
    if before is not None and marks:
        title = list(changed_words(before.title, state.title))
        body = list(compared_paragraphs(before.texts, state.texts))
    return visit.page(
        "revision.html",
        stored=stored,
        number=number,
        count=len(states),
        state=state,
        before=before,
        marks=marks,
        title=title,
        body=body,
    )


PAGES = (Page(path="/articles/{number}/revisions/{revision}", show=show_revision),)
