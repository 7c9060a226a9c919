"""Everything about an article but its text and its dates; description, keywords, picture and canonical URL by tables of sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, starmap
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from newscrawler.article import LONGEST_TEASER, is_cut
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.body.site_names import find_registered_part, find_shown_name
from newscrawler.extraction.metadata.authors import Authors, find_authors
from newscrawler.extraction.metadata.candidates import (
    MOST_STATED,
    NameChoice,
    compile_folder,
    extract_texts,
    find_own_links,
    find_stated,
)
from newscrawler.extraction.metadata.language import choose_language
from newscrawler.extraction.metadata.section import Section, find_section
from newscrawler.languages import pattern, words
from newscrawler.page import Block, Document, Layout, Mark, clean_text, find_extent, read_types, short_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Everything about an article but its text and its dates."""

    headline: str | None = None
    #: Its wording in the head of the page, if that is different.
    headline_declared: str | None = None
    description: str | None = None
    authors: tuple[str, ...] = ()
    #: The evidence for the first of them, and the probability that each of them wrote the article.
    authors_source: str | None = None
    authors_confidence: float = 0.0
    section: str | None = None
    #: The evidence for it.
    section_source: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    image_url: str | None = None
    #: The name of the site.
    publisher: str | None = None
    genre: str = "news"
    free: bool | None = None
    #: Language of the body, if the page or the configuration declares another one.
    language_detected: str | None = None
    #: The candidates of authors and section; None where a template gives them.
    authors_choice: NameChoice | None = field(default=None, compare=False, repr=False)
    section_choice: NameChoice | None = field(default=None, compare=False, repr=False)


def find_metadata(
    page: Document, *, language: str | None = None, body_text: str = "", headline: str | None = None,
    body_elements: Sequence[etree._Element] = (), ignored_authors: Collection[str] = (),
) -> Metadata:  # fmt: skip
    """Collect the metadata of one page.

    A configured `language` goes before the declared and the detected one; `ignored_authors`: as `fold_name` returns them.
    """
    found = page.view(find_headline)
    return build_metadata(
        page, headline=headline, shown_headline=found.text if found else None, declared_headline=found.declared if found else None,
        authors=find_authors(page, body_elements, ignored_authors), section=find_section(page), language=language,
        body_text=body_text, walled=body_text,
    )  # fmt: skip


def build_metadata(
    page: Document, *, headline: str | None, declared_headline: str | None, authors: Authors, section: Section,
    language: str | None, body_text: str, walled: str, shown_headline: str | None = None,
    headline_element: etree._Element | None = None,
) -> Metadata:  # fmt: skip
    """Return the metadata of a page from the fields that are read in several ways, and from the page for all others.

    `walled`: the text behind which a paywall is searched; `headline_element`: where it is known without a look at all blocks.
    """
    spoken, detected = choose_language(language, page.declared_language, body_text)
    return Metadata(
        headline=headline or shown_headline, headline_declared=declared_headline, description=find_description(page),
        authors=authors.names, authors_source=authors.source, authors_confidence=authors.confidence, section=section.name,
        section_source=section.source if section.name else None, keywords=find_keywords(page, headline_element), language=spoken,
        canonical_url=find_canonical(page), image_url=find_picture(page), publisher=find_publisher(page),
        genre=find_genre(page, headline, section.name), free=find_free_access(page, walled),
        language_detected=detected, authors_choice=authors.choice, section_choice=section.choice,
    )  # fmt: skip


#: Where a property is stated, the best first: names of meta elements, "json-ld:FIELD" of the article, "link:REL".
_DESCRIPTION = ("description", "json-ld:description", "og:description", "twitter:description", "dc.description")
_KEYWORDS = (("json-ld:keywords",), ("news_keywords",), ("parsely-tags",))
_PICTURE = (
    "og:image", "og:image:url", "og:image:secure_url", "json-ld:image", "twitter:image", "twitter:image:src", "parsely-image-url",
    "thumbnail", "image", "link:image_src",
)  # fmt: skip
_PUBLISHER = ("og:site_name", "json-ld:publisher", "application-name", "publisher", "dc.publisher")
_KEYWORD_MARKS = re.compile(r"\s*[;|,،、，\n]\s*")
#: Keywords for a newsroom's own machines: "Section: Sport", UUIDs, paths.
_MACHINE_WORD = re.compile(r":|^_|^https?|\w/\w+/|^[0-9a-f]{8}-[0-9a-f]{4}-|^\d+$|^[a-z]+/[\w-]")
_TAG_PAGES = compile_folder("tag_pages")
_NO_PICTURE = re.compile(
    r"logo|placeholder|default[-_.]|fallback|favicon|sprite|spacer|blank\.|avatar|/icons?/|apple-touch|1x1|pixel", re.IGNORECASE
)


def find_description(page: Document) -> str | None:
    """Return the page's own summary of its article."""
    for text in map(clean_text, find_stated(page, _DESCRIPTION)):
        fits = text and 12 <= len(text) <= 3000
        if text and fits and text != page.title and not text.startswith(("http://", "https://")):
            return text
    return None


def find_publisher(page: Document) -> str | None:
    """Return the name of the site, as its head states it or its front page is linked; an address is not a name."""
    for text in map(clean_text, chain(find_stated(page, _PUBLISHER, ("name",)), _find_sites(page))):
        if text and len(text) <= 80 and not text.startswith(("http://", "https://", "@")):
            return text
    return None


def _find_sites(page: Document) -> Iterator[str]:
    """Yield the names of the publisher that the JSON-LD gives by `@id`, of websites, and of the site as the page shows it."""
    publishers = [each.get("publisher") for each in page.article_json_ld]
    ids = [each["@id"] for each in publishers if isinstance(each, Mapping) and "@id" in each]
    placed = page.placed_json_ld
    own = [each for each in placed if each.value.get("@id") in ids]
    for each in (*own, *(each for each in placed if "WebSite" in each.types)):
        yield from extract_texts(each.value.get("name"), ("name",))
    if (name := find_shown_name(page)) is not None:
        yield name


def find_keywords(page: Document, headline: etree._Element | None = None) -> tuple[str, ...]:
    """Return the article's keywords, in the page's order, from the first place that has any; one meta element may have all tags."""
    tags, stated = page.meta.get("article:tag", ()), ((find_stated(page, each, ("name",)), True) for each in _KEYWORDS)
    linked, keywords, own = _find_linked_tags(page), page.meta.get("keywords", ()), _find_own_tags(page, headline)
    places = [(tags, len(tags) == 1), *stated, (linked, False), (keywords, True), (own, False)]
    return next(filter(None, starmap(_split_keywords, places)), ())


def _split_keywords(texts: Iterable[str], split: bool) -> tuple[str, ...]:  # noqa: FBT001
    found: dict[str, str] = {}
    for part in chain.from_iterable(map(_KEYWORD_MARKS.split, texts)) if split else texts:
        word = (clean_text(part) or "").strip("#\"' ")
        if 1 < len(word) <= 80 and not _MACHINE_WORD.search(word) and word.casefold() not in words("tags"):
            found.setdefault(word.casefold(), word)
    return tuple(found.values())[:MOST_STATED]


def _find_linked_tags(page: Document) -> Iterator[str]:
    """Yield the texts of links that say that they lead to tags, or else of those behind a label such as "Tags:"."""
    said = [link for link, rel in page.related if "tag" in rel.split() and "category" not in rel]
    said = [link for link in said if "categor" not in (next(link.iterancestors()).get("class") or "").lower()]  # in WordPress
    for link in said or filter(_is_behind_label, page.tagged("a")):
        yield short_text(link, 120) or ""


def _find_own_tags(page: Document, headline: etree._Element | None) -> Iterator[str]:
    for link in find_own_links(page, _TAG_PAGES, headline):
        yield short_text(link, 120) or ""


def _is_behind_label(link: etree._Element) -> bool:
    """Return whether the text around a link begins with a label of tags."""
    around = next(link.iterancestors())
    text = around.text or ""
    if not text.strip() and around[0] is link:  # the usual item of a list
        text = link.text or ""
    if not text.strip():
        text = next(filter(str.strip, map(str, around.itertext())), "")
    label, colon, _ = text.replace("：", ":").partition(":")
    return bool(colon) and label.strip().casefold() in words("tags")


def find_picture(page: Document) -> str | None:
    """Return the address of the article's picture, never the logo of the site."""
    addresses = (each for each in find_stated(page, _PICTURE) if not _NO_PICTURE.search(each.rsplit("/", 1)[-1]))
    return next(_resolve(page, addresses), None)


def find_canonical(page: Document) -> str | None:
    """Return the address that the page calls its own; None where that can't be true.

    A canonical link to another site, or from an article to the front page, is a fault of the template.
    """
    for address in _resolve(page, find_stated(page, ("link:canonical", "og:url"))):
        if is_plausible(address, page.url):
            return address.split("#", 1)[0]
    return None


def _resolve(page: Document, addresses: Iterable[str]) -> Iterator[str]:
    for address in map(page.resolve, filter(str.strip, addresses)):
        if address and address.startswith(("http://", "https://")):
            yield address


def is_plausible(canonical: str, url: str | None) -> bool:
    """Return whether an address can be another way to write that of the page."""
    try:
        one, other = urlsplit(canonical), urlsplit(url or canonical)
        _ = one.port  # raises if it is not a number
    except ValueError:
        return False
    if not one.hostname or (url and other.hostname and find_registered_part(one.hostname) != find_registered_part(other.hostname)):
        return False
    to_front = one.path in {"", "/"} and not one.query
    return not (url and to_front and (other.path not in {"", "/"} or other.query))


#: In this order: a paid text is never news.
_BY_TYPE = (
    ("sponsored", re.compile(r"AdvertiserContent|Advertorial|Sponsored", re.IGNORECASE)),
    ("live", re.compile(r"LiveBlog", re.IGNORECASE)),
    ("opinion", re.compile(r"Opinion|^Review|Column", re.IGNORECASE | re.MULTILINE)),
    ("gallery", re.compile(r"ImageGallery|MediaGallery|PhotoGallery", re.IGNORECASE)),
    ("interview", re.compile(r"Interview", re.IGNORECASE)),
)
#: Whole words of sections, labels and parts of addresses, by genre.
_WORDS = {word: genre for genre, _ in reversed(_BY_TYPE) for word in words(genre)}
_PARTS = re.compile(r"[\s/:|,.!?–—()\[\]\"„“”«»]+")
_GENRE_NAMES = (("article:section", "og:section"), ("article:genre", "genre"))


def find_genre(page: Document, headline: str | None, section: str | None) -> str:
    """Return the genre: news, opinion, interview, live, gallery or sponsored.

    The types in the JSON-LD go before words of sections and of the address, and these before the label of a headline.
    """
    kinds = "\n".join(chain.from_iterable(map(read_types, page.article_json_ld)))
    for genre, kind in _BY_TYPE:
        if kind.search(kinds):
            return genre
    said = [section or "", *(page.get_first_meta(*names) or "" for names in _GENRE_NAMES), (page.url or "").partition("//")[2]]
    said[-1] = said[-1].partition("?")[0].partition("/")[2].rpartition("/")[0]
    # the label that many newsrooms put before the headline: "Kommentar: …", "ROZHOVOR | …"
    label = re.match(r"\s*(?:([^\W\d_][\w'-]{2,20})\s*[:|–—]\s|\[([^\W\d_][\w'-]{2,20})\])", (headline or "").lower())
    words_said = _PARTS.split("/".join(said).lower()) + ([label[1] or label[2]] if label else [])
    return next(filter(None, map(_WORDS.get, words_said)), "news")


_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def find_free_access(page: Document, text: str = "") -> bool | None:
    """Return whether the article, of which the page shows this text, can be read for free; None where the page does not say."""
    for value in page.article_json_ld:
        declared = _read_truth(value.get("isAccessibleForFree"))
        if declared is not None:
            return declared
        parts = value.get("hasPart")
        parts = [each for each in (parts if isinstance(parts, list) else [parts]) if isinstance(each, dict)]
        if any(_read_truth(part.get("isAccessibleForFree")) is False for part in parts):
            return False
    microdata = [each.get("content") for each in page.declarations["meta"] if each.get("itemprop") == "isAccessibleForFree"]
    if microdata and (declared := _read_truth(microdata[0])) is not None:
        return declared
    tier = (page.get_first_meta("article:content_tier", "article:tier", "content_tier", "paywall-status") or "").lower()
    if tier:
        return tier not in {"locked", "premium", "subscription", "paid", "plus", "subscriber", "hardpaywall"}
    return False if text and _ends_at_paywall(page.layout, text) else None


def _ends_at_paywall(layout: Layout, text: str) -> bool:
    """Return whether a text is no longer than a teaser, and the next lines say that the rest is for subscribers, or for members.

    That of registered members is offered by words of a registration with such of going on, or below a text that ends in "…".
    """
    if find_extent(text) > LONGEST_TEASER:
        return False
    following = " ".join(block.text.lower() for block in _list_following(layout, text))
    if pattern("paywall").search(following):
        return True
    offers = pattern("register", "subscribe").search(following) and not pattern("newsletter").search(following)
    return bool(offers) and (is_cut(text) or pattern("read_on").search(following) is not None)


def list_signs_of_teaser(page: Document, text: str) -> tuple[bool, ...]:
    """Return whether a text ends in an ellipsis, breaks off, or has a form or a promotion below it, and whether a box covers it."""
    boxes = page.layout.boxes
    follows = any((block.marks | boxes[block.box].within) & _FORMS for block in _list_following(page.layout, text))
    covers = any(marks & _COVER for marks in page.names.marks.values())
    last = text.rpartition("\n")[2].rstrip()
    return is_cut(text), len(last) > _SHORTEST_BREAK and (last[-1].isalnum() or last[-1] in ",;-–"), follows, covers


def _list_following(layout: Layout, text: str) -> list[Block]:
    """Return those of the five next lines below a text that may belong to the article."""
    lines = frozenset(text.split("\n"))
    last = max((block.index for block in layout.blocks if block.text in lines), default=-1)
    following = layout.blocks[last + 1 : last + 6] if last >= 0 else ()
    found = [block for block in following if not (block.marks | layout.boxes[block.box].within) & _ELSEWHERE]
    return [block for block in found if len(block.text) <= 600]


_FORMS, _COVER = int(Mark.FORM | Mark.PROMOTION | Mark.POPUP), int(Mark.POPUP)
#: Characters from which on a last line without a stop breaks off; shorter ones name an author.
_SHORTEST_BREAK = 40
_ELSEWHERE = int(Mark.RELATED | Mark.NAVIGATION | Mark.FOOTER | Mark.COMMENT)


def _read_truth(value: Any) -> bool | None:
    """Return a declared truth, also given as a word, a number, an address of schema.org, or the only one of a list."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        value = value.get("@value")
    return _TRUTHS.get(str(value).strip().lower().rpartition("/")[2])
