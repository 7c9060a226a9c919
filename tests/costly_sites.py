"""Portals that cost requests, or whose archives hide the news: rows as in `odd_sites.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from odd_sites import TEN, XML, OddSite, Routes, anchors, at, document, listed, plain
from portal_server import SENTENCE, Answer, Route, story
from standard_sites import LOCAL

NOW = datetime.now(UTC)
#: Articles of an archive: many years, the last of them some hours or a day apart.
AGES = [timedelta(hours=5 * n + 1) for n in range(20)] + [timedelta(days=n - 14, hours=1) for n in range(20, 60)]
AGES += [timedelta(days=50 + 9 * n) for n in range(300)]
LATEST = 40


def name(number: int) -> str:
    """Where an article is whose address tells nothing of its age."""
    return f"/zpravy/most-se-docka-opravy-{(number * 7919) % 100_003 + 100_000}.html"


def dated_name(number: int, form: str = "/%Y/%m/%d/") -> str:
    """Where an article is whose address begins with its day."""
    return f"{NOW - AGES[number]:{form}}most-se-docka-opravy-{'abcdefghij'[number % 10]}{number}/"


def stamp(number: int) -> str:
    return (NOW - AGES[number]).isoformat(timespec="seconds")


def entries(base: str, numbers: Iterable[int], *, tags: Callable[[int], str], make: Callable[[int], str] = name) -> Answer:
    """A sitemap."""
    rows = "".join(f"<url><loc>{at(base, make(number))}</loc>{tags(number)}</url>" for number in numbers)
    space = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'"
    return Answer(f"<urlset {space}>{rows}</urlset>", kind=XML)


def changed(number: int) -> str:
    return f"<lastmod>{stamp(number)}</lastmod>"


def published(number: int) -> str:
    return f"<news:news><news:publication_date>{stamp(number)}</news:publication_date></news:news><lastmod>{stamp(0)}</lastmod>"


def archive(lists: Callable[[str], Routes], *, make: Callable[[int], str] = name, shown: str = "") -> Callable[[str], Routes]:
    """A portal whose front page and articles link to old articles."""
    old = [make(number) for number in range(200, 230)]

    def routes(base: str) -> Routes:
        pages = {make(n): story(n, links=f"<aside>{anchors(old[n % 25 : n % 25 + 5])}</aside>") for n in range(len(AGES))}
        return {"/": document(f"<h1>Deník</h1>{shown or f'<ul>{anchors(old[:15])}</ul>'}"), **pages, **lists(base)}

    return routes


def one_file(tags: Callable[[int], str], *, make: Callable[[int], str] = name, back: bool = False) -> Callable[[str], Routes]:
    """One sitemap, in the order of age or the other way round."""
    numbers = range(len(AGES) - 1, -1, -1) if back else range(len(AGES))
    return lambda base: {"/sitemap.xml": entries(base, numbers, tags=tags, make=make)}


def many_files(tags: Callable[[int], str], *, stamps: bool) -> Callable[[str], Routes]:
    """An index of sitemaps, the oldest first."""

    def routes(base: str) -> Routes:
        parts = [range(start, start + 30) for start in range(0, len(AGES), 30)]
        names = [f"/mapa-{len(parts) - n}.xml" for n in range(len(parts))]
        rows = [f"<sitemap><loc>{at(base, each)}</loc>{changed(part[0]) if stamps else ''}</sitemap>"
                for each, part in zip(names, parts, strict=True)]  # fmt: skip
        files: Routes = {each: entries(base, part, tags=tags) for each, part in zip(names, parts, strict=True)}
        return files | {"/sitemap.xml": Answer(f"<sitemapindex>{''.join(reversed(rows))}</sitemapindex>", kind=XML)}

    return routes


def feed(base: str, numbers: Iterable[int]) -> Routes:
    """A feed with dates, the oldest first."""
    items = "".join(
        f"<item><title>Most se opraví</title><link>{at(base, name(n))}</link><pubDate>{NOW - AGES[n]:%a, %d %b %Y %H:%M:%S} +0000"
        "</pubDate></item>" for n in sorted(numbers, reverse=True)
    )  # fmt: skip
    return {"/feed/": Answer(f"<rss version='2.0'><channel><title>Deník</title>{items}</channel></rss>", kind=XML)}


def dates_shown(number: int) -> str:
    return f"<li><time datetime='{stamp(number)}'>{NOW - AGES[number]:%d.%m.%Y}</time> {anchors([name(number)])}</li>"


NEWEST = "max_articles = 40"
LAST = tuple(map(name, range(LATEST)))
DATED = tuple(map(dated_name, range(LATEST)))
MONTHLY = tuple(dated_name(n, "/%Y/%m/") for n in range(LATEST))
NEWS: dict[str, OddSite] = {
    "lastmod": OddSite("a sitemap with `lastmod`", archive(one_file(changed)), LAST, keys=NEWEST),
    "lastmod-back": OddSite("the same, the oldest first", archive(one_file(changed, back=True)), LAST, keys=NEWEST),
    "news-dates": OddSite("days of publication, and one `lastmod` for all", archive(one_file(published)), LAST, keys=NEWEST),
    "index": OddSite("an index, the oldest first", archive(many_files(changed, stamps=True)), LAST, keys=NEWEST),
    "index-bare": OddSite("an index without times", archive(many_files(changed, stamps=False)), LAST, keys=NEWEST),
    "addresses": OddSite(
        "days in addresses only", archive(one_file(lambda _: "", make=dated_name, back=True), make=dated_name), DATED, keys=NEWEST
    ),
    "addresses-changed": OddSite(
        "days in addresses, and one `lastmod` for all",
        archive(one_file(lambda _: changed(0), make=dated_name, back=True), make=dated_name), DATED, keys=NEWEST,
    ),
    "feed": OddSite(
        "a feed with dates beside a sitemap without",
        archive(lambda base: feed(base, range(LATEST)) | one_file(lambda _: "")(base)), LAST, keys=NEWEST,
    ),
    "listing": OddSite(
        "dates on the front page only",
        archive(lambda _: {}, shown="".join(f"<ul>{dates_shown(n)}</ul>" for n in range(len(AGES) - 1, -1, -1))), LAST, keys=NEWEST,
    ),
}  # fmt: skip


# ---------------------------------------------------------------------- barren patterns


class Barren(dict[str, Route]):
    """Pages with nothing to read below one folder, however many."""

    def __init__(self, routes: Routes, beginning: str) -> None:
        super().__init__(routes)
        self.beginning = beginning

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Return a page without a text for all that begins so."""
        page = document("<h1>Výsledek</h1><p>Nic.</p>") if path.startswith(self.beginning) else default
        return super().get(path, page)


def barren(beginning: str, make: Callable[[int], str], count: int = 1_500) -> Callable[[str], Routes]:
    """A portal whose sitemap names many addresses of one shape that lead to nothing."""
    return lambda base: Barren(
        plain(TEN, listed(TEN), {"/sitemap.xml": entries(base, range(count), tags=lambda _: published(0), make=make)}), beginning
    )


SKIPPED: dict[str, OddSite] = {
    "numbers": OddSite(
        "numbers in a name", barren("/zpravy/zapas-", "/zpravy/zapas-{0}-prehled-vsech-goli-a-karet.html".format), TEN
    ),
    "folders": OddSite("numbers as folders", barren("/vysledky/", "/vysledky/{0}/prehled-vsech-goli-a-karet-zapasu/".format), TEN),
    "queries": OddSite("numbers behind a question mark", barren("/clanek.php", "/clanek.php?zapas={0}&kolo=7".format), TEN),
}


# ---------------------------------------------------------------------- twins

SLUGS = tuple(f"most-pres-reku-{word}-se-letos-docka-opravy" for word in (
    "labe", "vltava", "ohre", "sazava", "berounka", "otava", "luznice", "jizera", "orlice", "metuje", "upa", "bilina", "ploucnice",
    "svratka", "svitava", "dyje", "jihlava", "oslava", "becva", "odra", "opava", "ostravice", "olse", "nisa", "morava", "desna",
    "hana", "loucna", "chrudimka", "doubrava",
))  # fmt: skip
Make = Callable[[str], str]


def twin(number: int, *, links: str = "", head: str = "") -> Callable[[object], str]:
    """An article whose page is another each time, and whose text is not."""
    count = iter(range(10**9))

    def page(_: object) -> str:
        shown = f"<aside>Právě čte {next(count) * 37 % 911} lidí, teplota {number * 7 % 31} stupňů.</aside>{links}"
        return story(number, links=shown).replace("<head>", f"<head>{head}")

    return page


def forms(makes: Iterable[Make], *, head: Callable[[str, Make], str] = lambda *_: "", links: bool = True, lists: bool = True,
          rel: str = "") -> Callable[[str], Routes]:  # fmt: skip
    """A portal whose articles have several addresses; `lists`: front pages name all of them, else only the articles do."""

    def routes(base: str) -> Routes:
        made: Routes = {}
        ported = [lambda slug, make=make: make(slug).format(port=urlsplit(base).port) for make in makes]
        first, *others = ported
        front = [make(slug) for make in (ported if lists else [first]) for slug in SLUGS]
        for number, slug in enumerate(SLUGS, 1):
            near = [make(each) for each in SLUGS[number : number + 3] for make in ported]
            for make in (first, *others):
                shown = (
                    "".join(f"<a {rel} href='{other(slug)}'>Verze</a>" for other in ported if other is not make) if links else ""
                )
                made[_path(make(slug))] = twin(number, links=shown + (anchors(near) if lists else ""), head=head(slug, make))
        return {"/": document(f"<h1>Deník</h1><ul>{anchors(front)}</ul>"), **made}

    return routes


def _path(url: str) -> str:
    return url if url.startswith("/") else "/" + url.split("/", 3)[3]


def editions(make: Callable[[str, str], str], tags: dict[str, str], *, declares: bool = True) -> Callable[[str], Routes]:
    """Editions for countries of one language, each with its front page; every page names the others."""

    def routes(base: str) -> Routes:
        def head(slug: str) -> str:
            rows = [f"<link rel=alternate hreflang={tag} href='{at(base, make(each, slug))}'>" for each, tag in tags.items()]
            return "".join(rows) if declares else ""

        fronts = {f"/{each}/": [make(each, slug) for slug in SLUGS] for each in tags}
        menu = "".join(f"<nav><a href='{front}'>Vydání {front.strip('/')}</a></nav>" for front in fronts)
        made: Routes = {"/": document(f"<h1>Deník</h1>{menu}<ul>{anchors(next(iter(fronts.values())))}</ul>")}
        made |= {front: document(f"<h1>Deník</h1>{menu}<ul>{anchors(paths)}</ul>") for front, paths in fronts.items()}
        for number, slug in enumerate(SLUGS, 1):
            for each in tags:
                more = "".join(f"<a href='{make(other, slug)}'>{other}</a>" for other in tags if other != each)
                near = anchors(make(each, near) for near in SLUGS[number : number + 3])
                made[make(each, slug)] = twin(number, links=menu + more + near, head=head(slug))
        return made

    return routes


def parted(
    make: Callable[[str, int | str], str], *, word: str, canonical: bool = False, alone: bool = False
) -> Callable[[str], Routes]:
    """Articles in three parts, with a page that has all of them; `alone`: the parts are linked only by their numbers."""

    def routes(base: str) -> Routes:
        made: Routes = {"/": listed([make(slug, 1) for slug in SLUGS])}
        for number, slug in enumerate(SLUGS, 1):
            paragraphs = [f"<p>{number}-{part}. {(SENTENCE * 4).format(n=number * 10 + part)}</p>" for part in range(9)]
            whole = f"<a href='{make(slug, 0)}'>{word}</a>"
            for part in range(4):
                pager = "".join(
                    f"<b>{each}</b>" if each == part else f"<a href='{make(slug, each)}'>{each}</a>" for each in range(1, 4)
                )
                text = "".join(paragraphs if part == 0 else paragraphs[3 * part - 3 : 3 * part])
                head = f"<link rel=canonical href='{at(base, make(slug, 0))}'>" if canonical else ""
                made[make(slug, part)] = (
                    f"<html lang=cs><head><meta charset=utf-8><title>Most {slug} | Deník</title>{head}"
                    f"<meta property='article:published_time' content='2026-11-{number % 19 + 1:02}T08:00:00+01:00'></head><body>"
                    f"<article><h1>Most číslo {number} se letos dočká opravy</h1>{text}</article>"
                    f"<div class=pagination>{pager} {whole}</div></body></html>"
                )
        return made

    return routes


def hosts(*origins: str) -> tuple[Make, ...]:
    return tuple((lambda slug, origin=origin: f"{origin}/zpravy/{slug}.html") for origin in origins)


def paths_of(make: Make) -> tuple[str, ...]:
    return tuple(map(_path, map(make, SLUGS)))


def plain_address(slug: str) -> str:
    return f"/zpravy/{slug}.html"


US = {"us": "en-us", "uk": "en-gb", "au": "en-au", "ie": "en-ie"}
TWINS: dict[str, OddSite] = {
    # editions
    "editions-folder": OddSite(
        "a folder for each edition", editions(lambda e, s: f"/{e}/news/{s}.html", US), paths_of(lambda s: f"/us/news/{s}.html")
    ),
    "editions-german": OddSite(
        "editions of one language, no link elements",
        editions(lambda e, s: f"/{e}/artikel/{s}-1234", {"de": "de-DE", "at": "de-AT", "ch": "de-CH"}, declares=False),
        paths_of(lambda s: f"/de/artikel/{s}-1234"),
    ),
    "editions-numbers": OddSite(
        "editions whose addresses have numbers of their own",
        editions(
            lambda e, s: f"/{e}/{s}-{sum(map(ord, e + s)) * 7919 % 90001 + 10000}", {"es": "es-ES", "mx": "es-MX", "ar": "es-AR"}
        ),
        paths_of(lambda s: f"/es/{s}-{sum(map(ord, 'es' + s)) * 7919 % 90001 + 10000}"),
    ),
    "editions-parameter": OddSite(
        "a parameter for each edition",
        editions(lambda e, s: f"/news/{s}?edition={e}", US),
        paths_of(lambda s: f"/news/{s}?edition=us"),
    ),
    # other forms
    "print-folder": OddSite(
        "print versions in a folder",
        forms([plain_address, lambda s: f"/tisk/{s}", lambda s: f"/posli/{s}"], lists=False),
        paths_of(plain_address),
    ),
    "print-parameter": OddSite(
        "print versions by a parameter",
        forms([plain_address, lambda s: f"{plain_address(s)}?imprimir=si"], lists=False),
        paths_of(plain_address),
    ),
    "print-program": OddSite(
        "print versions by a program",
        forms([lambda s: f"/{s}-{len(s)}77", lambda s: f"/druckansicht.php?artikel={s}-{len(s)}77"], lists=False),
        paths_of(lambda s: f"/{s}-{len(s)}77"),
    ),
    "amp-declared": OddSite(
        "AMP pages that only heads name, and lists link to",
        forms(
            [plain_address, lambda s: f"/rychle/{s}.html"],
            head=lambda s, m: f"<link rel=amphtml href='/rychle/{s}.html'><link rel=canonical href='{plain_address(s)}'>",
        ),
        paths_of(plain_address),
    ),
    "mobile-folder": OddSite(
        "mobile pages in a folder",
        forms([plain_address, lambda s: f"/mobilni{plain_address(s)}", lambda s: f"/pda{plain_address(s)}"]),
        paths_of(plain_address),
    ),
    "all-forms": OddSite(
        "five forms",
        forms(
            [
                plain_address,
                lambda s: f"/tisk/{s}",
                lambda s: f"/zpravy/{s}/mobil",
                lambda s: f"/lite/{s}.html",
                lambda s: f"/zpravy/{s}.html?velke=pismo",
            ]
        ),
        paths_of(plain_address),
    ),
    # idle parameters
    "idle-places": OddSite(
        "a parameter that names the place of a link",
        forms([plain_address, *((lambda s, n=n: f"{plain_address(s)}?misto=hp{n}") for n in range(4))], links=False),
        paths_of(plain_address),
    ),
    "idle-only": OddSite(
        "no address without the parameter",
        forms([(lambda s, n=n: f"{plain_address(s)}?z={n}abc{len(s) + n}") for n in range(4)], links=False),
        paths_of(lambda s: f"{plain_address(s)}?z=0abc{len(s)}"),
    ),
    "idle-two": OddSite(
        "two parameters",
        forms(
            [plain_address, *((lambda s, n=n: f"{plain_address(s)}?rubrika=top{n % 2}&poradi={n}") for n in range(4))], links=False
        ),
        paths_of(plain_address),
    ),
    "idle-number": OddSite(
        "articles by a parameter, with another",
        forms([(lambda s, n=n: f"/clanek.php?id={SLUGS.index(s) + 311}" + f"&blok={n}" * bool(n)) for n in range(5)], links=False),
        paths_of(lambda s: f"/clanek.php?id={SLUGS.index(s) + 311}"),
    ),
    # hosts
    "hosts": OddSite(
        "four hosts",
        forms(
            hosts(
                "http://denik.cz:{port}", "http://www.denik.cz:{port}", "http://m.denik.cz:{port}", "http://mobil.denik.cz:{port}"
            ),
            links=False,
        ),
        paths_of(plain_address),
        start="http://www.denik.cz:{port}/",
        keys=LOCAL,
        hosts=("denik.cz", "m.denik.cz", "mobil.denik.cz"),
    ),
}
