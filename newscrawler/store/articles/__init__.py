"""Articles, their revisions, rights, reviews, collections and releases."""
