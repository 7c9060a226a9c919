"""The identity of the crawler: its keys, signatures of requests, and what it publishes.

Ed25519 keys are private JWKs (RFC 8037), one file each, readable by their owner only. Signatures are those of RFC 9421 in the
profile of Web Bot Auth (draft-ietf-webbotauth-httpsig-protocol-01). Published are the directory of keys and a page about the bot.
"""

from __future__ import annotations

import json
import os
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from html import escape
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import http_sf
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageSigner,
    HTTPMessageVerifier,
    MappingKeyResolver,
)
from http_message_signatures import (
    InvalidSignature as InvalidMessageSignature,
)
from http_message_signatures.algorithms import ED25519

from newscrawler.errors import ConfigError
from newscrawler.limits import KEY_DIRECTORY_BYTES

#: Lifetime of a key; rotate it earlier.
LIFETIME = timedelta(days=365)
#: Time between publication and first use of a new key: directories are cached for a day.
PUBLISHED_BEFORE = timedelta(days=1)
#: How long the previous key stays published after that.
OVERLAP = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKey:
    """One key."""

    private: Ed25519PrivateKey = field(repr=False, compare=False)
    not_before: datetime
    expires_at: datetime

    @property
    def public_value(self) -> str:
        """Return the public key as the member `x` of a JWK."""
        return _encode(self.private.public_key().public_bytes_raw())

    @property
    def thumbprint(self) -> str:
        """Return the SHA-256 thumbprint (RFC 7638; RFC 8037, appendix A.3), which is the `keyid` of signatures."""
        members = {"crv": "Ed25519", "kty": "OKP", "x": self.public_value}
        return _encode(sha256(json.dumps(members, separators=(",", ":"), sort_keys=True).encode()).digest())

    def public_jwk(self) -> dict[str, Any]:
        """Return the key as a directory publishes it."""
        return {
            "kty": "OKP", "crv": "Ed25519", "kid": self.thumbprint, "x": self.public_value, "use": "sig",
            "nbf": int(self.not_before.timestamp()), "exp": int(self.expires_at.timestamp()),
        }  # fmt: skip

    def sign_document(self, content: bytes) -> dict[str, str]:
        """Return a detached signature of a document; see `is_signed_document`."""
        return {"alg": "Ed25519", "kid": self.thumbprint, "signature": _encode(self.private.sign(content))}

    @property
    def file_name(self) -> str:
        """Return the name of its file."""
        return f"{self.thumbprint[:16]}.private.jwk"


def generate_key(now: datetime, *, not_before: datetime | None = None) -> SigningKey:
    """Return a new key that is valid for a year from a given time."""
    begins = (not_before or now).replace(microsecond=0)
    return SigningKey(private=Ed25519PrivateKey.generate(), not_before=begins, expires_at=begins + LIFETIME)


def rotate_keys(keys: Sequence[SigningKey], now: datetime) -> tuple[SigningKey, ...]:
    """Return the keys with a new one, which signs from tomorrow; others end a week later, and expired ones are left out."""
    fresh = generate_key(now, not_before=now + PUBLISHED_BEFORE)
    until = fresh.not_before + OVERLAP
    kept = [replace(key, expires_at=min(key.expires_at, until)) for key in keys if key.expires_at > now]
    return (*kept, fresh)


def choose_signing_key(keys: Sequence[SigningKey], now: datetime) -> SigningKey | None:
    """Return the key that signs now: the newest that is in use."""
    return max((key for key in keys if key.not_before <= now < key.expires_at), key=lambda key: key.not_before, default=None)


def save_key(folder: Path, key: SigningKey) -> Path:
    """Write a key to a file that only its owner can ever read.

    Raises:
        ConfigError: it cannot be written.
    """
    values = key.public_jwk() | {"d": _encode(key.private.private_bytes_raw())}
    path = folder / key.file_name
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            json.dump(values, file, indent=2)
    except OSError as error:
        raise ConfigError(f"the key {path} cannot be written: {error.strerror}") from error
    return path


def load_keys(folder: Path) -> tuple[SigningKey, ...]:
    """Read the keys of a folder, the oldest first.

    Raises:
        ConfigError: a key cannot be read, or others may read it.
    """
    keys = [_load(path) for path in sorted(folder.glob("*.private.jwk"))]
    return tuple(sorted(keys, key=lambda key: key.not_before))


def is_signed_document(content: bytes, signature: Mapping[str, Any], keys: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a document has a valid signature by one of some public keys (JWK)."""
    for key in keys:
        try:
            public = Ed25519PublicKey.from_public_bytes(_decode(str(key.get("x"))))
            public.verify(_decode(str(signature.get("signature"))), content)
        except (InvalidSignature, ValueError):
            continue
        return True
    return False


def _load(path: Path) -> SigningKey:
    try:
        if path.stat().st_mode & 0o077:
            raise ConfigError(f"others may read the key {path}; make it private: chmod 600 {path}")
        values = json.loads(path.read_text("utf-8"))
        key = SigningKey(
            private=Ed25519PrivateKey.from_private_bytes(_decode(values["d"])),
            not_before=datetime.fromtimestamp(values["nbf"], UTC),
            expires_at=datetime.fromtimestamp(values["exp"], UTC),
        )
        matches = key.public_value == values["x"]
    except OSError as error:
        raise ConfigError(f"the key {path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{path} is not a private key of ours ({type(error).__name__}); remove it and run `newscrawler identity init`"
        ) from error
    if not matches:
        raise ConfigError(f"the halves of the key {path} do not fit; remove it and run `newscrawler identity init`")
    return key


def _encode(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


TAG = "web-bot-auth"
LABEL = "sig1"
#: Tag of the response with the directory of keys (draft-ietf-webbotauth-httpsig-directory).
DIRECTORY_TAG = "http-message-signatures-directory"
#: Lifetime of a request's signature, which limits replays.
SIGNATURE_LIFETIME = timedelta(seconds=300)
#: The signed components: the request's method, host and path, and the address of our keys.
_OF_REQUEST = ("@method", "@authority", "@path", f'"signature-agent";key="{LABEL}"')
_OF_DIRECTORY = ('"@authority";req',)
_SIGNER = HTTPMessageSigner(signature_algorithm=ED25519)


class Signer:
    """Signs requests with one key."""

    def __init__(self, key: SigningKey, directory_url: str) -> None:
        """Create a signer from a key and the address of its directory."""
        self.key = key
        self._agent = http_sf.ser({LABEL: directory_url})

    def sign_request(self, method: str, url: str, now: datetime) -> dict[str, str]:
        """Return the header fields that sign a request.

        Raises:
            ValueError: the URL is none by RFC 3986; canonical ones are.
        """
        fields = {"Signature-Agent": self._agent}
        request = SimpleNamespace(method=method.upper(), url=url, headers=fields)
        nonce = b64encode(os.urandom(32)).decode()
        parameters = {"expires": now + SIGNATURE_LIFETIME, "nonce": nonce, "tag": TAG, "covered_component_ids": _OF_REQUEST}
        try:
            return fields | _sign(request, {LABEL: self.key}, now, **parameters)
        except HTTPMessageSignaturesException as error:
            raise ValueError(str(error)) from error


def sign_directory(keys: Sequence[SigningKey], url: str, now: datetime) -> dict[str, str]:
    """Return the header fields that sign the directory's response: each published key confirms that this host has it.

    They are valid until the key expires, because a static file is always served with the same fields.
    """
    published = [key for key in keys if key.expires_at > now]
    labels = {f"sig{number}": key for number, key in enumerate(published, 1)}
    return _sign(_make_response(url, {}), labels, now, tag=DIRECTORY_TAG, covered_component_ids=_OF_DIRECTORY)


def _sign(message: Any, keys: Mapping[str, SigningKey], now: datetime, **parameters: Any) -> dict[str, str]:
    """Return the header fields with a signature by each key, by its label.

    Not by `HTTPMessageSigner.sign`, which makes the signed text twice: .2 ms of CPU a request.
    """
    inputs = []
    signatures: dict[str, Any] = {}
    for label, key in keys.items():
        prepared = _SIGNER.prepare(message, key_id=key.thumbprint, created=now, **({"expires": key.expires_at} | parameters))
        inputs.append(f"{label}={prepared.signature_params}")
        signatures[label] = key.private.sign(prepared.signature_base)
    return {"Signature-Input": ", ".join(inputs), "Signature": http_sf.ser(signatures) if signatures else ""}


def is_signed_by(key: SigningKey, url: str, fields: Mapping[str, str]) -> bool:
    """Return whether the directory's response has a valid signature by a key.

    Args:
        key: the key.
        url: of the directory.
        fields: header fields of the response.
    """
    resolver = MappingKeyResolver(public_keys={key.thumbprint: key.private.public_key()}, private_keys={})
    verifier = HTTPMessageVerifier(signature_algorithm=ED25519, key_resolver=resolver)
    try:
        members: Any = http_sf.parse(fields.get("signature-input", "").encode(), tltype="dictionary")
    except http_sf.StructuredFieldError:
        return False
    for label, (_, parameters) in members.items():
        if parameters.get("keyid") == key.thumbprint and parameters.get("tag") == DIRECTORY_TAG and "expires" in parameters:
            with suppress(InvalidMessageSignature):
                verifier.verify(
                    _make_response(url, fields), max_age=None, expect_tag=DIRECTORY_TAG, expect_label=label,
                    require_components=_OF_DIRECTORY,
                )  # fmt: skip
                return True
    return False


def _make_response(url: str, fields: Mapping[str, str]) -> SimpleNamespace:
    return SimpleNamespace(status_code=200, headers=fields, request=SimpleNamespace(method="GET", url=url, headers={}))


WELL_KNOWN = "/.well-known/http-message-signatures-directory"
MEDIA_TYPE = "application/http-message-signatures-directory+json"
BOT_PAGE = "/bot.html"
#: Largest size of a directory of ours.
MOST_DIRECTORY_BYTES = KEY_DIRECTORY_BYTES


def get_directory_url(base: str) -> str:
    """Return the URL of the directory on the operator's site."""
    return base.rstrip("/") + WELL_KNOWN


def make_directory(keys: Sequence[SigningKey], now: datetime) -> str:
    """Return the directory: a JWK Set of current and future keys."""
    return json.dumps({"keys": [key.public_jwk() for key in keys if key.expires_at > now]}, indent=2) + "\n"


def make_bot_page(user_agent: str, contact: str, base: str) -> str:
    """Return a page that tells operators of portals who sends requests, and how to slow or stop them."""
    reach = f"mailto:{contact}" if "@" in contact and "://" not in contact else contact
    values = {"agent": user_agent, "directory": get_directory_url(base), "reach": reach, "contact": contact}
    page = Path(__file__).with_name("bot.html").read_text("utf-8")
    return page.format_map({name: escape(value) for name, value in values.items()})


def write_publication(folder: Path, keys: Sequence[SigningKey], *, now: datetime, page: str) -> list[Path]:
    """Write the directory and the page about the bot; return their paths.

    Raises:
        ConfigError: it cannot be written.
    """
    files = {folder / WELL_KNOWN.lstrip("/"): make_directory(keys, now), folder / BOT_PAGE.lstrip("/"): page}
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    except OSError as error:
        raise ConfigError(f"{folder} cannot be written: {error.strerror}") from error
    return list(files)


def check_directory(
    url: str, *, status: int, fields: Mapping[str, str], body: bytes, keys: Sequence[SigningKey], now: datetime
) -> Iterator[str]:
    """Yield the faults of a published directory, as it was received, that prevent others from verifying our signatures."""
    if urlsplit(url).scheme != "https":
        yield f"{url} is not https; nobody may take keys from there"
    if status != 200:
        yield f"{url} answers {status}; it must answer 200, without a redirect"
        return
    kind = fields.get("content-type", "").partition(";")[0].strip().lower()
    if kind != MEDIA_TYPE:
        yield f"{url} is served as {kind or 'nothing'}; it must be {MEDIA_TYPE}"
    published = read_published_keys(body)
    if published is None:
        yield f"{url} holds no JSON Web Key Set"
        return
    yield from _check_keys(url, published, keys, now)
    for key in keys:
        signed = is_signed_by(key, url, fields)
        if key.expires_at > now and not signed:
            yield (
                f"the answer of {url} bears no valid signature by the key {key.thumbprint}; serve it with the header fields "
                "that `newscrawler identity headers` prints"
            )


def _check_keys(url: str, published: Sequence[Mapping[str, Any]], keys: Sequence[SigningKey], now: datetime) -> Iterator[str]:
    if any("d" in key for key in published):
        yield f"{url} publishes a private key; remove it and run `newscrawler identity rotate` at once"
    ours = {key.thumbprint: key for key in keys}
    by_value = {key.public_value: key for key in keys}
    for key in published:
        known = by_value.get(str(key.get("x")))
        if known is None:
            yield f"{url} publishes the key {key.get('kid')}, which is not here; anybody who has it can sign as you"
        elif key.get("kid") != known.thumbprint:
            yield f"the key {known.thumbprint} is published as {key.get('kid')}; its kid must be its thumbprint"
    current = choose_signing_key(keys, now)
    if current is None:
        yield "no key here is in use now; run `newscrawler identity rotate`"
    there = {str(each.get("x")) for each in published}
    for thumbprint, own in ours.items():
        if own.expires_at > now and own.public_value not in there:
            use = "signs now" if own is current else f"will sign from {own.not_before:%Y-%m-%d %H:%M} UTC on"
            yield f"the key {thumbprint}, which {use}, is not published; upload the directory again"


def read_published_keys(body: bytes) -> list[Mapping[str, Any]] | None:
    """Return the public keys of a directory, or the one key that a file holds; None: there is none."""
    if len(body) > MOST_DIRECTORY_BYTES:
        return None
    try:
        tree = json.loads(body)
    except (ValueError, RecursionError):
        return None
    found = tree.get("keys", [tree] if "x" in tree else None) if isinstance(tree, Mapping) else None
    return [key for key in found if isinstance(key, Mapping)] if isinstance(found, list) else None
