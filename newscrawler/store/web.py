"""People who may log in to the web application, their sessions and tokens, and the audit log of their changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from newscrawler.errors import ConfigError
from newscrawler.store.database import StorePart, fill_record
from newscrawler.store.tables import ACCOUNT, AUDIT, SESSION, TOKEN


class Role(StrEnum):
    """Permissions of an account; each role includes those before it."""

    READER = "reader"
    REVIEWER = "reviewer"
    OPERATOR = "operator"

    def includes(self, other: Role) -> bool:
        """Return whether this role may do what the other may."""
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A person who may log in."""

    id: int
    name: str
    #: The Argon2 hash.
    password: str
    role: Role
    created_at: datetime
    #: None: the account is open.
    closed_at: datetime | None = None


class Accounts(StorePart):
    """All accounts."""

    def add(self, name: str, *, password: str, role: Role, now: datetime) -> None:
        """Add an account; `password` is its hash.

        Raises:
            ConfigError: there is an account of this name.
        """
        values = {"name": name, "password": password, "role": str(role), "created_at": now}
        with self._writing() as connection:
            if connection.execute(select(ACCOUNT.c.id).where(ACCOUNT.c.name == name)).first() is not None:
                raise ConfigError(f"there is an account {name} already; change it, or choose another name")
            connection.execute(insert(ACCOUNT).values(values))

    def get(self, name: str) -> Account | None:
        """Return the account of this name, if there is one."""
        row = self._read_first(select(ACCOUNT).where(ACCOUNT.c.name == name))
        return account_of(row) if row else None

    def all(self) -> list[Account]:
        """Return all accounts, by name."""
        return [account_of(row) for row in self._read(select(ACCOUNT).order_by(ACCOUNT.c.name))]

    def count(self) -> int:
        """Return how many accounts there are, closed ones included."""
        return int(self._read_value(select(func.count()).select_from(ACCOUNT)))

    def change(self, name: str, *, password: str | None = None, role: Role | None = None) -> None:
        """Change password or role; all sessions of the account end.

        Raises:
            ConfigError: there is no such account.
        """
        values = {key: value for key, value in (("password", password), ("role", role and str(role))) if value is not None}
        self._update(name, values)

    def close(self, name: str, *, now: datetime) -> None:
        """Close an account, end its sessions and invalidate its tokens.

        Raises:
            ConfigError: there is no such account.
        """
        self._update(name, {"closed_at": now})

    def _update(self, name: str, values: dict[str, Any]) -> None:
        with self._writing() as connection:
            found = connection.execute(select(ACCOUNT.c.id).where(ACCOUNT.c.name == name)).scalar()
            if found is None:
                raise ConfigError(f"there is no account {name}")
            connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == found).values(values))
            connection.execute(delete(SESSION).where(SESSION.c.account_id == found))


def account_of(row: Row[Any]) -> Account:
    """Return the account of a row."""
    return fill_record(Account, row, role=Role(row.role))


#: An unused session expires after this.
IDLE = timedelta(hours=12)
#: Every session expires after this.
LONGEST = timedelta(days=14)
#: The last use of a session is written at most this often.
_TOUCH = timedelta(minutes=5)


class TokenScope(StrEnum):
    """Permissions of a token."""

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


def digest_of(secret: str) -> bytes:
    """Return the stored digest of a session or token; random secrets need no slow hash."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


class Credentials(StorePart):
    """Sessions and tokens of all accounts."""

    def begin_session(self, account: Account, secret: str, *, now: datetime) -> None:
        """Store a new session and remove expired ones."""
        values = {
            "digest": digest_of(secret), "account_id": account.id, "created_at": now, "seen_at": now,
            "expires_at": now + LONGEST,
        }  # fmt: skip
        with self._writing() as connection:
            connection.execute(delete(SESSION).where((SESSION.c.expires_at <= now) | (SESSION.c.seen_at <= now - IDLE)))
            connection.execute(insert(SESSION).values(values))

    def account_of_session(self, secret: str, *, now: datetime) -> Account | None:
        """Return the account of a session; None: it is unknown or has expired."""
        query = (
            select(ACCOUNT, SESSION.c.seen_at, SESSION.c.expires_at)
            .join(SESSION, SESSION.c.account_id == ACCOUNT.c.id)
            .where((SESSION.c.digest == digest_of(secret)) & ACCOUNT.c.closed_at.is_(None))
        )
        row = self._read_first(query)
        if row is None or row.expires_at <= now or row.seen_at <= now - IDLE:
            return None
        if now - row.seen_at > _TOUCH:
            with self._writing() as connection:
                connection.execute(update(SESSION).where(SESSION.c.digest == digest_of(secret)).values(seen_at=now))
        return account_of(row)

    def end_session(self, secret: str) -> None:
        """Remove a session."""
        with self._writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.digest == digest_of(secret)))

    def add_token(
        self, account: Account, secret: str, *, name: str, scope: TokenScope, expires_at: datetime, now: datetime
    ) -> None:
        """Store a new token of an account."""
        values = {"digest": digest_of(secret), "account_id": account.id, "name": name, "scope": str(scope)}
        with self._writing() as connection:
            connection.execute(insert(TOKEN).values(created_at=now, expires_at=expires_at, **values))

    def tokens(self, account: Account) -> list[Token]:
        """Return the tokens of an account, newest first."""
        query = select(TOKEN).where(TOKEN.c.account_id == account.id).order_by(TOKEN.c.id.desc())
        return [fill_record(Token, row, scope=TokenScope(row.scope)) for row in self._read(query)]

    def account_of_token(self, secret: str, *, now: datetime) -> tuple[Account, TokenScope] | None:
        """Return the account and scope of a token; None: it is not valid."""
        query = (
            select(ACCOUNT, TOKEN.c.id.label("token_id"), TOKEN.c.scope, TOKEN.c.expires_at, TOKEN.c.revoked_at, TOKEN.c.used_at)
            .join(TOKEN, TOKEN.c.account_id == ACCOUNT.c.id)
            .where((TOKEN.c.digest == digest_of(secret)) & ACCOUNT.c.closed_at.is_(None))
        )
        row = self._read_first(query)
        if row is None or row.expires_at <= now or row.revoked_at is not None:
            return None
        if row.used_at is None or now - row.used_at > _TOUCH:
            with self._writing() as connection:
                connection.execute(update(TOKEN).where(TOKEN.c.id == row.token_id).values(used_at=now))
        return account_of(row), TokenScope(row.scope)

    def revoke_token(self, account: Account, token_id: int, *, now: datetime) -> bool:
        """Revoke a token; False: the account has no such token."""
        chosen = (TOKEN.c.id == token_id) & (TOKEN.c.account_id == account.id) & TOKEN.c.revoked_at.is_(None)
        with self._writing() as connection:
            return connection.execute(update(TOKEN).where(chosen).values(revoked_at=now)).rowcount > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change."""

    id: int
    at: datetime
    who: str
    action: str
    subject: str
    detail: str


class Audit(StorePart):
    """The audit log."""

    def note(self, *, who: str, action: str, subject: str, detail: str = "", now: datetime) -> None:
        """Append an entry."""
        values = {"at": now, "who": who[:100], "action": action[:40], "subject": subject[:300], "detail": detail[:4000]}
        with self._writing() as connection:
            connection.execute(insert(AUDIT).values(values))

    def entries(self, *, before_id: int | None = None, limit: int = 100) -> list[AuditEntry]:
        """Return entries, newest first; `before_id`: only those before this one."""
        query = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
        if before_id is not None:
            query = query.where(AUDIT.c.id < before_id)
        return [AuditEntry(**row._mapping) for row in self._read(query)]  # noqa: SLF001  SQLAlchemy's public name for it
