"""What stands in and around articles in tables: captions, letters, rows of links, cards, and the lines that systems add."""

from __future__ import annotations

import pytest

from newscrawler import extract
from newscrawler.errors import PageError

_HEADLINE = "Council approves new bridge over the river"
_PART = "The council approved part {} of the plan on Monday, and the people of the town asked many questions about it."
_PARTS = [_PART.format(number) for number in range(1, 7)]
_CAPTION = "The old bridge, seen from the mill, has carried the trams of the town since the year of the great flood."


def _body(text: str, *, above: str = "", behind: str = "") -> list[str]:
    page = f"<h2>{_HEADLINE}</h2>{above}<font>{text}</font>{behind}"
    html = f"<html><head><title>{_HEADLINE}</title></head><body><table><tr><td>{page}</td></tr></table></body></html>"
    return [each.text for each in extract(html, "http://www.courier.example/article.php?id=7").body]


@pytest.mark.parametrize(
    "table",
    [
        f"<table align=right width=200><tr><td><img src=b.jpg><br><font size=1>{_CAPTION}</font></td></tr></table>",
        f"<table align=left><tr><td><img src=b.jpg></td></tr><tr><td class=pt>{_CAPTION}</td></tr></table>",
    ],
)
def test_the_caption_in_a_small_table_amid_the_text_is_none_of_it(table: str) -> None:
    assert _body(f"{_PARTS[0]}<br><br>{table}{'<br><br>'.join(_PARTS[1:])}") == _PARTS


def test_a_long_text_in_a_table_with_a_picture_stays() -> None:
    long = " ".join(_PARTS[2:5])

    found = _body(f"{_PARTS[0]}<br><br>{_PARTS[1]}<table><tr><td><img src=b.jpg></td></tr><tr><td>{long}</td></tr></table>")

    assert found == [*_PARTS[:2], long]


@pytest.mark.parametrize("sign", ["Re: ", "AW: ", "Odp.: ", "На: "])
def test_letters_that_answer_the_headline_are_no_text(sign: str) -> None:
    letter = (
        f"<table><tr><td><b>{sign}{_HEADLINE}</b> by Old Tom</td></tr><tr><td>{_PART.format('one')} I think so.</td></tr></table>"
    )

    assert _body("<br><br>".join(_PARTS[:3]), behind=letter * 3) == _PARTS[:3]


@pytest.mark.parametrize(
    "row",
    [
        "<li>Share this: <a href=/d>Digg</a> <a href=/r>Reddit</a> <a href=/m>Mail</a></li>",
        "<p>Tags: <a href=/a>bridge</a>, <a href=/b>council</a>, <a href=/c>river</a></p>",
    ],
)
def test_a_label_and_its_links_are_no_text(row: str) -> None:
    text = "".join(f"<p>{part}</p>" for part in _PARTS)

    assert _body(text, above=row) == _PARTS
    assert _body(text, behind=row) == _PARTS


def test_what_follows_a_label_with_words_between_its_links_is_text() -> None:
    row = "Scorers: <a href=/a>Jane Doe</a> late in the first half and <a href=/b>Ann Lee</a> twice before the end of the match."

    assert len(_body(f"<p>{_PARTS[0]}</p><p>{row}</p><p>{_PARTS[1]}</p>")) == 3


def test_for_whom_somebody_writes_under_the_name_is_no_text() -> None:
    text = "".join(f"<p>{part}" for part in _PARTS)

    assert _body(text, above="<p><b>By Jane Doe</b><br>Courier Staff") == _PARTS


def test_what_a_system_says_of_the_entry_is_no_text() -> None:
    said = "This entry was posted on Monday and is filed under <a href=/n>News</a>. You can leave a response to it here."
    text = "".join(f"<p>{part}</p>" for part in _PARTS)

    assert _body(f"<div class=entry>{text}<p class='postmetadata alt'><small>{said}</small></p></div>") == _PARTS


@pytest.mark.parametrize(
    "card",
    [
        "<div class=it><a href=/t{0}><img src={0}.jpg></a> <a href=/s/{0}>Mayor opens school number {0}</a><p>{1}</p></div>",
        "<p><a href=/s/{0}>Mayor opens school number {0}</a><br>{1}</p>",
    ],
)
def test_cards_below_the_text_are_none_of_it(card: str) -> None:
    cards = "".join(card.format(number, "Pupils and parents came to see the rooms.") for number in range(3))
    text = "".join(f"<p>{part}</p>" for part in _PARTS[:3])

    assert _body(f"<div>{text}</div>", behind=f"<div><h5>More news</h5>{cards}</div>") == _PARTS[:3]


def test_a_short_bold_line_amid_the_text_is_a_heading_of_it() -> None:
    first, second, *others = (f"<p>{part}</p>" for part in _PARTS)

    assert "What now" in _body(f"<div>{first}<p><strong>What now</strong></p>{second}</div><div>{''.join(others)}</div>")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("<dl style='float:right'><dt><img src=b.jpg></dt><dt>{}</dt></dl>", "<p>{}</p>"),
        ("<div><a href=1><img src=1.jpg></a><a href=2><img src=2.jpg></a><div>{}</div></div>", "<div class=part>{}</div>"),
    ],
)
def test_the_line_below_pictures_is_none_of_the_text(line: str, part: str) -> None:
    parts = [part.format(each) for each in _PARTS]

    assert _body(parts[0] + line.format(_CAPTION) + "".join(parts[1:])) == _PARTS


@pytest.mark.parametrize(
    ("row", "around"),
    [
        ("<tr><td><img src=/s.gif width=10 height=1></td><td>{}</td></tr>", "<table>{}</table>"),
        ("<div><img src=/bullet.gif width=8 height=8> {}</div>", "<div>{}</div>"),
    ],
)
def test_short_paragraphs_beside_bullets_and_blanks_are_no_gallery(row: str, around: str) -> None:
    assert _body(around.format("".join(row.format(each) for each in _PARTS))) == _PARTS


@pytest.mark.parametrize("line", ["<p>By Jane Doe</p>", "<div><b>Von Thomas Garber</b></div>", "<p>Text und Foto: Jane Doe</p>"])
def test_the_line_that_names_who_wrote_is_no_text(line: str) -> None:
    assert _body("".join(f"<p>{each}</p>" for each in _PARTS[:2]), above=line) == _PARTS[:2]


def test_signs_behind_the_text_are_none_of_it() -> None:
    assert _body("".join(f"<p>{each}</p>" for each in _PARTS), behind="<p align=center># # #</p>") == _PARTS


def test_a_day_above_the_headline_is_no_text() -> None:
    parts = "".join(f"<p>{each}</p>" for each in _PARTS[:2])
    html = f"<title>{_HEADLINE}</title><div><p>Среда, 19 марта 2002 г.</p><h2>{_HEADLINE}</h2>{parts}</div>"

    assert [each.text for each in extract(html, "http://www.courier.example/7").body] == _PARTS[:2]


def test_results_of_a_search_are_no_article() -> None:
    results = "".join(
        f"<div><b>{number}.</b> <a href=/a/{number}>{part[:42]}</a> <i>3 May 2004</i><br>{part[42:]} ...</div>"
        for number, part in enumerate([*_PARTS, *_PARTS], 1)
    )

    with pytest.raises(PageError):
        extract(f"<html><title>News</title><body>{results}</body></html>", "http://www.courier.example/search.php?q=bridge")
