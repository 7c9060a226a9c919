"""Time that does not depend on who measures coverage or uses the machine besides us."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def untraced() -> Iterator[None]:
    """Nothing within is traced: coverage makes it three times slower."""
    trace = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(trace)


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process for the work."""
    gc.freeze()  # else the collector walks through all that other tests have left
    try:
        with untraced():
            started = time.process_time()
            work()
            return time.process_time() - started
    finally:
        gc.unfreeze()
