"""Passwords, hashed with Argon2id."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from newscrawler.errors import ConfigError

SHORTEST = 10
LONGEST = 200
_HASHER = PasswordHasher()


def hash_password(password: str) -> str:
    """Return the hash to store.

    Raises:
        ConfigError: the password is too short or too long.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise ConfigError(f"a password has {SHORTEST} to {LONGEST} characters; this one has {len(password)}")
    return _HASHER.hash(password)


def is_password(password: str, stored: str | None) -> bool:
    """Return whether the password matches a hash. None takes as long, so that timing does not reveal which accounts exist."""
    if len(password) > LONGEST:
        return False
    try:
        return _HASHER.verify(stored or _hash_dummy(), password) and stored is not None
    except (Argon2Error, InvalidHashError):
        return False


@cache
def _hash_dummy() -> str:
    return _HASHER.hash("the password of no account")
