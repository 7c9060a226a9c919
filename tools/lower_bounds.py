"""Print the lowest versions that pyproject.toml admits, as a constraints file for pip.

    python tools/lower_bounds.py > lower.txt
    pip install --constraint lower.txt ".[crawler,postgresql,web]" && pytest tests

Dependencies of the program and of all its extras are listed, not what these need themselves.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
BOUND = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?\s*>=\s*([\w.]+)")


def lower_bounds(pyproject: str) -> dict[str, str]:
    """Return name → lowest version of the requirements that have a lower bound."""
    project = tomllib.loads(pyproject)["project"]
    wanted = [*project["dependencies"], *(each for extra in project["optional-dependencies"].values() for each in extra)]
    return dict(found.groups() for each in wanted if (found := BOUND.match(each)))


def main() -> None:
    for name, version in sorted(lower_bounds(PYPROJECT.read_text("utf-8")).items()):
        print(f"{name}=={version}")


if __name__ == "__main__":
    main()
