"""Policies of the TDM Reservation Protocol: the conditions of a licence as a profile of ODRL 2.2, written as JSON-LD.

A policy qualifies a reservation. It permits mining to us where it permits `tdm:mine` without a duty, and every constraint can be
checked against the operator's declaration: the purpose of research. People must judge constraints on the place (`spatial`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

#: Larger policies are not read.
MOST_BYTES = 256 * 1024
_MINE = frozenset({"mine", "use"})
_DUTIES = {"obtainconsent": "consent is to be obtained", "compensate": "a fee is to be paid"}


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

    def frees(self, *, research: bool) -> bool:
        """Return whether the reservation does not bind us."""
        return self.permits or (research and self.permits_research)


def read_policy(body: bytes, url: str) -> TdmPolicy:
    """Read a policy; never raises."""
    if len(body) > MOST_BYTES:
        return TdmPolicy(url=url, unreadable=f"it is larger than {MOST_BYTES // 1024} KiB")
    try:
        tree = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return TdmPolicy(url=url, unreadable="it is not JSON; a policy for people")
    if not isinstance(tree, Mapping):
        return TdmPolicy(url=url, unreadable="it is not a policy")
    permissions = [rule for rule in _listed(tree.get("permission")) if isinstance(rule, Mapping)]
    bound = [*_duties(tree.get("obligation")), *_duties(tree.get("duty"))]
    if _listed(tree.get("prohibition")):
        bound.append("the policy prohibits uses")
    read = [_permission(rule) for rule in permissions if _is_mining(rule)]
    conditions = dict.fromkeys([*bound, *(word for each in read for word in each)])
    return TdmPolicy(
        url=url,
        permits=not bound and any(not each for each in read),
        permits_research=not bound and any(set(each) <= {"for research only"} for each in read),
        conditions=tuple(conditions),
        contact=_contact(tree.get("assigner")),
    )


def _permission(rule: Mapping[str, Any]) -> list[str]:
    """Return the conditions of a permission; empty if it has none."""
    found = list(_duties(rule.get("duty")))
    for constraint in _listed(rule.get("constraint")):
        given = constraint if isinstance(constraint, Mapping) else {}
        operand, value = _name(given.get("leftOperand")), given.get("rightOperand")
        if operand == "purpose" and _name(given.get("operator")) in {"eq", "isanyof", "ispartof"}:
            kinds = {_name(each) for each in _listed(value)}
            found.append("for research only" if "research" in kinds else f"for the purpose {', '.join(sorted(kinds))} only")
        else:
            found.append(f"with a constraint on {operand or 'something that cannot be read'}")
    return found


def _is_mining(rule: Mapping[str, Any]) -> bool:
    return any(_name(action) in _MINE for action in _listed(rule.get("action")))


def _duties(value: Any) -> Iterator[str]:
    for duty in _listed(value):
        action = _name(duty.get("action") if isinstance(duty, Mapping) else duty)
        yield _DUTIES.get(action, f"a duty: {action or 'one that cannot be read'}")


def _contact(assigner: Any) -> str | None:
    for party in _listed(assigner):
        for key in ("vcard:hasURL", "vcard:hasEmail", "uid"):
            if isinstance(party, Mapping) and isinstance(party.get(key), str):
                return str(party[key])[:300]
    return None


def _name(value: Any) -> str:
    """Return the last part of a name in lower case: tdm:mine, http://www.w3.org/ns/tdmrep#mine and mine are the same."""
    if isinstance(value, Mapping):
        value = value.get("@id") or value.get("@value") or value.get("rdf:value")
    text = value if isinstance(value, str) else ""
    return text.replace("#", ":").replace("/", ":").rpartition(":")[2].strip().lower()[:60]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
