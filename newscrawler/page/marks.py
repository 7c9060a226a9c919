"""What class names, ids and roles say an element is: a small vocabulary of marks, each one bit.

Names are split at everything that is no letter and at camel case; a word counts wherever it stands. The words are those that
publishing systems share, not those of a publisher. A mark is evidence, not a verdict: it is weighed elsewhere.
"""

from __future__ import annotations

import re
from enum import IntFlag
from functools import lru_cache
from itertools import pairwise


class Mark(IntFlag):
    """What a name claims."""

    NAVIGATION = 1
    FOOTER = 2
    ASIDE = 4
    RELATED = 8
    PROMOTION = 16
    SOCIAL = 32
    COMMENT = 64
    CAPTION = 128
    BYLINE = 256
    TAGS = 512
    POPUP = 1024
    WIDGET = 2048
    HIDDEN = 4096
    PULL_QUOTE = 8192
    LEAD = 16384
    BODY = 32768
    ARTICLE = 65536
    HEADER = 131072
    EMBED = 262144
    MAIN = 524288
    FORM = 1048576
    FIGURE = 2097152
    CONSENT = 4194304


#: What stands beside an article, where nothing is its headline.
BOXES_BESIDE = int(
    Mark.NAVIGATION
    | Mark.FOOTER
    | Mark.ASIDE
    | Mark.RELATED
    | Mark.PROMOTION
    | Mark.COMMENT
    | Mark.POPUP
    | Mark.HIDDEN
    | Mark.SOCIAL
)

_WORDS: dict[Mark, str] = {
    Mark.NAVIGATION: (
        "nav navi navbar navigation menu submenu breadcrumb breadcrumbs crumbs pagination pager paging paginator toc skip jump "
        "prevnext nextprev prev previous postnav drobeckova nawigacja menubar sitemap"
    ),
    Mark.FOOTER: "footer foot colophon copyright copyrights imprint legal disclaimer paticka stopka fuss",
    Mark.ASIDE: "aside sidebar sidebars rail rightrail secondary complementary rightcol leftcol marginal widgets sidecolumn",
    Mark.RELATED: (
        "related relateds relates recommended recommend recommendation recommendations recirc recirculation popular trending "
        "mostread mostpopular teaser teasers readmore morestories morenews seealso readalso outbrain taboola zergnet ligatus "
        "plista souvisejici suvisiace powiazane similar siblings suggested suggestions suggest latest furtherreading crosslink "
        "crosslinks relacionadas relacionados more also linklist upnext"
    ),
    Mark.PROMOTION: (
        "ad ads adv advert adverts advertisement advertisements advertising advertorial adslot adunit adbox adsense dfp gpt "
        "banner banners promo promos promotion promotions promoted sponsor sponsored sponsors sponsorship newsletter "
        "newsletters subscribe subscription subscriptions subscriber signup cta donate donation donations campaign marketing "
        "offer offers affiliate shop shopping product products buy deals partner partners reklama reklamy werbung anzeige "
        "anzeigen publicidad publicite kolumbus commercial adsbygoogle"
    ),
    Mark.SOCIAL: (
        "share shares sharing sharebar sharetools social socials follow addthis sharethis addtoany facebook twitter whatsapp "
        "pinterest linkedin telegram sociallinks bookmark bookmarks jetpack sharedaddy sd"
    ),
    Mark.COMMENT: (
        "comment comments commentlist commenting disqus respond reply replies discussion discussions diskuse diskusia "
        "komentarze komentare kommentare kommentar opinie reactions fbcomments commentform viafoura spotim livefyre "
        "talkback"
    ),
    Mark.CAPTION: (
        "caption captions credit credits figcaption imgcaption imagecaption photocaption legend photographer popisek "
        "bildunterschrift agency imagecredit cutline"
    ),
    Mark.BYLINE: (
        "author authors byline bylines bio biography contributor contributors writer date dates datetime time timestamp "
        "published publish dateline meta metadata postmeta pubdate updated info infos autor autori avatar vcard source readtime "
        "postmetadata readingtime views reporter autorbox entrymeta articleinfo"
    ),
    Mark.TAGS: (
        "tags tag taglist keywords keyword topics topic categories category cat cats label labels rubric rubrik stitky terms "
        "hashtags tagcloud"
    ),
    Mark.CONSENT: "cookie cookies consent gdpr ccpa cmp onetrust optanon sourcepoint didomi usercentrics cookiebot privacy",
    Mark.POPUP: (
        "cookie cookies consent gdpr modal popup overlay paywall login signin register registration toast tooltip lightbox "
        "dialog alert notice notification adblock regwall piano barrier premium offscreen dropdown flyout onetrust privacy"
    ),
    Mark.WIDGET: (
        "rating ratings score scoreboard player videoplayer audioplayer jwplayer podcast poll polls quiz vote votes voting "
        "anketa ankieta umfrage sondage sondaggio encuesta enquete anket szavazas storytools articletools "
        "weather ticker stock quotes chart infographic calendar countdown game games listen tts feedback toolbar tools tool "
        "utility print printer email errata gallery galleries slideshow slider carousel thumbs thumbnails livescore"
    ),
    Mark.HIDDEN: "hidden hide invisible visuallyhidden sronly screenreader offscreen noprint noshow",
    Mark.PULL_QUOTE: "pullquote pullquotes pull",
    Mark.LEAD: (
        "lead lede perex intro introduction standfirst summary subtitle subtitles subheadline subhead dek deck abstract excerpt "
        "anleser vorspann teasertext zajawka chapo sommario entradilla ingress bajada bajante catenaccio opis annotation "
        "anotace headnote untertitel strapline synopsis leadtext articlelead opener lid"
    ),
    Mark.BODY: (
        "body articlebody storybody content contents articlecontent postcontent entrycontent text articletext posttext "
        "storytext contentbody bodytext fulltext maintext textblock richtext paragraph copy prose markdown wysiwyg rte obsah "
        "tresc inhalt contenido corps maincontent storycontent bodycopy"
    ),
    Mark.ARTICLE: (
        "article story post entry hentry news newsarticle blogpost articlepage single detail clanek artykul artikel articulo "
        "noticia blogposting"
    ),
    Mark.HEADER: "header masthead topbar head",
    Mark.EMBED: "embed embeds tweet instagram youtube vimeo iframe oembed embedded tiktok",
    Mark.MAIN: "main primary center hauptinhalt",
}

_BITS: dict[str, int] = {}
for _mark, _words in _WORDS.items():
    for _word in _words.split():
        _BITS[_word] = _BITS.get(_word, 0) | int(_mark)

#: Words long enough to be recognised inside a longer one, as in "relatedposts".
_INSIDE: tuple[tuple[str, int], ...] = (
    ("related", Mark.RELATED),
    ("recommend", Mark.RELATED),
    ("recirc", Mark.RELATED),
    ("readmore", Mark.RELATED),
    ("mostread", Mark.RELATED),
    ("popular", Mark.RELATED),
    ("outbrain", Mark.RELATED),
    ("taboola", Mark.RELATED),
    ("teaser", Mark.RELATED),
    ("newsletter", Mark.PROMOTION),
    ("subscri", Mark.PROMOTION),
    ("advert", Mark.PROMOTION),
    ("sponsor", Mark.PROMOTION),
    ("promo", Mark.PROMOTION),
    ("banner", Mark.PROMOTION),
    ("comment", Mark.COMMENT),
    ("disqus", Mark.COMMENT),
    ("caption", Mark.CAPTION),
    ("sidebar", Mark.ASIDE),
    ("footer", Mark.FOOTER),
    ("navig", Mark.NAVIGATION),
    ("breadcrumb", Mark.NAVIGATION),
    ("pagination", Mark.NAVIGATION),
    ("social", Mark.SOCIAL),
    ("sharing", Mark.SOCIAL),
    ("byline", Mark.BYLINE),
    ("author", Mark.BYLINE),
    ("cookie", Mark.POPUP | Mark.CONSENT),
    ("consent", Mark.POPUP | Mark.CONSENT),
    ("onetrust", Mark.CONSENT),
    ("paywall", Mark.POPUP),
    ("pullquote", Mark.PULL_QUOTE),
    ("articlebody", Mark.BODY | Mark.ARTICLE),
    ("slideshow", Mark.WIDGET),
    ("carousel", Mark.WIDGET),
)

#: Two words that only together mean something.
_PAIRS: dict[tuple[str, str], int] = {
    ("read", "more"): Mark.RELATED,
    ("see", "also"): Mark.RELATED,
    ("read", "also"): Mark.RELATED,
    ("read", "next"): Mark.RELATED,
    ("most", "read"): Mark.RELATED,
    ("up", "next"): Mark.RELATED,
    ("further", "reading"): Mark.RELATED,
    ("pull", "quote"): Mark.PULL_QUOTE,
    ("sr", "only"): Mark.HIDDEN,
    ("visually", "hidden"): Mark.HIDDEN,
    ("screen", "reader"): Mark.HIDDEN,
    ("sign", "up"): Mark.PROMOTION,
    ("call", "to"): Mark.PROMOTION,
    ("sub", "title"): Mark.LEAD,
    ("sub", "headline"): Mark.LEAD,
    ("sub", "heading"): Mark.LEAD,
    ("entry", "content"): Mark.BODY | Mark.ARTICLE,
    ("post", "content"): Mark.BODY | Mark.ARTICLE,
    ("article", "body"): Mark.BODY | Mark.ARTICLE,
    ("story", "body"): Mark.BODY | Mark.ARTICLE,
    ("article", "content"): Mark.BODY | Mark.ARTICLE,
    ("article", "text"): Mark.BODY | Mark.ARTICLE,
}

_INSIDE = tuple((part, int(bit)) for part, bit in _INSIDE)
_PAIRS = {pair: int(bit) for pair, bit in _PAIRS.items()}

_FIRST_OF_PAIR = frozenset(first for first, _ in _PAIRS)
#: Beside the marks of a word.
_BEGINS_PAIR = 1 << 40
_BODY, _ARTICLE = int(Mark.BODY), int(Mark.ARTICLE)
_FOREIGN_NAMES = int(
    Mark.RELATED
    | Mark.PROMOTION
    | Mark.SOCIAL
    | Mark.COMMENT
    | Mark.CAPTION
    | Mark.BYLINE
    | Mark.TAGS
    | Mark.CONSENT
    | Mark.PULL_QUOTE
)

#: Words of letters; a capital behind a small letter begins a new one.
_PARTS = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
_LONGEST_NAME = 400
#: Names in which something else is hidden: what overflows, a label (of every field in Drupal), on some screens or on paper.
_OF_LOOKS = re.compile(r"overflow(?:-[xy])?-hidden|label-(?:hidden|visually_hidden|above|inline)|(?:sm|md|lg|xl|print):hidden")
#: Names, and words, that are kept with what they say.
_MOST_KNOWN = 16_384
#: A class list this long is a list of utilities (Tailwind and the like), whose words describe looks.
_MOST_WORDS = 40


#: All but small letters as blanks: parts names in small letters, as most are, in half the time of a pattern.
_SMALL = "".join(sign if sign.islower() else " " for sign in map(chr, range(128)))


@lru_cache(maxsize=_MOST_KNOWN)
def marks_of(name: str) -> int:
    """Read the marks from class names and ids; a sum of `Mark` bits."""
    parts = _parts_of(name[:_LONGEST_NAME])
    found = 0
    for part in parts:
        found |= _WORD_BITS[part]
    if found >= _BEGINS_PAIR:
        found = found & ~_BEGINS_PAIR | _pairs_in(parts)
    if found & _FOREIGN_NAMES and not found & _ARTICLE:
        found &= ~_BODY  # "comment-body", "caption-text": what kind of text it is counts for more than that it is text
    return found


def _parts_of(name: str) -> list[str]:
    """The words of a name."""
    if "hidden" in name or "label-" in name:
        name = _OF_LOOKS.sub(" ", name)
    parts = name.translate(_SMALL).split() if name.islower() and name.isascii() else _PARTS.findall(name)
    return parts[:_MOST_WORDS]


def _pairs_in(parts: list[str]) -> int:
    """What two words say together."""
    words = [part.lower() for part in parts]
    found = 0
    for pair in pairwise(words):
        found |= _PAIRS.get(pair, 0)
    return found


class _WordBits(dict[str, int]):
    """What words say by themselves, and whether they may begin a pair; read as they come, and kept."""

    def __missing__(self, part: str) -> int:
        word = part.lower()
        bits = _BITS.get(word, 0)
        if len(word) > 7:
            for inside, bit in _INSIDE:
                if inside in word:
                    bits |= bit
        if word in _FIRST_OF_PAIR:
            bits |= _BEGINS_PAIR
        if len(self) >= _MOST_KNOWN:
            self.clear()
        self[part] = bits
        return bits


_WORD_BITS = _WordBits()
