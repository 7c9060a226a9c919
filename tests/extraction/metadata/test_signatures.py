"""Reporters are read within the first and the last line of a text; who wrote a motto or the works in a table is no author."""

from __future__ import annotations

import pytest

from newscrawler import extract
from newscrawler.extraction.metadata.signatures import find_signatures

SENTENCE = "緑谷市議会は月曜日、旧市場を改修することを決めた。"


@pytest.mark.parametrize(
    ("first", "last", "names"),
    [
        ("", "【田中一郎】", ["田中一郎"]),
        ("", "（山田花子記者）", ["山田花子"]),
        ("", "（記者 山田花子）", ["山田花子"]),
        ("", "（社会部・山田花子）", ["山田花子"]),
        ("", "（山田花子、田中一郎）", ["山田花子", "田中一郎"]),
        ("", "(佐藤 健)", ["佐藤 健"]),
        ("【ソウル＝山田太郎】", "", ["山田太郎"]),
        ("【東京=共同】", "", []),
        ("【速報】", "（共同）", []),
        ("", "（敬称略）", []),
        ("", "（千葉市）", []),
        ("", "（福島民報）", []),
        ("", "（山田さん提供）", []),
        ("", "（記者 王小明、李华）", ["王小明", "李华"]),
        ("本报讯（记者 王小明）", "", ["王小明"]),
        ("新华社绿谷3月5日电（记者王小明、李华）", "", ["王小明", "李华"]),
        ("【本報記者李小華台北報導】", "", ["李小華"]),
        ("（中央社記者李小華台北5日電）", "", ["李小華"]),
        ("", "（文／王小明）", ["王小明"]),
        ("", "（编辑 王小明）", []),
        ("", "（王小明）", []),
        ("", "（完）", []),
        ("", " 김철수 기자", ["김철수"]),
        ("", " 초록=김철수 기자", ["김철수"]),
        ("", " [김철수 기자]", ["김철수"]),
        ("(초록=연합뉴스) 김철수 기자 = ", "", ["김철수"]),
        ("[초록일보 김철수 기자] ", "", ["김철수"]),
    ],
)
def test_reporters_are_named_in_brackets_and_datelines(first: str, last: str, names: list[str]) -> None:
    assert find_signatures([first + SENTENCE, SENTENCE + last]) == names


@pytest.mark.parametrize(
    "line", ["본사 김철수 기자 kim@norvale.example", "김철수 기자", "김철수 기자가 전했다", "本报记者 王小明 李华"]
)
def test_a_line_of_its_own_names_reporters_and_nothing_else(line: str) -> None:
    found = {"本": ["王小明", "李华"], "본": ["김철수"], "김": ["김철수"]}[line[0]]

    assert find_signatures([SENTENCE, line, SENTENCE]) == ([] if line.endswith("다") else found)


TEXT = (
    "The council decided on Monday evening that the old market will be repaired, although its roof has been damaged for years.",
    "The work will cost about two million and begin in spring, as the deputy mayor said after a session of more than four hours.",
    "Traders hope that their customers will come back, since they had to sell at the side of the road for the last eight years.",
)
ROWS = "<tr><td>The River</td><td class=author>Max Weber</td></tr><tr><td>The Hill</td><td class=author>Eva Braun</td></tr>"


def read_authors(above: str = "", within: str = "", byline: str = "") -> tuple[str, ...]:
    text = f"<p>{TEXT[0]}</p>{within}<p>{TEXT[1]}</p><p>{TEXT[2]}</p>"
    title = "Market to be repaired after eight years"
    page = (
        f"<html><title>{title}</title><body><main><h1>{title}</h1>{byline}<div class=text>{above}{text}</div></main></body></html>"
    )
    return extract(page, "https://valley.example/market").authors


@pytest.mark.parametrize(
    "motto",
    [
        "<blockquote><p>“Water is best.”</p><p>— Pindar White</p></blockquote>",
        "<blockquote><p>“Water is best.”</p><cite>Pindar White</cite></blockquote>",
        "<blockquote>“Water is best.”<br>Pindar White</blockquote>",
        "<div class=epigraph><p>Water is best.</p><p>Pindar White</p></div>",
        "<p class=zitat>»Water is best«</p><p class=zitat-name>Pindar White</p>",
    ],
)
@pytest.mark.parametrize(("byline", "names"), [("", ()), ("<p class=byline>By Jane Doe</p>", ("Jane Doe",))])
def test_the_writer_of_a_motto_is_no_author(motto: str, byline: str, names: tuple[str, ...]) -> None:
    assert read_authors(above=motto, byline=byline) == names


@pytest.mark.parametrize(
    "table",
    [
        f"<table><tr><th>Title</th><th>Author</th></tr>{ROWS}</table>",
        f"<table><thead><tr><td>Title</td><td>Author</td></tr></thead><tbody>{ROWS}</tbody></table>",
        "<table><tr><th>Author</th><th>Title</th></tr><tr><td>Max Weber</td><td>The River</td></tr></table>",
    ],
)
def test_who_wrote_the_works_in_a_table_is_no_author(table: str) -> None:
    assert read_authors(within=table) == ()
    assert read_authors(within=table, byline="<p class=byline>By Jane Doe</p>") == ("Jane Doe",)


@pytest.mark.parametrize("head", ["th", "td"])
def test_a_table_with_a_label_before_each_value_names_the_author(head: str) -> None:
    table = f"<table><tr><{head}>Author</{head}><td>Max Weber</td></tr><tr><{head}>Date</{head}><td>5 March 2026</td></tr></table>"

    assert read_authors(byline=table) == ("Max Weber",)


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("王文 绿谷大学研究院执行院长", ("王文",)),
        ("李华（绿谷大学教授）", ("李华",)),
        ("山田 太郎 緑谷大学教授", ("山田 太郎",)),
        ("김철수 초록대 교수", ("김철수",)),
        ("佚名", ()),
        ("点击关注", ()),
        ("관리자", ()),
    ],
)
def test_what_an_eastern_author_is_and_what_is_no_name_is_left_out(byline: str, names: tuple[str, ...]) -> None:
    assert read_authors(byline=f"<span class=author>{byline}</span>") == names
