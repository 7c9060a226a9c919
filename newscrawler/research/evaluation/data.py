"""Pages with gold, from JSON lines or from a folder; unusable entries are reported, counted and skipped.

A line is {"id", "url", "html", "gold"}; `portal`, `section` and `when` (the time of the fetch, ISO 8601) may be added. Of the gold,
all fields are optional, but one of body, paragraphs, with, title and date must be there:

- title, lead, body, date, authors, section. A body is a text with a line a paragraph, or a list of paragraphs; it may begin with
  the lead or leave it out.
- paragraphs: the body as a list, in which a paragraph in [brackets] may be there or not (as in the evaluation of Fundus).
- with, without: pieces of text that must or must not be found (as in the evaluation of Trafilatura).
- "article": false: the page holds none, and none must be found.

In a folder, each page.html (or .htm, .html.gz) belongs to a page.json, which holds the gold, or the gold and the rest under the
names above.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from newscrawler.corpus.reviews import Gold, derive_gold_from_faults, find_first_folder, read_gold
from newscrawler.errors import ConfigError, PageError
from newscrawler.page import decode
from newscrawler.store import Store
from newscrawler.store.archive import PageSelection, PagesFolder, StoredPage, read_page

_PAGE_ENDINGS = (".html", ".htm", ".html.gz", ".htm.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPage:
    """A page and its gold."""

    __test__ = False  # pytest takes it for a test otherwise

    id: str
    url: str | None
    #: The URL that the method gets; some datasets hide it.
    given_url: str | None
    html: str
    gold: Gold = field(repr=False)
    #: Name of the file, folder or portal that it comes from.
    dataset: str
    #: As given in the data, or the host of the URL, or the dataset.
    portal: str
    section: str | None = None
    when: datetime | None = None

    @property
    def hash(self) -> str:
        """Return a hash of the page and everything else that a method gets."""
        context = f"{self.given_url}\0{self.when}\0{self.portal}\0"
        return sha256(context.encode("utf-8", "replace") + self.html.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class DataProblem:
    """An entry of the data that was skipped."""

    #: File and line, or the name of the page.
    where: str
    what: str


def read_data(source: str) -> Iterator[TestPage | DataProblem]:
    """Read a file of JSON lines (plain or .gz) or a folder of pages.

    Raises:
        ConfigError: the file or folder is missing.
    """
    path = Path(source)
    if path.is_dir():
        return _folder(path)
    if path.is_file():
        return _lines(path)
    msg = f"there is no file or folder {source} to evaluate on. Write a file of JSON lines, a folder of pages, or portal:NAME"
    raise ConfigError(msg)


def _lines(path: Path) -> Iterator[TestPage | DataProblem]:
    dataset = path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
    number, count = 0, 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    count += 1
                    yield page_of(_object(line), dataset, f"{path.name}, line {number}", f"{dataset}:{number}")
    except (OSError, EOFError, zlib.error) as error:
        yield DataProblem(where=f"{path.name}, after line {number}", what=f"the file cannot be read further: {error}")
    if not count and not number:
        yield DataProblem(where=path.name, what="the file is empty")


def _object(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return error


def _folder(folder: Path) -> Iterator[TestPage | DataProblem]:
    found = sorted(path for path in folder.rglob("*") if path.name.endswith(_PAGE_ENDINGS) and path.is_file())
    if not found:
        yield DataProblem(where=str(folder), what="the folder has no page (*.html, with a *.json of the same name)")
    for path in found:
        name = str(path.relative_to(folder))
        stem = next(path.name.removesuffix(ending) for ending in reversed(_PAGE_ENDINGS) if path.name.endswith(ending))
        expectation = path.with_name(stem + ".json")
        try:
            raw = path.read_bytes()
            html = decode(gzip.decompress(raw) if path.suffix == ".gz" else raw)
            row = _object(expectation.read_bytes())
        except FileNotFoundError:
            yield DataProblem(where=name, what=f"no expectation: there is no {expectation.name} next to it")
            continue
        except (OSError, EOFError, zlib.error) as error:
            yield DataProblem(where=name, what=f"cannot be read: {error}")
            continue
        if isinstance(row, dict):
            row = {"id": name, "html": html, **(row if "gold" in row else {"gold": row, "url": row.get("url")})}
        yield page_of(row, folder.resolve().name, name, name)


def page_of(row: Any, dataset: str, where: str, number: str) -> TestPage | DataProblem:
    """Return the page of one entry, or the problem with it; `row`: its object, or the error raised when it was parsed."""
    if isinstance(row, Exception):
        return DataProblem(where=where, what=f"no JSON: {row}")
    if not isinstance(row, dict):
        return DataProblem(where=where, what="no JSON object")
    html, url, expected = row.get("html"), row.get("url"), row.get("gold")
    if not isinstance(html, str) or not html.strip():
        return DataProblem(where=where, what='"html" is missing, empty or no text')
    if not isinstance(expected, dict):
        return DataProblem(where=where, what='"gold" is missing or no object')
    gold = read_gold(expected)
    if isinstance(gold, str):
        return DataProblem(where=where, what=gold)
    url = url if isinstance(url, str) and url else None
    return TestPage(
        id=str(row.get("id") or url or number), url=url, given_url=url if row.get("give_url", True) else None, html=html, gold=gold,
        dataset=dataset, portal=_text(row.get("portal")) or host(url) or dataset,
        section=_text(row.get("section")) or _text(expected.get("section")) or find_first_folder(url),
        when=_moment(row.get("when") or row.get("fetched_at")),
    )  # fmt: skip


def host(url: str | None) -> str | None:
    """Return the host of a URL without a leading www, as the name of the portal."""
    try:
        name = urlsplit(url or "").hostname
    except ValueError:
        return None
    return name.removeprefix("www.") if name else None


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value)) if value else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


#: Prefix of a data source that is a portal of the database.
PORTAL = "portal:"
#: Further ones are left out, the oldest first.
_MOST_KEPT = 2_000


def reviewed_pages(store: Store, folder: PagesFolder, portal: str) -> Iterator[TestPage | DataProblem]:
    """Yield the reviewed pages of a portal, or a problem for each that cannot be used."""
    for review in store.reviews.of(portal):
        where = _where(portal, review.article_id)
        stored = store.articles.get(review.article_id)
        gold = review.gold if review.gold is not None or stored is None else derive_gold_from_faults(stored.article, review.faults)
        page = store.pages.get(review.page_id)
        try:
            raw = read_page(folder, page.kept) if page is not None else None
        except PageError as error:
            yield DataProblem(where=where, what=str(error))
            continue
        if page is None or raw is None:
            yield DataProblem(where=where, what="its page is not kept")
            continue
        line = {
            "id": f"{portal}:{review.article_id}", "url": page.kept.url, "html": decode(raw.body, raw.content_type),
            "gold": dict(gold or {}), "portal": portal, "section": review.section, "when": page.kept.fetched_at.isoformat(),
        }  # fmt: skip
        yield page_of(line, f"{PORTAL}{portal}", where, str(review.article_id))


def article_pages(store: Store, folder: PagesFolder, portal: str) -> Iterator[TestPage | DataProblem]:
    """Yield the newest kept page of each article of a portal, without gold, or a problem for each that cannot be read."""
    newest: dict[int | None, StoredPage] = {}
    for page in store.pages.select(PageSelection(portal=portal, outcome="article", limit=_MOST_KEPT)):
        newest.setdefault(page.article_id, page)
    for page in newest.values():
        try:
            raw = read_page(folder, page.kept)
        except PageError as error:
            yield DataProblem(where=_where(portal, page.article_id), what=str(error))
            continue
        yield TestPage(
            id=f"{portal}:{page.article_id}", url=page.kept.url, given_url=page.kept.url,
            html=decode(raw.body, raw.content_type), gold=Gold(), dataset=f"{PORTAL}{portal}", portal=portal,
            section=page.section, when=page.published_at or page.kept.fetched_at,
        )  # fmt: skip


def _where(portal: str, article_id: int | None) -> str:
    return f"{PORTAL}{portal}, article {article_id}"


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
