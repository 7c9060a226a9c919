"""The portal holds what its gold says, and everything a real portal puts in a crawler's way."""

import re
from collections import deque
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import urljoin, urlsplit
from zoneinfo import ZoneInfo

import lxml.etree
import lxml.html
import pytest
from protego import Protego
from stopwatch import cpu_seconds

from newscrawler.demo import TIME_ZONE, DemoPortal, PublishedArticle
from newscrawler.demo.gold import ShownDate
from newscrawler.demo.story import LANGUAGES

ANCHOR = datetime(2026, 11, 20, 13, 0, tzinfo=UTC)
BASE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module", params=["classic", "modern"])
def portal(request) -> DemoPortal:
    return DemoPortal(anchor=ANCHOR, layout=request.param)


def fetch(portal: DemoPortal, url: str) -> str:
    """The page as text, redirects followed."""
    answer = portal.answer(url.removeprefix(BASE))
    if answer.location:
        return fetch(portal, answer.location)
    assert answer.status == 200, url
    charset = "utf-8" if "utf-8" in answer.content_type else re.search(rb'charset="([\w-]+)"', answer.content)[1].decode()
    return answer.content.decode(charset)


def visible(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", html)))


def links(portal: DemoPortal, path: str) -> list[str]:
    """Targets of all links of a page that stay on the portal."""
    answer = portal.answer(path)
    if answer.location:
        return [answer.location]
    if answer.status != 200 or not answer.content_type.startswith("text/html"):
        return []
    found = [urljoin(BASE + path, href) for href in lxml.html.fromstring(answer.content).xpath("//a/@href")]
    return [url.removeprefix(BASE) for url in found if url.startswith(BASE)]


def walk(portal: DemoPortal) -> set[str]:
    """All that a reader who obeys robots.txt reaches, the calendar apart."""
    robots = Protego.parse(fetch(portal, "/robots.txt"))
    seen, ahead = {"/"}, deque(["/"])
    while ahead:
        for path in links(portal, ahead.popleft()):
            if path not in seen and robots.can_fetch(BASE + path, "reader") and not path.startswith("/calendar/"):
                seen.add(path)
                ahead.append(path)
    return seen


def body_of(portal: DemoPortal, article: PublishedArticle) -> str:
    later = [url for url in article.also_at if re.search(r"/\d\.html$", url)]
    return " ".join(visible(fetch(portal, url)) for url in (article.url, *later))


def test_every_article_answers_with_its_headline_and_all_its_paragraphs(portal):
    for article in portal.published():
        text = body_of(portal, article)

        assert article.title in text
        assert article.lead in text
        assert [part for part in article.paragraphs if part not in text] == []


def test_every_article_can_be_reached_by_links_that_robots_allows(portal):
    reached = {urlsplit(url)._replace(query="").geturl() if "utm_" in url else url for url in walk(portal)}

    assert {article.url.removeprefix(BASE) for article in portal.published()} <= reached


def test_what_must_not_be_in_the_body_stands_on_the_page(portal):
    for article in portal.published():
        text = body_of(portal, article)

        assert [part for part in article.pollution if part not in text] == []


def test_no_pollution_is_part_of_the_article_itself(portal):
    for article in portal.published():
        own = " ".join((article.title, article.lead, *article.paragraphs, *article.optional))

        assert [part for part in article.pollution if part in own] == []


def test_more_than_sixty_articles_in_six_languages(portal):
    articles = portal.published()

    assert len(articles) >= 60
    assert {article.language for article in articles} == set(LANGUAGES)


def test_no_two_articles_share_a_paragraph_headline_or_address():
    articles = DemoPortal(anchor=ANCHOR).published()
    paragraphs = [part for article in articles for part in article.paragraphs]

    assert len(set(paragraphs)) == len(paragraphs)
    assert len({article.title for article in articles}) == len(articles)
    assert len({url for article in articles for url in (article.url, *article.also_at)}) == sum(
        1 + len(a.also_at) for a in articles
    )


def test_articles_are_long_and_short():
    lengths = {len(article.paragraphs) for article in DemoPortal(anchor=ANCHOR).published()}

    assert min(lengths) <= 2
    assert max(lengths) >= 10


def test_some_comments_hold_more_text_than_their_article():
    stories = DemoPortal(anchor=ANCHOR).stories

    longer = [
        story
        for story in stories
        if sum(len(comment.text) for comment in story.comments) > sum(len(block.text) for block in story.blocks)
    ]

    assert len(longer) >= 5


def test_nothing_is_dated_later_than_the_anchor():
    for story in DemoPortal(anchor=ANCHOR).stories:
        assert story.published_at <= ANCHOR
        assert all(comment.at <= ANCHOR for comment in story.comments)
        assert story.modified_at is None or story.modified_at <= ANCHOR


def test_dates_are_shown_in_many_forms():
    forms = {story.date_form for story in DemoPortal(anchor=ANCHOR).stories}

    assert forms == {"json-ld", "time", "time without offset", "meta", "worded", "numeric", "day", "relative", "hours ago"}


def test_each_language_words_at_least_one_date_without_any_markup():
    stories = DemoPortal(anchor=ANCHOR).stories

    assert {story.edition.code for story in stories if story.date_form in {"worded", "relative", "hours ago", "day"}} == set(
        LANGUAGES
    )


@pytest.mark.parametrize("day", [(2026, 3, 1), (2026, 3, 29), (2026, 10, 25)])  # on two of them clocks are changed
@pytest.mark.parametrize("hour", range(0, 24, 4))
def test_relative_dates_are_true_at_every_hour_of_the_day(day, hour):
    anchor = datetime(*day, hour, 10, tzinfo=ZoneInfo(TIME_ZONE))
    portal = DemoPortal(anchor=anchor)

    for story, article in zip(portal.stories, portal.published(), strict=True):
        if story.date_form == "relative":
            words = story.edition.today if story.published_at.date() == anchor.date() else story.edition.yesterday
            assert story.published_at.date() >= anchor.date() - timedelta(days=1)
            assert words.format(time=f"{story.published_at:%H:%M}") in visible(fetch(portal, article.url))
        if story.date_form == "hours ago":
            assert article.shown is ShownDate.HOUR
            hours = (anchor.timestamp() - story.published_at.timestamp()) / 3600
            assert 5 <= hours < 21
            assert story.edition.hours_ago.format(hours=int(hours)) in visible(fetch(portal, article.url))


def test_the_same_anchor_gives_the_same_bytes_and_another_anchor_does_not(portal):
    twin = DemoPortal(anchor=ANCHOR, layout=portal.layout)
    later = DemoPortal(anchor=ANCHOR + timedelta(days=1), layout=portal.layout)

    assert [twin.answer(path) for path in ("/", "/cs/", "/sitemap-articles.xml")] == [
        portal.answer(path) for path in ("/", "/cs/", "/sitemap-articles.xml")
    ]
    assert later.answer("/").content != portal.answer("/").content
    assert [article.title for article in later.published()] == [article.title for article in portal.published()]


def test_the_two_layouts_differ_in_markup_and_agree_in_gold():
    classic, modern = (DemoPortal(anchor=ANCHOR, layout=layout) for layout in ("classic", "modern"))
    url = classic.published()[0].url

    assert classic.published() == modern.published()
    assert "<article" in fetch(classic, url)
    assert not re.search(r"<(article|main|aside|figure|header|footer|section|nav)\b", fetch(modern, url))


def test_the_calendar_never_ends(portal):
    (path,) = {link for link in links(portal, "/en/") if link.startswith("/calendar/")}
    for _ in range(500):
        *_, path = (link for link in links(portal, path) if link.startswith("/calendar/"))

    assert path == "/calendar/2068/7/"
    assert portal.answer(path).status == 200


def test_robots_forbids_what_pages_link_to(portal):
    robots = Protego.parse(fetch(portal, "/robots.txt"))

    assert "/internal/" in links(portal, "/")
    assert {url.removeprefix(BASE) for url in portal.forbidden()} <= set(links(portal, "/internal/"))
    for path in ("/internal/", "/search?q=", "/login", *portal.forbidden()):
        assert not robots.can_fetch(urljoin(BASE, path), "anybody")
        assert fetch(portal, path)
    assert all(robots.can_fetch(article.url, "anybody") for article in portal.published())


def test_drafts_answer_and_nothing_leads_to_them(portal):
    everything = walk(portal) | set(re.findall(r"<loc>(.*?)</loc>", fetch(portal, "/sitemap-articles.xml")))

    for draft in portal.drafts():
        assert "Draft" in fetch(portal, draft)
        assert not {draft, draft.removeprefix(BASE)} & everything


def test_the_sitemap_lists_exactly_the_articles(portal):
    index = lxml.etree.fromstring(fetch(portal, "/sitemap.xml").encode())
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    listed = lxml.etree.fromstring(fetch(portal, "/sitemap-articles.xml").encode()).xpath("//s:loc/text()", namespaces=space)

    assert f"{BASE}/sitemap-articles.xml" in index.xpath("//s:loc/text()", namespaces=space)
    assert set(listed) == {article.url for article in portal.published()}


def test_every_section_of_the_sitemap_answers(portal):
    for url in re.findall(r"<loc>(.*?)</loc>", fetch(portal, "/sitemap-sections.xml")):
        assert fetch(portal, url)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_feed_holds_the_newest_articles_under_tracked_links(portal, code):
    feed = lxml.etree.fromstring(fetch(portal, f"/{code}/rss.xml").encode())
    newest = [article for article in portal.published() if article.language == code][:10]

    assert feed.xpath("//item/guid/text()") == [article.url for article in newest]
    assert all("utm_source=rss" in link for link in feed.xpath("//item/link/text()"))
    assert [fetch(portal, link) for link in feed.xpath("//item/link/text()")] == [fetch(portal, article.url) for article in newest]


def test_sections_are_paged_and_the_pages_hold_different_articles(portal):
    first, second = links(portal, "/cs/domaci/"), links(portal, "/cs/domaci/strana/2/")

    assert "/cs/domaci/strana/2/" in first
    assert "/cs/domaci/" in second
    assert portal.answer("/cs/domaci/strana/9/").status == 404


def test_one_article_answers_under_several_addresses_and_names_one_of_them(portal):
    article = next(article for article in portal.published() if "/cs/domaci/" in article.url)

    for address in (*article.also_at, f"{article.url}?utm_source=somewhere&share=network"):
        page = lxml.html.fromstring(fetch(portal, address))
        assert page.xpath("//link[@rel='canonical']/@href") == [article.url]
    assert len(article.also_at) == 2


def test_one_article_goes_on_over_three_pages(portal):
    (article,) = [article for article in portal.published() if len(article.also_at) == 3]
    first = lxml.html.fromstring(fetch(portal, article.url))
    (second,) = first.xpath("//link[@rel='next']/@href")

    assert lxml.html.fromstring(fetch(portal, second)).xpath("//link[@rel='prev' or @rel='next']/@href")[0] in article.url
    assert article.paragraphs[-1] not in visible(fetch(portal, article.url))
    assert article.paragraphs[-1] in visible(fetch(portal, article.also_at[1]))


def test_one_page_is_in_windows_1250_and_says_so_only_in_its_head(portal):
    answers = [portal.answer(article.url.removeprefix(BASE)) for article in portal.published()]
    (odd,) = [answer for answer in answers if "utf-8" not in answer.content_type]

    assert b'charset="windows-1250"' in odd.content
    assert "ů" in odd.content.decode("windows-1250")
    with pytest.raises(UnicodeDecodeError):
        odd.content.decode("utf-8")


def test_one_page_is_not_valid_html(portal):
    pages = [fetch(portal, article.url) for article in portal.published()]
    (broken,) = [page for page in pages if "</h1></b></td>" in page]

    assert "</p>" not in broken
    assert "</li>" not in broken
    assert "</html>" not in broken
    assert broken.count("<div") > broken.count("</div>") or "<article" in broken


def test_a_removed_story_answers_200_and_an_unknown_address_404(portal):
    (soft,) = {link for link in links(portal, "/en/") if "withdrew" in link}

    assert "Page not found" in fetch(portal, soft)
    for path in ("/de/wirtschaft/archiv-a9999", "/nowhere", "/pl/artykul?id=1", "/calendar/2026/13/", "/go/1"):
        assert portal.answer(path).status == 404


def test_held_back_articles_are_not_published_and_not_linked():
    portal, next_night = DemoPortal(anchor=ANCHOR, held_back=6), DemoPortal(anchor=ANCHOR)
    new = {article.url for article in next_night.published()} - {article.url for article in portal.published()}

    assert len(new) == 6
    assert all(portal.answer(url.removeprefix(BASE)).status == 404 for url in new)
    assert not {url.removeprefix(BASE) for url in new} & walk(portal)


def test_the_portal_is_made_in_less_than_a_second():
    def make():
        portal = DemoPortal(anchor=ANCHOR)
        for article in portal.published():
            portal.answer(article.url.removeprefix(BASE))

    assert cpu_seconds(make) < 1.0


def test_a_layout_that_there_is_not_is_named():
    with pytest.raises(ValueError, match="'baroque'; choose one of: classic, modern"):
        DemoPortal(layout="baroque")


def test_an_anchor_needs_an_offset():
    with pytest.raises(ValueError, match="no offset"):
        DemoPortal(anchor=datetime(2026, 11, 20, 13, 0))  # noqa: DTZ001
