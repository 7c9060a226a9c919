"""What holds for the template that the extractor uses."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from portal_pages import PROMOTION, headline, listing, page, paragraphs_of, sentence
from stopwatch import cpu_seconds

from newscrawler import extract, extract_many
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction import ExtractionOptions, read_record
from newscrawler.extraction.body.extractor import BodyExtractor, Examination, find_body, load_default_extractor
from newscrawler.extraction.templates import PortalTemplate, learn_template
from newscrawler.page import Document


def documents(numbers: range, **changes: object) -> list[Document]:
    return [Document.parse(page(number, **changes), f"https://valley.example/{number}") for number in numbers]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def template() -> PortalTemplate:
    return learn_template([*documents(range(1, 6)), Document.parse(listing(1), "https://valley.example/news")])


def test_a_line_that_recurs_is_left_out_though_the_page_alone_does_not_tell(template: PortalTemplate) -> None:
    unseen = Document.parse(page(9), "https://valley.example/9")
    alone = find_body(unseen)

    applied = template.apply(unseen)

    assert alone is not None
    assert PROMOTION in alone.text
    assert applied.found.body is not None
    assert applied.found.body.text.split("\n") == paragraphs_of(9)
    assert applied.explained.used == "template"
    assert applied.explained.boilerplate > 0


def test_a_line_of_one_learned_page_alone_stays_for_it_may_be_the_text_of_an_article() -> None:
    applied = learn_template(documents(range(1, 2))).apply(Document.parse(page(9)))

    assert applied.found.body is not None
    assert applied.found.body.text.split("\n") == [*paragraphs_of(9), PROMOTION]
    assert applied.explained.used == "default"


def test_what_only_two_versions_of_one_article_share_is_no_boilerplate() -> None:
    def version(number: int) -> Document:
        texts = "".join(f"<p>{text}</p>" for text in (*paragraphs_of(7, 3), *paragraphs_of(70 + number, 3)))
        before, after = page(number).split(f"<p>{paragraphs_of(number)[0]}", 1)
        return Document.parse(f"{before}{texts}<p>{after.split(paragraphs_of(number)[-1], 1)[1]}")

    learned = learn_template([version(1), version(2), *documents(range(11, 14))])

    assert PROMOTION in [line.text for line in learned.lines]
    applied = learned.apply(version(3))
    assert applied.found.body is not None
    assert applied.found.body.text.split("\n")[:3] == paragraphs_of(7, 3)
    assert PROMOTION not in applied.found.body.text


def test_the_article_that_was_learned_from_loses_nothing() -> None:
    learned = learn_template(documents(range(1, 3)))

    applied = learned.apply(Document.parse(page(1), "https://valley.example/1"))

    assert applied.found.body is not None
    assert applied.found.body.text.split("\n")[:6] == paragraphs_of(1)


def reading(learned: PortalTemplate) -> ExtractionOptions:
    return ExtractionOptions(required=frozenset({"title", "body"}), template=learned)


@pytest.mark.parametrize("quoted", [(0,), (1,), (0, 1)], ids=["first", "second", "both"])
@pytest.mark.parametrize("day", ["", "<time>3 March 2026</time>"], ids=["undated", "dated"])
def test_paragraphs_with_which_other_pages_announce_the_article_stay_in_it(quoted: tuple[int, ...], day: str) -> None:
    texts = "".join(f"<p>{paragraphs_of(9)[number]}</p>" for number in quoted)
    teaser = f"<div class=side><h4><a href='/9'>{headline(9)}</a></h4>{day}{texts}</div><div class=foot>"
    others = [Document.parse(page(number).replace("<div class=foot>", teaser)) for number in range(1, 9)]

    applied = learn_template(others).apply(Document.parse(page(9), "https://valley.example/9"))

    assert applied.explained.used == "template"
    assert applied.found.body is not None
    assert applied.found.body.text.split("\n") == paragraphs_of(9)


def test_an_announced_article_takes_the_teasers_of_others_and_their_headlines_with_it_when_it_is_forgotten() -> None:
    teaser = f"<div class=side><h4><a href='/9'>{headline(9)}</a></h4><p>{paragraphs_of(9)[0]}</p></div><div class=foot>"
    learned = learn_template([Document.parse(page(number).replace("<div class=foot>", teaser)) for number in range(1, 9)])
    assert [line.below for line in learned.lines if line.text == paragraphs_of(9)[0]] == [headline(9)]

    forgotten = learned.remove_article(["https://valley.example/9"], [headline(9)])

    assert headline(9) not in forgotten.to_json()
    assert PROMOTION in [line.text for line in forgotten.lines]


def test_the_record_tells_that_the_template_was_used(template: PortalTemplate) -> None:
    article = extract(page(9), "https://valley.example/9", template=template)

    assert article.method == "template"
    assert article.title == headline(9)
    assert 0.5 < article.confidence <= 1


def test_a_page_of_another_layout_is_read_by_itself(template: PortalTemplate) -> None:
    texts = "".join(f"<p>{text}</p>" for text in paragraphs_of(9))
    title = headline(9)
    html = f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1><section id=text>{texts}</section></main>"
    alone = find_body(Document.parse(html))

    applied = template.apply(Document.parse(html))

    assert alone is not None
    assert applied.found.body is not None
    assert applied.found.body.text == alone.text
    assert applied.explained.used == "default"
    assert not applied.explained.explained


@pytest.mark.parametrize("listings", [1, 3])
def test_pages_refused_by_mistake_refuse_no_others(monkeypatch: pytest.MonkeyPatch, listings: int) -> None:
    news = documents(range(1, 5))
    others = documents(range(11, 11 + listings), container="live-report")
    unseen = Document.parse(page(19, container="live-report"), "https://valley.example/19")
    refused_as_listing(monkeypatch, {unseen.url, *(document.url for document in news)})

    learned = learn_template([*news, *others])

    assert [layout.pages for layout in learned.layouts] == [4]
    assert learned.apply(unseen).found.refusal is None


def refused_as_listing(monkeypatch: pytest.MonkeyPatch, articles: set[str | None]) -> None:
    """Let the page-level extractor take other pages than these for listings."""
    examine = BodyExtractor.examine

    def examined(self: BodyExtractor, document: Document, prior: float = 0.0) -> Examination:
        found = examine(self, document, prior)
        if document.url not in articles:
            found.refusal = PageError(PageReason.LISTING, "by mistake")
        return found

    monkeypatch.setattr(BodyExtractor, "examine", examined)


def test_a_layout_counts_from_three_pages_on_unless_fewer_articles_were_learned() -> None:
    def template_of(news: int, live: int) -> str | None:
        pages = [*documents(range(1, 1 + news)), *documents(range(11, 11 + live), container="live-report")]
        return learn_template(pages).apply(Document.parse(page(9, container="live-report"))).explained.template

    assert template_of(5, 3) == "layout 2"
    assert template_of(5, 2) != "layout 2"
    assert template_of(0, 2) == "layout 1"


def test_two_layouts_are_told_apart() -> None:
    news = documents(range(1, 4))
    live = documents(range(11, 14), container="live-report")

    learned = learn_template([*news, *live])

    assert [layout.pages for layout in learned.layouts] == [3, 3]
    found = {learned.apply(Document.parse(page(9, container=name))).explained.template for name in ("story-text", "live-report")}
    assert len(found) == 2


def test_missing_authors_are_read_where_the_other_pages_have_theirs() -> None:
    def signed_below(article: int, name: str, head: str = "") -> str:
        html, place = page(article, head=head), "<h3>More</h3>"
        assert place in html
        return html.replace(place, f"<div class=q7>{name}</div>{place}")

    people = ["JANA DVORAK", "PETER HORVAT", "MARIA KOWAL", "TOM BERGER"]
    pages = [signed_below(n, name, f"<meta name=author content='{name}'>") for n, name in enumerate(people, start=1)]
    learned = learn_template([Document.parse(html) for html in pages])

    alone = read_record(signed_below(9, "NINA LANG"), reading=ExtractionOptions(required=frozenset({"title", "body"})))
    record = read_record(signed_below(9, "NINA LANG"), reading=reading(learned))

    assert alone["authors"] == []
    assert record["authors"] == ["NINA LANG"]


def test_a_short_text_above_much_boilerplate_is_an_article_still(template: PortalTemplate) -> None:
    short = page(9, count=1).replace(f"<p>{PROMOTION}</p>", f"<p>{PROMOTION}</p>" * 9)

    applied = template.apply(Document.parse(short))

    assert applied.found.refusal is None
    assert applied.found.body is not None
    assert applied.found.body.text.split("\n") == paragraphs_of(9, 1)


def test_a_page_of_nothing_but_boilerplate_holds_no_article(template: PortalTemplate) -> None:
    wall = (
        "<html><head><title>Valley News</title></head><body><div class='page wide'><h1 class=story-title>Valley News</h1>"
        f"<div class=story-text><p>{PROMOTION}</p></div></div>"
    )

    applied = template.apply(Document.parse(wall))

    assert applied.found.refusal is not None


# ------------------------------------------------------------------------------------------------- laws


def test_learning_twice_and_reading_twice_give_the_same(template: PortalTemplate) -> None:
    again = learn_template([*documents(range(1, 6)), Document.parse(listing(1), "https://valley.example/news")])
    unseen = Document.parse(page(9))

    assert again.to_json() == template.to_json()
    assert template.apply(unseen).found.body == template.apply(unseen).found.body
    assert template.apply(unseen).explained == again.apply(unseen).explained


def test_pages_are_left_untouched(template: PortalTemplate) -> None:
    pages = documents(range(1, 4))
    before = [etree.tostring(document.root) for document in pages]

    learn_template(pages)
    template.apply(pages[0])

    assert [etree.tostring(document.root) for document in pages] == before


@pytest.mark.parametrize("html", ["", " ", "<html></html>", "<body><p> </p><script>x</script>"])
def test_an_empty_page_holds_no_article(template: PortalTemplate, html: str) -> None:
    assert template.apply(Document.parse(html)).found.refusal is not None


@pytest.mark.parametrize("tag", ["div", "span", "ul", "custom-tag"])
def test_five_thousand_nested_elements_take_less_than_two_seconds(template: PortalTemplate, tag: str) -> None:
    deep = Document.parse(f"<{tag} class=story-text>The council met on Monday. " * 5000)

    assert cpu_seconds(lambda: template.apply(deep)) < 2


@pytest.mark.parametrize("unit", ["<p>x</p>", "<div class=a{0}>{0}</div>", "<p class='story {0}'>Word {0} and more of them.</p>"])
def test_two_hundred_kilobytes_take_less_than_a_second_and_a_half(template: PortalTemplate, unit: str) -> None:
    html = "<body><div class=story-text>" + "".join(unit.format(number) for number in range(200_000 // (len(unit) + 2)))
    document = Document.parse(html)

    assert cpu_seconds(lambda: template.apply(document)) < 1.5


PIECES = st.lists(
    st.sampled_from([
        "<div class=story-text>", "</div>", "<p>", "</p>", "<a href=x>", "</a>", "<h1>", "</h1>", "<li>", "<span class='a b|c <d'>",
        "The council met on Monday. ", "one ", PROMOTION, "<x|y>", "<br>",
    ]),
    max_size=30,
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=PIECES)
def test_no_soup_of_tags_breaks_reading(template: PortalTemplate, pieces: list[str]) -> None:
    document = Document.parse("".join(pieces))
    letters = {letter for letter in "".join(map(str, document.root.itertext())) if not letter.isspace()}

    found = template.apply(document).found

    assert found.refusal is not None or found.body is not None
    if found.body is not None:
        assert {letter for letter in found.body.text if not letter.isspace()} <= letters


def test_what_is_agreed_costs_no_more_than_reading_the_page_alone() -> None:
    learned = learn_template(documents(range(1, 12), count=30, promoted=False))
    pages = [page(number, count=30, promoted=False) for number in range(20, 40)]
    for html in pages:
        learned.apply(Document.parse(html))

    rounds = [
        (
            cpu_seconds(lambda: [load_default_extractor().examine(Document.parse(html)) for html in pages]),
            cpu_seconds(lambda: [learned.apply(Document.parse(html)) for html in pages]),
        )
        for _ in range(3)
    ]
    alone, applied = (min(times) for times in zip(*rounds, strict=True))

    assert applied < 1.3 * alone


VILLAGES = ("Alm", "Birk", "Cobb", "Dell", "Elm", "Fern", "Gorse", "Hill", "Isle", "Jura")
NAMES = {number: f"Eva Novak of {name}" for number, name in enumerate(VILLAGES)}


def spoken(number: int) -> str:
    return (
        f"<p>{sentence(number, 99)} Mayor <span class=name>{NAMES[number]}</span> spoke at length in the old town hall. "
        "<a href='/x'>A report<span class=for-ears>, opens in a new window</span></a> tells the rest of it.</p>"
    )


def test_words_for_screen_readers_are_taken_out_of_paragraphs_and_marked_names_are_not() -> None:
    pages = [Document.parse(page(number, inner=spoken(number))) for number in range(1, 5)]

    record = read_record(page(9, inner=spoken(9)), reading=reading(learn_template(pages)))

    assert "opens in a new window" not in record["body"]
    assert f"Mayor {NAMES[9]} spoke at length" in record["body"]
    assert "A report tells the rest of it." in record["body"]


def test_a_template_that_was_used_goes_to_other_processes(template: PortalTemplate) -> None:
    unseen = Document.parse(page(9))
    template.apply(unseen)

    other = pickle.loads(pickle.dumps(template))

    assert other == template
    assert other.apply(unseen).found.body == template.apply(unseen).found.body
    results = list(extract_many([page(9), page(10)], workers=2, template=template))
    assert [result.article.body for result in results if result.article] == [
        extract(page(number), template=template).body for number in (9, 10)
    ]
