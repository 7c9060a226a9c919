"""`newscrawler web` and `mcp`: serve the web application, manage its accounts, and serve tools for assistants."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newscrawler.cli.group import LazyGroup
from newscrawler.cli.options import add_configuration_options
from newscrawler.cli.screen import format_time, print_rows
from newscrawler.config import (
    CONFIGURATION_FILE,
    Configuration,
    check_network,
    create_configuration,
    load_configuration,
    parse_address,
)
from newscrawler.errors import ConfigError, counted, install_command
from newscrawler.store import open_store
from newscrawler.store.web import Role

if TYPE_CHECKING:
    import socket

    from newscrawler.web import WebServer


_DEFAULT = "127.0.0.1:8765"
_ROLES = ("reader", "reviewer", "operator")

role_option = click.option("--role", type=click.Choice(_ROLES), metavar="ROLE", help="reader, reviewer or operator.")
name_argument = click.argument("name", metavar="NAME")


def make_server(
    configuration: Configuration, address: tuple[str, int], user_header: str | None, proxies: tuple[str, ...],
    listener: socket.socket | None = None,
) -> WebServer:  # fmt: skip
    """Return the server of the web application.

    Raises:
        ConfigError: other machines have access and no login is required.
    """
    from newscrawler.web import WebServer

    return WebServer(configuration, *address, user_header=user_header, proxies=proxies, listener=listener)


@click.group("web", cls=LazyGroup, invoke_without_command=True)
@click.option("--address", metavar="HOST:PORT", help=f"Address and port; by default `web` of [service], or {_DEFAULT}.")
@click.option("--export", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="Write a static copy.")
@click.option("--behind-proxy", "user_header", metavar="HEADER", help="Header in which a proxy names the user who is logged in.")
@click.option(
    "--proxy", "proxies", multiple=True, metavar="NETWORK", help="Networks of proxies, in place of trusted_proxies of [web]."
)
@add_configuration_options
@click.pass_context
def web_group(
    ctx: click.Context, /, *, address: str | None, folder: Path | None, user_header: str | None, proxies: tuple[str, ...],
    configuration: Configuration,
) -> None:  # fmt: skip
    """Serve the web application until you stop it.

    In the browser you view, search, check and control the crawls.
    In a folder without newscrawler.toml it writes one, and the browser leads through the first steps. By default only this machine
    has access, without a login. As soon as there is an account, everybody has to log in. Other addresses need an account first, or
    a proxy that names the user. While no service runs, crawls and jobs that are requested in the browser run in processes of this
    command. With `web` in [service], `newscrawler run` serves it too.

    --export writes overview, articles, charts and releases as files for any web server, with a search. Articles that are reserved
    from archives are left out.

    \b
    Example:
      newscrawler web
      newscrawler web --export public
      newscrawler web account add anna --role operator
    """
    if ctx.invoked_subcommand is not None:
        return

    if folder is not None:
        from newscrawler.web import write_static_copy

        with open_store(configuration.database_url, create=False) as store:
            count = write_static_copy(store, configuration, folder)
        click.echo(f"{counted(count, 'article')} in {folder}; any web server can publish it.", err=True)
        return
    service = configuration.service
    try:
        place = parse_address(address) if address else service.web or parse_address(_DEFAULT)
        networks = tuple(check_network(value) for value in proxies)
    except ValueError as error:
        raise ConfigError(f"{address or proxies} is not an address and port such as {_DEFAULT}, or no network{error}") from error
    from newscrawler.web import bind_address

    listener = bind_address(*place)
    if configuration.path is None and ctx.params["database"] is None:  # the first run, which the browser leads through
        create_configuration(Path(CONFIGURATION_FILE))
        configuration = load_configuration(Path(CONFIGURATION_FILE))
    server = make_server(configuration, place, user_header or service.web_user_header, networks, listener)
    click.echo(f"The web application is at {server.url} – Ctrl-C ends it.", err=True)
    server.run()


@web_group.group("account", cls=LazyGroup)
def account_group() -> None:
    """Manage the accounts.

    A reader may view, a reviewer may also review, an operator may also change settings and control crawls.

    \b
    Example:
      newscrawler web account add anna --role operator
      newscrawler web account list
    """


@account_group.command("add")
@name_argument
@role_option
@add_configuration_options
def add_command(name: str, *, role: str | None, configuration: Configuration) -> None:
    """Add an account; the password is asked for.

    \b
    Example:
      newscrawler web account add anna --role operator
    """
    from newscrawler.web import hash_password

    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise ConfigError("the name of an account has 1 to 100 printable characters")
    password = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    hashed = hash_password(password)
    with open_store(configuration.database_url, migrate=False) as store:
        now = datetime.now(UTC)
        store.accounts.add(name, password=hashed, role=Role(role or "reader"), now=now)
        store.audit.note(who="terminal", action="account added", subject=name, detail=role or "reader", now=now)
    click.echo(f"{name} may log in")


@account_group.command("change")
@name_argument
@role_option
@click.option("--password", "ask", is_flag=True, help="Ask for a new password.")
@add_configuration_options
def change_command(name: str, *, role: str | None, ask: bool, configuration: Configuration) -> None:
    """Change the role or the password of an account; its sessions end.

    \b
    Example:
      newscrawler web account change anna --password
    """
    from newscrawler.web import hash_password

    if role is None and not ask:
        raise click.UsageError("give --role ROLE or --password")
    hashed = hash_password(click.prompt("Password", hide_input=True, confirmation_prompt=True)) if ask else None
    with open_store(configuration.database_url, create=False) as store:
        store.accounts.change(name, password=hashed, role=Role(role) if role else None)
        detail = ", ".join(filter(None, (role, "password" if ask else "")))
        store.audit.note(who="terminal", action="account changed", subject=name, detail=detail, now=datetime.now(UTC))
    click.echo(f"{name} is changed")


@account_group.command("close")
@name_argument
@add_configuration_options
def close_command(name: str, *, configuration: Configuration) -> None:
    """Close an account: its sessions end, and its tokens become invalid. Its actions stay in the audit log.

    \b
    Example:
      newscrawler web account close anna
    """
    with open_store(configuration.database_url, create=False) as store:
        now = datetime.now(UTC)
        store.accounts.close(name, now=now)
        store.audit.note(who="terminal", action="account closed", subject=name, now=now)
    click.echo(f"{name} may no longer log in")


@account_group.command("list")
@add_configuration_options
def list_command(*, configuration: Configuration) -> None:
    """List the accounts.

    \b
    Example:
      newscrawler web account list
    """
    with open_store(configuration.database_url, create=False) as store:
        rows = [
            (each.name, str(each.role), format_time(each.created_at), format_time(each.closed_at)) for each in store.accounts.all()
        ]
    print_rows(rows, ("name", "role", "since", "closed"))


@click.command("mcp")
@click.option("--purpose", default="", metavar="TEXT", help="Purpose of the assistant, for the audit log.")
@add_configuration_options
def mcp_command(*, purpose: str, configuration: Configuration) -> None:
    """Let an assistant search the corpus (Model Context Protocol).

    A client of the protocol starts this command and speaks with it over standard input and output. Its tools only read. Of an
    article whose publisher reserves it from AI models, or whose portal has no `licence` in the configuration, they return metadata,
    counts and the link, never text. Each call is in the audit log. It needs newscrawler[assistants].

    \b
    Example:
      newscrawler mcp --purpose "questions about floods"
    """
    try:
        from newscrawler.web import make_assistant_server
    except ImportError as error:
        raise ConfigError(f"this needs the SDK of the protocol: {install_command('assistants')}") from error
    with open_store(configuration.database_url, create=False) as store:
        make_assistant_server(store, configuration, purpose).run()
