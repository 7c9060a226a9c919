"""The headline of the overview: one sentence for each kind of night."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from newscrawler.service import AlertKind, Assessment, Overview, PortalState
from newscrawler.service.figures import CrawlFigures
from newscrawler.service.health import Expected
from newscrawler.store.service import RunRecord, ServiceRecord
from newscrawler.web.pages.overview import OverviewHeadline, write_headline

NOW = datetime(2026, 11, 26, 7, 0, tzinfo=UTC)
SERVICE = ServiceRecord(host="h", pid=1, started_at=NOW, beat_at=NOW, ended_at=None, problem="", alive=True)
RUN = RunRecord(
    id=1, portal="a", round=1, started_at=NOW, ended_at=None, ended_because=None, host="h", pid=1, version="1", counts={}
)


def portal(name: str, articles: int, *, usual: float | None = 100, fault: AlertKind | None = None, nights: int = 9) -> PortalState:
    at = NOW - timedelta(hours=9)
    figures = CrawlFigures(round=1, began_at=at, ended_at=at, articles=articles, denied={}, unreachable={})
    night = Assessment(figures=figures, expected=Expected(articles=usual), findings={fault: "so"} if fault else {})  # type: ignore[arg-type]
    return PortalState(name=name, assessments=[night] * nights)


def tell(*portals: PortalState, service: ServiceRecord | None = SERVICE, live: tuple[RunRecord, ...] = ()) -> OverviewHeadline:
    return write_headline(Overview(now=NOW, portals=portals, service=service, live=live, jobs=()))


def test_a_quiet_night_is_compared_with_the_usual() -> None:
    quiet = tell(portal("a", 1_110), portal("b", 1_051, usual=2_000))
    assert (quiet.title, quiet.deck) == ("2,161 new articles overnight, as usual", "No portal has a fault.")
    assert tell(portal("a", 40)).title == "40 new articles overnight, fewer than the usual 100"
    assert tell(portal("a", 150)).title == "150 new articles overnight, more than the usual 100"
    assert tell(portal("a", 1, usual=None)).title == "One new article overnight"


def test_one_fault_is_named_and_several_are_counted() -> None:
    one = tell(portal("depesche", 0, fault=AlertKind.UNREACHABLE), portal("b", 90))
    assert one.title == "90 new articles overnight; depesche does not answer"
    assert one.deck == "One portal of two delivered without a fault."
    several = tell(portal("a", 0, fault=AlertKind.FEWER), portal("b", 0, fault=AlertKind.BLOCKED), portal("c", 0))
    assert several.title == "No new article overnight; two portals need you"
    assert several.faults == [("b", "refuses our requests"), ("a", "brought fewer articles than usual")]


def test_first_nights_have_nothing_to_compare_with() -> None:
    assert tell().title == "Start a corpus"
    assert tell(portal("a", 0, nights=0)).title == "Ready for the first crawl"
    assert tell(portal("a", 0, nights=0), live=(RUN,)).title == "The first crawl is running"
    interrupted = write_headline(Overview(now=NOW, portals=[portal("a", 0, nights=0)], service=None, live=(), jobs=()), stored=12)
    assert interrupted.title == "The first crawl was interrupted after twelve articles"
    first = tell(portal("a", 20, usual=None, nights=1))
    assert first.title == "20 new articles in the first crawl"
    assert first.deck.startswith("The first crawl of one portal is complete.")


def test_a_stopped_service_is_the_news() -> None:
    old = portal("a", 20)
    figures = replace(old.assessments[0].figures, ended_at=NOW - timedelta(days=3))
    silent = replace(old, assessments=[replace(old.assessments[0], figures=figures)] * 2)
    assert tell(silent, service=None).title == "The service is stopped"
    assert tell(silent, service=replace(SERVICE, alive=False)).deck.endswith("One portal will be crawled again once it runs.")
    assert tell(silent).title == "No crawl since yesterday"


def test_every_fault_has_a_sentence() -> None:
    assert all(tell(portal("a", 5, fault=kind)).title.startswith("5 new articles overnight; a ") for kind in AlertKind)
