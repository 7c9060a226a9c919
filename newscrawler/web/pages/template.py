"""The template of a portal: its versions, their differences, rollback, and a field set by pointing at a kept page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import unified_diff
from urllib.parse import urlencode

from starlette.responses import HTMLResponse, Response

from newscrawler.corpus.templates import kept_documents, set_override
from newscrawler.extraction.explain import render_pick_view
from newscrawler.extraction.templates import FieldName, Overrides, propose_selectors
from newscrawler.page import Document
from newscrawler.store.archive import PageSelection, StoredPage
from newscrawler.store.articles import StoredTemplate
from newscrawler.store.web import Role
from newscrawler.web.pages.article import read_document
from newscrawler.web.pages.portal import get_portal_name
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.headers import PICKED_PAGE_POLICY
from newscrawler.web.requests.problems import RequestProblem, report_missing, require
from newscrawler.web.requests.visit import Visit

#: Lines of a difference that are shown; templates can be long.
_MOST_LINES = 2_000


def show_template(visit: Visit) -> Response:
    """Show a version, and its difference from the previous one."""
    stored = _find_version(visit, parse_whole_number(visit.arguments["version"], "version"))
    against = visit.number("against", stored.version - 1)
    before = visit.store.templates.get(stored.portal, against) if against else None
    difference = list(unified_diff(before.list_lines(), stored.list_lines(), lineterm="", n=2)) if before else []
    return visit.page(
        "template.html", stored=stored, before=before, difference=difference[2 : 2 + _MOST_LINES], rules=_list_rules(stored),
        is_cut=len(difference) > _MOST_LINES, text=stored.list_lines()[:_MOST_LINES] if before is None else [],
        page=next(iter(visit.store.pages.select(PageSelection(portal=stored.portal, outcome="article", limit=1))), None),
        used=visit.store.templates.in_use(stored.portal), versions=visit.store.templates.versions(stored.portal),
    )  # fmt: skip


def _list_rules(stored: StoredTemplate) -> list[tuple[str, str]]:
    """Return each field with its selectors, those set by hand first."""
    document = json.loads(stored.document)
    overrides = [(f"{name}, set by hand", selector) for name, selector in document.get("overrides", {}).items()]
    learned = {name: ", ".join(str(rule[0]) for rule in rules) for name, rules in document.get("fields", {}).items()}
    return [*overrides, *((name, rules) for name, rules in learned.items() if rules)]


def use_template(visit: Visit) -> Response:
    """Use a version, or no template."""
    number = parse_whole_number(visit.arguments["version"], "version")
    if number:
        _find_version(visit, number)
    visit.store.templates.go_back(get_portal_name(visit), number or None)
    visit.note(
        "template taken into use" if number else "template withdrawn", get_portal_name(visit), f"version {number}" if number else ""
    )
    return visit.go(f"/portals/{get_portal_name(visit)}")


def _find_version(visit: Visit, number: int) -> StoredTemplate:
    return require(
        visit.store.templates.get(get_portal_name(visit), number), f"version {number} of the template of {get_portal_name(visit)}"
    )


TRIED = 12
_MOST_PROPOSALS = 10
_SHOWN = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A selector, and its results on the kept pages that it was tried on."""

    selector: str
    #: Pages on which it finds something, and on which it finds exactly one element.
    found: int
    single: int
    #: The texts that it finds on the first pages.
    samples: tuple[str, ...]


def show_field(visit: Visit) -> Response:
    """Show a kept page to point at, and after a click the selectors for the block."""
    field, page = _get_field(visit), _find_page(visit)
    block = visit.number("block") if visit.query.get("block") else None
    proposals, text, tried = [], "", 0
    if block is not None:
        document = read_document(visit.context.configuration, page)
        if block >= len(document.layout.blocks):
            raise report_missing(f"block {block} on this page")
        chosen = document.layout.blocks[block]
        folder, reserved = visit.context.configuration.pages_folder, visit.context.reserved
        others = list(kept_documents(visit.store, folder, page.portal, TRIED, reserved))
        text, tried = chosen.text, len(others)
        tries = [_try_selector(selector, field, others) for selector in propose_selectors(chosen.element)[:_MOST_PROPOSALS]]
        proposals = sorted(tries, key=lambda each: (-each.single, -each.found))
    address = f"/portals/{page.portal}/field/page?{urlencode({'page': page.id, 'field': str(field)})}"
    return visit.page(
        "field.html", name=page.portal, page=page, field=field, fields=list(FieldName), frame=address, text=text, tried=tried,
        proposals=proposals, used=visit.store.templates.in_use(page.portal),
    )  # fmt: skip


def show_pick_page(visit: Visit) -> Response:
    """Show the kept page with a link at each block, for a sandboxed frame."""
    field, page = _get_field(visit), _find_page(visit)

    def address(block: int) -> str:
        return f"/portals/{page.portal}/field?{urlencode({'page': page.id, 'field': str(field), 'block': block})}"

    shown = render_pick_view(read_document(visit.context.configuration, page), address, label=str(field))
    return HTMLResponse(shown.encode("utf-8", "replace"), headers={"Content-Security-Policy": PICKED_PAGE_POLICY})


def set_field(visit: Visit) -> Response:
    """Use a selector, in a new version of the template."""
    field, name, selector = _get_field(visit), get_portal_name(visit), f"css: {visit.form.text('selector')}"
    used = visit.store.templates.in_use(name)
    if used is None:
        raise RequestProblem(409, f"{name} has no template yet in which a field could be set. Crawl it first.")
    added = set_override(visit.store, visit.context.configuration.pages_folder, used, field, selector, now=visit.now, tried=TRIED)
    visit.note("field set by hand", name, f"{field}: {selector}, version {added.version}")
    return visit.go(f"/portals/{name}/template/{added.version}")


def _try_selector(selector: str, field: FieldName, pages: list[Document]) -> Proposal:
    placed = Overrides.read({field: f"css: {selector}"}, "the selector")
    found = [placed.find_texts(page, field) for page in pages]
    return Proposal(
        selector=selector,
        found=sum(bool(texts) for texts in found),
        single=sum(len(texts) == 1 for texts in found),
        samples=tuple(texts[0][:_SHOWN] for texts in found if texts)[:3],
    )


def _get_field(visit: Visit) -> FieldName:
    name = visit.form.text("field") or visit.query.get("field", str(FieldName.TITLE))
    if name not in set(FieldName):
        raise RequestProblem(422, f"The field must be one of: {', '.join(FieldName)}.")
    return FieldName(name)


def _find_page(visit: Visit) -> StoredPage:
    """Return the kept page that the address names, or the newest page of an article."""
    name, number = get_portal_name(visit), visit.number("page", 0)
    if number:
        page = visit.store.pages.get(number)
    else:
        wanted = PageSelection(portal=name, outcome="article", reserved=visit.context.reserved, limit=1)
        page = next(iter(visit.store.pages.select(wanted)), None)
    if page is not None and page.article_id is not None:
        visit.context.find_article(page.article_id)
    if page is None or page.portal != name:
        raise report_missing(f"kept page of an article of {name}")
    return page


PAGES = (
    Page(path="/portals/{name}/template/{version}", show=show_template, change=use_template, change_role=Role.OPERATOR),
    Page(path="/portals/{name}/field", show=show_field, role=Role.OPERATOR, change=set_field),
    Page(path="/portals/{name}/field/page", show=show_pick_page, role=Role.OPERATOR),
)
