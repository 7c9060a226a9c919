"""Handle requests for pages: identify the user, check permissions, read forms, fill templates."""
