"""No two requests to a host lie closer than its delay, nor meet where there is none: the server itself is the witness."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from portal_server import Answer, PortalServer, address, listing, story
from town import Town, routes, smallest_gap, start

DELAY = 0.5


def on_several_pages(server: PortalServer, prefix: str) -> None:
    """An article on two pages; a section that has moved; a robots.txt that has moved too."""
    first = f"{prefix}{address(1)}".replace(".html", "/")
    numbers = f"<p class=page-links>Strany: <a href={first}>1</a> <a href={first}2/>2</a></p>"
    for part, path in enumerate((first, f"{first}2/"), start=1):
        server.routes[path] = story(1).replace("<p>1-", f"<p>Díl {part}, odstavec ").replace("</article>", f"</article>{numbers}")
    server.routes |= {
        "/robots.txt": Answer("", 301, {"Location": "/pravidla.txt"}),
        "/pravidla.txt": Answer("User-agent: *\nDisallow: /nic", kind="text/plain"),
        f"{prefix}/sport/": Answer("", 302, {"Location": f"{prefix}/sport/uvod/"}),
        f"{prefix}/sport/uvod/": listing(first, f"{prefix}{address(2)}", title="Sport"),
    }


def test_portals_at_one_host_or_address_keep_its_delay_together_across_redirects_and_further_pages(tmp_path: Path) -> None:
    with Town(tmp_path) as town:
        keys = f"delay = {DELAY}"
        server = town.add("a", routes(2, "/a") | routes(2, "/b") | routes(2, "/c"), start="{url}a/", keys=keys)
        on_several_pages(server, "/a")
        town.names = {"same.example": [server.host]}
        for name, url in (("b", f"{server.url}b/"), ("c", f"http://same.example:{server.server_port}/c/")):
            town.tables.append(f'[[portal]]\nname = "{name}"\nstart_urls = ["{url}"]\nnetworks = ["{server.host}/32"]\n{keys}\n')

        town.crawl()

        paths = town.asked("a")
        assert {"/pravidla.txt", "/a/sport/uvod/", f"/a{address(1)}".replace(".html", "/2/"), "/b/sport/", "/c/sport/"} <= set(
            paths
        )
        assert all(town.results[name]["new_articles"] >= 2 for name in "abc")
        assert smallest_gap(server.asked) >= 0.9 * DELAY


def test_processes_on_one_database_keep_its_delay_together_and_so_does_who_comes_after_a_kill(
    tmp_path: Path, database_url: str
) -> None:
    with Town(tmp_path) as town:
        server = town.add("a", routes(4, "/a") | routes(4, "/b"), start="{url}a/", keys=f"delay = {DELAY}")
        town.tables.append(f'[[portal]]\nname = "b"\nstart_urls = ["{server.url}b/"]\ndelay = {DELAY}\n')
        town.crawl("--max-pages", "1", "--database", database_url)
        killed = start(tmp_path, "a", "--database", database_url)
        beside = start(tmp_path, "b", "--database", database_url)
        while sum(item.path.startswith("/a") for item in server.asked) < 3:
            assert killed.poll() is None
        killed.kill()
        killed.communicate()

        for process in (start(tmp_path, "a", "--database", database_url), beside):
            _, error = process.communicate(timeout=200)
            assert process.returncode == 0, error

        assert len(server.asked) >= 14
        assert smallest_gap(server.asked) >= 0.9 * DELAY


def test_without_delay_processes_on_one_database_ask_a_host_in_turn(tmp_path: Path) -> None:
    busy, met = threading.Lock(), []

    def alone(server: PortalServer, page: str) -> str:
        met.append(not busy.acquire(blocking=False))
        time.sleep(0.03 if {item.path[:2] for item in server.asked} >= {"/a", "/b"} else 0.6)  # until both have begun
        if not met[-1]:
            busy.release()
        return page

    with Town(tmp_path) as town:
        server = town.add("a", routes(16, "/a") | routes(16, "/b"), start="{url}a/")
        town.tables.append(f'[[portal]]\nname = "b"\nstart_urls = ["{server.url}b/"]\ndelay = 0\n')
        town.crawl("--max-pages", "1")
        for path, page in list(server.routes.items()):
            server.routes[path] = lambda asked, page=page: alone(asked, page)  # type: ignore[misc]
        server.asked.clear()

        for process in [start(tmp_path, name) for name in "ab"]:
            _, error = process.communicate(timeout=200)
            assert process.returncode == 0, error

    order = "".join(item.path[1] for item in server.asked if item.path[1:3] in {"a/", "b/"})
    assert order.count("a") >= 17
    assert order.count("b") >= 17
    assert "ab" in order  # neither had to wait until the other had finished
    assert "ba" in order
    assert not any(met)
