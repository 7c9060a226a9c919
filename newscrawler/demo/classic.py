"""The layout "classic": semantic HTML5, paragraphs in an article element."""

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


def _write_header(edition: Edition, context: Context) -> str:
    languages = "".join(f'<a lang="{other.code}" href="/{other.code}/">{escape(other.name)}</a>' for other in get_editions())
    sections = "".join(
        f'<li><a href="{get_section_path(edition.code, key)}">{escape(name)}</a></li>' for key, name in edition.sections
    )
    words, today = edition.words, escape(format_day_of_issue(context.anchor, edition))
    return (
        f'<header class="masthead"><div class="topline"><span class="today">{today}</span>'
        f'<nav class="languages">{languages}</nav><a href="/login">{escape(words["login"])}</a></div>'
        f'<a class="logo" href="/">{escape(edition.site)}</a><p class="tagline">{escape(edition.tagline)}</p>'
        f'<nav class="sections"><ul><li><a href="/{edition.code}/">{escape(words["latest"])}</a></li>{sections}'
        f'<li><a href="/calendar/{context.anchor.year}/{context.anchor.month}/">{escape(words["calendar"])}</a></li></ul>'
        f'<form action="/search" method="get"><input name="q" placeholder="{write_attribute(words["search"])}">'
        f'<a href="/search?q=">{escape(words["search"])}</a></form></nav></header>'
    )


def _write_sidebar(edition: Edition, context: Context) -> str:
    words = edition.words
    items = "".join(f"<li>{link}</li>" for link in write_most_read_links(edition, context))
    odd = "".join(f"<li>{link}</li>" for link in write_odd_links(edition, context.anchor))
    topics = "".join(
        f'<li><a href="{get_tag_path(edition.code, key)}">{escape(name)}</a></li>' for key, name in edition.tags.items()
    )
    return (
        f'<aside class="sidebar"><section class="most-read"><h2>{escape(words["most_read"])}</h2><ol>{items}</ol></section>'
        f'<section class="topics"><h2>{escape(words["tags"])}</h2><ul>{topics}{odd}</ul></section>'
        f'<section class="ad"><small>{escape(words["advertisement"])}</small><p>{escape(edition.ads[-1])}</p></section></aside>'
    )


def _write_footer(edition: Edition) -> str:
    words = edition.words
    links = "".join(f'<a href="/{edition.code}/{page}/">{escape(words[page])}</a>' for page in ("about", "contact", "legal"))
    return (
        f'<div class="cookies">{escape(words["cookies"])} <button>OK</button></div>'
        f'<footer class="colophon"><nav>{links}<a href="/{edition.code}/rss.xml">RSS</a><a href="/internal/">Newsroom</a></nav>'
        f"<p>© {escape(edition.site)}. {escape(words['legal_text'])}</p></footer>"
    )


def _write_page(edition: Edition, title: str, main: str, context: Context, *, extra_head: str = "", wide: bool = False) -> str:
    side, columns = ("", "wide") if wide else (_write_sidebar(edition, context), "columns")
    body = f'{_write_header(edition, context)}\n<div class="{columns}"><main>{main}</main>{side}</div>\n{_write_footer(edition)}'
    return document(edition, title, body, context, extra_head=extra_head)


def _write_block(block: StoryBlock, story: Story, number: int, context: Context) -> str:
    words, text = story.edition.words, escape(block.text)
    if block.kind == "paragraph":
        return f"<p>{text}</p>"
    if block.kind == "question":
        return f"<p><strong>{text}</strong></p>"
    if block.kind == "heading":
        return f"<h2>{text}</h2>"
    if block.kind == "list":
        return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"
    if block.kind == "table":
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
        return f"<table>{rows}</table>"
    if block.kind == "pull quote":
        return f'<blockquote class="pull">{text}</blockquote>'
    if block.kind == "picture":
        image = f'<img src="/img/{story.number}-{number}.svg" width="800" height="450" alt="">'
        return f"<figure>{image}<figcaption>{text}</figcaption></figure>"
    if block.kind == "ad":
        return f'<div class="ad"><small>{escape(words["advertisement"])}</small><p>{text}</p></div>'
    if block.kind == "read also":
        links = "".join(f"<li>{link_to(other)}</li>" for other in context.read_also(story, block.items))
        return f'<aside class="read-also"><strong>{escape(words["read_also"])}</strong><ul>{links}</ul></aside>' if links else ""
    return (
        f'<form class="newsletter" action="/login"><p>{text}</p>'
        f'<input placeholder="{write_attribute(words["email"])}"><button>{escape(words["subscribe"])}</button></form>'
    )


def _write_lead(story: Story) -> str:
    lead = escape(story.lead)
    return {"plain": f"<p>{lead}</p>", "bold": f"<p><strong>{lead}</strong></p>"}.get(story.lead_form, "")


def _write_comments(story: Story) -> str:
    if not story.comments:
        return ""
    items = "".join(
        f'<li><b>{escape(comment.nickname)}</b> <time datetime="{comment.at.isoformat(timespec="seconds")}">'
        f"{escape(format_worded_date(comment.at, story.edition))}</time><p>{escape(comment.text)}</p></li>"
        for comment in story.comments
    )
    title = f"{escape(story.edition.words['comments'])} ({len(story.comments)})"
    return f'<section class="comments" id="comments"><h2>{title}</h2><ol>{items}</ol></section>'


def _write_end(story: Story, context: Context) -> str:
    words, code = story.edition.words, story.edition.code
    tags = " ".join(f'<a rel="tag" href="{get_tag_path(code, tag)}">{escape(story.edition.tags[tag])}</a>' for tag in story.tags)
    related = "".join(f"<li>{link_to(other)}</li>" for other in context.related(story))
    bio = f'<p class="bio">{escape(story.author)} {escape(story.edition.bio)}</p>' if story.byline == "link" else ""
    topics = f'<p class="tags">{escape(words["tags"])}: {tags}</p>' if tags else ""
    return (
        f'<footer class="after">{topics}{bio}<p class="tools">{write_tools(story)}</p></footer></article>'
        f'<section class="related"><h2>{escape(words["related"])}</h2><ul>{related}</ul></section>{_write_comments(story)}'
    )


def write_article(story: Story, part: int, context: Context) -> str:
    """Return one page of an article."""
    words, name = story.edition.words, byline(story)
    perex = f'<p class="perex">{escape(story.lead)}</p>' if story.lead_form == "class" and part == 1 else ""
    author = f'<span class="author">{escape(words["author"])}: {name}</span> · ' if name else ""
    date = time_element(story, format_date(story, context.anchor), "datum")
    update = f' · <span class="updated">{escape(format_update(story))}</span>' if story.modified_at else ""
    blocks = "\n".join(_write_block(block, story, i, context) for i, block in enumerate(story.parts[part - 1]))
    last = part == len(story.parts)
    initials = f'<p class="initials">({escape(story.initials)})</p>' if story.byline == "initials" and last else ""
    links = write_part_links(story, part)
    pages = f'<nav class="pages">{links}</nav>' if links else ""
    main = (
        f'<article><header><p class="kicker"><a href="{get_section_path(story.edition.code, story.section)}">'
        f"{escape(story.edition.section_name(story.section))}</a></p><h1>{escape(story.headline)}</h1>{perex}"
        f'<p class="byline">{author}{date}{update}</p></header>\n'
        f'<div class="body">\n{_write_lead(story) if part == 1 else ""}\n{blocks}\n{initials}</div>'
        f"{pages}{_write_end(story, context)}"
    )
    return _write_page(story.edition, story.headline, main, context, extra_head=write_article_head(story, part, context))


def print_article(story: Story, context: Context) -> str:
    """Return the print version: the text alone."""
    kinds = {"paragraph", "question", "heading", "list", "table"}
    blocks = "\n".join(_write_block(block, story, i, context) for i, block in enumerate(story.blocks) if block.kind in kinds)
    lead = "" if story.lead_form == "none" else f"<p><b>{escape(story.lead)}</b></p>"
    body = f"<h1>{escape(story.headline)}</h1><p>{escape(format_date(story, context.anchor))}</p>{lead}\n{blocks}"
    extra_head = write_article_head(story, 1, context)
    return document(story.edition, story.headline, body, context, extra_head=extra_head, body_class="print")


def _write_teaser(story: Story, context: Context, *, big: bool = False) -> str:
    picture = f'<img src="/img/{story.number}-0.svg" width="800" height="450" alt="">' if big else ""
    link = add_tracking(get_article_path(story), "utm_source=picture") if big else get_article_path(story)
    level, css_class = ("h2", "teaser big") if big else ("h3", "teaser")
    return (
        f'<article class="{css_class}" lang="{story.edition.code}" dir="{story.edition.direction}">'
        f'<a href="{write_attribute(link)}">{picture}</a><{level}>{link_to(story)}</{level}>'
        f"<p>{escape(story.lead)}</p><small>{escape(format_date(story, context.anchor))}</small></article>"
    )


def list_stories(
    edition: Edition, title: str, stories: Iterable[Story], context: Context, *, extra: str = "", intro: str = ""
) -> str:
    """Return a list of teasers, the first with a picture."""
    teasers = "\n".join(_write_teaser(story, context, big=i == 0) for i, story in enumerate(stories))
    main = f'<h1 class="listing-title">{escape(title)}</h1>{intro}<div class="teasers">{teasers}</div>{extra}'
    return _write_page(edition, title, main, context)


def write_front(context: Context) -> str:
    """Return the front page: a box for every edition."""
    boxes = []
    for edition in get_editions():
        newest = context.select_edition(edition.code)[:4]
        teasers = "\n".join(_write_teaser(story, context, big=i == 0) for i, story in enumerate(newest))
        boxes.append(
            f'<section class="edition" lang="{edition.code}" dir="{edition.direction}">'
            f'<h2><a href="/{edition.code}/">{escape(edition.name)}</a></h2>{teasers}</section>'
        )
    english = get_editions()[1]
    return _write_page(english, "News in six languages", f'<div class="boxes">{"".join(boxes)}</div>', context, wide=True)


def write_text(edition: Edition, title: str, content: str, context: Context) -> str:
    """Return a page that is neither an article nor a listing."""
    return _write_page(edition, title, f"<h1>{escape(title)}</h1>{content}", context)
