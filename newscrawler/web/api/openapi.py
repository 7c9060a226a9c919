"""The OpenAPI describe_api, made from the table of operations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from newscrawler import __version__
from newscrawler.web.api.changes import OPERATIONS as CHANGES
from newscrawler.web.api.operation import PREFIX, Call, Operation, Parameter
from newscrawler.web.api.releases import OPERATIONS as RELEASES
from newscrawler.web.api.resources import OPERATIONS as RESOURCES

_KINDS = {
    "string": {"type": "string"},
    "integer": {"type": "integer", "minimum": 0},
    "date": {"type": "string", "format": "date"},
}
_ERROR = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}


def describe_api(_call: Call) -> Any:
    """Return the OpenAPI document of the API."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(PREFIX + operation.path, {})[operation.method.lower()] = _describe_operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "newscrawler", "version": __version__, "description": "News articles, and how they were crawled."},
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
    }


def _describe_operation(operation: Operation) -> dict[str, Any]:
    said: dict[str, Any] = {
        "summary": operation.summary,
        "description": f"Needs a token with the scope {operation.scope} of an account with the role {operation.role} or more.",
        "parameters": [_describe_parameter(operation, each) for each in operation.parameters],
        "responses": {
            "200": {"description": "done", "content": {operation.media_type: {}}},
            "default": {"description": "why not", "content": {"application/json": {"schema": _ERROR}}},
        },
    }
    if operation.body:
        fields = {name: {"description": about} for name, about in operation.body.items()}
        said["requestBody"] = {"content": {"application/json": {"schema": {"type": "object", "properties": fields}}}}
    return said


def _describe_parameter(operation: Operation, parameter: Parameter) -> dict[str, Any]:
    in_path = parameter.name in re.findall(r"\{(\w+)\}", operation.path)
    return {
        "name": parameter.name,
        "in": "path" if in_path else "query",
        "required": in_path,
        "description": parameter.about,
        "schema": _KINDS[parameter.kind],
    }


OPERATIONS: Sequence[Operation] = (
    *RESOURCES,
    *RELEASES,
    *CHANGES,
    Operation(path="/openapi.json", summary="This document", answer=describe_api),
)
