"""The language of a text, told by its script and by its commonest words, offline.

Fifty words a language suffice for texts of a few sentences; shared words count for both languages. Short texts, and
texts without a clear winner, are left undecided.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from newscrawler.languages import languages, words

#: Characters that are looked at.
_LONGEST_SAMPLE = 1500
_LEAST_WORDS = 8
#: The winner must have this share of the words, and this much more than the next.
_LEAST_SHARE, _LEAST_LEAD = 0.08, 1.12
#: Against a stated language whose words are not known, the winner must have this share.
_SURE_SHARE = 0.25
#: From this share of the winner's words on, the language that the page states is believed.
_BENEFIT = 0.75

#: Scripts of a single language, as ranges of their letters.
_SCRIPTS = {
    "he": "\u05d0-\u05ea", "ko": "\uac00-\ud7af", "ja": "\u3040-\u30ff", "zh": "\u4e00-\u9fff", "th": "\u0e01-\u0e2e",
    "ka": "\u10d0-\u10ff", "hy": "\u0561-\u0587", "bn": "\u0985-\u09b9", "ta": "\u0b85-\u0bb9", "te": "\u0c05-\u0c39",
    "kn": "\u0c85-\u0cb9", "ml": "\u0d05-\u0d39", "gu": "\u0a85-\u0ab9", "pa": "\u0a05-\u0a39", "si": "\u0d85-\u0dc6",
    "km": "\u1780-\u17b3", "my": "\u1000-\u102a", "am": "\u1200-\u137f",
}  # fmt: skip
_WORDS = re.compile(r"[^\W\d_]+(?:[\u0900-\u0903\u093a-\u094f][^\W\d_]*)*")
_LETTERS = "".join(re.findall(r"[^\W\d_]", "".join(map(chr, range(0x530)))))
#: The same where letters are Latin, Greek or Cyrillic; listed, they are found twice as fast.
_WESTERN_WORDS = re.compile(f"[{_LETTERS}]+")
_COMMON = {code: own for code in languages() if (own := words("common", code))}
#: Common words by language, the best known first, which goes first where two languages are told equally; languages by common word.
_OWN = dict(sorted(_COMMON.items(), key=lambda entry: -len(entry[1])))
_SPOKEN: dict[str, list[str]] = {}
for _code, _own in _OWN.items():
    for _word in _own:
        _SPOKEN.setdefault(_word, []).append(_code)
#: Codes that mean the same language, or one that the detector does not part from another.
_SAME = (
    {"no", "nb", "nn"}, {"hr", "bs", "sr", "sh"}, {"id", "ms"}, {"tl", "fil"}, {"he", "iw"}, {"da", "no", "nb"}, {"gl", "pt"},
    {"zh", "yue"},
)  # fmt: skip


def detect_language(text: str, stated: str | None = None) -> str | None:
    """Return the two-letter code of the language of a text; None where it is too short or too mixed.

    `stated`: the language that the page states, which has the benefit of the doubt.
    """
    said: list[str] = []
    # the beginning mostly shows the language that is stated
    for length in (500, _LONGEST_SAMPLE) if stated else (_LONGEST_SAMPLE,):
        sample = text[:length].lower()
        western = sample.isascii() or all(map(_is_western, set(sample)))
        by_script = None if western else _detect_by_script(sample)
        if by_script is not None and (by_script == stated or length == _LONGEST_SAMPLE):
            return by_script
        said = (_WESTERN_WORDS if western else _WORDS).findall(sample)
        if len(said) >= _LEAST_WORDS and stated in _OWN and _has_common_words(stated, said):
            return stated
    return _choose_by_words(said, stated) if len(said) >= _LEAST_WORDS else None


def _choose_by_words(said: Sequence[str], stated: str | None) -> str | None:
    """Return the language with the most common words in a text; None if none is clearly ahead."""
    found = Counter(chain.from_iterable(_SPOKEN[word] for word in said if word in _SPOKEN))
    best = found.most_common(2)
    is_unknown = stated is not None and stated not in _OWN and stated not in _SCRIPTS  # its words count for its relatives
    if not best or best[0][1] < (_SURE_SHARE if is_unknown else _LEAST_SHARE) * len(said):
        return None
    if stated is not None and found[stated] >= _BENEFIT * best[0][1]:
        return stated
    if len(best) > 1 and best[0][1] < _LEAST_LEAD * best[1][1] and not is_same_language(best[0][0], best[1][0]):
        return None
    return best[0][0]


def _has_common_words(language: str, said: Sequence[str]) -> bool:
    """Return whether no other language can have more words of a text than this one: nearly all that any has are its."""
    own, known = sum(map(_OWN[language].__contains__, said)), sum(map(_SPOKEN.__contains__, said))
    return own >= _LEAST_SHARE * len(said) and own >= _BENEFIT * known


def _is_western(sign: str) -> bool:
    """Return whether a sign is used with Latin, Greek and Cyrillic letters: one of these, or punctuation."""
    return sign < "\u0530" or "\u2010" <= sign <= "\u203a"


def _detect_by_script(sample: str) -> str | None:
    """Return the language of a script that only one language uses; kana make Japanese of Chinese characters."""
    if sum("\u0530" <= sign <= "\u05ff" or sign >= "\u0980" for sign in sample) < 12:
        return None
    letters = sum(map(str.isalpha, sample))
    for language, letters_of_script in _SCRIPTS.items():
        count = len(re.findall(f"[{letters_of_script}]", sample))
        if count > (0.1 if language == "ja" else 0.4) * max(1, letters) and count >= 12:
            return language
    return None


def is_same_language(one: str, other: str) -> bool:
    """Return whether two codes name one language, or two that are not told apart."""
    return one == other or any(one in group and other in group for group in _SAME)


def choose_language(configured: str | None, declared: str | None, text: str) -> tuple[str | None, str | None]:
    """Choose between the configured language, the declared one and that of the body.

    Returns:
        The language, and the one detected in the body where that is another than the one declared or configured.
    """
    stated = configured or (declared if declared and re.match(r"(?:[a-z]{2}|fil|yue|ast|hsb|dsb|szl|ckb|kab)$", declared) else None)
    detected = detect_language(text, stated)
    if stated is None or detected is None:
        return stated or detected, None
    if is_same_language(stated, detected):
        return stated, None
    # templates that were never adapted declare "en"; the text itself is the better witness
    return (configured or detected), detected
