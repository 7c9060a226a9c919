"""What is kept of an article in what was learned: its address, digests of its lines, lines that it shares with other pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from newscrawler.errors import ConfigError
from newscrawler.wrappers.portal.lines import key_of_line
from newscrawler.wrappers.portal.wrapper import PortalWrapper


def forget_article(document: str, urls: Iterable[str], texts: Iterable[str]) -> str | None:
    """Take an article out of a stored wrapper; None: nothing of it is in there.

    Args:
        document: the wrapper as JSON.
        urls: addresses of the article.
        texts: its headline, lead and paragraphs, of all its revisions.
    """
    try:
        wrapper = PortalWrapper.from_json(document)
    except ConfigError:  # of another version of the program: it is never applied, and what it quotes can not be told
        return None
    own, known = frozenset(urls), frozenset(filter(None, map(key_of_line, texts)))
    joined = "\n".join(known)
    provenance = wrapper.provenance
    forgotten = replace(
        wrapper,
        lines=tuple(line for line in wrapper.lines if key_of_line(line.text) not in known),
        inline=tuple(item for item in wrapper.inline if not (key := key_of_line(item.text)) or key not in joined),
        samples=tuple(page for page in wrapper.samples if page.url not in own),
        provenance=replace(
            provenance,
            urls=tuple(url for url in provenance.urls if url not in own),
            left_out=tuple(told for told in provenance.left_out if not told.startswith(tuple(f"{url}:" for url in own))),
        ),
    )
    return forgotten.to_json() if forgotten != wrapper else None
