"""Signatures of HTTP messages (RFC 9421) in the profile of Web Bot Auth (draft-ietf-webbotauth-httpsig-protocol-01)."""

from __future__ import annotations

import os
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from newscrawler.politeness.identity.keys import SigningKey

TAG = "web-bot-auth"
LABEL = "sig1"
#: Tag of the response with the directory of keys (draft-ietf-webbotauth-httpsig-directory).
DIRECTORY_TAG = "http-message-signatures-directory"
#: Lifetime of a request's signature, which limits replays.
LIFETIME_SECONDS = 300
_PORTS = {"http": 80, "https": 443}
#: The signed components: the request's method, host and path, and the address of our keys.
_COVERED = f'("@method" "@authority" "@path" "signature-agent";key="{LABEL}")'

_MEMBER_INPUT = re.compile(r'([a-z][a-z0-9_-]{0,40})=(\("@authority";req\)[!-+\--~ ]{0,400})')
_MEMBER_VALUE = re.compile(r"([a-z][a-z0-9_-]{0,40})=:([A-Za-z0-9+/=]{1,200}):")
_EXPIRES = re.compile(r";expires=(\d{1,12})(?![^;])")


def make_signature_base(components: Sequence[tuple[str, str]], parameters: str) -> bytes:
    """Return the signed text (RFC 9421, section 2.5) of (identifier as serialised, value) and the signature's parameters."""
    lines = [f"{identifier}: {value}" for identifier, value in components]
    return "\n".join([*lines, f'"@signature-params": {parameters}']).encode("ascii")


def sign(key: Ed25519PrivateKey, base: bytes) -> str:
    """Return the value of a member of the field Signature (RFC 9421, section 3.3.6)."""
    return f":{b64encode(key.sign(base)).decode()}:"


class Signer:
    """Signs requests with one key."""

    def __init__(self, key: SigningKey, directory_url: str) -> None:
        """Create a signer from a key and the address of its directory."""
        self._key = key.private
        self._keyid = key.thumbprint
        self._directory = directory_url.replace("\\", "\\\\").replace('"', '\\"')
        self.key = key

    def sign_request(self, method: str, url: str, now: datetime) -> dict[str, str]:
        """Return the header fields that sign a request."""
        created = int(now.timestamp())
        nonce = b64encode(os.urandom(32)).decode()
        parameters = (
            f"{_COVERED};created={created};expires={created + LIFETIME_SECONDS}"
            f';keyid="{self._keyid}";alg="ed25519";nonce="{nonce}";tag="{TAG}"'
        )
        components = [
            ('"@method"', method.upper()),
            ('"@authority"', get_authority(url)),
            ('"@path"', urlsplit(url).path or "/"),
            (f'"signature-agent";key="{LABEL}"', f'"{self._directory}"'),
        ]
        return {
            "Signature-Agent": f'{LABEL}="{self._directory}"',
            "Signature-Input": f"{LABEL}={parameters}",
            "Signature": f"{LABEL}={sign(self._key, make_signature_base(components, parameters))}",
        }


def sign_directory(keys: Sequence[SigningKey], url: str, now: datetime) -> dict[str, str]:
    """Return the header fields that sign the directory's response: each published key confirms that this host has it.

    They are valid until the key expires, because a static file is always served with the same fields.
    """
    inputs, signatures = [], []
    published = [key for key in keys if key.expires_at > now]
    for number, key in enumerate(published, 1):
        parameters = (
            f'("@authority";req);created={int(now.timestamp())};expires={int(key.expires_at.timestamp())}'
            f';keyid="{key.thumbprint}";alg="ed25519";tag="{DIRECTORY_TAG}"'
        )
        inputs.append(f"sig{number}={parameters}")
        signatures.append(f"sig{number}={sign(key.private, _make_directory_base(url, parameters))}")
    return {"Signature-Input": ", ".join(inputs), "Signature": ", ".join(signatures)}


def is_signed_by(key: SigningKey, url: str, signature_input: str, signature: str, now: datetime) -> bool:
    """Return whether the directory's response has a valid signature by a key."""
    values = dict(_MEMBER_VALUE.findall(signature))
    for label, parameters in _MEMBER_INPUT.findall(signature_input):
        expires = _EXPIRES.search(parameters)
        if f'keyid="{key.thumbprint}"' not in parameters or f'tag="{DIRECTORY_TAG}"' not in parameters or expires is None:
            continue
        try:
            key.private.public_key().verify(b64decode(values.get(label, "")), _make_directory_base(url, parameters))
        except (InvalidSignature, ValueError):
            continue
        return int(expires[1]) > now.timestamp()
    return False


def _make_directory_base(url: str, parameters: str) -> bytes:
    return make_signature_base([('"@authority";req', get_authority(url))], parameters)


def get_authority(url: str) -> str:
    """Return host and port in normal form (RFC 9421, section 2.2.3)."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    return host if parts.port in {None, _PORTS.get(parts.scheme)} else f"{host}:{parts.port}"
