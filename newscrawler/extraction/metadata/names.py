"""From bylines to the names in them.

A name is the rest of a byline without "By" words, roles, places, photo credits, handles and dates. People and agencies ("ČTK",
"PAP", "dpa", "Redaktion") are names; a mere role ("Senior reporter") is not. A declared text is a name unless something speaks
against it. In a line that it shows, a name must be written as one: words with a capital, particles between them, or a script
without capitals. Where it is not clear where a name ends, there is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import filterfalse, pairwise, takewhile

from newscrawler.extraction.body.cues import is_name_alone
from newscrawler.extraction.dates.calendar import find_month
from newscrawler.extraction.dates.relative_dates import is_time_ago
from newscrawler.extraction.dates.text_dates import WORD
from newscrawler.languages import alternatives, compile_late, one_of, pattern, words
from newscrawler.page import clean_text, is_template_value, may_be_eastern_name

_INTRODUCING = ("by", "by_others", "source")
#: A label of the names behind it; a colon may follow it, and must where more text precedes it.
_LABEL = compile_late(
    lambda: (
        r"\s*(?:(?P<by>{})|(?P<other>{})|(?P<source>{}))(?=[\s:：＝=/／・｜&+]|$)(?P<end>\s*[:：＝=/／・｜](?!\w*//)\s*|\s+|$)?".format(
            *map(alternatives, _INTRODUCING)
        )
    ),
    re.IGNORECASE,
)
_WORD_WITHIN = re.compile(r"(?<=[\s,;|(])[^\s,;|(]")
_CREDITED = compile_late(lambda: rf"{alternatives('credited')}\s+{alternatives('whose')}\b", re.IGNORECASE)
#: "Text und Fotos:", "Words & photos by": one label of who did both.
_JOINT = compile_late(lambda: rf"\s*(?:{alternatives('and')}|[&+/])\s*(?=\S)", re.IGNORECASE)
_MAY_LABEL = re.compile(r"[:：=＝｜]|\bby\b", re.IGNORECASE)
#: Words that are cut off the front of a name.
_BY = compile_late(lambda: rf"^{alternatives('byline_prefixes')}(?=[\s:：/]|$)\s*[:：/]?\s*", re.IGNORECASE)
#: The first words of labels, so that other texts need not be tried.
_FIRST_WORD = re.compile(r"[^\W_]+")
_LABELS_BEGIN = frozenset(first[0] for topic in _INTRODUCING for label in words(topic) if (first := _FIRST_WORD.match(label)))
#: The interviewed person in the byline of an interview: "Interview von Eugen Zentner mit Sonja Silberhorn".
_INTERVIEWED = compile_late(
    lambda: rf"\b({alternatives('interview_labels')}\b.*?)\s+{alternatives('interviewed_with')}\s.*$", re.IGNORECASE
)
_BETWEEN = compile_late(
    lambda: (
        r"\s*(?:[;|•·\n／、，،]|\s[–—-]\s|/(?![/a-z])|(?<![/a-z])/(?!/)|(?<=[^\W\d_]{3})\.\s+(?=[^\W\d_]))\s*"
        rf"|\s+(?:{alternatives('and', 'with')}|[&+])\s+(?![a-zß-öø-ž]+\s[a-zß-öø-ž])|\s*,\s*(?:(?:{alternatives('and')}|&)\s+)?"
    )
)
_MAY_PART = re.compile(r"[;|•·\n／、，،/,&+.–—-]|\s\S{1,5}\s")
#: "and" in Hebrew and Arabic, written as one with the next word.
_JOINED_AND = compile_late(lambda: rf"^(\S+ \S+) {alternatives('and_joined')}(\S+ \S+)$")
#: A role, with or without adjectives, or the desk of a newsroom; and those that are written as one with a name.
_ROLE = compile_late(
    lambda: rf"^(?:{alternatives('role_adjectives')}[\s-]*)*{alternatives('roles', 'desks', extent='all')}$", re.IGNORECASE
)
_JOINED_ROLE = compile_late(
    lambda: rf"^(?:[\u4e00-\u9fff]{{0,4}}{alternatives('roles_before_name')})+\s*|\s*{alternatives('roles_behind_name')}$"
)
_CREDIT = compile_late(lambda: rf"\b{alternatives('credit_words')}\b|©|📷", re.IGNORECASE)
_CLOSING = re.compile(r"\s*[(\[（][^()\[\]（）]{0,40}[)\]）]?\s*$")
_CONTACT = re.compile(r"[\w.+-]{1,64}(?:@|\[at\])[\w-]{1,64}\.[\w.-]{1,64}|(?:^|(?<=\s))@\w{2,30}")
_ADDRESS = re.compile(r"https?://|www\.|^/|\.(?:html?|php|aspx)\b", re.IGNORECASE)
_DATE_LIKE = re.compile(r"\b(?:19|20)\d\d\b|\d{3,}|\d(?:[:.]| ?h ?)\d\d|\b\d+\s*min\b", re.IGNORECASE)
#: The time that a text takes to read.
_DURATION = compile_late(lambda: rf"(?<!\d)\d{{1,3}}[\s-]?{alternatives('reading_time', extent='all')}(?!\w)", re.IGNORECASE)
#: A word with a number, perhaps a month with a day of it: "25 de febrero", "Feb 25".
_DAYS_OF_MONTHS = (
    re.compile(rf"(?<!\w)\d{{1,2}}\W{{0,3}}(?:de |d[’'])?({WORD})(?!\w)", re.IGNORECASE),
    re.compile(rf"(?<!\w)({WORD})\.?\s?\d{{1,2}}(?!\w)"),
)
_NO_SINGLE = re.compile(r"[\d:：]")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")
_TURNED = re.compile(r"\s*([^\W\d_][\w'’.-]{1,30})\s*,\s*([^\W\d_][\w'’.-]{1,30})\s*")
_WRAPPING = " ,;:|-–—•·*\"'“”„«»()[]【】『』「」/\\→←"
#: Hebrew and Arabic, the scripts of India, Thai and Lao, Georgian, Khmer.
#: Names of three signs; two words of two may be a Japanese name.
_CHINESE = re.compile(r"[\u4e00-\u9fff]{3}(?:\s[\u4e00-\u9fff]{3})+")
_WITHOUT_CAPITALS = re.compile(r"[\u0590-\u08ff\u0900-\u0eff\u10a0-\u10ff\u1780-\u17ff]")
#: Other words near a byline; a text with one of these is not a name. In Chinese and Japanese they are as long as a name.
_NO_NAMES, _BESIDE_EASTERN = words("no_names"), words("beside_eastern_names")
_REPORTS = tuple(sorted(words("report_marks")))
_LABELS_ALONE = words("nobody").union(
    *map(words, ("published", "modified", "days_back", "weekdays", "comments", "share", "sign_in", "reply", "read_also"))
)
_PARTICLES, _ADJECTIVES = words("name_particles"), words("role_adjectives")
#: Days and months in the languages that set them in capitals; days of the week of others, some of which are surnames, too.
_CAPITAL_DAYS = words("capital_days")
_DAYS = _CAPITAL_DAYS | words("weekdays")
#: A label in a language that has no word for it in the files.
_UNKNOWN_LABEL = re.compile(r"\s*[^\W\d_][^\s:：]{1,12}\s?[:：]\s*(\S+\s\S[^:：]*)")
#: A day of the week of several words behind a name, and the date: "Lê Quang Vinh Thứ ba, 26/11".
_DAY_BEHIND = compile_late(
    lambda: rf"(?<=\w)\s+{one_of((day for day in words('weekdays') if ' ' in day), 'words')}\W+\d.*$", re.IGNORECASE
)
_LONGEST_MARKED = 60
TEMPLATE_VALUE = "a variable of a template that nothing was put in for"
_MOST_SHOWN = 5


def find_names(text: str | None, *, split: bool = True) -> list[str]:
    """Return the names in a declared byline, in its order."""
    text = clean_text(text) if text and len(text) <= 400 else None  # longer ones are texts
    if text is None:
        return []
    if split and (turned := _TURNED.fullmatch(text)) and _is_turned(*turned.groups()):
        return [f"{turned[2]} {turned[1]}"]
    return _read(text, clean_name) if split else [name for name in [clean_name(text)] if name]


def find_shown_names(text: str | None, *, single: bool = False) -> list[str]:
    """Return the names in a shown line, in its order; `single`: one word may be a name, as the markup says that it is one."""
    if not text or len(text) > 160:  # longer lines are text
        return []
    text = (_INTERVIEWED.sub(r"\g<1>", text) if len(text) > 35 else text).strip()  # a shorter one has one name
    text = _DAY_BEHIND.sub("", text) if _DIGIT.search(text) else text
    if text[:1] == "(" and text[-1:] == ")":
        inner = [piece.strip() for piece in text[1:-1].split(",")]
        if all(re.match(r"[^\W\d_]{2,5}$", piece) or is_office(piece) for piece in inner):
            return inner
    return _read(text, partial(_read_written_name, single=single))


def find_marked_names(text: str | None) -> list[str]:
    """Return the names in a text that the markup calls the authors': a single word may be one, and so may a team's name."""
    if text and _DIGIT.search(text) and len(text) <= _LONGEST_MARKED and (is_time_ago(text) or _DURATION.match(text.strip())):
        return []
    if text and (unknown := _UNKNOWN_LABEL.fullmatch(text)) and _match_label(text) is None:
        text = unknown[1]
    if found := find_shown_names(text, single=True):
        return found
    given = find_names(text) if text and len(text) <= _LONGEST_MARKED else []
    return [name for name in given if name.lower().split()[0] not in _NO_NAMES]


def consists_of_names(line: str) -> bool:
    """Return whether a line is several full names, and what joins them."""
    names = find_shown_names(line)
    return len(names) > 1 and all(map(is_name_alone, names)) and 4 * sum(map(len, names)) >= 3 * len(line)


def get_text_behind_label(line: str) -> str | None:
    """Return the text behind the word that introduces the authors; "" if nothing follows, None if there is no such word."""
    match = _match_label(line)
    said = line[match.end() :] if match and match["by"] is not None else None
    return None if said == "" and line.strip().casefold() in words("kinds_of_text") else said


def get_text_behind_label_within(line: str) -> str | None:
    """Return the text behind the first word within a line that introduces the authors, with a colon; None without one."""
    labels = _find_labels_within(line) if ":" in line or "\uff1a" in line else ()
    return next(filter(None, (get_text_behind_label(line[start:]) for start in labels)), None)


def is_introduction(text: str) -> bool:
    """Return whether a line can introduce the authors, by its first word."""
    first = _FIRST_WORD.search(text)
    return first is not None and first[0].lower() in _LABELS_BEGIN


def has_label_within(line: str) -> bool:
    """Return whether a label within a line, with a colon, introduces names."""
    return ":" in line and any(_find_labels_within(line))


def read_single_name(text: str) -> list[str]:
    """Return the name behind a word like "By" if it is a single word, or words with capitals: a team, a pseudonym."""
    name = clean_name(text.split("\n", maxsplit=1)[0])
    said = name.split() if name and not is_office(name) else []
    if not said or len(said) > _MOST_SHOWN or any(map(_NO_SINGLE.search, said)) or _is_role(said[0]):
        return []
    is_written = not any(word[:1].islower() and word.lower() not in _PARTICLES for word in said[1:])
    return [name] if name and is_written and not all(map(_is_no_single_name, said)) else []


def fold_name(name: str) -> str:
    """Return a name without regard to case and spacing, to compare it with others."""
    return _fold("".join(name.split()))


def is_office(name: str) -> bool:
    """Return whether a name is that of an agency or an editorial office, in any of the languages."""
    return name.casefold() in words("agencies") or name.casefold() in words("offices")


@lru_cache(maxsize=2048)  # bylines are read by pieces and as a whole, in several elements
def clean_name(text: str | None) -> str | None:
    """Return a name without surrounding words; None for a text that is not a name."""
    name = _strip(text)
    return None if _find_fault(name, text) else name


def explain_no_name(text: str) -> str:
    """Return why a text is not a name."""
    return _find_fault(_strip(text), text) or "not written as a name"


def _strip(text: str | None) -> str:
    name = _BY.sub("", _BY.sub("", " ".join((text or "").split())))
    name = name if name.isascii() else _JOINED_ROLE.sub("", name)
    name = (_CLOSING.sub("", name) if "(" in name or "[" in name or "（" in name else name).strip(_WRAPPING)
    return name if name.isascii() else _cut_eastern_office(name)


def _find_fault(name: str, text: str | None) -> str | None:
    """Return why a stripped text is not a name; None if it may be one."""
    if is_template_value(" ".join((text or "").split())):
        return TEMPLATE_VALUE
    if not name:
        return "a label, no name"
    if _ADDRESS.search(name):
        return "an address, no name"
    if _DATE_LIKE.search(name) or (_DIGIT.search(name) and (_is_day(name) or is_time_ago(name) or _DURATION.search(name))):
        return "a day or a number, no name"
    if not 2 <= len(name) <= 80 or not _LETTER.search(name):
        return "too short or too long for a name"
    if _fold(name) in _LABELS_ALONE or _ROLE.match(name) or _LABELS_ALONE.issuperset(_fold(name).split()):
        return "a role or a label, no name"
    if _CREDIT.search(name):
        return "a credit, no author"
    many = len(name.split())
    return "a sentence, no name" if many > 7 or (name[-1] == "." and many > _MOST_SHOWN - 1) else None


def _cut_eastern_office(name: str) -> str:
    """Return a Chinese, Japanese or Korean name without the office of its bearer: 王文 of "王文 大学院长"."""
    first, *rest = name.split(" ")
    if not rest or not may_be_eastern_name(first) or not _ROLE.match(rest[-1]):
        return name
    is_parted = len(first) < 3 and len(rest) > 1 and len(rest[0]) < 4 and not "\uac00" <= first[0] <= "\ud7af"
    return f"{first} {rest[0]}" if is_parted else first


def _fold(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text.casefold())


def _is_day(text: str) -> bool:
    """Return whether a text is a day of a month and at most a label before it: "Feb 25", "Updated February 25"."""
    rest = text
    for form in _DAYS_OF_MONTHS:
        rest = form.sub(lambda match: "" if find_month(match[1]) else match[0], rest)
    if rest == text:
        return False
    rest = rest.strip(_WRAPPING).lower()
    return not rest or rest in _DAYS or (rest.count(" ") <= 1 and pattern("modified", "published").search(rest) is not None)


def merge_names(names: Iterable[str]) -> tuple[str, ...]:
    """Keep each name once, in order, whatever its letters' case, accents kept."""
    found: dict[str, str] = {}
    for name in names:
        if key := re.sub(r"[\W_]+", "", name.casefold()):
            found.setdefault(key, name)
    return tuple(found.values())


def _read(text: str, read_name: Callable[[str], str | None]) -> list[str]:
    """Return the names in a line, each made by a function of one part of it."""
    text = _CONTACT.sub(" ", text) if "@" in text or "[at]" in text else text
    found: list[str] = []
    for kind, segment in _split_segments(text):
        said = segment if segment.isascii() else _JOINED_AND.sub(r"\g<1>, \g<2>", segment.strip())
        parts = said.split() if _CHINESE.fullmatch(said.strip()) else _BETWEEN.split(said) if _MAY_PART.search(said) else (said,)
        names = filter(None, map(read_name, filter(None, filterfalse(_did_others, parts) if "(" in said else parts)))
        found += names if kind == "by" else filter(is_office, names)
    # with a full name, a single word is a place, a rubric or a nickname
    is_full = any(" " in name or may_be_eastern_name(name) for name in found)
    return [name for name in found if " " in name or is_office(name) or may_be_eastern_name(name)] if is_full else found


def _match_label(text: str, position: int = 0) -> re.Match[str] | None:
    first = _FIRST_WORD.search(text, position)
    match = _LABEL.match(text, position) if first is not None and first[0].lower() in _LABELS_BEGIN else None
    return match if match is not None and match["end"] is not None else None


def _find_labels_within(line: str) -> Iterator[int]:
    """Yield where the labels with a colon, and words such as "credited to", begin within a line."""
    end = 0
    for word in _WORD_WITHIN.finditer(line):
        if word.start() >= end:
            label = _match_label(line, word.start())
            found = (
                label
                if label is not None and label["end"].lstrip()[:1] in {":", "：", "=", "＝", "｜"}
                else _CREDITED.match(line, word.start())
            )
            if found is not None:
                end = found.end()
                yield word.start()


def _cut_joint_label(line: str) -> str:
    """Return "Text: …" of "Text und Fotos: …"."""
    label = _LABEL.match(line)
    if label is None or label["by"] is None or (joint := _JOINT.match(line, label.end("by"))) is None:
        return line
    other = _LABEL.match(line, joint.end())
    is_label = other is not None and other["other"] is not None and line[other.end("other") :].lstrip()[:1] in {":", "："}
    if other is None or other["other"] is None or not (is_label or line[other.end("other") :][:1].isspace()):
        return line
    return label["by"] + line[other.end("other") :]


def _did_others(part: str) -> bool:
    # behind a name, in brackets: the work of somebody else
    match = re.search(r"\(\s*([^()]*)\)\s*$", part)
    work = pattern("by_others", "photo", "credit_words", extent="anywhere").match(match[1].lower()) if match else None
    return match is not None and work is not None and len(match[1]) - work.end() <= 20  # a label of two or three words


def _split_segments(text: str) -> Iterator[tuple[str, str]]:
    """Split a line at its labels: ("by", names), ("source", names of agencies); names of other contributors are left out."""
    for line in text.split("\n"):
        line = _cut_joint_label(line) if is_introduction(line) else line  # noqa: PLW2901
        within = _find_labels_within(line) if _MAY_LABEL.search(line) else ()
        for start, end in pairwise([0, *within, len(line)]):
            said, kind = line[start:end], "by"
            while match := _match_label(said):
                kind = "other" if match["other"] else "source" if match["source"] else kind
                said = said[match.end() :]
            if kind != "other":
                yield kind, said


def _is_turned(last: str, first: str) -> bool:
    """Return whether a name is turned: "Müller, Hans", not "Müller, dpa"."""
    return last.istitle() and not (first.islower() or first.isupper() or _ROLE.match(first) or is_office(first) or is_office(last))


@lru_cache(maxsize=2048)
def _read_written_name(part: str, *, single: bool) -> str | None:
    """Return the name that one part of a line gives; None where it gives none, or it is not clear where the name ends."""
    part = part.strip(_WRAPPING)
    is_time = _DIGIT.search(part) is not None and _DURATION.search(part) is not None
    if _DIGIT.search(part) and _is_day(part):
        return None
    if is_office(part) or (single and " " not in part and _DIGIT.search(part)):
        return part if is_office(part) else clean_name(part)
    cleaned = part if _DIGIT.search(part) else clean_name(part.rpartition("=")[2])
    if cleaned is None or may_be_eastern_name(cleaned):
        return cleaned if cleaned not in _BESIDE_EASTERN and not (cleaned or "").endswith(_REPORTS) else None
    kept = _select_words(_CLOSING.sub("", cleaned).split())
    if is_time and (len(kept) < 2 or not kept[0][:1].isupper()):
        return None
    name = clean_name(" ".join(kept))
    return name if name is not None and _is_name(name, kept, single=single) else None


def _is_name(name: str, said: list[str], *, single: bool) -> bool:
    """Return whether words make a name."""
    if said[0].lower() in words("no_first_names") or name[-1] in "!?" or name in _BESIDE_EASTERN:
        return False
    if any(word.lower().strip(".,:") in _NO_NAMES or word[-1] == ":" for word in said):
        return False
    if is_office(name) or (len(said) <= 3 and may_be_eastern_name("".join(said))):
        return True
    return single and not _is_no_single_name(name) if len(said) == 1 else _is_written_as_one(said)


def _select_words(said: list[str]) -> list[str]:
    """Return the words of a name, without a role before or behind it; none if it is not clear where the name ends."""
    before = list(takewhile(lambda word: word.lower() in _ADJECTIVES or _is_role(word), said))
    said = said[len(before) :] if any(map(_is_role, before)) else said
    kept = list(takewhile(_is_of_name, said))
    rest = said[len(kept) :]
    if rest and _is_role(rest[0]):
        while kept and kept[-1].lower() in _ADJECTIVES:
            kept.pop()
        kept = kept if len(kept) <= 3 else []  # more are words of a sentence
    if kept and rest and kept[-1][-1] == ":":
        return []  # "Article ID: 4711"
    while kept and _is_end_before(kept[-1].lower(), is_third=len(kept) > 2, goes_on=bool(rest)):
        kept.pop()
    if rest and not _DIGIT.search(rest[0]) and len(kept) < 2:
        return []  # "Jane is", "Time to read"
    if kept and len(kept[-1].rstrip(".")) > 3:  # not the stop of "Jr."
        kept[-1] = kept[-1].rstrip(".")
    return kept


def _is_role(word: str) -> bool:
    return _ROLE.match(bare := word.strip(".,")) is not None and bare.lower() not in words("desks")


def _is_of_name(word: str) -> bool:
    """Return whether a word can be part of a name."""
    bare = word.strip(".,:'’()")
    is_small = bare[:1].islower() and bare.lower() not in _PARTICLES and "'" not in word and "’" not in word
    is_small = is_small and _WITHOUT_CAPITALS.match(bare) is None  # Georgian letters have capitals that no name is written with
    return not is_small and not _DIGIT.search(word) and not _is_role(word)


def _is_end_before(word: str, *, is_third: bool, goes_on: bool) -> bool:
    """Return whether a name ends before its last word: "Theresa May" is a name, "Jane Doe May 3" is one and a day."""
    bare = word.strip(".,:")
    return word in _PARTICLES or (is_third and bare in _DAYS) or (goes_on and bare in _CAPITAL_DAYS)


def _is_no_single_name(word: str) -> bool:
    return word.lower() in _CAPITAL_DAYS or word.lower() in _PARTICLES


def _is_written_as_one(said: list[str]) -> bool:
    """Return whether words are written as those of one name."""
    if len(said) > _MOST_SHOWN or said[0].lower() == "the":
        return False
    if any(map(_WITHOUT_CAPITALS.match, said)):
        return len(said) < _MOST_SHOWN
    capital = sum(word.strip("'’\"(").lower() not in _PARTICLES and any(map(str.isupper, word[:3])) for word in said)
    return capital > 1 and sum(word[:1].islower() for word in said) <= 3  # particles
