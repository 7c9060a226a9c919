"""Ed25519 keys as private JWKs (RFC 8037), one file each, readable by their owner only."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from newscrawler.errors import ConfigError

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
