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

    row = re.search(r'<tr><th scope="row">one</th>(.*?)</tr>', page.split('id="calendar"')[1], re.DOTALL)
    assert row
    cells = re.findall(r'class="cell (\w+)"(?: title="([^"]*)")?>(\d*)', row[1])
    assert [(level, number) for level, _, number in cells[-4:-1]] == [("usual", "20"), ("problem", "3"), ("problem", "0")]
    assert "3 new, 20 expected; 19 found of about 20 (95 %: 19 to 24" in cells[-3][1]
    assert "3 new articles, about 20 are usual" in cells[-3][1]
    assert {level for level, _, _ in cells[:20]} == {"none"}


def test_the_overview_takes_eleven_queries_and_a_second_look_reads_no_runs(site: Site) -> None:
    site.nights("one", [20, 22, 19])
    site.nights("two", [5, 6])
    client = site.client()

    with counted(site.store) as first:
        client.get("/")
    with counted(site.store) as second:
        client.get("/")

    assert len(first) <= 11
    assert len(second) <= 8
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
    assert "<script" not in answer.text
    assert "style=" not in answer.text


def test_a_configuration_that_was_broken_meanwhile_is_named_and_the_old_one_shown(site: Site) -> None:
    client = site.client()
    client.get("/")
    file = site.folder / "newscrawler.toml"
    file.write_text(file.read_text().replace("one", "one two"))
    time.sleep(0.01)

    page = client.get("/").text

    assert "The configuration has an error, so its last valid state is shown" in page
    assert '<th scope="row">one</th>' in page


def test_a_collection_has_a_row_of_its_own_without_expectations(site: Site) -> None:
    site.nights("one", [20, 22, 19])
    site.nights("floods", [9, 0])
    site.store.collections.add("floods", now=site.now)

    page = site.client().get("/").text

    of_portals, of_collections = page.split('id="calendar"')[0].split('<h2 id="collections">Collections</h2>')
    assert "/portals/one" in of_portals
    assert "floods" not in of_portals
    assert '<a href="/articles?collection=floods">floods</a>' in of_collections
    assert '<td class="good">fine</td>' in of_collections
    assert "expected" not in of_collections.split("</thead>")[0]
