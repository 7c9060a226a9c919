"""Articles of our own that show who wrote them in many ways, beside names of others: comments, teasers, rubrics, places.

Real pages show these things, but a data set of a few hundred pages shows each of them on too few.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from html import escape

from newscrawler.demo.story import LANGUAGES, build_slug
from newscrawler.languages import words
from training.pages import LabelledPage
from training.sitegen.texts import Writer

_PAGES = 100
_HOSTS = 10
_DISPUTED, _OF_MARKED_ABOVE, _USER_NAMES = 0.02, 0.75, 0.4
_AGENCIES = ("Reuters", "dpa", "ČTK", "PAP", "AFP", "APA", "Укрінформ", "AP")
_EASTERN = {
    "names": ("高橋直子", "渡辺健", "中村美咲", "陈晓东", "赵丽华", "周国强"),
    "labels": ("文・", "執筆：", "作者：", "记者：", "取材・文／"),
    "rubrics": ("経済", "国際", "地方", "体育", "财经", "文化"),
    "text": (
        "市議会は火曜日、住民が長年求めてきた新しい橋の建設を承認した。工事は来春に始まり、少なくとも二年かかる見通しだ。",
        "古い橋は設計の三倍の荷重を支えており、専門家は会議で補修では足りないと説明した。費用の半分は県が負担する。",
        "商店街の女性は「もう十分待った」と話し、家族とともに傍聴に訪れた。反対派は費用が高すぎると批判している。",
    ),
    "headline": "市議会が新しい橋の建設を承認",
}


@dataclass(slots=True)
class _Page:
    """What is written around the text, and who wrote it."""

    dice: random.Random
    code: str
    names: list[str]
    persons: list[str]
    place: str
    site: str
    date: str
    rubrics: list[str]
    label: str
    texts: list[str]
    menu: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)

    def tag(self, text: str, *, name: str = "") -> str:
        """Wrap a text into an element without meaning."""
        tag = self.dice.choice(("div", "p", "span"))
        return f"<{tag}{name and f' class={name}'}>{text}</{tag}>"

    def line(self) -> str:
        """Return the line of the date."""
        return self.dice.choice((self.date, f"{self.date} 14:05", f"<time datetime=2026-10-03>{self.date}</time>"))

    def ld(self, author: object, **more: object) -> None:
        """Declare the article with its author."""
        said = {"@type": "NewsArticle", "author": author, **more}
        self.head.append(f'<script type="application/ld+json">{json.dumps(said, ensure_ascii=False)}</script>')


def _author(page: _Page) -> str:
    name = next(name for name in page.names if name not in page.authors)
    page.authors.append(name)
    return name


def _labelled(page: _Page) -> None:
    name, dice = _author(page), page.dice
    shown = dice.choice(
        (escape(name), f"<b>{name}</b>", f"<a href=/author/{dice.randint(1, 99)}>{name}</a>", f"<span>{name}</span>")
    )
    both = dice.random() < 0.3
    second = f" {dice.choice((',', next(iter(words('and', page.code)), ',')))} {_author(page)}" if both else ""
    line = dice.choice((f"{page.label} {shown}{second}", f"<span>{page.label}</span><span>{shown}{second}</span>"))
    beside = dice.choice(("", f" | {page.line()}", f"<br>{page.line()}", f"</div><div>{page.line()}"))
    page.above.append(f"<div>{line}{beside}</div>" if dice.random() < 0.8 else f"<div>{page.line()} {line}</div>")


def _beside_date(page: _Page) -> None:
    name, dice = _author(page), page.dice
    section = f" · <a href=/s>{_name_of_section(page)}</a>" if dice.random() < 0.6 else ""
    mark = dice.choice((" · ", " | ", ", ", " "))
    options = (f"<p>{name}{mark}<span>{page.line()}</span>{section}</p>", f"<div><span>{name}</span><time>{page.date}</time></div>")
    page.above.append(dice.choice(options))


def _alone(page: _Page) -> None:
    name, dice = _author(page), page.dice
    lines = [page.tag(dice.choice((name, f"<strong>{name}</strong>", f"<a href=/author/x{dice.randint(1, 99)}>{name}</a>")))]
    lines.append(f"<div>{page.line()}</div>")
    page.above.append("".join(lines if dice.random() < 0.7 else reversed(lines)))


def _card(page: _Page) -> None:
    name, dice = _author(page), page.dice
    alt = dice.choice((name, "", name))
    page.above.append(f"<div><img src=/p.jpg alt='{alt}'><div><div>{name}</div><div>{page.line()}</div></div></div>")


def _signed(page: _Page) -> None:
    name, dice = _author(page), page.dice
    line = dice.choice((
        f"<p align=right>{name}</p>", f"<p><i>{name}</i></p>", f"<p>({name})</p>",
        f"<div style='text-align:right'><b>{name}</b></div>",
        f"<p>{name}</p>", f"<div><b>{name}</b></div><div><a href=/print>PDF</a></div>",
    ))  # fmt: skip
    page.behind.insert(0, line)


def _labelled_behind(page: _Page) -> None:
    name = _author(page)
    page.behind.insert(0, page.tag(f"{page.label.rstrip(':')}: {name}"))


def _user(page: _Page) -> None:
    """Link the page of a user, under the name or under a user name, in which the accents of the name are lost."""
    name, dice = _author(page), page.dice
    user = build_slug(name).replace("-", dice.choice("_.-"))
    href, shown = (f"author/{user}/", user) if dice.random() < _USER_NAMES else (f"user/{dice.randint(1, 99)}", name)
    line = f"<div><a href=/{href}>{shown}</a>, {page.date} - 10:05</div>"
    (page.above if dice.random() < 0.5 else page.behind).insert(0, line)


def _marked(page: _Page) -> None:
    name, dice = _author(page), page.dice
    line = dice.choice((
        f"<a rel=author href=/x>{name}</a>", f"<span itemprop=author>{name}</span>", f"<div class=byline>{page.label} {name}</div>",
        f"<div class='article-author'><span>{name}</span></div>", f"<address class='vcard author'>{name}</address>",
        f"<span itemprop=author itemscope><meta itemprop=name content='{name}'></span>",
    ))  # fmt: skip
    line = f"<div>{line} {page.line() if dice.random() < 0.5 else ''}</div>"
    page.above.append(line) if dice.random() < _OF_MARKED_ABOVE else page.behind.insert(0, line)


def _declared(page: _Page) -> None:
    dice = page.dice
    kind = dice.choice(("person", "several", "text", "agency", "meta", "both"))
    if kind == "agency":
        page.authors.append(dice.choice(_AGENCIES))
        page.ld({"@type": "Organization", "name": page.authors[-1]})
    elif kind == "several":
        page.ld([{"@type": "Person", "name": _author(page)}, {"@type": "Person", "name": _author(page)}])
    elif kind in ("meta", "both"):
        page.head.append(f"<meta name=author content='{_author(page)}'>")
    if kind in ("person", "both"):
        page.ld({"@type": "Person", "name": page.authors[-1] if page.authors else _author(page)})
    elif kind == "text":
        page.ld(_author(page))


def _publisher(page: _Page) -> None:
    """Declare the site, as what it is or as a person, or a section as a person: an author only where nobody else is named."""
    dice, site = page.dice, page.site
    kind, name = dice.choice((("Organization", site), ("Organization", site), ("Person", site), ("Person", _name_of_section(page))))
    publisher = {"@type": "Organization", "name": site}
    more = {"articleSection": name} if name != site and dice.random() < 0.5 else {}
    page.ld(dice.choice(({"@type": kind, "name": name}, {"@type": kind, "name": name}, name)), publisher=publisher, **more)
    if dice.random() < 0.4:
        page.head.append(f"<meta name=author content='{name}'>")
    if name != site or dice.random() < 0.6:
        dice.choice((_labelled, _marked, _beside_date))(page)
    else:
        page.authors.append(site)


def _disputed(page: _Page) -> None:
    """Name one by two kinds of evidence, and another by one."""
    name, other = _author(page), page.dice.choice(page.names[3:])
    meta, declared = page.dice.choice(((name, other), (other, name)))
    page.head.append(f"<meta name=author content='{meta}'>")
    page.ld({"@type": "Person", "name": declared})
    page.above.append(page.dice.choice((f"<p class=byline>{page.label} {name}</p>", f"<div>{page.label} {name}</div>")))


_SHOWN = (_labelled, _beside_date, _alone, _card, _signed, _labelled_behind, _user, _marked, _declared, _publisher)


def _name_of_section(page: _Page) -> str:
    parts = 1 if page.code == "ja" else 2
    return " ".join(page.dice.sample(page.rubrics, parts)).title()


def _rubric(page: _Page) -> None:
    rubric, dice = _name_of_section(page), page.dice
    if dice.random() < (0.5 if page.code == "ja" else 0.2):
        page.above.insert(0, f"<div>{rubric}</div><div>{page.line()}</div>" if dice.random() < 0.5 else f"<div>{rubric}</div>")
        return
    mark = dice.choice((" | ", " · ", ", ", " - "))
    page.above.insert(0, dice.choice((f"<div>{rubric}{mark}{page.line()}</div>", f"<div>{rubric}</div><div>{page.line()}</div>")))


def _place_and_date(page: _Page) -> None:
    page.above.append(f"<p>{page.place}, {page.date}</p>")


def _spoken_of(page: _Page) -> None:
    if not page.persons:
        return
    name, dice = page.dice.choice(page.persons), page.dice
    line = dice.choice((
        f"<p>{page.date}</p><p>{name}</p>", f"<figure><img src=/f.jpg><figcaption>{name}</figcaption></figure>",
        f"<div><a href=/topic/{dice.randint(1, 9)}>{name}</a></div>", f"<h3>{name}</h3>",
    ))  # fmt: skip
    (page.above if dice.random() < 0.7 else page.behind).append(line)


def _comments(page: _Page) -> None:
    name = page.dice.choice(page.names[3:])
    link = page.dice.choice((f"<a href=/user/9>{name}</a>", f"<span class=author>{name}</span>", f"<b>{name}</b>"))
    page.behind.append(f"<div class=comments><div class=comment>{link}, {page.date} 10:05<p>{page.place}?</p></div></div>")


def _teaser(page: _Page) -> None:
    name, dice = page.dice.choice(page.names[3:]), page.dice
    title = f"{page.place}: {page.dice.choice(page.rubrics)} {dice.randint(2, 9)} {page.date}"
    said = dice.choice((f"{page.label} {name}", f"<span class=byline>{name}</span>", f"<a rel=author href=/y>{name}</a>"))
    page.behind.append(dice.choice((
        f"<aside><a href=/o>{title}</a><p>{said}</p></aside>", f"<div class=related><p>{said}</p><a href=/o>{title}</a></div>",
        f"<div><a href=/o>{title}</a><div><div>{page.label.rstrip(':')}</div><div>{name}</div></div></div>",
        f"<h3><a href=/o>{page.label.rstrip(':')}: {name}<br>{title}</a></h3>",
    )))  # fmt: skip


def _other_articles(page: _Page) -> None:
    """List other articles with their writers, far behind the text."""
    dice = page.dice
    names = dice.sample(page.names[3:], 2) if len(page.names) > 4 else page.names[3:]
    lines = (f"<div><p>{page.place}</p>{25 * '<i></i>'}<span class=byline>{page.label} {name}</span></div>" for name in names)
    page.behind.append(dice.randint(20, 90) * f"<p>{page.rubrics[0]}</p>" + "".join(lines))


def _kind_of_text(page: _Page) -> None:
    """Write the kind of the text above the name of whom it is about."""
    if kinds := sorted(words("kinds_of_text", page.code)):
        kind, name = page.dice.choice(kinds).capitalize(), page.dice.choice(page.names[3:])
        page.above.append(f"<div><div>{kind}</div><div>{name}</div></div>")


def _photographer(page: _Page) -> None:
    credit = page.dice.choice(sorted(words("by_others", page.code)) or ["Foto"]).capitalize()
    page.above.append(page.tag(f"{credit}: {page.dice.choice(page.names[3:])}"))


def _sentence(page: _Page) -> None:
    page.above.append(f"<p>{page.dice.choice(page.names[3:])} – {page.date}, {page.place}.</p>")


def _begins_with_label(page: _Page) -> None:
    """Write a sentence that begins as a byline does."""
    name, text = page.dice.choice(page.names[3:]), page.dice.choice(page.texts)
    page.above.append(
        f"<p>{page.label.rstrip(':')} {name} {' '.join(text.split()[2:7]).lower().rstrip('.')}{page.dice.choice('.!')}</p>"
    )


def _section_of_date(page: _Page) -> None:
    """Write the section where a name would be, as a link beside the date."""
    rubric = _name_of_section(page)
    page.above.append(f"<p><span>{page.line()}</span> · <a href=/s>{rubric}</a></p>")


def _in_menu(page: _Page) -> None:
    name = page.dice.choice(page.names[3:])
    page.menu.append(name)
    page.above.append(f"<p>{name}</p><p>{page.line()}</p>")


def _topic(page: _Page) -> None:
    name = page.dice.choice(page.names[3:])
    page.head.append(f"<meta name=keywords content='{page.place}, {name}'>")
    page.above.append(f"<p>{name}</p><p>{page.line()}</p>")


_FOREIGN = (
    _begins_with_label,
    _section_of_date,
    _in_menu,
    _topic,
    _rubric,
    _place_and_date,
    _spoken_of,
    _comments,
    _teaser,
    _other_articles,
    _kind_of_text,
    _photographer,
    _sentence,
)


def byline_pages() -> Iterator[LabelledPage]:
    """Yield the pages, the same on every run."""
    for code in (*LANGUAGES, "ja"):
        for number in range(_PAGES):
            dice = random.Random(f"bylines {code} {number}")
            headline, texts, page = _eastern(dice) if code == "ja" else _western(code, dice)
            for add in dice.sample(_FOREIGN, dice.choice((0, 1, 1, 2, 2))):
                add(page)
            if dice.random() < 0.75:
                (_disputed if dice.random() < _DISPUTED else dice.choice(_SHOWN))(page)
            host = f"bylines-{code}-{number % _HOSTS}.example"
            text = "".join(f"<p>{text}</p>" for text in texts)
            menu = "<br>".join(page.menu)
            body = f"<nav><a href=/>{page.place}</a> {menu} <a href=/s>{dice.choice(page.rubrics)}</a></nav><h1>{headline}</h1>"
            html = f"<html><head><title>{headline}</title>{''.join(page.head)}</head><body>{body}{''.join(page.above)}"
            html += f"<div>{text}</div>{''.join(page.behind)}<footer>© {page.place} 2026</footer></body></html>"
            gold = {"title": headline, "authors": page.authors}
            yield LabelledPage(dataset="bylines", id=f"{code}-{number}", url=f"https://{host}/{number}", html=html, gold=gold)


def _western(code: str, dice: random.Random) -> tuple[str, list[str], _Page]:
    writer = Writer(code, f"bylines {dice.random()}")
    edition = writer.edition
    texts = [writer.paragraph(3) for _ in range(dice.randint(4, 8))]
    spoken = [name for name in edition.persons if any(f" {name}" in text for text in texts)]
    rubrics = [word.capitalize() for word in sorted(words("rubrics", code)) if len(word) > 3] or [
        name for _, name in edition.sections
    ]
    label = dice.choice(sorted(word for word in words("by", code) if word not in words("kinds_of_text")))
    label = label.capitalize() + dice.choice(("", ":"))
    names = [
        *dice.sample(edition.authors, len(edition.authors)),
        *(f"{n.split()[0]} {m.split()[-1]}" for n, m in zip(edition.persons, reversed(edition.authors), strict=False)),
    ]
    date = (
        f"{dice.randint(1, 28)}. {dice.randint(1, 12)}. 2026"
        if dice.random() < 0.5
        else f"{dice.randint(1, 28)}/{dice.randint(10, 12)}/2026"
    )
    page = _Page(
        dice, code, list(dict.fromkeys(names)), spoken, dice.choice(edition.places), edition.site, date, rubrics, label, texts
    )
    return writer.story(1, timedelta(days=dice.randint(1, 300))).headline, texts, page


def _eastern(dice: random.Random) -> tuple[str, list[str], _Page]:
    names = dice.sample(_EASTERN["names"], len(_EASTERN["names"]))
    date = f"2026年{dice.randint(1, 12)}月{dice.randint(1, 28)}日"
    page = _Page(
        dice, "ja", names, names[4:], "港町", "港町新聞", date, list(_EASTERN["rubrics"]), dice.choice(_EASTERN["labels"]), []
    )
    texts = [*_EASTERN["text"], f"「早く渡りたい」と{names[4]}さんは話し、{names[5]}さんもうなずいた。"]
    page.texts.extend(texts)
    return str(_EASTERN["headline"]), texts, page
