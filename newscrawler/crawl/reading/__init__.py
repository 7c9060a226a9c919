"""From a response to links, page and article."""
