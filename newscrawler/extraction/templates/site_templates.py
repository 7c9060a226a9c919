"""Templates as JSON: the portal's template, or method, parameters, version and content of a site method's template; no code."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from os import PathLike
from pathlib import Path
from typing import Any

from newscrawler.errors import ConfigError
from newscrawler.extraction.templates.portal_template import LARGEST_FILE, METHOD, PortalTemplate
from newscrawler.extraction.templates.protocol import SiteTemplate
from newscrawler.plugins import PluginGroup, find_site_method, get_site_method_name, load_methods, name_of_written

_LARGEST_BYTES = 4 * LARGEST_FILE


def read_template_text(path: str | PathLike[str]) -> str:
    """Return the text of a template file.

    Raises:
        ConfigError: it cannot be read, is too large, or is not UTF-8.
    """
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_LARGEST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"The template {path} cannot be read: {error.strerror}") from error
    if len(data) > _LARGEST_BYTES:
        raise ConfigError(f"{path} is larger than {_LARGEST_BYTES // 2**20} MB, which no template is")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 (byte {error.start})") from error


def read_template_file(path: str | PathLike[str]) -> PortalTemplate | SiteTemplate:
    """Return the template in a file.

    Raises:
        ConfigError: the file cannot be read, or is not a template.
    """
    return read_template(read_template_text(path), str(path))


def read_template(text: str, source: str = "the template") -> PortalTemplate | SiteTemplate:
    """Return the template in a text, of the portal or of a site method.

    Raises:
        ConfigError: the text is not a template.
    """
    method = find_method_name(text)
    if method not in {"", METHOD} and method in load_methods(PluginGroup.SITE_METHODS):
        return read_site_template(text)
    return PortalTemplate.from_json(text, source)


def write_template(template: PortalTemplate | SiteTemplate) -> str:
    """Return a template as JSON."""
    if isinstance(template, PortalTemplate):
        return template.to_json()
    method: Any = template.method
    learned, name = template.learned(), get_site_method_name(method)
    stored = {
        "method": name,
        "version": template.version,
        "parameters": asdict(method),
        "learned": learned,
    }
    return json.dumps(stored, ensure_ascii=False)


def find_method_name(text: str) -> str:
    """Return the method that the text of a template names; "" where it names none."""
    try:
        return str(json.loads(text).get("method") or "")
    except (ValueError, AttributeError, RecursionError):
        return ""


def is_template_of(text: str, written: str) -> bool:
    """Return whether a template is of a site method, and has the parameters if some are written behind its name."""
    name = name_of_written(written)
    if find_method_name(text) != name:
        return False
    try:
        return name == written or read_site_template(text).method == find_site_method(written)
    except ConfigError:
        return False


def read_site_template(text: str) -> SiteTemplate:
    """Return the template of a site method.

    Raises:
        ConfigError: it is not a template, of an unknown method, or of another version of its method.
    """
    known = load_methods(PluginGroup.SITE_METHODS)
    try:
        stored = json.loads(text)
        name, version = stored["method"], stored["version"]
        method: Any = known.get(name)
        if method is None:
            msg = f"the template is of the method {name!r}; known are: {', '.join(known)}"
            raise ConfigError(msg)
        if version != method.version:
            msg = f"the template is of version {version} of {name}; this program reads version {method.version}: learn it again"
            raise ConfigError(msg)
        template: SiteTemplate = replace(method, **stored["parameters"]).restore(stored["learned"])
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as exc:
        msg = f"this is no template of a site: {exc}"
        raise ConfigError(msg) from exc
    return template
