"""Different addresses of one page: the canonical address that it declares, and AMP, print and mobile forms.

The results are not certain, since addresses are compared, not pages. The key joins addresses that nearly always lead to one page,
to look up whether an address was seen in another form. It is not an address to fetch.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from urllib.parse import urlsplit

from newscrawler.discovery.urls.canonical import Address, canonicalize_or_none, split_address
from newscrawler.discovery.urls.patterns import make_pattern
from newscrawler.discovery.urls.scope import Scope
from newscrawler.languages import alternatives

_HOST_FORM = re.compile(r"^(?:www\d?|m|mobile|mobil|amp|touch|wap)\.(?=[^.]+\.)")
_PATH_FORM = re.compile(r"(?:/(?:amp|print|print-?version|mobile)|\.amp|-amp)(?=/?$|\.html?$)", re.IGNORECASE)
_PATH_BEGINNING = re.compile(r"^/(?:amp|mobile|print)(?=/.)", re.IGNORECASE)
_INDEX = re.compile(r"/(?:index|default)\.(?:s?html?|php|aspx?)$", re.IGNORECASE)
#: Suffixes of the address of an article's second page or other form.
_FURTHER = re.compile(rf"(?:{alternatives('page')}[/-]?)?\d{{1,3}}|amp|print|galler(?:y|ie)|foto|comments?", re.IGNORECASE)
_FORM_PARAMETERS = frozenset({"amp", "outputtype", "output", "print", "printable", "mobile", "view_mode", "noamp"})


def make_same_page_key(url: str) -> str | None:
    """Return a key that is the same for all forms of a page, or None if the URL is not an http(s) address.

    It ignores the scheme, `www.`, mobile and AMP hosts, a slash or an index file at the end, and AMP or print endings.
    """
    return _examine_form(url)[0]


def is_other_form(url: str) -> bool:
    """Return whether an address looks like the AMP, print or mobile form of a page."""
    return _examine_form(url)[1]


@lru_cache(maxsize=2_048)  # each page of a portal repeats its menu
def _examine_form(url: str) -> tuple[str | None, bool]:
    parts = split_address(url)
    return (None, False) if parts is None else (_make_key(parts), _is_other_form(parts))


@lru_cache(maxsize=1_024)  # the links of a page name few hosts
def _strip_host(host: str) -> str:
    while (shorter := _HOST_FORM.sub("", host)) != host:
        host = shorter
    return host


def _make_key(parts: Address) -> str:
    host = _strip_host(parts.netloc)
    path = _PATH_BEGINNING.sub("", parts.path)
    path = _PATH_FORM.sub("", _INDEX.sub("/", path)).rstrip("/")
    pairs = [pair for pair in parts.query.split("&") if pair and pair.partition("=")[0].lower() not in _FORM_PARAMETERS]
    return f"{host}{path}" + (f"?{'&'.join(sorted(pairs))}" if pairs else "")


def _is_other_form(parts: Address) -> bool:
    host = parts.netloc.removeprefix("www.")
    names = {pair.partition("=")[0].lower() for pair in parts.query.split("&")} if parts.query else set()
    return bool(
        _HOST_FORM.match(host) or _PATH_BEGINNING.match(parts.path) or _PATH_FORM.search(parts.path) or names & _FORM_PARAMETERS
    )


def accept_canonical(url: str, stated: str | None, scope: Scope) -> str | None:
    """Return the canonical form of the address that a page declares (rel=canonical, og:url), or None if it is implausible.

    Portals declare the front page, a section or another site's page by mistake, so an address out of scope, the root, and a
    folder above the page are not accepted.

    Args:
        url: where the page came from.
        stated: absolute.
        scope: of the portal.
    """
    own, other = canonicalize_or_none(url), canonicalize_or_none(stated) if stated else None
    if own is None or other is None or not scope.allows_host(other):
        return None
    if other == own or make_same_page_key(other) == make_same_page_key(own):
        return other
    here, there = urlsplit(own), urlsplit(other)
    if there.path in {"", "/"} and not there.query:
        return None
    # A parameter may be a tracking parameter of this portal; a whole folder is not.
    if there.path == here.path:
        return other if len(there.query) < len(here.query) else None
    return None if here.path.startswith(there.path.rstrip("/") + "/") and not _is_page_of(here.path, there.path) else other


def _is_page_of(path: str, above: str) -> bool:
    """Return whether a path is the second page or another form of the article above it."""
    rest = path[len(above.rstrip("/")) :].strip("/")
    return _FURTHER.fullmatch(rest) is not None


#: Articles whose addresses are remembered, pairs of addresses after which a rule applies, and limits of rules and of candidates.
_MOST_KNOWN, _LEAST_PAIRS, _MOST_RULES, _MOST_PAIRS = 10_000, 2, 50, 500
#: Articles with all their pages on another one, for each that is on one page, from which on that page is requested at first.
_MOST_SINGLES = 9
#: Articles with two addresses of one number, after which it tells addresses of a pattern apart; articles with one for each without.
_LEAST_NUMBERED, _LEAST_SHARE = 3, 10
_TOKEN = re.compile(r"\w+|\W")
#: A number that may tell articles apart, and is not a year or day.
_NUMBER = re.compile(r"(?<![^\W_])(?!(?:19|20)\d\d(?:\d{4})?(?!\d))\d{4,}(?![^\W_])")
#: One side of a pair of addresses: pieces that only it has, and None for shared ones.
_Form = tuple[str | None, ...]


class TwinRules:
    """The ways in which one portal gives several addresses to one article: editions, print and mobile forms, hosts.

    Two addresses of one article differ in constant pieces. Where pairs of several articles differ in the same pieces, an address
    is not requested if a rule makes that of a known article of it. A rule that joins two articles is given up. The same holds for
    the ways in which pages declare other addresses of theirs.
    """

    def __init__(self) -> None:
        #: Addresses of articles with the number of the article, the latest last; the first address of each article.
        self._known: dict[str, int] = {}
        self._first: dict[int, str] = {}
        self._pairs: defaultdict[tuple[_Form, _Form], set[int]] = defaultdict(set)
        self._rules: frozenset[tuple[_Form, _Form]] = frozenset()
        self._refuted: set[tuple[_Form, _Form]] = set()
        #: Addresses that rules make of those of known articles.
        self._made: set[str] = set()
        #: Declared addresses with the kind of the declaration and the article; how often kinds were right; those that were wrong.
        self._declared: dict[str, tuple[str, int]] = {}
        self._confirmed: Counter[str] = Counter()
        self._wrong: set[str] = set()
        #: Articles by the numbers in their addresses; patterns of addresses whose numbers tell them apart, and what shows it.
        self._numbered: dict[str, int] = {}
        self._patterns: set[str] = set()
        self._same_number: defaultdict[str, set[int]] = defaultdict(set)
        self._is_number_shared = False
        #: Articles whose addresses have no number: where they are many, those of the others are of their headlines.
        self._unnumbered: set[int] = set()
        #: Ways from the first page of an article to the one that shows all its pages; articles that have none.
        self._wholes: Counter[tuple[_Form, _Form]] = Counter()
        self._singles = 0

    def load(self, known: Iterable[Iterable[Iterable[str | None]]], patterns: Iterable[str] = ()) -> None:
        """Load the rules of earlier crawls."""
        self._rules = frozenset((tuple(one), tuple(other)) for one, other in known)
        self._patterns.update(patterns)

    def recall(self, articles: Mapping[str, int]) -> None:
        """Load the addresses of articles that earlier crawls have stored."""
        for url, article_id in articles.items():
            self._first.setdefault(article_id, url)
            self._known.setdefault(url, article_id)
            self._note_number(url, article_id)
        self._apply_rules()

    @property
    def patterns(self) -> list[str]:
        """Return the patterns of addresses whose numbers tell articles apart."""
        is_void = self._is_number_shared or _LEAST_SHARE * len(self._unnumbered) > len(self._numbered)
        return [] if is_void else sorted(self._patterns)

    def as_lists(self) -> list[list[list[str | None]]]:
        """Return the rules for the next crawl."""
        return sorted(([list(one), list(other)] for one, other in self._rules), key=str)

    def note_article(self, url: str, article_id: int, declared: Mapping[str, str]) -> bool:
        """Learn from the page of an article; return whether rules have changed.

        Args:
            url: canonical.
            article_id: the same for all addresses of one article.
            declared: other addresses that the page declares, with the kind of the declaration.
        """
        before = self._rules
        kind, declared_id = self._declared.get(url, ("", None))
        if kind and declared_id == article_id:
            self._confirmed[kind] += 1
        elif kind:
            self._wrong.add(kind)
        self._refute(url, article_id)
        patterns = self.patterns
        self._note_number(url, article_id)
        first = self._first.setdefault(article_id, url)
        if first != url:
            self._learn_pair(first, url, article_id)
        self._known[url] = article_id
        self._declared |= {other: (kind, article_id) for other, kind in declared.items() if other not in self._known}
        if len(self._known) > _MOST_KNOWN:
            for old in list(self._known)[: _MOST_KNOWN // 10]:
                self._first.pop(self._known.pop(old), None)
            self._numbered = dict(list(self._numbered.items())[len(self._numbered) // 10 :])
            self._declared.clear()
            self._apply_rules()
        elif self._rules is not before:
            self._apply_rules()
        else:
            self._made.update(self._rewrite(url))
        return self._rules is not before or self.patterns != patterns

    def _note_number(self, url: str, article_id: int) -> None:
        """Learn whether numbers tell articles apart: several have other addresses with their numbers, none has another's."""
        if (number := _find_number(url)) is None:
            self._unnumbered.add(article_id)
            return
        known = self._numbered.setdefault(number, article_id)
        if known != article_id:
            self._is_number_shared = True
        elif url not in self._known and article_id in self._first:
            pattern = make_pattern(url)
            self._same_number[pattern].add(article_id)
            if len(self._same_number[pattern]) >= _LEAST_NUMBERED:
                self._patterns.add(pattern)

    def get_first(self, article_id: int) -> str | None:
        """Return the first known address of an article."""
        return self._first.get(article_id)

    def is_twin(self, url: str) -> bool:
        """Return whether an address that was not fetched is another one of a known article."""
        if url in self._known:
            return False
        kind, _ = self._declared.get(url, ("", 0))
        if self._confirmed[kind] >= _LEAST_PAIRS and kind not in self._wrong:
            return True
        if self._patterns and _find_number(url) in self._numbered and make_pattern(url) in self.patterns:
            return True
        return url in self._made or any(other in self._known for other in self._rewrite(url))

    def note_whole(self, url: str, whole: str | None) -> None:
        """Learn from an article where all its pages are shown at once; None: it has only one page."""
        way = _compare(url, whole) if whole is not None else None
        self._wholes.update([way] if way is not None and len(self._wholes) < _MOST_PAIRS else [])
        self._singles += way is None

    def get_whole(self, url: str) -> str | None:
        """Return where all pages of an article are shown at once, if nearly all articles have such a page."""
        ((way, count),) = self._wholes.most_common(1) or ((((), ()), 0),)
        if count < max(_LEAST_PAIRS, _MOST_SINGLES * self._singles):
            return None
        if way[0] == (None, ""):  # only an ending is added
            return url + str(way[1][1]) if "?" not in url or "?" not in str(way[1][1]) else None
        return _rewrite(url, *way)

    def _apply_rules(self) -> None:
        self._made = {other for url in self._known for other in self._rewrite(url)}

    def _rewrite(self, url: str) -> Iterator[str]:
        for one, other in self._rules:
            yield from filter(None, (_rewrite(url, one, other), _rewrite(url, other, one)))

    def _refute(self, url: str, article_id: int) -> None:
        """Give up the rules that make the address of another article of this one."""
        for rule in self._rules:
            made = filter(None, (_rewrite(url, *rule), _rewrite(url, *reversed(rule))))
            if any(self._known.get(other, article_id) != article_id for other in made):
                self._rules -= {rule}
                self._refuted.add(rule)

    def _learn_pair(self, first: str, second: str, article_id: int) -> None:
        way = _compare(first, second)
        if way is None:
            return
        low, high = sorted(way, key=str)
        rule = low, high
        if rule in self._refuted or (rule not in self._pairs and len(self._pairs) >= _MOST_PAIRS):
            return
        self._pairs[rule].add(article_id)
        if len(self._pairs[rule]) >= _LEAST_PAIRS and len(self._rules) < _MOST_RULES:
            self._rules |= {rule}


def _find_number(url: str) -> str | None:
    """Return the only number of an address that may tell articles apart; None: there is none, or several."""
    numbers = set(_NUMBER.findall(url, url.index("/", 8)))
    return numbers.pop() if len(numbers) == 1 else None


def _compare(first: str, second: str) -> tuple[_Form, _Form] | None:
    """Return in which pieces two addresses differ; None: in numbers, which tell articles apart."""
    one, other = _TOKEN.findall(first), _TOKEN.findall(second)
    forms: tuple[list[str | None], list[str | None]] = ([], [])
    for kind, start, end, from_, to in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        pieces = (None, None) if kind == "equal" else ("".join(one[start:end]), "".join(other[from_:to]))
        if kind != "equal" and any(each and each.strip("/-_.,=&?").isdigit() for each in pieces):
            return None
        for form, piece in zip(forms, pieces, strict=True):
            form.append(piece)
    return (tuple(forms[0]), tuple(forms[1])) if any(forms[0]) or any(forms[1]) else None


def _rewrite(url: str, form: _Form, into: _Form) -> str | None:
    """Return an address of one form in the other; None: it is not of that form, or the form has no pieces by which to see it."""
    found = _compile(form).fullmatch(url) if any(form) else None
    if found is None:
        return None
    shared = iter(found.groups())
    return "".join(next(shared) if piece is None else piece for piece in into)


@lru_cache(maxsize=256)
def _compile(form: _Form) -> re.Pattern[str]:
    pieces = []
    for piece in form:
        if not piece:
            pieces.append("(.+?)" if piece is None else "")
            continue
        before, behind = piece[0].isalnum(), piece[-1].isalnum()
        pieces.append("(?<!\\w)" * before + re.escape(piece) + "(?!\\w)" * behind)
    return re.compile("".join(pieces), re.DOTALL)
