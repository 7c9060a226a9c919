"""What the text has in common, and what lists of other pages have: boxes of one make, shared names, ends that are cut off."""

from __future__ import annotations

import pytest

from newscrawler import extract
from newscrawler.article import Article

HEADLINE = "Ferry to the islands will run all winter"
PARTS = (
    "The ferry between Malden and the three islands will run all winter for the first time in twenty years.",
    "The county council agreed on Monday to pay two million a year for it, after eleven hours of talks.",
    "“Nobody should have to leave because there is no boat,” said Ruth Adair, who teaches on the largest island.",
    "Until now the boat stopped at the end of October, and whoever missed it had to wait for the mail plane.",
    "The first departure of the winter is set for the third of November, at seven in the morning.",
)
BEGUN = (
    "A storm tore the roof from the school of Malden on Friday night while",
    "Fishermen have found a bell on the sea bed that may have belonged to",
    "The price of heating oil rose again this week, and the council wants",
    "After a quarter of a century the last lighthouse keeper of the county is",
)


def read(article: str, *, before: str = "") -> list[str]:
    body = f"<div class=page>{before}<div>{article}</div></div>"
    html = f"<html lang=en><head><title>{HEADLINE}</title></head><body>{body}</body></html>"
    return texts(extract(html, "https://post.example/2026/ferry.html"))


def texts(article: Article) -> list[str]:
    return [paragraph.text for paragraph in article.body]


def p(*parts: str) -> str:
    return "".join(f"<p>{part}</p>" for part in parts)


def summaries(end: str) -> str:
    items = (f"<li><a href='/2026/{n}.html'>What else happened, number {n}</a> {text}{end}</li>" for n, text in enumerate(BEGUN))
    return f"<div class=b1><ul>{''.join(items)}</ul></div>"


@pytest.mark.parametrize("end", ["...", "…", " [...]", "… »"])
def test_a_list_of_summaries_that_are_cut_off_is_left_out(end: str) -> None:
    article = f"<h1>{HEADLINE}</h1>{p(*PARTS)}"

    assert read(article, before=summaries(end)) == list(PARTS)
    assert read(article + summaries(end)) == list(PARTS)


def test_sentences_with_links_that_trail_off_amid_whole_ones_stay() -> None:
    trailing = "Once more a winter without the boat, <a href='/reports/4'>said a report of the county</a> in spring, and then…"
    parts = [PARTS[0], trailing, PARTS[1], PARTS[2], trailing.replace("winter", "summer"), *PARTS[3:]]

    assert len(read(f"<h1>{HEADLINE}</h1>{p(*parts)}")) == len(parts)


def test_a_text_all_of_whose_sentences_trail_off_with_a_link_amid_them_stays() -> None:
    parts = [
        f"{begun} the <a href='/storm/{n}'>county</a> said once more that it was nobody's fault..." for n, begun in enumerate(BEGUN)
    ]

    assert len(read(f"<h1>{HEADLINE}</h1>{p(*parts)}")) == len(parts)


@pytest.mark.parametrize("name", ["no-tts", "toolbar-text", "metered paywall", "published"])
def test_a_name_that_all_of_the_text_bears_tells_nothing(name: str) -> None:
    body = "".join(f"<p class='{name}'>{part}</p>" for part in PARTS)

    assert read(f"<h1>{HEADLINE}</h1><article>{body}</article>") == list(PARTS)


@pytest.mark.parametrize(
    "box", ["<div><div>{}</div></div>", "<section><div><div>{}</div></div></section>", "<div class=x1>{}</div>"]
)
def test_paragraphs_with_boxes_of_their_own_hang_together(box: str) -> None:
    body = "".join(box.format(f"<p>{part}</p>") for part in PARTS)

    assert read(f"<h1>{HEADLINE}</h1><div>{body}</div>") == list(PARTS)


@pytest.mark.parametrize(
    "credit", ["Photo: Ann Lee", "© Ann Lee / Nordbild", "Foto: dpa", "Bild (cc): Ann Lee", "Image credit: Ann Lee", "写真：共同"]
)
def test_a_line_that_tells_whose_picture_it_is_is_left_out(credit: str) -> None:
    article = f"<h1>{HEADLINE}</h1><article>{p(*PARTS[:2], credit, *PARTS[2:])}</article>"

    assert read(article) == list(PARTS)


def test_a_sentence_about_a_picture_stays() -> None:
    sentence = "Photos of the old boat hang in the bar by the harbour: nobody there believes that it will come back."
    parts = [*PARTS[:2], sentence, *PARTS[2:]]

    assert read(f"<h1>{HEADLINE}</h1><article>{p(*parts)}</article>") == parts


def test_what_a_small_form_says_is_left_out() -> None:
    hint = "This search finds pages of the paper and of its archive since 1958."
    form = f"<form><input name=q><div class=hint><p>{hint}</p></div></form>"

    assert read(f"<h1>{HEADLINE}</h1><article>{p(*PARTS)}</article>", before=form) == list(PARTS)
