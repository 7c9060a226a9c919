"""Databases with kept pages, made without a crawl: pages are read, written into WARC files and committed as a crawl does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from newscrawler.article import Article
from newscrawler.config import Portal
from newscrawler.corpus.templates import noted
from newscrawler.crawl import make_extraction_options
from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, finish, read_dates, read_metadata
from newscrawler.page import Document
from newscrawler.store import Store, open_store
from newscrawler.store.archive import ObjectFolder, RawPage, writer_for
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.vocabularies import FINISHED

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@dataclass
class Archive:
    """A data folder and its database, in the folder where a command is run."""

    folder: Path
    portal: str = "portal"
    reading: ExtractionOptions = field(default_factory=ExtractionOptions)
    #: Of the pages; None: a local folder.
    place: ObjectFolder | None = None

    @property
    def pages(self) -> Any:
        return self.place or self.folder / "newscrawler-data" / "pages"

    @property
    def database_url(self) -> str:
        return f"sqlite:///{self.folder / 'newscrawler.sqlite'}"

    def open(self) -> Store:
        return open_store(self.database_url)

    def night(
        self, pages: Sequence[tuple[str, str | bytes]], *, at: datetime = NOON, changed: dict[str, Article] | None = None
    ) -> None:
        """Keep pages as one crawl does, read with the template in use; `changed` says what was read instead."""
        writer = writer_for(self.pages, self.portal)
        with self.open() as store:
            run, frontier = store.runs.begin(self.portal, now=at, version="test")
            frontier.seed([FoundUrl(url=url, kind="article", priority=10, depth=1) for url, _ in pages], now=at)
            ids = {claimed.url: claimed.id for claimed in frontier.lease(10_000, now=at)}
            template = make_extraction_options(Portal(name=self.portal, start_urls=("https://www.example.org/",)), store).template
            outcomes = []
            for url, html in pages:
                body = html.encode() if isinstance(html, str) else html
                kept = writer.write(
                    RawPage(url=url, fetched_at=at, body=body, headers=(("Content-Type", "text/html; charset=utf-8"),))
                )
                draft = ExtractionState(page=Document.parse(body, url), fetched_at=at)
                article = self._read(draft, replace(self.reading, portal=self.portal, template=template))
                article = (changed or {}).get(url) or article
                outcome = "article" if article else "listing"
                outcomes.append(
                    PageOutcome(
                        url_id=ids[url],
                        state="done",
                        outcome=outcome,
                        fetched_at=at,
                        article=article,
                        pages=((kept, outcome),),
                        drift_note=noted(draft.explained, article, expected=True, overrides=template.overrides if template else ()),
                    )
                )
            frontier.commit(outcomes)
            store.runs.end(run.id, now=at, because=FINISHED, counts={})
        writer.close()

    def _read(self, draft: ExtractionState, reading: ExtractionOptions) -> Article | None:
        try:
            detect_body(draft, reading)
            read_metadata(draft, reading)
            read_dates(draft, reading)
            return finish(draft, reading)
        except PageError:
            return None
