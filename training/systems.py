"""Pages of the publishing systems of ../shared/sites and of the demo portal, which serve our own texts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from lxml.html import document_fromstring

from newscrawler.demo.gold import PublishedArticle
from newscrawler.demo.pages import LAYOUTS
from newscrawler.demo.portal import DemoPortal
from training.pages import ANCHOR
from training.records import without_styles
from training.walk import Fetch, choose, loopback, part_of, walk

#: Not in the user's home: the database server of WordPress runs as another user.
STATE = Path(tempfile.gettempdir()) / "newscrawler-sites"
PORTS = {"hexo-next": 28702, "nikola": 28711, "pelican": 28721, "wp-plain": 28731, "wp-dated": 28732}
_STARTS: dict[str, tuple[str, ...]] = {
    "wp-plain": (
        "/", "/?p=99999999", "/?page_id=99999998", "/?cat=999", "/?s=bridge", "/?s=most", "/?s=school", "/?s=qwzx", "/wp-login.php",
        "/wp-login.php?action=lostpassword", "/?author=2", "/?author=3", "/?author=4", "/?m=202609", "/?m=202610", "/?m=202611",
    ),
    "wp-dated": (
        "/", "/no-such-page/", "/category/no-such-page/", "/2019/01/", "/?s=most", "/?s=voda", "/?s=qwzx", "/wp-login.php",
        "/wp-login.php?action=lostpassword", "/author/marketa-kucerova/", "/2026/09/", "/2026/10/", "/2026/11/",
    ),
}  # fmt: skip
_STATIC_STARTS = ("/", "/no-such-page/")
_DEMO_STARTS = ("/", "/search?q=", "/search?q=ferry", "/no-such-page", "/login")


class Source(Protocol):
    """A site whose pages are ours."""

    @property
    def name(self) -> str:
        """The name of its host."""

    def url(self, path: str) -> str:
        """The address under the host name that the source has in our files."""

    def negatives(self, part: str, most: int) -> list[dict[str, Any]]:
        """Pages {"path", "html", "kind"} that are no articles."""

    def articles(self, part: str, most: int) -> Iterator[dict[str, Any]]:
        """Pages {"path", "html", "gold"} that are."""


@dataclass(frozen=True, kw_only=True)
class System:
    """One publishing system, running on this machine."""

    name: str
    base_url: str
    gold: Path

    @cached_property
    def _fetch(self) -> Fetch:
        return loopback(self.base_url)

    @cached_property
    def _published(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.gold.read_text("utf-8").splitlines()]

    def _renamed(self, html: str) -> str:
        """The page under a host name of its own."""
        parts = urlsplit(self.base_url)
        host = f"{self.name}.example"
        return html.replace(parts.netloc, host).replace(parts.hostname or host, host)

    @cached_property
    def _listings(self) -> list[dict[str, Any]]:
        articles = {_target(article["url"]) for article in self._published}
        pages = walk(self._fetch, self.base_url, _STARTS.get(self.name, _STATIC_STARTS), articles, limit=220)
        return [{**page, "html": self._renamed(page["html"])} for page in pages if page["path"] not in articles]

    def url(self, path: str) -> str:
        """The address under the host name that stands for the site."""
        return f"http://{self.name}.example{path}"

    def negatives(self, part: str, most: int) -> list[dict[str, Any]]:
        """Pages that are no articles."""
        return choose(self._listings, self.name, part, most)

    def articles(self, part: str, most: int) -> Iterator[dict[str, Any]]:
        """Articles on one page each, spread over the whole time."""
        ours = [
            article
            for article in self._published
            if not article.get("pages") and part_of(self.name, _target(article["url"])) == part
        ]
        for article in ours[:: max(1, len(ours) // most)][:most]:
            answer = self._fetch(_target(article["url"]))
            if answer is None or answer[0] != 200:
                msg = f"{article['url']} cannot be had; run `up {self.name}` with REBUILD=1"
                raise RuntimeError(msg)
            html = self._renamed(without_styles(answer[1]))
            gold = {
                "title": article["title"],
                "lead": article["lead"],
                "pieces": [article["lead"], *article["paragraphs"]],
                "optional": article["optional"],
                "without": article["pollution"],
                "authors": [article["author"]] if article["author"] else [],
                "date": article["published"][:10],
            }
            yield {"path": _target(article["url"]), "html": html, "gold": in_order(gold, html)}


@dataclass(frozen=True, kw_only=True)
class Demo:
    """The demo portal in one layout."""

    layout: str

    @property
    def name(self) -> str:
        """The name of its host."""
        return f"demo-{self.layout}"

    @cached_property
    def _portal(self) -> DemoPortal:
        return DemoPortal(anchor=ANCHOR, layout=self.layout, base_url=f"http://{self.name}.example")

    def _fetch(self, target: str) -> tuple[int, str] | None:
        answer = self._portal.answer(target)
        return (answer.status, answer.content.decode("utf-8", "replace")) if "html" in answer.content_type else None

    def url(self, path: str) -> str:
        """The address under the host name that stands for the site."""
        return f"http://{self.name}.example{path}"

    def negatives(self, part: str, most: int) -> list[dict[str, Any]]:
        """Pages that are no articles."""
        articles = {_target(url) for article in self._portal.published() for url in (article.url, *article.also_at)}
        return choose(list(walk(self._fetch, self._portal.base_url, _DEMO_STARTS, articles, limit=250)), self.name, part, most)

    def articles(self, part: str, most: int) -> Iterator[dict[str, Any]]:
        """Articles on one page each."""
        ours = [
            article for article in self._portal.published()
            if not any(re.search(r"/\d\.html$", url) for url in article.also_at) and part_of(self.name, article.title) == part
        ]  # fmt: skip
        for article in ours[:: max(1, len(ours) // most)][:most]:
            answer = self._fetch(_target(article.url))
            if answer and "windows-1250" not in answer[1]:
                yield {"path": _target(article.url), "html": answer[1], "gold": in_order(_demo_gold(article), answer[1])}


def _demo_gold(article: PublishedArticle) -> dict[str, Any]:
    return {
        "title": article.title,
        "lead": article.lead,
        "pieces": [article.lead, *article.paragraphs],
        "optional": list(article.optional),
        "without": list(article.pollution),
        "authors": list(article.authors),
        "date": article.published_at.date().isoformat(),
    }


def in_order(gold: dict[str, Any], html: str) -> dict[str, Any]:
    """Add "paragraphs": all pieces as they stand on the page, those that may be left out in [brackets]."""
    text = " ".join("".join(map(str, document_fromstring(html).itertext())).split())
    flat = {piece: " ".join(piece.split()) for piece in [*gold["pieces"], *gold["optional"]] if piece}
    start = max(text.find(flat[piece]) for piece in gold["pieces"] if piece) if flat else 0
    first = min((place for piece in gold["pieces"] if piece and (place := text.find(flat[piece])) >= 0), default=start)
    optional = [f"[{piece}]" for piece in gold["optional"] if piece and _place(text, flat[piece], first) is not None]
    required = [piece for piece in gold["pieces"] if piece]
    shown = sorted([*required, *optional], key=lambda piece: _place(text, flat[piece.strip("[]")], first) or 0)
    kept = {name: value for name, value in gold.items() if name not in {"pieces", "optional"}}
    return {**kept, "paragraphs": shown}


def _place(text: str, piece: str, start: int) -> int | None:
    place = text.find(piece, start)
    return place if place >= 0 else None


def _target(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def start_systems(sites: Path, state: Path = STATE) -> list[System]:
    """Start the publishing systems; the first time this installs and builds them.

    Raises:
        RuntimeError: one cannot be built or started.
    """
    state.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"SITES_STATE": str(state), "SITES_GOLD": str(state / "gold"), "SITES_ANCHOR": f"{ANCHOR:%Y-%m-%d}"}
    systems = []
    for name, port in PORTS.items():
        up = subprocess.run([sites / "up", name, str(port)], env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        if up.returncode:
            msg = f"{name} cannot be started: {(up.stderr or up.stdout).strip()[-300:]}"
            raise RuntimeError(msg)
        systems.append(System(name=name, base_url=f"http://127.0.0.1:{port}", gold=state / "gold" / f"{name}.jsonl"))
    return systems


def demos() -> Sequence[Demo]:
    """The demo portal in all its layouts."""
    return [Demo(layout=layout) for layout in sorted(LAYOUTS)]
