"""Read forms, within limits of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.requests import Request

from newscrawler.web.requests.problems import RequestProblem

#: Many times the size of a corrected article of a long live blog.
MOST_BYTES = 4 * 2**20
MOST_FIELDS = 5_000
MOST_SECONDS = 20.0
FORM_TYPE = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The fields of a form, each with all its values."""

    values: Mapping[str, list[str]] = field(default_factory=dict)

    def text(self, name: str, missing: str = "") -> str:
        """Return the last value of a field, without white space around it."""
        return self.values.get(name, [missing])[-1].strip()

    def all(self, name: str) -> list[str]:
        """Return all values of a field."""
        return list(self.values.get(name, ()))

    def number(self, name: str, missing: int | None = None) -> int:
        """Return a field as a whole number.

        Raises:
            RequestProblem: it is not a whole number.
        """
        text = self.text(name)
        if not text and missing is not None:
            return missing
        return parse_whole_number(text, name)


def parse_whole_number(text: str, name: str) -> int:
    """Return a whole number that databases can store.

    Raises:
        RequestProblem: it is not such a number.
    """
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise RequestProblem(422, f"{name} is {text[:40]!r}. It must be a whole number.")
    return int(text)


async def read_body(request: Request) -> bytes:
    """Read the body of a request.

    Raises:
        RequestProblem: it is too large, or takes too long.
    """
    pieces, size = [], 0
    try:
        async with asyncio.timeout(MOST_SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size > MOST_BYTES:
                    raise RequestProblem(413, f"The request is larger than {MOST_BYTES // 2**20} MiB.")
                pieces.append(piece)
    except TimeoutError:
        raise RequestProblem(408, f"The request took longer than {MOST_SECONDS:.0f} seconds.") from None
    return b"".join(pieces)


async def read_form(request: Request) -> Form:
    """Read a form.

    Raises:
        RequestProblem: it is not a form, is too large, or takes too long.
    """
    kind = request.headers.get("content-type", FORM_TYPE).partition(";")[0].strip().lower()
    if kind != FORM_TYPE:
        raise RequestProblem(415, f"Forms are sent as {FORM_TYPE}.")
    body = await read_body(request)
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError:
        raise RequestProblem(400, "The form cannot be read.") from None
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        if "\0" in value:
            raise RequestProblem(400, "The form contains a null character.")
        values.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return Form(values=values)
