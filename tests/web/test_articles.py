"""Lists, search, and the page of one article."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from kept_pages import Archive
from portal_server import address, story
from web_site import Site, send

from newscrawler.article import Article, Paragraph
from newscrawler.store.archive import PageSelection
from newscrawler.store.articles import FiledKeyword, Selection
from newscrawler.store.service import JobKind
from newscrawler.store.vocabularies import KeywordSource
from newscrawler.store.web import Role

HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


def article(number: int, **changes: object) -> Article:
    values: dict[str, object] = {
        "title": f"Headline {number}",
        "paragraphs": (
            Paragraph(text=f"The flood of the year {number} reached the old bridge."),
            Paragraph(text="Nobody was hurt."),
        ),
        "url": f"https://one.example/{number}",
        "section": "Region",
        "authors": ("Anna Klein",),
        "language": "en",
        "method": "default",
        "confidence": 0.9,
    }
    return Article(**(values | changes))  # type: ignore[arg-type]


@pytest.fixture
def archive(site: Site) -> Archive:
    """Two portals with articles; the pages of one are kept."""
    made = Archive(site.folder, portal="one")
    made.night([(f"https://one.example/{number}{address(number)}", story(number)) for number in range(1, 4)])
    for number in range(10, 70):
        site.store.articles.add("two", article(number, section="Sport" if number % 2 else "Region"))
    return made


def test_lists_are_leafed_through_and_narrowed(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()

    first = client.get("/articles?portal=two&section=Region").text
    assert ">30 articles</p>" in first
    assert "Headline 68" in first
    assert "Headline 67" not in first
    seen, following = [], "portal=two"
    while following:
        page = client.get(f"/articles?{following}").text
        seen += re.findall(r">Headline (\d+)</a></h2>", page)
        following = (re.findall(r'rel="next" href="[?]([^"]+)"', page) or [""])[0].replace("&amp;", "&")
    assert sorted(map(int, seen)) == list(range(10, 70))
    assert client.get("/articles?since=yesterday").status_code == 422


def test_articles_are_narrowed_by_collection_and_keyword_in_lists_searches_and_the_api(site: Site, archive: Archive) -> None:
    assert archive
    client, now = site.client(), site.now
    site.store.articles.add("floods", article(80))
    site.store.collections.add("floods", now=now)
    ids = {each.article.title: each.id for each in site.store.articles.stream(Selection())}
    for number, name in ((80, "dam"), (11, "rain")):
        filed = [FiledKeyword(name=name, source=KeywordSource.TOPIC)]
        site.store.collections.file("floods", ids[f"Headline {number}"], filed, now=now)

    def shown(query: str) -> set[str]:
        return set(re.findall(r"Headline \d+", client.get(f"/articles?{query}").text))

    assert shown("collection=floods") == {"Headline 80", "Headline 11"}
    assert shown("collection=floods&keyword=DAM") == shown("q=flood&keyword=dam") == {"Headline 80"}
    assert shown("collection=none") == set()
    found = client.get("/api/v1/articles?collection=floods&keyword=rain").json()["articles"]
    assert [each["title"] for each in found] == ["Headline 11"]
    page = client.get("/articles?q=flood&collection=floods").text
    assert ">2 articles</p>" in page
    assert 'name="collection" value="floods">' in page
    assert client.get("/explore/counts?collection=floods&by=portal").status_code == 200


def test_facets_count_what_stands_beside_them_and_narrow_it(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()

    page = client.get("/articles?q=flood").text
    narrowed = client.get("/articles?q=flood&section=Sport").text

    sections = page.split("<summary>Section<")[1].split("</ul>")[0]
    assert re.findall(r'href="([^"]+)"><span dir="auto">(\w+)</span><span class="n">(\d+)<', sections) == [
        ("?q=flood&amp;section=Region", "Region", "30"),
        ("?q=flood&amp;section=Sport", "Sport", "30"),
    ]
    assert ">30 articles</p>" in narrowed
    assert 'href="?q=flood" aria-current="true"><span dir="auto">Sport<' in narrowed
    assert re.search(r">two</span><span class=\"n\">30<", narrowed)


def test_searches_are_kept_by_each_person_for_themselves(site: Site, archive: Archive) -> None:
    assert archive
    anna, rita = site.logged_in("anna", Role.OPERATOR), site.logged_in("rita", Role.READER)
    where = {"page": "/articles?q=flood", "query": "q=flood&section=Sport&order=&evil=1"}

    assert (
        send(anna, "/articles", action="save", name="<b>Floods", **where).headers["location"] == "/articles?q=flood&section=Sport"
    )
    assert send(anna, "/articles", action="save", name="", **where).status_code == 422
    for query, said in (("q=(((", "cannot be read"), ("since=soon", "soon is not a date")):
        refused = send(anna, "/articles", action="save", name="wrong", page="/articles?q=flood", query=query)
        assert (refused.status_code, said in refused.text) == (422, True)
    fixed = {"page": "/articles?q=flood", "query": "q=flood&until_id=5", "fixed": "yes"}
    assert "until_id=5" in send(anna, "/articles", action="save", name="Then", **fixed).headers["location"]
    (then,) = (each for each in site.store.saved_searches.of("anna") if each.name == "Then")
    site.store.saved_searches.remove("anna", then.id)

    assert 'href="/articles?q=flood&amp;section=Sport">&lt;b&gt;Floods</a>' in anna.get("/articles").text
    assert "Floods" not in rita.get("/articles").text
    (kept,) = site.store.saved_searches.of("anna")
    assert send(rita, "/articles", page="/articles?q=flood", action="forget", search=str(kept.id)).status_code == 404
    assert send(anna, "/articles", page="/articles?q=flood", action="forget", search=str(kept.id)).status_code == 303
    assert site.store.saved_searches.of("anna") == []


def test_the_export_of_a_selection_is_handed_to_the_service(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()
    asked = {"page": "/articles?q=flood", "action": "export", "query": "q=flood&section=Sport"}

    assert send(client, "/articles", format="csv", **asked).status_code == 409  # no service runs
    site.store.service.enter(now=site.now)
    assert send(client, "/articles", format="warc", **asked).status_code == 422
    assert send(client, "/articles", format="csv", **asked).status_code == 303

    (job,) = site.store.jobs.open()
    assert (job.kind, job.target, job.parameters) == (
        JobKind.SELECTION, "csv", {"selection": {"section": "Sport", "words": "flood"}},
    )  # fmt: skip


def test_a_search_shows_where_its_words_stand(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()

    page = client.get('/articles?q="old bridge" AND flood&portal=two&order=date').text

    assert ">60 articles</p>" in page
    assert "The <mark>flood</mark> of the year" in page
    assert "<mark>old bridge</mark>" in page
    broken = client.get('/articles?q="old bridge')
    assert broken.status_code == 200
    assert 'role="alert"' in broken.text


def test_the_list_begins_with_the_article_published_last_with_its_lead(site: Site) -> None:
    for number, day in ((1, 3), (2, 9), (3, 6)):
        site.store.articles.add("one", article(number, published_at=datetime(2026, 11, day, tzinfo=UTC)))

    page = site.client().get("/articles").text

    assert re.findall(r">Headline (\d)</a></h2>", page) == ["2", "3", "1"]
    assert "The flood of the year 2 reached the old bridge." in page


def test_an_article_stands_beside_its_page_which_runs_and_loads_nothing(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()

    page = client.get("/articles/1").text
    frame = client.get("/articles/1/page")

    assert '<iframe title="Saved page" sandbox="" src="/articles/1/page?view=marked"' in page
    assert '<a href="?view=marked#saved-page" aria-current="true">Marked</a><a href="?view=plain#saved-page">Plain</a>' in page
    assert 'data-wash="headline"' in client.get("/articles/1/page?view=marked").text
    plain = client.get("/articles/1/page?view=plain")
    assert "data-wash" not in plain.text
    assert plain.headers["content-security-policy"] == frame.headers["content-security-policy"]
    assert 'page?view=plain"' in client.get("/articles/1?view=plain").text
    assert client.get("/articles/1?view=upside-down").status_code == 404
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "frame-ancestors 'self'" in policy
    assert 'data-role="headline"' in frame.text
    assert client.get("/articles/20/page").status_code == 404
    assert "The page is not kept" in client.get("/articles/20").text
    assert client.get("/articles/9999").status_code == 404
    assert client.get("/articles/one").status_code == 422


def test_what_a_page_says_is_shown_and_never_run(site: Site) -> None:
    hostile = article(
        1, title=HOSTILE, url="javascript:alert(3)", section=HOSTILE, authors=(HOSTILE,), description=HOSTILE, lead=HOSTILE,
        canonical_url=HOSTILE, keywords=(HOSTILE,), paragraphs=(Paragraph(text=f"flood {HOSTILE}"),),
    )  # fmt: skip
    number = site.store.articles.add("two", hostile)
    client = site.client()

    for path in ("/articles", "/articles?q=flood", f"/articles?section={HOSTILE}&q={HOSTILE}", f"/articles/{number}"):
        text = client.get(path).text
        assert "<img src=x" not in text
        assert "<script>" not in text
        assert 'href="javascript:' not in text


def test_each_state_of_a_text_has_its_address_with_what_changed_word_by_word(site: Site) -> None:
    number = site.store.articles.add("two", article(1))
    assert number is not None
    before = site.store.articles.get(number)
    assert before is not None
    first, *others = before.article.paragraphs
    later = (Paragraph(text=f"{first.text} <b>corrected</b>"), *others)
    assert site.store.articles.revise(before, article(1, paragraphs=later), why="read again")
    client = site.client()

    then, now = (client.get(f"/articles/1/revisions/{state}").text for state in (1, 2))
    plain = client.get("/articles/1/revisions/2?marks=no").text

    assert "/articles/1/revisions/2" in client.get("/articles/1").text
    assert first.text in then
    assert "corrected" not in then
    assert "replaced because: read again" in then
    assert "<ins>&lt;b&gt;corrected&lt;/b&gt;</ins>" in now
    assert "<del>" not in now.split("<article")[1]
    assert f"{first.text} &lt;b&gt;corrected&lt;/b&gt;" in plain
    assert client.get("/articles/1/revisions/3").status_code == 404


def test_each_kept_page_of_an_article_is_shown_and_none_of_another(site: Site, archive: Archive) -> None:
    assert archive
    client = site.client()
    pages = {page.article_id: page.id for page in site.store.pages.select(PageSelection(portal="one", outcome="article"))}

    assert f"/articles/2/page?kept={pages[2]}" in client.get("/articles/2").text
    kept = client.get(f"/articles/2/page?kept={pages[2]}")
    assert kept.headers["content-security-policy"].startswith("sandbox;")
    assert client.get(f"/articles/2/page?kept={pages[1]}").status_code == 404
