"""Which addresses may be connected to."""

from __future__ import annotations

import ipaddress

import pytest

from newscrawler.politeness import AddressRules, get_host, get_origin, is_on_denylist, is_public, is_this_machine, list_slots

PUBLIC = ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::808:808"]
NOT_PUBLIC = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.8.8.8", "168.63.129.16", "169.254.169.254",
    "172.16.0.1", "192.0.0.192", "192.0.2.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::",
    "2001:db8::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_open_to_all(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))
    assert AddressRules().allows("a.example", ipaddress.ip_address(address))


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_all_others_are_not(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    assert not AddressRules().allows("a.example", ipaddress.ip_address(address))
    assert not AddressRules.of(["a.example"]).allows("a.example", ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("configured", "host", "address", "allowed"),
    [
        ("127.0.0.1", "127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "a.example", "127.0.0.1", False),  # a name that was bound to it later
        ("127.0.0.1", "127.0.0.2", "127.0.0.2", False),
        ("127.0.0.1", "127.0.0.1", "10.0.0.1", False),
        ("10.0.0.5", "10.0.0.5", "10.0.0.5", False),
        ("10.0.0.5", "10.0.0.6", "10.0.0.6", False),
        ("[::1]", "::1", "::1", True),
        ("localhost", "localhost", "127.0.0.1", True),
        ("localhost", "localhost", "::1", True),
        ("localhost", "localhost", "169.254.169.254", False),
        ("localhost", "a.localhost", "127.0.0.1", True),
        ("localhost", "a.example", "127.0.0.1", False),
        ("a.example", "localhost", "127.0.0.1", False),
    ],
)
def test_a_private_address_is_open_to_the_portal_that_was_configured_there(
    configured: str, host: str, address: str, *, allowed: bool
) -> None:
    assert AddressRules.of([configured]).allows(host, ipaddress.ip_address(address)) is allowed


def test_networks_are_open_whatever_the_host_is_called() -> None:
    rules = AddressRules.of(["intranet.example"], ["10.0.0.0/8", "fd00::/8"])

    assert rules.allows("intranet.example", ipaddress.ip_address("10.9.9.9"))
    assert rules.allows("intranet.example", ipaddress.ip_address("fd00::9"))
    assert not rules.allows("intranet.example", ipaddress.ip_address("192.168.0.1"))


@pytest.mark.parametrize(
    ("url", "host", "origin"),
    [
        ("https://WWW.Example.org:443/x", "www.example.org", "https://www.example.org"),
        ("https://www.example.org./x", "www.example.org", "https://www.example.org"),
        ("http://www.example.org:8080/", "www.example.org", "http://www.example.org:8080"),
        ("http://www.example.org:443/", "www.example.org", "http://www.example.org:443"),
        ("http://[::0001]:80/", "::1", "http://[::1]"),
        ("http://zprávy.example/", "xn--zprvy-zqa.example", "http://xn--zprvy-zqa.example"),
        ("http://user:word@a.example/", "a.example", "http://a.example"),
    ],
)
def test_a_request_is_counted_for_its_host_and_judged_by_its_origin(url: str, host: str, origin: str) -> None:
    assert (get_host(url), get_origin(url)) == (host, origin)


def test_a_request_passes_the_gate_of_its_host_and_of_each_address() -> None:
    assert list_slots("a.example", ["192.0.2.9", "192.0.2.1"]) == ("a.example", "192.0.2.1", "192.0.2.9")
    assert list_slots("127.0.0.1", ["127.0.0.1"]) == ("127.0.0.1",)


def test_a_host_on_the_list_is_left_alone_with_its_subdomains() -> None:
    assert is_on_denylist("a.example", ["a.example"])
    assert is_on_denylist("www.a.example", ["a.example"])
    assert not is_on_denylist("ba.example", ["a.example"])


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "portal.localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_this_machine_is_known_by_its_names(host: str) -> None:
    assert is_this_machine(host)


@pytest.mark.parametrize(
    "host", [None, "", "a.example", "localhost.example.org", "10.0.0.1", "128.0.0.1", "127.0.0.1.example.org", "::2", "0.0.0.0"]
)
def test_other_machines_are_not_taken_for_this_one(host: str | None) -> None:
    assert not is_this_machine(host)
