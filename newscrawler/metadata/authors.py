"""Who wrote the article: the choice between all that names somebody, each kind of evidence read in a module of its own.

What is declared to machines goes first (JSON-LD, meta elements, the page's state), then what readers are shown. But whoever is
named beats the publisher's own name, whatever the kind of evidence: that one is given where nobody else is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lxml import etree

from newscrawler.extraction.headline import headline_block, headline_of
from newscrawler.extraction.site_names import letters_of, read_site_names
from newscrawler.metadata.author_elements import Placed, linked, marked_and_called
from newscrawler.metadata.cards import carded, named_apart
from newscrawler.metadata.declared_authors import json_ld_authors, meta_authors, state_authors
from newscrawler.metadata.headline_lines import after_by, beside_date
from newscrawler.metadata.mentions import is_spoken_of
from newscrawler.metadata.names import merge
from newscrawler.metadata.signatures import name_alone_behind, signed_behind, users_beside_date
from newscrawler.page import Document

#: Elements between two names of one byline, and from a byline to the headline below it.
_TOGETHER, _JUST_ABOVE, _FAR = 20, 40, 70


def find_authors(page: Document, headline: etree._Element | None, body: Sequence[etree._Element]) -> tuple[str, ...]:
    """Name the authors in the page's order; empty where nobody is named."""
    site = page.view(read_site_names)
    weak: tuple[str, ...] = ()
    if headline is None and (found := page.view(headline_of)) is not None:
        headline = found.element
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


def shown_authors(
    page: Document, headline: etree._Element | None, body: Sequence[etree._Element], site: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Give the authors that the page shows its readers.

    Microdata and rel="author" first, then links to an author's page beside the headline, elements named byline or author,
    lines that begin with a "By" word or stand beside the date, cards, and last who signs behind the text.
    """
    at = page.place_of(headline)
    marked, named = marked_and_called(page, headline, body)
    for names in _by_rank(page, body, marked, named, at):
        if people := tuple(name for name in merge(names) if not _is_site(name, site)):
            return people
    return merge(_together(marked, at)) or merge(_together(named, at)[:6])


def _by_rank(
    page: Document, body: Sequence[etree._Element], marked: Sequence[Placed], named: Sequence[Placed], headline: int | None
) -> Iterator[list[str]]:
    """Yield the names that each kind of evidence gives, the surest first; the next is looked for only if it is asked for."""
    yield _together(marked, headline)
    yield _together(linked(page, headline), headline) if headline is not None else []
    yield _together(named, headline)[:6]
    yield after_by(page)
    yield named_apart(page, body)
    yield beside_date(page, body)
    yield carded(page)
    yield users_beside_date(page, body)
    yield signed_behind(page, body)
    heading = headline_block(page)
    yield [name for name in name_alone_behind(page, body) if heading and not is_spoken_of(page, name, heading, body)]


def _together(placed: Sequence[Placed], headline: int | None) -> list[str]:
    """The names that stand together, of several such places the first behind the headline: the others are other articles'."""
    groups: list[list[Placed]] = []
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
