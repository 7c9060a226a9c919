"""Pages with gold, from JSON lines or from a folder; unusable entries are reported, counted and skipped.

A line is {"id", "url", "html", "gold"}; `portal`, `section` and `when` (the time of the fetch, ISO 8601) may be added. Of the gold,
all fields are optional, but one of body, paragraphs, with, title and date must be there:

- title, lead, body, date, authors, section. A body is a text with a line a paragraph, or a list of paragraphs; it may begin with
  the lead or leave it out.
- paragraphs: the body as a list, in which a paragraph in [brackets] may be there or not (as in the evaluation of Fundus).
- with, without: pieces of text that must or must not be found (as in the evaluation of Trafilatura).
- "article": false: there is no article on the page, and none must be found.

In a folder, each page.html (or .htm, .html.gz) belongs to a page.json, which holds the gold, or the gold and the rest under the
names above.
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
from newscrawler.page.encoding import decode
from newscrawler.research.evaluation.words import words

#: With more optional paragraphs than this, only all and none of them are tried.
_MAX_OPTIONAL = 4
_PAGE_ENDINGS = (".html", ".htm", ".html.gz", ".htm.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedFaulty:
    """An answer that a person judged faulty without saying what would be right."""

    title: str | None
    text: str
    #: The worst error, a word of `judgement.Verdict`.
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The expected result of a page; None: not given."""

    title: str | None = None
    lead: str | None = None
    #: All texts that count as right; empty: the body is not compared.
    texts: tuple[str, ...] = ()
    date: str | None = None
    authors: tuple[str, ...] | None = None
    wanted_pieces: tuple[str, ...] = ()
    unwanted_pieces: tuple[str, ...] = ()
    #: False: there is no article on the page.
    article: bool = True
    #: A known faulty answer; other answers were not judged.
    faulty: JudgedFaulty | None = None

    @property
    def asks_for_metadata(self) -> bool:
        """Return whether headline, date or authors are compared."""
        return bool(self.title or self.date or self.authors)


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
class Problem:
    """An entry of the data that was skipped."""

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
    msg = f"there is no file or folder {source} to evaluate on. Write a file of JSON lines, a folder of pages, or portal:NAME"
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
        yield Problem(where=str(folder), what="the folder has no page (*.html, with a *.json of the same name)")
    for path in found:
        name = str(path.relative_to(folder))
        stem = next(path.name.removesuffix(ending) for ending in reversed(_PAGE_ENDINGS) if path.name.endswith(ending))
        expectation = path.with_name(stem + ".json")
        try:
            raw = path.read_bytes()
            html = decode(gzip.decompress(raw) if path.suffix == ".gz" else raw)
            row = _object(expectation.read_bytes())
        except FileNotFoundError:
            yield Problem(where=name, what=f"no expectation: there is no {expectation.name} next to it")
            continue
        except (OSError, EOFError, zlib.error) as error:
            yield Problem(where=name, what=f"cannot be read: {error}")
            continue
        if isinstance(row, dict):
            row = {"id": name, "html": html, **(row if "gold" in row else {"gold": row, "url": row.get("url")})}
        yield page_of(row, folder.resolve().name, name, name)


def page_of(row: Any, dataset: str, where: str, number: str) -> TestPage | Problem:
    """Return the page of one entry, or the problem with it.

    Args:
        row: the object of the entry, or the error raised when it was parsed.
        dataset: its name.
        where: the place of the entry, for the problem.
        number: id of a page without id and URL.
    """
    if isinstance(row, Exception):
        return Problem(where=where, what=f"no JSON: {row}")
    if not isinstance(row, dict):
        return Problem(where=where, what="no JSON object")
    html, url, expected = row.get("html"), row.get("url"), row.get("gold")
    if not isinstance(html, str) or not html.strip():
        return Problem(where=where, what='"html" is missing, empty or no text')
    if not isinstance(expected, dict):
        return Problem(where=where, what='"gold" is missing or no object')
    gold = read_gold(expected)
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
        section=_text(row.get("section")) or _text(expected.get("section")) or first_folder(url),
        when=_moment(row.get("when") or row.get("fetched_at")),
    )


def read_gold(fields: Mapping[str, Any]) -> Gold | str:
    """Return the gold, or a message if it holds nothing to compare with."""
    if fields.get("article") is False:
        return Gold(article=False)
    if isinstance(fields.get("faulty"), Mapping):
        return Gold(faulty=JudgedFaulty(**fields["faulty"]))
    lead = _text(fields.get("lead"))
    body = fields.get("body")
    paragraphs = _texts(fields.get("paragraphs"))
    if isinstance(body, list):
        body = "\n".join(_texts(body))
    texts = tuple("\n".join(variant) for variant in variants(paragraphs)) if paragraphs else (_text(body) or "",)
    texts = tuple(_with_lead(text, lead) for text in texts if words(text))
    wanted, unwanted = _texts(fields.get("with")), _texts(fields.get("without"))
    title, date, authors = _text(fields.get("title")), _text(fields.get("date")), fields.get("authors")
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
    """Yield every choice of the paragraphs in [brackets]; of many only all and none."""
    optional = [place for place, text in enumerate(paragraphs) if text[0] == "[" and text[-1] == "]"]
    plain = tuple(text[1:-1] if place in optional else text for place, text in enumerate(paragraphs))
    sizes = range(len(optional) + 1) if len(optional) <= _MAX_OPTIONAL else (0, len(optional))
    for size in sizes:
        for left_out in combinations(optional, size):
            yield tuple(text for place, text in enumerate(plain) if place not in left_out)


def _with_lead(text: str, lead: str | None) -> str:
    if not lead:
        return text
    start = words(lead)
    return text if words(text)[: len(start)] == start else f"{lead}\n{text}"


def host(url: str | None) -> str | None:
    """Return the host of a URL without a leading www, as the name of the portal."""
    try:
        name = urlsplit(url or "").hostname
    except ValueError:
        return None
    return name.removeprefix("www.") if name else None


def first_folder(url: str | None) -> str | None:
    """Return the first part of the path of a URL that is neither its last part nor a number, as the name of the section."""
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
