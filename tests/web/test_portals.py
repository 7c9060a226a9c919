"""Portals: what a page shows of one, and what an operator changes."""

from __future__ import annotations

import json
import re
import time
from datetime import date

import pytest
from kept_pages import Archive
from portal_server import PortalServer, Route, address, listing, story
from web_site import Site, form_token, send

from newscrawler.config import KeyKind, get_portal_keys, load_configuration
from newscrawler.corpus.templates import learn_by_hand
from newscrawler.errors import PageReason
from newscrawler.extraction import ExtractionOptions
from newscrawler.store.articles.templates import TemplateState
from newscrawler.store.frontier import FoundUrl
from newscrawler.store.service import JobKind
from newscrawler.store.vocabularies import FINISHED, FrontierKind, Reason
from newscrawler.store.web import Role


def test_a_portal_shows_its_nights_crawls_and_what_was_learned(site: Site) -> None:
    site.nights("one", [20, 22, 19, 21, 20, 21, 20, 22, 3])
    for version in (1, 2):
        document = json.dumps({"version": version, "name": "<b>x</b>"})
        site.store.templates.add(
            "one", document, origin="learned", state=TemplateState.IN_USE, note="it reads better", now=site.now
        )
    client = site.client()

    page = client.get("/portals/one").text
    difference = client.get("/portals/one/template/2").text
    send(client, "/portals/one/template/1", page="/portals/one/template/1")

    assert re.search("3 new articles, about 2[01] are usual", page)
    assert "it reads better" in page
    assert page.count('href="/runs/') == 9
    assert "<ins>+ &#34;version&#34;: 2" in difference
    used = site.store.templates.in_use("one")
    assert used is not None
    assert used.version == 1
    assert client.get("/portals/nobody").status_code == 404


def test_a_key_is_changed_in_the_file_and_its_comments_stay(site: Site) -> None:
    client = site.client()
    page = client.get("/portals/two/keys").text
    assert "at most 86400" in page or "0 to 86400" in page

    wrong = send(client, "/portals/two/keys", page="/portals/two/keys", delay="often", schedule="30 1 * * *")
    assert wrong.status_code == 422
    assert "delay is &#39;often&#39;; it must be a number of seconds" in wrong.text
    refused = send(client, "/portals/two/keys", page="/portals/two/keys", schedule="each night")
    assert refused.status_code == 422
    done = send(client, "/portals/two/keys", page="/portals/two/keys", delay="0.5", exclude="/shop/\n/video/", schedule="")

    assert done.status_code == 303
    text = (site.folder / "newscrawler.toml").read_text()
    assert "# the first portal" in text
    portal = load_configuration(site.folder / "newscrawler.toml").portals[1]
    assert (portal.delay_seconds, portal.schedule) == (0.5, "nightly")
    assert [pattern.pattern for pattern in portal.exclude] == ["/shop/", "/video/"]
    assert site.store.audit.entries()[0].detail.startswith("delay: '5.0' → '0.5'")


def test_every_key_of_a_portal_is_offered_with_its_kind() -> None:
    kinds = {key.name: key.kind for key in get_portal_keys()}

    assert kinds["paused"] is KeyKind.FLAG
    assert kinds["max_pages"] is KeyKind.WHOLE_NUMBER
    assert kinds["delay"] is KeyKind.NUMBER
    assert kinds["start_urls"] is KeyKind.LIST
    assert kinds["window"] is KeyKind.TEXT


def test_pause_resume_crawl_and_stop(site: Site) -> None:
    client = site.client()
    assert send(client, "/portals/one", page="/portals/one", action="crawl").status_code == 409
    site.store.service.enter(now=site.now)

    for action in ("crawl", "stop", "pause"):
        assert send(client, "/portals/one", page="/portals/one", action=action).status_code == 303
    assert load_configuration(site.folder / "newscrawler.toml").portals[0].paused
    assert "Resume" in client.get("/portals/one").text
    send(client, "/portals/one", page="/portals/one", action="resume")

    assert "paused" not in (site.folder / "newscrawler.toml").read_text()
    assert [(job.kind, job.target, job.asked_by) for job in site.store.jobs.open()] == [
        (JobKind.CRAWL, "one", "local"),
        (JobKind.STOP, "one", "local"),
    ]
    assert "requested by local" in client.get("/portals/one").text
    assert send(client, "/portals/one", page="/portals/one", action="explode").status_code == 422


def test_only_operators_change_portals(site: Site) -> None:
    reader = site.logged_in("rita", Role.READER)
    token = form_token(reader.get("/account").text)

    for path in (
        "/portals/one",
        "/portals/one/keys",
        "/portals/one/remove",
        "/portals/one/template/0",
        "/add-portal",
        "/add-portal/1",
    ):
        assert reader.post(path, data={"csrf": token, "action": "pause", "name": "one", "delay": "1"}).status_code == 403, path
    assert reader.get("/portals/one").status_code == 200
    assert "Add a portal" not in reader.get("/").text


def test_a_portal_is_removed_once_its_name_is_repeated(site: Site) -> None:
    client = site.client()

    assert send(client, "/portals/one/remove", page="/portals/one", name="two").status_code == 422
    assert send(client, "/portals/one/remove", page="/portals/one", name="one").status_code == 303

    assert [portal.name for portal in load_configuration(site.folder / "newscrawler.toml").portals] == ["two"]


def test_a_portal_is_looked_at_before_it_is_added(site: Site) -> None:
    routes: dict[str, Route] = {"/": listing(*(address(number) for number in range(1, 5)))}
    routes |= {address(number): story(number) for number in range(1, 5)}
    client = site.client()
    file = site.folder / "newscrawler.toml"
    file.write_text(file.read_text().replace("[crawler]\n", "[crawler]\ndefaults = {delay = 0}\n"))
    with PortalServer(routes) as server:
        fields = {"url": f"{server.url}/", "name": "new", "time_zone": "Europe/Prague"}
        started = send(client, "/add-portal", page="/add-portal", **fields)
        path = started.headers["location"]
        for _ in range(1000):
            page = client.get(path).text
            if "Fetching a few pages" not in page:
                break
            time.sleep(0.1)

    assert "Most číslo 1 se letos dočká opravy" in page, re.sub("<[^>]+>", " ", page)  # a text is printed whole
    assert page.count('<details class="facet"') == 3
    assert "<dt>Front page</dt>" in page
    assert "(a page that leads to others)" in page
    assert "<dt>robots.txt</dt><dd>http" in page
    frames = re.findall(r'<iframe [^>]*sandbox=""[^>]* src="([^"]+)"', page)
    assert len(frames) == 3
    shown = client.get(frames[0])
    assert "Most číslo" in shown.text
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert client.get(f"{path}/pages/9").status_code == 404
    added = send(client, path, page=path)
    assert added.headers["location"] == "/portals/new"
    portal = load_configuration(file).portals[-1]
    assert (portal.name, portal.time_zone) == ("new", "Europe/Prague")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://www.example.org/", "A contact address is required before crawling"),
        ("file:///etc/passwd", "is not an address to fetch from"),
        ("--help", "is not an address to fetch from"),
        ("http://127.0.0.1:1/ --config x", "is not an address to fetch from"),
    ],
)
def test_an_address_that_may_not_be_asked_is_refused_before_anything_is_fetched(site: Site, url: str, said: str) -> None:
    client = site.client()

    refused = send(client, "/add-portal", page="/add-portal", url=url)

    assert refused.status_code == 422
    assert said in refused.text


def test_a_crawl_is_followed_live_and_compared(site: Site) -> None:
    site.nights("one", [20, 22])
    run, _ = site.store.runs.begin("one", now=site.now, version="test")
    client = site.client()

    live = client.get(f"/runs/{run.id}").text
    site.store.runs.end(run.id, now=site.now, because=site.store.runs.latest("one")[1].ended_because, counts={"pages": 7})
    events = client.get(f"/runs/{run.id}/events")
    page, result = client.get("/runs/2?compare=1").text, client.get(f"/runs/{run.id}").text

    assert "/static/live.js" in live
    assert "named articles" not in live  # it would not move with the figures
    assert "named articles" in result
    assert events.headers["content-type"].startswith("text/event-stream")
    said = json.loads(events.text.removeprefix("data: "))
    assert said["figures"]["New articles"] == ["0", "of 7 pages"]
    assert said["outcomes"] == {"New articles": 0}
    assert (said["errors"], said["lines"], said["ended"]) == ([], [], "Complete: 0 new articles from 7 pages in 0 s.")
    assert re.search(r'New articles</th><td class="num">22</td><td class="num faint">20</td><td class="num">[+]2</td>', page)
    assert client.get("/runs/99").status_code == 404


def test_politeness_shows_the_gaps_that_were_kept(site: Site) -> None:
    archive = Archive(site.folder, portal="one")
    archive.night([])

    assert "No request yet; two requests to a host are at least 5 s apart" in site.client().get("/portals/one").text


def test_a_field_is_set_by_pointing_at_it(site: Site) -> None:
    archive = Archive(site.folder, portal="one")
    around = "<article class='post type-post status-publish format-standard hentry category-news tag-bridge entry'>"
    marked = [story(number).replace("<h1>", "<h1 class='main css-1x9f82'>").replace("<article>", around) for number in range(1, 7)]
    assert all(around in page for page in marked)
    archive.night([(f"https://one.example{address(number)}", marked[number - 1]) for number in range(1, 7)])
    reading = ExtractionOptions(portal="one", required=frozenset())
    learn_by_hand(site.store, archive.pages, reading, now=site.now, force=True)
    client = site.client()

    frame = client.get("/portals/one/field/page?field=title")
    assert frame.headers["content-security-policy"].startswith(
        "sandbox allow-top-navigation-by-user-activation; default-src 'none'"
    )
    links = re.findall(r'href="([^"]*)"', frame.text)
    assert links
    assert {link.partition("?")[0] for link in links} == {"/portals/one/field"}
    headline = re.search(r'href="([^"]*)" target="_top">title</a>Most ', frame.text)
    assert headline
    target = headline[1].replace("&amp;", "&")
    page = client.get(target).text
    assert "<code>h1.main</code>" in page
    assert "css-1x9f82" not in page.split("<iframe")[0]
    assert "6 of 6" in page
    done = send(client, "/portals/one/field", page=target, field="title", selector="h1.main")

    assert done.headers["location"] == "/portals/one/template/2"
    used = site.store.templates.in_use("one")
    assert used is not None
    assert json.loads(used.document)["overrides"] == {"title": "css: h1.main"}
    assert used.note == "title set by hand to css: h1.main, found on 6 of 6 kept pages"
    assert send(client, "/portals/one/field", page=target, field="lead", selector="h7.x").status_code == 422
    assert client.get("/portals/one/field?field=colour").status_code == 422
    assert client.get("/portals/one/field?block=999").status_code == 404


def test_the_past_of_a_portal_has_a_calendar_of_months(site: Site) -> None:
    site.nights("one", [20])
    assert 'id="past"' not in site.client().get("/portals/one").text

    run, frontier = site.store.runs.begin("one~past", now=site.now, version="test", past_of="one")
    found = [
        FoundUrl(
            url=f"https://www.example.org/a{number}", kind=FrontierKind.ARTICLE, priority=1, depth=1, day=date(2018, 1 + number, 5),
            day_percent=97, skipped=Reason(PageReason.OUT_OF_RANGE, "") if number == 3 else None,
        )
        for number in range(4)
    ]  # fmt: skip
    frontier.seed(found, now=site.now)
    counts = {"new_articles": 0, "range": ["2018-01-01", "2018-03-31"]}
    site.store.runs.end(run.id, now=site.now, because=FINISHED, counts=counts)
    page = site.client().get("/portals/one").text

    assert "0 of 3 known articles of the range are stored, 3 wait" in page
    assert "1 addresses are outside the range" in page
    assert "since=2018-02-01&amp;until=2018-02-28" in page
    assert page.count("URLs are left in the queue") == 3
    assert "one~past" not in site.client().get("/").text
