"""Gold: the right result of a page, as JSON has it, and what verdicts of reviewers make of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newscrawler.article import Article, DatePrecision
from newscrawler.corpus.reviews.results import find_worst_error
from newscrawler.errors import ExportError
from newscrawler.store.archive import PagesFolder, keep_for_good
from newscrawler.store.articles import TERMINAL, Fault

if TYPE_CHECKING:
    from newscrawler.store import Store
    from newscrawler.store.archive import StoredPage
    from newscrawler.store.articles import StoredArticle

#: With more optional paragraphs than this, only all and none of them are tried.
_MAX_OPTIONAL = 4
#: Faults that do not concern headline and text, and their fields.
_OTHER_FIELDS: Mapping[str, str] = {Fault.DATE: "date", Fault.AUTHORS: "authors"}
_WORD = re.compile(r"\w+")


def split_words(text: str | None) -> list[str]:
    """Return the words of a text, in any script, with their case."""
    return _WORD.findall(text or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedFaulty:
    """An answer that a person judged faulty without saying what would be right."""

    title: str | None
    text: str
    #: The worst error, a word of `judgement.AnswerVerdict`.
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


def read_gold(fields: Mapping[str, Any]) -> Gold | str:
    """Return the gold, or a message if it holds nothing to compare with."""
    if fields.get("article") is False:
        return Gold(article=False)
    if isinstance(fields.get("faulty"), Mapping):
        return Gold(faulty=JudgedFaulty(**fields["faulty"]))
    lead = _read_text(fields.get("lead"))
    body = fields.get("body")
    paragraphs = _read_texts(fields.get("paragraphs"))
    if isinstance(body, list):
        body = "\n".join(_read_texts(body))
    texts = tuple("\n".join(variant) for variant in list_variants(paragraphs)) if paragraphs else (_read_text(body) or "",)
    texts = tuple(_with_lead(text, lead) for text in texts if split_words(text))
    wanted, unwanted = _read_texts(fields.get("with")), _read_texts(fields.get("without"))
    title, date, authors = _read_text(fields.get("title")), _read_text(fields.get("date")), fields.get("authors")
    if not (texts or wanted or title or date):
        return "the gold holds no body, paragraphs, with, title or date to compare with"
    names = (authors,) if isinstance(authors, str) else _read_texts(authors)
    return Gold(
        title=title, lead=lead, texts=texts, date=date, authors=names or None, wanted_pieces=wanted, unwanted_pieces=unwanted
    )


def list_variants(paragraphs: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
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
    start = split_words(lead)
    return text if split_words(text)[: len(start)] == start else f"{lead}\n{text}"


def derive_gold(article: Article) -> dict[str, Any]:
    """Return the gold of a page whose article was judged right."""
    day_only = article.published_precision is DatePrecision.DAY
    date = article.date if day_only else article.published_at
    return {
        "title": article.title, "lead": article.lead, "body": article.body, "date": date.isoformat() if date else None,
        "authors": list(article.authors),
    }  # fmt: skip


def derive_gold_from_faults(article: Article, faults: Sequence[str]) -> dict[str, Any]:
    """Return the gold of a verdict without a correction: the fields that are right, or the text known as faulty."""
    wrong = find_worst_error([fault for fault in faults if fault not in _OTHER_FIELDS])
    if wrong is not None:
        return {"faulty": {"title": article.title, "text": article.body, "verdict": str(wrong)}}
    dropped = {_OTHER_FIELDS[fault] for fault in faults}
    return {name: value for name, value in derive_gold(article).items() if name not in dropped}


def find_first_folder(url: str | None) -> str | None:
    """Return the first part of the path of a URL that is neither its last part nor a number, as the name of the section."""
    try:
        parts = urlsplit(url or "").path.strip("/").split("/")[:-1]
    except ValueError:
        return None
    return next((part for part in parts if part and not part.isdigit()), None)


def _read_text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _read_texts(value: object) -> tuple[str, ...]:
    return tuple(text for item in value if (text := _read_text(item))) if isinstance(value, list) else ()


def save_verdict(
    store: Store,
    folder: PagesFolder,
    stored: StoredArticle,
    page: StoredPage,
    *,
    faults: Sequence[str],
    corrected: dict[str, Any] | None,
    note: str,
    now: datetime,
    reviewer: str = TERMINAL,
) -> None:
    """Store a verdict and keep its page permanently.

    Raises:
        ExportError: the page cannot be kept.
    """
    derived = {"article": False} if Fault.NO_ARTICLE in faults else derive_gold_from_faults(stored.article, faults)
    gold = derived if corrected is None and (not faults or derived.keys() & {"article", "faulty"}) else corrected
    try:
        keep_for_good(store.pages, folder, page)
    except OSError as error:
        raise ExportError(f"the reviewed page cannot be kept in {folder}: {error.strerror or error}") from error
    store.reviews.save(stored.id, page.id, faults=faults, gold=gold, note=note, now=now, reviewer=reviewer)
