"""Pages with the eleven defects of document 000 §3.3, each in several forms of markup, in frames drawn by a seed.

No name says what anything is: classes are letters drawn at random, and most elements have none.

    python tests/defect_pages.py

prints of each defect how many pages are read right, and of each form that is not right in all languages, in how many it is.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from kurier import OTHERS, SECTIONS, TEXTS, headline

from newscrawler.extraction.body.extractor import load_default_extractor
from newscrawler.extraction.body.further_pages import further_pages
from newscrawler.page import Document

#: What readers write below the article.
COMMENTS: dict[str, tuple[str, ...]] = {
    "en": (
        "I have lived on Mill Street since I was born and nobody ever asked me what I think of all this.",
        "Has any of you looked at the bill? We pay for it, our children pay for it, and then it leaks again.",
        "Agree with the one above, my husband drives there every day and it is a disgrace.",
        "lol, two years, remember the swimming pool? That was two years as well and it took six",
        "Sorry, but this is nonsense, you can cycle through Eastleigh in ten minutes if you want to.",
        "Thank you for the report, I only miss what the people on the other bank say about the noise.",
    ),
    "cs": (
        "Bydlím v Mlýnské od narození a nikdo se mě nikdy nezeptal, co si o tom všem myslím.",
        "Díval se vůbec někdo z vás na ten účet? Zaplatíme to my, zaplatí to naše děti a pak to zase poteče.",
        "Souhlasím s předřečníkem, manžel tamtudy jezdí každý den a je to ostuda.",
        "haha, dva roky, pamatujete na bazén? To měly být taky dva roky a trvalo to šest",
        "Promiňte, ale to je nesmysl, na kole jste přes Lhotu za deset minut, když chcete.",
        "Děkuji za zprávu, jen mi chybí, co říkají hluku lidé na druhém břehu.",
    ),
    "pl": (
        "Mieszkam na Młyńskiej od urodzenia i nikt mnie nigdy nie zapytał, co o tym wszystkim myślę.",
        "Czy ktoś z was widział ten rachunek? Zapłacimy my, zapłacą nasze dzieci, a potem znowu będzie przeciekać.",
        "Zgadzam się z przedmówcą, mąż jeździ tamtędy codziennie i to jest wstyd.",
        "haha, dwa lata, pamiętacie basen? Też miało być dwa lata, a było sześć",
        "Przepraszam, ale to bzdura, rowerem jest się przez Łąkę w dziesięć minut, jak się chce.",
        "Dziękuję za tekst, brakuje mi tylko, co o hałasie mówią ludzie z drugiego brzegu.",
    ),
    "de": (
        "Ich wohne seit meiner Geburt in der Mühlgasse, und mich hat nie jemand gefragt, was ich davon halte.",
        "Hat irgendwer von euch die Rechnung gesehen? Wir zahlen, unsere Kinder zahlen, und dann ist es wieder undicht.",
        "Stimme meinem Vorredner zu, mein Mann fährt da jeden Tag, es ist eine Schande.",
        "haha, zwei Jahre, wisst ihr noch, das Bad? Das waren auch zwei Jahre, und sechs sind es geworden",
        "Verzeihung, aber das ist Unsinn, mit dem Rad ist man in zehn Minuten durch Neudorf, wenn man will.",
        "Danke für den Bericht, mir fehlt nur, was die Leute am anderen Ufer zum Lärm sagen.",
    ),
    "ru": (
        "Живу на Мельничной с рождения, и никто ни разу не спросил меня, что я обо всём этом думаю.",
        "Кто-нибудь из вас видел смету? Заплатим мы, заплатят наши дети, а потом опять потечёт.",
        "Согласна с предыдущим, муж ездит там каждый день, это просто позор.",
        "ха-ха, два года, а бассейн помните? Тоже два года обещали, а вышло шесть",
        "Извините, но это чушь, на велосипеде через Заречье десять минут, если захотеть.",
        "Спасибо за заметку, не хватает только мнения людей с того берега о шуме.",
    ),
    "zh": (
        "我从出生就住在磨坊街，从来没有人问过我对这一切有什么看法，我觉得这很不公平。",
        "你们有人看过账单吗？我们付钱，我们的孩子也付钱，然后又会漏水，每次都是这样。",
        "同意楼上的说法，我丈夫每天都从那里开车经过，真是太丢人了，早就应该修了。",
        "哈哈，两年，还记得游泳馆吗？当时也说是两年，结果用了六年才修好",
        "对不起，这是胡说，只要你愿意，骑自行车十分钟就可以穿过村子，根本不用等。",
        "谢谢这篇报道，我只是想知道对岸的居民对噪音有什么意见，希望下次能采访他们。",
    ),
}
#: Languages of the comments and captions; the other defects have pages in all languages of `kurier`.
LANGUAGES = tuple(COMMENTS)
#: Below pictures: one short, two of more than ninety characters, the second of these with a credit.
CAPTIONS: dict[str, tuple[str, str, str]] = {
    "en": (
        "Mayor Edward Stanmore at the old bridge",
        "The old bridge seen from the eastern bank, where the councillors stopped on their walk on Sunday before the vote",
        "A model of the new bridge in the town hall, where it can be seen until the end of the month. Photo: Jane Miller",
    ),
    "cs": (
        "Starosta Jan Dvořák u starého mostu",
        "Starý most při pohledu z východního břehu, kde se zastupitelé zastavili při nedělní procházce před hlasováním",
        "Model nového mostu na radnici, kde si ho lze prohlédnout až do konce měsíce. Foto: Jana Malá",
    ),
    "pl": (
        "Burmistrz Jan Król przy starym moście",
        "Stary most widziany ze wschodniego brzegu, gdzie radni zatrzymali się na niedzielnym spacerze przed głosowaniem",
        "Makieta nowego mostu w ratuszu, gdzie można ją oglądać do samego końca miesiąca. Fot. Anna Mała",
    ),
    "de": (
        "Bürgermeister Karl Huber an der alten Brücke",
        "Die alte Brücke vom östlichen Ufer aus, wo die Gemeinderäte am Sonntag vor der Abstimmung gehalten haben",
        "Ein Modell der neuen Brücke im Rathaus, wo es bis Ende des Monats zu sehen ist. Foto: Anna Klein",
    ),
    "ru": (
        "Мэр Иван Королёв у старого моста",
        "Старый мост, вид с восточного берега, где депутаты остановились на воскресной прогулке перед голосованием",
        "Макет нового моста в мэрии, где его можно увидеть до самого конца месяца. Фото: Анна Малова",
    ),
    "zh": (
        "市长在旧桥边接受记者的采访",
        "从东岸看到的旧桥，议员们星期天在投票之前散步时曾在此停留，并与附近的居民交谈了很久",
        "市政厅里展出的新桥模型，市民可以在本月底之前前往参观，无需预约。图片：王小明",
    ),
}
_READERS = ("marek77", "Olga K.", "h_brand", "Old Tom", "lena", "Mr. P", "bikerin", "Jo-Ann", "K2", "Viktor_S", "anon", "Tess")
#: Around the article, with {menu}, {article}, {side} and {foot}.
_FRAMES = (
    "<div>{menu}</div><div><div>{article}</div><div>{side}</div></div><div>{foot}</div>",
    "{menu}<div><div><div>{article}</div></div></div><div>{side}</div>{foot}",
    "<table><tr><td colspan=2>{menu}</td></tr><tr><td>{article}</td><td>{side}</td></tr></table>{foot}",
    "<header>{menu}</header><main>{article}</main><div>{side}</div><footer>{foot}</footer>",
    "<div><section>{menu}</section><section>{article}</section><section>{side}</section></div><div>{foot}</div>",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectPage:
    """A page, and what is right on it."""

    html: str
    url: str
    headline: str
    #: The paragraphs of the body in their order; empty for a page that holds no article.
    wanted: tuple[str, ...]
    #: Texts that the body must not hold.
    unwanted: tuple[str, ...]
    lead: str | None = None
    further: tuple[str, ...] = ()


def languages_of(defect: int) -> tuple[str, ...]:
    """Return the languages in which there are pages of a defect."""
    return LANGUAGES if defect in (2, 9) else tuple(TEXTS)


#: Makes the HTML of an article, and tells what of it is wanted and what is not, from a language and dice.
Form = Callable[[str, random.Random], tuple[str, Sequence[str], Sequence[str]]]


def build(defect: int, form: int, language: str, seed: int = 0) -> DefectPage:
    """Return the page of a defect in one of its forms."""
    dice = random.Random(f"{defect} {form} {language} {seed}")
    url = f"https://kurier.example/{language}/bridge.html"
    make = FORMS[defect][form]
    article, wanted, unwanted = make(language, dice)
    title = headline(language) if wanted else "Region"
    html = _frame(language, article, title, dice)
    lead = wanted[0] if defect in (1, 3, 4) else None
    further = (f"https://kurier.example/{language}/bridge.html?page=2",) if defect == 11 else ()
    if not wanted:
        url = f"https://kurier.example/{language}/region/"
    others = () if defect == 8 else OTHERS[language]
    return DefectPage(
        html=html, url=url, headline=title, wanted=tuple(wanted), unwanted=(*unwanted, *others), lead=lead, further=further
    )


def _frame(language: str, article: str, title: str, dice: random.Random) -> str:
    def name() -> str:
        return dice.choice(("", f" class={''.join(dice.sample('bcdfghkmpqrstvwz', 3))}{dice.randint(1, 9)}"))

    links = [f"<a href='/{section.lower()}/'>{section}</a>" for section in SECTIONS]
    listed, in_line = f"<ul><li>{'</li><li>'.join(links)}</li></ul>", f"<div>{' | '.join(links)}</div>"
    menu = dice.choice((listed, in_line, f"<p>{' '.join(links)}</p>"))
    side = "".join(
        f"<div{name()}><a href='/{language}/story-{number}.html'>{other}</a> <small>{number + 1}.3.2026</small></div>"
        for number, other in enumerate(islice(cycle(OTHERS[language]), dice.randint(4, 9)))
    )
    foot = f"<p{name()}><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></p><p>© Kurier 2026</p>"
    body = dice.choice(_FRAMES).format(menu=menu, article=f"<div{name()}>{article}</div>", side=side, foot=foot)
    return f"<html lang={language}><head><title>{title} | Kurier</title></head><body{name()}>{body}</body></html>"


def _h1(language: str) -> str:
    return f"<h1>{headline(language)}</h1>"


def _paragraphs(texts: Sequence[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _lead(around: str, *, first: int = 1, last: int = 2) -> Form:
    """Make the form of a lead: `around` has {lead}, {rest} as paragraphs and {lines} as lines with breaks."""

    def make(language: str, _: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts = TEXTS[language]
        lead, rest = " ".join(texts[first:last]), texts[last:]
        html = around.format(lead=lead, rest=_paragraphs(rest), lines="<br><br>".join(rest), h1=_h1(language))
        return html, (lead, *rest), ()

    return make


def _short_lead(around: str) -> Form:
    def make(language: str, _: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts = TEXTS[language]
        lead = f"{texts[2][:80].rpartition(' ')[0].rstrip(',') or texts[2][:30]}."
        html = around.format(lead=lead, rest=_paragraphs(texts[3:]), lines="<br><br>".join(texts[3:]), h1=_h1(language))
        return html, (lead, *texts[3:]), ()

    return make


def _comment_section(around: str, comment: str, *, inside: bool = False, most: int = 6) -> Form:
    """Make the form of a comment section; one comment is longer than the article.

    Args:
        around: with {comments}.
        comment: with {who}, {when} and {text}.
        inside: the section lies in the box of the text.
        most: comments.
    """

    def make(language: str, dice: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts, said = TEXTS[language][1:5], list(COMMENTS[language])
        length = sum(map(len, texts))
        long = " ".join(islice(cycle(said), 5 + length // max(1, min(map(len, said))) // 2))
        while len(long) <= length:
            long = f"{long} {long}"
        all_texts = [long, *dice.sample(said, most - 1)]
        dice.shuffle(all_texts)
        comments = "".join(
            comment.format(who=who, when=f"{dice.randint(1, 28)}.3.2026 1{dice.randint(0, 9)}:{dice.randint(10, 59)}", text=text)
            for who, text in zip(dice.sample(_READERS, most), all_texts, strict=True)
        )
        section = around.format(comments=comments)
        body = _paragraphs(texts)
        html = f"{_h1(language)}<div>{body}{section}</div>" if inside else f"{_h1(language)}<div>{body}</div>{section}"
        return html, texts, said

    return make


def _listed(around: str) -> Form:
    """Make the form of a text in lists, with {before}, {items} and {after}."""

    def make(language: str, _: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts = TEXTS[language]
        items = "".join(f"<li>{text}</li>" for text in texts[3:6])
        boxed = "".join(f"<li><div><p>{text}</p></div></li>" for text in texts[3:6])
        pairs = "".join(f"<dt>{text}</dt>" if number % 2 else f"<dd>{text}</dd>" for number, text in enumerate(texts[3:6]))
        html = around.format(
            before=_paragraphs(texts[1:3]), items=items, boxed=boxed, pairs=pairs, after=_paragraphs(texts[6:]),
            all="".join(f"<li>{text}</li>" for text in texts[1:]), first=f"<li>{texts[3]}</li>",
            nested=f"<li>{texts[4]}<ul><li>{texts[5]}</li></ul></li>",
        )  # fmt: skip
        return _h1(language) + html, texts[1:], ()

    return make


def _table(around: str, between: str) -> Form:
    """Make the form of an article in tables without div or span: {h1}, {headline}, {text}, the paragraphs joined by `between`."""

    def make(language: str, _: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts = TEXTS[language][1:]
        return around.format(h1=_h1(language), headline=headline(language), text=between.join(texts)), texts, ()

    return make


def _headlined(shape: str) -> Form:
    def make(language: str, _: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts = TEXTS[language][1:]
        return shape.format(headline=headline(language), text=_paragraphs(texts)), texts, ()

    return make


def _summaries(around: str, item: str) -> Form:
    """Make the form of a page of very unequal summaries: `item` has {url}, {title}, {when} and {text}."""

    def make(language: str, dice: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts, sizes = TEXTS[language], [1, 4, 1, 2, 1, 5, 3, 1, 2, 1]
        dice.shuffle(sizes)
        items = "".join(
            item.format(
                url=f"/{language}/a{number}.html", title=texts[number % 6 + 1][:50], when=f"{number + 1}.3.2026",
                text=" ".join(texts[1 : size + 1]),
            )
            for number, size in enumerate(sizes)
        )  # fmt: skip
        return around.format(items=items), (), ()

    return make


def _captions(*shapes: str) -> Form:
    """Make the form of captions between the paragraphs: the three of a language, in these shapes of {text} in turn."""

    def make(language: str, dice: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts, captions = TEXTS[language][1:], list(CAPTIONS[language])
        dice.shuffle(captions)
        places = sorted(dice.sample(range(len(texts) - 1), len(captions)))
        html = ""
        for number, text in enumerate(texts):
            html += f"<p>{text}</p>"
            if number in places:
                place = places.index(number)
                html += shapes[place % len(shapes)].format(text=captions[place])
        return _h1(language) + html, texts, captions

    return make


def _blocks(shape: str, *, group: int = 1, between: str = "") -> Form:
    """Make the form of an article in many blocks: `shape` has the {text} of `group` paragraphs, `between` follows every second."""

    def make(language: str, _: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts = TEXTS[language][1:]
        parts = [texts[start : start + group] for start in range(0, len(texts), group)]
        html = "".join(
            shape.format(text=part[0] if group == 1 else _paragraphs(part)) + (between if number % 2 else "")
            for number, part in enumerate(parts)
        )
        return _h1(language) + html, texts, ()

    return make


def _paged(row: str) -> Form:
    """Make the form of a first page, with a row of links to the others: {url} is the page's own."""

    def make(language: str, _: random.Random) -> tuple[str, Sequence[str], Sequence[str]]:
        texts = TEXTS[language][1:]
        return _h1(language) + _paragraphs(texts) + row.format(url=f"/{language}/bridge.html"), texts, ()

    return make


_PICTURE = "<img src=/i/7.jpg width=640 height=400>"
FORMS: dict[int, tuple[Form, ...]] = {
    1: (
        _lead("{h1}{lead}<div>{rest}</div>"),
        _lead("{h1}<img src=/i/1.jpg>{lead}<div><div>{rest}</div></div>"),
        _lead("{h1}{lead}<table><tr><td>{rest}</td></tr></table>"),
        _lead("{h1}<br><br>{lead}<br><br><div>{lines}</div>"),
        _lead("{h1}<b>{lead}</b><div>{rest}</div>"),
        _lead("<div>{h1}</div>{lead}<section>{rest}</section>"),
    ),
    2: (
        _comment_section("<div>{comments}</div>", "<div><div><b>{who}</b> <small>{when}</small></div><p>{text}</p></div>"),
        _comment_section("<ul>{comments}</ul>", "<li><b>{who}</b><p>{text}</p></li>"),
        _comment_section("<ol>{comments}</ol>", "<li><i>{when}</i> <b>{who}</b><br>{text}</li>", inside=True),
        _comment_section("<div>{comments}</div>", "<p><b>{who}:</b> {text}</p>"),
        _comment_section("<table>{comments}</table>", "<tr><td>{who}<br>{when}</td><td>{text}</td></tr>"),
        _comment_section("<dl>{comments}</dl>", "<dt>{who} ({when})</dt><dd>{text}</dd>", inside=True),
        _comment_section("{comments}", "<div><p>{text}</p><span>{who}, {when}</span></div>"),
        _comment_section("<section>{comments}</section>", "<div><img src=/u/1.png><span>{who}</span><div>{text}</div></div>"),
        _comment_section("<div>{comments}</div>", "<div><h4>{who}</h4><p>{text}</p><p>{when}</p></div>", inside=True),
        _comment_section("<div>{comments}</div>", "<div><a href=/u/{who}>{who}</a> {when}<p>{text}</p></div>"),
        _comment_section("<div>{comments}</div>", "<div><b>{who}</b> {when}<p>{text}</p></div>", most=1),
        _comment_section("{comments}", "<div>{who}</div><div>{when}</div><div>{text}</div>", inside=True),
    ),
    3: tuple(
        _lead(f"{{h1}}{shape}{{rest}}", last=5)
        for shape in (
            "<p><b>{lead}</b></p>",
            "<div>{lead}</div>",
            "<h2>{lead}</h2>",
            "{lead}",
            "<div><span><strong>{lead}</strong></span></div>",
            "<table><tr><td><b>{lead}</b></td></tr></table>",
        )
    ),
    4: (
        _short_lead("{h1}<p><b>{lead}</b></p><div>{rest}</div>"),
        _short_lead("{h1}<h2>{lead}</h2>{rest}"),
        _short_lead("{h1}<div><strong>{lead}</strong></div><div>{rest}</div>"),
        _short_lead("{h1}{lead}<div>{rest}</div>"),
        _short_lead("{h1}<p>{lead}</p>{rest}"),
        _short_lead("<div>{h1}<span>{lead}</span></div><div>{lines}</div>"),
    ),
    5: tuple(
        map(
            _listed,
            (
                "{before}<ul>{items}</ul>{after}",
                "{before}<ol>{items}</ol>{after}",
                "<ul>{all}</ul>",
                "{before}<ul>{boxed}</ul>{after}",
                "{before}<dl>{pairs}</dl>{after}",
                "{before}<ul>{first}{nested}</ul>{after}",
            ),
        )
    ),
    6: (
        _table("<table><tr><td>{h1}</td></tr><tr><td>{text}</td></tr></table>", "<br><br>"),
        _table("<table><tr><td>{h1}<p>{text}</p></td></tr></table>", "</p><p>"),
        _table("<table><tr><td><b>{headline}</b></td></tr><tr><td>{text}</td></tr></table>", "</td></tr><tr><td>"),
        _table("<table><tr><td><table><tr><td>{h1}</table><table><tr><td>{text}</table></td></tr></table>", "<br><br>"),
        _table("<table><tr><td><font size=5>{headline}</font><br><br><font size=2>{text}</font></td></tr></table>", "<br><br>"),
        _table("<center><table><tr><td width=20></td><td>{h1}{text}</td><td width=20></td></tr></table></center>", "<p>"),
    ),
    7: tuple(
        map(
            _headlined,
            (
                "<div><b>{headline}</b></div><div>{text}</div>",
                "<p><strong>{headline}</strong></p>{text}",
                "<h3>{headline}</h3>{text}",
                "<font size=5>{headline}</font><br><br>{text}",
                "<table><tr><td><span>{headline}</span></td></tr></table><div>{text}</div>",
                "<div><big>{headline}</big></div><section>{text}</section>",
            ),
        )
    ),
    8: (
        _summaries("<h1>Region</h1>{items}", "<div><h2><a href='{url}'>{title}</a></h2><i>{when}</i><p>{text}</p></div>"),
        _summaries("<h1>Region</h1><ul>{items}</ul>", "<li><a href='{url}'>{title}</a><p>{text}</p></li>"),
        _summaries("<table>{items}</table>", "<tr><td><b><a href='{url}'>{title}</a></b><br>{text} <i>{when}</i></td></tr>"),
        _summaries("<h2>Region</h2>{items}", "<p><b><a href='{url}'>{title}</a></b><br>{text}</p>"),
        _summaries("<dl>{items}</dl>", "<dt><a href='{url}'>{title}</a> {when}</dt><dd>{text}</dd>"),
        _summaries("{items}", "<section><h3><a href='{url}'>{title}</a></h3><div>{text}</div><a href='{url}'>»</a></section>"),
    ),
    9: tuple(
        _captions(*(wrap.format(f"<{tag}>{{text}}</{tag}>") for tag in tags))
        for wrap in (
            f"<p>{_PICTURE}<br>{{}}</p>",
            f"<div>{_PICTURE}{{}}</div>",
            f"{_PICTURE}{{}}",
            f"<p>{_PICTURE}</p><p>{{}}</p>",
            f"<table><tr><td>{_PICTURE}</td></tr><tr><td>{{}}</td></tr></table>",
            f"<a href=/i/7.jpg>{_PICTURE}</a><br>{{}}<br>",
            f"<center>{_PICTURE}<br>{{}}</center>",
            f"<div><div>{_PICTURE}</div>{{}}</div>",
        )
        for tags in (("span",), ("em",), ("i",), ("b",), ("small",))
    ),
    10: (
        _blocks("<div><div><p>{text}</p></div></div>"),
        _blocks("<section><p>{text}</p></section>"),
        _blocks("<div>{text}</div>"),
        _blocks("<div>{text}</div>", group=2, between=f"<div>{_PICTURE}</div>"),
        _blocks("<table><tr><td>{text}</td></tr></table>"),
        _blocks("<div><span>{text}</span></div>", between="<hr>"),
    ),
    11: tuple(
        map(
            _paged,
            (
                "<div>1 <a href='{url}?page=2'>2</a></div>",
                "<ul><li>1</li><li><a href='{url}?page=2'>2</a></li></ul>",
                "<p><b>1</b> | <a href='{url}?page=2'>2</a></p>",
                "<a href='{url}?page=2' rel=next>»</a>",
                "<table><tr><td>1</td><td><a href='{url}?page=2'>2</a></td></tr></table>",
                "<center>[1] [<a href='{url}?page=2'>2</a>]</center>",
            ),
        )
    ),
}


def faults_of(page: DefectPage) -> list[str]:
    """Return what is wrong with how a page is read, by document 000 §4: headline, lead and rest are there, and nothing else."""
    document = Document.parse(page.html, page.url)
    found = load_default_extractor().examine(document)
    if not page.wanted:
        return [] if found.refusal is not None else ["taken for an article"]
    body = found.body
    if found.refusal is not None or body is None:
        return [f"refused: {found.refusal}"]
    faults = [f"missing: {text}" for text in page.wanted if text not in body.text]
    faults += [f"not part of the text: {text}" for text in (*page.unwanted, page.headline) if text in body.text]
    if body.headline != page.headline:
        faults.append(f"headline: {body.headline}")
    if page.lead is not None and body.paragraphs[0].text != page.lead:
        faults.append(f"begins with: {body.paragraphs[0].text}")
    if page.further and further_pages(document) != page.further:
        faults.append(f"further pages: {further_pages(document)}")
    return faults


def main() -> int:
    """Print the table."""
    for defect, forms in FORMS.items():
        right = {form: sum(not faults_of(build(defect, form, each)) for each in languages_of(defect)) for form in range(len(forms))}
        languages = len(languages_of(defect))
        still_open = {form: number for form, number in right.items() if number < languages}
        sys.stdout.write(f"{defect:>2}: {sum(right.values())} of {len(forms) * languages}; open: {still_open}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
