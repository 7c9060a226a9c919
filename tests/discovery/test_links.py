import time

from newscrawler.discovery import collect_head_links, collect_links
from newscrawler.page import Document


def _page(html: str, url: str = "https://example.com/sport/index.html") -> Document:
    return Document.parse(html, url)


def _urls(html: str) -> list[str]:
    return [link.url for link in collect_links(_page(html))]


def test_links_are_absolute_canonical_and_in_page_order():
    html = (
        '<a href="b.html">B</a><a href="/a?utm_source=x#y">A</a><a href="//cdn.example.com/c">C</a><a href="HTTP://Other.org">D</a>'
    )

    assert _urls(html) == [
        "https://example.com/sport/b.html",
        "https://example.com/a",
        "https://cdn.example.com/c",
        "http://other.org/",
    ]


def test_links_count_from_the_base_element():
    assert _urls('<base href="/base/"><a href="b">B</a>') == ["https://example.com/base/b"]


def test_addresses_that_are_no_page_are_left_out():
    hrefs = [
        "mailto:a@b.cz",
        "javascript:void(0)",
        "tel:1",
        "data:text/html,x",
        "#top",
        "",
        "  ",
        "http://",
        "http://[x/",
        "ftp://a.cz/",
    ]

    assert _urls("".join(f'<a href="{href}">x</a>' for href in hrefs) + "<a name=x>y</a>") == []


def test_of_several_links_to_a_page_the_best_text_is_kept():
    html = '<a href="/a"><img alt="photo"></a><main><a href="/a">The long headline</a></main><a href="/b">B</a><a href="/a#c">3</a>'

    first, second = collect_links(_page(html))

    assert (first.url, first.anchor, first.where) == ("https://example.com/a", "The long headline", "main")
    assert second.anchor == "B"


def test_words_stand_above_the_longer_text_of_a_picture():
    html = '<a href="/a"><img alt="Two people stand in front of a house in the rain"></a><a href="/a">A headline</a>'

    assert [link.anchor for link in collect_links(_page(html))] == ["A headline"]


def test_a_picture_lends_its_text_to_a_link_without_words():
    html = '<a href="/a"><img src=x alt="A dog"></a><a href="/b" title="Bee"><i></i></a><map><area href="/c" alt="Sea"></map>'

    assert [link.anchor for link in collect_links(_page(html))] == ["A dog", "Bee", "Sea"]


def test_blocks_in_a_link_are_kept_apart_and_letters_of_a_word_together():
    html = '<a href="/a"><div>Sport</div><h3>B<b>ig</b> win</h3><script>x()</script><style>y</style></a>'

    assert collect_links(_page(html))[0].anchor == "Sport Big win"


def test_a_long_text_is_cut():
    assert len(collect_links(_page(f'<a href="/a">{"word " * 900}</a>'))[0].anchor) <= 160


def test_the_nearest_landmark_is_named():
    html = """<body class="single tag-x"><header><nav><a href=1>1</a></nav><a href=2>2</a></header>
      <main><article><div class="post-tags"><a href=3>3</a></div><p><a href=4>4</a></p></article><a href=5>5</a></main>
      <div role=navigation><a href=6>6</a></div><div id="siteFooter"><a href=7>7</a></div>
      <div class="has-sidebar"><a href=8>8</a></div>
      <div class="header-menu"><a href=9>9</a></div><div class="breadcrumbs"><a href=10>10</a></div></body>"""

    places = {link.anchor: link.where for link in collect_links(_page(html))}

    assert places == {
        "1": "nav",
        "2": "header",
        "3": "tags",
        "4": "article",
        "5": "main",
        "6": "nav",
        "7": "footer",
        "8": "",
        "9": "menu",
        "10": "breadcrumb",
    }


def test_nofollow_counts_only_if_every_link_to_the_page_has_it():
    html = '<a href=1 rel="nofollow next">1</a><a href=2 rel=NoFollow>2</a><a href=2>2 again</a>'

    first, second = collect_links(_page(html))

    assert first.rel == {"nofollow", "next"}
    assert "nofollow" in first.rel
    assert "nofollow" not in second.rel


def test_link_elements_name_neighbours_and_feeds():
    html = """<link rel=canonical href=/a#x><link rel=next href=?page=2><link rel=prev href=/p>
      <link rel=amphtml href=/amp>
      <link rel=alternate type="application/rss+xml" title="All news" href=/feed>
      <link rel=alternate type=application/atom+xml href=/atom>
      <link rel=alternate type=application/json href=/wp-json>
      <link rel=alternate hreflang=de href=/de/><link rel=stylesheet href=/x.css>"""

    head = collect_head_links(_page(html))

    assert head.next == "https://example.com/sport/index.html?page=2"
    assert head.previous == "https://example.com/p"
    assert head.feeds == (("https://example.com/feed", "All news"), ("https://example.com/atom", ""))


def test_a_page_without_an_address_gives_only_absolute_links():
    page = Document.parse('<a href="/a">A</a><a href="http://example.com/b">B</a>')

    assert [link.url for link in collect_links(page)] == ["http://example.com/b"]


def test_a_deeply_nested_page_gives_its_links_quickly():
    html = "<div>" * 1_500 + "".join(f'<a href="/{n}">{n}<div>x</div></a>' for n in range(1_000))
    page = _page(html)
    begin = time.perf_counter()

    found = collect_links(page)

    assert len(found) == 1_000
    assert time.perf_counter() - begin < 1


def test_of_a_feed_in_several_formats_the_first_is_named():
    rows = [
        ("/rss", "rss+xml", "News RSS Feed"), ("/atom", "atom+xml", "News Atom Feed"), ("/sport", "atom+xml", "Sport"),
        ("/a", "rss+xml", ""),
    ]  # fmt: skip
    head = "".join(f'<link rel="alternate" type="application/{kind}" href="{url}" title="{title}">' for url, kind, title in rows)

    feeds = collect_head_links(Document.parse(f"<html><head>{head}</head></html>", "https://example.com/")).feeds

    assert [url for url, _ in feeds] == [f"https://example.com{path}" for path in ("/rss", "/sport", "/a")]
