"""The check notices what went wrong, and nothing else."""

from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.demo import AccessEntry, DemoPortal, check
from newscrawler.demo.gold import ShownDate

PORTAL = DemoPortal(anchor=datetime(2026, 11, 20, 13, 0, tzinfo=UTC))
GOLD = PORTAL.published()


def faultless():
    """An export as a perfect crawl gives it."""
    return [
        {
            "url": article.url,
            "title": article.title,
            "lead": article.lead,
            "body": "\n".join(part for part in (article.lead, *article.paragraphs) if part),
            "published_at": article.published_at.isoformat(),
            "offset_given": True,
            "authors": list(article.authors),
        }
        for article in GOLD
    ]


def wrong(items, *log, **options):
    """Names of the findings that are not content."""
    return [finding.name for finding in check(items, PORTAL, log, **options).findings if not finding.ok]


def asked(at_seconds, path="/"):
    return AccessEntry(at_seconds=at_seconds, method="GET", path=path, status=200, user_agent="x")


def index(**conditions):
    """The place in the gold of an article with these values."""
    return next(i for i, article in enumerate(GOLD) if all(getattr(article, name) == value for name, value in conditions.items()))


def test_a_faultless_export_is_content():
    report = check(faultless(), PORTAL)

    assert report.ok
    assert all(finding.share == 1 and not finding.wrong for finding in report.findings)


def test_one_missing_article_is_noticed():
    gone, *rest = faultless()

    assert wrong(rest) == ["articles found"]
    assert check(rest, PORTAL)["articles found"].wrong == (gone["url"],)


def test_nothing_exported_is_not_content():
    assert "articles found" in wrong([])


def test_an_article_exported_twice_is_noticed():
    items = faultless()

    assert wrong([*items, items[0]]) == ["articles exported once"]


def test_an_article_exported_under_its_second_address_too_is_noticed():
    items = faultless()
    i = next(i for i, article in enumerate(GOLD) if any(url.endswith("tisk/") for url in article.also_at))

    assert wrong([*items, items[i] | {"url": GOLD[i].also_at[0]}]) == ["articles exported once"]


def test_a_second_address_alone_is_no_fault():
    items = faultless()
    items[0]["url"] = GOLD[0].also_at[-1]

    assert wrong(items) == []


def test_tracking_parameters_and_another_port_are_no_fault():
    items = faultless()
    for item in items:
        item["url"] = item["url"].replace(":8000", ":9999") + ("&" if "?" in item["url"] else "?") + "utm_source=x"

    assert wrong(items) == []


def test_listings_exported_as_articles_are_noticed():
    strangers = [{"url": f"{PORTAL.base_url}/cs/domaci/?page={n}", "title": "Domácí", "body": "…"} for n in range(2)]

    assert wrong([*faultless(), *strangers]) == ["exported that are articles"]


def test_a_wrong_headline_is_noticed():
    items = faultless()
    for item in items[:2]:
        item["title"] += " | Meridian"

    assert wrong(items) == ["titles"]


@pytest.mark.parametrize("number", range(3))
def test_each_piece_of_pollution_is_noticed(number):
    items = faultless()
    strange = GOLD[number].pollution[number]
    items[number]["body"] += "\n" + strange

    assert wrong(items) == ["texts with nothing foreign"]
    assert strange[:40] in check(items, PORTAL)["texts with nothing foreign"].wrong[0]


def test_pollution_inside_a_paragraph_is_noticed():
    items = faultless()
    items[0]["body"] = items[0]["body"].replace("\n", f" {GOLD[0].pollution[0]}\n", 1)

    assert wrong(items) == ["texts with nothing foreign"]


def test_a_line_that_no_list_of_pollution_knows_is_noticed():
    items = faultless()
    items[0]["body"] += "\nSdílet 20. listopadu 2026"

    assert wrong(items) == ["texts with nothing foreign"]


def test_subheadings_pull_quotes_and_table_rows_are_no_fault():
    items = faultless()
    for item, article in zip(items, GOLD, strict=True):
        item["body"] += "".join(f"\n{part}" for part in article.optional)

    assert wrong(items) == []


def test_table_cells_parted_otherwise_are_no_fault():
    items = faultless()
    i = next(i for i, article in enumerate(GOLD) if any("%" in part for part in article.optional))
    row = next(part for part in GOLD[i].optional if "%" in part)
    items[i]["body"] += "\n" + " | ".join(row.split())

    assert wrong(items) == []


def test_lost_paragraphs_are_noticed():
    items = faultless()
    for item in items[:12]:
        item["body"] = item["body"].rpartition("\n")[0]

    assert "paragraphs" in wrong(items)


def test_a_lost_lead_is_noticed():
    items = faultless()
    for item, article in zip(items, GOLD, strict=True):
        item["body"] = "\n".join(article.paragraphs)

    assert wrong(items) == ["texts that begin with the lead"]


def test_white_space_and_decomposed_letters_are_no_fault():
    items = faultless()
    for item in items:
        item["body"] = item["body"].replace(" ", "\u00a0").replace("ř", "r\u030c")

    assert wrong(items) == []


def test_dates_off_by_a_day_are_noticed():
    items = faultless()
    for item, article in zip(items[:6], GOLD, strict=False):
        item["published_at"] = (article.published_at - timedelta(days=1)).isoformat()

    assert wrong(items) == ["dates of publication"]


def test_missing_dates_are_noticed():
    assert wrong([item | {"published_at": None} for item in faultless()]) == ["dates of publication"]


def test_the_wall_clock_is_enough_where_the_page_gives_no_offset():
    items = faultless()
    for item, article in zip(items, GOLD, strict=True):
        if article.shown is ShownDate.MINUTE:
            item.update(published_at=article.published_at.replace(tzinfo=UTC).isoformat(), offset_given=False)

    assert wrong(items) == []


def test_the_wall_clock_is_not_enough_where_the_offset_was_given():
    items = faultless()
    for item, article in zip(items, GOLD, strict=True):
        item["published_at"] = article.published_at.replace(tzinfo=UTC).isoformat()

    assert wrong(items) == ["dates of publication"]


def test_a_day_is_enough_where_the_page_shows_a_day():
    items, i = faultless(), index(shown=ShownDate.DAY)
    items[i]["published_at"] = GOLD[i].published_at.replace(hour=0, minute=0).isoformat()

    assert check(items, PORTAL)["dates of publication"].wrong == ()


def test_wrong_authors_are_noticed():
    assert wrong([item | {"authors": ["Sdílet"]} for item in faultless()]) == ["authors"]


def test_requests_that_robots_forbids_are_noticed():
    report = check(faultless(), PORTAL, (asked(1.0), asked(2.0, "/internal/1429.html")))

    assert not report.ok
    assert report["requests that robots.txt allows"].wrong == ("/internal/1429.html",)


def test_a_draft_brought_home_is_noticed():
    assert "drafts not fetched" in wrong([*faultless(), {"url": PORTAL.drafts()[0], "title": "Draft", "body": "…"}])


def test_requests_closer_than_the_delay_are_noticed():
    log = (asked(1.0), asked(2.0), asked(2.5))

    assert wrong(faultless(), *log, delay_seconds=1.0) == ["gaps that keep the delay"]
    assert wrong(faultless(), *log, delay_seconds=0.5) == []
    assert wrong(faultless(), *log) == []
    assert check(faultless(), PORTAL, log).smallest_gap_seconds == 0.5


def test_even_the_shortest_delay_is_held_against_the_log():
    assert wrong(faultless(), asked(1.0), asked(1.001), delay_seconds=0.05) == ["gaps that keep the delay"]
    assert wrong(faultless(), asked(1.0), asked(1.045), delay_seconds=0.05) == []


def test_the_lines_name_what_is_wrong_and_stay_few():
    text = list(check([], PORTAL, (asked(1.0),)).lines())

    assert any(line.split()[:3] == ["WRONG", "articles", "found"] for line in text)
    assert any("and 67 more" in line for line in text)
    assert text[-1].startswith("Something is wrong")
    assert len(text) < 30


def test_the_lines_of_a_faultless_crawl_say_so():
    text = list(check(faultless(), PORTAL, (asked(1.0), asked(3.0))).lines())

    assert not any("WRONG" in line for line in text)
    assert any("2 requests" in line and "2.000 s" in line for line in text)


def test_a_share_that_is_not_all_never_reads_as_all():
    gone, *_ = faultless()
    items = faultless()
    items[0] = gone | {"body": gone["body"].rpartition("\n")[0]}

    (line,) = [line for line in check(items, PORTAL).lines() if " paragraphs " in line]

    assert "100.0%" not in line
    assert line.split()[0] == "ok"
