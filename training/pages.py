"""Labelled pages: public data sets, packed (one page a line) or as clones of their repositories, and pages of our own.

| folder or file | repository | gold |
| --- | --- | --- |
| aeb | scrapinghub/article-extraction-benchmark | body |
| fe | dobbersc/fundus-evaluation | paragraphs, some of them optional |
| fundus | flairNLP/fundus | title, date, authors, body |
| wcxb | Murrough-Foley/web-content-extraction-benchmark | articles and pages of other kinds |
| trafilatura | adbar/trafilatura | chunks that must, and must not, be in the text |
| htmldate | adbar/htmldate, packed only | date |
| dragnet, l3s | packed only | body with headline, byline and captions |
| waddle | packed only | body with headline, in five languages |
| turing | packed only | title, date, author, body |
| own | training/data | articles with texts by class, pages of other kinds |
| software | training/sitegen/software, generated | articles with title and body, pages of other kinds |
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from newscrawler.page.encoding import decode
from training.records import read_records
from training.sitegen.software import software_pages

SETS = ("aeb", "fe", "fundus", "trafilatura", "wcxb", "dragnet", "l3s", "waddle", "turing")
OWN = Path(__file__).parent / "data"
#: The day from which the publishing systems and the demo count their dates.
ANCHOR = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
#: Data sets whose pages are read without their address, as their own evaluations do.
_WITHOUT_ADDRESS = frozenset({"trafilatura", "htmldate", "dragnet", "waddle"})
#: Kinds of pages that are no articles, as the data sets call them, and as the program does.
KINDS = {
    "front": "FRONT", "section": "LISTING", "archive": "LISTING", "listing": "LISTING", "tag": "TOPIC", "author": "TOPIC",
    "search": "SEARCH", "product": "PRODUCT", "collection": "PRODUCT", "forum": "FORUM", "video": "MEDIA", "gallery": "MEDIA",
    "error": "ERROR", "login": "WALL", "wall": "WALL",
}  # fmt: skip
_OTHER_KINDS = frozenset({"product", "collection", "listing", "forum"})
_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "gob", "gouv", "gov", "go", "mil", "ne", "net", "nom", "or", "org"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """A page and what is known of it."""

    dataset: str
    id: str
    #: Where it came from; what folds are made by.
    url: str | None
    html: str
    gold: dict[str, Any]
    #: Aware; when it was fetched, where that is known.
    fetched_at: datetime | None = None
    #: None: an article; else the kind of page that it is.
    other_kind: str | None = None

    @property
    def address(self) -> str | None:
        """What the extractor is told of where the page came from."""
        return None if self.dataset in _WITHOUT_ADDRESS else self.url

    @property
    def host(self) -> str:
        """The registered host by rule of thumb, or the page itself where none is known; the same in every data set."""
        found = list(re.finditer(r"https?://([^/?#]+)", self.url or ""))
        if not found:
            return f"{self.dataset}:{self.id}"
        labels = found[-1][1].rsplit("@", 1)[-1].split(":")[0].strip(".").lower().split(".")
        long = len(labels) >= 3 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
        return ".".join(labels[-3:] if long else labels[-2:])


def load(root: Path, dataset: str) -> Iterator[LabelledPage]:
    """Yield the pages of a data set.

    Raises:
        FileNotFoundError: neither the packed file nor the clone is there.
    """
    if dataset == "own":
        yield from _own()
        return
    if dataset == "software":
        yield from _software()
        return
    packed = root / f"{dataset}.jsonl.gz"
    items = _packed(packed) if packed.is_file() else _CLONES.get(dataset, _missing)(root / dataset)
    for item in items:
        gold = item["gold"]
        kind = gold.get("kind") if dataset == "wcxb" and not gold["article"] else None
        when = datetime.fromisoformat(item["when"]) if item.get("when") else None
        yield LabelledPage(
            dataset=dataset, id=item["id"], url=item["url"], html=item["html"], gold=gold, other_kind=kind,
            fetched_at=when.replace(tzinfo=when.tzinfo or UTC) if when else None,
        )  # fmt: skip


def _own() -> Iterator[LabelledPage]:
    for item in read_records(OWN / "articles.jsonl.gz"):
        yield LabelledPage(dataset="own", id=item["id"], url=item["url"], html=item["html"], gold=item["gold"], fetched_at=ANCHOR)
    for item in read_records(OWN / "negatives.jsonl.gz"):
        yield LabelledPage(dataset="own", id=item["id"], url=item["url"], html=item["html"], gold={}, other_kind=item["kind"])


def _software() -> Iterator[LabelledPage]:
    for item in software_pages():
        gold = item.get("gold") or {}
        yield LabelledPage(
            dataset="software", id=item["id"], url=item["url"], html=item["html"], gold=gold, other_kind=item["kind"],
            fetched_at=ANCHOR,
        )  # fmt: skip


def _packed(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _missing(folder: Path) -> Iterator[dict[str, Any]]:
    raise FileNotFoundError(f"{folder}: no such clone, nor {folder}.jsonl.gz; say with --data where the data sets lie")


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _page(path: Path) -> str:
    raw = path.read_bytes()
    return decode(gzip.decompress(raw) if path.suffix == ".gz" else raw)


def _aeb(root: Path) -> Iterator[dict[str, Any]]:
    for key, item in _json(root / "ground-truth.json").items():
        html = _page(root / f"html/{key}.html.gz")
        yield {"id": key, "url": item.get("url"), "html": html, "gold": {"body": item["articleBody"]}}


def _fe(root: Path) -> Iterator[dict[str, Any]]:
    for key, item in sorted(_json(root / "dataset/ground_truth.json").items()):
        html = _page(root / "dataset/html" / key)
        yield {"id": key, "url": item["url"], "html": html, "gold": {"paragraphs": item["body"]}}


def _trafilatura(root: Path) -> Iterator[dict[str, Any]]:
    tests = root / "tests"
    for key, item in _json(tests / "evaldata.json").items():
        path = next(folder / item["file"] for folder in (tests / "cache", tests / "eval") if (folder / item["file"]).is_file())
        yield {"id": key, "url": key, "html": _page(path), "gold": {"with": item["with"], "without": item["without"]}}


def _fundus(root: Path) -> Iterator[dict[str, Any]]:
    """A publisher's n-th oldest page belongs to the n-th oldest parser version."""
    for gold_file in sorted((root / "tests/resources/parser/test_data").glob("*/*.json")):
        meta, versions = _json(gold_file.with_name("meta.info")), sorted(_json(gold_file).items())
        shape = re.compile(re.escape(gold_file.stem) + r"_\d{4}_\d\d_\d\d\.html\.gz")
        files = [name for name in meta if shape.fullmatch(name) and gold_file.with_name(name).exists()]
        files.sort(key=lambda name: meta[name]["crawl_date"])
        for name, (_, gold) in zip(files, versions, strict=True) if len(files) == len(versions) else ():
            parts = list(gold["body"].get("summary") or [])
            for section in gold["body"].get("sections") or []:
                parts += [*(section.get("headline") or []), *(section.get("paragraphs") or [])]
            fields = {"title": gold.get("title"), "date": gold.get("publishing_date"), "authors": gold.get("authors")}
            page_id = f"{gold_file.parent.name}/{name}"
            html = _page(gold_file.parent / name)
            yield {"id": page_id, "url": meta[name]["url"], "html": html, "gold": {**fields, "body": "\n".join(parts)}}


def _wcxb(root: Path) -> Iterator[dict[str, Any]]:
    for key, item in sorted(_json(root / "metadata.json")["files"].items()):
        kind, source = item["page_type"], root / item["split"]
        labels = _json(source / f"ground-truth/{key}.json") if kind == "article" or kind in _OTHER_KINDS else None
        if labels is None or (kind == "article" and not labels["ground_truth"].get("main_content")):
            continue
        said = labels["ground_truth"]
        gold = {
            "article": kind == "article", "kind": kind, "title": said.get("title"), "body": said.get("main_content"),
            "author": said.get("author"), "date": said.get("publish_date"),
            "with": said.get("with") or [], "without": said.get("without") or [],
        }  # fmt: skip
        yield {"id": key, "url": labels["url"], "html": _page(source / f"html/{key}.html.gz"), "gold": gold}


_CLONES: dict[str, Callable[[Path], Iterator[dict[str, Any]]]] = {
    "aeb": _aeb,
    "fe": _fe,
    "trafilatura": _trafilatura,
    "fundus": _fundus,
    "wcxb": _wcxb,
}
