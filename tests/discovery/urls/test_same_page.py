import pytest

from newscrawler.discovery.urls import Scope, TwinRules, accept_canonical, is_other_form, make_same_page_key

_SCOPE = Scope.of(["https://example.com/"])


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/sport/a-b-c",
        "https://www.example.com/sport/a-b-c/",
        "https://m.example.com/sport/a-b-c",
        "https://www.m.example.com/sport/a-b-c",
        "https://amp.example.com/sport/a-b-c",
        "https://example.com/sport/a-b-c/amp/",
        "https://example.com/amp/sport/a-b-c",
        "https://example.com/sport/a-b-c/print",
        "https://example.com/sport/a-b-c?outputType=amp",
        "https://example.com/sport/a-b-c/index.html",
        "https://example.com/sport/a-b-c?utm_source=x#y",
    ],
)
def test_forms_of_a_page_share_a_key(url):
    assert make_same_page_key(url) == "example.com/sport/a-b-c"


def test_other_pages_have_other_keys():
    urls = ["https://example.com/" + path for path in ("a", "b", "a/b", "a?p=1", "a?p=2", "amp", "print-is-dead")]

    assert len({make_same_page_key(url) for url in urls}) == len(urls)
    assert make_same_page_key("mailto:x@example.com") is None
    assert make_same_page_key("https://m.cz/") == "m.cz"


@pytest.mark.parametrize(
    ("url", "stated"),
    [
        ("https://example.com/?p=12", "https://example.com/2026/09/a-b-c/"),
        ("https://example.com/a-b-c?from=menu", "https://example.com/a-b-c"),
        ("https://example.com/a-b-c/amp/", "https://example.com/a-b-c/"),
        ("https://example.com/a-b-c/2/", "https://example.com/a-b-c/"),
        ("https://m.example.com/a-b-c", "https://www.example.com/a-b-c"),
        ("https://example.com/sport/a-b-c", "https://example.com/culture/a-b-c"),
    ],
)
def test_what_can_be_the_page_is_believed(url, stated):
    assert accept_canonical(url, stated, _SCOPE) == stated


@pytest.mark.parametrize(
    ("url", "stated"),
    [
        ("https://example.com/sport/a-b-c", "https://example.com/"),
        ("https://example.com/sport/a-b-c", "https://example.com/sport/"),
        ("https://example.com/sport/a-b-c", "https://other.org/sport/a-b-c"),
        ("https://example.com/sport/a-b-c", "mailto:x"),
        ("https://example.com/sport/a-b-c", None),
        ("https://example.com/?p=12", "https://example.com/"),
        ("https://example.com/a", "https://example.com/a?p=12"),
    ],
)
def test_what_cannot_be_the_page_is_not_believed(url, stated):
    assert accept_canonical(url, stated, _SCOPE) is None


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("m.example.com/a", True),
        ("www.m.example.com/a", True),
        ("example.com/amp/a", True),
        ("example.com/a/amp/", True),
        ("example.com/a/print", True),
        ("example.com/a?outputType=amp", True),
        ("www.example.com/a/", False),
        ("example.com/a/index.html", False),
        ("example.com/print-is-dead", False),
        ("m.cz/a", False),
    ],
)
def test_an_address_tells_that_it_is_another_form(path, other):
    assert is_other_form(f"https://{path}") is other


def learn(rules: TwinRules, *articles: tuple[str, ...]) -> TwinRules:
    """Note all addresses of some articles."""
    for number, urls in enumerate(articles, 1):
        for url in urls:
            rules.note_article(url, number, {})
    return rules


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://a.cz/us/news/{}.html", "https://a.cz/uk/news/{}.html"), ("http://www.a.cz/{}", "https://m.a.cz/{}"),
        ("https://a.cz/zpravy/{}.html", "https://a.cz/tisk/{}"), ("https://a.cz/{}/", "https://a.cz/{}/imprimir/"),
        ("https://a.cz/{}-7", "https://a.cz/druck.php?artikel={}-7"), ("https://a.cz/{}", "https://a.cz/{}?pisma=velke"),
    ],
)  # fmt: skip
def test_two_articles_with_the_same_two_forms_make_a_rule(first: str, second: str) -> None:
    names = ("most-se-opravi", "skola-bude-mit-hriste", "rada-rozhodla-o-nadrazi", "knihovna-opet-otevrena")
    forms = [(first.format(name), second.format(name)) for name in names]
    rules = learn(TwinRules(), *forms[:2], forms[2][:1])
    backwards = learn(TwinRules(), *forms[:2], forms[2][1:])

    assert (rules.is_twin(forms[2][1]), backwards.is_twin(forms[2][0])) == (True, True)
    assert [rules.is_twin(url) for url in (*forms[2][:1], *forms[3])] == [False] * 3
    later = TwinRules()
    later.load(rules.as_lists())
    assert learn(later, forms[3][:1]).is_twin(forms[3][1])


def test_addresses_that_differ_in_numbers_or_by_article_make_no_rule() -> None:
    numbers = learn(
        TwinRules(),
        *((f"https://a.cz/{day}/menu-{name}", f"https://a.cz/{day}1/menu-{name}") for day, name in ((1, "a"), (1, "b"))),
    )
    single = learn(TwinRules(), ("https://a.cz/us/x", "https://a.cz/uk/x"), ("https://a.cz/us/y",))

    assert numbers.as_lists() == single.as_lists() == []
    assert not single.is_twin("https://a.cz/uk/y")


def test_a_rule_that_joins_two_articles_is_given_up() -> None:
    rules = learn(
        TwinRules(), *((f"https://a.cz/sport/{name}", f"https://a.cz/zpravy/{name}") for name in "xy"), ("https://a.cz/sport/z",)
    )
    rules.note_article("https://a.cz/zpravy/z", 9, {})

    assert rules.as_lists() == []
    assert not learn(rules, ("https://a.cz/zpravy/x",), (), ("https://a.cz/sport/v",)).is_twin("https://a.cz/zpravy/v")


def test_declared_addresses_are_twins_once_two_were_unless_one_was_not() -> None:
    rules = TwinRules()
    for number in (1, 2, 3):
        rules.note_article(f"https://a.cz/us/{number * 77}", number, {f"https://a.cz/uk/{number * 99}": "hreflang"})
    believed = []
    for number in (1, 2):
        believed.append(rules.is_twin("https://a.cz/uk/297"))
        rules.note_article(f"https://a.cz/uk/{number * 99}", number, {})

    assert [*believed, rules.is_twin("https://a.cz/uk/297")] == [False, False, True]
    rules.note_article("https://a.cz/uk/297", 4, {})
    rules.note_article("https://a.cz/us/1", 5, {"https://a.cz/uk/2": "hreflang"})
    assert not rules.is_twin("https://a.cz/uk/2")


NUMBERED = [
    (f"https://a.cz/zpravy/{name}-{number}.html", f"https://a.cz/zpravy/{changed}-{number}.html")
    for number, name, changed in (
        (40211, "most-se-letos-opravi", "oprava-mostu-zacina"), (40248, "skola-bude-mit-hriste", "deti-dostanou-hriste"),
        (40285, "rada-rozhodla-o-nadrazi", "nadrazi-se-zbori"), (40322, "knihovna-opet-otevrena", "knihovna-znovu-pujcuje"),
    )
]  # fmt: skip


def test_numbers_tell_articles_apart_once_three_have_other_addresses_with_theirs() -> None:
    rules = learn(TwinRules(), *NUMBERED[:3], NUMBERED[3][:1])

    assert rules.is_twin(NUMBERED[3][1])
    assert not rules.is_twin("https://a.cz/zpravy/divadlo-hraje-na-namesti-40359.html")
    assert not rules.is_twin("https://a.cz/rubrika/40322/")  # of another pattern
    assert not learn(TwinRules(), *NUMBERED[:2], NUMBERED[3][:1]).is_twin(NUMBERED[3][1])


def test_numbers_that_two_articles_share_tell_nothing() -> None:
    rules = learn(TwinRules(), *NUMBERED[:3], NUMBERED[3][:1])
    rules.note_article("https://a.cz/zpravy/jiny-clanek-o-divadle-40211.html", 99, {})

    assert rules.patterns == []
    assert not rules.is_twin(NUMBERED[3][1])


def test_numbers_of_headlines_tell_no_articles_apart() -> None:
    named = [
        (f"https://a.cz/domaci/{name}", f"https://a.cz/zpravy/{name}")
        for name in ("stavba-za-5000-korun", "pres-8100-lidi-prislo", "most-za-7700-korun", "rada-rozhodla", "deti-maji-hriste")
    ]
    rules = learn(TwinRules(), *named)

    assert not rules.is_twin("https://a.cz/zpravy/opravy-za-5000-korun")
    assert rules.patterns == []


def test_articles_of_earlier_crawls_have_their_twins_too() -> None:
    rules = TwinRules()
    rules.load([], learn(TwinRules(), *NUMBERED[:3]).patterns)
    before = rules.is_twin(NUMBERED[3][1])
    assert rules.patterns  # a crawl asks for the stored articles because of them
    rules.recall({NUMBERED[3][0]: 7})

    assert not before
    assert rules.is_twin(NUMBERED[3][1])
