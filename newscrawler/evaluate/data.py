"""Pages with expectations, from JSON lines or from a folder; what cannot be used is named, counted and gone past.

A line is {"id", "url", "html", "gold"}; `portal`, `section` and `when` (the time of the fetch, ISO 8601) may be added. Of the gold,
all fields are optional, but one of body, paragraphs, with, title and date must be there:

- title, lead, body, date, authors, section. A body is a text with a line a paragraph, or a list of paragraphs; it may begin with
  the lead or leave it out.
- paragraphs: the body as a list, in which a paragraph in [brackets] may be there or not (as in the evaluation of Fundus).
- with, without: pieces of text that must or must not be found (as in the evaluation of Trafilatura).
- "article": false: there is no article on the page, and none should be found.

In a folder, each page.html (or .htm, .html.gz) has its page.json beside it, which holds the gold, or the gold and the rest under
the names above.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from newscrawler.errors import ConfigError
from newscrawler.evaluate.words import words
from newscrawler.page.decode import decode

#: With more optional paragraphs than this only all and none of them are tried.
_MOST_OPTIONAL = 4
_PAGE_ENDINGS = (".html", ".htm", ".html.gz", ".htm.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What is expected of a page; None: not said."""

    title: str | None = None
    lead: str | None = None
    #: Every text that counts as right; empty where no body is expected to be compared.
    texts: tuple[str, ...] = ()
    date: str | None = None
    authors: tuple[str, ...] | None = None
    wanted_pieces: tuple[str, ...] = ()
    unwanted_pieces: tuple[str, ...] = ()
    #: False: there is no article on the page.
    article: bool = True

    @property
    def asks_for_metadata(self) -> bool:
        """Whether headline, date or authors are to be compared."""
        return bool(self.title or self.date or self.authors)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPage:
    """A page and what is expected of it."""

    __test__ = False  # pytest takes it for a test otherwise

    id: str
    url: str | None
    #: What the method is told of the address; some datasets hide it.
    given_url: str | None
    html: str
    gold: Gold = field(repr=False)
    #: The name of the file, folder or portal that it came from.
    dataset: str
    #: Named in the data, or the host of the URL, or the dataset.
    portal: str
    section: str | None = None
    when: datetime | None = None

    @property
    def hash(self) -> str:
        """Stands for the page and all that a method is told of it."""
        told = f"{self.given_url}\0{self.when}\0{self.portal}\0"
        return sha256(told.encode("utf-8", "replace") + self.html.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in the data that was gone past."""

    #: File and line, or the name of the page.
    where: str
    what: str


def read_data(source: str) -> Iterator[TestPage | Problem]:
    """Read a file of JSON lines (plain or .gz) or a folder of pages.

    Raises:
        ConfigError: there is no such file or folder.
    """
    path = Path(source)
    if path.is_dir():
        return _folder(path)
    if path.is_file():
        return _lines(path)
    msg = f"there is no file or folder {source} to evaluate on"
    raise ConfigError(msg)


def _lines(path: Path) -> Iterator[TestPage | Problem]:
    dataset = path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
    number, count = 0, 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    count += 1
                    yield page_of(_object(line), dataset, f"{path.name}, line {number}", f"{dataset}:{number}")
    except (OSError, EOFError, zlib.error) as error:
        yield Problem(where=f"{path.name}, after line {number}", what=f"the file cannot be read further: {error}")
    if not count and not number:
        yield Problem(where=path.name, what="the file is empty")


def _object(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return error


def _folder(folder: Path) -> Iterator[TestPage | Problem]:
    found = sorted(path for path in folder.rglob("*") if path.name.endswith(_PAGE_ENDINGS) and path.is_file())
    if not found:
        yield Problem(where=str(folder), what="the folder holds no page (*.html, with *.json beside)")
    for path in found:
        name = str(path.relative_to(folder))
        stem = next(path.name.removesuffix(ending) for ending in reversed(_PAGE_ENDINGS) if path.name.endswith(ending))
        expectation = path.with_name(stem + ".json")
        try:
            raw = path.read_bytes()
            html = decode(gzip.decompress(raw) if path.suffix == ".gz" else raw)
            said = _object(expectation.read_bytes())
        except FileNotFoundError:
            yield Problem(where=name, what=f"no expectation: there is no {expectation.name} beside it")
            continue
        except (OSError, EOFError, zlib.error) as error:
            yield Problem(where=name, what=f"cannot be read: {error}")
            continue
        if isinstance(said, dict):
            said = {"id": name, "html": html, **(said if "gold" in said else {"gold": said, "url": said.get("url")})}
        yield page_of(said, folder.resolve().name, name, name)


def page_of(row: Any, dataset: str, where: str, number: str) -> TestPage | Problem:
    """Make a page of a line that was read; a problem where it is none.

    Args:
        row: the object of the line, or what was raised when it was read.
        dataset: where it comes from.
        where: what a problem is told with.
        number: stands for a page without id and address.
    """
    if isinstance(row, Exception):
        return Problem(where=where, what=f"no JSON: {row}")
    if not isinstance(row, dict):
        return Problem(where=where, what="no JSON object")
    html, url, told = row.get("html"), row.get("url"), row.get("gold")
    if not isinstance(html, str) or not html.strip():
        return Problem(where=where, what='"html" is missing, empty or no text')
    if not isinstance(told, dict):
        return Problem(where=where, what='"gold" is missing or no object')
    gold = read_gold(told)
    if isinstance(gold, str):
        return Problem(where=where, what=gold)
    url = url if isinstance(url, str) and url else None
    return TestPage(
        id=str(row.get("id") or url or number),
        url=url,
        given_url=url if row.get("give_url", True) else None,
        html=html,
        gold=gold,
        dataset=dataset,
        portal=_text(row.get("portal")) or host(url) or dataset,
        section=_text(row.get("section")) or _text(told.get("section")) or first_folder(url),
        when=_moment(row.get("when") or row.get("fetched_at")),
    )


def read_gold(told: Mapping[str, Any]) -> Gold | str:
    """Read an expectation; a sentence where there is nothing in it to compare with."""
    if told.get("article") is False:
        return Gold(article=False)
    lead = _text(told.get("lead"))
    body = told.get("body")
    paragraphs = _texts(told.get("paragraphs"))
    if isinstance(body, list):
        body = "\n".join(_texts(body))
    texts = tuple("\n".join(variant) for variant in variants(paragraphs)) if paragraphs else (_text(body) or "",)
    texts = tuple(_with_lead(text, lead) for text in texts if words(text))
    wanted, unwanted = _texts(told.get("with")), _texts(told.get("without"))
    title, date, authors = _text(told.get("title")), _text(told.get("date")), told.get("authors")
    if not (texts or wanted or title or date):
        return "the gold holds no body, paragraphs, with, title or date to compare with"
    names = (authors,) if isinstance(authors, str) else _texts(authors)
    return Gold(
        title=title,
        lead=lead,
        texts=texts,
        date=date,
        authors=names or None,
        wanted_pieces=wanted,
        unwanted_pieces=unwanted,
    )


def variants(paragraphs: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every choice of the paragraphs in [brackets]; of many only all and none."""
    optional = [place for place, text in enumerate(paragraphs) if text[0] == "[" and text[-1] == "]"]
    plain = tuple(text[1:-1] if place in optional else text for place, text in enumerate(paragraphs))
    sizes = range(len(optional) + 1) if len(optional) <= _MOST_OPTIONAL else (0, len(optional))
    for size in sizes:
        for left_out in combinations(optional, size):
            yield tuple(text for place, text in enumerate(plain) if place not in left_out)


def _with_lead(text: str, lead: str | None) -> str:
    if not lead:
        return text
    start = words(lead)
    return text if words(text)[: len(start)] == start else f"{lead}\n{text}"


def host(url: str | None) -> str | None:
    """The host of an address without a leading www, as the name of the portal."""
    try:
        name = urlsplit(url or "").hostname
    except ValueError:
        return None
    return name.removeprefix("www.") if name else None


def first_folder(url: str | None) -> str | None:
    """The first part of the path of an address that is neither its last part nor a number: what sections are named by."""
    try:
        parts = urlsplit(url or "").path.strip("/").split("/")[:-1]
    except ValueError:
        return None
    return next((part for part in parts if part and not part.isdigit()), None)


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for item in value if (text := _text(item))) if isinstance(value, list) else ()


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value)) if value else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
