"""Pages that are parted by line breaks and tables, and what is set apart by looks alone: initials, captions, references."""

from __future__ import annotations

import pytest

from newscrawler import extract

ENGLISH = (
    "Customs seize three tons of cocoa in the harbour",
    "Customs have seized three tons of cocoa beans in the harbour, which somebody wanted to import without papers.",
    "The goods had come on Tuesday in a container from Africa and were declared as waste paper, the office said.",
    "A sniffer dog which was to look for drugs gave tongue; it likes chocolate, a spokeswoman told the newspaper.",
    "The price of cocoa has nearly doubled since last year, because the harvest in the south was a poor one.",
)
CHINESE = (
    "上海一家百年书店搬迁后重新开业",
    "位于上海福州路的一家百年书店周六在新址重新开业，上千名读者冒雨排队，希望走进新店。",
    "新店面积比原来大了一倍，共有三层，其中地下一层专门陈列旧书和连环画，店员大多工作了二十年。",
    "为了保留过去的气氛，设计师把原来的木楼梯和柜台拆下来，一块一块地装到了新的大厅里。",
    "书店每天上午九点半营业到晚上九点，周末延长到十点，地铁二号线可以直达书店的门口。",
)
LETTER = "I have lived here for thirty years and have never seen anything like it, so come and ask us next time, please."


def texts(body: str, headline: str = ENGLISH[0]) -> list[str]:
    html = f"<html><head><title>{headline} | Courier</title></head><body>{body}</body></html>"
    return [paragraph.text for paragraph in extract(html, "https://courier.example/2026/cocoa-4711.html").body]


def p(*parts: str) -> str:
    return "".join(f"<p>{part}</p>" for part in parts)


@pytest.mark.parametrize("page", [ENGLISH, CHINESE], ids=["English", "Chinese"])
def test_a_page_of_tables_and_line_breaks_gives_its_paragraphs_and_nothing_else(page: tuple[str, ...]) -> None:
    menu = "".join(f"<a href=/s{n}>Rubric {n}</a><br>" for n in range(5))
    head = f"<font size=4><b>{page[0]}</b></font><br><font size=1>3.2.2026 8:00 | Jo Doe</font><br><br>"
    text = f"<b>{page[1]}</b><br><br>" + "<br><br>".join(page[2:])

    found = texts(
        f"<table><tr><td>{menu}</td><td>{head}<font size=2>{text}</font></td><td><img src=a.gif></td></tr></table>", page[0]
    )

    assert found == list(page[1:])


def test_letters_of_readers_in_further_rows_of_a_table_are_left_out() -> None:
    rows = "".join(f"<tr><td><b>reader{n}</b> 3.2.2026 10:00<br>{LETTER}</td></tr>" for n in range(3))
    letters = f"<table><tr><td bgcolor=#ccc><b>Comments (3)</b></td></tr>{rows}</table>"

    assert texts(f"<h1>{ENGLISH[0]}</h1><div>{p(*ENGLISH[1:])}</div>{letters}") == list(ENGLISH[1:])


def test_a_bold_line_before_a_break_is_a_line_of_its_own() -> None:
    question = "Why did the dog give tongue?"

    assert question in texts(f"<h1>{ENGLISH[0]}</h1>{p(*ENGLISH[1:3])}<p><b>{question}</b><br>{ENGLISH[3]}</p><p>{ENGLISH[4]}</p>")


def test_bold_words_before_a_break_in_a_bold_line_part_nothing() -> None:
    lead = f"<p><b>{ENGLISH[1][:40]}<br>{ENGLISH[1][40:]}</b></p>"

    assert len(texts(f"<h1>{ENGLISH[0]}</h1>{lead}{p(*ENGLISH[2:])}")) == 4


def test_an_initial_in_a_box_of_its_own_belongs_to_its_word() -> None:
    first = f"<div><div style='float:left'>{ENGLISH[1][0]}</div>{ENGLISH[1][1:]}</div>"

    assert texts(f"<h1>{ENGLISH[0]}</h1>{first}{p(*ENGLISH[2:])}") == list(ENGLISH[1:])


@pytest.mark.parametrize(
    "between",
    [
        "<p><img src=a.jpg><br><em>The dog Bruno beside the sacks, which customs will have to burn by the end of May.</em></p>",
        "<p><strong>Zobacz też:</strong> <a href=/x>Prom na wyspy znowu odwołany</a></p>",
        "<p>Olvassa el ezt is: <a href=/x>Kevesebb a keszeg a tóban, mint tavaly</a></p>",
        "<p>Related stories:</p><p>» <a href=/x>Ferry to the islands cancelled</a></p><p>» <a href=/y>Lighthouse leans</a></p>",
    ],
    ids=["caption in italics", "reference", "reference without bold type", "references below a label"],
)
def test_what_is_set_apart_by_its_make_is_left_out(between: str) -> None:
    assert texts(f"<article><h1>{ENGLISH[0]}</h1>{p(*ENGLISH[1:3])}{between}{p(*ENGLISH[3:])}</article>") == list(ENGLISH[1:])


def test_a_gallery_with_long_captions_gives_its_text() -> None:
    pictures = "".join(f"<div><img src=p.jpg><div class=gallery-caption>Picture {n}/8. {LETTER} {n}</div></div>" for n in range(8))

    assert texts(f"<article><h1>{ENGLISH[0]}</h1>{p(*ENGLISH[1:])}<div class=gallery>{pictures}</div></article>") == list(
        ENGLISH[1:]
    )
