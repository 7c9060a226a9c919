"""Crawl the portals of odd makes in tests/odd_sites.py and write docs/odd-sites.md: recall, perfect share and messages by kind."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from odd_sites import SITES, Found, crawl_odd_sites  # noqa: E402  beside the tests

INTRODUCTION = """# Unusual portals

What a crawl finds on portals that are built unlike others, each a small test server (`tests/odd_sites.py`). A portal is
perfect if all its articles are stored and nothing else is. Requests for robots.txt, and for feeds and sitemaps at usual addresses,
do not count.
`python tools/write_odd_sites_page.py` crawls them all and writes this page.

"""


def page(found: dict[str, Found]) -> str:
    """Return the page."""
    readable = {name: each for name, each in found.items() if SITES[name].articles}
    gold, right = sum(len(SITES[name].articles) for name in readable), sum(len(each.right) for each in readable.values())
    perfect = sum(not each.missed and not each.wrong for each in readable.values())
    lines = [INTRODUCTION, f"{len(readable)} portals with {gold} articles: recall {right / gold:.3f}, {perfect} of them perfect.\n"]
    lines += ["\n| kind | articles | recall | wrong | requests an article |\n|---|---:|---:|---:|---:|\n"]
    for name, each in readable.items():
        number = len(SITES[name].articles)
        requests = f"{each.requests_an_article:.1f}" if each.right else "–"
        lines.append(f"| {SITES[name].kind} | {number} | {len(each.right) / number:.2f} | {len(each.wrong)} | {requests} |\n")
    lines += ["\nPortals that cannot be read, and what the user is told; the crawl ends with exit code 1:\n\n"]
    lines += ["| kind | message |\n|---|---|\n"]
    lines += [f"| {SITES[name].kind} | {each.told} |\n" for name, each in found.items() if not SITES[name].articles]
    return "".join(lines)


def main() -> None:
    """Crawl and write."""
    with TemporaryDirectory() as folder:
        text = page(crawl_odd_sites(Path(folder), SITES))
    (ROOT / "docs" / "odd-sites.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
