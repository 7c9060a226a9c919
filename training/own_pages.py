"""Make the labelled pages of our own: python -m training.own_pages [--sites ../shared/sites] [--generated-only].

Writes training/data/negatives.jsonl.gz, pages that are no articles, lines {"id", "url", "html", "kind", "source"}, and
training/data/articles.jsonl.gz, articles of the generated sites, lines {"id", "url", "html", "source", "gold"} with gold
{"title", "body", "author", "date", "labels"}; the body begins with the lead where the page shows it. Nothing but loopback is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.records import read_records, write_records
from training.sitegen.articles import article_page
from training.sitegen.listings import listing_pages
from training.sitegen.live import live_page
from training.sitegen.markup import LAYOUTS, load_layout
from training.sitegen.other_pages import other_pages
from training.sitegen.site import Site
from training.sitegen.texts import LANGUAGES
from training.systems import STATE, Source, demos, start_systems

DATA = Path(__file__).parent / "data"
#: Sites of a layout that name captions and comments as the layout does, and those that name neither.
_SITES_A_LAYOUT, _UNNAMED_SITES = 3, 2
_ARTICLES_A_SITE = 5
_MOST_NEGATIVES = 40
#: Of the other pages of a site without names, one in so many.
_OF_UNNAMED = 3
_SERVED_ARTICLES = 12
#: How the number of a live blog ends.
_LIVE = "-live"


def generated_sites() -> Iterator[Site]:
    """Yield the sites: every layout in several languages."""
    names = sorted(path.stem for path in LAYOUTS.glob("*.toml"))
    for part in range(_SITES_A_LAYOUT + _UNNAMED_SITES):
        for number, layout in enumerate(names):
            yield Site(
                name=f"site-{layout}-{part + 1}",
                layout=load_layout(layout),
                language=LANGUAGES[(number + part) % len(LANGUAGES)],
                unnamed=part >= _SITES_A_LAYOUT,
            )


def is_unnamed(host: str) -> bool:
    """Tell whether a host is a generated site that names neither captions nor comments."""
    name = host.removesuffix(".example")
    return name.startswith("site-") and int(name.rpartition("-")[2]) > _SITES_A_LAYOUT


def generated_negatives(site: Site) -> Iterator[dict[str, Any]]:
    """Yield the pages of a site that are no articles."""
    pages = [*listing_pages(site), *other_pages(site)]
    for number, (kind, path, html) in enumerate(pages[:: _OF_UNNAMED if site.forms else 1]):
        yield {"id": f"{site.name}-{number}", "url": site.base_url + path, "html": html, "kind": kind, "source": site.name}


def generated_articles(site: Site) -> Iterator[dict[str, Any]]:
    """Yield articles of a site."""
    for number, story in enumerate(site.stories[5 : 5 + _ARTICLES_A_SITE]):
        yield {"id": f"{site.name}-a{number}", **article_page(site, story), "source": site.name}


def generated_live_blog(site: Site) -> dict[str, Any]:
    """Return the live blog of a site."""
    return {"id": f"{site.name}{_LIVE}", **live_page(site), "source": site.name}


def is_live(page_id: str) -> bool:
    """Tell whether a page is the live blog of a generated site, by its number in the files."""
    return page_id.endswith(_LIVE)


def served_negatives(source: Source) -> Iterator[dict[str, Any]]:
    """Yield pages of a publishing system that are no articles."""
    for number, page in enumerate(source.negatives("training", _MOST_NEGATIVES)):
        url = source.url(page["path"])
        yield {"id": f"{source.name}-{number}", "url": url, "html": page["html"], "kind": page["kind"], "source": source.name}


def served_articles(source: Source) -> Iterator[dict[str, Any]]:
    """Yield articles of a publishing system."""
    for number, page in enumerate(source.articles("training", _SERVED_ARTICLES)):
        gold = page["gold"]
        expected = {
            "title": gold["title"],
            "body": "\n".join(paragraph.strip("[]") for paragraph in gold["paragraphs"]),
            "author": ", ".join(gold["authors"]),
            "date": gold["date"],
            "labels": {"lead": [gold["lead"]] if gold["lead"] else [], "boilerplate": gold["without"]},
        }
        url = source.url(page["path"])
        yield {"id": f"{source.name}-a{number}", "url": url, "html": page["html"], "source": source.name, "gold": expected}


def main() -> int:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=Path, default=Path(__file__).parents[2] / "shared/sites", help="the publishing systems")
    parser.add_argument("--state", type=Path, default=STATE, help="where the publishing systems are built")
    parser.add_argument("--generated-only", action="store_true", help="keep the pages of the systems as they are in the files")
    parser.add_argument("--out", type=Path, default=DATA)
    options = parser.parse_args()
    files = {name: options.out / f"{name}.jsonl.gz" for name in ("negatives", "articles")}
    if options.generated_only:
        records = {
            name: [line for line in read_records(path) if not line["source"].startswith("site-")] for name, path in files.items()
        }
    else:
        sources: list[Source] = [*start_systems(options.sites, options.state), *demos()]
        records = {
            "negatives": [record for source in sources for record in served_negatives(source)],
            "articles": [record for source in sources for record in served_articles(source)],
        }
    for site in generated_sites():
        records["articles"] += generated_articles(site)
        records["negatives"] += generated_negatives(site)
    records["articles"] += map(generated_live_blog, generated_sites())
    for name, path in files.items():
        size = write_records(path, records[name])
        sys.stdout.write(f"{path.name}: {len(records[name])} pages, {size / 1e6:.2f} MB\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
