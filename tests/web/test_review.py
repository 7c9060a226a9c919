"""The review application: queues, verdicts, corrections, and what they come to."""

from __future__ import annotations

import re
from typing import Any

import pytest
from kept_pages import Archive
from portal_server import address, story
from starlette.testclient import TestClient
from web_site import PASSWORD, Site, form_token, send

from newscrawler.corpus.reviews import (
    ErrorClass,
    compute_agreements,
    compute_kappa,
    compute_wilson_interval,
    find_worst_error,
    summarise_reviews,
)
from newscrawler.store.web import Role

QUEUE = "portal=one&order=random&count=4&seed=7"


@pytest.fixture
def archive(site: Site) -> Archive:
    """Six articles in two sections, with their pages."""
    made = Archive(site.folder, portal="one")
    made.night(
        [(f"https://one.example/{'sport' if number % 2 else 'zpravy'}{address(number)}", story(number)) for number in range(1, 7)]
    )
    return made


def judge(client: TestClient, article: int, **fields: Any) -> Any:
    return send(client, f"/review/{article}?{QUEUE}", page=f"/review/{article}?{QUEUE}", script="yes", **fields)


def test_a_queue_leads_through_its_articles_and_goes_on_where_it_stopped(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()
    first = client.get(f"/review/start?{QUEUE}").headers["location"]
    path = first
    for _ in range(4):
        done = send(client, path, page=path, verdict="right")
        path = done.headers["location"]
    assert client.get(f"/review/start?{QUEUE}").headers["location"] == "/review?done=one"
    send(client, first.replace("?", "/undo?"), page=first)

    again = client.get(f"/review/start?{QUEUE}").headers["location"]

    assert again.partition("?")[0] == first.partition("?")[0]
    assert "3 judged" in client.get(again).text
    assert client.get("/review/start?portal=nobody").status_code == 404
    assert client.get("/review/start?portal=one&order=backwards").status_code == 422


def test_each_key_saves_at_once_and_the_last_one_taken_back_leaves_nothing(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()

    assert judge(client, 2, fault="lead-missing").json()["verdict"] == "lead-missing"
    both = judge(client, 2, fault=["lead-missing", "date-wrong"], note="see the box")
    assert both.json() == {"article": 2, "verdict": "lead-missing, date-wrong"}
    review = site.store.reviews.get(2)
    assert review is not None
    assert (review.faults, review.is_corrected, review.note) == (("lead-missing", "date-wrong"), False, "see the box")
    assert judge(client, 2).json()["verdict"] == "not judged"
    assert site.store.reviews.get(2) is None


def test_blocks_that_are_chosen_become_gold_and_teach_the_template(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()
    page = client.get(f"/review/3/correct?{QUEUE}").text
    blocks = re.findall(r'name="block" value="([^"]+)"( checked)?', page)
    chosen = [text for text, checked in blocks if checked]
    assert len(chosen) == 4
    fields = {"title": "Another title", "lead": chosen[0], "date": "2026-11-04T08:00:00+01:00", "authors": "", "block": chosen[:3]}

    done = client.post(f"/review/3/correct?{QUEUE}", data={"csrf": form_token(page), **fields})

    assert (done.status_code, done.headers["location"]) == (303, f"/review/3/effect?{QUEUE}")
    review = site.store.reviews.get(3)
    assert review is not None
    assert review.gold is not None
    assert review.gold["title"] == "Another title"
    assert review.gold["body"] == "\n".join(chosen[:3])
    assert {"title-wrong", "lead-missing", "foreign-text"} <= set(review.faults)
    effect = client.get(f"/review/3/effect?{QUEUE}").text
    assert "newest saved pages" in effect
    send(client, f"/review/3/effect?{QUEUE}", page=f"/review/3/effect?{QUEUE}")
    used = site.store.templates.in_use("one")
    assert used is not None
    assert used.note == "learned with corrections, accepted by local"


def test_a_reader_does_not_judge_and_a_reviewer_takes_nothing_into_use(site: Site, archive: Archive) -> None:
    assert archive
    reader, reviewer = site.logged_in("rita", Role.READER), site.logged_in("vera", Role.REVIEWER)
    token = form_token(reader.get("/account").text)

    assert reader.get("/review/2").status_code == 403
    assert reader.post("/review/2", data={"csrf": token, "verdict": "right"}).status_code == 403
    assert judge(reviewer, 2, verdict="right").status_code == 200
    assert send(reviewer, "/review/2/effect", page="/account").status_code == 403


def test_of_two_reviewers_both_are_kept_and_the_later_counts(site: Site, archive: Archive) -> None:
    assert archive
    one, other = site.logged_in("anna", Role.REVIEWER), site.logged_in("bert", Role.REVIEWER)
    for number in (1, 2, 3, 4):
        judge(one, number, verdict="right")
        judge(other, number, **({"verdict": "right"} if number < 4 else {"fault": "lead-missing"}))

    page = one.get("/review").text
    judged = site.store.reviews.get(4)

    assert judged is not None
    assert judged.faults == ("lead-missing",)
    (agreement,) = compute_agreements(site.store.reviews.verdicts("one"))
    assert (agreement.reviewers, agreement.articles, agreement.share) == (("anna", "bert"), 4, 0.75)
    assert "anna, bert" in page
    assert "75.0 %" in page
    site.store.reviews.withdraw(4, "bert")
    left = site.store.reviews.get(4)
    assert left is not None
    assert left.right
    assert left.gold is not None
    assert PASSWORD not in page


def test_an_article_that_is_faulty_and_not_corrected_counts_as_faulty(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()
    for number in (1, 2, 3):
        judge(client, number, verdict="right")
    judge(client, 4, fault=["foreign-text", "part-missing"])
    judge(client, 5, fault="title-wrong")

    (result,) = summarise_reviews(site.store.reviews.of(), site.store.articles.counts())

    assert (result.collected, result.judged, result.right, result.accuracy) == (6, 5, 3, 0.6)
    assert result.errors == {ErrorClass.PART_MISSING: 1, ErrorClass.OTHER: 1}
    table = client.get("/review/results.csv").text.splitlines()
    assert table[1] == "one,6,5,3,0,1,0,1,0.6000,0.2307,0.8824"
    kinds = client.get("/review").text.partition("Kinds of errors")[2]
    assert kinds.count("50.0 %") == 2
    assert kinds.count('<rect width="50.0" height="4"/>') == 2


def test_intervals_and_kappa_are_those_of_the_literature() -> None:
    low, high = compute_wilson_interval(1922, 2098)
    assert (round(low, 4), round(high, 4)) == (0.9035, 0.9272)
    assert compute_wilson_interval(0, 0) == (0.0, 1.0)
    assert compute_wilson_interval(5, 5)[1] == 1.0
    # Cohen's own kind of example: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert compute_kappa(pairs) == pytest.approx(0.4)
    assert compute_kappa([("y", "y")] * 3) is None
    assert find_worst_error(["date-wrong", "lead-wrong", "foreign-text"]) is ErrorClass.NO_LEAD
    assert find_worst_error([]) is None
