"""Requests and directories are signed so that others can check them, and a changed message is not ours."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, InvalidSignature, algorithms
from stopwatch import cpu_seconds

from newscrawler.politeness.identity import (
    MEDIA_TYPE,
    Signer,
    SigningKey,
    check_directory,
    choose_signing_key,
    generate_key,
    make_directory,
    rotate_keys,
    sign_directory,
)

NOW = datetime.now(UTC)
DIRECTORY = "https://bot.example.org/.well-known/http-message-signatures-directory"
#: RFC 9421, appendix B.1.4.
KEY = SigningKey(
    private=Ed25519PrivateKey.from_private_bytes(urlsafe_b64decode("n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU=")),
    not_before=NOW - timedelta(days=1),
    expires_at=NOW + timedelta(days=1),
)


def test_a_key_is_named_by_its_thumbprint() -> None:  # RFC 8037, appendix A.3, has another key; the draft names this one
    assert KEY.thumbprint == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"
    assert "d" not in KEY.public_jwk()


@dataclass
class Message:
    method: str
    url: str
    headers: dict[str, str] = field(default_factory=dict)


class Directory(HTTPSignatureKeyResolver):
    def resolve_public_key(self, key_id: str) -> Ed25519PublicKey:
        assert key_id == KEY.thumbprint
        return KEY.private.public_key()


def verified(message: Message) -> Any:
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Directory())
    (result,) = verifier.verify(message, expect_tag="web-bot-auth", max_age=timedelta(minutes=5))
    return result


@pytest.mark.parametrize(
    "url",
    ["https://www.example.org/a/b.html?c=d", "https://WWW.example.org:443/", "http://127.0.0.1:8080/x", "https://example.org"],
)
def test_an_independent_library_checks_our_signatures(url: str) -> None:
    message = Message("GET", url)
    message.headers |= Signer(KEY, DIRECTORY).sign_request("GET", url, datetime.now(UTC))

    result = verified(message)

    assert set(result.covered_components) >= {'"@method"', '"@authority"', '"@path"', '"signature-agent";key="sig1"'}
    assert result.parameters["keyid"] == KEY.thumbprint
    assert message.headers["Signature-Agent"] == f'sig1="{DIRECTORY}"'


@pytest.mark.parametrize("change", ["path", "host", "method", "agent", "signature"])
def test_a_message_that_was_changed_is_not_ours(change: str) -> None:
    url = "https://www.example.org/a"
    headers = Signer(KEY, DIRECTORY).sign_request("GET", url, datetime.now(UTC))
    message = Message("GET", url, headers)
    if change == "path":
        message.url = "https://www.example.org/b"
    elif change == "host":
        message.url = "https://www.example.net/a"
    elif change == "method":
        message.method = "POST"
    elif change == "agent":
        headers["Signature-Agent"] = 'sig1="https://evil.example"'
    else:
        headers["Signature"] = Signer(generate_key(NOW), DIRECTORY).sign_request("GET", url, datetime.now(UTC))["Signature"]

    with pytest.raises(InvalidSignature):
        verified(message)


def test_a_signature_is_of_one_request_and_of_five_minutes() -> None:
    first, second = (Signer(KEY, DIRECTORY).sign_request("GET", "https://example.org/", NOW) for _ in range(2))

    assert first["Signature"] != second["Signature"]
    assert f"expires={int(NOW.timestamp()) + 300}" in first["Signature-Input"]


def test_signing_costs_little_beside_a_page() -> None:
    signer = Signer(KEY, DIRECTORY)

    seconds = cpu_seconds(lambda: [signer.sign_request("GET", "https://example.org/a/b", NOW) for _ in range(500)])

    assert seconds / 500 < 0.0006  # 2 % of 30 ms


def test_a_new_key_signs_once_it_was_published_for_a_day_and_the_old_one_stays_a_week() -> None:
    old = generate_key(NOW - timedelta(days=300))

    keys = rotate_keys([old], NOW)

    assert choose_signing_key(keys, NOW) == keys[0]
    assert choose_signing_key(keys, NOW + timedelta(days=1)) == keys[1]
    assert keys[0].thumbprint == old.thumbprint
    assert keys[0].expires_at == keys[1].not_before + timedelta(days=7)
    later = NOW + timedelta(days=9)
    assert [key["kid"] for key in published(keys, later)] == [keys[1].thumbprint]
    assert len(published(keys, NOW)) == 2
    assert choose_signing_key([old], NOW + timedelta(days=400)) is None


def published(keys: tuple[SigningKey, ...], now: datetime) -> list[dict[str, Any]]:
    import json

    found: list[dict[str, Any]] = json.loads(make_directory(keys, now))["keys"]
    return found


def signed_fields(keys: list[SigningKey], url: str = DIRECTORY) -> dict[str, str]:
    return {name.lower(): value for name, value in sign_directory(keys, url, NOW).items()}


def test_an_independent_library_checks_the_signature_of_the_directory() -> None:
    request = Message("GET", DIRECTORY)
    response = Answer(status_code=200, url=DIRECTORY, request=request, headers=sign_directory([KEY], DIRECTORY, NOW))
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Directory())

    (result,) = verifier.verify(response, expect_tag="http-message-signatures-directory", max_age=timedelta(days=2))

    assert set(result.covered_components) == {'"@authority";req', '"@signature-params"'}


@dataclass
class Answer:
    status_code: int
    url: str
    request: Message
    headers: dict[str, str]


@pytest.mark.parametrize("wrong", ["none", "elsewhere", "another key", "expired", "broken"])
def test_a_directory_without_a_valid_signature_by_each_key_is_said(wrong: str) -> None:
    other = generate_key(NOW)
    now = KEY.expires_at - timedelta(seconds=1)
    fields = signed_fields([KEY, other])
    assert not list(problems(fields, [KEY, other], NOW))
    if wrong == "none":
        fields = {}
    elif wrong == "elsewhere":
        fields = signed_fields([KEY], "https://www.example.org/")
    elif wrong == "another key":
        fields = signed_fields([other])
    elif wrong == "broken":
        fields["signature"] = fields["signature"].replace(":", ":AAAA", 1)
    elif wrong == "expired":
        ended = replace(KEY, expires_at=NOW - timedelta(hours=1))
        fields = {name.lower(): value for name, value in sign_directory([ended], DIRECTORY, NOW - timedelta(hours=2)).items()}

    (said,) = problems(fields, [KEY], now)

    assert KEY.thumbprint in said
    assert "`newscrawler identity headers`" in said


def problems(fields: dict[str, str], keys: list[SigningKey], now: datetime) -> list[str]:
    body = make_directory(keys, now).encode()
    found = check_directory(DIRECTORY, status=200, fields={"content-type": MEDIA_TYPE} | fields, body=body, keys=keys, now=now)
    return list(found)


@pytest.mark.parametrize(
    ("status", "kind", "body", "told"),
    [
        (200, MEDIA_TYPE, None, None),
        (301, MEDIA_TYPE, None, "without a redirect"),
        (404, MEDIA_TYPE, None, "answers 404"),
        (200, "application/json", None, "must be application/http-message-signatures-directory+json"),
        (200, MEDIA_TYPE, b"<!doctype html>", "no JSON Web Key Set"),
        (200, MEDIA_TYPE, b"[" * 50_000, "no JSON Web Key Set"),
        (200, MEDIA_TYPE, b" " * 100_000, "no JSON Web Key Set"),
        (200, MEDIA_TYPE, b'{"keys": []}', "is not published"),
        (200, MEDIA_TYPE, b'{"keys": [{"x": "abc", "kid": "k"}, 5]}', "which is not here"),
        (
            200,
            MEDIA_TYPE,
            b'{"keys": [{"d": "secret", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}]}',
            "publishes a private key",
        ),
    ],
)
def test_what_is_wrong_with_a_directory_is_said(status: int, kind: str, body: bytes | None, told: str | None) -> None:
    text = make_directory([KEY], NOW).encode() if body is None else body

    fields = {"content-type": kind} | signed_fields([KEY])

    found = list(check_directory(DIRECTORY, status=status, fields=fields, body=text, keys=[KEY], now=NOW))

    assert bool(found) == (told is not None)
    assert told is None or any(told in problem for problem in found)
