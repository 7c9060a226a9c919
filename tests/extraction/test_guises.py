"""The kinds of faults that users report, in other guises: other names, markup and languages than in the reported pages."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawler import Article, extract

URL = "https://www.courier.example/news/night-tram-81244"
TITLE = "Night tram to Alderley returns after nine years"
TEXT = (
    "The night tram between Westmere and Alderley will run again from the first weekend of June, nine years after it was closed.",
    "Passengers had collected more than eleven thousand signatures, and the owners of some restaurants offered to share the cost.",
    "“People who work late should not need a car to get home,” said the head of the authority, who had voted against the closure.",
    "Four trams an hour will leave the depot until two in the morning, and the last one will wait for the train from the coast.",
)
BYLINE = '<p class="by-line">By Nora Quill</p><time datetime="2025-04-02T08:00:00Z">2 April 2025</time>'
OTHER: dict[str, Any] = {
    "@type": "NewsArticle", "headline": "School roof repaired in the county town", "datePublished": "2025-02-01",
    "author": {"@type": "Person", "name": "Tom Hale"}, "url": "https://www.courier.example/news/school-roof-7001",
}  # fmt: skip
OWN = OTHER | {"headline": TITLE, "datePublished": "2025-04-02", "author": {"@type": "Person", "name": "Nora Quill"}, "url": URL}


def make_page(*, head: str = "", header: str = "", within: str = "", end: str = "", below: str = "", paragraphs: int = 4) -> str:
    text = [f"<p>{paragraph}</p>" for paragraph in TEXT[:paragraphs]]
    return (
        f'<html lang="en"><head><title>{TITLE} | The Courier</title>{head}</head><body><nav><ul><li><a href="/w">World</a></li>'
        f'<li><a href="/s">Sport</a></li></ul></nav><main><article><header><h1>{TITLE}</h1>{header}</header><div class="text">'
        f"{''.join([*text[:2], within, *text[2:], end])}</div></article></main>{below}<footer>© The Courier</footer></body></html>"
    )


def read(page: str, **options: Any) -> Article:
    return extract(page, URL, **options)


def write_ld(*things: dict[str, Any]) -> str:
    return f'<script type="application/ld+json">{json.dumps(things[0] if len(things) == 1 else things)}</script>'


@pytest.mark.parametrize(
    ("part", "style"),
    [
        ('<span class="u-hiddenVisually">X</span>', ""),
        ('<span class="q7">X</span>', "@media screen { .q7 { display: none } }"),
        ('<span class="vh">X</span>', ".foo, span.vh { position: absolute; clip: rect(1px, 1px, 1px, 1px) }"),
        ('<span class="e">X</span>', ".e { clip-path: inset(50%) }"),
    ],
)
def test_words_for_screen_readers_are_no_part_of_a_line(part: str, style: str) -> None:
    line = f'<p>So wrote the <a href="/x">Harbour Weekly</a>{part} on Sunday, citing two people from the authority.</p>'

    body = read(make_page(head=f"<style>{style}</style>", within=line.replace("X", "(opens in a new tab)"))).body

    assert "opens in" not in body
    assert "Harbour Weekly on Sunday" in body


@pytest.mark.parametrize(
    "part",
    [
        "<dialog><p>X</p></dialog>", '<div class="z9"><p>X</p></div>', '<p class="d-none">X</p>',
        '<p style="transform: scale(0)">X</p>',
    ],
)  # fmt: skip
def test_blocks_that_nobody_sees_are_out(part: str) -> None:
    offer = "Members of the club travel free on all night trams this summer and get a map of the routes by post."

    assert offer not in read(make_page(head="<style>div.z9{visibility:hidden}</style>", within=part.replace("X", offer))).body


def test_rules_for_some_screens_or_other_tags_hide_nothing() -> None:
    line = f'<p class="lead">{TEXT[0].replace("night", "late")}</p>'
    style = "<style>@media (max-width: 600px) { .lead { display: none } } div.lead { display: none } .d-none.d-md-block {}</style>"

    assert "The late tram" in read(make_page(head=style, within=line)).body


@pytest.mark.parametrize(
    "things",
    [
        (OTHER | {"url": "/news/school-roof-7001"},),
        ({key: value for key, value in OTHER.items() if key != "url"},),
        ({"@type": "VideoObject", "name": "Trams of the world", "uploadDate": "2019-01-01", "author": {"name": "Tom Hale"}},),
        ({"@type": "Blog", "blogPost": [OTHER, OWN, OTHER | {"url": "https://www.courier.example/x"}]},),
    ],
)
def test_declarations_of_another_article_give_nothing(things: tuple[dict[str, Any], ...]) -> None:
    article = read(make_page(head=write_ld(*things), header=BYLINE))

    assert (str(article.published_at)[:10], article.authors) == ("2025-04-02", ("Nora Quill",))


def test_the_pages_article_in_a_list_is_read() -> None:
    article = read(make_page(head=write_ld({"@type": "Blog", "blogPost": [OTHER, OWN]})))

    assert (str(article.published_at)[:10], article.authors) == ("2025-04-02", ("Nora Quill",))


def test_microdata_of_a_teaser_give_no_date() -> None:
    teaser = (
        '<aside><div itemscope itemtype="https://schema.org/Article"><a itemprop="headline" href="/r">School roof repaired</a>'
        '<meta itemprop="datePublished" content="2025-06-01"></div></aside>'
    )

    assert str(read(make_page(header='<span class="dt">2 April 2025</span>', below=teaser)).published_at)[:10] == "2025-04-02"


@pytest.mark.parametrize(
    "value",
    [
        "[[author]]", "#{author}", "undefined", "null", "NaN", "$AUTHOR$", "##author##", "[[+author_name]]", "@Model.Author",
        "None", "N/A", "__AUTHOR__", "undefined undefined", "*|AUTHOR|*",
    ],
)  # fmt: skip
def test_variables_of_templates_are_no_values(value: str) -> None:
    ld = write_ld(OWN | {"author": {"@type": "Person", "name": value}, "articleSection": value})

    article = read(make_page(head=f'<meta name="author" content="{value}">{ld}'))

    assert (article.authors, article.section) == ((), None)


@pytest.mark.parametrize(
    "line",
    [
        "On 3 May 1998 the old line was opened by the mayor of that time.", "El 3 de mayo de 1998 el alcalde inauguró la línea.",
        "3 мая 1998 года тогдашний мэр открыл старую линию.", "1998年5月3日、当時の市長が古い路線を開通させた。",
        "1998年5月3日，当时的市长为老线路剪彩。", "3 Mayıs 1998 tarihinde eski hattı belediye başkanı açmıştı.",
    ],
)  # fmt: skip
def test_a_day_in_a_short_sentence_is_not_the_articles(line: str) -> None:
    assert read(make_page(within=f"<p>{line}</p>")).published_at is None


@pytest.mark.parametrize(
    "line",
    [
        "(Additional reporting by Ivy Moss)", "(Redaktion: Max Horn)", "vog/dpa", "(Édité par Luc Petit)", "Editado por Luis Vidal",
        "A cura di Ugo Neri", "Edição: Rui Lobo", "(ČTK, vlk)", "Редактор: Иван Волков", "Redigering: Nils Varg",
        "（责任编辑：王小明）", "호수일보 이늑대 기자 wolf@hosu.example", "（編集：大上一郎）",
        "Met medewerking van Joris Vos", "تحرير: كريم ديب",
    ],
)  # fmt: skip
def test_lines_at_the_end_about_who_worked_on_a_text_are_out(line: str) -> None:
    assert read(make_page(end=f"<p>{line}</p>")).body.endswith(TEXT[-1])


@pytest.mark.parametrize(
    ("line", "authors"),
    [
        ("Von Lena Vogt (Text) und Max Horn (Fotos)", ("Lena Vogt",)),
        ("Text und Fotos: Lena Vogt", ("Lena Vogt",)),
        ("Text &amp; bild: Elin Berg", ("Elin Berg",)),
        ("लेखक: सुनीता वर्मा", ("सुनीता वर्मा",)),
        ("گزارش: مینا رستمی", ("مینا رستمی",)),
    ],
)
def test_labels_tell_who_wrote_from_who_did_something_else(line: str, authors: tuple[str, ...]) -> None:
    assert read(make_page(header=f'<p class="author">{line}</p>')).authors == authors


@pytest.mark.parametrize(
    "line",
    [
        "La suite de cet article après la publicité", "Dalsza część tekstu pod reklamą", "हमें फेसबुक पर फॉलो करें",
        "We may earn a small fee if you buy something through our links.", "Este artículo contiene enlaces de afiliado.",
        '<a href="#">X</a>で湖都新報をフォロー',
    ],
)  # fmt: skip
def test_lines_of_the_page_are_out(line: str) -> None:
    assert read(make_page(within=f"<p>{line}</p>")).body == "\n".join(TEXT)


OFFERS = {
    "de": ("Weiterlesen mit Anzeiger+", "Sie sind schon Abonnent? Hier anmelden."),
    "fr": ("Cet article est réservé aux abonnés", "Il vous reste 75 % de cet article à lire.", "Déjà abonné ? Se connecter"),
    "es": ("Contenido exclusivo para suscriptores", "¿Ya eres suscriptor? Inicia sesión"),
    "it": ("Questo articolo è riservato agli abbonati", "Sei già abbonato? Accedi"),
    "pt": ("Conteúdo exclusivo para assinantes", "Já é assinante? Faça login"),
    "nl": ("Dit artikel is alleen voor abonnees", "Al abonnee? Log hier in"),
    "pl": ("Pozostało 80% artykułu. Wykup dostęp już od 4,90 zł.", "Masz już prenumeratę? Zaloguj się"),
    "cs": ("Tento článek je jen pro předplatitele", "Máte už předplatné? Přihlaste se"),
    "ru": ("Материал доступен только подписчикам", "Уже есть подписка? Войти"),
    "uk": ("Матеріал доступний лише передплатникам", "Вже маєте передплату? Увійти"),
    "el": ("Το άρθρο είναι διαθέσιμο μόνο για συνδρομητές", "Είστε ήδη συνδρομητής; Συνδεθείτε"),
    "tr": ("Bu içerik yalnızca abonelere özeldir", "Zaten abone misiniz? Giriş yapın"),
    "sv": ("Den här artikeln är för prenumeranter", "Redan prenumerant? Logga in"),
    "ja": ("この記事は有料会員限定です", "会員の方はログイン"),
    "zh": ("本文仅限付费用户阅读", "已是会员？请登录"),
    "ko": ("이 기사는 유료회원 전용입니다", "이미 회원이신가요? 로그인"),
    "ar": ("هذا المقال متاح للمشتركين فقط", "هل أنت مشترك؟ سجل الدخول"),
    "he": ("הכתבה זמינה למנויים בלבד", "כבר מנויים? התחברו"),
}


@pytest.mark.parametrize("language", OFFERS)
@pytest.mark.parametrize("box", ['<div class="offer">X</div>', '<div id="gate">X</div>'])
def test_an_offer_below_a_teaser_is_out_and_the_article_is_not_free(language: str, box: str) -> None:
    lines = "".join(f"<p>{line}</p>" for line in OFFERS[language])

    article = read(make_page(paragraphs=2, end=box.replace("X", lines)))

    assert (article.free, article.body) == (False, "\n".join(TEXT[:2]))


def test_a_form_to_log_in_below_a_teaser_says_nothing_of_the_article() -> None:
    assert read(make_page(paragraphs=2, below="<div><p>Already a member? Log in now.</p></div>")).free is None


@pytest.mark.parametrize(
    "mark",
    [
        '<sup id="r1"><a href="#n1">1</a></sup>', '<a class="footnote-ref" href="#n1"><sup>[1]</sup></a>',
        '<a href="#fn:1" rel="footnote">1</a>', '<sup><a href="#fn1" role="doc-noteref">*</a></sup>',
    ],
)  # fmt: skip
def test_marks_of_footnotes_are_no_part_of_a_year(mark: str) -> None:
    line = f"<p>The line was closed in 2016{mark} because the town had no money left for the nights.</p>"

    assert "in 2016 because" in read(make_page(within=line)).body


CODE = "for tram in trams:\n    total += 1"
NUMBERED = "\n".join(f'<a name="c-{line}" href="#c-{line}"></a>{line}' for line in CODE.split("\n"))


@pytest.mark.parametrize(
    "code",
    [
        f"<pre><code>{CODE}</code></pre>", f'<div class="wrapper"><button>Copy</button><pre>{CODE}</pre></div>',
        f'<table><tr><td><pre class="lineno">1\n2</pre></td><td><pre>{CODE}\n</pre></td></tr></table>',
        f"<table><tr><td><pre>1\n2</pre></td><td><pre>{CODE}\n</pre></td></tr></table>",
        f'<pre><span class="line-number">1</span>{CODE}</pre>',
        f'<div class="code"><pre>{NUMBERED}\n</pre></div>',
    ],
)  # fmt: skip
def test_short_code_between_paragraphs_is_kept_without_the_numbers_of_its_lines(code: str) -> None:
    article = read(make_page(within=f"<p>Run this program to count the trams:</p>{code}"))

    assert f"```\n{CODE}\n```" in article.to("markdown")
    assert "1 2" not in article.body


@pytest.mark.parametrize(
    "listing", ["$ git init", "# initialize git\ngit init\n# clone repo\ngit clone URL\n# add files\ngit add ."]
)
def test_code_below_the_last_paragraph_is_kept(listing: str) -> None:
    code = f"<div class=highlight><pre><code>{listing}</code></pre></div>"
    article = read(make_page(end=code, below=f"<div class=comments>{code}</div>"))

    assert [paragraph.kind for paragraph in article.paragraphs].count("preformatted") == 1


@pytest.mark.parametrize(
    "cells",
    ["<td><p>Depot</p></td><td><p>23:10</p><p>23:25</p></td>", "<td>Depot</td><td><ol><li>23:10</li><li>23:25</li></ol></td>"],
)
def test_a_small_table_between_paragraphs_keeps_its_cells(cells: str) -> None:
    page = make_page(within=f"<table><tr><th>Stop</th><th>Trams</th></tr><tr>{cells}</tr></table>")

    assert [each.cells for each in read(page).paragraphs if each.cells] == [("Stop", "Trams"), ("Depot", "23:10 23:25")]


@pytest.mark.parametrize(
    "title",
    [
        "X—Westmere Courier", "[Westmere Courier] X", "X « Westmere Courier", "X / Westmere Courier", "X ~ Westmere Courier",
    ],
)  # fmt: skip
def test_a_title_is_read_without_the_site_behind_rare_marks(title: str) -> None:
    head = '<meta property="og:site_name" content="Westmere Courier">'
    page = make_page(head=head).replace(f"{TITLE} | The Courier", title.replace("X", TITLE)).replace(f"<h1>{TITLE}</h1>", "")

    assert read(page).title == TITLE


@pytest.mark.parametrize(
    "title", ["夜间电车恢复运行_湖城晚报_国际", "夜间电车恢复运行——湖城晚报", "夜间电车恢复运行｜国际｜湖城晚报"]
)
def test_an_eastern_title_is_read_without_site_and_section(title: str) -> None:
    page = make_page().replace(f"{TITLE} | The Courier", title).replace(f"<h1>{TITLE}</h1>", "")

    assert read(page).title == "夜间电车恢复运行"


@pytest.mark.parametrize("heading", ['<span class="label">New</span>X', 'X<span class="plus-badge">Plus</span>'])
def test_a_badge_that_is_glued_to_a_heading_is_no_part_of_it(heading: str) -> None:
    page = make_page().replace(f"<h1>{TITLE}</h1>", f"<h1>{heading.replace('X', TITLE)}</h1>")

    assert read(page).title == TITLE


@pytest.mark.parametrize(
    "line",
    [
        "Folgen", "View all posts", "Voir tous les articles", "Ver biografía", "Obserwuj autora", "Подписаться",
        "Gepubliceerd 2 april", "Pubblicato il 2 aprile", "Uppdaterad 2 april", "Atualizado em 2 de abril",
    ],
)  # fmt: skip
def test_buttons_and_days_are_no_authors(line: str) -> None:
    assert read(make_page(header=f'<div class="author"><a href="#">{line}</a></div>')).authors == ()


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        (
            '<li class="comment"><cite class="fn">NAME</cite> <span>says:</span><p>April 3, 2025 at 9:10</p><p>TEXT</p></li>',
            "oldtram",
        ),
        ('<div class="comment"><strong>NAME</strong> <em>03.04.2025, 9:10</em><p>TEXT</p><a>Reply</a></div>', "tram77"),
        ('<div class="comment"><div class="x-name">NAME</div><div>3 April 2025</div><div class="x-text">TEXT</div></div>', "Пётр"),
        ('<div><div class="comhead"><a>NAME</a> 2 days ago</div><div class="comment"><div class="t">TEXT</div></div></div>', "ivy"),
    ],
)
def test_comments_are_read_one_by_one_with_their_authors(entry: str, name: str) -> None:
    texts = ("At last there is a way to get home after the late shift.", "And who is going to pay for all of that in the end?")
    entries = "".join(entry.replace("NAME", name).replace("TEXT", text) for text in texts)

    found = read(make_page(below=f'<div class="comments"><h3>2 comments</h3>{entries}</div>'), comments=True).comment_details

    assert [(each.author, each.text) for each in found or ()] == [(name, text) for text in texts]


@pytest.mark.parametrize(
    "credit",
    ["<small>Photo : Luc Petit / AFP</small>", "<i>Fot. Jan Wilk / PAP</i>", "<span>写真：大上一郎</span>", "(Photo by Tom Hale)"],
)
def test_the_credit_of_a_picture_is_found_by_its_words(credit: str) -> None:
    figure = f'<figure><img src="/1.jpg" width="800" height="500"><figcaption>The depot at dawn. {credit}</figcaption></figure>'

    images = read(make_page(within=figure), images=True).images or ()

    assert [image.credit is not None and image.credit in credit for image in images] == [True]


@pytest.mark.parametrize(
    "badge", ["<strong class='pill'>Breaking</strong>", "<span class='tag-live'>Live</span>", "<span class='share-count'>42</span>"]
)
def test_a_badge_before_the_lead_is_no_part_of_it(badge: str) -> None:
    lead = "The line was closed in another decade, and the restaurants never stopped asking for it to come back."

    assert read(make_page(header=f'<p class="intro">{badge}{lead}</p>')).body.startswith(lead)


ANSWERS = ("Who pays for the night tram?", "The authority pays two thirds.", "When does it begin?", "In the first week of June.")


@pytest.mark.parametrize(
    "item",
    [
        "<details><summary>Q</summary><p>A</p></details>",
        '<div class="schema-faq-section"><strong>Q</strong><p>A</p></div>',
        '<div class="et_pb_toggle"><h5>Q</h5><div class="et_pb_toggle_content"><p>A</p></div></div>',
        '<section><div class="css-q"><a>Q</a></div><div class="css-a"><p>A</p></div></section>',
        '<div><h3>Q</h3><div hidden="until-found"><p>A</p></div></div>',
        "<h3>Q</h3><p>A</p>",
    ],
)
@pytest.mark.parametrize("around", ["newsletter-post", "article-body-commercial-selector", "css-1x"])
def test_questions_and_answers_below_a_text_are_whole(item: str, around: str) -> None:
    items = "".join(item.replace("Q", question).replace("A", answer) for question, answer in (ANSWERS[:2], ANSWERS[2:]))
    page = make_page(end=f"<div>{items}</div>").replace('<div class="text">', f'<div class="{around}">')

    assert all(line in read(page).body for line in ANSWERS)


NEXT = (
    "<p>The school in the county town has a new roof, which took the roofers four weeks and cost less than they had expected.</p>"
)


@pytest.mark.parametrize(
    "below",
    [
        f"<hr><h1>School roof repaired</h1>{NEXT}",
        f'<div class="css-9"><h2><a href="/news/school-roof-7001">School roof repaired</a></h2>{NEXT}</div>',
        f"<next-story><h1>School roof repaired</h1><div>By Tom Hale</div>{NEXT}</next-story>",
    ],
)
def test_the_next_article_below_is_out(below: str) -> None:
    assert "county town" not in read(make_page(below=below)).body


def test_the_next_article_below_a_single_paragraph_is_out() -> None:
    text = (
        "Four trams an hour will run until two in the morning, as they did before the line was closed to save money, in May. "
        "The council voted for it."
    )
    teaser = f"<div class=next><p>Next article</p><div><h3><a href=/roof-7001>School roof repaired</a></h3>{NEXT}</div></div>"
    page = f"<title>Trams run late</title><main><article><h1>Trams run late</h1><p>{text}</p></article>{teaser}</main>"

    assert extract(page, "https://e.org/trams-run-late-7000").body == text


@pytest.mark.parametrize(
    ("by", "day"),
    [("By Nora Quill", "2 April 2025"), ("Por Nora Quill", "2 de abril de 2025 a las 18:05"), ("文・佐藤英樹", "2025年4月2日")],
)
def test_byline_and_date_below_the_lead_are_out(by: str, day: str) -> None:
    lead = "Four trams an hour will run until two in the morning, as they did before the line was closed to save money."
    page = make_page().replace('<div class="text">', f'<div class="text"><p>{lead}</p><p>{by}</p><p>{day}</p>')

    assert [line for line in read(page).body.splitlines() if line in (by, day)] == []


@pytest.mark.parametrize("label", ["ADVERTISEMENT", "Werbung", "Publicidad", "広告", "- Реклама -"])
def test_a_label_of_advertisements_is_no_paragraph(label: str) -> None:
    assert label not in read(make_page(within=f"<p>{label}</p>")).body


def test_the_biography_in_slanted_type_below_the_text_is_out() -> None:
    page = make_page(header=BYLINE, end="<hr><p><em>Nora Quill writes about trams and has never owned a car.</em></p>")

    assert "owned a car" not in read(page).body
    assert "slept on the tram" in read(make_page(header=BYLINE, end="<p><em>Some of them slept on the tram.</em></p>")).body


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        (TITLE, f'<span class="k">Transport</span> <span class="t">{TITLE}</span>'),
        (TITLE, f"<span><em>Transport</em><br></span><span><b>{TITLE}</b></span>"),
        (TITLE, f'<svg><title>Plus</title></svg><span class="p1">Plus</span>{TITLE}'),
        ("云栖镇老渡口时隔十年恢复通航", '<svg><title>Plus</title></svg><span class="p1">Plus</span>云栖镇老渡口时隔十年恢复通航'),
    ],
)
def test_a_heading_without_declared_title_loses_its_kicker_and_badges(title: str, heading: str) -> None:
    page = make_page().replace(f"<h1>{TITLE}</h1>", f"<h1>{heading}</h1>").replace(f"<title>{TITLE}", f"<title>{title}")

    assert read(page).title == title


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("Von unserer Redakteurin Nora Quill", "Nora Quill"),
        ("Kirjoittaja: Nora Quill", "Nora Quill"),
        ("Un reportaje de Nora Quill", "Nora Quill"),
        ("Piše: Nora Quill", "Nora Quill"),
        ("द्वारा सुनीता वर्मा", "सुनीता वर्मा"),
        ("윤서진 기자 nora@courier.example", "윤서진"),
        ("羽鳥千尋記者", "羽鳥千尋"),
    ],
)
def test_a_label_of_any_language_introduces_the_author(byline: str, author: str) -> None:
    assert read(make_page(header=f"<div class=css-1>{byline}</div><time>2 April 2025</time>")).authors == (author,)


def test_a_name_in_the_caption_of_a_picture_is_no_author() -> None:
    figure = '<figure><img src="/p.jpg" width="900" height="500"><figcaption>새로 단장한 우체국 사진=한도현</figcaption></figure>'

    assert read(make_page(header=f"<div>윤서진 기자</div>{figure}")).authors == ("윤서진",)


CAPTION = "The last tram of the night in front of the depot"
IMAGE = '<img src="/p.jpg" width="900" height="500">'


@pytest.mark.parametrize(
    "picture",
    [
        f'<div class="wp-caption">{IMAGE}<p class="wp-caption-text">{CAPTION}</p></div>',
        f"<dl><dt>{IMAGE}</dt><dd>{CAPTION}</dd></dl>",
        f'<table><tr><td><a href="/p.jpg">{IMAGE}</a></td></tr><tr><td class="tr-caption">{CAPTION}</td></tr></table>',
        f'<div role="figure">{IMAGE}<div>{CAPTION}</div></div>',
        f'<div class="lazy"><noscript>{IMAGE}</noscript><div>{CAPTION}</div></div>',
        f'<p><a href="/p.jpg">{IMAGE}</a></p><p class="bildtext">{CAPTION}</p>',
        f"<div>{IMAGE}<span>{CAPTION}</span></div>",
        f'<div><img src="/blank.gif" data-lazy="/p.jpg"><div>{CAPTION} <span>1/2</span></div></div>',
    ],
)
def test_the_line_in_the_box_of_a_picture_is_its_caption(picture: str) -> None:
    images = read(make_page(within=picture), images=True).images

    assert [(image.url.rpartition("/")[2], image.caption) for image in images or ()] == [("p.jpg", CAPTION)]


@pytest.mark.parametrize("around", ["newsletter-post", "b-right-rail__main", "dialog-off-canvas-main-canvas"])
def test_names_around_the_whole_article_lose_no_picture(around: str) -> None:
    page = make_page(within=f"<figure>{IMAGE}</figure>").replace("<main>", f'<main class="{around}">')

    assert len(read(page, images=True).images or ()) == 1


def test_the_portrait_of_the_author_is_no_picture_of_the_article() -> None:
    portrait = '<img class="avatar photo" src="/u/96.jpg" width="96" height="96">'

    assert not read(make_page(header=f"<p>{portrait} By Nora Quill</p>"), images=True).images


def test_a_part_that_is_not_free_makes_the_article_not_free() -> None:
    part = {"@type": "WebPageElement", "isAccessibleForFree": "False", "cssSelector": ".paywall"}

    assert read(make_page(head=write_ld(OWN | {"hasPart": [part]}))).free is False


@pytest.mark.parametrize(
    "lines",
    [
        (*TEXT,),
        ("देवगढ़ ज़िले की पुरानी नहर में अगले महीने से फिर पानी छोड़ा जाएगा, मरम्मत का काम लगभग पूरा हो चुका है।",) * 2
        + ("आठ साल पहले आई बाढ़ में नहर का एक बड़ा हिस्सा टूट गया था, तब से किसान ट्यूबवेल पर निर्भर थे और पानी नीचे जाता रहा।",),
    ],
)
def test_text_elements_of_a_state_are_paragraphs(lines: tuple[str, ...]) -> None:
    elements = [{"type": "text", "content": line} for line in lines]
    by = [{"type": "author", "name": "Nora Quill"}]
    story = {"headlines": {"basic": TITLE}, "canonical_url": URL, "first_publish_date": "2025-04-02T08:00:00Z"}
    state = json.dumps(story | {"credits": {"by": by}, "content_elements": elements})

    article = read(f"<html><head><title>{TITLE}</title></head><body><script>Fusion.globalContent={state};</script></body></html>")

    assert len(article.paragraphs) == len(lines)
    assert article.authors == ("Nora Quill",)


def test_spans_that_are_set_as_boxes_are_paragraphs() -> None:
    page = make_page(paragraphs=0, end="".join(f'<span style="display:block; margin:1em">{line}</span>' for line in TEXT))

    assert [paragraph.text for paragraph in read(page).paragraphs] == [*TEXT]


FETCHED = {"fetched_at": datetime(2025, 11, 26, 12, tzinfo=UTC)}


@pytest.mark.parametrize(
    "header",
    [
        "<span>By Nora Quill</span><span>2 April 2025</span>",
        "<div>De Nora Quill</div><div>2 de abril de 2025, 18:05</div>",
        "<app-date>Abril 2, 2025</app-date>",
        "<p>2025年4月2日</p><p>首班电车将于五月一日启航，票价维持十年前的水平，学生可以免费乘坐。</p>",
        "<p>2 Απριλίου 2025</p><p>The first tram leaves on May 1 at noon and will be met by the band of the depot.</p>",
        "<div>Aggiornato il 15 aprile 2025 alle 07:30 2 aprile 2025 alle 18:05</div>",
        "<div>更新 2025年4月15日 7時30分 2025年4月2日 18時05分</div>",
    ],
)
def test_a_date_without_markup_near_the_headline_is_that_of_publication(header: str) -> None:
    article = read(make_page(header=header), **FETCHED)

    assert article.published_at is not None
    assert article.published_at.date().isoformat() == "2025-04-02"


@pytest.mark.parametrize(
    "line",
    [
        "首班电车将于五月一日启航，票价维持十年前的水平，学生和老年人可以免费乘坐。",
        "El 1 de mayo de 2025 habrá una fiesta en la cochera para todos los vecinos.",
    ],
)
def test_a_day_in_a_sentence_is_not_that_of_publication(line: str) -> None:
    assert read(make_page(within=f"<p>{line}</p>"), **FETCHED).published_at is None


def test_a_version_is_not_a_date() -> None:
    assert read(make_page(below="<div>Courier v2025.04.01</div>"), **FETCHED).published_at is None


def test_words_of_a_headline_within_another_element_label_no_date() -> None:
    page = make_page().replace(f"<h1>{TITLE}</h1>", "<slot><h1>Timetable updated</h1></slot><div>2 April 2025</div>")

    assert read(page, **FETCHED).modified_at is None


@pytest.mark.parametrize(
    "path", ["<a href='/'>Home</a> » <a href='/t'>Transport</a>", "<a href='/'>Start</a> / <a href='/t'>Transport</a>"]
)
@pytest.mark.parametrize("place", ["<article>", "</header>"])
def test_a_path_from_the_front_page_names_the_section_whatever_it_is_called(path: str, place: str) -> None:
    assert read(make_page().replace(place, f"{place}<div class='q1'>{path}</div>")).section == "Transport"


def test_links_that_begin_elsewhere_are_no_path() -> None:
    assert (
        read(make_page().replace("<article>", "<article><div><a href='/f'>Fares</a> / <a href='/t'>Timetable</a></div>")).section
        is None
    )
