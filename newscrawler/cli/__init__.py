"""The command line. Each command parses, calls and prints, and does no work itself."""

__all__ = ["main"]

try:
    from newscrawler.cli.main import main
except KeyboardInterrupt:  # the command was interrupted before it began
    raise SystemExit(130) from None
