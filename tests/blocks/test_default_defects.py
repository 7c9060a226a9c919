"""The default detector is free of the defects that the authors of PortalCrawler list, and reads pages that are built unusually."""

from __future__ import annotations

import pytest

from newscrawler.article import Body, ParagraphKind
from newscrawler.blocks.default import DefaultDetector
from newscrawler.errors import PageReason
from newscrawler.page import Document

TEXTS = {
    "en": (
        "Council approves the new bridge over the river",
        "After nine hours of debate the council of Harrow approved on Tuesday a bridge that residents have asked for since 1998.",
        "Work is to begin in spring, said mayor Edward Stanmore, and it will last for at least two years.",
        "The old bridge carries three times the load for which it was built, an engineer told the meeting.",
        "It will cost eleven million, of which the region pays half; the opposition called the price absurd.",
        "“We have waited long enough,” said a shopkeeper from Mill Street, who had come with her whole family.",
        "Until then lorries must take the road through Eastleigh, which adds about twenty minutes to the journey.",
    ),
    "cs": (
        "Zastupitelé schválili stavbu nového mostu přes řeku",
        "Po devíti hodinách jednání schválili zastupitelé v úterý stavbu mostu, po kterém obyvatelé volají už od roku 1998.",
        "Práce mají začít na jaře, řekl starosta Jan Dvořák, a potrvají nejméně dva roky.",
        "Starý most nese třikrát větší zátěž, než pro jakou byl postaven, uvedl na schůzi projektant.",
        "Stavba přijde na jedenáct milionů, z nichž polovinu zaplatí kraj; opozice označila cenu za nesmyslnou.",
        "„Čekali jsme už dost dlouho,“ řekla prodavačka z Mlýnské ulice, která přišla s celou rodinou.",
        "Do té doby musí nákladní auta jezdit přes Lhotu, což cestu prodlouží asi o dvacet minut.",
    ),
    "pl": (
        "Radni zgodzili się na budowę nowego mostu na rzece",
        "Po dziewięciu godzinach obrad radni zgodzili się we wtorek na budowę mostu, o który mieszkańcy prosili od 1998 roku.",
        "Prace mają się zacząć wiosną, powiedział burmistrz Jan Król, i potrwają co najmniej dwa lata.",
        "Stary most dźwiga trzy razy większe obciążenie, niż przewidziano, mówił na sesji projektant.",
        "Budowa pochłonie jedenaście milionów, z czego połowę da województwo; opozycja uważa tę cenę za absurdalną.",
        "„Czekaliśmy wystarczająco długo” – powiedziała sprzedawczyni z ulicy Młyńskiej, która przyszła z rodziną.",
        "Do tego czasu ciężarówki muszą jeździć przez Łąkę, co wydłuża podróż o jakieś dwadzieścia minut.",
    ),
    "de": (
        "Gemeinderat beschließt neue Brücke über den Fluss",
        "Nach neun Stunden Debatte hat der Gemeinderat am Dienstag eine Brücke beschlossen, um die Anwohner seit 1998 bitten.",
        "Die Arbeiten sollen im Frühjahr beginnen, sagte Bürgermeister Karl Huber, und mindestens zwei Jahre dauern.",
        "Die alte Brücke trägt das Dreifache der Last, für die sie gebaut wurde, sagte ein Ingenieur in der Sitzung.",
        "Sie kostet elf Millionen, von denen das Land die Hälfte zahlt; die Opposition nannte den Preis absurd.",
        "„Wir haben lange genug gewartet“, sagte eine Verkäuferin aus der Mühlgasse, die mit der Familie gekommen war.",
        "Bis dahin müssen Lastwagen durch Neudorf fahren, was den Weg um etwa zwanzig Minuten verlängert.",
    ),
    "ru": (
        "Депутаты одобрили строительство нового моста через реку",
        "После девяти часов споров депутаты во вторник одобрили строительство моста, о котором жители просят с 1998 года.",
        "Работы начнутся весной, сообщил мэр Иван Королёв, и продлятся не меньше двух лет.",
        "Старый мост выдерживает втрое больше, чем было рассчитано, сказал на заседании инженер.",
        "Мост обойдётся в одиннадцать миллионов, половину заплатит область; оппозиция назвала цену нелепой.",
        "«Мы ждали достаточно долго», — сказала продавщица с Мельничной улицы, пришедшая со всей семьёй.",
        "До тех пор грузовики поедут через Заречье, а это лишние двадцать минут пути.",
    ),
    "ar": (
        "المجلس يوافق على بناء جسر جديد فوق النهر",
        "بعد تسع ساعات من النقاش وافق المجلس يوم الثلاثاء على بناء جسر يطالب به السكان منذ عام 1998.",
        "وقال رئيس البلدية إن الأعمال ستبدأ في الربيع وستستمر عامين على الأقل.",
        "وأوضح مهندس خلال الجلسة أن الجسر القديم يحمل ثلاثة أضعاف الحمولة التي صمم من أجلها.",
        "وستبلغ الكلفة أحد عشر مليونا تدفع المنطقة نصفها، ووصفت المعارضة السعر بأنه غير معقول.",
        "وقالت بائعة من شارع الطاحونة جاءت مع عائلتها: لقد انتظرنا ما يكفي من الوقت.",
        "وحتى ذلك الحين يتعين على الشاحنات أن تسلك طريق القرية، ما يطيل الرحلة نحو عشرين دقيقة.",
    ),
    "zh": (
        "市议会批准在河上修建新桥",
        "经过九个小时的辩论，市议会星期二批准修建一座大桥，居民自1998年以来一直要求修建这座桥。",
        "市长表示，工程将于春季开始，至少持续两年，期间老桥仍然可以通行。",
        "一位工程师在会上说，旧桥承受的重量是设计标准的三倍，必须尽快更换。",
        "工程将耗资一千一百万，其中一半由地区支付；反对派称这个价格是荒谬的。",
        "一位带着全家前来的店主说：“我们已经等得够久了，希望这次能够真正动工。”",
        "在此之前，卡车必须绕行东边的村庄，路程大约需要增加二十分钟左右的时间。",
    ),
    "ja": (
        "市議会、川に架かる新しい橋の建設を承認",
        "九時間に及ぶ議論の末、市議会は火曜日、住民が1998年から求めてきた橋の建設を承認した。",
        "市長によると、工事は春に始まり、少なくとも二年間続く見通しだという。",
        "古い橋は設計の三倍の重さに耐えていると、技術者は会議で説明した。",
        "費用は千百万で、その半分を県が負担するが、野党はこの価格は馬鹿げていると批判した。",
        "「もう十分に待ちました」と、家族と一緒に来た商店街の女性は話していた。",
        "それまでの間、トラックは東の村を通らなければならず、およそ二十分余計にかかる。",
    ),
}
LANGUAGES = tuple(TEXTS)
DETECTOR = DefaultDetector()


def paragraphs(language: str, start: int = 2) -> str:
    return "".join(f"<p>{text}</p>" for text in TEXTS[language][start:])


def page(language: str, article: str, *, head: str = "", after: str = "", title: str | None = None) -> Document:
    headline = TEXTS[language][0] if title is None else title
    menu = "".join(f"<li><a href='/s{n}'>Rubric {n}</a></li>" for n in range(9))
    return Document.parse(
        f"<html lang={language}><head><title>{headline} | Kurier</title>{head}</head><body><header><a href='/'>Kurier</a>"
        f"<nav><ul>{menu}</ul></nav></header>{article}{after}<footer><p>© Kurier 2026</p></footer></body></html>",
        f"https://kurier.example/{language}/bridge.html",
    )


def read(document: Document) -> Body:
    found = DETECTOR.examine(document)
    assert found.refusal is None, found.refusal
    assert found.body is not None
    return found.body


def assert_whole(body: Body, language: str, start: int = 1) -> None:
    text = body.text
    missing = [part for part in TEXTS[language][start:] if part not in text]
    assert not missing
    assert body.headline == TEXTS[language][0]


def h1(language: str) -> str:
    return f"<h1>{TEXTS[language][0]}</h1>"


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_1_a_lead_outside_of_any_grouping_element_is_found(language):
    lead = TEXTS[language][1]

    body = read(page(language, f"{h1(language)}{lead}<div class='text'>{paragraphs(language)}</div>"))

    assert_whole(body, language)
    assert body.lead == lead
    assert body.paragraphs[0].text == lead


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_2_a_comment_longer_than_the_article_is_not_its_text(language):
    others = [TEXTS[other] for other in LANGUAGES if other != language]
    comment = " ".join(others[0][1:] + others[1][1:])
    comments = f"<div class='comments'><h3>1</h3><div class='comment'><p>{comment}</p></div></div>"

    body = read(page(language, f"<article>{h1(language)}<div class='content'>{paragraphs(language, 1)}</div></article>{comments}"))

    assert_whole(body, language)
    assert others[0][2] not in body.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_3_a_lead_longer_than_the_rest_is_whole(language):
    lead = " ".join(TEXTS[language][1:5])
    article = f"<article>{h1(language)}<p class='lead'>{lead}</p><div class='text'><p>{TEXTS[language][5]}</p></div></article>"

    body = read(page(language, article))

    assert body.lead == lead
    assert TEXTS[language][5] in body.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_4_a_lead_under_90_characters_is_found(language):
    lead = TEXTS[language][2][:60].rstrip() + "."
    article = f"<article>{h1(language)}<p class='perex'>{lead}</p><div class='text'>{paragraphs(language, 3)}</div></article>"

    body = read(page(language, article))

    assert body.lead == lead
    assert body.paragraphs[0].text == lead


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_5_text_in_lists_is_kept_as_list_items(language):
    items = "".join(f"<li>{text}</li>" for text in TEXTS[language][3:6])
    article = f"<article>{h1(language)}<p>{TEXTS[language][1]}</p><p>{TEXTS[language][2]}</p><ul>{items}</ul><p>{TEXTS[language][6]}</p></article>"  # noqa: E501

    body = read(page(language, article))

    assert_whole(body, language)
    assert [p.text for p in body.paragraphs if p.kind is ParagraphKind.LIST_ITEM] == list(TEXTS[language][3:6])


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_6_a_page_laid_out_in_tables_is_read(language):
    menu = "".join(f"<a href='/r{n}'>Rubric {n}</a><br>" for n in range(8))
    article = (
        f"<table><tr><td width=150>{menu}</td><td><table><tr><td><h1>{TEXTS[language][0]}</h1></td></tr>"
        f"<tr><td>{'<br><br>'.join(TEXTS[language][1:])}</td></tr></table></td></tr></table>"
    )

    body = read(page(language, article))

    assert_whole(body, language)
    assert "Rubric" not in body.text
    assert len(body.paragraphs) == len(TEXTS[language]) - 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_7_a_headline_that_is_no_heading_is_found(language):
    article = f"<div class='big'><b>{TEXTS[language][0]}</b></div><div class='text'>{paragraphs(language, 1)}</div>"

    body = read(page(language, article))

    assert_whole(body, language)
    assert TEXTS[language][0] not in body.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_8_a_page_of_very_unequal_summaries_is_a_listing(language):
    sizes = (1, 4, 1, 2, 1, 1, 3, 1)
    teasers = "".join(
        f"<div class='item'><h2><a href='/a{n}.html'>{TEXTS[language][n % 5 + 1][:50]}</a></h2><p>{' '.join(TEXTS[language][1 : size + 1])}</p></div>"  # noqa: E501
        for n, size in enumerate(sizes)
    )
    found = DETECTOR.examine(page(language, f"<main><h1>Kurier</h1>{teasers}</main>", title="Kurier"))

    assert found.refusal is not None
    assert found.refusal.reason is PageReason.LISTING


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "caption",
    [
        "<figure><img src=a.jpg><figcaption>{0}</figcaption></figure>",
        "<div class='photo'><img src=a.jpg><span class='caption'>{0}</span></div>",
        "<p class='wp-caption-text'>{0}</p>",
    ],
)
def test_defect_9_captions_are_left_out_however_long_and_wherever_they_stand(language, caption):
    text = f"XQ1 {TEXTS[language][6]} {TEXTS[language][3]}"
    parts = [f"<p>{part}</p>" for part in TEXTS[language][1:]]
    article = f"<article>{h1(language)}{''.join(parts[:3])}{caption.format(text)}{''.join(parts[3:])}</article>"

    body = read(page(language, article))

    assert_whole(body, language)
    assert "XQ1" not in body.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_defect_10_an_article_in_many_blocks_is_put_together_in_order(language):
    blocks = "".join(
        f"<div class='module module-{n}'><div class='inner'><p>{text}</p></div></div>" for n, text in enumerate(TEXTS[language][1:])
    )

    body = read(page(language, f"<article>{h1(language)}{blocks}</article>"))

    assert_whole(body, language)
    assert [p.text for p in body.paragraphs] == list(TEXTS[language][1:])


def test_defect_11_is_covered_by_the_joining_of_parts():
    from newscrawler.page.parts import further_pages

    links = "<div class='page-links'><a href='/en/bridge.html?page=2' class='post-page-numbers'>2</a></div>"
    first = page("en", f"<article>{h1('en')}{paragraphs('en', 1)}{links}</article>")

    assert further_pages(first) == ("https://kurier.example/en/bridge.html?page=2",)
    assert_whole(read(first), "en")
