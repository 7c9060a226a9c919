"""The browser's process: builds pages with Chromium, one after another, and asks the crawl for everything that they ask for.

`python -m newscrawler.crawl.browser.child FD`. The first message on the socket contains the options, and is answered by `ready`,
`failed` or, where another try is in vain, `unavailable`; then each `render` is answered by `rendered` or `failed`. In between,
`request` is answered by `answer` or `refuse`, and `links` by `proceed`.

Before it starts Chromium, the process leaves the network, drops the rights of root, and sheds its parent's limits (Linux only). A
separate network namespace has no interface that is up, so nothing in it reaches any address; pages get their data from the crawl.
Chromium's sandbox needs a user that is not root and a kernel that lets it make user namespaces.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from newscrawler.crawl.browser.messages import CrawlConnection, read_message
from newscrawler.crawl.browser.page_builder import PageBuilder, load_scripts

#: Arguments of Chromium. Interception answers all requests; should one escape it, it has neither names nor a way out.
ARGUMENTS = (
    "--disable-gpu", "--disable-webgl", "--mute-audio", "--disable-remote-fonts", "--blink-settings=imagesEnabled=false",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-pings", "--dns-prefetch-disable",
    "--disable-breakpad", "--disable-notifications", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
    "--js-flags=--max-old-space-size=512", "--renderer-process-limit=2",
)  # fmt: skip


async def _serve(connection: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=connection)
    first = await read_message(reader)
    if first is None:
        return
    crawl, options = CrawlConnection(writer), first.head
    folder = Path(options["folder"])
    api = import_module("playwright.async_api")
    load_scripts()
    isolated = leave_network()
    dropped = drop_root(folder)
    os.environ.update(HOME=str(folder), TMPDIR=str(folder), DBUS_SESSION_BUS_ADDRESS="disabled:")
    if not isolated or not dropped:
        why = "the kernel gives it no network namespace of its own" if dropped else "it cannot stop being root"
        crawl.send({"type": "unavailable", "why": f"the browser is not started: {why}"})
        await writer.drain()
        return
    async with api.async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(
                executable_path=options["executable"], chromium_sandbox=options["sandbox"], args=list(ARGUMENTS), timeout=60_000
            )
        except api.Error as error:
            crawl.send({"type": "failed", "why": _launch_failure(str(error), sandbox=options["sandbox"])})
            await writer.drain()
            return
        crawl.send({"type": "ready", "version": browser.version})
        await _build_pages(reader, crawl, PageBuilder(browser, crawl, options["user_agent"]))


async def _build_pages(reader: asyncio.StreamReader, crawl: CrawlConnection, builder: PageBuilder) -> None:
    building: asyncio.Task[None] | None = None
    while (message := await read_message(reader)) is not None:
        if message.type == "render":
            building = asyncio.ensure_future(builder.build(message.head, message.body))
        else:
            crawl.answered(message)
    if building is not None:
        building.cancel()


def _launch_failure(error: str, *, sandbox: bool) -> str:
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    said = next((line for line in lines if "sandbox" in line.lower() or "error while loading" in line.lower()), "")[:200]
    shown = said or (lines[0][:200] if lines else "no reason is given")
    if sandbox and "sandbox" in error.lower():
        remedy = "`sandbox = false` in [browser] runs it without, which a page may abuse"
        return f"Chromium's sandbox does not start here ({shown}); {remedy}"
    return f"Chromium does not start: {shown}"


def main() -> None:
    """Serve the crawl at the other end of the socket until it closes it."""
    die_with_parent()
    connection = socket.socket(fileno=int(sys.argv[1]))
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(connection))


_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
#: The user that has no rights at all, on every Linux.
NOBODY = 65534


def die_with_parent() -> None:
    """End with the crawl, and be the parent of whatever outlives its own parent below this process."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft != hard:  # the crawl's own limit, which is not made for a browser
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def leave_network() -> bool:
    """Leave the network for a separate namespace; False: the kernel does not allow it."""
    if _unshare(_CLONE_NEWNET):
        return True
    user, group = os.getuid(), os.getgid()
    if not _unshare(_CLONE_NEWUSER | _CLONE_NEWNET):
        return False
    with suppress(OSError):  # the same user inside, without which files could not be made
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    return True


def drop_root(folder: Path) -> bool:
    """Go on as nobody where this is root, and as no user that could become another; False: that is refused.

    The folder is to belong to nobody, too.
    """
    if os.geteuid() == 0:
        try:
            os.chown(folder, NOBODY, NOBODY)
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        except OSError:
            return False
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of user clears it
    return True


def _unshare(flags: int) -> bool:
    return _call("unshare", flags) == 0


def _prctl(option: int, value: int) -> None:
    _call("prctl", option, value, 0, 0, 0)


def _call(name: str, *arguments: int) -> int:
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (AttributeError, OSError):
        return -1
    return int(function(*arguments))


if __name__ == "__main__":
    main()
