"""Names of reporters within the first and the last line of a Chinese, Japanese or Korean text.

Newspapers set them in brackets at the end, or behind the place at the beginning. A word for reporters tells them. Without one, a
Japanese name must begin with a surname, as editors put notes into brackets, too; a Chinese one is the editor's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from newscrawler.extraction.metadata.names import is_office
from newscrawler.languages import one_of, words

#: Characters at the beginning and the end of a text that are read.
_ENDS = 60
_BRACKETS = re.compile(r"[(\[\u3010\u3014]\s?([^()\[\]\u3010\u3011\u3014\u3015]{2,40}?)\s?[)\]\u3011\u3015]")
#: Before a signature at the end: the end of a sentence, or nothing.
_ENDED = re.compile(r"(?:^|[\u3002.!?\u300d\u300f\"\u201d\u2026])\s*$")
_HAN, _KANA = "\u3005\u4e00-\u9fff", "\u3040-\u30ff"
_EDITING = re.compile("[\u7de8\u7f16]")
#: Reporters, not editors.
_ROLES = one_of(word for code in ("ja", "zh") for word in words("roles_before_name", code) if not _EDITING.search(word))
_ROLE = re.compile(_ROLES)
_BEHIND = one_of(words("roles_behind_name", "ja") & words("roles_before_name", "ja"))
_OF_ROLE = re.compile(
    rf"(?:^|[\s=/{_HAN}])(?:{_ROLES}[:\s]*|(?<![{_HAN}]){one_of(words('signs'))}\s?[:/\u30fb]\s?)(?P<names>[{_HAN}{_KANA}][^()]*)"
)
#: Names that a place and a word for the report follow, written as one: 李小華台北報導.
_REPORTED = re.compile(rf"([{_HAN}]{{2,3}})[\s/]*[{_HAN}]{{2,5}}(?:\d{{1,2}}\u65e5)?{one_of(words('report_marks'))}$")
_NAME = re.compile(rf"[{_HAN}{_KANA}]{{2,5}}")
_PLACED = re.compile(rf"^[^=]{{1,12}}=\s?(?P<names>[{_HAN}{_KANA}\s、,]{{3,20}})$")
_JAPANESE = re.compile(rf"{one_of(words('surnames'))}\s?[{_HAN}{_KANA}]{{1,3}}")
#: Words for who took a picture, or drew it.
_PICTURED = words("by_others", "ja") | words("photo", "ja")
_NOTE_ENDS = tuple(sorted(words("bracket_notes")))
_KOREAN = re.compile(
    rf"(?:^|[\s\])=/(\[\u00b7])\s?(?P<name>(?:[\uac00-\ud7a3]{{3}}(?<![\ubd80\ud300\uad6d])[\u00b7,]\s?)*[\uac00-\ud7a3]{{2,4}})\s?"
    rf"{one_of(words('roles_behind_name', 'ko'))}(?=[\s\])=/.,|\u00b7]|$)"
)
_PARTS, _BLANKS = re.compile(r"\s?[、,/\u30fb\u00b7=]\s?"), re.compile(r"[、,/\s]+")


#: A line that only names reporters, and where they can be reached.
_LINE_OF_ROLE = re.compile(rf"[{_HAN}]{{0,6}}?{_ROLES}[:\s]+[{_HAN}\s、,]{{2,30}}")
_LINE_BEHIND = re.compile(rf"(?P<name>[{_HAN}{_KANA}]{{3,6}})\s?{_BEHIND}")
_LINE_KOREAN = re.compile(rf"(?:[\uac00-\ud7a3]{{2,8}})??{_KOREAN.pattern}[\s(]*(?:[\w.+-]+@[\w.-]+)?\)?")


def find_signatures(lines: Sequence[str], bylines: Sequence[str] = ()) -> list[str]:
    """Return the reporters who are named within the first and the last line of a text, or in a line with nothing else.

    `bylines`: lines near the headline, which count only if they name nothing else.
    """
    begins = (unicodedata.normalize("NFKC", line[:_ENDS].strip()) for line in (lines if len(lines) < 2 else lines[:-1]))
    ends = unicodedata.normalize("NFKC", lines[-1][-_ENDS:].strip())
    found = [*(name for line in begins for name in _read_beginning(line)), *_read_end(ends)]
    for line in (unicodedata.normalize("NFKC", line.strip()) for line in lines if len(line) <= _ENDS):
        found += _read_line(line) or _read_end(line)
    for line in bylines:
        found += _read_line(unicodedata.normalize("NFKC", line.strip(" |\u00b7,")))
    return list(dict.fromkeys(found))


def _read_line(line: str) -> list[str]:
    """Return the names in a line that consists of them and a word for reporters."""
    if _LINE_OF_ROLE.fullmatch(line):
        return _read_role(line)
    match = _LINE_KOREAN.fullmatch(line) or _LINE_BEHIND.fullmatch(line)
    return _PARTS.split(match["name"]) if match and not match["name"].endswith(_NOTE_ENDS) else []


def _read_beginning(text: str) -> Iterator[str]:
    """Yield the names in the dateline with which a text begins."""
    if (match := _BRACKETS.search(text)) and match.start() <= 22:  # as in a dateline
        yield from _read_role(match[1]) or _read_placed(match[1], is_dateline=match.start() == 0)
        yield from (name for each in _KOREAN.finditer(match[1]) for name in _PARTS.split(each["name"]))
        if (behind := _KOREAN.match(text, match.end() - 1)) and text[behind.end() :].lstrip()[:1] == "=":
            yield from _PARTS.split(behind["name"])


def _read_end(text: str) -> Iterator[str]:
    """Yield the names with which a text ends, in brackets or, in Korean, behind its last sentence."""
    found = list(_BRACKETS.finditer(text))
    if found and not text[found[-1].end() :].strip() and _ENDED.search(text[: found[-1].start()]):
        said = found[-1][1]
        yield from _read_role(said) or _read_placed(said) or _read_bare(said)
    for match in _KOREAN.finditer(text):
        before, behind = text[: match.start("name")], text[match.end() :]
        if (
            "@" not in before
            and not re.search(r"[\uac00-\ud7a3]{2}", behind)
            and re.search(r"[.?!\u3002\"\u201d][^.]{0,12}$", before)
        ):
            yield from _PARTS.split(match["name"])


def _read_role(text: str) -> list[str]:
    """Return the names behind a word for reporters, or before one."""
    if match := _OF_ROLE.search(text):
        said = match["names"].strip()
        if reported := _REPORTED.match(said):
            return [reported[1]]
        names = [name for name in _BLANKS.split(said) if name and not name.endswith(_NOTE_ENDS) and not _ROLE.fullmatch(name)]
        return names if names and all(map(_NAME.fullmatch, names)) else []
    match = re.fullmatch(rf"(?:[^=/\u30fb]*[=/\u30fb])?\s?(?P<name>[{_HAN}{_KANA}]{{2,6}})\s?{_BEHIND}", text)
    return [match["name"]] if match else []


def _read_placed(text: str, *, is_dateline: bool = False) -> list[str]:
    """Return the names behind a place and a sign that parts the two."""
    if match := _PLACED.match(text):
        names = [name.strip() for name in _PARTS.split(match["names"])]
        return names if not any(len(name) < 3 or is_office(name) or name.endswith(_NOTE_ENDS) for name in names) else []
    return _read_bare(text) if is_dateline and _PARTS.search(text) else []


def _read_bare(text: str) -> list[str]:
    """Return the Japanese names that begin with a surname; a desk or a place may stand before them."""
    parts = _PARTS.split(text)
    if parts[0] in _PICTURED:
        return []
    names = [part for part in parts if _is_name(part)]
    return names if len(names) >= max(len(parts) - 1, 1) and (names == parts or names == parts[1:]) else []


def _is_name(text: str) -> bool:
    return not text.endswith(_NOTE_ENDS) and _JAPANESE.fullmatch(text) is not None
