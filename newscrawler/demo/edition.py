"""The editions of the portal, one per language: the material of texts/*.toml as frozen records."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("cs", "en", "pl", "de", "uk", "he")
_NOT_DECOMPOSED = str.maketrans({"ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "’": "", "'": ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The specific texts of one story; the rest is composed from the edition's sentences."""

    section: str
    headline: str
    #: "about the topic", in the grammatical case that the sentences need.
    topic: str
    lead: str
    #: Sentences that only this story has; the answers of an interview.
    facts: tuple[str, ...]
    #: news, brief, interview, table, list, multipage.
    kind: str = "news"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One language of the portal."""

    code: str
    direction: str
    name: str
    site: str
    tagline: str
    months: tuple[str, ...]
    #: Names of weekdays, from Monday.
    weekdays: tuple[str, ...]
    date: str
    today: str
    yesterday: str
    hours_ago: str
    name_days: tuple[str, ...]
    name_day: str
    #: Key in the URL and name.
    sections: tuple[tuple[str, str], ...]
    authors: tuple[str, ...]
    initials: tuple[str, ...]
    persons: tuple[str, ...]
    places: tuple[str, ...]
    days: tuple[str, ...]
    sentences: tuple[str, ...]
    questions: tuple[str, ...]
    subheadings: tuple[str, ...]
    list_intro: str
    list_items: tuple[str, ...]
    table_head: tuple[str, ...]
    table_places: tuple[str, ...]
    captions: tuple[str, ...]
    ads: tuple[str, ...]
    newsletter: str
    comments: tuple[str, ...]
    nicknames: tuple[str, ...]
    bio: str
    #: Labels of the page.
    words: Mapping[str, str]
    tags: Mapping[str, str]
    stories: tuple[Material, ...]
    unpublished: tuple[Material, ...] = ()

    def section_name(self, key: str) -> str:
        """Return the name of a section."""
        return dict(self.sections)[key]


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value


@cache
def load_edition(code: str) -> Edition:
    """Read the texts of one language."""
    raw = tomllib.loads(files("newscrawler.demo").joinpath("texts", f"{code}.toml").read_text("utf-8"))
    stories, unpublished = (
        tuple(Material(**{name: _frozen(value) for name, value in story.items()}) for story in raw.pop(kind, []))
        for kind in ("stories", "unpublished")
    )
    return Edition(stories=stories, unpublished=unpublished, **{name: _frozen(value) for name, value in raw.items()})


def build_slug(text: str, *, ascii_only: bool = True) -> str:
    """Return the words of a headline joined for a URL, without diacritics or in the script of the language."""
    if ascii_only:
        text = unicodedata.normalize("NFKD", text.translate(_NOT_DECOMPOSED)).encode("ascii", "ignore").decode()
    return re.sub(r"[\W_]+", "-", text.lower().replace("’", "")).strip("-")
