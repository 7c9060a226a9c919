"""TDM Reservation Protocol (W3C Community Group report, 2024): tdmrep.json, header fields and meta elements.

Where the report is silent: of two rules the longer pattern is the more specific, as in robots.txt, and of two equally long ones
the one that reserves counts. A file that is not a JSON array, such as an HTML page, reserves nothing. A single rule without
brackets is read as a list of one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from newscrawler.article import Reservation, Reserved
from newscrawler.politeness.rights.path_patterns import matches, path_of, specificity

WELL_KNOWN = "/.well-known/tdmrep.json"
#: More rules than this are not read; publishers have a handful.
MOST_RULES = 1_000
LONGEST_PATTERN = 500
LONGEST_POLICY = 500
LONGEST_SAID = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TdmRule:
    """One rule of tdmrep.json."""

    location: str
    reserved: bool
    policy: str | None = None

    def matches(self, path: str) -> bool:
        """Return whether the pattern matches a path with its query; percent escapes in both are decoded."""
        return matches(self.location, path)


@dataclass(frozen=True, slots=True)
class TdmRules:
    """The rules of one origin, in their order."""

    rules: tuple[TdmRule, ...] = ()

    def of(self, url: str) -> TdmRule | None:
        """Return the most specific rule for a URL."""
        path = path_of(url)
        fitting = [rule for rule in self.rules if rule.matches(path)]
        return max(fitting, key=lambda rule: (specificity(rule.location), rule.reserved), default=None)

    @property
    def reserves_everything(self) -> bool:
        """Return whether the whole origin is reserved without an exception."""
        whole = any(rule.reserved and rule.location in {"/", "/*", "*"} for rule in self.rules)
        return whole and all(rule.reserved for rule in self.rules)

    def as_lists(self) -> list[list[Any]]:
        """Return [location, reserved, policy] for each rule, as the database stores it."""
        return [[rule.location, rule.reserved, rule.policy] for rule in self.rules]

    @classmethod
    def from_lists(cls, lists: Sequence[Sequence[Any]]) -> TdmRules:
        """Create the rules from the lists in the database."""
        return cls(tuple(TdmRule(location=location, reserved=reserved, policy=policy) for location, reserved, policy in lists))


def read_tdm_file(body: bytes) -> TdmRules:
    """Read a tdmrep.json; never raises. A file that is not a list of rules reserves nothing."""
    try:
        tree = json.loads(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return TdmRules()
    entries = tree if isinstance(tree, list) else [tree]
    return TdmRules(tuple(rule for entry in entries[:MOST_RULES] if (rule := _rule(entry)) is not None))


def tdm_choice(
    url: str, rules: TdmRules, headers: Mapping[str, Sequence[str]], meta: Mapping[str, Sequence[str]]
) -> Reservation | None:
    """Return the statement on text mining for a page. A meta element overrides a header field, which overrides the file.

    Args:
        url: of the page.
        rules: of its origin.
        headers: fields of the response by lower-case name.
        meta: contents of the page's meta elements by lower-case name.

    Returns:
        None without a statement; a permission is a statement too (`granted`).
    """
    found: Reservation | None = None
    rule = rules.of(url)
    if rule is not None:
        said = f"{rule.location}: {int(rule.reserved)}"[:LONGEST_SAID]
        found = _reservation(said, "tdmrep.json", rule.policy, reserved=rule.reserved)
    for place, fields in (("tdm-reservation header", headers), ("meta tdm-reservation", meta)):
        values = [value for text in fields.get("tdm-reservation", ()) if (value := _value(text)) is not None]
        if values:
            policy = next(iter(fields.get("tdm-policy", ())), None)
            reserved = any(values)  # of contradictory statements the reservation counts
            found = _reservation(str(int(reserved)), place, policy, reserved=reserved)
    return found


def _reservation(said: str, place: str, policy: str | None, *, reserved: bool) -> Reservation:
    return Reservation(word=Reserved.TDM, said=said, place=place, policy=_policy(policy), granted=not reserved)


def _rule(entry: Any) -> TdmRule | None:
    if not isinstance(entry, Mapping):
        return None
    location, reserved = entry.get("location"), _value(entry.get("tdm-reservation"))
    if not isinstance(location, str) or not location.strip() or len(location) > LONGEST_PATTERN or reserved is None:
        return None
    location = location.strip()
    if not location.startswith(("/", "*")):
        location = f"/{location}"
    return TdmRule(location=location, reserved=reserved, policy=_policy(entry.get("tdm-policy")))


def _value(value: Any) -> bool | None:
    """Return 0 or 1, given as number or text. Any other value violates the protocol and counts as not stated."""
    if isinstance(value, (int, str)):
        return {"0": False, "1": True}.get(str(int(value) if isinstance(value, bool) else value).strip())
    return None


def _policy(value: Any) -> str | None:
    return value.strip()[:LONGEST_POLICY] or None if isinstance(value, str) else None
