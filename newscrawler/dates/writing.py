"""Texts of any script in the form that the patterns of dates expect."""

from __future__ import annotations

import re
import unicodedata

_NAMED_DAYS = re.compile(r"كانون\s?الثاني|تشرين\s?الأول|تشرين\s?الاول|تشرين\s?الثاني|كانون\s?الأول|كانون\s?الاول")
_LEVANT = {"كانون الثاني": "يناير", "تشرين الأول": "أكتوبر", "تشرين الاول": "أكتوبر", "تشرين الثاني": "نوفمبر",
           "كانون الأول": "ديسمبر", "كانون الاول": "ديسمبر"}  # fmt: skip
_CHINESE_DIGITS = "〇一二三四五六七八九零"
_CHINESE_NUMBER = re.compile(r"(?:[〇零一二三四五六七八九]{4}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=[年月日])")
_ERA = re.compile(r"(令和|平成)\s?(\d{1,2}|元)\s?年")
#: Thai months in short, dotted; the mark of an era before a year; and a year of the Buddhist era (2550 to 2579) in two digits.
_THAI_SHORT = re.compile(r"(?<![\u0e00-\u0e7f])(มี|เม|มิ|[มกพสตธ])\.\s?([คพย])\.?(?![\u0e00-\u0e7f])")
_THAI = re.compile("[\u0e00-\u0e7f]")
_THAI_ERA = re.compile(r"[พค]\.\s?ศ\.?\s?(?=\d{4})")
_THAI_MONTH = (
    "(?:มกรา|มีนา|พฤษภา|กรกฎา|สิงหา|ตุลา|ธันวา)(?:คม)?|(?:เมษา|มิถุนา|กันยา|พฤศจิกา)(?:ยน)?|กุมภา(?:พันธ์)?|[มกสตธพ]ค|มีค|กพ|[มกพ]ย|เมย|มิย"
)
_THAI_YEAR = re.compile(rf"(\d\s?(?:{_THAI_MONTH})\s{{0,2}})([5-7]\d)(?![\d.:])")
#: Anything but Latin, Greek and Cyrillic: only there digits, blanks and marks need another form.
_OTHER_SCRIPT = re.compile(r"[^\x00-\u02af\u0370-\u0482\u048a-\u052f\u2010-\u201f\u2022\u2026]")


def fold(text: str) -> str:
    """Take the accents off."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)))


def tidy(text: str) -> str:
    """Bring digits, blanks and signs of any script into the form that the patterns expect."""
    if not _OTHER_SCRIPT.search(text):
        return " ".join(text.split())
    text = unicodedata.normalize("NFKC", text).replace("،", ",")
    text = "".join(
        str(unicodedata.digit(c, c)) if c.isdigit() else c for c in text if c == "\u200c" or unicodedata.category(c) != "Cf"
    )
    if "ا" in text:
        text = _NAMED_DAYS.sub(
            lambda m: _LEVANT[" ".join(m.group().replace("كانون", "كانون ").replace("تشرين", "تشرين ").split())], text
        )
    if _THAI.search(text):
        text = _THAI_YEAR.sub(r"\g<1>25\2", _THAI_ERA.sub("", _THAI_SHORT.sub(r"\1\2 ", text)))
    if "年" in text:
        text = _CHINESE_NUMBER.sub(_in_digits, text)
        text = _ERA.sub(lambda m: f"{(2018 if m[1] == '令和' else 1988) + (1 if m[2] == '元' else int(m[2]))}年", text)
    return " ".join(text.split())


def _in_digits(match: re.Match[str]) -> str:
    """Write 二〇二六 as 2026 and 二十一 as 21."""
    number = match.group()
    if "十" not in number:
        return "".join(str(_CHINESE_DIGITS.index(c) % 10) for c in number)
    tens, _, ones = number.partition("十")
    return str(10 * (_CHINESE_DIGITS.index(tens) if tens else 1) + (_CHINESE_DIGITS.index(ones) if ones else 0))
