"""What fetching shows of a portal's addresses is learned, kept and used."""

from __future__ import annotations

from pathlib import Path

import warm_command
from crawling import Crawl, articles, command, summary
from portal_server import Answer, PortalServer, address, listing, story
from sqlalchemy import create_engine, text

from newscrawler.crawl.policy.portal_profile import PortalProfile
from newscrawler.discovery.urls import CLASSIFIERS, PageLink, UrlKind
from newscrawler.store import open_store
from newscrawler.store.articles import Selection

SITE = "http://127.0.0.1"


def test_a_pattern_that_was_guessed_wrong_is_corrected_by_a_few_pages() -> None:
    profile = PortalProfile()
    links = [f"{SITE}/x{number}" for number in range(1000, 1020)]
    guess = CLASSIFIERS["documents"](PageLink(href=links[0]))

    for link in links[:12]:
        profile.note_page(link, UrlKind.OTHER, fresh=0)

    verdict = profile.correct(links[-1], guess)
    assert guess.label is UrlKind.ARTICLE
    assert verdict.label is UrlKind.OTHER
    assert not profile.is_due(links[-1], verdict)


def test_a_barren_pattern_is_probed_again_after_a_while() -> None:
    profile = PortalProfile()
    links = [f"{SITE}/x{number}" for number in range(1000, 5000)]
    guess = CLASSIFIERS["documents"](PageLink(href=links[0]))
    for link in links[:8]:
        profile.note_page(link, UrlKind.OTHER, fresh=0)

    asked = 0
    for link in links[8:]:
        if profile.is_due(link, profile.correct(link, guess)):
            asked += 1
            profile.note_page(link, UrlKind.OTHER, fresh=0)
        else:
            profile.note_skipped(link)

    assert 2 <= asked <= 12


def test_only_what_changed_is_stored_and_comes_back() -> None:
    profile = PortalProfile()
    profile.note_page(f"{SITE}/zpravy/jedna-dve-tri-ctyri-101.html", UrlKind.ARTICLE, fresh=3)

    changes = profile.take_changes()

    assert [change["articles"] for change in changes] == [1]
    assert profile.take_changes() == []
    verdict = CLASSIFIERS["default"](PageLink(href=SITE))
    assert PortalProfile(changes).is_due(f"{SITE}/zpravy/pet-sest-sedm-osm-102.html", verdict)


def test_what_a_crawl_learned_is_shown(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    server.routes |= {"/": listing(*(address(n) for n in range(4))), **{address(n): story(n) for n in range(4)}}
    server.routes["/kanal.xml"] = Answer("no", 403)
    table = f'[[portal]]\nname = "most"\nstart_urls = ["{server.url}"]\nfeeds = ["{server.url}kanal.xml"]\ndelay = 0\n'
    (tmp_path / "newscrawler.toml").write_text(table, "utf-8")
    crawl("most")

    shown = warm_command.run(command("portal", "show", "most"), cwd=tmp_path, capture_output=True, text=True, check=True)

    with open_store(f"sqlite:///{tmp_path}/newscrawler.sqlite", create=False) as store:
        (pattern,) = store.patterns.of("most")
        sources = {each["kind"]: each for each in store.patterns.sources_of("most")}
    source, feed = sources["start"], sources["feed"]
    assert pattern["articles"] == 4
    assert str(pattern["pattern"]) in shown.stdout
    assert (source["url"], source["visits"], source["fresh"]) == (server.url, 1, 4)
    assert f"{server.url}\t1\t4\t{source['next_visit_at']}\t{source['last_success_at']}" in shown.stdout
    assert (source["error"], feed["last_success_at"], feed["error"]) == (None, None, "HTTP status: 403")


def test_feeds_and_sitemaps_lead_to_articles_that_no_page_links(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    feed = (
        '<?xml version="1.0"?><rss version="2.0"><channel><title>M</title><item><title>Most číslo 7 se letos dočká opravy</title>'
        f"<link>{server.url}{address(7)[1:]}</link></item></channel></rss>"
    )
    sitemap = (
        '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<url><loc>{server.url}{address(8)[1:]}</loc><lastmod>2026-11-20</lastmod></url></urlset>"
    )
    front = listing(address(1)).replace("<title>", "<link rel=alternate type=application/rss+xml href=/kanal.xml><title>")
    server.routes |= {
        "/": front,
        "/kanal.xml": feed,
        "/mapa.xml": sitemap,
        "/robots.txt": f"User-agent: *\nAllow: /\nSitemap: {server.url}mapa.xml\n",
        **{address(n): story(n) for n in (1, 7, 8)},
    }

    crawl(server.url)

    assert [server.times(address(number)) for number in (1, 7, 8)] == [1, 1, 1]


def test_a_page_of_html_in_place_of_feed_and_sitemap_does_no_harm(server: PortalServer, crawl: Crawl) -> None:
    front = listing(address(1)).replace("<title>", "<link rel=alternate type=application/rss+xml href=/kanal.xml><title>")
    server.routes |= {"/": front, "/kanal.xml": front, "/sitemap.xml": front, address(1): story(1)}

    done = crawl(server.url)

    assert done.returncode == 0
    assert server.times(address(1)) == 1


def test_an_article_that_its_portal_corrects_is_corrected_and_its_first_text_kept(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    server.routes |= {"/": listing(address(1), address(2)), address(1): story(1), address(2): story(2)}
    crawl(server.url)
    engine = create_engine(f"sqlite:///{tmp_path}/newscrawler.sqlite")
    with engine.begin() as connection:  # seen yesterday, an hour after it was published
        connection.execute(
            text("UPDATE frontier SET found_at = datetime('now', '-20 hours'), fetched_at = datetime('now', '-20 hours')")
        )
        connection.execute(text("UPDATE article SET published_at = datetime('now', '-21 hours')"))
    engine.dispose()
    server.routes[address(1)] = story(1).replace("ještě letos", "až napřesrok")

    done = crawl(server.url)

    assert summary(done)["corrected"] == 1
    assert summary(done)["new_articles"] == 0
    with open_store(f"sqlite:///{tmp_path}/newscrawler.sqlite", create=False) as store:
        texts = {item.article.url: (item.id, item.article.body) for item in store.articles.stream(Selection())}
        number, now = texts[server.url.rstrip("/") + address(1)]
        before = store.articles.revisions(number)[0].paragraphs
    assert "až napřesrok" in now
    assert "ještě letos" in before[0].text
    assert server.times(address(1)) == server.times(address(2)) == 2
    assert summary(crawl(server.url))["corrected"] == 0
    assert server.times(address(1)) == 2


def test_nearly_the_same_text_is_stored_and_marked(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    copy = story(1).replace("Most číslo 1 se letos dočká opravy", "Agentura: most se dočká opravy letos").replace("1-3.", "Závěr.")
    server.routes |= {"/": listing(address(1), address(50), address(3)), address(1): story(1), address(50): copy}
    other = "Zcela jiný text o počasí, houbách a lesních cestách, který nemá s mostem vůbec nic společného. "
    server.routes[address(3)] = story(3).replace("Rada města ve středu rozhodla, že se most přes řeku", other)

    crawl(server.url)

    with open_store(f"sqlite:///{tmp_path}/newscrawler.sqlite", create=False) as store:
        stored = {item.article.url: item for item in store.articles.stream(Selection())}
    marked = {url.rpartition("-")[2]: item.similar_to for url, item in stored.items() if url}
    first = min(item.id for item in stored.values() if item.article.url and not item.article.url.endswith("1003.html"))
    assert len(stored) == 3
    assert sorted(marked[name] is None for name in ("1001.html", "1050.html")) == [False, True]
    assert marked["1003.html"] is None
    assert first in marked.values()


def test_how_a_portal_writes_dates_is_learned_one_night_and_used_the_next(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    def dated(number: int, date: str) -> str:
        page = story(number).replace("lang=cs", "lang=en")
        return page.replace('<meta property="article:published_time"', "<meta name=x").replace(
            "</h1>", f"</h1><span class=date>{date}</span>"
        )

    days = {1: "24/09/2026", 2: "25/09/2026", 3: "26/09/2026"}
    server.routes |= {"/": listing(*map(address, days)), **{address(n): dated(n, date) for n, date in days.items()}}
    crawl(server.url)
    server.routes |= {"/": listing(*map(address, [*days, 4])), address(4): dated(4, "03/04/2026")}

    crawl(server.url)

    found = {each.article.title.split()[2]: each.article.date for each in articles(tmp_path)}
    assert {number: str(day) for number, day in found.items()} == {
        "1": "2026-09-24", "2": "2026-09-25", "3": "2026-09-26", "4": "2026-04-03",
    }  # fmt: skip


def test_the_date_beside_a_link_dates_an_article_that_has_none(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    rows = "".join(f"<li><a href={address(n)}>Most číslo {n} se letos dočká opravy</a> <time>{n}. 10. 2026</time>" for n in (1, 2))
    undated = story(1).replace("article:published_time", "x")
    server.routes |= {"/": listing().replace("<ul>", f"<ul>{rows}"), address(1): undated, address(2): story(2)}

    crawl(server.url)

    found = {each.article.title.split()[2]: each.article for each in articles(tmp_path)}
    assert {number: (str(each.date), each.published_source) for number, each in found.items()} == {
        "1": ("2026-10-01", "listing"), "2": ("2026-11-03", "meta"),
    }  # fmt: skip


def test_a_page_that_names_no_section_has_the_one_whose_listing_leads_to_it(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    menu = "<nav><a href=/>Domů</a><a href=/sport/>Sport</a><a href=/kultura/>Kultura</a><a href=/archiv/>Archiv</a></nav>"
    lists = {"/": (1, 2, 3, 4), "/sport/": (1, 2), "/kultura/": (2, 3), "/archiv/": (1, 2, 3, 4)}
    server.routes |= {
        path: listing(*map(address, numbers)).replace("<body>", f"<body>{menu}") for path, numbers in lists.items()
    } | {address(n): story(n) for n in lists["/"]}

    crawl(server.url)

    found = {each.article.title.split()[2]: each.article for each in articles(tmp_path)}
    assert {number: (each.section, each.section_source) for number, each in found.items()} == {
        "1": ("Sport", "listing"), "2": (None, None), "3": ("Kultura", "listing"), "4": (None, None),
    }  # fmt: skip
    assert not any(each.published_source == "section" for each in found.values())
