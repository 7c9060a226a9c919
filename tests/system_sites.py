"""Sites in the markup of publishing systems: the page of an article of each (data/systems) is filled with the stories of a site.

Every fourth article is news of one paragraph, and each text ends with a heading and links to other articles, in three forms.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from html import escape
from pathlib import Path
from string import Template

from training.sitegen.texts import Story, Writer

FOLDER = Path(__file__).parent / "data" / "systems"
SYSTEMS = sorted(path.stem for path in FOLDER.glob("*.html"))
LANGUAGES = ("en", "de", "pl", "cs", "uk")
_ALSO = {"en": "See also", "de": "Siehe auch", "pl": "Zobacz też", "cs": "Viz také", "uk": "Див. також"}
_RELATED = {
    "en": "Related posts", "de": "Ähnliche Beiträge", "pl": "Powiązane wpisy", "cs": "Související články", "uk": "Схожі записи",
}  # fmt: skip
_LEADS = {"drupal": "<p><strong>{}</strong></p>", "ghost": '<p class="article-excerpt">{}</p>'}
_ENDINGS = (
    ("<h2>{}</h2>\n<ul>{}</ul>", "<li><a href='/{}'>{}</a></li>"),
    ("<p><strong>{}:</strong></p>{}", "<p><a href='/{}'>{}</a></p>"),
    ("<h4>{}</h4>\n<div>{}</div>", "<a href='/{}'>{}</a><br>"),
)
_DATE_LINES = (
    "<p>{}\n</p>", "<p><b>{}</b></p>", '<p><strong class="published"><span class="value">{}</span></strong></p>',
    '<div class="dateline">{}</div>',
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPage:
    """The page of an article, and what its text is."""

    url: str
    html: str
    title: str
    lines: Sequence[str]
    #: Headings, which may recur on other pages.
    optional: Sequence[str]


def build_site(system: str, language: str, pages: int = 12) -> list[SystemPage]:
    """Return the articles of a site, newest first."""
    writer, seen = Writer(language, f"{system} {language}"), set[str]()
    dice = random.Random(f"{system} {language}")
    stories = [writer.story(900 - number, timedelta(hours=30 + 31 * number)) for number in range(pages)]
    template = Template((FOLDER / f"{system}.html").read_text("utf-8"))

    def make_unique(text: str) -> str:
        while text[:60] in seen:  # what recurs on a real site is no text of one article
            text = f"{dice.choice(writer.edition.places)} {dice.randint(100, 999)}: {text}"
        seen.add(text[:60])
        return text

    found = []
    for number, story in enumerate(stories):
        is_brief = number % 4 == 1
        lead = make_unique(story.lead) if system == "ghost" or not is_brief else ""
        written = [("p", writer.paragraph(1 + number % 3))] if is_brief else story.blocks
        blocks = [(kind, make_unique(text) if kind == "p" else text) for kind, text in written if kind in {"p", "h2"}]
        others = [stories[(number + step) % pages] for step in (1, 2, 3)]
        shown = _fill(template, story, others, writer, system=system, lead=lead, blocks=blocks, language=language, number=number)
        lines = ([lead] if lead else []) + [text for kind, text in blocks if kind == "p"]
        others_lines = [text for kind, text in blocks if kind != "p"]
        found.append(
            SystemPage(
                url=f"https://{system}.example/{story.slug}", html=shown, title=story.headline, lines=lines, optional=others_lines
            )
        )
    return found


def _fill(
    template: Template, story: Story, others: Sequence[Story], writer: Writer,
    *, system: str, lead: str, blocks: Sequence[tuple[str, str]], language: str, number: int,
) -> str:  # fmt: skip
    at = story.published_at
    month = writer.edition.months[at.month - 1]
    date = f"{month} {at.day}, {at.year}" if language == "en" else f"{at.day}. {month} {at.year}"
    around, link = _ENDINGS[number % len(_ENDINGS)]
    values = {
        "title": story.headline, "author": story.author, "section": story.section[1], "description": lead or blocks[0][1],
        "site": writer.edition.site, "slug": story.slug, "date": date, "other_date": date, "other_author": story.author,
        "iso": at.isoformat(), "day": f"{at:%Y-%m-%d}", "number": str(story.number), "language": language,
        "caption": writer.edition.captions[0].split(".")[0], "related": _RELATED[language], "see": _ALSO[language],
        **{f"other{place}": other.headline for place, other in enumerate(others, 1)},
        **{f"slug{place}": other.slug for place, other in enumerate(others, 1)},
        **{f"excerpt{place}": other.lead for place, other in enumerate(others, 1)},
    }  # fmt: skip
    links = "".join(link.format(other.slug, escape(other.headline)) for other in others[:2])
    parts = {
        "lead": _LEADS.get(system, "<p>{}</p>").format(escape(lead)) if lead else "",
        "body": "\n".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in blocks),
        "ending": around.format(_ALSO[language], links),
        "dateline": _DATE_LINES[LANGUAGES.index(language) % len(_DATE_LINES)].format(date),
    }
    return template.substitute({name: escape(value) for name, value in values.items()} | parts)
