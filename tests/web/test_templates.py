"""Templates hold what the program calls things: neither mypy nor a page without the case finds a stale name in them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from jinja2 import nodes
from jinja2.runtime import LoopContext

import newscrawler
from newscrawler.web.requests.context import FOLDER, make_environment

_METHODS = {name for kind in (str, dict, list, datetime, timedelta, LoopContext) for name in dir(kind)}
#: Of namespaces in templates.
_METHODS |= {"x", "xs", "weeks", "months", "all", "index0", "first", "rest"}
_DEFINITION = re.compile(r"^\s+(?:def )?(\w+)\s*[:(=]|[\"'](\w+)[\"']\s*[:,\]})]|(\w+)=", re.MULTILINE)


@pytest.fixture(scope="module")
def defined() -> set[str]:
    """Every name that a class, a dictionary or a call of the package defines."""
    sources = (path.read_text() for path in Path(newscrawler.__file__).parent.rglob("*.py"))
    return _METHODS | {name for source in sources for found in _DEFINITION.findall(source) for name in found if name}


@pytest.mark.parametrize("template", sorted(path.name for path in FOLDER.glob("*.html")))
def test_every_attribute_that_a_template_reads_is_defined(template: str, defined: set[str]) -> None:
    tree = make_environment().parse((FOLDER / template).read_text())

    read = {found.attr: found.lineno for found in tree.find_all(nodes.Getattr)}

    assert not {name: line for name, line in read.items() if name not in defined}
