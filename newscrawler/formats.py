"""One article as plain text, Markdown, HTML, JSON or TEI."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from itertools import groupby, pairwise
from xml.sax.saxutils import escape as escape_text
from xml.sax.saxutils import quoteattr

from newscrawler.article import Article, Image, Paragraph, ParagraphKind, Span, SpanKind
from newscrawler.errors import ConfigError

HTML_END = "</body></html>\n"
TEI_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
TEI_NAMESPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
TEI_PROJECT = "<p>Collected and segmented by newscrawler; title, paragraphs, lists, quotations and table rows as on the page.</p>"
_STYLE = "body{font:17px/1.55 Georgia,serif;max-width:42rem;margin:2rem auto;padding:0 1rem}.facts{color:#555;font-size:.85rem}"
#: A line that Markdown takes for the item of a numbered list, text that it takes for a reference to a character, and a mark
#: that makes a picture of the link behind it.
_NUMBERED, _REFERENCE = re.compile(r"^(\d{1,9})([.)])(?=\s|$)"), re.compile(r"&(?=#?\w+;)")
_BEFORE_LINK = re.compile(r"!$")
#: Signs that Markdown takes for markup, and the largest number of an item.
_SIGNS, _MOST_NUMBER = str.maketrans({sign: f"\\{sign}" for sign in r"\`*_[]<>#~"}), 999_999_999
#: As xml:lang and ident demand.
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\Z")
#: Characters that XML 1.0 cannot contain.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

#: Returns the markup before and after the text of a span.
SpanTags = Callable[[Span], tuple[str, str]]


def render(article: Article, form: str) -> str:
    """Return an article in a format.

    Raises:
        ConfigError: there is no such format.
    """
    if form not in RENDERERS:
        raise ConfigError(f"{form!r} is not a format of an article. Choose among: {', '.join(RENDERERS)}.")
    return RENDERERS[form](article)


def render_text(article: Article) -> str:
    """Return title and paragraphs, separated by blank lines."""
    texts = (_clean(paragraph).text for paragraph in article.paragraphs)
    return "\n\n".join(filter(None, (clean_text(article.title), *texts))) + "\n"


def render_json(article: Article) -> str:
    """Return the record as one line of JSON."""
    return json.dumps(article.as_dict(), ensure_ascii=False) + "\n"


# paragraphs with links and emphasis, in any markup


def _write_spans(paragraph: Paragraph, tag: SpanTags, escape_part: Callable[[str], str]) -> str:
    """Return the text of a paragraph with the markup of its spans, everything else escaped."""
    if not paragraph.spans:
        return escape_part(paragraph.text)
    spans = list(paragraph.spans)

    def write(start: int, end: int) -> str:
        parts, here = [], start
        while spans and spans[0].start < end:
            span = spans.pop(0)
            before, behind = tag(span)
            parts += [escape_part(paragraph.text[here : span.start]), before, write(span.start, span.end), behind]
            here = span.end
        return "".join([*parts, escape_part(paragraph.text[here:end])])

    return write(0, len(paragraph.text))


def _clean(paragraph: Paragraph) -> Paragraph:
    """Return a paragraph as extraction makes them: one line, no characters that XML cannot contain."""
    text = clean_text(paragraph.text)
    cells = tuple(map(clean_text, paragraph.cells))
    lines = tuple(_FORBIDDEN.sub("", line) for each in paragraph.lines for line in each.splitlines() or [""])
    if text == paragraph.text and cells == paragraph.cells and lines == paragraph.lines:
        return paragraph
    # places in the text are no longer those of the spans
    return replace(paragraph, text=text, cells=cells, lines=lines, spans=paragraph.spans if text == paragraph.text else ())


def clean_text(text: str) -> str:
    """Return a text on one line, without the characters that XML 1.0 cannot contain."""
    return " ".join(_FORBIDDEN.sub("", text).split())


def _group_blocks(article: Article) -> Iterator[tuple[ParagraphKind, list[Paragraph]] | Image]:
    """Yield the paragraphs in order, list items and table rows that follow each other together, and the images between them."""
    images = sorted(article.images or (), key=lambda image: image.position)
    places = sorted({image.position for image in images} | {0, len(article.paragraphs)})
    yield from (image for image in images if image.position == 0)
    for first, last in pairwise(places):
        yield from _group_paragraphs(article.paragraphs[first:last])
        yield from (image for image in images if image.position == last)


def _group_paragraphs(paragraphs: Iterable[Paragraph]) -> Iterator[tuple[ParagraphKind, list[Paragraph]]]:
    for kind, run in groupby(map(_clean, paragraphs), key=lambda paragraph: paragraph.kind):
        if kind in (ParagraphKind.LIST_ITEM, ParagraphKind.TABLE_ROW):
            yield kind, list(run)
        else:
            yield from ((kind, [paragraph]) for paragraph in run)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Markup:
    """Elements of HTML or TEI for the parts of an article."""

    #: Names of the elements for a list, its items, a numbered list, a table, its rows, its cells and those with headings.
    list_names: tuple[str, str]
    numbered_name: str
    table_names: tuple[str, str, str]
    header_cell: str
    #: The attribute of an item with its number, where that is not the next one.
    number_attribute: str
    #: Returns the markup around a heading of a level.
    heading: Callable[[int], tuple[str, str]]
    #: Markup around paragraphs of other kinds; `<p>` by default.
    around: Mapping[ParagraphKind, tuple[str, str]] = field(default_factory=dict)
    tag: SpanTags
    escape_part: Callable[[str], str]

    def write(self, kind: ParagraphKind, paragraphs: Sequence[Paragraph]) -> str:
        """Return a list, a table, or one paragraph."""
        if kind is ParagraphKind.TABLE_ROW:
            table, row, _ = self.table_names
            rows = ("".join(map(partial(self._write_cell, each), each.cells or (each.text,))) for each in paragraphs)
            return f"<{table}>" + "".join(f"<{row}>{cells}</{row}>" for cells in rows) + f"</{table}>"
        if kind is ParagraphKind.LIST_ITEM:
            return self._write_list(list(paragraphs), 1)
        if kind is ParagraphKind.PREFORMATTED:
            before, behind = self.around[kind]
            return "".join(before + self.escape_part("\n".join(each.lines or (each.text,))) + behind for each in paragraphs)
        written = ((self._get_around(each), _write_spans(each, self.tag, self.escape_part)) for each in paragraphs)
        return "".join(f"{before}{text}{behind}" for (before, behind), text in written)

    def _write_cell(self, row: Paragraph, text: str) -> str:
        name = self.header_cell if row.is_header else self.table_names[2]
        return f"<{name}>{self.escape_part(text)}</{name.partition(' ')[0]}>"

    def _get_around(self, paragraph: Paragraph) -> tuple[str, str]:
        if paragraph.kind is ParagraphKind.HEADING:
            return self.heading(paragraph.level or 2)
        return self.around.get(paragraph.kind, ("<p>", "</p>"))

    def _write_list(self, items: list[Paragraph], depth: int) -> str:
        """Return lists of the items that are this deep or deeper, one for each run of the same sort; takes these off the items."""
        plain, item = self.list_names
        found: list[str] = []
        while items and (items[0].level or 1) >= depth:
            # an item that is deeper than the one before by two lies in a list without an item
            is_numbered = items[0].is_numbered and (items[0].level or 1) == depth
            rows: list[str] = []
            following = 1
            while items and (level := items[0].level or 1) >= depth:
                if level > depth:
                    rows[-1:] = [f"{rows[-1] if rows else f'<{item}>'}{self._write_list(items, depth + 1)}"]
                    continue
                if items[0].is_numbered != is_numbered:
                    break
                row = items.pop(0)
                if rows and row.number is not None and row.number == following - 1:
                    rows[-1] += f"<p>{_write_spans(row, self.tag, self.escape_part)}</p>"
                    continue
                number = following if row.number is None else row.number
                is_counted = not is_numbered or number == following
                following = number + 1
                start = f"<{item}>" if is_counted else f'<{item} {self.number_attribute}="{number}">'
                rows.append(start + _write_spans(row, self.tag, self.escape_part))
            whole, end = (self.numbered_name, self.numbered_name.partition(" ")[0]) if is_numbered else (plain, plain)
            found.append(f"<{whole}>" + "".join(f"{row}</{item}>" for row in rows) + f"</{end}>")
        return "".join(found)


# Markdown


def render_markdown(article: Article) -> str:
    """Return title and body, and the comments if there are any: CommonMark with tables as GitHub writes them."""
    parts = [f"# {_escape_markdown(' '.join(article.title.split()))}"]
    parts += [
        _write_markdown_image(group) if isinstance(group, Image) else _write_markdown(*group) for group in _group_blocks(article)
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
    return _write_spans(paragraph, partial(_tag_markdown, paragraph), _escape_markdown)


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
    found = "%20".join(_FORBIDDEN.sub("", url).split()).replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
    escaped = _REFERENCE.sub(r"\\&", found)
    return f"<{escaped}>"


def _write_markdown_image(image: Image) -> str:
    shown = f"![{_escape_markdown(image.alt or '')}]({_bracket_url(image.url)})"
    return shown + (f"\n*{_escape_markdown(image.caption)}*" if image.caption else "")


# HTML


def render_html(article: Article) -> str:
    """Return an article as a page."""
    facts = [*article.authors, article.date.isoformat() if article.date else "", article.section or ""]
    return write_html_head(article.title, article.language) + write_html_article(article, list(filter(None, facts))) + HTML_END


def write_html_head(title: str, language: str | None = None) -> str:
    """Return the beginning of a page."""
    tag = f'<html lang="{escape(language)}">' if language else "<html>"
    return f'<!doctype html>{tag}<head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n'


def write_html_article(article: Article, facts: Sequence[str], identifier: str = "") -> str:
    """Return an article as an element of a page.

    Args:
        article: the article.
        facts: texts for the line below the headline.
        identifier: the id of the element; empty: it has none.
    """
    url = article.url or ""
    link = f'<a href="{escape(url)}">{escape(url)}</a>' if _is_web(url) else ""
    language = f' lang="{escape(article.language)}"' if article.language else ""
    named = f' id="{escape(identifier)}"' if identifier else ""
    blocks = (_write_html_image(group) if isinstance(group, Image) else _HTML.write(*group) for group in _group_blocks(article))
    body = "\n".join(blocks)
    comments = "".join(f"<p>{escape(comment)}</p>" for comment in article.comments or ())
    comments = f'<section class="comments">{comments}</section>' if comments else ""
    return (
        f'<article{named}{language}><h2>{escape(article.title)}</h2><p class="facts">{" · ".join(map(escape, facts))} {link}</p>\n'
        f"{body}{comments}</article>\n"
    )


def _tag_html(span: Span) -> tuple[str, str]:
    if span.kind is SpanKind.LINK:
        return (f'<a href="{escape(span.url or "")}">', "</a>") if _is_web(span.url or "") else ("", "")
    name = "strong" if span.kind is SpanKind.STRONG else "em"
    return f"<{name}>", f"</{name}>"


def _tag_html_heading(level: int) -> tuple[str, str]:
    """Return the markup of a heading one level below its own, as that of the article is an `<h2>`."""
    return ('<h6 aria-level="7">', "</h6>") if level >= 6 else (f"<h{level + 1}>", f"</h{level + 1}>")


def _write_html_image(image: Image) -> str:
    if not _is_web(image.url):
        return ""
    caption = f"<figcaption>{escape(image.caption)}</figcaption>" if image.caption else ""
    return f'<figure><img src="{escape(image.url)}" alt="{escape(image.alt or "")}">{caption}</figure>'


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))


_HTML = _Markup(
    list_names=("ul", "li"),
    numbered_name="ol",
    table_names=("table", "tr", "td"),
    header_cell="th",
    number_attribute="value",
    heading=_tag_html_heading,
    around={ParagraphKind.QUOTE: ("<blockquote>", "</blockquote>"), ParagraphKind.PREFORMATTED: ("<pre>", "</pre>")},
    tag=_tag_html,
    escape_part=escape,
)


# TEI P5


def escape_xml(text: object) -> str:
    """Return text as the content of an element of XML, without the characters that XML 1.0 cannot contain."""
    return escape_text(_FORBIDDEN.sub("", str(text)))


def quote_xml(value: object) -> str:
    """Return a value as an attribute of XML, with its quotes; line breaks become spaces."""
    return quoteattr(" ".join(_FORBIDDEN.sub("", str(value)).split()), {'"': "&quot;"})


def render_tei(article: Article) -> str:
    """Return an article as a complete document of TEI."""
    return TEI_HEAD + write_tei_article(article, namespace=TEI_NAMESPACE)


def write_tei_article(article: Article, *, namespace: str = "", number: int | None = None, availability: str = "") -> str:
    """Return the element TEI of an article.

    Args:
        article: the article.
        namespace: its declaration, where the element is the outermost.
        number: the number of a stored article.
        availability: an element with the publisher's restrictions.
    """
    language = _get_tei_language(article)
    named = f' xml:id="a{number}"' if number is not None else ""
    tag = f"<TEI{namespace}{named}" + (f' xml:lang="{language}"' if language else "") + ">"
    identifier = f'<idno type="newscrawler">{number}</idno>' if number is not None else ""
    head = f"<head>{escape_xml(article.title)}</head>" if article.title else ""
    body = "".join(_write_tei_figure(group) if isinstance(group, Image) else _TEI.write(*group) for group in _group_blocks(article))
    comments = "".join(f"<p>{escape_xml(comment)}</p>" for comment in article.comments or ())
    back = f'<back><div type="comments">{comments}</div></back>' if comments else ""
    return (
        f"{tag}\n{_write_tei_header(article, identifier + availability)}\n"
        f"<text><body><div>{head}{body or '<p/>'}</div></body>{back}</text></TEI>\n"
    )


def _get_tei_language(article: Article) -> str | None:
    return article.language if article.language and _LANGUAGE.match(article.language) else None


def _write_tei_header(article: Article, further: str) -> str:
    authors = "".join(f"<author>{escape_xml(name)}</author>" for name in article.authors)
    words = f'<extent><measure unit="word" quantity="{article.word_count}"/></extent>'
    publication = f"<publicationStmt><publisher>{escape_xml(article.portal or 'unknown')}</publisher>{_write_tei_date(article)}"
    publication += f"{further}</publicationStmt>"
    return (
        f"<teiHeader><fileDesc><titleStmt><title>{escape_xml(article.title)}</title>{authors}</titleStmt>{words}{publication}"
        f"<sourceDesc>{_write_tei_source(article)}</sourceDesc></fileDesc><encodingDesc>{TEI_PROJECT}</encodingDesc>"
        f"{_write_tei_profile(article)}{_write_tei_revisions(article)}</teiHeader>"
    )


def _write_tei_date(article: Article) -> str:
    if article.published_at is None:
        return ""
    exact = article.published_at.isoformat(timespec="seconds") if article.published_precision == "minute" else article.date
    return f'<date when="{exact}"/>'


def _write_tei_source(article: Article) -> str:
    fetched = article.fetched_at.isoformat(timespec="seconds") if article.fetched_at else None
    link = f"<ref target={_quote_url(article.url)}>{escape_xml(article.url)}</ref>" if article.url else ""
    when = f'<date type="accessed" when="{fetched}"/>' if fetched else ""
    return f"<bibl><title>{escape_xml(article.title)}</title>{link}{when}</bibl>"


def _write_tei_profile(article: Article) -> str:
    language = _get_tei_language(article)
    used = f'<langUsage><language ident="{language}"/></langUsage>' if language else ""
    named = [("genre", article.genre), ("section", article.section), *(("keyword", each) for each in article.keywords)]
    terms = "".join(f"<term type={quote_xml(kind)}>{escape_xml(term)}</term>" for kind, term in named if term)
    return f"<profileDesc>{used}<textClass><keywords>{terms}</keywords></textClass></profileDesc>"


def _write_tei_revisions(article: Article) -> str:
    changes = ((article.fetched_at, "Fetched and read."), (article.modified_at, "Last changed, as the page states."))
    said = "".join(f'<change when="{at.isoformat(timespec="seconds")}">{what}</change>' for at, what in changes if at)
    return f"<revisionDesc>{said}</revisionDesc>" if said else ""


def _quote_url(url: str | None) -> str:
    return quote_xml((url or "").replace(" ", "%20"))


def _tag_tei(span: Span) -> tuple[str, str]:
    if span.kind is SpanKind.LINK:
        return f"<ref target={_quote_url(span.url)}>", "</ref>"
    return f'<hi rend="{"bold" if span.kind is SpanKind.STRONG else "italic"}">', "</hi>"


def _write_tei_figure(image: Image) -> str:
    caption = f"<head>{escape_xml(image.caption)}</head>" if image.caption else ""
    said = f"<figDesc>{escape_xml(image.alt)}</figDesc>" if image.alt else ""
    return f"<figure>{caption}<graphic url={_quote_url(image.url)}/>{said}</figure>"


_TEI = _Markup(
    list_names=("list", "item"),
    numbered_name='list rend="numbered"',
    table_names=("table", "row", "cell"),
    header_cell='cell role="label"',
    around={
        ParagraphKind.PREFORMATTED: ('<p rend="preformatted" xml:space="preserve">', "</p>"),
        ParagraphKind.QUOTE: ("<quote><p>", "</p></quote>"),
    },
    number_attribute="n",
    heading=lambda level: (f'<p><hi rend="heading" n="{level}">', "</hi></p>"),
    tag=_tag_tei,
    escape_part=escape_xml,
)

RENDERERS: Mapping[str, Callable[[Article], str]] = {
    "text": render_text,
    "markdown": render_markdown,
    "html": render_html,
    "json": render_json,
    "tei": render_tei,
}
