"""What stands around every page of a site: header, side column, footer, consent bar."""

from __future__ import annotations

from html import escape

from training.sitegen.site import Site


def header(site: Site) -> str:
    """The head of the page with the menu."""
    markup, words = site.markup, site.edition.words
    items = "".join(markup("nav-item", site.link(site.section_path(section), section[1])) for section in site.writer.sections)
    logo = markup("logo", site.link("/", site.title)) + markup("tagline", escape(site.edition.tagline))
    search = markup(
        "search",
        f'<input name="q" placeholder="{escape(words["search"])}">{markup("button", escape(words["search"]), type="submit")}',
        action="/search",
    )
    login = site.link("/login", words["login"])
    home = markup("nav-item", site.link("/", site.words["home"]))
    return markup("header", f"{logo}{markup('nav', home + items)}{search}{login}")


def box(site: Site, title: str, items: list[str]) -> str:
    """A box of links with a title."""
    markup = site.markup
    content = "".join(markup("box-item", item) for item in items)
    return markup("box", markup("box-title", escape(title)) + markup("box-list", content))


def sidebar(site: Site) -> str:
    """The side column."""
    edition, words = site.edition, site.words
    most_read = [site.link(site.path(story), story.headline) for story in site.stories[3:18:3]]
    topics = [site.link(site.tag_path(key), name) for key, name in site.writer.tags]
    months = [site.link(f"/2026/{month:02}/", f"{edition.months[month - 1]} 2026") for month in range(11, 6, -1)]
    boxes = [
        box(site, edition.words["most_read"], most_read),
        box(site, edition.words["tags"], topics),
        site.markup("ad", f"<small>{escape(edition.words['advertisement'])}</small> {escape(edition.ads[-1])}"),
        box(site, words["trending"], [site.link(site.path(story), story.headline) for story in site.stories[1:4]]),
        box(site, edition.words["calendar"], months),
        newsletter(site),
    ]
    start = len(site.name) % len(boxes)
    chosen = (boxes + boxes)[start : start + site.habits.boxes]
    return site.markup("sidebar", "".join(chosen)) if chosen else ""


def newsletter(site: Site) -> str:
    """The request to subscribe."""
    words = site.edition.words
    button = site.markup("button", escape(words["subscribe"]))
    return site.markup(
        "newsletter", f'<p>{escape(site.edition.newsletter)}</p><input placeholder="{escape(words["email"])}">{button}', action="/n"
    )


def footer(site: Site) -> str:
    """The foot of the page."""
    words = site.edition.words
    links = " ".join(site.link(f"/{page}/", words[page]) for page in ("about", "contact", "legal"))
    social = site.markup(
        "social", f"{escape(site.words['follow'])}: " + " ".join(site.link(f"/out/{n}", n) for n in ("Fb", "X", "IG"))
    )
    return site.markup(
        "footer", f"{links}{social}" + site.markup("footer-text", f"© 2026 {escape(site.title)}. {escape(words['legal_text'])}")
    )


def cookies(site: Site) -> str:
    """The bar that asks for consent."""
    buttons = site.markup("button", escape(site.words["accept"])) + site.markup("button", escape(site.words["settings"]))
    text = site.words["consent_text"][0] if site.habits.boxes % 2 else site.edition.words["cookies"]
    return site.markup("cookies", f"{escape(text)} {buttons}")
