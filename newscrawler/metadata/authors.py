"""Who wrote the article: JSON-LD, meta elements, microdata, bylines.

A person beats an organisation, whatever the kind of evidence; among persons JSON-LD goes first. An organisation is
given where nobody else is named ("DER SPIEGEL").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from lxml import etree

from newscrawler.metadata.bylines import begins_with_by, byline_text, is_office, shown_names
from newscrawler.metadata.cards import carded, named_apart
from newscrawler.metadata.names import merge, names_in
from newscrawler.metadata.rubrics import is_rubric
from newscrawler.metadata.signatures import lines_of, name_alone_behind, signed_behind, users_beside_date
from newscrawler.page import Document
from newscrawler.page.blocks import Block, holds_time
from newscrawler.page.json_ld import PlacedObject, types_of
from newscrawler.page.named import Named
from newscrawler.page.site_names import letters_of

_ARTICLE = re.compile(
    r"article|blogposting|report|newsitem|review$|recipe|liveblog|column|interview|webpage|videoobject|creativework", re.IGNORECASE
)
_ELSEWHERE = frozenset({
    "comment", "comments", "mentions", "relatedlink", "itemlistelement", "haspart", "ispartof", "citation", "review",
    "associatedmedia", "publisher",
    "author", "about", "subjectof", "isbasedon", "image", "logo", "video", "liveblogupdate", "itemreviewed", "sponsor",
    "hasoffer", "reviewrating",
})  # fmt: skip
_META_NAMES = (
    "author", "article:author_name", "articleauthor", "parsely-author", "mrf:authors", "sailthru.author", "byl",
    "dc.creator", "dcterms.creator", "dc.contributor",
    "article:author", "og:article:author", "author_name", "authors", "cxenseparse:author", "cxenseparse:recs:authors",
    "dcsext.author", "citation_author",
    "bt:author", "rbauthors", "creator", "byline", "news_author", "article.author", "vr:author", "shareaholic:article_author_name",
)  # fmt: skip
_BYLINE_NAME = re.compile(
    r"(?:^|[\s_-])(?:by-?line|author|autor(?:en|ka|e|zy)?|writer|journalist|redakteur|reporter|kirjoittaja|auteur|autore|skribent)s?(?:$|[\s_-])|"
    r"author(?:__|-|_)?name|article-?_?author|post-?_?author|entry-?author|byline|(?:^|\s)vcard(?:$|\s)",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"comment|related|recommend|sidebar|teaser|reply|more-?(?:from|news)", re.IGNORECASE)
_HINTS = (
    "autor",
    "author",
    "byline",
    "by-line",
    "writer",
    "journalist",
    "redakt",
    "reporter",
    "kirjoittaja",
    "auteur",
    "skribent",
    "vcard",
)
#: A name and the place of its element.
_Placed = tuple[int, str]
_MOST_NAMES, _DEEPEST = 12, 30
#: Lines below the headline in which its date is expected, and of one that may name authors without a word that says so.
_LINES_TO_DATE, _MOST_BESIDE = 6, 2
#: Share of a line beside the date that is names.
_LEAST_OF_LINE = 0.3
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\d{1,2}\. ?\d{1,2}\.")
_BEHIND_DATE = re.compile(r"\d(?:\s?(?:[ap]\.?m\.?|h|hs|hrs|uhr|г\.))?[\s,|·•/–—)-]+", re.IGNORECASE)
_LONGEST_LINE, _ENDS_OF_SENTENCES = 120, frozenset("!?…:")
#: Elements between two names of one byline, and from a byline to the headline below it.
_TOGETHER, _JUST_ABOVE, _FAR = 20, 40, 70
_PICTURED = frozenset({"figure", "figcaption"})
#: What the head of a page calls its topics by.
_TOPICS, _MOST_TOPICS = ("article:section", "article:tag", "keywords", "news_keywords", "section"), 30
_NOT_THE_AUTHORS = frozenset({"aside", "footer", "nav", "figure", "figcaption"})
_MOST_LOOKED_AT = 200
#: Letters of a line of names that are none of theirs: "By", "and".
_MOST_BETWEEN_NAMES = 12
#: Elements, and lines of text, below the headline in which a byline is expected.
_NEAR, _LINES_BELOW = 60, 14
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor(?:e[ns]?|i|y|zy|ka)?|auteurs?|autori|redakc[ej]a?|redaktor\w*|journalists?|reporters?|contributors?|"
    r"profiles?|columnists?|kolumnist\w*|yazar(?:lar)?|szerzo|kirjoittaja|skribent|avtor|writer|tac-gia|penulis)/[^/?#]",
    re.IGNORECASE,
)
_NEVER_NAME = re.compile(
    r"comment|related|recommend|sidebar|widget|teaser|footer|bio\b|about-?author|author-?(?:bio|box|info|description|card)|avatar|image|photo|follow|social|share|more-from|other",
    re.IGNORECASE,
)


def find_authors(page: Document, headline: etree._Element | None, body: Sequence[etree._Element]) -> tuple[str, ...]:
    """Name the authors in the page's order; empty where nobody is named."""
    site = page.site_names
    weak: tuple[str, ...] = ()
    if headline is None and page.headline is not None:
        headline = page.headline.element
    for source in (json_ld_authors, meta_authors, state_authors):
        names = source(page)
        if not all(_is_site(name, site) for name in names):
            return names
        weak = weak or names
    return shown_authors(page, headline, body, site) or weak


def _is_site(name: str, site: frozenset[str]) -> bool:
    """Tell whether a name is the publisher's own: then whoever is named elsewhere goes first."""
    key = letters_of(name)
    return key in site or (len(key) > 3 and any(key in other or (other in key and len(other) > 3) for other in site))


def json_ld_authors(page: Document) -> tuple[str, ...]:
    """Give the authors of the first article in the JSON-LD that names any."""
    objects = page.placed_json_ld
    for placed in objects:
        given = [value for key in ("author", "creator") if (value := placed.value.get(key))]
        if not given or not _is_article(placed.types) or any(key.lower() in _ELSEWHERE for key in placed.path):
            continue
        for value in given:
            if names := merge(_ld_names(value, objects)):
                return names
    return ()


@lru_cache(maxsize=512)
def _is_article(types: tuple[str, ...]) -> bool:
    return any(map(_ARTICLE.search, types))


def _ld_names(value: Any, objects: Sequence[PlacedObject], depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield from names_in(value)
    elif isinstance(value, list) and depth < 3:
        for item in value[:40]:
            yield from _ld_names(item, objects, depth + 1)
    elif isinstance(value, Mapping):
        name = value.get("name")
        if not name and (value.get("givenName") or value.get("familyName")):
            name = f"{value.get('givenName') or ''} {value.get('familyName') or ''}"
        if not name and isinstance(value.get("@id"), str) and depth < 3:
            for placed in objects:
                if placed.value.get("@id") == value["@id"] and placed.value.get("name"):
                    name = placed.value["name"]
                    break
        if isinstance(name, list):
            yield from _ld_names(name, objects, depth + 1)
        elif isinstance(name, str):
            whole = any("organization" in kind.lower() for kind in types_of(value))
            yield from names_in(name, split=not whole)


def meta_authors(page: Document) -> tuple[str, ...]:
    """Give the authors of the first meta element that names any."""
    for name in _META_NAMES:
        if (given := page.meta.get(name)) and (names := merge(found for content in given[:20] for found in names_in(content))):
            return names
    return ()


def state_authors(page: Document) -> tuple[str, ...]:
    """Give the authors of the article in the page's state, where the page itself shows no text."""
    state = page.state_article
    return merge(name for said in (state.writers if state else ()) for name in shown_names(said, single=True) or names_in(said))


def shown_authors(
    page: Document, headline: etree._Element | None, body: Sequence[etree._Element], site: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Give the authors that the page shows its readers.

    Microdata and rel="author" first, then links to an author's page beside the headline, elements named byline or author,
    and last lines that begin with a "By" word.
    """
    own = _own_boxes(headline, body)
    marked: list[_Placed] = []
    named: list[_Placed] = []
    looked = 0
    at = page.place_of(headline)
    declared = {each for each in page.described if "author" in each.prop or "author" in each.rel}
    for each in sorted(declared.union(_bylines(page))):
        index, element = each.place, each.element
        if each in declared:
            looked += 1
            if "dc:" not in each.prop and len(marked) < _MOST_NAMES and looked < _MOST_LOOKED_AT and not _beside(element, own):
                inner = element.find(".//*[@itemprop='name']")
                said = _said(inner if inner is not None else element)
                names = shown_names(said, single=True)
                marked.extend((index, found) for found in (_with_those_beside(element, names) if element.tag == "a" else names))
        elif len(named) < _MOST_NAMES:
            looked += 1
            if looked < _MOST_LOOKED_AT and not _beside(element, own):
                named.extend((index, found) for found in shown_names(_said(element)))
    for names in _by_rank(page, body, marked, named, at):
        if people := tuple(name for name in merge(names) if not _is_site(name, site)):
            return people
    return merge(_together(marked, at)) or merge(_together(named, at)[:6])


def _by_rank(
    page: Document, body: Sequence[etree._Element], marked: Sequence[_Placed], named: Sequence[_Placed], headline: int | None
) -> Iterator[list[str]]:
    """Yield the names that each kind of evidence gives, the surest first; the next is looked for only if it is asked for."""
    yield _together(marked, headline)
    yield _together(_linked(page, headline), headline) if headline is not None else []
    yield _together(named, headline)[:6]
    yield _after_by(page)
    yield named_apart(page, body)
    yield _beside_date(page, body)
    yield carded(page)
    yield users_beside_date(page, body)
    yield signed_behind(page, body)
    heading = page.headline.block if page.headline else None
    yield [name for name in name_alone_behind(page, body) if heading and not _is_spoken_of(page, name, heading, body)]


def _together(placed: Sequence[_Placed], headline: int | None) -> list[str]:
    """The names that stand together, of several such places the first behind the headline: the others are other articles'."""
    groups: list[list[_Placed]] = []
    for place, name in placed:
        if not groups or place - groups[-1][-1][0] > _TOGETHER:
            groups.append([])
        groups[-1].append((place, name))
    if not groups:
        return []
    group = groups[0]
    if headline is not None:
        group = next((group for group in groups if group[-1][0] > headline - _JUST_ABOVE), groups[-1])
        if len(groups) > 1 and len({name for _, name in placed}) > 1 and abs(group[0][0] - headline) > _FAR:
            return []  # a list of other articles
    full = {place for place, name in group if " " in name}
    # two letters of their own are an avatar's, or a button for the size of the letters
    return [name for place, name in group if len(name) > 2 or not name.isascii() or place in full or not full]


def _after_by(page: Document) -> list[str]:
    """Give the names in the line beside the headline, or an element of it, that begins with "By", "von", "Autor:" and the like."""
    heading = page.headline.block if page.headline else None
    if heading is None:
        return []
    for block in page.layout.blocks[heading.index : heading.index + _LINES_BELOW]:
        if len(block.text) > _LONGEST_LINE + len(heading.text) * (block is heading) or block.text[-1:] in _ENDS_OF_SENTENCES:
            continue
        lines = lines_of(block)
        for line in lines[1:] if block is heading else lines:
            if len(line) > _LONGEST_LINE:
                continue
            if names := shown_names(line) if begins_with_by(line) else _behind_date(line, block.index - heading.index):
                return names
        if block is not heading and (names := [name for part in _parts_by(block) for name in shown_names(part)]):
            return names
    return []


def _parts_by(block: Block) -> list[str]:
    """The elements of a line that begin with a word like "By", where the line shows something else before: its date, a number."""
    said = (byline_text(element) for element in block.element) if len(block.text) <= _LONGEST_LINE else ()
    return [text for text in said if text and begins_with_by(text)]


def _behind_date(line: str, below: int) -> list[str]:
    """Give the full names behind a "By" word that follows the date of a line close below the headline."""
    said = _BEHIND_DATE.split(line)[-1] if below <= _LINES_TO_DATE and _DATED.search(line) else line
    if said == line or not begins_with_by(said):
        return []
    return [name for name in shown_names(said) if " " in name and ":" not in name]


def _beside_date(page: Document, body: Sequence[etree._Element]) -> list[str]:
    """Give the full names that stand, without a link, in or beside the first line under the headline that holds a date.

    What the page calls its menus and topics by is no author, nor is what the text itself speaks of: a place, a club, who is seen
    in a picture.
    """
    heading = page.headline.block if page.headline else None
    if heading is None:
        return []
    layout = page.layout
    lines = layout.blocks[heading.index + 1 : heading.index + _LINES_TO_DATE]
    dated = next((n for n, block in enumerate(lines) if _tells_date(block) and not block.is_sentence), None)
    if dated is None:
        return []
    for number in (dated, dated - 1, dated + 1):
        block = lines[number] if 0 <= number < len(lines) else None
        if (
            block is None
            or block.link_density > 0.5
            or len(block.text) > _LONGEST_LINE
            or block.is_sentence
            or block.kind[0] == "h"
            or layout.boxes[block.box].tag in _PICTURED
        ):
            continue
        linked = " ".join("".join(map(str, link.itertext())) for link in block.element.iter("a"))
        said = shown_names(byline_text(block.element) or block.text)
        names = [
            name
            for name in said
            if " " in name
            and ":" not in name
            and name[0].isupper()
            and not is_office(name)
            and not is_rubric(name)
            and name not in heading.text
            and name not in linked
        ]
        if number != dated and _LEAST_OF_LINE * len(block.text) > sum(map(len, names)):
            continue  # the caption of a picture, cut where its words get small
        if 0 < len(names) <= _MOST_BESIDE and not any(_is_spoken_of(page, name, heading, body) for name in names):
            return names
    return []


def _tells_date(block: Block) -> bool:
    """Tell whether a short line holds a date, or a time however it is worded ("3 hours ago")."""
    return len(block.text) <= _LONGEST_LINE and (_DATED.search(block.text) is not None or holds_time(block))


def _is_spoken_of(page: Document, name: str, heading: Block, body: Sequence[etree._Element]) -> bool:
    """Tell whether a link elsewhere on the page or its head has the name for a topic, or the text speaks of it.

    A paragraph that begins with the name may say who the author is, as may the last one.
    """
    key = name.casefold()
    if any(key in content.casefold() for topic in _TOPICS for content in page.meta.get(topic, ())[:_MOST_TOPICS]):
        return True
    links = page.names.tagged["a"]
    above = links[: bisect_left(links, page.place_of(heading.element) or 0, key=_place)]
    if any("".join(map(str, link.itertext())).strip().casefold() == key for _, link in above):
        return True
    boxes = frozenset(body)
    text = [
        block.text
        for block in page.layout.blocks[heading.index + 1 :]
        if block.is_sentence
        and (not boxes or block.element in boxes or any(outer in boxes for outer in block.element.iterancestors()))
    ]
    return any(name in said and not said.startswith(name) for said in text[:-1])


def _bylines(page: Document) -> list[Named]:
    """Those of a page's elements whose names speak of its authors."""
    if not any(map(_BYLINE_NAME.search, page.names_with(_HINTS))):
        return []
    return [each for each in page.named_with(_HINTS) if _speaks_of_authors(each.name)]


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def _speaks_of_authors(name: str) -> bool:
    lower = name.lower()
    return any(hint in lower for hint in _HINTS) and _BYLINE_NAME.search(lower) is not None and _NEVER_NAME.search(lower) is None


def _linked(page: Document, headline: int) -> list[_Placed]:
    """Give what links to the pages of authors say, from the headline up to a little below it."""
    links = page.names.tagged["a"]
    near = links[bisect_left(links, headline, key=_place) : bisect_left(links, headline + _NEAR, key=_place)]
    return [
        (index, found)
        for index, link in near
        if _AUTHOR_PAGE.search(link.get("href") or "")
        for found in _with_those_beside(link, shown_names(byline_text(link)))
    ]


def _with_those_beside(link: etree._Element, names: list[str]) -> list[str]:
    """The names of a link, or of all its line where that holds nothing but names: only some authors may have a page.

    The line may go on behind an element that ends it (a line break, a date), so what stands up to the next element is tried too.
    """
    around = link.getparent()
    if not names or around is None:
        return names
    for said in (byline_text(around), f"{byline_text(link)}{link.tail or ''}"):
        if not said or len(said) <= len(names[0]):
            continue
        line = " ".join(said.split()).strip("()")
        found = shown_names(line)
        rest = line
        for name in found:
            rest = rest.replace(name, "")
        if set(names) < set(found) and sum(map(str.isalpha, rest)) <= _MOST_BETWEEN_NAMES:
            return found
    return names


def _place(placed: tuple[int, etree._Element]) -> int:
    return placed[0]


def _own_boxes(headline: etree._Element | None, body: Sequence[etree._Element]) -> frozenset[etree._Element]:
    """The boxes that hold the headline or the body: what stands in them is the article's, whatever they are called."""
    own: set[etree._Element] = set()
    if headline is not None:
        own.update(headline.iterancestors())
    if body:
        own.update((body[0], *body[0].iterancestors()))
    return frozenset(own)


def _said(element: etree._Element) -> str | None:
    return element.get("content") if element.tag == "meta" else byline_text(element)


def _beside(element: etree._Element, own: frozenset[etree._Element]) -> bool:
    """Tell whether an element stands in a comment, a side column, the page's foot or another article's teaser."""
    for depth, ancestor in enumerate(element.iterancestors()):
        if ancestor in own or depth > _DEEPEST:
            return False
        parent = ancestor.getparent()
        if ancestor.tag == "footer" and parent is not None and parent in own and parent.tag != "body":
            return False
        if ancestor.tag in _NOT_THE_AUTHORS:
            return True
        name = f"{ancestor.get('class', '')} {ancestor.get('id', '')}"
        if len(name) > 1 and _BESIDE.search(name):
            return True
    return False
