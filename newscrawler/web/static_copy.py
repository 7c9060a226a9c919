"""A static, read-only copy of the overview, articles, charts and releases, for any web server: the pages of the application itself.

Left out are articles that their publishers reserve from archives, the files of releases that contain them, and saved pages. A word
search reads an index in files.
"""

from __future__ import annotations

import asyncio
import json
import posixpath
import re
import shutil
from collections import defaultdict
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote

from starlette.types import ASGIApp, Message

from newscrawler.config import Configuration
from newscrawler.errors import ConfigError
from newscrawler.store import Store
from newscrawler.store.articles import Selection
from newscrawler.store.search import fold_text
from newscrawler.web.application import create_app
from newscrawler.web.requests.context import WebContext

_STATIC = Path(__file__).parent / "static"
#: Pages besides articles, lists and releases, with their files.
_PAGES = {
    "/": "index.html", "/explore": "explore.html", "/explore/coverage": "explore.html", "/explore/counts": "counts-language.html",
    "/releases": "releases.html", "/explore/counts?by=month": "counts-month.html",
    "/explore/counts?by=portal": "counts-portal.html", "/explore/counts?by=section": "counts-section.html",
    "/explore/counts?by=genre": "counts-genre.html",
}  # fmt: skip
_USER = "X-Reader"
_LINK = re.compile(r' (href|src)="(/[^"]*|\?[^"]*)"')
_FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
_NEXT = re.compile(r'rel="next" href="(\?[^"]+)"')
_SHARD = 2


def write_static_copy(store: Store, configuration: Configuration, folder: Path) -> int:
    """Write the copy into a new or empty folder; return the number of articles.

    Raises:
        ConfigError: the folder contains files already.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} contains files already; name a new or an empty folder")
    shutil.copytree(_STATIC, folder / "static")
    context = WebContext.of(store, configuration, user_header=_USER, is_static=True)
    copy = _Copy(create_app(context), folder)
    chosen = context.restrict(Selection())
    numbers = store.facets.latest(chosen, limit=store.articles.count(chosen) or 1)
    copy.files |= {f"/articles/{number}": f"articles/{number}.html" for number in numbers}
    for release in store.releases.all():
        copy.files[f"/releases/{quote(release.name)}"] = f"releases/{release.name}.html"
        if store.releases.is_permitted(release, context.reserved):
            _copy_release(copy, release.name, Path(release.path))
    copy.write_lists()
    for path in list(copy.files):
        if not path.startswith(("/articles?", "/static")) and path != "/articles" and "/files/" not in path:
            copy.write(path)
    _write_index(store, chosen, folder / "search")
    return len(numbers)


class _Copy:
    """The pages of an application, asked in this process."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self._app, self.folder = app, folder
        #: The file of each address.
        self.files: dict[str, str] = dict(_PAGES)

    def write_lists(self) -> None:
        """Write the list of articles, page by page."""
        path = "/articles"
        pages: dict[str, str] = {}
        while True:
            self.files[path] = "articles/index.html" if not pages else f"articles/page-{len(pages) + 1}.html"
            pages[path] = self._ask(path)
            found = _NEXT.search(pages[path])
            if found is None:
                break
            path = f"/articles{unescape(found[1])}"
        for path, page in pages.items():
            self._write(path, page)

    def write(self, path: str) -> None:
        """Write a page."""
        self._write(path, self._ask(path if path != "/explore" else "/explore/coverage"))

    def _write(self, path: str, page: str) -> None:
        file = self.folder / self.files[path]
        file.parent.mkdir(parents=True, exist_ok=True)
        below = posixpath.dirname(self.files[path])

        def change(found: re.Match[str]) -> str:
            address = unescape(found[2])
            full = path.partition("?")[0] + address if address.startswith("?") else address
            full, mark, place = full.partition("#")
            known = full[1:].partition("?")[0] if full.startswith("/static/") else self.files.get(full)
            if known is None:  # an address of the running application: text without a link
                return ""
            return f' {found[1]}="{quote(posixpath.relpath(known, below or "."))}{mark}{place}"'

        file.write_text(_LINK.sub(change, _FORM.sub("", page)), "utf-8", "replace")

    def _ask(self, path: str) -> str:
        """Return a page as a reader sees it.

        Raises:
            ConfigError: the application does not show it.
        """
        return asyncio.run(self._request(path))

    async def _request(self, path: str) -> str:
        name, _, query = path.partition("?")
        status, body = 500, b""

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        async def send(message: Message) -> None:
            nonlocal status, body
            status, body = message.get("status", status), body + message.get("body", b"")

        headers = [(b"host", b"localhost"), (_USER.lower().encode(), b"reader")]
        await self._app(
            {
                "type": "http", "method": "GET", "path": unquote(name), "raw_path": name.encode(), "query_string": query.encode(),
                "headers": headers, "client": ("127.0.0.1", 1), "server": ("localhost", 80), "scheme": "http", "root_path": "",
                "http_version": "1.1",
            },
            receive, send,
        )  # fmt: skip
        if status != 200:
            raise ConfigError(f"the page {path} cannot be copied: the application answers {status}")
        return body.decode("utf-8")


def _copy_release(copy: _Copy, name: str, folder: Path) -> None:
    for file in folder.rglob("*") if folder.is_dir() else ():
        if file.is_file():
            part = file.relative_to(folder).as_posix()
            copy.files[f"/releases/{quote(name)}/files/{quote(part)}"] = f"releases/{name}/{part}"
            target = copy.folder / "releases" / name / part
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)


def _write_index(store: Store, selection: Selection, folder: Path) -> None:
    """Write the numbers of the articles of each word, a file for each beginning of words, and the lines of results."""
    folder.mkdir()
    index: Mapping[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    lines: dict[int, list[str]] = {}
    for stored in store.articles.stream(selection):
        article = stored.article
        lines[stored.id] = [article.title, article.portal or "", article.date.isoformat() if article.date else ""]
        for word in set(fold_text(" ".join((article.title, *(each.text for each in article.paragraphs))))):
            index[word[:_SHARD]][word].append(stored.id)
    for beginning, found in index.items():
        (folder / f"{beginning.encode().hex()}.json").write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    (folder / "lines.json").write_text(json.dumps(lines, ensure_ascii=False), "utf-8")
