"""Captions and comments in markup that names neither: forms composed at random, from elements that occur on real pages.

A caption is known by the picture beside it and by its type, a comment section by its repeated lines of a name and a date. A model
that has only seen them with a name takes both for text.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: How a caption is set, most often in one element.
_TYPES = (
    "<span>{}</span>", "<em>{}</em>", "<i>{}</i>", "<b>{}</b>", "<small>{}</small>", "<font size=1>{}</font>", "<cite>{}</cite>",
    "<strong>{}</strong>", "<small><i>{}</i></small>", "<span><em>{}</em></span>", "<font size='-1'><b>{}</b></font>",
)  # fmt: skip
#: Around a picture and what is set below it: {i}, {t}.
_BESIDE = (
    "<p>{i}<br>{t}</p>", "<p>{i}{t}</p>", "<div>{i}{t}</div>", "<div>{i}<br>{t}</div>", "{i}{t}", "{i}<br>{t}<br>",
    "<p>{i}</p><p>{t}</p>", "<div><p>{i}</p><p>{t}</p></div>", "<center>{i}<br>{t}</center>", "<div><div>{i}</div>{t}</div>",
    "<table><tr><td>{i}</td></tr><tr><td>{t}</td></tr></table>", "<div><div>{i}</div><div>{t}</div></div>",
    "<table align=right><tr><td>{i}<br>{t}</td></tr></table>",
    "<div>{i}<p>{t}</p></div>", "<div>{t}<br>{i}</div>", "<section>{i}<div>{t}</div></section>", "<li>{i} {t}</li>",
)  # fmt: skip
_PICTURES = ("<img src=/p/1.jpg>", "<img src=/p/1.jpg width=600 height=400 alt=''>", "<a href=/p/1.jpg><img src=/p/1s.jpg></a>")
#: What a comment consists of, in the order in which a site shows it.
_ORDERS = ("who when text", "who text", "who text when", "text who when", "when who text", "who when text answer", "text who")
_WHO = (
    "<b>{}</b>", "<a href=/u/7>{}</a>", "<span>{}</span>", "<i>{}</i>", "{}", "<div>{}</div>", "<h4>{}</h4>", "<p><b>{}</b></p>",
    "<strong>{}:</strong>",
)  # fmt: skip
_WHEN = ("<small>{}</small>", "<span>{}</span>", " {} ", "({})", "<i>{}</i>", "<div>{}</div>", "<p>{}</p>", ", {}")
_TEXT = ("<p>{}</p>", "<div>{}</div>", "<br>{}", "<p><span>{}</span></p>", "<div><p>{}</p></div>", "<br><font size=2>{}</font>")
#: Around one comment, and around all.
_EACH = (
    "<div>{}</div>", "<li>{}</li>", "<tr><td>{}</td></tr>", "<p>{}</p>", "{}", "<div><div>{}</div></div>", "<article>{}</article>",
    "{}<hr>",
)  # fmt: skip
_ALL = {
    "<li>{}</li>": ("<ul>{}</ul>", "<ol>{}</ol>", "<div><ul>{}</ul></div>"),
    "<tr><td>{}</td></tr>": ("<table>{}</table>",),
}
#: Name and day apart from the text: around both, and around all comments.
_APART = (
    ("<tr><td>{head}</td><td>{text}</td></tr>", "<table>{}</table>"), ("<dt>{head}</dt><dd>{text}</dd>", "<dl>{}</dl>"),
    ("<tr><td>{head}</td></tr><tr><td>{text}</td></tr>", "<table>{}</table>"), ("<p>{head}</p><p>{text}</p>", "<div>{}</div>"),
    ("<div>{head}</div><div>{text}</div>", "{}"), ("<div><div>{head}</div><div>{text}</div></div>", "<div>{}</div>"),
    ("<b>{head}</b><br>{text}<br><br>", "<div>{}</div>"), ("<p><b>{head}</b><br>{text}</p>", "{}"),
)  # fmt: skip
_HEADS = ("{who}", "{who}, {when}", "{who} {when}", "<b>{who}</b> {when}", "<b>{who}</b><br>{when}", "{who}</div><div>{when}")
_USUAL = ("<div>{}</div>", "<section>{}</section>", "{}", "<div><div>{}</div></div>")
_LONGEST_LINE, _SHARE_APART = 40, 0.4
_DAYS = (
    "{d}.{m}.2026 {h}:{n}", "{d}/{m}/2026", "2026-0{m}-{d} {h}:{n}", "{h}:{n}", "{d}. {m}. 2026, {h}.{n}", "{m}/{d}/26 at {h}:{n}",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnamedForms:
    """How one site writes captions and comments."""

    #: With {t}, the text.
    caption: str
    #: With {who}, {when} and {text}.
    comment: str
    comments: str
    day: str

    @classmethod
    def draw(cls, dice: random.Random) -> UnnamedForms:
        """Compose the forms of a site."""
        kind = dice.choice(_TYPES).format("{t}")
        caption = dice.choice(_BESIDE).replace("{t}", kind).replace("{i}", dice.choice(_PICTURES))
        if dice.random() < _SHARE_APART:
            each, comments = dice.choice(_APART)
            head = dice.choice(_HEADS[: None if each.startswith("<div>") else -1])
            return cls(caption=caption, comment=each.replace("{head}", head), comments=comments, day=dice.choice(_DAYS))
        each = dice.choice(_EACH)
        parts = {"who": dice.choice(_WHO), "when": dice.choice(_WHEN), "text": dice.choice(_TEXT), "answer": "<a href=#r>{}</a>"}
        if each == "<p>{}</p>":  # no paragraph lies in another
            parts |= {"who": "<b>{}:</b> ", "when": "<small>{}</small> ", "text": "{}"}
        order = dice.choice(_ORDERS).split()
        above = [name for name in order if name in ("who", "when")]
        boxed = dice.random() < 0.4 and order[: len(above)] == above and each != "<p>{}</p>"
        pieces = {name: parts[name].replace("{}", f"{{{name}}}") for name in order}
        if boxed:
            pieces["text"] = f"<div>{' '.join(pieces[name] for name in above)}</div>{pieces['text']}"
            order = [name for name in order if name not in above]
        inner = " ".join(pieces[name] for name in order)
        return cls(
            caption=caption,
            comment=each.replace("{}", inner),
            comments=dice.choice(_ALL.get(each, _USUAL)),
            day=dice.choice(_DAYS),
        )

    def caption_of(self, text: str) -> str:
        """Return a picture with a caption, both in HTML."""
        return self.caption.replace("{t}", text)

    def section_of(self, comments: Sequence[tuple[str, str]], dice: random.Random, answer: str = "»") -> str:
        """Return a comment section; comments are names and texts in HTML."""
        items = ""
        for who, text in comments:
            head = self.comment.replace("{who}", who).replace("{when}", self._day(dice)).replace("{answer}", answer)
            items += head.replace("{text}", text)
        return self.comments.replace("{}", items)

    def _day(self, dice: random.Random) -> str:
        return self.day.format(d=dice.randint(10, 28), m=dice.randint(1, 9), h=dice.randint(10, 23), n=dice.randint(10, 59))


def comments_of(sentences: Sequence[str], names: Sequence[str], dice: random.Random) -> Iterator[tuple[str, str]]:
    """Yield names and texts of the comments below an article; many a section has a comment of many sentences."""
    number = dice.choice((1, 2, 3, 4, 6, 9, 14))
    long = dice.randrange(number) if dice.random() < 0.6 else -1
    for place in range(number):
        text = " ".join(dice.choice(sentences) for _ in range(dice.randint(6, 16) if place == long else dice.choice((1, 1, 2, 3))))
        yield dice.choice(names)[:_LONGEST_LINE], _as_readers_write(text, dice)


def _as_readers_write(text: str, dice: random.Random) -> str:
    if dice.random() < 0.25:
        text = text.rstrip(".。")
    return text[0].lower() + text[1:] if dice.random() < 0.2 else text
