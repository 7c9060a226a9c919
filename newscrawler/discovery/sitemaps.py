"""Sitemaps: XML lists of pages, indexes of them, news sitemaps, text lists, feeds in their place; packed or not.

Reading never raises: a page, an error or rubbish in place of a sitemap gives nothing and says in `problem` why.
"""

from __future__ import annotations

import contextlib
import re
from calendar import monthrange
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import chain
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree

from newscrawler.discovery.feeds import read_feed_tree
from newscrawler.discovery.markup import (
    HARMLESS,
    HEAD_CHARACTERS,
    MOST_BYTES,
    UNREADABLE,
    Pieces,
    clean_field,
    clean_pieces,
    decode_pieces,
    find_root,
    parse_time,
)
from newscrawler.discovery.source import PRIORITY, Lead, LeadKind, Source, SourcePortal, SourceResponse, UrlList
from newscrawler.discovery.urls.canonical import canonicalize_or_none, split_address
from newscrawler.discovery.urls.classifiers import classify_link
from newscrawler.discovery.urls.kinds import PageLink, UrlKind
from newscrawler.discovery.urls.vocabulary import find_category, fold
from newscrawler.extraction.dates import read_url_day
from newscrawler.limits import SITEMAP_DEPTH, SITEMAP_ENTRIES, SITEMAP_LINE_CHARACTERS, SITEMAP_NESTING
from newscrawler.limits import SITEMAP_ENTRIES_READ as MOST_LOOKED_AT
from newscrawler.limits import SITEMAPS_OF_AN_INDEX as MOST_OF_AN_INDEX

#: Limit of entries by the protocol; of a larger file, the newest are taken, and at most these are read.
MOST_ENTRIES = SITEMAP_ENTRIES
#: Roots, and the kinds of their entries by name; other roots are those of feeds.
_ROOTS = frozenset({"urlset", "sitemapindex"})
_KINDS = {"url": LeadKind.ENTRY, "sitemap": LeadKind.SITEMAP}
#: How paths of sitemaps end that are named among pages; and what paths of sitemaps contain.
_LIST_FILE = re.compile(r"\.xml(?:\.gz)?\Z|sitemap[^/]*\.(?:txt|gz)\Z", re.IGNORECASE)
_LIST_WORDS = re.compile(r"\.(?:xml|gz|txt)\b|sitemap|feed|rss|atom", re.IGNORECASE)
#: The usual path of a sitemap, and that of an index where robots.txt names a sitemap that is missing.
USUAL_SITEMAP, USUAL_INDEX = "/sitemap.xml", "/sitemap_index.xml"
_CLOCKS_DIFFER = timedelta(days=1)
_OLDEST = datetime.min.replace(tzinfo=UTC)
#: Sitemaps of an index that are read before the articles, the most promising first, and after the archive.
MOST_SITEMAPS = 50
#: Sitemaps whose last change in the index counts; some indexes give the current time for all.
MOST_WOKEN = 10
#: Later articles come before sections; those of a sitemap up to this number, and so few entries without a time.
FRESH = timedelta(days=14)
MOST_FRESH, MOST_UNDATED = 2_000, 1_000
_QUARTER, _DAY, _MOST_DAYS, _MOST_FRESH_DAYS = timedelta(minutes=15), timedelta(days=1), 29_000, 1_000
#: Year and month in the name of a sitemap.
_PERIOD = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:[-_/.]?(0[1-9]|1[0-2]))?(?!\d)")
_NO_ARTICLES = frozenset(
    {"tag", "author", "video", "gallery", "category", "podcast", "login", "shop", "topic-pages", "legal", "jobs"}
)
_LONGEST_FIELD = 5_000
#: Children of an entry that are read; of `news`, all of them.
_FIELDS = frozenset({"loc", "lastmod"})


def read_sitemap(
    data: bytes, url: str, *, content_type: str | None = None, time_zone: tzinfo = UTC, now: datetime | None = None
) -> UrlList:
    """Read a sitemap of any kind, packed or not, in little more memory than its entries take; never raises.

    `time_zone` counts where a time has no offset; times after `now` count as none.
    """
    packed = Pieces(data)
    pieces = decode_pieces(packed, content_type)
    text = _take_beginning(pieces)
    entries = Newest(MOST_ENTRIES)
    if text[:8].lower().startswith(("http://", "https://")):
        entries.take(_read_list(chain([text], pieces)))
    else:
        root, problem = find_root(text)
        if root is None:
            return UrlList(problem=problem)
        whole = chain([text[root.start() :]], pieces)
        if root.group(1).lower() not in _ROOTS:
            return read_feed_tree("".join(_take_first(whole, MOST_BYTES)), url, time_zone)
        lower = not root.group(1).islower()
        entries.take(_read_entry(each, url, time_zone, now) for each in stream_entries(whole, _KINDS, lower=lower))
    problem = "too large" if packed.cut else "too many entries" if entries.left_out else ""
    return UrlList(entries.get_all(), problem)


def sort_newest_first(entries: Iterable[Lead]) -> tuple[Lead, ...]:
    """Order entries by the time they state, the latest first; those without one keep their order at the end."""
    return tuple(sorted(entries, key=_get_newest, reverse=True))


def _get_newest(entry: Lead) -> datetime:
    """Return the time of an entry; the beginning of time where it states none."""
    if entry.kind is LeadKind.SITEMAP and (period := _PERIOD.search(urlsplit(entry.url).path)):
        return datetime(int(period[1]), int(period[2] or 12), 28, tzinfo=UTC)
    return estimate_date(entry) or _OLDEST


def find_period(url: str) -> tuple[date, date] | None:
    """Return the first and last day of the year or month in the name of a sitemap; None: it names none."""
    period = _PERIOD.search(urlsplit(url).path)
    if period is None:
        return None
    year, month = int(period[1]), int(period[2] or 0)
    last = date(year, month or 12, monthrange(year, month or 12)[1])
    return date(year, month or 1, 1), last


def sort_by_promise(sitemaps: Iterable[Lead]) -> tuple[Lead, ...]:
    """Order the sitemaps of an index by promise: news, then pages, the latest first; tags, authors and pictures last."""
    return tuple(sorted(sort_newest_first(sitemaps), key=lambda entry: _rank_promise(entry.url)))


def _rank_promise(url: str) -> int:
    name = fold(unquote(urlsplit(url).path))
    words = re.findall(r"[^\W\d_]+", name)
    if any(word in {"news", "latest", "today", "aktualne", "zpravy", "noticias", "nachrichten", "wiadomosci"} for word in words):
        return 0
    # `image` and `taxonomies`, `users` are the words of publishing systems rather than of readers.
    if any(find_category(word) in _NO_ARTICLES or word in {"taxonomies", "taxonomy", "users"} for word in words if word != "post"):
        return 2
    return 1


class Newest:
    """Entries as they come, each once; where there are too many, the newest of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[str, Lead] = {}
        #: Entries that were dropped.
        self.left_out = 0

    def take(self, entries: Iterable[Lead | None]) -> None:
        """Take entries; None is none."""
        for number, entry in enumerate(entries):
            if number >= MOST_LOOKED_AT:
                self.left_out += 1
                return
            if entry is not None:
                self._found.setdefault(entry.url, entry)
                if len(self._found) >= 2 * self._most:
                    self._sift()

    def get_all(self) -> tuple[Lead, ...]:
        """Return the entries in their order, or the newest first where there were too many."""
        if len(self._found) > self._most:
            self._sift()
        return tuple(self._found.values())

    def _sift(self) -> None:
        self.left_out += len(self._found) - self._most
        self._found = {entry.url: entry for entry in sort_newest_first(self._found.values())[: self._most]}


def _take_beginning(pieces: Iterator[str]) -> str:
    """Take as many pieces as the root of a document may have before it."""
    taken: list[str] = []
    length = 0
    for piece in pieces:
        taken.append(piece)
        length += len(piece)
        if length >= HEAD_CHARACTERS:
            break
    return "".join(taken).lstrip("\ufeff \t\r\n")


def _take_first(pieces: Iterable[str], most: int) -> Iterator[str]:
    for piece in pieces:
        yield piece[:most]
        most -= len(piece)
        if most <= 0:
            return


def _read_entry(fields: Mapping[str, str], base: str, time_zone: tzinfo, now: datetime | None) -> Lead | None:
    address = fields.get("loc", "").strip()
    try:
        url = canonicalize_or_none(urljoin(base, address)) if address and UNREADABLE not in address else None
    except ValueError:
        return None
    if url is None:
        return None
    return Lead(
        url,
        _find_kind(url, _KINDS[fields["tag"]]),
        title=clean_field(fields.get("title"), 500),
        published_at=_accept_past(parse_time(fields.get("publication_date"), time_zone), now),
        changed_at=_accept_past(parse_time(fields.get("lastmod"), time_zone), now),
    )


def _find_kind(url: str, kind: LeadKind) -> LeadKind:
    """Return the kind of an entry: some files name sitemaps among their pages, and pages among their sitemaps."""
    address = split_address(url)
    if address is None or (kind is LeadKind.SITEMAP and _LIST_WORDS.search(url)):
        return kind
    if kind is LeadKind.ENTRY:
        return LeadKind.SITEMAP if _LIST_FILE.search(address.path) else kind
    front = url[: url.index("/", 8) + 1]
    is_page = classify_link(PageLink(href=url, page_url=front)).label is UrlKind.ARTICLE
    return LeadKind.ENTRY if is_page else kind


def _accept_past(moment: datetime | None, now: datetime | None) -> datetime | None:
    """Return a time that is not in the future; clocks and zones may be a day off."""
    return None if moment is not None and now is not None and moment > now + _CLOCKS_DIFFER else moment


def _read_list(pieces: Iterable[str]) -> Iterator[Lead]:
    """Yield the addresses of a list, one a line."""
    rest = ""
    for piece in pieces:
        *lines, rest = (rest + piece).split("\n")
        yield from _read_lines(lines)
        if len(rest) > SITEMAP_LINE_CHARACTERS:  # no address is so long
            rest = " "
    yield from _read_lines([rest])


def _read_lines(lines: Iterable[str]) -> Iterator[Lead]:
    for line in lines:
        for address in line.split("\r"):
            url = canonicalize_or_none(address.strip()) if address.strip() else None
            if url is not None:
                yield Lead(url)


class _TooDeepError(Exception):
    """Elements are nested without end."""


class _EntryParser:
    """Takes the events of lxml's parser, and of each entry no more than the fields that count."""

    def __init__(self, names: Container[str]) -> None:
        self._names = names
        self._depth = 0
        #: Tag and depth of the open entry.
        self._tag, self._at = "", 0
        self._fields: dict[str, str] = {}
        self._news_at = 0
        #: Of the field whose text is being read.
        self._field, self._field_at = "", 0
        self._text: list[str] = []
        self._length = 0
        self._taken: list[dict[str, str]] = []

    def start(self, tag: str, attributes: object) -> None:  # noqa: ARG002  lxml hands them over
        self._depth += 1
        if self._depth > SITEMAP_DEPTH:
            raise _TooDeepError
        name = tag.rpartition("}")[2].lower()
        if not self._tag or tag == self._tag:  # one that was not closed ends where the next begins
            if name in self._names:
                self._finish()
                self._tag, self._at, self._fields = tag, self._depth, {"tag": name}
            return
        below = self._depth - self._at
        if self._news_at or (below == 1 and name in _FIELDS):
            self._field, self._field_at, self._text, self._length = name, self._depth, [], 0
        elif below == 1 and name == "news":
            self._news_at = self._depth

    def data(self, text: str) -> None:
        if self._field and self._length < _LONGEST_FIELD:
            self._text.append(text[: _LONGEST_FIELD - self._length])
            self._length += len(text)

    def end(self, tag: str) -> None:
        if self._field and self._depth == self._field_at:
            self._keep(self._field, "".join(self._text))
            self._field = ""
        elif self._depth == self._news_at:
            self._news_at = 0
        elif tag == self._tag and self._depth == self._at:
            self._finish()
        self._depth -= 1

    def close(self) -> None:
        """Nothing is left to do: an entry that breaks off is finished by `taken`."""

    def take(self, *, last: bool = False) -> list[dict[str, str]]:
        """Return the entries since the last call; at the end also an incomplete one."""
        if last:
            self._finish()
        taken, self._taken = self._taken, []
        return taken

    def _keep(self, name: str, text: str) -> None:
        if name == "lastmod" and not self._news_at:
            self._fields[name] = text
        elif name != "lastmod" and text.strip():
            self._fields.setdefault(name, text)

    def _finish(self) -> None:
        if len(self._fields) > 1:
            self._taken.append(self._fields)
        self._tag, self._at, self._fields, self._news_at, self._field = "", 0, {}, 0, ""


def stream_entries(pieces: Iterable[str], names: Container[str], *, lower: bool = False) -> Iterator[dict[str, str]]:
    """Yield the fields of each entry: its `tag`, `loc`, `lastmod`, and those of a news sitemap; never raises.

    Args:
        pieces: of the document.
        names: of entries ("url", "sitemap").
        lower: some names of tags have capitals.
    """
    entries = _EntryParser(names)
    parser = etree.XMLParser(
        target=entries,  # type: ignore[arg-type]  # lxml passes only text
        **HARMLESS,
    )
    with contextlib.suppress(_TooDeepError, etree.XMLSyntaxError, ValueError):
        for piece in clean_pieces(pieces, lower=lower):
            parser.feed(piece.encode("utf-8", "replace"))
            yield from entries.take()
    with contextlib.suppress(_TooDeepError, etree.XMLSyntaxError, ValueError):
        parser.close()
    yield from entries.take(last=True)


class SitemapSource(Source):
    """The sitemaps at usual URLs, those of indexes, and their entries.

    A large portal names a million articles in its sitemaps, of which a crawl fetches some thousands. New ones have the priority of
    articles; the archive comes after the sections, the latest years first, then the least promising sitemaps of an index. So
    nothing is left out for good, and the frontier does not grow faster than it is fetched.
    """

    priority = PRIORITY["sitemap"]

    def start(self, portal: SourcePortal) -> Iterator[Lead]:
        """Yield the sitemaps that the user names, or the most usual URL of one for each start URL."""
        if portal.sitemaps:
            return (Lead(url, LeadKind.SITEMAP, depth=0) for url in portal.sitemaps)
        return name_sitemaps((urljoin(url, USUAL_SITEMAP) for url in portal.start_urls), portal)

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the sitemaps of an index, or the entries of a sitemap, the newest first."""
        if answer.kind != "sitemap" or answer.why is not None:
            return
        portal, now = answer.portal, answer.fetched_at
        sitemap = read_sitemap(answer.body, answer.url, content_type=answer.content_type, time_zone=portal.time_zone, now=now)
        answer.problem = sitemap.problem
        pages = [entry for entry in sitemap.entries if entry.kind is LeadKind.ENTRY]
        if pages:
            portal.lists.add("sitemap")
        if len(pages) < len(sitemap.entries):
            yield from _rank_sitemaps([entry for entry in sitemap.entries if entry.kind is LeadKind.SITEMAP], answer)
        yield from rank_entries(sort_newest_first(pages), seen_before=answer.seen_before, now=now)


def name_sitemaps(urls: Iterable[str], portal: SourcePortal) -> Iterator[Lead]:
    """Yield sitemaps of a portal, for example those that its robots.txt names."""
    canonical = map(canonicalize_or_none, urls)
    return (Lead(url, LeadKind.SITEMAP, depth=0) for url in canonical if url and portal.scope.allows(url))


def rank_article(at: datetime | None, now: datetime, *, undated: int = PRIORITY["fresh"], fresh_for: timedelta = FRESH) -> int:
    """Return the priority of an article by its date, the newest first.

    Args:
        at: its date; aware; None: unknown.
        now: aware.
        undated: the priority of one without a date.
        fresh_for: age up to which it comes before sections.
    """
    if at is None:
        return undated
    age = max(now - at, timedelta())
    if age > fresh_for:
        return PRIORITY["archive"] + min(age // _DAY, _MOST_DAYS)
    return PRIORITY["fresh"] + (age // _QUARTER if age <= FRESH else FRESH // _QUARTER + min(age // _DAY, _MOST_FRESH_DAYS))


def estimate_date(lead: Lead) -> datetime | None:
    """Return when an article appeared, by its list or its address; a change counts only where the address names no other day."""
    if lead.published_at is not None or (day := read_url_day(lead.url)) is None:
        return lead.published_at or lead.changed_at
    return lead.changed_at if lead.changed_at is not None and day[0] <= lead.changed_at <= day[1] else day[1]


def rank_entries(entries: Sequence[Lead], *, seen_before: bool, now: datetime) -> Iterator[Lead]:
    """Yield each entry with its priority.

    Args:
        entries: the newest first, those without a time last.
        seen_before: the sitemap was read before, so an entry without a time that is new in it is a new article.
        now: aware.
    """
    times = [None if (at := _get_newest(entry)) == _OLDEST else at for entry in entries]
    undated = times.count(None)
    is_new = undated <= MOST_UNDATED and 2 * undated >= len(times)  # in a list of dated ones they are hardly news
    later = PRIORITY["fresh" if seen_before else "article" if is_new else "undated"]
    for number, (entry, newest_at) in enumerate(zip(entries, times, strict=True)):
        fresh_for = FRESH if number < MOST_FRESH else -_DAY
        yield entry._replace(priority=rank_article(newest_at, now, undated=later, fresh_for=fresh_for))


def _rank_sitemaps(sitemaps: Sequence[Lead], answer: SourceResponse) -> Iterator[Lead]:
    """Yield the sitemaps of an index, the most promising with a higher priority."""
    if answer.depth >= SITEMAP_NESTING:
        answer.notes.append(f"{answer.requested_url} is not followed: sitemaps that name sitemaps that name sitemaps lead nowhere")
        return
    ordered = sort_by_promise(sitemaps)
    if len(ordered) > MOST_OF_AN_INDEX:
        taken = f"the {MOST_OF_AN_INDEX} most promising of {len(ordered)} are taken"
        answer.notes.append(f"{answer.requested_url} names more sitemaps than any portal needs: {taken}")
    for number, entry in enumerate(ordered[:MOST_OF_AN_INDEX]):
        if answer.portal.scope.allows(entry.url):
            priority = PRIORITY["sitemap" if number < MOST_SITEMAPS else "late sitemap"]
            yield entry._replace(priority=priority, changed_at=entry.changed_at if number < MOST_WOKEN else None)
