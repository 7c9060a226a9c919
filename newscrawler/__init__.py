"""A polite, focused news crawler: portals in, clean articles in an SQL database out, night after night."""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["Article", "Paragraph", "ParagraphKind", "__version__", "extract"]

try:
    from newscrawler.article import Article, Paragraph, ParagraphKind
    from newscrawler.extract import extract
except KeyboardInterrupt:  # the command was interrupted before it began
    raise SystemExit(130) from None
