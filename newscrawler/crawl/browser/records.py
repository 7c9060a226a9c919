"""What the browser is asked for, and what it answers, as frozen records."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserOptions:
    """How the browser's process is started."""

    #: Path of Chromium.
    executable: str
    user_agent: str
    #: False: Chromium runs without its sandbox.
    sandbox: bool = True
    #: Of all processes of the browser together; beyond that they are killed.
    memory_megabytes: int = 1500
    #: For one page, the time in which its requests wait left out.
    deadline_seconds: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderJob:
    """A page to be built."""

    url: str
    #: As the server sent it.
    body: bytes = field(repr=False)
    content_type: str
    #: Words of buttons that the operator allows to be pressed, where a visitor is offered them in plain sight.
    consent: tuple[str, ...] = ()
    #: Words of buttons that offer more of a listing, in small letters; empty: the page is no listing.
    more: tuple[str, ...] = ()
    #: Characters of the largest page that is taken.
    most_characters: int = 5 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Subrequest:
    """What a page asks for while it is built."""

    url: str
    #: script, xhr, fetch or stylesheet.
    kind: str
    #: What is sent by POST; None: the request is a GET.
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subanswer:
    """The answer to it."""

    status: int
    content_type: str
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A page as the browser has built it."""

    html: str = field(repr=False)
    #: Kinds and addresses that were refused without asking, each once; at most 50.
    refused: tuple[str, ...] = ()
    #: The button of consent that was pressed.
    consented: str | None = None


class BrowserError(Exception):
    """The page could not be built: its browser was killed or has failed."""


class PageTooCostlyError(BrowserError):
    """The page takes too long or too much memory, or is too large; another try would cost the same."""


class BrowserUnavailableError(Exception):
    """There is no browser that may be used; the message says what to do."""
