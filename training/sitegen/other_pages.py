"""Pages that are neither articles nor lists of them: errors, login, walls, video, galleries, products, forum threads."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from training.sitegen.document import box, document
from training.sitegen.listings import Page
from training.sitegen.site import Site
from training.sitegen.texts import Story


def other_pages(site: Site) -> Iterator[Page]:
    """Yield (kind, path, HTML)."""
    first, second = site.dice.sample(range(4), 2)
    yield _error(site, 0)
    yield _error(site, max(first, second))
    yield _login(site)
    yield _consent(site)
    yield _paywall(site, site.stories[2])
    yield _video(site, site.stories[4])
    yield _gallery(site, site.stories[6])
    yield _product(site)
    yield _forum(site, site.stories[8])


def _text(site: Site, title: str, *content: str) -> str:
    heading = (
        site.markup("text-title", escape(title))
        if site.habits.listing_heading
        else site.markup("message", f"<b>{escape(title)}</b>")
    )
    return site.markup("text", heading + "".join(content))


def _messages(site: Site, *texts: str) -> str:
    return "".join(site.markup("message", escape(text)) for text in texts)


def _most_read(site: Site, count: int) -> str:
    return box(
        site, site.edition.words["most_read"], [site.link(site.path(story), story.headline) for story in site.stories[:count]]
    )


def _error(site: Site, number: int) -> Page:
    title, text = site.words["errors"][number]
    path = site.path(site.stories[number]) if site.habits.boxes % 2 else f"/missing-{number}"
    extra = _most_read(site, 5) if site.habits.pages_of_news % 2 else ""
    bare = site.habits.boxes < 2
    return "error", path, document(site, title, _text(site, title, _messages(site, text), extra), path, kind="error", bare=bare)


def _login(site: Site) -> Page:
    markup, words = site.markup, site.words
    title = site.edition.words["login"]
    fields = markup("field", f'{escape(site.edition.words["email"])} <input type="email" name="email">')
    fields += markup("field", f'{escape(words["password"])} <input type="password" name="password">')
    links = " ".join(site.link(f"/account/{name}", words[name]) for name in ("forgot", "register"))
    form = markup("form", f"{fields}{markup('button', escape(title))} {links}", action="/login", method="post")
    return (
        "login",
        "/login",
        document(site, title, _text(site, title, _messages(site, words["login_text"]), form), "/login", kind="login"),
    )


def _consent(site: Site) -> Page:
    words = site.words
    buttons = "".join(site.markup("button", escape(words[name])) for name in ("accept", "reject", "settings"))
    path = site.path(site.stories[1])
    content = _text(site, words["consent_title"], _messages(site, *words["consent_text"]), buttons)
    return "wall", path, document(site, words["consent_title"], content, path, kind="wall", bare=True)


def _paywall(site: Site, story: Story) -> Page:
    """The article's headline and offers, but not its text."""
    markup, words = site.markup, site.words
    offers = "".join(
        markup("offer", escape(offer) + markup("button", escape(site.edition.words["subscribe"]))) for offer in words["offers"]
    )
    begun = markup("lead", escape(" ".join(story.lead.split()[:9]) + " …")) if site.habits.boxes % 2 else ""
    wall = _text(site, words["wall_title"], _messages(site, *words["wall_text"]), markup("offers", offers))
    path = site.path(story)
    content = markup("article", markup("headline", escape(story.headline)) + begun + wall)
    return "wall", path, document(site, story.headline, content, path, kind="wall")


def _video(site: Site, story: Story) -> Page:
    markup, words, writer = site.markup, site.words, site.writer
    title = f"{words['video']}: {story.headline}"
    player = markup("player", f'<video src="/v/{story.number}.mp4" controls></video>{markup("button", escape(words["play"]))}')
    meta = markup("media-meta", f"{escape(words['views'].format(N=story.number))} · {escape(site.shown_date(story))}")
    text = markup("media-text", escape(writer.fill(words["video_text"])))
    if site.habits.teaser_images:
        text += markup("media-text", escape(story.lead))
    others = [f"{site.link(site.path(other), other.headline)} 0{place}:4{place}" for place, other in enumerate(site.stories[9:17])]
    content = markup("text", player + markup("text-title", escape(title)) + meta + text) + box(site, words["up_next"], others)
    path = f"/video/{story.slug}"
    return "video", path, document(site, title, content, path, kind="video")


def _gallery(site: Site, story: Story) -> Page:
    markup, words, writer = site.markup, site.words, site.writer
    title = f"{words['gallery']}: {story.headline}"
    count = 5 + story.number % 9
    slides = []
    for place in range(1, count + 1):
        caption = writer.fill(writer.dice.choice(site.edition.captions))
        shown = f"{words['photo'].format(n=place, m=count)} {caption if place % 3 else ''}"
        slides.append(markup("slide", f'<img src="/g/{story.number}-{place}.jpg" alt="">' + markup("caption", escape(shown))))
    lead = markup("lead", escape(story.lead)) if site.habits.lead_shown else ""
    path = f"/gallery/{story.slug}"
    content = markup("text", markup("text-title", escape(title)) + lead + "\n".join(slides))
    return "gallery", path, document(site, title, content, path, kind="gallery")


def _product(site: Site) -> Page:
    markup, words, dice = site.markup, site.words, site.writer.dice
    name = dice.choice(words["products"])
    price = words["currency"].format(price=dice.randint(9, 900))
    texts = dice.sample(words["product_text"], dice.randint(2, 5))
    rows = "".join(f"<tr><th>{escape(label)}</th><td>{dice.randint(1, 90)}</td></tr>" for label in words["specification"])
    buttons = markup("price", escape(f"{price} · {words['in_stock']}")) + markup("button", escape(words["cart"]))
    reviews = "".join(
        markup(
            "comment", markup("comment-head", f"<b>{escape(nick)}</b> ★★★★☆") + markup("comment-text", escape(dice.choice(texts)))
        )
        for nick in site.edition.nicknames[: dice.randint(0, 4)]
    )
    more = [f"{site.link(f'/shop/{place}', other)} {escape(price)}" for place, other in enumerate(words["products"])]
    description = "".join(markup("product-text", escape(text)) for text in ([" ".join(texts)] if len(texts) % 2 else texts))
    content = markup(
        "product",
        f'<img src="/shop/1.jpg" alt="">{markup("text-title", escape(name))}{buttons}{description}{markup("spec", rows)}'
        + (markup("comments", markup("comments-title", escape(words["reviews"])) + reviews) if reviews else ""),
    )
    path = f"/shop/item-{dice.randint(100, 999)}"
    return "product", path, document(site, name, content + box(site, words["trending"], more), path, kind="product")


def _forum(site: Site, story: Story) -> Page:
    markup, writer = site.markup, site.writer
    dice = writer.dice
    posts: list[str] = []
    nick, text = "", ""
    for place in range(dice.randint(4, 12)):
        quoted = (
            f"<b>{escape(nick)}</b> {escape(site.words['wrote'])}: <blockquote>{escape(text)}</blockquote>"
            if place % 4 == 3
            else ""
        )
        nick = dice.choice(site.edition.nicknames)
        text = " ".join(writer.fill(sentence) for sentence in dice.sample(site.edition.comments, dice.randint(1, 4)))
        if place == 0 or dice.random() < 0.2:
            text = f"{text} {writer.paragraph(dice.randint(2, 5))}"
        posts.append(_post(site, place, nick, quoted + escape(text)))
    title = writer.fill(dice.choice(site.edition.questions))
    path = f"/forum/t{story.number}"
    content = markup("text", markup("text-title", escape(title)) + "\n".join(posts))
    return "forum", path, document(site, title, content, path, kind="forum", bare=site.habits.boxes % 2 == 0)


def _post(site: Site, place: int, nick: str, html: str) -> str:
    markup, words, dice = site.markup, site.words, site.writer.dice
    standing = f"{words['joined'].format(year=dice.randint(2003, 2026))} {words['posts'].format(N=dice.randint(3, 900))}"
    head = markup("post-head", f"<b>{escape(nick)}</b> {escape(standing)} #{place + 1}")
    links = " ".join(site.link(f"/forum/{name}/{place}", words[name]) for name in ("reply", "quote"))
    return markup("post", f"{head}{markup('post-text', html)}{links}")
