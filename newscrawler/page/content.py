"""What callers hand over as a page: text, bytes, a tree, or a response of an HTTP library."""

from __future__ import annotations

import re
from os import PathLike
from typing import Any, NamedTuple, Protocol, runtime_checkable

from lxml import etree

from newscrawler.errors import ConfigError

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_FILE_NAME = re.compile(r"[^<>\n]*\.(?:html?|xhtml|mht(?:ml)?|php|aspx?|warc|gz|txt)", re.IGNORECASE)


@runtime_checkable
class Response(Protocol):
    """A response of Scrapy (`body`), httpx or requests (`content`); both have headers and the URL of the page."""

    @property
    def url(self) -> Any:
        """The address, after redirects."""

    @property
    def headers(self) -> Any:
        """The HTTP headers, a mapping."""


#: What `newscrawler.extract` takes.
Page = str | bytes | bytearray | memoryview | etree._Element | etree._ElementTree | Response  # noqa: SLF001  lxml names its classes so


class Content(NamedTuple):
    """A page as the parser takes it."""

    html: str | bytes
    url: str | None
    content_type: str | None


def content_of(page: Page, url: str | None = None, content_type: str | bytes | None = None) -> Content:
    """Return the text or the bytes of a page, with what is known of it.

    Args:
        page: text, bytes, an lxml tree (it is copied), or a response.
        url: goes before the response's own.
        content_type: goes before the response's own.

    Raises:
        ConfigError: it is an address, the path of a file, or nothing that holds a page.
    """
    kind = content_type.decode("latin-1") if isinstance(content_type, bytes) else content_type
    if isinstance(page, str):
        _check_text(page)
        return Content(page, url, kind)
    if isinstance(page, (bytes, bytearray, memoryview)):
        return Content(bytes(page), url, kind)
    if isinstance(page, (etree._Element, etree._ElementTree)):  # noqa: SLF001
        return Content(etree.tostring(page, encoding="unicode", method="html"), url, kind)
    if isinstance(page, PathLike):
        raise ConfigError(f"{str(page)!r} is the path of a file, not a page. Pass what it holds: extract(path.read_bytes()).")
    if isinstance(page, Response):
        return _of_response(page, url, kind)
    raise ConfigError(f"A page is text, bytes, an lxml tree or a response, not {type(page).__name__}.")


def _check_text(text: str) -> None:
    """Refuse an address and the name of a file, which are not pages."""
    bare = text.strip() if len(text) < 4096 else ""
    if _ADDRESS.fullmatch(bare):
        raise ConfigError(
            f"{bare} is an address, not a page. Fetch it and pass the response, or run `newscrawler extract {bare}`, "
            "which asks robots.txt first."
        )
    if _FILE_NAME.fullmatch(bare):
        raise ConfigError(f"{bare!r} is the name of a file, not a page. Pass what it holds: extract(Path({bare!r}).read_bytes()).")


def _of_response(response: Response, url: str | None, content_type: str | None) -> Content:
    body = getattr(response, "body", None)  # Scrapy
    if not isinstance(body, bytes):
        body = getattr(response, "content", None)  # httpx, requests
    if not isinstance(body, bytes):
        raise ConfigError(f"{type(response).__name__} has neither `body` nor `content` with the bytes of a page.")
    if content_type is None:
        declared = response.headers.get("Content-Type")
        content_type = declared.decode("latin-1") if isinstance(declared, bytes) else declared
    return Content(body, url or str(response.url), content_type)
