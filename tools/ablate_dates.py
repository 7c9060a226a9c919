"""See what is found of a day once its strongest evidence is gone: python tools/ablate_dates.py [--wrong KIND] [DATA].

Half of all news pages declare their day to machines. Taken away, it tells whether the weaker evidence of the same page leads to
the same day: a test on pages that nobody looked at for it. DATA is the folder of the benchmark (../shared/bench/data). Evidence
goes one kind after the other: JSON-LD and scripts, meta elements, the address, time elements and microdata, and last the names
of elements, which leaves the bare text. A day that is not found may not be shown at all; a wrong one is a fault. `--wrong KIND`
lists the pages that give a wrong day once KIND (and all before it) is gone.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.dates import DateContext, Dates, find_dates
from newscrawler.dates.markup import kind_of
from newscrawler.dates.structured import meta_role
from newscrawler.errors import PageError
from newscrawler.extract import Draft, Reading, detect_body, read_dates, read_metadata
from newscrawler.page import Document

DATA = Path(__file__).resolve().parents[2] / "shared" / "bench" / "data"
SETS = ("fundus", "aeb", "fe", "trafilatura", "htmldate")
#: A declaration from this weight on is the truth that the rest is held against.
SURE = 0.85
_DATED = ("datetime", "pubdate", "content", "data-datetime", "data-timestamp", "data-date", "data-time", "title")


def without_scripts(page: Document) -> None:
    for script in page.root.iter("script"):
        script.text = None


def without_meta(page: Document) -> None:
    for meta in page.root.iter("meta"):
        names = [meta.get(key) for key in ("name", "property", "itemprop", "http-equiv")]
        if any(name and meta_role(name.lower()) for name in names):
            meta.attrib.pop("content", None)


def without_address(page: Document) -> None:
    for link in page.root.iter("link"):
        if link.get("rel") == "canonical":
            link.attrib.pop("href", None)
    for meta in page.root.iter("meta"):
        if meta.get("property") == "og:url":
            meta.attrib.pop("content", None)


def without_markup(page: Document) -> None:
    for element in page.body.iter(etree.Element):
        prop = f"{element.get('itemprop', '')} {element.get('property', '')}".lower()
        if element.tag == "time" or "date" in prop or any(element.get(key) for key in _DATED[:5]):
            for key in (*_DATED, "itemprop", "property"):
                element.attrib.pop(key, None)
            if element.tag == "time":
                element.tag = "span"


def without_names(page: Document) -> None:
    for element in page.body.iter(etree.Element):
        for key in ("class", "id"):
            if kind_of(element.get(key) or ""):
                del element.attrib[key]


#: What goes, in this order, each kind with all before it.
KINDS: dict[str, Callable[[Document], None]] = {
    "scripts": without_scripts,
    "meta": without_meta,
    "address": without_address,
    "markup": without_markup,
    "names": without_names,
}


def rows(data: Path) -> Iterator[dict[str, Any]]:
    seen = set()
    for name in SETS:
        with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row["html"] not in seen:
                    seen.add(row["html"])
                    yield row


def declared(page: Document) -> datetime | None:
    """What the page declares beyond doubt: its declarations name one day only."""
    found = find_dates(page, DateContext())
    best = found.published
    if best is None or best.source not in {"json-ld", "meta"} or best.weight < SURE:
        return None
    sure = [c for c in found.candidates if c.role == "published" and c.weight >= SURE and c.source in {"json-ld", "meta"}]
    return best.value if all(abs(c.value - best.value) < timedelta(days=1) for c in sure) else None


def found_on(page: Document) -> Dates:
    """Read the dates as the crawl does: beside the headline and the body."""
    draft, reading = Draft(page=page), Reading(required=frozenset())
    try:
        detect_body(draft, reading)
    except PageError:
        draft.body = None
    read_metadata(draft, reading)
    read_dates(draft, reading)
    return draft.dates or Dates()


def verdict(found: Dates, want: datetime) -> str:
    if found.published is None:
        return "none"
    have = found.published.value
    if found.published.precision == DatePrecision.MONTH:
        return "none"
    days = {want.date(), want.astimezone(UTC).date(), want.astimezone(have.tzinfo).date()}
    if have.date() in days or abs(have - want) < timedelta(hours=12):
        return "right"
    return "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--wrong", choices=KINDS, help="list the pages that give a wrong day once this is gone")
    arguments = parser.parse_args()
    verdicts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    sources: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    languages: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows(arguments.data):
        want = declared(Document.parse(row["html"], row["url"]))
        if want is None:
            continue
        gone: list[Callable[[Document], None]] = []
        for kind, take_away in KINDS.items():
            gone.append(take_away)
            stripped = Document.parse(row["html"], None if without_address in gone else row["url"])
            for each in gone:
                each(stripped)
            language = stripped.declared_language or "?"
            found = found_on(stripped)
            verdicts[kind][said := verdict(found, want)] += 1
            languages[language][f"{kind} {said}"] += 1
            if found.published:
                sources[kind][f"{found.published.source} {said}"] += 1
            if said == "wrong" and arguments.wrong == kind and found.published:
                best = found.published
                print(
                    f"{row['id'][:90]}\n    declared {want.isoformat()}, {best.source} says {best.value.isoformat()} "
                    f"({best.weight}, {best.place}): {best.text!r}"
                )
    for kind, counts in verdicts.items():
        told = ", ".join(f"{source} {count}" for source, count in sources[kind].most_common())
        print(f"without {kind:8} {share(counts)}   {told}")
    for language, found_there in sorted(languages.items(), key=lambda item: -sum(item[1].values())):
        last = {kind: Counter({said: found_there[f"{kind} {said}"] for said in ("right", "none", "wrong")}) for kind in KINDS}
        print(
            f"{language:8} "
            + "   ".join(f"{kind} {share(counts)}" for kind, counts in last.items() if kind in {"address", "names"})
        )


def share(counts: Counter[str]) -> str:
    total = max(1, sum(counts.values()))
    return " ".join(f"{said} {counts[said] / total:.3f}" for said in ("right", "none", "wrong")) + f" of {total}"


if __name__ == "__main__":
    main()
