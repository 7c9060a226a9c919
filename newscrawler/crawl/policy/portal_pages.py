"""Pages about the portal itself (terms, imprint, contact), recognised by their content.

If articles have URLs like `/{slug}/`, so does "terms of use", and the URL pattern says that it is an article. So the page is
classified again by its name and headline, as a link to it would be; of 381 labelled links to articles of 40 portals, one counted as
such a page. In any language, a page is also one if only menus and footers link to it and it has no date while articles have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from newscrawler.discovery import FoundLink
from newscrawler.discovery.urls import CLASSIFIERS, PageLink, Scope, UrlKind, canonicalize_or_none
from newscrawler.extraction import ExtractionState
from newscrawler.extraction.body import find_anchors, read_site_names, reduce_to_letters
from newscrawler.page import Document

#: Kinds of pages about the portal.
_ABOUT = frozenset({"about", "advertising", "contact", "legal", "newsletter", "subscribe"})
#: Parts of a page that list no articles.
_MENUS = frozenset({"footer", "header", "menu", "nav"})
#: Articles after which it is known whether the portal dates them, and how many of ten are dated.
_LEAST_ARTICLES, _DATED_OF_TEN = 10, 9
#: Links of menus that are remembered as hashes; of other parts, twice as many.
_MOST_LINKS = 10_000
#: Limits of pages whose anchors are remembered, and of anchors of each.
_MOST_ANCHORED, _MOST_ANCHORS = 2_000, 200
#: Sources of dates that lists of articles give; of one shown near the headline, which counts if the words may be an article's; and
#: the probability from which they may.
_LISTED, _SHOWN, _HARDLY_ARTICLE = ("feed", "news sitemap", "listing"), "text near headline", 0.1
#: Sources of dates that readers see.
_IN_PAGE = frozenset({_SHOWN, "element", "time element"})
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_LETTERS = 4
#: Words of a headline that may be an article's about such a topic: "Werbung für Tabak verboten".
_LEAST_WORDS = 3


class PortalPages:
    """Evidence of a crawl that separates pages about the portal from articles."""

    def __init__(self) -> None:
        self._in_menus: set[int] = set()
        self._elsewhere: set[int] = set()
        self._articles = self._dated = 0
        #: Anchors of pages to which other pages link, which may be separate articles.
        self.anchors: dict[str, set[str]] = {}

    def note_links(self, links: Iterable[FoundLink]) -> None:
        """Remember in which parts of pages links are; outside menus, only recent ones."""
        for link in links:
            if link.where not in _MENUS:
                self._elsewhere.add(hash(link.url))
            elif len(self._in_menus) < _MOST_LINKS:
                self._in_menus.add(hash(link.url))
        if len(self._elsewhere) > 2 * _MOST_LINKS:
            self._elsewhere &= self._in_menus

    def note_anchors(self, page: Document, scope: Scope) -> None:
        """Note the anchors of other pages to which a page links."""
        for address, anchor in find_anchors(page):
            url = canonicalize_or_none(address)
            if url and scope.allows(url) and (url in self.anchors or len(self.anchors) < _MOST_ANCHORED):
                known = self.anchors.setdefault(url, set())
                if len(known) < _MOST_ANCHORS:
                    known.add(anchor)

    def note_article(self, *, dated: bool) -> None:
        """Count an article."""
        self._articles += 1
        self._dated += dated

    def find_reason_against(self, url: str, draft: ExtractionState) -> str | None:
        """Return why a page with text is one about the portal; None: it may be an article."""
        if _is_declared_article(draft):
            return None
        headline = draft.body.headline if draft.body else None
        headline = headline or (draft.metadata.headline if draft.metadata else None)
        published = draft.dates.published if draft.dates else None
        if headline and (said := _judge_words(url, headline)):
            why, article_score = said
            source = published.source if published else None
            likely = source == _SHOWN and article_score >= _HARDLY_ARTICLE
            return None if likely or (source in _IN_PAGE and self._is_listed(url, headline)) else why
        return "linked from menus alone, undated" if not published and self._dates_articles() and self._is_in_menus(url) else None

    def _is_in_menus(self, url: str) -> bool:
        return hash(url) in self._in_menus and hash(url) not in self._elsewhere

    def _is_listed(self, url: str, headline: str) -> bool:
        """Return whether other parts of pages than menus link to a page, and its headline is long enough."""
        return len(_WORD.findall(headline)) >= _LEAST_WORDS and hash(url) in self._elsewhere and hash(url) not in self._in_menus

    def _dates_articles(self) -> bool:
        return self._articles >= _LEAST_ARTICLES and 10 * self._dated >= _DATED_OF_TEN * self._articles


def _judge_words(url: str, headline: str) -> tuple[str, float] | None:
    """Return the kind of a page by a link with its headline, and the probability that it is an article."""
    parts = urlsplit(url)
    front = f"{parts.scheme}://{parts.netloc}/"
    name = parts.path.rstrip("/").rpartition("/")[2]
    if parts.query or sum(map(len, _WORD.findall(unquote(name)))) < _LEAST_LETTERS:  # the URL has no words
        name = "-".join(_WORD.findall(headline))
    verdict = CLASSIFIERS["default"](PageLink(href=f"{front}{name}", page_url=front, anchor=headline))
    if verdict.label is not UrlKind.OTHER or verdict.why not in _ABOUT:
        return None
    return verdict.why, verdict.article_score


def _is_declared_article(draft: ExtractionState) -> bool:
    """Return whether the page declares itself an article or names its author, or a list of articles gave its date."""
    page, dates, metadata = draft.page, draft.dates, draft.metadata
    if is_article_by_json_ld(page) or page.get_first_meta("article:published_time") is not None:
        return True
    if metadata is not None and any(reduce_to_letters(name) not in page.view(read_site_names) for name in metadata.authors):
        return True
    return dates is not None and dates.published is not None and dates.published.source in _LISTED


def is_article_by_json_ld(page: Document) -> bool:
    """Return whether the page's JSON-LD declares an article."""
    kinds = (kind for entry in page.json_ld for kind in _wrap_in_list(entry.get("@type")))
    return any(isinstance(kind, str) and kind.endswith(("Article", "BlogPosting")) for kind in kinds)


def _wrap_in_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
