"""Licences of Really Simple Licensing (RSL 1.0): the uses that they permit, prohibit and sell, and those reserved for us.

A licence is an offer. A use is free for us where one offer covers it, requires no payment and is not limited to users or countries
(people must judge whether we are among them). Elements of other namespaces are ignored. Of the `content` elements that match a
URL the longest pattern counts, equal ones together (section 3.1.1: the more specific declaration).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newscrawler.article import Reservation, Reserved
from newscrawler.limits import RSL_BYTES, RSL_CONTENTS, RSL_FEED_BYTES
from newscrawler.politeness.rights.path_patterns import get_path, matches, measure_specificity

if TYPE_CHECKING:  # the command line knows our settings without the parser
    from lxml import etree

NAMESPACE = "https://rslstandard.org/rsl"
MEDIA_TYPE = "application/rsl+xml"
LONGEST_PATTERN = 500
PLACE = "RSL licence"
#: Section 3.4.1.1: the uses that each word of `usage` covers.
_COVERS = {
    "all": frozenset({Reserved.TEXT_ANALYSIS, Reserved.SEARCH, Reserved.AI_TRAIN, Reserved.AI_INPUT, Reserved.NOARCHIVE}),
    "ai-all": frozenset({Reserved.AI_TRAIN, Reserved.AI_INPUT}),
    "ai-train": frozenset({Reserved.AI_TRAIN}),
    "ai-input": frozenset({Reserved.AI_INPUT}),
    "ai-index": frozenset({Reserved.AI_INPUT}),
    "search": frozenset({Reserved.SEARCH}),
}
_USES = (Reserved.TEXT_ANALYSIS, Reserved.SEARCH, Reserved.AI_TRAIN, Reserved.AI_INPUT, Reserved.NOARCHIVE)
#: Section 3.7: types of payment without money; we give attribution, since every article keeps its source.
_FREE = frozenset({"free", "attribution"})
_DECLARATION = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RslLicense:
    """One offer."""

    permits: frozenset[str] | None = None
    prohibits: frozenset[str] = frozenset()
    #: Types of payment.
    payments: tuple[str, ...] = ()
    #: Whether it is limited to users or countries.
    limited: bool = False

    def covers(self, use: Reserved) -> bool:
        """Return whether the offer permits a use. If it lists uses, only these are permitted; prohibitions take precedence."""
        if _is_named(use, self.prohibits):
            return False
        return self.permits is None or _is_named(use, self.permits, whole=True)

    @property
    def is_free(self) -> bool:
        """Return whether it requires nothing that we cannot give."""
        return not self.limited and all(kind in _FREE for kind in self.payments)


@dataclass(frozen=True, slots=True, kw_only=True)
class RslContent:
    """The content to which licences apply."""

    #: A pattern of paths, or an address with one.
    url: str
    licenses: tuple[RslLicense, ...] = ()

    def fits(self, url: str) -> bool:
        """Return whether a page is part of the content."""
        if "://" not in self.url:
            return matches(self.url, get_path(url))
        mine, other = urlsplit(self.url), urlsplit(url)
        return mine.netloc.lower() == other.netloc.lower() and matches(get_path(self.url), get_path(url))


@dataclass(frozen=True, slots=True, kw_only=True)
class RslDocument:
    """A licence file."""

    #: Its address.
    url: str
    contents: tuple[RslContent, ...] = ()
    #: Why it cannot be read; None if it can.
    unreadable: str | None = None

    def list_reservations(self, url: str) -> tuple[Reservation, ...]:
        """Return the reservations of the file for a page that is declared to be under it."""
        if self.unreadable is not None:
            note = f"{self.unreadable}, so it counts as a reservation"
            return (Reservation(word=Reserved.ANY_USE, said=self.url[:200], place=PLACE, policy=self.url, note=note[:200]),)
        fitting = [content for content in self.contents if content.fits(url)]
        longest = max((measure_specificity(get_path(content.url)) for content in fitting), default=0)
        offers = [each for content in fitting if measure_specificity(get_path(content.url)) == longest for each in content.licenses]
        return tuple(_list_reservations(offers, self.url))


def read_rsl(body: bytes, url: str) -> RslDocument:
    """Read a licence file, or a feed that contains licences; never raises, expands no entities and reads nothing else."""
    if len(body) > RSL_BYTES:
        return RslDocument(url=url, unreadable=f"it is larger than {RSL_BYTES // 1024} KiB")
    root = _parse(body)
    if isinstance(root, str):
        return RslDocument(url=url, unreadable=root)
    contents = tuple(_read_contents(root))
    if not contents:
        return RslDocument(url=url, unreadable="it holds no content element of RSL")
    return RslDocument(url=url, contents=contents)


def extract_feed_licenses(body: bytes) -> bytes | None:
    """Return the licences in a feed as a separate document, or None if it has no readable ones."""
    from lxml import etree

    root = _parse(body) if len(body) <= RSL_FEED_BYTES else ""
    if isinstance(root, str) or etree.QName(root).localname not in {"rss", "feed", "RDF"}:
        return None
    file = etree.Element(f"{{{NAMESPACE}}}rsl", nsmap={"r": NAMESPACE})
    for element in list(root.iter(f"{{{NAMESPACE}}}content"))[:RSL_CONTENTS]:
        element.set("url", element.get("url") or _find_item_link(element) or "/")
        element.tail = None
        file.append(element)
    return etree.tostring(file) if len(file) else None


def _parse(body: bytes) -> etree._Element | str:
    """Parse without entities, document types and network. Return the tree, or a text with the reason of a failure."""
    from lxml import etree

    if _DECLARATION.search(body):
        return "it declares a document type, which licences have no use for"
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True)
        return etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        return f"it is not XML ({str(error)[:80]})"


def _list_reservations(offers: Sequence[RslLicense], url: str) -> Iterator[Reservation]:
    for use in _USES if offers else ():
        covering = [offer for offer in offers if offer.covers(use)]
        if any(offer.is_free for offer in covering):
            continue
        if not covering:
            said = f"{use} not permitted"
        else:
            payment = next((kind for offer in covering for kind in offer.payments if kind not in _FREE), None)
            said = f"{use} for payment ({payment})" if payment else f"{use} for some users or countries only"
        yield Reservation(word=use, said=said, place=PLACE, policy=url)


def _is_named(use: Reserved, words: frozenset[str], *, whole: bool = False) -> bool:
    """Return whether words of `usage` cover a use. An unknown word may cover any (with `whole`: none)."""
    return any(use in _COVERS.get(word, frozenset() if whole else _COVERS["all"]) for word in words)


def _read_contents(root: etree._Element) -> Iterator[RslContent]:
    for number, element in enumerate(root.iter(f"{{{NAMESPACE}}}content")):
        if number >= RSL_CONTENTS:
            return
        address = (element.get("url") or _find_item_link(element) or "/").strip()
        if len(address) <= LONGEST_PATTERN:
            yield RslContent(url=address, licenses=tuple(map(_read_offer, element.iterfind(f"{{{NAMESPACE}}}license"))))


def _find_item_link(element: etree._Element) -> str | None:
    """Return the link of the feed's entry that contains a content element (section 4.6)."""
    from lxml import etree

    parent = element.getparent()
    if parent is None or etree.QName(parent).localname not in {"item", "entry"}:
        return None
    link = next((child for child in parent if isinstance(child.tag, str) and etree.QName(child).localname == "link"), None)
    return None if link is None else (link.get("href") or link.text)


def _read_offer(element: etree._Element) -> RslLicense:
    from lxml import etree

    permits: set[str] | None = None
    prohibits: set[str] = set()
    payments: list[str] = []
    limited = False
    for child in element:
        if not isinstance(child.tag, str) or etree.QName(child).namespace != NAMESPACE:
            continue
        name, kind = etree.QName(child).localname, (child.get("type") or "usage").strip().lower()
        words = set((child.text or "").replace(",", " ").lower().split())
        if name in {"permits", "prohibits"} and kind != "usage":
            limited = True
        elif name == "permits":
            permits = (permits or set()) | words
        elif name == "prohibits":
            prohibits |= words
        elif name == "payment":
            payments.append((child.get("type") or "a payment without a type").strip().lower())
    return RslLicense(
        permits=frozenset(permits) if permits is not None else None, prohibits=frozenset(prohibits), payments=tuple(payments),
        limited=limited,
    )  # fmt: skip
