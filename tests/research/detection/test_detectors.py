"""The detectors of news in a mixed set of pages: each step of 002 §5.1, the state that grows, and the tables of §5.2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from newscrawler.cli.main import main
from newscrawler.corpus import KnownKeywords
from newscrawler.page import Document
from newscrawler.research.detection import (
    DETECTORS,
    DetectionStep,
    KeywordDetector,
    PageEvidence,
    detect,
    gather_evidence,
    has_query_or_digits,
)

DETECTOR = KeywordDetector()
NEWS_ITEM = "<article itemscope itemtype='http://schema.org/NewsArticle'>"


def page(*, keywords: str = "", description: str = "What it is about.", body: str = "", url: str = "http://a.test/1") -> Document:
    head = f"<meta name=keywords content='{keywords}'>" if keywords else ""
    head += f"<meta property='og:description' content='{description}'>" if description else ""
    return Document.parse(f"<html lang=en><head>{head}</head><body>{body}</body></html>", url)


def evidence(
    *, keywords: tuple[str, ...] = (), declares_news: bool = False, language: str = "en", frequent_words: tuple[str, ...] = ()
) -> PageEvidence:
    return PageEvidence(
        has_query_or_digits=True, has_description=True, declares_news=declares_news, language=language, keywords=keywords,
        frequent_words=frequent_words,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.test/news/flood-2026", True),
        ("http://a.test/item?id=flood", True),
        ("http://a.test/about-us", False),
        ("http://a1.test/about", False),
        ("http://a.test/%C5%BEivot", False),
    ],
)
def test_a_url_needs_a_query_or_digits_in_its_path(url: str, *, expected: bool) -> None:
    assert has_query_or_digits(url) is expected


def test_a_page_without_query_or_digits_in_its_url_is_no_news_whatever_it_declares() -> None:
    verdict = DETECTOR.judge(gather_evidence(page(body=NEWS_ITEM, url="http://a.test/flood")), KnownKeywords())

    assert (verdict.is_news, verdict.step) == (False, DetectionStep.URL)


def test_a_page_without_a_description_is_no_news() -> None:
    verdict = DETECTOR.judge(gather_evidence(page(body=NEWS_ITEM, description="")), KnownKeywords())

    assert (verdict.is_news, verdict.step) == (False, DetectionStep.DESCRIPTION)


@pytest.mark.parametrize(
    "body", [NEWS_ITEM, '<script type="application/ld+json">{"@type": "ReportageNewsArticle", "headline": "Flood"}</script>']
)
def test_a_page_that_declares_news_article_is_news(body: str) -> None:
    verdict = DETECTOR.judge(gather_evidence(page(body=body)), KnownKeywords())

    assert (verdict.is_news, verdict.step) == (True, DetectionStep.NEWS_ARTICLE)


def test_more_than_a_fifth_of_the_keywords_must_be_known() -> None:
    known = KnownKeywords({"en": {"flood": 1, "dam": 3}})
    five, four = ("Flood", "a", "b", "c", "d"), ("Flood", "a", "b", "c")

    assert not DETECTOR.judge(evidence(keywords=five), known).is_news
    assert DETECTOR.judge(evidence(keywords=four), known).is_news
    assert str(DETECTOR.judge(evidence(keywords=four), known)) == "known keywords, 1 of 4"


def test_a_special_word_of_the_page_s_language_is_enough() -> None:
    czech = DETECTOR.judge(evidence(keywords=("Zprávy z domova", "a", "b"), language="cs"), KnownKeywords())
    english = DETECTOR.judge(evidence(keywords=("Zprávy z domova", "a", "b")), KnownKeywords())

    assert (czech.is_news, czech.step) == (True, DetectionStep.SPECIAL_WORD)
    assert not english.is_news


def test_a_language_without_a_collection_is_compared_with_english() -> None:
    known = KnownKeywords({"en": {"flood": 1}})

    assert DETECTOR.judge(evidence(keywords=("flood",), language="cy"), known).is_news


def test_the_frequent_words_of_the_pagelet_stand_in_for_keywords_that_are_not_declared() -> None:
    text = "".join(f"<p>The flood reached the old town on day {number}, and the dam did not hold." for number in range(5))
    read = gather_evidence(page(body=f"<div>{text}</div>"))
    known = KnownKeywords({"en": {"flood": 1, "town": 1, "reached": 1}})

    assert "flood" in read.frequent_words
    assert not DETECTOR.judge(read, known).is_news
    assert KeywordDetector(from_text=True).judge(read, known).is_news


def test_keywords_of_declared_news_are_collected_before_the_rest_is_decided() -> None:
    rest, declared = evidence(keywords=("flood", "dam")), evidence(keywords=("Flood", "rain"), declares_news=True)
    collections = KnownKeywords()

    verdicts = detect(DETECTOR, [rest, declared], collections)

    assert [verdict.is_news for verdict in verdicts] == [True, True]
    assert collections.as_dict() == {"en": {"flood": 2, "rain": 1, "dam": 1}}
    assert collections.take_changes() == collections.as_dict()
    assert collections.take_changes() == {}


def test_the_default_weighs_the_page_kind_model_with_the_same_evidence() -> None:
    def probability(**changes: object) -> float:
        values = {"keywords": (), "declares_news": False} | changes
        read = PageEvidence(
            has_query_or_digits=True, has_description=True, language="en", frequent_words=(), article=0.3, **values
        )  # type: ignore[arg-type]  # fmt: skip
        return DETECTORS["default"].judge(read, KnownKeywords()).probability or 0.0

    assert probability() < 0.5 < probability(declares_news=True)


def test_evaluate_prints_the_two_by_two_tables_of_detectors(tmp_path: Path) -> None:
    def line(number: int, keywords: str, body: str, *, article: bool) -> str:
        html = f"<html lang=en><meta name=description content='About it.'><meta name=keywords content='{keywords}'>{body}</html>"
        gold = {"title": "Flood"} if article else {"article": False}
        return json.dumps({"url": f"http://host{number}.test/{number}", "html": html, "gold": gold})

    mixed, known = tmp_path / "mixed.jsonl", tmp_path / "known.jsonl"
    pages = [line(1, "flood, dam", "", article=True), line(2, "rain", NEWS_ITEM, article=True), line(3, "sofa", "", article=False)]
    mixed.write_text("\n".join(pages), "utf-8")
    known.write_text(line(4, "flood", NEWS_ITEM, article=True), "utf-8")

    done = CliRunner().invoke(main, ["evaluate", str(mixed), "--table", "002.5", "--detectors", "keywords", "--known", str(known)])

    assert done.exit_code == 0, done.output
    assert [row.split("\t") for row in done.stdout.splitlines()[2:]] == [
        ["keywords", "at the start", "1", "0", "1", "1", "66.7 %"],
        ["keywords", "after other extractions", "1", "0", "1", "1", "66.7 %"],
        ["keywords", "with known news", "2", "0", "0", "1", "100.0 %"],
    ]


def test_an_unknown_detector_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text(json.dumps({"html": "<p>x", "gold": {"title": "x"}}), "utf-8")

    done = CliRunner().invoke(main, ["evaluate", str(tmp_path / "pages.jsonl"), "--table", "002.5", "--detectors", "wizard"])

    assert done.exit_code == 2
    assert "There is no detector wizard. Choose one of: default, keywords" in done.stderr
