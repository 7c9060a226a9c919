"""`python -m newscrawler` is `newscrawler`."""

from newscrawler.cli import main

main(prog_name="newscrawler")
