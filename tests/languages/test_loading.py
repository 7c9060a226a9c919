"""Reading the files of languages, and finding their phrases."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import newscrawler
from newscrawler.languages import alternatives, languages, load_class_names, one_of, pattern, table, words
from newscrawler.languages.load import read

#: A language that nobody speaks: what each topic of it is for shows in what comes out of a page.
MADE_UP = {
    "by": ["kirjutu"],
    "months": {"5": ["zorble"]},
    "published": ["*vaxo*"],
    "url_words": {"about": ["nuxwu"]},
    "class_names": {"comment": ["blipblop"]},
    "common": ["xazu", "gna", "plo", "wex", "tri"],
}
TEXT = (
    "The council of the small town met on Tuesday evening, and after three hours of debate it voted to repair the old bridge.",
    "Its arches have carried carts, cars and lorries for two centuries, but the last inspection found cracks in the stone.",
    "The work begins in the spring and will take until the end of the year, the mayor told the people in the hall.",
    "Until then, lorries have to take the road through the valley, which adds some twenty minutes to every journey.",
)
PAGE = f"""<html><head><title>The town repairs its old bridge</title></head><body><article><h1>The town repairs its old bridge</h1>
<p>Kirjutu Jane Doe</p><p>Vaxo: 3 zorble 2024</p>{"".join(f"<p>{line}</p>" for line in TEXT)}</article></body></html>"""
ASK = """
import json, sys
from newscrawler import extract
from newscrawler.extraction.metadata.language import detect_language
from newscrawler.page.names import Mark, find_marks
from newscrawler.discovery.urls.vocabulary import find_category
article = extract(sys.stdin.read(), url="https://www.example.org/a/b-c-d-e")
print(json.dumps([list(article.authors), str(article.published_at)[:10], detect_language("Xazu gna plo wex tri xazu gna plo."),
                  find_category("nuxwu"), bool(find_marks("blipblop") & Mark.COMMENT)]))
"""


def ask(folder: Path) -> list[object]:
    done = subprocess.run([sys.executable, "-c", ASK], cwd=folder, input=PAGE, capture_output=True, text=True, check=True)
    found: list[object] = json.loads(done.stdout)
    return found


def test_adding_a_language_is_adding_one_file(tmp_path: Path) -> None:
    package = Path(newscrawler.__file__).parent
    shutil.copytree(package, tmp_path / "newscrawler")
    before = ask(tmp_path)

    (tmp_path / "newscrawler/languages/data/qaa.json").write_text(json.dumps(MADE_UP), "utf-8")

    assert before[1:] == ["None", None, "", False]
    assert ask(tmp_path) == [["Jane Doe"], "2024-05-03", "qaa", "about", True]


def test_importing_the_package_reads_no_file() -> None:
    ask_only = (
        "import sys, types; p = types.ModuleType('newscrawler'); p.__path__ = [sys.argv[1]]; sys.modules['newscrawler'] = p\n"
        "import newscrawler.languages as l; print(l.languages.cache_info().currsize); l.words('by')\n"
        "print(l.languages.cache_info().currsize)"
    )
    done = subprocess.run(
        [sys.executable, "-c", ask_only, str(Path(newscrawler.__file__).parent)], capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == ["0", "1"]


def test_what_stands_beside_cldr_is_joined_with_it(tmp_path: Path) -> None:
    path = tmp_path / "xx.json"
    path.write_text(json.dumps({"cldr": {"months": {"1": ["a"], "2": ["b"]}}, "months": {"1": ["c"]}, "by": ["d"]}), "utf-8")

    language = read(path)

    assert (language.code, dict(language.lists)) == ("xx", {"by": ("d",)})
    assert language.tables == {"months": {"1": ("a", "c"), "2": ("b",)}}


def test_words_of_one_language_are_among_those_of_all() -> None:
    assert "autorka" in words("by", "cs")
    assert "autorka" not in words("by", "de")
    assert words("by", "de") | words("by", "cs") < words("by")
    assert words("by", "tlh") == words("no such topic") == frozenset()


def test_a_key_of_a_table_is_asked_for_behind_a_stroke() -> None:
    assert words("months/1", "cs") == table("months", "cs")["1"] >= {"leden", "ledna"}
    assert words("months/13") == frozenset()
    assert words("months") >= words("months/1")


def test_class_names_come_by_what_they_mark() -> None:
    assert "diskuse" in load_class_names()["comment"]
    assert set(languages()) >= {"cs", "de", "en", "zh"}


@pytest.mark.parametrize(
    ("phrases", "text", "found"),
    [
        (["abonn*"], "ein abonnement", "abonn"),
        (["abonn*"], "probeabonnement", None),
        (["*redakteur"], "sportredakteur", "redakteur"),
        (["*redakteur"], "redakteurin", None),
        (["*aktualis*"], "zuletztaktualisiert", "aktualis"),
        (["text"], "texte", None),
        (["text"], "_text_", "text"),
        (["评论"], "的评论了", "评论"),
        (["read", "read more"], "read more", "read more"),
        (["aus * berichtet"], "aus rom berichtet", "aus rom berichtet"),
        (["mit …plus"], "mit sz plus", "mit sz plus"),
        ([], "anything", None),
    ],
)
def test_a_star_stands_for_letters_and_a_phrase_for_a_whole_word(phrases: list[str], text: str, found: str | None) -> None:
    match = re.search(one_of(phrases, "words"), text)

    assert (match.group() if match else None) == found


def test_all_of_a_text_is_asked_for_with_what_a_star_stands_for() -> None:
    assert re.fullmatch(one_of(["*redakteur"], "all"), "sportredakteur")
    assert not re.fullmatch(one_of(["*redakteur"], "all"), "sport-redakteur")


def test_phrases_are_folded_as_the_text_is() -> None:
    assert re.search(alternatives("days_back", language="sk", fold=lambda word: word.replace("č", "c")), "vcera")
    assert pattern("days_back", language="sk").search("bolo to včera večer")


SIGNS = st.text("abc-. ", min_size=1, max_size=5).filter(str.strip)


@given(st.lists(SIGNS, min_size=1, max_size=12), st.text("abc-. ", max_size=30))
def test_the_tree_finds_what_a_plain_list_finds_longest_first(phrases: list[str], text: str) -> None:
    plain = re.compile("|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True)))

    assert re.findall(one_of(phrases), text) == plain.findall(text)
