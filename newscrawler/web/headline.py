"""The headline of the overview: new articles and faults of the latest crawls, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from newscrawler.service import AlertKind, Overview, PortalState

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
#: The sentence of each fault, after the name of the portal.
_FAULTS = {
    AlertKind.NOT_CRAWLED: "was not crawled", AlertKind.BROKEN: "could not be crawled to the end",
    AlertKind.UNREACHABLE: "does not answer", AlertKind.BLOCKED: "refuses our requests", AlertKind.MOVED: "has moved",
    AlertKind.FORBIDDEN: "forbids crawling in robots.txt", AlertKind.LAYOUT: "has a new layout",
    AlertKind.SILENT: "published nothing", AlertKind.FEWER: "brought fewer articles than usual",
    AlertKind.UNDATED: "no longer dates its articles", AlertKind.SUSPECT: "has texts that look wrong",
    AlertKind.ERRORS: "answers with many errors", AlertKind.EXPORT: "could not be exported",
}  # fmt: skip
#: From so far above or below the usual number, the number is not as usual.
_AS_USUAL = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A headline, the sentence below it, and the portals with a fault, each with its sentence."""

    title: str
    deck: str
    faults: Sequence[tuple[str, str]] = ()


def write_headline(overview: Overview, *, paused: int = 0) -> Headline:
    """Return the headline of an overview; `paused`: portals that are not crawled on purpose."""
    portals, now = overview.portals, overview.now
    crawled = [portal for portal in portals if portal.assessments]
    lasts = [last for portal in portals if (last := portal.last(now))]
    articles = sum(last.figures.articles for last in lasts)
    new = "One new article" if articles == 1 else f"{articles:,} new articles" if articles else "No new article"
    faults = _list_faults(portals, overview)
    if not portals:
        return Headline(title="Start a corpus", deck="Add the first portal; its articles arrive within a minute.")
    if not crawled and overview.live:
        return Headline(title="The first crawl is running", deck="Articles appear as they are stored.")
    if not crawled:
        return Headline(title="Ready for the first crawl", deck="Open a portal and start its first crawl.")
    if not (overview.service and overview.service.alive) and not lasts and not overview.live:
        waiting = _spell(len(portals) - paused, "portal")
        deck = f"Nothing has been crawled since yesterday. {waiting.capitalize()} will be crawled again once it runs."
        return Headline(title="The service is stopped", deck=deck, faults=faults)
    if len(faults) == 1:
        name, fault = faults[0]
        rest = len(lasts) - any(portal.name == name and portal.last(now) for portal in portals)
        return Headline(title=f"{new} overnight; {name} {fault}", deck=_describe_rest(rest, len(portals)), faults=faults)
    if faults:
        rest = sum(portal.last(now) is not None and not portal.problems(now) for portal in portals)
        title = f"{new} overnight; {_spell(len(faults), 'portal')} need you"
        return Headline(title=title, deck=_describe_rest(rest, len(portals)), faults=faults)
    if all(len(portal.assessments) == 1 for portal in crawled):
        deck = f"The first crawl of {_spell(len(crawled), 'portal')} is complete. The usual number is known after a week."
        return Headline(title=f"{new} in the first crawl", deck=deck)
    if not lasts:
        return Headline(title="No crawl since yesterday", deck="No crawl ended in the last 26 hours.")
    return Headline(title=f"{new} overnight{_compare(overview)}", deck=_describe_rest(len(lasts), len(portals)))


def _list_faults(portals: Sequence[PortalState], overview: Overview) -> list[tuple[str, str]]:
    """Return the worst fault of each portal, worst first."""
    worst = sorted((found[0] for portal in portals if (found := portal.problems(overview.now))), key=lambda each: each.rank)
    return [(each.portal, _FAULTS.get(AlertKind(each.problem), each.problem)) for each in worst]


def _compare(overview: Overview) -> str:
    """Return how the number of new articles compares with the usual one; empty while that is unknown."""
    known = [last for portal in overview.portals if (last := portal.last(overview.now)) and last.expected.articles is not None]
    usual, found = sum(last.expected.articles or 0 for last in known), sum(last.figures.articles for last in known)
    if not usual:
        return ""
    if abs(found / usual - 1) <= _AS_USUAL:
        return ", as usual"
    return f", {'more' if found > usual else 'fewer'} than the usual {usual:,.0f}"


def _describe_rest(well: int, portals: int) -> str:
    if well == portals:
        return "No portal has a fault." if portals > 1 else "The portal has no fault."
    return f"{_spell(well, 'portal').capitalize()} of {_spell(portals, '')} delivered without a fault."


def _spell(number: int, noun: str) -> str:
    word = _SMALL[number] if number < len(_SMALL) else f"{number:,}"
    return f"{word} {noun}{'' if number == 1 or not noun else 's'}".strip()
