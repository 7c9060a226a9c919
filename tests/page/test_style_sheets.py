from __future__ import annotations

import time

import pytest

from newscrawler.page import Document

SEEN = "The ferry sails every twenty minutes."


def is_seen(element: str, sheet: str = "") -> bool:
    page = Document.parse(
        f"<html><head><style>{sheet}</style></head><body><main><p>One.</p>{element}<p>Two.</p></main></body></html>"
    )
    blocks = {block.text: block for block in page.layout.blocks}
    marks = page.names.marks.get(blocks[SEEN].element, 0)
    return not marks


@pytest.mark.parametrize(
    "style",
    [
        "display:none;display:block",
        "display:block!important;display:none",
        "visibility:hidden; VISIBILITY : Visible",
        "/* display:none */ color:red",
        "--display:none",
        "background:url(display:none.png)",
        "height:0;height:auto",
        "display: none; display: flex !important; display: none",
    ],
)
def test_the_last_declaration_of_a_style_decides_or_the_important_one(style: str) -> None:
    assert is_seen(f'<p style="{style}">{SEEN}</p>')


@pytest.mark.parametrize(
    "style",
    [
        "display:block;display:none",
        "display:none !important; display:block",
        "DISPLAY : NONE",
        "color:red;visibility:hidden",
        "height:0",
    ],
)
def test_a_style_that_hides_in_the_end_hides(style: str) -> None:
    assert not is_seen(f'<p style="{style}">{SEEN}</p>')


@pytest.mark.parametrize(
    ("attributes", "sheet"),
    [
        ('class="x" style="display:block"', ".x{display:none}"),
        ('class="x" style="display:grid!important"', ".x{display:none!important}"),
        ('class="x"', ".x{display:none} .x{display:block}"),
        ('class="x"', ".x{display:none;display:block}"),
        ('class="x" id="y"', "#y{display:block} .x{display:none}"),
        ('class="x y"', ".x{display:none} .x.y{display:block}"),
        ('class="x z"', ".z{display:block!important} .x{display:none}"),
        ('class="x"', ".x{display:none} main .x{display:block}"),
        ('class="x"', ".x{display:none} main > p.x, .other{display:block}"),
        ('class="x"', ".x{display:none} p + p.x{display:block}"),
        ('class="x"', ".x{display:none} body p ~ .x{display:block}"),
        ('class="x" data-state="is open"', ".x{display:none} main > [data-state~='open'].x{display:block}"),
        ('class="x"', ".x{display:none} @media screen and (min-width:600px){.x{display:block}}"),
        ('class="x"', "/* .x{display:none} */"),
        ('class="x"', "@media print{.x{display:none}}"),
        ("hidden style='display:block'", ""),
        ('class="x"', ".x{padding:0 20px;max-height:0;transition:max-height .15s ease-out;display:none}"),
    ],
)
def test_a_rule_that_hides_is_overridden_as_in_browsers(attributes: str, sheet: str) -> None:
    assert is_seen(f"<p {attributes}>{SEEN}</p>", sheet)


@pytest.mark.parametrize(
    ("attributes", "sheet"),
    [
        ('class="x"', ".x{color:red;display:none}"),
        ('class="x"', ".x{transition:color 1s;display:none}"),
        ('class="x" style="display:block"', ".x{display:none!important}"),
        ('class="x"', ".x{display:block} .x{display:none}"),
        ('class="x"', ".x{display:none} p{display:block}"),
        ('class="x"', ".x{display:none} .x:hover, .x:target{display:block}"),
        ('class="x"', ".x{display:none} .open .x, .x.open{display:block}"),
        ('class="x"', ".x{display:none} main + .x, body > .x, h2 ~ .x, .x[data-state=open]{display:block}"),
        ('class="x"', ".x{display:none} @media print{.x{display:block}}"),
        ('class="x"', "/* note */ .a, .x{display:none}"),
        ('id="x"', "#x{visibility:hidden}"),
        ('class="x"', ".x { COLOR: RED; DISPLAY: NONE }"),
        ("hidden style='color:red'", ""),
    ],
)
def test_a_rule_that_nothing_overrides_hides(attributes: str, sheet: str) -> None:
    assert not is_seen(f"<p {attributes}>{SEEN}</p>", sheet)


@pytest.mark.parametrize(
    "sheet",
    [
        ".x{" + "display:none;" * 25_000 + "}",
        ".x{display:none}" + ".x{display:block}" * 20_000 + ".x{display:none}",
        ".x{display:none}" + "h2 ~ " * 9 + ".x{display:block}",
        ".x{display:none}" + "p ~ " * 9 + "h2 ~ .x{display:block}",
        ".x{display:none}" + ".x " * 100_000,
        ".x{display:none}" + "{" * 100_000,
    ],
    ids=["declarations", "rules", "siblings", "siblings that fit", "names", "brackets"],
)
def test_a_style_sheet_of_any_form_is_read_in_seconds(sheet: str) -> None:
    began = time.process_time()
    assert not is_seen("<p></p>" * 2_000 + f"<p class='x'>{SEEN}</p>", sheet)
    assert time.process_time() - began < 3
