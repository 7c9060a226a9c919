"""Labelled pages in, model files out; not installed."""
