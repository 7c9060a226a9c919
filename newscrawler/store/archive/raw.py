"""A response as it came."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class RecordKind(StrEnum):
    """How a page is kept in a WARC file."""

    #: As a server answered.
    RESPONSE = "response"
    #: As it was made of answers: by a browser, or of a page and the answer of its API.
    RESOURCE = "resource"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """What a server answered to one request, or what was made of several answers.

    Raises:
        ValueError: a time without an offset.
    """

    url: str
    fetched_at: datetime
    #: As the server sent it; only the encoding of the content is undone.
    body: bytes = field(repr=False)
    status: int = 200
    #: In the server's order.
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    record: RecordKind = RecordKind.RESPONSE

    def __post_init__(self) -> None:
        if self.fetched_at.tzinfo is None:
            msg = f"fetched_at is {self.fetched_at!r}, which has no offset"
            raise ValueError(msg)

    @property
    def content_type(self) -> str | None:
        """The header that declares the charset."""
        return next((value for name, value in self.headers if name.lower() == "content-type"), None)
