"""The layout "modern": nested divs with class names of a style guide, no semantic element but h1 and a."""

from __future__ import annotations

from collections.abc import Iterable

from newscrawler.demo.address import get_article_path, get_section_path, get_tag_path
from newscrawler.demo.edition import Edition
from newscrawler.demo.markup import (
    Context,
    add_tracking,
    byline,
    document,
    escape,
    format_date,
    format_day_of_issue,
    format_update,
    format_worded_date,
    get_editions,
    link_to,
    time_element,
    write_article_head,
    write_attribute,
    write_most_read_links,
    write_odd_links,
    write_part_links,
    write_tools,
)
from newscrawler.demo.story import Story, StoryBlock

#: In these editions a paragraph is a div, as some editing systems write it.
_DIV_PARAGRAPHS = frozenset({"en", "de", "he"})


def _wrap(css_class: str, *content: str) -> str:
    return f'<div class="{css_class}">{"".join(content)}</div>'


def _write_header(edition: Edition, context: Context) -> str:
    words = edition.words
    languages = "".join(f'<a class="o-lang__i" href="/{other.code}/">{escape(other.name)}</a>' for other in get_editions())
    sections = "".join(
        _wrap("o-nav__i", f'<a href="{get_section_path(edition.code, key)}">{escape(name)}</a>') for key, name in edition.sections
    )
    more = (
        _wrap("o-nav__i", f'<a href="/calendar/{context.anchor.year}/{context.anchor.month}/">{escape(words["calendar"])}</a>'),
        _wrap("o-nav__i", f'<a href="/search?q=">{escape(words["search"])}</a>'),
        _wrap("o-nav__i", f'<a href="/login">{escape(words["login"])}</a>'),
    )
    return _wrap(
        "o-top",
        _wrap("o-top__in", f'<a class="o-logo" href="/">{escape(edition.site)}</a>', _wrap("o-lang", languages)),
        _wrap("o-nav", _wrap("o-nav__i", f'<a href="/{edition.code}/">{escape(words["latest"])}</a>'), sections, *more),
        _wrap("o-date", escape(format_day_of_issue(context.anchor, edition))),
    )


def _write_sidebar(edition: Edition, context: Context) -> str:
    words = edition.words
    links = enumerate(write_most_read_links(edition, context), start=1)
    items = [_wrap("m-rank__i", f'<span class="m-rank__n">{rank}</span>', link) for rank, link in links]
    topics = [
        f'<a class="a-chip" href="{get_tag_path(edition.code, key)}">{escape(name)}</a> ' for key, name in edition.tags.items()
    ]
    topics += write_odd_links(edition, context.anchor)
    return _wrap(
        "l-rail",
        _wrap("m-rank", _wrap("m-cap", escape(words["most_read"])), *items),
        _wrap("m-chips", _wrap("m-cap", escape(words["tags"])), *topics),
        _wrap(
            "m-promo",
            _wrap("m-promo__tag", escape(words["advertisement"])),
            _wrap("m-promo__txt", escape(edition.ads[-1])),
        ),
    )


def _write_footer(edition: Edition) -> str:
    words = edition.words
    links = "".join(f'<a href="/{edition.code}/{page}/">{escape(words[page])}</a>' for page in ("about", "contact", "legal"))
    return _wrap("m-consent", escape(words["cookies"]), " <button>OK</button>") + _wrap(
        "o-foot",
        _wrap("o-foot__nav", links, f'<a href="/{edition.code}/rss.xml">RSS</a><a href="/internal/">Newsroom</a>'),
        _wrap("o-foot__txt", f"© {escape(edition.site)}. {escape(words['legal_text'])}"),
    )


def _write_page(edition: Edition, title: str, main: str, context: Context, *, extra_head: str = "", wide: bool = False) -> str:
    side = "" if wide else _write_sidebar(edition, context)
    grid = _wrap("l-grid l-grid--wide" if wide else "l-grid", _wrap("l-main", main), side)
    body = f'<div id="app"><div class="l-shell">{_write_header(edition, context)}\n{grid}\n{_write_footer(edition)}</div></div>'
    return document(edition, title, body, context, extra_head=extra_head)


def _write_paragraph(html: str, story: Story) -> str:
    return _wrap("rt-p", html) if story.edition.code in _DIV_PARAGRAPHS else f'<p class="rt-p">{html}</p>'


def _write_picture(story: Story, number: int, caption: str) -> str:
    image = f'<img class="a-img" src="/img/{story.number}-{number}.svg" width="800" height="450" alt="">'
    return _wrap("m-media", _wrap("m-media__box", image), _wrap("m-media__caption", caption))


def _write_block(block: StoryBlock, story: Story, number: int, context: Context) -> str:
    words, text = story.edition.words, escape(block.text)
    if block.kind == "paragraph":
        return _write_paragraph(text, story)
    if block.kind == "question":
        return _write_paragraph(f"<b>{text}</b>", story)
    if block.kind == "heading":
        return f'<h3 class="rt-h">{text}</h3>'
    if block.kind == "list":
        return '<ul class="rt-list">' + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"
    if block.kind == "table":
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
        return _wrap("rt-table", f"<table>{rows}</table>")
    if block.kind == "pull quote":
        return _wrap("m-pullquote", text)
    if block.kind == "picture":
        return _write_picture(story, number, text)
    if block.kind == "ad":
        return _wrap("m-promo m-promo--inline", _wrap("m-promo__tag", escape(words["advertisement"])), _wrap("m-promo__txt", text))
    if block.kind == "read also":
        links = "".join(_wrap("m-more__i", link_to(other)) for other in context.read_also(story, block.items))
        return _wrap("m-more", _wrap("m-cap", escape(words["read_also"])), links) if links else ""
    return _wrap(
        "m-newsletter",
        _wrap("m-newsletter__txt", text),
        f'<input placeholder="{write_attribute(words["email"])}"><button>{escape(words["subscribe"])}</button>',
    )


def _write_comments(story: Story) -> str:
    if not story.comments:
        return ""
    items = [
        _wrap(
            "m-talk__i",
            _wrap(
                "m-talk__who", f"{escape(comment.nickname)} <span>{escape(format_worded_date(comment.at, story.edition))}</span>"
            ),
            _wrap("m-talk__txt", escape(comment.text)),
        )
        for comment in story.comments
    ]
    return _wrap("m-talk", _wrap("m-cap", f"{escape(story.edition.words['comments'])} ({len(story.comments)})"), *items)


def _write_end(story: Story, context: Context) -> str:
    words, code = story.edition.words, story.edition.code
    tags = " ".join(
        f'<a class="a-chip" rel="tag" href="{get_tag_path(code, tag)}">{escape(story.edition.tags[tag])}</a>' for tag in story.tags
    )
    related = "".join(_wrap("m-card", link_to(other)) for other in context.related(story))
    bio = _wrap("m-bio", f"{escape(story.author)} {escape(story.edition.bio)}") if story.byline == "link" else ""
    return "".join(
        [
            _wrap("m-tags", tags) if tags else "",
            bio,
            _wrap("m-tools", write_tools(story)),
            _wrap("m-cards", _wrap("m-cap", escape(words["related"])), related),
            _write_comments(story),
        ]
    )


def write_article(story: Story, part: int, context: Context) -> str:
    """One page of an article."""
    words, name = story.edition.words, byline(story)
    author = f'<span class="c-art__author">{escape(words["author"])} {name}</span>' if name else ""
    date = time_element(story, format_date(story, context.anchor), "c-art__date")
    lead = escape(story.lead) if part == 1 else ""
    intro = _wrap("c-art__lead", lead) if lead and story.lead_form == "class" else ""
    inside = {"plain": lead, "bold": f"<b>{lead}</b>"}.get(story.lead_form, "") if lead else ""
    blocks = "\n".join(_write_block(block, story, i, context) for i, block in enumerate(story.parts[part - 1]))
    last = part == len(story.parts)
    initials = _wrap("rt-sig", f"({escape(story.initials)})") if story.byline == "initials" and last else ""
    pages = write_part_links(story, part)
    link = get_section_path(story.edition.code, story.section)
    section = f'<a href="{link}">{escape(story.edition.section_name(story.section))}</a>'
    main = _wrap(
        "c-art",
        _wrap("c-art__hd", _wrap("c-art__kicker", section), f'<h1 class="c-art__title">{escape(story.headline)}</h1>'),
        intro,
        _wrap("c-art__meta", author, date, f" ({escape(format_update(story))})" if story.modified_at else ""),
        _wrap("c-art__bd", _wrap("rt", "\n", _write_paragraph(inside, story) if inside else "", "\n", blocks, "\n", initials)),
        _wrap("m-pages", pages) if pages else "",
        _write_end(story, context),
    )
    return _write_page(story.edition, story.headline, main, context, extra_head=write_article_head(story, part, context))


def print_article(story: Story, context: Context) -> str:
    """The print version: the text and nothing around it."""
    kinds = {"paragraph", "question", "heading", "list", "table"}
    blocks = "\n".join(_write_block(block, story, i, context) for i, block in enumerate(story.blocks) if block.kind in kinds)
    lead = "" if story.lead_form == "none" else _wrap("c-art__lead", escape(story.lead))
    date = _wrap("c-art__meta", escape(format_date(story, context.anchor)))
    body = f"<h1>{escape(story.headline)}</h1>{lead}{_wrap('rt', blocks)}{date}"
    extra_head = write_article_head(story, 1, context)
    return document(story.edition, story.headline, body, context, extra_head=extra_head, body_class="c-print")


def _write_card(story: Story, context: Context, *, big: bool = False) -> str:
    picture = f'<img class="a-img" src="/img/{story.number}-0.svg" width="800" height="450" alt="">' if big else ""
    link = write_attribute(add_tracking(get_article_path(story), "utm_source=picture"))
    inner = (
        f'<a class="m-teaser__pic" href="{link}">{picture}</a>' if picture else "",
        _wrap("m-teaser__hl", link_to(story)),
        _wrap("m-teaser__txt", escape(story.lead)),
        _wrap("m-teaser__dt", escape(format_date(story, context.anchor))),
    )
    return _wrap("m-teaser m-teaser--big" if big else "m-teaser", *inner)


def list_stories(
    edition: Edition, title: str, stories: Iterable[Story], context: Context, *, extra: str = "", intro: str = ""
) -> str:
    """Teasers below one another, the first with a picture."""
    cards = "\n".join(_write_card(story, context, big=i == 0) for i, story in enumerate(stories))
    return _write_page(
        edition,
        title,
        _wrap("c-list", _wrap("c-list__title", escape(title)), intro, _wrap("c-list__items", cards), extra),
        context,
    )


def write_front(context: Context) -> str:
    """The front page: a box for every edition."""
    boxes = []
    for edition in get_editions():
        newest = context.select_edition(edition.code)[:4]
        cards = "\n".join(_write_card(story, context, big=i == 0) for i, story in enumerate(newest))
        label = f'<a href="/{edition.code}/">{escape(edition.name)}</a>'
        boxes.append(f'<div class="c-box" lang="{edition.code}" dir="{edition.direction}">{_wrap("m-cap", label)}{cards}</div>')
    return _write_page(get_editions()[1], "News in six languages", _wrap("c-boxes", *boxes), context, wide=True)


def write_text(edition: Edition, title: str, content: str, context: Context) -> str:
    """A page that is neither article nor listing."""
    return _write_page(edition, title, _wrap("c-page", f"<h1>{escape(title)}</h1>{content}"), context)
