"""What a crawl brings home, what it leaves alone, and how it takes trouble."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest
from crawling import Crawl, articles, reasons, summary
from portal_server import Answer, PortalServer, address, listing, story


def portal(server: PortalServer, count: int = 6) -> None:
    """A front page, two sections, articles."""
    server.routes |= {
        "/": listing("/sport/", "/domaci/", address(1)),
        "/sport/": listing(*(address(number) for number in range(1, count // 2 + 1)), title="Sport"),
        "/domaci/": listing(*(address(number) for number in range(count // 2 + 1, count + 1)), title="Domácí"),
        **{address(number): story(number) for number in range(1, count + 1)},
    }


def test_a_crawl_finds_its_way_from_the_front_page_over_sections_to_articles(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    portal(server)

    done = crawl(server.url)

    assert done.returncode == 0, done.stderr
    assert summary(done)["new_articles"] == 6
    stored = articles(tmp_path)
    assert {item.article.title for item in stored} == {f"Most číslo {n} se letos dočká opravy" for n in range(1, 7)}
    assert all(item.article.published_at for item in stored)


def test_no_page_is_fetched_twice(server: PortalServer, crawl: Crawl) -> None:
    portal(server)

    crawl(server.url)

    paths = [item.path for item in server.asked]
    assert len(paths) == len(set(paths))


def test_the_next_night_brings_only_what_is_new(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    crawl(server.url)
    server.routes |= {"/sport/": listing(address(7), address(1), title="Sport"), address(7): story(7)}
    server.asked.clear()

    done = crawl(server.url)

    assert summary(done)["new_articles"] == 1
    assert len(articles(tmp_path)) == 7
    assert not any(server.times(address(number)) for number in range(1, 7))


def test_every_request_says_who_we_are(server: PortalServer, crawl: Crawl) -> None:
    portal(server)

    crawl(server.url, "--contact", "me@corpus.example")

    assert {item.agent.partition("/")[0] for item in server.asked} == {"newscrawler"}
    assert all("me@corpus.example" in item.agent for item in server.asked)


def test_the_delay_is_kept_between_any_two_requests(server: PortalServer, crawl: Crawl) -> None:
    portal(server)
    server.routes["/sport/"] = Answer("", 301, {"Location": "/sport/uvod/"})
    server.routes["/sport/uvod/"] = listing(address(1), title="Sport")

    crawl(server.url, delay="0.5")

    gaps = [later.at - earlier.at for earlier, later in pairwise(server.asked)]
    assert len(gaps) >= 6
    assert min(gaps) >= 0.45


def test_what_robots_txt_forbids_is_never_asked_for(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    server.routes["/robots.txt"] = Answer("User-agent: newscrawler\nDisallow: /domaci\nDisallow: /tajne\n", kind="text/plain")
    server.routes["/sport/"] = Answer("", 302, {"Location": "/tajne/sport/"})

    crawl(server.url)

    assert not [item for item in server.asked if item.path.startswith(("/domaci", "/tajne"))]
    assert reasons(tmp_path)["/domaci/"] == ("skipped", "forbidden by robots.txt")
    assert reasons(tmp_path)["/tajne/sport/"] == ("skipped", "forbidden by robots.txt")


def test_a_page_of_html_in_place_of_robots_txt_forbids_nothing(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    server.routes["/robots.txt"] = "<!doctype html><p>User-agent: *<br>Disallow: /"

    crawl(server.url)

    assert len(articles(tmp_path)) == 6


@pytest.mark.usefixtures("short_pauses")
def test_a_robots_txt_that_fails_closes_the_portal(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    server.routes["/robots.txt"] = Answer("", 503)

    done = crawl(server.url)

    assert {item.path for item in server.asked} == {"/robots.txt"}
    assert done.returncode == 1
    assert reasons(tmp_path)["/"][1] == f"no answer to robots.txt: {server.url}robots.txt answers 503"


def test_a_crawl_delay_slows_down(server: PortalServer, crawl: Crawl) -> None:
    portal(server, 2)
    server.routes["/robots.txt"] = Answer("User-agent: *\nCrawl-delay: 0.3\n", kind="text/plain")

    crawl(server.url)

    gaps = [later.at - earlier.at for earlier, later in pairwise(server.asked)]
    assert min(gaps) >= 0.27  # between robots.txt and the first page, too


def test_other_hosts_are_left_alone_even_after_a_redirect(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    with PortalServer({"/": story(99), address(5): story(5)}) as other:
        portal(server)
        server.routes["/sport/"] = listing(other.url, f"{other.url}{address(5)[1:]}")
        server.routes["/domaci/"] = Answer("", 302, {"Location": f"{other.url}"})

        crawl(server.url)

        assert other.asked == []
    assert reasons(tmp_path)["/domaci/"] == ("done", f"redirect out of scope: {other.url}")


@pytest.mark.usefixtures("short_pauses")
def test_an_error_that_passes_costs_no_article(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    answers = iter([Answer("", 500), Answer("", 502), story(3)])
    server.routes[address(3)] = lambda _: next(answers)

    done = crawl(server.url)

    assert summary(done)["new_articles"] == 6
    assert summary(done)["retries"] == 2
    assert reasons(tmp_path)[address(3)] == ("done", None)


def test_a_server_that_asks_for_a_pause_gets_it(server: PortalServer, crawl: Crawl) -> None:
    portal(server)
    answers = iter([Answer("", 429, {"Retry-After": "3"}), story(3)])
    server.routes[address(3)] = lambda _: next(answers)

    done = crawl(server.url, delay="0.05")

    at = next(index for index, item in enumerate(server.asked) if item.status == 429)
    assert server.asked[at + 1].at - server.asked[at].at >= 2.9
    assert summary(done)["new_articles"] == 6


@pytest.mark.usefixtures("short_pauses")
def test_bad_pages_are_refused_with_their_reason_and_stop_nothing(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    bad: dict[str, object] = {
        "/zpravy/prazdna-stranka-11.html": "",
        "/zpravy/obrazek-misto-clanku-12.html": Answer(b"\x89PNG\r\n", kind="image/png"),
        "/zpravy/obrovska-stranka-13.html": "<p>" + "velmi dlouhá stránka " * 2_500_000,
        "/zpravy/nic-tu-neni-14.html": Answer("Nenalezeno", 404),
        "/zpravy/spadlo-spojeni-15.html": lambda _: None,
        "/zpravy/dokola-16.html": Answer("", 302, {"Location": "/zpravy/dokola-16.html"}),
        "/zpravy/rozbite-html-17.html": "<html><div><<p <table></i>" + "<div>" * 6000,
    }
    server.routes |= bad  # type: ignore[arg-type]
    server.routes["/"] = listing("/sport/", "/domaci/", *bad)

    done = crawl(server.url)

    told = {path: reasons(tmp_path)[path] for path in bad}
    assert summary(done)["new_articles"] == 6
    assert done.returncode == 0
    assert [told[path][1] for path in bad][:4] == ["empty page", "not HTML: image/png", "too large: over 5 MiB", "HTTP status: 404"]
    assert told["/zpravy/spadlo-spojeni-15.html"][0] == "failed"
    assert (told["/zpravy/spadlo-spojeni-15.html"][1] or "").startswith("connection lost")
    assert (told["/zpravy/dokola-16.html"][1] or "").startswith("too many redirects")
    assert told["/zpravy/rozbite-html-17.html"][0] == "done"


def test_a_chain_of_redirects_that_never_ends_is_given_up(server: PortalServer, crawl: Crawl) -> None:
    portal(server)
    for step in range(200):
        server.routes[f"/sport/?n={step}"] = Answer("", 302, {"Location": f"/sport/?n={step + 1}"})
    server.routes["/sport/"] = Answer("", 302, {"Location": "/sport/?n=0"})

    done = crawl(server.url)

    assert summary(done)["redirects"] <= 12


def test_a_calendar_that_never_ends_does_not_keep_us(server: PortalServer, crawl: Crawl) -> None:
    portal(server)
    for month in range(500):
        server.routes[f"/kalendar/{month}/"] = listing(f"/kalendar/{month + 1}/", title=f"Kalendář {month}")
    server.routes["/"] = listing("/sport/", "/domaci/", "/kalendar/0/")

    done = crawl(server.url)

    assert summary(done)["new_articles"] == 6
    assert sum(item.path.startswith("/kalendar") for item in server.asked) <= 20


@pytest.mark.parametrize(
    ("option", "value", "field", "most"),
    [("--max-pages", "4", "requests", 4), ("--max-articles", "2", "new_articles", 2)],
)
def test_limits_are_kept_to_the_letter(server: PortalServer, crawl: Crawl, option: str, value: str, field: str, most: int) -> None:
    portal(server)

    done = crawl(server.url, option, value)

    assert summary(done)[field] == most
    assert summary(done)["ended_because"].startswith("limit")


def test_what_a_limit_left_comes_the_next_night(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)

    for _ in range(4):
        crawl(server.url, "--max-pages", "5")

    assert len(articles(tmp_path)) == 6


@pytest.mark.usefixtures("short_pauses")
def test_a_host_that_does_not_answer_is_one_clear_sentence(crawl: Crawl) -> None:
    with PortalServer() as gone:
        url = gone.url
    began = time.monotonic()

    done = crawl(url)

    assert done.returncode == 1
    assert "connection refused" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert time.monotonic() - began < 60


def test_a_page_in_an_old_encoding_keeps_its_accents(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    page = story(1).replace("charset=utf-8", "charset=windows-1250").encode("cp1250")
    server.routes[address(1)] = Answer(page, kind="text/html")

    crawl(server.url)

    assert len({item.article.title for item in articles(tmp_path)}) == 6
    assert "Most číslo 1 se letos dočká opravy" in {item.article.title for item in articles(tmp_path)}


def parts_of_an_article(server: PortalServer) -> str:
    """Article 1 on three pages, each with the numbers of all."""
    first = address(1).replace(".html", "/")
    numbers = f"<p class=page-links>Strany: <a href={first}>1</a> <a href={first}2/>2</a> <a href={first}3/>3</a></p>"
    for part, path in enumerate((first, f"{first}2/", f"{first}3/"), start=1):
        text = story(1).replace("<p>1-", f"<p>Díl {part}, odstavec ").replace("mili", f"mili{'o' * part}")
        server.routes[path] = text.replace("</article>", f"</article>{numbers}")
    server.routes["/sport/"] = listing(first, title="Sport")
    return first


def test_an_article_on_several_pages_is_one_record_in_order(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    server.routes["/"] = listing("/sport/")
    first = parts_of_an_article(server)

    crawl(server.url)

    (stored,) = articles(tmp_path)
    starts = [paragraph.text.partition(".")[0] for paragraph in stored.article.paragraphs]
    assert starts == [f"Díl {part}, odstavec {number}" for part in (1, 2, 3) for number in range(4)]
    assert [server.times(path) for path in (first, f"{first}2/", f"{first}3/")] == [1, 1, 1]


@pytest.mark.usefixtures("short_pauses")
def test_an_article_waits_for_a_page_of_it_that_fails(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    server.routes["/"] = listing("/sport/")
    first = parts_of_an_article(server)
    second = server.routes[f"{first}2/"]
    server.routes[f"{first}2/"] = lambda asked: second if asked.times(f"{first}2/") else Answer("", 503)  # type: ignore[return-value]

    crawl(server.url)

    (stored,) = articles(tmp_path)
    assert len(stored.article.paragraphs) == 12


def test_a_calendar_in_the_address_is_a_trap_and_is_counted(server: PortalServer, crawl: Crawl) -> None:
    portal(server)
    server.routes["/"] = listing("/sport/", "/domaci/", "/calendar/2026/11/", "/calendar/2026/12/")

    done = crawl(server.url)

    assert summary(done)["skipped"] == {"crawler trap": 2}
    assert not any(item.path.startswith("/calendar") for item in server.asked)


def test_small_limits_get_on_all_the_same(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)

    for _ in range(9):
        crawl(server.url, "--max-pages", "2")

    assert len(articles(tmp_path)) == 6


def test_print_and_amp_forms_are_not_fetched_beside_the_article_and_a_foreign_canonical_is_not_believed(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    forms = [f"{address(number)}{ending}" for number in (1, 2) for ending in ("?amp=1", "?outputType=amp")]
    foreign = story(2).replace("</head>", "<link rel=canonical href='http://elsewhere.example/2'></head>")
    own = story(1).replace("</head>", f"<link rel=canonical href='{address(1)}'></head>")
    server.routes |= {
        "/": listing(address(1), address(2), *forms),
        address(1): own, address(2): foreign, **dict.fromkeys(forms, story(9)),
    }  # fmt: skip

    crawl(server.url)

    assert not [item.path for item in server.asked if "amp" in item.path]
    found = {item.article.title.split()[2]: item.article.canonical_url for item in articles(tmp_path)}
    assert found == {"1": server.url + address(1)[1:], "2": None}
