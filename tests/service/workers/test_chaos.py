"""A small trial of tools/cluster_chaos.py; its larger ones are run by hand."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import pytest

from tools.chaos_trial.database import postgresql
from tools.chaos_trial.portals import Size
from tools.cluster_chaos import chaos


@pytest.fixture
def quiet() -> Iterator[None]:
    """Keep thousands of lines of workers out of the report."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.timeout(240)
@pytest.mark.usefixtures("quiet")
def test_no_portal_is_crawled_twice_at_once_too_fast_or_in_vain_while_everything_fails(capsys: pytest.CaptureFixture[str]) -> None:
    # of two workers both may be down at once, and then nobody can take over
    size = Size(
        workers=4, portals=24, hours=0.2, every_minutes=5, publishes_minutes=1.5, fault_seconds=40, seed=3, most_minutes=0.25
    )
    with postgresql() as server:  # its own, as it is killed
        report = chaos(size, server)

    with capsys.disabled():
        sys.stdout.write(f"\n  {report}\n")
    assert report["crawls"] > 0
    assert report["portal_twice_at_once"] == 0
    assert report["gaps_under_nine_tenths"] == 0
    assert report["idle_over_60_s"] == 0
    assert (report["lost"], report["doubled"]) == (0, 0)
