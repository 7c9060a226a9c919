"""Crawls that are requested in the browser while no service runs end with alerts, as scheduled crawls do."""

from __future__ import annotations

import json
import socket
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from newscrawler.config import load_configuration
from newscrawler.service import RequestedJobs
from newscrawler.store import Store, open_store
from newscrawler.store.service import JobKind, JobState


def test_a_requested_crawl_of_a_dead_host_ends_with_an_alert_that_is_delivered(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    told = tmp_path / "told.json"
    (tmp_path / "newscrawler.toml").write_text(
        f'[crawler]\ncontact = "a@uni.example"\ndatabase = "sqlite:///newscrawler.sqlite"\n[alerts]\ncommand = ["tee", "{told}"]\n'
        f'[[portal]]\nname = "dead"\nstart_urls = ["http://127.0.0.1:{port}/"]\n'
    )
    configuration = load_configuration(tmp_path / "newscrawler.toml")
    with open_store(configuration.database_url) as store, RequestedJobs(store, lambda: configuration).running():
        store.jobs.ask(JobKind.CRAWL, "dead", who="anna", now=datetime.now(UTC))
        ends_at = time.monotonic() + 90
        while time.monotonic() < ends_at and not (told.exists() and told.read_text("utf-8")):
            time.sleep(0.2)
        alerts = store.service.open_alerts()

    assert {alert.portal for alert in alerts} == {"dead"}
    assert "dead" in json.loads(told.read_text("utf-8"))["text"]


def test_a_second_web_application_leaves_the_jobs_of_the_first_alone_and_follows_it(tmp_path: Path) -> None:
    (tmp_path / "newscrawler.toml").write_text('[crawler]\ndatabase = "sqlite:///newscrawler.sqlite"\n')
    configuration = load_configuration(tmp_path / "newscrawler.toml")
    with open_store(configuration.database_url) as store:
        begin_job(store)
        with RequestedJobs(store, lambda: configuration).running():
            wait_for_end(store)  # what was left half done is closed as it begins
            begin_job(store)
            with RequestedJobs(store, lambda: configuration).running():
                time.sleep(1)
                assert [each.state for each in store.jobs.running()] == [JobState.RUNNING]
        with RequestedJobs(store, lambda: configuration).running():
            wait_for_end(store)


def begin_job(store: Store) -> None:
    job = store.jobs.ask(JobKind.COUNT, "counts", who="anna", now=datetime.now(UTC), parameters={"tool": "counts"})
    store.jobs.put(replace(job, state=JobState.RUNNING, began_at=datetime.now(UTC)))


def wait_for_end(store: Store) -> None:
    ends_at = time.monotonic() + 30
    while time.monotonic() < ends_at and store.jobs.running():
        time.sleep(0.1)
    assert not store.jobs.running()
