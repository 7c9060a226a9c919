"""A line that announces a list of links goes with the list."""

from __future__ import annotations

import pytest

from newscrawler.extract import read_record

TEXT = "Rada města ve středu rozhodla, že se most přes řeku opraví ještě letos, a uvolnila na to osm milionů korun. "
LINKS = "".join(
    f"<li><a href='/zpravy/clanek-{number}.html'>Jiná zpráva číslo {number} o něčem docela jiném</a></li>" for number in range(3)
)


def page(inside: str) -> str:
    before, after = (f"<p>{part}. {TEXT * 3}</p>" for part in "AB")
    head = "<html lang=cs><title>Most se opraví | Deník</title><body>"
    return f"{head}<article><h1>Most se opraví</h1>{before}{inside}{after}</article>"


def test_read_also_goes_with_its_links() -> None:
    body = read_record(page(f"<p><strong>Čtěte také</strong></p><ul>{LINKS}</ul>"), "http://a.example/zpravy/most.html")["body"]

    assert "Jiná zpráva" not in body
    assert "Čtěte také" not in body


def test_a_line_before_a_list_of_the_article_stays() -> None:
    items = "".join(f"<li>Opraví se pilíř číslo {number} a jeho základy, potom vozovka i zábradlí.</li>" for number in range(3))

    body = read_record(page(f"<p>Co se bude dělat</p><ul>{items}</ul>"), "http://a.example/zpravy/most.html")["body"]

    assert "Opraví se pilíř číslo 1" in body


OTHER = "<a href='/zpravy/most-zavreny-21.html'>Most přes řeku zůstane zavřený do jara</a>"


@pytest.mark.parametrize(
    "line", [f"<b>PŘEČTĚTE SI DÁL |</b> {OTHER}", f"Více » {OTHER}", f"&gt;&gt; {OTHER} a co o tom říká město", f"→ Také: {OTHER}"]
)
def test_a_line_that_points_at_another_article_is_no_text(line: str) -> None:
    body = read_record(page(f"<p>{line}</p>"), "http://a.example/zpravy/most.html")["body"]

    assert "zavřený do jara" not in body


@pytest.mark.parametrize(
    "line",
    [
        f"»Nikdo to nečekal«, řekl starosta, když se zjistilo, že {OTHER}",
        f"Starosta soudí, že {OTHER}",
        f"▶ {TEXT} Jak řekl, {OTHER}",
    ],
)
def test_a_sentence_with_a_link_is_text(line: str) -> None:
    body = read_record(page(f"<p>{line}</p>"), "http://a.example/zpravy/most.html")["body"]

    assert "zavřený do jara" in body
