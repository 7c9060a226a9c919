"""One table says what follows from an HTTP status."""

from __future__ import annotations

import pytest

from newscrawler.politeness import STATUS_RULES, FailureScope, find_status_rule


@pytest.mark.parametrize(
    ("status", "scope", "tries", "rules"),
    [
        (200, None, 1, "none"),
        (404, None, 1, "none"),
        (408, FailureScope.PAGE, 3, "none"),
        (429, FailureScope.HOST, 8, "unknown"),
        (500, FailureScope.PAGE, 3, "unknown"),
        (501, None, 1, "unknown"),
        (503, FailureScope.UNSURE, 8, "unknown"),
        (999, None, 1, "unknown"),
    ],
)
def test_a_status_says_who_is_at_fault_how_often_to_try_and_whether_rules_are_known(
    status: int, scope: FailureScope | None, tries: int, rules: str
) -> None:
    rule = find_status_rule(status)
    assert (rule.scope, rule.most_tries, rule.hides_rules) == (scope, tries, rules == "unknown")


@pytest.mark.parametrize("status", sorted(STATUS_RULES))
def test_start_urls_and_robots_txt_fail_only_with_their_host(status: int) -> None:
    rule = find_status_rule(status)
    assert rule.get_scope(is_front=True) is (FailureScope.HOST if rule.is_transient else None)


@pytest.mark.parametrize("status", [*STATUS_RULES, 404, 418, 501])
def test_a_user_is_advised_about_every_error(status: int) -> None:
    assert find_status_rule(status).advice
