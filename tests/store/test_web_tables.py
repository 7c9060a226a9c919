"""What the web application keeps, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.config import Configuration
from newscrawler.errors import ConfigError
from newscrawler.service import Overviews
from newscrawler.store import Store, open_store
from newscrawler.store.service import Job, JobKind, JobState
from newscrawler.store.vocabularies import FINISHED
from newscrawler.store.web import IDLE, Role, TokenScope

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def test_accounts_sessions_and_tokens(store: Store) -> None:
    store.accounts.add("anna", password="hash", role=Role.READER, now=NOW)
    with pytest.raises(ConfigError, match="there is an account anna already"):
        store.accounts.add("anna", password="hash", role=Role.READER, now=NOW)
    account = store.accounts.get("anna")
    assert account is not None
    store.credentials.begin_session(account, "secret", now=NOW)
    store.credentials.add_token(account, "token", name="t", scope=TokenScope.WRITE, expires_at=NOW + timedelta(days=1), now=NOW)

    later = NOW + timedelta(hours=6)
    assert store.credentials.account_of_session("secret", now=later) == account
    assert store.credentials.account_of_session("secret", now=later + IDLE) is None
    assert store.credentials.account_of_session("other", now=NOW) is None
    assert store.credentials.account_of_token("token", now=NOW) == (account, TokenScope.WRITE)
    store.accounts.change("anna", role=Role.OPERATOR)
    assert store.credentials.account_of_session("secret", now=later) is None
    assert [each.role for each in store.accounts.all()] == [Role.OPERATOR]
    with pytest.raises(ConfigError, match="no account bert"):
        store.accounts.close("bert", now=NOW)


def test_jobs_and_the_audit_log(store: Store) -> None:
    job = store.jobs.ask(JobKind.CRAWL, "one", who="anna", now=NOW)
    assert store.jobs.ask(JobKind.CRAWL, "one", who="bert", now=NOW).id == job.id
    store.jobs.put(replace(job, state=JobState.DONE, message="x" * 500, ended_at=NOW))
    store.jobs.ask(JobKind.EXPORT, "all", now=NOW)  # of the schedule
    assert store.jobs.open() == []
    assert len(store.jobs.latest()[0].message) == 300
    for number in range(5):
        store.audit.note(who="anna", action="changed", subject=str(number), now=NOW)

    first = store.audit.entries(limit=3)

    assert [entry.subject for entry in first] == ["4", "3", "2"]
    assert [entry.subject for entry in store.audit.entries(before_id=first[-1].id)] == ["1", "0"]


def test_all_portals_are_read_at_once_as_they_are_one_by_one(store: Store) -> None:
    for portal in ("one", "two"):
        for day in range(3):
            at = NOW - timedelta(days=3 - day)
            run, _ = store.runs.begin(portal, now=at, version="test")
            counts = {"requests": 9, "pages": 5, "new_articles": day}
            store.runs.end(run.id, now=at + timedelta(hours=1), because=FINISHED, counts=counts)
            store.drift_checks.note(
                portal, day + 1, template=None, figures={}, broken=["it broke"] if day == 1 else [], done="", now=at
            )
        for number in range(2):
            at = NOW - timedelta(days=number)
            store.jobs.put(Job(kind=JobKind.CRAWL, target=portal, label=str(number), planned_at=at, state=JobState.STOPPED))

    assert store.runs.of_portals(["one", "two"], limit=2) == {name: store.runs.latest(name, limit=2) for name in ("one", "two")}
    assert store.jobs.crawls() == {name: store.jobs.crawls([name])[name] for name in ("one", "two")}
    assert [job.label for job in store.jobs.crawls(["two", "gone"], limit=1)["two"]] == ["0"]
    assert store.runs.whole_began_at(["two", "gone"]) == {"two": NOW - timedelta(days=1)}
    assert store.service.drift_of_portals(["one"]) == {"one": {2: ["it broke"]}}
    mark = store.runs.marks()["two"]
    assert (mark.ended_at, mark.whole_began_at) == (NOW - timedelta(hours=23), NOW - timedelta(days=1))
    overview = Overviews(store).read(Configuration(), now=NOW)
    assert {portal.name: len(portal.assessments) for portal in overview.portals} == {"one": 3, "two": 3}
    assert store.articles.counts() == {"one": 0, "two": 0}
