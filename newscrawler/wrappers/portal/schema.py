"""The JSON schema of a wrapper, for people and editors; reading (`json_form`) holds files against the same bounds."""

from __future__ import annotations

from typing import Any

from newscrawler.wrappers.portal import json_form as form
from newscrawler.wrappers.portal.learn import MOST_LAYOUTS, MOST_PLACES
from newscrawler.wrappers.portal.lines import LONGEST_LINE, MOST_LINES
from newscrawler.wrappers.portal.overrides import FIELDS
from newscrawler.wrappers.portal.selectors import LONGEST_SELECTOR

Table = dict[str, Any]


def json_schema() -> Table:
    """The schema, by JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Portal wrapper",
        "description": f"What newscrawler learned of a portal. At most {form.LARGEST_FILE} characters in UTF-8.",
        "type": "object",
        "required": ["method", "version"],
        "properties": {
            "method": {"const": form.METHOD},
            "version": {"const": form.VERSION},
            "parameters": {"type": "object", "description": "None so far."},
            "provenance": _provenance(),
            "overrides": {
                "description": 'Set by hand: "css: …" or "xpath: …" for a field; goes before what was learned.',
                "type": "object",
                "propertyNames": {"enum": list(FIELDS)},
                "additionalProperties": _text(LONGEST_SELECTOR + 10),
            },
            "fields": _fields(),
            "layouts": {"type": "array", "maxItems": MOST_LAYOUTS + 1, "items": _layout()},
            "lines": _list(MOST_LINES, "Lines that stand on several pages: text, pages.", _text(LONGEST_LINE), _whole(1)),
            "inline": _list(
                form.MOST_INLINE,
                "Texts within paragraphs that are the portal's: place, text, pages.",
                _text(form.LONGEST_PLACE),
                {**_text(form.LONGEST_NAME), "minLength": 1},
                _whole(1),
            ),
        },
    }


def _layout() -> Table:
    share = {"type": "number", "minimum": 0, "maximum": 1}
    return {
        "description": "One kind of page: news, live reports, galleries.",
        "type": "object",
        "required": ["name", "pages", "is_listing", "shortest", "longest"],
        "properties": {
            "name": {**_text(form.LONGEST_NAME), "minLength": 1},
            "pages": {**_whole(1), "description": "Learned from how many."},
            "is_listing": {"type": "boolean", "description": "Pages of this kind hold no article."},
            "shortest": {**_whole(0), "description": "Characters of the shortest body."},
            "longest": _whole(0),
            "places": {
                "description": "By place (kind|box<box<box<box with a class): mean probability of text, blocks, pages.",
                **_table(MOST_PLACES, _row(share, _whole(1), _whole(1))),
            },
        },
    }


def _fields() -> Table:
    evidence = _table(form.MOST_SOURCES, _row(_whole(0), _whole(0)))
    return {
        "description": "Sources of the other fields: on how many pages each was right, and wrong.",
        "type": ["object", "null"],
        "required": ["dated", "signed"],
        "properties": {
            **dict.fromkeys(("dates", "authors", "sections"), evidence),
            **{key: {"type": "number", "minimum": 0, "maximum": 1} for key in ("dated", "signed")},
        },
    }


def _provenance() -> Table:
    return {
        "type": ["object", "null"],
        "properties": {
            "portal": {"type": ["string", "null"], "maxLength": form.LONGEST_NAME},
            "learned_at": {"type": ["string", "null"], "format": "date-time"},
            "urls": {"type": "array", "maxItems": form.MOST_URLS, "items": _text(form.LONGEST_URL)},
            "left_out": {"type": "array", "maxItems": form.MOST_URLS, "items": _text(form.LONGEST_URL + form.LONGEST_PLACE)},
            "note": {"type": ["string", "null"], "maxLength": form.LONGEST_URL},
        },
    }


def _text(longest: int) -> Table:
    return {"type": "string", "maxLength": longest}


def _whole(least: int) -> Table:
    return {"type": "integer", "minimum": least, "maximum": form.MOST_NUMBER}


def _row(*items: Table) -> Table:
    return {"type": "array", "prefixItems": list(items), "minItems": len(items), "maxItems": len(items)}


def _list(most: int, told: str, *items: Table) -> Table:
    return {"description": told, "type": "array", "maxItems": most, "items": _row(*items)}


def _table(most: int, value: Table) -> Table:
    names = {"maxLength": form.LONGEST_PLACE}
    return {"type": "object", "maxProperties": most, "propertyNames": names, "additionalProperties": value}
