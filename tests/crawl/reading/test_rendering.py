"""Pages that only a browser shows: built by Chromium, whose requests obey all rules of the crawl."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import warm_command
from crawling import articles, command, reasons
from portal_server import Answer, PortalServer
from reading_faults import learned, perfect
from script_portals import PORTALS, STORIES, serve

from newscrawler.crawl.browser.process import find_tree
from newscrawler.extraction import ExtractionOptions, ExtractionState, read_article
from newscrawler.extraction.templates import PortalTemplate
from newscrawler.page import Document
from newscrawler.store import open_store
from newscrawler.store.archive import PageSelection, RecordKind, read_page

pytest.importorskip("playwright")
pytestmark = [
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed"),
    pytest.mark.timeout(180),
]
FEW = STORIES[:4]
API = "/api/stories/"


def configure(folder: Path, server: PortalServer, *, browser: str = "", **keys: Any) -> None:
    values = {"name": "courier", "start_urls": [server.url], "delay": 0, "render": "auto", **keys}
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    (folder / "newscrawler.toml").write_text("\n".join(["[[portal]]", *lines, "[browser]", browser, ""]))


def crawl(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return warm_command.run(
        command("crawl", "courier", "--json", *options), cwd=folder, capture_output=True, text=True, timeout=150, check=False
    )


@pytest.mark.parametrize(("portal", "stories"), [("unnamed api", FEW), ("shadow", FEW), ("endless", STORIES[:12])])
def test_articles_that_only_scripts_show_are_read_with_the_browser(portal: str, stories: Any, tmp_path: Path) -> None:
    with serve(portal, stories) as server:
        configure(tmp_path, server)
        done = crawl(tmp_path)

    assert done.returncode == 0, done.stderr
    assert perfect(tmp_path, stories) == len(stories)
    assert server.times("/static/app.js") == 1  # kept for the run
    if portal != "endless":  # two pages show where the API has an article; the others are read from there
        ways = learned(tmp_path)
        assert (ways["browser"]["articles"], ways["api"]["articles"]) == (2, len(stories) - 2)
    with sqlite3.connect(tmp_path / "newscrawler.sqlite") as connection:
        (logged,) = connection.execute("SELECT count(*) FROM request WHERE kind IN ('rendering', 'alternate')").fetchone()
    assert logged == sum(asked.path.startswith(("/api", "/static")) for asked in server.asked)


def test_a_page_whose_scripts_are_many_gets_further_with_each_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(warm_command.FIRST_PAUSE, "0.1")
    (story,) = FEW[:1]
    with serve("unnamed api", FEW[:1]) as server:
        page = server.routes[story.path]
        assert isinstance(page, str)
        chunks = [f"/static/chunk-{number}.js" for number in range(4)]
        first = "".join(f"<script src='{chunk}'></script>" for chunk in chunks)
        server.routes |= {chunk: Answer("window.ready = (window.ready || 0) + 1;", kind="text/javascript") for chunk in chunks}
        app = server.routes["/static/app.js"]
        assert isinstance(app, Answer)
        assert isinstance(app.body, str)
        app.body = app.body.replace("\nshow();", "\nif (window.ready === 4) show();")
        server.routes["/"] = f"<main><a href='{story.path}'>{story.title}</a></main>"
        server.routes[story.path] = page.replace("<script", f"{first}<script")
        configure(tmp_path, server)
        done = crawl(tmp_path)

    assert done.returncode == 0, done.stderr
    assert perfect(tmp_path, FEW[:1]) == 1
    asked = [each.path for each in server.asked if each.path == story.path or each.path.startswith(("/static", "/api"))]
    visits = " ".join(asked).split(story.path)[1:]
    assert len(visits) == 3
    assert max(len(visit.split()) for visit in visits) <= 2  # beside the page
    assert all(server.times(chunk) == 1 for chunk in chunks)


def test_always_builds_pages_that_show_text_too(tmp_path: Path) -> None:
    story = FEW[0]
    with serve("amp", FEW[:1]) as server:
        page = server.routes[f"/amp{story.path}"]
        assert isinstance(page, str)
        last = f"<p>{story.paragraphs[-1]}</p>"
        assert last in page
        script = f"<script>document.querySelector('article').insertAdjacentHTML('beforeend', {json.dumps(last)})</script>"
        server.routes[story.path] = page.replace(last, "").replace("</body>", f"{script}</body>")
        configure(tmp_path, server, render="always")
        crawl(tmp_path)

    assert perfect(tmp_path, FEW[:1]) == 1
    assert learned(tmp_path)["browser"]["articles"] == 1


def test_pages_are_not_built_without_the_operators_wish(tmp_path: Path) -> None:
    with serve("shadow", FEW) as server:
        configure(tmp_path, server, render="never")
        crawl(tmp_path)

    assert articles(tmp_path) == []
    assert server.times("/static/app.js") == 0


GRAPHQL = """
<html lang=en><head><title>The Courier</title></head><body><div id=root></div><script>
const post = query => fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify({query, variables: {slug: location.pathname}, extensions: {tracking: 1}})});
post("mutation { countView }").catch(() => {});
navigator.sendBeacon("/graphql", "{}");
post("query ($slug: ID!) { story(slug: $slug) { headline } }").then(answer => answer.json()).then(({data: {story}}) => {
  document.getElementById("root").innerHTML = "<article><h1>" + story.headline + "</h1><address>By " + story.author.name +
    "</address><time datetime=" + story.publishedAt + ">" + story.publishedAt.slice(0, 10) + "</time>" + story.body + "</article>";
});
</script></body></html>
"""


def test_what_robots_txt_forbids_a_publisher_reserves_or_may_change_something_reaches_no_page(tmp_path: Path) -> None:
    first, second, third, _ = FEW
    with serve("shadow", FEW) as server:
        server.routes["/robots.txt"] = Answer(f"User-agent: *\nDisallow: {API}{first.data['slug']}\n", kind="text/plain")
        reserved = server.routes[f"{API}{second.data['slug']}"]
        assert isinstance(reserved, Answer)
        reserved.headers["TDM-Reservation"] = "1"
        server.routes[third.path] = GRAPHQL
        server.routes["POST /graphql"] = Answer(json.dumps({"data": {"story": third.data}}), kind="application/json")
        configure(tmp_path, server)
        done = crawl(tmp_path)

    assert done.returncode == 0, done.stderr
    assert server.times(f"{API}{first.data['slug']}") == 0
    assert [json.loads(each) for each in server.posted] == [
        {"query": "query ($slug: ID!) { story(slug: $slug) { headline } }", "variables": {"slug": third.path}}
    ]
    assert perfect(tmp_path, FEW) == 2 == len(articles(tmp_path))
    with sqlite3.connect(tmp_path / "newscrawler.sqlite") as connection:
        caused = connection.execute("SELECT url FROM request WHERE kind = 'rendering' AND page_url LIKE '%' || ?", (third.path,))
        assert [url.removeprefix(server.url) for (url,) in caused] == ["graphql"]


HOSTILE = """
<!doctype html><html><head><title>The Courier</title></head><body><div id=root></div><script>
alert("a"); confirm("b"); prompt("c"); print();
for (let n = 0; n < 20; n++) window.open("http://127.0.0.1:%(port)d/opened" + n);
const link = document.createElement("a"); link.href = "/download"; link.download = "x"; document.body.append(link); link.click();
addEventListener("beforeunload", event => { event.preventDefault(); event.returnValue = "stay"; });
try { navigator.serviceWorker.register("/worker.js"); } catch (error) {}
for (const address of ["http://127.0.0.1:%(port)d/fetched", "http://[::1]:%(port)d/six", "http://localhost:%(port)d/named",
  "http://169.254.169.254/latest/meta-data/", "http://2130706433:%(port)d/number", "ws://127.0.0.1:%(port)d/socket"]) {
  fetch(address).catch(() => {}); fetch(address, {mode: "no-cors"}).catch(() => {});
  try { new WebSocket(address.replace("http", "ws")); } catch (error) {}
  try { navigator.sendBeacon(address, "x"); } catch (error) {}
  for (const kind of ["img", "iframe", "script", "video", "object", "embed", "source"]) {
    const element = document.createElement(kind); element.src = element.data = address + "/" + kind; document.body.append(element);
  }
  for (const rel of ["prefetch", "preconnect", "dns-prefetch", "prerender", "stylesheet", "icon", "manifest", "modulepreload"]) {
    const element = document.createElement("link");
    element.rel = rel; element.href = address + "/" + rel; document.head.append(element);
  }
  const form = document.createElement("form"); form.action = address; form.method = "post"; form.target = "_blank";
  document.body.append(form); form.submit();
}
const frame = document.createElement("iframe"); frame.srcdoc = "<script>new parent.top.Function('return 1')()</scr" + "ipt>";
document.body.append(frame);
try {
  const inner = frame.contentWindow;
  const Peer = window.RTCPeerConnection || (inner && inner.RTCPeerConnection);
  const peer = new Peer({iceServers: [{urls: "stun:127.0.0.1:%(port)d"}]});
  peer.createDataChannel("x"); peer.createOffer().then(offer => peer.setLocalDescription(offer));
} catch (error) {}
setTimeout(() => { location.href = "http://127.0.0.1:%(port)d/left"; }, 50);
setInterval(() => { document.title = Math.random(); }, 10);
%(worst)s
</script></body></html>
"""
WORST = {
    "a flood of requests": "const ask = n => { fetch('/flood/' + n).catch(() => {}); setTimeout(ask, 0, n + 1); }; ask(0);",
    "an endless loop": "setTimeout(() => { while (true) {} }, 300);",
    "gigabytes": "const kept = []; setInterval(() => { kept.push(new Uint8Array(2e8).fill(1)); }, 20);",
}


def test_a_hostile_page_neither_stops_the_crawl_nor_reaches_a_private_address(tmp_path: Path) -> None:
    paths = [f"/news/a-hostile-page-of-the-courier-{20_000 + number}" for number in range(len(WORST))]
    with PortalServer() as private, serve("unnamed api", FEW[:1]) as server:
        links = "".join(f"<a href='{path}'>A hostile page of the Courier, number {path[-1]}</a>" for path in paths)
        server.routes["/"] = f"<main>{links}<a href='{FEW[0].path}'>{FEW[0].title}</a></main>"
        for path, worst in zip(paths, WORST.values(), strict=True):
            server.routes[path] = HOSTILE % {"port": private.server_port, "worst": worst}
        configure(tmp_path, server, browser="deadline_seconds = 6\nmemory_megabytes = 700")
        done = crawl(tmp_path)

        assert private.asked == []
    assert done.returncode == 0, done.stderr
    assert perfect(tmp_path, FEW[:1]) == 1
    found = {path: str(reasons(tmp_path)[path][1]) for path in paths}
    assert found[paths[1]].startswith("not built by the browser")
    assert found[paths[2]].startswith("not built by the browser")
    assert sum(asked.path.startswith("/flood/") for asked in server.asked) <= 2 * len(paths)
    assert not [asked.path for asked in server.asked if asked.path in {"/download", "/worker.js", "/left"}]


def is_chromium(process: psutil.Process) -> bool:
    try:
        return "chromium" in process.name()
    except psutil.Error:
        return False


def test_a_browser_that_is_killed_costs_one_page_a_second_try(tmp_path: Path) -> None:
    killed = threading.Event()

    def kill(pid: Callable[[], int]) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            victims = [process for process in find_tree(pid()) if is_chromium(process)]
            if victims:
                for process in victims:
                    try:
                        process.kill()
                    except psutil.Error:
                        continue
                killed.set()
                return
            time.sleep(0.02)

    with serve("shadow", FEW) as server:
        slow = server.routes[f"{API}{FEW[0].data['slug']}"]

        def answer(_: PortalServer) -> Any:
            if not killed.is_set():
                killing.start()
                killing.join()
                time.sleep(1)  # the crawl has noticed by then, and its request is still under way
            return slow

        server.routes[f"{API}{FEW[0].data['slug']}"] = answer
        configure(tmp_path, server)
        process = warm_command.CommandProcess(
            command("crawl", "courier", "--json"), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        killing = threading.Thread(target=kill, args=(lambda: process.pid,))
        _, errors = process.communicate(timeout=120)

    assert killed.is_set()
    assert process.returncode == 0, errors
    assert perfect(tmp_path, FEW) == len(FEW)
    assert max(server.times(f"{API}{story.data['slug']}") for story in FEW) == 1
    assert max(server.times(story.path) for story in FEW) == 1


def test_consent_is_given_only_by_words_that_the_operator_allows(tmp_path: Path) -> None:
    story = FEW[0]
    wall = (
        "<html lang=en><head><title>The Courier</title></head><body><div id=wall><h1>We use cookies</h1>"
        "<p>We value your privacy.</p><button onclick=\"fetch('%s').then(r => r.json()).then(s => {{ document.body.innerHTML ="
        " '<article><h1>' + s.headline + '</h1><address>By ' + s.author.name + '</address><time datetime=' + s.publishedAt + '>' +"
        " s.publishedAt.slice(0, 10) + '</time>' + s.body + '</article>' }})\">Accept all</button></div></body></html>"
    ).replace("{{", "{").replace("}}", "}") % f"{API}{story.data['slug']}"
    for number, (words, expected) in enumerate((([], 0), (["Accept all"], 1))):
        folder = tmp_path / str(number)
        folder.mkdir()
        with serve("unnamed api", FEW[:1]) as server:
            server.routes["/"] = f"<main><a href='{story.path}'>{story.title}</a></main>"
            server.routes[story.path] = wall
            configure(folder, server, consent=words)
            crawl(folder)

        assert perfect(folder, FEW[:1]) == expected
        assert server.times(f"{API}{story.data['slug']}") == expected


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, PortalServer]]:
    """A portal that was crawled once, all of its pages built by the browser."""
    folder = tmp_path_factory.mktemp("rendered")
    with serve("shadow", FEW) as server:
        configure(folder, server, render="always")
        done = crawl(folder)
        assert done.returncode == 0, done.stderr
        yield folder, server


def test_pages_of_a_browser_are_read_again_from_what_is_kept(rendered: tuple[Path, PortalServer]) -> None:
    folder, server = rendered
    asked = len(server.asked)
    again = warm_command.run(
        command("reextract", "courier", "--apply"), cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )

    assert again.returncode == 0, again.stderr
    assert len(server.asked) == asked
    assert perfect(folder, FEW) == len(FEW)
    assert learned(folder)["browser"]["articles"] == len(FEW)


def test_a_template_is_learned_of_pages_of_a_browser(rendered: tuple[Path, PortalServer]) -> None:
    folder, _ = rendered
    with open_store(f"sqlite:///{folder}/newscrawler.sqlite", create=False) as store:
        stored = store.templates.in_use("courier")
        (kept, *_) = store.pages.select(PageSelection(portal="courier", outcome="article"))
    assert stored is not None
    template = PortalTemplate.from_json(stored.document)
    page = read_page(folder / "newscrawler-data" / "pages", kept.kept)
    drafts = [ExtractionState(page=Document.parse(page.body, page.url), fetched_at=page.fetched_at) for _ in range(2)]
    alone, found = (
        read_article(draft, ExtractionOptions(portal="courier", template=each))
        for draft, each in zip(drafts, (None, template), strict=True)
    )

    assert page.record is RecordKind.RESOURCE
    explained = drafts[1].explained
    assert explained is not None
    assert explained.explained
    assert found.body == alone.body


def test_the_figures_of_drift_show_a_new_layout_that_only_scripts_make(rendered: tuple[Path, PortalServer]) -> None:
    folder, server = rendered
    stories = STORIES[4:8]
    server.routes |= PORTALS["shadow"](stories)
    app = server.routes["/static/app.js"]
    assert isinstance(app, Answer)
    assert isinstance(app.body, str)
    app.body = app.body.replace("<article><h1></h1>", "<main class=v2><h1></h1><section>").replace(
        "</article>", "</section></main>"
    )
    for story in stories:
        body = str(story.data["body"]).replace("<p>", "<div class=line><span>").replace("</p>", "</span></div>")
        server.routes[f"{API}{story.data['slug']}"] = Answer(json.dumps(story.data | {"body": body}), kind="application/json")
    done = crawl(folder)

    assert done.returncode == 0, done.stderr
    drift = json.loads(done.stdout)["drift"]
    assert drift["template"] == 1
    assert drift["figures"]["explained"] == {"pages": len(stories), "mean": 0.0, "spread": 0.0}
