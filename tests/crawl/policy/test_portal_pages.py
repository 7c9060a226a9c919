"""Pages about the portal are no articles, also where articles lie at the same kind of address."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from crawling import Crawl, articles, reasons
from portal_server import PortalServer, listing, story

from newscrawler.article import Article
from newscrawler.crawl.policy.portal_pages import PortalPages
from newscrawler.discovery import FoundLink
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, finish, read_dates, read_metadata
from newscrawler.page import Document

SITE = "http://127.0.0.1"
TEXT = "".join(
    f"<p>{number}. Kdo tyto stránky čte, souhlasí s tím, že texty a obrázky lze volně číst, ale ne kopírovat jinam.</p>"
    for number in range(4)
)
NUMBERS = ("jedna", "dva", "tri", "pet", "sest", "sedm", "osm", "devet", "deset", "dvanact")


def draft_of(path: str, headline: str, *, head: str = "", above: str = "") -> ExtractionState:
    html = f"<title>{headline} | Deník</title>{head}<body><nav><a href=/>Domů</a></nav><h1>{headline}</h1>{above}{TEXT}</body>"
    draft = ExtractionState(page=Document.parse(html, f"{SITE}{path}"))
    reading = ExtractionOptions()
    detect_body(draft, reading)
    read_dates(draft, reading)
    read_metadata(draft, reading)
    return draft


def told(path: str, headline: str, *, head: str = "", above: str = "") -> str | None:
    return PortalPages().find_reason_against(f"{SITE}{path}", draft_of(path, headline, head=head, above=above))


@pytest.mark.parametrize(
    ("path", "headline"),
    [
        ("/privacy-policy-of-our-portal/", "Privacy policy"),
        ("/general-terms-and-conditions-for-subscribers/", "General terms and conditions"),
        ("/hinweise-zum-datenschutz-auf-dieser-seite/", "Hinweise zum Datenschutz"),
        ("/unsere-redaktion-stellt-sich-vor/", "Redaktion"),
        ("/zasady-ochrany-osobnich-udaju/", "Zásady ochrany osobních údajů"),
        ("/polityka-prywatnosci-naszego-portalu/", "Polityka prywatności"),
        ("/informations-et-mentions-legales-du-site/", "Mentions légales"),
        ("/?page_id=2", "Impressum"),
        ("/2.html", "Política de privacidad"),
    ],
)
def test_pages_about_the_portal_are_known_by_name_and_headline(path: str, headline: str) -> None:
    assert told(path, headline) is not None


def test_the_name_of_the_site_as_the_author_does_not_make_an_article() -> None:
    assert told("/o-nas/", "O nás", head='<meta name="author" content="Deník">', above="<a href=/>Deník</a>") is not None


@pytest.mark.parametrize(
    ("path", "headline", "head", "above"),
    [
        ("/most-cislo-sest-se-letos-opravi/", "Most číslo šest se letos opraví", "", ""),
        ("/presse/stadtrat-beschliesst-neue-bruecke/", "Stadtrat beschließt neue Brücke", "", ""),
        ("/privacy-of-pupils-divides-the-town-council/", "Privacy of pupils divides the town council", "", ""),
        ("/o-nas/", "O nás bez nás", '<script type="application/ld+json">{"@type": "NewsArticle"}</script>', ""),
        ("/o-nas/", "O nás bez nás", '<meta property="article:published_time" content="2026-11-02">', ""),
        ("/o-nas/", "O nás bez nás", '<meta name="author" content="Jana Nová">', ""),
    ],
)
def test_articles_are_not_taken_for_pages_about_the_portal(path: str, headline: str, head: str, above: str) -> None:
    assert told(path, headline, head=head, above=above) is None


@pytest.mark.parametrize(
    ("place", "above", "dated", "refused"),
    [
        ("footer", "", True, True),
        ("main", "", True, False),
        ("footer", "<p>2. 11. 2026</p>", True, False),
        ("footer", "", False, False),
    ],
)
def test_what_menus_alone_lead_to_and_is_undated_among_dated_articles_is_none(
    place: str,
    above: str,
    dated: bool,  # noqa: FBT001
    refused: bool,  # noqa: FBT001
) -> None:
    pages, path = PortalPages(), "/mestsky-vestnik-slouzi-obcanum/"
    pages.note_links([FoundLink(url=f"{SITE}{path}", where="footer"), FoundLink(url=f"{SITE}{path}", where=place)])
    for number in range(10):
        at = datetime.now(UTC) if dated else None
        pages.note_article(f"{SITE}/{number}", Article(title="Most", paragraphs=(), method="", confidence=1.0, published_at=at))

    said = pages.find_reason_against(f"{SITE}{path}", draft_of(path, "Městský věstník slouží občanům", above=above))

    assert (said is not None) is refused


@pytest.mark.parametrize(
    ("headline", "above", "places", "refused"),
    [
        ("Werbung für Tabak verboten", "<p>2. 11. 2026</p>", ["main"], False),
        ("Werbung für Tabak verboten", "<p class=date>2. 11. 2026</p>", ["main"], False),
        ("Werbung für Tabak verboten", "<p>2. 11. 2026</p>", ["main", "footer"], True),
        ("Werbung für Tabak verboten", "", ["main"], True),
        ("Regulamin parku zmieniony", "<p>2. 11. 2026</p>", ["main"], False),
        ("Unsere Werbung", "<p>2. 11. 2026</p>", ["main"], True),
    ],
)
def test_what_shows_its_date_and_lies_behind_no_menu_may_speak_of_what_such_pages_are_called_by(
    headline: str,
    above: str,
    places: list[str],
    refused: bool,  # noqa: FBT001
) -> None:
    pages, path = PortalPages(), f"/{headline.lower().replace(' ', '-')}/"
    pages.note_links(FoundLink(url=f"{SITE}{path}", where=place) for place in places)

    assert (pages.find_reason_against(f"{SITE}{path}", draft_of(path, headline, above=above)) is not None) is refused


BACK, DAY = "<a href='/zpravy/most-se-letos-opravi.html'>Zpět na článek</a>", "<p>2. 11. 2026</p>"
SAME = "Most se letos opraví"


@pytest.mark.parametrize(
    ("path", "headline", "more", "refused"),
    [
        ("/zpravy/most-se-letos-opravi/foto/2", SAME, BACK, True),
        ("/zpravy/most-se-letos-opravi/foto/2", "Bild 2 von 7", BACK, True),
        ("/zpravy/most-se-letos-opravi.html?replytocom=17", "Pavel", BACK, True),
        ("/galerie/most-se-letos-opravi-2", f"Foto: {SAME}", f"{DAY}{BACK}", True),
        ("/komentare/most-se-letos-opravi/", "Názory čtenářů", BACK, True),
        # without a link back, of another day, with a longer text, with an address or a headline of its own
        ("/zpravy/most-se-letos-opravi/foto/2", SAME, "", False),
        ("/zpravy/most-se-letos-opravi/druhy-dil/", SAME, f"<p>9. 11. 2026</p>{BACK}", False),
        ("/zpravy/most-se-letos-opravi/druhy-dil/", "Kdo most zaplatí", f"{TEXT.replace('Kdo', 'Ten')}{BACK}", False),
        ("/zpravy/most-se-letos-opravi-2.html", SAME, f"{DAY}{BACK}", False),
        ("/sport/most-se-letos-opravi-2.html", "Běžci závodili přes most", f"{DAY}{BACK}", False),
        ("/zpravy/kdo-most-zaplati.html", SAME, f"{DAY}{BACK}", False),
    ],
)  # fmt: skip
def test_a_page_of_an_article_has_its_name_and_leads_back_to_it(path: str, headline: str, more: str, refused: bool) -> None:  # noqa: FBT001
    pages, url = PortalPages(), "/zpravy/most-se-letos-opravi.html"
    begin = "<p>Most přes řeku bude od března uzavřen, oprava potrvá do konce roku. Objížďka povede přes sousední obec u jezu.</p>"
    article = draft_of(url, SAME, above=f"{DAY}{begin}")
    pages.note_article(f"{SITE}{url}", finish(article, ExtractionOptions()))
    draft = draft_of(path, headline, above=more.replace("Kdo", "Kdo ještě") if more else "")

    assert (pages.find_article_of(f"{SITE}{path}", draft) is not None) is refused


def test_a_crawl_stores_no_terms_of_use_where_articles_lie_at_the_same_addresses(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    paths = [f"/most-cislo-{name}-se-opravi/" for name in NUMBERS]
    about = {"/obchodni-podminky-pro-predplatitele/": "Obchodní podmínky", "/kdo-jsme-a-co-delame/": "O nás"}
    foot = "<footer>" + "".join(f"<a href='{path}'>{words}</a>" for path, words in about.items()) + "</footer>"
    server.routes |= {"/": listing(*paths), **{path: story(n, links=foot) for n, path in enumerate(paths)}}
    server.routes |= {path: f"<title>{words}</title><h1>{words}</h1>{TEXT}{foot}" for path, words in about.items()}

    for _ in range(2):
        crawl(server.url)

    assert {each.article.url.split("/", 3)[3] for each in articles(tmp_path)} == {path[1:] for path in paths}
    assert [server.times(path) for path in about] == [1, 1]
    assert all("page of another kind" in (reasons(tmp_path)[path][1] or "") for path in about)


def test_a_crawl_stores_no_lists_of_tags_and_authors_with_excerpts_below_the_folders_of_sections(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    paths = [f"/sport/most-cislo-{name}-se-opravi/" for name in NUMBERS]
    lists = {"/sport/tags/policie/": "Články označené „policie“", "/sport/authors/jana-nova/": "Jana Nová"}
    foot = "".join(f"<a href='{path}'>{words.split()[-1]}</a>" for path, words in lists.items())
    server.routes |= {"/": listing(*paths), **{path: story(n, links=foot) for n, path in enumerate(paths)}}
    server.routes |= {
        path: f"<title>{words} | Deník</title><main><h1>{words}</h1><article><h2><a href={paths[0]}>Most se opraví do jara</a></h2>"
        f"<time>16. listopadu 2026</time>{TEXT}</article></main>" for path, words in lists.items()
    }  # fmt: skip

    crawl(server.url)

    assert {each.article.url.split("/", 3)[3] for each in articles(tmp_path)} == {path[1:] for path in paths}
