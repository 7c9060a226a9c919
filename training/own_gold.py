"""Make the pages that the tests hold the extractor against: python -m training.own_gold [--sites ../shared/sites].

Writes tests/gold_pages/LAYOUT.jsonl.gz in the form that `newscrawler evaluate` reads: articles with their gold, and pages that are
no articles. The training has none of these layouts (training/sitegen/test_layouts), and of the publishing systems and the demo it
has other pages. Nothing but loopback is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from training.pages import ANCHOR
from training.records import write_records
from training.sitegen.articles import article_page
from training.sitegen.listings import listing_pages
from training.sitegen.markup import LAYOUTS, load_layout
from training.sitegen.other_pages import other_pages
from training.sitegen.site import Site
from training.sitegen.texts import LANGUAGES
from training.systems import STATE, Source, demos, start_systems

PAGES = Path(__file__).parents[1] / "tests/gold_pages"
TEST_LAYOUTS = LAYOUTS.with_name("test_layouts")
_ARTICLES = 6
_OTHERS = 5
#: Labels of texts that must not be in a body; teasers may quote the text itself.
_FOREIGN = ("caption", "comment", "boilerplate")


def served(source: Source) -> Iterator[dict[str, Any]]:
    """Yield pages of a publishing system or of the demo."""
    for page in source.articles("tests", _ARTICLES):
        yield {"url": source.url(page["path"]), "html": page["html"], "gold": expectation(page["gold"])}
    for page in source.negatives("tests", _OTHERS):
        yield {"url": source.url(page["path"]), "html": page["html"], "gold": {"article": False, "kind": page["kind"]}}


def generated(name: str, number: int) -> Iterator[dict[str, Any]]:
    """Yield pages of two sites that a layout of the tests is written for."""
    layout = load_layout(name, TEST_LAYOUTS)
    sites = [Site(name=f"{name}-{part}", layout=layout, language=LANGUAGES[(number + 3 * part) % 6]) for part in (1, 2)]
    for place in range(_ARTICLES):
        site = sites[place % 2]
        page = article_page(site, site.stories[3 * place + 1])
        yield {**page, "gold": _generated_gold(page["gold"])}
    others = list(chain(listing_pages(sites[0]), other_pages(sites[0])))
    for kind, path, html in others[number % 5 :: len(others) // _OTHERS][:_OTHERS]:
        yield {"url": sites[0].base_url + path, "html": html, "gold": {"article": False, "kind": kind}}


def _generated_gold(gold: dict[str, Any]) -> dict[str, Any]:
    labels = gold["labels"]
    return expectation(
        {
            "title": gold["title"],
            "lead": "".join(labels.get("lead", [])),
            "paragraphs": gold["body"].split("\n"),
            "without": [text for kind in _FOREIGN for text in labels.get(kind, [])],
            "authors": [gold["author"]],
            "date": gold["date"],
        }
    )


def expectation(gold: dict[str, Any]) -> dict[str, Any]:
    """Return the gold with the pieces that must be in the body; without what the text itself says."""
    required = [text for text in gold["paragraphs"] if text[0] != "["]
    whole = " ".join(text.strip("[]") for text in gold["paragraphs"])
    without = [text for text in dict.fromkeys(gold["without"]) if text not in whole and text != gold["title"]]
    return {**gold, "with": required, "without": without}


def main() -> int:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=Path, default=Path(__file__).parents[2] / "shared/sites", help="the publishing systems")
    parser.add_argument("--state", type=Path, default=STATE, help="where the publishing systems are built")
    options = parser.parse_args()
    sources: list[Source] = [*start_systems(options.sites, options.state), *demos()]
    layouts = {source.name: list(served(source)) for source in sources}
    names = sorted(path.stem for path in TEST_LAYOUTS.glob("*.toml"))
    layouts |= {name: list(generated(name, number)) for number, name in enumerate(names)}
    size = 0
    for name, pages in layouts.items():
        records = [{"id": f"{name}-{number}", "when": ANCHOR.isoformat(), **page} for number, page in enumerate(pages)]
        size += write_records(PAGES / f"{name}.jsonl.gz", records)
    sys.stdout.write(f"{len(layouts)} layouts, {sum(map(len, layouts.values()))} pages, {size / 1e6:.2f} MB\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
