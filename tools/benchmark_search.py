"""Generate articles in an empty database and say what searches cost: python tools/benchmark_search.py sqlite:///FILE.

CPU time is counted, of this process and, on a PostgreSQL of this machine, of the server's process: it hardly depends on what else
the machine does. One query in ten is of each kind; its words are drawn from the texts, so that one word in three is as frequent as
"the" or "of".
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sqlalchemy import Connection, insert, select, text
from web_benchmark.database import DAYS, END, Vocabulary

from newscrawler.article import Article, Paragraph
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Selection, digest, make_row
from newscrawler.store.database import compact_json
from newscrawler.store.search import CREATE_GIN, INDEX, IndexedWords, Order, fold_text, parse
from newscrawler.store.service import known_portal
from newscrawler.store.tables import ARTICLE

_PORTALS, _LANGUAGES, _AT_ONCE = 50, ("cs", "de", "en", "fr", "pl"), 1_000
_TITLE = 8
KINDS: dict[str, Callable[[list[str], random.Random], str]] = {
    "word": lambda words, at: at.choice(words),
    "begin": lambda words, at: at.choice(words)[:4] + "*",
    "phrase": lambda words, at: _neighbours(words, at, '"{} {}"'),
    "and": lambda words, at: f"{at.choice(words)} {at.choice(words)}",
    "or": lambda words, at: f"{at.choice(words)} OR {at.choice(words)}",
    "not": lambda words, at: f"{at.choice(words)} NOT {at.choice(words)}",
    "near": lambda words, at: _neighbours(words, at, "NEAR({} {}, 3)"),
    "title": lambda words, at: f"title:{words[at.randrange(_TITLE)]}",
    "narrowed": lambda words, at: at.choice(words),
    "by date": lambda words, at: at.choice(words),
}


def _neighbours(words: list[str], at: random.Random, form: str) -> str:
    place = at.randrange(_TITLE, len(words) - 1)
    return form.format(words[place], words[place + 1])


def generate(store: Store, *, articles: int, length: int) -> None:
    """Write articles of so many words into an empty database, and make the index last."""
    with store.engine.begin() as connection:
        portals = [known_portal(connection, f"portal-{number:03}", END)[0] for number in range(_PORTALS)]
        if store.engine.dialect.name == "postgresql":
            connection.execute(text(f"DROP INDEX ix_{INDEX}_words"))
    vocabulary = Vocabulary(random.Random(1))
    rows = _rows(vocabulary, portals, articles, length)
    while batch := list(islice(rows, _AT_ONCE)):
        with store.engine.begin() as connection:
            _write(connection, batch)
    if store.engine.dialect.name == "postgresql":
        with store.engine.begin() as connection:
            connection.execute(text("SET LOCAL maintenance_work_mem = '1GB'"))
            connection.exec_driver_sql(CREATE_GIN)
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))  # as the server does by itself, later


def _rows(vocabulary: Vocabulary, portals: list[int], articles: int, length: int) -> Iterator[dict[str, Any]]:
    generator, begin = random.Random(2), END - timedelta(days=DAYS)
    for number in range(1, articles + 1):
        at = begin + timedelta(days=DAYS * number / articles)
        article = Article(
            title=vocabulary.text(_TITLE), paragraphs=(Paragraph(text=vocabulary.text(length - _TITLE)),),
            url=f"https://portal.example/{number}", language=_LANGUAGES[number % len(_LANGUAGES)], published_at=at, fetched_at=at,
            method="default", confidence=1.0,
        )  # fmt: skip
        key = digest(article.url or "")
        yield {"id": number, **make_row(generator.choice(portals), article), "url_hash": key, "text_hash": key}


def _write(connection: Connection, rows: list[dict[str, Any]]) -> None:
    indexed = [IndexedWords.of(row["id"], row["title"], [each[1] for each in row["paragraphs"]]) for row in rows]
    if connection.dialect.name == "sqlite":
        connection.execute(insert(ARTICLE), rows)
        added = text(f"INSERT INTO {INDEX} (rowid, title, body) VALUES (:article, :title, :body)")
        connection.execute(added, [each.as_row() for each in indexed])
        return
    names = list(rows[0])
    with connection.connection.driver_connection.cursor() as cursor:  # type: ignore[union-attr]
        with cursor.copy(f"COPY article ({', '.join(names)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row([compact_json(row[name]) if name == "paragraphs" else row[name] for name in names])
        with cursor.copy(f"COPY {INDEX} (article_id, words) FROM STDIN") as copy:
            for each in indexed:
                copy.write_row(list(each.as_vector().values()))


def queries(store: Store, number: int) -> Iterator[tuple[str, str]]:
    """Yield kinds and queries of words that the texts hold."""
    at = random.Random(3)
    newest = store.articles.newest_id()
    for each in range(number):
        kind = list(KINDS)[each % len(KINDS)]
        stored = store.articles.get(at.randint(1, newest))
        assert stored is not None
        yield kind, KINDS[kind](fold_text(f"{stored.article.title} {stored.article.body}"), at)


def _cost(store: Store, kind: str, query: str, ask: str) -> tuple[float, float]:
    """Return the milliseconds of this process and of the server for one search."""
    since = (END - timedelta(days=DAYS // 2)).date()
    selection = Selection(portal="portal-007", since=since) if kind == "narrowed" else Selection()
    before, began = _of_server(store), time.process_time()
    if ask == "count":
        store.search.count(parse(query), selection)
    else:
        store.search.find(parse(query), selection, order=Order.DATE if kind == "by date" else Order.RELEVANCE)
    return 1000 * (time.process_time() - began), _of_server(store) - before


def _of_server(store: Store) -> float:
    """Return the milliseconds of CPU that the process of our connection has used."""
    if store.engine.dialect.name != "postgresql":
        return 0.0
    with store.engine.connect() as connection:
        number: int = connection.execute(select(text("pg_backend_pid()"))).scalar_one()
    return int(Path(f"/proc/{number}/schedstat").read_text().split()[0]) / 1e6


def main() -> None:
    """Print the costs of searches by kind, and the slowest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database")
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=80, help="of an article")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--ask", choices=["find", "count"], default="find")
    chosen = parser.parse_args()
    with open_store(chosen.database) as store:
        if not store.articles.newest_id():
            began = time.monotonic()
            generate(store, articles=chosen.articles, length=chosen.words)
            print(f"generated in {time.monotonic() - began:.0f} s")
        costs = []
        for kind, query in [*queries(store, 10), *queries(store, chosen.queries)]:  # the first ten warm it up
            client, server = _cost(store, kind, query, chosen.ask)
            costs.append((client + server, server, kind, query))
    del costs[:10]
    for kind in KINDS:
        print(f"{kind:9} {_summary([total for total, _, of, _ in costs if of == kind])}")
    print(f"all       {_summary([total for total, *_ in costs])}")
    if store.engine.dialect.name == "postgresql":
        print(f"server    {_summary([server for _, server, *_ in costs])}")
    for total, server, kind, query in sorted(costs)[-12:]:
        print(f"{total:7.1f} ms, server {server:7.1f}  {kind}: {query}")


def _summary(costs: list[float]) -> str:
    fast = sum(cost < 50 for cost in costs) / len(costs)
    return f"median {median(costs):6.1f}, 95 % {quantiles(costs, n=20)[-1]:7.1f}, most {max(costs):7.1f} ms; {fast:.1%} under 50 ms"


if __name__ == "__main__":
    main()
