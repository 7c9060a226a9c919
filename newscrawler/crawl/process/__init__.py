"""The process that runs crawls: threads, memory, settings."""
