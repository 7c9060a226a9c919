"""TDM Reservation Protocol (W3C Community Group report, 2024): tdmrep.json, header fields, meta elements, and policies.

Where the report is silent: of two rules the longer pattern is the more specific, as in robots.txt, and of two equally long ones
the reserving one counts. A file that is not a JSON array, such as an HTML page, reserves nothing. A single rule without brackets is
read as a list of one.

A policy (ODRL 2.2, as JSON-LD) qualifies a reservation. It permits mining to us where it permits `tdm:mine` without a duty, and
every constraint can be checked against the operator's declaration: the purpose of research. People must judge constraints on the
place (`spatial`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from newscrawler.article import Reservation, Reserved
from newscrawler.limits import TDM_BYTES, TDM_RULES
from newscrawler.politeness.rights.path_patterns import get_path, matches, measure_specificity

WELL_KNOWN = "/.well-known/tdmrep.json"
LONGEST_PATTERN = 500
LONGEST_POLICY = 500
LONGEST_SAID = 200
_MINE = frozenset({"mine", "use"})
_DUTIES = {"obtainconsent": "consent is to be obtained", "compensate": "a fee is to be paid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TdmRule:
    """One rule of tdmrep.json."""

    location: str
    reserved: bool
    policy: str | None = None


@dataclass(frozen=True, slots=True)
class TdmRules:
    """The rules of one origin, in their order."""

    rules: tuple[TdmRule, ...] = ()

    def find_rule(self, url: str) -> TdmRule | None:
        """Return the most specific rule for a URL."""
        path = get_path(url)
        fitting = [rule for rule in self.rules if matches(rule.location, path)]
        return max(fitting, key=lambda rule: (measure_specificity(rule.location), rule.reserved), default=None)

    @property
    def reserves_everything(self) -> bool:
        """Return whether the whole origin is reserved without an exception."""
        whole = any(rule.reserved and rule.location in {"/", "/*", "*"} for rule in self.rules)
        return whole and all(rule.reserved for rule in self.rules)


def read_tdm_file(body: bytes) -> TdmRules:
    """Read a tdmrep.json; never raises. A file that is not a list of rules reserves nothing."""
    try:
        tree = json.loads(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return TdmRules()
    entries = tree if isinstance(tree, list) else [tree]
    return TdmRules(tuple(rule for entry in entries[:TDM_RULES] if (rule := _read_rule(entry)) is not None))


def choose_tdm_reservation(
    url: str, rules: TdmRules, headers: Mapping[str, Sequence[str]], meta: Mapping[str, Sequence[str]]
) -> Reservation | None:
    """Return the statement on text mining for a page. A meta element overrides a header field, which overrides the file.

    Names of `headers` and `meta` are in lower case.

    Returns:
        None without a statement; a permission is a statement too (`granted`).
    """
    found: Reservation | None = None
    rule = rules.find_rule(url)
    if rule is not None:
        said = f"{rule.location}: {int(rule.reserved)}"[:LONGEST_SAID]
        found = _make_tdm_reservation(said, "tdmrep.json", rule.policy, reserved=rule.reserved)
    for place, fields in (("tdm-reservation header", headers), ("meta tdm-reservation", meta)):
        values = [value for text in fields.get("tdm-reservation", ()) if (value := _read_value(text)) is not None]
        if values:
            policy = next(iter(fields.get("tdm-policy", ())), None)
            reserved = any(values)  # of contradictory statements the reservation counts
            found = _make_tdm_reservation(str(int(reserved)), place, policy, reserved=reserved)
    return found


def _make_tdm_reservation(said: str, place: str, policy: str | None, *, reserved: bool) -> Reservation:
    return Reservation(word=Reserved.TDM, said=said, place=place, policy=_clean_policy(policy), granted=not reserved)


def _read_rule(entry: Any) -> TdmRule | None:
    if not isinstance(entry, Mapping):
        return None
    location, reserved = entry.get("location"), _read_value(entry.get("tdm-reservation"))
    if not isinstance(location, str) or not location.strip() or len(location) > LONGEST_PATTERN or reserved is None:
        return None
    location = location.strip()
    if not location.startswith(("/", "*")):
        location = f"/{location}"
    return TdmRule(location=location, reserved=reserved, policy=_clean_policy(entry.get("tdm-policy")))


def _read_value(value: Any) -> bool | None:
    """Return 0 or 1, given as number or text. Any other value violates the protocol and counts as not stated."""
    if isinstance(value, (int, str)):
        return {"0": False, "1": True}.get(str(int(value) if isinstance(value, bool) else value).strip())
    return None


def _clean_policy(value: Any) -> str | None:
    return value.strip()[:LONGEST_POLICY] or None if isinstance(value, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TdmPolicy:
    """The content of a policy."""

    #: Its address.
    url: str
    #: Mining is permitted without a condition.
    permits: bool = False
    #: Mining for research is permitted without another condition.
    permits_research: bool = False
    #: Conditions in words.
    conditions: tuple[str, ...] = ()
    #: How to reach the holder of the rights.
    contact: str | None = None
    #: Why it cannot be read; the reservation then stays in force.
    unreadable: str | None = None

    def permits_mining(self, *, research: bool) -> bool:
        """Return whether the reservation does not bind us."""
        return self.permits or (research and self.permits_research)


def read_policy(body: bytes, url: str) -> TdmPolicy:
    """Read a policy; never raises."""
    if len(body) > TDM_BYTES:
        return TdmPolicy(url=url, unreadable=f"it is larger than {TDM_BYTES // 1024} KiB")
    try:
        tree = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return TdmPolicy(url=url, unreadable="it is not JSON; a policy for people")
    if not isinstance(tree, Mapping):
        return TdmPolicy(url=url, unreadable="it is not a policy")
    permissions = [rule for rule in _wrap_in_list(tree.get("permission")) if isinstance(rule, Mapping)]
    bound = [*_read_duties(tree.get("obligation")), *_read_duties(tree.get("duty"))]
    if _wrap_in_list(tree.get("prohibition")):
        bound.append("the policy prohibits uses")
    read = [_read_permission(rule) for rule in permissions if _is_mining(rule)]
    conditions = dict.fromkeys([*bound, *(word for each in read for word in each)])
    return TdmPolicy(
        url=url,
        permits=not bound and any(not each for each in read),
        permits_research=not bound and any(set(each) <= {"for research only"} for each in read),
        conditions=tuple(conditions),
        contact=_find_contact(tree.get("assigner")),
    )


def _read_permission(rule: Mapping[str, Any]) -> list[str]:
    """Return the conditions of a permission; empty if it has none."""
    found = list(_read_duties(rule.get("duty")))
    for constraint in _wrap_in_list(rule.get("constraint")):
        given = constraint if isinstance(constraint, Mapping) else {}
        operand, value = _get_name(given.get("leftOperand")), given.get("rightOperand")
        if operand == "purpose" and _get_name(given.get("operator")) in {"eq", "isanyof", "ispartof"}:
            kinds = {_get_name(each) for each in _wrap_in_list(value)}
            found.append("for research only" if "research" in kinds else f"for the purpose {', '.join(sorted(kinds))} only")
        else:
            found.append(f"with a constraint on {operand or 'something that cannot be read'}")
    return found


def _is_mining(rule: Mapping[str, Any]) -> bool:
    return any(_get_name(action) in _MINE for action in _wrap_in_list(rule.get("action")))


def _read_duties(value: Any) -> Iterator[str]:
    for duty in _wrap_in_list(value):
        action = _get_name(duty.get("action") if isinstance(duty, Mapping) else duty)
        yield _DUTIES.get(action, f"a duty: {action or 'one that cannot be read'}")


def _find_contact(assigner: Any) -> str | None:
    for party in _wrap_in_list(assigner):
        for key in ("vcard:hasURL", "vcard:hasEmail", "uid"):
            if isinstance(party, Mapping) and isinstance(party.get(key), str):
                return str(party[key])[:300]
    return None


def _get_name(value: Any) -> str:
    """Return the last part of a name in lower case: tdm:mine, http://www.w3.org/ns/tdmrep#mine and mine are the same."""
    if isinstance(value, Mapping):
        value = value.get("@id") or value.get("@value") or value.get("rdf:value")
    text = value if isinstance(value, str) else ""
    return text.replace("#", ":").replace("/", ":").rpartition(":")[2].strip().lower()[:60]


def _wrap_in_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
