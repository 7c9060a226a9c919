"""Candidates for the value of a field: texts that a page declares, and names with their features and a comparison of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from operator import contains, itemgetter
from typing import Any
from unicodedata import combining, normalize
from urllib.parse import urlsplit

from lxml import etree

from newscrawler.extraction.body.forest import Rows
from newscrawler.extraction.body.headline import find_headline_block
from newscrawler.extraction.body.site_names import find_registered_part, reduce_to_letters
from newscrawler.extraction.metadata.names import fold_name
from newscrawler.languages import alternatives, compile_late
from newscrawler.page import Document

#: Fields of an object in JSON-LD with its text, or its address.
_OF_OBJECT = ("url", "contentUrl", "name")
#: Why declarations of an article about something else are not read.
OTHER_ARTICLE = "another article's JSON-LD"
#: Texts of a source that are read; links to tags without a list of all, more of which are that list.
MOST_STATED, _MOST_OWN = 40, 20


def find_stated(page: Document, sources: Iterable[str], of_object: Sequence[str] = _OF_OBJECT) -> Iterator[str]:
    """Yield the texts of the sources of a table, in their order."""
    for source in sources:
        kind, _, name = source.partition(":")
        if kind == "json-ld":
            for value in page.article_json_ld:
                yield from extract_texts(value.get(name), of_object)
        elif kind == "link":
            for link in page.declarations["link"]:
                if name in (link.get("rel") or "").lower().split() and (href := link.get("href")):
                    yield href
        else:
            yield from page.meta.get(source, ())[:MOST_STATED]


def explain_refused(page: Document, sources: Sequence[str], explain: Callable[[str], str | None]) -> Iterator[tuple[str, str, str]]:
    """Yield kinds of sources and their texts that were not read, and why: of another article, or as `explain` says."""
    for source in sources:
        kind, _, name = source.partition(":") if source.startswith("json-ld:") else ("meta", "", source)
        for each in page.list_foreign_json_ld() if kind == "json-ld" else ():
            yield from ((kind, text, OTHER_ARTICLE) for text in extract_texts(each.value.get(name), ("name",)))
        yield from ((kind, text, why) for text in find_stated(page, (source,), ("name",)) if (why := explain(text)))


def extract_texts(value: Any, of_object: Sequence[str]) -> Iterator[str]:
    """Yield the texts of a value of JSON-LD; that of an object is its first field among some."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from extract_texts(next(filter(None, map(value.get, of_object)), None), of_object)
    elif isinstance(value, list):
        for item in value[:MOST_STATED]:
            yield from extract_texts(item, of_object)


@dataclass(slots=True)
class NameCandidate:
    """A name, however often it was found."""

    key: str
    name: str
    #: Values of features; 0 if missing.
    values: dict[str, float] = field(default_factory=dict)


class NameCandidates(dict[str, NameCandidate]):
    """The candidates of a page by their letters, in the order in which they were found."""

    #: Those that are ignored.
    removed: Sequence[NameCandidate] = ()

    def get_or_add(self, name: str) -> NameCandidate:
        """Return the candidate with the letters of a name; a new one where there is none."""
        key = fold_letters(name)
        return self[key] if key in self else self.setdefault(key, NameCandidate(key, name))

    def remove(self, ignored: Collection[str]) -> None:
        """Remove the candidates of some names, as `fold_name` returns them."""
        keys = [key for key, one in self.items() if fold_name(one.name) in ignored] if ignored else ()
        self.removed = [*self.removed, *map(self.pop, keys)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChoice:
    """Candidates as a decision weighed them, and those that it chose."""

    found: Mapping[str, NameCandidate] = field(default_factory=dict)
    rows: Rows = ()
    likely: Sequence[float] = ()
    chosen: tuple[NameCandidate, ...] = ()
    #: Probability that was needed.
    threshold: float = 0.0
    #: Candidates that were left out whatever their probability, and why.
    left_out: Sequence[tuple[NameCandidate, str]] = ()


@lru_cache(maxsize=4096)  # a page repeats its names
def fold_letters(text: str) -> str:
    """Return letters and digits, folded and without accents, as addresses write them."""
    key = reduce_to_letters(text)
    return key if key.isascii() else "".join(sign for sign in normalize("NFD", key) if not combining(sign))


def compare_candidates(rows: Mapping[str, dict[str, float]], evidence: Sequence[str], compared: Sequence[str]) -> None:
    """Add to the features of each candidate its comparison with the others, by the names of features."""
    for values in rows.values():
        values["evidence"] = float(sum([values[name] > 0 for name in evidence]))
    totals = {name: sum([values[name] > 0 for values in rows.values()]) for name in compared}
    most = max(map(itemgetter("evidence"), rows.values()), default=0.0)
    for key, values in rows.items():
        values["candidates"] = float(len(rows))
        values["less evidence"] = most - values["evidence"]
        values["part of other"] = float(sum(map(contains, rows, repeat(key))) > 1)
        values["holds other"] = float(sum(map(contains, repeat(key), rows)) > 1)
        for name in compared:
            values[f"others {name}"] = float(totals[name] - (values[name] > 0))


#: The features that `compare_candidates` adds, besides those of others.
COMPARED = ("evidence", "candidates", "less evidence", "part of other", "holds other")


def compile_folder(topic: str) -> re.Pattern[str]:
    """Return the pattern of addresses of pages in one of the folders of a topic of languages."""
    return compile_late(lambda: rf"(?:^|/){alternatives(topic)}/[#?]?[^/?#]", re.IGNORECASE)


def find_own_links(
    page: Document, folder: re.Pattern[str], headline: etree._Element | None = None
) -> Mapping[etree._Element, bool]:
    """Return the article's own links to pages in a folder such as `/tag/`, each with whether a list of all such pages confirms it.

    They are in the innermost element around the headline that has any. A list of all links each page once, and the article's once
    more: in that element, or elsewhere on the page. Without such a list, those of menus and margins are not the article's.
    """
    links = [link for link in page.tagged("a") if folder.search(link.get("href") or "") and _is_on_site(page, link)]
    around = (_list_holders(headline) if headline is not None else page.view(list_holders)) if links else {}
    if not around:
        return {}
    depths = [next(filter(None, map(around.get, link.iterancestors())), len(around)) for link in links]
    inner = [link for link, depth in zip(links, depths, strict=True) if depth == min(depths)]
    times, inside = (Counter(link.get("href") for link in each) for each in (links, inner))
    most, is_listed = max(inside.values()), {address: times[address] > min(times.values()) for address in inside}
    first = {address: link for link in reversed(inner) if inside[address := link.get("href")] == most}
    if most == min(inside.values()):
        is_few = len(inside) <= _MOST_OWN
        first = {
            k: link for k, link in first.items() if is_listed[k] or (is_few and is_own(page, _find_list(link, folder), around))
        }
    return {link: is_listed[address] for address, link in reversed(first.items())}


def _is_on_site(page: Document, link: etree._Element) -> bool:
    """Return whether a link leads to a page of the same site, as far as the address of the page is known."""
    hosts = [urlsplit(url or "").hostname or "" for url in (page.url, page.resolve(link.get("href", "")))]
    return not page.url or len(set(map(find_registered_part, hosts))) == 1


def _find_list(link: etree._Element, folder: re.Pattern[str]) -> etree._Element:
    """Return the nav element of an article with a link and only such ones, or else the link."""
    menu = next(link.iterancestors("nav"), link)
    is_in_article = next(menu.iterancestors("article"), None) is not None
    return menu if is_in_article and all(folder.search(each.get("href") or "") for each in menu.iter("a")) else link


def list_holders(page: Document) -> Mapping[etree._Element, int]:
    """Return the elements that contain the headline, the innermost first, each with its place among them from 1."""
    headline = find_headline_block(page)
    return _list_holders(headline.element) if headline is not None else {}


def _list_holders(headline: etree._Element) -> Mapping[etree._Element, int]:
    return {element: place for place, element in enumerate([headline, *headline.iterancestors()], 1)}


def is_own(page: Document, element: etree._Element, holders: Collection[etree._Element] | None = None) -> bool:
    """Return whether an element belongs to the article: to no menu, to no other article, to no footer but an article's."""
    article = next(element.iterancestors("article"), None)
    if article is None:
        return next(element.iterancestors("nav", "aside", "footer"), None) is None
    is_article = len(page.tagged("article")) == 1 or article in (holders or page.view(list_holders))
    return is_article and next(element.iterancestors("nav", "aside"), None) is None
