"""`newscrawler template`: what was learned of portals."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.group import LazyGroup
from newscrawler.cli.lines import encode
from newscrawler.cli.options import MOST, PortalName, Whole, add_configuration_options, json_option, open_known
from newscrawler.cli.screen import format_time, print_listing, sanitize
from newscrawler.corpus import open_target
from newscrawler.errors import ConfigError
from newscrawler.store import Store
from newscrawler.store.articles import Selection
from newscrawler.store.vocabularies import TemplateOrigin, TemplateState

if TYPE_CHECKING:
    from newscrawler.config import Configuration
    from newscrawler.store.articles import DriftCheck, StoredTemplate

_CHECKS = 10

portal_argument = click.argument("portal", type=PortalName(), metavar="PORTAL")
version_option = click.option("--version", "version", type=Whole(1, MOST), metavar="N", help="By default the one in use.")


_LAZY = {
    "compare": ("template_methods:compare_command", "Report the pages that do not match a Trinity template."),
    "field": ("template_methods:field_group", "Learn regular expressions that find a field in texts."),
    "groups": ("template_methods:groups_command", "Show the tree of a Trinity template, or what groups capture."),
    "name": ("template_methods:name_command", "Name the groups of a Trinity template: title, body and others."),
    "learn": ("template_learn:learn_command", "Learn from pages of one portal how its pages are laid out."),
    "test": ("template_learn:test_command", "Try a template on pages, and show what it would change."),
    "override": ("template_learn:override_command", "Set where a field is: a CSS selector or an XPath."),
}


@click.group("template", cls=LazyGroup, lazy=_LAZY)
def template_group() -> None:
    """Show, learn and repair the templates of portals.

    Crawls learn it by themselves from the pages that they keep, notice when it fits no longer, and learn it anew; every version
    stays. A template is a JSON file that people can read, edit and pass on.

    \b
    Example:
      newscrawler template list
      newscrawler template show example
      newscrawler template rollback example
    """


@template_group.command("list")
@click.argument("portal", type=PortalName(), metavar="[PORTAL]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one version a line.")
@add_configuration_options
def list_command(portal: str | None, *, as_json: bool, configuration: Configuration) -> None:
    """List the versions of templates, oldest first.

    Each with its portal, number, day, where it comes from, its state, and why it is in it.

    \b
    Example:
      newscrawler template list example
    """
    with open_known(configuration, Selection(portal=portal)) as store:
        versions = store.templates.versions(portal)
    rows = ((v.portal, v.version, f"{v.created_at:%Y-%m-%d}", v.origin, str(v.state), v.note) for v in versions)
    print_listing(map(_version_to_dict, versions), rows, ("portal", "version", "day", "from", "state", "why"), as_json=as_json)


@template_group.command("show")
@portal_argument
@version_option
@json_option
@add_configuration_options
def show_command(portal: str, *, version: int | None, as_json: bool, configuration: Configuration) -> None:
    """Show a template, and how well it fits the latest pages.

    \b
    Example:
      newscrawler template show example
    """
    from newscrawler.extraction.templates import PortalTemplate
    from newscrawler.plugins import get_site_method_name

    with open_known(configuration, Selection(portal=portal)) as store:
        stored = find_version(store, portal, version)
        checks = store.drift_checks.of(portal, limit=_CHECKS)
    template = stored.read()
    if as_json:
        rounds = [
            {"round": each.round, "template": each.template, "broken": each.broken, "done": each.done, "figures": each.figures}
            for each in checks
        ]
        click.echo(encode(_version_to_dict(stored) | {"template": json.loads(stored.document), "rounds": rounds}), nl=False)
        return
    if not isinstance(template, PortalTemplate):
        kind = f"a template of {get_site_method_name(template.method)}, {len(stored.document)} characters"
        click.echo(sanitize(f"{stored.portal}, version {stored.version}, {stored.state}: {stored.note}; {kind}"))
        return
    click.echo(f"{stored.portal}, version {stored.version}, {stored.origin} on {format_time(stored.created_at)}: {stored.state}")
    click.echo(sanitize(stored.note))
    click.echo("\nlayouts")
    for layout in template.layouts:
        sizes = f"texts of {layout.shortest} to {layout.longest} characters"
        click.echo(sanitize(f"  {layout.name:<12}{layout.pages:>4} pages, {len(layout.places):>4} places, {sizes}"))
    click.echo(f"lines that recur  {len(template.lines)}")
    if template.overrides:
        click.echo("set by hand")
        for name, selector in template.overrides.items():
            click.echo(sanitize(f"  {name:<12}{selector}"))
    _print_checks(checks)


def _print_checks(checks: list[DriftCheck]) -> None:
    if not checks:
        return
    click.echo("\nlatest rounds (pages, share explained, agreement)")
    for check in checks:
        explained, agreement = check.figures.get("explained", {}), check.figures.get("agreement", {})
        agrees = f"{agreement['mean']:.2f}" if agreement else "-"
        figures = f"{explained.get('mean', 0):.2f}  {agrees}" if explained else "read one by one"
        click.echo(f"  {format_time(check.at)}  {check.figures.get('article', {}).get('pages', 0):>5}  {figures}")
        for sentence in (*check.broken, check.done):
            if sentence:
                click.echo(sanitize(f"      {sentence}"))


@template_group.command("schema")
def schema_command() -> None:
    """Print the JSON schema of a template.

    For editors that help to write it, and for those who want to know what each part means.

    \b
    Example:
      newscrawler template schema > template.schema.json
    """
    from newscrawler.extraction.templates import make_schema

    click.echo(json.dumps(make_schema(), indent=1, ensure_ascii=False).encode())


@template_group.command("diff")
@portal_argument
@click.argument("versions", nargs=-1, type=Whole(1, MOST), metavar="[OLD [NEW]]")
@add_configuration_options
def diff_command(portal: str, versions: tuple[int, ...], *, configuration: Configuration) -> None:
    """Show what differs between two versions.

    By default the one in use and the one before it.

    \b
    Example:
      newscrawler template diff example 1 3
    """
    if len(versions) > 2:
        raise click.UsageError("give two versions at most: OLD NEW")
    with open_known(configuration, Selection(portal=portal)) as store:
        new = find_version(store, portal, versions[1] if len(versions) == 2 else None)
        before = [known.version for known in store.templates.versions(portal) if known.version < new.version]
        if not versions and not before:
            raise ConfigError(f"{portal} has no version before {new.version} to compare with")
        old = find_version(store, portal, versions[0] if versions else before[-1])
    names = f"version {old.version}", f"version {new.version}"
    for line in unified_diff(old.list_lines(), new.list_lines(), *names, lineterm=""):
        click.echo(sanitize(line))


@template_group.command("export")
@portal_argument
@version_option
@click.option("--output", default="-", metavar="FILE", help="Where to; - or nothing: standard output.")
@add_configuration_options
def export_command(portal: str, *, version: int | None, output: str, configuration: Configuration) -> None:
    """Write a template as a template file, to review, edit or pass on.

    \b
    Example:
      newscrawler template export example --output example.json
    """
    with open_known(configuration, Selection(portal=portal)) as store:
        stored = find_version(store, portal, version)
    path = None if output == "-" else Path(output)
    with open_target(path) as stream:
        stream.write("\n".join([*stored.list_lines(), ""]).encode("utf-8", "backslashreplace"))
    if path:
        click.echo(f"version {stored.version} written to {path}", err=True)


@template_group.command("import")
@portal_argument
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@add_configuration_options
def import_command(portal: str, file: Path, *, configuration: Configuration) -> None:
    """Use a template file as a new version of PORTAL's template.

    The file may come from anywhere: it is checked, and what it may cost is bounded. `rollback` goes back.

    \b
    Example:
      newscrawler template import example example.json
    """
    from newscrawler.extraction.templates import read_template_file, write_template

    document, note = write_template(read_template_file(file)), f"imported from {file.name}"
    with open_known(configuration, Selection(portal=portal)) as store:
        stored = store.templates.add(
            portal, document, origin=TemplateOrigin.IMPORTED, state=TemplateState.IN_USE, note=note, now=datetime.now(UTC)
        )
    click.echo(f"{portal}: version {stored.version} is in use ({sanitize(note)})")


@template_group.command("rollback")
@portal_argument
@click.option("--to", type=Whole(0, MOST), metavar="N", help="Which version; 0: none, pages are read one by one.")
@add_configuration_options
def rollback_command(portal: str, *, to: int | None, configuration: Configuration) -> None:
    """Go back to an earlier version of PORTAL's template.

    By default to the one that was in use before.
    The version in use is withdrawn. What crawls learn after that is listed and not used by itself; `rollback --to N` takes any
    version into use, and `template learn` learns one that is.

    \b
    Example:
      newscrawler template rollback example
      newscrawler template rollback example --to 1
    """
    with open_known(configuration, Selection(portal=portal)) as store:
        used = store.templates.in_use(portal)
        if to is None:
            earlier = [known for known in store.templates.versions(portal) if known.state is TemplateState.REPLACED]
            if used is None:
                raise ConfigError(f"{portal} has no template in use to go back from; --to N takes a version into use")
            to = max((known.version for known in earlier if known.version < used.version), default=0)
        elif to:
            find_version(store, portal, to)
        if used is not None and used.version == to:
            raise ConfigError(f"version {to} of {portal} is in use already")
        store.templates.go_back(portal, to or None)
    click.echo(f"{portal}: version {to} is in use" if to else f"{portal}: no template is in use, pages are read one by one")


def find_version(store: Store, portal: str, version: int | None) -> StoredTemplate:
    """Return a version of a portal's template, by default the one in use."""
    found = store.templates.in_use(portal) if version is None else store.templates.get(portal, version)
    if found is not None:
        return found
    known = ", ".join(str(each.version) for each in store.templates.versions(portal))
    if version is None and not known:
        raise ConfigError(
            f"nothing was learned of {portal} yet; crawls learn by themselves, or `newscrawler template learn {portal}`"
        )
    wanted = "has no template in use" if version is None else f"has no template of version {version}"
    raise ConfigError(f"{portal} {wanted}; there are: {known or 'none'}")


def _version_to_dict(stored: StoredTemplate) -> dict[str, Any]:
    return {
        "portal": stored.portal, "version": stored.version, "created_at": stored.created_at.isoformat(),
        "origin": stored.origin, "state": str(stored.state), "why": stored.note, "figures": dict(stored.figures),
    }  # fmt: skip
