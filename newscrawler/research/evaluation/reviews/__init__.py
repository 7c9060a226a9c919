"""Verdicts of people on extracted articles."""
