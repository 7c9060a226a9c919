"""From what a page writes in its byline to the names in it.

A name is what stays when "By" words, roles, places, photo credits, handles and dates are gone. People and agencies
("ČTK", "PAP", "dpa", "Redaktion") are names; what is only a role ("Senior reporter") is none.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_LONGEST_NAME = 80
_LONGEST_BYLINE = 400

_BY = re.compile(
    r"^(?:(?:(?:written|posted|reported|published|words|story|article|text|texte|testo|tekst|texto|review(?:ed)?|edited|compiled)\s+by"
    r"|by|von|from|par|por|door|oleh(?=\s*:)|av|af|di|da|od|de la|przez|yazan|автор(?:ы|и)?|автори|текст|"
    r"autor(?:ka|in|en|zy|e|ka článku|i|es|as|a)?|auteurs?|autore|autores|authors?|byline|redakcja|opracowa[łl]a?|oprac\.?|"
    r"napsala?|zpracovala?|"
    r"připravila?|text|teksti?|tekst|texte?|testo|texto|írta|szerző|szerk|yazar|muhabir|haber|kaynak|מאת|بقلم|كتب|كتبت|کاتب|نویسنده|نوشته"
    r"|作者|责编|責編|记者|記者|文|撰文|責任編輯|责任编辑|編集|執筆|著者|글|σ[υύ]ντ[αά]κτης|tác giả|penulis|reporter|editor|de|"
    r"bởi|escrito por|publicado por|"
    r"(?:ein(?:e|en)?\s)?(?:(?:gast)?(?:kommentar|beitrag|kolumne|analyse|interview|artikel|essay|reportage|rezension|text)|verfasst|"
    r"(?:gast)?(?:veröffentlicht|geschrieben|gepostet|publiziert|erstellt|berichtet))\svon|aus\s[^\W\d_]+\sberichtet))(?=[\s:：/]|$)\s*[:：/]?\s*",
    re.IGNORECASE,
)  # fmt: skip
_CLOSING = re.compile(r"\s*(?:\(|\[)[^()\[\]]{0,40}(?:\)|\])\s*$")
_CLOSED = (")", "]", " ")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")
_ADDRESS = re.compile(r"https?://|www\.|^/|\.(?:html?|php|aspx)\b", re.IGNORECASE)
_HANDLE = re.compile(r"(?:^|\s)@\w{2,30}")
_PARTS = re.compile(
    r"\s*(?:;|\||•|·|/(?=\s)|(?<=\s)/|\n|\s[–—]\s|、|，|،)\s*|\s+(?:and|und|et|y|e|i|a|und|en|og|och|ja|ve|és|și|si|и|и|і|та|й|và|dan|&|\+|with|mit|sowie|con|avec)\s+|\s*[,]\s*(?:(?:and|und|&|et|y|e)\s+)?",
)
_COMMA = re.compile(r"\s*,\s*")
_CREDIT = re.compile(
    r"\b(?:foto|fotos|photo|photos|photographs?|photography|image|images|bild|bilder|imago|getty|shutterstock|istock|picture "
    r"alliance|zdjęcie|zdjęcia|fot|snímek|"
    r"фото|illustration|grafik|graphic|video|videos|kamera|camera|montage|symbolbild|archiv)\b|©|📷",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"^(?:(?:senior|chief|deputy|managing|staff|contributing|associate|assistant|executive|political|business|sports?|science|health|news|local|national|"
    r"foreign|world|digital|online|lead|special|freelance|guest|leitende[rn]?|stellvertretende[rn]?|freie[rn]?|politische[rn]?|šéf|hlavní|zástupce|"
    r"wissenschafts|wirtschafts|sport|politik|our|unser[e]?|the|ein|eine|is a|is an|is the|ist|chef|redac[ct]eur en|redactor|"
    r"head of|editor at)[\s-]*)*"
    r"(?:reporter(?:in|ka|ki)?|reporters|editors?|editor-in-chief|writers?|correspondents?|columnists?|journalists?|journaliste|journalistin|journalisti?|producers?|redakteur(?:in)?|redaktor(?:ka)?|"
    r"redaktorem|redakt[öo]r|chefredakteur(?:in)?|chefredaktor|korrespondent(?:in|ka)?|kolumnist(?:in)?|volont[äa]r(?:in)?|autor(?:in|ka)?|dziennikar(?:z|ka)|publicyst(?:a|ka)|novinář(?:ka)?|"
    r"komentátor(?:ka)?|редактор|корреспондент|журналист(?:ка)?|обозреватель|кореспондент|журналіст(?:ка)?|muhabiri?|editör|periodista|redactora?|"
    r"corresponsal|giornalista|inviat[oa]|jornalista|repórter|rédacteur|rédactrice|újságíró|szerkesztő|authors?|autorzy|autor|author|contributors?|analyst|fellow|professor|director|"
    r"policy|politics|culture|opinion|sport|sports|wirtschaft|politik|panorama|kultur)$",
    re.IGNORECASE,
)
_EASTERN_ROLE = re.compile(r"\s*(?:기자|특파원|논설위원|선임기자|記者|特派員|编辑|編輯)$")
_NOBODY = frozenset({
    "admin", "administrator", "webmaster", "unknown", "anonymous", "anonym", "guest", "gast", "user", "none", "null",
    "undefined", "n/a", "na", "-", "test",
    "author", "autor", "authors", "editor", "root", "superuser", "super user", "by", "von", "default", "false", "true",
    "site", "website", "web", "system", "no author", "not available",
    "article", "name", "[object object]", "nan", "follow", "share", "facebook", "twitter", "linkedin", "subscribe",
    "read more", "mehr", "more", "updated", "published",
    "автор", "redaktor", "kein autor", "ohne autor", "neznámý", "wp-admin", "post author",
})  # fmt: skip
_AGENCIES = frozenset({
    "afp", "ap", "apa", "dpa", "sid", "rnd", "kna", "epd", "ots", "efe", "ansa", "reuters", "upi", "ans", "pti", "ians",
    "ani", "čtk", "ctk", "tasr", "sita", "pap", "mti", "lusa", "anp", "belga",
    "ntb", "tt", "ritzau", "stt", "bta", "tanjug", "hina", "sta", "unian", "ukrinform", "tass", "тасс", "interfax",
    "интерфакс", "ria", "рия", "xinhua", "kyodo", "yonhap", "jiji", "aap", "bloomberg",
    "cnn", "bbc", "pa", "aa", "dha", "iha", "cna", "rte", "ddp", "dapd", "ag", "sda", "keystone-sda", "awp", "ats", "agi",
    "adnkronos", "wam", "spa", "irna", "sana", "antara", "vna", "ttxvn",
    "redaktion", "redakce", "redakcja", "redacción", "redação", "redazione", "rédaction", "redakcia", "редакция", "редакція",
    "agenturen", "agencias", "agences", "agencies", "agenzie", "dpa-infocom",
})  # fmt: skip
_DATE_LIKE = re.compile(r"\b\d{1,2}[:.]\d\d\b|\b(?:19|20)\d\d\b|\d{3,}|\d[:.]\d\d|\b\d+\s*min\b", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_INITIALS = re.compile(r"^[a-zäöüčšžř]{2,5}(?:[/-][a-zäöüčšžř]{2,5})?$|^[A-ZČŠŽŘŁŚ]{2,6}$")


def is_agency(name: str) -> bool:
    """Tell whether a name is a news agency's or an editorial office's."""
    return name.casefold() in _AGENCIES


def names_in(text: str | None, *, split: bool = True) -> list[str]:
    """Give the names in a byline, in its order."""
    if not text or len(text) > _LONGEST_BYLINE:
        return []
    text = html.unescape(text) if "&" in text else text
    text = _EMAIL.sub(" ", re.sub(r"<[^<>]{0,300}>", " ", text))
    text = " ".join(_HANDLE.sub(" ", text).split()).strip(" ,;:|-–—•·")
    for _ in range(2):
        text = _BY.sub("", text, count=1)
    if not text:
        return []
    parts = list(_split(text)) if split else [text]
    cleaned = [name for part in parts if (name := clean_name(part))]
    full = [name for name in cleaned if " " in name]
    if full and len(cleaned) > len(full):
        # beside full names a single word is an agency, initials, or else a place
        cleaned = [
            name
            for name in cleaned
            if " " in name or is_agency(name) or _INITIALS.match(name) or (not name.isascii() and len(name) < 5)
        ]
    return cleaned


def _split(text: str) -> Iterator[str]:
    """Part a byline at commas and "and" words, but not "Müller, Hans" and not "Johnson & Johnson Ltd"."""
    if (turned := _turn_round(text)) is not None:
        yield turned
        return
    for part in _PARTS.split(text):
        if part and part.strip():
            yield part


def _turn_round(text: str) -> str | None:
    """Make "Hans Müller" of "Müller, Hans"."""
    pieces = _COMMA.split(text)
    if len(pieces) == 2 and all(re.fullmatch(r"[^\W\d_][\w'’.-]{1,30}", piece) for piece in pieces):
        last, first = pieces
        if (
            not is_agency(first)
            and not is_agency(last)
            and not _ROLE.match(first)
            and not first.islower()
            and not first.isupper()
            and last.istitle()
        ):
            return f"{first} {last}"
    return None


@lru_cache(maxsize=2048)  # what a byline says is asked for by pieces, and as a whole, in several elements
def clean_name(text: str | None) -> str | None:
    """Give one name without what does not belong to it; None where it is no name."""
    if not text:
        return None
    name = _BY.sub("", " ".join(text.split()), count=1)
    name = name if name.isascii() else _EASTERN_ROLE.sub("", name)
    for _ in range(2):
        name = _CLOSING.sub("", name) if name[-1:] in _CLOSED else name
    name = name.strip(" ,;:|-–—•·*\"'“”„«»()[]/\\")
    if not 2 <= len(name) <= _LONGEST_NAME or not _LETTER.search(name) or _ADDRESS.search(name):
        return None
    if name.casefold() in _NOBODY or _CREDIT.search(name) or _ROLE.match(name) or _DATE_LIKE.search(name):
        return None
    if len(name.split()) > 7 or (name[-1] == "." and len(name.split()) > 4):
        return None
    return name


def merge(names: Iterable[str]) -> tuple[str, ...]:
    """Keep each name once, in order, whatever its letters' case, accents kept."""
    found: dict[str, str] = {}
    for name in names:
        key = re.sub(r"[\W_]+", "", name.casefold())
        if key and key not in found:
            found[key] = name
    return tuple(found.values())
