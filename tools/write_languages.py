#!/usr/bin/env python3
"""Write what the Unicode CLDR knows into the files of newscrawler/languages/data: tools/write_languages.py [CODE ...].

Names of months, days of the week, halves of the day and words for times ago come from CLDR, as the package Babel carries it. They
stand in each file under "cldr", which is written anew; what people wrote beside it stays, sorted. With codes, only these files are
written, and made where there are none.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any

from babel import localedata

DATA = Path(__file__).parents[1] / "newscrawler/languages/data"
#: CLDR has these languages under another code.
LOCALES = {"no": "nb", "tl": "fil", "sr": "sr_Cyrl"}
#: Languages whose other script has names of its own.
FURTHER = {"sr": ("sr_Latn",), "bs": ("bs_Cyrl",), "az": ("az_Cyrl",), "uz": ("uz_Cyrl",)}
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
#: A month of one word, and its least letters: shorter ones are words of other languages, too.
WORD, SHORTEST = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u0dff\u0e31-\u0e4e\u05f3'’-])*"), 3
#: Months in short that are among the commonest words of a dozen languages.
TOO_COMMON = frozenset({"pro"})


#: Scripts that part no words.
UNPARTED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\uffff]")
UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
#: "{0} days ago": an amount, its unit, and the word for the past, before or behind them.
AGO = re.compile(r"(?P<before>[^{}\d]*?)\s?\{0\}\s(?P<unit>\S+)(?:\s(?P<behind>[^{}\d]+))?")


def from_cldr(code: str) -> dict[str, Any]:
    """Return the lists and tables of a language: topic → words, or topic → key → words; empty where CLDR does not know it."""
    tables: dict[str, dict[str, set[str]]] = {}
    lists: dict[str, set[str]] = {}
    for name in (LOCALES.get(code, code), *FURTHER.get(code, ())):
        if not localedata.exists(name):
            continue
        # Babel writes what it resolves into data that all locales share
        data = localedata.LocaleDataDict(deepcopy(localedata.load(name)))
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, month in data["months"][context][width].items():
                    word = month.lower().rstrip(".")
                    if word not in TOO_COMMON and len(word) >= (SHORTEST if word.isascii() else 2) and WORD.fullmatch(word):
                        _add(tables, "months", str(number), word)
            for number, day in data["days"][context]["wide"].items():
                _add(tables, "weekdays", DAYS[number], day)
        for half in ("am", "pm"):
            for width in ("wide", "abbreviated"):
                _add(tables, "day_periods", half, data["day_periods"]["format"][width].get(half, ""))
        past = {unit: data.get("date_fields", {}).get(unit, {}).get("past", {}).values() for unit in UNITS}
        ago = [(unit, each) for unit in UNITS for each in map(AGO.fullmatch, map(str.lower, past[unit])) if each is not None]
        for unit, match in ago:
            word, before, behind = match.group("unit", "before", "behind")
            is_unit = all(word != each["unit"] or unit == other for other, each in ago)  # "siku 2 zilizopita": "days 2 past"
            if is_unit and (before or behind) and not UNPARTED.search(word):
                _add(tables, "units", unit, word)
                lists.setdefault(f"ago_{'behind' if behind else 'before'}", set()).add(behind or before)
    found = {topic: {key: sorted(words) for key, words in table.items()} for topic, table in tables.items()}
    return found | {topic: sorted(words) for topic, words in lists.items()}


def _add(tables: dict[str, dict[str, set[str]]], topic: str, key: str, name: str) -> None:
    if word := " ".join(name.lower().split()).rstrip("."):
        tables.setdefault(topic, {}).setdefault(key, set()).add(word)


def ordered(value: Any) -> Any:
    """Sort keys, numbers by their value, and phrases."""
    if isinstance(value, dict):
        keys: Iterable[str] = sorted(value, key=lambda key: (int(key) if key.isdecimal() else -1, key))
        return {key: ordered(value[key]) for key in keys}
    return sorted(set(value))


def written(code: str) -> str:
    """Return the text of a file: what stands in it, with what CLDR knows."""
    path = DATA / f"{code}.json"
    topics = json.loads(path.read_text("utf-8")) if path.exists() else {}
    topics.pop("cldr", None)
    if found := from_cldr(code):
        topics["cldr"] = found
        for topic in topics.keys() & found.keys():
            topics[topic] = _without(topics[topic], found[topic])
    return json.dumps(ordered({topic: value for topic, value in topics.items() if value}), ensure_ascii=False, indent=1) + "\n"


def _without(own: Any, known: Any) -> Any:
    """Return the phrases of a list or a table that another does not have."""
    if isinstance(own, list):
        return sorted(set(own).difference(known))
    left = {key: set(phrases).difference(known.get(key, ())) for key, phrases in own.items()}
    return {key: sorted(phrases) for key, phrases in left.items() if phrases}


def main() -> None:
    for code in sys.argv[1:] or sorted(path.stem for path in DATA.glob("*.json")):
        (DATA / f"{code}.json").write_text(written(code), "utf-8")


if __name__ == "__main__":
    main()
