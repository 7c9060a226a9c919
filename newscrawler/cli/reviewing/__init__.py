"""What `newscrawler review` works with: the words of a verdict, asked for at the terminal or read from a file."""
