"""`newscrawler identity`: make the key that signs requests, publish it, and check what is published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import click

from newscrawler import __version__
from newscrawler.cli.group import LazyGroup
from newscrawler.cli.options import config_option, read_configuration
from newscrawler.config import Configuration, check_web_address, format_user_agent
from newscrawler.errors import ConfigError
from newscrawler.politeness.identity import (
    BOT_PAGE,
    MEDIA_TYPE,
    MOST_DIRECTORY_BYTES,
    SigningKey,
    check_directory,
    generate_key,
    get_directory_url,
    load_keys,
    make_bot_page,
    read_published_keys,
    rotate_keys,
    save_key,
    sign_directory,
    write_publication,
)

_SECONDS = 20.0


@click.group("identity", cls=LazyGroup)
def identity_group() -> None:
    """Sign requests, so that operators can recognise you.

    \b
    Example:
      newscrawler identity init --url https://www.your.domain
      newscrawler identity check
    """


@identity_group.command("init")
@click.option("--url", metavar="URL", help="Address of the site on which you publish the files; by default the configured one.")
@config_option
def init(*, url: str | None, config: Path | None) -> None:
    """Write a key and the files to publish.

    Only you can read the key. Publish the files, check them, then set `identity` in [crawler]. Requests are signed from then
    on (Web Bot Auth, RFC 9421).

    \b
    Example:
      newscrawler identity init --url https://www.your.domain
    """
    configuration = read_configuration(config)
    base = _find_base(url, configuration)
    now = datetime.now(UTC)
    if load_keys(configuration.identity_folder):
        raise ConfigError(f"there is a key in {configuration.identity_folder}; `newscrawler identity rotate` makes another")
    key = generate_key(now)
    click.echo(f"{save_key(configuration.identity_folder, key)} is written; nobody else may read it")
    _publish(configuration, base, (key,), now)
    click.echo(f'Then write identity = "{base}" under [crawler], and run `newscrawler identity check`.')


@identity_group.command("rotate")
@click.option("--url", metavar="URL", help="Address of your site; by default the configured one.")
@config_option
def rotate(*, url: str | None, config: Path | None) -> None:
    """Make another key, which signs from tomorrow on.

    Publish the directory again today. It lists the previous key for one more week. A running service uses the new key from
    the next crawl on.

    \b
    Example:
      newscrawler identity rotate
    """
    configuration = read_configuration(config)
    base, now = _find_base(url, configuration), datetime.now(UTC)
    before = load_keys(configuration.identity_folder)
    if not before:
        raise ConfigError(f"there is no key in {configuration.identity_folder}; `newscrawler identity init` makes one")
    keys = rotate_keys(before, now)
    for key in keys:
        save_key(configuration.identity_folder, key)
    for key in before:
        if key.expires_at <= now:
            (configuration.identity_folder / key.file_name).unlink(missing_ok=True)
    click.echo(f"The key {keys[-1].thumbprint} signs from {keys[-1].not_before:%Y-%m-%d %H:%M} UTC on.")
    _publish(configuration, base, keys, now)


@identity_group.command("headers")
@click.option("--url", metavar="URL", help="Address of your site; by default the configured one.")
@config_option
def headers(*, url: str | None, config: Path | None) -> None:
    """Print the header fields that the directory of keys needs.

    They prove that the owner of the keys publishes the directory, and are valid until the keys expire. Put them into the
    configuration of the server, and again after `identity rotate`.

    \b
    Example:
      newscrawler identity headers
    """
    configuration = read_configuration(config)
    keys = load_keys(configuration.identity_folder)
    if not keys:
        raise ConfigError(f"there is no key in {configuration.identity_folder}; `newscrawler identity init` makes one")
    fields = sign_directory(keys, get_directory_url(_find_base(url, configuration)), datetime.now(UTC))
    for name, value in ({"Content-Type": MEDIA_TYPE} | fields).items():
        click.echo(f"{name}: {value}")


@identity_group.command("check")
@click.argument("url", required=False)
@config_option
@click.pass_context
def check(ctx: click.Context, *, url: str | None, config: Path | None) -> None:
    """Check what is published, as an operator of a portal would.

    \b
    Example:
      newscrawler identity check https://www.your.domain
    """
    configuration = read_configuration(config)
    base = _find_base(url, configuration)
    keys = load_keys(configuration.identity_folder)
    if not keys:
        raise ConfigError(f"there is no key in {configuration.identity_folder}; `newscrawler identity init` makes one")
    problems = list(_find_problems(base, keys))
    for problem in problems:
        click.echo(problem)
    if problems:
        ctx.exit(1)
    click.echo(f"{base} publishes what is needed: others can check your requests.")


def _find_base(url: str | None, configuration: Configuration) -> str:
    base = url or configuration.identity
    if base is None:
        raise ConfigError("say at which address the files are published: --url https://www.your.domain")
    try:
        return check_web_address(base).rstrip("/")
    except ValueError as error:
        raise ConfigError(f"{base} is not an address to publish at{error}") from error


def _publish(configuration: Configuration, base: str, keys: tuple[SigningKey, ...], now: datetime) -> None:
    if not configuration.contact:
        raise ConfigError("write your contact under [crawler] first: the page about the bot shows it")
    page = make_bot_page(format_user_agent(configuration.contact, base), configuration.contact, base)
    for path in write_publication(configuration.identity_folder / "publish", keys, now=now, page=page):
        click.echo(f"Publish {path} as {base}/{path.relative_to(configuration.identity_folder / 'publish').as_posix()}")
    click.echo(
        f"The directory must be served as {MEDIA_TYPE}, over https, without a redirect, and with the header fields that "
        "`newscrawler identity headers` prints."
    )


def _find_problems(base: str, keys: tuple[SigningKey, ...]) -> Iterator[str]:
    url = get_directory_url(base)
    try:
        status, fields, body = _get(url, MOST_DIRECTORY_BYTES + 1)
    except OSError as error:
        yield f"{url} cannot be fetched: {getattr(error, 'reason', error)}"
        return
    yield from check_directory(url, status=status, fields=fields, body=body, keys=keys, now=datetime.now(UTC))
    try:
        status, _, _ = _get(base + BOT_PAGE, MOST_DIRECTORY_BYTES)
    except OSError as error:
        yield f"{base}{BOT_PAGE} cannot be fetched: {getattr(error, 'reason', error)}"
        return
    if status != 200:
        yield f"{base}{BOT_PAGE} answers {status}; operators look there for who you are"


def fetch_public_keys(place: str) -> list[Mapping[str, Any]]:
    """Return the public keys (JWK) of a file, or of the site that publishes an identity.

    Raises:
        ConfigError: there are none.
    """
    try:
        if "://" in place:
            url = get_directory_url(check_web_address(place).rstrip("/"))
            status, _, body = _get(url, MOST_DIRECTORY_BYTES + 1)
            if status != 200:
                raise ConfigError(f"{url} answers {status}, so no keys can be read there")
        else:
            body = Path(place).read_bytes()
    except OSError as error:
        raise ConfigError(f"{place} cannot be read: {getattr(error, 'reason', None) or error.strerror or error}") from error
    except ValueError as error:
        raise ConfigError(f"{place} is not a web address{error}") from error
    keys = read_published_keys(body)
    if not keys:
        raise ConfigError(f"{place} contains neither a public key (JWK) nor a directory of keys")
    return keys


def _get(url: str, most: int) -> tuple[int, dict[str, str], bytes]:
    """Fetch a URL of the user's own site, without following redirects."""

    class NoRedirect(HTTPRedirectHandler):
        def redirect_request(self, *_: Any, **__: Any) -> None:
            return None

    request = Request(url, headers={"User-Agent": f"newscrawler/{__version__} (identity check)"})  # noqa: S310  web_address checked it
    try:
        with build_opener(NoRedirect).open(request, timeout=_SECONDS) as answer:
            return answer.status, _join_fields(answer.headers), answer.read(most)
    except HTTPError as error:
        return error.code, _join_fields(error.headers), b""


def _join_fields(headers: Message) -> dict[str, str]:
    return {name.lower(): ", ".join(headers.get_all(name, [])) for name in headers}
