"""Portals, runs, jobs, dispatch and alerts."""
