"""Read forms, within limits of size and time, and the forms of keys of newscrawler.toml."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from newscrawler.config import Key, write_value
from newscrawler.limits import FORM_BYTES, FORM_FIELDS
from newscrawler.limits import FORM_SECONDS as MOST_SECONDS
from newscrawler.web.requests.problems import RequestProblem

#: Many times the size of a corrected article of a long live blog.
MOST_BYTES = FORM_BYTES
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
        return parse_whole_number(self.text(name), name, missing)


def parse_whole_number(text: str, name: str, missing: int | None = None) -> int:
    """Return a whole number that databases can store; `missing`: that of an empty text.

    Raises:
        RequestProblem: it is not such a number.
    """
    if not text and missing is not None:
        return missing
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise RequestProblem(422, f"{name} is {text[:40]!r}. It must be a whole number.")
    return int(text)


async def read_body(request: Request) -> bytes:
    """Read the body of a request.

    Raises:
        RequestProblem: it takes too long.
    """
    try:
        async with asyncio.timeout(MOST_SECONDS):
            return await request.body()
    except TimeoutError:
        raise RequestProblem(408, f"The request took longer than {MOST_SECONDS:.0f} seconds.") from None


async def read_form(request: Request) -> Form:
    """Read a form.

    Raises:
        RequestProblem: it is not a form, or takes too long.
    """
    kind = request.headers.get("content-type", FORM_TYPE).partition(";")[0].strip().lower()
    if kind != FORM_TYPE:
        raise RequestProblem(415, f"Forms are sent as {FORM_TYPE}.")
    body = await read_body(request)
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=FORM_FIELDS, errors="strict")
    except ValueError:
        raise RequestProblem(400, "The form cannot be read.") from None
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        if "\0" in value:
            raise RequestProblem(400, "The form contains a null character.")
        values.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return Form(values=values)


_HIDDEN = "(set, and not shown)"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyForm:
    """The keys of one table, with their values."""

    keys: Sequence[Key]
    #: Values as text in the form.
    values: Mapping[str, str]
    #: Fingerprint of the file's values, so that an outdated form does not undo another user's change.
    version: str

    @classmethod
    def of(cls, keys: Sequence[Key], table: Mapping[str, Any]) -> KeyForm:
        """Create the form of a table; missing keys have their default."""
        values = {key.name: write_value(table.get(key.name)) for key in keys}
        version = sha256(repr(sorted(values.items())).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        shown = {key.name: _HIDDEN if key.is_secret and values[key.name] else values[key.name] for key in keys}
        return cls(keys=keys, values=shown, version=version)

    def sent(self, form: Form) -> KeyForm:
        """Return the form with the values that were sent."""
        return replace(self, values={key.name: form.text(key.name, self.values[key.name]) for key in self.keys})

    def changes(self, form: Form) -> dict[str, Any]:
        """Return the changed keys with their new values; None restores the default.

        Raises:
            ConfigError: a value has the wrong type.
            RequestProblem: the file has changed since the form was opened, or a key may not be changed by a form.
        """
        sent = self.sent(form).values
        changed = [key for key in self.keys if sent[key.name] != self.values[key.name].strip()]
        fixed = next((key.name for key in changed if key.is_file_only), None)
        if fixed is not None:
            raise RequestProblem(403, f"{fixed} can be changed only in newscrawler.toml.")
        if form.text("version", self.version) != self.version:
            raise RequestProblem(409, "Another user has changed these keys meanwhile. Open the page again, then make your change.")
        return {key.name: key.parse(sent[key.name]) for key in changed}

    def difference(self, form: Form) -> str:
        """Return the changes as text for the audit log."""
        sent = self.sent(form).values
        pairs = ((key.name, self.values[key.name].strip(), sent[key.name]) for key in self.keys)
        return "; ".join(f"{name}: {before!r} → {after!r}" for name, before, after in pairs if before != after)
