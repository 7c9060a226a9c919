"""The rules for dates of the source documents are a row of a comparison of their own, beside the default."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawler.corpus.reviews import Gold
from newscrawler.research.evaluation.answer import answer
from newscrawler.research.evaluation.candidates import MethodCandidate, candidates
from newscrawler.research.evaluation.data import TestPage

TITLE = "Obec opraví starý most přes řeku u mlýna"
TEXT = "<p>Starý most u mlýna se podle starosty letos konečně dočká opravy, na kterou obec čekala řadu let.</p>" * 6


def day(candidate: MethodCandidate, inside: str) -> str | None:
    html = f"<html lang=cs><head><title>{TITLE}</title></head><body>{inside}</body></html>"
    page = TestPage(
        id="1", url=None, given_url=None, html=html, gold=Gold(date="2026-11-03"), dataset="own", portal="own",
        when=datetime(2026, 11, 20, 12, tzinfo=UTC),
    )  # fmt: skip
    found = answer(page, candidate.make()).date
    return found[:10] if found else None


@pytest.mark.parametrize(
    "own",
    [
        "<time datetime='2026-11-03'>úterý</time>",
        "<b datetime='2026-11-03'>úterý</b>",
        "<time pubdate>3. listopadu 2026</time>",
        "<i id='datum'>3. listopadu 2026</i>",
        "<i class='article-date'>3. listopadu 2026</i>",
        "<i>3. listopadu 2026</i>",
    ],
)
def test_the_rules_take_elements_made_or_named_for_dates_then_the_text_and_never_today_above_the_headline(own: str) -> None:
    (rules,) = candidates(["date_rules"])

    today = "<div><time>20. listopadu 2026</time> svátek má Nikola</div>"

    assert day(rules, f"{today}<h1>{TITLE}</h1><p>{own}</p>{TEXT}") == "2026-11-03"


def test_the_rules_take_the_first_time_where_the_default_weighs_all() -> None:
    rules, default = candidates(["date_rules", "default"])
    other = "<p><time>18. listopadu 2026</time> Jiná zpráva</p>"
    inside = f"{other}<h1>{TITLE}</h1><p>Vydáno: <time>3. listopadu 2026</time></p>{TEXT}"

    assert (day(rules, inside), day(default, inside)) == ("2026-11-18", "2026-11-03")
