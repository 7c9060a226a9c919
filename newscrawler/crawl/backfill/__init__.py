"""The run of a portal's past."""
