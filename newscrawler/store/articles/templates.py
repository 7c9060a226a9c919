"""Templates of portals, and the checks of whether the layout still fits them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from newscrawler.errors import ConfigError
from newscrawler.store.database import StorePart, fill_record
from newscrawler.store.statements import match_given
from newscrawler.store.tables import DRIFT_CHECK, PORTAL, TEMPLATE
from newscrawler.store.vocabularies import TemplateState

if TYPE_CHECKING:
    from newscrawler.extraction.templates import PortalTemplate, SiteTemplate


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTemplate:
    """One version of a portal's template."""

    portal: str
    #: 1, 2, 3, … of the portal.
    version: int
    #: The template file.
    document: str
    #: learned, imported, by hand.
    origin: str
    state: TemplateState
    #: Why it is in this state.
    note: str
    #: Its figures when it was adopted or refused.
    figures: Mapping[str, Any]
    created_at: datetime

    def read(self) -> PortalTemplate | SiteTemplate:
        """Return the template.

        Raises:
            ConfigError: this program cannot read it.
        """
        from newscrawler.extraction.templates import read_template  # loads pydantic

        return read_template(self.document, f"version {self.version} of the template of {self.portal}")

    def list_lines(self) -> list[str]:
        """Return the lines of the template file, one for each value, to read and to compare."""
        return json.dumps(json.loads(self.document), ensure_ascii=False, indent=1).splitlines()


class Templates(StorePart):
    """The templates of all portals."""

    def versions(self, portal: str | None = None) -> list[StoredTemplate]:
        """Return all versions, of a portal or of all, oldest first."""
        query = _select().where(*match_given((PORTAL.c.name, portal))).order_by(PORTAL.c.name, TEMPLATE.c.version)
        return [_make_stored_template(row) for row in self._read(query)]

    def in_use(self, portal: str) -> StoredTemplate | None:
        """Return the version in use, if there is one."""
        query = _select().where((PORTAL.c.name == portal) & (TEMPLATE.c.state == TemplateState.IN_USE))
        row = self._read_first(query.order_by(TEMPLATE.c.version.desc()).limit(1))
        return _make_stored_template(row) if row else None

    def get(self, portal: str, version: int) -> StoredTemplate | None:
        """Return one version, if it exists."""
        query = _select().where((PORTAL.c.name == portal) & (TEMPLATE.c.version == version))
        row = self._read_first(query)
        return _make_stored_template(row) if row else None

    def add(
        self,
        portal: str,
        document: str,
        *,
        origin: str,
        state: TemplateState,
        note: str,
        now: datetime,
        figures: Mapping[str, Any] | None = None,
    ) -> StoredTemplate:
        """Add a version; a version in use replaces the previous one.

        Raises:
            ConfigError: the database has no such portal.
        """
        with self._writing() as connection:
            portal_id = _find_portal_id(connection, portal)
            last = select(func.coalesce(func.max(TEMPLATE.c.version), 0)).where(TEMPLATE.c.portal_id == portal_id)
            version = int(connection.execute(last).scalar_one()) + 1
            if state is TemplateState.IN_USE:
                _retire(connection, portal_id, TemplateState.REPLACED, f"replaced by version {version}")
            values = {
                "portal_id": portal_id, "version": version, "document": document, "origin": origin, "state": str(state),
                "note": note, "figures": dict(figures or {}), "created_at": now,
            }  # fmt: skip
            connection.execute(insert(TEMPLATE).values(values))
            row = connection.execute(_select().where((TEMPLATE.c.portal_id == portal_id) & (TEMPLATE.c.version == version))).one()
        return _make_stored_template(row)

    def rewrite(self, portal: str, version: int, document: str) -> None:
        """Replace the document of a version, to remove data that must not be kept."""
        with self._writing() as connection:
            chosen = (TEMPLATE.c.portal_id == _find_portal_id(connection, portal)) & (TEMPLATE.c.version == version)
            connection.execute(update(TEMPLATE).where(chosen).values(document=document))

    def go_back(self, portal: str, version: int | None) -> None:
        """Withdraw the version in use and return to an earlier one, or to none."""
        with self._writing() as connection:
            portal_id = _find_portal_id(connection, portal)
            _retire(connection, portal_id, TemplateState.WITHDRAWN, "withdrawn by hand")
            if version is not None:
                chosen = (TEMPLATE.c.portal_id == portal_id) & (TEMPLATE.c.version == version)
                connection.execute(
                    update(TEMPLATE).where(chosen).values(state=str(TemplateState.IN_USE), note="taken into use again by hand")
                )


def _find_portal_id(connection: Connection, portal: str) -> int:
    found = connection.execute(select(PORTAL.c.id).where(PORTAL.c.name == portal).with_for_update()).scalar()
    if found is None:
        raise ConfigError(f"the database has no portal {portal}; crawl it first")
    return int(found)


def _retire(connection: Connection, portal_id: int, state: TemplateState, note: str) -> None:
    in_use = (TEMPLATE.c.portal_id == portal_id) & (TEMPLATE.c.state == TemplateState.IN_USE)
    connection.execute(update(TEMPLATE).where(in_use).values(state=str(state), note=note))


def _select() -> Select[Any]:
    return select(TEMPLATE, PORTAL.c.name.label("portal")).select_from(TEMPLATE.join(PORTAL))


def _make_stored_template(row: Row[Any]) -> StoredTemplate:
    return fill_record(StoredTemplate, row, state=TemplateState(row.state))


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftCheck:
    """The drift check of one run of one portal."""

    portal: str
    round: int
    #: The version of the template that read the pages; None: no template.
    template: int | None
    figures: Mapping[str, Any]
    #: One sentence for each violated limit.
    broken: tuple[str, ...]
    #: The action taken.
    done: str
    at: datetime


class DriftChecks(StorePart):
    """The drift checks of all portals."""

    def of(self, portal: str, *, limit: int = 30) -> list[DriftCheck]:
        """Return a portal's drift checks, newest first."""
        query = (
            select(DRIFT_CHECK, PORTAL.c.name.label("portal"))
            .select_from(DRIFT_CHECK.join(PORTAL))
            .where(PORTAL.c.name == portal)
            .order_by(DRIFT_CHECK.c.round.desc())
            .limit(limit)
        )
        columns = {"template": "template_version", "done": "action", "at": "checked_at"}
        return [fill_record(DriftCheck, row, columns, broken=tuple(row.violations)) for row in self._read(query)]

    def note(
        self,
        portal: str,
        round_number: int,
        *,
        template: int | None,
        figures: Mapping[str, Any],
        broken: Sequence[str],
        done: str,
        now: datetime,
    ) -> None:
        """Store the drift check of a run; replace an earlier one of the same run."""
        with self._writing() as connection:
            portal_id = connection.execute(select(PORTAL.c.id).where(PORTAL.c.name == portal)).scalar_one()
            connection.execute(
                delete(DRIFT_CHECK).where((DRIFT_CHECK.c.portal_id == portal_id) & (DRIFT_CHECK.c.round == round_number))
            )
            values = {
                "portal_id": portal_id, "round": round_number, "template_version": template, "figures": dict(figures),
                "violations": list(broken), "action": done, "checked_at": now,
            }  # fmt: skip
            connection.execute(insert(DRIFT_CHECK).values(values))
