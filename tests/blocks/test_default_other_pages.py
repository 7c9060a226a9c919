"""Pages of other kinds that carry a text hold no article; short news of the same size does."""

from __future__ import annotations

import pytest

from newscrawler.blocks.default import DefaultDetector
from newscrawler.errors import PageReason
from newscrawler.page import Document

TEXT = "Several hundred people had queued since the early morning, some of them with folding chairs and flasks of tea."
MORE = "The director cut a blue ribbon shortly after ten; she had almost stopped believing in it, she told the visitors."
TITLES = [f"Story number {n} about the harbour of the town" for n in range(12)]
ERRORS = {
    "cs": ("Stránka nebyla nalezena", "Požadovaná stránka už na tomto místě není. Zkontrolujte prosím adresu, nebo jděte zpět."),
    "he": ("הדף לא נמצא", "מצטערים, הדף שחיפשת אינו קיים או שהועבר לכתובת אחרת. בדקו את הכתובת או חזרו לדף הבית של האתר שלנו."),
    "ar": ("الصفحة غير موجودة", "عذرا، الصفحة التي تبحث عنها تم نقلها. تحقق من العنوان أو عد إلى الصفحة الرئيسية لهذا الموقع."),
    "th": ("ไม่พบหน้านี้", "ขออภัย หน้าที่คุณต้องการอาจถูกลบหรือย้ายไปแล้ว กรุณาตรวจสอบที่อยู่หรือกลับไปยังหน้าแรกของเว็บไซต์"),
}  # fmt: skip


def reason(body: str, *, title: str = "Courier", url: str = "https://courier.example/x/1", head: str = "") -> PageReason | None:
    menu = "<nav><ul><li><a href=/s1>Region</a></li><li><a href=/s2>Sport</a></li></ul></nav>"
    page = Document.parse(
        f"<html><head><title>{title}</title>{head}</head><body>{menu}{body}<footer>© Courier</footer></body>", url
    )
    found = DefaultDetector().examine(page)
    return found.refusal.reason if found.refusal else None


def rows(form: str) -> str:
    return "".join(form.format(url=f"/2026/story-{n}", title=title, text=f"{TEXT} {n}.") for n, title in enumerate(TITLES))


@pytest.mark.parametrize(
    "form",
    [
        "<div><h2>{title}</h2><p>{text}</p><p><a href='{url}'>Read more of it</a></p></div>",
        "<div class=row><time>3. 2. 2026</time> <a href='{url}'><strong>{title}</strong></a><p>{text}</p></div>",
    ],
    ids=["links below the texts", "links beside a date"],
)
def test_texts_that_lead_to_other_pages_are_a_listing(form: str) -> None:
    assert reason(f"<main><h1>Harbour and sea</h1>{rows(form)}</main>") is PageReason.LISTING


@pytest.mark.parametrize("about", ["Jo Doe", "Harbour"])
def test_a_page_about_an_author_or_a_topic_is_a_listing(about: str) -> None:
    links = rows("<div class=row><a href='{url}'>{title}</a><span>3. 2. 2026</span></div>")

    assert reason(f"<h1>{about}</h1><p>{TEXT} {MORE}</p>{links}", title=f"{about} | Courier") is PageReason.LISTING


def test_short_news_with_a_short_headline_and_links_in_a_box_elsewhere_is_an_article() -> None:
    links = rows("<div class=row><a href='{url}'>{title}</a></div>")
    letters = "".join(f"<p>Reader number {n}</p>" for n in range(8))

    assert reason(f"<h1>Harbour opens</h1><p>{TEXT} {MORE}</p><div>{letters}</div>{links}", title="Harbour opens | Courier") is None


def test_a_search_shows_in_a_field_what_the_address_asks_for() -> None:
    field = "<form><input name=q value=museum></form>"
    body = f"<h1>Search in the whole archive</h1>{field}<p>Nothing was found for museum. {TEXT}</p>"

    assert reason(body, url="https://courier.example/find?q=museum") is PageReason.LISTING
    assert reason(body, url="https://courier.example/find") is None


def test_a_login_is_no_article() -> None:
    fields = "<form method=post><input name=mail><input type=password name=word><button>Go</button></form>"

    assert reason(f"<main><h1>Login</h1>{fields}<p>{TEXT}</p></main>") is PageReason.NO_BODY


@pytest.mark.parametrize(
    "words", ["このコンテンツはパスワードで保護されています。閲覧するには以下にパスワードを入力してください。", TEXT]
)
def test_a_page_that_shows_only_the_form_for_its_password_is_no_article_though_it_says_so(words: str) -> None:
    form = f"<form method=post><p>{words}</p><p><label>Password <input type=password name=word></label></p></form>"
    title, head = "保護中: The plan for the new harbour bridge", "<meta property=og:type content=article>"

    assert reason(f"<main><h1>{title}</h1>{form}</main>", title=title, head=head) is PageReason.NO_BODY
    assert reason(f"<main><h1>{title}</h1><p>{TEXT * 3}</p>{form}</main>", title=title, head=head) is None


def test_a_consent_page_is_told_by_its_reason() -> None:
    text = f"<p>We and our partners store information on your device and read it. {TEXT}</p>"

    assert reason(f"<div><h1>Cookies and privacy</h1>{text}<button>Accept all</button></div>") is PageReason.CONSENT


def test_a_page_that_only_asks_for_scripts_is_no_article() -> None:
    wish = "You need to switch on JavaScript in the settings of your browser, and then to load this page once more, please."

    assert reason(f"<div id=app></div><div><p>{wish}</p></div>") is PageReason.NO_BODY
    assert reason(f"<h1>What the town's website asks for</h1><p>{wish}</p>", title="What the town's website asks for") is None


def test_an_offer_is_no_article() -> None:
    assert (
        reason(f"<h1>Boot model 7 of leather</h1><p>{TEXT}</p>", head="<meta property=og:type content=product>")
        is PageReason.NO_BODY
    )


@pytest.mark.parametrize("title", ["Courier", None])
@pytest.mark.parametrize("language", ERRORS)
def test_an_error_page_is_known_by_its_title_or_its_heading(language: str, title: str | None) -> None:
    heading, text = ERRORS[language]

    found = reason(f"<main><h1>{heading}</h1><p>{text}</p></main>", title=title or f"{heading} | Courier")

    assert found in (PageReason.ERROR_PAGE, PageReason.NO_BODY)


def test_bold_links_above_short_texts_are_a_listing() -> None:
    cells = rows("<b><a href='{url}'>{title}</a></b><br>{text}<br><br>")

    assert reason(f"<table><tr><td>{cells}</td></tr></table>") is PageReason.LISTING


def test_bold_references_between_the_paragraphs_of_an_article_make_no_listing() -> None:
    lines = f"{TEXT}<br><br>{MORE} {TEXT}<br><br>" + rows("<b><a href='{url}'>{title}</a></b><br>{text}<br><br>")[:700]

    assert reason(f"<h1>The harbour of the town opens again</h1><div>{lines}</div>") is None


@pytest.mark.parametrize("title", ["404", "Error 404 | Courier", "Oops! 404", "Courier: 404 – nothing here", "404 Error"])
def test_the_status_in_a_title_makes_an_error_page(title: str) -> None:
    assert reason(f"<main><h1>Nothing here</h1><p>{TEXT}</p></main>", title=title) is PageReason.ERROR_PAGE


@pytest.mark.parametrize(
    "title", ["404 jobs at risk: who pays for the tariff?", "Two cars crash on Highway 404", "The 404 bus is back"]
)
def test_the_same_number_of_something_does_not(title: str) -> None:
    assert reason(f"<main><h1>{title}</h1><p>{TEXT}</p><p>{MORE}</p></main>", title=f"{title} | Courier") is None


@pytest.mark.parametrize(
    ("headline", "expected"),
    [
        ("Missing hiker not found after a week of searching", None),
        ("Ztracený pes nenalezen ani po týdnu pátrání", None),
        ("Vermisster Wanderer trotz langer Suche nicht gefunden", None),
        ("Le trésor de l’île au moulin reste introuvable", None),
        ("Page not found", PageReason.ERROR_PAGE),
        ("Stránka, kterou jste hledali, nebyla na serveru nenalezena", PageReason.ERROR_PAGE),
        ("Die angeforderte Seite wurde leider nicht gefunden", PageReason.ERROR_PAGE),
        ("La page que vous cherchez est introuvable", PageReason.ERROR_PAGE),
        ("Not found", PageReason.ERROR_PAGE),
    ],
)
def test_the_words_of_an_error_may_tell_of_something_else_than_a_page(headline: str, expected: PageReason | None) -> None:
    text = "".join(f"<p>They went through {n} woods by the river for {n} days, and came back as they went.</p>" for n in range(5))
    document = Document.parse(f"<title>{headline}</title><body><main><h1>{headline}</h1>{text}</main></body>")

    refusal = DefaultDetector().examine(document).refusal

    assert (refusal.reason if refusal else None) == expected


@pytest.mark.parametrize("kind", ["MusicEvent", "Event", "JobPosting", "Product", "Movie"])
def test_a_thing_that_bears_the_headlines_name_is_no_article(kind: str) -> None:
    name = "title" if kind == "JobPosting" else "name"
    record = f'<script type="application/ld+json">{{"@type": "{kind}", "{name}": "{{}}"}}</script>'
    page = f"<h1>Quartet plays at the harbour</h1><p>{TEXT}</p><p>{MORE}</p>"

    assert reason(page, head=record.replace("{}", "Quartet plays at the harbour")) is PageReason.NO_BODY
    assert reason(page, head=record.replace("{}", "Morning paper for a month")) is None


def test_a_page_that_says_it_is_a_video_is_no_article_unless_it_has_a_text() -> None:
    head = '<meta property="og:type" content="video.other">'
    long = "".join(f"<p>{TEXT} {MORE} The {n} followed.</p>" for n in ("first", "second", "third"))

    assert reason(f"<h1>Watch the harbour reopen at last</h1><p>{TEXT}</p>", head=head) is PageReason.NO_BODY
    assert reason(f"<h1>Watch the harbour reopen at last</h1>{long}", head=head) is None


def test_pictures_with_a_line_below_each_are_no_article() -> None:
    pictures = "".join(
        f"<div><img src=/{n}.jpg><p>Visitors before the gate of the museum, picture {n}.</p></div>" for n in range(6)
    )
    parts = "".join(f"<div><img src=/{n}.jpg><p>{TEXT} {MORE} Part {n}.</p></div>" for n in range(4))

    assert reason(f"<h1>Pictures of the reopened harbour museum</h1>{pictures}") is PageReason.NO_BODY
    assert reason(f"<h1>Harbour museum of the town reopens</h1>{parts}") is None


def test_labels_and_what_they_stand_for_right_under_the_headline_are_no_article() -> None:
    labels = "<p><b>When:</b> Friday at seven</p><p><b>Where:</b> Town hall</p><p><b>Tickets:</b> 12 euros</p>"

    assert reason(f"<h1>Quartet plays in the town hall</h1>{labels}<p>{TEXT} {MORE}</p>") is PageReason.NO_BODY
    assert reason(f"<h1>Quartet plays in the town hall</h1><p>{TEXT} {MORE}</p>{labels}<p>{TEXT}</p>") is None


BYLINE = "<p class=byline>Jane Doe, 3 May 2026</p>"


@pytest.mark.parametrize(
    ("above", "headline", "expected"),
    [
        ("", "Quartet by the harbour", PageReason.NO_BODY),
        ("<p class=author>admin, 3 May 2026</p>", "Quartet by the harbour", PageReason.NO_BODY),
        (BYLINE, "Quartet by the harbour", None),
        ("", "Quartet by the harbour: a talk with its founder", None),
    ],
)
def test_who_says_more_of_a_thing_than_its_name_or_is_named_as_author_wrote_of_it(
    above: str, headline: str, expected: PageReason | None
) -> None:
    head = '<script type="application/ld+json">{"@type": "MusicEvent", "name": "Quartet by the harbour"}</script>'

    assert reason(f"<h1>{headline}</h1>{above}<p>{TEXT}</p><p>{MORE}</p>", head=head) is expected


@pytest.mark.parametrize(
    "labels",
    [
        "<p><b>Author:</b> Jane Doe</p><p><b>Date:</b> 3 May 2026</p><p><b>Section:</b> Region</p>",
        "<p><b>Rubrika:</b> Region</p><p><b>Publikováno:</b> 3. 5. 2026</p><p><b>Foto:</b> Jana Nová</p>",
        BYLINE + "<p><b>When:</b> Friday at seven</p><p><b>Where:</b> Town hall</p><p><b>Why:</b> New pipes</p>",
    ],
)
def test_labels_that_tell_how_a_text_was_made_are_those_of_an_article(labels: str) -> None:
    assert reason(f"<h1>The bridge by the harbour stays closed</h1>{labels}<p>{TEXT} {MORE}</p>") is None
