"""What kind of article it is, and whether it can be read for free."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from newscrawler.page import Document
from newscrawler.page.json_ld import types_of
from newscrawler.page.named import short_text

#: In this order: what is paid for is never news, whatever else it is.
_BY_TYPE = (
    ("sponsored", re.compile(r"AdvertiserContent|Advertorial|Sponsored", re.IGNORECASE)),
    ("live", re.compile(r"LiveBlog", re.IGNORECASE)),
    ("opinion", re.compile(r"Opinion|^Review|Column", re.IGNORECASE)),
    ("gallery", re.compile(r"ImageGallery|MediaGallery|PhotoGallery", re.IGNORECASE)),
    ("interview", re.compile(r"Interview", re.IGNORECASE)),
)
#: Whole words of sections, labels and parts of addresses, accents kept.
_BY_WORD = (
    ("sponsored", """advertorial sponsored sponzorované sponzorovaný sponsorowany sponsorowane anzeige publireportage
        publi-reportage publirreportaje
        branded-content brandedcontent paid-content partnercontent partner-content promoted werbung komercni-sdeleni pr-clanek
        pr-clanky
        reklama-clanky sponsorizzato patrocinado publieditorial ilan-haber на-правах-рекламы партнерский"""),
    ("live", """liveblog live-blog liveticker live-ticker newsticker onlinepřenos online-prenos zive-vysilani na-zywo
        relacja-na-zywo en-direct
        en-vivo diretta онлайн-трансляция minuto-a-minuto minute-by-minute élőben canli-anlatim"""),
    ("opinion", """opinion opinions opinión opiniones opinião opinia opinie opinioni meinung meinungen kommentar kommentare
        kommentarz komentarz
        komentarze komentář komentáře komentar komentare komentář-dne názor názory nazor nazory editorial editorials editoriale
        leitartikel
        kolumne kolumnen column columns columna columnas felieton felietony fejeton glosa glosy sloupek sloupky commentary
        comment comentario
        tribune tribuna tribunes chronique chroniques blogs мнение мнения думка думки колонка vélemény publicisztika yorum
        köşe-yazısı yazarlar
        דעות رأي آراء 评论 社论 社説 オピニオン コラム"""),
    ("gallery", """fotogalerie galerie galeria gallery photogallery photo-gallery fotogaleria fotostrecke bildergalerie
        diaporama slideshow
        galería fotogalería galleria fotogalleria fotogallery фотогалерея galéria képgaléria foto-galeri fotogaleri photos-of"""),
    ("interview", """interview interviews rozhovor rozhovory wywiad wywiady entrevista entrevistas intervista interviste
        entretien entretiens
        інтерв'ю інтервю интервью interjú röportaj söyleşi ראיון مقابلة حوار 专访 インタビュー"""),
)  # fmt: skip
_WORDS = {word: genre for genre, words in reversed(_BY_WORD) for word in words.split()}
_PARTS = re.compile(r"[\s/:|,.!?–—()\[\]\"„“”«»]+")
PAYWALL_TEXT = re.compile(
    r"subscribe to (?:continue|read|keep reading)|subscribers? only|for subscribers|to continue reading|already a subscriber|"
    r"jetzt weiterlesen|weiterlesen mit|nur für abonnenten|exklusiv für abonnenten|mit .{0,20}plus weiterlesen|réservé aux abonnés|"
    r"article réservé|pouze pro předplatitele|pro předplatitele|odemkněte|předplaťte si|len pre predplatiteľov|pre "
    r"predplatiteľov|odomknite|"
    r"tylko dla prenumeratorów|dla subskrybentów|wykup dostęp|czytaj dalej w prenumeracie|s[oó]lo para suscriptores|exclusivo "
    r"para suscriptores|"
    r"contenuto riservato agli abbonati|riservato agli abbonati|exclusivo para assinantes|conteúdo exclusivo|только для "
    r"подписчиков|"
    r"доступно по подписке|тільки для передплатників|csak előfizetőknek|abone olun|למנויים בלבד|للمشتركين فقط|有料会員|"
    r"会員限定|订阅后",
    re.IGNORECASE,
)
#: One of them, in small letters, stands in every text that the expression finds, which is ten times as slow.
PAYWALL_CORES = (
    "subscri", "to continue reading", "weiterlesen", "abonn", "abbon", "réservé", "předpl", "odemkn", "predpl", "odomkn",
    "prenumera", "subskryb", "wykup", "suscri", "assinantes", "exclusivo", "подпис", "передпл", "előfizet", "abone", "למנויים",
    "للمشتركين", "会員", "订阅后",
)  # fmt: skip
_LONGEST_OFFER = 600
_LOCKED_TIER = frozenset({"locked", "premium", "subscription", "paid", "plus", "subscriber", "hardpaywall"})


def find_genre(page: Document, headline: str | None, section: str | None) -> str:
    """Tell news from opinion, interview, live coverage, gallery and what was paid for."""
    kinds = [kind for value in page.article_json_ld for kind in types_of(value)]
    for genre, pattern in _BY_TYPE:
        if any(pattern.search(kind) for kind in kinds):
            return genre
    texts = [section or "", page.first_meta("article:section", "og:section") or "", page.first_meta("article:genre", "genre") or ""]
    texts += [_path(page.url)]
    for text in texts:
        for word in _PARTS.split(text.lower()):
            if genre_found := _WORDS.get(word):
                return genre_found
    return _by_headline(headline or "")


def _by_headline(headline: str) -> str:
    """Read the label that many newsrooms put before the headline: "Kommentar: …", "ROZHOVOR | …"."""
    match = re.match(r"\s*([^\W\d_][\w'-]{2,20})\s*[:|–—]\s", headline.lower()) or re.match(
        r"\s*\[([^\W\d_][\w'-]{2,20})\]", headline.lower()
    )
    return _WORDS.get(match.group(1), "news") if match else "news"


def _path(url: str | None) -> str:
    try:
        parts = urlsplit(url or "").path.split("/")
    except ValueError:
        return ""
    return "/".join(parts[:-1])


def find_free(page: Document, body: Sequence[etree._Element]) -> bool | None:
    """Tell whether the article can be read for free; None where the page does not say."""
    for value in page.article_json_ld:
        declared = _truth(value.get("isAccessibleForFree"))
        if declared is not None:
            return declared
    tier = (page.first_meta("article:content_tier", "article:tier", "content_tier", "paywall-status") or "").lower()
    if tier:
        return tier not in _LOCKED_TIER
    return False if _shows_paywall(body) else None


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "false": False, "yes": True, "no": False}.get(value.strip().lower())
    return None


def _shows_paywall(body: Sequence[etree._Element]) -> bool:
    """Tell whether readers are asked to subscribe right at the end of the text."""
    if not body:
        return False
    last: etree._Element | None = body[-1]
    for _ in range(3):
        if last is None or last.tag in {"body", "html"}:
            return False
        for sibling in list(last.itersiblings(etree.Element))[:3]:
            text = short_text(sibling, _LONGEST_OFFER)
            if text and any(map(text.lower().__contains__, PAYWALL_CORES)) and PAYWALL_TEXT.search(text):
                return True
        last = last.getparent()
    return False
