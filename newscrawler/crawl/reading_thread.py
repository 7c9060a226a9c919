"""The thread in which pages are parsed and read, so that the reactor sends requests, answers and heartbeats meanwhile.

There is one for the process, since Python runs one thread at a time anyway; so a tree of lxml is never used by two. What a run
learns of its portal while it reads (`LinkPolicy`, `PortalPages`) is touched by this thread alone; `PortalProfile`, which the
reactor writes to the database, has a lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")


async def in_reading_thread(call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Make a call when the thread has made those before it; return what it returns."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, lambda: call(*args, **kwargs))
