"""Of all that a page says about time, the article's own date is chosen."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, finish, read_dates, read_metadata
from newscrawler.extraction.dates import DateContext, DateHint, Dates, PortalCalendar, find_dates
from newscrawler.page import Document

FETCHED = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
HEAD = "<html lang='{lang}'><head><title>A dog bites a mayor in the park</title>{head}</head><body>"
HEADLINE = "<h1>A dog bites a mayor in the park</h1>"


def dates(body: str, head: str = "", *, lang: str = "en", url: str | None = None, **context: Any) -> Dates:
    page = Document.parse(f"{HEAD.format(lang=lang, head=head)}{body}</body></html>", url)
    return find_dates(page, DateContext(**{"fetched_at": FETCHED, **context}))


def published(found: Dates) -> str | None:
    return found.published.value.isoformat() if found.published else None


def ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def test_json_ld_goes_before_the_page_and_the_last_change_is_kept_apart() -> None:
    head = ld(
        '{"@graph":[{"@type":"NewsArticle","datePublished":"2026-02-03T10:00:00+01:00","dateModified":"2026-02-05T11:00:00+01:00"}]}'
    )

    found = dates(f"{HEADLINE}<span class='date'>5. 2. 2026</span>", head)

    assert published(found) == "2026-02-03T10:00:00+01:00"
    assert found.modified is not None
    assert found.modified.value.day == 5
    assert found.published is not None
    assert (found.published.source, found.published.offset_given) == ("json-ld", True)


def test_dates_of_comments_videos_and_other_articles_in_json_ld_are_not_the_articles() -> None:
    head = ld(
        '{"@type":"NewsArticle","datePublished":"2026-02-03T10:00:00+01:00","comment":[{"@type":"Comment","datePublished":"2026-01-01"}],'
        '"video":{"@type":"VideoObject","uploadDate":"2025-01-01"},"hasPart":[{"@type":"NewsArticle","datePublished":"2024-01-01"}]}'
    )

    assert published(dates(HEADLINE, head)) == "2026-02-03T10:00:00+01:00"


@pytest.mark.parametrize(
    "name",
    [
        "article:published_time",
        "pubdate",
        "DC.date.issued",
        "parsely-pub-date",
        "sailthru.date",
        "publish-date",
        "cXenseParse:recs:publishtime",
    ],
)
def test_the_meta_names_of_news_systems_are_understood(name: str) -> None:
    found = dates(HEADLINE, f'<meta name="{name}" content="2026-02-03T10:00:00+01:00">')

    assert published(found) == "2026-02-03T10:00:00+01:00"


@pytest.mark.parametrize(
    "name", ["expires", "event:start_date", "article:expiration_time", "article:modified_time", "birthdate", "copyright-date"]
)
def test_other_meta_dates_are_not_taken_for_the_publication(name: str) -> None:
    found = dates(
        f"{HEADLINE}<time datetime='2026-02-03T10:00:00+01:00'></time>", f'<meta name="{name}" content="2026-01-01T10:00:00+01:00">'
    )

    assert published(found) == "2026-02-03T10:00:00+01:00"


def test_the_day_of_the_address_is_taken_where_nothing_else_is_there() -> None:
    found = dates(HEADLINE, url="https://example.org/2026/02/03/a-dog.html")

    assert published(found) == "2026-02-03T00:00:00+00:00"
    assert found.published is not None
    assert found.published.source == "url"


@pytest.mark.parametrize(
    "box",
    [
        "aside",
        "div class='comment'",
        "div class='related-articles'",
        "div class='sidebar'",
        "footer",
        "div class='weather'",
        "div id='current-date'",
    ],
)
def test_dates_in_boxes_beside_the_article_are_never_taken(box: str) -> None:
    filler = "<p class='text'>A sentence of the article, which is long.</p>" * 60

    found = dates(f"{HEADLINE}{filler}<{box}><span class='date'>3 February 2026</span></{box.split()[0]}>")

    assert published(found) is None
    assert found.reason


@pytest.mark.parametrize(
    "box", ["comment", "comments", "related-articles", "weather", "teaser", "event", "latest", "most-read", "svatek"]
)
@pytest.mark.parametrize(
    "date",
    [
        "<span class='date'>3 February 2026</span>",
        "<time datetime='2026-02-03T10:00:00Z'>3 February</time>",
        "<i>3 hours ago</i>",
    ],
)
def test_other_texts_are_never_dated_for_the_article_however_near_they_stand(box: str, date: str) -> None:
    found = dates(f"{HEADLINE}<p>A text.</p><div class='{box}'>{date}</div>")

    assert published(found) is None


def test_words_that_say_so_make_a_date_the_articles_whatever_its_box_is_called() -> None:
    found = dates(f"{HEADLINE}<div class='eventbox'><b>Published on:</b> <h2 class='event-head'>3 February 2026</h2></div>")

    assert published(found) == "2026-02-03T00:00:00+00:00"


def test_the_day_of_today_above_the_headline_is_never_taken() -> None:
    top = "<div class='top'>Dnes je pátek 20. listopadu 2026, svátek má Nikola</div>"
    body = f"{top}{HEADLINE}<p class='info'>Jan Novák, 3. února 2026</p>"

    assert published(dates(body, lang="cs")) == "2026-02-03T00:00:00+00:00"


def test_an_event_in_the_text_is_no_date_of_publication() -> None:
    sentence = (
        "The concert takes place in the town hall and starts at eight in the evening on 3 February 2026, "
        "and all who like music are invited to it."
    )

    assert published(dates(f"{HEADLINE}<p>{sentence}</p>")) is None


def test_the_time_of_the_fetch_is_never_a_fallback_and_the_reason_is_given() -> None:
    found = dates(f"{HEADLINE}<p>Nothing here.</p><p>Copyright 2026</p>")

    assert (found.published, found.reason) == (None, "no date on the page")


def test_a_date_in_the_future_is_refused_with_the_reason() -> None:
    found = dates(f"{HEADLINE}<span class='date'>3 February 2031</span>")

    assert found.published is None
    assert {c.why for c in found.candidates} == {"lies in the future"}


def test_old_dates_with_strong_evidence_stand() -> None:
    assert published(dates(HEADLINE, ld('{"@type":"NewsArticle","datePublished":"1987-02-03"}'))) == "1987-02-03T00:00:00+00:00"


def test_the_articles_own_foot_is_no_foot_of_the_page() -> None:
    body = (
        f"<article class='post hentry'>{HEADLINE}<p>Text.</p><footer class='entry-footer'>Published "
        "<time class='entry-date published updated' datetime='2026-11-16T10:17:00+00:00'>November 16, 2026</time></footer>"
        "</article>"
        "<div id='comments'><footer><time datetime='2026-11-16T15:33:00+00:00'>November 16, 2026 at 15:33</time></footer></div>"
    )

    assert published(dates(body)) == "2026-11-16T10:17:00+00:00"


def test_published_and_updated_beside_each_other_are_told_apart() -> None:
    found = dates(f"{HEADLINE}<div class='article-date'>Updated: 5 February 2026 10:00 | Published: 3 February 2026 9:00</div>")

    assert published(found) == "2026-02-03T09:00:00+00:00"
    assert found.modified is not None
    assert found.modified.value.day == 5


def test_a_relative_date_near_the_headline_counts_from_the_fetch() -> None:
    found = dates(f"{HEADLINE}<span class='time'>před 3 hodinami</span>", lang="cs", time_zone="Europe/Prague")

    assert found.published is not None
    assert found.published.value == datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def test_day_and_month_are_exchanged_where_the_rest_of_the_page_says_so() -> None:
    found = dates(
        f"{HEADLINE}<p class='date'>Erstellt am: 01.11.2026</p>", '<meta name="date" content="11/01/2026 12:43:42">', lang="de"
    )

    assert found.published is not None
    assert found.published.value.date().isoformat() == "2026-11-01"


def test_the_portals_other_pages_settle_the_order_of_day_and_month() -> None:
    body = f"{HEADLINE}<span class='date'>3/4/2026</span>"

    days = [
        published(dates(body, lang=lang, calendar=PortalCalendar(**({order: 9} if order else {}))))
        for lang, order in (("en-GB", None), ("en-US", None), ("en-GB", "mdy"), ("en-US", "dmy"))
    ]

    assert [day[:10] if day else None for day in days] == ["2026-04-03", "2026-03-04", "2026-03-04", "2026-04-03"]


def head_of_page(shown: str) -> str:
    menu = "".join(f"<li><a href='/{name}/'>{name}</a></li>" for name in ("a", "b", "c", "d", "e", "f", "g"))
    return f"<div class='top'><div class='o-date'>{shown}</div><ul>{menu}</ul></div>"


@pytest.mark.parametrize("shown", ["pátek 20. listopadu 2026", "20. 11. 2026", "pátek 20. listopadu 2026 · svátek má Nikola"])
@pytest.mark.parametrize("place", ["before the menu", "behind the menu"])
def test_today_in_the_head_of_the_page_loses_to_a_relative_date_and_is_never_taken_alone(shown: str, place: str) -> None:
    head = head_of_page(shown)
    if place == "behind the menu":
        head = head_of_page("").replace("</ul>", f"</ul><div class='o-date'>{shown}</div>")
    text = "<p>Věta článku, která je docela dlouhá.</p>" * 5

    relative = dates(f"{head}<div>{HEADLINE}<div class='m-by'>včera 16:30</div>{text}</div>", lang="cs", time_zone="Europe/Prague")
    alone = dates(f"{head}<div>{HEADLINE}{text}</div>", lang="cs", time_zone="Europe/Prague")

    assert published(relative) == "2026-11-19T16:30:00+01:00"
    assert published(alone) is None


def test_a_date_of_today_above_the_headline_of_the_article_itself_is_taken() -> None:
    body = f"{head_of_page('')}<article><a href='/n/'>News</a><p class='date'>20 November 2026</p>{HEADLINE}<p>Text.</p></article>"

    assert published(dates(body)) == "2026-11-20T00:00:00+00:00"


@pytest.mark.parametrize("given", ["", ld('{"@type":"NewsArticle","datePublished":"2026-02-03"}')])
@pytest.mark.parametrize("shown", ["<span class='x'>3 February 2026, 16:30</span>", "<p>By A B | 3.2.2026 16:30</p>"])
def test_a_day_of_the_address_or_of_the_markup_is_refined_by_the_time_that_the_page_shows(given: str, shown: str) -> None:
    found = dates(f"{HEADLINE}{shown}<p>Text.</p>", given, url="https://example.org/2026-02-03/a-dog")

    assert published(found) == "2026-02-03T16:30:00+00:00"


def test_a_day_is_not_refined_by_the_time_of_another_day_nor_hours_ago_by_another_hour() -> None:
    other_day = dates(f"{HEADLINE}<span class='x'>5 February 2026, 16:30</span>", url="https://example.org/2026/02/03/a-dog")
    hours = dates(f"{HEADLINE}<span class='date'>8 hours ago</span><p>Text</p><div><p>today 10:34</p></div>")

    assert published(other_day) == "2026-02-03T00:00:00+00:00"
    assert published(hours) == "2026-11-20T04:30:00+00:00"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("<time>3 February 2026, 9:25 pm</time>", "2026-02-03T21:25:54-05:00"),
        ("<p>By A B | 4.2.2026 03:25</p>", "2026-02-04T03:25:54+01:00"),
        ("<time datetime='2026-02-04T07:55:54+05:30'>today</time>", "2026-02-04T07:55:54+05:30"),
        ("<time>4 February 2026, 2:25 am</time>", "2026-02-04T02:25:54+00:00"),
        ("<span class='date'>3 February 2026</span>", "2026-02-04T02:25:54+00:00"),
        ("<span class='date'>4 February 2026</span>", "2026-02-04T02:25:54+00:00"),
        ("<span class='date'>1 February 2026</span>", "2026-02-04T02:25:54+00:00"),
        ("", "2026-02-04T02:25:54+00:00"),
    ],
)
def test_a_time_in_utc_is_shown_on_the_clock_that_readers_see(shown: str, expected: str) -> None:
    head = ld('{"@type":"NewsArticle","datePublished":"2026-02-04T02:25:54Z"}')

    found = dates(f"{HEADLINE}{shown}<p>Text.</p>", head, lang="en-GB")

    assert published(found) == expected


@pytest.mark.parametrize(
    ("shown", "expected", "precision"),
    [
        ("", "2026-02-04T00:00:00+00:00", "day"),
        ("<time datetime='2026-02-04T00:00:00.000Z'>Feb 4, 2026</time>", "2026-02-04T00:00:00+00:00", "day"),
        ("<time>3 February 2026, 7:00 pm</time>", "2026-02-03T19:00:00-05:00", "minute"),
        ("<time>4 February 2026, 0:00</time>", "2026-02-04T00:00:00+00:00", "minute"),
        ("<span class='date'>3 February 2026</span>", "2026-02-03T19:00:00-05:00", "minute"),
    ],
)
def test_midnight_in_utc_is_a_day_unless_readers_see_its_time_or_another_day(shown: str, expected: str, precision: str) -> None:
    head = ld('{"@type":"NewsArticle","datePublished":"2026-02-04T00:00:00.000Z"}')
    found = dates(f"{HEADLINE}{shown}<p>Text.</p>", head, lang="en-US", url="https://www.example.us/a-dog/").published

    assert found is not None
    assert (found.value.isoformat(), found.precision, found.offset_given) == (expected, precision, precision == "minute")


def test_a_last_change_in_utc_is_shown_on_the_clock_of_the_publication() -> None:
    head = ld('{"@type":"NewsArticle","datePublished":"2026-02-03T10:00:00Z","dateModified":"2026-02-04T23:30:00Z"}')

    found = dates(f"{HEADLINE}<p>3 February 2026, 11:00</p><p>Text.</p>", head)

    assert published(found) == "2026-02-03T11:00:00+01:00"
    assert found.modified is not None
    assert found.modified.value.isoformat() == "2026-02-05T00:30:00+01:00"


def test_a_time_in_utc_is_shown_on_the_clock_that_the_pages_scripts_name_unless_it_shows_utc_itself() -> None:
    head = (
        '<meta property="article:published_time" content="2026-02-04T02:25:54Z">'
        '<meta property="article:modified_time" content="2026-02-04T02:40:10Z">'
        '<script>window.x = {"timezone":{"short":"ET","long":"America/New_York"}}</script>'
    )

    silent = dates(HEADLINE, head)
    shown = dates(f"{HEADLINE}<p>Wednesday, February 4, 2026 2:40AM</p>", head)

    assert published(silent) == "2026-02-03T21:25:54-05:00"
    assert published(shown) == "2026-02-04T02:25:54+00:00"


def test_a_meta_date_that_the_page_calls_its_last_change_is_no_publication() -> None:
    found = dates(
        f"{HEADLINE}<p>3 February 2026</p><p>Text.</p><p>Updated: 5 February 2026</p>", '<meta name="date" content="2026-02-05">'
    )

    assert published(found) == "2026-02-03T00:00:00+00:00"
    assert found.modified is not None
    assert found.modified.value.day == 5


def test_a_day_that_only_the_clock_of_the_country_explains_names_it_as_assumed() -> None:
    head = ld('{"@type":"NewsArticle","datePublished":"2026-07-03T22:25:54Z"}')

    found = dates(f"{HEADLINE}<span class='date'>4. Juli 2026</span>", head, url="https://example.de/a", lang="de")

    assert published(found) == "2026-07-04T00:25:54+02:00"
    assert found.published is not None
    assert "assumed" in found.published.why


def test_a_page_that_shows_the_day_of_utc_keeps_it_whatever_its_address_says() -> None:
    head = ld('{"@type":"NewsArticle","datePublished":"2026-06-30T16:34:54Z"}')
    body = f"{HEADLINE}<p><time datetime='2026-06-30T16:34:54Z'>June 30, 2026 - 4.34pm</time></p>"

    assert published(dates(body, head, url="https://example.org/a-dog-20260701-x.html")) == "2026-06-30T16:34:54+00:00"


def test_a_time_in_utc_is_on_the_day_of_the_address_or_on_the_clock_of_the_portal() -> None:
    head = ld('{"@type":"NewsArticle","datePublished":"2026-02-04T02:25:54Z"}')

    by_address = dates(HEADLINE, head, url="https://example.org/2026/02/03/a-dog/")
    by_portal = dates(HEADLINE, head, time_zone="America/New_York")

    assert published(by_address) == "2026-02-03T00:00:00+00:00"
    assert published(by_portal) == "2026-02-03T21:25:54-05:00"


def test_hints_of_the_crawl_date_a_page_without_any_and_confirm_no_more() -> None:
    hints = (
        DateHint(source="last-modified", text="Fri, 20 Nov 2026 12:00:00 GMT"),
        DateHint(source="feed", text="Tue, 03 Feb 2026 10:00:00 +0100"),
    )

    bare = dates(HEADLINE, hints=hints)
    dated = dates(HEADLINE, ld('{"@type":"NewsArticle","datePublished":"2026-02-01T08:00:00+01:00"}'), hints=hints)

    assert (published(bare), bare.published and bare.published.source) == ("2026-02-03T10:00:00+01:00", "feed")
    assert published(dated) == "2026-02-01T08:00:00+01:00"


@pytest.mark.parametrize(
    ("last_modified", "expected"),
    [
        ("Fri, 20 Nov 2026 12:30:00 GMT", None),
        ("Fri, 20 Nov 2026 12:26:00 GMT", None),
        ("Thu, 19 Nov 2026 14:00:00 GMT", None),
        ("Sat, 21 Nov 2026 12:30:00 GMT", None),
        ("Tue, 03 Feb 2026 10:00:00 GMT", "2026-02-03"),
    ],
)
def test_last_modified_tells_a_day_at_most_and_nothing_where_it_may_be_the_time_of_the_answer(
    last_modified: str, expected: str | None
) -> None:
    found = dates(HEADLINE, hints=(DateHint(source="last-modified", text=last_modified),))
    shown = dates(f"{HEADLINE}<p>3 May 2025</p>", hints=(DateHint(source="last-modified", text=last_modified),))

    assert (found.published and found.published.value.date().isoformat()) == expected
    assert found.published is None or (found.published.source, found.published.precision) == ("last-modified", "day")
    assert published(shown) == "2025-05-03T00:00:00+00:00"


def test_the_record_says_that_the_feed_gave_the_date() -> None:
    text = "<p>The mayor was bitten by a dog in the park, where he had gone to open the new playground of the town.</p>" * 4
    page = Document.parse(f"{HEAD.format(lang='en', head='')}<article>{HEADLINE}{text}</article></body></html>", "https://e.org/a")
    hints = (DateHint(source="feed", text="2026-02-03T10:00:00+01:00"),)
    draft = ExtractionState(page=page, fetched_at=FETCHED, hints=hints)

    for step in (detect_body, read_metadata, read_dates):
        step(draft, ExtractionOptions())
    article = finish(draft, ExtractionOptions())

    assert article.as_dict()["published_at"] == "2026-02-03T10:00:00+01:00"
    assert (article.published_source, article.offset_given) == ("feed", True)


def test_a_thorough_look_keeps_every_candidate_with_its_probability_and_place() -> None:
    head = ld('{"@type":"NewsArticle","datePublished":"2026-02-03T10:00:00+01:00"}')

    found = dates(
        f"{HEADLINE}<time datetime='2026-02-03T10:00:00+01:00'></time>",
        head,
        url="https://example.org/2026/02/03/x/",
        thorough=True,
    )

    assert {c.source for c in found.candidates} >= {"json-ld", "time element", "url"}
    assert all(c.place and 0 <= c.probability <= 1 and c.value.tzinfo for c in found.candidates)


def test_dates_are_found_in_the_data_of_scripts_last() -> None:
    found = dates(
        f'{HEADLINE}<script>window.state = {{"user":{{"registered_at":"2019-01-01"}},'
        '"published_at":"2026-02-03T10:00:00+01:00"}</script>'
    )

    assert published(found) == "2026-02-03T10:00:00+01:00"


def test_the_date_under_a_tweet_is_not_the_articles() -> None:
    tweet = "<blockquote class='twitter-tweet'><time datetime='2025-03-12T19:30:12+00:00'>Mar 12</time></blockquote>"
    body = f"{HEADLINE}<p class='date'>3 February 2026</p><p>The mayor wrote after it:</p>{tweet}"

    assert published(dates(body)) == "2026-02-03T00:00:00+00:00"


def test_the_rules_of_the_source_document_are_among_the_evidence() -> None:
    marks = [
        "<time>3. 2. 2026</time>",
        "<b datetime='2026-02-03'>x</b>",
        "<time pubdate>3. 2. 2026</time>",
        "<i id='datum'>3. 2. 2026</i>",
        "<i class='time'>3. 2. 2026</i>",
    ]

    days = [published(dates(f"{HEADLINE}<p>{mark}</p>", lang="cs")) for mark in marks]

    assert days == ["2026-02-03T00:00:00+00:00"] * 5


def test_a_page_with_an_impossible_address_is_read_all_the_same() -> None:
    assert published(dates(HEADLINE, url="http://[bad")) is None
    assert published(dates("<ul><li>1. 2. 2026</li><li>2. 2. 2026</li><li>3. 2. 2026</li></ul>", url="http://[bad")) is not None


def test_a_listing_says_less_than_a_feed_and_less_than_the_page() -> None:
    listing, feed = DateHint(source="listing", text="2026-10-01"), DateHint(source="feed", text="2026-10-09T08:00:00+00:00")

    alone, both = dates(HEADLINE, hints=(listing,)), dates(HEADLINE, hints=(listing, feed))
    shown = dates(f"{HEADLINE}<span class='date'>5 October 2026</span>", hints=(listing,))

    assert [found.published.source if found.published else None for found in (alone, both, shown)] == ["listing", "feed", "element"]
    assert published(alone) == "2026-10-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("body", "lang", "context", "expected"),
    [
        ("<p>Sonntag, 4. Oktober 2026, 22:16 Uhr</p>", "de", {}, "2026-10-04T22:16:00+02:00"),
        ("<p>4. Oktober 2026, 22:16 Uhr</p>", "de", {"time_zone": "Europe/London"}, "2026-10-04T22:16:00+01:00"),
        ("<p>4 October 2026, 22:16</p>", "en", {}, "2026-10-04T22:16:00+00:00"),
        ("<p>4 октября 2026, 22:16</p>", "ru", {"time_zone": "Asia/Almaty"}, "2026-10-04T22:16:00+05:00"),
        ("<p>4 أكتوبر 2026، 22:16</p>", "ar", {"time_zone": "Asia/Riyadh"}, "2026-10-04T22:16:00+03:00"),
        ("<p class='date'>2026年10月4日 22時16分</p>", "ja", {}, "2026-10-04T22:16:00+09:00"),
        ("<p class='date'>2026년 10월 4일 22시 16분</p>", "ko", {}, "2026-10-04T22:16:00+09:00"),
        ("<p class='date'>3時間前</p>", "ja", {}, "2026-11-20T09:30:00+00:00"),
        ("<p>4. října 2026</p>", "cs", {}, "2026-10-04T00:00:00+00:00"),
        ("<span class='date'>před 3 hodinami</span>", "cs", {}, "2026-11-20T09:30:00+00:00"),
    ],
)
def test_a_time_without_an_offset_is_on_the_clock_of_the_pages_readers_unless_one_is_configured(
    body: str, lang: str, context: dict[str, Any], expected: str
) -> None:
    found = dates(f"{HEADLINE}{body}<p>Text.</p>", lang=lang, **context)

    assert published(found) == expected
    assert found.published is not None
    assert not found.published.offset_given


@pytest.mark.parametrize(
    ("said", "shown", "lang", "expected"),
    [
        ("Sun, 04 Oct 2026 20:16:00 +0000", "4 October 2026, 22:16", "en", "2026-10-04T22:16:00+02:00"),
        ("Sun, 04 Oct 2026 22:16:00 +0300", "4 октября 2026, 22:16", "ru", "2026-10-04T22:16:00+03:00"),
        ("2026-10-04T22:10:00+04:00", "4 أكتوبر 2026، 22:16", "ar", "2026-10-04T22:16:00+04:00"),
        ("Sun, 04 Oct 2026 16:16:00 -0300", "4 de octubre de 2026, 16:16", "es", "2026-10-04T16:16:00-03:00"),
    ],
)
def test_a_feed_tells_on_which_clock_the_time_on_the_page_is(said: str, shown: str, lang: str, expected: str) -> None:
    hint = DateHint(source="feed", text=said)

    found = dates(f"{HEADLINE}<p>{shown}</p><p>Text.</p>", hints=(hint,), lang=lang)

    assert published(found) == expected


def test_the_language_in_which_a_page_is_written_tells_its_clock_where_it_declares_none() -> None:
    found = dates(f"{HEADLINE}<p>3. 10. 2026 22:16</p><p>Text.</p>", lang="", language="cs")

    assert published(found) == "2026-10-03T22:16:00+02:00"


def test_the_page_tells_the_time_of_a_day_that_a_listing_knows() -> None:
    body = "<p>Home | Sport | Culture</p><p>17.11.2026 20:23 | Jo Doe | Culture | read 307 times | print</p><p>Text.</p>"

    found = dates(f"<b>A dog bites</b>{body}", hints=(DateHint(source="listing", text="17.11.2026"),), time_zone="Europe/Prague")

    assert published(found) == "2026-11-17T20:23:00+01:00"
