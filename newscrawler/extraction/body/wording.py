"""How a headline is worded: as JSON-LD gives it, as it stands on the page, or as it is shared; without kicker and site's name."""

from __future__ import annotations

import re

from lxml import etree

from newscrawler.extraction.body.declared_titles import DeclaredTitles
from newscrawler.extraction.body.site_names import BAR, DASH, title_alone, without_site
from newscrawler.page.likeness import key_of, likeness

_WORD_STARTS = re.compile(r"(?<=\s)\S")
#: Before a headline: a kicker, the name of a series.
_BEFORE = re.compile(r"(?:\s[|»·•*–—-]+\s|[|｜])\s*$")
_CUT_OFF = ("…", "...")
#: What may close a headline and be cut off with nothing else: "Who pays for it?".
_CLOSING = frozenset("?!.…”“\"»«')？！。」』")
_SHORTEST_PART, _SHORTEST_HELD = 15, 8
#: Likeness from which on a heading and what is shared say the same; one often has a kicker or the site's name more.
_SAME = 0.9


def wording(declared: DeclaredTitles, heading: str | None) -> tuple[str, str]:
    """Choose how the headline is worded: (source, text); the text is empty where there is none.

    A declared wording counts only where the heading or the title knows it: systems that give every page the name of the
    site as og:title are common.
    """
    known = [text for text in (heading, declared.title) if text]
    if declared.json_ld:
        first = declared.json_ld[0]
        for other in declared.json_ld[1:]:
            if heading and key_of(other) == key_of(heading) and key_of(first) != key_of(declared.open_graph or ""):
                return "json-ld", other
        cleaned = without_site(first, declared.names)
        if heading and (_is_cut_off(first, heading) or (cleaned != first and _is_or_holds(cleaned, heading))):
            return "heading", heading
        if declared.sole or not known or any(likeness(first, text) >= 0.2 for text in (*known, declared.open_graph or "")):
            return "json-ld", cleaned
    if declared.open_graph:
        text = without_site(declared.open_graph, declared.names)
        agree = _is_or_holds if text != declared.open_graph else _holds
        if heading and (_is_cut_off(text, heading) or agree(text, heading)):
            return "heading", heading
        if heading and likeness(heading, text) < _SAME and not _is_beside(declared.title, heading, text):
            return "heading", heading
        if not heading:
            text = title_alone(text, declared.names)
        if key_of(text) not in declared.names and (not known or any(likeness(text, other) >= 0.5 for other in known)):
            return "og:title", text
    if heading:
        return "heading", heading
    return "title", title_alone(declared.title, declared.names)


def part_of(element: etree._Element, declared: DeclaredTitles) -> str | None:
    """The part of a heading in an element of its own that is the headline, where a kicker stands before it, or a date behind it.

    It is what the page declares, or that with which what is shared ends, where another kicker stands before it there.
    """
    if not len(element):
        return None
    last = " ".join(("".join(map(str, element[-1].itertext())) + (element[-1].tail or "")).split())
    whole = " ".join("".join(map(str, element.itertext())).split())
    key, first = key_of(last), whole.removesuffix(last).strip()
    if not first or first == whole or not key:
        return None
    shared = key_of(declared.open_graph or "")
    given = {key_of(without_site(text, declared.names)) for text in (declared.open_graph or "", declared.title)}
    if key_of(whole) in given:
        return None
    for part in (last, first):
        if len(key_of(part)) >= _SHORTEST_PART and key_of(part) in given:
            return part
    return last if len(key) >= _SHORTEST_PART and 2 * len(key) >= len(shared) > len(key) and shared.endswith(key) else None


def behind_kicker(heading: str, declared: DeclaredTitles) -> str | None:
    """The end of a heading that the title gives alone, where what stands before it is no part of its sentence."""
    key, whole = key_of(without_site(declared.title, declared.names)), key_of(heading)
    if not _SHORTEST_PART <= len(key) < len(whole) < 2 * len(key) or not whole.endswith(key):
        return None
    for word in _WORD_STARTS.finditer(heading):
        if key_of(heading[word.start() :]) == key:
            return heading[word.start() :] if heading[: word.start()].rstrip()[-1:].isalnum() else None
    return None


def _is_beside(title: str, heading: str, shared: str) -> bool:
    """Tell whether the title is what is shared and a shorter heading, which is the name of the site or of a section then."""
    whole, key, other = key_of(title), key_of(heading), key_of(shared)
    return len(key) < len(other) and key in whole and other in whole


def _is_or_holds(text: str, heading: str) -> bool:
    return key_of(text) == key_of(heading) or _holds(text, heading)


def _holds(text: str, heading: str) -> bool:
    """Tell whether the text is the heading with something behind a separator, or before one."""
    if len(heading) < _SHORTEST_HELD or len(text) <= len(heading):
        return False
    key, behind, before = key_of(heading), text[len(heading) :], text[: -len(heading)]
    return (key_of(text[: len(heading)]) == key and (BAR.match(behind) or DASH.match(behind)) is not None) or (
        key_of(text[-len(heading) :]) == key and _BEFORE.search(before) is not None
    )


def _is_cut_off(text: str, heading: str) -> bool:
    """Tell whether the text is only the beginning of the heading, as systems make it that allow 70 or 110 characters."""
    start = key_of(text.rstrip("….")) if text.endswith(_CUT_OFF) else key_of(text)
    whole = key_of(heading)
    if whole == start:  # maybe without its last sign
        return heading.startswith(text) and _CLOSING.issuperset(heading[len(text) :]) and heading != text
    return len(start) > 20 and whole.startswith(start)
