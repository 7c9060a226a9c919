"""Probe portals before they are added, each in a separate process that fetches under the rules of a crawl."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from newscrawler.limits import PROBE_BYTES, PROBE_SECONDS, PROBES_AT_ONCE
from newscrawler.web.requests.problems import RequestProblem

#: Results that are remembered.
_MOST_RESULTS = 50
#: Results whose pages are remembered.
_MOST_WITH_PAGES = 5


@dataclass(slots=True, kw_only=True)
class BackgroundProbe:
    """One probe of a portal."""

    number: int
    url: str
    values: dict[str, str] = field(default_factory=dict)
    #: The result; None while it runs, or if it failed.
    found: dict[str, Any] | None = None
    #: The pages of its first articles with their parts marked, as HTML; empty where there is none.
    pages: tuple[str, ...] = ()
    #: Why it failed; empty if it did not.
    failure: str = ""
    is_over: bool = False


class Probes:
    """The probes of this process."""

    def __init__(self) -> None:
        self._probes: dict[int, BackgroundProbe] = {}
        self._lock = threading.Lock()

    def start(self, url: str, values: dict[str, str], path: Path) -> BackgroundProbe:
        """Start to probe a portal.

        Raises:
            RequestProblem: too many probes are running.
        """
        with self._lock:
            if sum(not probe.is_over for probe in self._probes.values()) >= PROBES_AT_ONCE:
                raise RequestProblem(429, "Other portals are being probed. Try again in a minute.", headers={"Retry-After": "60"})
            probe = BackgroundProbe(number=max(self._probes, default=0) + 1, url=url, values=values)
            self._probes[probe.number] = probe
            while len(self._probes) > _MOST_RESULTS:
                del self._probes[min(self._probes)]
            for number in sorted(self._probes)[:-_MOST_WITH_PAGES]:
                self._probes[number].pages = ()
        arguments = ["portal", "probe", "--json", "--pages", "--config", str(path)]
        for option, key in (("--language", "language"), ("--time-zone", "time_zone")):
            arguments += [option, values[key]] if values.get(key) else []
        threading.Thread(target=_run_probe, args=(probe, [*arguments, "--", url]), daemon=True, name="web-probe").start()
        return probe

    def get(self, number: int) -> BackgroundProbe | None:
        """Return a probe, or None if it is no longer stored."""
        return self._probes.get(number)


def _run_probe(probe: BackgroundProbe, arguments: Sequence[str]) -> None:
    """Run the command that probes a portal, and store its result."""
    try:
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            done = subprocess.run(  # noqa: S603  our own command; the address follows --, and was checked
                [sys.executable, "-m", "newscrawler", *arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=errors, check=False, timeout=PROBE_SECONDS,
            )  # fmt: skip
            output.seek(0)
            errors.seek(0)
            said = errors.read(20_000).decode("utf-8", "replace").strip().splitlines()
            if done.returncode:
                probe.failure = said[-1].removeprefix("Error: ") if said else "Probing the portal failed."
                return
            found = json.loads(output.read(PROBE_BYTES))
            probe.pages = tuple(article.pop("page", "") for article in found["articles"])
            probe.found = found
    except subprocess.TimeoutExpired:
        probe.failure = f"The portal gave no answer within {PROBE_SECONDS:.0f} seconds."
    except (OSError, ValueError) as error:
        probe.failure = f"Probing the portal failed: {error}"
    finally:
        probe.is_over = True
