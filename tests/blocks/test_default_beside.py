"""Lines of author and date, sign-up boxes, leads: told by what they are made of, whatever they are called."""

from __future__ import annotations

from itertools import pairwise

import pytest

from newscrawler import extract
from newscrawler.article import Article
from newscrawler.page.marks import Mark, marks_of

HEADLINE = "Harbour museum reopens after seven years"
LEAD = "The harbour museum of Brackley opened again on Saturday, seven years after a flood had destroyed its ground floor."
PARTS = (
    "Several hundred people had queued since the early morning, some of them with folding chairs and flasks of tea.",
    "The director cut a blue ribbon shortly after ten. “I had almost stopped believing in it,” she said.",
    "The repairs cost fourteen million, four more than planned; two thirds were paid by a lottery fund.",
    "On the upper floor visitors now find the hull of a medieval cog, which divers raised from the estuary.",
)
PEOPLE = ("Jo Doe", "Al Roe", "Em Poe")


def read(article: str, *, head: str = "") -> Article:
    html = f"<html lang=en><head><title>{HEADLINE} | Courier</title>{head}</head><body><main>{article}</main></body></html>"
    return extract(html, "https://courier.example/2026/museum-4711.html")


def p(*parts: str) -> str:
    return "".join(f"<p>{part}</p>" for part in parts)


def texts(article: Article) -> list[str]:
    return [paragraph.text for paragraph in article.body]


@pytest.mark.parametrize(
    "line",
    [
        "Jo Doe, <time datetime=2026-02-03>3. 2. 2026</time>",
        "By Jo Doe, 3 February 2026",
        "February 3, 2026 | Jo Doe",
        "Jana Malá – 3. února 2026, 8:05",
        "Publicado el 3 de febrero de 2026",
        "2026-02-03 08:05",
        "2026年2月3日 記者 田中",
    ],
)
def test_a_nameless_line_of_author_and_date_under_the_headline_is_left_out(line: str) -> None:
    article = f"<article><header><h1>{HEADLINE}</h1><p>{LEAD}</p><p>{line}</p></header>{p(*PARTS)}</article>"

    assert texts(read(article)) == [LEAD, *PARTS]


def test_a_sentence_with_a_date_under_the_headline_stays() -> None:
    sentence = "On 3 February 2026 the museum of Brackley, closed since the flood, let the first visitors in again."

    assert texts(read(f"<article><h1>{HEADLINE}</h1><p>{sentence}</p>{p(*PARTS)}</article>")) == [sentence, *PARTS]


@pytest.mark.parametrize(
    "invitation",
    [
        "Get our best stories every morning, free of charge.",
        "Nejlepší články každé ráno ve vaší poště.",
        "毎朝、主要なニュースをお届けします。",
    ],
)
def test_what_stands_beside_a_form_that_asks_for_an_address_is_left_out(invitation: str) -> None:
    box = f"<div class=x7><div class=x8>{invitation}</div><form><input type=email><button>OK</button></form></div>"

    found = read(f"<article><h1>{HEADLINE}</h1><div class=x1>{p(LEAD, *PARTS[:2])}{box}{p(*PARTS[2:])}</div></article>")

    assert texts(found) == [LEAD, *PARTS]


def test_a_page_that_stands_in_one_form_is_read_all_the_same() -> None:
    asked = "<div><span>Get our letter</span><input type=text name=ctl00_email></div>"

    found = read(f"<form method=post><h1>{HEADLINE}</h1><div>{p(LEAD, *PARTS)}</div>{asked}</form>")

    assert texts(found)[-len(PARTS) :] == [*PARTS]


def test_short_news_beside_a_form_in_the_same_box_stays() -> None:
    form = "<form><input type=email name=email><button>OK</button></form>"

    assert texts(read(f"<div><h1>{HEADLINE}</h1><div>{p(LEAD, PARTS[0])}{form}</div></div>")) == [LEAD, PARTS[0]]


@pytest.mark.parametrize(
    "wrapped", ["<div class=a1><p class=b1>{}</p></div>", "<section><div><div><p>{}</p></div></div></section>"]
)
def test_a_box_around_every_paragraph_makes_no_lead_of_the_first_ones(wrapped: str) -> None:
    body = "".join(wrapped.format(part) for part in (LEAD, *PARTS))

    described = read(f"<h1>{HEADLINE}</h1>{body}", head=f'<meta name=description content="{LEAD}">')

    assert described.lead == LEAD
    assert read(f"<h1>{HEADLINE}</h1>{body}").lead is None


def test_a_first_paragraph_outside_of_the_box_that_holds_the_others_is_the_lead() -> None:
    wrapped = "".join(f"<div><p>{part}</p></div>" for part in PARTS)

    assert read(f"<h1>{HEADLINE}</h1><div>{LEAD}</div><div class=k2>{wrapped}</div>").lead == LEAD


@pytest.mark.parametrize(
    "name", ["overflow-hidden", "field field--name-title field--label-hidden", "md:hidden", "overflow-x-hidden"]
)
def test_names_of_looks_hide_nothing(name: str) -> None:
    assert not marks_of(name) & (Mark.HIDDEN | Mark.TAGS)


def test_a_drupal_title_in_a_field_with_a_hidden_label_is_the_headline() -> None:
    field = "field field--name-title field--type-string field--label-hidden"
    title = f'<h1 class="page-title"><span class="{field}">{HEADLINE}</span></h1>'
    teaser = f'<div class="field field--name-field-teaser field--label-hidden field__item">{LEAD}</div>'

    found = read(
        f"{title}<div class=node__content>{teaser}<div>{p(*PARTS)}</div></div>", head=f'<meta name=description content="{LEAD}">'
    )

    assert texts(found) == [LEAD, *PARTS]
    assert found.headline == HEADLINE


@pytest.mark.parametrize("attribute", ["data-component='newsletter-block'", "data-testid='author-bio'"])
def test_names_of_parts_of_programs_count_where_classes_are_made_by_a_machine(attribute: str) -> None:
    box = f"<div {attribute} class='sc-x1 kQ'><p class='sc-y2'>She writes every morning about what is new in the town.</p></div>"
    body = "".join(f"<div class='sc-z3'><p class='sc-y2'>{part}</p></div>" for part in (LEAD, *PARTS))

    assert texts(read(f"<article><h1>{HEADLINE}</h1>{body}{box}</article>")) == [LEAD, *PARTS]


@pytest.mark.parametrize(
    "around",
    [
        f"<div>Culture</div><h1>{HEADLINE}</h1><p>{LEAD}</p>",
        f"<h1>{HEADLINE}</h1><div>13.11.26, 13:28</div><p>{LEAD}</p>",
        f"<div><span>{HEADLINE}</span><br>3.2.2026 8:05 | Jo Doe | Culture | Read 307 times<br><br>{LEAD}</div>",
    ],
    ids=["rubric above the headline", "date without letters", "headline that runs on"],
)
def test_what_stands_about_the_headline_in_plain_boxes_is_no_text(around: str) -> None:
    assert texts(read(f"<article><div>{around}{p(*PARTS)}</div></article>")) == [LEAD, *PARTS]


@pytest.mark.parametrize("name", ["<h4>Jo Doe</h4>", "<p><a href=/x>Jo Doe</a></p>"])
def test_who_the_author_is_stands_under_the_name_and_is_no_text(name: str) -> None:
    portrait = "<p>Jo Doe is a senior correspondent of this paper who has written about the harbour for many years.</p>"
    article = f"<article><h1>{HEADLINE}</h1><p>Jo Doe, 3 February 2026</p><div>{p(LEAD, *PARTS)}"

    assert texts(read(f"{article}{name}{portrait}</div></article>")) == [LEAD, *PARTS]
    assert len(texts(read(f"{article}{portrait}</div></article>"))) == len(PARTS) + 2


def test_a_byline_between_lead_and_text_tells_whose_portrait_stands_below() -> None:
    portrait = "<h4>Jo Doe</h4><p>Jo Doe is a senior correspondent of this paper who has written about the harbour for years.</p>"
    article = f"<article><h1>{HEADLINE}</h1>{p(LEAD)}<div>Jo Doe, 3 February 2026</div><div>{p(*PARTS)}</div>"

    assert texts(read(f"{article}<div>{portrait}</div></article>")) == [LEAD, *PARTS]


@pytest.mark.parametrize("label", ["<h2>Maria Lopez</h2>", "<p><b>Maria Lopez</b></p>"])
def test_somebody_of_whom_the_end_of_the_text_speaks_under_the_name_stays(label: str) -> None:
    end = "Maria Lopez leads those who want the old ground floor back and told the paper that she would go to court over it."
    html = f"<article><h1>{HEADLINE}</h1><p>Jo Doe, 3 February 2026</p><div>{p(LEAD, *PARTS)}{label}{p(end)}</div></article>"

    assert texts(read(html))[-1] == end


def test_the_last_of_several_people_under_their_names_stays() -> None:
    people = "".join(
        f"<h4>{who}</h4><p>{who} has mended the pumps and doors of the museum by {n} o'clock.</p>" for n, who in enumerate(PEOPLE)
    )

    assert len(texts(read(f"<article><h1>{HEADLINE}</h1><div>{p(LEAD, *PARTS)}{people}</div></article>"))) == len(
        PARTS
    ) + 1 + 2 * len(PEOPLE)


@pytest.mark.parametrize("name", ["font-copy", "body-copy", "copy"])
def test_copy_is_what_a_text_is_called_too_and_makes_it_no_caption(name: str) -> None:
    assert marks_of(name) & Mark.BODY
    assert not marks_of(name) & Mark.CAPTION


@pytest.mark.parametrize(
    "caption",
    [
        "<div class=q7>The hull of the cog in its new hall on the upper floor.</div>",
        "<div class=q7><span>Visitors before the museum on Saturday</span><span class=q9>Agency</span></div>",
    ],
)
def test_what_shares_a_nameless_box_with_a_picture_between_paragraphs_is_its_caption(caption: str) -> None:
    picture = f"<div class=q5><picture><img src=/hull.jpg></picture>{caption}</div>"

    found = read(f"<article><h1>{HEADLINE}</h1><div class=q1>{p(LEAD, *PARTS[:2])}{picture}{p(*PARTS[2:])}</div></article>")

    assert texts(found) == [LEAD, *PARTS]


def test_a_text_whose_parts_are_no_paragraphs_keeps_those_beside_pictures() -> None:
    told = [f"{part} {more}" for part, more in pairwise((LEAD, *PARTS))]
    parts = "".join(f"<div class=q4><div><img src=/{n}.jpg></div><div>{part}</div></div>" for n, part in enumerate(told))

    assert texts(read(f"<article><h1>{HEADLINE}</h1><div class=q1>{parts}</div></article>")) == told


@pytest.mark.parametrize(
    "line", ["Lesezeit: 5 Min.", "12 min read", "3 min de lectura", "Temps de lecture : 4 min", "読了時間：3分", "5 минут чтения"]
)
def test_how_long_it_takes_to_read_the_text_is_no_part_of_it(line: str) -> None:
    body = f"<div class=q1>{p(*PARTS[:1])}</div>"

    assert texts(read(f"<article><h1>{HEADLINE}</h1>{p(LEAD)}<div class=q2>{line}</div>{body}</article>")) == [LEAD, PARTS[0]]


def test_a_caption_is_told_too_where_each_paragraph_lies_in_a_box_of_its_own() -> None:
    boxed = [f"<div class=q3>{p(part)}</div>" for part in (LEAD, *PARTS)]
    caption = "<div><span>The hull of the cog in its new hall on the upper floor of the house.</span></div>"
    picture = f"<div class=q3><div class=q5><div><img src=/hull.jpg></div>{caption}</div></div>"

    found = read(f"<article><h1>{HEADLINE}</h1><div>{''.join([*boxed[:2], picture, *boxed[2:]])}</div></article>")

    assert texts(found) == [LEAD, *PARTS]


@pytest.mark.parametrize("name", ["poll", "anketa", "ankieta", "sondage-box", "umfrage", "encuesta"])
def test_a_poll_is_known_by_its_name_in_several_languages(name: str) -> None:
    assert marks_of(name) & Mark.WIDGET
