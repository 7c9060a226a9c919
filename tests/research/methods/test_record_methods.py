from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from newscrawler.page import Document
from newscrawler.research.methods.mdr import MiningDataRecords, edit_distance
from newscrawler.research.methods.tag_path_clustering import TagPathClustering, unevenness

LONG = "This sentence is long enough to tell text from everything else that stands on a page of news. " * 2


def page(inner: str) -> Document:
    return Document.parse(f"<html><body>{inner}</body></html>")


def slow_distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        corner, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (a != b))
    return row[-1]


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_the_edit_distance_is_that_of_the_textbook(one: str, other: str) -> None:
    assert edit_distance(one, other) == slow_distance(one, other)


def test_similar_neighbours_are_records_and_others_are_not() -> None:
    body = MiningDataRecords(least_levels=2)(
        page(f"<div><h1>Title</h1><p>{LONG}</p><p>{LONG}</p><p>{LONG}</p><form><ul><li>x</li></ul></form></div>")
    )

    assert body is not None
    assert [paragraph.text for paragraph in body.paragraphs] == [LONG.strip()] * 3


def test_a_region_ends_at_what_is_no_record_and_only_the_variant_joins_regions() -> None:
    records = f"<div><p><b>{LONG}</b></p></div>"
    document = page(f"<div>{records * 3}<form><ul><li>x</li></ul></form>{records * 2}</div>")

    alone, joined = MiningDataRecords()(document), MiningDataRecords(joins_regions=True)(document)

    assert alone is not None
    assert joined is not None
    assert (len(alone.paragraphs), len(joined.paragraphs)) == (3, 5)


def test_trees_of_less_than_three_levels_are_not_searched() -> None:
    assert MiningDataRecords()(page(f"<div><p>{LONG}</p><p>{LONG}</p></div>")) is None


def test_a_record_may_consist_of_several_children() -> None:
    records = f"<h3>Title</h3><table><tr><td>{LONG}</td></tr></table>" * 3

    wide = MiningDataRecords()(page(f"<div>{records}</div>"))
    narrow = MiningDataRecords(most_children=1)(page(f"<div>{records}</div>"))

    assert wide is not None
    assert len(wide.paragraphs) == 6
    assert narrow is None


def test_the_threshold_decides_what_is_similar() -> None:
    document = page(f"<div><p>{LONG}</p><p>{LONG}<a href=/>x</a></p></div>")

    assert MiningDataRecords(least_levels=2)(document) is None
    assert MiningDataRecords(least_levels=2, most_distance=0.7)(document) is not None


def test_comparisons_are_bounded() -> None:
    children = "".join(f"<div>{'<p>x</p>' * (i % 9)}{'<b>y</b>' * (i % 7)}</div>" for i in range(300))

    assert MiningDataRecords(most_comparisons=0)(page(f"<div>{children}</div>")) is None


def test_the_cluster_of_paths_with_the_most_text_outside_of_links_is_taken() -> None:
    teasers = "<ul>" + "".join(f"<li><a href=/{i}>Teaser {i}: {LONG}</a></li>" for i in range(20)) + "</ul>"
    made = page(f"{teasers}<div><article>{f'<p>{LONG}<b>bold</b></p>' * 6}</article></div>")

    body, with_links = TagPathClustering()(made), TagPathClustering(counts_links=True)(made)

    assert body is not None
    assert with_links is not None
    assert "Teaser" not in body.text
    assert body.text.count("bold") == 6
    assert with_links.text.count("Teaser") == 20


def test_blocks_below_the_elements_of_a_cluster_are_not_its_text() -> None:
    inner = f"<p>{LONG}<span>inline</span></p>" * 4

    body = TagPathClustering()(
        page(f"<div>{inner}<section><div><form>Only once, in a block of its own.</form></div></section></div>")
    )

    assert body is not None
    assert body.text.count("inline") == 4
    assert "Only once" not in body.text


def test_a_path_that_occurs_twice_is_no_signal() -> None:
    assert TagPathClustering()(page(f"<p>{LONG}</p><p>{LONG}</p>")) is None


def test_paths_in_the_same_rhythm_are_even() -> None:
    assert unevenness([0, 10, 20, 30], [1, 11, 21, 31]) == 0
    assert unevenness([0, 10, 20, 30], [1, 2, 3, 25]) > 0
    assert unevenness([0, 1, 2], [50, 60]) == float("inf")


def test_counting_from_either_side_gives_the_same_unevenness() -> None:
    few, many = [0, 100], list(range(1, 90, 2))

    assert unevenness(few, many) == 0
    assert unevenness([0, 40, 80, 120], [10, 50]) == unevenness([0, 40, 80, 120], [10, 50, 200, 201, 202, 203])
