"""The portal's URLs: each section has its own pattern, as on many real portals."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from newscrawler.demo.story import Story, build_slug

#: Query parameters that choose a page; all others (utm_source, share ...) change nothing.
_MEANINGFUL = frozenset({"id", "dzial", "page", "q"})

_SHAPES = {
    "cs/domaci": "/cs/domaci/{slug}-{number}/", "cs/ekonomika": "/cs/ekonomika/clanek-{number}.html",
    "cs/kultura": "/cs/kultura/{at:%Y}/{at:%m}/{slug}/", "en/politics": "/en/politics/{at:%Y}/{at:%m}/{slug}.html",
    "en/business": "/en/business/{slug}", "en/science": "/en/science/article/{number}", "pl/kraj": "/pl/artykul?id={number}",
    "pl/sport": "/pl/sport/{number},{slug}.html", "pl/kultura": "/pl/artykul?dzial=kultura&id={number}",
    "de/wirtschaft": "/de/wirtschaft/{slug}-a{number}", "de/feuilleton": "/de/feuilleton/{slug}.html",
    "uk/novyny": "/uk/news/{number}", "uk/suspilstvo": "/uk/статті/{native}-{number}", "he/hadashot": "/he/item-{number}.html",
    "he/tarbut": "/he/tarbut/{at:%Y-%m-%d}/{number}",
}  # fmt: skip


def get_article_path(story: Story) -> str:
    """Return the canonical path (and query) of an article, percent-encoded."""
    shape = _SHAPES[f"{story.edition.code}/{story.section}"]
    native = build_slug(story.headline, ascii_only=False)
    return quote(shape.format(slug=story.slug, native=native, number=story.number, at=story.published_at), safe="/?=&,.-_~")


def get_part_path(story: Story, part: int) -> str:
    """Return the path of a page of an article, counted from 1."""
    path = get_article_path(story)
    return path if part == 1 else f"{path.removesuffix('.html').rstrip('/')}/{part}.html"


def print_path(story: Story) -> str | None:
    """Return the path of the print version, which one Czech section has."""
    return f"{get_article_path(story)}tisk/" if (story.edition.code, story.section) == ("cs", "domaci") else None


def get_short_path(story: Story) -> str:
    """Return the path of the short link, which redirects."""
    return f"/go/{story.number}"


def get_section_path(code: str, section: str, page: int = 1) -> str:
    """Return the path of a page of a section's listing."""
    base = f"/{code}/{section}/"
    if page == 1:
        return base
    return f"{base}strana/{page}/" if code == "cs" else f"{base}?page={page}"


def get_author_path(code: str, author: str) -> str:
    """Return the path of an author's page."""
    return quote(f"/{code}/author/{build_slug(author, ascii_only=False)}/")


def get_tag_path(code: str, tag: str) -> str:
    """Return the path of a topic's page."""
    return f"/{code}/tag/{tag}/"


def build_key(target: str) -> str:
    """Return the normalised target of a request, without tracking parameters."""
    parts = urlsplit(target)
    query = sorted((name, value) for name, value in parse_qsl(parts.query) if name in _MEANINGFUL)
    return unquote(parts.path) + (f"?{urlencode(query)}" if query else "")
