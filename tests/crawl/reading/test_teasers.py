"""Articles whose pages are refused or show only their beginning: the text of the feed, or a record that says what it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path

import pytest
from crawling import a_day_passes, articles
from odd_sites import XML, at, document
from portal_server import SENTENCE, Answer, Route, address, listing, story
from town import Town

from newscrawler.article import FROM_FEED
from newscrawler.store.articles import StoredArticle

PATHS = [address(number) for number in range(1, 6)]
KEYS = "delay = 0\nlearn = false"


def text_of(number: int, parts: int = 4) -> list[str]:
    """The paragraphs of an article."""
    return [f"{number}-{part}. {(SENTENCE * 3).format(n=number)}".strip() for part in range(parts)]


def html_of(number: int) -> str:
    """The text of an article as a feed gives it."""
    return "".join(f"<p>{text}</p>" for text in text_of(number))


# ---------------------------------------------------------------------- feeds


def rss(entry: str, base: str) -> Answer:
    """A feed with the texts of its articles."""
    items = "".join(
        "<item>"
        + entry.format(title=title_of(number), link=at(base, path), html=escape(html_of(number)), raw=html_of(number))
        + "</item>"
        for number, path in enumerate(PATHS, 1)
    )
    spaces = "xmlns:content='http://purl.org/rss/1.0/modules/content/' xmlns:dc='http://purl.org/dc/elements/1.1/'"
    return Answer(f"<rss version='2.0' {spaces}><channel><title>Deník</title>{items}</channel></rss>", kind=XML)


def title_of(number: int) -> str:
    return f"Most číslo {number} se letos dočká opravy"


HEAD = "<title>{title}</title><link>{link}</link><pubDate>Wed, 11 Nov 2026 08:00:00 +0100</pubDate>"


def atom(content: str, base: str) -> Answer:
    """An Atom feed with the texts of its articles."""
    entries = "".join(
        f"<entry><title>{title_of(number)}</title><link href='{at(base, path)}'/><updated>2026-11-11T08:00:00+01:00</updated>"
        f"<author><name>Jana Nováková</name></author><summary>Krátce.</summary>"
        f"{content.format(html=escape(html_of(number)), raw=html_of(number))}</entry>"
        for number, path in enumerate(PATHS, 1)
    )
    return Answer(f"<feed xmlns='http://www.w3.org/2005/Atom'>{entries}</feed>", kind="application/atom+xml")


def json_feed(key: str, base: str) -> Answer:
    """A JSON feed with the texts of its articles."""
    items = [
        {"id": path, "url": at(base, path), "title": title_of(number), "date_published": "2026-11-11T08:00:00+01:00",
         "authors": [{"name": "Jana Nováková"}], key: html_of(number) if key == "content_html" else "\n\n".join(text_of(number))}
        for number, path in enumerate(PATHS, 1)
    ]  # fmt: skip
    return Answer(json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": items}), kind="application/feed+json")


FEEDS: dict[str, Callable[[str], Answer]] = {
    "encoded": lambda base: rss(f"{HEAD}<description>Krátce.</description><content:encoded>{{html}}</content:encoded>", base),
    "cdata": lambda base: rss(f"{HEAD}<content:encoded><![CDATA[{{raw}}]]></content:encoded>", base),
    "redirects": lambda base: rss(
        f"{HEAD}<content:encoded>{{html}}</content:encoded>".replace("{link}", "{link}?from=feed-of-the-day"), base),
    "footer": lambda base: rss(
        f"{HEAD}<dc:creator>Jana Nováková</dc:creator><content:encoded><![CDATA[{{raw}}<p>The post <a href='{{link}}'>{{title}}</a>"
        f" appeared first on <a href='/'>Deník</a>.</p>]]></content:encoded>", base
    ),
    "field": lambda base: rss(f"{HEAD}<description>Krátce.</description><full-text>{{html}}</full-text>", base),
    "description": lambda base: rss(
        f"{HEAD}<author>jana@denik.example (Jana Nováková)</author><description>{{html}}</description>", base
    ),
    "atom-html": lambda base: atom("<content type='html'>{html}</content>", base),
    "atom-xhtml": lambda base: atom("<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>{raw}</div></content>", base),
    "json-html": lambda base: json_feed("content_html", base),
    "json-text": lambda base: json_feed("content_text", base),
}  # fmt: skip
#: Feeds that give only the beginnings.
SUMMARIES: dict[str, Callable[[str], Answer]] = {
    "summary": lambda base: rss(f"{HEAD}<description>Rada města ve středu rozhodla.</description>", base),
    "cut": lambda base: rss(
        f"{HEAD}<content:encoded><![CDATA[{{raw}}<p>A pak […]</p><p><a href='{{link}}'>Více</a></p>]]></content:encoded>", base
    ),
}  # fmt: skip
CHALLENGE = Answer(document("", "<title>Just a moment...</title>"), 503, {"cf-mitigated": "challenge"})
#: Answers in place of the pages.
REFUSALS: dict[str, Route] = {
    "401": Answer("no", 401),
    "403": Answer("no", 403),
    "404": Answer("<h1>Nenalezeno</h1>", 404),
    "challenge": CHALLENGE,
    "empty": "",
    "500": Answer("", 500),
    "dropped": lambda _: None,
    "json": Answer('{"error": "not now"}', kind="application/json"),
    "login": Answer("", 302, {"Location": "https://ucet.example/login"}),
    "front": Answer("", 302, {"Location": "/"}),
    "shell": document("<div id=app></div><script src=/app.js></script>"),
}


def make_portal(feed: Callable[[str], Answer], page: Callable[[int], Route], base: str) -> dict[str, Route]:
    """A portal with a feed, which answers for its articles so."""
    link = "<link rel=alternate type='application/rss+xml' href=/feed.xml>"
    pages = {path: page(number) for number, path in enumerate(PATHS, 1)}
    pages |= {f"{path}?from=feed-of-the-day": Answer("", 302, {"Location": path}) for path in PATHS}
    return {"/": listing(*PATHS).replace("</head>", f"{link}</head>"), "/feed.xml": feed(base), **pages}


@dataclass
class Crawled:
    """What a crawl of several portals brought."""

    town: Town
    stored: dict[str, list[StoredArticle]]


def crawl(town: Town) -> Crawled:
    """Crawl the portals of a town, and return the stored articles of each."""
    town.crawl()
    stored: dict[str, list[StoredArticle]] = {name: [] for name in town.servers}
    for each in articles(town.folder):
        stored[each.article.portal or ""].append(each)
    return Crawled(town, stored)


FED = {f"{feed}-403": (feed, "403") for feed in FEEDS} | {f"encoded-{refusal}": ("encoded", refusal) for refusal in REFUSALS}
NAMED = {"footer", "description", "atom-html", "atom-xhtml", "json-html", "json-text"}
#: Pages that keep their text, or give none, whatever the feed has.
NOT_FED: dict[str, tuple[Callable[[str], Answer], Callable[[int], Route]]] = {
    **{name: (feed, lambda _: REFUSALS["403"]) for name, feed in SUMMARIES.items()},
    "gone": (FEEDS["encoded"], lambda _: Answer("", 410)),
    "legal": (FEEDS["encoded"], lambda _: Answer("", 451)),
    "reserved-feed": (
        lambda base: Answer(FEEDS["encoded"](base).body, headers={"X-Robots-Tag": "noindex"}, kind=XML), lambda _: REFUSALS["403"],
    ),
    "reserved-page": (
        FEEDS["encoded"], lambda number: story(number).replace("<head>", "<head><meta name=robots content=noindex>"),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def fed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    with Town(tmp_path_factory.mktemp("fed")) as town:
        for name, (feed, refusal) in FED.items():
            server = town.add(name, {}, keys=KEYS)
            server.routes = make_portal(FEEDS[feed], partial(answer, REFUSALS[refusal]), server.url)
        for name, (made, page) in NOT_FED.items():
            server = town.add(name, {}, keys=KEYS)
            server.routes = make_portal(made, page, server.url)
        for name, page in {"readable": story, "teaser": lambda number: metered(number, WALLS["czech"]), "cut-page": cut}.items():
            server = town.add(name, {}, keys=KEYS)
            server.routes = make_portal(FEEDS["encoded"], page, server.url)
        yield crawl(town)


def answer(route: Route, _number: int) -> Route:
    return route


def cut(number: int) -> str:
    """The page of an article without its end."""
    page = story(number)
    return page[: page.index(f"<p>{number}-2.")] + "<p>A pak se…</p></article></body></html>"


@pytest.mark.parametrize("name", FED)
def test_a_text_of_the_feed_takes_the_place_of_a_page_that_is_refused(fed: Crawled, name: str) -> None:
    found = {each.article.title: each.article for each in fed.stored[name]}

    assert set(found) == set(map(title_of, range(1, 6)))
    for number in range(1, 6):
        article = found[title_of(number)]
        assert [paragraph.text for paragraph in article.paragraphs] == text_of(number)
        assert article.method == FROM_FEED
        assert str(article.published_at) == "2026-11-11 08:00:00+01:00"
        assert (article.authors == ("Jana Nováková",)) == (FED[name][0] in NAMED)
    assert fed.town.results[name]["coverage"]["account"] == {"named": 5, "stored": 5, "missing": []}


@pytest.mark.parametrize("name", NOT_FED)
def test_a_summary_is_no_article_and_what_a_publisher_reserves_is_not_taken(fed: Crawled, name: str) -> None:
    assert fed.stored[name] == []


@pytest.mark.parametrize(
    ("name", "method", "free"), [("readable", "default", None), ("teaser", FROM_FEED, False), ("cut-page", FROM_FEED, None)]
)
def test_a_teaser_has_the_text_of_the_feed_and_a_whole_page_its_own(
    fed: Crawled, name: str, method: str, *, free: bool | None
) -> None:
    assert sorted(each.article.title for each in fed.stored[name]) == sorted(map(title_of, range(1, 6)))
    for each in fed.stored[name]:
        number = int(each.article.title.split()[2])
        assert [paragraph.text for paragraph in each.article.paragraphs] == text_of(number)
        assert (each.article.method, each.article.free) == (method, free)
    assert "teaser" not in str(fed.town.results[name]["notes"])


def test_a_better_page_takes_the_place_of_the_text_of_the_feed(tmp_path: Path) -> None:
    with Town(tmp_path) as town:
        server = town.add("late", {}, keys=KEYS)
        server.routes = make_portal(FEEDS["encoded"], partial(answer, REFUSALS["403"]), server.url)
        first = crawl(town).stored["late"]
        server.routes |= {path: story(number).replace("</article>", "<p>Celý text má o větu víc než ten ve zdroji.</p></article>")
                          for number, path in enumerate(PATHS, 1)}  # fmt: skip
        a_day_passes(tmp_path)
        later = crawl(town).stored["late"]

    assert {each.article.method for each in first} == {FROM_FEED}
    assert {each.article.method for each in later} == {"default"}
    assert [each.id for each in later] == [each.id for each in first]
    assert {len(each.article.paragraphs) for each in later} == {5}
    assert {each.corrections for each in later} == {0}


# ---------------------------------------------------------------------- teasers

#: Below the beginning of an article, in many languages and makes; the other articles tell the rest.
WALLS = {
    "czech": "…</p><div class=regwall><h3>Zaregistrujte se a čtěte dál</h3><form><input type=email></form></div>",
    "german": "</p><section><h2>Weiterlesen mit Konto</h2><p>Bitte melden Sie sich an.</p><a href=/login>Anmelden</a></section>",
    "french": "…</p><p>Pour lire la suite, créez un compte gratuit</p><p><a href=/compte>Je m'inscris</a></p>",
    "spanish": "</p><div><b>Regístrate gratis para seguir leyendo</b></div>",
    "italian": "…</p><div class=box><p>Accedi o registrati</p></div>",
    "polish": "</p><div><h4>Chcesz czytać dalej?</h4><p>Zaloguj się lub załóż bezpłatne konto.</p></div>",
    "russian": "</p><div><p>Чтобы дочитать статью, войдите или зарегистрируйтесь</p></div>",
    "arabic": "…</p><div><p>سجل مجاناً لمتابعة القراءة</p></div>",
    "japanese": "</p><div><p>この記事の続きを読むには、無料会員登録が必要です。</p></div>",
    "english": "...</p><aside class=gate><h3>Create your free account</h3><p>or log in to keep reading</p></aside>",
    "subscribers": "</p><div><p>Celý článek je jen pro předplatitele. Předplaťte si Deník.</p></div>",
    "unknown-form": "</p><form class=gate><p>Xe qalb zoru mavi tek</p><input type=email><button>Zoru</button></form>",
    "unknown-ellipsis": "…</p><div>Xe qalb zoru mavi tek</div>",
    "ellipsis-only": " …</p>",
    "breaks-off": " a jak dodal jeden z radních, který o tom</p>",
    "covered": ".</p><div class=paywall-container></div>",
    "microdata": "</p><meta itemprop=isAccessibleForFree content=false>",
    "declared": '</p><script type=\'application/ld+json\'>{"@type": "NewsArticle", "isAccessibleForFree": "False"}</script>',
}
#: Below whole articles.
ENDS = {
    "newsletter": "</p><form class=newsletter><p>Odebírejte náš newsletter</p><input type=email><button>Odeslat</button></form>",
    "log-in": "</p><p>Pro vložení komentáře se přihlaste.</p>",
    "subscribe": "</p><div class=promo><p>Předplatné Deníku od 99 Kč</p></div>",
}
MANY = [address(number) for number in range(1, 21)]


def metered(number: int, wall: str, parts: int = 1) -> str:
    """An article's page that shows only its beginning."""
    page = story(number)
    end = page.index("</p>", page.index(f"<p>{number}-{parts - 1}."))
    return page[:end].rstrip(" .") + wall + "</article></body></html>"


@pytest.fixture(scope="module")
def walled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    with Town(tmp_path_factory.mktemp("walled")) as town:
        for name, wall in WALLS.items():
            pages = {path: story(n) if n <= 8 else metered(n, wall) for n, path in enumerate(MANY, 1)}
            town.add(name, {}, keys=KEYS).routes = {"/": listing(*MANY), **pages}
        pages = {path: metered(n, WALLS["breaks-off"]) if n <= 3 else story(n) for n, path in enumerate(MANY, 1)}
        town.add("first", {}, keys=KEYS).routes = {"/": listing(*MANY), **pages}
        for name, end in ENDS.items():  # every second article is short
            pages = {path: metered(n, f".{end}", parts=4 if n % 2 else 1) for n, path in enumerate(MANY, 1)}
            town.add(name, {}, keys=KEYS).routes = {"/": listing(*MANY), **pages}
        yield crawl(town)


@pytest.mark.parametrize("name", WALLS)
def test_teasers_are_marked_and_the_summary_says_how_many_there_are(walled: Crawled, name: str) -> None:
    free = {int(each.article.title.split()[2]): each.article.free for each in walled.stored[name]}

    assert {number for number, each in free.items() if each is False} == set(range(9, 21))
    assert len(free) == 20
    assert any(note.startswith("12 of 20 new articles: is a teaser") for note in walled.town.results[name]["notes"])
    assert walled.town.results[name]["suspect"]["is a teaser: the rest is for registered readers or subscribers"] == 12


def test_teasers_before_the_whole_articles_are_marked_once_these_are_read(walled: Crawled) -> None:
    free = {int(each.article.title.split()[2]): each.article.free for each in walled.stored["first"]}

    assert {number for number, each in free.items() if each is False} == {1, 2, 3}
    assert any(note.startswith("3 of 20 new articles: is a teaser") for note in walled.town.results["first"]["notes"])


@pytest.mark.parametrize("name", ENDS)
def test_short_articles_with_offers_below_them_are_whole(walled: Crawled, name: str) -> None:
    assert [each.article.free for each in walled.stored[name]] == [None] * 20
    assert "teaser" not in str(walled.town.results[name]["notes"])


# ---------------------------------------------------------------------- "continue reading"

#: Ends of pages whose articles are whole on another page.
MORE = {
    "czech": "…</p><p><a href={}>Číst celý článek</a></p>",
    "inline": "… <a href={}>Celý článek »</a></p>",
    "english": "</p><a class=btn href={}>Continue reading</a>",
    "german": "…</p><div><a href={}>Weiterlesen →</a></div>",
    "ukrainian": "…</p><p><a href={}>Читати далі</a></p>",
    "read-more": " […]</p><p><a href={}>Read more</a></p>",
}


@pytest.fixture(scope="module")
def continued(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    with Town(tmp_path_factory.mktemp("continued")) as town:
        whole = [path.replace("/zpravy/", "/cele/") for path in MANY]
        for name, more in MORE.items():
            pages = {path: metered(n, more.format(whole[n - 1])) for n, path in enumerate(MANY, 1)}
            rest = {path: story(n) for n, path in enumerate(whole, 1)}
            town.add(name, {}, keys=KEYS).routes = {"/": listing(*MANY), **pages, **rest}
        pages = {path: metered(n, f".</p><p><a href={MANY[n % 20]}>Číst dál</a></p>") for n, path in enumerate(MANY, 1)}
        town.add("others", {}, keys=KEYS).routes = {"/": listing(*MANY), **pages}
        yield crawl(town)


@pytest.mark.parametrize("name", MORE)
def test_of_a_beginning_and_the_whole_article_on_another_page_one_record_stays(continued: Crawled, name: str) -> None:
    stored = [each.article for each in continued.stored[name]]

    assert sorted(int(article.title.split()[2]) for article in stored) == list(range(1, 21))
    assert all(article.body.splitlines() == text_of(int(article.title.split()[2])) for article in stored)
    assert continued.town.results[name]["requests"] <= 2 * 20 + 15


def test_short_articles_that_lead_to_others_stay(continued: Crawled) -> None:
    assert len(continued.stored["others"]) == 20
    assert continued.town.results["others"]["requests"] <= 20 + 15
