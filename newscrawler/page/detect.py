"""Guess the encoding of a page that declares none: UTF-8 if it is that, else the legacy encoding in which it reads like a language.

Each candidate is judged by what its reading would be: the share of the characters beyond ASCII that are common in one of the
languages written in it. What is the same in several encodings does not matter, so ties go to the first of the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Bytes looked at; enough for any page to show its language.
_SAMPLE_BYTES = 65_536
_LEAST_SHARE = 0.5
_NOT_TEXT = re.compile(rb"<(script|style)\b.*?</\1\s*>|<[^>]*>|[\x00-\x7f]{200,}", re.DOTALL | re.IGNORECASE)

#: Alphabets longer than this are whole scripts, ordered by how often a letter occurs: other text has too few of the first.
_WHOLE_SCRIPT = 20
#: The letters beyond ASCII of the languages that are written in a single-byte encoding.
_ALPHABETS: Mapping[str, tuple[str, ...]] = {
    "cp1252": (
        "äöüß„“", "éèàçêôùûîïëœ«»’", "áéíóúñ¿¡ü", "ãçáéõâêíóúà", "àèéìòù", "åäöéøæ", "éëïóè", "áðéíóúýþæö", "’“”‘–—",
    ),
    "cp1250": (
        "áíéěšřčžýůúťďňó„“", "łąęóżśćźń„”", "áéóöőíúűü", "áäčďéíĺľňóôŕšťúýž", "ăâîşţ", "čšžćđ",
    ),
    "iso-8859-2": ("áíéěšřčžýůúťďňó", "łąęóżśćźń", "áéóöőíúűü", "áäčďéíĺľňóôŕšťúýž", "čšžćđ"),
    "cp1251": ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "оаинвітерсклудмпязьгбчхцюжйїєщфшґ", "аоиенртсјукмвдлпзгбшчњљжћцхђфџ"),
    "koi8-r": ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",),
    "cp1253": ("αοιετνσηυρπκμλςςίόάέήγδωχθύφβώξζψ",),
    "cp1254": ("çğıöşüâîİ",),
    "cp1255": ("יוהלאבתמרשנםדפחקעכצןטגסזץףך",),
    "cp1256": ("اليمنورتبدةعهسفكحقجأشصىطخإضذزثئغظءؤآ،",),
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"),
    "cp874": ("านรอกเงมยลวดทตะส่้บปคหิีัไแจพชขใโื็ุูธถผึณญซฉ์ภศษฟฐฝ",),
}  # fmt: skip
#: The most common characters of the languages that are written in a multi-byte encoding, and the share they have at least.
_COMMON: Mapping[str, tuple[str, float]] = {
    "cp932": ("のにをはがとでたしてるいれなさあこかもられりうっきまくすそ、。", 0.3),
    "euc_jp": ("のにをはがとでたしてるいれなさあこかもられりうっきまくすそ、。", 0.3),
    "cp949": ("이다는을의에가고하지로기한도사은서를인대자있것과니나해어리시", 0.2),
    "gb18030": ("的一是了在有人不这中大为上个国我以要他时来用们生到作地于出就，。", 0.12),
    "big5hkscs": ("的一是了在有人不這中大為上個國我以要他時來用們生到作地於出就，。", 0.12),
}


def detect(body: bytes) -> str:
    """Name the encoding of an undeclared page."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > len(body) - 4 or _nearly_utf8(body):
            return "utf-8"
    else:
        return "utf-8"
    sample = _NOT_TEXT.sub(b" ", body[:_SAMPLE_BYTES]) or body[:_SAMPLE_BYTES]
    return _multi_byte(sample) or _single_byte(sample)


def _nearly_utf8(body: bytes) -> bool:
    """Tell whether the page is UTF-8 with a few broken places, as where two sources were pasted together."""
    text = body[:_SAMPLE_BYTES].decode("utf-8", "replace")
    beyond = sum(1 for character in text if character > "\x7f")
    return text.count("\ufffd") * 20 < beyond


def _multi_byte(sample: bytes) -> str | None:
    best: tuple[float, str] | None = None
    for encoding, (common, least) in _COMMON.items():
        text = sample.decode(encoding, "replace")
        beyond = [character for character in text if character > "\x7f"]
        if not beyond or text.count("\ufffd") * 50 > len(beyond):
            continue
        share = sum(character in common for character in beyond) / len(beyond)
        if share >= least and (best is None or share / least > best[0]):
            best = (share / least, encoding)
    return best[1] if best else None


def _single_byte(sample: bytes) -> str:
    best, found = _LEAST_SHARE, "cp1252"
    for encoding, alphabets in _ALPHABETS.items():
        text = sample.decode(encoding, "replace")
        beyond = [character for character in text if character > "\x7f" and character not in "\xa0\xad–—…"]
        if not beyond:
            continue
        for alphabet in alphabets:
            share = sum(
                (character in alphabet) + 0.8 * (character.lower() in alphabet and character not in alphabet)
                for character in beyond
            )
            share /= len(beyond)
            if len(alphabet) > _WHOLE_SCRIPT:
                share *= 0.6 + min(0.4, sum(character.lower() in alphabet[:9] for character in beyond) / len(beyond))
            if share > best + 0.001:
                best, found = share, encoding
    return found
