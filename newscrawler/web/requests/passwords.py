"""Passwords, hashed with Argon2id; after several failures, an account or address has to wait."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache, partial

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from newscrawler.errors import ConfigError

SHORTEST = 10
LONGEST = 200
#: The low-memory recommendation of RFC 9106.
_make_hasher = partial(Argon2id, length=32, iterations=3, lanes=4, memory_cost=64 * 2**10)


def hash_password(password: str) -> str:
    """Return the hash to store.

    Raises:
        ConfigError: the password is too short or too long.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise ConfigError(f"a password has {SHORTEST} to {LONGEST} characters; this one has {len(password)}")
    return _hash(password)


def is_password(password: str, stored: str | None) -> bool:
    """Return whether the password matches a hash. None takes as long, so that timing does not reveal which accounts exist."""
    if len(password) > LONGEST:
        return False
    try:
        Argon2id.verify_phc_encoded(_encode(password), stored or _hash_dummy())
    except InvalidKey:
        return False
    return stored is not None


def _hash(password: str) -> str:
    return _make_hasher(salt=secrets.token_bytes(16)).derive_phc_encoded(_encode(password))


def _encode(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


@cache
def _hash_dummy() -> str:
    return _hash("the password of no account")


MOST_FAILURES = 5
WINDOW = timedelta(minutes=15)
#: Accounts and addresses that are remembered; the oldest are dropped.
_MOST_KEYS = 10_000


class LoginLimiter:
    """Recent failures, in memory."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, deque[datetime]] = OrderedDict()
        self._lock = threading.Lock()

    def wait_seconds(self, keys: Iterable[str], *, now: datetime) -> int:
        """Return the seconds until a login with these keys is allowed; 0: now."""
        with self._lock:
            return max((self._wait(key, now) for key in keys), default=0)

    def note_failure(self, keys: Iterable[str], *, now: datetime) -> None:
        """Count a failure."""
        with self._lock:
            for key in keys:
                self._failures.setdefault(key, deque(maxlen=MOST_FAILURES)).append(now)
                self._failures.move_to_end(key)
            while len(self._failures) > _MOST_KEYS:
                self._failures.popitem(last=False)

    def forget(self, key: str) -> None:
        """Forget the failures of an account that has logged in."""
        with self._lock:
            self._failures.pop(key, None)

    def _wait(self, key: str, now: datetime) -> int:
        failures = self._failures.get(key)
        if failures is None or len(failures) < MOST_FAILURES:
            return 0
        return max(0, round((failures[0] + WINDOW - now).total_seconds()))
