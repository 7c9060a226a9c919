"""Kinds of pages: listings, shops, walls and errors are refused by their kind; what led to a page moves the threshold."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from kurier import LANGUAGES, OTHERS, headline, page, paragraphs, teasers
from own_pages import layouts, pages_of

from newscrawler.errors import PageReason
from newscrawler.extraction.body.extractor import Examination, load_default_extractor
from newscrawler.extraction.body.page_kind import Origin, PageKind, find_barrier, is_brief, is_list_of_posts, load_page_classifier
from newscrawler.extraction.body.page_words import PageWords, Words, read_page_words
from newscrawler.extraction.body.site_names import is_front
from newscrawler.page import Document

OWN = {(layout, number): own for layout in layouts() for number, own in enumerate(pages_of(layout))}


def examine(key: tuple[str, int], prior: float = 0.0) -> Examination:
    return load_default_extractor().examine(Document.parse(OWN[key].html, OWN[key].given_url), prior)


def own_pages(*, article: bool) -> list[tuple[str, int]]:
    return [key for key, own in OWN.items() if own.gold.article is article]


def test_nearly_all_pages_of_other_kinds_are_refused_with_a_reason_and_a_kind() -> None:
    found = [examine(key) for key in own_pages(article=False)]
    refused = [each for each in found if each.refusal is not None]

    assert len(refused) >= 0.85 * len(found)
    assert all(each.refusal.detail for each in refused if each.refusal)
    by_model = [each.verdict.kind for each in refused if each.verdict and not is_front(each.page.url)]
    assert Counter(by_model)[PageKind.ARTICLE] == 0


def test_articles_are_not_refused() -> None:
    found = [examine(key) for key in own_pages(article=True)]

    assert sum(each.refusal is not None for each in found) <= 0.02 * len(found)


def test_what_leads_to_a_page_moves_its_probability_but_not_its_confidence() -> None:
    classifier, key = load_page_classifier(), own_pages(article=True)[0]
    priors = {origin: classifier.get_prior(origin) for origin in Origin}
    verdicts = [verdict for prior in sorted(priors.values()) if (verdict := examine(key, prior).verdict)]

    assert classifier.thresholds.keys() == {origin.name for origin in Origin}
    assert priors[Origin.START] < priors[Origin.LINK] == priors[Origin.UNKNOWN] == 0.0 < priors[Origin.FEED]
    assert [verdict.article for verdict in verdicts] == sorted(verdict.article for verdict in verdicts)
    assert len({(verdict.threshold, verdict.confidence) for verdict in verdicts}) == 1


def test_between_the_thresholds_the_entry_of_a_feed_is_an_article_and_a_start_url_is_none() -> None:
    classifier = load_page_classifier()
    thresholds = classifier.thresholds
    rows = np.stack([_row(key) for key in OWN])
    likely = [(classifier.judge(row).article, row) for row in rows]
    between = [row for article, row in likely if thresholds["FEED"] <= article < thresholds["START"]]

    assert between
    for row in between:
        assert classifier.judge(row).add_prior(classifier.get_prior(Origin.FEED)).kind is PageKind.ARTICLE
        assert classifier.judge(row).add_prior(classifier.get_prior(Origin.START)).kind is not PageKind.ARTICLE


def _row(key: tuple[str, int]) -> np.ndarray:
    found = examine(key)
    assert found.features is not None
    return load_page_classifier().describe(found.page, found.features, found.probabilities)


def test_probabilities_and_confidence_lie_between_0_and_1() -> None:
    for key in list(OWN)[::5]:
        verdict = examine(key).verdict
        assert verdict is not None
        assert 0 <= verdict.article <= 1
        assert 0 <= verdict.confidence <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_links_is_refused_as_a_listing(language: str) -> None:
    links = "".join(f"<h3><a href=/{number}.html>{headline(language)} {number}</a></h3>" for number in range(20))

    listing = page(language, f"<h1>Region</h1>{links}{teasers(language, 20)}", title="Region", path="/region/")
    found = load_default_extractor().examine(listing)

    assert found.refusal is not None
    assert found.refusal.reason in (PageReason.LISTING, PageReason.NO_BODY)


def _show_posts(language: str, *, dated: bool, heading: str = "h2") -> str:
    """Return posts in full, each with a headline that leads to its own page."""
    time = "2026-03-04, 10:20:30"
    meta = f"<a href=/region/story.html>{time}</a>" if heading == "h2" else time
    date = f"<p class=meta>{meta}</p>" if dated else ""
    return "".join(
        f"<div class=post><{heading}><a href=/{language}/story-{number}.html>{OTHERS[language][number]}</a></{heading}>{date}"
        f"{paragraphs(language, 1 + 3 * number, 4 + 3 * number)}</div>"
        for number in range(2)
    )


@pytest.mark.parametrize("heading", ["h2", "div"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_posts_that_have_pages_of_their_own_is_a_listing_though_it_shows_them_in_full(
    language: str, heading: str
) -> None:
    listing = page(language, _show_posts(language, dated=True, heading=heading), title="Region", path="/region/page/2/")
    found = load_default_extractor().examine(listing, prior=5.0)

    assert found.refusal is not None
    assert found.refusal.reason is PageReason.LISTING


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_posts_with_their_dates_below_them_is_a_listing(language: str) -> None:
    posts = "".join(
        f"<fieldset><legend><a href=/story-{number}.html>{OTHERS[language][number]}</a></legend>{paragraphs(language, 1, 4)}"
        f"<table><tr><td>Tags: <a href=/tags/park>park</a></td><td>2026-03-0{number}</td></tr></table></fieldset>"
        for number in (0, 1, 2)
    )
    listing = Document.parse(f"<title>March 2026</title><h1>Kurier</h1><p>March 2026</p>{posts}", "https://e.org/archive/2026/03/")

    assert is_list_of_posts(listing, [block for block in listing.layout.blocks if block.kind == "p" and len(block.text) > 20])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_excerpts_with_one_post_in_full_is_a_listing(language: str) -> None:
    cards = "".join(
        f"<div class=card><div>{6 * 'Online, '}<time datetime=2026-03-0{number}>2026-03-0{number}</time></div><p class=title>"
        f"<a href=/story-{number}.html>{OTHERS[language][number]}</a></p>{paragraphs(language, 1, 5 if number == 1 else 2)}"
        f"<a href=/story-{number}.html#more>Mehr lesen</a></div>"
        for number in (1, 2)
    )
    listing = Document.parse(f"<title>Kurier</title><body>{cards}", "https://www.example.org/page/2/")
    texts = [block for block in listing.layout.blocks if block.kind == "p" and not block.links]

    assert is_list_of_posts(listing, texts[:4])


@pytest.mark.parametrize(
    "above",
    ["<h2>Jana Nová</h2>", "<header><div class=logo><a href=/>Grenzland Anzeiger</a></div></header>"],
    ids=["author", "logo"],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_undated_teasers_is_a_listing(language: str, above: str) -> None:
    cards = "".join(
        f"<div><h2><a href=/story-{number}.html>{OTHERS[language][number]}</a></h2>{paragraphs(language, number, number + 1)}</div>"
        for number in range(2)
    )
    listing = Document.parse(f"<title>Jana Nová | Anzeiger</title><body>{above}<main>{cards}", "https://www.example.org/jana/")
    texts = [block for block in listing.layout.blocks if block.kind == "p"]

    assert is_list_of_posts(listing, texts)


def test_teasers_below_an_article_that_the_page_declares_make_no_listing() -> None:
    cards = "".join(
        f"<div><h2><a href=/story-{number}.html>{OTHERS['en'][number]}</a></h2>{paragraphs('en', number, number + 1)}</div>"
        for number in range(2)
    )
    head = '<title>Bridge | Post</title><script type="application/ld+json">{"@type": "NewsArticle", "headline": "Bridge"}</script>'
    article = Document.parse(f"{head}<body><h1>Bridge</h1><main>{cards}", "https://www.example.org/bridge/")

    assert not is_list_of_posts(article, [block for block in article.layout.blocks if block.kind == "p"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_article_with_parts_that_lead_to_other_pages_is_not_a_listing(language: str) -> None:
    round_up = f"<h1>{headline(language)}</h1>{_show_posts(language, dated=False)}"
    post = f"<div class=post><h2><a href=/{language}/bridge.html>{headline(language)}</a></h2>{paragraphs(language)}</div>"

    for article in (round_up, post):
        assert load_default_extractor().examine(page(language, article)).refusal is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_whose_text_is_that_of_captions_is_a_gallery(language: str) -> None:
    texts = re.findall(r"<p>(.*?)</p>", paragraphs(language))[:3]
    figures = "".join(f"<figure><img src=/{n}.jpg><figcaption>{text}</figcaption></figure>" for n, text in enumerate(texts))

    found = load_default_extractor().examine(page(language, f"<h1>{headline(language)}</h1><main>{figures}</main>"), prior=10.0)

    assert found.refusal is not None
    assert found.verdict is not None
    assert found.verdict.kind is PageKind.MEDIA


@pytest.mark.parametrize(("line", "brief"), [("Otevřeno: 8:00–16:00", False), ("Dnes 8:05", True)])
def test_the_hours_of_a_shop_date_no_short_news(line: str, *, brief: bool) -> None:
    text = "Výroba dřevěných oken a dveří na míru podle přání zákazníka, oprava a montáž po celém kraji."
    html = f"<title>Okna Novák</title><body><h1>Okna Novák</h1><p>{text}</p><div>{line}</div>"
    page = Document.parse(html, "https://www.example.org/firmy/okna-novak/")
    found = load_default_extractor().examine(page)
    taken = [block for block in page.layout.blocks if block.kind == "p"]

    assert found.verdict is not None
    assert is_brief(page, found.verdict.add_prior(10.0), taken) is brief


@pytest.mark.parametrize(
    ("name", "title", "above", "heading", "brief"),
    [
        ("Jana Nová", "Jana Nová | Deník", "<p>Píše od roku 2011 o dopravě a o městech v celém kraji.</p>", "h2", False),
        ("Grenzland Anzeiger", "Grenzland Anzeiger - Nachrichten aus der Region", "", "div", False),
        ("Most přes řeku bude hotový v prosinci", "Most přes řeku bude hotový v prosinci", "", "", True),
    ],
)
def test_excerpts_below_linked_headings_or_the_name_of_the_site_are_no_short_news(
    name: str, title: str, above: str, heading: str, *, brief: bool
) -> None:
    texts = [f"Most číslo {n} přes řeku bude hotový v prosinci, řekl v pondělí starosta obce a poděkoval." for n in range(1, 3)]
    linked = [f"<{heading}><a href=/{n}>Starosta slíbil most číslo {n} do Vánoc</a></{heading}>" if heading else "" for n in (1, 2)]
    items = "".join(f"{link}<time>16. listopadu 2026</time><p>{text}</p>" for link, text in zip(linked, texts, strict=True))
    head = f'<title>{title}</title><meta property="og:title" content="{name}">'
    head += '<meta property="og:site_name" content="Grenzland Anzeiger">'
    body = f"<header><h1>{name}</h1>{above}</header><main>{items}</main>"
    page = Document.parse(f"<html lang=cs>{head}<body>{body}</html>", "https://www.example.org/page/2/")
    found = load_default_extractor().examine(page)
    taken = [block for block in page.layout.blocks if block.kind == "p"]

    assert found.verdict is not None
    assert is_brief(page, found.verdict.add_prior(10.0), taken) is brief


def test_pages_that_ask_to_sign_in_and_error_pages_are_refused_as_what_they_are() -> None:
    reasons = {
        (own.given_url or "").rsplit("/", 1)[-1].partition("-")[0]: found.refusal.reason
        for key, own in OWN.items()
        if not own.gold.article and (found := examine(key)).refusal is not None
    }

    assert reasons["missing"] is PageReason.ERROR_PAGE
    assert reasons["login"] is PageReason.WALL


@pytest.mark.parametrize("html", ["", "<html><body></body></html>", "<img src=a.jpg>", "<script>alert(1)</script>"])
def test_a_page_without_text_is_empty(html: str) -> None:
    found = load_default_extractor().examine(Document.parse(html))

    assert found.verdict is None
    assert found.refusal is not None
    assert found.refusal.reason is PageReason.EMPTY


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_login_box_beside_an_article_refuses_nothing(language: str) -> None:
    form = "<form action=/login><input name=user><input type=password name=password><button>Sign in</button></form>"

    found = load_default_extractor().examine(page(language, f"{form}<h1>{headline(language)}</h1>{paragraphs(language)}"))

    assert found.refusal is None


CHALLENGE = (
    "<html><head><title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/h/b/orchestrate'></script></head>"
    "<body><h1>www.example.org</h1><p>Verifying you are human. This may take a few seconds.</p></body></html>"
)
QUESTION = (
    "<html lang=cs><title>Ověření</title><body><h1>Nejste robot?</h1><form action=/overit><div class='g-recaptcha'></div>"
    "<button>Pokračovat</button></form></body></html>"
)
CONSENT = (
    "<html lang=cs><title>Souhlas s cookies</title><body><h1>Vážíme si vašeho soukromí</h1>"
    f"<p>{'My a naši partneři ukládáme. ' * 20}</p>"
    "<a href=/podrobne>Podrobné nastavení</a><button>Souhlasím</button></body></html>"
)  # fmt: skip
GERMAN = (
    "<html lang=de><title>Zeitung</title><body><h2>Mit Werbung und Einwilligung weiterlesen</h2><p>Wir verwenden Kennungen.</p>"
    "<form><input type=submit value='Akzeptieren und weiter'></form></body></html>"
)
SENTENCES = "Rada města ve středu rozhodla o opravě mostu přes řeku a uvolnila na ni peníze z rozpočtu. " * 30


@pytest.mark.parametrize(
    ("html", "barrier"),
    [
        (CHALLENGE, PageReason.CAPTCHA),
        (QUESTION, PageReason.CAPTCHA),
        (CONSENT, PageReason.CONSENT),
        (GERMAN, PageReason.CONSENT),
    ],
)
def test_who_stands_before_a_page_is_recognised(html: str, barrier: PageReason) -> None:
    found = find_barrier(Document.parse(html))

    assert found is not None
    assert found.reason is barrier


SENTENCE = "Omlouváme se čtenářům a děkujeme za pochopení, vše bude brzy v pořádku. "


def write_notice(title: str, body: str) -> Document:
    return Document.parse(f"<html><head><title>{title}</title></head><body>{body}</body></html>")


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Welcome to nginx!", f"<h1>Welcome to nginx!</h1><p>{SENTENCE}</p>"),
        ("Apache2 Debian Default Page: It works", f"<p>{SENTENCES * 9}</p>"),
        ("HTTP Server Test Page powered by CentOS", "<h1>Testing 123..</h1><p>This page is used to test the server.</p>"),
        ("Account Suspended", "<p>This account has been suspended. Contact your hosting provider.</p>"),
        ("Deník", f"<h2>Probíhá údržba</h2><p>{SENTENCE}</p>"),
        ("Zeitung", "<p>Wegen Wartungsarbeiten ist unsere Seite derzeit nicht erreichbar.</p>"),
        ("Газета | Технические работы", "<p>Приносим извинения за неудобства. Сайт скоро будет доступен.</p>"),
        ("新聞", "<h1>只今メンテナンス中です</h1><p>ご迷惑をおかけしております。</p>"),
    ],
)
def test_a_notice_that_the_site_is_out_of_service_is_not_an_article(title: str, body: str) -> None:
    found = find_barrier(write_notice(title, body))

    assert found is not None
    assert found.reason is PageReason.ERROR_PAGE


@pytest.mark.parametrize("title", ["Page not found | Meridian", "Meridian – Stránka nenalezena", "Сторінку не знайдено · Меридіан"])
def test_a_page_whose_title_and_heading_say_that_it_is_missing_is_an_error_page_among_links(title: str) -> None:
    links = "".join(f"<a href=/{number}>{SENTENCE}</a>" for number in range(60))
    heading = next(part for part in re.split(r" [|·–] ", title) if part not in {"Meridian", "Меридіан"})

    found = find_barrier(write_notice(title, f"{links}<h1>{heading}</h1><p>{SENTENCE}</p>"))

    assert found is not None
    assert found.reason is PageReason.ERROR_PAGE
    assert find_barrier(write_notice(title, f"{links}<h1>The bridge</h1><p>{SENTENCE}</p>")) is None


@pytest.mark.parametrize(
    ("title", "body"),
    [
        (
            "Metro line B closed for maintenance work on Sunday",
            f"<h1>Metro line B closed for maintenance on Sunday</h1><p>{SENTENCE * 3}</p>",
        ),
        ("Library closed for maintenance", f"<h1>Library closed for maintenance</h1><p>12 November 2026</p><p>{SENTENCE * 3}</p>"),
        ("Library closed for maintenance", f"<h1>Library closed for maintenance</h1><time>Friday</time><p>{SENTENCE * 3}</p>"),
        ("Most v údržbě", f"<h1>Most v údržbě</h1><p>{SENTENCE * 20}</p>"),
    ],
)
def test_news_about_maintenance_are_a_page(title: str, body: str) -> None:
    assert find_barrier(write_notice(title, body)) is None


def test_an_article_with_a_banner_and_a_protected_form_is_a_page() -> None:
    html = (
        f"<html><title>Most se opraví</title><body><h1>Most se opraví</h1><p>{SENTENCES}</p>"
        "<div class=cookie-banner>Používáme cookies <button>Souhlasím</button></div>"
        "<form class=comments><div class=g-recaptcha></div></form></body></html>"
    )

    assert find_barrier(Document.parse(html)) is None


def test_very_short_news_with_a_banner_are_a_page() -> None:
    html = (
        "<html><title>Most se opraví</title><body><h1>Most se opraví</h1><p>Rada města o tom rozhodla ve středu.</p>"
        "<div>Používáme cookies <button>Souhlasím</button></div></body></html>"
    )

    assert find_barrier(Document.parse(html)) is None


def test_short_news_about_consent_that_say_that_they_are_an_article_are_a_page() -> None:
    head = '<meta property="article:published_time" content="2026-11-01T10:00:00Z">'
    body = "<body><h1>Souhlas</h1><button>Přijmout</button></body>"
    html = f"<html><head><title>Souhlas s cookies podle soudu</title>{head}</head>{body}</html>"

    assert find_barrier(Document.parse(html)) is None


def test_a_listing_is_a_page() -> None:
    links = "".join(f"<li><a href=/c{number}>Soud rozhodl o souhlasu s cookies číslo {number}</a></li>" for number in range(30))
    html = f"<html><title>Souhlas a soukromí</title><body><h1>Soukromí</h1><ul>{links}</ul><button>Přijmout</button></body></html>"

    assert find_barrier(Document.parse(html)) is None


def test_a_page_whose_scripts_know_a_widget_is_no_challenge() -> None:
    html = "<html><head><title>Deník</title><script src='/recaptcha/api.js'></script></head><body><div id=app></div></body></html>"

    assert find_barrier(Document.parse(html)) is None


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://forum.doom.example/showthread.php?t=186269", {"forum.", "/showthread", ".php", "?t", "0 segments", "1 words"}),
        ("https://shop.example/product/karmin-g3-pro-dryer", {"/product", "1 segments", "4 words"}),
        ("https://kurier.example/2026/05/07/the-bridge-is-open.html", {"date", ".html", "3 segments", "4 words", "number"}),
        ("https://kurier.example/wirtschaft/", {"/wirtschaft", "0 segments", "1 words"}),
        ("http://[::1", set()),
    ],
)
def test_an_address_is_read_by_its_segments_names_and_make(url: str, words: set[str]) -> None:
    assert read_page_words(Document.parse("<p>Text</p>", url)).address - {"number"} == words - {"number"}


@pytest.mark.parametrize("head", ['<link rel=canonical href="{}">', '<meta property="og:url" content="{}">'])
def test_an_address_that_is_not_told_is_read_from_the_page(head: str) -> None:
    url = "https://forum.example/t/slug/12345"
    told, declared = Document.parse("<p>Text</p>", url), Document.parse(f"<head>{head.format(url)}</head><p>Text</p>")

    assert read_page_words(declared).address == read_page_words(told).address != set()


def test_an_address_says_as_much_on_a_page_of_many_words() -> None:
    model = PageWords(base=0.0, weights={"names": {}, "declarations": {}, "shown": {}, "address": {"/forum": -3.0}})
    few, many = (Words(set(), set(), {f"word{n}" for n in range(number)}, {"/forum", "4 words"}) for number in (3, 3_000))

    assert model.score(few) == model.score(many) < -0.9


def test_microdata_generators_and_controls_are_words_of_a_page() -> None:
    source = (
        "<html itemtype='http://schema.org/QAPage'><head><meta name=generator content='phpBB 3.3'>"
        "<link rel=next href=/2></head><body><div itemprop=suggestedAnswer "
        "itemtype='https://schema.org/Answer' class=postBody2><button>Reply now</button></div></body>"
    )
    words = read_page_words(Document.parse(source))

    assert {"qapage", "answer", "generator phpbb", "rel next", "none"} <= words.declarations
    assert {"suggestedanswer", "post", "body"} <= words.names
    assert {"reply", "now"} <= words.shown
