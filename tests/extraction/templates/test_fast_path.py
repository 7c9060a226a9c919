"""A page that fits the template is read at the learned places; a surprise, and every eighth page, is read in full."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest
from lxml import etree
from portal_pages import headline, page, paragraphs_of, sentence
from stopwatch import cpu_seconds

from newscrawler.corpus.templates import noted
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, finish, read_dates, read_metadata
from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.dates import DateHint
from newscrawler.extraction.explain import explain_page
from newscrawler.extraction.metadata import Metadata
from newscrawler.extraction.templates import FieldSource, PortalTemplate, learn_template
from newscrawler.extraction.templates.fast_path import is_sampled
from newscrawler.page import Document

#: Stories that many pages show beside the article.
BESIDE = "".join(f"<div class=teaser><h3><a href=/t/{n}>Story {n} of the valley</a></h3><p>Read it.</p></div>" for n in range(150))


def document(number: int, inner: str = "", **changes: object) -> Document:
    html = page(number, inner=inner, promoted=False, **changes).replace("</body>", f"<div class=beside>{BESIDE}</div></body>")  # type: ignore[arg-type]
    return Document.parse(html, f"https://valley.example/{number}")


@pytest.fixture(scope="module")
def template() -> PortalTemplate:
    return PortalTemplate.from_json(learn_template([document(number) for number in range(1, 9)]).to_json())


def drafted(
    template: PortalTemplate | None, read: Document, ignored: str = "", hints: tuple[DateHint, ...] = ()
) -> ExtractionState:
    draft = ExtractionState(page=read, hints=hints)
    reading = ExtractionOptions(template=template, ignored_authors=frozenset(filter(None, [ignored])))
    detect_body(draft, reading)
    read_metadata(draft, reading)
    read_dates(draft, reading)
    finish(draft, reading)
    return draft


def unsampled(first: int) -> int:
    return next(number for number in range(first, first + 50) if not is_sampled(document(number)))


def test_a_page_that_fits_is_read_at_the_learned_places_as_it_is_in_full(template: PortalTemplate) -> None:
    number = unsampled(20)
    fast, full = drafted(template, document(number)), drafted(None, document(number))

    assert fast.explained is not None
    assert fast.explained.is_fast
    assert fast.fast is not None
    assert "layout" not in fast.page.__dict__  # nobody walked over the whole page
    assert fast.body is not None
    assert full.body is not None
    assert fast.body.text.split("\n") == paragraphs_of(number)
    assert (fast.body.headline, fast.body.lead) == (headline(number), full.body.lead)
    assert fast.metadata is not None
    assert full.metadata is not None
    guess = {"authors_source": None, "authors_confidence": 0.0, "section_source": None}
    assert replace(fast.metadata, **guess) == replace(full.metadata, **guess)
    assert fast.dates is not None
    assert full.dates is not None
    assert fast.dates.published is not None
    assert full.dates.published is not None
    assert fast.dates.published.value == full.dates.published.value


#: Declares every field, each otherwise than a page would have it that declares nothing.
RICH = (
    '<meta property="og:site_name" content="The Valley Post">'
    '<meta property="og:title" content="Opinion: this is why it matters to us">'
    '<meta name=description content="Snow fell on the valley.">'
    '<meta property="og:image" content="https://valley.example/snow.jpg"><meta name=keywords content="snow, valley">'
    '<meta property="article:section" content="Weather"><link rel=canonical href="https://valley.example/canonical">'
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "OpinionNewsArticle", '
    '"isAccessibleForFree": false, '
    '"author": {"@type": "Person", "name": "Nina Lang"}}</script>'
)
#: Only the full reading knows the evidence and its probability.
EVIDENCE = {"authors_source", "authors_confidence", "section_source", "authors_choice", "section_choice"}


def rich_document(number: int) -> Document:
    read = document(number, head=RICH, author="Nina Lang")
    read.root.set("lang", "de")
    return Document.parse(etree.tostring(read.root, encoding="unicode", method="html"), f"https://valley.example/{number}")


def test_both_ways_fill_every_field_of_the_metadata_alike() -> None:
    template = learn_template([rich_document(number) for number in range(1, 9)])
    number = unsampled(20)
    fast, full = drafted(template, rich_document(number)), drafted(None, rich_document(number))

    assert fast.explained is not None
    assert fast.explained.is_fast
    for each in fields(Metadata):
        assert getattr(fast.metadata, each.name) != each.default or each.name in EVIDENCE, each.name
        if each.name not in EVIDENCE:
            assert getattr(fast.metadata, each.name) == getattr(full.metadata, each.name), each.name


def sectioned(number: int) -> Document:
    """The page of an article with a link to one of three categories below its headline."""
    link = (
        f"</h1><p class=cat-links><a rel=category href='/?cat={number % 3}'>{('Politics', 'Sport', 'Culture')[number % 3]}</a></p>"
    )
    html = etree.tostring(document(number).root, encoding="unicode", method="html").replace("</h1>", link)
    return Document.parse(html, f"https://valley.example/{number}")


def test_a_section_at_a_learned_place_says_that_the_template_gave_it() -> None:
    template = learn_template([sectioned(number) for number in range(1, 9)])
    read = drafted(template, sectioned(unsampled(20))).metadata

    assert read is not None
    assert read.section in {"Politics", "Sport", "Culture"}
    assert read.section_source == "template"


def test_a_date_that_is_read_in_full_on_a_fast_page_knows_which_blocks_are_its_text(template: PortalTemplate) -> None:
    number = unsampled(20)
    fast, full = drafted(template, document(number)), drafted(None, document(number))

    assert fast.fast is not None
    likely = fast.fast.list_probabilities(fast.page)

    assert len(likely) == len(full.likely) > 100
    assert [one > 0.5 for one in likely] == [one > 0.5 for one in full.likely]


def test_a_block_at_a_place_that_no_learned_page_had_is_a_surprise(template: PortalTemplate) -> None:
    number = unsampled(20)

    applied = template.apply(document(number, inner=f"<blockquote class=said>{sentence(number, 77)}</blockquote>"))

    assert not applied.explained.is_fast
    assert applied.found.body is not None
    assert sentence(number, 77) in applied.found.body.text


def test_a_page_without_the_region_or_of_an_unusual_length_is_read_in_full(template: PortalTemplate) -> None:
    number = unsampled(20)

    assert not template.apply(document(number, count=60)).explained.is_fast
    assert not template.apply(document(number, container="live-report")).explained.is_fast


@pytest.mark.parametrize(
    "inner", ["<form action=/s><button>Share</button></form>", "<form action=/l>Log in to save.<input name=u></form>"]
)
def test_a_form_in_the_text_is_no_surprise(inner: str) -> None:
    learned = learn_template([document(number, inner=inner if "Log" in inner else "") for number in range(1, 9)])
    number = unsampled(20)

    applied = learned.apply(document(number, inner=inner))

    assert applied.explained.is_fast
    assert applied.found.body is not None
    assert applied.found.body.text.split("\n") == paragraphs_of(number)


def test_a_page_that_is_read_at_the_learned_places_is_explained_in_full(template: PortalTemplate) -> None:
    page = document(unsampled(20))
    assert template.apply(page).explained.is_fast

    pieces = explain_page(page, template=template).pieces

    assert all(piece.probability is not None for piece in pieces if piece.is_taken)
    assert [piece.block.text for piece in pieces if piece.is_taken] == paragraphs_of(unsampled(20))


def described(number: int) -> Document:
    """Every second page declares its first paragraph as its description, which makes it the lead."""
    return document(number, head=f"<meta name=description content='{paragraphs_of(number)[0]}'>" if number % 2 else "")


def test_the_lead_is_what_a_page_describes_itself_by_where_other_pages_have_none() -> None:
    learned = learn_template([described(number) for number in range(1, 13)])

    for number in range(20, 40):
        fast, full = learned.apply(described(number)), learned.remove_fast_paths().apply(described(number))
        assert fast.explained.is_fast is not is_sampled(described(number))
        assert fast.found.body is not None
        assert full.found.body is not None
        assert fast.found.body.lead == full.found.body.lead == (paragraphs_of(number)[0] if number % 2 else None)


def clocked(number: int) -> Document:
    """A page that shows a time without an offset, on the clock of its country."""
    html = page(number, promoted=False).replace("lang=en", "lang=cs")
    shown = f"<span class=when>{number % 27 + 1} February 2026, 08:05</span>"
    before, _, rest = html.partition("<time")
    return Document.parse(before + shown + rest.partition("</time>")[2], f"https://valley.example/{number}")


def test_a_date_without_an_offset_is_read_on_the_clock_of_the_page() -> None:
    learned = learn_template([clocked(number) for number in range(1, 13)])
    number = next(number for number in range(20, 40) if not is_sampled(clocked(number)))

    fast, full = drafted(learned, clocked(number)), drafted(None, clocked(number))

    assert learned.fields["published"][0].source.startswith("text:")
    assert fast.dates is not None
    assert full.dates is not None
    assert fast.dates.published is not None
    assert full.dates.published is not None
    assert fast.dates.published.value == full.dates.published.value
    assert str(fast.dates.published.value.utcoffset()) == "1:00:00"
    assert fast.dates.why == "the portal's other pages show their date there"


#: Forms in which pages give one moment: in UTC to machines, and on the clock of the portal to readers or to machines, too.
CLOCKS = {
    "time": ("<time class=when datetime='2026-02-{day:02}T08:05:00+01:00'>{day} February 2026</time>", ""),
    "shown": ("<span class=when>{day} February 2026, 08:05</span>", ""),
    "json-ld": (
        "",
        '<script type="application/ld+json">{{"@type": "Article", "datePublished": "2026-02-{day:02}T08:05+01:00"}}</script>',
    ),
    "named": ("<i class=when>{day} February 2026</i>", '<script>var site = {{"zone": "Europe/Prague"}}</script>'),
}  # fmt: skip


@pytest.mark.parametrize("form", CLOCKS)
def test_a_moment_in_utc_is_on_the_clock_of_the_portal_as_in_full(form: str) -> None:
    def read(number: int) -> Document:
        day = number % 27 + 1
        shown, head = (part.format(day=day) for part in CLOCKS[form])
        head += "".join(
            f"<meta property='article:{name}_time' content='2026-02-{day:02}T07:05:00.000Z'>" for name in ("published", "modified")
        )
        before, _, rest = page(number, promoted=False).replace("<head>", f"<head>{head}").partition("<time")
        return Document.parse(before + shown + rest.partition("</time>")[2], f"https://valley.example/{number}")

    learned = learn_template([read(number) for number in range(1, 13)])
    number = next(number for number in range(20, 40) if not is_sampled(read(number)))

    fast, full = (drafted(each, read(number)).dates for each in (learned, None))

    assert fast is not None
    assert full is not None
    assert fast.published is not None
    assert full.published is not None
    assert str(fast.published.value) == str(full.published.value)
    assert str(full.published.value.utcoffset()) == "1:00:00"
    assert fast.modified is None or str(fast.modified.value.utcoffset()) == "1:00:00"


def test_one_page_that_the_full_reading_misread_does_not_hinder_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def likeness(full: Examination, _: Examination) -> float:
        return 0.4 if full.page.url == "https://valley.example/3" else 1.0

    monkeypatch.setattr("newscrawler.extraction.templates.fast_path_learning.compare_bodies", likeness)

    assert learn_template([document(number) for number in range(1, 13)]).layouts[0].fast_path is not None


def test_every_eighth_page_is_read_in_full_and_what_differs_counts_as_drift(template: PortalTemplate) -> None:
    sampled = [number for number in range(100, 500) if is_sampled(document(number))]
    assert 30 < len(sampled) < 70

    same = template.apply(document(sampled[0])).explained
    assert (same.is_fast, same.agreement) == (False, 1.0)
    other = replace(template, fields={**template.fields, "title": (FieldSource("title", 8, 0),)})
    compared = drafted(other, document(sampled[0])).explained
    assert compared is not None
    assert (compared.is_fast, compared.agreement) == (False, 0.5)


def test_a_page_read_fast_says_nothing_of_agreement(template: PortalTemplate) -> None:
    applied = template.apply(document(unsampled(20)))

    note = noted(applied.explained, None, expected=True)
    assert note is not None
    assert "agreement" not in note
    assert note["explained"]


def test_nothing_is_read_fast_of_too_few_pages_or_where_fields_are_placed_by_hand(template: PortalTemplate) -> None:
    few = learn_template([document(1), document(2)])
    placed = PortalTemplate.from_json(template.to_json().replace('"overrides": {}', '"overrides": {"lead": "css: .nowhere"}'))

    assert few.layouts[0].fast_path is None
    assert not placed.apply(document(unsampled(20))).explained.is_fast


def test_the_fast_path_costs_less_than_a_third_of_the_full_reading(template: PortalTemplate) -> None:
    numbers = [number for number in range(20, 60) if not is_sampled(document(number))]

    def seconds(used: PortalTemplate | None) -> float:
        pages = [document(number) for number in numbers]
        return cpu_seconds(lambda: [drafted(used, each) for each in pages])

    drafted(template, document(numbers[0]))
    rounds = [(seconds(template), seconds(None)) for _ in range(3)]
    assert min(fast for fast, _ in rounds) < 0.33 * min(full for _, full in rounds)


def learned_with(inner: str) -> PortalTemplate:
    """A template of pages of which every second has something between its paragraphs."""
    template = learn_template([document(number, inner=inner if number % 2 else "") for number in range(1, 13)])
    assert template.layouts[0].fast_path is not None
    return template


TEXT = sentence(77, 1) + " " + sentence(77, 2)
SHARE = "<div{}>Share this: <button>X</button></div>"


@pytest.mark.parametrize(
    ("learned", "later"),
    [
        (SHARE.format(""), f"<div><p>{TEXT}</p></div>"),
        (SHARE.format(""), f"<div>{TEXT}</div>"),
        (SHARE.format(" class=tools"), f"<div class=tools><p>{TEXT}</p></div>"),
        (SHARE.format(" class=tools"), f"<div class=tools>{TEXT}</div>"),
        ("<div class=tools>Share this: <p>or print it</p></div>", f"<div><p>{TEXT}</p></div>"),
    ],
)
def test_what_an_element_without_text_on_learned_pages_holds_elsewhere_is_not_lost(learned: str, later: str) -> None:
    read = document(unsampled(20), inner=later)

    fast, full = learned_with(learned).apply(read), learned_with(learned).remove_fast_paths().apply(read)

    assert full.found.body is not None
    assert fast.found.body is not None
    assert fast.found.body.text == full.found.body.text
    assert TEXT in fast.found.body.text


@pytest.mark.parametrize("element", ["<p class=promo>{}</p>", "<div class=promo><p>{}</p></div>", "<aside><p>{}</p></aside>"])
def test_a_new_line_where_only_recurring_lines_stood_is_no_text_unless_the_full_reading_takes_it(element: str) -> None:
    learned = learned_with(element.format("Read us every day, and tell your friends in the valley of what we write."))
    read = document(unsampled(20), inner=element.format("Subscribe now and save half of the price until the end of the month."))

    fast, full = learned.apply(read), learned.remove_fast_paths().apply(read)

    assert full.found.body is not None
    assert fast.found.body is not None
    assert fast.found.body.text == full.found.body.text


@pytest.mark.parametrize("marked", ["class=advert", "class=sponsored", "class=caption", "class=comment-1", "style='display: none'"])
@pytest.mark.parametrize("element", ["<p {}>{}</p>", "<div {}><p>{}</p></div>"])
def test_a_paragraph_that_its_element_marks_as_something_else_is_read_in_full(
    template: PortalTemplate, element: str, marked: str
) -> None:
    applied = template.apply(document(unsampled(20), inner=element.format(marked, TEXT)))

    assert not applied.explained.is_fast


def headed(number: int, heading: str) -> Document:
    """A page with a heading between its paragraphs."""
    return document(number, inner=f"<h2>{heading}</h2><p>{sentence(number, 81)} {sentence(number, 82)}</p>")


def test_a_heading_of_its_own_is_text_where_learned_pages_had_one_that_recurs() -> None:
    learned = learn_template([headed(number, "How it all began") for number in range(1, 13)])

    applied = learned.apply(headed(unsampled(20), "What the mayor says of it"))

    assert applied.explained.is_fast
    assert applied.found.body is not None
    assert "What the mayor says of it" in applied.found.body.text.split("\n")


def signed(number: int, declared: str, shown: str) -> Document:
    """A page that declares an author and shows one."""
    author = json.dumps({"@type": "NewsArticle", "headline": headline(number), "author": {"@type": "Person", "name": declared}})
    head = f"<meta property=og:site_name content='Valley News'><script type=application/ld+json>{author}</script>"
    return document(number, author=f"By {shown}", head=head)


def test_the_person_shown_goes_before_the_site_on_the_fast_path_too() -> None:
    names = [f"Jana {letter}ovak" for letter in "ABCDEFGHIJKLMN"]
    learned = learn_template([signed(number, names[number], names[number]) for number in range(1, 13)])
    assert learned.fields["authors"][0].source == "json-ld:author"
    number = next(number for number in range(20, 60) if not is_sampled(signed(number, "", "")))

    fast, full = (drafted(used, signed(number, "Valley News", "Jana Novak")) for used in (learned, learned.remove_fast_paths()))

    assert fast.explained is not None
    assert fast.explained.is_fast
    assert fast.metadata is not None
    assert full.metadata is not None
    assert fast.metadata.authors == full.metadata.authors == ("Jana Novak",)


def changed(number: int, day: int | None) -> Document:
    """A page that declares its last change; None: the time of its publication."""
    time = f"2026-02-{number % 27 + 1:02}T08:00:00Z" if day is None else f"2026-03-{day:02}T09:30:00Z"
    return document(number, head=f"<meta property=article:modified_time content={time}>")


@pytest.mark.parametrize("day", [None, 4])
def test_the_change_that_a_page_declares_is_given_though_no_learned_page_was_changed(day: int | None) -> None:
    learned = learn_template([changed(number, None) for number in range(1, 13)])
    number = next(number for number in range(20, 60) if not is_sampled(changed(number, day)))

    fast, full = (drafted(used, changed(number, day)) for used in (learned, learned.remove_fast_paths()))

    assert fast.explained is not None
    assert fast.explained.is_fast
    assert fast.dates is not None
    assert full.dates is not None
    assert fast.dates.modified is not None
    assert full.dates.modified is not None
    assert fast.dates.modified.value == full.dates.modified.value


def test_an_ignored_author_is_not_read_at_the_learned_place() -> None:
    learned = PortalTemplate.from_json(
        learn_template([signed(number, "Noc Admin", "Jana Novak") for number in range(1, 9)]).to_json()
    )
    fast = drafted(learned, signed(unsampled(20), "Noc Admin", "Jana Novak"), ignored="nocadmin")

    assert fast.metadata is not None
    assert fast.metadata.authors == ("Jana Novak",)


def signed_beside(number: int) -> Document:
    """A page whose column beside the text names its author, and shows the day."""
    html, name = page(number, promoted=False), f"Jana {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[number % 26]}ovak"
    start, end = html.index("<h1"), html.index("<div class='story-text'>")
    above, rest = html[:start], html[end:]
    title = html[start : html.index("</h1>") + 5]
    day = f"<time class=day>{number % 27 + 1} February 2026</time>"
    column = f"<div class=side><div class=post__authors><strong>{name}</strong><br>Staff writer</div>{day}</div>"
    html = above + column + rest.replace("<div class='story-text'>", f"<div class='story-text'>{title}", 1)
    return Document.parse(html, f"https://valley.example/{number}")


def test_an_author_beside_the_text_and_the_time_of_the_feed_are_given_on_the_fast_path_too() -> None:
    learned = learn_template([signed_beside(number) for number in range(1, 13)])
    number = next(number for number in range(20, 60) if not is_sampled(signed_beside(number)))
    hints = (DateHint(source="feed", text=f"2026-02-{number % 27 + 1:02}T15:20:00+00:00"),)

    fast, full = (drafted(used, signed_beside(number), hints=hints) for used in (learned, learned.remove_fast_paths()))

    assert fast.explained is not None
    assert fast.explained.is_fast
    for draft in (fast, full):
        assert draft.metadata is not None
        assert draft.metadata.authors == (f"Jana {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[number % 26]}ovak",)
        assert draft.dates is not None
        assert draft.dates.published is not None
        assert draft.dates.published.value.hour == 15
