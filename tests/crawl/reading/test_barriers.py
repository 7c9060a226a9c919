"""Challenges and consent in place of pages, in the guises of many systems: told at once and by name, without retries."""

from __future__ import annotations

from pathlib import Path

import pytest
from portal_server import Answer, Route, address, listing, story
from town import Town

#: Answers in place of pages, and how the summary names what bars the way.
SCRIPT = "<script src='{}'></script><noscript>Enable JavaScript and cookies to continue</noscript>"
SORRY = "<h1>Access Denied</h1><p>You don't have permission to access this page on this server.</p>"


def challenge(body: str, status: int = 503, title: str = "x", server: str = "nginx", **headers: str) -> Answer:
    """A challenge of a server."""
    page = f"<html><head><title>{title}</title></head><body>{body}</body></html>" if body else ""
    return Answer(page, status, {"Server": server, **{name.replace("_", "-"): value for name, value in headers.items()}})


def away(target: str) -> Answer:
    """A redirect."""
    return Answer("", 302, {"Location": target})


JSD = f"<script>{'a' * 50}b.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>"
CHALLENGES: dict[str, tuple[Answer, str]] = {
    "cloudflare-header": (challenge("", cf_mitigated="challenge"), "captcha (Cloudflare)"),
    "cloudflare-title": (challenge("<p>Please wait</p>", title="Just a moment...", server="cloudflare"), "captcha (Cloudflare)"),
    "cloudflare-german": (challenge(
        SCRIPT.format("/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=1"), title="Nur einen Moment…"
    ), "captcha (Cloudflare)"),
    "cloudflare-json": (Answer("{}", 403, {"CF-Mitigated": "challenge"}, kind="application/json"), "captcha (Cloudflare)"),
    "cloudflare-429": (challenge(f"{SORRY}<script>window._cf_chl_opt={{}}</script>", 429), "captcha (Cloudflare)"),
    "sucuri": (challenge(
        "<p>You are being redirected...</p><script>sucuri_cloudproxy_js='';S='cz0i';L=S.length</script>", 503), "captcha (Sucuri)"),
    "sucuri-blocked": (challenge("<h1>Sucuri WebSite Firewall</h1><p>Block ID: EXP9</p>", 403), "captcha (Sucuri)"),
    "ddos-guard": (challenge(
        SCRIPT.format("/.well-known/ddos-guard/js-challenge/index.js"), title="DDoS-Guard"), "captcha (DDoS-Guard)"),
    "ddos-guard-plain": (challenge(
        "<h1>Checking your browser before accessing denik.example</h1>", title="Checking your browser", server="ddos-guard"
    ), "captcha (DDoS-Guard)"),
    "akamai": (challenge(f"{SORRY}<p>Reference #18.1</p><p>https://errors.edgesuite.net/18.1</p>", 403), "captcha (Akamai)"),
    "akamai-denied": (challenge(SORRY, 403, title="Access Denied", server="AkamaiGHost"), "captcha (Akamai)"),
    "akamai-script": (challenge("<div id=sec-if-cpt-container></div>", 429), "captcha (Akamai)"),
    "imperva": (challenge(
        "<iframe id=main-iframe src='/_Incapsula_Resource?SWUDNSAI=31&incident_id=1'></iframe>", 503), "captcha (Imperva)"),
    "imperva-200": (challenge("<iframe src='/_Incapsula_Resource?CWUDNSAI=9'>Incapsula incident ID: 1</iframe>", 200),
        "captcha (Imperva)"),
    "datadome": (challenge(
        "<script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script>", 403), "captcha (DataDome)"),
    "aws-empty": (challenge("", 202, x_amzn_waf_action="challenge"), "captcha (AWS WAF)"),
    "aws-captcha": (challenge("<div id=captcha-container></div>", 405, x_amzn_waf_action="captcha"), "captcha (AWS WAF)"),
    "aws-script": (challenge("<script>window.gokuProps={}</script>", 503), "captcha (AWS WAF)"),
    "vercel": (challenge("<p>…</p>", 429, x_vercel_mitigated="challenge"), "captcha (Vercel)"),
    "human": (challenge("<div id=px-captcha></div>", 403, title="Access to this page has been denied"), "captcha (HUMAN)"),
    "anubis": (challenge(
        "<script id=anubis_challenge type=application/json>{}</script>", 200, title="Making sure you&#39;re not a bot!"
    ), "captcha (Anubis)"),
    "project-shield": (challenge(SCRIPT.format("https://storage.example/ddos-shield.appspot.com/aes.js"), 200),
        "captcha (Project Shield)"),
    "wait-200": (challenge("<p>You will be connected to denik.example in just a moment...</p>", 200), "captcha"),
    "siteground": (away("/.well-known/sgcaptcha/?r=%2F&y=ipc"), "captcha (SiteGround)"),
    "radware": (away("https://validate.perfdrive.com/?ssa=1&ssc=https%3A%2F%2Fdenik.example"), "captcha (Radware)"),
    "yandex": (away("/showcaptcha?retpath=/"), "captcha (Yandex)"),
    "widget": (challenge("<h1>Xe qalb zoru</h1><div class=frc-captcha></div>", 200), "captcha"),
    "unknown-words": (challenge("<h1>Nie jestem robotem</h1><div class=g-recaptcha></div>", 503), "captcha"),
}  # fmt: skip
CONSENTS: dict[str, tuple[Answer, str]] = {
    "consent-host": (away("http://consent.127.0.0.99.example/collect?continue={url}"), "consent page (consent.127.0.0.99.example)"),
    "privacy-host": (away("https://myprivacy.example/?siteKey=1&callbackUrl={url}"), "consent page (myprivacy.example)"),
    "consent-path": (away("https://id.example/cmp/v2?callbackUrl={url}"), "consent page (id.example)"),
    "consent-czech": (away("https://ucet.example/souhlas-s-cookies/?zpet={url}"), "consent page (ucet.example)"),
    "consent-dutch": (away("https://www.example/toestemming?terug={url}"), "consent page (www.example)"),
    "login": (away("https://prihlaseni.example/?zpet={url}"), "login or paywall"),
    "login-english": (away("https://id.example/login?next={url}"), "login or paywall"),
}
#: Answers that tell of no challenge: the portal moved, or its server is busy or fails.
ORDINARY: dict[str, tuple[Answer, str]] = {
    "moved": (away("https://jinde.example/zpravy/"), "redirect out of scope"),
    "moved-privacy": (away("https://jinde.example/zpravy/cookie-law-changes"), "redirect out of scope"),
    "busy": (challenge(f"<h1>503 Service Unavailable</h1>{JSD}", server="cloudflare"), ""),
    "broken": (challenge(f"<h1>502 Bad Gateway</h1><p>The web server reported an error.</p>{JSD}", 502), ""),
    "forbidden": (challenge("<h1>403 Forbidden</h1>", 403, title="403 Forbidden"), "HTTP 403"),
}
KINDS = CHALLENGES | CONSENTS | ORDINARY


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Town:
    keys = "delay = 0\nlearn = false\nkeep_pages = false"
    with Town(tmp_path_factory.mktemp("barriers")) as made:
        for name, (answer, _) in KINDS.items():
            server = made.add(name, {}, keys=keys if name != "busy" else f"{keys}\nmax_minutes = 0.15")
            location = answer.headers.get("Location", "").format(url=server.url)
            headers = answer.headers | ({"Location": location} if location else {})
            server.routes = {"/": Answer(answer.body, answer.status, headers, answer.kind)}
        for name in ("articles", "robots"):
            made.add(name, {}, keys=keys)
        barred = CHALLENGES["cloudflare-title"][0]
        paths = [address(number) for number in range(1, 21)]
        routes: dict[str, Route] = {"/": listing(*paths), **dict.fromkeys(paths[:10], barred)}
        made.servers["articles"].routes = routes | {path: story(number) for number, path in enumerate(paths[10:], 11)}
        made.servers["robots"].routes = {"/": listing(*paths), "/robots.txt": barred}
        return made.crawl(seconds=240)


@pytest.mark.parametrize("kind", KINDS)
def test_what_bars_the_way_is_told_at_once_and_by_name(town: Town, kind: str) -> None:
    result = town.results[kind]
    told = result["refused"] | result["failed"]

    assert KINDS[kind][1] in (told or {"": 1}), told
    assert (town.asked(kind).count("/") == 1) == (kind not in {"busy", "broken"})


def test_articles_behind_a_challenge_cost_one_request_each_and_no_pause_of_their_host(town: Town) -> None:
    asked = [item for item in town.servers["articles"].asked if item.path.startswith("/zpravy/")]

    assert town.results["articles"]["new_articles"] == 10
    assert town.results["articles"]["refused"]["captcha (Cloudflare)"] == 10
    assert len(asked) == 20
    assert asked[-1].at - asked[0].at < 10


def test_a_challenge_in_place_of_robots_txt_is_told_by_name_and_no_page_is_asked_for(tmp_path: Path, town: Town) -> None:
    assert town.results["robots"]["failed"].keys() == {"captcha (Cloudflare)"}
    assert town.asked("robots") == ["/robots.txt"]
    assert "no page of robots could be fetched (2 × captcha (Cloudflare)); it is protected against robots" in town.errors
