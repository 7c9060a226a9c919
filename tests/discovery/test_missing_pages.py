from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.discovery import MissingPage, describe_missing_page, make_improbable_url
from newscrawler.discovery.urls import CLASSIFIERS, PageLink, UrlKind, find_trap
from newscrawler.page import Document

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MENU = "<nav>" + "".join(f"<a href=/{n}/>Rubrika číslo {n} našeho deníku</a>" for n in range(60)) + "</nav>"
TEXT = "Denně pro vás píšeme o městě, kraji i světě, a to už třicet let. Vyberte si z toho, co dnes ostatní čtou nejvíce. "


def page(text: str, *, title: str = "Deník", url: str = "http://a/x/") -> Document:
    return Document.parse(f"<html><head><title>{title}</title></head><body>{MENU}<h1>Deník</h1><p>{text}</p></body></html>", url)


def missing(text: str, **more: str) -> MissingPage:
    found = describe_missing_page(page(text, **more))
    assert found is not None
    return found


@pytest.mark.parametrize("text", [TEXT * 3, "Tady nic není."], ids=["long", "short"])
def test_the_same_page_is_known_again_after_it_was_stored(text):
    stored = MissingPage.from_dict(missing(text).as_dict())

    assert stored.is_shown_by(page(text, url="http://a/y/"))


def test_a_page_that_repeats_the_address_is_known_again():
    asked = missing(f"Adresa qwfp-luyx nebyla nalezena. {TEXT}", title="qwfp luyx | Deník", url="http://a/qwfp-luyx/")

    assert asked.is_shown_by(
        page(f"Adresa most-opraven nebyla nalezena. {TEXT}", title="most opraven | Deník", url="http://a/most-opraven/")
    )


@pytest.mark.parametrize(
    "other",
    [
        page("Rada města ve středu rozhodla, že se most přes řeku opraví ještě letos. " * 4),
        page(TEXT * 3, title="Most se letos dočká opravy | Deník"),
        page("Most se opraví."),
    ],
    ids=["another text under the same title and menu", "the same text under its own title", "a short text"],
)
def test_other_pages_are_pages(other):
    assert not missing(TEXT * 3).is_shown_by(other)


def test_an_empty_page_tells_nothing():
    assert describe_missing_page(Document.parse("<html><body><script>start()</script></body></html>", "http://a/")) is None


def test_the_address_is_one_that_no_portal_has_and_no_trap_and_changes_with_the_weeks():
    first, later = (
        make_improbable_url("https://www.denik.example/sport/?p=1", NOW),
        make_improbable_url("https://www.denik.example/", NOW + timedelta(weeks=4)),
    )

    assert first != later
    assert first == make_improbable_url("https://www.denik.example/kraj/", NOW)
    assert first.startswith("https://www.denik.example/")
    assert find_trap(first) is None
    assert CLASSIFIERS["default"](PageLink(href=first)).label is not UrlKind.EXTERNAL
