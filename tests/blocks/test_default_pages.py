"""The default detector on pages that are built unusually, and on pages that hold no article."""

from __future__ import annotations

import json
import time

import pytest

from newscrawler.article import Body, ParagraphKind
from newscrawler.blocks.default import DefaultDetector
from newscrawler.errors import PageReason
from newscrawler.page import Document

DETECTOR = DefaultDetector()
HEADLINE = "Council approves the new bridge over the river"
PARTS = (
    "After nine hours of debate the council of Harrow approved on Tuesday a bridge that residents have asked for since 1998.",
    "Work is to begin in spring, said mayor Edward Stanmore, and it will last for at least two years.",
    "The old bridge carries three times the load for which it was built, an engineer told the meeting.",
    "It will cost eleven million, of which the region pays half; the opposition called the price absurd.",
    "“We have waited long enough,” said a shopkeeper from Mill Street, who had come with her whole family.",
    "Until then lorries must take the road through Eastleigh, which adds about twenty minutes to the journey.",
)
HEBREW = (
    "המועצה אישרה גשר חדש מעל הנהר",
    "אחרי תשע שעות של דיון אישרה המועצה ביום שלישי את בניית הגשר שהתושבים מבקשים מאז 1998.",
    "העבודות יתחילו באביב, אמר ראש העיר, והן יימשכו שנתיים לפחות.",
    "הגשר הישן נושא משקל גדול פי שלושה ממה שתוכנן, אמר מהנדס בישיבה.",
)


def page(
    article: str, *, head: str = "", title: str = f"{HEADLINE} | Courier", url: str = "https://courier.example/a/bridge"
) -> Document:
    menu = "".join(f"<li><a href='/s{n}'>Rubric {n}</a></li>" for n in range(8))
    html = f"<html lang=en><head><title>{title}</title>{head}</head><body><nav><ul>{menu}</ul></nav>{article}<footer>© Courier</footer></body>"  # noqa: E501
    return Document.parse(html, url)


def read(document: Document) -> Body:
    found = DETECTOR.examine(document)
    assert found.refusal is None, found.refusal
    assert found.body is not None
    return found.body


def reason(document: Document) -> PageReason | None:
    found = DETECTOR.examine(document)
    return found.refusal.reason if found.refusal else None


def p(*parts: str) -> str:
    return "".join(f"<p>{part}</p>" for part in parts)


def texts(body: Body) -> list[str]:
    return [paragraph.text for paragraph in body.paragraphs]


def test_a_body_in_two_sibling_containers_is_whole():
    body = read(page(f"<main><h1>{HEADLINE}</h1><div class=text>{p(*PARTS[:3])}</div><div class=text>{p(*PARTS[3:])}</div></main>"))

    assert texts(body) == list(PARTS)


def test_a_declared_article_is_found_though_all_its_names_speak_against_it():
    text = "".join(f"<div class=promo><div><p class=info>{part}</p></div></div>" for part in PARTS)

    body = read(page(f"<main><h1>{HEADLINE}</h1>{text}</main>", head="<meta property=og:type content=article>"))

    assert texts(body) == list(PARTS)


def test_the_whole_text_once_more_run_together_is_left_out():
    article = f"<main><h1>{HEADLINE}</h1><div>{p(*PARTS)}</div><div>{' '.join(PARTS)}</div></main>"

    assert texts(read(page(article))) == list(PARTS)


def test_a_summary_that_the_text_repeats_stays():
    article = f"<main><h1>{HEADLINE}</h1><div><p>{' '.join(PARTS[:2])}</p>{p(*PARTS)}</div></main>"

    assert texts(read(page(article)))[0] == " ".join(PARTS[:2])


def test_promotion_alone_is_no_article():
    text = "".join(f"<div class=promo><div><p class=info>{part}</p></div></div>" for part in PARTS)

    assert reason(page(f"<main><h1>{HEADLINE}</h1>{text}</main>")) == PageReason.NO_BODY


@pytest.mark.parametrize(
    "between",
    [
        "<div class='ad banner'>Book your winter holiday now and save twenty per cent on all hotels.</div>",
        "<aside class='related'><h3>Related</h3><ul><li><a href='/x'>The long story of the old bridge in Harrow</a></li></ul></aside>",  # noqa: E501
        "<section class='newsletter-signup'><p>Sign up for our letter and never miss a story again.</p></section>",
        "<div class='read-more'><strong>Read also:</strong> <a href='/y'>Why the mayor wants a bridge so badly</a></div>",
    ],
)
def test_a_body_split_by_a_box_across_the_page_is_whole_and_the_box_is_left_out(between):
    article = f"<main><h1>{HEADLINE}</h1><div class=part>{p(*PARTS[:3])}</div>{between}<div class=part>{p(*PARTS[3:])}</div></main>"

    assert texts(read(page(article))) == list(PARTS)


@pytest.mark.parametrize("kicker", ["Regional politics", "Regionalpolitik", "Doprava ve městě"])
def test_a_rubric_set_as_a_heading_above_the_headline_is_no_part_of_the_body(kicker):
    head = f"<h2>{kicker}</h2><h1>{HEADLINE}</h1>"

    body = read(page(f"<main><article><header>{head}<p class=lead>{PARTS[0]}</p></header>{p(*PARTS[1:])}</article></main>"))

    assert texts(body) == list(PARTS)
    assert body.lead == PARTS[0]


def test_a_body_that_only_json_ld_holds_is_taken_from_there():
    data = {"@type": "NewsArticle", "headline": HEADLINE, "articleBody": "\n\n".join(PARTS)}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'

    body = read(page(f"<main><h1>{HEADLINE}</h1><div id=app></div></main>", head=head))

    assert texts(body) == list(PARTS)


def test_a_truncated_body_in_json_ld_does_not_displace_the_text_of_the_page():
    data = {"@type": "NewsArticle", "headline": HEADLINE, "articleBody": " ".join(PARTS[:2]) + " ..."}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'

    assert texts(read(page(f"<article><h1>{HEADLINE}</h1>{p(*PARTS)}</article>", head=head))) == list(PARTS)


def test_of_a_live_blog_introduction_and_posts_are_told_apart_by_headings():
    posts = "".join(
        f"<div class='live-post'><time>1{n}:00</time><h3>What happened at hour {n} of the session</h3>{p(PARTS[n], PARTS[n + 1])}</div>"  # noqa: E501
        for n in range(1, 5)
    )
    body = read(page(f"<article><h1>{HEADLINE}</h1><p class='lead'>{PARTS[0]}</p><div class='live-blog'>{posts}</div></article>"))

    assert body.lead == PARTS[0]
    assert PARTS[3] in body.text
    assert ParagraphKind.HEADING in {paragraph.kind for paragraph in body.paragraphs}


def test_an_interview_in_bold_questions_keeps_questions_and_answers():
    questions = (
        "Why does Harrow need a second bridge at all?",
        "And who is going to pay for it?",
        "When will the first car cross?",
    )
    turns = "".join(f"<p><strong>{q}</strong></p><p>{PARTS[n + 1]}</p><p>{PARTS[n + 2]}</p>" for n, q in enumerate(questions))

    body = read(page(f"<article><h1>{HEADLINE}</h1><p class=lead>{PARTS[0]}</p>{turns}</article>"))

    assert all(question in texts(body) for question in questions)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_very_short_news_is_an_article(count):
    body = read(page(f"<article><h1>{HEADLINE}</h1><p>18 November 2026</p><div class=text>{p(*PARTS[:count])}</div></article>"))

    assert [text for text in texts(body) if text in PARTS] == list(PARTS[:count])


def test_a_very_long_read_is_whole():
    parts = [f"{n}. {PARTS[n % 6]}" for n in range(600)]

    assert texts(read(page(f"<article><h1>{HEADLINE}</h1>{p(*parts)}</article>"))) == parts


def test_a_list_as_article_keeps_headings_and_items():
    entries = "".join(
        f"<h2>{n}. The bridge number {n} of the region</h2><p>{PARTS[n % 6]} It is number {n}.</p>" for n in range(1, 8)
    )

    body = read(page(f"<article><h1>{HEADLINE}</h1><p>{PARTS[0]}</p>{entries}</article>"))

    kinds = [paragraph.kind for paragraph in body.paragraphs]
    assert kinds.count(ParagraphKind.HEADING) == 7


def test_a_recipe_keeps_ingredients_and_steps():
    ingredients = ("250 g of flour and a pinch of salt", "three eggs and two spoons of sugar", "half a litre of milk, not too cold")
    article = (
        f"<article><h1>Pancakes as grandmother made them</h1><p>{PARTS[0].replace('bridge', 'recipe')}</p><h2>Ingredients</h2>"
        f"<ul>{''.join(f'<li>{item}</li>' for item in ingredients)}</ul><h2>Method</h2>"
        "<ol><li>Mix the flour with eggs, sugar and salt until there are no lumps left in the bowl.</li>"
        "<li>Pour in the milk slowly, and let the mixture stand for half an hour under a cloth.</li></ol></article>"
    )
    body = read(page(article, title="Pancakes as grandmother made them | Courier"))

    assert all(item in texts(body) for item in ingredients)
    assert sum(paragraph.kind is ParagraphKind.LIST_ITEM for paragraph in body.paragraphs) == 5


def test_a_question_and_answer_box_of_the_article_is_kept():
    box = "".join(f"<dt>What about point number {n}?</dt><dd>{PARTS[n]}</dd>" for n in range(1, 5))

    assert PARTS[3] in texts(read(page(f"<article><h1>{HEADLINE}</h1><p>{PARTS[0]}</p><p>{PARTS[5]}</p><dl>{box}</dl></article>")))


def test_of_several_article_elements_the_one_with_the_headline_is_read():
    teasers = "".join(
        f"<article class=teaser><h3><a href='/t{n}'>Another story, number {n}</a></h3><p>It is short and says little.</p></article>"
        for n in range(5)
    )
    body = read(page(f"<article class=main><h1>{HEADLINE}</h1>{p(*PARTS)}</article><section>{teasers}</section>"))

    assert texts(body) == list(PARTS)


def test_the_next_article_loaded_below_is_not_part_of_this_one():
    other = p(*(f"{part} Elsewhere it is said that the port grows." for part in PARTS))
    article = f"<article><h1>{HEADLINE}</h1>{p(*PARTS)}</article><article><h1>Port of Millbrook grows again</h1>{other}</article>"

    body = read(page(article))

    assert texts(body) == list(PARTS)


def test_a_gallery_gives_its_text_without_captions():
    pictures = "".join(
        f"<figure><img src=p{n}.jpg><figcaption>Picture {n}: the bridge at dawn</figcaption></figure>" for n in range(12)
    )

    body = read(page(f"<article><h1>{HEADLINE}</h1>{p(*PARTS[:3])}<div class=gallery>{pictures}</div></article>"))

    assert texts(body) == list(PARTS[:3])


def test_an_amp_page_is_read():
    amp = (
        f"<!doctype html><html amp><head><title>{HEADLINE}</title><style amp-custom>p{{}}</style></head><body><amp-sidebar><ul>"
        f"<li>Menu entry that is long enough to matter here.</li></ul></amp-sidebar><article><h1>{HEADLINE}</h1>"
        f"<amp-img src=a.jpg></amp-img>{p(*PARTS[:3])}<amp-ad>Buy now</amp-ad>{p(*PARTS[3:])}</article></body></html>"
    )
    assert texts(read(Document.parse(amp, "https://courier.example/a/bridge?amp"))) == list(PARTS)


def test_right_to_left_text_is_read_in_order():
    article = f"<article dir=rtl><h1>{HEBREW[0]}</h1>{p(*HEBREW[1:])}</article>"

    body = read(page(article, title=f"{HEBREW[0]} | עיתון"))

    assert body.headline == HEBREW[0]
    assert texts(body) == list(HEBREW[1:])


def test_5000_nested_elements_are_survived_in_time():
    started = time.process_time()

    found = DETECTOR.examine(page("<div>" * 5000 + f"<h1>{HEADLINE}</h1>{p(*PARTS)}" + "</div>" * 5000))

    assert found.body is None or found.body.paragraphs
    assert time.process_time() - started < 2


def test_links_and_emphasis_in_a_sentence_stay_text():
    article = f"<article><h1>{HEADLINE}</h1><p>The <b>old</b> bridge, <a href='/o'>says the <i>engineer</i></a>, is <span>tired</span>.</p>{p(*PARTS)}</article>"  # noqa: E501

    assert texts(read(page(article)))[0] == "The old bridge, says the engineer, is tired."


def test_rows_of_a_table_in_the_article_are_kept_as_rows():
    rows = "<tr><th>Year</th><th>Cars a day</th></tr>" + "".join(
        f"<tr><td>{year}</td><td>{year * 3}</td></tr>" for year in range(2019, 2024)
    )

    body = read(page(f"<article><h1>{HEADLINE}</h1>{p(*PARTS[:4])}<table>{rows}</table>{p(*PARTS[4:])}</article>"))

    assert all(text in texts(body) for text in PARTS)
    assert all(paragraph.kind is ParagraphKind.TABLE_ROW for paragraph in body.paragraphs if paragraph.text.startswith("20"))


@pytest.mark.parametrize(
    "box",
    [
        "<div class='share-buttons'><span>Share this story with friends</span></div>",
        "<div class='author-bio'><p>Jane Roe has written about bridges for twenty years.</p></div>",
        "<div class='tags'><a href='/t/a'>bridge</a> <a href='/t/b'>river</a></div>",
        "<div id='comments'><h3>2 comments</h3><p>I do not believe a word of this, they never build it.</p></div>",
        "<div class='cookie-consent'><p>We use cookies to make this site better. Do you agree with that?</p></div>",
        "<div class='paywall'><p>Subscribe now to read on, the first month is free of charge.</p></div>",
        "<blockquote class='pullquote'>The old bridge carries three times the load</blockquote>",
        "<ul class='related-links'><li><a href='/1'>Bridge in Eastleigh closed for good</a></li><li><a href='/2'>Mayor under fire</a></li></ul>",  # noqa: E501
        "<div style='display:none'><p>Text that nobody sees on this page at all.</p></div>",
    ],
)
@pytest.mark.parametrize("place", ["within", "behind"])
def test_what_is_not_the_articles_is_left_out(box, place):
    inside = p(*PARTS[:3]) + (box if place == "within" else "") + p(*PARTS[3:])

    body = read(page(f"<article><h1>{HEADLINE}</h1><div class=content>{inside}</div>{box if place == 'behind' else ''}</article>"))

    assert texts(body) == list(PARTS)


def teasers(count: int, tag: str = "h2") -> str:
    return "".join(
        f"<article><{tag}><a href='/2026/story-{n}'>Story number {n} about the town</a></{tag}><p>{PARTS[n % 6]}</p></article>"
        for n in range(count)
    )


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (page(teasers(12), title="Courier", url="https://courier.example/"), PageReason.LISTING),
        (
            page(f"<h1>Politics</h1>{teasers(9, 'h3')}", title="Politics | Courier", url="https://courier.example/politics"),
            PageReason.LISTING,
        ),
        (
            page(f"<h1>Tag: bridge</h1>{teasers(1)}", title="Tag: bridge", url="https://courier.example/tag/bridge"),
            PageReason.LISTING,
        ),
        (
            page(f"<h1>Results for bridge</h1>{teasers(6)}", title="Search", url="https://courier.example/?s=bridge"),
            PageReason.LISTING,
        ),
        (
            page(
                "<h1>404</h1><p>Sorry, the page that you are looking for was not found on this server.</p>" * 2,
                title="Page not found",
            ),
            PageReason.ERROR_PAGE,
        ),
        (
            page("<h1>Stránka nenalezena</h1><p>Je nám líto, tato stránka neexistuje.</p>", title="Stránka nenalezena"),
            PageReason.ERROR_PAGE,
        ),
        (page("", title="Courier"), PageReason.NO_BODY),
        (Document.parse(""), PageReason.EMPTY),
    ],
    ids=["front page", "section", "tag with one story", "search", "error page", "error page in Czech", "no text", "empty"],
)
def test_a_page_without_an_article_is_refused_with_the_reason(document, expected):
    assert reason(document) is expected


def test_a_section_with_headings_that_are_no_headings_is_a_listing_too():
    cards = "".join(
        f"<div class=card><a class=title href='/c{n}'>Story number {n} about the town</a><p>{PARTS[n % 6]}</p></div>"
        for n in range(9)
    )

    assert reason(page(f"<h1>Politics</h1>{cards}", title="Politics | Courier")) is PageReason.LISTING


def test_a_headline_that_links_to_its_own_page_is_no_teaser():
    article = f"<article><h1><a href='/a/bridge'>{HEADLINE}</a></h1>{p(*PARTS)}</article>"

    assert reason(page(article)) is None


def test_teasers_below_an_article_do_not_make_it_a_listing():
    assert reason(page(f"<article><h1>{HEADLINE}</h1>{p(*PARTS)}</article><section>{teasers(10, 'h3')}</section>")) is None


@pytest.mark.parametrize("address", ["", "index.html", "index.php", "blog/"])
def test_long_stories_below_one_another_with_dates_as_links_are_a_listing(address):
    stories = "".join(
        f"<article><header><h1><a href='/2026/story-{n}.html'>Story number {n} about the town</a></h1><p class=byline>"
        f"<a href='/by/eva'>Eva Malá</a></p><p><a href='/2026/story-{n}.html'><time>November {n + 1}, 2026</time></a></p></header>"
        f"<div>{p(*PARTS, *PARTS)}</div></article>"
        for n in range(6)
    )
    masthead = "<h1><a href='/'>The Courier</a></h1>"

    assert reason(page(masthead + stories, title="The Courier", url=f"https://courier.example/{address}")) is PageReason.LISTING
