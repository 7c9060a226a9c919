"""The command in a process of its own, forked from one that has imported everything: a crawl saves 2 s of CPU time by that.

`run` and `CommandProcess` stand in place of `subprocess.run` and `subprocess.Popen` for `python -m MODULE …` and
`python -c CODE`. What a command imports by itself, and how a new interpreter starts it, is tested with real ones.
"""

from __future__ import annotations

import array
import atexit
import ctypes
import dataclasses
import functools
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn

_PR_SET_CHILD_SUBREAPER = 36
_LARGEST_REQUEST = 1 << 20
_ASKING = threading.Lock()
#: For tests of what is tried again: set it to a number of seconds, and first pauses after failures are that long.
FIRST_PAUSE = "TESTS_FIRST_PAUSE_SECONDS"


class CommandProcess(subprocess.Popen):  # type: ignore[type-arg]
    """A child of this process as `subprocess.Popen` makes them, but forked by the server."""

    def _execute_child(
        self, args: Any, executable: Any, preexec_fn: Any, close_fds: Any, pass_fds: Any, cwd: Any, env: Any, startupinfo: Any,
        creationflags: Any, shell: Any, p2cread: int, p2cwrite: int, c2pread: int, c2pwrite: int, errread: int, errwrite: int,
        *rest: Any,
    ) -> None:  # fmt: skip
        assert args[0] == sys.executable, "only Python can be forked from Python"
        assert not any((preexec_fn, pass_fds, shell)), "a fork cannot do that"
        given = [number if number >= 0 else default for default, number in enumerate((p2cread, c2pwrite, errwrite))]
        request = {
            "arguments": list(map(str, args[1:])), "folder": str(cwd or Path.cwd()),
            "environment": dict(os.environ if env is None else env),
        }  # fmt: skip
        try:
            self.pid = _fork(request, given)
            self._child_created = True
        finally:
            self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)


def run(
    arguments: list[Any], *, input: str | bytes | None = None, timeout: float | None = None, check: bool = False,  # noqa: A002
    capture_output: bool = False, **options: Any,
) -> subprocess.CompletedProcess[Any]:  # fmt: skip
    """Stand in place of `subprocess.run`."""
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        options["stdin"] = subprocess.PIPE
    with CommandProcess(arguments, **options) as process:
        try:
            out, errors = process.communicate(input, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(arguments, process.returncode, out, errors)
    if check:
        done.check_returncode()
    return done


def _fork(request: dict[str, Any], files: list[int]) -> int:
    """Have the server fork; the child is ours, for this process adopts it while the server's own child between them ends."""
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
    with _ASKING:
        connection = _server()
        _adopt_orphans(on=True)
        try:
            connection.sendmsg([json.dumps(request).encode()], rights)
            answer = connection.recv(64)
        finally:
            _adopt_orphans(on=False)
    assert answer.isdigit(), "the server that commands are forked from has died"
    return int(answer)


def _adopt_orphans(*, on: bool) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(on), 0, 0, 0)


@functools.cache
def _server() -> socket.socket:
    """Start the server of this process; it ends with us, when the socket closes."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for each in (ours, its):
        each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LARGEST_REQUEST)
    with its:
        process = subprocess.Popen(
            [sys.executable, __file__, str(its.fileno())], stdin=subprocess.DEVNULL, pass_fds=[its.fileno()],
            start_new_session=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )  # fmt: skip

    def close() -> None:
        ours.close()
        process.wait()

    atexit.register(close)
    return ours


# ------------------------------------------------------------------ the server's side


def serve(connection: socket.socket) -> None:
    """Fork until the tests close the socket."""
    from importlib import import_module

    from newscrawler.cli.main import COMMANDS
    from newscrawler.crawl import preload
    from newscrawler.store import open_store

    preload()
    for target, _ in COMMANDS.values():
        import_module(f"newscrawler.cli.{target.partition(':')[0]}")
    import_module("scrapy.cmdline")
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/any.sqlite"):
        pass  # what makes tables is imported when they are made
    gc.collect()
    gc.freeze()
    while True:
        data, files, *_ = socket.recv_fds(connection, _LARGEST_REQUEST, 3)
        if not data:
            return
        connection.send(_answer(json.loads(data), files, connection))
        for each in files:
            os.close(each)


def _answer(request: dict[str, Any], files: list[int], connection: socket.socket) -> bytes:
    reading, writing = os.pipe()
    between = os.fork()
    if not between:
        child = os.fork()
        if not child:
            for each in (reading, writing, connection.detach()):
                os.close(each)
            _become(request, files)
        os.write(writing, b"%d" % child)
        os._exit(0)
    os.close(writing)
    os.waitpid(between, 0)
    with os.fdopen(reading, "rb") as answer:
        return answer.read()


def _become(request: dict[str, Any], files: list[int]) -> NoReturn:
    """Be what a new interpreter would be, down to what it does when it ends; only modules are not taken apart."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number, each in enumerate(files):
            os.dup2(each, number)
            os.close(each)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            encoding = os.environ.get("PYTHONIOENCODING") or "utf-8"
            stream = open(number, "r" if number == 0 else "w", encoding=encoding, buffering=1 if number == 2 else -1)  # noqa: SIM115, PTH123
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        if FIRST_PAUSE in os.environ:
            _shorten_pauses(float(os.environ[FIRST_PAUSE]))
        code = _exit_code(request["arguments"])
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
    finally:
        os._exit(code)


def _shorten_pauses(seconds: float) -> None:
    from newscrawler.crawl.hosts.origin_files import FILE_RULES
    from newscrawler.crawl.run import commits
    from newscrawler.politeness import delays
    from newscrawler.store.vocabularies import OriginFileKind

    for module in (commits, delays):
        assert seconds <= module.FIRST_PAUSE_SECONDS
        module.FIRST_PAUSE_SECONDS = seconds
    rule = FILE_RULES[OriginFileKind.ROBOTS]
    FILE_RULES[OriginFileKind.ROBOTS] = dataclasses.replace(rule, first_pause=timedelta(seconds=seconds))


def _exit_code(arguments: list[str]) -> int:
    option, what, *rest = arguments
    try:
        if option == "-c":
            sys.argv, sys.path[0] = ["-c", *rest], ""
            exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
        else:
            assert option == "-m", arguments
            sys.argv, sys.path[0] = ["", *rest], str(Path.cwd())
            runpy.run_module(what, run_name="__main__", alter_sys=True)
    except SystemExit as ending:
        if isinstance(ending.code, str):
            sys.stderr.write(f"{ending.code}\n")
        return ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:  # noqa: BLE001
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
