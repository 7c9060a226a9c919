"""Charts: each value is there, texts are only texts, and there is a text alternative."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from jinja2 import Environment

from newscrawler.corpus import (
    ChartAxis,
    ChartMark,
    ChartPoint,
    ChartRow,
    Series,
    Svg,
    choose_heat,
    draw_columns,
    draw_lines,
    draw_points,
    draw_rows,
)

_STRANGE = '<b>a & "b"'


def count(chart: Svg, tag: str) -> int:
    return sum(element.tag.rpartition("}")[2] == tag for element in ET.fromstring(chart).iter())


def read_texts(chart: Svg) -> list[str]:
    return [element.text or "" for element in ET.fromstring(chart).iter() if element.tag.endswith(("text", "title"))]


def test_lines_show_each_point_and_its_value() -> None:
    series = [Series(name="u", values=[5.0, 10.0, 0.0]), Series(name=_STRANGE, values=[1.0, None, 2.0])]

    chart = draw_lines(["2026-01", "2026-02", _STRANGE], series, label="a & b", heading="a & b")

    assert count(chart, "circle") == 5
    assert {"a & b", "2026-02: 10 (u)", f"{_STRANGE}: 2 ({_STRANGE})"} <= set(read_texts(chart))
    assert count(draw_lines([], [Series(name="u", values=[])], label="none"), "circle") == 0


def test_columns_have_their_tooltips_and_the_usual_is_a_line() -> None:
    chart = draw_columns(
        [1, None, 3], label="new", tips=["1", "", _STRANGE], flagged=[False, False, True], usual=2.0, highest=2.0, step=8, height=28
    )

    assert count(chart, "rect") == 3
    assert read_texts(chart) == ["new", "1", _STRANGE]
    assert count(chart, "line") == 1


def test_rows_have_marks_and_an_unmeasured_cell_is_empty() -> None:
    marks = [
        ChartMark(start=0, end=0.5, colour="#222222", text="12", tip=_STRANGE),
        ChartMark(start=0.5, end=1, colour="none", tip="not measured"),
    ]

    chart = draw_rows(
        [ChartRow(name=_STRANGE, marks=marks, value="50 %")], label="rows", percent=True, legend=[("right", "#222222", "■")]
    )

    assert {_STRANGE, "12", "not measured", "50 %", "100%", "right"} <= set(read_texts(chart))


def test_names_of_points_that_lie_on_one_another_do_not_overlap() -> None:
    axis = ChartAxis(name="recall", low=0, high=1, ticks=[(0.5, ".5")])
    points = [ChartPoint(x=0.5, y=0.5, name=f"method {number}", tip="") for number in range(5)]

    chart = ET.fromstring(draw_points(points, axis, axis, label="points"))

    places = {(each.get("x"), each.get("y")) for each in chart.iter() if (each.text or "").startswith("method")}
    assert len(places) == 5


def test_heat_goes_from_red_to_green() -> None:
    assert (choose_heat(0), choose_heat(1)) == ("#7a1f1f", "#cfe7d9")


def test_templates_insert_a_chart_as_it_is() -> None:
    chart = draw_lines([], [Series(name="u", values=[])], label="none")

    assert Environment(autoescape=True).from_string("{{ chart }}").render(chart=chart) == chart
