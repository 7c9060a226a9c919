"""Large pages of one shape each, to see how the time grows: python tests/page_shapes.py [shape…] [--megabytes 5].

Prints, for sizes that double up to the largest, the CPU seconds of `read_record` and the ratio to the size before.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Callable, Iterator

from stopwatch import cpu_seconds

from newscrawler.extraction import read_record

URL = "https://courier.example/2026/03/harbour-ferry-returns.html"
HEADLINE = "Harbour ferry returns after two years in dry dock"
SENTENCE = "The last wooden ferry of the bay will carry passengers again from Saturday, the harbour board announced. "
ARTICLE = "".join(f"<p>Part {number}: {SENTENCE * 3}</p>" for number in range(6))
#: Elements around each other, and the end tags that nothing opened.
_DEEP = 60


def _numbered(unit: str) -> Callable[[int], str]:
    """Repeat a unit, `#` in it replaced by its number, up to a size in characters."""

    def fill(size: int) -> str:
        count = max(size // len(unit), 1)
        return "".join(unit.replace("#", str(number)) for number in range(count))

    return fill


def _json_ld(value: Callable[[int], object]) -> Callable[[int], str]:
    """Write a value that grows with a count of sentences as JSON-LD."""

    def fill(size: int) -> str:
        return f'<script type="application/ld+json">{json.dumps(value(max(size // len(SENTENCE), 1)))}</script>'

    return fill


def _posts(count: int) -> object:
    post = {"@type": "BlogPosting", "headline": "Next hour", "articleBody": SENTENCE, "datePublished": "2026-03-01T10:00:00Z"}
    return {"@type": "LiveBlogPosting", "headline": HEADLINE, "liveBlogUpdate": [post] * (count // 2)}


def _items(count: int) -> object:
    item = {"@type": "NewsArticle", "headline": "Another one", "url": "https://courier.example/2", "author": {"name": "Eva Novak"}}
    return {"@graph": [{"@type": "NewsArticle", "headline": HEADLINE}, {"@type": "ItemList", "itemListElement": [item] * count}]}


def _attributes(size: int) -> str:
    """One element with as many attributes as fit."""
    return f"<div {' '.join(f'data-a{number}=x' for number in range(size // 12))}>{SENTENCE}</div>"


def _state(size: int) -> str:
    stories = [{"id": number, "title": "Another one", "body": f"<p>{SENTENCE}</p>"} for number in range(size // 150)]
    return f'<script id=__NEXT_DATA__ type="application/json">{json.dumps({"props": {"stories": stories}})}</script>'


def _menus(size: int) -> str:
    links = "".join(f"<li><a href=/s{number}>Rubric {number}</a></li>" for number in range(size // 40))
    return f"<nav><ul>{links}</ul></nav>"


#: What fills a page of each shape, by the number of characters.
SHAPES: dict[str, Callable[[int], str]] = {
    "paragraphs": _numbered(f"<p>#. {SENTENCE}</p>"),
    "one paragraph": lambda size: f"<p>{SENTENCE * (size // len(SENTENCE))}</p>",
    "text between breaks": _numbered(f"#. {SENTENCE}<br><br>"),
    "text between single breaks": _numbered(f"#. {SENTENCE}<br>"),
    "one word": lambda size: "<p>" + "a" * size + "</p>",
    "cards": _numbered(
        "<div class='card c#'><a href=/a#><img src=/i#.jpg><h3>Story number #</h3></a><p>What it says in short.</p>"
        "<time datetime='2026-03-01T10:00'>1 March 2026</time></div>"
    ),
    "cards alike": _numbered("<div class=card><h2><a href=/a#>Council approves the bridge #</a></h2><p>In short …</p></div>"),
    "list of links": _menus,
    "comments": _numbered(
        "<div class=comment><b>Reader #</b> <time datetime='2026-03-01T10:00:00'>1 March 2026, 10:00</time>"
        f"<p>I do not think so. {SENTENCE}</p></div>"
    ),
    "comments in one box": lambda size: (
        "<section class=answers>"
        + _numbered(f"<div><div><span>Reader #</span><span class=date>1.3.2026 10:00</span></div><p>{SENTENCE}</p></div>")(size)
        + "</section>"
    ),
    "answers within answers": lambda size: "".join(
        f"<ul><li><p>Reader {number}, 1 March 2026</p><p>{SENTENCE}</p>" + ("</li></ul>" * 40 if number % 40 == 39 else "")
        for number in range(size // 140)
    ),
    "comment headings": _numbered(f"<h3>Comments</h3><p>{SENTENCE}</p>"),
    "short lines": _numbered("<p>Reply #</p>"),
    "spans": lambda size: f"<p>{_numbered('<span class=w>word#</span> ')(size)}</p>",
    "spans in boxes": _numbered("<div><span>word#</span> <span>and another</span></div>"),
    "boxes 60 deep": _numbered("<div>" * _DEEP + SENTENCE + "</div>" * _DEEP),
    "boxes nested without end": lambda size: "<div>" * (size // 5) + SENTENCE,
    "boxes with text nested": lambda size: f"<div>{SENTENCE}" * (size // (5 + len(SENTENCE))),
    "scripts": _numbered("<script>window.dataLayer.push({'event': 'view', 'number': #});</script>"),
    "one script": lambda size: "<script>var a = [" + "'2026-03-01', " * (size // 14) + "];</script>",
    "state": _state,
    "JSON-LD body": _json_ld(lambda count: {"@type": "NewsArticle", "headline": HEADLINE, "articleBody": SENTENCE * count}),
    "JSON-LD body in lines": _json_ld(
        lambda count: {"@type": "NewsArticle", "headline": HEADLINE, "articleBody": f"{SENTENCE}\n\n" * count}
    ),
    "JSON-LD body in HTML": _json_ld(
        lambda count: {"@type": "NewsArticle", "headline": HEADLINE, "articleBody": f"<p>{SENTENCE}</p>" * count}
    ),
    "JSON-LD posts": _json_ld(_posts),
    "JSON-LD graph": _json_ld(_items),
    "JSON-LD scripts": _numbered('<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Story #"}</script>'),
    "table of data": lambda size: "<table>" + _numbered("<tr><td>Team #</td><td>#</td><td>12</td></tr>")(size) + "</table>",
    "tables": _numbered(f"<table><tr><td>#</td><td>{SENTENCE}</td></tr></table>"),
    "tables nested": lambda size: "".join(
        "<table><tr><td>" * 20 + SENTENCE + "</td></tr></table>" * 20 for _ in range(size // 700)
    ),
    "attributes of one element": _attributes,
    "attributes": _numbered("<p " + " ".join(f"data-{letter}#=x" for letter in "abcdefghij") + f">{SENTENCE}</p>"),
    "one long attribute": lambda size: f"<div class='{'a b ' * (size // 4)}'>{SENTENCE}</div>",
    "classes": _numbered(f"<div class='post-# entry-# date-#'>{SENTENCE}</div>"),
    "stray end tags": _numbered("</div></p></span></b></li></td></a>"),
    "stray end tags within text": _numbered(f"<p>#. {SENTENCE}</div></b></p></section>"),
    "open inline elements": _numbered(f"<p><b><i><font size=2>#. {SENTENCE}</p>"),
    "open links": _numbered("<a href=/a#>Story number # "),
    "open list items": lambda size: "<ul>" + _numbered(f"<li>#. {SENTENCE}")(size),
    "open paragraphs": _numbered(f"<p>#. {SENTENCE}"),
    "buttons": _numbered(f"<button><div>#. {SENTENCE}</div>"),
    "forms": _numbered("<form><input name=a#><select><option>#<option>2</select><textarea>text</textarea></form>"),
    "meta elements": _numbered('<meta property="article:tag" content="tag #">'),
    "times": _numbered("<time datetime='2026-03-01'>1 March</time> "),
    "dates in text": _numbered("<p>On # March 2026 at 10:30 the council met, and on 2026-04-01 again.</p>"),
    "names that speak of dates": _numbered("<div class='post-meta date'><span class=author>Eva Novak</span> 1.3.2026</div>"),
    "headlines": _numbered(f"<h1>{HEADLINE} #</h1>"),
    "linked headings": _numbered(f"<h2><a href=/a#>Council approves bridge #</a></h2><p>{SENTENCE}</p>"),
    "figures": _numbered("<figure><img src=a#.jpg><figcaption>The ferry # in the dock. Photo: Eva Novak</figcaption></figure>"),
    "bylines": _numbered("<p>By Eva Novak</p>"),
    "clocks": _numbered(f"<p>10:30</p><p>{SENTENCE}</p>"),
    "comments of HTML": _numbered("<!-- comment number # -->"),
    "entities": _numbered("<p>&amp;&lt;&copy;&#8220;#&#8221;&nbsp;&hellip;</p>"),
    "unknown elements": _numbered(f"<app-item-# slot=a>{SENTENCE}</app-item-#>"),
    "definition lists": lambda size: "<dl>" + _numbered(f"<dt>Question #</dt><dd>{SENTENCE}</dd>")(size) + "</dl>",
    "repeated paragraph": lambda size: f"<p>{SENTENCE}</p>" * (size // (7 + len(SENTENCE))),
    "preformatted": lambda size: f"<pre>{(SENTENCE + chr(10)) * (size // len(SENTENCE))}</pre>",
    "parts of the page": _numbered("<a href='?page=#'>#</a> "),
    "hidden": _numbered(f"<div hidden>{SENTENCE}</div><p style='display: none'>#</p>"),
    "ideographs": _numbered("<p>第#。市议会批准在河上修建新桥，居民自1998年以来一直要求修建这座桥。</p>"),
}


def page_of(shape: str, size: int) -> str:
    """Return an article followed by so many characters of one shape."""
    head = f"<html lang=en><head><title>{HEADLINE} | Courier</title></head>"
    return f"{head}<body><main><article><h1>{HEADLINE}</h1>{ARTICLE}</article>{SHAPES[shape](size)}</main></body></html>"


def seconds_of(shape: str, size: int, times: int = 1) -> float:
    """Return the least CPU time of so many readings."""
    html = page_of(shape, size)
    gc.collect()
    return min(cpu_seconds(lambda: read_record(html, URL)) for _ in range(times))


def _sizes(largest: int) -> Iterator[int]:
    size = largest
    while size > 60_000:
        size //= 2
    while size <= largest:
        yield size
        size *= 2


def main() -> None:
    """Print a line a shape."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", help="names of shapes; all where none is named")
    parser.add_argument("--megabytes", type=float, default=5.0, help="size of the largest page")
    options = parser.parse_args()
    seconds_of("paragraphs", 10_000)  # loads models and languages
    for shape in options.shapes or SHAPES:
        before, cells = 0.0, []
        for size in _sizes(int(options.megabytes * 1_000_000)):
            seconds = seconds_of(shape, size, times=3 if size < 1_000_000 else 1)
            cells.append(f"{seconds:6.2f}{f' ×{seconds / before:.2f}' if before else '':7}")
            before = seconds
        sys.stdout.write(f"{shape:<28}{''.join(cells)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
