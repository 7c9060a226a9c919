"""The article in the state of a page that builds itself in the browser, for pages that show no text themselves.

A state holds many articles: the one of the page, those that are announced beside it, maybe the last that were looked at. The
page's own is the one that has the page's address, the last part of it, or the page's headline; without any of them there is none.
Its text is the longest one in it, or, where an object only describes it, beside this object; what hangs below a name such as
"related" or "comments", or has an address and a title of its own, is another's.

The answer of a site's API becomes a script of its page, to be read as any other state.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import orjson

from newscrawler.extraction.body.titles import read_declared_titles
from newscrawler.limits import API_ANSWER_BYTES, API_ANSWER_VALUES, DECLARED_BODY_DEPTH, DECLARED_BODY_VALUES
from newscrawler.page import (
    Document,
    Mark,
    WrittenParagraph,
    find_extent,
    find_marks,
    key_of,
    likeness,
    paragraphs_of,
    state_values,
)

#: What names say of what is not part of an article's text.
_BESIDE = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION
    | Mark.TAGS | Mark.CONSENT | Mark.POPUP | Mark.WIDGET | Mark.PULL_QUOTE | Mark.FORM | Mark.FIGURE
)  # fmt: skip
_OTHERS = int(Mark.RELATED | Mark.COMMENT | Mark.NAVIGATION)
_NO_TEXT = _BESIDE | int(Mark.BYLINE)
#: Names that no class has: of what is made for machines, of other articles, of people.
_ELSEWHERE = re.compile(
    r"desc|summary|abstract|excerpt|teaser|seo|^meta|opengraph|^og|twitter|schema|json_?ld|structured|i18n|locale|messages|translation|^next|^prev|other|biograph|user|"
    r"image|picture|video|audio|gallery|embed|config|styles?$|css|script",
    re.IGNORECASE,
)
_KEYS = {
    "title": re.compile(r"(?<!sub)title|headline|^name$|^heading$|titre|titulo|titel|titolo|nadpis|tytul", re.IGNORECASE),
    "address": re.compile(r"url|uri|href|^link$|path|permalink|canonical|slug|^current$", re.IGNORECASE),
    "number": re.compile(r"^_?(?:\w{0,12}_?)?(?:id|uuid|guid)$", re.IGNORECASE),
}
_LEAD = frozenset(
    {"lead", "lede", "perex", "standfirst", "intro", "introduction", "dek", "deck", "subtitle", "ingress", "vorspann", "sapo"}
)
_WRITERS = re.compile(
    r"^(?:article|primary|main)?_?(?:authors?|bylines?|writers?|contributors?|creators?|autor(?:es|e|en|i)?|auteurs?|written_?by|credits)(?:_?names?)?$",
    re.IGNORECASE,
)
_NAMES = ("name", "displayName", "display_name", "fullName", "full_name", "title", "text", "byline", "rendered")
_FIRST, _LAST = ("firstName", "first_name", "givenName"), ("lastName", "last_name", "surname", "familyName")
#: Names of what has a title and an address and is not an article.
_NO_ARTICLE = re.compile(
    r"(?:section|category|categories|channel|rubri[ck]|rubrika|topics?|tags?|authors?|user|site|organi[sz]ation|publisher|menu)",
    re.IGNORECASE,
)
#: What an article has and the description of a section has not: a time, or else much text.
_TIME, _DIGITS = re.compile(r"date|publi|creat|time|_at$|At$|_on$"), re.compile(r"\d{4}\D?\d\d\D?\d\d")
_DEEPEST_TEXT, _LEAST_TEXT, _ALIKE, _LONGEST_FIELD, _MOST_KEPT = 6, 200, 0.85, 400, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class StateArticle:
    """What the state of a page says of its article."""

    headline: str | None
    paragraphs: tuple[WrittenParagraph, ...]
    #: Who wrote it, as it is given.
    writers: tuple[str, ...]
    #: Other short values, with their keys: dates among them.
    fields: tuple[tuple[str, str], ...]


class _Found(NamedTuple):
    score: float
    node: Mapping[str, Any]
    #: The objects around it, outermost first.
    around: tuple[Mapping[str, Any], ...]
    title: str | None


def read_state(page: Document) -> StateArticle | None:
    """Read the page's article from its scripts; None where the page shows text, or no script holds the article."""
    if shows_text(page):
        return None
    page_is = _Page(page)
    values = list(state_values(page.root))
    found: list[_Found] = []
    for value in values:
        found += _find_own_articles(value, page_is)
    found.sort(key=lambda each: -each.score)
    for each in found[:_MOST_KEPT]:
        if (article := _read_article(each, _References(values))) is not None:
            return article
    return None


def shows_text(page: Document) -> bool:
    """Return whether a page shows so many sentences, 600 characters, that its scripts need not be read."""
    shown = 0
    for block in page.layout.blocks:
        if block.size >= 40 and 2 * block.linked < len(block.text) and block.kind[0] != "h" and block.is_sentence:
            shown += block.size
            if shown >= 600:
                return True
    return False


@lru_cache(maxsize=4096)
def _classify_key(key: str) -> str | None:
    """Return whether a key is that of a title, an address or a number."""
    return next((name for name, make in _KEYS.items() if make.search(key)), None)


class _Page:
    """By what a page's own article is known."""

    def __init__(self, page: Document) -> None:
        self.titles = page.view(read_declared_titles).texts
        self.path = _find_path(page.url or page.get_first_meta("og:url") or "")
        self.slug = re.sub(r"\.(?:html?|php|aspx?)$", "", self.path.rpartition("/")[2])

    def score(self, node: Mapping[str, Any]) -> tuple[float, str | None]:
        """How surely an object is the page's article, and the title that it has."""
        best, title = 0.0, None
        for key, value in node.items():
            says = _classify_key(key)
            if says is None:
                continue
            if isinstance(value, Mapping):
                value = _find_sole_text(value)  # noqa: PLW2901  {"rendered": …}, {"current": …}
            if isinstance(value, int) and not isinstance(value, bool):
                value = str(value)  # noqa: PLW2901
            if not isinstance(value, str) or not 1 < len(value) <= _LONGEST_FIELD:
                continue
            if says == "title":
                title = title or value
                if any(likeness(value, text) >= _ALIKE for text in self.titles):
                    best, title = best + 2.0, value
            elif says == "address":
                best += self._read_address(value)
            elif self._has_number(value):
                best += 1.0
        return best, title

    def _read_address(self, value: str) -> float:
        path = _find_path(value)
        if len(self.path) > 1 and "/" in value and path == self.path:
            return 3.0
        slug = path.strip("/")
        if "/" in slug or len(slug) < 8:
            return 0.0
        if slug == self.slug:
            return 2.5
        begins, ends = self.slug.startswith(slug), self.slug.endswith(slug)
        beside = self.slug[len(slug) : len(slug) + 1] if begins else self.slug[-len(slug) - 1 : -len(slug)] if ends else ""
        return 2.0 if beside and beside in "-_.," and 2 * len(slug) > len(self.slug) else 0.0

    def _has_number(self, value: str) -> bool:
        return (
            len(value) >= 4
            and value in self.slug
            and any(map(str.isdigit, value))
            and re.search(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])", self.slug) is not None
        )


def _find_path(address: str) -> str:
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return ""
    return path.rstrip("/")


def _find_sole_text(value: Mapping[str, Any]) -> Any:
    """The text in an object that holds only one: {"rendered": "…"}, {"current": "…", "_type": "slug"}."""
    texts = [inner for key, inner in value.items() if isinstance(inner, str) and key[:1] != "_" and key != "type"]
    return texts[0] if len(texts) == 1 and len(value) <= 3 else None


def _find_own_articles(root: Any, page: _Page) -> Iterator[_Found]:
    """Yield the objects in a state that are the page's own, as far as may be looked."""
    stack: list[tuple[Any, tuple[Mapping[str, Any], ...], int]] = [(root, (), 0)]
    seen: set[int] = set()
    visited = 0
    while stack and visited < DECLARED_BODY_VALUES:
        value, around, depth = stack.pop()
        visited += 1
        if depth > DECLARED_BODY_DEPTH or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            score, title = page.score(value)
            if score >= 1:
                yield _Found(score, value, around, title)
            around = (*around, value)[-3:]  # the nearest ones
            stack.extend(
                (inner, around, depth + 1)
                for key, inner in reversed(value.items())
                if isinstance(inner, (dict, list)) and not find_marks(key) & _OTHERS and not _NO_ARTICLE.fullmatch(key)
            )
        elif isinstance(value, list):
            stack.extend((inner, around, depth + 1) for inner in reversed(value) if isinstance(inner, (dict, list)))


class _References:
    """Objects of a cache to which others refer by name: {"__ref": "Article:7"}."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values

    def follow(self, value: Any) -> Any:
        """The object to which a value refers, or the value itself."""
        if not isinstance(value, dict) or len(value) > 2 or not isinstance(name := value.get("__ref"), str):
            return value
        roots = (root for root in self.values if isinstance(root, dict))
        stores = (store for root in roots for store in (root, *root.values()) if isinstance(store, dict))
        return next((store[name] for store in stores if name in store), None)


def _read_article(found: _Found, references: _References) -> StateArticle | None:
    """Read an article whose object is known; None where neither it nor what is around it holds a text."""
    for level, node in enumerate((found.node, *reversed(found.around))):
        texts = list(_find_texts(node, found.title, references, 0, frozenset({id(found.node)}) if level else frozenset()))
        if not texts:
            if level and _is_article(node):
                return None
            continue
        longest = max(_measure_size(text) for text in texts)
        text = max((text for text in texts if _measure_size(text) >= 0.8 * longest), key=len)  # nearly all of the longest
        fields = list(_list_fields(found.node, references, 0))
        if level:
            fields += [field for field in _list_fields(node, references, 0) if field not in fields]
        writers = tuple(_find_writers(found.node, references)) or (tuple(_find_writers(node, references)) if level else ())
        if (
            not writers
            and _measure_size(text) < 1000
            and not any(_TIME.search(key) and _DIGITS.search(value) for key, value in fields)
        ):
            continue
        paragraphs = [*_find_lead(found.node if level == 0 else node, text), *text]
        if found.title and likeness(paragraphs[0].text, found.title) >= _ALIKE:
            del paragraphs[0]
        return StateArticle(headline=found.title, paragraphs=tuple(paragraphs), writers=writers, fields=tuple(fields[:400]))
    return None


def _measure_size(text: Sequence[WrittenParagraph]) -> int:
    """Return the extent of a text: characters, of which those of Chinese and Japanese count several times."""
    return sum(find_extent(each.text) for each in text)


def _find_texts(
    value: Any, title: str | None, references: _References, depth: int, passed: frozenset[int] = frozenset()
) -> Iterator[list[WrittenParagraph]]:
    """Yield the texts in an object: of its own fields, and of objects in it that are no other articles."""
    value = references.follow(value)
    if depth > _DEEPEST_TEXT or not isinstance(value, dict):
        return
    for key, inner in value.items():
        if not isinstance(inner, (str, list, dict)) or not inner or find_marks(key) & _NO_TEXT or _ELSEWHERE.search(key):
            continue
        inner = references.follow(_unpack(inner))  # noqa: PLW2901
        if isinstance(inner, list) and references.values:
            inner = list(map(references.follow, inner))  # noqa: PLW2901
        if id(inner) in passed or (isinstance(inner, str) and len(inner) < _LEAST_TEXT) or _holds_others(inner, title):
            continue
        if isinstance(inner, (str, list)) or (isinstance(inner, dict) and not _is_article(inner)):
            written = paragraphs_of(inner)
            if _is_text(written):
                yield written
                continue
        if isinstance(inner, dict):
            yield from _find_texts(inner, title, references, depth + 1, passed)


def _unpack(value: Any) -> Any:
    """What a string of JSON holds, or the value itself."""
    if isinstance(value, str) and value[:1] in "{[" and value[-1:] in "}]" and len(value) > 1:
        try:
            return orjson.loads(value)
        except ValueError:
            return value
    return value


def _holds_others(value: Any, title: str | None) -> bool:
    """Return whether a value is another article, or a list of articles."""
    if isinstance(value, dict):
        other = _is_article(value) and (said := _find_title(value)) is not None and title is not None
        return bool(other and likeness(said or "", title or "") < _ALIKE)
    return isinstance(value, list) and sum(isinstance(each, dict) and _is_article(each) for each in value[:20]) > 1


def _is_article(node: Mapping[str, Any]) -> bool:
    """Return whether an object has a title, and an address or a number, as what stands for a page has."""
    return _find_title(node) is not None and any(value and _classify_key(key) == "address" for key, value in node.items())


def _find_title(node: Mapping[str, Any]) -> str | None:
    """Return the title that an object has."""
    for key, value in node.items():
        if _classify_key(key) == "title":
            said = _find_sole_text(value) if isinstance(value, dict) else value
            if isinstance(said, str) and said:
                return said
    return None


def _is_text(written: Sequence[WrittenParagraph]) -> bool:
    """Tell prose from programs, addresses and the like."""
    text = " ".join(each.text for each in written)
    if len(key_of(text)) * 3 < _LEAST_TEXT:
        return False
    start = text[:2000]
    if start.count(",") * 40 > len(start) and not re.search(r"[.!?…。！？؟।]", start):  # a list of terms, one in forty characters
        return False
    return len(re.findall(r"[^\x00-\x7f]|[A-Za-z\s]", start)) >= 0.7 * len(start) and any(len(each.text) > 30 for each in written)


def _find_lead(node: Mapping[str, Any], text: Sequence[WrittenParagraph]) -> list[WrittenParagraph]:
    """The lead that stands beside the text, where it does not begin with it."""
    for key, value in node.items():
        if key.lower() in _LEAD and isinstance(value, (str, list, dict)) and value:
            written = paragraphs_of(value)
            opening = key_of(" ".join(each.text for each in text[:3]))
            if written and len(written) < 4 and key_of(written[0].text) not in opening:
                return written
    return []


def _find_writers(node: Mapping[str, Any], references: _References, depth: int = 0) -> list[str]:
    """Who wrote an article: as it says itself, or an object in it that says nothing else of others ("meta", "_embedded")."""
    for key, value in node.items():
        if _WRITERS.search(key) and value and (names := list(_read_names(value, references, 0))):
            return names
    for key, value in node.items() if depth < 2 else ():
        is_person = isinstance(value, dict) and not find_marks(key) & _BESIDE and not _is_article(value)
        if is_person and (names := _find_writers(references.follow(value) or {}, references, depth + 1)):
            return names
    return []


def _read_names(value: Any, references: _References, depth: int) -> Iterator[str]:
    value = references.follow(value)
    if isinstance(value, str):
        if 1 < len(value) <= _LONGEST_FIELD and not value.startswith(("http", "/")):
            yield value
    elif isinstance(value, list) and depth < 3:
        for inner in value[:_MOST_KEPT]:
            yield from _read_names(inner, references, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        first, last = (next((said for key in keys if (said := value.get(key))), "") for keys in (_FIRST, _LAST))
        name = next((said for key in _NAMES if isinstance(said := value.get(key), str) and said), None)
        if name or first or last:
            yield name or f"{first} {last}".strip()
            return
        for inner in (
            value.get(key) for key in ("author", "by", "person", "attributes", "data", "node", "nodes", "edges", "items", "fields")
        ):
            yield from _read_names(inner, references, depth + 1)


def _list_fields(node: Any, references: _References, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the short values of an object and of the small ones in it, with their keys."""
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            if 0 < len(said := str(value)) <= 60:
                yield key, said
        elif (
            depth < 2
            and isinstance(value, dict)
            and not find_marks(key) & _BESIDE
            and not _WRITERS.search(key)
            and not _is_article(value)
        ):
            for inner, said in _list_fields(references.follow(value), references, depth + 1):
                yield (inner if any(c.isalpha() for c in inner) else key), said


def build_page_with_answer(html: bytes, url: str, answer: bytes) -> bytes | None:
    """Return a page with an article's data in its head; None: the answer holds no article.

    Args:
        html: of the page, in any encoding that writes ASCII as ASCII.
        url: of the page. The article in the answer gets it as its address, since the page itself names the answer as its own.
        answer: JSON.
    """
    if len(answer) > API_ANSWER_BYTES:
        return None
    try:
        value = orjson.loads(answer)
        article = _find_article(value)
        if article is None:
            return None
        article["page_url"] = url
        data = json.dumps(value)
    except (ValueError, RecursionError):
        return None
    data = data.replace("</", "<\\/").replace("<!--", "<\\u0021--")
    script = b'<script type="application/json" id="api-answer">' + data.encode("ascii") + b"</script>"
    head = re.search(rb"<head(?:\s[^>]*)?>", html, re.IGNORECASE)
    return html[: head.end()] + script + html[head.end() :] if head else script + html


def _find_article(root: Any) -> dict[str, Any] | None:
    """Return the outermost object with a title and a text; None: there is none, or there are several articles."""
    waiting: deque[Any] = deque([root])
    for _ in range(API_ANSWER_VALUES):
        if not waiting:
            return None
        value = waiting.popleft()
        if isinstance(value, dict):
            if _has_text(value):
                return value
            waiting.extend(inner for inner in value.values() if isinstance(inner, (dict, list)))
        elif isinstance(value, list):
            if sum(isinstance(each, dict) and _has_text(each) for each in value[:20]) > 1:
                return None
            waiting.extend(inner for inner in value if isinstance(inner, (dict, list)))
    return None


def _has_text(node: Mapping[str, Any]) -> bool:
    """Return whether an object has a title and, not within objects that have one, a text."""
    texts = _find_texts(node, None, _References(()), _DEEPEST_TEXT) if _find_title(node) is not None else ()
    return any(_measure_size(text) >= _LEAST_TEXT for text in texts)
