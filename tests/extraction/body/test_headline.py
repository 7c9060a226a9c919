"""The headline as readers see it: no name of the site, no kicker, not cut off, whatever the page's head says."""

from __future__ import annotations

import pytest

from newscrawler import extract
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.body.site_names import read_site_names, remove_site
from newscrawler.page import Document

TEXT = "<p>Der Rat hat am Mittwoch lange über den Hund gesprochen, und am Ende blieb alles so, wie es immer war.</p>"


def headline(heading: str, title: str, *, og: str = "", ld: str = "", site: str = "") -> tuple[str, str]:
    head = f"<title>{title}</title>"
    head += f'<meta property="og:title" content="{og}">' if og else ""
    head += f'<meta property="og:site_name" content="{site}">' if site else ""
    head += f'<script type="application/ld+json">{{"@type":"NewsArticle","headline":"{ld}"}}</script>' if ld else ""
    page = Document.parse(
        f"<html><head>{head}</head><body><article>{heading}{TEXT}</article></body></html>",
        "https://www.anzeiger.example/ort/hund-1",
    )
    assert page.view(find_headline) is not None
    return page.view(find_headline).text, page.view(find_headline).source


HUND = "Hund beißt Bürgermeister im Stadtpark"


@pytest.mark.parametrize(
    ("title", "site"),
    [
        (f"{HUND} - Der Anzeiger", ""),
        (f"{HUND} | Lokales | Anzeiger.example", ""),
        (f"{HUND} – Ort – Tagblatt Grenzland", "Tagblatt Grenzland"),
        (f"{HUND} | Der Anzeiger | von Eva Malá", ""),
        (f"{HUND} - DER ANZEIGER 12/2026", ""),
        (f"{HUND}：Tagblatt", "Tagblatt"),
        (f"{HUND} : Tagblatt Online", "Tagblatt"),
    ],
)
def test_the_name_of_the_site_is_no_part_of_the_headline(title: str, site: str) -> None:
    found = remove_site(
        title, Document.parse(f'<meta property="og:site_name" content="{site}">', "https://anzeiger.example/").view(read_site_names)
    )

    assert found == HUND
    assert headline("<h2>Etwas ganz anderes</h2>", title, og=title, site=site)[0] == HUND


@pytest.mark.parametrize(
    "title",
    [
        "Anzeiger-Affäre: alles, was man wissen muss",
        "Der Anzeiger und ich - eine Geschichte aus dem Tal",
        "Hund beißt Bürgermeister - so teuer wird das - wirklich",
        "Anzeiger",
        "- | -",
        "",
    ],
)
def test_titles_without_it_are_left_as_they_are(title: str) -> None:
    assert remove_site(title, frozenset({"anzeiger", "anzeigerexample"})) == title


@pytest.mark.parametrize(
    "heading",
    [
        f"<h1><span>Stadtpark</span> <span>{HUND}</span></h1>",
        f"<h1><small>Stadtpark</small><br>{HUND}</h1>",
        f"<h1>Stadtpark {HUND}</h1>",
        f"<h1>{HUND} <small>02.02.2026 • Lokales</small></h1>",
    ],
)
def test_a_kicker_or_a_date_in_the_heading_is_no_part_of_it(heading: str) -> None:
    assert headline(heading, f"{HUND} - Der Anzeiger")[0] == HUND


def test_the_signs_of_the_title_and_og_title_go_before_those_of_json_ld_which_no_heading_has() -> None:
    kicker, said = "<h2><span>Im Park</span> <span>Hund beißt Bürgermeister</span></h2>", "Im Park: Hund beißt Bürgermeister"

    assert headline(kicker, f"{said} - Lokales", og=said, ld="Im Park - Hund beißt Bürgermeister") == (said, "og:title")
    assert headline(f"<h1>{HUND}!</h1>", HUND, og=HUND, ld=f"{HUND}!")[0] == f"{HUND}!"


def test_a_kicker_that_reads_as_part_of_the_headline_stays() -> None:
    assert headline(f"<h1>Im Park: {HUND}</h1>", f"{HUND} - Der Anzeiger")[0] == f"Im Park: {HUND}"


def test_a_kicker_that_is_declared_with_the_headline_stays() -> None:
    shown = f"<h1><span>Im Park:</span> <span>{HUND}</span></h1>"

    assert headline(shown, f"Im Park: {HUND} | Anzeiger", og=f"Im Park: {HUND}")[0] == f"Im Park: {HUND}"


def test_the_heading_that_the_title_words_alike_beats_what_is_meant_for_sharing() -> None:
    found = headline(f"<h1>{HUND}</h1>", f"{HUND} | Anzeiger", og="Dieser Hund im Stadtpark hat genug: Bürgermeister gebissen")

    assert found == (HUND, "h1")


@pytest.mark.parametrize("shared", ["Dieser Hund hat genug: Bürgermeister gebissen", "Der beste Hund des Tals | Anzeiger"])
def test_what_the_page_shows_is_the_headline_and_what_is_shared_is_kept_as_declared(shared: str) -> None:
    head = f'<title>{shared}</title><meta property="og:title" content="{shared}">'
    page = Document.parse(f"<html><head>{head}</head><body><h1>{HUND}</h1>{TEXT}</body></html>", "https://www.anzeiger.example/a")

    found = page.view(find_headline)

    assert found is not None
    assert (found.text, found.declared) == (HUND, shared.removesuffix(" | Anzeiger"))


def test_a_wording_that_is_the_same_is_not_kept_as_declared() -> None:
    page = Document.parse(
        f'<meta property="og:title" content="{HUND} - Anzeiger"><h1>{HUND}</h1>{TEXT}', "https://anzeiger.example/a"
    )

    found = page.view(find_headline)

    assert found is not None
    assert found.declared is None


@pytest.mark.parametrize("og", [f"Serie | {HUND}", f"Mein Tal - {HUND}", f"{HUND} | Serie", HUND[:30], f"{HUND[:30]}…"])
def test_what_stands_around_the_heading_for_sharing_or_is_cut_off_gives_way_to_it(og: str) -> None:
    assert headline(f"<h1>{HUND}</h1>", "Anzeiger", og=og) == (HUND, "h1")


def test_the_headline_of_json_ld_loses_the_name_of_the_site() -> None:
    assert headline("<h2>Lokales</h2>", f"{HUND} - Der Anzeiger", ld=f"{HUND} - Der Anzeiger")[0] == HUND
    assert headline(f"<h1>{HUND}</h1>", "Anzeiger", ld=f"{HUND} | Anzeiger") == (HUND, "h1")


def test_a_rubric_with_which_the_title_begins_is_not_preferred_to_the_first_heading() -> None:
    body = "<h2>Wahlen im Tal</h2><h1>Kandidaten stellten sich den Fragen der Schüler im Tal</h1>"

    assert headline(body, "Wahlen im Tal: Kandidaten stellten sich den Fragen der Studenten - Anzeiger")[0].startswith("Kandidaten")


def test_soft_hyphens_and_blanks_without_width_are_not_kept() -> None:
    assert (
        headline("", "Anzeiger", ld="Bürger\\u00admeister im\\u200b Park gebissen worden")[0]
        == "Bürgermeister im Park gebissen worden"
    )
    assert headline("<h1>Bürger&shy;meister im Park gebissen</h1>", "Anzeiger")[0] == "Bürgermeister im Park gebissen"


def test_a_page_that_is_shared_under_the_name_of_the_site_is_named_by_its_heading() -> None:
    assert headline(f"<h1>{HUND}</h1>", "Der Anzeiger", og="Der Anzeiger", site="Der Anzeiger") == (HUND, "h1")
    assert headline(f"<h1>Der Anzeiger</h1><h2>{HUND}</h2>", HUND, og="Der Anzeiger", site="Der Anzeiger")[0] == HUND


@pytest.mark.parametrize("closing", ["?", "!", "“", ").", "？"])
def test_a_headline_keeps_the_sign_that_closes_it_where_what_is_shared_was_cut_off_before_it(closing: str) -> None:
    found, _ = headline(f"<h1>{HUND}{closing}</h1>", f"{HUND}{closing} | Anzeiger", og=HUND)

    assert found == HUND + closing


@pytest.mark.parametrize("sign", ["¶", "#", "🔗", "§ "])
def test_the_sign_that_links_to_a_heading_is_no_part_of_it(sign: str) -> None:
    found, _ = headline(f"<h1>{HUND}<a class=headerlink href='#hund'>{sign}</a></h1>", f"{HUND} | Anzeiger")

    assert found == HUND
    assert headline(f"<h1><a href='#hund'>{HUND}</a></h1>", f"{HUND} | Anzeiger")[0] == HUND


def test_the_name_of_the_site_may_stand_before_a_colon_where_the_page_shows_the_rest_alone() -> None:
    assert headline(f"<div>Der Anzeiger</div><div class=t><span>{HUND}</span></div>", f"Der Anzeiger: {HUND}") == (HUND, "div")
    assert headline(f"<h1>Stadtpark: {HUND}</h1><p>{HUND}</p>", f"Stadtpark: {HUND}")[0] == f"Stadtpark: {HUND}"


def test_the_name_of_the_site_that_every_page_shares_is_no_headline() -> None:
    assert headline(f"<h1>{HUND}</h1>", f"{HUND} | Neues aus Grenz", og="Neues aus Grenz") == (HUND, "h1")
    assert headline("<h1>Neues aus Grenz</h1>", f"Neues aus Grenz | {HUND}", og=HUND) == (HUND, "og:title")


_BRIDGE = "Council approves new bridge over the river"
_PARAGRAPHS = "".join(
    f"<p>The council approved part {part} of the plan on Monday, and the people of the town asked many questions about it.</p>"
    for part in range(1, 6)
)


def _read_named(shown: str, *, more: str = "") -> str:
    html = (
        f"<html><head><title>The Harbour Courier</title></head><body><div>{shown}</div><div>{_PARAGRAPHS}</div>{more}</body></html>"
    )
    return extract(html, "https://courier.example/Detail.aspx?ArticleID=9003").title


@pytest.mark.parametrize(
    "name",
    ["id=ctl00_cph_lblTitle", "class=ArticleTitle", "class=news-title", "class=headline", "class=nadpis", "class=article_title"],
)
def test_the_only_element_called_so_is_the_headline(name: str) -> None:
    assert _read_named(f"<span>Politics</span><br><span {name}>{_BRIDGE}</span><br><span>Monday, May 4, 2026</span>") == _BRIDGE


@pytest.mark.parametrize("name", ["class=site-title", "class=widget-title", "class=subtitle", "class=entitled"])
def test_what_is_called_the_title_of_something_else_is_none(name: str) -> None:
    assert _read_named(f"<span {name}>{_BRIDGE}</span>") == "The Harbour Courier"


def test_of_several_the_one_above_the_text_is_the_headline() -> None:
    others = "<div><span class=title>Museum opens a new wing for its guests</span></div>"

    assert _read_named(f"<span class=title>{_BRIDGE}</span>", more=others) == _BRIDGE


def test_a_title_that_tells_something_else_is_believed() -> None:
    shown = f"<span class=title>All our letters and answers to them</span><div>{_PARAGRAPHS}</div>"
    html = f"<html><head><title>Courier - {_BRIDGE}</title></head><body>{shown}</body></html>"

    assert _BRIDGE in extract(html, "https://courier.example/Detail.aspx?ArticleID=9003").title


_LINES = "<br><br>".join(
    f"The council approved part {part} of the plan on Monday, and the people of the town asked many questions about it."
    for part in range(1, 6)
)


def _read_largest(shown: str, *, title: str = "Untitled Document", menu: str = "") -> str:
    rows = f"<tr><td>{menu}</td><td>{shown}<font size=3>{_LINES}</font></td></tr>"
    html = f"<html><head><title>{title}</title></head><body><table><tr><td><img src=top.gif></td></tr>{rows}</table></body></html>"
    return extract(html, "http://www.courier.example/article.php?id=9003").title


@pytest.mark.parametrize(
    "line",
    [
        f'<font size="5" color="#990000"><b>{_BRIDGE}</b></font><br>',
        f'<FONT SIZE="+2">{_BRIDGE}</FONT><BR>',
        f'<p><font size=2><b>3 May 2004</b></font></p><div style="font-size: 18pt">{_BRIDGE}</div>',
        f"<p><big>{_BRIDGE}</big></p><p><b>By Jane Doe</b></p>",
        f"<p><b>Sunday, 2 May 2004</b></p><p><b>{_BRIDGE}</b></p>",
        f"<font size=1>3 May 2004</font><br><font size=4>{_BRIDGE}</font><br><font size=1>By Jane Doe</font><br><br>",
    ],
)
@pytest.mark.parametrize("title", ["Untitled Document", "Courier Online", "News"])
def test_the_line_in_the_largest_type_is_the_headline(line: str, title: str) -> None:
    assert _read_largest(line, title=title) == _BRIDGE


def test_the_logo_of_the_site_is_none() -> None:
    logo = "<font size=6>Valley Mirror</font><br>"

    assert _read_largest(f"{logo}<font size=5>{_BRIDGE}</font><br>", title="Valley Mirror") == _BRIDGE


def test_a_bold_line_is_none_beside_a_title_that_tells_something() -> None:
    assert _read_largest(f"<p><b>{_BRIDGE}</b></p>", title="Bridge to cost more") == "Bridge to cost more"


def test_a_large_line_is_none_beside_a_title_that_tells_more() -> None:
    title = "Bridge will cost three times as much as planned"

    assert _read_largest(f"<p><font size=5>{_BRIDGE}</font></p>", title=title) == title


def test_large_words_within_a_paragraph_are_none() -> None:
    assert _read_largest(f"<p><font size=5>The council of the town</font> {_LINES[12:300]}</p>", title="News") == "News"


def test_the_heading_right_above_the_text_is_one_where_the_title_names_a_section() -> None:
    side = "<div><h2>Opinion of the week</h2></div>"

    assert _read_largest(f"{side}<h2>{_BRIDGE}</h2>", title="Obituaries | Courier") == _BRIDGE
    assert (
        _read_largest(f"<h2>{_BRIDGE}</h2>", title="Obituary: Jane Doe of Millbrook | Courier") == "Obituary: Jane Doe of Millbrook"
    )


@pytest.mark.parametrize("day", ["Friday, 18 April 2014", "18. září 2007", "2014-04-18"])
def test_the_day_behind_the_headline_in_the_title_is_none_of_it(day: str) -> None:
    line = f"<div><div style='float: right'>10:15</div>{_BRIDGE}</div>"

    assert _read_largest(line, title=f"{_BRIDGE} - {day} - News - courier.example") == _BRIDGE


def test_the_line_that_ends_with_the_title_is_the_headline_behind_a_rubric() -> None:
    line = f"<div><span><a href=/t>News</a> : {_BRIDGE}</span></div>"
    html = f"<html><title>The Harbour - {_BRIDGE} - News</title><body>{line}<div>By Jane Doe</div><div>{_LINES}</div></body></html>"

    found = extract(html, "http://courier.example/article.php?storyid=7")

    assert found.title == _BRIDGE
    assert found.authors == ("Jane Doe",)


@pytest.mark.parametrize(
    "heading",
    [
        "<h2 class=title><span>原创</span>@</h2>",
        "<h1><i>独家</i> @</h1>",
        "<h1><b>独家｜</b>@</h1>",
        "<h1>@<span class=tag>原创</span></h1>",
        "<h1><span class=x>Exklusiv</span>@</h1>",
        "<h1><strong>EXCLUSIVE</strong> @</h1>",
        "<h1>@ <small>Video</small></h1>",
    ],
)
@pytest.mark.parametrize("title", ["@", "@ | Valley Post", "Valley Post"])
@pytest.mark.parametrize("text", ["最不愁吃肉的城市：顿顿有肉吃", "Exclusive club opens its doors"])
def test_a_badge_is_not_part_of_the_headline(heading: str, title: str, text: str) -> None:
    html = f"<html><title>{title}</title><body><main>{heading}<p>{'The town opens its doors. ' * 9}</p></main></body></html>"
    found = find_headline(Document.parse(html.replace("@", text), "https://valley.example/1"))

    assert found is not None
    assert found.text == text


@pytest.mark.parametrize("heading", ["<h1><time>1.2.2026</time>@</h1>", "<h1>@<br><small>01.02.26 08:46</small></h1>"])
@pytest.mark.parametrize("title", ["@", "Valley Post | @"])
def test_a_date_in_an_element_of_its_own_is_not_part_of_the_headline(heading: str, title: str) -> None:
    text = "Council opens the new bridge"
    html = f"<html><title>{title}</title><body><main>{heading}<p>{'The town opens its doors. ' * 9}</p></main></body></html>"
    found = find_headline(Document.parse(html.replace("@", text), "https://valley.example/1"))

    assert found is not None
    assert found.text == text
