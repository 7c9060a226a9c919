"""An explanation for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from newscrawler.article import Judgement
from newscrawler.errors import counted
from newscrawler.extraction.body.block_class import BlockClass
from newscrawler.extraction.explain.explanation import BlockDecision, Cue, Explanation
from newscrawler.extraction.explain.facts import Fact
from newscrawler.extraction.templates.model import TemplateFit

_CLASS_WIDTH = max(map(len, BlockClass))
#: Candidates of a field that are shown, and the widths of their columns.
_MOST_CANDIDATES, _SOURCE_WIDTH, _TEXT_WIDTH, _LINE_WIDTH = 12, 34, 60, 120
_TAKEN = frozenset({BlockClass.HEADLINE, BlockClass.LEAD, BlockClass.BODY})


def render_text(explanation: Explanation) -> str:
    """Return the explanation as lines of text; short links, which are never part of the text, are left out."""
    lines = [
        f"address   {explanation.page.url or 'unknown'}",
        f"verdict   {describe_verdict(explanation)}   (method: {explanation.method})",
        *_indent(describe_cues(explanation.page_cues, taken=explanation.refusal is None), "          "),
        *(_describe_fact(name, fact, explanation.explain_lack(name)) for name, fact in list_facts(explanation)),
        f"declared  {', '.join(explanation.declared) or 'nothing'}",
    ]
    if explanation.from_data:
        lines.append(f"body      paragraphs from the page's own data (JSON-LD or state): {explanation.from_data}")
    lines += [
        *_describe_template(explanation.explained),
        "",
        "Of each candidate: whether it was chosen, its probability, its source, its text and the reason.",
        *describe_candidates(explanation.reasons, _MOST_CANDIDATES),
        "",
        "Of each block: its class, the probability that it is part of the body, its kind and its text.",
    ]
    for piece in explanation.pieces:
        if piece.probability is not None or piece.block_class in _TAKEN:
            lines += _describe_block(piece)
    return "\n".join(lines)


def list_facts(explanation: Explanation) -> list[tuple[str, Fact | None]]:
    """Return the fields besides the text by their names."""
    return [
        ("title", explanation.headline), ("date", explanation.date), ("authors", explanation.authors),
        ("section", explanation.section),
    ]  # fmt: skip


def describe_candidates(reasons: Sequence[Judgement], most: int | None = None) -> Iterator[str]:
    """Yield a line for each candidate, with the number of further places; of each field for so many."""
    for field, group in groupby(reasons, key=attrgetter("field")):
        found: dict[tuple[object, ...], list[Judgement]] = {}
        for each in group:
            found.setdefault((each.text, each.role, each.reason, each.is_chosen), []).append(each)
        for each, *again in list(found.values())[:most]:
            if each.text is None:
                yield f"{field:<8} none: {each.reason}"
                continue
            probability = "    " if each.probability is None else f"{each.probability:.2f}"
            value = "" if each.value in (None, each.text) or not each.is_chosen else f" ({each.value})"
            source = f"{_shorten(f'{each.source} ({each.role})', _SOURCE_WIDTH):<{_SOURCE_WIDTH}}"
            said = f"{_shorten(each.text, _TEXT_WIDTH)}{value}: {each.reason}"
            places = f" (and in {counted(len(again), 'more place')})" if again else ""
            yield f"{field:<8} {'chosen' if each.is_chosen else 'lost':<6} {probability} {source} {said}{places}"
        if most is not None and len(found) > most:
            yield f"{field:<8} … and {len(found) - most} more; --json shows all"


def _shorten(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _describe_template(explained: TemplateFit | None) -> Iterator[str]:
    """Yield how a portal's template fits the page."""
    if explained is None:
        return
    layout = f"fits {explained.template}" if explained.template else "fits no learned layout"
    yield f"template  the page {layout}; {explained.known:.0%} of the text is where the learned articles have theirs"
    agreement = f"the text at these places agrees with it by {explained.agreement:.0%}"
    yield f"          {agreement}; {explained.boilerplate:.0%} of the text recurs on other pages"
    if explained.fields:
        yield f"          changed or given by the template: {', '.join(explained.fields)}"
    if explained.broken:
        yield f"          set by hand, but not found on this page: {', '.join(explained.broken)}"


def describe_verdict(explanation: Explanation) -> str:
    """Return in one line whether the page has an article."""
    verdict = explanation.verdict
    if explanation.refusal is not None:
        return f"no article: {explanation.refusal}"
    if verdict is None:
        return "article"
    return f"article with probability {verdict.article:.2f}; expected F1 of the body {verdict.confidence:.2f}"


def describe_cues(cues: Sequence[Cue], *, taken: bool) -> list[str]:
    """Return a line of cues for and one of cues against, first the one that supports the decision."""
    sides = {"for": [cue.phrase for cue in cues if cue.moved > 0], "against": [cue.phrase for cue in cues if cue.moved <= 0]}
    order = ("for", "against") if taken else ("against", "for")
    return [f"{side}: {'; '.join(sides[side])}" for side in order if sides[side]]


def _describe_fact(name: str, fact: Fact | None, lack: str) -> str:
    return f"{name:<10}{fact.text}   (from: {fact.source})" if fact is not None else f"{name:<10}none: {lack}"


def _describe_block(piece: BlockDecision) -> Iterator[str]:
    probability = "    " if piece.probability is None else f"{piece.probability:.2f}"
    head = f"{piece.block_class:<{_CLASS_WIDTH}} {probability} {piece.block.kind:<10} "
    yield head + _shorten(piece.block.text, _LINE_WIDTH - len(head))
    indent = " " * (_CLASS_WIDTH + 6)
    if piece.note:
        yield f"{indent}left out: {piece.note}"
    yield from _indent(describe_cues(piece.cues, taken=piece.is_taken), indent)


def _indent(lines: Sequence[str], indent: str) -> list[str]:
    return [indent + line for line in lines]
