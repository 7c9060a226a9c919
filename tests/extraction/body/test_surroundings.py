"""Dates, paths, biographies, legal notes and headings of links around a text are no part of it; news may be short."""

from __future__ import annotations

import pytest
from kurier import TEXTS, headline, page, paragraphs

from newscrawler.extraction.body.cues import is_date_line, opens_with
from newscrawler.extraction.body.extractor import load_default_extractor

BIO = "Ann writes about harbours, bridges and boats. She has worked on ferries and in shipyards for ten years."
ABOVE = [
    "<p>3 September 2026</p>",
    "<p><strong>Donnerstag, 3. September 2026</strong></p>",
    "<div><em>Harrow, 3 September 2026</em></div>",
    "<p>Publié le jeudi 3 septembre 2026 à 18h30</p>",
    "<h4>3 września 2026</h4>",
    "<table><tr><td>2026年9月3日</td></tr></table>",
    "<dl><dt>Details</dt><dd>Category: Politics</dd><dd>Published: 3 September 2026</dd><dd>Hits: 3975</dd></dl>",
    "<p><a href='/'>Home</a> » <a href='/news'>News</a> » Harbour bridge</p>",
    "<div>Sie sind hier: <a href='/'>Startseite</a> &gt; <a href='/p'>Politik</a> &gt; Die Brücke</div>",
    "<p class=ariane><a href='/'>Accueil</a> / <a href='/a'>Actualités</a> / Le pont</p>",
    f"<div class=about-author><img src=a.jpg><h4>Ann Bell</h4><p>{BIO}</p></div>",
    f"<section class=autor-box><h3>Ann Bell</h3><p>{BIO}</p></section>",
    f"<div class=author-profile><a href=/ann rel=author>Ann Bell</a><p>{BIO}</p><a href=/t>Twitter</a></div>",
]
BELOW = [
    "<p><i>3 September 2026</i></p>",
    "<p>https://kurier.example/en/bridge.html</p>",
    "<p><em>Disclaimer: This article is for informational purposes only. We accept no liability for its use.</em></p>",
    "<p class=legal>No part of this text may be reproduced without the written permission of the publisher.</p>",
    "<p><small>Hinweis: Für die Richtigkeit der Angaben übernimmt die Redaktion keine Gewähr.</small></p>",
    "<p><small>Toute reproduction interdite sans l’autorisation de l’éditeur.</small></p>",
    "<p>Wszelkie prawa zastrzeżone. Kopiowanie bez zgody wydawcy zabronione.</p>",
    "<h3>See also</h3><div><a href=/a>One more story of the harbour</a><br><a href=/b>Another story of the town</a></div>",
    "<p><b>Siehe auch:</b></p><p><a href=/a>Mehr Geld für Brücken im Land gefordert</a></p>",
    "<p><strong>Див. також</strong></p><ul><li><a href=/a>Ще одна стаття про міст</a></li></ul>",
    "<div class=related><h4>Podobné články</h4><h5><a href=/a>Další text</a></h5><p>Popis textu.</p></div>",
]


def read(article: str, language: str = "en") -> list[str]:
    found = load_default_extractor().examine(page(language, f"<h1>{headline(language)}</h1>{article}"))
    assert found.refusal is None
    assert found.body is not None
    return [paragraph.text for paragraph in found.body.paragraphs]


@pytest.mark.parametrize("line", ABOVE)
@pytest.mark.parametrize("language", ["en", "cs"])
def test_what_is_above_the_text_is_no_part_of_it(language: str, line: str) -> None:
    assert read(f"<div class=k9>{line}{paragraphs(language)}</div>", language) == list(TEXTS[language][1:])


@pytest.mark.parametrize("line", BELOW)
@pytest.mark.parametrize("language", ["en", "cs"])
def test_what_is_below_the_text_is_no_part_of_it(language: str, line: str) -> None:
    assert read(f"<div class=k9>{paragraphs(language)}{line}</div>", language) == list(TEXTS[language][1:])


def test_days_of_a_chronicle_and_sentences_that_sound_legal_stay() -> None:
    lines = list(TEXTS["en"][1:])
    days = [line for number, text in enumerate(lines[:5], 1) for line in (f"{number} March 2026", text)]
    lines[-1] = "The bank said that it accepts no liability for the losses of its customers."

    assert read("".join(f"<h3>{line}</h3>" if line[0].isdigit() else f"<p>{line}</p>" for line in days)) == days
    assert read("".join(f"<p>{line}</p>" for line in lines)) == lines


@pytest.mark.parametrize("language", ["en", "cs", "pl"])
@pytest.mark.parametrize("meta", ["<ul><li>Politics</li><li><time>3.9.2026</time></li></ul>", "<p>3.9.2026, 10:30</p>"])
def test_news_of_one_paragraph_is_an_article(language: str, meta: str) -> None:
    assert read(f"{meta}<div class=post-content>{paragraphs(language, 1, 2)}</div>", language) == [TEXTS[language][1]]


@pytest.mark.parametrize("line", ["March 3rd, 2026", "Stand: 3.9.2026", "3/9/2026 | Politics", "четвер, 3 вересня 2026 р."])
def test_a_date_in_a_line_of_its_own_is_known(line: str) -> None:
    assert is_date_line(line)


@pytest.mark.parametrize(
    "line", ["Election of 3 May 2026", "12 May", "Posted 12 times in May 2026", "9. November 1989", "Room 12, 2026"]
)
def test_a_line_that_contains_a_date_or_a_part_of_one_says_more(line: str) -> None:
    assert not is_date_line(line)


def test_phrases_with_a_full_stop_or_another_apostrophe_are_known() -> None:
    assert opens_with("Див. також", "read_also")
    assert opens_with("Пов’язані новини", "read_also")


@pytest.mark.parametrize(
    "form",
    [
        "<div class=a1><h1>{title}</h1><p>{text}</p><p class=d>3.9.2026</p></div>",
        "<div class=post><h2>{title}</h2><div class=meta>3.9.2026 | Eva Novak</div><div class=entry><p>{text}</p></div></div>",
        "<div class=a1><h1>{title}</h1><div><span>3.9.2026</span></div><div>{text}</div></div><div class=a5>{teasers}</div>",
    ],
)
@pytest.mark.parametrize("language", ["en", "cs", "pl"])
def test_short_news_stays_apart_from_teasers_whatever_its_form(language: str, form: str) -> None:
    cards = "".join(f"<div><a href='/{text[:5]}'><h3>{text[:40]}</h3></a><p>{text}</p></div>" for text in TEXTS[language][2:])
    shown = form.format(title=headline(language), text=TEXTS[language][1], teasers=cards)
    found = load_default_extractor().examine(page(language, shown))

    assert found.refusal is None
    assert [block.text for block in found.taken] == [TEXTS[language][1]]
