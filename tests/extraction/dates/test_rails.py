"""The date above the headline, and the dates of other articles below it, where no name tells them apart."""

from __future__ import annotations

from newscrawler import extract

HEADLINE = "Harbour ferry returns after two years in dry dock"
TEXT = (
    "<div>The last wooden ferry of the bay will carry passengers again from Saturday, the harbour board announced.</div>"
    "<div>The vessel was taken out of service when inspectors found rot in the keel, and repairs took longer than planned.</div>"
)


def test_the_dates_of_a_list_below_the_text_do_not_date_the_article_above_which_its_own_stands() -> None:
    cards = "".join(
        f"<div class=q7><a href=/t-{n}><img src={n}.jpg><div>Another story of number {n} about the town</div></a>"
        f"<div class=q8>{8 - n} March 2026</div></div>"
        for n in range(4)
    )
    body = (
        f"<div><div><span>2 March 2026</span> <span>Coast</span></div><h1>{HEADLINE}</h1><div>{TEXT}</div></div><div>{cards}</div>"
    )
    html = f"<html lang=en><head><title>{HEADLINE} | Courier</title></head><body>{body}</body></html>"

    article = extract(html, "https://courier.example/harbour-ferry-returns")

    assert str(article.published_at)[:10] == "2026-03-02"
