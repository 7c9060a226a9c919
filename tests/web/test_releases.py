"""Releases in the browser: asked for, looked at, downloaded; and jobs with their progress and files."""

from __future__ import annotations

from dataclasses import replace

from web_site import Site, send

from newscrawler.article import Article, Paragraph
from newscrawler.service.tasks import carry_out_job
from newscrawler.store.service import JobKind, JobState
from newscrawler.store.web import Role

FORM = {"name": "news-1", "creators": "Eva Malá\nJan", "format": "jsonl", "query": "q=flood&portal=two"}


def add_articles(site: Site) -> None:
    for number in range(3):
        body = (Paragraph(text=f"The flood of {number} <script>alert(1)</script>"),)
        url = f"https://x.example/{number}"
        article = Article(title=f"<b>{number}", paragraphs=body, url=url, method="default", confidence=0.9)
        site.store.articles.add("two", article)


def test_a_release_is_asked_for_made_and_downloaded(site: Site) -> None:
    add_articles(site)
    site.store.service.enter(now=site.now)
    client = site.client()

    form = client.get("/releases?q=flood&portal=two").text
    assert "<b>words</b> flood" in form
    assert send(client, "/releases", page="/releases", **FORM | {"creators": " "}).status_code == 422
    assert send(client, "/releases", page="/releases", **FORM | {"name": "../x"}).status_code == 422
    assert send(client, "/releases", page="/releases", **FORM).headers["location"] == "/jobs"
    (job,) = site.store.jobs.open()
    carry_out_job(site.store, job, site.configuration)
    page = client.get("/releases/news-1").text
    data = client.get("/releases/news-1/files/data/articles.jsonl")

    assert 'href="/releases/news-1">news-1</a>' in client.get("/releases").text
    assert 'href="/releases/news-1">Open release</a>' in client.get("/jobs").text
    assert "Eva Malá, Jan" in page
    assert 'href="/releases/news-1/files/data/articles.jsonl"' in page
    assert data.headers["content-disposition"] == 'attachment; filename="articles.jsonl"'
    assert data.headers["content-type"] == "application/octet-stream"
    assert len(data.text.splitlines()) == 3
    assert send(client, "/releases", page="/releases", **FORM).status_code == 409
    assert send(client, "/releases/news-1", page="/releases/news-1", action="verify").headers["location"] == "/jobs"
    assert send(client, "/releases/news-1", page="/releases/news-1", action="diff", other="news-2").status_code == 404
    assert [each.kind for each in site.store.jobs.open()] == [JobKind.VERIFY]


def test_nothing_but_the_files_of_the_release_is_sent(site: Site) -> None:
    add_articles(site)
    site.store.service.enter(now=site.now)
    client = site.client()
    send(client, "/releases", page="/releases", **FORM)
    carry_out_job(site.store, site.store.jobs.latest()[-1], site.configuration)
    (site.folder / "newscrawler-data" / "releases" / "news-1" / "strange.txt").write_text("x")

    for path in ("../../../newscrawler.toml", "..%2f..%2f..%2fnewscrawler.toml", "%2fetc%2fpasswd", "strange.txt", "data", ""):
        assert client.get(f"/releases/news-1/files/{path}").status_code == 404, path
    assert client.get("/releases/..%2f..%2fetc").status_code == 404
    assert client.get("/releases/news-1/files/manifest.json").json()["articles"] == 3


def test_a_job_shows_how_far_it_is_and_sends_what_it_wrote(site: Site) -> None:
    site.store.service.enter(now=site.now)
    client = site.client()
    job = site.store.jobs.ask(JobKind.SELECTION, "csv", who="anna", now=site.now)
    job = site.store.jobs.put(replace(job, state=JobState.RUNNING, began_at=site.now))
    site.store.jobs.advance(job.id, 250, 1000)

    running = client.get("/jobs").text
    path = site.folder / "articles-1.csv"
    path.write_text("a,b\n")
    site.store.jobs.put(replace(job, state=JobState.DONE, message="2 articles written", ended_at=site.now, path=str(path)))

    assert '<progress max="1" value="0.250" aria-label="Job 1"></progress> 250 of 1,000 articles' in running
    assert 'http-equiv="refresh"' in running
    assert 'href="/jobs/1/file"' in client.get("/jobs").text
    assert client.get("/jobs/1/file").text == "a,b\n"
    assert client.get("/jobs/2/file").status_code == 404


def test_only_operators_release_and_read_pages_again(site: Site) -> None:
    site.store.service.enter(now=site.now)
    reader, operator = site.logged_in("rita", Role.READER), site.logged_in("anna", Role.OPERATOR)

    assert send(reader, "/releases", page="/account", **FORM).status_code == 403
    assert send(reader, "/portals/one/reextract", page="/account", apply="yes").status_code == 403
    assert "Make a release" not in reader.get("/releases").text
    assert send(operator, "/portals/one/reextract", page="/portals/one", apply="no").status_code == 303
    assert send(reader, "/explore/frequencies", page="/account", n="2").status_code == 303
    assert [(job.kind, job.target, job.parameters.get("apply")) for job in site.store.jobs.open()] == [
        (JobKind.REEXTRACT, "one", False), (JobKind.COUNT, "frequencies", None),
    ]  # fmt: skip
    asked = [(entry.who, entry.action) for entry in site.store.audit.entries()]
    assert asked[:2] == [("rita", "count asked for"), ("anna", "reextract asked for")]
