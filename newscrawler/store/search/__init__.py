"""Search: folding, segmentation, query language, and the indexes of both databases."""
