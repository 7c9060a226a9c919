"""What a crawl brings home, what it leaves alone, and how it takes trouble."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import Crawl, articles, summary
from portal_server import Answer, PortalServer, address, listing, story
from town import Town, smallest_gap

from newscrawler.article import Article
from newscrawler.store import open_store
from newscrawler.store.articles import Selection

BAD = {
    "/zpravy/prazdna-stranka-11.html": "",
    "/zpravy/obrazek-misto-clanku-12.html": Answer(b"\x89PNG\r\n", kind="image/png"),
    "/zpravy/obrovska-stranka-13.html": "<p>" + "velmi dlouhá stránka " * 300_000,
    "/zpravy/nic-tu-neni-14.html": Answer("Nenalezeno", 404),
    "/zpravy/spadlo-spojeni-15.html": lambda _: None,
    "/zpravy/dokola-16.html": Answer("", 302, {"Location": "/zpravy/dokola-16.html"}),
    "/zpravy/rozbite-html-17.html": "<html><div><<p <table></i>" + "<div>" * 6000,
}


def portal(server: PortalServer, count: int = 6) -> PortalServer:
    """A front page, two sections, articles."""
    server.routes |= {
        "/": listing("/sport/", "/domaci/", address(1)),
        "/sport/": listing(*(address(number) for number in range(1, count // 2 + 1)), title="Sport"),
        "/domaci/": listing(*(address(number) for number in range(count // 2 + 1, count + 1)), title="Domácí"),
        **{address(number): story(number) for number in range(1, count + 1)},
    }
    return server


def parts_of_an_article(server: PortalServer) -> str:
    """Article 1 on three pages, each with the numbers of all."""
    first = address(1).replace(".html", "/")
    numbers = f"<p class=page-links>Strany: <a href={first}>1</a> <a href={first}2/>2</a> <a href={first}3/>3</a></p>"
    for part, path in enumerate((first, f"{first}2/", f"{first}3/"), start=1):
        text = story(1).replace("<p>1-", f"<p>Díl {part}, odstavec ").replace("mili", f"mili{'o' * part}")
        server.routes[path] = text.replace("</article>", f"</article>{numbers}")
    server.routes |= {"/": listing("/sport/"), "/sport/": listing(first, title="Sport")}
    return first


def forms_of_an_article(server: PortalServer) -> None:
    """Two articles with links to their AMP forms; the second names a page of another host as its own."""
    forms = [f"{address(number)}{ending}" for number in (1, 2) for ending in ("?amp=1", "?outputType=amp")]
    foreign = story(2).replace("</head>", "<link rel=canonical href='http://elsewhere.example/2'></head>")
    own = story(1).replace("</head>", f"<link rel=canonical href='{address(1)}'></head>")
    server.routes = {
        "/": listing(address(1), address(2), *forms),
        address(1): own, address(2): foreign, **dict.fromkeys(forms, story(9)),
    }  # fmt: skip


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """One crawl of many portals; each test looks at one of them."""
    with Town(tmp_path_factory.mktemp("town")) as made, PortalServer({"/": story(99), address(5): story(5)}) as other:
        servers = {
            name: portal(made.add(name, {}))
            for name in (
                "plain", "forbids", "outward", "fails", "bad", "chain", "calendar", "old", "parts", "part-fails", "trap", "forms",
            )
        }  # fmt: skip
        portal(made.add("slow", {}), 2).routes["/robots.txt"] = Answer("User-agent: *\nCrawl-delay: 0.3\n", kind="text/plain")
        portal(made.add("four-pages", {}, keys="delay = 0\nmax_pages = 4"))
        portal(made.add("two-articles", {}, keys="delay = 0\nmax_articles = 2"))

        robots = "User-agent: newscrawler\nDisallow: /domaci\nDisallow: /tajne\n"
        servers["forbids"].routes |= {
            "/robots.txt": Answer(robots, kind="text/plain"), "/sport/": Answer("", 302, {"Location": "/tajne/sport/"}),
        }  # fmt: skip
        servers["outward"].routes |= {
            "/sport/": listing(other.url, f"{other.url}{address(5)[1:]}"), "/domaci/": Answer("", 302, {"Location": other.url}),
        }  # fmt: skip
        answers = iter([Answer("", 500), Answer("", 502), story(3)])
        servers["fails"].routes[address(3)] = lambda _: next(answers)
        servers["bad"].routes |= BAD | {"/": listing("/sport/", "/domaci/", *BAD)}
        chain = {f"/sport/?n={step}": Answer("", 302, {"Location": f"/sport/?n={step + 1}"}) for step in range(200)}
        servers["chain"].routes |= chain | {"/sport/": Answer("", 302, {"Location": "/sport/?n=0"})}
        months = {f"/kalendar/{month}/": listing(f"/kalendar/{month + 1}/", title=f"Kalendář {month}") for month in range(500)}
        servers["calendar"].routes |= months | {"/": listing("/sport/", "/domaci/", "/kalendar/0/")}
        old = story(1).replace("charset=utf-8", "charset=windows-1250").encode("cp1250")
        servers["old"].routes[address(1)] = Answer(old, kind="text/html")
        parts_of_an_article(servers["parts"])
        second = f"{parts_of_an_article(servers['part-fails'])}2/"
        page = servers["part-fails"].routes[second]
        servers["part-fails"].routes[second] = lambda asked: page if asked.times(second) else Answer("", 503)  # type: ignore[return-value]
        servers["trap"].routes["/"] = listing("/sport/", "/domaci/", "/calendar/2026/11/", "/calendar/2026/12/")
        forms_of_an_article(servers["forms"])
        made.crawl()
        assert other.asked == []  # whatever links and redirects lead there
        yield made


def stored(town: Town, name: str) -> list[Article]:
    return [item.article for item in articles(town.folder) if item.article.portal == name]


def test_a_crawl_finds_its_way_from_the_front_page_over_sections_to_articles(town: Town) -> None:
    assert town.results["plain"]["new_articles"] == 6
    found = stored(town, "plain")
    assert {article.title for article in found} == {f"Most číslo {n} se letos dočká opravy" for n in range(1, 7)}
    assert all(article.published_at for article in found)


def test_no_page_is_fetched_twice(town: Town) -> None:
    paths = [item.path for item in town.servers["plain"].asked]
    assert len(paths) == len(set(paths))


def test_every_request_says_who_we_are(town: Town) -> None:
    agents = {item.agent for item in town.servers["plain"].asked}
    assert {agent.partition("/")[0] for agent in agents} == {"newscrawler"}
    assert all("me@corpus.example" in agent for agent in agents)


def test_what_robots_txt_forbids_is_never_asked_for(town: Town) -> None:
    assert not [path for path in town.asked("forbids") if path.startswith(("/domaci", "/tajne"))]
    assert town.outcomes("forbids")["/domaci/"] == ("skipped", "forbidden by robots.txt")
    assert town.outcomes("forbids")["/tajne/sport/"] == ("skipped", "forbidden by robots.txt")


def test_a_crawl_delay_slows_down(town: Town) -> None:
    assert smallest_gap(town.servers["slow"].asked) >= 0.27  # between robots.txt and the first page, too
    assert town.results["slow"]["new_articles"] == 2


def test_other_hosts_are_left_alone_even_after_a_redirect(town: Town) -> None:
    state, reason = town.outcomes("outward")["/domaci/"]
    assert state == "done"
    assert reason.startswith("redirect out of scope: http://")
    assert town.results["outward"]["new_articles"] == 1


def test_an_error_that_passes_costs_no_article(town: Town) -> None:
    assert town.results["fails"]["new_articles"] == 6
    assert town.results["fails"]["retries"] == 2
    assert town.outcomes("fails")[address(3)] == ("done", "")


def test_bad_pages_are_refused_with_their_reason_and_stop_nothing(town: Town) -> None:
    told = town.outcomes("bad")
    assert town.results["bad"]["new_articles"] == 6, town.results["bad"]
    assert [told[path][1] for path in BAD][:4] == ["empty page", "not HTML: image/png", "too large: over 5 MiB", "HTTP status: 404"]
    assert told["/zpravy/spadlo-spojeni-15.html"][0] == "failed"
    assert told["/zpravy/spadlo-spojeni-15.html"][1].startswith("connection lost")
    assert told["/zpravy/dokola-16.html"][1].startswith("too many redirects")
    assert told["/zpravy/rozbite-html-17.html"][0] == "done"


def test_a_chain_of_redirects_that_never_ends_is_given_up(town: Town) -> None:
    assert 0 < town.results["chain"]["redirects"] <= 12


def test_a_calendar_that_never_ends_does_not_keep_us(town: Town) -> None:
    assert town.results["calendar"]["new_articles"] == 6
    assert 1 <= sum(path.startswith("/kalendar") for path in town.asked("calendar")) <= 20


@pytest.mark.parametrize(("name", "field", "most"), [("four-pages", "requests", 4), ("two-articles", "new_articles", 2)])
def test_limits_are_kept_to_the_letter(town: Town, name: str, field: str, most: int) -> None:
    assert town.results[name][field] == most
    assert town.results[name]["ended_because"].startswith("limit")


def test_a_page_in_an_old_encoding_keeps_its_accents(town: Town) -> None:
    titles = {article.title for article in stored(town, "old")}
    assert len(titles) == 6
    assert "Most číslo 1 se letos dočká opravy" in titles


def test_an_article_on_several_pages_is_one_record_in_order(town: Town) -> None:
    (article,) = stored(town, "parts")
    starts = [paragraph.text.partition(".")[0] for paragraph in article.paragraphs]
    assert starts == [f"Díl {part}, odstavec {number}" for part in (1, 2, 3) for number in range(4)]
    first = address(1).replace(".html", "/")
    assert [town.servers["parts"].times(path) for path in (first, f"{first}2/", f"{first}3/")] == [1, 1, 1]


def test_an_article_waits_for_a_page_of_it_that_fails(town: Town) -> None:
    (article,) = stored(town, "part-fails")
    assert len(article.paragraphs) == 12


def test_a_calendar_in_the_address_is_a_trap_and_is_counted(town: Town) -> None:
    assert town.results["trap"]["skipped"] == {"crawler trap": 2}
    assert not any(path.startswith("/calendar") for path in town.asked("trap"))


def test_print_and_amp_forms_are_not_fetched_beside_the_article_and_a_foreign_canonical_is_not_believed(town: Town) -> None:
    assert not [path for path in town.asked("forms") if "amp" in path]
    found = {article.title.split()[2]: article.canonical_url for article in stored(town, "forms")}
    assert found == {"1": town.servers["forms"].url + address(1)[1:], "2": None}


# ------------------------------------------------------------------ crawls of their own


def test_the_next_night_brings_only_what_is_new(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server)
    crawl(server.url)
    server.routes |= {"/sport/": listing(address(7), address(1), title="Sport"), address(7): story(7)}
    server.asked.clear()

    done = crawl(server.url)

    assert summary(done)["new_articles"] == 1
    assert len(articles(tmp_path)) == 7
    assert not any(server.times(address(number)) for number in range(1, 7))


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


def test_small_limits_get_on_all_the_same(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    portal(server, 4)

    for _ in range(7):
        crawl(server.url, "--max-pages", "2")

    assert len(articles(tmp_path)) == 4


def test_recognisers_read_the_new_articles_and_one_that_fails_is_named(crawl: Crawl, server: PortalServer, tmp_path: Path) -> None:
    (tmp_path / "known.tsv").write_text("Rada\tOrganization\n")
    (tmp_path / "newscrawler.toml").write_text('[crawler]\nrecognisers = ["ontea:known.tsv", "no_such_module:find"]\n')

    done = crawl(portal(server, 4).url)

    assert "no persons and places were found in new articles: the recogniser no_such_module:find cannot be loaded" in done.stdout
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        assert sorted(store.articles.numbers(Selection(entity="Rada"))) == [1, 2, 3, 4]
