"""Templates as JSON: method, parameters, version and what was learned; no code, so that a template may be passed on."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

from newscrawler.errors import ConfigError
from newscrawler.extraction.templates.protocol import Template
from newscrawler.research.methods.parameters import name_of_written
from newscrawler.research.site_methods.table import SITE_METHODS, find_site_method


def to_json(template: Template) -> str:
    """Write a template."""
    method: Any = template.method
    learned = template.learned()
    stored = {"method": name_of(template), "version": template.version, "parameters": asdict(method), "learned": learned}
    return json.dumps(stored, ensure_ascii=False)


def name_of(template: Template) -> str:
    """Return the name of the method that learned a template; with parameters of its own, that of the first of its class."""
    method = template.method
    named = next((name for name, known in SITE_METHODS.items() if known == method), None)
    return named or next(name for name, known in SITE_METHODS.items() if type(known) is type(method))


def method_in(text: str) -> str:
    """Return the method that the text of a template names; "" where it names none."""
    try:
        return str(json.loads(text).get("method") or "")
    except (ValueError, AttributeError, RecursionError):
        return ""


def is_template_of(text: str, written: str) -> bool:
    """Return whether a template is of a method, and has the parameters if some are written behind its name."""
    name = name_of_written(written)
    if method_in(text) != name:
        return False
    try:
        return name == written or from_json(text).method == find_site_method(written)
    except ConfigError:
        return False


def from_json(text: str) -> Template:
    """Read a template again.

    Raises:
        ConfigError: it is no template, of an unknown method, or of another version of its method.
    """
    try:
        stored = json.loads(text)
        name, version = stored["method"], stored["version"]
        method: Any = SITE_METHODS.get(name)
        if method is None:
            msg = f"the template is of the method {name!r}; known are: {', '.join(SITE_METHODS)}"
            raise ConfigError(msg)
        if version != method.version:
            msg = f"the template is of version {version} of {name}; this program reads version {method.version}: learn it again"
            raise ConfigError(msg)
        template: Template = replace(method, **stored["parameters"]).restore(stored["learned"])
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as exc:
        msg = f"this is no template of a site: {exc}"
        raise ConfigError(msg) from exc
    return template
