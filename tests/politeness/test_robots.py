"""robots.txt: the rules of RFC 9309 as cases, and files that are broken in every way."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from stopwatch import cpu_seconds

from newscrawler.crawl.hosts.origin_files import LONGEST_PAUSE, RobotsEntry, is_valid, read_answer, record_failure
from newscrawler.politeness import LONGEST_CRAWL_DELAY_SECONDS, MOST_ROBOTS_BYTES, parse_robots
from newscrawler.store.hosts import OriginFile
from newscrawler.store.vocabularies import OriginFileKind

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ASKED = OriginFile(url="https://a.example/robots.txt", origin="https://a.example", kind=OriginFileKind.ROBOTS, asked_at=NOW)

#: (section of RFC 9309, robots.txt, path, allowed)
_THREE = "User-agent: newscrawler\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: newscrawler\nDisallow: /c"
_PAGES = "User-agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif"
CASES = [
    # 2.1: rules are groups of lines; nothing said is allowed
    ("2.1", "", "/", True),
    ("2.1", "User-agent: *\nDisallow: /", "/", False),
    ("2.1", "Disallow: /", "/", True),
    ("2.1", "Disallow: /a\nUser-agent: *\nDisallow: /b", "/a", True),
    # 2.2.1: the product token, in any case, alone decides which group is ours
    ("2.2.1", "User-agent: newscrawler\nDisallow: /", "/", False),
    ("2.2.1", "user-AGENT: NewsCrawler\nDisAllow: /", "/", False),
    ("2.2.1", "User-agent: newscrawler/1.0\nDisallow: /", "/", False),
    ("2.2.1", "User-agent: newscrawler (a remark)\nDisallow: /", "/", False),
    ("2.2.1", "User-agent: news\nDisallow: /", "/", True),
    ("2.2.1", "User-agent: newscrawler-images\nDisallow: /", "/", True),
    ("2.2.1", "User-agent: othernewscrawler\nDisallow: /", "/", True),
    ("2.2.1", "User-agent: examplebot\nDisallow: /", "/", True),
    ("2.2.1", "User-agent: *\nDisallow: /\nUser-agent: newscrawler\nDisallow: /x", "/y", True),
    ("2.2.1", "User-agent: *\nDisallow: /\nUser-agent: newscrawler\nDisallow: /x", "/x", False),
    ("2.2.1", "User-agent: newscrawler\nDisallow:\n\nUser-agent: *\nDisallow: /", "/x", True),
    ("2.2.1", "User-agent: newscrawler\nDisallow: /x\nUser-agent: *\nDisallow: /y", "/y", True),
    # groups of one token are one group, wherever they stand
    ("2.2.1", _THREE, "/a", False),
    ("2.2.1", _THREE, "/c", False),
    ("2.2.1", _THREE, "/b", True),
    ("2.2.1", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/a", False),
    ("2.2.1", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", False),
    # several User-agent lines begin one group, empty lines and remarks between them or not
    ("2.2.1", "User-agent: a\nUser-agent: newscrawler\nDisallow: /x", "/x", False),
    ("2.2.1", "User-agent: a\n\n# remark\n\nUser-agent: newscrawler\n\nDisallow: /x", "/x", False),
    ("2.2.1", "User-agent: newscrawler\nDisallow: /x\nUser-agent: a\nDisallow: /y", "/y", True),
    ("2.2.1", "User-agent: newscrawler\n\nUser-agent: a\nAllow: /\n", "/x", True),
    # 2.2.2: Allow and Disallow; the longest match decides, of two as long the one that allows
    ("2.2.2", "User-agent: *\nDisallow:", "/x", True),
    ("2.2.2", "User-agent: *\nAllow: /p\nDisallow: /", "/page", True),
    ("2.2.2", "User-agent: *\nDisallow: /\nAllow: /p", "/page", True),
    ("2.2.2", "User-agent: *\nAllow: /folder\nDisallow: /folder", "/folder/page", True),
    ("2.2.2", "User-agent: *\nDisallow: /folder\nAllow: /folder", "/folder/page", True),
    ("2.2.2", "User-agent: *\nAllow: /page\nDisallow: /*.htm", "/page.htm", False),
    ("2.2.2", _PAGES, "/example/page/disallowed.gif", False),
    ("2.2.2", _PAGES, "/example/page/x.gif", True),
    ("2.2.2", "User-agent: *\nAllow: /$\nDisallow: /", "/", True),
    ("2.2.2", "User-agent: *\nAllow: /$\nDisallow: /", "/page.htm", False),
    ("2.2.2", "User-agent: *\nDisallow: /fish", "/fish.html", False),
    ("2.2.2", "User-agent: *\nDisallow: /fish", "/fishheads/yummy.html", False),
    ("2.2.2", "User-agent: *\nDisallow: /fish", "/Fish.asp", True),
    ("2.2.2", "User-agent: *\nDisallow: /fish", "/catfish", True),
    ("2.2.2", "User-agent: *\nDisallow: /fish/", "/fish", True),
    ("2.2.2", "User-agent: *\nDisallow: /fish/", "/fish/?id=anything", False),
    ("2.2.2", "User-agent: *\nDisallow: fish", "/fish", True),
    ("2.2.2", "User-agent: *\nDisallow: /x?a=1", "/x?a=1&b=2", False),
    ("2.2.2", "User-agent: *\nDisallow: /x?a=1", "/x", True),
    ("2.2.2", "User-agent: *\nDisallow: /?", "/?", False),
    ("2.2.2", "User-agent: *\nDisallow: /?", "/#?", True),
    # octets are compared as the table of section 2.2.2 says
    ("2.2.2", "User-agent: *\nDisallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", False),
    ("2.2.2", "User-agent: *\nDisallow: /foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", False),
    ("2.2.2", "User-agent: *\nDisallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", False),
    ("2.2.2", "User-agent: *\nDisallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", False),
    ("2.2.2", "User-agent: *\nDisallow: /foo/bar/%e3%83%84", "/foo/bar/ツ", False),
    ("2.2.2", "User-agent: *\nDisallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
    ("2.2.2", "User-agent: *\nDisallow: /foo/bar/baz", "/foo/bar/%62%61%7A", False),
    ("2.2.2", "User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
    ("2.2.2", "User-agent: *\nDisallow: /a%2fb", "/a%2Fb", False),
    ("2.2.2", "User-agent: *\nDisallow: /příloha", "/p%C5%99%C3%ADloha/", False),
    # /robots.txt is always allowed
    ("2.2.2", "User-agent: *\nDisallow: /", "/robots.txt", True),
    ("2.2.2", "User-agent: *\nDisallow: /", "/robots.txt?x", True),
    # 2.2.3: # * $
    ("2.2.3", "User-agent: * # all\nDisallow: / # everything", "/x", False),
    ("2.2.3", "#User-agent: *\n#Disallow: /", "/x", True),
    ("2.2.3", "User-agent: *\nDisallow: /a#b", "/ab", False),
    ("2.2.3", "User-agent: *\nDisallow: /*.php", "/filename.php?parameters", False),
    ("2.2.3", "User-agent: *\nDisallow: /*.php", "/windows.PHP", True),
    ("2.2.3", "User-agent: *\nDisallow: /*.php$", "/folder/filename.php", False),
    ("2.2.3", "User-agent: *\nDisallow: /*.php$", "/filename.php?parameters", True),
    ("2.2.3", "User-agent: *\nDisallow: /*.php$", "/filename.php5", True),
    ("2.2.3", "User-agent: *\nDisallow: /fish*.php", "/fishheads/catfish.php?id", False),
    ("2.2.3", "User-agent: *\nDisallow: /this/*/exactly", "/this/path/exactly", False),
    ("2.2.3", "User-agent: *\nDisallow: /this/*/exactly", "/this/exactly", True),
    ("2.2.3", "User-agent: *\nDisallow: *", "/x", False),
    ("2.2.3", "User-agent: *\nDisallow: *.gif$", "/x/y.gif", False),
    ("2.2.3", "User-agent: *\nDisallow: /a*$", "/abc", False),
    ("2.2.3", "User-agent: *\nDisallow: /a**b", "/axb", False),
    ("2.2.3", "User-agent: *\nDisallow: /file-with-a-%2A.html", "/file-with-a-*.html", False),
    ("2.2.3", "User-agent: *\nDisallow: /file-with-a-%2A.html", "/file-with-a-xyz.html", True),
    ("2.2.3", "User-agent: *\nDisallow: /foo-%24", "/foo-$", False),
    ("2.2.3", "User-agent: *\nDisallow: /a$b", "/a$b", False),
    ("2.2.3", "User-agent: *\nDisallow: /a$b", "/a", True),
    # 2.2.4: other records, and lines that are none, end no group
    ("2.2.4", "User-agent: a\nSitemap: https://x/s.xml\nUser-agent: newscrawler\nDisallow: /x", "/x", False),
    ("2.2.4", "User-agent: newscrawler\nSitemap: https://x/s.xml\nDisallow: /x", "/x", False),
    ("2.2.4", "User-agent: a\nCrawl-delay: 3\nUser-agent: newscrawler\nDisallow: /x", "/x", False),
    ("2.2.4", "User-agent: newscrawler\nHost: x\nnonsense\n: /\nDisallow: /x", "/x", False),
    ("2.2.4", "Useragent: newscrawler\nDissallow: /x", "/x", False),
    ("2.2.4", "User-agent: newscrawler\nNoindex: /x", "/x", True),
    # a missing colon, where one word follows a key
    ("2.2.4", "User-agent newscrawler\nDisallow /x", "/x", False),
    ("2.2.4", "user agent *\ndisallow\t/x", "/x", False),
    ("2.2.4", "User-agent: *\nDisallow /x:y", "/x:y", False),
    ("2.2.4", "User-agent: *\nDisallow /x and more", "/x", True),
    ("2.2.4", "User-agent: newscrawler\nUser agents are welcome\nDisallow: /x", "/x", False),
    ("2.2.4", "User-agent: *\nDisallow: /a\u2028Allow: /a", "/a", True),
    # the form of the file: ends of lines of any kind, blanks, byte order marks
    ("2.3", "User-agent: *\rDisallow: /x\r", "/x", False),
    ("2.3", "User-agent: *\r\nDisallow: /x\r\n", "/x", False),
    ("2.3", "\ufeffUser-agent: *\nDisallow: /x", "/x", False),
    ("2.3", "\t User-agent\t:\t* \n  Disallow : /x  ", "/x", False),
    ("2.3", "User-agent: *\nDisallow: /x\0y", "/x%00y", False),
]  # fmt: skip


@pytest.mark.parametrize(("section", "text", "path", "allowed"), CASES)
def test_the_rules_of_rfc_9309_hold(section: str, text: str, path: str, *, allowed: bool) -> None:
    rules = parse_robots(text.encode())

    assert rules.allows(f"https://www.example.org{path}") is allowed, section


#: (status of the answer, body, whether /x is allowed)
ACCESS = [
    (200, "User-agent: *\nDisallow: /x", False),
    (206, "User-agent: *\nDisallow: /x", False),
    (204, "", True),
    (301, "User-agent: *\nDisallow: /x", True),
    (400, "", True),
    (401, "User-agent: *\nDisallow: /x", True),
    (403, "", True),
    (404, "User-agent: *\nDisallow: /x", True),
    (410, "", True),
    (429, "", False),
    (500, "", False),
    (503, "User-agent: *\nAllow: /", False),
    (599, "", False),
    (200, "<!doctype html><p>User-agent: *<br>\nDisallow: /", False),
    (200, "<!-- cached --><html>\nUser-agent: *\nDisallow: /", False),
    (200, '<?xml version="1.0"?>\nUser-agent: *\nDisallow: /', False),
    (200, "<div>User-agent: *</div><div>Disallow: /x&amp;y</div><div>Disallow: /x</div>", False),
    (200, "User-agent: *<br />Disallow: /x<br />", False),
    (200, "<html><title>User-agent: *</title><script>\nUser-agent: *\nDisallow: /\n</script><p>Not found", True),
    (200, "<!doctype html><p>A robots.txt has lines such as User-agent: * and Disallow: /x.", True),
]


@pytest.mark.parametrize(("status", "body", "allowed"), ACCESS)
def test_what_an_answer_allows(status: int, body: str, *, allowed: bool) -> None:
    entry = RobotsEntry.of(read_answer(ASKED, status, body.encode()))

    assert entry.allows("https://a.example/x") is allowed


@pytest.mark.parametrize(
    ("cache_control", "minutes"),
    [
        (None, 60),
        ("max-age=86400", 60),
        ("public, max-age=1800", 30),
        ("max-age=5", 10),
        ("no-cache", 10),
        ("max-age=x", 60),
        ('private="a", s-maxage=60', 60),
    ],
)
def test_an_answer_holds_for_an_hour_or_as_long_as_it_says_but_is_not_asked_for_all_the_time(
    cache_control: str | None, minutes: int
) -> None:
    file = read_answer(ASKED, 200, b"", cache_control=cache_control)

    assert is_valid(file, NOW + timedelta(minutes=minutes, seconds=-1))
    assert not is_valid(file, NOW + timedelta(minutes=minutes))
    assert not is_valid(file, NOW - timedelta(hours=25))


def test_an_origin_without_an_answer_is_asked_again_with_growing_pauses_and_all_is_forbidden_until_it_answers() -> None:
    file: OriginFile | None = None
    now, pauses = NOW, []
    for _ in range(16):
        file = record_failure(replace(ASKED, asked_at=now), "no answer", before=file)
        pauses.append((file.expires_at - now).total_seconds())
        assert not RobotsEntry.of(file).allows("https://a.example/x")
        now = file.expires_at
    answered = read_answer(replace(ASKED, asked_at=now), 200, b"", before=file)

    assert pauses[:4] == [2.0, 4.0, 8.0, 16.0]
    assert pauses[-1] == LONGEST_PAUSE.total_seconds()
    assert RobotsEntry.of(answered).allows("https://a.example/x")
    assert answered.failures == 0


def test_a_tdmrep_json_without_an_answer_applies_as_it_was_and_is_asked_for_again_in_an_hour() -> None:
    asked = replace(ASKED, url="https://a.example/.well-known/tdmrep.json", kind=OriginFileKind.TDM)
    rules = b'[{"location": "/", "tdm-reservation": 1}]'

    known = read_answer(asked, 200, rules)
    failed = read_answer(asked, 503, b"", before=known)

    assert (known.body, known.expires_at - NOW) == (rules, timedelta(hours=24))
    assert (failed.body, failed.because, failed.expires_at - NOW) == (rules, "answers 503", timedelta(hours=1))
    assert read_answer(asked, 404, b"", before=failed).body is None


def test_an_origin_that_says_when_is_asked_then() -> None:
    file = read_answer(ASKED, 429, b"", wait_seconds=700.0)

    assert file.expires_at == NOW + timedelta(seconds=700)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("User-agent: *\nCrawl-delay: 7", 7.0),
        ("User-agent: *\nCrawl-delay: 0.5\n", 0.5),
        ("User-agent: *\nCrawl-delay: ten", None),
        ("User-agent: *\nCrawl-delay: -3", None),
        ("User-agent: *\nCrawl-delay: nan", None),
        ("User-agent: *\nRequest-rate: 1/5", 5.0),
        ("User-agent: *\nRequest-rate: 2/1m", 30.0),
        ("User-agent: *\nRequest-rate: 1/10s 0600-0845", 10.0),
        ("User-agent: *\nRequest-rate: 0/5", None),
        ("User-agent: *\nRequest-rate: 9000/1d", 9.6),
        ("User-agent: *\nCrawl delay: 3", 3.0),
        ("User-agent: *\nCrawl-delay 3", 3.0),
        ("User-agent: a\nCrawl-delay: 3\nUser-agent: newscrawler\nCrawl-delay: 5\nDisallow: /x", 5.0),
        ("User-agent: *\nCrawl-delay: 2\nRequest-rate: 1/9", 9.0),
        ("User-agent: newscrawler\nDisallow: /x\nUser-agent: *\nCrawl-delay: 9", None),
        ("User-agent: newscrawler\nCrawl-delay: 4\nUser-agent: *\nCrawl-delay: 9", 4.0),
        ("Crawl-delay: 4", None),
    ],
)
def test_a_crawl_delay_is_read(text: str, seconds: float | None) -> None:
    assert parse_robots(text.encode()).asks_seconds == seconds


def test_a_crawl_delay_is_kept_up_to_a_limit_and_the_rest_is_told() -> None:
    entry = RobotsEntry.of(read_answer(ASKED, 200, b"User-agent: *\nCrawl-delay: 3600"))

    assert entry.rules.delay_seconds == LONGEST_CRAWL_DELAY_SECONDS
    assert entry.capped == "https://a.example/robots.txt asks for 3600 s between requests; 120 s are kept"


def test_what_lies_behind_500_kib_is_left_out_with_the_line_that_is_cut() -> None:
    head = b"User-agent: *\nDisallow: /first\n" + b"# padding\n" * 51_196
    cut = head + b"Disallow: /" + b"a" * 600 + b"\nDisallow: /last\n"

    rules = parse_robots(cut)

    assert len(head) < MOST_ROBOTS_BYTES < len(head) + 600
    assert [rules.allows(f"http://a.example{path}") for path in ("/first", "/last", "/" + "a" * 600)] == [False, True, True]


@pytest.mark.parametrize(("behind", "allowed"), [(b"", False), (b"\nAllow: /first", False), (b"b", True), (b"\r\n", False)])
def test_a_line_that_ends_with_the_first_500_kib_counts(behind: bytes, *, allowed: bool) -> None:
    line = b"Disallow: /first"
    head = b"User-agent: *\n" + b"#" * (MOST_ROBOTS_BYTES - len(line) - 15) + b"\n" + line

    rules = parse_robots(head + behind)

    assert len(head) == MOST_ROBOTS_BYTES
    assert rules.allows("http://a.example/first") is allowed


def test_sitemaps_are_told_wherever_they_stand() -> None:
    rules = parse_robots(b"Sitemap: https://a.example/1.xml\nUser-agent: b\nDisallow: /\nsitemap: https://a.example/2.xml\n")

    assert rules.sitemaps == ("https://a.example/1.xml", "https://a.example/2.xml")


def test_a_thousand_mutated_files_never_raise() -> None:
    chance = Random(9309)
    seeds = [text.encode() for _, text, _, _ in CASES] + [
        bytes(range(256)),
        b"User-agent: *\nCrawl-delay: 1e999\nRequest-rate: 9/0h",
    ]
    pieces = [
        b"\n",
        b"\r",
        b"\0",
        b":",
        b"*",
        b"$",
        b"%",
        b"%zz",
        b"%F",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"#",
        b"?",
        b"User-agent: *",
        b"Disallow: ",
        b"\xf0\x9f",
        b"//[",
        b"Crawl-delay: 9e9",
        b"Request-rate: 1/0",
        b"<!--",
        b"<html",
    ]

    for _ in range(1000):
        data = bytearray(chance.choice(seeds) + b"\n" + chance.choice(seeds))
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(data) + 1)
            match chance.randrange(4):
                case 0:
                    data[at:at] = chance.choice(pieces)
                case 1:
                    del data[at : at + chance.randrange(9)]
                case 2:
                    data[at:at] = chance.randbytes(5)
                case _:
                    data += data[at : at + 40] * 3
        rules = parse_robots(bytes(data))
        for path in ("/", "/x?a=%2", "/%", "/ツ", "/" + "a" * 300):
            assert rules.allows(f"http://a.example{path}") in {True, False}
        assert rules.delay_seconds >= 0.0


def test_many_user_agents_times_many_delays_take_no_more_than_a_file_as_long() -> None:
    agents = b"".join(b"User-agent: a%d\n" % number for number in range(5_000))
    body = agents + b"User-agent: newscrawler\n" + b"Crawl-delay: 3\nDisallow: /x\n" * 5_000
    assert 200_000 < len(body) < 250_000

    seconds = cpu_seconds(lambda: parse_robots(body))
    tracemalloc.start()
    try:
        rules = parse_robots(body)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert rules.asks_seconds == 3.0
    assert not rules.allows("http://a.example/x")
    assert seconds < 0.5
    assert peak < 20 * 2**20


@pytest.mark.parametrize(
    ("text", "at", "seconds"),
    [
        ("User-agent: *\nVisit-time: 0200-0630", (3, 0), 0.0),
        ("User-agent: *\nVisit-time: 0200-0630", (2, 0), 0.0),
        ("User-agent: *\nVisit-time: 0200-0630", (6, 30), 19.5 * 3600),
        ("User-agent: *\nVisit-time: 0200 0630", (1, 30), 1800.0),
        ("User-agent: *\nVisit time: 2200-0600", (23, 0), 0.0),
        ("User-agent: *\nVisit-time: 2200-0600", (5, 59), 0.0),
        ("User-agent: *\nVisit-time: 2200-0600", (21, 0), 3600.0),
        ("User-agent: *\nVisit-time: 0600-0600", (12, 0), 0.0),
        ("User-agent: *\nVisit-time: 2500-0600", (12, 0), 0.0),
        ("User-agent: other\nVisit-time: 0200-0630", (12, 0), 0.0),
    ],
)
def test_the_hours_of_visits_are_read(text: str, at: tuple[int, int], seconds: float) -> None:
    now = datetime(2026, 11, 21, *at, tzinfo=UTC)

    assert parse_robots(text.encode()).opens_in(now) == seconds


def test_patterns_that_are_made_to_take_long_do_not() -> None:
    rules = parse_robots(b"User-agent: *\n" + b"Disallow: /" + b"*a" * 2000 + b"b$\n")
    comments = parse_robots(b"<!---->" * 50_000 + b"\nUser-agent: *\nDisallow: /")

    seconds = cpu_seconds(lambda: rules.allows("http://a.example/" + "a" * 4000))

    assert seconds < 0.5
    assert not comments.allows("http://a.example/x")
