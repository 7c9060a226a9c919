"""A portal of any size, whose pages follow from their addresses, and a small server for it in a process of its own."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from pathlib import Path
from zoneinfo import ZoneInfo

from newscrawler.demo.story import build_slug, load_edition

SECTIONS = ("domaci", "zahranici", "ekonomika", "kultura", "sport", "veda", "region", "nazory")
ON_A_LISTING = 25
#: Links of a page beside its own content, as news sites have them: menus, footer, most read.
_FOOTER, _MOST_READ = 30, 10
_NEWEST = datetime(2026, 11, 20, 18, 0, tzinfo=ZoneInfo("Europe/Prague"))


@dataclass(frozen=True)
class Site:
    """So many articles in eight sections; article n stands in section n mod 8."""

    articles: int
    #: Pages without menus and with little text: for runs of many pages.
    small: bool = False

    def page(self, path: str) -> str | None:
        """HTML of a page; None: there is none."""
        if path == "/":
            return self._listing("Poledník", "/", range(min(60, self.articles)), None) + self._sections()
        parts = path.strip("/").split("/")
        if parts[0] not in SECTIONS:
            return None
        if len(parts) == 2:
            number = parts[1].removesuffix(".html").rpartition("-")[2]
            return self._article(int(number)) if number.isdecimal() and int(number) < self.articles else None
        page = int(parts[2]) if len(parts) == 3 and parts[2].isdecimal() else 1
        here = range(SECTIONS.index(parts[0]), self.articles, len(SECTIONS))
        on_it = here[(page - 1) * ON_A_LISTING : page * ON_A_LISTING]
        more = page + 1 if page * ON_A_LISTING < len(here) else None
        return self._listing(parts[0].title(), f"/{parts[0]}/", on_it, more) if on_it else None

    def address(self, number: int) -> str:
        """Path of an article."""
        return f"/{SECTIONS[number % len(SECTIONS)]}/{build_slug(self._headline(number))}-{number}.html"

    def _headline(self, number: int) -> str:
        edition, dice = load_edition("cs"), random.Random(number)
        topic = dice.choice(edition.stories).topic
        return f"{dice.choice(edition.places).capitalize()} se {topic} rozhodne {dice.choice(edition.days)}, žádá {number} lidí"

    def _article(self, number: int) -> str:
        edition, dice = load_edition("cs"), random.Random(-number - 1)
        story = dice.choice(edition.stories)

        def sentence() -> str:
            text = dice.choice((*edition.sentences, *story.facts)).format(
                P=dice.choice(edition.persons), Q=dice.choice(edition.persons), C=dice.choice(edition.places), T=story.topic,
                D=dice.choice(edition.days), N=dice.randrange(15, 9000, 10), M=dice.randrange(15, 9000, 10),
            )  # fmt: skip
            return text[0].upper() + text[1:]

        most = 4 if self.small else 11
        paragraphs = [" ".join(sentence() for _ in range(dice.randrange(2, 6))) for _ in range(dice.randrange(most // 2, most))]
        published = _NEWEST - timedelta(minutes=37 * number % 500_000)
        headline, author = self._headline(number), dice.choice(edition.authors)
        lead = " ".join(sentence() for _ in range(2))
        data = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": headline,
            "datePublished": published.isoformat(),
            "author": {"@type": "Person", "name": author},
        }
        head = (
            f'<meta property="og:title" content="{escape(headline)}"><meta property="og:type" content="article">'
            f'<meta name="description" content="{escape(lead)}">'
            f'<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>'
        )
        text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
        picture = '<figure><img src="/p.jpg" alt=""><figcaption>Ilustrační snímek. Foto: redakce</figcaption></figure>'
        related = "".join(self._card(dice.randrange(self.articles)) for _ in range(5))
        main = (
            f"<article><h1>{escape(headline)}</h1><p class=perex>{escape(lead)}</p>"
            f"<p class=meta><span class=author>{author}</span> "
            f'<time datetime="{published.isoformat()}">{published:%d. %m. %Y %H:%M}</time></p>{picture}{text}</article>'
            f"<aside class=related><h2>Související články</h2>{related}</aside>"
        )
        return self._frame(headline, head, main)

    def _listing(self, title: str, base: str, numbers: range, more: int | None) -> str:
        cards = "".join(self._card(number) for number in numbers)
        pager = f'<div class=pager><a rel=next href="{base}strana/{more}/">Další</a></div>' if more else ""
        return self._frame(title, "", f"<main><h1>{title}</h1>{cards}{pager}</main>")

    def _sections(self) -> str:
        return "".join(f'<a href="/{name}/">{name.title()}</a>' for name in SECTIONS)

    def _card(self, number: int) -> str:
        moment = _NEWEST - timedelta(minutes=37 * number % 500_000)
        headline = self._headline(number)
        return (
            f'<div class="card teaser"><a href="{self.address(number)}"><h3>{escape(headline)}</h3></a>'
            f"<span class=date>{moment:%d. %m. %Y}</span><p>{escape(headline)} – podrobnosti uvnitř.</p></div>"
        )

    def _frame(self, title: str, head: str, main: str) -> str:
        if self.small:
            title = f"<title>{escape(title)} | Poledník</title>"
            return f"<html lang=cs><head><meta charset=utf-8>{title}{head}</head><body>{main}</body></html>"
        menu = "".join(f'<li class="menu-item"><a href="/{name}/">{name.title()}</a></li>' for name in SECTIONS)
        menu += "".join(f'<li class="menu-item sub"><a href="/{name}/">{name.title()} dnes</a></li>' for name in SECTIONS * 2)
        footer = "".join(f'<li><a href="/o-nas/{n}.html">Odkaz patičky {n}</a></li>' for n in range(_FOOTER))
        most_read = "".join(self._card(number) for number in range(min(_MOST_READ, self.articles)))
        widgets = "".join(f'<div class="widget w{n}"><span class=label>Reklama {n}</span><div></div></div>' for n in range(12))
        return (
            f"<!doctype html><html lang=cs><head><meta charset=utf-8><title>{escape(title)} | Poledník</title>{head}"
            '<link rel=stylesheet href="/s.css"><script>window.config = {"a": [1, 2, 3], "b": "text"};</script></head><body>'
            f'<header><a class=logo href="/">Poledník</a><nav><ul>{menu}</ul></nav></header><div class=wrap>{main}'
            f"<aside class=side><h2>Nejčtenější</h2>{most_read}{widgets}</aside></div>"
            f"<footer><ul>{footer}</ul><p>© 2026 Poledník. Všechna práva vyhrazena.</p></footer></body></html>"
        )


@dataclass(frozen=True)
class KeptPages:
    """Pages of a file, under addresses of their own, and a front page that names them all."""

    html: tuple[str, ...]

    @classmethod
    def of(cls, file: Path) -> KeptPages:
        """Read JSON lines with `html`."""
        return cls(tuple(json.loads(line)["html"] for line in file.read_text("utf-8").splitlines()))

    def page(self, path: str) -> str | None:
        """HTML of a page; None: there is none."""
        if path == "/":
            links = "".join(
                f'<li><a href="{self.address(n)}">Zpráva číslo {n} z domova i ze světa</a></li>' for n in range(len(self.html))
            )
            return f"<html><head><meta charset=utf-8><title>Výběr</title></head><body><h1>Výběr</h1><ul>{links}</ul></body></html>"
        number = path.removesuffix(".html").rpartition("-")[2]
        wanted = int(number) - 1000 if number.isdecimal() else -1
        return self.html[wanted] if 0 <= wanted < len(self.html) and path == self.address(wanted) else None

    def address(self, number: int) -> str:
        """Path of a page."""
        return f"/zpravy/zprava-cislo-{number}-z-domova-i-ze-sveta-{1000 + number}.html"


class Connection(asyncio.Protocol):
    """As little of HTTP/1.1 as a crawler needs: what is measured is not the server."""

    def __init__(self, site: Site | KeptPages, kept: dict[str, bytes]) -> None:
        self._site, self._kept = site, kept
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where answers go."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer all requests that are complete."""
        self._rest += data
        while b"\r\n\r\n" in self._rest:
            request, self._rest = self._rest.split(b"\r\n\r\n", 1)
            self.transport.write(self.answer(request.split(b" ", 2)[1].decode("ascii")))

    def answer(self, path: str) -> bytes:
        """Write the answer to a request, and keep it."""
        answer = self._kept.get(path)
        if answer is None:
            page = self._site.page(path)
            body = (page or "not here").encode()
            status = "200 OK" if page else "404 Not Found"
            answer = (
                f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            if len(self._kept) < 3_000:  # the same pages in every run
                self._kept[path] = answer
        return answer


async def _serve(site: Site | KeptPages) -> None:
    kept: dict[str, bytes] = {}
    server = await asyncio.get_running_loop().create_server(lambda: Connection(site, kept), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await server.serve_forever()


@contextmanager
def served(articles: int, *, small: bool = False, pages: Path | None = None) -> Iterator[str]:
    """Serve a site of so many articles, or the pages of a file; yields its address."""
    given = [str(pages.resolve())] if pages else [str(articles), *(["small"] if small else [])]
    command = [sys.executable, "-m", "crawl_benchmark.site", *given]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    given = sys.argv[1]
    asyncio.run(_serve(Site(int(given), "small" in sys.argv) if given.isdecimal() else KeptPages.of(Path(given))))
