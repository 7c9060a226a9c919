"""Headlines in the head of a page (JSON-LD, Open Graph, title element), and the choice of a wording."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from newscrawler.extraction.body.site_names import BAR, DASH, find_signed_names, isolate_title, read_site_names, remove_site
from newscrawler.languages import words
from newscrawler.page import SILENT, Document, clean_text, find_extent, is_article, join_text, key_of, likeness, squeeze


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredTitles:
    """What a page declares its headline to be."""

    #: Headline, name and alternative headline of the article in JSON-LD.
    json_ld: tuple[str, ...] = ()
    #: JSON-LD describes no other article.
    sole: bool = True
    open_graph: str | None = None
    #: Content of the title element.
    title: str = ""
    #: What the page calls its site, letters only.
    names: frozenset[str] = frozenset()

    @property
    def headline(self) -> str | None:
        """The headline in JSON-LD, else in Open Graph, without the name of the site; None where neither says more than that."""
        said = self.json_ld[0] if self.json_ld else self.open_graph
        text = remove_site(said, self.names) if said else ""
        return text if key_of(text) and key_of(text) not in self.names else None

    @property
    def texts(self) -> tuple[str, ...]:
        """All wordings, without repetitions; of a title without others beside it, also what is left without the site's name.

        That may stand before a colon too ("The Courier: Headline"), which parts nothing unless the page shows the rest alone.
        """
        found = [*self.json_ld[:1], self.open_graph or "", self.title]
        if not self.open_graph and not self.json_ld:
            found += [isolate_title(self.title, self.names), self.title.partition(": ")[2]]
        return tuple(dict.fromkeys(text for text in found if text and key_of(text) not in self.names))


def read_declared_titles(page: Document) -> DeclaredTitles:
    """Collect what the page's head says of its headline."""
    articles = _list_wordings(page.article_json_ld)
    return DeclaredTitles(
        json_ld=articles[0] if articles else (),
        sole=len(articles) == 1,
        open_graph=clean_text(page.get_first_meta("og:title", "twitter:title")),
        title=clean_text(page.title) or "",
        names=page.view(read_site_names) | find_signed_names(page),
    )


def list_foreign_titles(page: Document) -> list[str]:
    """Return the headlines in the JSON-LD of articles about something else."""
    return [texts[0] for texts in _list_wordings(each.value for each in page.list_foreign_json_ld() if is_article(each.types))]


def _list_wordings(articles: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Return headline, name and alternative headline of each article that has one of the first two."""
    found = (list(map(clean_text, map(each.get, ("headline", "name", "alternativeHeadline")))) for each in articles)
    return [tuple(filter(None, texts)) for texts in found if texts[0] or texts[1]]


#: What may close a headline and be cut off with nothing else: "Who pays for it?".
_CLOSING = frozenset("?!.…”“\"»«')？！。」』")
_SHORTEST_PART, _SHORTEST_HELD, _MOST_PARTS = 15, 8, 20
_LONGEST_BADGE, _BADGE_MARKS = 20, " |\uff5c:\uff1a[]\u3010\u3011()\uff08\uff09\u00b7\u2022\u25b6\u25cf"
_NOT_WHOLE, _UNKNOWN = "the heading cut off, or with the name of the site", "neither heading nor title of the page agrees with it"
_SHOWN = "the heading that agrees most with the titles in the page's head"


class Wording(NamedTuple):
    """A wording of the headline; the text is empty where there is none."""

    source: str
    text: str
    why: str
    #: Why declared wordings were refused, by source.
    refused: Mapping[str, str]


def wording(declared: DeclaredTitles, heading: str | None) -> Wording:
    """Choose how the headline is worded.

    A declared wording counts only where the heading or the title knows it: systems that give every page the name of the
    site as og:title are common.
    """
    known = list(filter(None, (heading, declared.title if key_of(declared.title) not in declared.names else "")))
    refused: dict[str, str] = {}
    if declared.json_ld:
        first = declared.json_ld[0]
        for other in declared.json_ld[1:]:
            if heading and key_of(other) == key_of(heading) and key_of(first) != key_of(declared.open_graph or ""):
                return Wording("json-ld", other, "the wording in JSON-LD that is the heading", refused)
        cleaned, shared = remove_site(first, declared.names), declared.open_graph or ""
        if key_of(shared) == key_of(cleaned) and heading != cleaned != shared and declared.title.startswith(shared):
            return Wording("og:title", shared, "title and og:title set the same signs", refused)
        if heading and (_is_cut_off(first, heading) or (cleaned != first and _is_or_holds(cleaned, heading))):
            return Wording("heading", heading, "the heading is whole", {"json-ld": _NOT_WHOLE})
        if declared.sole or not known or any(likeness(first, text) >= 0.2 for text in (*known, declared.open_graph or "")):
            return Wording("json-ld", cleaned, "the wording in JSON-LD goes first", refused)
        refused["json-ld"] = _UNKNOWN
    if declared.open_graph:
        text = remove_site(declared.open_graph, declared.names)
        agree = _is_or_holds if text != declared.open_graph else _is_extended
        if heading and (_is_cut_off(text, heading) or agree(text, heading)):
            return Wording("heading", heading, "the heading is whole", refused | {"og:title": _NOT_WHOLE})
        # one often has a kicker or the site's name more
        if heading and likeness(heading, text) < 0.9 and not _is_beside(declared.title, heading, text):
            return Wording("heading", heading, _SHOWN, refused | {"og:title": "differs from the heading"})
        if not heading:
            text = isolate_title(text, declared.names)
        behind = declared.title[len(text) :].lstrip() if declared.title.startswith(text) else ""
        is_known = not known or behind.startswith(tuple("-–—|_·•»:｜")) or any(likeness(text, other) >= 0.5 for other in known)
        if key_of(text) not in declared.names and is_known:
            return Wording("og:title", text, "og:title is the wording that the page knows", refused)
        refused["og:title"] = "the name of the site" if key_of(text) in declared.names else _UNKNOWN
    if heading:
        return Wording("heading", heading, _SHOWN, refused)
    return Wording("title", isolate_title(declared.title, declared.names), "no heading, and no other title is declared", refused)


def find_part(element: etree._Element, declared: DeclaredTitles) -> str | None:
    """Return the part of a heading in elements of its own that is the headline, where others have a badge, a kicker or a date."""
    if not len(element):
        return None
    return _find_declared(element, declared) or _remove_badges(element, declared) or _remove_kicker(element, declared)


def _find_declared(element: etree._Element, declared: DeclaredTitles) -> str | None:
    """Return the text of an element within a heading that the page declares whole, if it does not declare more of the heading."""
    given = {key_of(text) for text in (declared.open_graph or "", isolate_title(declared.title, declared.names))}
    known = [*given, key_of(declared.title)]
    if any(key_of(join_text(element)) in each for each in known):
        return None
    texts = (join_text(inner) for inner in islice(element.iterdescendants(etree.Element), _MOST_PARTS))
    return next((text for text in texts if find_extent(text) >= _SHORTEST_PART and key_of(text) in given), None)


def _remove_kicker(element: etree._Element, declared: DeclaredTitles) -> str | None:
    """Return the part that the page declares, or that with which what is shared ends, where another kicker is before it there."""
    whole, last = join_text(element), squeeze("".join(map(str, element[-1].itertext())) + (element[-1].tail or ""))
    key, first = key_of(last), whole.removesuffix(last).strip()
    if not first or first == whole or not key:
        return None
    shared = key_of(declared.open_graph or "")
    given = {key_of(remove_site(text, declared.names)) for text in (declared.open_graph or "", declared.title)}
    if key_of(whole) in given:
        return None
    for part in (last, first):
        if find_extent(part) >= _SHORTEST_PART and key_of(part) in given:
            return part
    return last if len(key) >= _SHORTEST_PART and 2 * len(key) >= len(shared) > len(key) and shared.endswith(key) else None


def _remove_badges(element: etree._Element, declared: DeclaredTitles) -> str | None:
    """Return a heading without its short elements: of a class, or at an end, if only the rest is declared; words for badges."""
    known = [key_of(text) for text in (declared.title, declared.open_graph or "", *declared.json_ld)]
    if any(key_of(join_text(element)) in each for each in known):
        return None
    ends = [[element[0]]] * (not squeeze(element.text)) + [[element[-1]]] * (not squeeze(element[-1].tail))
    icons = [child for child in element if child.tag in SILENT]
    named = [child for child in element if child.get("class") and len(join_text(child)) <= _LONGEST_BADGE]
    for badges in ([*named, *icons], *ends):
        pieces = [element.text or ""]
        for child in element:
            said = " " if child.tag == "br" else "".join(map(str, child.itertext()))
            pieces += ["" if child in badges or child in icons else said, child.tail or ""]
        rest = squeeze("".join(pieces)).strip(" \u3009>\u00bb\u203a|:")
        badge = join_text(badges[0]) if badges in ends else ""
        is_badge = badge.strip(_BADGE_MARKS).casefold() in words("badges") and len(rest) >= _SHORTEST_HELD
        is_rest = find_extent(rest) >= _SHORTEST_PART and any(key_of(rest) in each for each in known)
        if badges and len(badge) <= _LONGEST_BADGE and (is_badge or is_rest):
            return rest
    return None


def find_behind_kicker(heading: str, declared: DeclaredTitles) -> str | None:
    """The end of a heading that the title gives alone, where what stands before it is not part of its sentence."""
    key, whole = key_of(remove_site(declared.title, declared.names)), key_of(heading)
    if not _SHORTEST_PART <= len(key) < len(whole) < 2 * len(key) or not whole.endswith(key):
        return None
    for word in re.finditer(r"(?<=\s)\S", heading):
        if key_of(heading[word.start() :]) == key:
            return heading[word.start() :] if heading[: word.start()].rstrip()[-1:].isalnum() else None
    return None


def _is_beside(title: str, heading: str, shared: str) -> bool:
    """Return whether the title is what is shared and a shorter heading, which is the name of the site or of a section then."""
    whole, key, other = key_of(title), key_of(heading), key_of(shared)
    return len(key) < len(other) and key in whole and other in whole


def _is_or_holds(text: str, heading: str) -> bool:
    return key_of(text) == key_of(heading) or _is_extended(text, heading)


def _is_extended(text: str, heading: str) -> bool:
    """Return whether the text is the heading with something behind a separator, or before one."""
    if len(heading) < _SHORTEST_HELD or len(text) <= len(heading):
        return False
    key, behind, before = key_of(heading), text[len(heading) :], text[: -len(heading)]
    # before a headline: a kicker, the name of a series
    return (key_of(text[: len(heading)]) == key and (BAR.match(behind) or DASH.match(behind)) is not None) or (
        key_of(text[-len(heading) :]) == key and re.search(r"(?:\s[|»·•*–—-]+\s|[|｜])\s*$", before) is not None
    )


def _is_cut_off(text: str, heading: str) -> bool:
    """Return whether the text is only the beginning of the heading, as systems make it that allow 70 or 110 characters."""
    start = key_of(text.rstrip("….")) if text.endswith(("…", "...")) else key_of(text)
    whole = key_of(heading)
    if whole == start:  # maybe without its last sign
        return heading.startswith(text) and _CLOSING.issuperset(heading[len(text) :]) and heading != text
    return len(start) > 20 and whole.startswith(start)
