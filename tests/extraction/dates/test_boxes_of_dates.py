"""A time element between headline and text dates the article in any box and form; today in front of their box never does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawler import extract

FETCHED = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
#: Headline, sentence, day of publication and day of the fetch, by language.
WORDS = {
    "en": (
        "A dog bites a mayor in the park", "1 November 2026", "Friday, 27 November 2026",
        "The mayor was walking along the river when the dog, which nobody had seen before, came out of the bushes and bit him. ",
    ),
    "de": (
        "Ein Hund beißt den Bürgermeister im Park", "1. November 2026", "Freitag, 27. November 2026",
        "Der Bürgermeister ging am Fluss entlang, als der Hund, den niemand gesehen hatte, aus den Büschen kam und ihn biss. ",
    ),
    "pl": (
        "Pies ugryzł burmistrza w parku", "1 listopada 2026", "piątek, 27 listopada 2026",
        "Burmistrz szedł wzdłuż rzeki, kiedy pies, którego nikt wcześniej nie widział, wyskoczył z krzaków i go ugryzł. ",
    ),
    "cs": (
        "Pes pokousal starostu v parku", "1. listopadu 2026", "pátek 27. listopadu 2026",
        "Starosta šel podél řeky, když pes, kterého nikdo předtím neviděl, vyběhl z křoví a pokousal ho na noze. ",
    ),
}  # fmt: skip
DATETIMES = ("2026-11-01", "2026-11-01T10:15", "2026-11-01T10:15:00Z", "2026-11-01T10:15:00+01:00", "2026-11-01 10:15:00")
BOXES = (
    "{}", "<p>{}</p>", "<div>{}</div>", "<header>{}</header>", "<aside>{}</aside>", "<footer>{}</footer>",
    "<div class=article-meta>{}</div>", "<div class=widget>{}</div>", "<div class='tools share'><a href=#s>Share</a>{}</div>",
    "<ul><li>{}</li><li>4 min</li></ul>", "<nav>{}<a href=/x>Local</a></nav>", "<div class=x7f><div class=k2>{}</div></div>",
)  # fmt: skip
OUTER = (
    "<h1>{title}</h1>{date}{text}", "<article><h1>{title}</h1>{date}{text}</article>",
    "<article><header><h1>{title}</h1></header>{date}<div>{text}</div></article>",
)  # fmt: skip
#: Boxes of the day of the fetch, and of headline and text behind it.
FRONTS = (
    "<div>{}</div>", "<p>{}</p>", "<div><div>{}</div></div>", "<header><a href=/>Courier</a><span>{}</span></header>",
    "<div class=top-bar><span>{}</span><a href=/s>Sport</a></div>", "<div><a href=/>Courier</a> | {}</div>",
    "<section>{}</section>",
)  # fmt: skip
BEHIND = ("<article><h1>{title}</h1>{own}{text}</article>", "<main><div><h1>{title}</h1></div>{own}<div>{text}</div></main>")


def read(language: str, body: str, fetched_at: datetime | None = FETCHED, **more: str) -> str:
    title, _, _, sentence = WORDS[language]
    text = "".join(f"<p>{2 * sentence}{number}.</p>" for number in range(5))
    inside = body.format(title=title, text=text, **more)
    html = f"<html lang={language}><head><title>{title}</title></head><body>{inside}</body></html>"
    return str(extract(html, "https://courier.example/dog-bites", fetched_at=fetched_at).published_at)[:10]


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("box", BOXES)
def test_a_time_element_between_headline_and_text_is_the_date(language: str, box: str) -> None:
    forms = [f"<time datetime='{at}'>{text}</time>" for at in DATETIMES for text in (WORDS[language][1], "")]
    days = {
        read(language, OUTER[number % len(OUTER)], (FETCHED, None)[number % 2], date=box.format(form))
        for number, form in enumerate(forms)
    }

    assert days == {"2026-11-01"}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("front", FRONTS)
def test_the_day_of_today_in_front_of_the_box_of_the_headline_is_never_the_date(language: str, front: str) -> None:
    _, own, today, _ = WORDS[language]
    todays = [today, "27.11.2026"]

    assert {read(language, front.format(day) + behind, own="") for day in todays for behind in BEHIND} == {"None"}
    dated = {read(language, front.format(day) + behind, own=f"<p>{own}</p>") for day in todays for behind in BEHIND}
    assert dated == {"2026-11-01"}
