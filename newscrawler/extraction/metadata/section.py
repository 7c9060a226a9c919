"""The section of an article: every place that may name it gives candidates, and a forest ranks them.

Declared names and the page's address are read first. Where the forest is sure of one of these, the links are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, takewhile
from operator import itemgetter
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from newscrawler.extraction.body.forest import Forest, Rows, load_field_forest, probabilities
from newscrawler.extraction.body.headline import find_headline_block
from newscrawler.extraction.body.site_names import is_site_name, read_site_names, reduce_to_letters
from newscrawler.extraction.metadata.candidates import (
    COMPARED,
    NameCandidate,
    NameCandidates,
    NameChoice,
    compare_candidates,
    extract_texts,
    find_stated,
    fold_letters,
)
from newscrawler.extraction.metadata.names import TEMPLATE_VALUE
from newscrawler.languages import alternatives, one_of, words
from newscrawler.page import Document, clean_text, is_template_value, short_text, squeeze

#: A section is named from this probability on; from the higher one on, that which is declared needs no more evidence.
THRESHOLD, SURE = 0.3, 0.8
META_NAMES = (
    "article:section", "og:section", "parsely-section", "cxenseparse:section", "section", "article.section", "rbsection",
    "news_section", "category",
)  # fmt: skip
_LONGEST, _LONGEST_OF_LINK, _MOST_OF_A_SOURCE, _MOST_FOLDERS, _NEAR = 60, 40, 12, 4, 3
_HOME, _NO_SECTION, _NO_LISTING = words("home"), words("no_sections"), words("no_listings")
_CRUMBS = tuple(sorted(words("element_names/breadcrumb")))
_HOLDS_BREADCRUMB = frozenset({"nav", "ol", "ul", "div", "p", "section", "span"})
#: Words in the names of an element with the section, and of the current entry of a menu.
_CATEGORY_WORDS = tuple(sorted(words("element_names/section")))
_CATEGORY = re.compile(rf"(?:^|[\s_-]){one_of(_CATEGORY_WORDS)}(?:$|[\s_-])", re.IGNORECASE)
_ACTIVE = re.compile(rf"(?:^|[\s_-]){alternatives('element_names/active')}(?:$|\s)", re.IGNORECASE)
_NEAR_ONLY = "only near the headline, and in no menu"
_OF_ADDRESS = frozenset({"address", "address folders"})
_IN_BRACKETS = re.compile(r"\s*\([^()]{0,30}\)")
_SEGMENT = re.compile(r"[^\W\d_][\w-]{1,40}$")
_BESIDE = frozenset({"nav", "aside", "footer"})
#: By the feature that says of a candidate that the source names it, the name of the source.
SOURCES = {
    "json-ld": "json-ld", "meta": "meta", "list": "breadcrumb", "trail": "breadcrumb", "category": "category link",
    "above": "headline", "below": "headline", "leading": "menu", "address": "address",
}  # fmt: skip
DECLARED = ("json-ld", "meta", "list")
_NOTED = (
    *SOURCES, "list entries", "trail entries", "category beside", "leading beside", "address folders",
)  # fmt: skip
FEATURES = (
    *_NOTED, *COMPARED, *(f"others {name}" for name in DECLARED), "letters", "words", "no section", "site", "digits", "small",
    "in title", "looked at page",
)  # fmt: skip
_NOTHING, _row = dict.fromkeys(FEATURES, 0.0), itemgetter(*FEATURES)


def note(found: NameCandidates, text: Any, values: Mapping[str, float]) -> None:
    """Add the features of a name in a source; of several values of a feature the largest counts."""
    name = _strip(text)
    if _find_fault(name):
        return
    one = found.get_or_add(name)
    if set(one.values) <= _OF_ADDRESS:
        one.name = name  # an address knows neither capitals nor accents
    for feature, value in values.items():
        one.values[feature] = max(one.values.get(feature, 0.0), value)


def _strip(text: Any) -> str:
    return (clean_text(text) or "").strip(" /›»>|:-#")


def _find_fault(name: str) -> str | None:
    """Return why a stripped text is not the name of a section; None if it may be one."""
    if not 1 < len(name) <= _LONGEST:
        return "too short or too long for a section's name"
    return "an address or signs only" if name.startswith("http") or not fold_letters(name) else None


def explain_no_section(text: str) -> str | None:
    """Return why a declared text is not read as the name of a section; None if it is."""
    fault = _find_fault(_strip(text))
    return TEMPLATE_VALUE if fault and is_template_value(squeeze(text)) else fault


def name_source(one: NameCandidate) -> str:
    """Return the best evidence for a name."""
    return SOURCES[next(filter(one.values.get, SOURCES))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The section of an article."""

    #: None where no name is likely to be that of the section.
    name: str | None = None
    #: The best evidence for it.
    source: str | None = None
    #: The candidates; None where a template gives the name.
    choice: NameChoice | None = field(default=None, compare=False, repr=False)


def find_section(page: Document) -> Section:
    """Return the section, and the best evidence for it."""
    choice = decide(read_in_turn(page), load_field_forest("sections"), partial(page.view, _collect_known))
    if not choice.chosen:
        return Section(choice=choice)
    (found,) = choice.chosen
    source = name_source(found)
    leading = page.view(_find_leading_links) if source == "address" else ()
    name = next((text for folder, _, _, text in leading if fold_letters(folder) == found.key), found.name)
    return Section(name=name, source=source, choice=choice)


def decide(
    turns: Iterable[tuple[NameCandidates, Rows]], forest: Forest, known: Callable[[], Container[str]] | None = None
) -> NameChoice:
    """Choose the likeliest candidate of the first turn after which the forest is sure, or else of the last.

    `known` gives the folded names of the site's sections; a line near the headline for which only its place speaks must be one.
    """
    choice = NameChoice(threshold=THRESHOLD)
    for number, (found, rows) in enumerate(turns):
        likely = probabilities(forest, rows) if found else []
        left_out = []
        if number and known is not None:
            pairs = zip(found.values(), likely, strict=True)
            near = [one for one, p in pairs if p >= THRESHOLD and one.values.keys() <= {"above", "below"}]
            left_out = [(one, _NEAR_ONLY) for one in near if one.key not in known()]
            unknown = {one.key for one, _ in left_out}
            likely = [0.0 if key in unknown else p for key, p in zip(found, likely, strict=True)]
        choice = NameChoice(found=found, rows=rows, likely=likely, threshold=THRESHOLD, left_out=left_out)
        best = max(likely, default=0.0)
        if best >= (THRESHOLD if number else SURE):
            one = list(found.values())[likely.index(best)]
            if number or name_source(one) != "address":  # links word it as readers know it
                return replace(choice, chosen=(one,))
    return choice


def read_in_turn(page: Document) -> Iterator[tuple[NameCandidates, Rows]]:
    """Yield the candidates and their features: from declarations and the address, then from the shown page too."""
    found, folders = NameCandidates(), _get_folders(page)
    for read in (_note_stated, _note_list):
        read(page, found)
    for number, folder in enumerate(folders[:_MOST_FOLDERS]):
        note(found, folder.replace("-", " "), {"address": number + 1.0, "address folders": float(len(folders))})
    yield found, build_rows(page, found, looked=0)
    for show in (_note_trail, _note_categories, _note_near_headline, _note_leading):
        show(page, found)
    yield found, build_rows(page, found, looked=1)


def build_rows(page: Document, candidates: Mapping[str, NameCandidate], *, looked: int) -> Rows:
    """Return the features of each candidate, in the order of `FEATURES`; `looked`: 1 if the shown page was read too."""
    site, title = page.view(read_site_names), fold_letters(page.title)
    rows = {}
    for key, one in candidates.items():
        name = one.name.casefold()
        rows[key] = _NOTHING | one.values | {
            "letters": len(name), "words": len(name.split()), "no section": name in _NO_SECTION,
            "site": reduce_to_letters(name) in site or is_site_name(one.name, site),
            "digits": any(map(str.isdigit, name)), "small": one.name.islower(), "in title": key in title, "looked at page": looked,
        }  # fmt: skip
    compare_candidates(rows, tuple(SOURCES), DECLARED)
    return list(map(_row, rows.values()))


def _note_stated(page: Document, found: NameCandidates) -> None:
    """Add the sections in JSON-LD and meta elements."""
    for rank, name in enumerate(islice(find_stated(page, ("json-ld:articleSection",)), _MOST_OF_A_SOURCE)):
        note(found, name, {"json-ld": 1.0 / (1 + rank)})
    for rank, source in enumerate(META_NAMES):
        for name in page.meta.get(source, ())[:_MOST_OF_A_SOURCE]:
            note(found, name, {"meta": 1.0 / (1 + rank)})


def _note_list(page: Document, found: NameCandidates) -> None:
    """Add the entries of a BreadcrumbList."""
    for placed in page.placed_json_ld:
        entries = placed.value.get("itemListElement") if "BreadcrumbList" in placed.types else None
        if isinstance(entries, list):
            _note_path(found, "list", list(map(squeeze, extract_texts(entries, ("name", "item")))), page)


def _note_path(found: NameCandidates, source: str, names: Sequence[str], page: Document) -> None:
    """Add the entries of a path from the front page to the article, but not the article itself."""
    title = page.title.casefold()
    names = [name for name in names if name and not name.startswith("http") and name.casefold() not in _HOME]
    if names and (len(names[-1]) > _LONGEST_OF_LINK or (len(names[-1].split()) > 2 and names[-1].casefold()[:30] in title)):
        names = names[:-1]
    for place, name in enumerate(names[-_MOST_OF_A_SOURCE:]):
        note(found, name, {source: 1.0 / (len(names) - place), f"{source} entries": float(len(names))})


def _note_trail(page: Document, found: NameCandidates) -> None:
    """Add the links of the path from the front page that the page shows."""
    boxes = [nav for nav in page.tagged("nav") if any(hint in (nav.get("aria-label") or "").lower() for hint in _CRUMBS)]
    boxes += [each.element for each in page.find_named_with(_CRUMBS) if each.tag in _HOLDS_BREADCRUMB]
    for box in boxes:
        if names := [text for link in box.iter("a") if (text := short_text(link, 120))]:
            _note_path(found, "trail", names, page)
            return


def _note_categories(page: Document, found: NameCandidates) -> None:
    """Add the texts of links to the article's category: rel="category", or a class that says so."""
    said = {link for link, rel in page.related if "category" in rel.split()}
    called = {each.element for each in page.find_named_with(_CATEGORY_WORDS) if _CATEGORY.search(each.name)}
    rank = 0
    for link in page.tagged("a") if said or called else ():
        if link in said or link in called or link.getparent() in called:
            rank += 1
            note(found, short_text(link, 120), {"category": 1.0 / rank, "category beside": float(_is_beside(link))})


def _find_active_entries(page: Document) -> Iterator[str]:
    """Yield the entries that menus show as the one where the reader is."""
    for menu in page.tagged("nav"):
        for element in menu.iter("a", "li"):
            if _ACTIVE.search(element.get("class") or "") or element.get("aria-current"):
                yield (short_text(element, 120) or "")


def _note_near_headline(page: Document, found: NameCandidates) -> None:
    """Add the short lines around the headline."""
    if (headline := find_headline_block(page)) is None:
        return
    for block in page.layout.blocks[max(0, headline.index - _NEAR) : headline.index + _NEAR + 1]:
        apart = block.index - headline.index
        if apart and len(block.text) <= _LONGEST_OF_LINK and not block.is_sentence:
            note(found, block.text, {"above" if apart < 0 else "below": (2.0 if block.links else 1.0) / abs(apart)})


def _collect_known(page: Document) -> frozenset[str]:
    """Return the folded texts of links that menus have to sections, and of those to the folders of the page's address."""
    menus = {fold_letters(text) for text in _list_menu_texts(page) if text}
    return frozenset(menus | {fold_letters(text) for _, _, _, text in page.view(_find_leading_links)})


def _list_menu_texts(page: Document) -> Iterator[str]:
    """Yield the texts of links in menus that lead to a folder of the site."""
    for menu in page.tagged("nav")[:_MOST_MENUS]:
        for link in islice(menu.iter("a"), _MOST_OF_A_MENU):
            path = (link.get("href") or "").partition("?")[0].partition("#")[0].partition("://")[2] or (link.get("href") or "")
            if path.strip("/").count("/") or path.startswith("/"):
                text = short_text(link, _LONGEST_OF_LINK) or ""
                if path.strip("/") and not any(text.casefold() in names for names in (_NO_SECTION, _NO_LISTING, _NOT_NAMES)):
                    yield text


_MOST_MENUS, _MOST_OF_A_MENU = 6, 120
_NOT_NAMES = words("sign_in") | words("share") | words("subscribe") | words("home")


def _get_folders(page: Document) -> list[str]:
    """Return the parts of the page's address before the last, up to a year, that may name a section."""
    try:
        parts = list(map(unquote, filter(None, urlsplit(page.url or "").path.split("/"))))
    except ValueError:
        return []
    before_year = takewhile(lambda part: not part.isdigit(), parts[:-1])
    return [part for part in before_year if _SEGMENT.match(part) and part.lower() not in _NO_SECTION]


def _note_leading(page: Document, found: NameCandidates) -> None:
    """Add the texts of links to the folders of the page's address."""
    for _, depth, link, text in page.view(_find_leading_links):
        note(found, text, {"leading": float(depth), "leading beside": float(_is_beside(link))})


def _find_leading_links(page: Document) -> Sequence[tuple[str, int, etree._Element, str]]:
    """Return the folders of the page's address with their depth, the links that lead to them, and the texts of these."""
    depths = {folder: depth for depth, folder in enumerate(_get_folders(page)[:_MOST_FOLDERS], 1)}
    ends, found = tuple(depths), []
    for link in page.tagged("a") if depths else ():
        if (href := link.get("href", "").rstrip("/")).endswith(ends):
            folder = href.rpartition("/")[2]
            if folder in depths and (text := short_text(link, _LONGEST_OF_LINK)):
                found.append((folder, depths[folder], link, text))
    return found


def _is_beside(element: etree._Element) -> bool:
    return any(a.tag in _BESIDE for a in element.iterancestors())


def find_listing_section(page: Document) -> str | None:
    """Return the section whose listing a page is: the current entry of the menu, or the one that leads to the page."""
    here = (page.url or "").split("#", 1)[0].rstrip("/")
    leading = (
        short_text(link, 120) or ""
        for nav in page.tagged("nav")
        for link in nav.iter("a")
        if (href := link.get("href")) and (page.resolve(href) or "").split("#", 1)[0].rstrip("/") == here
    )
    for text in (*leading, *_find_active_entries(page)):
        name = _IN_BRACKETS.sub("", squeeze(text)).strip(" /›»>|:-#")
        said = name.casefold().split()
        if 1 < len(name) <= _LONGEST and (_NO_SECTION | _HOME | _NO_LISTING).isdisjoint(said):
            return name
    return None
