"""Runs of collections: searches, feeds and lists of URLs on any host."""
