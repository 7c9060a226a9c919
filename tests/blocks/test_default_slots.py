"""The word that stands above each slot for an advertisement is no text; the names of who speaks are."""

from __future__ import annotations

import pytest

from newscrawler.extract import read_record

TEXT = "Le conseil municipal a décidé mercredi que le pont serait réparé cette année et y consacre huit millions de couronnes. "


def body(between: list[str]) -> list[str]:
    parts = [f"<p class='k1'>Partie {number}. {TEXT * 2}</p>{piece}" for number, piece in enumerate(between)]
    page = f"<html lang=fr><title>Le pont sera réparé</title><body><main><h1>Le pont sera réparé</h1>{''.join(parts)}</main>"
    return [paragraph["text"] for paragraph in read_record(page, "http://a.example/pont-repare.html")["paragraphs"]]


@pytest.mark.parametrize(
    "label", ["<div class='x9'><div class='q7'>Annonce, la suite plus bas</div></div>", "<p class='q7'>La suite plus bas</p>"]
)
def test_the_label_of_slots_is_no_text(label: str) -> None:
    found = body([label, "", label, label, ""])

    assert len(found) == 5
    assert all(text.startswith("Partie") for text in found)


def test_the_names_of_who_speaks_stay() -> None:
    asks, answers = "<p class='k1'><b>Le Courrier</b></p>", "<p class='k1'><b>Marie Blanc</b></p>"

    found = body([asks, answers, asks, answers, asks, answers, ""])

    assert found.count("Le Courrier") == 3
    assert found.count("Marie Blanc") == 3
