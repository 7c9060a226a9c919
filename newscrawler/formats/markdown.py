"""Articles in Markdown: CommonMark with tables as GitHub writes them, which parses back to the same paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from newscrawler.article import Article, Image, Paragraph, ParagraphKind, Span, SpanKind
from newscrawler.formats.markup import FORBIDDEN, group_blocks, write_spans

#: A line that Markdown takes for the item of a numbered list, text that it takes for a reference to a character, and a mark
#: that makes a picture of the link behind it.
_NUMBERED, _REFERENCE = re.compile(r"^(\d{1,9})([.)])(?=\s|$)"), re.compile(r"&(?=#?\w+;)")
_BEFORE_LINK = re.compile(r"!$")
#: Signs that Markdown takes for markup, and the largest number of an item.
_SIGNS, _MOST_NUMBER = str.maketrans({sign: f"\\{sign}" for sign in r"\`*_[]<>#~"}), 999_999_999


def render_markdown(article: Article) -> str:
    """Return title and body, and the comments if there are any: CommonMark with tables as GitHub writes them."""
    parts = [f"# {_escape_markdown(' '.join(article.title.split()))}"]
    parts += [
        _write_markdown_image(group) if isinstance(group, Image) else _write_markdown(*group) for group in group_blocks(article)
    ]
    if article.comments:
        parts += ["## Comments", *map(_escape_markdown, article.comments)]
    return "\n\n".join(parts) + "\n"


def _escape_markdown(text: str) -> str:
    found = _REFERENCE.sub(r"\\&", " ".join(text.splitlines()).translate(_SIGNS))
    found = _BEFORE_LINK.sub(r"\\!", _NUMBERED.sub(r"\1\\\2", found))
    return f"\\{found}" if found[:1] in {"-", "+", "="} else found


def _write_markdown(kind: ParagraphKind, paragraphs: Sequence[Paragraph]) -> str:
    if kind is ParagraphKind.TABLE_ROW:
        return _write_markdown_table(paragraphs)
    if kind is ParagraphKind.LIST_ITEM:
        return _write_markdown_list(paragraphs)
    if kind is ParagraphKind.PREFORMATTED:
        return "\n\n".join(map(_fence, paragraphs))
    signs = {ParagraphKind.HEADING: "#", ParagraphKind.QUOTE: "> "}
    return "\n\n".join(
        (f"{'#' * min(6, each.level or 2)} " if kind is ParagraphKind.HEADING else signs.get(kind, "")) + _write_markdown_line(each)
        for each in paragraphs
    )


def _write_markdown_line(paragraph: Paragraph) -> str:
    return write_spans(paragraph, partial(_tag_markdown, paragraph), _escape_markdown)


@dataclass(slots=True, kw_only=True)
class _OpenList:
    """A list that the next line may continue."""

    #: Of the mark of its last item.
    width: int = 2
    #: Of its last item; None: it is not numbered.
    number: int | None = None
    #: Behind numbers; another one begins a new list, from its number.
    delimiter: str = "."


def _write_markdown_list(items: Sequence[Paragraph]) -> str:
    """Return the lines of items; a list without an item begins in the line of the list in it.

    A line with the number of the item before it is a further paragraph of that.
    """
    lines: list[str] = []
    lists: list[_OpenList] = []
    for item in items:
        depth = item.level or 1
        del lists[depth:]
        last = lists.pop() if len(lists) == depth else None
        indent = " " * sum(each.width for each in lists)
        missing = depth - 1 - len(lists)
        lists += [_OpenList() for _ in range(missing)]
        if last is not None and item.number is not None and item.number == last.number:
            lines += ["", f"{indent}{' ' * last.width}{_write_markdown_line(item)}"]
            lists.append(last)
            continue
        mark, own = _number_item(item, last)
        lists.append(own)
        if own.number not in {None, 1} and last is None and depth > 1 and lines and not missing:
            lines.append("")  # only a list that begins with 1 may follow a line of text
        lines.append(f"{indent}{'- ' * missing}{mark}{_write_markdown_line(item)}")
    return "\n".join(lines)


def _number_item(item: Paragraph, last: _OpenList | None) -> tuple[str, _OpenList]:
    """Return the mark of an item, and its list.

    Args:
        item: the item.
        last: the list as deep that was open before it.
    """
    if not item.is_numbered:
        return "- ", _OpenList()
    following = last.number + 1 if last is not None and last.number is not None else 1
    number = item.number if item.number is not None and 0 <= item.number <= _MOST_NUMBER else following
    delimiter = last.delimiter if last is not None else "."
    if last is not None and last.number is not None and number != following:
        delimiter = ")" if delimiter == "." else "."
    mark = f"{number}{delimiter} "
    return mark, _OpenList(width=len(mark), number=number, delimiter=delimiter)


def _fence(paragraph: Paragraph) -> str:
    """Return preformatted text between fences that are longer than any in it."""
    lines = paragraph.lines or (paragraph.text,)
    longest = max((len(line) - len(line.lstrip("`")) for line in map(str.lstrip, lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *lines, fence])


def _write_markdown_table(rows: Sequence[Paragraph]) -> str:
    """Return a table; its first row is that of its headings, empty where there are none, and further ones are bold."""
    width = max(len(row.cells) or 1 for row in rows)
    lines = [_write_markdown_row(row, width, is_bold=bool(number) and row.is_header) for number, row in enumerate(rows)]
    if not rows[0].is_header:
        lines.insert(0, f"|{'  |' * width}")
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def _write_markdown_row(row: Paragraph, width: int, *, is_bold: bool) -> str:
    cells = [_escape_markdown(cell).replace("|", "\\|") for cell in row.cells or (row.text,)]
    shown = [f"**{cell}**" if is_bold and cell else cell for cell in cells]
    return f"| {' | '.join([*shown, *[''] * (width - len(cells))])} |"


def _tag_markdown(paragraph: Paragraph, span: Span) -> tuple[str, str]:
    if span.kind is SpanKind.LINK:
        return "[", f"]({_bracket_url(span.url or '')})"
    name, sign = ("strong", "**") if span.kind is SpanKind.STRONG else ("em", "*")
    return (sign, sign) if _is_clear(paragraph, span) else (f"<{name}>", f"</{name}>")


def _is_clear(paragraph: Paragraph, span: Span) -> bool:
    """Return whether Markdown takes asterisks around a span for emphasis, with the text before and behind them."""
    text, start, end = paragraph.text, span.start, span.end
    others = [each for each in paragraph.spans if each is not span]
    if any({each.start, each.end} & {start, end} for each in others if each.kind is not SpanKind.LINK):
        return False
    begins, ends = ({each.start for each in others}, {each.end for each in others})
    opens = (text[start : start + 1].isalnum() and start not in begins) or text[start - 1 : start].isspace() or not start
    closes = (text[end - 1 : end].isalnum() and end not in ends) or text[end : end + 1].isspace() or end == len(text)
    return opens and closes and text[start : start + 1].strip() != "" and text[end - 1 : end].strip() != ""


def _bracket_url(url: str) -> str:
    found = "%20".join(FORBIDDEN.sub("", url).split()).replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
    escaped = _REFERENCE.sub(r"\\&", found)
    return f"<{escaped}>"


def _write_markdown_image(image: Image) -> str:
    shown = f"![{_escape_markdown(image.alt or '')}]({_bracket_url(image.url)})"
    return shown + (f"\n*{_escape_markdown(image.caption)}*" if image.caption else "")
