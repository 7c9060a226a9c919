"""What is done at the end of a night, without a crawl: when something is learned, when it is adopted, and when not."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from kept_pages import NOON, Archive

from newscrawler.corpus.reviews import save_verdict
from newscrawler.corpus.templates import DriftReport, check_round, learn_by_hand
from newscrawler.corpus.templates.comparison import DriftFigure, Measurement, decide
from newscrawler.extraction import ExtractionOptions
from newscrawler.extraction.templates import TemplateRefused
from newscrawler.store.archive import PageSelection
from newscrawler.store.articles import Fault
from newscrawler.store.articles.templates import TemplateState

SUBJECTS = ["most", "škola", "nádraží", "divadlo", "knihovna", "nemocnice", "tramvaj", "park", "stadion", "radnice", "trh", "hrad"]


def text(number: int) -> list[str]:
    subject = SUBJECTS[number % len(SUBJECTS)]
    return [
        f"{part}. {subject.capitalize()} {number} se podle starosty dočká úprav, o kterých rada jednala {part} týdnů a na které má "
        f"{number * 7 + part} milionů korun. Práce začnou za {number + part} měsíců a hotovo má být do {part + 2} let, řekl mluvčí."
        for part in range(1, 6)
    ]


def old(number: int) -> str:
    paragraphs = "".join(f"<p class='txt'>{line}</p>" for line in text(number))
    return (
        f"<html lang=cs><head><title>Zpráva číslo {number} | Deník</title></head><body><div id=menu><a href=/>Domů</a></div>"
        f"<div class=story><h1 class=hl>{SUBJECTS[number % 12].capitalize()} {number} čeká na opravu</h1>"
        f"<div class=perex>{text(number)[0]}</div><div class=story-text>{paragraphs}</div></div>"
        "<div id=foot>© Deník</div></body></html>"
    )


def new(number: int) -> str:
    paragraphs = "".join(f"<div class='c-rt__p'><span>{line}</span></div>" for line in text(number))
    return (
        f"<html lang=cs><head><title>Zpráva číslo {number} - Deník</title></head><body><section class=app><main class=l-grid>"
        f"<section class=c-art><h1 class=c-art__t>{SUBJECTS[number % 12].capitalize()} {number} čeká na opravu</h1>"
        f"<section class=c-rt>{paragraphs}</section></section></main></section></body></html>"
    )


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path)


def night(archive: Archive, day: int, pages: list[tuple[int, str]]) -> DriftReport | None:
    """Crawl, and look back at it."""
    at = NOON + timedelta(days=day)
    archive.night([(f"https://example.org/zpravy/{number}-zprava", html) for number, html in pages], at=at)
    with archive.open() as store:
        return check_round(store, archive.pages, ExtractionOptions(portal=archive.portal), round_number=day + 1, now=at)


def states(archive: Archive) -> list[TemplateState]:
    with archive.open() as store:
        return [version.state for version in store.templates.versions(archive.portal)]


def test_three_articles_are_learned_from_and_two_are_not(archive: Archive) -> None:
    first = night(archive, 0, [(number, old(number)) for number in range(2)])
    second = night(archive, 1, [(2, old(2))])

    assert first is not None
    assert first.done == ""
    assert second is not None
    assert "version 1 was learned" in second.done
    assert states(archive) == [TemplateState.IN_USE]


def test_one_text_on_all_pages_is_refused_with_the_reason_and_not_tried_every_night(archive: Archive) -> None:
    first = night(archive, 0, [(number, old(1)) for number in range(6)])
    second = night(archive, 1, [(7, old(1))])

    assert first is not None
    assert first.done == "" or "one text on several pages" in first.done
    assert second is not None
    assert states(archive) == []


def test_a_new_layout_is_learned_once_there_are_pages_enough(archive: Archive) -> None:
    night(archive, 0, [(number, old(number)) for number in range(12)])
    night(archive, 1, [(number, old(number)) for number in range(12, 18)])
    third = night(archive, 2, [(number, new(number)) for number in range(20, 26)])
    with archive.open() as store:  # the same night, gone on with
        resumed = check_round(
            store, archive.pages, ExtractionOptions(portal=archive.portal), round_number=3, now=NOON + timedelta(days=2.1)
        )
    fourth = night(archive, 3, [(number, new(number)) for number in range(30, 36)])

    assert third is not None
    assert fourth is not None
    assert any("layout the template knows" in sentence for sentence in third.news)
    assert resumed is not None
    assert (len(resumed.broken) > 0, resumed.news) == (True, ())
    assert "version 2" in third.done
    assert fourth.template == 2
    assert fourth.broken == ()
    assert states(archive) == [TemplateState.REPLACED, TemplateState.IN_USE]


def test_a_template_of_an_earlier_version_is_learned_anew_by_the_next_run_and_keeps_what_was_set_by_hand(archive: Archive) -> None:
    night(archive, 0, [(number, old(number)) for number in range(12)])
    with archive.open() as store:
        stored = json.loads(store.templates.versions(archive.portal)[0].document)
        outdated = json.dumps(stored | {"version": 1, "overrides": {"lead": "css: .perex"}})
        store.templates.rewrite(archive.portal, 1, outdated)
    second = night(archive, 1, [(number, old(number)) for number in range(12, 15)])

    assert second is not None
    assert second.template is None
    assert "version 2 was learned" in second.done
    assert states(archive) == [TemplateState.REPLACED, TemplateState.IN_USE]
    with archive.open() as store:
        used = store.templates.in_use(archive.portal)
    assert used is not None
    assert json.loads(used.document)["overrides"] == {"lead": "css: .perex"}


def test_after_someone_went_back_by_hand_new_ones_are_only_offered(archive: Archive) -> None:
    night(archive, 0, [(number, old(number)) for number in range(12)])
    night(archive, 1, [(number, new(number)) for number in range(20, 26)])
    assert states(archive) == [TemplateState.REPLACED, TemplateState.IN_USE]
    with archive.open() as store:
        store.templates.go_back(archive.portal, 1)
    third = night(archive, 2, [(number, new(number)) for number in range(30, 36)])

    assert third is not None
    assert third.broken
    assert "offered" in third.done
    assert states(archive) == [TemplateState.IN_USE, TemplateState.WITHDRAWN, TemplateState.REFUSED]

    with archive.open() as store:
        told = learn_by_hand(store, archive.pages, ExtractionOptions(portal=archive.portal), now=NOON, force=True)
    assert "version 4" in told
    assert states(archive)[-1] is TemplateState.IN_USE


def test_learning_by_hand_from_a_poisoned_page_is_refused(archive: Archive) -> None:
    night(archive, 0, [(number, old(number)) for number in range(3)])
    from newscrawler.page import Document

    pages = [Document.parse(old(1), f"https://example.org/{number}") for number in range(6)]
    with archive.open() as store, pytest.raises(TemplateRefused, match="one text"):
        learn_by_hand(
            store, archive.pages, ExtractionOptions(portal=archive.portal), now=NOON, pages=dict.fromkeys(pages), force=True
        )


def test_trouble_that_no_template_mends_is_told_for_days_and_learned_from_once(archive: Archive) -> None:
    unsigned = list(range(60, 130))
    with_author = [
        (number, old(number).replace("<div class=perex>", "<p class=author>Autor: Jana Nová</p><div class=perex>"))
        for number in range(24)
    ]
    night(archive, 0, with_author[:12])
    night(archive, 1, with_author[12:])
    looks = [night(archive, day, [(number, old(number)) for number in unsigned[6 * day : 6 * day + 6]]) for day in range(2, 11)]

    told = [look is not None and any("authors" in sentence for sentence in look.broken) for look in looks]
    assert told[0]
    assert not told[-1]
    assert len(states(archive)) <= 5


def measured(explained: float, agreement: float, pages: int = 10) -> Measurement:
    return Measurement(figures={"explained": DriftFigure(pages, explained, 0.0), "agreement": DriftFigure(pages, agreement, 0.0)})


@pytest.mark.parametrize(
    ("fresh", "used", "on_old", "adopted"),
    [
        (measured(1.0, 0.99), None, None, True),
        (measured(0.3, 0.99), None, None, False),
        (measured(1.0, 0.5), None, None, False),
        (measured(1.0, 0.99), measured(0.0, 0.0), None, True),
        (measured(0.9, 0.99), measured(0.9, 0.99), None, False),
        (measured(0.95, 0.99), measured(0.6, 0.99), (measured(0.2, 0.9), measured(1.0, 0.99)), False),
        (measured(0.95, 0.99), measured(0.6, 0.99), (measured(1.0, 0.98), measured(1.0, 0.99)), True),
    ],
)
def test_a_template_is_adopted_only_if_it_is_better(
    fresh: Measurement, used: Measurement | None, on_old: tuple[Measurement, Measurement] | None, *, adopted: bool
) -> None:
    assert decide(fresh, used, on_old=on_old).adopted is adopted


@pytest.mark.parametrize(("faults", "learned"), [([], 1), (["foreign-text"], 0), (["foreign-text", "part-missing"], None)])
def test_a_reviewed_article_is_a_label_of_which_the_next_run_learns(
    archive: Archive, faults: list[Fault], learned: int | None
) -> None:
    night(archive, 0, [(number, old(number)) for number in range(9)])
    with archive.open() as store:
        page = next(store.pages.select(PageSelection(portal=archive.portal, outcome="article", limit=1)))
        assert page.article_id is not None
        stored = store.articles.get(page.article_id)
        assert stored is not None
        save_verdict(store, archive.pages, stored, page, faults=faults, corrected=None, note="", now=NOON)
    second = night(archive, 1, [(number, old(number)) for number in range(9, 12)])

    assert second is not None
    assert ("version 2 was learned" in second.done) is (learned is not None)  # text is missing and too much: where, nobody knows
    with archive.open() as store:
        newest = store.templates.versions(archive.portal)[-1]
    assert newest.figures["labelled"] == (learned is not None)
    assert json.loads(newest.document)["labels"]["pages"] == (learned or 0)
    third = night(archive, 2, [(number, old(number)) for number in range(12, 15)])
    assert third is not None
    assert third.done == ""
