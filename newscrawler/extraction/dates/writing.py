"""Texts of any script in the form that the patterns of dates expect."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from newscrawler.languages import alternatives, one_of, table, words

_CHINESE_DIGITS = "〇一二三四五六七八九零"
_CHINESE_NUMBER = re.compile(r"(?:[〇零一二三四五六七八九]{4}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=[年月日])")
#: Eras of Japan: the year before the first of each.
_ERAS = {name: int(year) for year, names in table("eras").items() for name in names}
_ERA = re.compile(rf"({one_of(_ERAS)})\s?(\d{{1,2}}|元)\s?年")
#: Thai months in short, dotted; the mark of an era before a year; and a year of the Buddhist era (2550 to 2579) in two digits.
_THAI_SHORT = re.compile(r"(?<![\u0e00-\u0e7f])(มี|เม|มิ|[มกพสตธ])\.\s?([คพย])\.?(?![\u0e00-\u0e7f])")
_ARABIC = re.compile("[\u0600-\u06ff]")
_THAI = re.compile("[\u0e00-\u0e7f]")
_THAI_ERA = re.compile(r"[พค]\.\s?ศ\.?\s?(?=\d{4})")
_THAI_YEAR = re.compile(rf"(\d\s?{alternatives('months', language='th')}\s{{0,2}})([5-7]\d)(?![\d.:])")
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
    if _ARABIC.search(text):
        text = _months_of_two_words()[0].sub(lambda m: _months_of_two_words()[1][m.group().replace(" ", "")], text)
    if _THAI.search(text):
        text = _THAI_YEAR.sub(r"\g<1>25\2", _THAI_ERA.sub("", _THAI_SHORT.sub(r"\1\2 ", text)))
    if "年" in text:
        text = _CHINESE_NUMBER.sub(_in_digits, text)
        text = _ERA.sub(lambda m: f"{_ERAS[m[1]] + (1 if m[2] == '元' else int(m[2]))}年", text)
    return " ".join(text.split())


@cache
def _months_of_two_words() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds names of months with a blank in them, and for each, without the blank, one without it."""
    single: dict[str, str] = {}
    for names in table("months", "ar").values():
        plain = min((name for name in names if " " not in name), key=lambda name: (len(name), name))
        single.update((name.replace(" ", ""), plain) for name in names if " " in name)
    return re.compile(one_of(name for name in words("months", "ar") if " " in name).replace(r"\ ", r"\s?")), single


def _in_digits(match: re.Match[str]) -> str:
    """Write 二〇二六 as 2026 and 二十一 as 21."""
    number = match.group()
    if "十" not in number:
        return "".join(str(_CHINESE_DIGITS.index(c) % 10) for c in number)
    tens, _, ones = number.partition("十")
    return str(10 * (_CHINESE_DIGITS.index(tens) if tens else 1) + (_CHINESE_DIGITS.index(ones) if ones else 0))
