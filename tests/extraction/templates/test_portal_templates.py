"""A template is a file that people edit and pass on: it survives the way there and back, and is read with suspicion."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from portal_pages import headline, page, paragraphs_of
from stopwatch import cpu_seconds

from newscrawler.errors import ConfigError
from newscrawler.extraction import (
    ExtractionOptions,
    ExtractionState,
    detect_body,
    finish,
    read_dates,
    read_metadata,
    read_record,
)
from newscrawler.extraction.templates import PortalTemplate, learn_template, read_selector
from newscrawler.page import Document


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    documents = [Document.parse(page(number), f"https://valley.example/{number}") for number in range(1, 6)]
    stored: dict[str, Any] = json.loads(learn_template(documents).to_json())
    return stored


LAYOUT = {"name": "layout 1", "pages": 3, "shortest": 100, "longest": 900}


def read(template: dict[str, Any], **changes: Any) -> PortalTemplate:
    return PortalTemplate.from_json(json.dumps(template | changes), "valley.json")


def test_a_template_reads_pages_as_before_and_is_written_as_before(template: dict[str, Any]) -> None:
    learned = read(template)

    again = PortalTemplate.from_json(learned.to_json())

    unseen = Document.parse(page(9))
    assert again == learned
    assert again.apply(unseen).found.body == learned.apply(unseen).found.body
    assert again.to_json() == learned.to_json()


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("method", "trinity", 'method is "trinity"'),
        ("version", 99, "version is 99.*learn it again"),
        ("version", 1, "version is 1.*learn it again"),
        ("layouts", {}, "layouts is a table of 0; input should be a valid array"),
        ("layouts", [{}] * 50, "layouts\\[0\\].name is missing"),
        ("layouts", [LAYOUT | {"labelled": "yes"}], 'layouts\\[0\\].labelled is "yes"'),
        ("lines", [["x", -1]], "lines\\[0\\]\\[1\\] is -1"),
        ("lines", [["x" * 5000, 1]], "lines\\[0\\]\\[0\\]"),
        ("lines", [["x", 2]] * 5000, "lines is a list of 5000; tuple should have at most 1500 items"),
        ("overrides", {"title": "h1"}, "overrides.title is 'h1'; it must begin with css: or xpath:"),
        ("overrides", {"price": "css: h1"}, "overrides.price.*'title', 'lead', 'body'"),
        ("provenance", {"learned_at": "yesterday"}, 'learned_at is "yesterday"'),
        ("provenance", {"learned_at": "2026-02-01T00:00:00"}, "timezone"),
        ("fields", {"title": [["title"]]}, "fields.title\\[0\\]\\[1\\] is missing"),
    ],
)
def test_what_is_not_allowed_is_named_with_file_key_and_value(template: dict[str, Any], path: str, value: Any, told: str) -> None:
    with pytest.raises(ConfigError, match=f"valley.json: .*{told}|valley.json: {told}"):
        read(template, **{path: value})


@pytest.mark.parametrize("amount", [-0.1, 1e10, "1", None, True])
def test_an_amount_of_text_is_a_number_within_bounds(template: dict[str, Any], amount: Any) -> None:
    layout = template["layouts"][0] | {"places": {"p|p<div": [amount, 1]}}

    with pytest.raises(ConfigError, match=re.escape("layouts[0].places[p|p<div][0] is")):
        read(template, layouts=[layout])


@pytest.mark.parametrize("text", ["", "[]", "7", "not JSON", "[" * 100_000, '{"method": NaN}', "{" + " " * 4_000_001])
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"valley\.json"):
        PortalTemplate.from_json(text, "valley.json")


def test_a_hostile_template_is_applied_in_bounded_time(template: dict[str, Any]) -> None:
    places = {f"p|div.a{chr(97 + n % 26) * (n % 40 + 1)}<div.{n}x<div<div": [9, 1] for n in range(2000)}
    hostile = read(
        template,
        layouts=[template["layouts"][0] | {"places": places}] * 8,
        lines=[[f"{n} line of the portal that recurs", 9] for n in range(1500)],
        overrides={"title": "css: " + " ".join(["div"] * 12), "body": "xpath: " + "//div" * 12},
    )
    document = Document.parse("<div class=a>" * 3000 + "<p>word and word.</p>" * 3000)

    assert cpu_seconds(lambda: hostile.apply(document)) < 3


# ------------------------------------------------------------------------------------ overrides by hand


def drafted(template: PortalTemplate, html: str) -> ExtractionState:
    draft = ExtractionState(page=Document.parse(html, "https://valley.example/9"))
    reading = ExtractionOptions(template=template)
    detect_body(draft, reading)
    read_metadata(draft, reading)
    read_dates(draft, reading)
    finish(draft, reading)
    return draft


def test_fields_placed_by_hand_go_before_all_others(template: dict[str, Any]) -> None:
    html = page(9, author="Nina Lang").replace(
        "<h1",
        "<div class=over>The true headline</div><em class=cat>Valley life</em><b class=when>5 March 2026</b>"
        "<img class=lead src=/big.jpg><a class=tag>bridge</a><a class=tag>mayor</a><time class=upd datetime=2026-03-06></time><h1",
    )
    placed = read(
        template,
        overrides={
            "title": "css: div.over", "section": "xpath: //em[@class='cat']", "authors": "css: .story-meta > .written-by",
            "date": "xpath: //b[contains(@class, 'whe')]", "body": "css: div.story-text", "description": "css: h1",
            "image": "css: img.lead", "keywords": "css: a.tag", "modified": "css: time.upd",
        },
    )  # fmt: skip

    record = read_record(html, "https://valley.example/9", reading=ExtractionOptions(template=placed))

    assert record["description"] == headline(9)
    assert record["image_url"] == "https://valley.example/big.jpg"
    assert record["keywords"] == ["bridge", "mayor"]
    assert record["modified_at"].startswith("2026-03-06")
    assert record["title"] == "The true headline"
    assert record["section"] == "Valley life"
    assert record["authors"] == ["Nina Lang"]
    assert (record["date"], record["published_source"]) == ("2026-03-05", "override")
    assert record["body"].split("\n") == paragraphs_of(9)


def test_an_override_that_finds_nothing_changes_nothing_and_is_reported(template: dict[str, Any]) -> None:
    broken = read(template, overrides=dict.fromkeys(("title", "lead", "body", "date", "authors", "section"), "css: .nowhere"))

    draft = drafted(broken, page(9))

    assert draft.body is not None
    assert draft.explained is not None
    assert draft.body.headline == headline(9)
    assert draft.body.text.split("\n") == paragraphs_of(9)
    assert sorted(draft.explained.broken) == ["authors", "body", "date", "lead", "section", "title"]


PAGE = Document.parse(
    "<div id=top class='a b'><p>1</p><section><p class=x data-k=v>2</p></section></div>"
    "<div><p lang=en-GB>3</p><a title=t>4</a></div>"
)


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("css: p", "123"), ("css: div p", "123"), ("css: div > p", "13"), ("css: div>p", "13"), ("css: #top p", "12"),
        ("css: .a.b p", "12"),
        ("css: p.x, a", "24"), ("css: [data-k=v]", "2"), ('css: p[lang^="en"]', "3"), ("css: p[lang$=GB]", "3"),
        ("css: [lang*=n-G]", "3"),
        ("css: [class~=b] section p", "2"), ("css: a::attr(title)", "4"), ("css: *#top > *", "12"), ("xpath: //p", "123"),
        ("css: :root > body > div > p", "13"),
        ("xpath: /html/body/div/p", "13"), ("xpath: //div[@id='top']//p", "12"), ("xpath: //p[@class and @data-k='v']", "2"),
        ("xpath: //*[contains(@lang, 'GB')]", "3"), ("xpath: //p[starts-with(@lang, 'en')]/@lang", "3"),
    ],
)  # fmt: skip
def test_selectors_find_what_css_and_xpath_would(selector: str, found: str) -> None:
    elements = read_selector(selector, "here").find(PAGE.root)

    assert "".join("".join(element.itertext()) for element in elements) == found


@pytest.mark.parametrize(
    "selector",
    [
        "", "h1", "css:", "css: ", "jq: .x", "css: p:not(.x)", "css: p:has(a)", "css: > p", "css: p >", "css: p > > a",
        "css: p + a",
        "css: " + "p " * 13, "css: " + "x" * 301, "css: " + ",".join(["p"] * 7), "css: p" + ".a" * 7, "css: [x", "xpath: p",
        "css: p::attr(1)", "css: p::attr(lang class)", "css: p::attr()",
        "xpath: //p[count(//p) > 3]", "xpath: //p[.//a[.//b]]", "xpath: //p[1]", "xpath: //p/ancestor::div", "xpath: //p | //a",
        "xpath: document('file:///etc/passwd')", "xpath: " + "//p" * 13, "xpath: //p[re:test(., '(a+)+')]",
        "xpath: //p//@lang", "xpath: //p[@a='x", "css: p:first-child",
    ],
)  # fmt: skip
def test_a_selector_that_could_cost_more_than_one_walk_is_refused(selector: str) -> None:
    with pytest.raises(ConfigError, match=r"valley: overrides\.body"):
        read_selector(selector, "valley: overrides.body")


@pytest.mark.parametrize("selector", ["css: p[lang=1]", "css: p[data-href^=/x]"])
def test_a_value_that_wants_quotes_is_refused_with_that_advice(selector: str) -> None:
    with pytest.raises(ConfigError, match="put it in quotes"):
        read_selector(selector, "valley: overrides.body")


@pytest.mark.parametrize("selector", ["css: p::attr(LANG)", "xpath: //p/@LANG"])
def test_an_attribute_to_be_read_is_found_however_its_name_is_written(selector: str) -> None:
    assert read_selector(selector, "here").attribute == "lang"


def test_a_selector_takes_time_by_the_size_of_the_page_only() -> None:
    deep = Document.parse("<div class=x>" * 4000 + "<p>text")
    selector = read_selector("css: " + " ".join(["div.x"] * 12), "here")

    assert cpu_seconds(lambda: selector.find(deep.root)) < 0.5
