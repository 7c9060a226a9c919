"""People's verdicts on articles: right, or faulty, with corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, select

from newscrawler.store.articles.article_rows import SECTION_NAME
from newscrawler.store.database import StorePart, fill_record
from newscrawler.store.statements import match_given
from newscrawler.store.tables import ARTICLE, PAGE, PORTAL, REVIEW, VERDICT

#: The reviewer's name for verdicts given at the terminal.
TERMINAL = "terminal"


class Fault(StrEnum):
    """A fault of an article."""

    TITLE = "title-wrong"
    LEAD_MISSING = "lead-missing"
    LEAD_WRONG = "lead-wrong"
    PART_MISSING = "part-missing"
    FOREIGN = "foreign-text"
    DATE = "date-wrong"
    AUTHORS = "authors-wrong"
    NO_ARTICLE = "no-article"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The verdict of a person on one article."""

    portal: str
    article_id: int
    page_id: int
    url: str
    #: Words of Fault; empty: the article is right.
    faults: tuple[str, ...]
    #: The expected extraction, or the one judged faulty, as `newscrawler evaluate` reads it; None: only other fields are faulty.
    gold: Mapping[str, Any] | None
    note: str
    reviewed_at: datetime
    section: str | None = None

    @property
    def right(self) -> bool:
        """Return whether the article has no faults."""
        return not self.faults

    @property
    def is_corrected(self) -> bool:
        """Return whether the reviewer gave a correction."""
        return _is_corrected(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerVerdict:
    """The verdict of one reviewer on one article."""

    portal: str
    article_id: int
    section: str | None
    reviewer: str
    faults: tuple[str, ...]
    #: The reviewer gave a correction.
    is_corrected: bool
    note: str
    reviewed_at: datetime


class Reviews(StorePart):
    """The reviews of all portals: the verdict in force for each article, and those of all reviewers."""

    def of(self, portal: str | None = None) -> list[Review]:
        """Return all reviews, of a portal or of all, oldest first."""
        query = _select().where(*match_given((PORTAL.c.name, portal))).order_by(REVIEW.c.reviewed_at, REVIEW.c.id)
        return [_make_review(row) for row in self._read(query)]

    def get(self, article_id: int) -> Review | None:
        """Return the review of an article, if there is one."""
        row = self._read_first(_select().where(REVIEW.c.article_id == article_id))
        return _make_review(row) if row else None

    def save(
        self,
        article_id: int,
        page_id: int,
        *,
        faults: Sequence[str],
        gold: Mapping[str, Any] | None,
        note: str,
        now: datetime,
        reviewer: str = TERMINAL,
    ) -> None:
        """Store the verdict of a reviewer, replacing an earlier one; it becomes the verdict in force."""
        values = {
            "article_id": article_id, "page_id": page_id, "faults": list(faults), "gold": None if gold is None else dict(gold),
            "note": note, "reviewed_at": now,
        }  # fmt: skip
        mine = (VERDICT.c.article_id == article_id) & (VERDICT.c.reviewer == reviewer)
        with self._writing() as connection:
            connection.execute(delete(VERDICT).where(mine))
            connection.execute(insert(VERDICT).values(reviewer=reviewer, **values))
            _put_review(connection, article_id, values)

    def remove(self, article_id: int) -> bool:
        """Remove a review and all verdicts on its article; False: there is none."""
        with self._writing() as connection:
            connection.execute(delete(VERDICT).where(VERDICT.c.article_id == article_id))
            return connection.execute(delete(REVIEW).where(REVIEW.c.article_id == article_id)).rowcount > 0

    def withdraw(self, article_id: int, reviewer: str) -> bool:
        """Remove one reviewer's verdict; the latest other one comes into force. False: there is none."""
        mine = (VERDICT.c.article_id == article_id) & (VERDICT.c.reviewer == reviewer)
        others = select(VERDICT).where(VERDICT.c.article_id == article_id).order_by(VERDICT.c.reviewed_at.desc()).limit(1)
        with self._writing() as connection:
            removed = connection.execute(delete(VERDICT).where(mine)).rowcount > 0
            left = connection.execute(others).first()
            names = ("article_id", "page_id", "faults", "gold", "note", "reviewed_at")
            _put_review(connection, article_id, {name: getattr(left, name) for name in names} if left else None)
        return removed

    def verdicts(self, portal: str | None = None) -> list[ReviewerVerdict]:
        """Return the verdicts of all reviewers, of a portal or of all, oldest first."""
        query = (
            select(VERDICT, PORTAL.c.name.label("portal"), SECTION_NAME)
            .select_from(
                VERDICT.join(ARTICLE, ARTICLE.c.id == VERDICT.c.article_id).join(PORTAL, PORTAL.c.id == ARTICLE.c.portal_id)
            )
            .where(*match_given((PORTAL.c.name, portal)))
            .order_by(VERDICT.c.reviewed_at, VERDICT.c.id)
        )
        return [
            fill_record(ReviewerVerdict, row, faults=tuple(row.faults), is_corrected=_is_corrected(row))
            for row in self._read(query)
        ]


def _is_corrected(verdict: Any) -> bool:
    return bool(verdict.faults) and verdict.gold is not None and "faulty" not in verdict.gold


def _put_review(connection: Connection, article_id: int, values: Mapping[str, Any] | None) -> None:
    """Store the verdict in force for an article; None: remove it."""
    connection.execute(delete(REVIEW).where(REVIEW.c.article_id == article_id))
    if values is not None:
        portal_id = connection.execute(select(ARTICLE.c.portal_id).where(ARTICLE.c.id == article_id)).scalar_one()
        connection.execute(insert(REVIEW).values(portal_id=portal_id, **values))


def _select() -> Select[Any]:
    return select(REVIEW, PORTAL.c.name.label("portal"), PAGE.c.url, SECTION_NAME).select_from(
        REVIEW.join(PORTAL, PORTAL.c.id == REVIEW.c.portal_id)
        .join(PAGE, PAGE.c.id == REVIEW.c.page_id)
        .join(ARTICLE, ARTICLE.c.id == REVIEW.c.article_id)
    )


def _make_review(row: Row[Any]) -> Review:
    return fill_record(Review, row, faults=tuple(row.faults))
