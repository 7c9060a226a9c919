"""The HTTP API, /api/v1, for programs with tokens; an OpenAPI document describes it."""
