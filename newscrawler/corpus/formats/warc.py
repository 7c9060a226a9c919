"""The kept pages of articles as one WARC file, with unchanged records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from newscrawler.corpus.formats.options import Options, Written
from newscrawler.store.articles import StoredArticle


def write_warc(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write the record of each article whose page is kept; count the others."""
    count = missing = 0
    for stored in articles:
        record = options.record_of(stored.id)
        if record is None:
            missing += 1
        else:
            stream.write(record)
            count += 1
    return Written(articles=count, missing=missing)
