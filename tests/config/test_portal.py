from __future__ import annotations

import pytest

from newscrawler import __version__
from newscrawler.config import Configuration, as_table, build_portal, change_portal, format_user_agent, require_contact
from newscrawler.config.portal import check_portal
from newscrawler.errors import ConfigError


def test_a_portal_is_named_after_its_host() -> None:
    assert build_portal("https://www.example.org/news/").name == "www.example.org"


def test_portals_on_this_machine_are_told_apart_by_their_port() -> None:
    portal = build_portal("http://127.0.0.1:8732/", delay=0)

    assert (portal.name, portal.delay_seconds) == ("127.0.0.1-8732", 0)


def test_an_ipv6_host_gives_a_name_that_is_allowed() -> None:
    assert build_portal("http://[::1]:8732/").name == "1-8732"


@pytest.mark.parametrize("url", ["sme.sk", "file:///etc/passwd", "https://", "http://[::1", "javascript:alert(1)", ""])
def test_what_is_no_web_address_gives_no_portal(url: str) -> None:
    with pytest.raises(ConfigError, match="is not an address to fetch from" if url else "the address is empty"):
        build_portal(url)


def test_overrides_are_checked_like_the_file() -> None:
    with pytest.raises(ConfigError, match=r"^delay is 0, but example\.org is not this machine"):
        build_portal("https://example.org/", delay=0)
    with pytest.raises(ConfigError, match=r"^max_pages is -3; it must be a whole number, 1 or more"):
        build_portal("https://example.org/", max_pages=-3)


def test_an_override_changes_only_what_it_names() -> None:
    portal = build_portal("https://example.org/", language="cs", exclude=["/tag/"])

    changed = change_portal(portal, delay=9, max_pages=None)

    assert changed.delay_seconds == 9
    assert (changed.language, [pattern.pattern for pattern in changed.exclude]) == ("cs", ["/tag/"])


def test_a_portal_survives_the_way_into_a_table_and_back() -> None:
    portal = build_portal(
        "https://example.org/", hosts=["example.org"], include=["a"], required=["date"], max_depth=3, max_minutes=0.5
    )
    found: list[str] = []

    assert check_portal(as_table(portal), "", found) == portal
    assert not found


def test_a_contact_is_required_for_anything_but_this_machine() -> None:
    near, far = build_portal("http://127.0.0.1/"), build_portal("https://example.org/")

    require_contact(Configuration(), [near])
    require_contact(Configuration(contact="me@example.org"), [near, far])
    with pytest.raises(ConfigError, match=r"before crawling example\.org.* contact = .* newscrawler\.toml"):
        require_contact(Configuration(), [near, far])


def test_a_foreign_host_in_scope_requires_a_contact() -> None:
    with pytest.raises(ConfigError, match=r"before crawling example\.org"):
        require_contact(Configuration(), [build_portal("http://127.0.0.1/", hosts=["example.org"])])


def test_the_user_agent_names_version_and_contact() -> None:
    assert format_user_agent("me@example.org") == f"newscrawler/{__version__} (+me@example.org)"
    assert format_user_agent(None) == f"newscrawler/{__version__}"
