"""Portals of odd makes, each a small server, and the articles that a crawl has to find there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl, urlsplit

from crawling import articles
from portal_server import Answer, PortalServer, Route, address, listing, story
from town import Town

from newscrawler.discovery.urls import canonicalize

Routes = dict[str, Route]
XML = "application/xml"


@dataclass(frozen=True, slots=True)
class OddSite:
    """A kind of portal."""

    #: What is odd about it.
    kind: str
    #: Its pages, or what makes them for a server at this address.
    routes: Routes | Callable[[str], Routes]
    #: Paths of its articles, as they are to be stored; empty: none can be read, and `told` says what the user is told.
    articles: tuple[str, ...] = ()
    told: str = ""
    #: Keys of the portal's configuration.
    keys: str = ""
    #: Where it begins, with {url}, or with {port} behind a name.
    start: str = "{url}"
    #: Further names of its server.
    hosts: tuple[str, ...] = ()


def document(body: str, head: str = "") -> str:
    """A page."""
    return f"<!doctype html><html lang=cs><head><meta charset=utf-8><title>Deník</title>{head}</head><body>{body}</body></html>"


def anchors(paths: Iterable[str], text: str = "Most se letos dočká opravy, rozhodla rada města") -> str:
    """Links to articles."""
    return "".join(f"<li><a href='{path}'>{text} {path.strip('/').replace('/', ' ')[-30:]}</a></li>" for path in paths)


def plain(paths: Iterable[str], front: str, more: Routes | None = None) -> Routes:
    """A front page, an article at each path, and more pages."""
    return {"/": front, **{path: story(number) for number, path in enumerate(paths, 1)}, **(more or {})}


def listed(paths: Iterable[str]) -> str:
    """A front page of links."""
    return document(f"<h1>Deník</h1><ul>{anchors(paths)}</ul>")


def cards(attribute: str) -> str:
    """A front page of cards that are no links."""
    shown = "".join(f"<div class=card {attribute.format(path)}><h2>Most se letos dočká opravy</h2></div>" for path in TEN)
    return document(f"<h1>Deník</h1>{shown}")


TEN = tuple(map(address, range(1, 11)))
TWENTY = tuple(map(address, range(1, 21)))
THIRTY = tuple(map(address, range(1, 31)))


def at(base: str, path: str) -> str:
    """An absolute address."""
    return base.rstrip("/") + path


def rss(base: str, paths: Iterable[str]) -> Answer:
    """A feed."""
    items = "".join(f"<item><title>Most se letos dočká opravy</title><link>{at(base, path)}</link></item>" for path in paths)
    return Answer(f"<rss version='2.0'><channel><title>Deník</title>{items}</channel></rss>", kind=XML)


def sitemap(base: str, paths: Iterable[str]) -> Answer:
    """A sitemap."""
    urls = "".join(f"<url><loc>{at(base, path)}</loc></url>" for path in paths)
    return Answer(f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>", kind=XML)


# ---------------------------------------------------------------------- front pages


def initial_state(base: str) -> Routes:
    state = json.dumps({"list": {"items": [{"headline": "Most se dočká opravy", "link": at(base, path)} for path in TEN]}})
    return plain(TEN, document(f"<div id=app></div><script>window.__INITIAL_STATE__ = {state};</script>"))


def item_list(base: str) -> Routes:
    items = [{"@type": "ListItem", "position": n, "url": at(base, path)} for n, path in enumerate(TEN)]
    entry = json.dumps({"@context": "https://schema.org", "@type": "ItemList", "itemListElement": items})
    return plain(TEN, document(f"<h1>Deník</h1><script type='application/ld+json'>{entry}</script>"))


def load_more(base: str) -> Routes:
    """A button asks for JSON in which the next cards stand as HTML."""
    button = "<button class=load-more data-url='/api/more?page=2'>Načíst další</button>"
    routes = plain(TWENTY, document(f"<h1>Deník</h1><ul>{anchors(TWENTY[:10])}</ul>{button}"))
    routes["/api/more?page=2"] = Answer(
        json.dumps({"html": f"<ul>{anchors(TWENTY[10:])}</ul>", "next": None}), kind="application/json"
    )
    return routes


def wordpress(base: str) -> Routes:
    """Articles that only the system's own list of posts names."""
    api = f"<link rel='https://api.w.org/' href='{at(base, '/wp-json/')}'>"
    routes = plain(TWENTY, document(f"<h1>Deník</h1><ul>{anchors(TWENTY[:5])}</ul>", api))
    posts = [{"link": at(base, path), "date_gmt": "2026-11-10T08:00:00", "title": {"rendered": "Most"}} for path in TWENTY]
    routes |= {path: str(page).replace("<head>", f"<head>{api}") for path, page in routes.items() if path != "/"}
    routes["/wp-json/wp/v2/posts?per_page=100&page=1"] = Answer(json.dumps(posts), kind="application/json")
    return routes


def ghost(base: str) -> Routes:
    """The same of Ghost, whose scripts carry the key for its list."""
    script = f"<script defer src=/portal.js data-ghost='{base}' data-key=22444f78447824223cefc48062></script>"
    routes = plain(TWENTY, document(f"<h1>Deník</h1><ul>{anchors(TWENTY[:5])}</ul>", script))
    routes |= {path: str(page).replace("<head>", f"<head>{script}") for path, page in routes.items() if path != "/"}
    posts = [{"title": "Most se letos dočká opravy", "url": at(base, path)} for path in TWENTY]
    answer = Answer(json.dumps({"posts": posts, "meta": {"pagination": {"page": 1, "next": None}}}), kind="application/json")
    query = "key=22444f78447824223cefc48062&fields=title%2Curl&limit=100&page=1"
    return OneQuery(routes | {f"/ghost/api/content/posts/?{query}": answer})


def ghost_disallowed(base: str) -> Routes:
    """The list of Ghost, which robots.txt disallows: only what pages link to is found."""
    return OneQuery(ghost(base) | {"/robots.txt": Answer("User-agent: *\nDisallow: /ghost/\n", kind="text/plain")})


class OneQuery(dict[str, Route]):
    """Pages that answer whatever the order of the parameters in their address is."""

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Compare parameters without their order."""
        return next((page for known, page in self.items() if parameters(known) == parameters(path)), default)


def parameters(path: str) -> tuple[str, list[tuple[str, str]]]:
    """The path and the parameters of an address, in one order."""
    place, _, query = path.partition("?")
    return place, sorted(parse_qsl(query))


def section_feeds(base: str, *, named: bool) -> Routes:
    """Sections that scripts fill; their feeds are named in the head, or are where WordPress has them."""
    system = "<meta name=generator content='WordPress 6.4'>"
    menu = "<a href=/category/sport/>Sport</a> <a href=/category/kultura/>Kultura</a>"
    routes = plain(TWENTY, document(f"<h1>Deník</h1>{menu}"))
    for name, paths in (("sport", TWENTY[:10]), ("kultura", TWENTY[10:])):
        place = f"/category/{name}/feed/"
        head = f"<link rel=alternate type='application/rss+xml' href='{place}'>" if named else system
        routes |= {f"/category/{name}/": document(f"{menu}<h1>{name}</h1><div id=list></div>", head), place: rss(base, paths)}
    return routes


def feeds_only(base: str) -> Routes:
    head = "<link rel=alternate type='application/rss+xml' href=/rss.xml>"
    return plain(TEN, document("<h1>Deník</h1><div id=app></div><script src=/app.js></script>", head), {"/rss.xml": rss(base, TEN)})


def sitemap_only(base: str) -> Routes:
    return plain(TEN, document("<h1>Deník</h1>"), {"/sitemap.xml": sitemap(base, TEN)})


# ---------------------------------------------------------------------- listings


def calendar(base: str) -> Routes:
    """An archive by days of which most are empty; nothing else leads to the articles."""
    days = [date(2026, 11, 20) - timedelta(days=day) for day in range(40)]
    with_article = dict(zip([days[n] for n in (0, 10, 19, 28, 39)], TEN[:5], strict=True))
    routes = plain(TEN[:5], document(f"<h1>Deník</h1><a href='/archiv/{days[0]:%Y/%m/%d}/'>Archiv</a>"))
    for day in days:
        before = day - timedelta(days=1)
        articles = f"<ul>{anchors([with_article[day]])}</ul>" if day in with_article else "<p>Žádné články.</p>"
        previous = f"<a rel=prev href='/archiv/{before:%Y/%m/%d}/'>Předchozí den</a>" if before in days else ""
        routes[f"/archiv/{day:%Y/%m/%d}/"] = document(f"<h1>Archiv {day:%-d. %-m. %Y}</h1>{articles}{previous}")
    return routes


def calendar_of_months(base: str) -> Routes:
    """The same, with a page for each month, to which nothing leads."""
    routes = calendar(base)
    for month, paths in (("2026/11", TEN[:3]), ("2026/10", TEN[2:5])):
        named = [path for path in paths if any(path in str(routes[day]) for day in routes if day.startswith(f"/archiv/{month}"))]
        routes[f"/archiv/{month}/"] = document(f"<h1>Archiv {month}</h1><ul>{anchors(named)}</ul>")
    return routes


def two_parts(base: str) -> Routes:
    """Articles on two pages, `?part=2`, with numbers and "Next page"."""
    paths = tuple(f"/zpravy/clanek-{name}-o-moste.html" for name in "abcdef")
    routes: Routes = {"/": listed(paths)}
    for number, path in enumerate(paths, 1):
        pages = f"<div><a href='{path}?part=2'>2</a> <a href='{path}?part=2'>Next page</a></div>"
        back = f"<div><a href='{path}'>1</a> <a href='{path}'>Previous page</a></div>"
        routes[path] = story(number, links=pages)
        routes[f"{path}?part=2"] = story(number, links=back).replace(f"{number}-", f"{number}/2-")
    return routes


def one_page(base: str) -> Routes:
    """Several articles on one page, each with an anchor of its own."""
    sentence = "Rada města ve středu rozhodla, že se most přes řeku {n} opraví ještě letos, a uvolnila na to {n} milionů korun. "
    articles = "".join(
        f"<article id=clanek-{n}><h2><a href='#clanek-{n}'>Most číslo {n} se letos dočká opravy</a></h2>"
        f"<time datetime='2026-11-{n:02}T08:00:00+01:00'>{n}. 11. 2026</time>"
        f"{''.join(f'<p>{n}-{part}. {(sentence * 3).format(n=n)}</p>' for part in range(4))}</article>"
        for n in range(1, 6)
    )
    return {"/": document("<h1>Deník</h1><a href='/listopad.html'>Listopad 2026</a>"), "/listopad.html": document(articles)}


def hash_bang(base: str) -> Routes:
    """Addresses such as `/#!/clanek/1`, which the server answers at `?_escaped_fragment_=`."""
    numbers = range(1, 6)
    links = "".join(f"<li><a href='#!/clanek/{n}'>Most číslo {n} se letos dočká opravy</a></li>" for n in numbers)
    routes: Routes = {"/": document(f"<h1>Deník</h1><ul>{links}</ul>", "<meta name=fragment content='!'>")}
    return routes | {f"/?_escaped_fragment_=/clanek/{n}": story(n) for n in numbers}


# ---------------------------------------------------------------------- traps


def facets(base: str) -> Routes:
    """Each listing links to itself with filters, which change nothing."""
    names = [f"{key}={value}" for key in ("barva", "velikost", "cena") for value in range(4)]
    links = "".join(f"<a href='/vypis/?{name}'>{name}</a>" for name in names)
    page = document(f"<h1>Výpis</h1><ul>{anchors(TWENTY)}</ul>{links}")
    routes = plain(TWENTY, document("<h1>Deník</h1><a href=/vypis/>Výpis</a>"), {"/vypis/": page})
    for first in names:
        routes[f"/vypis/?{first}"] = page.replace("/vypis/?", f"/vypis/?{first}&")
    return routes


class Filters(dict[str, Route]):
    """Below one folder, lists that lead on to themselves with one filter more."""

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Return the same list for all filters."""
        more = "".join(f"<a href='{path}/{name}'>{name}</a>" for name in ("cervena", "modra", "velka", "mala", "nova"))
        page = document(f"<h1>Archiv</h1><ul>{anchors(TWENTY[:5])}</ul>{more}") if path.startswith("/archiv/") else default
        return super().get(path, page)


def filters(base: str) -> Routes:
    """Filters that combine as folders, without end."""
    return Filters(plain(TWENTY, document(f"<h1>Deník</h1><ul>{anchors(TWENTY)}</ul><a href=/archiv/modra>Modrá</a>")))


def random_session(base: str) -> Routes:
    """Each page gives its links another `sid`."""
    dice = Random(3)

    def with_session(page: str) -> Callable[[PortalServer], str]:
        return lambda _: re.sub(r"href='(/[^']*)'", lambda m: f"href='{m[1]}?sid={dice.randrange(10**6)}'", page)

    menu = "".join(f"<a href='/{name}/'>{name}</a>" for name in ("sport", "kultura"))
    pages = {"/": document(f"{menu}<ul>{anchors(THIRTY)}</ul>")}
    pages |= {f"/{name}/": document(f"{menu}<h1>{name}</h1><ul>{anchors(THIRTY[:10])}</ul>") for name in ("sport", "kultura")}
    pages |= {path: story(n, links=f"{menu}{anchors(THIRTY[n % 20 : n % 20 + 5])}") for n, path in enumerate(THIRTY, 1)}
    return AnySession({path: with_session(page) for path, page in pages.items()})


class AnySession(dict[str, Route]):
    """Pages that answer whatever the session in their address is."""

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Leave the session out."""
        return super().get(re.sub(r"[?]sid=\d+\Z", "", path), default)


def endless_pages(base: str) -> Routes:
    """`?page=N` answers for every N, from the third on with nothing new."""
    routes = plain(TWENTY, document("<h1>Deník</h1><a href='/zpravy/'>Zprávy</a>"))
    for number in range(1, 200):
        shown = TWENTY[10 * (number - 1) : 10 * number] or TWENTY[10:]
        path = "/zpravy/" if number == 1 else f"/zpravy/?page={number}"
        routes[path] = document(f"<h1>Zprávy</h1><ul>{anchors(shown)}</ul><a rel=next href='/zpravy/?page={number + 1}'>Další</a>")
    return routes


def folder_loop(base: str) -> Routes:
    """Relative links that count from the wrong folder, each page one folder deeper."""
    routes = plain(TEN, document(f"<h1>Deník</h1><ul>{anchors(TEN)}</ul><a href='sekce/'>Sekce</a>"))
    for depth in range(1, 60):
        below = "".join(f"{chr(97 + level % 5)}{level}/" for level in range(depth))
        deeper = f"{chr(97 + depth % 5)}{depth}/"
        routes[f"/sekce/{below[: below.rfind('/', 0, -1) + 1] if depth > 1 else ''}"] = document(
            f"<h1>Sekce</h1><ul>{anchors(TEN[:2])}</ul><a href='{deeper}'>Dále</a>"
        )
    return routes


# ---------------------------------------------------------------------- articles


def print_twins(base: str) -> Routes:
    routes = plain(TEN, listed(TEN))
    for number, path in enumerate(TEN, 1):
        routes[path] = story(number, links=f"<a href='{path}?print=1'>Tisk</a><a href='/tisk{path}'>Verze pro tisk</a>")
        routes[f"{path}?print=1"] = routes[f"/tisk{path}"] = story(number)
    return routes


def pdf_among(base: str) -> Routes:
    files = tuple(f"/soubory/zprava-o-moste-{n}.pdf" for n in range(3))
    more: Routes = {path: Answer(b"%PDF-1.4 \xff\xfe", kind="application/pdf") for path in files}
    return plain(TEN, listed((*TEN, *files)), more)


def paywall(base: str) -> Routes:
    teaser = "<div class=paywall><p>Celý článek je jen pro předplatitele. Předplaťte si Deník.</p></div>"
    return {path: page if path == "/" else str(page).replace("</article>", f"</article>{teaser}") for path, page in plain(
        TEN, listed(TEN)
    ).items()}  # fmt: skip


def live_blog(base: str) -> Routes:
    """One of the articles is a live blog with a dozen timed posts."""
    posts = "".join(
        f"<div class=post><time datetime='2026-02-01T{hour:02}:15:00+01:00'>{hour}:15</time><h2>Hodina {hour}: jednání o mostě</h2>"
        f"<p>V {hour} hodin zastupitelé hlasovali o bodu {hour} a po debatě ho schválili velkou většinou hlasů.</p></div>"
        for hour in range(8, 20)
    )
    routes = plain(TEN, listed(TEN))
    routes[TEN[0]] = str(routes[TEN[0]]).replace("</article>", f"{posts}</article>")
    return routes


def hreflang(base: str) -> Routes:
    """Each article has a translation, which its head names."""
    routes = plain(TEN, listed(TEN))
    for number, path in enumerate(TEN, 1):
        head = f"<link rel=alternate hreflang=pl href='{at(base, '/pl' + path)}'>"
        routes[path] = story(number).replace("<head>", f"<head>{head}")
    return routes


WIKI = tuple(f"/wiki/Most_{name}_se_docka_opravy" for name in "abcdefghijklmnop")
PARTS = tuple(f"/zpravy/clanek-{name}-o-moste.html" for name in "abcdef")
NUMERIC = tuple(f"/{number}" for number in range(81001, 81011))
AMP = tuple(f"/amp{path}" for path in TEN)
QUERIES = tuple(f"/index.php?id={number}" for number in range(501, 511))
OPEN = "shadowrootmode=open"
WARE = "<a href='/zbozi/hrnek/'>Hrnek</a> <span itemprop=price>90 Kč</span>"
STATE = {"props": {"pageProps": {"articles": [{"title": "Most se dočká opravy", "url": path} for path in TEN]}}}
NEXT_DATA = f"<script id=__NEXT_DATA__ type='application/json'>{json.dumps(STATE)}</script>"
FRAMES = "<html><head><title>Deník</title></head><frameset><frame src=/menu.html><frame src=/obsah.html></frameset></html>"
SITES: dict[str, OddSite] = {
    "meta-refresh": OddSite(
        "front page by meta refresh",
        plain(TEN, document("", "<meta http-equiv=refresh content='0; url=/home.html'>"), {"/home.html": listing(*TEN)}), TEN,
    ),
    "frameset": OddSite(
        "front page of frames", plain(TEN, FRAMES, {"/menu.html": document("<p>Menu</p>"), "/obsah.html": listing(*TEN)}), TEN
    ),
    "next-data": OddSite(
        "links in `__NEXT_DATA__`",
        plain(TEN, document(f"<div id=__next><h1>Deník</h1></div>{NEXT_DATA}")), TEN,
    ),
    "initial-state": OddSite("links in `window.__INITIAL_STATE__`", initial_state, TEN),
    "item-list": OddSite("links in a JSON-LD ItemList", item_list, TEN),
    "data-href": OddSite(
        "links in `data-href`", plain(TEN, cards("data-href='{}'")), TEN
    ),
    "onclick": OddSite(
        "links in `onclick`",
        plain(TEN, cards("onclick=\"location.href='{}'\"")), TEN,
    ),
    "load-more": OddSite("“Load more” that answers JSON", load_more, TWENTY),
    "wordpress": OddSite("articles in the system's list of posts alone", wordpress, TWENTY),
    "ghost": OddSite("articles in Ghost's content API alone", ghost, TWENTY),
    "ghost-disallowed": OddSite("the same, disallowed by robots.txt: only what is linked", ghost_disallowed, TWENTY[:5]),
    "section-feeds": OddSite("feeds of sections, named there", partial(section_feeds, named=True), TWENTY),
    "wordpress-feeds": OddSite("feeds of sections of WordPress", partial(section_feeds, named=False), TWENTY),
    "feeds-only": OddSite("feeds only", feeds_only, TEN),
    "sitemap-only": OddSite("sitemap only", sitemap_only, TEN),
    "calendar": OddSite("calendar with empty days", calendar, TEN[:5]),
    "calendar-of-months": OddSite("calendar with empty days, whose months have pages", calendar_of_months, TEN[:5]),
    "two-parts": OddSite("articles on two pages, `?part=2`", two_parts, PARTS),
    "one-page": OddSite("several articles on one page", one_page, tuple(f"/listopad.html#clanek-{n}" for n in range(1, 6))),
    "hash-bang": OddSite("hash-bang addresses", hash_bang, tuple(f"/?_escaped_fragment_=/clanek/{n}" for n in range(1, 6))),
    "misjudged": OddSite("articles below `/wiki/`", plain(WIKI, listed(WIKI)), WIKI),
    "facets": OddSite("facets", facets, TWENTY),
    "filters": OddSite("filters as folders", filters, TWENTY),
    "random-session": OddSite("random `sid` in each link", random_session, THIRTY),
    "endless-pages": OddSite("`?page=N` without end", endless_pages, TWENTY),
    "folder-loop": OddSite("folders without end", folder_loop, TEN),
    "numeric": OddSite("numeric addresses", plain(NUMERIC, listed(NUMERIC)), NUMERIC),
    "amp-only": OddSite("AMP pages only", plain(AMP, listed(AMP)), AMP),
    "print-twins": OddSite("print versions", print_twins, TEN),
    "pdf-among": OddSite("PDF among articles", pdf_among, TEN),
    "paywall": OddSite("paywall", paywall, TEN),
    "live-blog": OddSite("a live blog among articles", live_blog, TEN),
    "hreflang": OddSite("translations by hreflang", hreflang, TEN),
    "query-ids": OddSite("`index.php?id=N`", plain(QUERIES, listed(QUERIES)), QUERIES),
    "shadow-dom": OddSite(
        "declarative shadow DOM",
        plain(TEN, document(f"<h1>Deník</h1><news-card><template {OPEN}><ul>{anchors(TEN)}</ul></template></news-card>")), TEN,
    ),
    "javascript": OddSite(
        "needs JavaScript", {"/": document("<div id=root></div><script src=/app.js></script>")}, told="is empty without JavaScript"
    ),
    "noscript": OddSite(
        "needs JavaScript, says so",
        {"/": document("<noscript>Zapněte JavaScript.</noscript><app-shell></app-shell><script>start()</script>")},
        told="is empty without JavaScript",
    ),
    "iframes": OddSite(
        "frames of another host", {"/": document("<iframe src='http://127.0.0.99:1/obsah'></iframe>")},
        told="consists of frames; name the address of the frame",
    ),
    "shut-out": OddSite(
        "`include` that fits nothing", plain(TEN, listing(*TEN)), told="shut out; let `include` match", keys="include = ['/blog/']"
    ),
    "nothing": OddSite(
        "nothing there yet", {"/": document("<h1>Deník</h1><p>Brzy zde bude náš web.</p>")},
        told="links to nothing; check the address in a browser",
    ),
    "circle": OddSite(
        "redirects that want a cookie", {"/": Answer("", 302, {"Location": "/", "Set-Cookie": "seen=1"})},
        told="too many redirects); it redirects in a circle",
    ),
    "shop": OddSite(
        "shop", {"/": document(f"<div class='product-card'>{WARE}</div>" * 6), "/zbozi/hrnek/": document("<h1>Hrnek</h1>")},
        told="is that of a shop",
    ),
    "elsewhere": OddSite(
        "links to other hosts only", {"/": listing("https://www.example.org/1", "https://www.example.org/2")},
        told="links only to other hosts",
    ),
    "challenge": OddSite(
        "challenge against robots",
        {"/": document("<form id=challenge-form action=/cdn-cgi/challenge-platform/x></form>", "<title>Just a moment...</title>")},
        told="it is protected against robots",
    ),
    "consent": OddSite(
        "consent page", {"/": document("<h1>Váš souhlas s cookies</h1><button>Přijmout vše</button>")}, told="consent page"
    ),
    "http-401": OddSite("password (401)", {"/": Answer("no", 401)}, told="HTTP 401); it requires a password"),
    "http-403": OddSite("refused front page (403)", {"/": Answer("no", 403)}, told="HTTP 403); its server refuses the crawler"),
    "http-451": OddSite("legal reasons (451)", {"/": Answer("no", 451)}, told="HTTP 451"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a crawl found of an odd site."""

    #: Paths of its articles that were stored, of those that were not, and of what else was stored as an article.
    right: frozenset[str]
    missed: frozenset[str]
    wrong: frozenset[str]
    requests: int
    #: What the user is told of it.
    told: str

    @property
    def requests_an_article(self) -> float:
        """Requests beside those for lists at usual addresses and robots.txt."""
        return self.requests / max(1, len(self.right))


def crawl_odd_sites(folder: Path, names: Iterable[str], sites: Mapping[str, OddSite] = SITES) -> dict[str, Found]:
    """Crawl sites, all by one command."""
    with Town(folder) as town:
        for name in names:
            site = sites[name]
            is_named = not site.start.startswith("{url}")
            keys = f"delay = {0.05 if is_named else 0}\nlearn = false\nkeep_pages = false\n{site.keys}"
            server = town.add(name, {}, start=site.start, keys=keys)
            if is_named and "proxy" not in site.keys:
                town.names[urlsplit(canonicalize(site.start.format(port=1))).hostname or ""] = [server.host]
            town.names |= {host: [server.host] for host in site.hosts}
            made = site.routes
            server.routes = made(server.url) if callable(made) else made
        town.crawl(seconds=400)
        stored: dict[str, set[str]] = {name: set() for name in town.servers}
        for each in articles(folder):
            path = re.sub(r"\Ahttp://[^/]*", "", each.article.url or "")
            stored[each.article.portal or ""].add(re.sub(r"[?]sid=\d+\Z", "", path))
        return {name: _found(town, name, stored[name], sites[name]) for name in town.servers}


def _found(town: Town, name: str, stored: set[str], site: OddSite) -> Found:
    gold = frozenset(site.articles)
    return Found(
        right=gold & stored, missed=gold - stored, wrong=frozenset(stored - gold),
        requests=len([path for path in town.asked(name) if not path.startswith(_PROBES)]),
        told=next((line.removeprefix("Error: ") for line in town.errors.splitlines() if f" of {name} " in line), ""),
    )  # fmt: skip


#: Asked of any portal to see what it has.
_PROBES = ("/robots.txt", "/sitemap", "/feed", "/rss", "/.well-known", "/newscrawler-")
