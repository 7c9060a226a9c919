"""People who may log in to the web application."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Engine, Row, delete, func, insert, select, update

from newscrawler.errors import ConfigError
from newscrawler.store.database import translated
from newscrawler.store.tables import ACCOUNT, SESSION


class Role(StrEnum):
    """What an account may do; each role includes those before it."""

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


class Accounts:
    """All accounts."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, name: str, *, password: str, role: Role, now: datetime) -> None:
        """Add an account; `password` is its hash.

        Raises:
            ConfigError: there is an account of this name.
        """
        values = {"name": name, "password": password, "role": str(role), "created_at": now}
        with translated(self._engine), self._engine.begin() as connection:
            if connection.execute(select(ACCOUNT.c.id).where(ACCOUNT.c.name == name)).first() is not None:
                raise ConfigError(f"there is an account {name} already; change it, or choose another name")
            connection.execute(insert(ACCOUNT).values(values))

    def get(self, name: str) -> Account | None:
        """Return the account of this name, if there is one."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(select(ACCOUNT).where(ACCOUNT.c.name == name)).first()
        return account_of(row) if row else None

    def all(self) -> list[Account]:
        """Return all accounts, by name."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [account_of(row) for row in connection.execute(select(ACCOUNT).order_by(ACCOUNT.c.name))]

    def count(self) -> int:
        """Return how many accounts there are, closed ones included."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return int(connection.execute(select(func.count()).select_from(ACCOUNT)).scalar_one())

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
        with translated(self._engine), self._engine.begin() as connection:
            found = connection.execute(select(ACCOUNT.c.id).where(ACCOUNT.c.name == name)).scalar()
            if found is None:
                raise ConfigError(f"there is no account {name}")
            connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == found).values(values))
            connection.execute(delete(SESSION).where(SESSION.c.account_id == found))


def account_of(row: Row[Any]) -> Account:
    """Return the account of a row."""
    return Account(
        id=row.id,
        name=row.name,
        password=row.password,
        role=Role(row.role),
        created_at=row.created_at,
        closed_at=row.closed_at,
    )
