"""Hosts: slots, robots.txt, the log of requests."""
