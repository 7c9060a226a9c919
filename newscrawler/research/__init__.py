"""Published methods, methods for whole sites, news detection, evaluation; only the command line uses it."""
