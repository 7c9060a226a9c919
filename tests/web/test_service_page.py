"""The page of the service: exports."""

from __future__ import annotations

from dataclasses import replace

from web_site import Site, send

from newscrawler.store.service import Job, JobKind, JobState
from newscrawler.store.web import Role


def test_exports_are_shown_and_an_export_is_asked_for(site: Site) -> None:
    file = site.folder / "newscrawler.toml"
    file.write_text(file.read_text() + '\n[[export]]\nname = "weekly"\npath = "weekly.jsonl"\n')
    written = Job(kind=JobKind.EXPORT, target="weekly", state=JobState.DONE, planned_at=site.now, ended_at=site.now)
    site.store.jobs.put(replace(written, path="weekly.jsonl", progress=1234, last_article_id=9))
    client = site.client()

    page = client.get("/service").text
    assert "1,234" in page
    assert "Write weekly now" not in page
    assert send(client, "/service", page="/portals/one", export="weekly").status_code == 409
    site.store.service.enter(now=site.now)

    assert "Write weekly now" in client.get("/service").text
    assert send(client, "/service", page="/service", export="nothing").status_code == 404
    assert send(client, "/service", page="/service", export="weekly").status_code == 303
    assert [(job.kind, job.target) for job in site.store.jobs.open()] == [(JobKind.EXPORT, "weekly")]
    reader = site.logged_in("rita", Role.READER)
    assert send(reader, "/service", page="/account", export="weekly").status_code == 403
