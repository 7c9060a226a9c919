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
from newscrawler.plugins import PluginGroup, get_site_method_name, load_methods

_LARGEST_BYTES = 4 * LARGEST_FILE


def read_template_file(path: str | PathLike[str]) -> PortalTemplate | SiteTemplate:
    """Return the template in a file.

    Raises:
        ConfigError: the file cannot be read, is too large, or is not a template; the message names it.
    """
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_LARGEST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"The template {path} cannot be read: {error.strerror}") from error
    if len(data) > _LARGEST_BYTES:
        raise ConfigError(f"{path} is larger than {_LARGEST_BYTES // 2**20} MB, which no template is")
    try:
        return read_template(data.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 (byte {error.start})") from error


def read_template(text: str, source: str = "the template") -> PortalTemplate | SiteTemplate:
    """Return the template in a text, of the portal or of a site method.

    Raises:
        ConfigError: the text is not a template, or of an unknown method or another version of its method.
    """
    try:
        stored = json.loads(text)
        is_of_site = stored.get("method", METHOD) != METHOD or "learned" in stored
    except (ValueError, AttributeError, RecursionError):
        is_of_site = False
    return _read_site_template(stored, source) if is_of_site else PortalTemplate.from_json(text, source)


def write_template(template: PortalTemplate | SiteTemplate) -> str:
    """Return a template as JSON."""
    if isinstance(template, PortalTemplate):
        return template.to_json()
    method: Any = template.method
    stored = {
        "method": get_site_method_name(method),
        "version": method.version,
        "parameters": asdict(method),
        "learned": template.learned(),
    }
    return json.dumps(stored, ensure_ascii=False)


def _read_site_template(stored: dict[str, Any], source: str) -> SiteTemplate:
    known = load_methods(PluginGroup.SITE_METHODS)
    name = stored.get("method")
    if not isinstance(name, str) or name not in known:
        raise ConfigError(f"{source} is of the method {name!r}; known are: {', '.join(known)}")
    method: Any = known[name]
    if (version := stored.get("version")) != method.version:
        raise ConfigError(
            f"{source} is of version {version} of {name}; this program reads version {method.version}: learn it again"
        )
    try:
        template: SiteTemplate = replace(method, **stored["parameters"]).restore(stored["learned"])
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else error
        raise ConfigError(f"{source} is not a template of {name}: {reason}") from error
    return template
