"""The page-level detector that is the default."""
