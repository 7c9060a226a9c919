"""Live blogs of a generated site: an introduction, and posts that each begin with a time of day.

Their posts look like the entries of a listing and like comments; on pages of public data sets they are rare.
"""

from __future__ import annotations

import random
from datetime import timedelta
from html import escape
from typing import Any

from training.sitegen.articles import Labels, labelled_page, surroundings_of
from training.sitegen.document import document
from training.sitegen.site import Site
from training.sitegen.texts import Story, Writer

#: A post: {time}, {title} (a heading, or nothing) and {text} (paragraphs in HTML).
_POSTS = (
    "<div><time>{time}</time>{title}{text}</div>", "<div><div>{time}</div>{title}{text}</div>",
    "<li><b>{time}</b>{title}{text}</li>",
    "<section><span>{time}</span>{title}{text}</section>", "<article><header>{time}</header>{title}{text}</article>",
    "<div><p><strong>{time}</strong></p>{title}{text}</div>", "<p><b>{time}</b></p>{title}{text}", "<h3>{time}</h3>{title}{text}",
    "<tr><td>{time}</td><td>{title}{text}</td></tr>", "<dt>{time}</dt><dd>{title}{text}</dd>", "<div>{time}<hr>{title}{text}</div>",
    '<div class="live-post"><time class="live-time">{time}</time>{title}<div>{text}</div></div>',
)  # fmt: skip
_AROUND = {"<li": "<ul>{}</ul>", "<tr": "<table>{}</table>", "<dt": "<dl>{}</dl>"}
_TIMES = ("{at:%H:%M}", "{at:%H.%M}", "{at:%d.%m.%Y %H:%M}", "{at:%H:%M} {who}")
_TITLES = ("<h2>{}</h2>", "<h3>{}</h3>", "<h4>{}</h4>", "<p><b>{}</b></p>")


def live_page(site: Site) -> dict[str, Any]:
    """Return {"url", "html", "gold"} of a live blog; the gold's body has the posts' headings and texts, not their times."""
    dice = random.Random(f"live {site.name}")
    writer = Writer(site.language, f"live {site.name}")
    story = writer.story(9000, timedelta(minutes=dice.randint(30, 60_000)))
    labels, path = Labels(), site.path(story)
    labels.body.append(story.lead)
    top = site.markup("headline", escape(story.headline))
    if dice.random() < 0.7:
        top += site.markup("byline", f"{site.markup('author', escape(story.author))} {site.date(story, 'date')}")
    lead = site.markup("lead", labels.note("lead", story.lead))
    content = site.markup("article", top + lead + _posts(site, writer, story, labels, dice))
    html = document(site, story.headline, content + surroundings_of(site, story, labels), path, story=story)
    if dice.random() < 0.5:
        html = html.replace('"@type": "NewsArticle"', '"@type": "LiveBlogPosting"')
    return labelled_page(site, story, labels, path, html)


def _posts(site: Site, writer: Writer, story: Story, labels: Labels, dice: random.Random) -> str:
    shape, shown, heading = dice.choice(_POSTS), dice.choice(_TIMES), dice.choice(_TITLES)
    around = next((form for tag, form in _AROUND.items() if shape.startswith(tag)), dice.choice(("<div>{}</div>", "{}")))
    titled, shared = dice.random() < 0.4, dice.random() < 0.2
    number = dice.randint(4, 14)
    times = [story.published_at + timedelta(minutes=19 * place + dice.randint(0, 15)) for place in range(number)]
    if dice.random() < 0.6:  # the newest first
        times.reverse()
    posts = []
    for at in times:
        title = writer.fill(dice.choice(writer.words["headlines"])) if titled else ""
        texts = [writer.paragraph(dice.choice((1, 1, 2, 3))) for _ in range(dice.choice((1, 1, 1, 2, 3)))]
        labels.body += [text for text in (title, *texts) if text]
        html = "".join(site.markup("p", escape(text)) for text in texts)
        if shared:
            html += site.markup("tool", site.link("/do/share", site.edition.words["share"]))
        when = shown.format(at=at, who=escape(dice.choice(writer.edition.authors)))
        posts.append(shape.format(time=when, title=heading.format(escape(title)) if title else "", text=html))
    return site.markup("body", around.format("\n".join(posts)))
