"""Looks at portals that are not added yet, each in a process of its own: the crawl's own guards decide what is fetched."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from newscrawler.web.requests.problems import Problem

MOST_AT_ONCE = 2
#: A probe limits itself to a minute; this is for one that hangs.
_MOST_SECONDS = 120.0
#: Results that are remembered.
_MOST_RESULTS = 50
#: Results whose pages are remembered.
_MOST_WITH_PAGES = 5
_LONGEST_ANSWER = 32 * 2**20


@dataclass(slots=True, kw_only=True)
class Probe:
    """One look at a portal."""

    number: int
    url: str
    values: dict[str, str] = field(default_factory=dict)
    #: What was found; None: it goes on, or failed.
    found: dict[str, Any] | None = None
    #: The pages of its first articles with their parts marked, as HTML; empty where there is none.
    pages: tuple[str, ...] = ()
    #: Why it failed; empty: it has not.
    failure: str = ""
    is_over: bool = False


class Probes:
    """The probes of this process."""

    def __init__(self) -> None:
        self._probes: dict[int, Probe] = {}
        self._lock = threading.Lock()

    def start(self, url: str, values: dict[str, str], path: Path) -> Probe:
        """Start a look at a portal.

        Raises:
            Problem: too many are under way.
        """
        with self._lock:
            if sum(not probe.is_over for probe in self._probes.values()) >= MOST_AT_ONCE:
                raise Problem(429, "Other portals are being looked at. Try again in a minute.", headers={"Retry-After": "60"})
            probe = Probe(number=max(self._probes, default=0) + 1, url=url, values=values)
            self._probes[probe.number] = probe
            while len(self._probes) > _MOST_RESULTS:
                del self._probes[min(self._probes)]
            for number in sorted(self._probes)[:-_MOST_WITH_PAGES]:
                self._probes[number].pages = ()
        arguments = ["portal", "probe", "--json", "--pages", "--config", str(path)]
        for option, key in (("--language", "language"), ("--time-zone", "time_zone")):
            arguments += [option, values[key]] if values.get(key) else []
        threading.Thread(target=_look, args=(probe, [*arguments, "--", url]), daemon=True, name="web-probe").start()
        return probe

    def get(self, number: int) -> Probe | None:
        """Return a probe, if it is remembered."""
        return self._probes.get(number)


def _look(probe: Probe, arguments: Sequence[str]) -> None:
    """Run the command that looks at a portal, and take what it found."""
    try:
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(  # noqa: S603  our own command; the address follows --, and was checked
                [sys.executable, "-m", "newscrawler", *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=errors
            )
            ends_at = time.monotonic() + _MOST_SECONDS
            while process.poll() is None and time.monotonic() < ends_at:
                time.sleep(0.1)
            if process.poll() is None:
                process.kill()
                process.wait()
                probe.failure = f"The portal gave no answer within {_MOST_SECONDS:.0f} seconds."
                return
            output.seek(0)
            errors.seek(0)
            said = errors.read(20_000).decode("utf-8", "replace").strip().splitlines()
            if process.returncode:
                probe.failure = said[-1].removeprefix("Error: ") if said else "The look at the portal failed."
                return
            found = json.loads(output.read(_LONGEST_ANSWER))
            probe.pages = tuple(article.pop("page", "") for article in found["articles"])
            probe.found = found
    except (OSError, ValueError) as error:
        probe.failure = f"The look at the portal failed: {error}"
    finally:
        probe.is_over = True
