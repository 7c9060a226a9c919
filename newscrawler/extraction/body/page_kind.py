"""The kind of a page: an article, a listing, a product ..., and the expected agreement of the text found with the article's.

Both are predicted from the words of the page, the probabilities of its blocks and features of the page, among them the kind that it
declares in JSON-LD, in Open Graph and in the class of its body element; no single feature decides, but for the address of a front
page. Of a page of which nobody tells the address, the one that it declares itself is read. The origin of a page is a prior, which
adds to its log-odds: the entry of a feed is an article unless much speaks against it, a start URL only on strong evidence, and a
link counts by its class (`discovery.urls.compute_prior`).

A challenge that tests whether we are human and a page that demands consent are known by their make, not by their site: hardly a
link, few words, and either a part of one of the common challenge systems or a heading and a button about consent. A page with a
body is not one of them, whatever banner covers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import chain, islice
from math import exp, log
from operator import attrgetter
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from newscrawler.errors import PageError, PageReason
from newscrawler.extraction.body.cues import DATE
from newscrawler.extraction.body.features import NAMES as BLOCK_NAMES
from newscrawler.extraction.body.features import BlockFeatures
from newscrawler.extraction.body.forest import Contribution, Forest, read_model, sigmoid
from newscrawler.extraction.body.headline import find_headline, find_headline_block
from newscrawler.extraction.body.page_words import PageWords, read_declared_types, read_page_words
from newscrawler.extraction.body.site_names import is_site_name, read_site_names
from newscrawler.extraction.body.surroundings import find_common_box, has_date
from newscrawler.extraction.body.titles import read_declared_titles
from newscrawler.languages import pattern
from newscrawler.page import Block, Document, extract_visible_text, find_extent, holds_time, likeness


class PageKind(StrEnum):
    """What a page is."""

    ARTICLE = "article"
    FRONT = "front page"
    LISTING = "listing"
    TOPIC = "author or tag page"
    SEARCH = "search results"
    PRODUCT = "product or collection"
    FORUM = "forum"
    MEDIA = "video or gallery"
    ERROR = "error page"
    WALL = "login or paywall"
    #: Its text alone might be that of an article, but not with its origin.
    UNKNOWN = "unknown"


class Origin(StrEnum):
    """The origin of a page."""

    FEED = "feed or sitemap"
    LINK = "link in a section"
    START = "start URL"
    UNKNOWN = "unknown"


_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|zł|Kč|USD|EUR|kr)\b")
#: Blocks of a post up to its headline, and from there to its date.
_OPENING = 3
_COUNTED = ("button", "form", "input", "time", "h1", "h2", "h3", "article", "video", "iframe", "textarea", "select")
NAMES = (
    "page words",
    "likeliest", "doubt", "likely share", "likely size", "likely mean", "likely blocks", "likely sentences", "likely density",
    "likely in items", "likely spread", "first likely", "text size", "blocks", "links", "link density", "item share",
    "linked headings",
    "headings like headline", "headline shown", "headline size", "headline linked", "title likeness",
    "declares article", "declares listing", "declares other", "published time", "error words", "prices",
    "password", "pictures", "dated blocks", *(f"count {tag}" for tag in _COUNTED),
)  # fmt: skip
_COLUMN = {name: number for number, name in enumerate(BLOCK_NAMES)}
_LIKELY_COLUMNS = list(map(_COLUMN.__getitem__, ("size", "link density", "sentence", "items")))
_SHORT, _HEADINGS = 60, 5
#: Share of the log-odds of the words, which a page repeats, with which the forest begins.
_SHARE_OF_WORDS = np.float32(0.7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a page is taken for."""

    #: Probability that the page is an article, by the page and its origin, 0 to 1.
    article: float
    kind: PageKind
    #: The expected F1 of the body, less the doubt whether the page is an article.
    confidence: float
    #: Probability from which on the page counts as an article.
    threshold: float

    def add_prior(self, prior: float) -> Verdict:
        """Return the verdict by the page and its origin; `prior`: log-odds of an article by the latter."""
        if not prior:
            return self
        article = 1 / (1 + (1 - self.article) / self.article * exp(-prior))
        kind = PageKind.UNKNOWN if self.kind is PageKind.ARTICLE else self.kind
        return replace(self, article=article, kind=PageKind.ARTICLE if article >= self.threshold else kind)


@dataclass(frozen=True, slots=True)
class PageClassifier:
    """Forests over the features of a page."""

    words: PageWords
    #: Log-odds of an article, added to those of the words.
    article: Forest
    kinds: dict[str, Forest]
    #: Predicts the logarithm of the body's error, 1 - F1.
    quality: Forest
    #: Shape (points, 2): from what the forest says to the F1 that pages had in the mean.
    curve: NDArray[np.float64]
    thresholds: dict[str, float]

    @classmethod
    def of(cls, model: Mapping[str, Any]) -> PageClassifier:
        """Make a classifier of plain lists, as they are trained and written to the file."""
        return cls(
            words=PageWords(**model["words"]),
            article=Forest.of(model["article"]),
            kinds={name: Forest.of(forest) for name, forest in model["kinds"].items()},
            quality=Forest.of(model["quality"]),
            curve=np.array(model["curve"]),
            thresholds=model["thresholds"],
        )

    def describe(self, page: Document, features: BlockFeatures, likely: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the row of a page's features, in the order of `NAMES`."""
        words = self.words.score(read_page_words(page))
        return np.array([words, *compute_likely_features(features, likely), *compute_features(page, features)], dtype=np.float32)

    def explain(self, row: NDArray[np.float32]) -> dict[str, Contribution]:
        """Return how far each feature of a page moves its log-odds of an article."""
        moved = self.article.compute_contributions(row[None])[0]
        start = float(start_of(row[None])[0])
        added = moved.get(NAMES[0])
        return moved | {NAMES[0]: Contribution(start + (added.moved if added else 0.0), start > 0)}

    def get_prior(self, origin: Origin) -> float:
        """Return the log-odds that an origin adds to those of a page."""
        origins = (Origin.UNKNOWN, origin)
        usual, own = (log(share / (1 - share)) for share in (self.thresholds[each.name] for each in origins))
        return usual - own

    def judge(self, row: NDArray[np.float32]) -> Verdict:
        """Return what a page with these features is."""
        rows = row.reshape(1, -1)
        article = float(sigmoid(start_of(rows) + self.article.log_odds(rows))[0])
        confidence = min(article / 0.9, 1.0) * float(  # above it, differences do not tell how much of the body is right
            np.interp(self.quality.log_odds(rows)[0], self.curve[:, 0], self.curve[:, 1])
        )
        threshold = self.thresholds[Origin.UNKNOWN.name]
        kind = PageKind.ARTICLE
        if article < threshold:
            kind = PageKind[max(self.kinds, key=lambda name: float(self.kinds[name].log_odds(rows)[0]))]
        return Verdict(article=article, kind=kind, confidence=confidence, threshold=threshold)


def start_of(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log-odds by the words of pages, to which the forest adds."""
    found: NDArray[np.float32] = _SHARE_OF_WORDS * rows[:, 0]
    return found


def compute_likely_features(features: BlockFeatures, likely: NDArray[np.float64]) -> list[float]:
    """Return the features that rest on the probabilities of the blocks."""
    size, density, sentence, items = features.rows.T[_LIKELY_COLUMNS]
    taken = likely >= 0.4  # below the threshold of the body: nearly text counts, too
    weights = size * taken
    total, chosen = max(float(size.sum()), 1.0), max(float(weights.sum()), 1.0)
    places = np.flatnonzero(taken)
    spread = float(places[-1] - places[0] + 1) / len(places) if len(places) else 0.0
    return [
        float(likely.max()), float((likely * (1 - likely) * size).sum()) / chosen, float((likely * size).sum()) / total,
        float(np.log2(chosen)), float((likely * weights).sum()) / chosen, float(taken.sum()),
        float((sentence * weights).sum()) / chosen, float((density * weights).sum()) / chosen,
        float(((items > 0) * weights).sum()) / chosen, spread, float(places[0]) if len(places) else -1.0,
    ]  # fmt: skip


def compute_features(page: Document, features: BlockFeatures) -> list[float]:
    """Return the features that rest on the page alone."""
    rows, blocks = features.rows, features.layout.blocks
    size, density = rows[:, _COLUMN["size"]], rows[:, _COLUMN["link density"]]
    total = max(float(size.sum()), 1.0)
    headings = rows[:, _COLUMN["kind"]] >= _HEADINGS
    return [
        float(np.log2(total)), float(len(blocks)), float(rows[:, _COLUMN["links"]].sum()), float((density * size).sum()) / total,
        float(((rows[:, _COLUMN["items"]] > 0) * size).sum()) / total, float((headings & (density > 0.5)).sum()),
        float((rows[headings, _COLUMN["heading like headline"]] == 1).sum()),
        *_describe_headline(page), *_describe_declarations(page), *_describe_contents(page, features),
    ]  # fmt: skip


def _describe_headline(page: Document) -> list[float]:
    headline = page.view(find_headline)
    if headline is None:
        return [0.0, 0.0, 0.0, 0.0]
    agreement = likeness(headline.text, page.title)
    block = headline.block
    if block is None:
        return [0.0, float(find_extent(headline.text)), 0.0, agreement]
    # a headline that is not a heading ranks behind all of them
    return [float(block.kind[1]) if block.kind[0] == "h" else 7.0, float(block.size), block.link_density, agreement]


def _describe_declarations(page: Document) -> list[float]:
    said = read_declared_kind(page)
    headline = page.view(find_headline)
    shown = f"{page.title} | {headline.text if headline else ''}"[:200].lower()
    return [
        said.article, said.listing, said.other, page.get_first_meta("article:published_time") is not None,
        pattern("error_page").search(shown) is not None,
    ]  # fmt: skip


def _describe_contents(page: Document, features: BlockFeatures) -> list[float]:
    blocks, rows = features.layout.blocks, features.rows
    short = rows[:, _COLUMN["size"]] < _SHORT
    digits = rows[:, _COLUMN["digits"]] * list(map(len, map(attrgetter("text"), blocks)))
    prices = sum(_PRICE.search(blocks[index].text) is not None for index in np.flatnonzero(short & (digits > 0)).tolist())
    tagged = page.names.tagged
    password = any(field.get("type") == "password" for _, field in tagged["input"])
    dated = float((short & (digits > 2.5)).sum())  # digits that are no date yet
    return [prices, password, len(tagged["img"]), dated, *(len(tagged[tag]) for tag in _COUNTED)]


def is_brief(page: Document, verdict: Verdict, taken: Sequence[Block]) -> bool:
    """Return whether a page that looks like a listing, for it has little text, is a short news item.

    It has at most four paragraphs. Its headline is a heading above the text and in the title of the page, but not the site's name,
    a date is at one of them, and no linked headings are between its paragraphs or follow in their box, as they do in a listing.
    """
    headline = find_headline_block(page)
    if headline is None or headline.kind not in {"h1", "h2", "h3"} or not taken or len(taken) > 4:
        return False
    blocks, first = page.layout.blocks, taken[0].index
    if verdict.article < 0.03 or not 0 < first - headline.index <= 12 or likeness(headline.text, page.title) < 0.5:
        return False
    last = max(find_common_box(page.layout, headline, taken[0]).last, taken[-1].index)
    if any(block.kind[0] == "h" and 2 * block.linked > len(block.text) for block in blocks[headline.index + 1 : last]):
        return False
    return not is_site_name(headline.text, page.view(read_site_names)) and has_date(page.layout, headline, taken)


def is_list_of_posts(page: Document, taken: Sequence[Block]) -> bool:
    """Return whether the text of a page is that of posts with separate pages, as the listings of many blogs show it in full.

    The box of each post opens with a heading, or a line, that leads to another page of the host. Where the page has a headline
    besides the name of its site, and posts are not a paragraph each or the page declares an article, or where lines lead on,
    several posts must be dated, which the items of a round-up are not.
    """
    posts, besides = set[int](), 0.1 * sum(block.size for block in taken)
    for block in sorted(taken, key=attrgetter("size"), reverse=True):  # of an article one or two tell
        heading = _find_post(page, block)
        besides -= block.size if heading is None else 0
        if besides < 0:
            return False
        posts |= {heading} if heading is not None else set()
    headline = find_headline_block(page)
    is_unnamed = headline is None or is_site_name(headline.text, page.view(read_site_names)) or _leads_home(page, headline)
    blocks = page.layout.blocks
    are_teasers = len(posts) > 1 and len(posts) >= sum(block.kind[0] != "h" and block.size >= _SHORT for block in taken)
    are_teasers = are_teasers and not is_declared_article(page)
    if (is_unnamed or are_teasers) and posts and all(blocks[index].kind[0] == "h" for index in posts):
        return True
    if is_unnamed:  # all other posts may be excerpts
        called = {blocks[index].element.get("class") for index in posts} - {None}
        alike = (each for each in blocks if each.element.get("class") in called and _leads_elsewhere(page, each))
        posts.update({each.text: each.index for each in alike}.values())
    longest = 2 * _SHORT if is_unnamed else _SHORT
    above = {index: int(is_unnamed or blocks[index].kind[0] != "h") for index in posts}  # a line of its own, or the last of a post
    near = ((*blocks[max(index - above[index], 0) : index], *blocks[index + 1 : index + 1 + _OPENING]) for index in posts)
    dated = (any(block.size < longest and (holds_time(block) or DATE.search(block.text)) for block in those) for those in near)
    return sum(dated) > 1


def _find_post(page: Document, block: Block) -> int | None:
    """Return the index of the only heading or linked line that opens a box around a block, if no higher heading is between them."""
    blocks = page.layout.blocks
    for box in page.layout.outer(block.box):
        opening = [other for other in blocks[box.first : min(box.first + _OPENING, block.index)] if _leads_elsewhere(page, other)]
        opening = [other for other in opening if other.kind[0] == "h"] or opening
        if opening:
            between = blocks[opening[0].index + 1 : block.index]
            level = opening[0].kind if opening[0].kind[0] == "h" else "h2"
            is_own = len(opening) == 1 and not any("h1" <= each.kind < level for each in between)
            return opening[0].index if is_own else None
    return None


def _leads_home(page: Document, line: Block) -> bool:
    """Return whether a line is a link to the front page, as the name of a site at its head is."""
    links = chain(line.element.iter("a"), line.element.iterancestors("a")) if line.link_density > 0.9 else ()
    return any(urlsplit(page.resolve(link.get("href") or "-") or "-").path in ("", "/") for link in links)


def _leads_elsewhere(page: Document, heading: Block) -> bool:
    """Return whether a heading or a line is a link to another page of the host, which is not above this one, nor named like it."""
    least = len(heading.text) / 2 if heading.kind[0] == "h" else len(heading.text) - 1
    if heading.linked <= least or find_extent(heading.text) < 15:
        return False
    link = next(chain(heading.element.iter("a"), heading.element.iterancestors("a")), None)
    here, there = (urlsplit(url or "") for url in (page.url, page.resolve(link.get("href") or "") if link is not None else None))
    if not there.path or here.netloc != there.netloc or here.path.startswith(there.path):
        return False
    return all(likeness(heading.text, title) < 0.5 for title in page.view(read_declared_titles).texts)


@cache
def load_page_classifier() -> PageClassifier:
    """Return the classifier that ships with the program."""
    return PageClassifier.of(read_model("pages"))


_ARTICLE_TYPE = re.compile(r"(?:article|(?<!job)(?<!forum)posting|review|report|recipe|interview)$", re.IGNORECASE)
_LISTING_TYPE = re.compile(r"^(?:CollectionPage|SearchResultsPage|ItemList|Blog|ProfilePage)$", re.IGNORECASE)
_OTHER_TYPE = re.compile(r"^(?:Product|ProductGroup|DiscussionForumPosting|QAPage|VideoObject|Event|JobPosting)$", re.IGNORECASE)
_LISTING_CLASS = re.compile(
    r"(?:archive|category|tag|home|blog|search(?:-results)?|author|date|paged|page-list|taxonomy|front-?page|homepage)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredKind:
    """What a page declares itself to be; several may be said at once."""

    article: bool
    listing: bool
    other: bool


def read_declared_kind(page: Document) -> DeclaredKind:
    """Read what the page declares itself to be."""
    types = set(read_declared_types(page))
    others = any(map(_OTHER_TYPE.match, types))
    open_graph = (page.get_first_meta("og:type") or "").lower()
    classes = (page.body.get("class") or "").lower().split()
    return DeclaredKind(
        # a review of a product or a place is an opinion of it
        article=any(_ARTICLE_TYPE.search(kind) and not (others and kind.lower().endswith("review")) for kind in types)
        or open_graph in ("article", "news", "newsarticle", "blogpost")
        or page.get_first_meta("article:published_time") is not None
        or "single" in classes
        or "single-post" in classes,
        listing=any(map(_LISTING_TYPE.match, types)) or any(map(_LISTING_CLASS.fullmatch, classes)),
        other=others or open_graph.startswith(("product", "profile", "video")),
    )


#: A wall leads to few places and says little; more of either, and it is a page.
MOST_LINKS = 20
MOST_WORDS = 300
#: A challenge alone says no more than this.
FEW_WORDS = 120
_TITLE_PARTS = re.compile(r"\s[|–—·-]\s|: ")
#: Titles of the pages that servers and panels show where no site is set up.
_DEFAULT_PAGE = re.compile(
    r"\s*(?:welcome to (?:nginx|openresty|tengine|caddy)|apache2? .*default page|(?:http server )?test page (?:for|powered by)"
    r"|iis (?:windows|\d)|(?:web server's |domain )default page|index of /)",
    re.IGNORECASE,
)

#: Systems that bar the way to robots: what their scripts, frames, forms, elements and sentences are called.
_SYSTEMS = {
    "Akamai": r"errors\.edgesuite\.net|/_sec/cp_challenge|sec-(?:if-)?cpt-|akam-sw|bm-verify",
    "Anubis": r"techaro\.lol|within\.website/x/cmd/anubis|anubis_challenge",
    "AWS WAF": r"awswaf|gokuprops",
    "Azure WAF": r"azwaf",
    "BitNinja": r"bitninja",
    "Cloudflare": r"cf-challenge|cf_chl|challenge-platform/(?!scripts/jsd)|cdn-cgi/l/chk_",
    "DataDome": r"captcha-delivery",
    "DDoS-Guard": r"ddos-guard",
    "F5": r"/tspd/|your support id is",
    "Fastly": r"_fs-ch-",
    "HUMAN": r"px-captcha|px-c(?:aptcha|loud|dn|hk)\.net|_pxblock|human-challenge",
    "Imperva": r"_incapsula_resource|incapsula incident id",
    "Imunify360": r"imunify360|wsidchk",
    "Kasada": r"kpsdk|ips\.js\?kp_",
    "Project Shield": r"ddos-shield\.appspot",
    "Qrator": r"__qrator",
    "Radware": r"perfdrive|shieldsquare|rbzns",
    "SiteGround": r"sgcaptcha",
    "Sucuri": r"sucuri_cloudproxy|sucuri (?:website|web ?site) firewall|cloudproxy@sucuri|block@sucuri",
    "Vercel": r"vercel security checkpoint|/\.well-known/vercel/security",
    "Wordfence": r"generated by wordfence",
    "Yandex": r"showcaptcha|checkcaptcha",
    "": r"captcha-container|recaptcha/challengepage|/captcha/?\?",
}
_SYSTEM = re.compile("|".join(f"({mark})" for mark in _SYSTEMS.values()), re.IGNORECASE)
#: Headers that only a challenge has, and with which value; how servers of these systems call themselves.
_HEADERS = {
    "cf-mitigated": ("challenge", "Cloudflare"), "x-amzn-waf-action": ("c", "AWS WAF"), "x-sucuri-block": ("", "Sucuri"),
    "x-vercel-mitigated": ("", "Vercel"), "sg-captcha": ("challenge", "SiteGround"), "x-px-blocked": ("1", "HUMAN"),
}  # fmt: skip
_SERVERS = {"akamai": "Akamai", "cloudflare": "Cloudflare", "ddos-guard": "DDoS-Guard", "sucuri": "Sucuri", "imperva": "Imperva"}
#: Of those that stand in forms as well, and in the scripts of whole sites.
_WIDGET = re.compile(r"captcha|turnstile|geetest|arkoselabs", re.IGNORECASE)
#: A page that says less than this beside one of these widgets, and has no more links, only asks for a human.
_NOTHING_ELSE, _NO_MENU = 12, 2


def find_challenger(get: Callable[[str], str | None]) -> str | None:
    """Return the system whose challenge the headers of an answer, which `get` returns by name, declare; None: there is none."""
    marks = ((get(field), value, name) for field, (value, name) in _HEADERS.items())
    return next((name for said, value, name in marks if said and said.lower().startswith(value)), None)


def find_barrier(page: Document, server: str | None = None) -> PageError | None:
    """Return the barrier before a page, with the name of its system, if known; None: there is none.

    `server`: the header Server of an answer with an error status; sentences of systems count in such an answer only.
    """
    if is_declared_article(page):
        return None
    if any(map(_says_missing, _TITLE_PARTS.split(page.title.lower()))) and any(map(_says_missing, _read_headings(page))):
        return PageError(PageReason.ERROR_PAGE, "")
    links = sum(1 for _ in islice(page.body.iter("a"), MOST_LINKS + 1))
    if links > MOST_LINKS:
        return None
    if _DEFAULT_PAGE.match(page.title):
        return PageError(PageReason.ERROR_PAGE, "the default page of a server")
    text = extract_visible_text(page.body)
    words = len(text.split())
    if words > MOST_WORDS:
        return None
    heading = f"{page.title} {' '.join(extract_visible_text(element) for element in page.body.iter('h1', 'h2'))}".lower()
    if words <= FEW_WORDS or server is not None:
        asks = pattern("human_check").search
        makes = "\n".join((*_find_makes(page), *((page.title, text) if server is not None else ())))
        system = find_system(makes)
        said = page.title if words > 30 else f"{page.title}\n{text}"
        shown = (*page.names.called, *(frame.get("src") or "" for frame in page.body.iter("iframe")))
        is_bare = words <= _NOTHING_ELSE and links <= _NO_MENU and any(map(_WIDGET.search, shown))
        if system is not None or is_bare or asks(said.lower()) or (asks(heading) and _WIDGET.search(makes)):
            known = (name for mark, name in _SERVERS.items() if mark in (server or "").lower())
            return PageError(PageReason.CAPTCHA, system or next(known, ""))
    if words <= FEW_WORDS and (why := _find_notice(page, text)) is not None:
        return PageError(PageReason.ERROR_PAGE, why)
    if pattern("consent").search(heading) and any(pattern("accept").search(label.lower()) for label in _find_buttons(page)):
        return PageError(PageReason.CONSENT)
    return None


def _find_notice(page: Document, text: str) -> str | None:
    """Return the notice that a page shows in place of an article: "" that it is missing, or the state of the site; None: none."""
    if _says_missing(text.lower(), 30) or any(map(_says_missing, _read_headings(page))):
        return ""
    said = [text.lower() if len(text.split()) <= 30 else "", *filter(_is_short, _read_headings(page))]
    said += filter(_is_short, _TITLE_PARTS.split(page.title.lower()))
    is_notice = len(text.encode()) <= 1_000 and DATE.search(text) is None and next(page.body.iter("time"), None) is None
    return "the site is out of service" if is_notice and any(map(pattern("out_of_service").search, said)) else None


def _read_headings(page: Document) -> Iterator[str]:
    return (extract_visible_text(element).lower() for element in page.body.iter("h1", "h2"))


def _is_short(heading: str) -> bool:
    return len(heading.split()) <= 6


def _says_missing(text: str, most_words: int = 6) -> bool:
    is_short = len(text.split()) <= most_words
    return is_short and pattern("error_page").search(text) is not None and pattern("things_that_miss").search(text) is not None


def find_system(makes: str) -> str | None:
    """Return the system against robots of which a text has a mark; "": one without a name; None: it has none."""
    found = _SYSTEM.search(makes)
    return list(_SYSTEMS)[(found.lastindex or 1) - 1] if found else None


def is_declared_article(page: Document) -> bool:
    """Return whether the page's JSON-LD declares an article, or its head when one was published."""
    declares = any(kind.endswith(("Article", "BlogPosting")) for kind in read_declared_types(page))
    return declares or page.get_first_meta("article:published_time") is not None


def _find_makes(page: Document) -> Iterator[str]:
    """Where scripts, frames and forms lead, and what elements are called."""
    for element in page.root.iter("script", "iframe", "form", "link"):
        yield from (value for key in ("src", "action", "href", "id") if (value := element.get(key)))
        if element.tag == "script" and element.text:
            yield element.text[:5000]
    yield "\n".join(page.names.called).lower()


def _find_buttons(page: Document) -> Iterator[str]:
    """What buttons say."""
    for element in page.body.iter("button", "input", "a"):
        if element.tag == "input":
            if element.get("type") in {"submit", "button"}:
                yield element.get("value") or ""
        else:
            yield extract_visible_text(element)[:60]
