"""Serve the demo portal for inspection: python -m newscrawler.demo [--port N] [--layout modern]."""

from __future__ import annotations

import argparse
import sys
import threading

from newscrawler.demo.pages import LAYOUTS
from newscrawler.demo.portal import DemoPortal
from newscrawler.demo.server import serve


def main() -> int:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m newscrawler.demo", description="Serve the demo portal for looking at it.")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--layout", choices=sorted(LAYOUTS), default="classic")
    parser.add_argument("--held-back", type=int, default=0, metavar="N", help="leave out the N newest articles")
    options = parser.parse_args()
    try:
        with serve(DemoPortal(layout=options.layout, held_back=options.held_back), options.port) as running:
            sys.stdout.write(f"{running.base_url}/  (Ctrl-C ends)\n")
            sys.stdout.flush()
            threading.Event().wait()
            return 0
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        sys.stderr.write(f"port {options.port} cannot be used: {error.strerror}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
