"""Methods with parameters, as they are written on the command line and in the configuration."""

from __future__ import annotations

from dataclasses import replace

import pytest

from newscrawler.config import check_method
from newscrawler.errors import ConfigError
from newscrawler.page import Document
from newscrawler.plugins import (
    find_method,
    find_site_method,
    get_bounds,
    is_site_method,
    load_methods,
    page_method_name,
    parameters_of,
    split_names,
)
from newscrawler.research.evaluation import candidates, parse_sweep
from newscrawler.research.methods import chromium_layout
from newscrawler.research.methods.mss import MaximumSubsequenceSegmentation
from newscrawler.research.methods.vips import VisionBasedSegmentation
from newscrawler.research.site_methods import SITE_METHODS
from newscrawler.research.site_methods.trinity import Trinity


def test_a_method_is_made_with_the_parameters_behind_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium_layout, "is_available", lambda: True)
    assert find_method("vips[layout=chromium, permitted_coherence=6]") == VisionBasedSegmentation(
        layout="chromium", permitted_coherence=6
    )
    assert find_method("mss[tag_cost=2]") == MaximumSubsequenceSegmentation(tag_cost=2.0)
    assert find_method(" mss ") is load_methods()["mss"]
    assert find_site_method("trinity[strict=yes,least_share=0.5]") == Trinity(strict=True, least_share=0.5)
    assert find_site_method("trinity_article[least_share=none]") == SITE_METHODS["trinity"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("nothing[x=1]", "no block-detection method 'nothing'"),
        ("mss[tag_price=2]", "mss has no parameter tag_price; it has: tag_cost"),
        ("default[x=1]", "default has no parameter x; it has: none"),
        ("vips[layout=firefox]", "layout is styles or chromium, not firefox"),
        ("vips[permitted_coherence=6.5]", "a whole number from 1 to 10, not 6.5"),
        ("vips[permitted_coherence=99]", "permitted_coherence is a whole number from 1 to 10, not 99"),
        ("ttr_lines_em[clusters=0]", "clusters is a whole number of 1 or more, not 0"),
        ("pagelet[least_share=-0.5]", "least_share is a number of 0 or more, not -0.5"),
        ("portal_crawler[headline_path=//h2[]", "//h2[ is not an XPath expression"),
        ("portal_crawler[headline_path=nothing()]", "nothing() is not an XPath expression"),
        ("mss[tag_cost=nan]", "a number of 0 or more, not nan"),
        ("mss[tag_cost=1e999]", "a number of 0 or more, not 1e999"),
        ("mdr[joins_regions=perhaps]", "true or false"),
        ("modified_ttr[text_tags=p]", "has no parameter text_tags"),
        ("mss[tag_cost=2,tag_cost=3]", "twice"),
        ("mss[", "Write parameters as mss[NAME=VALUE"),
        ("mss[]", "Write parameters as mss[NAME=VALUE"),
        ("mss[tag_cost]", "Write parameters as mss[NAME=VALUE"),
        ("mss[tag_cost=2", "Write parameters as mss[NAME=VALUE"),
        ("mss[=2]", "Write parameters as mss[NAME=VALUE"),
        ("mss[tag_cost=]", "Write parameters as mss[NAME=VALUE"),
    ],
)
def test_wrong_parameters_are_refused_by_the_table_the_configuration_and_the_comparison(written: str, said: str) -> None:
    with pytest.raises(ConfigError, match=r".") as refused:
        find_method(written)

    assert said in str(refused.value)
    with pytest.raises(ValueError, match=r".*"):
        check_method(written)
    with pytest.raises(ConfigError):
        candidates([written])


def test_a_method_that_cannot_run_here_is_refused_before_any_page_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium_layout, "is_available", lambda: False)

    with pytest.raises(ConfigError, match="needs Chromium and the extra `browser`"):
        find_method("vips[layout=chromium]")
    with pytest.raises(ConfigError, match="needs Chromium"):
        candidates(["vips[layout=chromium]"])
    with pytest.raises(ConfigError, match="needs Chromium"):
        parse_sweep("vips.layout=styles,chromium")
    with pytest.raises(ValueError, match="needs Chromium"):
        check_method("vips[layout=chromium]")
    assert find_method("vips[permitted_coherence=6]") == VisionBasedSegmentation(permitted_coherence=6)


def test_a_candidate_is_named_so_that_its_name_can_be_written_again() -> None:
    (found,) = candidates(["trinity[strict=true, least_share=none]"])

    assert found.name == "trinity[strict=True, least_share=None]"
    assert candidates([found.name]) == [found]
    assert found.learns


def test_commas_between_brackets_do_not_separate_methods() -> None:
    assert split_names("mss, vips[layout=chromium, least_share=.2],,pagelet") == [
        "mss", "vips[layout=chromium, least_share=.2]", "pagelet",
    ]  # fmt: skip
    assert split_names("") == []


def test_a_method_that_learns_is_known_with_its_parameters_too() -> None:
    assert check_method("trinity[strict=true]") == "trinity[strict=true]"
    assert is_site_method("trinity[strict=true]")
    assert page_method_name("trinity[strict=true]") == "default"
    assert page_method_name("vips[layout=chromium]") == "vips[layout=chromium]"


SENTENCES = "<p>Rada města ve středu rozhodla, že se most opraví ještě letos, a <a href=/a>uvolnila</a> na to peníze.</p>" * 4
PAGES = [
    Document.parse(
        f"<html><head><title>Most číslo {number} se letos dočká opravy</title></head>"
        f"<body><ul><li><a href=/>Domů</a></li></ul><div id=a{number} class=text><h1>Most číslo {number} se letos dočká opravy</h1>"
        f"<img>{number} {SENTENCES}</div></body></html>",
        f"http://portal.test/{number}",
    )
    for number in range(3)
]


@pytest.mark.parametrize("name", [*load_methods(), *SITE_METHODS])
def test_a_number_at_the_edge_of_its_bounds_ends_in_an_answer(name: str) -> None:
    """Every number of every method, at its least, its most or a great one; refused ones are refused before a page is read."""
    method = load_methods()[name] if name in load_methods() else SITE_METHODS[name]
    for parameter, kind in parameters_of(method).items():
        bounds = get_bounds(method, parameter)
        edges = (bounds.least, min(bounds.most, 1000)) if not isinstance(getattr(method, parameter), bool | str) else ()
        for edge in edges:
            changed = replace(method, **{parameter: int(edge) if kind is int else edge})
            if name in load_methods():
                changed(PAGES[0])
            else:
                changed.learn(PAGES[:2])(PAGES[2])
