"""What Google's parser and Protego are tested with, as data of our own making, and where we differ from them and why.

Google: https://github.com/google/robotstxt, robots_test.cc. Protego: https://github.com/scrapy/protego, tests/.
"""

from __future__ import annotations

import pytest

from newscrawler.politeness import extract_product_token, parse_robots

#: (product token, paths that are allowed, paths that are forbidden)
Expected = tuple[str, str, str]

_GROUPS = """
allow: /before/any/group/

user-agent: Alpha
disallow: /
allow: /one/
user-agent: Beta
disallow: /
allow: /two/


allow: /three/
user-agent: Gamma

user-agent: Alpha
allow: /four/
disallow: /
"""
_LONG = "/x/" + "a" * 20_000
_SPECIFIC = "user-agent: Alpha\nallow: /\nuser-agent: Beta\ndisallow: /\n"
_INDEX = "User-Agent: *\nAllow: /folder/index.html\nDisallow: /\n"

#: The claims of Google's tests: (name there, robots.txt, what follows).
GOOGLE: list[tuple[str, str, list[Expected]]] = [
    ("GoogleOnly_SystemTest", "", [("Alpha", "/ /x", "")]),
    ("GoogleOnly_SystemTest", "user-agent: Alpha\ndisallow: /\n", [("Alpha", "", "/ /x"), ("Beta", "/ /x", "")]),
    ("ID_LineSyntax_Line", "user-agent: Alpha\ndisallow: /\n", [("Alpha", "", "/x/y")]),
    ("ID_LineSyntax_Line", "foo: Alpha\nbar: /\n", [("Alpha", "/x/y", "")]),
    ("ID_LineSyntax_Line", "user-agent Alpha\ndisallow /\n", [("Alpha", "", "/x/y")]),
    (
        "ID_LineSyntax_Groups",
        _GROUPS,
        [
            ("Alpha", "/one/b /four/d", "/two/c /before/any/group/"),
            ("Beta", "/two/c /three/a", "/four/d /before/any/group/"),
            ("Gamma", "/four/d", "/before/any/group/"),
        ],
    ),
    ("ID_REPLineNamesCaseInsensitive", "USER-AGENT: Alpha\nALLOW: /x/\nDISALLOW: /\n", [("Alpha", "/x/y", "/a/b")]),
    ("ID_REPLineNamesCaseInsensitive", "uSeR-aGeNt: Alpha\nAlLoW: /x/\ndIsAlLoW: /\n", [("Alpha", "/x/y", "/a/b")]),
    ("ID_UserAgentValueCaseInsensitive", "User-Agent: ALPHA BETA\nAllow: /x/\nDisallow: /\n", [("Alpha", "/x/y", "/a/b")]),
    ("ID_UserAgentValueCaseInsensitive", "User-Agent: alpha beta\nAllow: /x/\nDisallow: /\n", [("ALPHA", "/x/y", "/a/b")]),
    (
        "GoogleOnly_AcceptUserAgentUpToFirstSpace",
        "User-Agent: *\nDisallow: /\nUser-Agent: Alpha Beta\nAllow: /x/\nDisallow: /\n",
        [("Alpha", "/x/y", ""), ("Beta", "", "/x/y")],
    ),
    ("ID_GlobalGroups_Secondary", "", [("Alpha", "/x/y", "")]),
    ("ID_GlobalGroups_Secondary", "user-agent: *\nallow: /\nuser-agent: A\ndisallow: /\n", [("A", "", "/x"), ("B", "/x", "")]),
    ("ID_GlobalGroups_Secondary", _SPECIFIC, [("Gamma", "/x/y", "")]),
    ("ID_AllowDisallow_Value_CaseSensitive", "user-agent: a\ndisallow: /x/\n", [("a", "", "/x/y")]),
    ("ID_AllowDisallow_Value_CaseSensitive", "user-agent: a\ndisallow: /X/\n", [("a", "/x/y", "")]),
    ("ID_LongestMatch", "user-agent: a\ndisallow: /x/page.html\nallow: /x/\n", [("a", "", "/x/page.html")]),
    ("ID_LongestMatch", "user-agent: a\nallow: /x/page.html\ndisallow: /x/\n", [("a", "/x/page.html", "/x/")]),
    ("ID_LongestMatch", "user-agent: a\ndisallow: \nallow: \n", [("a", "/x/page.html", "")]),
    ("ID_LongestMatch", "user-agent: a\ndisallow: /\nallow: /\n", [("a", "/x/page.html", "")]),
    ("ID_LongestMatch", "user-agent: a\ndisallow: /x\nallow: /x/\n", [("a", "/x/", "/x")]),
    ("ID_LongestMatch", "user-agent: a\ndisallow: /x/page.html\nallow: /x/page.html\n", [("a", "/x/page.html", "")]),
    ("ID_LongestMatch", "user-agent: a\nallow: /page\ndisallow: /*.html\n", [("a", "/page", "/page.html")]),
    ("ID_LongestMatch", "user-agent: a\nallow: /x/page.\ndisallow: /*.html\n", [("a", "/x/page.html", "/x/y.html")]),
    ("ID_LongestMatch", "User-agent: *\nDisallow: /x/\nUser-agent: a\nDisallow: /y/\n", [("a", "/x/page", "/y/page")]),
    ("ID_Encoding", "User-agent: a\nDisallow: /\nAllow: /p?q=t&u=http://h?t&p\n", [("a", "/p?q=t&u=http://h?t&p", "/p")]),
    ("ID_Encoding", "User-agent: a\nDisallow: /\nAllow: /foo/bar/ツ\n", [("a", "/foo/bar/%E3%83%84", "/foo")]),
    ("ID_Encoding", "User-agent: a\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n", [("a", "/foo/bar/%E3%83%84", "/foo")]),
    ("ID_Encoding", "User-agent: a\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n", [("a", "/foo/bar/%62%61%7A", "/foo")]),
    (
        "ID_SpecialCharacters",
        "User-agent: a\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n",
        [("a", "/foo/quz /foo//quz /foo/bax/quz", "/foo/bar/quz")],
    ),
    (
        "ID_SpecialCharacters",
        "User-agent: a\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n",
        [("a", "/foo/bar/qux /foo/bar/ /foo/bar/baz", "/foo/bar")],
    ),
    ("ID_SpecialCharacters", "User-agent: a\n# Disallow: /\nDisallow: /q#r\nAllow: /\n", [("a", "/foo", "/q")]),
    ("GoogleOnly_IndexHTMLisDirectory", _INDEX, [("a", "/folder/ /folder/index.html", "/folder/index.htm /other")]),
    ("GoogleOnly_LineTooLong", f"user-agent: a\ndisallow: /\nallow: {_LONG}/q\n", [("a", f"{_LONG}/q", "/")]),
    (
        "GoogleOnly_DocumentationChecks",
        "user-agent: a\ndisallow: /\nallow: /fish\n",
        [
            (
                "a",
                "/fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html /fish.html?id=anything",
                "/bar /Fish.asp /catfish /?id=fish",
            )
        ],
    ),
    (
        "GoogleOnly_DocumentationChecks",
        "user-agent: a\ndisallow: /\nallow: /fish*\n",
        [("a", "/fish /fish.html /fish/salmon.html /fishheads /fish.html?id=anything", "/bar /Fish.bar /catfish /?id=fish")],
    ),
    (
        "GoogleOnly_DocumentationChecks",
        "user-agent: a\ndisallow: /\nallow: /fish/\n",
        [("a", "/fish/ /fish/salmon /fish/?salmon /fish/salmon.html", "/bar /fish /fish.html /Fish/Salmon.html")],
    ),
    (
        "GoogleOnly_DocumentationChecks",
        "user-agent: a\ndisallow: /\nallow: /*.php\n",
        [
            (
                "a",
                (
                    "/filename.php /folder/filename.php /folder/filename.php?parameters //folder/any.php.file.html /filename.php/ "
                    "/index?f=filename.php/"
                ),
                "/bar /php/ /index?php /windows.PHP",
            )
        ],
    ),
    (
        "GoogleOnly_DocumentationChecks",
        "user-agent: a\ndisallow: /\nallow: /*.php$\n",
        [
            (
                "a",
                "/filename.php /folder/filename.php",
                "/bar /filename.php?parameters /filename.php/ /filename.php5 /php/ /filename?php /aaaphpaaa //windows.PHP",
            )
        ],
    ),
    (
        "GoogleOnly_DocumentationChecks",
        "user-agent: a\ndisallow: /\nallow: /fish*.php\n",
        [("a", "/fish.php /fishheads/catfish.php?parameters", "/bar /Fish.PHP")],
    ),
    ("GoogleOnly_DocumentationChecks", "user-agent: a\nallow: /p\ndisallow: /\n", [("a", "/page", "/x")]),
    ("GoogleOnly_DocumentationChecks", "user-agent: a\nallow: /folder\ndisallow: /folder\n", [("a", "/folder/page", "")]),
    ("GoogleOnly_DocumentationChecks", "user-agent: a\nallow: /page\ndisallow: /*.htm\n", [("a", "", "/page.htm")]),
    ("GoogleOnly_DocumentationChecks", "user-agent: a\nallow: /$\ndisallow: /\n", [("a", "/", "/page.html")]),
    ("ID_LinesNumbersAreCountedCorrectly", "User-Agent: a\nDisallow: /p\r\nUser-Agent: b\n\r\n\nDisallow: /", [("b", "", "/x")]),
    ("ID_LinesNumbersAreCountedCorrectly", "User-Agent: a\rDisallow: /p\rUser-Agent: b\r\r\rDisallow: /\r", [("b", "", "/x")]),
    ("ID_UTF8ByteOrderMarkIsSkipped", "\ufeffUser-Agent: a\nDisallow: /x\n", [("a", "", "/x")]),
    ("ID_UTF8ByteOrderMarkIsSkipped", "User-Agent: a\n\ufeffDisallow: /x\n", [("a", "/x", "")]),
    ("TestGetPathParamsQuery", "User-Agent: a\nDisallow: /a/b?c=d&e=f$", [("a", "/a/b?c=d&e=f&", "/a/b?c=d&e=f#fragment")]),
    ("TestGetPathParamsQuery", "User-Agent: a\nDisallow: /a;b$", [("a", "/a;b/", "/a;b#c")]),
    ("TestMaybeEscapePattern", "User-Agent: a\nDisallow: /á\nDisallow: /%aa", [("a", "/b", "/%C3%A1 /%AA")]),
]

_WILD = """
User-agent: r-one
Disallow:  /foo*
User-agent: r-two
Disallow:  /foo*/bar.html
User-agent: r-three
Disallow:  *m
User-agent: r-four
Allow:  /foo/bar.html
Disallow: *
User-agent: r-five
Disallow:  /foo*/*bar.html
User-agent: r-six
Allow:  /foo$
Disallow:  /foo
User-agent: r-seven
Allow: *****************/****.js
"""
_OF_1996 = """
User-agent: unhipbot
Disallow: /

User-agent: webcrawler
User-agent: excite
Disallow:

User-agent: *
Disallow: /org/plans.html
Allow: /org/
Allow: /serv
Allow: /~mak
Disallow: /
"""
_PATHS = """
User-agent: a
Allow: /tmp
Disallow: /

User-agent: b
Allow: /tmp/
Disallow: /

User-agent: c
Allow: /a%3cd.html
Disallow: /

User-agent: d
Allow: /a%2fb.html
Disallow: /

User-agent: e
Allow: /a/b.html
Disallow: /

User-agent: f
Allow: /%7ejoe/index.html
Disallow: /
"""
_DOLLARS = "user-agent: a\ndisallow: /x$/abc\ndisallow: /y/abc$\ndisallow: /x*x$/abc\ndisallow: /y*y/abc$\n"
_HOUSES = """
user-agent: owl-news
disallow: /
allow: /group1
user-agent: *
disallow: /
allow: /group2
user-agent: owl
disallow: /
allow: /group3
"""

#: The claims of Protego's tests that are not Google's as well.
PROTEGO: list[tuple[str, str, list[Expected]]] = [
    ("test_allowed", "User-agent: * \nDisallow: /d \nCrawl-delay: 10", [("a", "/abc/d", "/disallowed")]),
    (
        "test_malformed_disallow",
        "User-agent: *\nDissallow: /two\nDissalow: /three\nDisalow: /four\nDiasllow: /five\nDisallaw: /six\n",
        [("a", "/one", "/two /three /four /five /six")],
    ),
    ("test_escaped_url", "User-agent: *\nDisallow: /\nAllow: /a%3cd.html", [("a", "/a<d.html /a%3cd.html", "/a")]),
    ("test_escaped_url", "User-agent: *\nDisallow: /\nAllow: /a%3c*", [("a", "/a<d.html /a%3Cd.html", "/a")]),
    ("test_unescaped_url", "User-agent: *\nDisallow: /\nAllow: /a<d.html", [("a", "/a<d.html /a%3cd.html", "/a")]),
    ("test_url_parts", "User-agent: *\nDisallow: /path;params?query \n", [("a", "/path;params", "/path;params?query#fragment")]),
    ("test_url_parts", "User-agent: *\nDisallow: /?\n", [("a", "/", "/?query")]),
    ("test_url_parts", "User-agent: *\nDisallow: /;\n", [("a", "/", "/;params")]),
    (
        "test_allowed_wildcards",
        "User-agent: a\nDisallow: /off/*/end$\nDisallow: /pro*work\nUser-agent: b\nAllow: /*allowed\nDisallow: /\n",
        [
            ("a", "/off /off/xyz/endinglater /ro_work /pro_wor", "/off/xyz/end /off/abc/end /proworks /pro_work /pro/work"),
            ("b", "/allowed /is_still_allowed /is_allowed_too", "/x"),
        ],
    ),
    (
        "test_allowed_wildcards",
        _WILD,
        [
            ("r-one", "/fo.html", "/foo.html /food /foo/bar.html"),
            ("r-two", "/fo.html /food/xyz.html", "/foo/bar.html /food/bar.html /foo/a/b/c/x/y/z/bar.html"),
            ("r-three", "/foo /foo/bar.txt", "/foo.htm /foo.html /foom /moo /foo/bar.html"),
            ("r-four", "/foo/bar.html", "/fo.html /foo.html /foo /foo/bar.txt"),
            ("r-five", "/food/rebarf.html", "/foo/bar.html /food/rebar.html /foo/a/b/c/rebar.html /foo/a/b/c/bar.html"),
            ("r-six", "/foo", "/foo/ /foo/bar.html /fooey"),
            ("r-seven", "/xyz/foo.js /daily/fashion/", ""),
        ],
    ),
    (
        "test_unicode_url_and_useragent",
        "User-Agent: *\nDisallow: /admin/\nDisallow: /wiki/K%C3%A4ytt%C3%A4j%C3%A4:\nDisallow: /wiki/Keskustelu_käyttäjästä:\n",
        [
            (
                "a",
                "/ /wiki/",
                "/admin/ /wiki/Käyttäjä: /wiki/K%C3%A4ytt%C3%A4j%C3%A4: /wiki/Keskustelu_k%C3%A4ytt%C3%A4j%C3%A4st%C3%A4:",
            )
        ],
    ),
    (
        "test_no_leading_user_agent",
        "Disallow: /a\nCrawl-delay: 5.2\nUser-Agent: b\nDisallow: /b",
        [("b", "/a", "/b"), ("c", "/b", "")],
    ),
    (
        "test_default_user_agent",
        "User-Agent: robot\nDisallow: /r\n\nUser-Agent: *\nDisallow: /all\n\nUser-Agent: testbot\nDisallow: /t\n",
        [("mybot", "/t", "/all"), ("testbot", "/all", "/t"), ("robot", "/all", "/r")],
    ),
    (
        "test_user_agent_grouping",
        "User-Agent: one\nUser-Agent: two\nDisallow: /x\nUser-Agent: *\nDisallow: /y\n",
        [("one", "/y", "/x"), ("two", "/y", "/x"), ("three", "/x", "/y")],
    ),
    (
        "test_comments",
        "# c\nUser-Agent: one # c\n# c\nUser-Agent: two\nDisallow: /both\n# Disallow: /c\nUser-Agent: *\nDisallow: /all\n",
        [("one", "/c /all", "/both"), ("two", "/c /all", "/both")],
    ),
    (
        "test_skip_unknown_directives",
        "User-Agent: one\nDisallow: /1\nHarry: P\nUser-Agent: two\nDisallow: /2",
        [("one", "/2", "/1")],
    ),
    ("test_skip_malformed_line", "User-Agent: one\nDisallow: /1\nHarry P\nUser-Agent: two\nDisallow: /2", [("two", "/1", "/2")]),
    (
        "test_empty_disallow_allow_directives",
        "User-Agent: one\nDisallow:\n\nUser-Agent: two\nAllow:\n",
        [("one", "/a", ""), ("two", "/a", "")],
    ),
    ("test_empty_record_group", "User-Agent: one\nDisallow: /\nUser-Agent: two\n", [("two", "/a", "")]),
    (
        "test_1994rfc_example",
        "User-agent: *\nDisallow: /cyberworld/map/ # endless\nDisallow: /tmp/ # soon gone\nDisallow: /foo.html\n",
        [("a", "/ /foo.htm /foo.shtml /cyberworld/index.html", "/foo.html /foo.htmlx /tmp/foo.html")],
    ),
    (
        "test_1996rfc_examples",
        _PATHS,
        [
            ("a", "/tmp.html /tmp /tmp/a.html", "/x"),
            ("b", "/tmp/ /tmp/a.html", "/tmp"),
            ("c", "/a%3cd.html /a%3Cd.html", "/a"),
            ("d", "/a%2fb.html", "/a/b.html"),
            ("e", "/a/b.html", "/a%2fb.html"),
            ("f", "/~joe/index.html /%7Ejoe/index.html", "/joe"),
        ],
    ),
    (
        "test_1996rfc_examples",
        _OF_1996,
        [
            ("unhipbot", "", "/ /server.html /org/about.html /%7Emak/mak.html"),
            ("webcrawler", "/ /org/plans.html /%7Ejim/jim.html", ""),
            ("excite", "/ /orgo.gif", ""),
            (
                "other",
                "/server.html /services/fast.html /org/about.html /%7Emak/mak.html",
                "/ /index.html /orgo.gif /org/plans.html /%7Ejim/jim.html",
            ),
        ],
    ),
    (
        "test_implicit_allow",
        "User-agent: *\nDisallow:    /\n\nUser-agent: a\nDisallow:\n",
        [("a", "/ /bar.html", ""), ("b", "", "/ /b")],
    ),
    ("test_generosity", "Foo: a\nBar: /", [("a", "/x/y", "")]),
    ("test_generosity", "user-agent a\ndisallow /\nuser agent b\ndisallow /c\n", [("a", "", "/x/y"), ("b", "/abc", "/c")]),
    (
        "test_nonterminal_dollar",
        _DOLLARS,
        [("a", "/y/abcdef /yabcy/abcdef", "/x$/abcdef /x%24/abcdef /y/abc /xabcx$/abcdef /xabcx%24/abcdef /yabcy/abc")],
    ),
    (
        "test_escaped_special_symbols",
        "user-agent: a\ndisallow: /x/abc%24\ndisallow: /x%2Ax/abc\n",
        [("a", "/x/abc /xabcx/abc", "/x/abc$abc /x/abc$ /x*x/abc /x*x/abcdef")],
    ),
    (
        "test_special_symbols_dual_behaviour",
        "user-agent: a\ndisallow: /x/abc$\ndisallow: /x*x/abc\n",
        [("a", "/y", "/x*x/abc /x/abc$ /x/abc%24")],
    ),
    ("test_with_absolute_urls", "user-agent: *\ndisallow: http://h.example/\n", [("a", "/", "/http://h.example/")]),
    ("test_disallow_target_url_path_is_missing", "User-Agent: *\nDisallow: /\n", [("a", "", "/ ?")]),
    ("test_disallow_query_wildcard", "User-agent: *\nDisallow: /*s=", [("a", "/ /s/", "/?s=asd")]),
    ("test_leading_asterisk", "User-Agent: *\nallow: */p\ndisallow: /\n", [("a", "/page", "/x")]),
    ("test_leading_asterisk", "User-Agent: *\nallow: /page\ndisallow: */*.htm\n", [("a", "", "/page.htm")]),
    (
        "test_user_agent_precedence",
        _HOUSES,
        [("owl-news", "/group1", "/group2"), ("a", "/group2", "/group3"), ("owl", "/group3", "/group1")],
    ),
]

#: Where we say something else, and why: (whose test, why, robots.txt, what we say).
DIFFERENCES: list[tuple[str, str, str, list[Expected]]] = [
    (
        "Google ID_Encoding",
        "Google leaves it to the caller to encode a URL; ours may come either way, and RFC 9309, 2.2.2, compares octets",
        "User-agent: a\nDisallow: /\nAllow: /foo/bar/ツ\nAllow: /foo/bar/%62%61%7A\n",
        [("a", "/foo/bar/ツ /foo/bar/baz", "/foo/bar")],
    ),
    (
        "Google GoogleOnly_LineTooLong",
        "Google cuts a line after 16,664 bytes, so half a pattern forbids more than is written; here it counts as it stands",
        f"user-agent: a\ndisallow: {_LONG}/q\n",
        [("a", f"{_LONG}/r", f"{_LONG}/q")],
    ),
    (
        "Protego test_user_agent_precedence",
        "Protego takes a group for ours whose name is the beginning of our token; RFC 9309, 2.2.1, wants the whole token",
        _HOUSES,
        [("owl-images", "/group2", "/group3"), ("owl-new", "/group2", "/group3")],
    ),
    (
        "Protego test_grouping_unknown_keys",
        "Protego ends a group of User-agent lines at a line that it does not know; by RFC 9309, 2.2.4, such lines end none",
        "User-agent: *\nInvalid: /gb.html\nUser-agent: archiver\nDisallow: /\n",
        [("a", "", "/foo"), ("archiver", "", "/foo")],
    ),
    (
        "Protego test_generosity",
        "Protego reads foo*bot as foobot, and names of two words; a product token holds letters, - and _ (RFC 9309, 2.2.1)",
        "user-agent: foo*bot\ndisallow: /me\nuser agent harry potter\ndisallow /horcrux\n",
        [("foobot", "/me", ""), ("foo", "", "/me")],
    ),
    (
        "Protego test_allowed, of 0.6",
        "Protego looks for a token anywhere in the User-Agent header; ours is the first word of the header",
        "user-agent: foobot\ndisallow: /\n",
        [
            (extract_product_token("Mozilla/5.0 (compatible; foobot/1.0)"), "/x", ""),
            (extract_product_token("foobot/1.0 (+https://a.example)"), "", "/x"),
        ],
    ),
]


def _told(text: str, expected: list[Expected]) -> list[tuple[str, str, bool]]:
    """What is said otherwise than expected: (token, path, allowed)."""
    wrong = []
    for token, allowed, forbidden in expected:
        rules = parse_robots(text.encode(), token=token)
        wrong += [(token, path, False) for path in allowed.split() if not rules.allows(f"http://a.example{path}")]
        wrong += [(token, path, True) for path in forbidden.split() if rules.allows(f"http://a.example{path}")]
    return wrong


@pytest.mark.parametrize(("name", "text", "expected"), GOOGLE)
def test_robots_txt_is_understood_as_google_does(name: str, text: str, expected: list[Expected]) -> None:
    assert _told(text, expected) == [], name


@pytest.mark.parametrize(("name", "text", "expected"), PROTEGO)
def test_robots_txt_is_understood_as_protego_does(name: str, text: str, expected: list[Expected]) -> None:
    assert _told(text, expected) == [], name


@pytest.mark.parametrize(("test", "why", "text", "expected"), DIFFERENCES)
def test_where_we_differ_it_is_meant(test: str, why: str, text: str, expected: list[Expected]) -> None:
    assert _told(text, expected) == [], f"{test}: {why}"


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_a_byte_order_mark_is_skipped_also_where_half_of_it_is_left(mark: bytes) -> None:
    assert not parse_robots(mark + b"User-Agent: a\nDisallow: /x\n", token="a").allows("http://a.example/x")


def test_a_broken_byte_order_mark_spoils_its_line() -> None:
    assert parse_robots(b"\xef\x11\xbfUser-Agent: a\nDisallow: /x\n", token="a").allows("http://a.example/x")


def test_octets_that_are_no_utf_8_are_compared_as_they_are() -> None:
    rules = parse_robots(b"User-agent: *\nDisallow: /caf\xe9/\n")

    assert not rules.allows("http://a.example/caf%E9/")
    assert rules.allows("http://a.example/caf%C3%A9/")
