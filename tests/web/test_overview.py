"""What the overview shows, and what it costs."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from web_site import Site

from newscrawler.store import Store


@contextmanager
def counted(store: Store) -> Iterator[list[str]]:
    """Collect the queries that are sent meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA")):
            sent.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    yield sent
    event.remove(store.engine, "before_cursor_execute", note)


def test_a_hole_in_the_calendar_is_seen_at_once(site: Site) -> None:
    site.nights("one", [20, 22, 19, 21, 20, 21, 20, 3, 0])
    site.nights("two", [5, 6])

    page = site.client().get("/").text

    calendar = page.split('id="calendar"')[1]
    days = re.findall(r'<a href="/crawls\?portal=one&amp;day=([\d-]+)"[^>]*><rect[^>]*><title>([^<]*)</title>', calendar)
    assert len(days) == 9
    assert (calendar.count('class="h-few" d="M'), calendar.count('class="h-cross"')) == (2, 1)  # one of them in the key
    assert "3 new, usually 20; 19 found of about 20 (95 %: 19 to 24" in days[-2][1]
    assert "3 new articles, about 20 are usual" in days[-2][1]
    row = calendar.split('<th scope="row">one</th>')[1].split("</tr>")[0]
    assert re.findall(r">(\d+|–)(?:</a>)?</td>", row)[-5:] == ["21", "20", "3", "0", "–"]
    assert f'<a href="/crawls?portal=one&amp;day={days[-2][0]}">3</a>' in row


def test_a_day_of_the_calendar_leads_to_its_crawls_and_articles(site: Site) -> None:
    site.nights("one", [20, 22])
    site.nights("two", [5, 6])
    client = site.client()
    day = re.findall(r"portal=one&amp;day=([\d-]+)", client.get("/").text)[0]

    page = client.get(f"/crawls?portal=one&day={day}").text
    every = client.get(f"/crawls?day={day}").text

    assert re.findall(r'<a href="/runs/(\d+)">', page) == ["1"]
    assert re.findall(r'<a href="/runs/(\d+)">', every) == ["3", "1"]
    assert f"/articles?portal=one&amp;since={day}&amp;until={day}" in page
    assert "No crawl matches" in client.get("/crawls?day=2020-01-01").text
    assert client.get("/crawls?day=yesterday").status_code == 422


def test_the_overview_takes_fourteen_queries_and_a_second_look_reads_no_runs(site: Site) -> None:
    site.nights("one", [20, 22, 19])
    site.nights("two", [5, 6])
    client = site.client()

    with counted(site.store) as first:
        client.get("/")
    with counted(site.store) as second:
        client.get("/")

    assert len(first) <= 14
    assert len(second) <= 9
    assert [query for query in first if "(PARTITION BY portal.id ORDER BY run." in query]
    assert not [query for query in second if "(PARTITION BY portal.id ORDER BY run." in query]


def test_what_hostile_names_hold_is_shown_and_not_run(site: Site) -> None:
    site.store.service.record_alerts([("one", "blocked", "<script>alert(1)</script>\"'&")], [], now=site.now)

    answer = site.client().get("/")

    assert "<script>" not in answer.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.text.count("<script") == answer.text.count('<script src="/static/')
    assert "style=" not in answer.text


def test_a_configuration_that_was_broken_meanwhile_is_named_and_the_old_one_shown(site: Site) -> None:
    client = site.client()
    client.get("/")
    file = site.folder / "newscrawler.toml"
    file.write_text(file.read_text().replace("one", "one two"))
    time.sleep(0.01)

    page = client.get("/").text

    assert "the last valid settings are used" in page
    assert '<th scope="row">one</th>' in page


def test_a_collection_has_a_row_of_its_own_without_expectations(site: Site) -> None:
    site.nights("one", [20, 22, 19])
    site.nights("floods", [9, 0])
    site.store.collections.add("floods", now=site.now)

    page = site.client().get("/").text

    row = page.split('<a href="/articles?collection=floods">floods</a>')[-1].split("</tr>")[0]
    assert "/portals/floods" not in page
    assert "Healthy" in row
    assert '<td class="num mid-only faint">–</td>' in row
