"""Trials of the web application on a large database that is generated."""
