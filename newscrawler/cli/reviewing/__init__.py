"""What `newscrawler review` works with: the sample and the verdict."""
