"""People and agencies are named; roles, places, photo credits and handles are not."""

from __future__ import annotations

import pytest

from newscrawler import extract
from newscrawler.extraction.metadata import find_metadata
from newscrawler.extraction.metadata.names import find_names
from newscrawler.page import Document


def authors(body: str, head: str = "", url: str = "https://www.example.org/a/b") -> tuple[str, ...]:
    headline = "A dog bites a mayor in the park"
    page = Document.parse(
        f"<html><head><title>{headline}</title>{head}</head><body><article><h1>{headline}</h1>{body}</article></body></html>", url
    )
    return find_metadata(page).authors


def ld(author: str, more: str = "") -> str:
    return f'<script type="application/ld+json">{{"@type":"NewsArticle","author":{author}{more}}}</script>'


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Jane Doe", ["Jane Doe"]),
        ("Von Felix Schröder und Jörg Soldwisch, dpa", ["Felix Schröder", "Jörg Soldwisch", "dpa"]),
        ("Autor: Jan Novák, ČTK", ["Jan Novák", "ČTK"]),
        ("Napsala Eva Malá", ["Eva Malá"]),
        ("Autorzy: Anna Kowalska i Piotr Nowak", ["Anna Kowalska", "Piotr Nowak"]),
        ("Par Marie Dupont et Jean Martin", ["Marie Dupont", "Jean Martin"]),
        ("Por María García", ["María García"]),
        ("di Marco Rossi", ["Marco Rossi"]),
        ("Автор: Иван Петров", ["Иван Петров"]),
        ("Текст: Олена Шевченко", ["Олена Шевченко"]),
        ("Írta: Nagy Péter", ["Nagy Péter"]),
        ("מאת: דוד כהן", ["דוד כהן"]),
        ("بقلم: أحمد علي", ["أحمد علي"]),
        ("记者：王小明", ["王小明"]),
        ("배윤경 기자", ["배윤경"]),
        ("Jane Doe, Senior reporter", ["Jane Doe"]),
        ("Anna Martel und Lea Wagner, Nairobi", ["Anna Martel", "Lea Wagner"]),
        ("Müller, Hans", ["Hans Müller"]),
        ("Elena Oberholzer (obe)", ["Elena Oberholzer"]),
        ("Jane Doe @janedoe", ["Jane Doe"]),
        ("jane.doe@example.org", []),
        ("https://facebook.com/example", []),
        ("Foto: Getty Images", []),
        ("admin", []),
        ("Chefredakteur", []),
        ("12:20pm Jan 7", []),
        ("Redaktion", ["Redaktion"]),
        ("Jane &amp; John Doe", ["John Doe"]),  # beside a full name a single word is a place more often than a person
    ],
)
def test_bylines_give_their_names(text: str, names: list[str]) -> None:
    assert find_names(text) == names


def test_people_in_json_ld_come_in_order_and_before_a_webmaster_that_nothing_else_names() -> None:
    head = (
        ld('[{"@type":"Person","name":"Eva Malá"},{"@type":"Person","givenName":"Jan","familyName":"Novák"}]')
        + "<meta name=author content='Web Master'>"
    )

    assert authors("<p class=byline>Eva Malá, Jan Novák</p>", head) == ("Eva Malá", "Jan Novák")


def test_the_publisher_gives_way_to_a_person_and_stands_where_nobody_is_named() -> None:
    head = ld('{"@type":"Organization","name":"Example News"}', ',"publisher":{"@type":"Organization","name":"Example News"}')

    assert authors("<p class='byline'>By Jane Doe</p>", head) == ("Jane Doe",)
    assert authors("<p>Text.</p>", head) == ("Example News",)


@pytest.mark.parametrize(
    "shown", ["<p class=byline>By Jane Doe</p>", "<a rel=author href=/x>Jane Doe</a>", "<p>Jane Doe | 3 October 2026</p>"]
)
@pytest.mark.parametrize(
    "head",
    [
        ld('{"@type":"Person","name":"Example News"}', ',"publisher":{"@type":"Organization","name":"Example News"}'),
        ld('{"@type":"Person","name":"example.org"}'),
        ld('{"@type":"Person","name":"Home Affairs"}', ',"articleSection":["Home Affairs","Town"]'),
        ld('{"@type":"Person","name":"Local News"}'),
        ld('"Example News"') + "<meta property=og:site_name content='Example News'>",
        "<meta name=author content='Example News'><meta property=og:site_name content='Example News'>",
    ],
)
def test_a_person_who_is_shown_goes_before_a_site_or_section_that_is_declared_as_one(head: str, shown: str) -> None:
    text = "<p>A dog has bitten a mayor in the park, and the mayor has bitten the dog.</p>"

    assert authors(shown + text, head) == ("Jane Doe",)


@pytest.mark.parametrize("section", ["5", "true", "null", '{"name":"Town"}', '[5,["Town"]]'])
def test_a_section_that_is_no_text_is_passed_over(section: str) -> None:
    assert authors("<p class=byline>By Jane Doe</p>", ld('"Jane Doe"', f',"articleSection":{section}')) == ("Jane Doe",)


def test_an_agency_in_json_ld_is_an_author() -> None:
    assert authors("<p>Text.</p>", ld('{"@type":"Organization","name":"Reuters"}')) == ("Reuters",)


def test_two_sources_that_agree_beat_one_that_does_not() -> None:
    head = ld('{"@type":"Person","name":"Eva Malá"}') + "<meta name=author content='Jan Novák'>"

    assert authors("<p class=byline>By Eva Malá</p>", head) == ("Eva Malá",)
    assert authors("<p class=byline>By Jan Novák</p>", head) == ("Jan Novák",)


def test_an_author_given_by_reference_is_looked_up() -> None:
    head = '<script type="application/ld+json">{"@graph":[{"@type":"Article","author":{"@id":"#p"}},'
    head += '{"@type":"Person","@id":"#p","name":"Eva Malá"}]}</script>'

    assert authors("", head) == ("Eva Malá",)


@pytest.mark.parametrize(
    "body",
    [
        "<span itemprop='author' itemscope><meta itemprop='name' content='Eva Malá'></span>",
        "<a rel='author' href='/x'>Eva Malá</a>",
        "<p>von <a href='/autoren/eva-mala'>Eva Malá</a></p>",
        "<div class='article__byline'>Von Eva Malá</div>",
        "<address class='vcard author'>By <a class='fn'>Eva Malá</a></address>",
        "<footer class='post-footer'><li class='post-author'><b>Written by: </b>Eva Malá</li></footer>",
        "<p>Autorka: Eva Malá</p><p>A long paragraph of the article follows here, with a verb.</p>",
    ],
)
def test_bylines_are_found_however_they_are_marked(body: str) -> None:
    assert authors(body) == ("Eva Malá",)


@pytest.mark.parametrize(
    "body",
    [
        "<div class='comments'><span class='author'>Karel Komentátor</span></div>",
        "<aside><a rel='author' href='/x'>Karel Vedlejší</a></aside>",
        "<div class='related-articles'><span class='byline'>Karel Jinde</span></div>",
        "<p class='photo-author'>Foto: Karel Fotograf</p>",
        "<p>Nobody is named.</p>",
    ],
)
def test_who_did_not_write_the_article_is_not_its_author(body: str) -> None:
    assert authors(body) == ()


def test_doubles_are_merged_whatever_their_case() -> None:
    assert authors("", ld('["Eva Malá","EVA MALÁ","Jan Novák"]')) == ("Eva Malá", "Jan Novák")


def test_names_with_von_are_declared_whole() -> None:
    assert authors("", ld('["Ursula von der Tann", "Oleh Kowalenko"]')) == ("Ursula von der Tann", "Oleh Kowalenko")


@pytest.mark.parametrize(
    "body",
    [
        "<div class=byline>By Jane Doe</div><p>Text.</p>"
        + 30 * "<p></p>"
        + "<div class=teaser-x><span class=byline>By John Roe</span></div>",
        "<figure><span class=byline>By John Roe</span></figure><div class=byline>By Jane Doe</div>",
        "<div class=byline><a rel=author href='/a'>Jane Doe</a><span>Staff Writer</span></div>",
        "<div class=byline><a href='/a'>Jane Doe</a><a href='/rss'>Get author RSS feed</a></div>",
        "<div class=byline><b>JD</b><a href='/a'>Jane Doe</a></div>",
        "<p>By Jane Doe | Nov 20, 2026</p>",
        "<div class=author><span>Jane Doe</span><span>General Assignment Reporter</span></div>",
        "<p>Photo by John Roe</p><p class=author>Jane Doe, London</p>",
    ],
)
def test_only_who_wrote_is_named(body: str) -> None:
    assert authors(body) == ("Jane Doe",)


def test_the_writers_of_a_list_of_other_articles_are_not_the_articles() -> None:
    teasers = "".join(
        f"<div><p>A teaser</p>{25 * '<i></i>'}<span class=authors>By {name}</span></div>" for name in ("Eva Low", "Jan Roe")
    )

    assert authors(f"<p>Text of the article.</p>{90 * '<p>x</p>'}{teasers}") == ()


@pytest.mark.parametrize("own", [("Eva Malá",), ("Eva Malá", "Jan Roe")])
@pytest.mark.parametrize("order", ["{column}{main}", "{main}{column}"])
def test_of_the_authors_in_a_column_those_are_the_articles_that_it_links_once_more(own: tuple[str, ...], order: str) -> None:
    names = ("Eva Malá", "Ann Low", "Jan Roe", "Max Ost")
    links = {name: f"<a href='/blog/author/{name[:3].lower()}/'>{name}</a>" for name in names}
    card = f"<ul><li><span></span>{', '.join(links[name] for name in own)}</li></ul>"
    every = "".join(f"<li>{link.replace('</a>', ' (7)</a>')}</li>" for link in links.values())
    column = f"<div class=sidebar><h2>1 May 2026</h2>{card}<h3>Authors</h3><ul>{every}</ul></div>"
    headline, text = "A dog bites a mayor in the park", "<p>The dog left before anybody could ask it for a comment, number {}.</p>"
    main = f"<main><article><h1>{headline}</h1>{''.join(map(text.format, range(20)))}</article></main>"
    page = f"<title>{headline}</title><body>{order.format(column=column, main=main)}"

    assert extract(page, url="https://e.org/a/b/").authors == own


@pytest.mark.parametrize(
    "line",
    [
        "By the Russian military, on Friday",
        "Von Berlin nach Prag",
        "Von Hans Müller ist nichts mehr zu hören!",
        "Text und mehr",
        "Interview mit dem Bürgermeister",
    ],
)
def test_lines_that_begin_like_a_byline_name_nobody(line: str) -> None:
    assert authors(f"<p>{line}</p><p>Text.</p>") == ()


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("<p>Žofie Malá · <span>3. 10. 2026 22:16</span> · <a href='/politics'>Home Affairs</a></p>", ("Žofie Malá",)),
        ("<p><strong>Jane Doe</strong></p><time datetime='2026-10-03'>3 October 2026</time>", ("Jane Doe",)),
        ("<div><span>Jane Doe</span><time>Oct 3, 2026 22:16</time></div>", ("Jane Doe",)),
        ("<div><a href='/profile/jane-doe'>Jane Doe</a><div>3 October 2026</div></div>", ("Jane Doe",)),
        ("<div>3 October 2026, in the evening</div>", ()),
        ("<div>3 October 2026 | <a href='/premier-league'>The Premier League of the Whole Country</a></div>", ()),
        ("<p>Jane Doe was born on 3 October 2001 in the park.</p>", ()),
    ],
)
def test_a_full_name_beside_the_date_under_the_headline_is_the_authors(line: str, names: tuple[str, ...]) -> None:
    assert authors(f"{line}<p>The dog of the mayor was seen in the park again, and it was not amused at all.</p>") == names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("<div>Breaking News | 3 October 2026</div>", ()),
        ("<div>Editor’s Choice · 3 October 2026</div>", ()),
        ("<div>Domácí Zprávy | 3. 10. 2026</div>", ()),
        ("<div>Aus Der Region</div><div>3. Oktober 2026</div>", ()),
        ("<div>Última Hora | 03/10/2026</div>", ()),
        ("<div>Wiadomości Lokalne, 3.10.2026</div>", ()),
        ("<div>Cronaca Nera - 03/10/2026</div>", ()),
        ("<div>Breaking News</div><div>Jane Doe | 3 October 2026</div>", ("Jane Doe",)),
        ("<p>Breaking News</p><p>By Jane Doe</p><p>3 October 2026</p>", ("Jane Doe",)),
    ],
)
def test_a_rubric_beside_the_date_is_no_author(line: str, names: tuple[str, ...]) -> None:
    assert authors(f"{line}<p>The dog of the mayor was seen in the park again, and it was not amused at all.</p>") == names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("<p>Port Malden, 3 October 2026</p>", ()),
        ("<p>3 October 2026</p><p>Ruth Adair</p>", ()),
        ("<p>Local News</p><p>3 October 2026</p>", ()),
        ("<p>Winter Sports</p><p>3 October 2026</p>", ()),
        ("<p>3 October 2026</p><figure><img src=x><figcaption>Al Roe</figcaption></figure>", ()),
        ("<p>Jane Doe</p><p>3 October 2026</p>", ("Jane Doe",)),
    ],
)
def test_what_the_text_or_the_menu_speaks_of_is_no_author_beside_the_date(line: str, names: tuple[str, ...]) -> None:
    text = "<p>The dog that Ruth Adair found at the quay of Port Malden was not amused at all.</p>"
    text += "<p>Jane Doe knows many dogs.</p><p>Whoever knows more about the dog may write to Jane Doe at the paper.</p>"
    menu = "<nav><a href=/>Home</a> <a href=/l>Local News</a></nav>"
    head = "<meta name=keywords content='Dogs, Winter Sports'>"
    html = f"<html><head>{head}</head><body>{menu}<h1>A dog bites a mayor</h1>{line}{text}</body></html>"

    assert find_metadata(Document.parse(html, "https://www.example.org/a/b")).authors == names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By <a href=/author/jane-doe>Jane Doe</a> and John Smith", ("Jane Doe", "John Smith")),
        ("<span>(Jan Novák, <a href=/autor/eva-mala>Eva Malá</a>)</span>", ("Jan Novák", "Eva Malá")),
        ("<a href=/author/jane-doe>Jane Doe</a> Correspondent in Old Harbour", ("Jane Doe",)),
    ],
)
def test_who_has_no_page_of_authors_is_named_beside_who_has_one(line: str, names: tuple[str, ...]) -> None:
    assert authors(f"<p>{line}</p><p>The dog had been seen in the park the day before, said a keeper.</p>") == names


def test_who_has_no_page_is_named_beside_who_has_one_where_the_date_follows_below() -> None:
    body = "<p class=by>By <a rel=author href=/authors/jane-doe/>Jane Doe</a> and Max Quill<br>3 November 2026</p>"

    assert authors(f"{body}<p>A dog has bitten a mayor in the park, and the mayor has bitten the dog.</p>") == (
        "Jane Doe",
        "Max Quill",
    )


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("<span>۲۱ مهر ۱۴۰۵ - ۱۶:۱۴</span> <span>کد خبر: ۱۴۰۵۰۸۰۱</span> <span>نویسنده: لیلا کریمی</span>", ("لیلا کریمی",)),
        ("<span>14 ตุลาคม 2569 เวลา 02:59 น.</span> <span>โดย ธนพล รักไทย และ กนกวรรณ ใจดี</span>", ("ธนพล รักไทย", "กนกวรรณ ใจดี")),
    ],
)
def test_an_element_of_the_line_below_the_headline_says_by_whom(line: str, names: tuple[str, ...]) -> None:
    assert authors(f"<div class=meta>{line}</div><p>A dog has bitten a mayor in the park, and the mayor the dog.</p>") == names


@pytest.mark.parametrize("line", ["<p>Sport</p><p>3 October 2026</p>", "<p>News | 3 October 2026</p>", "<p>Reuters Photo</p>"])
def test_a_section_beside_the_date_is_no_person(line: str) -> None:
    assert authors(f"{line}<p>The dog of the mayor was seen in the park again, and it was not amused at all.</p>") == ()


@pytest.mark.parametrize("head", ["", '<meta name="author" content="Jane Doe">', ld('{"@type":"Person","name":"Jane Doe"}')])
def test_a_name_that_the_text_also_mentions_is_not_refused(head: str) -> None:
    text = (
        "<p>The dog was known to Jane Doe, who wrote of it before.</p><p>The mayor told Jane Doe that the dog was not amused.</p>"
    )

    assert authors(f"<p>By Jane Doe</p><p>3 October 2026</p>{text}", head) == ("Jane Doe",)


PARAGRAPHS = (
    "The council decided on Monday evening that the old market will be repaired, although its roof has been damaged for years.",
    "The work will cost about two million and begin in spring, as the deputy mayor said after a session of more than four hours.",
    "Traders hope that their customers will come back, since they had to sell at the side of the road for the last eight years.",
)


def make_hexo_page(theme: str, author: str, *, declared: str) -> str:
    """Return a page as Hexo writes it with a theme; `declared`: who its head says wrote, which is that of the whole site."""
    head = f"""<title>Market to be repaired after eight years | Border Courier</title>
<meta property="og:site_name" content="Border Courier"><meta property="og:type" content="article">
<meta property="og:title" content="Market to be repaired after eight years"><meta property="article:author" content="{declared}">"""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    if theme == "next":
        return f"""<html><head>{head}</head><body itemscope itemtype="http://schema.org/WebPage">
<header class="header"><a href="/" class="brand"><p class="site-title">Border Courier</p></a></header>
<aside class="sidebar"><div class="site-author" itemprop="author" itemscope itemtype="http://schema.org/Person">
<p class="site-author-name" itemprop="name">{declared}</p></div></aside>
<div class="main-inner post"><div class="post-block"><article itemscope itemtype="http://schema.org/Article" class="post-content">
<span hidden itemprop="author" itemscope itemtype="http://schema.org/Person"><meta itemprop="name" content="{declared}"></span>
<header class="post-header"><h1 class="post-title" itemprop="name headline">Market to be repaired after eight years</h1>
<div class="post-meta"><span class="post-meta-item"><span class="post-meta-item-text">Posted on</span>
<time itemprop="dateCreated datePublished" datetime="2026-09-30T14:24:00+02:00">2026-09-30</time></span></div></header>
<div class="post-body" itemprop="articleBody">{text}</div><footer class="post-footer"><div class="post-copyright"><ul>
<li class="post-copyright-author"><strong>Post author: </strong>{author}</li>
<li class="post-copyright-link"><strong>Post link: </strong><a href="/a/market.html">https://courier.example/a/market.html</a></li>
</ul></div></footer></article></div></div></body></html>"""
    banner = f'<span class="post-meta mr-2"><i class="iconfont icon-author" aria-hidden="true"></i>{author}</span>'
    licence = f"""<div class="license-box"><div class="license-meta">
<div class="license-meta-item"><div>Author</div><div>{author}</div></div>
<div class="license-meta-item license-meta-date"><div>Posted on</div><div>October 5, 2026</div></div></div></div>"""
    return f"""<html><head>{head}<meta name="author" content="{declared}"></head><body><header><nav id="navbar" class="navbar">
<a class="navbar-brand" href="/">Border Courier</a></nav><div id="banner" class="banner"><div class="banner-text">
<div class="h2"><span id="subtitle">Market to be repaired after eight years</span></div>
<div class="mt-3">{banner if theme == "fluid" else ""}<span class="post-meta"><i class="iconfont icon-date-fill"></i>
<time datetime="2026-10-05 14:24" pubdate>October 5, 2026 pm</time></span></div></div></div></header>
<main><div id="board"><article class="post-content mx-auto"><h1 id="seo-header">Market to be repaired after eight years</h1>
<div class="markdown-body">{text}</div>{licence if theme == "fluid with licence" else ""}</article></div></main></body></html>"""


@pytest.mark.parametrize("theme", ["next", "fluid", "fluid with licence"])
@pytest.mark.parametrize("declared", ["Border Courier", ""])
@pytest.mark.parametrize("author", ["Tomasz Brzęk", "Zofia Źdźbło", "Jane Doe"])
def test_a_site_declared_as_the_author_of_all_articles_gives_way_to_the_writer(theme: str, declared: str, author: str) -> None:
    assert extract(make_hexo_page(theme, author, declared=declared), "https://courier.example/a/market.html").authors == (author,)
