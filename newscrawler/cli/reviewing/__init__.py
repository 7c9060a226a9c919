"""Verdicts for `newscrawler review`, asked for on the terminal or read from a file."""
