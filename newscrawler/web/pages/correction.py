"""Correct an article: choose the blocks of its text and edit its fields; then try what the template learns from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from newscrawler.config import find_settings
from newscrawler.corpus.reviews import derive_gold, read_gold, save_verdict
from newscrawler.corpus.templates import candidate, kept_documents, try_template
from newscrawler.errors import ConfigError
from newscrawler.extraction import build_portal_options
from newscrawler.extraction.templates import PortalTemplate
from newscrawler.store.articles import Fault
from newscrawler.store.vocabularies import TemplateState
from newscrawler.store.web import Role
from newscrawler.web.pages.article import explain_kept_page
from newscrawler.web.pages.review import find_judged_article
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import RequestProblem
from newscrawler.web.requests.visit import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockChoice:
    """A block of the page, or a paragraph of the article that its page does not show."""

    text: str
    block_class: str
    is_taken: bool


def show_correction(visit: Visit) -> Response:
    """Show the blocks and the fields, as stored or as corrected before."""
    stored, page = find_judged_article(visit)
    review = visit.store.reviews.get(stored.id)
    gold = dict(review.gold) if review and review.gold and "body" in review.gold else derive_gold(stored.article)
    choices = _list_choices(visit, str(gold["body"]).split("\n"))
    return visit.page("correction.html", stored=stored, page=page, gold=gold, choices=choices)


def save_correction(visit: Visit) -> Response:
    """Save a correction."""
    stored, page = find_judged_article(visit)
    paragraphs = [text for text in visit.form.all("block") if text.strip()]
    if not paragraphs:
        raise RequestProblem(422, "Choose at least one block. If the page has no article, go back and press 8.")
    before = derive_gold(stored.article)
    gold: dict[str, Any] = {
        "title": visit.form.text("title"),
        "lead": visit.form.text("lead") or None,
        "body": "\n".join(" ".join(text.split()) for text in paragraphs),
        "date": visit.form.text("date") or None,
        "authors": [name.strip() for name in visit.form.text("authors").split("\n") if name.strip()],
    }
    if isinstance(wrong := read_gold(gold), str):
        raise RequestProblem(422, wrong)
    faults = _find_faults(before, gold)
    if not faults:
        raise RequestProblem(422, "Nothing was corrected. If all is correct, go back and press r.")
    save_verdict(
        visit.store, visit.context.configuration.pages_folder, stored, page, faults=faults, corrected=gold,
        note=visit.form.text("note")[:2000], now=visit.now, reviewer=visit.user.name,
    )  # fmt: skip
    visit.note("correction", f"article {stored.id}", ", ".join(faults))
    return visit.go(f"/review/{stored.id}/effect?{visit.query}")


def _list_choices(visit: Visit, wanted: Sequence[str]) -> list[BlockChoice]:
    """Return the paragraphs that no block shows, then the blocks of the page in order."""
    _, page = find_judged_article(visit)
    left = {" ".join(text.split()) for text in wanted if text.strip()}
    choices = []
    for piece in explain_kept_page(visit.store, visit.context.configuration, page).pieces:
        text = " ".join(piece.block.text.split())
        if text:
            choices.append(BlockChoice(text=text, block_class=str(piece.block_class), is_taken=text in left))
            left.discard(text)
    hidden = (text for text in wanted if " ".join(text.split()) in left)
    return [*(BlockChoice(text=text, block_class="not shown by the page", is_taken=True) for text in hidden), *choices]


def _find_faults(before: dict[str, Any], gold: dict[str, Any]) -> list[str]:
    """Return the faults that were corrected."""
    old, new = set(str(before["body"]).split("\n")), set(str(gold["body"]).split("\n"))
    lead = Fault.LEAD_WRONG if before["lead"] else Fault.LEAD_MISSING
    found = {
        Fault.TITLE: before["title"] != gold["title"], lead: before["lead"] != gold["lead"],
        Fault.PART_MISSING: bool(new - old), Fault.FOREIGN: bool(old - new),
        Fault.DATE: (before["date"] or None) != gold["date"], Fault.AUTHORS: list(before["authors"]) != gold["authors"],
    }  # fmt: skip
    return [str(fault) for fault, is_wrong in found.items() if is_wrong]


#: More pages would take too long for a request; the next crawl learns from all of them.
LEARNED_FROM, TRIED = 12, 12


def show_effect(visit: Visit) -> Response:
    """Try the template learned with the corrections on the newest kept pages, without storing anything."""
    stored, _ = find_judged_article(visit)
    portal = stored.article.portal or ""
    try:
        learned = _learn_template(visit, portal)
    except ConfigError as error:
        return visit.page("effect.html", stored=stored, trial=None, refusal=str(error))
    used = visit.store.templates.in_use(portal)
    now = build_portal_options(find_settings(visit.context.configuration, portal), used.read() if used else None)
    pages = kept_documents(visit.store, visit.context.configuration.pages_folder, portal, TRIED)
    trial = try_template(pages, build_portal_options(find_settings(visit.context.configuration, portal), learned), now)
    return visit.page("effect.html", stored=stored, trial=trial, refusal="")


def accept_template(visit: Visit) -> Response:
    """Take the template into use as a new version."""
    stored, _ = find_judged_article(visit)
    portal = stored.article.portal or ""
    note = f"learned with corrections, accepted by {visit.user.name}"
    document = _learn_template(visit, portal).to_json()
    added = visit.store.templates.add(portal, document, origin="by hand", state=TemplateState.IN_USE, note=note, now=visit.now)
    visit.note("template taken into use", portal, f"version {added.version}, after the correction of article {stored.id}")
    return visit.go(f"/review/{stored.id}?{visit.query}")


def _learn_template(visit: Visit, portal: str) -> PortalTemplate:
    reading = build_portal_options(find_settings(visit.context.configuration, portal))
    return candidate(visit.store, visit.context.configuration.pages_folder, reading, most=LEARNED_FROM, now=visit.now)


PAGES = (
    Page(path="/review/{number}/correct", show=show_correction, role=Role.REVIEWER, change=save_correction),
    Page(path="/review/{number}/effect", show=show_effect, role=Role.REVIEWER, change=accept_template, change_role=Role.OPERATOR),
)
