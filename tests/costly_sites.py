# ruff: noqa: E501  rows of a table
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


# ---------------------------------------------------------------------- unproductive patterns


class Unproductive(dict[str, Route]):
    """Pages with nothing to read below one folder, however many."""

    def __init__(self, routes: Routes, beginning: str) -> None:
        super().__init__(routes)
        self.beginning = beginning

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Return a page without a text for all that begins so."""
        page = document("<h1>Výsledek</h1><p>Nic.</p>") if path.startswith(self.beginning) else default
        return super().get(path, page)


def unproductive(beginning: str, make: Callable[[int], str], *, dates: bool = True, count: int = 1_500) -> Callable[[str], Routes]:
    """A portal whose sitemap names many addresses of one shape that lead to nothing."""
    return lambda base: Unproductive(
        plain(
            TEN,
            listed(TEN),
            {"/sitemap.xml": entries(base, range(count), tags=lambda _: published(0) if dates else changed(0), make=make)},
        ),
        beginning,
    )


SKIPPED: dict[str, OddSite] = {
    "numbers": OddSite(
        "numbers in a name", unproductive("/zpravy/zapas-", "/zpravy/zapas-{0}-prehled-vsech-goli-a-karet.html".format), TEN
    ),
    "folders": OddSite(
        "numbers as folders", unproductive("/vysledky/", "/vysledky/{0}/prehled-vsech-goli-a-karet-zapasu/".format), TEN
    ),
    "slugs": OddSite(
        "names of their own",
        unproductive("/clanky/", lambda n: f"/clanky/{SLUGS[n % 30]}-{'abcdefghijk'[n % 11]}-{n * 7 + 1000}.htm", dates=False),
        TEN,
    ),
    "queries": OddSite("numbers behind a question mark", unproductive("/clanek.php", "/clanek.php?zapas={0}&kolo=7".format), TEN),
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
WHOLE: dict[str, OddSite] = {
    "all-parameter": OddSite(
        "`?strana=vse`",
        parted(
            lambda s, n: f"/zpravy/{s}.html" + ("?strana=vse" if n == 0 else "" if n == 1 else f"?strana={n}"), word="Zobrazit vše"
        ),
        paths_of(plain_address),
    ),
    "all-english": OddSite(
        "`?page=all` that is canonical",
        parted(
            lambda s, n: f"/news/{s}" + ("?page=all" if n == 0 else "" if n == 1 else f"?page={n}"), word="View all", canonical=True
        ),
        paths_of(lambda s: f"/news/{s}"),
    ),
    "all-true": OddSite(
        "`?singlepage=true`",
        parted(lambda s, n: f"/news/{s}" + ("?singlepage=true" if n == 0 else "" if n == 1 else f"?pg={n}"), word="Single page"),
        paths_of(lambda s: f"/news/{s}"),
    ),
    "all-folder": OddSite(
        "`/komplettansicht`",
        parted(
            lambda s, n: f"/artikel/{s}" + ("/komplettansicht" if n == 0 else "" if n == 1 else f"/seite-{n}"),
            word="Auf einer Seite lesen",
        ),
        paths_of(lambda s: f"/artikel/{s}"),
    ),
    "all-french": OddSite(
        "`/integral/`",
        parted(lambda s, n: f"/actu/{s}/" + ("integral/" if n == 0 else "" if n == 1 else f"{n}/"), word="Lire en une seule page"),
        paths_of(lambda s: f"/actu/{s}/"),
    ),
}


# ---------------------------------------------------------------------- pages that are no articles

TWELVE = SLUGS[:12]


def place(slug: str) -> str:
    return f"/zpravy/{slug}.html"


def beside(more: Callable[[int, str], tuple[str, Routes]], *, menu: Routes | None = None, make: Make = place) -> Routes:
    """A portal of articles, each of which has a piece of its page and further pages; `menu`: pages linked in all footers."""
    foot = "".join(f"<a href='{path}'>{path.strip('/')}</a> " for path in menu or {})
    made: Routes = {"/": document(f"<h1>Deník</h1><ul>{anchors(map(make, TWELVE))}</ul><footer>{foot}</footer>"), **(menu or {})}
    for number, slug in enumerate(TWELVE, 1):
        piece, pages = more(number, slug)
        made |= pages
        made[make(slug)] = story(number, links=f"{piece}<footer>{foot}</footer>")
    return made


PLACES = ("Praha", "Brno", "Ostrava", "Plzeň", "Liberec", "Olomouc", "Zlín", "Jihlava", "Opava")


def photo(number: int, part: int, *, words: int, title: str, links: str, head: str = "") -> str:
    """A page of a gallery: a picture with a caption, in the frame of an article."""
    caption = " ".join(
        f"Dělníci {PLACES[(part + each) % 9]} {each + part * 3} staví lešení u pilíře {number * 3 + each}, který má být hotov na jaře roku "
        f"{2027 + each}." for each in range(9)
    ).split()[:words]  # fmt: skip
    return (
        f"<html lang=cs><head><meta charset=utf-8><title>{title} | Deník</title>{head}"
        f"<meta property='article:published_time' content='2026-11-{number % 19 + 1:02}T08:00:00+01:00'><meta property=og:type "
        f"content=article></head><body class='single-post'><nav><a href=/>Domů</a></nav><article><h1>{title}</h1><p class=byline>Jana "
        f"Nová, <time>{number % 19 + 1}. 11. 2026</time></p><figure><img src=/obr/{number}-{part}.jpg alt='Most' width=1200 height=800>"
        f"<figcaption>{' '.join(caption)}. Foto: Deník/Petr Malý</figcaption></figure>{links}</article></body></html>"
    )


def gallery(make: Callable[[str, int], str], *, words: int = 40, title: str = "Most číslo {0} se letos dočká opravy", count: int = 6,
            head: str = "") -> Routes:  # fmt: skip
    """Articles with a gallery whose pictures have pages."""

    def pages(number: int, slug: str) -> tuple[str, Routes]:
        thumbs = "".join(
            f"<a href='{make(slug, part)}'><img src=/obr/{number}-{part}.jpg alt='Fotka {part}'></a>" for part in range(1, count)
        )
        made = {
            make(slug, part): photo(
                number,
                part,
                words=words,
                title=title.format(number, part, count - 1),
                head=head.format(url=place(slug)),
                links=f"<a href='{place(slug)}'>Zpět na článek</a> <a rel=next href='{make(slug, part % (count - 1) + 1)}'>Další</a>",
            )
            for part in range(1, count)
        }
        return f"<div class=gallery>{thumbs}</div>", made

    return beside(pages)


def apart(make: Callable[[str, int], str]) -> Routes:
    """Galleries that lead only to their own pictures, whose captions have no element of their own."""

    def pages(number: int, slug: str) -> tuple[str, Routes]:
        links = "".join(f"<a href='{make(slug, part)}'>{part}</a> " for part in range(1, 5))
        made = {make(slug, part): photo(number, part, words=40, title="Galerie", links=links) for part in range(1, 5)}
        return links, {path: str(page).replace("figcaption", "div") for path, page in made.items()}

    return beside(pages)


def paged(make: Callable[[str, int], str]) -> Routes:
    """Articles of three pages with a row of numbers that nothing names; the front page lists them all."""
    made: Routes = {"/": listed([make(slug, part) for slug in TWELVE for part in (1, 2, 3)])}
    for number, slug in enumerate(TWELVE, 1):
        for part in (1, 2, 3):
            row = " | ".join(f"<b>{n}</b>" if n == part else f"<a href='{make(slug, n)}'>{n}</a>" for n in (1, 2, 3))
            made[make(slug, part)] = story(number, links=f"<div>{row}</div>").replace(f">{number}-", f">{number}/{part}-")
    return made


def comment(number: int, part: int) -> str:
    return (
        f"<li class=comment id=c{part}><b class=author>Petr Novák {part}</b> <span>{part}. 11. 2026 v 14:0{part % 10}</span><p>"
        f"Já si myslím, že oprava mostu číslo {number} je vyhozených peněz, {part} milionů by šlo dát raději do školek, a vůbec, kdo to "
        f"bude platit? Naposledy to trvalo {part} let a výsledek je bída. Souhlasím s předchozím příspěvkem.</p></li>"
    )


def comments(make: Callable[[str, int], str], *, title: str = "Most číslo {0} se letos dočká opravy", repeats: bool = False,
             count: int = 4) -> Routes:  # fmt: skip
    """Articles whose comments have pages."""

    def pages(number: int, slug: str) -> tuple[str, Routes]:
        links = "".join(f"<a href='{make(slug, part)}'>Komentáře {part}</a> " for part in range(1, count))
        shown = {part: "".join(comment(number, 10 * part + each) for each in range(8)) for part in range(1, count)}
        text = f"<p>{(SENTENCE * 3).format(n=number)}</p>" * 2 if repeats else ""
        made = {
            make(slug, part): (
                f"<html lang=cs><head><meta charset=utf-8><title>{title.format(number)} | Deník</title><meta property="
                f"'article:published_time' content='2026-11-{number % 19 + 1:02}T08:00:00+01:00'></head><body><article>"
                f"<h1>{title.format(number)}</h1><a href='{place(slug)}'>Zpět na článek</a>{text}<ol class=commentlist>{shown[part]}</ol>"
                f"<div class=nav>{links}</div></article></body></html>"
            )
            for part in range(1, count)
        }
        return f"<div id=comments><h2>Komentáře</h2>{links}</div>", made

    return beside(pages)


def service(name: str, paragraphs: int = 6, *, head: str = "") -> str:
    text = "".join(
        f"<h2>{head}</h2><p>Vydavatelem je společnost Deník s. r. o. se sídlem v Praze, která noviny vydává od roku 1990. Redakce má {n} "
        "členů a řídí se etickým kodexem novináře. Písemnosti se zasílají na adresu vydavatele, dotazy čtenářů vyřizuje oddělení "
        "předplatného každý všední den od osmi do šestnácti hodin.</p>"
        for n, head in enumerate(("Vydavatel", "Redakce", "Inzerce", "Předplatné", "Tiskárna", "Historie")[:paragraphs], 3)
    )
    return f"<html lang=cs><head><meta charset=utf-8><title>{name} | Deník</title>{head}</head><body><main><h1>{name}</h1>{text}</main></body></html>"


def services(names: dict[str, str], *, make: Make = place, dated: bool = True, head: str = "") -> Routes:
    made = beside(lambda *_: ("", {}), menu={path: service(name, head=head) for path, name in names.items()}, make=make)
    return made if dated else {path: str(page).replace("article:published_time", "x:y") for path, page in made.items()}


NAMES = {
    "/o-nas": "O nás",
    "/kontakt": "Kontakt",
    "/impressum": "Impressum",
    "/vydavatel-a-redakce": "Vydavatel a redakce",
    "/redakcni-kodex": "Kodex redaktora",
    "/chi-siamo": "Chi siamo",
    "/ueber-uns": "Über uns",
    "/mentions-legales": "Mentions légales",
    "/quienes-somos": "Quiénes somos",
    "/about-the-daily": "About the Daily",
    "/kdo-jsme": "Kdo jsme",
    "/inzerce-v-deniku": "Inzerce v Deníku",
}
YOAST = """<meta property=og:type content=article><meta property='article:modified_time' content='2024-05-01T10:00:00+00:00'><script type='application/ld+json'>{"@context":"https://schema.org","@graph":[{"@type":"WebPage","name":"Deník","datePublished":"2023-05-01T10:00:00+00:00","dateModified":"2024-05-01T10:00:00+00:00"}]}</script>"""


def short(box: str, begin: str, end: str) -> Routes:
    """Articles of three short paragraphs with many comments."""

    def pages(number: int, slug: str) -> tuple[str, Routes]:
        said = "".join(
            f"{begin.format(part)}{comment(number, part).removeprefix(f'<li class=comment id=c{part}>').removesuffix('</li>')}{end}"
            for part in range(1, 13)
        )
        return f"<section class='{box}'><h2>Komentáře (12)</h2>{said}</section>", {}

    made = beside(pages)
    for number, slug in enumerate(TWELVE, 1):
        page = str(made[place(slug)])
        a, b = page.index("<p>"), page.index("</article>")
        made[place(slug)] = (
            page[:a]
            + "".join(
                f"<p>{text}</p>"
                for text in (
                    f"Most číslo {number} přes řeku bude od března uzavřen.",
                    f"Oprava potrvá do konce roku a vyjde na {number} milionů korun.",
                    f"Objížďka povede přes sousední obec, řekl starosta {PLACES[number % 9]}.",
                )
            )
            + page[b:]
        )
    return made


def bare(slug: str) -> str:
    return f"/{slug}"


OTHERS: dict[str, OddSite] = {
    "photos-folder": OddSite(
        "pages of pictures in a folder of the article", gallery(lambda s, n: f"/zpravy/{s}/foto/{n}"), paths_of(place)[:12]
    ),
    "photos-number": OddSite(
        "numbers behind the name",
        gallery(lambda s, n: f"/galerie/{s}-{n}.html", title="Foto {1} z {2}: Most číslo {0} se letos dočká opravy"),
        paths_of(place)[:12],
    ),
    "photos-parameter": OddSite("a parameter", gallery(lambda s, n: f"/zpravy/{s}.html?foto={n}"), paths_of(place)[:12]),
    "photos-english": OddSite(
        "photo pages with long captions", gallery(lambda s, n: f"/gallery/{s}/image-{n}/", words=80), paths_of(place)[:12]
    ),
    "photos-names": OddSite(
        "a name for each picture",
        gallery(
            lambda s, n: f"/bild/{s}/{'ostwestsuednordmitte'[n * 3 : n * 3 + 6]}", title="Fotostrecke: Bild {1} von {2}", words=60
        ),
        paths_of(place)[:12],
    ),
    "photos-attachment": OddSite(
        "pages of attachments", gallery(lambda s, n: f"/{s}/dsc-{n}0{n}/", title="DSC_0{1}", words=50), paths_of(place)[:12]
    ),
    "pages-comma": OddSite(
        "`,2` behind the name", paged(lambda s, n: f"/zpravy/{s}" + f",{n}" * (n > 1) + ".html"), paths_of(place)[:12]
    ),
    "pages-letter": OddSite(
        "`_s2` behind the name", paged(lambda s, n: f"/zpravy/{s}" + f"_s{n}" * (n > 1) + ".html"), paths_of(place)[:12]
    ),
    "comments-wordpress": OddSite(
        "`/comment-page-2/`", comments(lambda s, n: f"/zpravy/{s}.html/comment-page-{n}/", repeats=True), paths_of(place)[:12]
    ),
    "comments-reply": OddSite(
        "`?replytocom=`", comments(lambda s, n: f"/zpravy/{s}.html?replytocom={n}7", repeats=True), paths_of(place)[:12]
    ),
    "comments-folder": OddSite(
        "`/diskuse/`", comments(lambda s, n: f"/diskuse/{s}?strana={n}", title="Diskuse: Most číslo {0}"), paths_of(place)[:12]
    ),
    "comments-other": OddSite(
        "`/kommentare` behind the article", comments(lambda s, n: f"/zpravy/{s}.html/kommentare/{n}"), paths_of(place)[:12]
    ),
    "comments-forum": OddSite(
        "opinions without a known word", comments(lambda s, n: f"/nazory-ctenaru/{s}-{n}"), paths_of(place)[:12]
    ),
    "services-bare": OddSite(
        "service pages like articles",
        services({path: name for path, name in list(NAMES.items())[:10] if path != "/redakcni-kodex"}, make=bare),
        paths_of(bare)[:12],
    ),
    "services-yoast": OddSite("pages whose system dates them", services(NAMES, make=bare, head=YOAST), paths_of(bare)[:12]),
    "services-article": OddSite(
        "pages that declare themselves articles",
        services(
            NAMES,
            make=bare,
            head="<meta property=og:type content=article><meta property='article:modified_time' content='2024-05-01T10:00:00+00:00'>",
        ),
        paths_of(bare)[:12],
    ),
    "gallery-apart": OddSite(
        "galleries that lead only to their pictures", apart(lambda s, n: f"/diaporama/{s}-{n}.html"), paths_of(place)[:12]
    ),
    "gallery-parameter": OddSite(
        "the same by a parameter", apart(lambda s, n: f"/fotostrecken/{s}?bild={n}"), paths_of(place)[:12]
    ),
    "short-comments": OddSite(
        "short articles with long comments", short("comment", "<li class=comment id=c{0}>", "</li>"), paths_of(place)[:12]
    ),
    "short-german": OddSite(
        "the same in German", short("leserkommentare", "<div class='kommentar' data-id={0}>", "</div>"), paths_of(place)[:12]
    ),
    "short-articles": OddSite(
        "comments as `<article>`",
        short("", "<article id=div-{0} itemscope itemtype='https://schema.org/Comment'>", "</article>"),
        paths_of(place)[:12],
    ),
    "short-bare": OddSite("comments with no name", short("x7", "<div class=y{0}>", "</div>"), paths_of(place)[:12]),
    "services-undated": OddSite(
        "the same, and articles without dates",
        services(dict(list(NAMES.items())[:10]), make=bare, dated=False),
        paths_of(bare)[:12],
    ),
}
