"""A portal full of traps: all its articles come home, and little is asked of what leads on without end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import warm_command
from crawling import articles, command, reasons, summary
from portal_server import Answer, PortalServer, Route, address, listing, story

COUNT = 24
#: What the portal answers with 200 where it has no page: it reads like an article.
NOWHERE = (
    "<html lang=cs><head><meta charset=utf-8><title>Deník</title></head><body><nav><a href=/>Domů</a></nav><article><h1>Deník</h1>"
    + "".join(
        f"<p>{part}. Denně pro vás píšeme o městě, kraji i světě, a to už třicet let. Vyberte si z toho, co dnes ostatní čtou "
        "nejvíce, nebo se vraťte na začátek a hledejte dál mezi tisíci zpráv z archivu.</p>"
        for part in ("Jedna", "Dvě", "Tři", "Čtyři")
    )
    + "</article></body></html>"
)


class Traps(dict[str, "Route"]):
    """Routes without end."""

    def get(self, path: str, default: Any = None) -> Any:
        found = super().get(path)
        if found is not None:
            return found
        if page := re.fullmatch(r"/kraj/\?page=(\d+)", path):  # repeats its last page
            number = int(page[1])
            shown = [address(n) for n in (range(7, 13) if number == 2 else range(13, 19))]
            return listing(*shown, f"/kraj/?page={number - 1}", f"/kraj/?page={number + 1}", title="Kraj")
        if tag := re.fullmatch(r"/tag/slovo-(\d+)/", path):  # empty, and leads to more of its kind
            number = int(tag[1])
            return listing(*(f"/tag/slovo-{number * 3 + more}/" for more in range(1, 4)), title=f"Slovo {number}")
        if path.startswith("/okres/"):  # a relative link that counts from the wrong folder
            return listing("okres/obce/", title="Okres")
        if day := re.fullmatch(r"/kalendar/(\d{4})/(\d\d?)/", path):
            following = int(day[1]) * 12 + int(day[2])
            return listing(f"/kalendar/{following // 12}/{following % 12 + 1}/", title="Kalendář")
        if path in {"/robots.txt", "/favicon.ico"}:
            return Answer("", 404)
        return NOWHERE


def routes() -> Traps:
    sorted_and_filtered = [f"/sport/?sort={by}&filter={what}" for by in ("cas", "nazev", "autor") for what in range(8)]
    sessions = [f"{address(n)}?relace_sessid={n * 7919:x}abcdef" for n in range(19, COUNT + 1)]
    missing = [f"/zpravy/starosta-slibil-opravu-mostu-cislo-{n}-uz-podruhe-{5000 + n}.html" for n in range(12)]
    return Traps(
        {
            "/": listing(
                "/sport/", "/kraj/", "/okres/", "/kalendar/2026/11/", "/tag/slovo-1/", *(address(n) for n in range(19, 25))
            ),
            "/sport/": listing(*(address(n) for n in range(1, 4)), *sorted_and_filtered, title="Sport"),
            "/kraj/": listing(*(address(n) for n in range(4, 7)), "/kraj/?page=2", *sessions, *missing, title="Kraj"),
            **{address(n): story(n) for n in range(1, COUNT + 1)},
        }
    )


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PortalServer, dict[str, Any], Path]]:
    folder = tmp_path_factory.mktemp("traps")
    with PortalServer(routes()) as server:
        crawl = command("crawl", server.url, "--delay", "0", "--json")
        done = warm_command.run(crawl, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 0, done.stderr
        yield server, summary(done), folder


Night = tuple[PortalServer, dict[str, Any], Path]


def asked(night: Night, pattern: str) -> list[str]:
    return [item.path for item in night[0].asked if re.search(pattern, item.path)]


def test_every_article_comes_home_and_nothing_else(night: Night) -> None:
    stored = articles(night[2])

    assert {item.article.title for item in stored} == {f"Most číslo {n} se letos dočká opravy" for n in range(1, COUNT + 1)}
    assert len(stored) == COUNT


def test_all_traps_together_cost_few_requests(night: Night) -> None:
    assert len(night[0].asked) <= 3 * COUNT


def test_orders_filters_and_sessions_are_never_asked_for(night: Night) -> None:
    assert not asked(night, r"sort=|filter=|sessid=")
    assert night[1]["skipped"]["crawler trap"] >= 24
    assert {reason for path, (_, reason) in reasons(night[2]).items() if "sort=" in path} == {"crawler trap: sort or filter"}
    assert not any("sessid=" in path for path in reasons(night[2]))  # without their sessions they are known


def test_a_path_that_grows_is_left(night: Night) -> None:
    assert len(asked(night, "^/okres/")) <= 2
    assert "crawler trap: growing path" in {reason for _, reason in reasons(night[2]).values()}


def test_a_calendar_is_left(night: Night) -> None:
    assert len(asked(night, "^/kalendar/")) <= 14


def test_pagination_that_repeats_its_last_page_is_left(night: Night) -> None:
    assert len(asked(night, r"^/kraj/\?page=")) <= 14


def test_empty_tag_pages_are_left_and_counted(night: Night) -> None:
    assert len(asked(night, "^/tag/")) <= 9
    assert night[1]["skipped"]["pattern never led to an article"] >= 1


def test_the_report_names_the_patterns_that_were_given_up(night: Night) -> None:
    given_up, (told,) = night[1]["given_up"], [note for note in night[1]["notes"] if "patterns given up" in note]

    assert any(pattern.startswith("/tag/") for pattern in given_up)
    assert all(f"{pattern} ({count})" in told for pattern, count in given_up.items())


def test_a_page_in_place_of_a_missing_one_is_no_article_and_costs_one_request(night: Night) -> None:
    probes = asked(night, r"^/[a-p]{9}-[a-p]{11}/$")

    assert len(probes) == 1
    assert night[1]["refused"]["missing page answered with 200"] >= 3
