"""The section of an article: every place that may name it gives candidates, and a forest ranks them.

Declared names and the page's address are read first. Where the forest is sure of one of these, the links are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import compress, islice, takewhile
from operator import itemgetter
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from newscrawler.extraction.body.forest import Forest, Rows, load_field_forest, probabilities
from newscrawler.extraction.body.headline import find_headline_block
from newscrawler.extraction.body.site_names import find_host, is_front, is_site_name, read_site_names, reduce_to_letters
from newscrawler.extraction.body.surroundings import is_path
from newscrawler.extraction.metadata.candidates import (
    COMPARED,
    NameCandidate,
    NameCandidates,
    NameChoice,
    compare_candidates,
    compile_folder,
    extract_texts,
    find_own_links,
    find_stated,
    fold_letters,
    is_own,
    list_holders,
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
_LONGEST, _LONGEST_OF_LINK, _MOST_OF_A_SOURCE, _MOST_FOLDERS, _MOST_APART = 60, 40, 12, 4, 3
_MOST_MENUS = 6
_HOME, _NO_SECTION, _NO_LISTING = words("home"), words("no_sections"), words("no_listings")
_NOT_NAMES = _HOME | _NO_SECTION | _NO_LISTING | words("sign_in") | words("share") | words("subscribe")
_CRUMBS = tuple(sorted(words("element_names/breadcrumb")))
_HOLDS_BREADCRUMB = frozenset({"nav", "ol", "ul", "div", "p", "section", "span"})
#: Words in the names of an element with the section, and of the current entry of a menu.
_CATEGORY_WORDS = tuple(sorted(words("element_names/section")))
_CATEGORY = re.compile(rf"(?:^|[\s_-])(?<!\bp-){one_of(_CATEGORY_WORDS)}(?:$|[\s_-])", re.IGNORECASE)
_ACTIVE = re.compile(rf"(?:^|[\s_-]){alternatives('element_names/active')}(?:$|\s)", re.IGNORECASE)
_NEAR = frozenset({"above", "below"})
_IN_BRACKETS = re.compile(r"\s*[(（][^()（）]{0,30}[)）]")
_TO_FOLDER = re.compile(r"(?:(?:https?:)?//[^/?#]*|\.+)?/(?:\.\./)*[^/#]")
_FURTHER = re.compile(r"[/?&]+(?:[a-z]{1,10}[-_/=]?)?\d{1,4}(?:\.[a-z]{2,5})?", re.IGNORECASE)
_SECTION_PAGES = compile_folder("section_pages")
_SEGMENT = re.compile(r"[^\W\d_][\w-]{1,40}$")
#: A class of an article or a page with a category's slug: WordPress' `post_class()`, `body_class()` of many themes.
_CLASS = re.compile(r"(?:category|section|channel)[-_](.+)", re.IGNORECASE)
#: By the feature that says of a candidate that the source names it, the name of the source.
SOURCES = {
    "json-ld": "json-ld", "meta": "meta", "list": "breadcrumb", "trail": "breadcrumb", "category": "category link",
    "active": "menu", "class": "category class", "above": "headline", "below": "headline", "leading": "menu", "address": "address",
}  # fmt: skip
DECLARED = ("json-ld", "meta", "list")
_NOTED = (
    *SOURCES, "list entries", "trail entries", "category own", "category entries", "active entries", "class entries", "leading own",
    "address folders", "menu link",
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
    if set(one.values) <= {"address", "address folders", "class", "class entries"} or (one.name.islower() and not name.islower()):
        one.name = name  # an address knows neither capitals nor accents, and some paths are made of it
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
    choice = decide(read_in_turn(page), load_field_forest("sections"))
    if not choice.chosen:
        return Section(choice=choice)
    (found,) = choice.chosen
    source = name_source(found)
    links = page.tagged("a") if source in {"address", "category class"} else ()  # a slug: links word it as readers know it
    named = (each for each in links if fold_letters((each.get("href") or "").rstrip("/").rpartition("/")[2]) == found.key)
    texts = (_IN_BRACKETS.sub("", short_text(each, _LONGEST_OF_LINK) or "") for each in named)
    name = next(filter(None, texts), found.name)
    return Section(name=name, source=source, choice=choice)


def decide(turns: Iterable[tuple[NameCandidates, Rows]], forest: Forest) -> NameChoice:
    """Choose the likeliest candidate of the first turn after which the forest is sure, or else of the last.

    A line near the headline for which only its place speaks must be the text of a menu's link.
    """
    choice = NameChoice(threshold=THRESHOLD)
    for number, (found, rows) in enumerate(turns):
        likely = probabilities(forest, rows) if found else []
        is_near = [p >= THRESHOLD and one.values.keys() <= _NEAR for one, p in zip(found.values(), likely, strict=True)]
        left_out = [(one, "only near the headline, and in no menu") for one in compress(found.values(), is_near)]
        likely = [0.0 if near else p for near, p in zip(is_near, likely, strict=True)]
        choice = NameChoice(found=found, rows=rows, likely=likely, threshold=THRESHOLD, left_out=left_out)
        best = max(likely, default=0.0)
        if best >= (THRESHOLD if number else SURE):
            one = list(found.values())[likely.index(best)]
            # links word an address as readers know it, and the page may show more than that this is an article
            if number or (name_source(one) != "address" and one.name not in _NO_SECTION):
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
    for show in (_note_trail, _note_categories, _note_active, _note_class, _note_near_headline, _note_leading, _note_in_menus):
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
    if any("BreadcrumbList" in kind for kind in page.names.types):
        boxes += [each for each in page.body.iter(*_HOLDS_BREADCRUMB) if "BreadcrumbList" in each.get("itemtype", "")]
    headline = find_headline_block(page)
    near = page.layout.blocks[max(0, headline.index - _MOST_APART) : headline.index + 10] if headline else ()
    boxes += [block.element for block in near if is_path(block) and _begins_at_front(page, block.element)]
    for box in boxes:
        if names := [text for link in box.iter("a") if (text := short_text(link, 120))]:
            _note_path(found, "trail", names, page)
            return


def _begins_at_front(page: Document, line: etree._Element) -> bool:
    """Return whether the first link of a line leads to the front page, and none does something on this page."""
    links = [link.get("href") or "#" for link in line.iter("a")]
    is_path = not any(link.startswith("#") or link[:11].lower() == "javascript:" for link in links)
    targets = [page.resolve(link) for link in links] if is_path else []
    if not targets or not is_front(targets[0]):
        return False
    # fronts of other hosts only: the site in other languages
    return not page.url or not all(map(is_front, targets)) or find_host(page.url) in map(find_host, targets)


def _is_named_like_page(link: etree._Element) -> bool:
    """Return whether most words of a link are in the address that it leads to: "Tools & Reviews" in `/category/tools-reviews/`."""
    said = re.findall(r"\w+", fold_letters(short_text(link, 120) or ""))
    address = fold_letters(unquote(re.sub(r"^(?:https?:)?//[^/]*", "", link.get("href") or "")))
    return 2 * sum(len(word) for word in said if word in address) > sum(map(len, said))


def _note_categories(page: Document, found: NameCandidates) -> None:
    """Add the texts of links to the article's category: rel="category", a class or address that says so; its own first."""
    said = {link for link, rel in page.related if "category" in rel.split()}
    called = {each.element for each in page.find_named_with(_CATEGORY_WORDS) if _CATEGORY.search(each.name)}
    links = [a for a in page.tagged("a") if a in said or a in called or a.getparent() in called] if said or called else []
    own: Collection[etree._Element] = {link for link in links if is_own(page, link)}
    if not own:
        listed = find_own_links(page, _SECTION_PAGES)
        own = [link for link, is_listed in listed.items() if is_listed or _is_named_like_page(link)]
        links += own
    links = links if own else [link for link in links if next(link.iterancestors("article"), None) is None]
    for rank, link in enumerate(sorted(links, key=lambda link: link not in own), 1):
        note(found, short_text(link, 120), {
            "category": 1.0 / rank, "category own": float(link in own), "category entries": float(len(own) or len(links)),
        })  # fmt: skip


def _note_active(page: Document, found: NameCandidates) -> None:
    """Add the entries that menus show as those where the reader is."""
    names = [name for name in dict.fromkeys(_find_active_entries(page)) if name and name.casefold() not in _HOME]
    for rank, name in enumerate(names[:_MOST_OF_A_SOURCE], 1):
        note(found, name, {"active": 1.0 / rank, "active entries": float(len(names))})


def _find_active_entries(page: Document) -> Iterator[str]:
    """Yield the entries that menus show as the one where the reader is."""
    for menu in page.view(_find_menus):
        for element in menu.iter("a", "li"):
            if _is_active(element.get("class", "")) or element.get("aria-current", "false") != "false":
                yield short_text(next(element.iter("a"), element), 120) or ""


@lru_cache(maxsize=4_096)  # the entries of a menu have few classes
def _is_active(name: str) -> bool:
    return _ACTIVE.search(name) is not None


def _find_menus(page: Document) -> Sequence[etree._Element]:
    """Return the menus of the site: nav elements, or elements that are called so where there are none."""
    if menus := [nav for nav in page.tagged("nav") if next(nav.iterancestors("article"), None) is None]:
        return menus[:_MOST_MENUS]
    return [each.element for each in page.find_named_with(("menu", "nav")) if each.tag in _HOLDS_BREADCRUMB][:_MOST_MENUS]


def _note_class(page: Document, found: NameCandidates) -> None:
    """Add the categories in the class of the article or of the page."""
    outer = [each for each in page.view(list_holders) if each.tag in {"article", "body"} or "hentry" in (each.get("class") or "")]
    slugs = [m[1] for each in outer for m in map(_CLASS.fullmatch, (each.get("class") or "").split()) if m]
    for slug in dict.fromkeys(slugs[:_MOST_OF_A_SOURCE]):
        note(found, re.sub("[-_]", " ", slug), {"class": 1.0, "class entries": float(len(set(slugs)))})


def _note_near_headline(page: Document, found: NameCandidates) -> None:
    """Add the short lines around the headline, but not the entries of menus."""
    if (headline := find_headline_block(page)) is None:
        return
    for block in page.layout.blocks[max(0, headline.index - _MOST_APART) : headline.index + _MOST_APART + 1]:
        apart = block.index - headline.index
        is_line = len(block.text) <= _LONGEST_OF_LINK and not block.is_sentence
        if apart and is_line and not set(page.view(_find_menus)).intersection(block.element.iterancestors()):
            note(found, block.text, {"above" if apart < 0 else "below": (2.0 if block.links else 1.0) / abs(apart)})


def _note_in_menus(page: Document, found: NameCandidates) -> None:
    """Say of the names that were found which of them a link in a menu has; the first 120 links of each are looked at."""
    for menu in page.view(_find_menus):
        for link in islice(menu.iter("a"), 120):
            text = short_text(link, _LONGEST_OF_LINK) if _TO_FOLDER.match(link.get("href") or "") else None
            if text and text.casefold() not in _NOT_NAMES and (one := found.get(fold_letters(text))):
                one.values["menu link"] = 1.0


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
    depths = {folder: float(depth) for depth, folder in enumerate(_get_folders(page)[:_MOST_FOLDERS], 1)}
    ends = tuple(depths)
    for link in page.tagged("a") if depths else ():
        href = link.get("href", "")
        href = ((page.resolve(href) or "") if href.startswith("..") else href).rstrip("/")
        if href.endswith(ends) and (depth := depths.get(href.rpartition("/")[2])):
            own = float(is_own(page, link))
            note(found, short_text(link, _LONGEST_OF_LINK), {"menu link": 1.0, "leading": depth, "leading own": own})


def _is_further(address: str, first: str) -> bool:
    """Return whether an address is that of a further page of a listing, not of the front page."""
    return address.startswith(first) and first.count("/") > 2 and _FURTHER.fullmatch(address, len(first)) is not None


def find_listing_section(page: Document) -> str | None:
    """Return the section whose listing a page is: the current entry of the menu, or the one that leads to its first page."""
    here = (page.url or "").split("#", 1)[0].rstrip("/")
    links = ((link, link.get("href")) for menu in page.view(_find_menus) for link in menu.iter("a"))
    # a fragment leads to a part of the page, or opens a form: "#/portal/signup"
    targets = ((link, (page.resolve(href) or "").rstrip("/")) for link, href in links if href and "#" not in href)
    leading = (link for link, target in targets if here == target or _is_further(here, target))
    for text in (*(short_text(link, 120) or "" for link in leading), *_find_active_entries(page)):
        name = _IN_BRACKETS.sub("", squeeze(text)).strip(" /›»>|:-#")
        said = name.casefold().split()
        if 1 < len(name) <= _LONGEST and (_NO_SECTION | _HOME | _NO_LISTING).isdisjoint(said):
            return name
    return None
