"""The HTTP API, /api/v1: what programs read and write, with tokens; described by an OpenAPI document."""
