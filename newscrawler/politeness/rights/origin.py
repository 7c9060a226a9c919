"""The statements of an origin about its pages: robots.txt, tdmrep.json, licences and policies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from newscrawler.article import Reservation
from newscrawler.politeness.rights.path_patterns import get_path
from newscrawler.politeness.rights.rsl import PLACE as RSL
from newscrawler.politeness.rights.rsl import RslDocument, read_rsl
from newscrawler.politeness.rights.tdm import TdmPolicy, TdmRules, choose_tdm_reservation, read_policy
from newscrawler.politeness.rights.usage import UsageRule, match_usage

#: Places of reservations by an origin, not by a page.
ORIGIN_PLACES = frozenset({"tdmrep.json", "robots.txt Content-Usage", "robots.txt Content-Signal", RSL})


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginPolicies:
    """The statements that apply to the pages of one origin."""

    tdm: TdmRules = field(default=TdmRules())
    #: Lines of robots.txt about uses.
    usage: tuple[UsageRule, ...] = ()
    #: Licences that are declared for the whole origin.
    licenses: tuple[RslDocument, ...] = ()
    #: By address.
    policies: Mapping[str, TdmPolicy] = field(default_factory=dict, hash=False)

    def list_reservations(self, url: str, *, research: bool = False) -> tuple[Reservation, ...]:
        """Return the reservations for a page before it is requested."""
        choice = choose_tdm_reservation(url, self.tdm, {}, {})
        found = [self.apply_policy(choice, research=research)] if choice is not None else []
        found += match_usage(get_path(url), self.usage)
        for document in self.licenses:
            found += document.list_reservations(url)
        return tuple(dict.fromkeys(found))

    def apply_policy(self, reservation: Reservation, *, research: bool) -> Reservation:
        """Return a reservation of text mining, qualified by its policy."""
        policy = self.policies.get(reservation.policy or "")
        if policy is None or reservation.granted:
            return reservation
        if policy.permits_mining(research=research):
            return replace(
                reservation, granted=True, note=f"its policy permits mining{' for research' if not policy.permits else ''}"
            )
        terms = policy.unreadable or "; ".join(policy.conditions) or "its policy permits nothing"
        return replace(reservation, note=f"{terms}{f'; contact: {policy.contact}' if policy.contact else ''}"[:200])

    @property
    def is_uniform(self) -> bool:
        """Return whether the origin's statements are the same for all pages."""
        whole = {"/", "/*", "*"}
        contents = (content for document in self.licenses for content in document.contents)
        if any(get_path(content.url) not in whole for content in contents):
            return False
        by_path = [rule.location for rule in self.tdm.rules] + [rule.path for rule in self.usage if rule.path]
        return all(path in whole for path in by_path)

    def list_lines(self) -> Iterator[tuple[str, str]]:
        """Yield (place, statement) for the history of the origin."""
        for rule in self.tdm.rules:
            yield "tdmrep.json", f"{rule.location}: {int(rule.reserved)}{f' {rule.policy}' if rule.policy else ''}"
        for line in self.usage:
            yield f"robots.txt {line.name}", f"{line.path} {line.value}" if line.path else line.value
        for document in self.licenses:
            for reservation in _describe_license(document):
                yield RSL, reservation
        for policy in self.policies.values():
            yield "TDM policy", f"{policy.url}: {policy.unreadable or '; '.join(policy.conditions) or 'mining is permitted'}"


def collect_origin_policies(
    tdm: TdmRules,
    usage: Sequence[tuple[str, str]],
    declared: Sequence[str],
    licenses: Mapping[str, tuple[bytes | None, str]],
    policies: Mapping[str, tuple[bytes | None, str]],
) -> OriginPolicies:
    """Return the statements of an origin.

    Args:
        tdm: its tdmrep.json.
        usage: (name, value) of the lines of robots.txt.
        declared: addresses of licences for the whole origin.
        licenses: requested ones by address: body, and why it is missing.
        policies: the same.
    """
    return OriginPolicies(
        tdm=tdm,
        usage=tuple(UsageRule.parse(name, value) for name, value in usage),
        licenses=tuple(read_license(url, licenses) for url in declared),
        policies={
            url: read_policy(body, url) if body is not None else TdmPolicy(url=url, unreadable=because)
            for url, (body, because) in policies.items()
        },
    )


def read_license(url: str, licenses: Mapping[str, tuple[bytes | None, str]]) -> RslDocument:
    """Return a declared licence. One that could not be fetched, or was not requested yet, counts as unreadable."""
    body, because = licenses.get(url, (None, "the licence was not asked for yet"))
    if body is None:
        return RslDocument(url=url, unreadable=because or "the licence could not be fetched")
    return read_rsl(body, url)


def _describe_license(document: RslDocument) -> Iterator[str]:
    if document.unreadable:
        yield f"{document.url}: {document.unreadable}"
    for content in document.contents:
        for offer in content.licenses:
            parts = [f"permits {' '.join(sorted(offer.permits))}"] if offer.permits is not None else []
            parts += [f"prohibits {' '.join(sorted(offer.prohibits))}"] if offer.prohibits else []
            parts += [f"payment {' '.join(offer.payments)}"] if offer.payments else []
            parts += ["for some users or countries"] if offer.limited else []
            yield f"{content.url}: {', '.join(parts) or 'everything is permitted'}"
