"""[browser]: settings of the browser that builds pages, as a frozen record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSettings:
    """How the browser is run."""

    #: Path of Chromium; None: it is looked for.
    executable: str | None = None
    #: False: Chromium runs without its sandbox.
    sandbox: bool = True
    memory_megabytes: int = 1500
    deadline_seconds: float = 30.0
