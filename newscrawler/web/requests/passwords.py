"""Passwords, hashed with Argon2id; after several failures, an account or address has to wait."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Iterable
from datetime import datetime, timedelta
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
