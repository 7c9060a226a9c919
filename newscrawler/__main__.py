"""`python -m newscrawler` is the command `newscrawler`."""

from newscrawler.cli import main

if __name__ == "__main__":
    main(prog_name="newscrawler")
