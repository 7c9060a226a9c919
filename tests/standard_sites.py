"""Portals that lean on what URLs, HTML, HTTP, feeds and robots.txt permit and browsers read; rows as in `odd_sites.py`."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from html import escape
from urllib.parse import quote

from framings import CUT, WHOLE, Framing
from odd_sites import TEN, XML, OddSite, Routes, anchors, at, document, listed, plain, rss, sitemap
from portal_server import Answer, PortalServer, Route, Write, listing, story

FIVE = TEN[:5]
WORDS = ("most", "škola", "nádraží", "knihovna", "tržiště")


def octets(text: str, encoding: str = "utf-8") -> str:
    """A value of a header that has a text in an encoding as its octets."""
    return text.encode(encoding).decode("latin-1")


# ---------------------------------------------------------------------- pages


def shorten(page: Route, *, first: str) -> str:
    """A page without its optional tags, with this element as the first of its body."""
    text = str(page)
    for tag in ("<html lang=cs>", "<html>", "</html>", "<head>", "</head>", "<body>", "</body>", "</li>", "</p>"):
        text = text.replace(tag, "")
    begin, end = f"<{first}>", f"</{first}>"
    text = text.replace("<nav><a href=/>Domů</a></nav>", "")
    if "<article>" in text:
        return text.replace("<article>", begin + "<article>").replace("</article>", "</article>" + end)
    return text.replace("<h1>", f"{begin}<h1>", 1) + end


def bodiless(first: str) -> Routes:
    """A portal whose pages a minifier has written."""
    return {path: shorten(page, first=first) for path, page in plain(FIVE, listing(*FIVE)).items()}


def based(tags: str, *, links: str) -> Routes:
    """A front page whose links count from another address."""
    rows = "".join(f"<li><a href='{links}{path.rpartition('/')[2]}'>Most se letos dočká opravy {path[-9:]}</a>" for path in FIVE)
    return plain(FIVE, document(f"<h1>Deník</h1><ul>{rows}</ul>", tags))


def hrefs(make: Callable[[str], str]) -> Routes:
    """A front page whose links are written in a way of its own."""
    return plain(FIVE, document(f"<h1>Deník</h1><ul>{anchors(map(make, FIVE))}</ul>"))


def queries(encoding: str, words: tuple[str, ...], *, declared: bool = True) -> Routes:
    """Articles behind a question mark, whose letters are in the encoding of the page that links to them."""
    links = "".join(f"<li><a href='/clanek.php?nazev={word}&id={n}'>{word} {word} {word}</a>" for n, word in enumerate(words, 81))
    front = document(f"<h1>Deník</h1><ul>{links}</ul>").replace("charset=utf-8", f"charset={encoding}" if declared else "")
    kind = "text/html" if declared else f"text/html; charset={encoding}"
    return queried(encoding, words) | {"/": Answer(front.encode(encoding, "xmlcharrefreplace"), kind=kind)}


def queried(encoding: str, words: tuple[str, ...]) -> Routes:
    """Articles of `queries`."""
    return {f"/clanek.php?nazev={quote(word.encode(encoding))}&id={n}": story(n) for n, word in enumerate(words, 81)}


def query_paths(encoding: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Their addresses."""
    return tuple(queried(encoding, words))


def misdeclared(header: str) -> Routes:
    """Pages in UTF-8 that say so, below a header that says something else."""
    return {
        path: Answer(str(page).encode(), kind=f"text/html; charset={header}") for path, page in plain(FIVE, listing(*FIVE)).items()
    }


# ---------------------------------------------------------------------- redirects

FAR = tuple(f"/zprávy/{word}-se-dočká-opravy-{n}.html" for n, word in enumerate(WORDS, 71))
FAR_PATHS = tuple(map(quote, FAR))


def redirected(encoding: str = "utf-8", header: str = "Location") -> Routes:
    """Articles whose short addresses lead to long ones, in octets beyond ASCII."""
    near = [f"/zpravy/kratka-adresa-{n}.html" for n in range(71, 76)]
    refresh = "0; url={}" if header == "Refresh" else "{}"
    routes: Routes = {"/": listed(near)}
    for number, (short, far) in enumerate(zip(near, FAR, strict=True)):
        value = octets(refresh.format(far), encoding)
        routes[short] = Answer("", 200 if header == "Refresh" else 302, {header: value})
        routes[quote(far.encode(encoding))] = story(number + 1)
    return routes


def refreshed(content: str, *, page: str = "") -> Routes:
    """Articles behind a page that only refreshes."""
    near = [f"/zpravy/kratka-adresa-{n}.html" for n in range(71, 76)]
    routes = plain(FIVE, listed(near))
    for short, far in zip(near, FIVE, strict=True):
        tag = f'<meta content="{content.format(far)}" http-equiv="Refresh">'
        routes[short] = f"<html><head><title>Přesměrování</title>{tag}</head><body>{page}</body></html>"
    return routes


def moved_front(header: str, value: str, status: int = 200) -> Routes:
    """A front page that only a header leads away from."""
    return plain(FIVE, "", {"/": Answer("", status, {header: value}), "/úvod/": "", quote("/úvod/"): listing(*FIVE)})


def wants_cookie(through: str) -> Routes:
    """Articles that send a client away to get a cookie, and back."""
    routes = plain(FIVE, listing(*FIVE))
    return Cookies(routes, through)


class Cookies(dict[str, Route]):
    """Articles for those who bring the cookie that another page gives."""

    def __init__(self, routes: Routes, through: str) -> None:
        super().__init__(routes)
        self.through = through

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        if path.startswith(self.through):
            return Answer("", 302, {"Location": path.partition("=")[2], "Set-Cookie": "seen=1; Path=/"})
        page = super().get(path, default)
        if path not in FIVE or page is None:
            return page
        return lambda server: page if "seen=1" in _last_head(server) else Answer("", 302, {"Location": f"{self.through}{path}"})


def _last_head(server: PortalServer) -> str:
    server.heads = [] if server.heads is None else server.heads
    return server.heads[-1] if server.heads else ""


# ---------------------------------------------------------------------- lists


def feed(make: Callable[[str], Answer], *, place: str = "/rss.xml") -> Callable[[str], Routes]:
    """A portal whose articles only its feed names."""
    head = f"<link rel=alternate type='application/rss+xml' href='{place}'>"
    return lambda base: plain(FIVE, document("<h1>Deník</h1>", head), {place: make(base)})


def feed_text(base: str, change: Callable[[str], str], encoding: str = "utf-8") -> Answer:
    """A feed that is written in an odd way."""
    return Answer(change(str(rss(base, FIVE).body)).encode(encoding), kind=XML)


def atom(attributes: str, links: Callable[[str], str], *, more: str = "") -> Answer:
    """An Atom feed."""
    entries = "".join(f"<entry><title>Most se dočká opravy</title><link href='{links(path)}'/></entry>" for path in FIVE)
    return Answer(f"<feed xmlns='http://www.w3.org/2005/Atom' {attributes}>{more}{entries}</feed>", kind="application/atom+xml")


def get_name(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def pages_of_feed(base: str) -> Routes:
    """A feed that names its next page (RFC 5005)."""
    whole = str(atom("", lambda path: path).body)
    entries = whole[whole.index("<entry>") : whole.rindex("</feed>")].split("</entry>")
    first, rest = "</entry>".join(entries[:2]) + "</entry>", "</entry>".join(entries[2:])
    begin = whole[: whole.index("<entry>")]
    return feed(lambda _: Answer(f"{begin}<link rel='next' href='/rss.xml?page=2'/>{first}</feed>", kind=XML))(base) | {
        "/rss.xml?page=2": Answer(f"{begin}{rest}</feed>", kind=XML)
    }


def index(base: str, *places: str) -> Answer:
    """An index of sitemaps."""
    rows = "".join(f"<sitemap><loc>{at(base, place)}</loc></sitemap>" for place in places)
    return Answer(f"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{rows}</sitemapindex>", kind=XML)


def opml(base: str, *places: str) -> Answer:
    """A list of feeds."""
    rows = "".join(f"<outline type='rss' xmlUrl='{at(base, place)}'/>" for place in places)
    return Answer(f"<opml version='2.0'><body>{rows}</body></opml>", kind="text/x-opml")


def lists(**files: Callable[[str], Route]) -> Callable[[str], Routes]:
    """A portal whose articles only files name: by their names, with one underscore for the dot."""
    return lambda base: plain(
        FIVE, document("<h1>Deník</h1>"), {f"/{name.replace('_', '.')}": make(base) for name, make in files.items()}
    )


def forbidden(text: str, kind: str = "text/html") -> Routes:
    """A portal of which robots.txt, written as a page, forbids some articles."""
    paths = [f"/tajne/clanek-o-moste-{n}.html" for n in range(5)]
    return plain((*FIVE, *paths), listed((*FIVE, *paths)), {"/robots.txt": Answer(text, kind=kind)})


# ---------------------------------------------------------------------- pages that load the rest

SLUGS = [get_name(path).removesuffix(".html") for path in FIVE]
ITEMS = [{"title": "Most se letos dočká opravy", "url": path, "image": f"/obrazky/{n}.jpg"} for n, path in enumerate(FIVE)]
NAMED = [{"title": "Most se letos dočká opravy", "slug": slug, "id": 900 + n} for n, slug in enumerate(SLUGS)]


def data(value: object) -> Answer:
    """An answer of an API."""
    return Answer(json.dumps(value), kind="application/json")


def scripted(*scripts: str, body: str = "<div id=app></div>", **more: Route) -> Routes:
    """A front page that shows nothing, with these scripts; `more` by names, with one underscore for a slash."""
    front = document(f"<h1>Deník</h1>{body}" + "".join(f"<script>{script}</script>" for script in scripts))
    return plain(FIVE, front, {f"/{name.replace('_', '/')}": page for name, page in more.items()})


def pushed(rows: str, call: str = "self.__next_f.push([1,{}])", size: int = 37) -> list[str]:
    """Scripts that push a text in pieces, cut anywhere."""
    return [call.format(json.dumps(rows[at : at + size])) for at in range(0, len(rows), size)]


def flight() -> str:
    """Rows of React's Flight format."""
    shown = [["$", "li", None, {"children": ["$", "a", None, {"href": path, "children": "Most se opraví"}]}] for path in FIVE]
    tree = json.dumps(["$", "ul", None, {"children": shown}])
    return f'1:"$Sreact.fragment"\n2:I["(app)/page.js",["static/chunks/1.js"]]\n3:{tree}\n'


def turbo_stream() -> str:
    """A list in the form in which values refer to each other by number."""
    values: list[object] = [{"_1": 2}, "articles", [3 + 3 * n for n in range(5)]]
    for n, path in enumerate(FIVE):
        values += [{f"_{4 + 3 * n}": 5 + 3 * n}, "url", path]
    return json.dumps(values)


def pieces(first: int = 2) -> str:
    """The rest of the list as a fragment."""
    return f"<ul>{anchors(FIVE[first:])}</ul>"


def listed_and(rest: str, first: int = 2, **more: Route) -> Routes:
    """A front page with some links, and something that loads the others; `more` as for `scripted`."""
    return scripted(body=f"<ul>{anchors(FIVE[:first])}</ul>{rest}", **more)


def cursors(base: str) -> Routes:
    """A list that goes on by a cursor, which each answer names anew."""
    front = "<div id=seznam data-endpoint='/api/clanky' data-cursor='c1'></div>"
    return listed_and(front, first=1) | {
        "/api/clanky?cursor=c1": data({"items": ITEMS[1:3], "next_cursor": "c2"}),
        "/api/clanky?cursor=c2": data({"items": ITEMS[3:], "next_cursor": None}),
    }


NUMBERED = tuple(f"/clanek/{4101 + n}" for n in range(5))
SHORT = tuple(f"/zpravy/kratka-adresa-{n}.html" for n in range(71, 76))
ISLAND = json.dumps({"articles": [1, [[0, {"url": [0, path], "title": [0, "Most se opraví"]}] for path in FIVE]]})
TEMPLATE = f"<a href='{FIVE[0]}'>Most se letos dočká opravy 1</a>"


def escape_slashes(paths: Iterable[str]) -> str:
    """Write addresses as literals of JavaScript without a slash."""
    return ",".join(json.dumps(path).replace("/", "\\u002F") for path in paths)


def json_feed(base: str) -> Answer:
    """A JSON feed."""
    items = [{"id": path, "url": at(base, path), "title": "Most se dočká opravy"} for path in FIVE]
    return Answer(json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": items}), kind="application/feed+json")


def behind_proxy(origin: str) -> Routes:
    """What a proxy answers for a host that only it knows."""
    return {origin + path: page for path, page in plain(FIVE, listing(*FIVE)).items()}


DOCTYPE = "<!DOCTYPE rss PUBLIC '-//DTD RSS//' 'http://x.example/rss.dtd' [<!ENTITY nbsp '&#160;'>\n<!ENTITY hi \"]>\">]>"
LOCAL = "networks = ['127.0.0.0/8']"


def framed(framings: Mapping[str, Framing]) -> Routes:
    """A portal each of whose articles comes in another framing."""
    paths = frame_paths(framings)
    pages = {
        path: Answer(raw=partial(_send, frame, story(number).encode()))
        for number, (path, frame) in enumerate(zip(paths, framings.values(), strict=True), 1)
    }
    return {"/": listed(paths), **pages}


def _send(frame: Framing, page: bytes, write: Write) -> None:
    write(frame(page))


def frame_paths(framings: Iterable[str]) -> tuple[str, ...]:
    """The addresses of its articles."""
    return tuple(f"/zpravy/most-se-letos-docka-opravy-{name}.html" for name in framings)


SITES: dict[str, OddSite] = {
    "framings": OddSite("odd framing", framed(WHOLE | CUT), frame_paths(WHOLE)),
    # pages
    **{f"no-body-{tag}": OddSite(f"no `<body>`, `<{tag}>` first", bodiless(tag), FIVE)
       for tag in ("article", "main", "section", "header", "x-app", "figure")},
    "two-bases": OddSite("the first `<base>` has no `href`", based("<base target=_blank><base href=/zpravy/>", links=""), FIVE),
    "base-behind": OddSite(
        "a second `<base href>` counts for nothing", based("<base href=/zpravy/><base href=/jinde/>", links=""), FIVE
    ),
    "backslashes": OddSite("backslashes for slashes", hrefs(lambda path: path.replace("/", "\\")), FIVE),
    "backslashes-relative": OddSite(
        "backslashes in relative links", hrefs(lambda path: ".\\x\\..\\" + path[1:].replace("/", "\\")), FIVE
    ),
    "newlines-in-links": OddSite("line ends within links", hrefs(lambda path: f" {path[:20]}\n\t{path[20:]} "), FIVE),
    "query-cp1250": OddSite("queries in windows-1250", queries("cp1250", WORDS), query_paths("cp1250", WORDS)),
    "query-cp1251": OddSite(
        "queries in windows-1251, named by the header", queries("cp1251", ("мост", "школа", "вокзал"), declared=False),
        query_paths("cp1251", ("мост", "школа", "вокзал")),
    ),
    "query-gb2312": OddSite(
        "queries in gb2312", queries("gb2312", ("大桥", "学校", "车站")), query_paths("gb2312", ("大桥", "学校", "车站"))
    ),
    "query-utf8": OddSite("queries in UTF-8", queries("utf-8", WORDS), query_paths("utf-8", WORDS)),
    "charset-latin": OddSite("header of latin-1 for UTF-8", misdeclared("iso-8859-1"), FIVE),
    "charset-cp1250": OddSite("header of windows-1250 for UTF-8", misdeclared("windows-1250"), FIVE),
    # redirects
    "location-utf8": OddSite("`Location` in octets of UTF-8", redirected(), FAR_PATHS),
    "location-cp1250": OddSite(
        "`Location` in octets of windows-1250", redirected("cp1250"), tuple(quote(path.encode("cp1250")) for path in FAR)
    ),
    "refresh-header": OddSite("`Refresh:`", redirected(header="Refresh"), FAR_PATHS),
    "refresh-front": OddSite("front page with `Refresh:`", moved_front("Refresh", octets("1;URL='/úvod/'")), FIVE),
    "location-front": OddSite("front page with a `Location` in UTF-8", moved_front("Location", octets("/úvod/"), 301), FIVE),
    **{f"meta-refresh-{n}": OddSite(f"meta refresh `{content}`", refreshed(content), FIVE) for n, content in enumerate(
        ("0; url={}", "0;URL='{}'", "0.5 , {}", " 3;{}", "0;url = {}"))},
    "meta-refresh-text": OddSite("meta refresh with a text", refreshed("2; url={}", page="<p>Stránka se přesunula.</p>"), FIVE),
    "cookie-chain": OddSite(
        "a redirect away for a cookie and back", wants_cookie("/souhlas?zpet="), FIVE, keys="cookies = 'session'"
    ),
    # hosts
    "emoji-host": OddSite("an emoji as host", plain(FIVE, listing(*FIVE)), FIVE, start="http://☃❄.example:{port}/", keys=LOCAL),
    "sharp-s-host": OddSite(
        "a host with ß, ž and capitals", plain(FIVE, listing(*FIVE)), FIVE, start="http://Straße-Žižkov.example:{port}/", keys=LOCAL
    ),
    "emoji-link": OddSite(
        "a link to an emoji host among others", plain(FIVE, listing("http://💩.la/a", "http://a..b/", *FIVE)), FIVE
    ),
    # feeds
    "feed-utf16": OddSite("a feed in UTF-8 that says UTF-16", feed(
        partial(feed_text, change=lambda text: "<?xml version='1.0' encoding='UTF-16'?>" + text)), FIVE),
    "feed-real-utf16": OddSite("a feed in UTF-16", feed(
        partial(feed_text, change=lambda text: "<?xml version='1.0' encoding='UTF-16'?>" + text, encoding="utf-16")), FIVE),
    "feed-entities": OddSite("a feed whose DOCTYPE declares entities", feed(
        partial(feed_text, change=lambda text: DOCTYPE + text.replace("Most se", "Most&nbsp;&hi;se"))), FIVE),
    "feed-doctype": OddSite("a feed with the DOCTYPE of HTML", feed(
        partial(feed_text, change=lambda text: "<!DOCTYPE html>\n" + text)), FIVE),
    "feed-capitals": OddSite("a feed in capitals", feed(
        partial(feed_text, change=lambda text: text.replace("<rss", "<RSS").replace("</rss", "</RSS")
                .replace("channel>", "CHANNEL>").replace("item>", "ITEM>").replace("link>", "Link>").replace("title>", "TITLE>")
    )), FIVE),
    "feed-mixed-case": OddSite("a feed whose end tags have other capitals", feed(
        partial(feed_text, change=lambda text: text.replace("<item>", "<Item>").replace("<link>", "<LINK>"))), FIVE),
    "feed-xml-base": OddSite("a feed with `xml:base`", feed(lambda _: atom("xml:base='/zpravy/'", get_name)), FIVE),
    "feed-xml-base-inner": OddSite("`xml:base` upon `xml:base`", feed(lambda base: Answer(
        str(atom(f"xml:base='{base}zpravy/x/'", get_name).body).replace("<entry>", "<entry xml:base='../'>"), kind=XML)), FIVE),
    "feed-next": OddSite("a feed of several pages", pages_of_feed, FIVE),
    "feed-is-sitemap": OddSite("a sitemap where a feed was named", feed(lambda base: sitemap(base, FIVE)), FIVE),
    "feed-in-page": OddSite("a feed that a page shows as text", feed(
        lambda base: Answer(f"<html><body><pre>{escape(str(rss(base, FIVE).body))}</pre></body></html>")), FIVE),
    "feed-content": OddSite("a feed whose contents are elsewhere", feed(lambda _: Answer(re.sub(
        r"<link href='([^']*)'/>", r"<id>tag:x</id><content src='\1'/>", str(atom("", str).body)), kind=XML)), FIVE),
    "feed-opml": OddSite("a list of feeds", lambda base: feed(lambda _: opml(base, "/a.xml"), place="/f.opml")(base) | {
        "/a.xml": rss(base, FIVE)}, FIVE),
    "feed-linked": OddSite("a feed that a link names", lambda base: plain(FIVE, document(
        "<h1>Deník</h1><a href=/novinky.xml>RSS</a>"), {"/novinky.xml": rss(base, FIVE)}), FIVE),
    "feed-linked-page": OddSite("a page that lists feeds", lambda base: plain(FIVE, document(
        "<h1>Deník</h1><footer><a href=/rss/>RSS</a></footer>"), {
            "/rss/": document("<h1>Zdroje</h1><a href=/zdroj/hlavni>Hlavní zprávy</a>"), "/zdroj/hlavni": rss(base, FIVE)}), FIVE),
    "sitemap-linked": OddSite("a sitemap that a link names", lambda base: plain(FIVE, document(
        "<h1>Deník</h1><footer><a href=/mapa.xml>Mapa webu</a></footer>"), {"/mapa.xml": sitemap(base, FIVE)}), FIVE),
    "sitemap-rel": OddSite("`<link rel=sitemap>`", lambda base: plain(FIVE, document(
        "<h1>Deník</h1>", "<link rel=sitemap href=/mapa>"), {"/mapa": sitemap(base, FIVE)}), FIVE),
    "feed-is-page": OddSite("a page where a feed was named", feed(lambda _: Answer(listing(*FIVE)), place="/novinky"), FIVE),
    # sitemaps
    "sitemap-is-feed": OddSite("a feed for a sitemap", lists(sitemap_xml=lambda base: rss(base, FIVE)), FIVE),
    "sitemap-is-page": OddSite("a page for a sitemap", lists(sitemap_xml=lambda _: listing(*FIVE)), FIVE),
    "sitemap-in-urlset": OddSite("a sitemap named as a page", lists(
        sitemap_xml=lambda base: sitemap(base, ["/clanky.xml"]), clanky_xml=lambda base: sitemap(base, FIVE)), FIVE),
    "sitemap-mixed": OddSite("an index that names articles", lists(
        sitemap_xml=lambda base: index(base, "/clanky.xml", *FIVE[:2]), clanky_xml=lambda base: sitemap(base, FIVE[2:])), FIVE),
    "sitemap-both": OddSite("sitemaps and pages in one file", lists(
        sitemap_xml=lambda base: Answer(str(sitemap(base, FIVE[:2]).body).replace(
            "</urlset>", f"<sitemap><loc>{base}clanky.xml</loc></sitemap></urlset>"), kind=XML),
        clanky_xml=lambda base: sitemap(base, FIVE[2:])), FIVE),
    "sitemap-capitals": OddSite("a sitemap in capitals", lists(sitemap_xml=lambda base: Answer(
        str(sitemap(base, FIVE).body).replace("urlset", "URLSET").replace("url>", "URL>").replace("loc>", "LOC>"), kind=XML
    )), FIVE),
    "sitemap-entities": OddSite("a sitemap whose DOCTYPE declares entities", lists(sitemap_xml=lambda base: Answer(
        "<!DOCTYPE urlset [<!ENTITY a 'b'>]>" + str(sitemap(base, FIVE).body), kind=XML)), FIVE),
    # pages that load the rest
    "flight": OddSite("rows that are pushed in pieces", scripted(*pushed(flight())), FIVE),
    "flight-whole": OddSite("pushed at once, elsewhere", scripted(*pushed(flight(), "(w.__f=w.__f||[]).push({})", 9_999)), FIVE),
    "enqueued": OddSite("values by number, enqueued", scripted(*pushed(turbo_stream(), "__ctx.stream.enqueue({});", 50)), FIVE),
    "island": OddSite("islands with typed properties", scripted(body=f"<astro-island props='{ISLAND}'></astro-island>"), FIVE),
    "island-encoded": OddSite("properties that are percent-encoded", scripted(
        body=f"<x-list state='{quote(json.dumps({'list': ITEMS}))}'></x-list>"), FIVE),
    "literals": OddSite("literals of JavaScript", scripted("start(app, {ids: [0, 2], data: [null, {type: 'data', list: ["
        + ", ".join(f"{{title: `Most`, url: '{path}', at: new Date(1763000000), top: !0,}}" for path in FIVE) + ",]}]});"), FIVE),
    "data-script": OddSite("a script of a type of its own", plain(FIVE, document(
        f"<h1>Deník</h1><script type='qwik/json'>{json.dumps({'objs': [{'path': path} for path in FIVE]})}</script>")), FIVE),
    "called": OddSite("`fetch` in a script", scripted(
        "fetch('/api/clanky').then(r => r.json()).then(show)", api_clanky=data(ITEMS)), FIVE),
    "hx-get": OddSite("`hx-get` at the end of the list", listed_and(
        "<div hx-get=/dalsi/2 hx-trigger=revealed hx-swap=outerHTML></div>", dalsi_2=pieces()), FIVE),
    "hx-get-last": OddSite("`hx-get` of the last article of the list", listed_and(
        f"<article hx-get='/dalsi/2' hx-trigger=revealed><a href='{FIVE[2]}'>Most číslo tři se letos dočká opravy</a></article>",
        dalsi_2=pieces(3)), FIVE),
    "turbo-frame": OddSite("`<turbo-frame src>`", listed_and(
        "<turbo-frame id=dalsi src=/ramec/2 loading=lazy>Načítá se…</turbo-frame>",
        ramec_2=f"<turbo-frame id=dalsi>{pieces()}</turbo-frame>"), FIVE),
    "stimulus": OddSite("an attribute of a controller", listed_and(
        "<div data-controller=infinite data-infinite-next-url-value='/?strana=2'></div>") | {"/?strana=2": pieces()}, FIVE),
    "alpine": OddSite("a program in an attribute", listed_and(
        """<section x-data x-intersect.once="$ajax('/dalsi/2')"></section>""", dalsi_2=pieces()), FIVE),
    "cursor": OddSite("a cursor in an attribute", cursors, FIVE),
    "arguments": OddSite("addresses in the arguments of a call", scripted(
        f"window.__N=(function(a,b,c,d,e){{return {{list:[a,b,c,d,e].map(p=>({{path:p}}))}}}}({escape_slashes(FIVE)}))"), FIVE),
    "parameters": OddSite("an object of parameters in an attribute", listed_and(
        "<button hx-get=/dalsi hx-vals='{\"page\": 2}'>Další</button>") | {"/dalsi?page=2": pieces()}, FIVE),
    **{f"place-{n}": OddSite(f"`{place}` in an address", listed_and(
        f"<div class=load-more data-url='/dalsi/{place}/' data-page=2></div>", dalsi_2_=pieces()), FIVE)
       for n, place in enumerate(("{page}", ":page", "{{page}}"))},
    "data-file": OddSite("an element that loads a file of data", scripted(body="<x-list src=/data/seznam.json></x-list>") | {
        "/data/seznam.json": data({"items": ITEMS})}, FIVE),
    "called-file": OddSite("a call that loads a file of data", scripted("fetch('/data/seznam.json')") | {
        "/data/seznam.json": data(ITEMS)}, FIVE),
    "called-part": OddSite("a call that loads a part of a page", listed_and(
        "<script>$('#dalsi').load('/dalsi/2 #seznam')</script>", dalsi_2=pieces()), FIVE),
    "callback": OddSite("a script that hands data over", scripted(body="<script src='/api/clanky?cb=show'></script>") | {
        "/api/clanky?cb=show": Answer(f"show({json.dumps(ITEMS)})", kind="text/javascript")}, FIVE),
    "endpoint-key": OddSite("an address in a script's settings", listed_and(
        "<script>var settings = {feedEndpoint: '/api/clanky', limit: 10}</script>", api_clanky=data(ITEMS)), FIVE),
    "data-base64": OddSite("data in base64 in an attribute", scripted(
        body=f"<x-list data-props='{b64encode(json.dumps(ITEMS).encode()).decode()}'></x-list>"), FIVE),
    "address-base64": OddSite("addresses in base64", plain(FIVE, document("<h1>Deník</h1>" + "".join(
        f"<span data-o='{b64encode(path.encode()).decode()}'>Most se letos dočká opravy</span>" for path in FIVE))), FIVE),
    "quotes-escaped": OddSite("data whose quotes are escaped", scripted(body="<script id=state type='application/json'>"
        + json.dumps({"list": ITEMS}).replace('"', "&q;") + "</script>"), FIVE),
    "numbers": OddSite("numbers in a state, and one link", plain(NUMBERED, document(
        f"<h1>Deník</h1><a href='{NUMBERED[0]}'>Most se letos dočká opravy</a><script>window.S = "
        + json.dumps({"list": [{"id": 4101 + n, "title": "Most se opraví"} for n in range(5)]}) + "</script>")), NUMBERED),
    "opened": OddSite("pages that programs open", plain(FIVE, document("<h1>Deník</h1>" + "".join(
        f"<div onclick=\"window.open('{path}')\"><b>Most se letos dočká opravy</b></div>" for path in FIVE))), FIVE),
    "link-bare": OddSite("links without `href`", plain(FIVE, document("<h1>Deník</h1>" + "".join(
        f"<p><a data-link='{path}' role=link>Most se letos dočká opravy</a>" for path in FIVE))), FIVE),
    "form-each": OddSite("a form for each article", plain(FIVE, document("<h1>Deník</h1>" + "".join(
        f"<form action='{path}'><button>Most se letos dočká opravy</button></form>" for path in FIVE))), FIVE),
    **{f"program-leaves-{n}": OddSite(f"a page that is only `{program}`", plain(FIVE, listed(SHORT), {
        short: f"<html><head><script>{program.format(path)}</script></head><body></body></html>"
        for short, path in zip(SHORT, FIVE, strict=True)}), FIVE)
       for n, program in enumerate(("window.location.href = '{}';", 'location.replace("{}")', "top.location='{}'"))},
    "program-loaded": OddSite("a page whose body has a program", plain(FIVE, listed(SHORT), {
        short: f"<html><body onload=\"location.replace('{path}')\"></body></html>"
        for short, path in zip(SHORT, FIVE, strict=True)}), FIVE),
    "base64": OddSite("`JSON.parse(atob(...))`", scripted(
        f"window.S = JSON.parse(atob('{b64encode(json.dumps({'list': ITEMS}).encode()).decode()}'))"), FIVE),
    "relative-source": OddSite("`src` of an element of its own, relative", listed_and(
        "<include-fragment src='dalsi/2'></include-fragment>", dalsi_2=pieces()), FIVE),
    "link-header": OddSite("`Link:` with `rel=next`", scripted() | {
        "/": Answer(listed(FIVE[:2]), headers={"Link": '</?strana=2>; rel="next"'}), "/?strana=2": pieces()}, FIVE),
    "form": OddSite("a form without fields for readers", listed_and(
        "<form action=/zpravy/><input type=hidden name=page value=2><button>Další</button></form>") | {
        "/zpravy/?page=2": pieces()}, FIVE),
    "choice": OddSite("addresses of a choice", listed_and(
        "<select onchange='location = this.value'><option>Měsíc<option value=/archiv/2026-11/>Listopad</select>",
        **{"archiv_2026-11_": pieces()}), FIVE),
    "answer-slugs": OddSite("slugs in an answer of an API", scripted(
        "getJSON('/api/clanky')", body=TEMPLATE, api_clanky=data(NAMED)), FIVE),
    "answer-numbers": OddSite("pages that an answer numbers", listed_and("<div data-endpoint='/api/clanky?page=1'></div>", 1) | {
        "/api/clanky?page=1": data({"posts": ITEMS[1:3], "meta": {"next": 2}}),
        "/api/clanky?page=2": data({"posts": ITEMS[3:], "meta": {"next": None}})}, FIVE),
    "answer-types": OddSite("an answer of JSON:API", listed_and("<div data-endpoint='/api/clanky'></div>", 1) | {
        "/api/clanky": Answer(json.dumps({"data": [{"attributes": {"articlePath": path}} for path in FIVE[1:]]}),
                              kind="application/vnd.api+json")}, FIVE),
    "preload": OddSite("data that the head loads before scripts run", scripted(body="") | {
        "/": document("<h1>Deník</h1><div id=app></div>", "<link rel=preload as=fetch href=/data/uvod.json>"),
        "/data/uvod.json": data({"result": {"posts": ITEMS}})}, FIVE),
    "frame-of-list": OddSite("a frame of the same host", scripted(body="<iframe loading=lazy src=/seznam></iframe>") | {
        "/seznam": listing(*FIVE)}, FIVE),
    "form-button": OddSite("a button with an address of its own", listed_and(
        "<form><button formaction=/strana/2>Další</button></form>", strana_2=pieces()), FIVE),
    "form-value": OddSite("a button with the number of the page", listed_and(
        "<form action=/zpravy/><button name=page value=2>Další</button></form>") | {"/zpravy/?page=2": pieces()}, FIVE),
    "microdata": OddSite("addresses in microdata", plain(FIVE, document("<h1>Deník</h1>" + "".join(
        f"<div itemscope itemtype='https://schema.org/NewsArticle'><link itemprop=url href='{path}'><h2>Most se opraví</h2></div>"
        for path in FIVE))), FIVE),
    "script-link": OddSite("a program as address of a link", listed_and(
        "<a href=\"javascript:load('/strana/2')\">Další</a>", strana_2=pieces()), FIVE),
    "hidden-field": OddSite("data in a hidden field", scripted(
        body=f"<textarea hidden>{json.dumps({'list': ITEMS})}</textarea>"), FIVE),
    "answer-script": OddSite("an answer that is a script", scripted("$.getJSON('/api/clanky?callback=f', show)") | {
        "/api/clanky?callback=f": Answer(f"f({json.dumps(ITEMS)});", kind="application/javascript")}, FIVE),
    **{f"answer-{name}": OddSite(f"an answer that goes on by `{name}`", listed_and("<div data-endpoint='/api/clanky'></div>", 1) | {
        "/api/clanky": data({"posts": ITEMS[1:3], **rest}), f"/api/clanky?{query}": data({"posts": ITEMS[3:]})}, FIVE)
       for name, rest, query in (
           ("has_more", {"has_more": True}, "page=2"), ("last_page", {"meta": {"current_page": 1, "last_page": 2}}, "page=2"),
           ("endCursor", {"pageInfo": {"hasNextPage": True, "endCursor": "x"}}, "after=x"), ("nextPageToken",
           {"nextPageToken": "x"}, "pageToken=x"), ("_links", {"_links": {"next": {"href": "?od=2"}}}, "od=2"))},
    "slugs": OddSite("slugs in a state, and one link", scripted(
        f"window.__S = {json.dumps({'list': NAMED})}", body=TEMPLATE), FIVE),
    "slugs-feed": OddSite("slugs in a state, and a feed of one article", lambda base: scripted(
        f"window.__S = {json.dumps({'posts': NAMED})}") | {"/feed/": rss(base, FIVE[:1])}, FIVE),
    # seeds, keys and proxies
    "seed-rss": OddSite("a feed as start URL", lists(rss_xml=lambda base: rss(base, FIVE)), FIVE, start="{url}rss.xml"),
    "seed-atom": OddSite("an Atom feed as start URL", lists(novinky=lambda _: atom("", str)), FIVE, start="{url}novinky"),
    "seed-json": OddSite("a JSON feed as start URL", lists(feed_json=json_feed), FIVE, start="{url}feed.json"),
    "seed-sitemap": OddSite("a sitemap to start", lists(mapa_xml=lambda base: sitemap(base, FIVE)), FIVE, start="{url}mapa.xml"),
    "seed-packed": OddSite("a packed sitemap as start URL", lists(mapa_gz=lambda base: Answer(
        gzip.compress(str(sitemap(base, FIVE).body).encode()), kind="application/gzip")), FIVE, start="{url}mapa.gz"),
    "seed-opml": OddSite("a list of feeds as start URL", lists(zdroje_opml=lambda base: opml(base, "/rss.xml"),
        rss_xml=lambda base: rss(base, FIVE)), FIVE, start="{url}zdroje.opml"),
    "seed-data": OddSite("data as start URL", lists(clanky_json=lambda _: data(ITEMS)), FIVE, start="{url}clanky.json"),
    "seed-index": OddSite("an index of sitemaps as start URL", lists(mapa_xml=lambda base: index(base, "/clanky.xml"),
        clanky_xml=lambda base: sitemap(base, FIVE)), FIVE, start="{url}mapa.xml"),
    "seed-text": OddSite("a list of addresses as start URL", lists(mapa_txt=lambda base: Answer(
        "\n".join(at(base, path) for path in FIVE), kind="text/plain")), FIVE, start="{url}mapa.txt"),
    "key-feeds": OddSite("`feeds`", lists(tajny_xml=lambda base: rss(base, FIVE)), FIVE, keys="feeds = ['{url}tajny.xml']"),
    "key-sitemaps": OddSite(
        "`sitemaps`", lists(tajna_xml=lambda base: sitemap(base, FIVE)), FIVE, keys="sitemaps = ['{url}tajna.xml']"
    ),
    "proxy": OddSite(
        "`proxy`, which knows the names of hosts", behind_proxy("http://denik.example"), FIVE, start="http://denik.example/",
        keys="proxy = '{url}'",
    ),
    # robots.txt
    "robots-relative": OddSite("relative `Sitemap:`", lists(
        robots_txt=lambda _: Answer("Sitemap: /mapa.xml\nSitemap: dalsi.xml\n", kind="text/plain"),
        mapa_xml=lambda base: sitemap(base, FIVE[:3]), dalsi_xml=lambda base: sitemap(base, FIVE[3:])), FIVE),
    "robots-wrapped": OddSite("robots.txt within `<pre>`", forbidden(
        "<html><head></head><body><pre>User-agent: *\nDisallow: /tajne/\n</pre></body></html>"), FIVE),
    "robots-lines": OddSite("robots.txt in paragraphs", forbidden(
        "<!DOCTYPE html><title>robots</title><body><p>User-agent: *<br>Disallow: /tajne/&#x2A;</p><p>Allow: /</p>"), FIVE),
    "robots-divs": OddSite("robots.txt in `<div>`, as plain text", forbidden(
        "<div>User-agent: *</div><div>Disallow: /tajne/</div>", "text/plain"), FIVE),
}  # fmt: skip
