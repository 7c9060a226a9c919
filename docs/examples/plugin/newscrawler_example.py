"""One plugin of each kind: a method, an exporter, a notifier, a tokenizer, a recogniser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from newscrawler.article import Article, Body, Paragraph
from newscrawler.corpus import Annotator, Recogniser, Word
from newscrawler.corpus.formats import Format, Options, Written
from newscrawler.page import Document
from newscrawler.service import Notification
from newscrawler.store.articles import Mention, StoredArticle
from newscrawler.store.vocabularies import EntityKind


def first_three(page: Document, /) -> Body | None:
    """Return the first three paragraphs of a page: `newscrawler extract FILE --method first_three`."""
    texts = [block.text for block in page.layout.blocks if block.kind == "p"][:3]
    return Body(paragraphs=tuple(Paragraph(text=text) for text in texts)) if texts else None


def write_titles(articles: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
    """Write a line for each article."""
    count = 0
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write(f"{stored.article.date}\t{stored.article.title}\n".encode())
    return Written(articles=count)


#: `newscrawler export --format titles`
TITLES = Format(name="titles", ending="titles", write=write_titles)


class LogFile:
    """Append alerts to a file: `plugins = ["log_file"]` under `[alerts]`."""

    name = "log_file"

    def deliver(self, message: Notification) -> None:
        """Append the subject of a message."""
        with Path("alerts.log").open("a", encoding="utf-8") as file:
            file.write(f"{message.subject}\n")


def spaces(_argument: str) -> Annotator:
    """Return a tokenizer that splits at white space: `newscrawler frequencies --annotate spaces:`."""

    def annotate(text: str) -> Iterator[list[Word]]:
        yield [Word(start=found.start(), end=found.end()) for found in re.finditer(r"\S+", text)]

    return annotate


def find_topics(words: str) -> Recogniser:
    """Return a recogniser of topics whose word a headline has: `newscrawler entities find --by topics:weather,sport`."""
    topics = words.split(",")

    def recognise(article: Article) -> Iterator[Mention]:
        yield from (Mention(kind=EntityKind.TOPIC, name=each) for each in topics if each in article.title.lower())

    return recognise
