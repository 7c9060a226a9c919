"""Pages about the portal itself (terms, imprint, contact) and pages of articles (pictures, comments), recognised by their content.

If articles have URLs like `/{slug}/`, so does "terms of use", and the URL pattern says that it is an article. So the page is
classified again by its name and headline, as a link to it would be; of 381 labelled links to articles of 40 portals, one counted as
such a page. In any language, a page is also one if only menus and footers link to it, or a link has its title of few words, and it
has no date while articles have.

A page of pictures or comments has the name of its article in its address, leads back to it, and has its headline or less text.

A short undated text that has no word of its address and of the headline in links is another page that the server gave in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import unquote, urlsplit

from newscrawler.article import Article
from newscrawler.discovery import FoundLink, Resolver
from newscrawler.discovery.urls import CLASSIFIERS, PageLink, Scope, UrlKind, canonicalize_or_none, find_category, fold, is_name
from newscrawler.extraction import ExtractionState
from newscrawler.extraction.body import find_anchors, is_declared_article, read_site_names, reduce_to_letters
from newscrawler.extraction.dates import DateRole, Family
from newscrawler.page import Document

#: Kinds of pages about the portal.
_ABOUT = frozenset({"about", "advertising", "contact", "legal", "newsletter", "subscribe"})
#: Parts of a page that list no articles.
_MENUS = frozenset({"footer", "header", "menu", "nav"})
#: Articles after which it is known whether the portal dates them, and how many of ten are dated.
_LEAST_ARTICLES, _DATED_OF_TEN = 3, 9
#: Links of menus that are remembered as hashes; of other parts, twice as many.
_MOST_LINKS = 10_000
#: Headlines for a name of a page in links, from which on a name tells pages apart.
_HEADLINES = 0.5
#: Limits of pages whose anchors are remembered, and of anchors of each.
_MOST_ANCHORED, _MOST_ANCHORS = 2_000, 200
#: Sources of dates that lists of articles give; of one shown near the headline, which counts if the words may be an article's; and
#: the probability from which they may.
_LISTED, _SHOWN, _HARDLY_ARTICLE = ("feed", "news sitemap", "listing"), "text near headline", 0.1
#: Sources of dates that readers see.
_IN_PAGE = frozenset({_SHOWN, "element", "time element"})
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_LETTERS, _MOST_LETTERS, _LONGEST_HEADLINE = 4, 1_000, 160
#: Words of a headline that may be an article's about such a topic: "Werbung für Tabak verboten".
_LEAST_WORDS = 3
#: Names of articles in addresses: long, with several words or a long number; their endings and the numbers of pages.
_NAME, _SHORTEST_NAME = re.compile(r"[^\W\d_]{2}[-_][^\W\d_]{2}|\d{5}"), 8
_ENDING, _COUNT = re.compile(r"\.[a-z]{2,5}$"), re.compile(r"[-_,]\d{1,3}$")
_DIGITS = re.compile(r"\d+")
_ONE_DAY = timedelta(days=1)
#: Letters by which words are compared, as these take endings; words of a name that tell pages apart; words of a page that a server
#: gives in place of an article at most.
_STEM, _FEWEST_STEMS, _MOST_WORDS = 5, 3, 150
#: Kinds of pages that show comments or pictures of an article.
_OF_ARTICLES = frozenset({"comments", "gallery"})


@dataclass(frozen=True, slots=True)
class _ReadArticle:
    """An article, as far as its further pages are compared with it."""

    url: str
    #: Letters of the title, words of the text, and a hash of its longest paragraph.
    title: str
    words: int
    longest: int
    published_at: datetime | None


class PortalPages:
    """Evidence of a crawl that separates pages about the portal from articles."""

    def __init__(self) -> None:
        self._in_menus: set[int] = set()
        #: Names of pages in links, and pages to which longer texts outside menus lead.
        self._names: dict[int, str] = {}
        self._headlines: dict[int, str] = {}
        self._elsewhere: set[int] = set()
        self._articles = self._dated = self._unlike = 0
        #: Recent articles by the names in their addresses.
        self._by_name: dict[str, _ReadArticle] = {}
        #: Anchors of pages to which other pages link, which may be separate articles.
        self.anchors: dict[str, set[str]] = {}

    def note_links(self, links: Iterable[FoundLink]) -> None:
        """Remember in which parts of pages links are; outside menus, only recent ones."""
        for link in links:
            if is_name(link.anchor) and len(self._names) < _MOST_LINKS:
                self._names.setdefault(hash(link.url), link.anchor.lower())
            if link.where not in _MENUS:
                self._elsewhere.add(hash(link.url))
                if link.anchor and not is_name(link.anchor):
                    self.note_headline(link.url, link.anchor)
            elif len(self._in_menus) < _MOST_LINKS:
                self._in_menus.add(hash(link.url))
        if len(self._elsewhere) > 2 * _MOST_LINKS:
            self._elsewhere &= self._in_menus

    def note_headline(self, url: str, headline: str) -> None:
        """Remember the headline by which a list names a page."""
        if headline and len(self._headlines) < _MOST_LINKS:
            self._headlines.setdefault(hash(url), headline[:_LONGEST_HEADLINE])

    def note_anchors(self, page: Document, scope: Scope) -> None:
        """Note the anchors of other pages to which a page links."""
        for address, anchor in find_anchors(page):
            url = canonicalize_or_none(address)
            if url and scope.allows(url) and (url in self.anchors or len(self.anchors) < _MOST_ANCHORED):
                known = self.anchors.setdefault(url, set())
                if len(known) < _MOST_ANCHORS:
                    known.add(anchor)

    def note_article(self, url: str, article: Article) -> None:
        """Remember an article."""
        self._articles += 1
        self._dated += article.published_at is not None
        self._unlike += self._is_unlike_its_names(url, article.title, article.body)
        texts = article.body.split("\n")
        for name in list(_list_names(url))[:1]:
            read = _ReadArticle(
                url, reduce_to_letters(article.title), len(article.body.split()), hash(max(texts, key=len)), article.published_at
            )
            self._by_name.setdefault(name, read)
        if len(self._by_name) > _MOST_LINKS:
            del self._by_name[next(iter(self._by_name))]

    def find_article_of(self, url: str, draft: ExtractionState) -> str | None:
        """Return the URL of the article whose pictures, comments or further text a page shows; None: it may be an article."""
        known = (read for name in _list_names(url) if (read := self._by_name.get(name)) is not None and read.url != url)
        return next((read.url for read in known if _is_page_of(url, draft, read)), None)

    def find_reason_against(self, url: str, draft: ExtractionState) -> str | None:
        """Return why a page with text is a picture, or one about the portal; None: it may be an article."""
        if _is_picture(url, draft):
            return "a picture of a gallery"
        if _is_declared_article(draft):
            return None
        headline = draft.body.headline if draft.body else None
        headline = headline or (draft.metadata.headline if draft.metadata else None)
        published = draft.dates.published if draft.dates else None
        if headline and (said := _judge_words(url, headline)):
            why, article_score = said
            source = published.source if published else None
            likely = source == _SHOWN and article_score >= _HARDLY_ARTICLE
            return None if likely or (source in _IN_PAGE and self._is_listed(url, headline)) else f"about the portal, {why}"
        is_undated = published is None or published.family is Family.LD_PAGE or published.role is DateRole.MODIFIED
        return (
            "about the portal, linked from menus, undated"
            if is_undated and self._dates_articles() and self.is_in_menus(url, draft.page.title)
            else None
        )

    def is_another_page(self, url: str, draft: ExtractionState) -> bool:
        """Return whether a server gave another page in place of the one that an address and lists name: a notice, an error."""
        body, published = draft.body, draft.dates.published if draft.dates else None
        if body is None or (published is not None and published.source not in _LISTED) or len(body.text.split()) > _MOST_WORDS:
            return False
        title = f"{draft.page.title} {body.headline}"
        return 2 * self._unlike <= self._articles and self._is_unlike_its_names(url, title, body.text)

    def _is_unlike_its_names(self, url: str, title: str, text: str) -> bool:
        """Return whether a page has no word of its address, nor of the headline by which lists name it."""
        said = _list_stems(f"{title} {text[:_MOST_LETTERS]}")
        names = [_list_stems(self._headlines.get(hash(url), ""))]
        if 2 * sum(map(str.isascii, said)) > len(said):  # other scripts are transliterated in addresses
            names.append(_list_stems(next(_list_names(url), "")))
        names = [each for each in names if len(each) >= _FEWEST_STEMS]
        return bool(names) and said.isdisjoint(set().union(*names))

    def find_name(self, url: str, title: str) -> str:
        """Return the few words of a link to a page with which its title begins; "": none has."""
        name = self._names.get(hash(url), "")
        return name if title.lower().startswith(name) else ""

    def is_apart(self, url: str, title: str) -> bool:
        """Return whether menus or names lead to a page of a portal whose other pages have headlines outside menus."""
        return len(self._headlines) >= _HEADLINES * len(self._names) and self.is_in_menus(url, title)

    def is_in_menus(self, url: str, title: str) -> bool:
        """Return whether only menus are known to link to a page, or a link has the few words of its title."""
        key = hash(url)
        return bool(self.find_name(url, title)) or (key in self._in_menus and key not in self._elsewhere)

    def _is_listed(self, url: str, headline: str) -> bool:
        """Return whether other parts of pages than menus link to a page, and its headline is long enough."""
        return len(_WORD.findall(headline)) >= _LEAST_WORDS and hash(url) in self._elsewhere and hash(url) not in self._in_menus

    def _dates_articles(self) -> bool:
        return self._articles >= _LEAST_ARTICLES and 10 * self._dated >= _DATED_OF_TEN * self._articles


def _list_stems(text: str) -> set[str]:
    """Return the beginnings of the long words of a text."""
    return {word[:_STEM] for word in _WORD.findall(fold(text)) if len(word) >= _STEM}


def _list_names(url: str) -> Iterator[str]:
    """Yield the names in the path of a URL that only one article has, the last first; a number behind one may count pages."""
    for part in reversed(urlsplit(url).path.split("/")):
        name = _ENDING.sub("", part).lower()
        for each in dict.fromkeys((name, _COUNT.sub("", name))):
            if len(each) >= _SHORTEST_NAME and _NAME.search(each):
                yield each


def _is_page_of(url: str, draft: ExtractionState, article: _ReadArticle) -> bool:
    """Return whether a page with the name of an article in its address belongs to it: it leads back to it."""
    body, published = draft.body, draft.dates.published if draft.dates else None
    if body is None or any(hash(paragraph.text) == article.longest for paragraph in body.paragraphs):
        return False
    if published is not None and article.published_at and abs(published.value - article.published_at) > _ONE_DAY:
        return False
    parts = [_ENDING.sub("", part) for part in urlsplit(url).path.rpartition("/")[0].lower().split("/")]
    name, same_title = next(_list_names(article.url)), article.title in reduce_to_letters(body.headline or draft.page.title)
    is_named = same_title or any(find_category(part) in _OF_ARTICLES for part in parts)
    is_below = name in parts or url.startswith(f"{article.url}?")
    is_elsewhere = not url.startswith(article.url.partition("?")[0].rpartition("/")[0] + "/")
    if not ((is_below or is_elsewhere) and (is_named or (is_below and len(body.text.split()) < article.words))):
        return False
    resolve = Resolver.of(draft.page)
    return any(resolve(link.get("href")) == article.url for link in draft.page.tagged("a"))


def _is_picture(url: str, draft: ExtractionState) -> bool:
    """Return whether a page with one paragraph is below a folder of galleries, and leads to another with another number."""
    folders = urlsplit(url).path.lower().split("/")[:-1]
    if draft.body is None or len(draft.body.paragraphs) > 1 or not any(find_category(part) == "gallery" for part in folders):
        return False
    resolve, shape = Resolver.of(draft.page), _DIGITS.sub("0", url)
    found = {resolve(link.get("href")) for link in draft.page.tagged("a")} - {None, url}
    return any(_DIGITS.sub("0", each or "") == shape for each in found)


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
    if is_declared_article(page):
        return True
    if metadata is not None:
        site = page.view(read_site_names) | {reduce_to_letters(metadata.publisher or "")}
        if any(reduce_to_letters(name) not in site for name in metadata.authors):
            return True
    return dates is not None and dates.published is not None and dates.published.source in _LISTED
