"""The published methods of extraction, news detection, and their evaluation. Only the command line imports this package."""
