"""Labelled pages of public data sets, packed (one `Page` a line) or as plain clones of their repositories."""
from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Page:
    dataset: str
    id: str
    url: str | None
    html: str
    gold: dict[str, Any]
    give_url: bool


def load(root: Path, name: str) -> Iterator[Page]:
    with gzip.open(root / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            yield Page(name, item["id"], item["url"], item["html"], item["gold"], item.get("give_url", True))
