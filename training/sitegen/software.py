"""Pages of forums, shops, listings and articles in the markup of the software that real sites run.

software/NAME.html has the default templates of one software: a section `#### base` around the pages, and a section
`#### KIND ADDRESS…` for each kind of page, `#### article` among them, so that the name of a software decides nothing by itself.
software/strings.txt has the buttons and labels of translations of such software; software/banks.toml the texts of users.
Everything follows from the seeds.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from newscrawler.demo.story import build_slug
from training.sitegen.texts import LANGUAGES as WRITTEN
from training.sitegen.texts import Writer

FOLDER = Path(__file__).parent / "software"
LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "ru", "nl", "pt", "cs", "tr", "ja", "zh")
#: Generated sites of each software.
SITES = 5
#: Pages of each kind on a site; of others, one.
_PAGES = {"forum": 2, "product": 2, "article": 2}
_ENGLISH_ONLY = frozenset({"hackernews", "lobsters"})
_NEWEST = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
_NICKS = (
    "marram_man", "Jean77", "oldlamp", "Kowal_", "quibbler", "TorstenB", "nuria.v", "pepe2004", "Dedal", "sysop_anna", "kero",
    "Mireille", "bluefox", "JKL", "turbo-otter", "Ivanka", "h4nd", "Rasmus", "tea_and_toast", "Wilma", "Oskar_L", "zephyr12",
)  # fmt: skip
_PEOPLE = ("Nora Weber", "Jan Kowalski", "Elif Demir", "Paulo Reis", "Anna Novotná", "Luc Martin", "Sara Conti", "Tom Hayes")
_BRANDS = ("Fjordline", "Calder & Sons", "Nordhaus", "Olmo", "Brightwater", "Hikari")
_CURRENCIES = {
    "en": ("$", "USD"), "pl": ("zł", "PLN"), "ru": ("₽", "RUB"), "cs": ("Kč", "CZK"), "tr": ("₺", "TRY"), "ja": ("¥", "JPY"),
    "zh": ("¥", "CNY"),
}  # fmt: skip
_LOCALES = {"en": "en_US", "pt": "pt_BR", "cs": "cs_CZ", "ja": "ja_JP", "zh": "zh_CN"}
_OTHER_SCRIPTS = frozenset({"ja", "ru", "zh"})
_WRAPPERS = ("site-wrap", "outer-wrapper", "page-container", "boxed-layout", "canvas", "main-holder", "layout-inner", "off-canvas")
_POSTS = (1, 1, 2, 2, 3, 4, 5, 7, 10, 15, 20, 30)
_JSON_LD = re.compile(r'<script type="application/ld\+json">.*?</script>', re.DOTALL)
_OPEN_GRAPH = re.compile(r'<meta property="(?:og|product):[^>]*>')
_MICRODATA = re.compile(r'\sitem(?:scope|(?:prop|type|id)="[^"]*")(?:="")?')
_BODY = re.compile(r"<body\b[^>]*>")


@cache
def list_label_words(language: str) -> frozenset[str]:
    """Return the words of buttons and labels in small letters."""
    texts = (text.lower() for said in load_strings().values() for text in said[language])
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


@cache
def load_strings() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return of each key and language the ways to say it."""
    found = {}
    for line in (FOLDER / "strings.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            key, _, row = line.partition(":")
            cells = [tuple(cell.strip().split("~")) for cell in row.split(" | ")]
            found[key] = dict(zip(LANGUAGES, cells, strict=True))
    return found


@cache
def load_banks() -> dict[str, dict[str, list[str]]]:
    """Return the texts of each language: titles, sentences, short posts, products."""
    return tomllib.loads((FOLDER / "banks.toml").read_text("utf-8"))


@cache
def load_templates(software: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """Return of each section of a software's file its addresses and its template."""
    found = {}
    for part in re.split(r"(?m)^#### ", (FOLDER / f"{software}.html").read_text("utf-8"))[1:]:
        head, _, text = part.partition("\n")
        kind, *paths = head.split()
        found[kind] = (tuple(paths), text)
    return found


def list_software() -> list[str]:
    """Return the names of the software."""
    return sorted(path.stem for path in FOLDER.glob("*.html"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A post, a comment, an item of a listing, a product, a review: a template takes what it needs."""

    n: int
    id: int
    title: str
    slug: str
    author: str
    date: str
    iso: str
    day: str
    month: str
    year: int
    paragraphs: tuple[str, ...]
    posts: int
    likes: int
    price: str
    amount: str
    rank: str
    place: str
    section: str
    quoted: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        """The paragraphs in one line."""
        return " ".join(self.paragraphs)

    @property
    def lead(self) -> str:
        """The beginning of the text."""
        return self.paragraphs[0][:160]

    @property
    def br(self) -> Markup:
        """The paragraphs with line breaks between them."""
        return Markup("<br>\n<br>\n").join(self.paragraphs)

    @property
    def html(self) -> Markup:
        """The paragraphs as elements."""
        return Markup("\n").join(Markup("<p>{}</p>").format(text) for text in self.paragraphs)

    @property
    def user(self) -> str:
        """The author's name for an address."""
        return quote(build_slug(self.author) or "user")


class SoftwareSite:
    """One generated site: a software, a language, and what its owner switched on."""

    def __init__(self, software: str, number: int, language: str) -> None:
        self.software, self.number, self.language = software, number, language
        self.host = f"{software}-{number}.example"
        self.dice = random.Random(f"software {self.host}")
        self.bank = load_banks()[language]
        written = language in WRITTEN
        self._writer = Writer(language, self.host) if written else None
        self.strings = {key: self.dice.choice(said[language]) for key, said in load_strings().items()}
        self._chosen: dict[str, bool] = {}
        self._titles: list[str] = []
        self._date_style = self.dice.randrange(4)
        self.name = (
            f"{self.dice.choice(self.bank['places'])} {self.dice.choice(('Forum', 'Garage', 'Atelier', 'Lab', 'Club', 'Store'))}"
        )
        self._strip = [
            mark for mark, share in ((_JSON_LD, 0.25), (_OPEN_GRAPH, 0.3), (_MICRODATA, 0.15)) if self.dice.random() < share
        ]
        self._wrappers = self.dice.sample(_WRAPPERS, self.dice.choice((0, 0, 1, 2)))

    def choose(self, part: str, share: float = 0.5) -> bool:
        """Tell whether the site has an optional part; the same on all its pages."""
        if part not in self._chosen:
            self._chosen[part] = random.Random(f"{self.host} {part}").random() < share
        return self._chosen[part]

    def say(self, key: str, **values: object) -> str:
        """Return the text of a label."""
        text = self.strings[key]
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def take_title(self) -> str:
        """Return a title that no thread or article of the site had, as long as there are any."""
        if not self._titles:
            self._titles = self.dice.sample(self.bank["topics"], len(self.bank["topics"]))
        return self._titles.pop()

    def write_paragraph(self, sentences: int) -> str:
        """Write some sentences."""
        if self._writer is not None and self.dice.random() < 0.5:
            return self._writer.paragraph(sentences)
        glue = "" if self.language in {"ja", "zh"} else " "
        return glue.join(self.dice.sample(self.bank["sentences"], min(sentences, len(self.bank["sentences"]))))

    def write_entry(self, n: int, *, title: str | None = None, paragraphs: Sequence[str] = (), person: bool = False) -> Entry:
        """Make an entry."""
        dice = self.dice
        when = _NEWEST - timedelta(minutes=dice.randint(10, 3_000_000))
        months = self.strings["months"].split(",")
        title = title or dice.choice(self.bank["topics"])
        amount = f"{dice.randint(4, 400)}.{dice.choice(('00', '50', '90', '95', '99'))}"
        texts = tuple(paragraphs) or tuple(self.write_paragraph(dice.choice((1, 2, 3))) for _ in range(dice.choice((1, 1, 2))))
        return Entry(
            n=n, id=dice.randint(100, 999_999), title=title, author=dice.choice(_PEOPLE if person else _NICKS),
            slug=quote(build_slug(title, ascii_only=self.language not in _OTHER_SCRIPTS)) or f"item-{n}",
            date=self._show(when, months), iso=when.isoformat(), day=f"{when.day}", month=months[when.month - 1], year=when.year,
            paragraphs=texts, posts=dice.randint(1, 9000), likes=dice.choice((0, 0, 1, 2, 5, 13, 48)), price=self._price(amount),
            amount=amount, rank=dice.choice(load_strings()["member"][self.language]), place=dice.choice(self.bank["places"]),
            section=dice.choice(self.strings["sections"].split(",")),
        )  # fmt: skip

    def _show(self, when: datetime, months: Sequence[str]) -> str:
        if self.language in {"ja", "zh"}:
            return f"{when:%Y/%m/%d %H:%M}" if self._date_style % 2 else f"{when.year}年{when.month}月{when.day}日"
        month = months[when.month - 1]
        if self.language == "en" and self._date_style < 3:
            return (
                f"{month} {when.day}, {when.year}",
                f"{when:%a} {month[:3]} {when.day}, {when:%Y %I:%M %p}",
                f"{when:%m-%d-%Y, %H:%M}",
            )[self._date_style]
        return (
            f"{when.day} {month} {when.year}",
            f"{when:%d.%m.%Y, %H:%M}",
            f"{when:%Y-%m-%d}",
            f"{when.day}. {month} {when.year} {when:%H:%M}",
        )[self._date_style]

    def _price(self, amount: str) -> str:
        sign, _ = _CURRENCIES.get(self.language, ("€", "EUR"))
        if sign in "$¥":
            return f"{sign}{amount.split('.', maxsplit=1)[0] if sign == '¥' else amount}"
        return f"{amount.replace('.', ',')} {sign}"

    def write_posts(self) -> list[Entry]:
        """Write a thread: sometimes a first post that reads like an article, answers, quotes."""
        dice, found = self.dice, list[Entry]()
        title = self.take_title()
        for n in range(1, dice.choice(_POSTS) + 1):
            if n == 1 and dice.random() < 0.35:
                paragraphs = [self.write_paragraph(dice.randint(2, 5)) for _ in range(dice.randint(5, 14))]
            elif n > 1 and dice.random() < 0.3:
                paragraphs = [dice.choice(self.bank["shorts"])]
            else:
                paragraphs = [self.write_paragraph(dice.randint(1, 4)) for _ in range(dice.choice((1, 1, 2, 3)))]
            entry = self.write_entry(n, title=title, paragraphs=paragraphs)
            if found and dice.random() < 0.25:
                other = dice.choice(found)
                entry = Entry(
                    **{name: getattr(entry, name) for name in Entry.__slots__ if name != "quoted"},
                    quoted=(other.author, other.lead),
                )
            found.append(entry)
        return found

    def write_products(self, most: int, first: int) -> list[Entry]:
        """Write products of a catalogue or a box of recommendations."""
        names = self.bank["products"]
        return [
            self.write_entry(n, title=names[(n + first + self.number) % len(names)], paragraphs=self._describe())
            for n in range(1, most + 1)
        ]

    def _describe(self) -> list[str]:
        dice, glue = self.dice, "" if self.language in {"ja", "zh"} else " "
        texts = dice.sample(self.bank["wares"], dice.randint(2, len(self.bank["wares"])))
        return texts if dice.random() < 0.5 else [glue.join(texts)]

    def write_page(self, kind: str, n: int) -> dict[str, Any]:
        """Write one page."""
        dice = self.dice
        paths, template = load_templates(self.software)[kind]
        person = kind not in {"forum", "product", "collection"}
        posts = self.write_posts() if kind == "forum" else []
        products = self.write_products(dice.choice((4, 8, 12, 24)), n)
        items = [self.write_entry(i, person=person) for i in range(1, dice.choice((4, 6, 8, 10, 12, 20)) + 1)]
        paragraphs = self._write_article() if kind == "article" else ()
        main = (
            posts[0]
            if posts
            else products[0]
            if kind in {"product", "collection"}
            else self.write_entry(0, title=self.take_title(), paragraphs=paragraphs, person=True)
        )
        if kind == "product" and dice.random() < 0.4:  # a description as long as an article
            main = self.write_entry(0, title=main.title, paragraphs=[*self._describe(), *self._write_article()])
        section = dice.choice(self.strings["sections"].split(","))
        path = random.Random(f"{self.host} {kind} path").choice(paths).format(
            id=main.id, slug=main.slug, f=dice.randint(2, 60), n=dice.randint(2, 9), cat=quote(build_slug(section) or "news"),
            user=main.user, year=main.year, month=f"{dice.randint(1, 12):02}", name=quote(main.title[:12]),
        )  # fmt: skip
        values = {
            "site": self, "t": self.strings, "say": self.say, "opt": self.choose, "once": lambda share=0.5: dice.random() < share,
            "host": self.host, "base": f"https://{self.host}", "path": path, "url": f"https://{self.host}{path}",
            "name": self.name, "lang": self.language, "kind": kind, "posts": posts, "items": items, "products": products,
            "locale": _LOCALES.get(self.language, f"{self.language}_{self.language.upper()}"),
            "main": main, "title": main.title, "section": section, "sections": self.strings["sections"].split(","),
            "reviews": self._write_comments("sentences"), "comments": self._write_comments("shorts"),
            "brand": dice.choice(_BRANDS), "brands": _BRANDS, "currency": _CURRENCIES.get(self.language, ("€", "EUR"))[1],
            "number": dice.randint(2, 90), "total": dice.randint(40, 900), "pick": dice.choice,
            "score": f"{dice.randint(30, 50) / 10}", "hash": f"{dice.getrandbits(32):08x}",
            "place": dice.choice(self.bank["places"]),
        }  # fmt: skip
        values["inner"] = Markup(_compile(template).render(values))  # noqa: S704 (the template escapes)
        html = self._vary(_compile(load_templates(self.software)["base"][1]).render(values))
        page = {
            "id": f"software-{self.software}-{self.number}-{kind}-{n}", "url": values["url"], "html": html,
            "kind": None if kind == "article" else kind, "source": f"{self.software}-{self.number}",
        }  # fmt: skip
        return page if page["kind"] else {**page, "gold": {"title": main.title, "body": "\n".join(main.paragraphs)}}

    def _write_article(self) -> list[str]:
        dice = self.dice
        return [self.write_paragraph(dice.randint(2, 5)) for _ in range(dice.choice((2, 4, 5, 6, 8, 10, 12)))]

    def _write_comments(self, bank: str) -> list[Entry]:
        dice = self.dice
        return [
            self.write_entry(
                n, paragraphs=[dice.choice(self.bank[bank]), *([self.write_paragraph(2)] if dice.random() < 0.3 else [])]
            )
            for n in range(dice.choice((0, 0, 1, 3, 6)))
        ]

    def _vary(self, html: str) -> str:
        for mark in self._strip:
            html = mark.sub("", html)
        opened, closed = "".join(f'<div class="{name}">' for name in self._wrappers), "</div>" * len(self._wrappers)
        html = _BODY.sub(lambda found: found[0] + opened, html, count=1)
        return f"{html.rpartition('</body>')[0]}{closed}</body></html>\n"


@cache
def _compile(template: str) -> Any:
    environment = Environment(loader=BaseLoader(), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template)


def software_sites() -> Iterator[SoftwareSite]:
    """Yield the sites: of each software one in English, the others in other languages by turns."""
    turn = 0
    for software in list_software():
        for number in range(1, SITES + 1):
            language = "en"
            if number > 1 and software not in _ENGLISH_ONLY:
                language = LANGUAGES[1 + turn % (len(LANGUAGES) - 1)]
                turn += 1
            yield SoftwareSite(software, number, language)


def software_pages() -> Iterator[dict[str, Any]]:
    """Yield pages {"id", "url", "html", "kind", "source"}; of articles the kind is None, and there is "gold" {"title", "body"}."""
    for site in software_sites():
        for kind in load_templates(site.software):
            for n in range(_PAGES.get(kind, 1) if kind != "base" else 0):
                yield site.write_page(kind, n)
