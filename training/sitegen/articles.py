"""Article pages of a generated site, with what is expected of them and what each piece of text is."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from html import escape
from typing import Any

from training.sitegen.document import box, document, newsletter, teaser_texts, teasers
from training.sitegen.site import Site
from training.sitegen.texts import Story
from training.sitegen.unnamed import comments_of


@dataclass(slots=True)
class Labels:
    """The texts of one page by what they are; those of the surroundings are in none."""

    body: list[str] = field(default_factory=list)
    by_kind: dict[str, list[str]] = field(default_factory=dict)

    def note(self, kind: str, text: str) -> str:
        """Remember a text that the page shows, and return it as HTML."""
        self.by_kind.setdefault(kind, []).append(text)
        return escape(text)


def article_page(site: Site, story: Story) -> dict[str, Any]:
    """Return {"url", "html", "gold"} of an article; the gold's body begins with the lead where the page shows one."""
    labels, path = Labels(), site.path(story)
    html = document(site, story.headline, article(site, story, labels) + surroundings_of(site, story, labels), path, story=story)
    return labelled_page(site, story, labels, path, html)


def labelled_page(site: Site, story: Story, labels: Labels, path: str, html: str) -> dict[str, Any]:
    """Return the record of a page, {"url", "html", "gold"}, with what was noted while it was written as its gold."""
    gold = {
        "title": story.headline,
        "body": "\n".join(labels.body),
        "author": story.author,
        "date": story.published_at.date().isoformat(),
        "labels": labels.by_kind,
    }
    return {"url": site.base_url + path, "html": html, "gold": gold}


def article(site: Site, story: Story, labels: Labels) -> str:
    """The article itself: headline, byline, lead, text."""
    markup, habits = site.markup, site.habits
    headline = escape(story.headline)
    linked = f'<a href="{escape(site.path(story))}">{headline}</a>' if habits.headline_linked else headline
    top = [markup("headline", linked)] if habits.headline_shown else []
    top.insert(0, markup("kicker", site.link(site.section_path(story.section), labels.note("kicker", story.section[1]))))
    byline = _byline(site, story, labels)
    lead = ""
    if habits.lead_shown:
        labels.body.append(story.lead)
        lead = markup("lead", labels.note("lead", story.lead))
    blocks = _blocks(site, story, labels)
    tools = _tools(site)
    pieces = [
        *top,
        "" if habits.byline_last else byline,
        lead,
        tools if habits.tools_first else "",
        _pictures(site, story, labels, 1),
    ]
    beside = _login_box(site) if habits.login_beside_text else ""
    pieces += [beside, markup("body", "\n".join(blocks)), byline if habits.byline_last else "", "" if habits.tools_first else tools]
    return markup("article", "".join(pieces))


def _byline(site: Site, story: Story, labels: Labels) -> str:
    name = site.link(site.author_path(story.author), story.author) if story.number % 2 else escape(story.author)
    labels.note("byline", f"{story.author} {site.shown_date(story)}")
    author = site.markup("author", f"{escape(site.edition.words['author'])} {name}")
    read = f" {site.words['min_read'].format(N=5)}" if site.habits.pages_of_news % 2 else ""
    return site.markup("byline", f"{author} {site.date(story, 'date')}{read}")


def _blocks(site: Site, story: Story, labels: Labels) -> list[str]:
    markup = site.markup
    blocks: list[str] = []
    items: list[str] = []
    for place, (kind, text) in enumerate([*story.blocks, ("end", "")]):
        if items and kind != "li":
            blocks.append(markup("ul", "".join(items)))
            items = []
        if kind == "li":
            items.append(markup("li", escape(text)))
        elif kind != "end":
            blocks.append(markup(kind, _linked(site, story, text) if kind == "p" and place % 3 == 1 else escape(text)))
        if kind != "end":
            labels.body.append(text)
        if place == 1:
            blocks.append(_inside(site, story, labels))
        if place == 3:
            blocks.append(_pictures(site, story, labels, 2))
    return blocks


def _linked(site: Site, story: Story, text: str) -> str:
    """A paragraph with a link to an older article in its midst."""
    words = text.split(" ")
    if len(words) < 12 or story is site.stories[-1]:
        return escape(text)
    target = escape(site.path(site.stories[-1]))
    before, linked, after = words[:4], words[4:7], words[7:]
    return f'{escape(" ".join(before))} <a href="{target}">{escape(" ".join(linked))}</a> {escape(" ".join(after))}'


def _inside(site: Site, story: Story, labels: Labels) -> str:
    """What stands between the paragraphs."""
    others = [other for other in site.stories if other is not story and other.headline != story.headline]
    edition = site.edition
    choice = story.number % 4
    if choice == 0:
        ad = edition.ads[story.number % len(edition.ads)]
        return site.markup("ad", f"<small>{escape(edition.words['advertisement'])}</small> {labels.note('boilerplate', ad)}")
    if choice == 1:
        links = "".join(f"<p>{site.link(site.path(other), labels.note('teaser', other.headline))}</p>" for other in others[:2])
        return site.markup("inline-box", f"<strong>{escape(edition.words['read_also'])}</strong>{links}")
    if choice == 2:
        labels.note("boilerplate", edition.newsletter)
        return newsletter(site)
    return ""


def _pictures(site: Site, story: Story, labels: Labels, place: int) -> str:
    if len(story.captions) < place:
        return ""
    image = f'<img src="/img/{story.number}-{place}.jpg" alt="" width="800" height="450">'
    caption = story.captions[place - 1]
    if story.number % 2:
        caption = f"{caption} {site.words['photo_credit'].format(author=story.author)}"
    if site.forms is not None:
        return site.forms.caption_of(labels.note("caption", caption))
    return site.markup("figure", image + site.markup("caption", labels.note("caption", caption)))


def _tools(site: Site) -> str:
    words = site.edition.words
    return site.markup("tools", "".join(site.markup("tool", site.link(f"/do/{name}", words[name])) for name in ("share", "print")))


def _login_box(site: Site) -> str:
    words = site.edition.words
    fields = f'<input name="u" placeholder="{escape(words["email"])}"><input type="password">'
    return site.markup(
        "form", f"{escape(site.words['login_text'])} {fields}{site.markup('button', escape(words['login']))}", action="/login"
    )


def surroundings_of(site: Site, story: Story, labels: Labels) -> str:
    """Return what follows an article: tags, author, related articles and comments."""
    words, markup = site.edition.words, site.markup
    tags = "".join(markup("tag", site.link(site.tag_path(key), name)) for key, name in story.tags)
    others = [other for other in site.stories if other.section == story.section and other.headline != story.headline][:4]
    related = [site.link(site.path(other), other.headline) for other in others]
    for other in others:
        labels.note("teaser", other.headline)
    bio = f"{story.author} {site.edition.bio}"
    more = box(site, words["related"], related)
    if site.habits.related_texts:
        more = markup("box-title", escape(words["related"])) + teasers(site, others, most=1)
        labels.by_kind.setdefault("teaser", []).extend(teaser_texts(site, others, most=1))
    pieces = [
        markup("tags", f"{escape(words['tags'])}: {tags}") if tags else "",
        markup("bio", labels.note("boilerplate", bio)) if story.number % 3 == 0 else "",
        markup("related", more) if related else "",
        _comments(site, story, labels),
    ]
    return "".join(pieces)


def _comments(site: Site, story: Story, labels: Labels) -> str:
    if site.forms is not None:
        return _unnamed_comments(site, story, labels)
    if not story.comments:
        return ""
    markup = site.markup
    items = [
        markup("comment", markup("comment-head", f"<b>{escape(nick)}</b>") + markup("comment-text", labels.note("comment", text)))
        for nick, text in story.comments
    ]
    title = f"{escape(site.edition.words['comments'])} ({len(items)})"
    return markup("comments", markup("comments-title", title) + "".join(items))


def _unnamed_comments(site: Site, story: Story, labels: Labels) -> str:
    """Comments that nothing names, some of them longer than the article."""
    assert site.forms is not None
    dice = random.Random(f"comments {site.name} {story.number}")
    sentences = [text for other in site.stories for _, text in other.comments] or [site.edition.comments[0]]
    comments = comments_of(sentences, site.edition.nicknames, dice)
    return site.forms.section_of([(escape(who), labels.note("comment", text)) for who, text in comments], dice)
