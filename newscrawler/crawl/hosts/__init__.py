"""Slots and back-off of hosts, and who is at fault where a request fails."""
