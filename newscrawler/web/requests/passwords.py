"""Passwords, hashed with Argon2id; after several failures, further attempts have to wait."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache, partial
from math import ceil

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from newscrawler.errors import ConfigError
from newscrawler.limits import HASH_WAIT_SECONDS, HASHES_AT_ONCE, PASSWORD_CHARACTERS, REMEMBERED_ATTEMPTS

SHORTEST = 10
#: The low-memory recommendation of RFC 9106.
_make_hasher = partial(Argon2id, length=32, iterations=3, lanes=4, memory_cost=64 * 2**10)


def hash_password(password: str) -> str:
    """Return the hash to store.

    Raises:
        ConfigError: the password is too short or too long.
    """
    if not SHORTEST <= len(password) <= PASSWORD_CHARACTERS:
        raise ConfigError(f"a password has {SHORTEST} to {PASSWORD_CHARACTERS} characters; this one has {len(password)}")
    return _hash(password)


def is_password(password: str, stored: str | None) -> bool:
    """Return whether the password matches a hash. None takes as long, so that timing does not reveal which accounts exist."""
    if len(password) > PASSWORD_CHARACTERS:
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


def derive_browser_mark(name: str, stored: str) -> str:
    """Return the mark that a browser keeps with which somebody has logged in; nobody else can know it, a new password ends it."""
    return hmac.digest(_encode(stored), _encode(f"browser of {name}"), "sha256").hex()


@cache
def _hash_dummy() -> str:
    return _hash("the password of no account")


WINDOW = timedelta(minutes=15)
_FIRST_WAIT = timedelta(seconds=5)
#: Keys that are remembered, and attempts of each; the oldest are dropped.
_MOST_ATTEMPTS = 100


class LoginLimiter:
    """Recent attempts to log in, in memory. One counts before its password is looked at, so that no two pass a limit together.

    Beyond a few failures an attempt waits for twice as long as the one before: for one account from one address, whatever its
    address, and from one address whatever the account, of which many may be behind a proxy that is not declared.
    """

    def __init__(self) -> None:
        self._attempts: OrderedDict[str, deque[datetime]] = OrderedDict()
        self._lock = threading.Lock()
        self._hashes = threading.BoundedSemaphore(HASHES_AT_ONCE)

    def begin(self, limits: Mapping[str, int], *, now: datetime) -> int:
        """Count an attempt, and return 0; or return the seconds until one with these keys is allowed.

        `limits`: keys, and how many attempts with each fail in `WINDOW` without a wait.
        """
        with self._lock:
            wait = max((self._wait(key, free, now) for key, free in limits.items()), default=0)
            if wait <= 0:
                for key in limits:
                    self._attempts.setdefault(key, deque(maxlen=_MOST_ATTEMPTS)).append(now)
                    self._attempts.move_to_end(key)
                while len(self._attempts) > REMEMBERED_ATTEMPTS:
                    self._attempts.popitem(last=False)
            return max(wait, 0)

    def end(self, keys: Iterable[str]) -> None:
        """Forget the attempts with the first key, and the last one with the others: it has succeeded."""
        first, *others = keys
        with self._lock:
            self._attempts.pop(first, None)
            for key in others:
                self._attempts[key].pop()

    @contextmanager
    def hashing(self) -> Iterator[bool]:
        """Reserve the memory of a hash inside a `with` block; False: as many as are allowed are being computed."""
        free = self._hashes.acquire(timeout=HASH_WAIT_SECONDS)
        try:
            yield free
        finally:
            if free:
                self._hashes.release()

    def _wait(self, key: str, free: int, now: datetime) -> int:
        attempts = [each for each in self._attempts.get(key, ()) if now - each < WINDOW]
        if len(attempts) < free:
            return 0
        pause: timedelta = min(_FIRST_WAIT * 2 ** (len(attempts) - free), WINDOW)
        return ceil((attempts[-1] + pause - now).total_seconds())
