"""Sessions of browsers and tokens of programs; the database stores only their digests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from sqlalchemy import Engine, delete, insert, select, update

from newscrawler.store.database import translated
from newscrawler.store.tables import ACCOUNT, SESSION, TOKEN
from newscrawler.store.web.accounts import Account, account_of

#: An unused session expires after this.
IDLE = timedelta(hours=12)
#: Every session expires after this.
LONGEST = timedelta(days=14)
#: The last use of a session is written at most this often.
_TOUCH = timedelta(minutes=5)


class TokenScope(StrEnum):
    """What a program may do with a token."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token as it is listed; its secret is shown only when it is created."""

    id: int
    name: str
    scope: TokenScope
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None


def make_digest(secret: str) -> bytes:
    """Return the stored digest of a session or token; random secrets need no slow hash."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


class Credentials:
    """Sessions and tokens of all accounts."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin_session(self, account: Account, secret: str, *, now: datetime) -> None:
        """Store a new session and remove expired ones."""
        values = {
            "digest": make_digest(secret),
            "account_id": account.id,
            "created_at": now,
            "seen_at": now,
            "expires_at": now + LONGEST,
        }
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(delete(SESSION).where((SESSION.c.expires_at <= now) | (SESSION.c.seen_at <= now - IDLE)))
            connection.execute(insert(SESSION).values(values))

    def account_of_session(self, secret: str, *, now: datetime) -> Account | None:
        """Return the account of a session; None: it is unknown or has expired."""
        query = (
            select(ACCOUNT, SESSION.c.seen_at, SESSION.c.expires_at)
            .join(SESSION, SESSION.c.account_id == ACCOUNT.c.id)
            .where((SESSION.c.digest == make_digest(secret)) & ACCOUNT.c.closed_at.is_(None))
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(query).first()
        if row is None or row.expires_at <= now or row.seen_at <= now - IDLE:
            return None
        if now - row.seen_at > _TOUCH:
            with translated(self._engine), self._engine.begin() as connection:
                connection.execute(update(SESSION).where(SESSION.c.digest == make_digest(secret)).values(seen_at=now))
        return account_of(row)

    def end_session(self, secret: str) -> None:
        """Remove a session."""
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.digest == make_digest(secret)))

    def add_token(
        self, account: Account, secret: str, *, name: str, scope: TokenScope, expires_at: datetime, now: datetime
    ) -> None:
        """Store a new token of an account."""
        values = {"digest": make_digest(secret), "account_id": account.id, "name": name, "scope": str(scope)}
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(insert(TOKEN).values(created_at=now, expires_at=expires_at, **values))

    def tokens(self, account: Account) -> list[Token]:
        """Return the tokens of an account, newest first."""
        query = select(TOKEN).where(TOKEN.c.account_id == account.id).order_by(TOKEN.c.id.desc())
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [
                Token(
                    id=row.id,
                    name=row.name,
                    scope=TokenScope(row.scope),
                    created_at=row.created_at,
                    expires_at=row.expires_at,
                    used_at=row.used_at,
                    revoked_at=row.revoked_at,
                )
                for row in connection.execute(query)
            ]

    def account_of_token(self, secret: str, *, now: datetime) -> tuple[Account, TokenScope] | None:
        """Return the account and scope of a token; None: it is not valid."""
        query = (
            select(ACCOUNT, TOKEN.c.id.label("token_id"), TOKEN.c.scope, TOKEN.c.expires_at, TOKEN.c.revoked_at, TOKEN.c.used_at)
            .join(TOKEN, TOKEN.c.account_id == ACCOUNT.c.id)
            .where((TOKEN.c.digest == make_digest(secret)) & ACCOUNT.c.closed_at.is_(None))
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(query).first()
        if row is None or row.expires_at <= now or row.revoked_at is not None:
            return None
        if row.used_at is None or now - row.used_at > _TOUCH:
            with translated(self._engine), self._engine.begin() as connection:
                connection.execute(update(TOKEN).where(TOKEN.c.id == row.token_id).values(used_at=now))
        return account_of(row), TokenScope(row.scope)

    def revoke_token(self, account: Account, token_id: int, *, now: datetime) -> bool:
        """Revoke a token; False: the account has no such token."""
        chosen = (TOKEN.c.id == token_id) & (TOKEN.c.account_id == account.id) & TOKEN.c.revoked_at.is_(None)
        with translated(self._engine), self._engine.begin() as connection:
            return connection.execute(update(TOKEN).where(chosen).values(revoked_at=now)).rowcount > 0
