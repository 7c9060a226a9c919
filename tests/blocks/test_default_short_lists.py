"""Lists of few words amid the text belong to it; what surrounds the text does not."""

from __future__ import annotations

import json

import pytest

from newscrawler.blocks.default import DefaultDetector
from newscrawler.page import Document

RECIPES = {
    "en": (
        ["200 g flour", "2 eggs", "1 pinch of salt", "100 ml milk"],
        "Beat the eggs with the sugar until the mixture is pale, then stir in the flour and bake it for forty minutes.",
    ),
    "de": (
        ["200 g Mehl", "2 Eier", "1 Prise Salz", "100 ml Milch"],
        "Die Eier mit dem Zucker schaumig schlagen, dann das Mehl unterrühren und alles vierzig Minuten lang backen.",
    ),
    "cs": (
        ["200 g mouky", "2 vejce", "1 špetka soli", "100 ml mléka"],
        "Vejce vyšleháme s cukrem do světlé pěny, potom vmícháme mouku a všechno pečeme čtyřicet minut při mírném teple.",
    ),
}
STORY = "<p>{0} {0}</p>"


def taken_of(body: str, head: str = "") -> list[str]:
    html = f"<html><head><title>A cake for the autumn</title>{head}</head><body><h1>A cake for the autumn</h1>{body}</body></html>"
    found = DefaultDetector().examine(Document.parse(html)).body
    return [paragraph.text for paragraph in found.paragraphs] if found else []


@pytest.mark.parametrize("language", RECIPES)
def test_ingredients_in_a_list_amid_the_text_belong_to_it(language: str) -> None:
    ingredients, method = RECIPES[language]
    items = "".join(f"<li>{text}</li>" for text in ingredients)

    taken = taken_of(f"{STORY.format(method)}<h2>2</h2><ul>{items}</ul><h2>3</h2><p>{method}</p>")

    assert [text for text in taken if text in ingredients] == ingredients


@pytest.mark.parametrize("language", RECIPES)
def test_ingredients_that_json_ld_names_are_found_in_whatever_boxes(language: str) -> None:
    ingredients, method = RECIPES[language]
    head = f'<script type="application/ld+json">{json.dumps({"@type": "Recipe", "recipeIngredient": ingredients})}</script>'
    items = "".join(f"<div><span>{text}</span></div>" for text in ingredients)
    body = f"<p>{method}</p><div><div>{items}</div></div><p>{method[:-1]}, {language}.</p>"

    assert [text for text in taken_of(body, head) if text in ingredients] == ingredients
    assert not set(taken_of(body)).intersection(ingredients)


@pytest.mark.parametrize("language", RECIPES)
def test_links_amid_the_text_are_no_list_of_it(language: str) -> None:
    ingredients, method = RECIPES[language]
    items = "".join(f"<li><a href='/{text[-3:]}/'>{text}</a></li>" for text in ingredients)

    taken = taken_of(f"{STORY.format(method)}<ul>{items}</ul><p>{method[:-1]}, {language}.</p>")

    assert taken
    assert not set(taken).intersection(ingredients)
