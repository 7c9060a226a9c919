"""URLs that wait, their leases, and what came of them."""
