"""The layout "modern": nested divs with class names of a style guide, no semantic element but h1 and a."""

from __future__ import annotations

from collections.abc import Iterable

from newscrawler.demo.address import article_path, section_path, tag_path
from newscrawler.demo.edition import Edition
from newscrawler.demo.markup import (
    Context,
    article_head,
    attribute,
    byline,
    document,
    editions,
    escape,
    link_to,
    most_read_links,
    odd_links,
    part_links,
    time_element,
    tools,
    tracked,
)
from newscrawler.demo.story import Block, Story
from newscrawler.demo.wording import masthead_date, shown_date, shown_update, worded

#: In these editions a paragraph is a div, as some editing systems write it.
_DIV_PARAGRAPHS = frozenset({"en", "de", "he"})


def _div(css_class: str, *content: str) -> str:
    return f'<div class="{css_class}">{"".join(content)}</div>'


def _header(edition: Edition, context: Context) -> str:
    words = edition.words
    languages = "".join(f'<a class="o-lang__i" href="/{other.code}/">{escape(other.name)}</a>' for other in editions())
    sections = "".join(
        _div("o-nav__i", f'<a href="{section_path(edition.code, key)}">{escape(name)}</a>') for key, name in edition.sections
    )
    more = (
        _div("o-nav__i", f'<a href="/calendar/{context.anchor.year}/{context.anchor.month}/">{escape(words["calendar"])}</a>'),
        _div("o-nav__i", f'<a href="/search?q=">{escape(words["search"])}</a>'),
        _div("o-nav__i", f'<a href="/login">{escape(words["login"])}</a>'),
    )
    return _div(
        "o-top",
        _div("o-top__in", f'<a class="o-logo" href="/">{escape(edition.site)}</a>', _div("o-lang", languages)),
        _div("o-nav", _div("o-nav__i", f'<a href="/{edition.code}/">{escape(words["latest"])}</a>'), sections, *more),
        _div("o-date", escape(masthead_date(context.anchor, edition))),
    )


def _sidebar(edition: Edition, context: Context) -> str:
    words = edition.words
    links = enumerate(most_read_links(edition, context), start=1)
    items = [_div("m-rank__i", f'<span class="m-rank__n">{rank}</span>', link) for rank, link in links]
    topics = [f'<a class="a-chip" href="{tag_path(edition.code, key)}">{escape(name)}</a> ' for key, name in edition.tags.items()]
    topics += odd_links(edition, context.anchor)
    return _div(
        "l-rail",
        _div("m-rank", _div("m-cap", escape(words["most_read"])), *items),
        _div("m-chips", _div("m-cap", escape(words["tags"])), *topics),
        _div("m-promo", _div("m-promo__tag", escape(words["advertisement"])), _div("m-promo__txt", escape(edition.ads[-1]))),
    )


def _footer(edition: Edition) -> str:
    words = edition.words
    links = "".join(f'<a href="/{edition.code}/{page}/">{escape(words[page])}</a>' for page in ("about", "contact", "legal"))
    return _div("m-consent", escape(words["cookies"]), " <button>OK</button>") + _div(
        "o-foot",
        _div("o-foot__nav", links, f'<a href="/{edition.code}/rss.xml">RSS</a><a href="/internal/">Newsroom</a>'),
        _div("o-foot__txt", f"© {escape(edition.site)}. {escape(words['legal_text'])}"),
    )


def _page(edition: Edition, title: str, main: str, context: Context, *, extra_head: str = "", wide: bool = False) -> str:
    side = "" if wide else _sidebar(edition, context)
    grid = _div("l-grid l-grid--wide" if wide else "l-grid", _div("l-main", main), side)
    body = f'<div id="app"><div class="l-shell">{_header(edition, context)}\n{grid}\n{_footer(edition)}</div></div>'
    return document(edition, title, body, context, extra_head=extra_head)


def _paragraph(html: str, story: Story) -> str:
    return _div("rt-p", html) if story.edition.code in _DIV_PARAGRAPHS else f'<p class="rt-p">{html}</p>'


def _picture(story: Story, number: int, caption: str) -> str:
    image = f'<img class="a-img" src="/img/{story.number}-{number}.svg" width="800" height="450" alt="">'
    return _div("m-media", _div("m-media__box", image), _div("m-media__caption", caption))


def _block(block: Block, story: Story, number: int, context: Context) -> str:
    words, text = story.edition.words, escape(block.text)
    if block.kind == "paragraph":
        return _paragraph(text, story)
    if block.kind == "question":
        return _paragraph(f"<b>{text}</b>", story)
    if block.kind == "heading":
        return f'<h3 class="rt-h">{text}</h3>'
    if block.kind == "list":
        return '<ul class="rt-list">' + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"
    if block.kind == "table":
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
        return _div("rt-table", f"<table>{rows}</table>")
    if block.kind == "pull quote":
        return _div("m-pullquote", text)
    if block.kind == "picture":
        return _picture(story, number, text)
    if block.kind == "ad":
        return _div("m-promo m-promo--inline", _div("m-promo__tag", escape(words["advertisement"])), _div("m-promo__txt", text))
    if block.kind == "read also":
        links = "".join(_div("m-more__i", link_to(other)) for other in context.read_also(story, block.items))
        return _div("m-more", _div("m-cap", escape(words["read_also"])), links) if links else ""
    return _div(
        "m-newsletter",
        _div("m-newsletter__txt", text),
        f'<input placeholder="{attribute(words["email"])}"><button>{escape(words["subscribe"])}</button>',
    )


def _comments(story: Story) -> str:
    if not story.comments:
        return ""
    items = [
        _div(
            "m-talk__i",
            _div("m-talk__who", f"{escape(comment.nickname)} <span>{escape(worded(comment.at, story.edition))}</span>"),
            _div("m-talk__txt", escape(comment.text)),
        )
        for comment in story.comments
    ]
    return _div("m-talk", _div("m-cap", f"{escape(story.edition.words['comments'])} ({len(story.comments)})"), *items)


def _after(story: Story, context: Context) -> str:
    words, code = story.edition.words, story.edition.code
    tags = " ".join(
        f'<a class="a-chip" rel="tag" href="{tag_path(code, tag)}">{escape(story.edition.tags[tag])}</a>' for tag in story.tags
    )
    related = "".join(_div("m-card", link_to(other)) for other in context.related(story))
    bio = _div("m-bio", f"{escape(story.author)} {escape(story.edition.bio)}") if story.byline == "link" else ""
    return "".join(
        [
            _div("m-tags", tags) if tags else "",
            bio,
            _div("m-tools", tools(story)),
            _div("m-cards", _div("m-cap", escape(words["related"])), related),
            _comments(story),
        ]
    )


def article(story: Story, part: int, context: Context) -> str:
    """One page of an article."""
    words, name = story.edition.words, byline(story)
    author = f'<span class="c-art__author">{escape(words["author"])} {name}</span>' if name else ""
    date = time_element(story, shown_date(story, context.anchor), "c-art__date")
    lead = escape(story.lead) if part == 1 else ""
    intro = _div("c-art__lead", lead) if lead and story.lead_form == "class" else ""
    inside = {"plain": lead, "bold": f"<b>{lead}</b>"}.get(story.lead_form, "") if lead else ""
    blocks = "\n".join(_block(block, story, i, context) for i, block in enumerate(story.parts[part - 1]))
    last = part == len(story.parts)
    initials = _div("rt-sig", f"({escape(story.initials)})") if story.byline == "initials" and last else ""
    pages = part_links(story, part)
    link = section_path(story.edition.code, story.section)
    section = f'<a href="{link}">{escape(story.edition.section_name(story.section))}</a>'
    main = _div(
        "c-art",
        _div("c-art__hd", _div("c-art__kicker", section), f'<h1 class="c-art__title">{escape(story.headline)}</h1>'),
        intro,
        _div("c-art__meta", author, date, f" ({escape(shown_update(story))})" if story.modified_at else ""),
        _div("c-art__bd", _div("rt", "\n", _paragraph(inside, story) if inside else "", "\n", blocks, "\n", initials)),
        _div("m-pages", pages) if pages else "",
        _after(story, context),
    )
    return _page(story.edition, story.headline, main, context, extra_head=article_head(story, part, context))


def printed(story: Story, context: Context) -> str:
    """The print version: the text and nothing around it."""
    kinds = {"paragraph", "question", "heading", "list", "table"}
    blocks = "\n".join(_block(block, story, i, context) for i, block in enumerate(story.blocks) if block.kind in kinds)
    lead = "" if story.lead_form == "none" else _div("c-art__lead", escape(story.lead))
    date = _div("c-art__meta", escape(shown_date(story, context.anchor)))
    body = f"<h1>{escape(story.headline)}</h1>{lead}{_div('rt', blocks)}{date}"
    extra_head = article_head(story, 1, context)
    return document(story.edition, story.headline, body, context, extra_head=extra_head, body_class="c-print")


def _card(story: Story, context: Context, *, big: bool = False) -> str:
    picture = f'<img class="a-img" src="/img/{story.number}-0.svg" width="800" height="450" alt="">' if big else ""
    inner = (
        f'<a class="m-teaser__pic" href="{attribute(tracked(article_path(story), "utm_source=picture"))}">{picture}</a>'
        if picture
        else "",
        _div("m-teaser__hl", link_to(story)),
        _div("m-teaser__txt", escape(story.lead)),
        _div("m-teaser__dt", escape(shown_date(story, context.anchor))),
    )
    return _div("m-teaser m-teaser--big" if big else "m-teaser", *inner)


def listing(edition: Edition, title: str, stories: Iterable[Story], context: Context, *, extra: str = "", intro: str = "") -> str:
    """Teasers below one another, the first with a picture."""
    cards = "\n".join(_card(story, context, big=i == 0) for i, story in enumerate(stories))
    return _page(
        edition, title, _div("c-list", _div("c-list__title", escape(title)), intro, _div("c-list__items", cards), extra), context
    )


def front(context: Context) -> str:
    """The front page: a box for every edition."""
    boxes = []
    for edition in editions():
        newest = context.of_edition(edition.code)[:4]
        cards = "\n".join(_card(story, context, big=i == 0) for i, story in enumerate(newest))
        label = f'<a href="/{edition.code}/">{escape(edition.name)}</a>'
        boxes.append(f'<div class="c-box" lang="{edition.code}" dir="{edition.direction}">{_div("m-cap", label)}{cards}</div>')
    return _page(editions()[1], "News in six languages", _div("c-boxes", *boxes), context, wide=True)


def text(edition: Edition, title: str, content: str, context: Context) -> str:
    """A page that is neither article nor listing."""
    return _page(edition, title, _div("c-page", f"<h1>{escape(title)}</h1>{content}"), context)
