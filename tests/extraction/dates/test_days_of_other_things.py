"""Days of other things are not the article's, where nothing in the markup names either of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, read_dates, read_metadata
from newscrawler.extraction.dates import DateHint, Dates
from newscrawler.page import Document

FETCHED = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
TITLE = "Obec opraví starý most přes řeku u mlýna"
TEXT = "".join(
    f"<p>{opening} Starý most u mlýna se podle starosty letos konečně dočká opravy, na kterou obec čekala řadu let. Práce vyjdou "
    "na dva miliony korun a povedou se po etapách, aby se lidé z druhého břehu dostali do obchodu i na poštu.</p>"
    for opening in ("Rada rozhodla.", "Zastupitelé souhlasili.", "Peníze přidá kraj.", "Občané to uvítali.")
)
MENU = "".join(
    f"<li><a href='/{name}/'>{name}</a></li>" for name in ("domov", "sport", "kultura", "obec", "kraj", "svet", "pocasi")
)


def read(inside: str, head: str = "", url: str | None = None, hints: tuple[DateHint, ...] = ()) -> Dates:
    """Read the dates as the crawl does, beside headline and body."""
    html = f"<html lang=cs><head><title>{TITLE}</title>{head}</head><body>{inside}</body></html>"
    draft, reading = (
        ExtractionState(page=Document.parse(html, url), fetched_at=FETCHED, hints=hints),
        ExtractionOptions(time_zone="Europe/Prague"),
    )
    for step in (detect_body, read_metadata, read_dates):
        step(draft, reading)
    assert draft.dates is not None
    return draft.dates


def day(found: Dates) -> str | None:
    return found.published.value.date().isoformat() if found.published else None


def ld(published: str, modified: str = "") -> str:
    change = f',"dateModified":"{modified}"' if modified else ""
    return f'<script type="application/ld+json">{{"@type":"NewsArticle","datePublished":"{published}"{change}}}</script>'


@pytest.mark.parametrize("number", ["15-places-to-see", "7-mostu", "12-navrhu-na-vylet"])
def test_a_number_with_which_a_title_begins_is_no_day(number: str) -> None:
    head = ld("2026-09-22T08:30:00+02:00") + '<meta property="article:published_time" content="2026-09-22T08:30:00+02:00">'
    own = "<time datetime='2026-09-22T08:30:00+02:00'>22. září 2026</time>"

    declared = read(f"<h1>{TITLE}</h1><p>{own}</p>{TEXT}<p>{own}</p>", head, f"https://a.example/2026/09/{number}/")
    shown = read(f"<h1>{TITLE}</h1><p>{own}</p>{TEXT}", "", f"https://a.example/2026/09/{number}/")

    assert (day(declared), day(shown)) == ("2026-09-22", "2026-09-22")


@pytest.mark.parametrize(
    "today", ["pátek 20. listopadu 2026, svátek má Nikola", "Dnes je pátek 20. 11. 2026", "20.11.2026, svátek má Nikola"]
)
def test_the_clock_of_the_page_is_never_the_date(today: str) -> None:
    own = "<p>Jan Novák, 3. listopadu 2026</p>"

    above = read(f"<div><div>{today}</div><ul>{MENU}</ul></div><h1>{TITLE}</h1>{own}{TEXT}")
    below_the_menu = read(f"<ul>{MENU}</ul><p>{today}</p><h1>{TITLE}</h1>{own}{TEXT}")
    behind = read(f"<ul>{MENU}</ul><h1>{TITLE}</h1>{own}{TEXT}<div>{today}</div>")

    assert [day(above), day(below_the_menu), day(behind)] == ["2026-11-03"] * 3


def test_dates_of_comments_events_and_other_articles_are_not_the_articles() -> None:
    own = "<p>Jan Novák, 3. listopadu 2026</p>"
    comments = "".join(
        f"<div><b>Karel {n}</b> <time datetime='2026-11-0{n}T18:4{n}:00+01:00'>{n}. 11. 2026 18:4{n}</time><p>To je dobře, most "
        "už byl v opravdu špatném stavu.</p></div>"
        for n in (3, 4, 5)
    )
    event = TEXT.replace("Peníze přidá kraj.", "Slavnostní otevření bude 14. prosince 2026 v deset hodin.")
    others = "".join(f"<div><a href='/{n}'>Jiná zpráva číslo {n} z obce</a> <span>{n}. 11. 2026</span></div>" for n in range(9, 14))

    found = read(f"<h1>{TITLE}</h1>{own}{event}<div>{comments}</div><div>{others}</div>")

    assert day(found) == "2026-11-03"
    assert found.published is not None
    assert found.published.precision == "day"


def test_the_last_change_is_not_the_publication() -> None:
    line = "<p>Vydáno: 3. listopadu 2026 | Aktualizováno: 5. listopadu 2026</p>"

    shown = read(f"<h1>{TITLE}</h1>{line}{TEXT}")
    declared = read(f"<h1>{TITLE}</h1>{TEXT}", ld("2026-11-03T08:00:00+01:00", "2026-11-05T09:00:00+01:00"))

    for found in (shown, declared):
        assert day(found) == "2026-11-03"
        assert found.modified is not None
        assert found.modified.value.date().isoformat() == "2026-11-05"


def test_a_time_in_utc_is_on_the_day_of_the_portals_clock() -> None:
    assert day(read(f"<h1>{TITLE}</h1><p>4. listopadu 2026 0:30</p>{TEXT}", ld("2026-11-03T23:30:00Z"))) == "2026-11-04"


@pytest.mark.parametrize("declared", ["2026-03-04", "2026-04-03"])
def test_day_and_month_are_exchanged_as_the_rest_of_the_page_says(declared: str) -> None:
    meta = f'<meta property="article:published_time" content="{declared}T08:00:00+01:00">'

    assert day(read(f"<h1>{TITLE}</h1><p>3/4/2026</p>{TEXT}", meta)) == declared


def test_a_day_and_month_that_would_lie_ahead_of_the_fetch_are_exchanged() -> None:
    assert day(read(f"<h1>{TITLE}</h1><p>Jan Novák, 5/12/2026</p>{TEXT}")) == "2026-05-12"


def test_confidence_is_high_where_sources_agree_and_lower_where_they_do_not() -> None:
    own = "<time datetime='2026-11-03T08:00:00+01:00'>3. listopadu 2026</time>"
    url = "https://a.example/2026/11/03/most"

    agreed = read(f"<h1>{TITLE}</h1><p>{own}</p>{TEXT}", ld("2026-11-03T08:00:00+01:00"), url)
    doubtful = read(f"<h1>{TITLE}</h1>{TEXT}<p>Sešli se 3. listopadu 2026.</p>")

    assert agreed.confidence > 0.9 > doubtful.confidence
