"""The words around names in bylines, as patterns: what introduces who wrote, what somebody else, roles."""

from __future__ import annotations

import re

from newscrawler.languages import alternatives, words

_INTRODUCING = ("by", "by_others", "source")
_BY, _OTHERS, _SOURCE = map(alternatives, _INTRODUCING)
#: A word that says what the names behind it did; a colon may stand behind it, and must where more text stands before it.
LABEL_AT_START = re.compile(
    rf"\s*(?:(?P<by>{_BY})|(?P<other>{_OTHERS})|(?P<source>{_SOURCE}))(?:\s*[:：＝=/／・](?!\w*//)\s*|\s+|$)", re.IGNORECASE
)
#: The first words of all of them, so that other lines need not be tried.
LABELS_BEGIN = frozenset(
    found.group() for topic in _INTRODUCING for label in words(topic) if (found := re.match(r"[^\W_]+", label))
)
LABEL_WITHIN = re.compile(
    rf"(?<=[\s,;|(])(?:(?:{_BY}|{_OTHERS}|{_SOURCE})\s*[:：]|{alternatives('credited')}\s+{alternatives('whose')}\b)\s*",
    re.IGNORECASE,
)
ROLE = re.compile(f"{alternatives('roles', extent='all')}$", re.IGNORECASE)
#: Words for a role that are written as one with a name.
JOINED_ROLE = re.compile(
    rf"^(?:[\u4e00-\u9fff]{{0,4}}{alternatives('roles_before_name')})+\s*|\s*{alternatives('roles_behind_name')}$"
)
#: Who was asked, in a line that says who asked: "Interview von Eugen Zentner mit Sonja Silberhorn".
INTERVIEWED = re.compile(rf"\b({alternatives('interview_labels')}\b.*?)\s+{alternatives('interviewed_with')}\s.*$", re.IGNORECASE)
#: What joins names, and what stands between those who wrote and those who were asked.
AND, WITH = alternatives("and"), alternatives("with")
