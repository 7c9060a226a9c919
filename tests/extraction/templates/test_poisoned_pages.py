"""Pages that would teach the wrong thing are refused with the reason."""

from __future__ import annotations

import pytest
from portal_pages import PROMOTION, headline, listing, page, paragraphs_of

from newscrawler.extraction.templates import TemplateFault, TemplateRefused, learn_template
from newscrawler.page import Document

CZECH = (
    "Zastupitelé města v pondělí po dlouhé debatě schválili stavbu nového mostu přes řeku, o který obyvatelé žádali od roku {0}.",
    "Práce mají začít na jaře a potrvají nejméně dva roky, řekla starostka, která pro stavbu hlasovala společně s většinou {0}.",
    "Polovinu peněz dá kraj a druhou polovinu město, protože stát letos na mosty nemá podle ministra dopravy ani korunu z {0}.",
    "Opozice ale tvrdí, že je most příliš drahý a že by se měly nejdříve opravit silnice, po kterých se jezdí do práce, všech {0}.",
)


def refusal_of(pages: list[str], **values: str) -> TemplateRefused:
    documents = [Document.parse(html, f"https://valley.example/{number}") for number, html in enumerate(pages)]
    with pytest.raises(TemplateRefused) as caught:
        learn_template(documents, **values)  # type: ignore[arg-type]
    return caught.value


def czech(number: int) -> str:
    texts = "".join(f"<p>{text.format(number * 7)} {text.format(number)}</p>" for text in CZECH[number % 4 :] + CZECH[: number % 4])
    title = f"Nový most číslo {number} stojí u nádraží"
    head = f"<html lang=cs><head><title>{title}</title></head><body>"
    return f"{head}<main id=obsah><h1>{title}</h1><section class=telo>{texts}</section></main>"


def test_no_pages_teach_nothing() -> None:
    assert refusal_of([]).reason == TemplateFault.NO_PAGES


def test_error_pages_teach_nothing() -> None:
    error = "<html><head><title>404 Not Found</title></head><body><h1>Not found</h1><p>The page that you look for is not here.</p>"

    refused = refusal_of([error, error, page(1)])

    assert refused.reason == TemplateFault.NO_ARTICLES
    assert "1 of 3 pages hold an article" in str(refused)


def test_listings_alone_teach_nothing() -> None:
    assert refusal_of([listing(1), listing(2)]).reason == TemplateFault.NO_ARTICLES


def test_a_wall_in_place_of_every_article_is_one_text() -> None:
    wall = "".join(f"<p>{text}</p>" for text in (PROMOTION, *paragraphs_of(77)))
    pages = [
        f"<html><head><title>{headline(n)}</title></head><body><h1>{headline(n)}</h1><div class=wall>{wall}</div></body>"
        for n in range(4)
    ]

    refused = refusal_of(pages)

    assert refused.reason == TemplateFault.ONE_TEXT
    assert "4 pages hold 1 different texts" in str(refused)


def test_one_article_again_and_again_is_refused() -> None:
    assert refusal_of([page(1), page(1), page(1)]).reason == TemplateFault.ONE_TEXT


def test_one_article_twice_among_others_is_left_out() -> None:
    documents = [Document.parse(page(n), f"https://valley.example/{n}") for n in (1, 2, 1, 3)]

    learned = learn_template(documents)

    assert learned.layouts[0].pages == 3
    assert learned.provenance.left_out == ("https://valley.example/1: same text as another page",)


def test_pages_of_another_language_and_layout_are_refused() -> None:
    refused = refusal_of([page(1), page(2), page(3), czech(1), czech(2)])

    assert refused.reason == TemplateFault.OTHER_LANGUAGE
    assert "written in cs, not in en" in str(refused)


def test_pages_in_none_but_another_language_than_the_portals_are_refused() -> None:
    assert refusal_of([page(1), page(2), page(3)], language="cs").reason == TemplateFault.OTHER_LANGUAGE


def test_a_page_in_another_language_but_the_same_layout_teaches_like_the_others() -> None:
    texts = "".join(f"<p>{text.format(3)}</p>" for text in CZECH)
    foreign = page(4, promoted=False).split("<p>", 1)[0] + texts + "</div></div></body></html>"

    learned = learn_template([Document.parse(html) for html in (page(1), page(2), foreign)])

    assert [layout.pages for layout in learned.layouts] == [3]
    assert learned.provenance.left_out == ()
