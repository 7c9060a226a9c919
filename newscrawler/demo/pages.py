"""The pages of the portal: what each contains, in the HTML of a layout (layouts/*.toml)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from newscrawler.demo.address import get_article_path, get_section_path, get_short_path, get_tag_path
from newscrawler.demo.markup import (
    Context,
    add_tracking,
    document,
    escape,
    format_date,
    format_day_of_issue,
    format_update,
    format_worded_date,
    get_editions,
    link_to,
    write_article_head,
    write_attribute,
    write_byline,
    write_odd_links,
    write_part_links,
    write_time,
    write_tools,
)
from newscrawler.demo.story import Edition, Story, StoryBlock, load_edition

LAYOUTS = ("classic", "modern")


@cache
def load_layout(name: str) -> dict[str, Any]:
    """Read a layout."""
    return tomllib.loads(files("newscrawler.demo").joinpath("layouts", f"{name}.toml").read_text("utf-8"))


@cache
def _list_words(code: str) -> Mapping[str, str]:
    """Return the words of an edition that every part of a page may use, escaped."""
    edition = load_edition(code)
    names = {"code": code, "direction": edition.direction, "site": edition.site, "tagline": edition.tagline}
    return {key: write_attribute(text) for key, text in {**edition.words, **names, "language": edition.name}.items()}


@dataclass(frozen=True, slots=True)
class DemoPages:
    """The pages of a portal, in HTML."""

    context: Context

    def _fill(self, part: str, edition: Edition, html: str = "", **values: object) -> str:
        """Return a part of the layout with its values."""
        return Template(load_layout(self.context.layout)[part]).substitute(_list_words(edition.code), html=html, **values)

    def _wrap(self, part: str, edition: Edition, html: str) -> str:
        """Return a part of the layout, or nothing if there is nothing to put in."""
        return self._fill(part, edition, html) if html else ""

    def _write_page(self, edition: Edition, title: str, main: str, *, extra_head: str = "", frame: str = "page") -> str:
        context, code = self.context, edition.code
        sections = ((get_section_path(code, key), escape(name)) for key, name in edition.sections)
        header = self._fill(
            "header",
            edition,
            today=escape(format_day_of_issue(context.anchor, edition)),
            languages="".join(self._fill("language", edition, key=other.code, name=escape(other.name)) for other in get_editions()),
            sections="".join(self._fill("section", edition, path=path, name=name) for path, name in sections),
            calendar_path=f"/calendar/{context.anchor.year}/{context.anchor.month}/",
        )
        values = {"header": header, "main": main, "sidebar": self._write_sidebar(edition), "footer": self._fill("footer", edition)}
        return document(edition, title, self._fill(frame, edition, **values), context, extra_head=extra_head)

    def _write_sidebar(self, edition: Edition) -> str:
        first, *others = self.context.most_read(edition)
        # A short link, which redirects.
        links = [f'<a href="{get_short_path(first)}">{escape(first.headline)}</a>', *map(link_to, others)]
        topics = ((get_tag_path(edition.code, key), escape(name)) for key, name in edition.tags.items())
        return self._fill(
            "sidebar",
            edition,
            ranks="".join(self._fill("rank", edition, link, rank=rank) for rank, link in enumerate(links, start=1)),
            topics="".join(self._fill("topic", edition, path=path, name=name) for path, name in topics),
            odd="".join(self._fill("odd", edition, link) for link in write_odd_links(edition, self.context.anchor)),
            ad=escape(edition.ads[-1]),
        )

    def _write_paragraph(self, html: str, edition: Edition) -> str:
        div_editions = load_layout(self.context.layout).get("div_editions", ())
        return self._wrap("div_paragraph" if edition.code in div_editions else "paragraph", edition, html)

    def _write_block(self, block: StoryBlock, story: Story, number: int) -> str:
        edition, html = story.edition, escape(block.text)
        if block.kind == "paragraph":
            return self._write_paragraph(html, edition)
        if block.kind == "question":
            return self._write_paragraph(self._fill("bold", edition, html), edition)
        if block.kind == "list":
            html = "".join(f"<li>{escape(item)}</li>" for item in block.items)
        elif block.kind == "table":
            html = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
        elif block.kind == "read also":
            links = map(link_to, self.context.read_also(story, block.items))
            html = "".join(self._fill("read_also_link", edition, link) for link in links)
        return self._fill(block.kind.replace(" ", "_"), edition, html, number=f"{story.number}-{number}") if html else ""

    def _write_comments(self, story: Story) -> str:
        items = [
            self._fill(
                "comment",
                story.edition,
                escape(comment.text),
                nickname=escape(comment.nickname),
                moment=comment.at.isoformat(timespec="seconds"),
                shown=escape(format_worded_date(comment.at, story.edition)),
            )
            for comment in story.comments
        ]
        return self._fill("comments", story.edition, "".join(items), count=len(items)) if items else ""

    def write_article(self, story: Story, part: int) -> str:
        """Return one page of an article, counted from 1."""
        edition, context = story.edition, self.context
        lead = escape(story.lead) if part == 1 else ""
        inner = {"plain": lead, "bold": self._wrap("bold", edition, lead)}.get(story.lead_form, "")
        initials = escape(story.initials) if story.byline == "initials" and part == len(story.parts) else ""
        tags = ((get_tag_path(edition.code, tag), escape(edition.tags[tag])) for tag in story.tags)
        shown = escape(format_date(story, context.anchor))
        main = self._fill(
            "article",
            edition,
            section=f'<a href="{get_section_path(edition.code, story.section)}">{escape(edition.section_name(story.section))}</a>',
            headline=escape(story.headline),
            lead=self._wrap("lead", edition, lead if story.lead_form == "class" else ""),
            name=self._wrap("author", edition, write_byline(story)),
            date=write_time(story, shown) or self._fill("date", edition, shown),
            update=self._wrap("update", edition, escape(format_update(story))),
            inner_lead=self._write_paragraph(inner, edition),
            blocks="\n".join(self._write_block(block, story, i) for i, block in enumerate(story.parts[part - 1])),
            initials=self._wrap("initials", edition, initials),
            pages=self._wrap("pages", edition, write_part_links(story, part)),
            topics=self._wrap("tags", edition, " ".join(self._fill("tag", edition, path=path, name=name) for path, name in tags)),
            bio=self._wrap("bio", edition, f"{escape(story.author)} {escape(edition.bio)}" if story.byline == "link" else ""),
            tools=write_tools(story),
            related_links="".join(self._fill("related_link", edition, link_to(other)) for other in context.related(story)),
            talk=self._write_comments(story),
        )
        return self._write_page(edition, story.headline, main, extra_head=write_article_head(story, part, context))

    def print_article(self, story: Story) -> str:
        """Return the print version: the text alone."""
        edition, context = story.edition, self.context
        kinds = {"paragraph", "question", "heading", "list", "table"}
        body = self._fill(
            "print_page",
            edition,
            headline=escape(story.headline),
            shown=escape(format_date(story, context.anchor)),
            lead=self._wrap("print_lead", edition, "" if story.lead_form == "none" else escape(story.lead)),
            blocks="\n".join(self._write_block(block, story, i) for i, block in enumerate(story.blocks) if block.kind in kinds),
        )
        body_class, extra_head = load_layout(context.layout)["print_class"], write_article_head(story, 1, context)
        return document(edition, story.headline, body, context, extra_head=extra_head, body_class=body_class)

    def _write_teasers(self, stories: Iterable[Story]) -> str:
        """Return teasers, the first with a picture."""
        return "\n".join(
            self._fill(
                "teaser" if i else "big_teaser",
                story.edition,
                path=write_attribute(get_article_path(story)),
                tracked=write_attribute(add_tracking(get_article_path(story), "utm_source=picture")),
                number=story.number,
                link=link_to(story),
                lead=escape(story.lead),
                shown=escape(format_date(story, self.context.anchor)),
            )
            for i, story in enumerate(stories)
        )

    def list_stories(self, edition: Edition, title: str, stories: Iterable[Story], *, extra: str = "", intro: str = "") -> str:
        """Return a list of teasers; `intro` and `extra` are HTML."""
        teasers = self._write_teasers(stories)
        main = self._fill("listing", edition, title=escape(title), intro=intro, teasers=teasers, extra=extra)
        return self._write_page(edition, title, main)

    def write_front(self) -> str:
        """Return the front page: a box for every edition."""
        boxes = [
            self._fill("front_box", edition, teasers=self._write_teasers(self.context.select_edition(edition.code)[:4]))
            for edition in get_editions()
        ]
        english = load_edition("en")
        main = self._fill("front", english, "".join(boxes))
        return self._write_page(english, "News in six languages", main, frame="wide_page")

    def write_text(self, edition: Edition, title: str, content: str) -> str:
        """Return a page that is neither an article nor a listing; `content` is HTML."""
        return self._write_page(edition, title, self._fill("text", edition, title=escape(title), content=content))
