"""A form for the keys of a table of newscrawler.toml, and the changes made in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from newscrawler.config import Key, write_value
from newscrawler.web.requests.forms import Form
from newscrawler.web.requests.problems import RequestProblem

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
