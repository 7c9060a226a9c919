"""Guises of reported faults in declarations, titles, pictures and bylines."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from extraction.test_guises import BYLINE, OWN, TEXT, TITLE, URL, make_page, read, write_ld

from newscrawler import Article, extract


def read_titled(title: str, *, shared: str | None = None, footer: str = "") -> Article:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in TEXT)
    meta = f'<meta property="og:title" content="{shared}">' if shared else ""
    return extract(f"<html><title>{title}</title>{meta}<body><main>{text}</main>{footer}</body></html>", URL)


@pytest.mark.parametrize(
    "script",
    [
        json.dumps(OWN | {"image": "NONE", "isAccessibleForFree": True}).replace('"NONE"', "None").replace("true", "True"),
        json.dumps(
            OWN
            | {
                "datePublished": {"@type": "Date", "@value": "2025-04-02"},
                "author": {"@type": "Person", "name": {"@value": "Nora Quill", "@language": "en"}},
            }
        ),
        json.dumps({"@type": "WebPage", "name": TITLE, "datePublished": "2019-01-01", "hasPart": [{**OWN, "url": ""}]}),
    ],
)
def test_json_ld_is_read_with_literals_of_python_value_objects_and_an_article_within_the_page(script: str) -> None:
    article = read(make_page(head=f'<script type="application/ld+json">{script}</script>'))

    assert (article.authors, str(article.date)) == (("Nora Quill",), "2025-04-02")


@pytest.mark.parametrize(
    ("title", "options"),
    [
        (f"The Courier: {TITLE}", {}),
        ("Alderley Herald", {"shared": TITLE, "footer": "<footer><p>© 2025 Alderley Herald</p></footer>"}),
        ("“Why a tram?” – county opens a line | Alderley Herald", {"footer": "<footer><p>© Alderley Herald</p></footer>"}),
    ],
)
def test_a_title_is_told_from_the_name_of_the_site(title: str, options: dict[str, Any]) -> None:
    head = '<meta property="og:site_name" content="The Courier">'

    article = read_titled(f"{title}</title>{head}<title>", **options)

    assert article.title == (TITLE if "tram?" not in title else "“Why a tram?” – county opens a line")


@pytest.mark.parametrize(
    "picture",
    [
        '<picture><source data-srcset="/p/wide.jpg 1200w, /p/small.jpg 400w"><img src="data:image/gif;base64,R0lGOD"></picture>',
        '<figure><img srcset="/c/w_300,h_2/small.jpg 300w, /p/wide.jpg 1200w"></figure>',
        '<figure><img srcset="/p/wide.jpg 2x, /c/w_300,h_2/small.jpg 1x"></figure>',
    ],
)
def test_the_widest_picture_of_a_set_is_taken(picture: str) -> None:
    article = read(make_page(header=BYLINE, within=picture), images=True)

    assert [image.url for image in article.images] == ["https://www.courier.example/p/wide.jpg"]


def test_the_program_that_made_a_page_is_no_author() -> None:
    head = '<meta name="generator" content="TYPO3 CMS"><meta name="dc.creator" content="TYPO3 CMS">'

    assert read(make_page(head=head)).authors == ()


@pytest.mark.parametrize("own", [True, False])
def test_bylines_of_teasers_name_no_author(*, own: bool) -> None:
    titles = ("School roof repaired in the county town", "Ferry company buys two electric boats")
    cards = "".join(
        f'<div class="card"><a href="/{n}">{t}</a><span class="author">By Tom Hale</span></div>' for n, t in enumerate(titles)
    )

    article = read(make_page(header=BYLINE if own else "", below=f"<h3>More</h3>{cards}"))

    assert article.authors == (("Nora Quill",) if own else ())


@pytest.mark.parametrize(
    "line", ["Temps de lecture : 4 min", "4 мин. чтения", "읽는 시간 4분", "阅读约4分钟", "4 Minuten Lesezeit"]
)
def test_the_time_to_read_a_text_is_no_author(line: str) -> None:
    assert read(make_page(header=f'<div class="author-line">{line}</div>')).authors == ()


def read_eastern(*, line: str = "", begins: str = "", end: str = "", lead: str = "") -> tuple[str, ...]:
    text = "군립도서관은 4월 첫째 주부터 공구와 재봉틀을 빌려준다고 군 문화위원회가 월요일 밤 긴 토론 끝에 결정했다."
    text = f"<div class=text><p>{begins}{text}</p><p>{text[::-1]}</p>{end}</div>"
    page = f"<h1>도서관 공구 대여 시작한다</h1><div>{line}</div>{lead}{text}"
    return extract(f"<html><title>도서관 공구 대여 시작한다</title><body><main>{page}</main></body></html>", URL).authors


def test_eastern_names_are_parted_from_labels_and_from_each_other() -> None:
    assert read_eastern(end="<p>김서연·박준호 기자</p>") == ("김서연", "박준호")
    assert read_eastern(line="文｜陈晓岚　图｜孙悦") == ("陈晓岚",)
    assert read_eastern(line="来源：新溪网 作者：陈晓岚 2024-03-05") == ("陈晓岚",)
    assert read_eastern(line="本报记者 陈晓岚 赵立新") == ("陈晓岚", "赵立新")
    assert read_eastern(end="<p>（写真・高橋葵）</p>") == ()
    lead = "<p><em>도서관 회원은 4월부터 전동 드릴과 사다리, 재봉틀도 빌릴 수 있으며 반년 동안의 시범 운영을 거쳤다.</em></p>"
    assert read_eastern(begins="[버들내=버들내일보] 김서연 기자 = ", lead=lead) == ("김서연",)


def test_two_objects_of_json_ld_with_another_headline_are_not_taken() -> None:
    other = OWN | {"headline": "School roof repaired in the county town", "url": ""}

    article = read(
        make_page(header=BYLINE, head=write_ld({"@type": "WebPage", "hasPart": [other | {"datePublished": "2019-01-01"}]}))
    )

    assert str(article.date) == "2025-04-02"


def test_dates_of_comments_below_the_text_are_not_those_of_publication() -> None:
    comments = "".join(
        f'<div class="comment"><b>{name}</b> <span>5 March 2024</span><p>{text}</p></div>'
        for name, text in (
            ("Ole", "I took the night tram in its last year, and it was full."),
            ("Ida", "Who is going to pay for it?"),
        )
    )

    assert read(make_page(below=f'<section id="comments"><h3>Comments</h3>{comments}</section>')).date is None


@pytest.mark.parametrize("attribute", ["data-epoch", "data-unix"])
def test_a_number_of_seconds_in_an_attribute_is_a_date(attribute: str) -> None:
    page = make_page(header=f'<span {attribute}="1709630100">2 h</span>')

    assert str(extract(page, URL, fetched_at=datetime(2026, 11, 26, tzinfo=UTC)).date) == "2024-03-05"


def test_the_fronts_of_the_site_in_other_languages_are_no_section() -> None:
    links = '<div><a href="https://en.courier.example/">English</a> | <a href="https://fr.courier.example/">Français</a></div>'

    assert read(make_page(header=BYLINE).replace("<main>", f"<main>{links}")).section is None


def test_a_birthday_below_the_text_is_no_day_of_publication() -> None:
    assert read(make_page(below="<div><b>Nora Quill</b>, * 5 March 1971</div>")).date is None


def test_microdata_says_what_is_a_path_from_the_front_page() -> None:
    step = '<li itemprop="itemListElement" itemscope><a itemprop="item" href="{}"><span itemprop="name">{}</span></a></li>'
    path = f"{step.format('/', 'Home')}{step.format('/town/', 'Town')}"
    scope = f'<ul itemscope itemtype="https://schema.org/BreadcrumbList">{path}</ul>'

    assert read(make_page(header=BYLINE).replace("<main>", f"<main>{scope}")).section == "Town"


def test_a_line_of_two_names_is_a_byline() -> None:
    assert read(make_page(header="<div>Nora Quill and Tom Hale</div><div>2 April 2025</div>")).authors == ("Nora Quill", "Tom Hale")


def test_a_text_of_few_large_signs_in_a_script_is_read() -> None:
    text = "柳溪县图书馆将从四月第一周起出借工具、缝纫机和厨房用具，这是文化委员会星期一晚间经过长时间讨论后作出的决定。"
    html = "".join(f"<p>{number}{text}</p>" for number in range(8))
    state = json.dumps({"page": {"story": {"title": "县图书馆将出借工具和缝纫机", "html": html}}})
    head = "<title>县图书馆将出借工具和缝纫机</title><body><h1>县图书馆将出借工具和缝纫机</h1>"
    page = f"{head}<script>window.D = {state}</script></body>"

    assert text in extract(page.replace("</p>", "<\\/p>"), URL).body


def test_headings_and_buttons_with_numbers_and_signs_are_no_comments() -> None:
    said = ("I took the night tram in its last year, and it was full of people.", "Who is going to pay for the drivers in the end?")
    items = "".join(f'<div class="c9"><b class="n">Ole</b><p>{text}</p><span>👍 3 Reply</span></div>' for text in said)

    article = read(make_page(below=f'<div class="comments"><div>Comments (2)</div>{items}</div>'), comments=True)

    assert article.comments == said
