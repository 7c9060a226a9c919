"""The report: one HTML file with tables, charts and the worst pages, without external resources, fit for print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate
from pathlib import Path

from newscrawler import __version__
from newscrawler.corpus.reviews import split_words
from newscrawler.errors import counted
from newscrawler.research.evaluation import charts, tables
from newscrawler.research.evaluation.candidates import Sweep
from newscrawler.research.evaluation.data import DataProblem
from newscrawler.research.evaluation.judgement import AnswerVerdict, covered, word_spans
from newscrawler.research.evaluation.run import Evaluation, PageResult
from newscrawler.research.evaluation.summary import Summary, SummaryRow

_WORST_PAGES = 12
_DISPUTED_PAGES = 15
_MOST_PROBLEMS = 50
#: Rows of a wide table.
_MOST_PORTALS = 120
_WEIGHT = {verdict: number for number, verdict in enumerate(AnswerVerdict)}

Section = tuple[str, str, str]


def report(evaluation: Evaluation, summary: Summary, problems: Sequence[DataProblem] = (), sweeps: Sequence[Sweep] = ()) -> str:
    """Write the report."""
    sections = list(_sections(evaluation, summary, problems, sweeps))
    links = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title, _ in sections)
    parts = "".join(f'<section id="{name}"><h2>{escape(title)}</h2>{content}</section>' for name, title, content in sections)
    style = Path(__file__).with_name("report.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Methods side by side</title><style>{style}</style></head><body>"
        f"<h1>Methods side by side</h1>{_opening(evaluation, summary)}<nav><ul>{links}</ul></nav>{parts}</body></html>\n"
    )


def _sections(
    evaluation: Evaluation, summary: Summary, problems: Sequence[DataProblem], sweeps: Sequence[Sweep]
) -> Iterator[Section]:
    rows = summary.rows
    shown = _without_sweeps(rows, sweeps)
    if any(row.f1 is not None for row in rows):
        for number, sweep in enumerate(sweeps):
            yield f"sweep-{number}", f"{sweep.method} at several values of {sweep.parameter}", charts.draw_sweep(sweep, rows)
        note = "<p class=note>A pale line is the 95 % interval of F1. Best first.</p>"
        yield "overview", "How close the methods come", charts.draw_overview(shown) + note
    yield "table", "All figures", _figures(summary)
    if any(row.accuracy is not None for row in rows):
        yield "errors", "Entirely right, and what is wrong with the rest", charts.draw_error_kinds(shown) + _note_on_errors()
    if any(row.precision is not None for row in rows):
        yield "precision", "Precision against recall", charts.draw_precision_and_recall(shown)
        yield "time", "What accuracy costs", charts.draw_time_and_f1(shown)
    if summary.differences:
        yield "differences", f"Better or worse than {summary.versus}", _differences(summary)
    if summary.datasets:
        yield "datasets", "Dataset by dataset", _table(*tables.dataset_rows(summary.datasets))
    if any(row.accuracy is not None for row in rows):
        yield "portals", "Accuracy by portal", charts.draw_portals(summary, shown) + _portals(summary)
    if len(shown) > 1 and any(row.f1 is not None for row in rows):
        yield "disagreement", "Where methods disagree", charts.draw_disagreement(evaluation, shown) + _disputed(evaluation)
    if any(row.accuracy is not None for row in rows):
        yield "worst", f"The pages on which {summary.versus} does worst", "".join(_worst(evaluation, summary))
    if problems or any(row.faults or row.not_measured for row in rows):
        yield "problems", "What was skipped", _problems(evaluation, summary, problems)
    yield "method", "How this was measured", _explanation(summary)


def _without_sweeps(rows: Sequence[SummaryRow], sweeps: Sequence[Sweep]) -> list[SummaryRow]:
    """Return all rows except those of sweeps, which have charts of their own; of each sweep only its best."""
    names = {candidate.name for sweep in sweeps for candidate in sweep.candidates}
    kept = [row for row in rows if row.method not in names]
    for sweep in sweeps:
        of = [row for row in rows if row.method in {candidate.name for candidate in sweep.candidates}]
        kept += sorted(of, key=lambda row: -(row.f1 or 0.0))[:1]
    return kept


def _opening(evaluation: Evaluation, summary: Summary) -> str:
    pages, portals = len(evaluation.pages), len({page.portal for page in evaluation.pages})
    sets = ", ".join(f"{escape(name)} ({count})" for name, count in Counter(page.dataset for page in evaluation.pages).items())
    best = max((row for row in summary.rows if row.f1 is not None), key=lambda row: row.f1 or 0.0, default=None)
    lead = f"{len(summary.rows)} methods on {counted(pages, 'page')} of {counted(portals, 'portal')}"
    if best is not None:
        lead += f"; the best is {escape(best.method)} with a body F1 of {best.f1:.3f}"
        if best.accuracy is not None:
            lead += f" and {best.accuracy * 100:.0f} % of the pages entirely right"
    return f'<p class="lead">{lead}.</p><p class="note">Data: {sets}. newscrawler {__version__}.</p>'


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]], *, reference: str | None = None) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heading)
    body = "".join(
        f"<tr{' class=reference' if row[0] == reference else ''}>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _figures(summary: Summary) -> str:
    heading, rows = tables.method_table(summary)
    table = _table(heading, rows, reference=summary.versus)
    drawn = "portals, with all their pages," if summary.of_portals else "pages"
    return table + (
        f'<p class="note">Intervals hold the middle 95 % of 1,000 bootstrap draws of {drawn} with replacement. '
        "right: pages on which everything is right. pieces found, kept out: shares of the pieces of text that must, and must not, "
        "be found. nothing: pages on which no article was found. ms: CPU time of a page, parsing "
        "left out. MB: the greatest memory that one page took, measured on every eighth page.</p>"
    )


def _note_on_errors() -> str:
    return (
        '<p class="note">Of several errors the worst is counted: nothing found, no lead, part missing, advertisements or captions, '
        "other. A run of four words or more that the other text lacks is an error; shorter runs are differences of spelling.</p>"
    )


def _differences(summary: Summary) -> str:
    drawn = "portals" if summary.of_portals else "pages"
    note = (
        f'<p class="note">Mean page F1 of each method less that of {escape(summary.versus or "")}, on the pages that both were '
        f"measured on. p: how often a difference as great would come about if the signs of the differences of {drawn} were tossed "
        "(two-sided); corrected by Holm for the number of methods.</p>"
    )
    return _table(tables.DIFFERENCE_HEADING, tables.difference_rows(summary.differences)) + note


def _portals(summary: Summary) -> str:
    rows = tables.portal_rows(summary.portals, summary.versus)
    note = '<p class="note">Each cell: per cent of the pages that are entirely right; an empty one: not measured.</p>'
    if len(rows) > _MOST_PORTALS:
        return note
    name = escape(summary.versus or "")
    several = [row for row in rows if int(row[1]) > 1]
    alone = len(rows) - len(several)
    rest = f'<p class="note">{counted(alone, "portal")} of one page each left out of the table.</p>' if alone else ""
    return note + (f"<h3>{name}, portal by portal</h3>{_table(tables.PORTAL_HEADING, several)}{rest}" if several else "")


def _disputed(evaluation: Evaluation) -> str:
    values: dict[int, list[tuple[float, str]]] = {}
    for result in evaluation.results:
        if result.score.f1 is not None:
            values.setdefault(result.page, []).append((result.score.f1, result.candidate.name))

    def share_right(page: int) -> float:
        return sum(value > 0.9 for value, _ in values[page]) / len(values[page])

    order = sorted(values, key=lambda page: abs(share_right(page) - 0.5))[:_DISPUTED_PAGES]
    rows = []
    for page in order:
        of = sorted(values[page], reverse=True)
        good, bad = [name for value, name in of if value > 0.9], [name for value, name in of if value < 0.5]
        cells = [f"{len(good)} of {len(of)}", ", ".join(good[:6]) or "–", ", ".join(bad[-6:]) or "–"]
        written = [_name(evaluation, page), *map(escape, cells)]
        rows.append("".join(f'<td class="words">{cell}</td>' for cell in written))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        '<p class="note">Each column is a page; white: not measured.</p>'
        "<h3>Pages that part the methods most evenly</h3>"
        '<div class="wide"><table class="left"><thead><tr><th>page</th><th>F1 over .9</th><th>some that read it well</th>'
        f"<th>some below .5</th></tr></thead><tbody>{body}</tbody></table></div>"
    )


def _name(evaluation: Evaluation, page: int) -> str:
    found = evaluation.pages[page]
    if found.url and found.url.startswith(("http://", "https://")):
        shown = found.url.split("://", 1)[1]
        shown = shown if len(shown) <= 90 else f"{shown[:60]}…{shown[-28:]}"
        return f'<a href="{escape(found.url)}" rel="noreferrer">{escape(shown)}</a>'
    return escape(found.id[:90])


def _worst(evaluation: Evaluation, summary: Summary) -> Iterator[str]:
    of = [result for result in evaluation.results if result.candidate.name == summary.versus]
    wrong = [result for result in of if result.score.verdict not in {None, AnswerVerdict.RIGHT}]
    wrong.sort(key=_badness)
    if not wrong:
        yield "<p>No page with an expected body is wrong.</p>"
        return
    yield (
        '<p class="note">On the left what is expected, <mark class="missing">what is missing</mark> marked; on the right what was '
        f'found, <mark class="foreign">what is foreign</mark> marked. {min(len(wrong), _WORST_PAGES)} of {len(wrong)} that are not '
        "entirely right.</p>"
    )
    for result in wrong[:_WORST_PAGES]:
        yield _page(evaluation, result)


def _badness(result: PageResult) -> tuple[float, int]:
    score = result.score
    return -1.0 if score.f1 is None else score.f1, _WEIGHT[score.verdict or AnswerVerdict.OTHER]


def _page(evaluation: Evaluation, result: PageResult) -> str:
    gold, score = evaluation.pages[result.page].gold, result.score
    wanted = gold.texts[score.variant] if gold.texts else ""
    left, right = side_by_side(wanted, result.answer.text or "")
    if not wanted:
        left = '<p class="nothing">no article is on this page</p>'
    figures = f"F1 {score.f1:.3f}, recall {score.recall:.3f}" if score.f1 is not None and score.recall is not None else ""
    figures += f", precision {score.precision:.3f}" if score.precision is not None else ""
    fault = f" {escape(result.answer.fault)}" if result.answer.fault else ""
    return (
        f'<article class="page"><h3>{_name(evaluation, result.page)}</h3>'
        f'<p class="note"><b>{escape(str(score.verdict))}</b>. {figures}{fault}</p>'
        f'<div class="sides"><div><h4>expected</h4>{left}</div>'
        f"<div><h4>{escape(result.candidate.name)}</h4>{right}</div></div></article>"
    )


def _problems(evaluation: Evaluation, summary: Summary, problems: Sequence[DataProblem]) -> str:
    parts = []
    for row in summary.rows:
        if row.not_measured:
            what = f"not measured on {counted(row.not_measured, 'page')}, whose portals have too few pages to learn from"
            parts.append(f"<li>{escape(row.method)}: {what}</li>")
    for result in [result for result in evaluation.results if result.answer.fault][:_MOST_PROBLEMS]:
        fault = f"{result.candidate.name} on {evaluation.pages[result.page].id}: {result.answer.fault}"
        parts.append(f"<li>{escape(fault)}</li>")
    parts += [f"<li>{escape(problem.where)}: {escape(problem.what)}</li>" for problem in problems[:_MOST_PROBLEMS]]
    if len(problems) > _MOST_PROBLEMS:
        parts.append(f"<li>and {len(problems) - _MOST_PROBLEMS} more of the data</li>")
    return f"<ul class=note>{''.join(parts)}</ul>"


def _explanation(summary: Summary) -> str:
    terms = {
        "F1": "harmonic mean of mean precision and mean recall of four-word shingles, as in the article extraction benchmark; the "
        "precision of an empty answer is left out of its mean",
        "ROUGE-LSum": "of every expected sentence the union of its longest common subsequences with those found (Lin, 2004)",
        "right": "headline where the data give one, lead and rest are there and nothing else is (Ulman and Rzecki, section 4), "
        "judged by comparing words, so only as good as the expectation",
        "title, date": "the same text but for white space; the same day",
        "learned": "methods that learn from a portal's pages read each page with what was learned from others: five folds, of the "
        "rest a fifth, at least 4 and at most 12 pages, evenly over time; portals with fewer than 3 pages are left out for them",
        "intervals": f"bootstrap over {'portals' if summary.of_portals else 'pages'}, seeded, the same draws for all methods",
    }
    return "<dl>" + "".join(f"<dt>{escape(term)}</dt><dd>{escape(said)}</dd>" for term, said in terms.items()) + "</dl>"


#: Equal text of more words than the first is shortened to this many words at either end.
_LONG, _ENDS = 30, 9
#: Maximal number of paragraphs, and of words in one.
_MAX_PARAGRAPHS, _MAX_WORDS = 40, 140
#: Up to this many equal paragraphs in a row are shown.
_MAX_EQUAL = 3


def side_by_side(gold: str, found: str) -> tuple[str, str]:
    """Return the HTML of the gold with missing words marked, and of the answer with foreign words marked."""
    wanted, got = split_words(gold), split_words(found)
    return _column(gold, covered(wanted, got), "missing"), _column(found, covered(got, wanted), "foreign")


def _column(whole: str, marks: Sequence[bool], kind: str) -> str:
    lines = [line.strip() for line in whole.split("\n") if line.strip()]
    sizes = [len(split_words(line)) for line in lines]
    starts = [0, *accumulate(sizes)]
    parts = [marks[start : start + size] for start, size in zip(starts, sizes, strict=False)]
    if not lines:
        return '<p class="nothing">nothing found</p>'
    made: list[str] = []
    run: list[str] = []
    for line, part in zip(lines, parts, strict=True):
        if all(part):
            run.append(_shared(line))
            continue
        made += _short(run)
        run = []
        made.append(f"<p>{''.join(_pieces(line, part, kind))}</p>")
        if len(made) >= _MAX_PARAGRAPHS:
            break
    made += _short(run)
    left = len(lines) - next((number for number, total in enumerate(starts) if total >= len(marks)), len(lines))
    if len(made) >= _MAX_PARAGRAPHS and left >= 0:
        made.append('<p class="elided">… and more, left out here</p>')
    return "".join(made)


def _short(run: list[str]) -> list[str]:
    if len(run) <= _MAX_EQUAL:
        return run
    return [run[0], f'<p class="elided">… {len(run) - 2} paragraphs that both have …</p>', run[-1]]


def _shared(line: str) -> str:
    spans = word_spans(line)
    if len(spans) <= _LONG:
        return f"<p>{escape(line)}</p>"
    head, tail = line[: spans[_ENDS - 1][1]], line[spans[-_ENDS][0] :]
    return f'<p>{escape(head)} <span class="elided">… {len(spans) - 2 * _ENDS} words …</span> {escape(tail)}</p>'


def _pieces(line: str, marks: Sequence[bool], kind: str) -> Iterator[str]:
    spans = word_spans(line)
    place = 0
    while place < len(spans):
        end = place
        while end < len(spans) and marks[end] == marks[place]:
            end += 1
        start_at = spans[place][0] if place else 0
        end_at = spans[end][0] if end < len(spans) else len(line)
        piece = line[start_at:end_at]
        if end - place > (_LONG if marks[place] else _MAX_WORDS):
            ends = _ENDS if marks[place] else _MAX_WORDS // 2
            head, tail = line[start_at : spans[place + ends - 1][1]], line[spans[end - ends][0] : end_at]
            inner = f'{escape(head)} <span class="elided">… {end - place - 2 * ends} words …</span> {escape(tail)}'
        else:
            inner = escape(piece)
        yield inner if marks[place] else f'<mark class="{kind}">{inner.rstrip()}</mark>{" " if inner.endswith(" ") else ""}'
        place = end
    if not spans:
        yield escape(line)
