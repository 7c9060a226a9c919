"""Description, section, keywords, language, address, picture, kind and paywall."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawler.extraction.metadata import Metadata, find_metadata
from newscrawler.extraction.metadata.language import choose_language, detect_language, is_same_language
from newscrawler.extraction.metadata.section import find_listing_section
from newscrawler.page import Document

URL = "https://www.example.org/politika/pes-pokousal-starostu-123.html"
#: An address that names no section.
NAMELESS = "https://www.example.org/pes-123.html"


def record(head: str = "", body: str = "<h1>Pes pokousal starostu v parku</h1>", url: str | None = URL, **given: Any) -> Metadata:
    page = Document.parse(
        f"<html lang=cs><head><title>Pes pokousal starostu v parku</title>{head}</head><body>{body}</body></html>", url
    )
    return find_metadata(page, **given)


def ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def test_the_description_is_clean_and_never_the_title() -> None:
    assert (
        record('<meta name=description content="Starosta &amp;amp; pes se <b>potkali</b> v parku.">').description
        == "Starosta & pes se potkali v parku."
    )
    assert record('<meta name=description content="Pes pokousal starostu v parku">').description is None


@pytest.mark.parametrize(
    ("head", "publisher"),
    [
        ("<meta property=og:site_name content='Mestské noviny'>", "Mestské noviny"),
        (ld('{"@type":"NewsArticle","publisher":{"@type":"Organization","name":"Mestské noviny"}}'), "Mestské noviny"),
        (
            ld(
                '{"@graph":[{"@type":"NewsArticle","publisher":{"@id":"#house"}},{"@type":"Organization","@id":"#other","name":"Other"},'
                '{"@type":"Organization","@id":"#house","name":"Mestské noviny"}]}'
            ),
            "Mestské noviny",
        ),
        (ld('{"@type":"WebSite","name":"Mestské noviny","url":"https://www.example.org/"}'), "Mestské noviny"),
        (ld('{"@type":"Organization","@id":["#house"],"name":"Other"}'), None),
        ("<meta property=og:site_name content='https://www.example.org/'>", None),
    ],
)
def test_the_publisher_is_declared_as_the_name_of_the_site(head: str, publisher: str | None) -> None:
    assert record(head).publisher == publisher


@pytest.mark.parametrize(
    ("head", "link", "publisher"),
    [
        ("<title>Pes pokousal starostu – Mestské noviny</title>", "<a href='/'>Mestské noviny</a>", "Mestské noviny"),
        ("<title>Mestské noviny | Pes</title>", "<p><a href='https://www.example.org/'>Mestské noviny</a>", "Mestské noviny"),
        (
            "<link rel=alternate type='application/atom+xml' title='Mestské noviny Atom Feed' href=/atom.xml>",
            "<h1><a href='/'>Mestské noviny <b>Zprávy z kraje</b></a></h1>",
            "Mestské noviny",
        ),
        (
            "<link rel=alternate type='application/rss+xml' title='Mestské noviny RSS Feed' href=/feed.xml>",
            "<h1><a href='/'>Mestské noviny <strong>Nezávislé zprávy z celého kraje a okolí</strong></a></h1>",
            "Mestské noviny",
        ),
        ("<title>Pes pokousal starostu – Mestské noviny</title>", "<a href='/'>Domů</a>", None),
        ("<title>Pes pokousal starostu – Sport</title>", "<a href='/sport/'>Sport</a>", None),
        ("<title>Pes pokousal starostu – Mestské noviny</title>", "<a href='https://else.example/'>Mestské noviny</a>", None),
    ],
)
def test_the_publisher_is_the_link_to_the_front_page_if_title_or_feed_agree(head: str, link: str, publisher: str | None) -> None:
    page = Document.parse(f"<html><head>{head}</head><body>{link}<h1>Pes pokousal starostu</h1></body></html>", URL)
    assert find_metadata(page).publisher == publisher


@pytest.mark.parametrize(
    ("head", "body", "section"),
    [
        (ld('{"@type":"NewsArticle","articleSection":["Domácí","Politika"]}'), "", "Domácí"),
        ('<meta property="article:section" content="Domácí">', "", "Domácí"),
        (
            ld(
                '{"@type":"BreadcrumbList","itemListElement":[{"name":"Domů"},{"item":{"name":"Sport"}},'
                '{"name":"Pes pokousal starostu v parku"}]}'
            ),
            "",
            "Sport",
        ),
        ("", "<nav class='breadcrumb'><a href='/'>Domů</a> <a href='/k'>Kultura</a></nav>", "Kultura"),
        ("", "<footer class='entry-footer'><a rel='category tag' href='/c'>Kultura</a></footer>", "Kultura"),
        ("", "<nav><a href='/politika/'>Politika a společnost</a></nav>", "Politika a společnost"),
        ("", "", "politika"),
    ],
)
def test_the_section_comes_from_declarations_breadcrumbs_menus_or_the_address(head: str, body: str, section: str) -> None:
    assert record(head, body, URL if section.lower().startswith("politika") else NAMELESS).section == section


def test_a_section_on_which_two_sources_agree_goes_before_one_that_is_named_once() -> None:
    head = ld('{"@type":"NewsArticle","articleSection":["Domácí","Politika"]}')

    assert record(head, "", NAMELESS).section == "Domácí"
    assert record(head, "", URL).section == "Politika"


@pytest.mark.parametrize("url", ["https://e.org/2026/nov/x.html", "https://e.org/x.html", "https://e.org/zpravy/x/", None])
def test_no_section_is_made_up(url: str | None) -> None:
    assert record(url=url).section is None


def test_keywords_are_the_articles_and_not_those_of_machines() -> None:
    head = '<meta name=news_keywords content="pes, Starosta, pes, Section: Sport, 98be933f-38cf-4fba-b6c6-ad438e82010a, _Prio_3">'

    assert record(head).keywords == ("pes", "Starosta")
    assert record(ld('{"@type":"NewsArticle","keywords":["a1","b2"]}')).keywords == ("a1", "b2")
    assert record(body="<a rel=tag href='/t'>park</a>").keywords == ("park",)


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ("<p>tags: <a href='/tag/court.html'>court</a> <a href='/tag/dogs.html'>dogs</a></p>", ("court", "dogs")),
        ("<div><b>Štítky:</b> <a href='/t/pes'>pes</a>, <a href='/t/park'>park</a></div>", ("pes", "park")),
        ("<p><span>Schlagwörter :</span><a href='/thema/hund'>Hund</a></p>", ("Hund",)),
        ("<p>标签：<a href='/t/1'>公园</a></p>", ("公园",)),
        ("<p>Tags: <a href='/t/pes'>pes</a></p><p><a rel=tag href='/t'>park</a></p>", ("park",)),
        ("<nav><a href='/tags'>Tags</a> <a href='/sport'>Sport</a></nav>", ()),
        ("<p>Read more: <a href='/sport'>Sport</a></p>", ()),
    ],
)
def test_links_behind_a_label_of_tags_are_keywords(tags: str, found: tuple[str, ...]) -> None:
    assert record(body=f"<h1>Pes pokousal starostu v parku</h1>{tags}").keywords == found


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<div><h1>{}</h1><a href='/tags/pes/'>pes</a> <a href='/tags/park/'>park</a></div>", ("pes", "park")),
        ("<article><h1>{}</h1><nav><a href='../tags/#tag:pes'>pes</a></nav></article>", ("pes",)),
        (
            "<h1>{}</h1><p><a href='/tag/pes'>pes</a></p><ul><a href='/tag/pes'>pes</a><a href='/tag/dym'>dým</a></ul>",
            ("pes",),
        ),
        ("<header><h1>{}</h1></header><article><footer><a href='/tags/pes/'>pes</a></footer></article>", ("pes",)),
        ("<main><h1>{}</h1></main><aside><a href='/tags/pes/'>pes</a><a href='/tags/dym/'>dým</a></aside>", ()),
        ("<nav><a href='/tags/'>Tags</a></nav><h1>{}</h1>", ()),
        ("<h1>{}</h1><p><a href='/tag/pes'>Tags</a> <a href='https://shop.example/tag/psi'>psi</a></p>", ()),
    ],
)
def test_own_links_to_pages_of_tags_are_keywords(page: str, found: tuple[str, ...]) -> None:
    assert record(body=page.format("Pes pokousal starostu v parku")).keywords == found


@pytest.mark.parametrize(
    ("canonical", "found"),
    [
        ("/politika/pes", "https://www.example.org/politika/pes"),
        ("https://example.org/politika/pes#top", "https://example.org/politika/pes"),
        ("https://other.net/politika/pes", None),
        ("https://www.example.org/", None),
        ("javascript:void(0)", None),
        ("http://[bad", None),
        ("https://www.example.org:port/politika/pes", None),
    ],
)
def test_a_canonical_address_must_be_plausible(canonical: str, found: str | None) -> None:
    assert record(f'<link rel=canonical href="{canonical}">').canonical_url == found


def test_the_picture_is_the_articles_and_not_the_logo() -> None:
    head = '<meta property="og:image" content="/img/site-logo.png">' + ld(
        '{"@type":"NewsArticle","image":[{"@type":"ImageObject","url":"/img/pes.jpg"}]}'
    )

    assert record(head).image_url == "https://www.example.org/img/pes.jpg"


@pytest.mark.parametrize(
    ("head", "url", "headline", "genre"),
    [
        (ld('{"@type":"OpinionNewsArticle"}'), URL, None, "opinion"),
        (ld('{"@type":["LiveBlogPosting"]}'), URL, None, "live"),
        (ld('{"@type":"AdvertiserContentArticle"}'), URL, None, "sponsored"),
        ("", "https://e.org/komentare/x", None, "opinion"),
        ("", "https://e.org/rozhovory/x", None, "interview"),
        ("", "https://e.org/fotogalerie/x", None, "gallery"),
        ('<meta property="article:section" content="Meinung">', URL, None, "opinion"),
        ("", URL, "ROZHOVOR: Pes mluví", "interview"),
        ("", URL, "Kommentar | Der Hund", "opinion"),
        ("", URL, "Interview with a dog made the mayor laugh", "news"),
        ("", URL, "Pes: přítel člověka", "news"),
    ],
)
def test_kinds_of_articles_are_told_apart(head: str, url: str, headline: str | None, genre: str) -> None:
    assert record(head, url=url, headline=headline).genre == genre


@pytest.mark.parametrize(
    ("head", "free"),
    [
        (ld('{"@type":"NewsArticle","isAccessibleForFree":"False"}'), False),
        (ld('{"@type":"NewsArticle","isAccessibleForFree":true}'), True),
        (ld('{"@type":"NewsArticle","isAccessibleForFree":[false]}'), False),
        (ld('{"@type":"NewsArticle","isAccessibleForFree":{"@value":0}}'), False),
        (ld('{"@type":"NewsArticle","isAccessibleForFree":"http://schema.org/True"}'), True),
        (ld('{"@type":"NewsArticle","isAccessibleForFree":["True",false]}'), None),
        ('<meta property="article:content_tier" content="locked">', False),
        ('<meta property="article:content_tier" content="free">', True),
        ("", None),
    ],
)
def test_a_paywall_is_declared(head: str, free: bool | None) -> None:  # noqa: FBT001
    assert record(head).free is free


def test_a_paywall_is_seen_behind_the_text() -> None:
    page = Document.parse(
        "<body><div><div id=b><p>Text článku.</p></div><div class=x><p>Odemkněte si celý článek</p></div></div></body>", URL
    )

    assert find_metadata(page, body_text="Text článku.").free is False


SAMPLES = {
    "cs": "Starosta města v pátek uvedl, že pes, který ho v parku pokousal, byl na vodítku a že podle něj za to nikdo nemůže.",
    "sk": "Starosta mesta v piatok uviedol, že pes, ktorý ho v parku pohrýzol, bol na vôdzke a že podľa neho za to nikto nemôže.",
    "pl": (
        "Burmistrz miasta powiedział w piątek, że pies, który go ugryzł w parku, był na smyczy i że nikt nie jest za to "
        "odpowiedzialny."
    ),
    "de": (
        "Der Bürgermeister der Stadt sagte am Freitag, dass der Hund, der ihn im Park gebissen hat, an der Leine war und "
        "dass niemand schuld ist."
    ),
    "en": (
        "The mayor of the town said on Friday that the dog which had bitten him in the park was on a leash and that nobody "
        "was to blame."
    ),
    "fr": (
        "Le maire de la ville a dit vendredi que le chien qui l'avait mordu dans le parc était en laisse et que personne "
        "n'est en faute."
    ),
    "es": (
        "El alcalde de la ciudad dijo el viernes que el perro que lo mordió en el parque estaba con correa y que nadie tiene "
        "la culpa."
    ),
    "it": (
        "Il sindaco della città ha detto venerdì che il cane che lo ha morso nel parco era al guinzaglio e che nessuno è da "
        "incolpare."
    ),
    "pt": (
        "O prefeito da cidade disse na sexta-feira que o cão que o mordeu no parque estava com uma coleira e que não há culpados."
    ),
    "uk": "Мер міста у п'ятницю сказав, що собака, який його вкусив у парку, був на повідку і що ніхто за це не відповідає.",
    "ru": "Мэр города в пятницу сказал, что собака, которая его укусила в парке, была на поводке и что никто за это не отвечает.",
    "hu": (
        "A város polgármestere pénteken azt mondta, hogy a kutya, amely megharapta a parkban, pórázon volt, és hogy ezért "
        "senki nem felelős."
    ),
    "he": "ראש העיר אמר ביום שישי כי הכלב שנשך אותו בפארק היה קשור ברצועה וכי איש אינו אשם בכך.",
    "tr": (
        "Belediye başkanı cuma günü parkta kendisini ısıran köpeğin tasmalı olduğunu ve bunun için kimsenin suçlu olmadığını "
        "söyledi, ama bu bir sorun."
    ),
    "ar": "قال رئيس البلدية يوم الجمعة إن الكلب الذي عضه في الحديقة كان مربوطا وأن لا أحد مسؤول عن ذلك في المدينة.",
    "zh": "市长星期五说，在公园里咬他的那只狗是用皮带拴着的，没有人应该为此负责。",
    "ja": "市長は金曜日、公園で彼をかんだ犬はリードにつながれていたと述べ、誰の責任でもないと語った。",
}


@pytest.mark.parametrize("language", SAMPLES)
def test_two_lines_tell_their_language(language: str) -> None:
    assert detect_language(SAMPLES[language]) == language


def test_short_texts_and_gibberish_are_left_undecided() -> None:
    assert detect_language("Pes.") is None
    assert detect_language("lorem xyz foo bar baz qux quux corge grault garply waldo") is None


def test_the_body_is_believed_before_the_template_and_the_disagreement_is_noted() -> None:
    assert choose_language(None, "en", SAMPLES["cs"]) == ("cs", "cs")
    assert choose_language(None, "cs", SAMPLES["cs"]) == ("cs", None)
    assert choose_language("sk", "en", SAMPLES["cs"]) == ("sk", "cs")
    assert choose_language(None, "utf", SAMPLES["zh"]) == ("zh", None)
    assert choose_language(None, None, "") == (None, None)


def test_norwegian_by_any_of_its_names_is_one_language() -> None:
    assert is_same_language("nb", "no")
    assert not is_same_language("cs", "sk")


@pytest.mark.parametrize(
    ("head", "body", "url", "found"),
    [
        (ld('{"@type":"NewsArticle","articleSection":"Sport"}'), "", NAMELESS, ("Sport", "json-ld")),
        ('<meta name=section content="Sport">', "", NAMELESS, ("Sport", "meta")),
        (ld('{"@type":"BreadcrumbList","itemListElement":[{"name":"Domů"},{"name":"Sport"}]}'), "", None, ("Sport", "breadcrumb")),
        (
            "",
            "<ol class='c-breadcrumbs'><li><a href='/'>Home</a><li><a href='/s'>Sport</a></ol>",
            NAMELESS,
            ("Sport", "breadcrumb"),
        ),
        ("", "<nav aria-label=Breadcrumb><a href='/'>Start</a><a href='/s'>Sport</a></nav>", NAMELESS, ("Sport", "breadcrumb")),
        ("", "<a class='post-category' href='/s'>Sport</a>", NAMELESS, ("Sport", "category link")),
        ("", "", URL, ("politika", "address")),
        ("", "", None, (None, None)),
    ],
)
def test_the_section_says_where_it_comes_from(head: str, body: str, url: str | None, found: tuple[str | None, str | None]) -> None:
    data = record(head, body, url)

    assert (data.section, data.section_source) == found


@pytest.mark.parametrize(
    "url", ["https://e.org/2026/11/20/pes-a-starosta/", "https://e.org/clanky/pes/", "https://e.org/cs/pes.html"]
)
def test_days_languages_and_folders_of_articles_are_no_sections(url: str) -> None:
    assert record(url=url).section is None


@pytest.mark.parametrize(
    ("head", "keywords"),
    [
        (
            '<meta property="article:tag" content="pes"><meta property="article:tag" content="starosta, bývalý">',
            ("pes", "starosta, bývalý"),
        ),
        ('<meta property="article:tag" content="pes,starosta">', ("pes", "starosta")),
        (ld('{"@type":"NewsArticle","keywords":"pes, starosta; park"}'), ("pes", "starosta", "park")),
        (ld('{"@type":"NewsArticle","keywords":[{"@type":"DefinedTerm","name":"pes"}]}'), ("pes",)),
        ('<meta name=keywords content="pes、starosta">', ("pes", "starosta")),
        ('<meta name=keywords content=" , ;">', ()),
    ],
)
def test_keywords_are_read_wherever_they_stand(head: str, keywords: tuple[str, ...]) -> None:
    assert record(head).keywords == keywords


@pytest.mark.parametrize(
    ("html", "declared"),
    [
        ("<html lang=pt-BR>", "pt"),
        ("<html xml:lang=sk>", "sk"),
        ("<meta http-equiv=content-language content='uk'>", "uk"),
        ("<meta property='og:locale' content='de_AT'>", "de"),
        ("<html lang=''>", None),
        ("<html lang='český jazyk'>", None),
    ],
)
def test_the_language_is_declared_in_many_ways(html: str, declared: str | None) -> None:
    assert Document.parse(html + "<body>x").declared_language == declared


@pytest.mark.parametrize("declared", SAMPLES)
@pytest.mark.parametrize("written", SAMPLES)
def test_a_wrong_declaration_is_noted_and_a_right_one_is_not(written: str, declared: str) -> None:
    page = Document.parse(f"<html lang={declared}><body><p>{SAMPLES[written]}</p></body></html>", URL)
    found = find_metadata(page, body_text=SAMPLES[written])

    assert (found.language, found.language_detected) == (written, None if written == declared else written)


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="og:image" content="/img/pes.jpg">',
        '<meta name="twitter:image" content="https://www.example.org/img/pes.jpg">',
        '<link rel=image_src href="/img/pes.jpg">',
        '<meta property="og:image" content="data:image/gif;base64,R0lGOD"><meta name="twitter:image" content="../img/pes.jpg">',
        ld('{"@type":"NewsArticle","image":["/img/pes.jpg","/img/jiny.jpg"]}'),
        ld('{"@type":"NewsArticle","image":"/img/pes.jpg"}'),
    ],
)
def test_the_picture_is_found_however_it_is_declared(head: str) -> None:
    assert record(head).image_url == "https://www.example.org/img/pes.jpg"


@pytest.mark.parametrize(
    ("label", "genre"),
    [
        ("Komentáře", "opinion"), ("Názory", "opinion"), ("Felietony", "opinion"), ("Meinung", "opinion"), ("Tribune", "opinion"),
        ("Opinión", "opinion"), ("Editoriale", "opinion"), ("Opinião", "opinion"), ("Думка", "opinion"), ("Мнения", "opinion"),
        ("Vélemény", "opinion"), ("דעות", "opinion"), ("Köşe-yazısı", "opinion"), ("آراء", "opinion"), ("社论", "opinion"),
        ("社説", "opinion"),
        ("Rozhovory", "interview"), ("Wywiady", "interview"), ("Entretien", "interview"), ("Entrevistas", "interview"),
        ("Интервью", "interview"), ("Interjú", "interview"), ("ראיון", "interview"), ("Röportaj", "interview"),
        ("专访", "interview"),
        ("Fotogalerie", "gallery"), ("Bildergalerie", "gallery"), ("Diaporama", "gallery"), ("Fotogalleria", "gallery"),
        ("Advertorial", "sponsored"), ("Anzeige", "sponsored"), ("Publireportage", "sponsored"), ("Sponzorované", "sponsored"),
        ("Liveticker", "live"), ("En-direct", "live"), ("Minuto-a-minuto", "live"), ("Sport", "news"), ("Kultura", "news"),
    ],
)  # fmt: skip
def test_the_section_tells_the_kind_in_many_languages(label: str, genre: str) -> None:
    assert record(f'<meta property="article:section" content="{label}">').genre == genre


@pytest.mark.parametrize(
    "kind",
    [
        ("OpinionNewsArticle", "opinion"),
        ("ReviewNewsArticle", "opinion"),
        ("LiveBlogPosting", "live"),
        ("AdvertiserContentArticle", "sponsored"),
        ("NewsArticle", "news"),
        ("ReportageNewsArticle", "news"),
    ],
)
def test_what_the_article_is_declared_to_be_goes_before_words(kind: tuple[str, str]) -> None:
    assert record(ld(f'{{"@type":"{kind[0]}"}}'), url="https://e.org/sport/x").genre == kind[1]


@pytest.mark.parametrize(
    "offer",
    [
        "Subscribe to continue reading", "Jetzt weiterlesen mit Plus", "Réservé aux abonnés", "Článek je pouze pro předplatitele",
        "Len pre predplatiteľov", "Tylko dla prenumeratorów", "Sólo para suscriptores", "Riservato agli abbonati",
        "Exclusivo para assinantes", "Только для подписчиков", "Тільки для передплатників", "Csak előfizetőknek", "Abone olun",
        "למנויים בלבד", "للمشتركين فقط", "有料会員限定", "订阅后继续阅读",
    ],
)  # fmt: skip
def test_a_paywall_is_seen_in_any_of_the_languages(offer: str) -> None:
    page = Document.parse(f"<body><div><div id=b><p>Text.</p></div><div><p>{offer}</p></div></div></body>", URL)

    assert find_metadata(page, body_text="Text.").free is False


@pytest.mark.parametrize("beside", ["Subscribe to our newsletter", "Odebírejte novinky e-mailem", "Folgen Sie uns", ""])
def test_an_offer_of_a_newsletter_is_no_paywall(beside: str) -> None:
    page = Document.parse(f"<body><div><div id=b><p>Text.</p></div><div><p>{beside}</p></div></div></body>", URL)

    assert find_metadata(page, body_text="Text.").free is None


@pytest.mark.parametrize(
    ("head", "description"),
    [
        ('<meta property="og:description" content="Starosta šel na procházku.">', "Starosta šel na procházku."),
        ('<meta name="twitter:description" content="Starosta šel na procházku.">', "Starosta šel na procházku."),
        (ld('{"@type":"NewsArticle","description":"Starosta šel na procházku."}'), "Starosta šel na procházku."),
        ('<meta name=description content="https://www.example.org/">', None),
        ("", None),
    ],
)
def test_the_description_is_read_wherever_it_stands(head: str, description: str | None) -> None:
    assert record(head).description == description


@pytest.mark.parametrize(
    ("menu", "url", "name"),
    [
        ("<nav><a href='/kultura/'>Kultura</a><a href='/sport/'>Sport</a></nav>", "https://e.org/sport/", "Sport"),
        (
            "<nav><li class=active><a href='.'>Sport <span>(active)</span></a></li></nav>",
            "https://e.org/c/sport/",
            "Sport",
        ),
        ("<nav><a aria-current=page href='/x'>Sport</a></nav>", "https://e.org/c/sport/page/2", "Sport"),
        ("<nav><a href='/sport/'>Sport</a></nav>", "https://e.org/sport/index-5.html", "Sport"),
        ("<nav><a href='/sport'>Sport</a></nav>", "https://e.org/sport/page/2/", "Sport"),
        ("<nav><a href='/?cat=4'>Sport</a></nav>", "https://e.org/?cat=4&paged=2", "Sport"),
        ("<nav><a href='/'>Noviny</a><a href='/sport/'>Sport</a></nav>", "https://e.org/page/2/", None),
        ("<nav><a href='/sport/'>Sport</a></nav>", "https://e.org/sport/hokej/", None),
        ("<nav><a href='#/portal/'>Odběr</a><a href='/sport/'>Sport</a></nav>", "https://e.org/sport/", "Sport"),
        ("<nav><a href='#/portal/'>Odběr</a><a href='/sport/'>Sport</a></nav>", "https://e.org/tema/", None),
        ("<nav><a href='/archiv/'>Archiv</a></nav>", "https://e.org/archiv/", None),
        ("<nav><a href='/vse/'>Všechny články</a></nav>", "https://e.org/vse/", None),
        ("<nav><a href='/'>Domů</a></nav>", "https://e.org/", None),
        ("<nav><a href='/zpravy/'>Zprávy</a></nav>", "https://e.org/zpravy/", None),
        ("<h1>Sport</h1><a href='/sport/'>Sport</a>", "https://e.org/sport/", None),
    ],
)
def test_a_listing_is_named_by_the_menu_entry_that_leads_to_it(menu: str, url: str, name: str | None) -> None:
    assert find_listing_section(Document.parse(f"<body>{menu}<main><a href='/1'>Článek</a></main></body>", url)) == name
