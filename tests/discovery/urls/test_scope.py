import pytest

from newscrawler.discovery.urls import Scope


def test_the_registered_domain_is_in_scope_and_nothing_else():
    scope = Scope.of(["https://www.example.co.uk/news"])

    assert scope.allows("https://example.co.uk/")
    assert scope.allows("http://sport.example.co.uk/x?y=1")
    assert not scope.allows("https://example.com/")
    assert not scope.allows("https://other.co.uk/")
    assert not scope.allows("https://notexample.co.uk/")
    assert not scope.allows("https://example.co.uk.evil.org/")


def test_tenants_of_a_shared_domain_are_different_portals():
    scope = Scope.of(["https://paper.github.io/"])

    assert scope.allows("https://paper.github.io/a")
    assert not scope.allows("https://other.github.io/a")
    assert not scope.allows("https://github.io/")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "intranet"])
def test_a_host_without_a_domain_counts_with_its_port(host):
    scope = Scope.of([f"http://{host}:8702/"])

    assert scope.allows(f"http://{host}:8702/a")
    assert not scope.allows(f"http://{host}:8711/a")
    assert not scope.allows(f"http://{host}/a")
    assert not scope.allows(f"http://a.{host.strip('[]')}:8702/a")


def test_other_ports_of_a_domain_are_other_portals():
    assert not Scope.of(["https://example.com/"]).allows("https://example.com:8443/")
    assert Scope.of(["https://example.com:8443/"]).allows("https://example.com:8443/a")


def test_configured_hosts_count_with_their_subdomains_and_replace_the_domain():
    scope = Scope.of(["https://news.example.com/"], hosts=["news.example.com", "example.net"])

    assert scope.allows("https://m.news.example.com/a")
    assert scope.allows("https://cdn.example.net/a")
    assert not scope.allows("https://shop.example.com/a")


def test_the_start_url_stays_in_scope_beside_configured_hosts():
    scope = Scope.of(["https://www.example.com/"], hosts=["example.net"])

    assert scope.allows("https://www.example.com/a")
    assert not scope.allows("https://example.com/a")


def test_a_configured_address_may_name_its_port():
    scope = Scope.of(["http://127.0.0.1:8702/"], hosts=["127.0.0.1:8711"])

    assert scope.allows("http://127.0.0.1:8702/")
    assert scope.allows("http://127.0.0.1:8711/")
    assert not scope.allows("http://127.0.0.1:8721/")


def test_patterns_include_and_exclude_but_never_the_start():
    scope = Scope.of(["https://example.com/"], include=["/sport/"], exclude=["/sport/video"])

    assert scope.allows("https://example.com/")
    assert scope.allows("https://example.com/sport/a")
    assert not scope.allows("https://example.com/culture/a")
    assert not scope.allows("https://example.com/sport/video/1")


@pytest.mark.parametrize("url", ["mailto:a@example.com", "ftp://example.com/", "", "/a", "https://example.com:x/"])
def test_what_is_no_web_address_is_out_of_scope(url):
    assert not Scope.of(["https://example.com/"]).allows(url)
    assert not Scope.of(["https://example.com/"]).allows_host(url)


def test_an_impossible_start_or_host_is_refused():
    with pytest.raises(ValueError, match="example"):
        Scope.of(["example.com"])
    with pytest.raises(ValueError, match="no possible host"):
        Scope.of(["https://example.com/"], hosts=["exa mple"])


def test_exact_hosts_are_in_scope_without_their_subdomains():
    scope = Scope.of(["https://example.com/"], hosts=["media.example.com", "sport.example.com:8443"], exact_hosts=True)

    assert scope.allows("https://example.com/a")
    assert scope.allows("http://media.example.com/")
    assert scope.allows("https://sport.example.com:8443/")
    for url in (
        "https://www.example.com/",
        "https://a.media.example.com/",
        "https://sport.example.com/",
        "https://example.com:8443/",
    ):
        assert not scope.allows(url)
