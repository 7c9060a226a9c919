"""Pages that list articles: front page, sections, topics, authors, archives, search results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from training.sitegen.articles import Labels, article
from training.sitegen.document import box, document, teasers
from training.sitegen.site import Site
from training.sitegen.texts import Story

Page = tuple[str, str, str]


def listing_pages(site: Site) -> Iterator[Page]:
    """Yield (kind, path, HTML) of every listing of a site."""
    yield "front", "/", _front(site)
    yield from _sections(site)
    yield from _topics(site)
    yield from _archives(site)
    yield from _searches(site)


def _listing(
    site: Site,
    kind: str,
    title: str,
    path: str,
    stories: Sequence[Story],
    *,
    intro: str = "",
    pages: int = 1,
    first_whole: bool = False,
) -> Page:
    """A listing; the newest entry may be shown in full, as blogs do."""
    markup = site.markup
    heading = markup("listing-title", escape(title)) if site.habits.listing_heading or kind in {"search", "archive"} else ""
    whole = article(site, stories[0], Labels()) if first_whole and stories else ""
    entries = teasers(site, stories[1:] if whole else stories) if stories else ""
    content = f"{heading}{intro}{whole}{entries}{_pager(site, path, pages)}"
    return kind, path, document(site, title, markup("listing", content), path, kind=kind)


def _pager(site: Site, path: str, pages: int) -> str:
    if pages < 2:
        return ""
    base = path.split("page/", maxsplit=1)[0]
    numbers = [site.markup("pager-link", site.link(f"{base}page/{number}/", str(number))) for number in range(1, pages + 1)]
    older = site.markup("pager-link", site.link(f"{base}page/2/", site.edition.words["older"]))
    return site.markup("pager", "".join(numbers) + older)


def _front(site: Site) -> str:
    """A front page: a listing, or a box for every section."""
    markup, stories = site.markup, site.stories
    content = teasers(site, stories[: 6 + len(site.name) % 7])
    if site.habits.pages_of_news % 2:
        for section in site.writer.sections[:5]:
            own = [story for story in stories if story.section == section][:5]
            if own:
                title = site.link(site.section_path(section), section[1])
                content += markup("box", markup("box-title", title) + teasers(site, own[:2]))
                content += box(site, section[1], [site.link(site.path(story), story.headline) for story in own[2:]])
    return document(site, site.edition.tagline, content, "/", kind="front")


def _sections(site: Site) -> Iterator[Page]:
    pages = site.habits.pages_of_news
    dice = site.dice
    for number, section in enumerate(site.writer.sections[:3]):
        own = [story for story in site.stories if story.section == section] or site.stories[number::4]
        yield _listing(
            site, "section", section[1], site.section_path(section), own[:8], pages=pages, first_whole=dice.random() < 0.15
        )
    latest = ("latest", site.edition.words["latest"])
    for page in range(1, min(pages, 4) + 1):
        shown = site.stories[6 * (page - 1) : 6 * page]
        title = latest[1] if page == 1 else f"{latest[1]} – {site.edition.words['page']} {page}"
        yield _listing(
            site,
            "section",
            title,
            site.section_path(latest, page),
            shown,
            pages=pages,
            first_whole=page == 1 and dice.random() < 0.3,
        )


def _topics(site: Site) -> Iterator[Page]:
    for number, (key, name) in enumerate(site.writer.tags[:2]):
        own = [story for story in site.stories if any(key == tag for tag, _ in story.tags)] or site.stories[:3]
        intro = site.markup("listing-intro", escape(site.words["tag_intro"])) if (number + len(site.name)) % 2 else ""
        yield _listing(site, "tag", site.words["tag_title"].format(tag=name), site.tag_path(key), own[:7], intro=intro)
    for number, author in enumerate(site.edition.authors[:2]):
        own = [story for story in site.stories if story.author == author]
        bio = f"{author} {site.edition.bio}" + (f" {site.words['tag_intro']}" if number else "")
        title = site.words["author_title"].format(author=author) if site.habits.boxes % 2 else author
        yield _listing(site, "author", title, site.author_path(author), own[:7], intro=site.markup("listing-intro", escape(bio)))


def _archives(site: Site) -> Iterator[Page]:
    for month in (11, 10):
        own = [story for story in site.stories if story.published_at.month == month]
        title = site.words["archive_title"].format(month=site.edition.months[month - 1], year=2026)
        if site.habits.pages_of_news % 2:
            yield _listing(site, "archive", title, f"/2026/{month}/", own[:9])
            continue
        links = [f"{escape(site.shown_date(story))} {site.link(site.path(story), story.headline)}" for story in own]
        content = site.markup("listing", site.markup("listing-title", escape(title)) + box(site, title, links))
        yield "archive", f"/2026/{month}/", document(site, title, content, f"/2026/{month}/", kind="archive")


def _searches(site: Site) -> Iterator[Page]:
    markup, words = site.markup, site.words
    tag = site.writer.tags[0][1]
    form = markup(
        "form", f'<input name="q" value="{escape(tag)}">{markup("button", escape(site.edition.words["search"]))}', action="/search"
    )
    found = site.stories[::4]
    intro = form + markup("listing-intro", escape(words["results"].format(N=len(found))))
    yield _listing(site, "search", words["search_title"].format(q=tag), "/search?q=a", found, intro=intro, pages=2)
    nothing = markup("message", escape(words["no_results"].format(q="qwzx"))) + markup("message", escape(words["no_results_hint"]))
    yield _listing(site, "search", words["search_title"].format(q="qwzx"), "/search?q=qwzx", [], intro=form + nothing)
