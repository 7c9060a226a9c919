"""A page, parsed once, and the views of it that all methods share."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from operator import itemgetter
from typing import Any, TypeVar
from urllib.parse import quote, urljoin

from lxml import etree

from newscrawler.page.blocks import Box, Layout
from newscrawler.page.encoding import decode_page, find_other_format
from newscrawler.page.json_ld import PLACES_OF_ARTICLE, PlacedObject, find_own, is_article, read_placed, remove_foreign
from newscrawler.page.layout import read_layout
from newscrawler.page.layout_rules import put_in_place
from newscrawler.page.names import MarksOnDemand, Named, Names, read_names
from newscrawler.page.text import join_text, squeeze
from newscrawler.page.tree import parse_tree

T = TypeVar("T")
#: Addresses in which there is nothing to resolve.
_ABSOLUTE = re.compile(r"https?://[\w.-]+/[\w/.,%~=&+-]*", re.ASCII)
_WORDS = re.compile(r"[^\W_]+")
#: Letters with which words of one stem begin.
_BEGINNING = 4


class Document:
    """A parsed page. Its tree and its views are read only: methods leave the page untouched."""

    def __init__(
        self,
        root: etree._Element,
        *,
        url: str | None = None,
        size: int = 0,
        encoding: str = "utf-8",
        other_format: str | None = None,
    ) -> None:
        self.root = root
        self.url = url
        #: Of its bytes, by Python's name; queries of its links are in it.
        self.encoding = encoding
        #: Characters of the source.
        self.size = size
        #: Media type of a source that is not HTML: its tree is empty.
        self.other_format = other_format
        self._views: dict[Callable[[Document], Any], Any] = {}

    @classmethod
    def parse(cls, html: str | bytes, url: str | None = None, *, content_type: str | None = None) -> Document:
        """Parse a page; never raises: an empty or broken page gives an empty tree.

        Args:
            html: text, or the bytes of the response body.
            url: where it came from; links are resolved against it.
            content_type: the HTTP header, which declares the charset of bytes.
        """
        if other_format := find_other_format(html, content_type):
            return cls(parse_tree(""), url=url, size=len(html), other_format=other_format)
        encoding, text = decode_page(html, content_type) if isinstance(html, bytes) else ("utf-8", html)
        root = parse_tree(text)
        put_in_place(root)
        return cls(root, url=url, size=len(text), encoding=encoding)

    @cached_property
    def body(self) -> etree._Element:
        """The body element, or the root where there is none."""
        return next(self.root.iterchildren("body"), self.root)

    @cached_property
    def declarations(self) -> Mapping[str, Sequence[etree._Element]]:
        """The elements meta, link, base, title, script and style by tag, wherever they are, read in one walk."""
        found: dict[str, list[etree._Element]] = {"meta": [], "link": [], "base": [], "title": [], "script": [], "style": []}
        for element in self.root.iter("meta", "link", "base", "title", "script", "style"):
            found[str(element.tag)].append(element)
        return found

    @cached_property
    def title(self) -> str:
        """The text of the title element."""
        found = next(iter(self.declarations["title"]), None)
        return join_text(found) if found is not None else ""

    @cached_property
    def base_url(self) -> str | None:
        """What relative links count from: the first base element that has an address, as browsers do."""
        href = next((href for base in self.declarations["base"] if (href := base.get("href")) is not None), "").strip()
        if not href:
            return self.url
        try:
            return urljoin(self.url or "", normalize_reference(href))
        except ValueError:
            return self.url

    @cached_property
    def meta(self) -> Mapping[str, Sequence[str]]:
        """Content of the meta elements by lower-case name, property or itemprop, in page order."""
        found: dict[str, list[str]] = {}
        for element in self.declarations["meta"]:
            content = squeeze(element.get("content"))
            if not content:
                continue
            for attribute in ("name", "property", "itemprop", "http-equiv"):
                name = element.get(attribute)
                if name and (attribute != "itemprop" or not self.is_of_other_article(element)):
                    found.setdefault(name.strip().lower(), []).append(content)
        return found

    def get_first_meta(self, *names: str) -> str | None:
        """The first content among these names, in the order of the names."""
        for name in names:
            if values := self.meta.get(name):
                return values[0]
        return None

    @cached_property
    def json_ld(self) -> Sequence[Mapping[str, Any]]:
        """Every JSON-LD object of the page, nested ones and graphs included, outermost first."""
        return list(map(itemgetter(0), self._all_json_ld))

    @cached_property
    def _all_json_ld(self) -> Sequence[PlacedObject]:
        return read_placed(self.declarations["script"])

    @cached_property
    def placed_json_ld(self) -> Sequence[PlacedObject]:
        """The same objects with the keys that lead to them, without articles about something else than this page.

        An article within a list of others, or within the page, that has its address or headline counts as if it were the only one.
        """
        return remove_foreign(find_own(self._all_json_ld, self._is_own), self._is_foreign)

    def _is_own(self, article: Mapping[str, Any]) -> bool:
        return self._has_own_address(article) or self.is_headline_of(article)

    def _has_own_address(self, article: Mapping[str, Any]) -> bool:
        return not self._own_paths.isdisjoint(map(_find_path, _list_addresses(article)))

    def list_foreign_json_ld(self) -> Sequence[PlacedObject]:
        """Return the objects that were left out since they belong to an article about something else."""
        own = {id(each.value) for each in self.placed_json_ld}
        return [each for each in self._all_json_ld if id(each.value) not in own]

    def _is_foreign(self, article: Mapping[str, Any]) -> bool | None:
        """Return whether an article of the JSON-LD is not the page's by its address or else its headline; None: neither says it."""
        if self._is_own(article):
            return False
        headline = _read_headline(article)
        if not headline or not self._own_headlines:
            return None
        if any(map(_find_path, _list_addresses(article))) and self._own_paths:
            return True
        begins = _list_beginnings(headline)
        own = [_list_beginnings(each) for each in self._own_headlines]
        # two headlines of three such words, of which not more than one in four is common to both, speak of different things
        is_other = all(min(len(begins), len(each)) >= 3 and 4 * len(begins & each) <= min(len(begins), len(each)) for each in own)
        return True if is_other else None

    def is_headline_of(self, thing: Mapping[str, Any]) -> bool:
        """Return whether an object of the JSON-LD has the page's headline as its own."""
        headline = _read_headline(thing)
        return bool(headline) and any(_is_like(headline, own) for own in self._own_headlines)

    @cached_property
    def _own_paths(self) -> frozenset[str]:
        """The paths of the page's addresses: that of the fetch, and those in its head."""
        links = [link.get("href") for link in self.declarations["link"] if (link.get("rel") or "").lower() == "canonical"]
        found = map(_find_path, (self.url, *links, *self.meta.get("og:url", ())))
        return frozenset(filter(None, found))

    @cached_property
    def _own_headlines(self) -> Sequence[set[str]]:
        """The words of each text that may be the page's headline."""
        shared = (*self.meta.get("og:title", ()), *self.meta.get("twitter:title", ()))
        return [*self._shown_headlines, *filter(None, map(_split_words, shared))]

    @cached_property
    def _shown_headlines(self) -> Sequence[set[str]]:
        """The words of the title and of the largest headings."""
        texts = [self.title, *(" ".join(map(str, heading.itertext())) for heading in self.body.iter("h1"))]
        return list(filter(None, map(_split_words, texts)))

    def is_of_other_article(self, element: etree._Element) -> bool:
        """Return whether an element of microdata belongs to an article with another headline: a teaser."""
        scope = next((outer for outer in islice(element.iterancestors(), 12) if "itemscope" in outer.attrib), None)
        if scope is None or scope.tag in {"body", "html"}:
            return False
        inner = (each for each in islice(scope.iter(etree.Element), 80) if each.get("itemprop") == "headline")
        headlines = [_split_words("".join(map(str, each.itertext()))) for each in inner]
        return any(headlines) and not any(_is_like(each, own) for each in headlines for own in self._shown_headlines)

    @cached_property
    def article_json_ld(self) -> Sequence[Mapping[str, Any]]:
        """The objects among them that are the page's article, not another one's."""
        return [value for value, path, types in self.placed_json_ld if path in PLACES_OF_ARTICLE and is_article(types)]

    def find_named_with(self, words: Iterable[str]) -> list[Named]:
        """The named elements in whose class or id one of these words stands, in page order."""
        called, joined = self._called
        found: set[str] = set()
        for word in words:
            number = behind = 0
            at = joined.find(word)
            while at >= 0:
                number += joined.count("\0", behind, at)
                found.add(called[number])
                behind = joined.find("\0", at)
                at = joined.find(word, behind)
        return self.names.named([number for number, name in enumerate(self.names.calls) if name in found] if found else ())

    @cached_property
    def _called(self) -> tuple[Sequence[str], str]:
        """What elements are called, each name once; and all names in small letters, each with NUL behind it."""
        called = list(dict.fromkeys(self.names.calls))
        return called, "\0".join([*called, ""]).lower()

    @cached_property
    def related(self) -> Sequence[tuple[etree._Element, str]]:
        """The links of the body that say how what they lead to is related to the page, and what they say, in small letters."""
        return [(link, rel.lower()) for link in self.tagged("a") if (rel := link.get("rel"))]

    @cached_property
    def names(self) -> Names:
        """What the elements of the body are called, and what their names say they are."""
        return read_names(self.body, [style.text or "" for style in self.declarations["style"]])

    def tagged(self, *tags: str) -> list[etree._Element]:
        """The elements of the body with one of these tags, in page order; of those that `Names` looks for.

        Where nobody has walked over the page yet, that is not done for them either: most of its elements need not be touched.
        """
        if "names" in self.__dict__:
            found = list(chain.from_iterable(map(self.names.tagged.__getitem__, tags)))
            return list(map(itemgetter(1), sorted(found) if len(tags) > 1 else found))
        return list(self.body.iter(*tags))

    @cached_property
    def declared_language(self) -> str | None:
        """The two-letter code that the page declares, if any."""
        value = self.root.get("lang") or self.root.get("xml:lang")
        value = value or self.get_first_meta("content-language", "language", "dc.language", "og:locale")
        match = re.match(r"([A-Za-z]{2,3})(?:[-_,;\s]|$)", value or "")
        return match.group(1).lower() if match else None

    @cached_property
    def layout(self) -> Layout:
        """The page as boxes and blocks of text in reading order."""
        return read_layout(self.body, self.names.marks, repeated=self._texts_of_head)

    @cached_property
    def box_of(self) -> Mapping[etree._Element, Box]:
        """The box of each element that is one."""
        return {box.element: box for box in self.layout.boxes}

    @property
    def _texts_of_head(self) -> Container[str]:
        """What the head of the page says of it."""
        named = ("og:title", "og:description", "description", "og:url")
        return {self.title, self.url or ""}.union(*filter(None, map(self.meta.get, named)))

    def within(self, element: etree._Element) -> Document:
        """Return the page as if its body were one of its elements; what its head declares is the same."""
        if element is self.body:
            return self
        part = Document(self.root, url=self.url, size=self.size, encoding=self.encoding)
        shared = {name: getattr(self, name) for name in ("declarations", "meta", "placed_json_ld", "_all_json_ld")}
        layout = read_layout(element, MarksOnDemand(), repeated=self._texts_of_head)
        part.__dict__ |= {"body": element, "layout": layout, **shared}
        return part

    def view(self, read: Callable[[Document], T]) -> T:
        """Return what a function reads from the page; it is called once for each page."""
        views: dict[Callable[[Document], Any], Any] = self._views
        if read not in views:
            views[read] = read(self)
        found: T = views[read]
        return found

    def resolve(self, href: str) -> str | None:
        """Make a link absolute; None where it is not a usable address."""
        href = href.strip()
        if _ABSOLUTE.fullmatch(href):
            return href
        try:
            return urljoin(self.base_url or "", normalize_reference(href, self.encoding))
        except ValueError:
            return None


def normalize_reference(href: str, encoding: str = "utf-8") -> str:
    """Return a relative or absolute URL as browsers read it: slashes for backslashes, the query in the encoding of its page.

    https://url.spec.whatwg.org/#url-parsing
    """
    if "\\" in href:
        place, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", href, re.DOTALL).groups()  # type: ignore[union-attr]  # matches anything
        href = place.replace("\\", "/") + mark + rest
    if encoding == "utf-8" or href.isascii() or "?" not in href:
        return href
    place, _, rest = href.partition("?")
    query, mark, fragment = rest.partition("#")
    charset = "utf-8" if encoding.startswith("utf") else encoding
    query = re.sub(r"[^\x00-\x7f]+", lambda found: quote(found[0].encode(charset, "xmlcharrefreplace"), safe=""), query)
    return f"{place}?{query}{mark}{fragment}"


def _split_words(text: str) -> set[str]:
    return set(_WORDS.findall(text.lower()))


def _read_headline(thing: Mapping[str, Any]) -> set[str]:
    """Return the words of the headline, or else the name, of an object of JSON-LD."""
    return _split_words(str(thing.get("headline") or thing.get("name") or ""))


def _is_like(headline: set[str], other: set[str]) -> bool:
    """Return whether half of the words of a headline are those of another wording of it."""
    return len(headline & other) >= 0.5 * min(len(headline), len(other))


def _list_beginnings(words: Iterable[str]) -> set[str]:
    """Return how the longer words of a headline begin, whatever their endings."""
    return {word[:_BEGINNING] for word in words if len(word) >= _BEGINNING}


def _list_addresses(article: Mapping[str, Any]) -> Iterator[str]:
    """Yield the addresses that an object of JSON-LD says are its own."""
    for key in ("url", "mainEntityOfPage", "@id"):
        value = article.get(key)
        value = (value.get("@id") or value.get("url")) if isinstance(value, Mapping) else value
        if isinstance(value, str):
            yield value


def _find_path(url: str | None) -> str:
    """Return the path by which two addresses of a page are compared; an empty string where it leads to no article."""
    path = (url or "").partition("#")[0].partition("?")[0]
    path = path[1:] if path[:1] == "/" and path[:2] != "//" else path.partition("//")[2].partition("/")[2]
    return path.rstrip("/").removesuffix("/amp").removesuffix(".html").lower()
