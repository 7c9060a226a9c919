"""What a template keeps of an article: its address, and lines that it shares with other pages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from newscrawler.errors import ConfigError
from newscrawler.wrappers.portal.lines import key_of_line
from newscrawler.wrappers.portal.wrapper import PortalWrapper


def forget_article(document: str, urls: Iterable[str], texts: Iterable[str]) -> str | None:
    """Take an article out of a stored template; None: nothing of it is in there.

    Of a template of another version of the program, which is never applied, only what was set by hand stays.

    Args:
        document: the template as JSON.
        urls: addresses of the article.
        texts: its headline, lead and paragraphs, of all its revisions.
    """
    try:
        wrapper = PortalWrapper.from_json(document)
    except ConfigError:
        return _set_by_hand(document)
    own, known = frozenset(urls), frozenset(filter(None, map(key_of_line, texts)))
    joined = "\n".join(known)
    provenance = wrapper.provenance
    forgotten = replace(
        wrapper,
        lines=tuple(line for line in wrapper.lines if key_of_line(line.text) not in known),
        inline=tuple(item for item in wrapper.inline if not (key := key_of_line(item.text)) or key not in joined),
        provenance=replace(
            provenance,
            urls=tuple(url for url in provenance.urls if url not in own),
            left_out=tuple(reason for reason in provenance.left_out if not reason.startswith(tuple(f"{url}:" for url in own))),
        ),
    )
    return forgotten.to_json() if forgotten != wrapper else None


def _set_by_hand(document: str) -> str | None:
    """Return what people set in a template that cannot be read; None where it holds nothing else."""
    try:
        stored = json.loads(document)
        kept = {key: stored[key] for key in ("method", "version", "overrides") if key in stored}
    except (ValueError, TypeError, RecursionError):
        return "{}"
    return json.dumps(kept, ensure_ascii=False) if kept != stored else None
