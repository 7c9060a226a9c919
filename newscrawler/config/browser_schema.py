"""The table [browser] as a pydantic model, and its conversion to a record."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from newscrawler.config.browser_settings import BrowserSettings
from newscrawler.config.schema import FILE_ONLY, Table


class BrowserTable(Table):
    """The keys of [browser]."""

    executable: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="the path of Chromium; without it, the system's is looked for", json_schema_extra=FILE_ONLY
    )
    sandbox: bool = Field(
        True,
        description="true or false: whether Chromium's sandbox has to be on; with false, for kernels that do not allow it, a page "
        "that finds a fault of Chromium is held back by the user `nobody` and the missing network alone",
        json_schema_extra=FILE_ONLY,
    )
    memory_megabytes: Annotated[int, Field(ge=300)] = Field(
        1500, description="a whole number, 300 or more: the megabytes that one browser may take, all its processes together"
    )
    deadline_seconds: Annotated[float, Field(ge=1, le=600, allow_inf_nan=False)] = Field(
        30.0,
        description="a number of seconds, 1 to 600, in which a page has to be complete; waiting for its requests does not count",
    )

    def record(self) -> BrowserSettings:
        """Convert to settings."""
        return BrowserSettings(
            executable=self.executable, sandbox=self.sandbox, memory_megabytes=self.memory_megabytes,
            deadline_seconds=self.deadline_seconds,
        )  # fmt: skip
