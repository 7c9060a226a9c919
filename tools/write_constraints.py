"""Write deploy/constraints/: the versions of all that newscrawler needs, names and versions only.

    pip install uv
    python tools/write_constraints.py [3.11 3.12 …]

python3.*.txt has the newest versions for a version of Python. lowest.txt has the oldest versions that pyproject.toml admits, for
the oldest Python; the tests run with them in CI. uv resolves all but the heavy extras from wheels
alone, with the conditions of each version of Python, and installs nothing.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "deploy" / "constraints"
EXTRAS = ("postgresql", "parquet", "cluster", "s3", "browser", "assistants")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def resolved(version: str, *, resolution: str = "highest") -> str:
    """Return a line `name==version` for each package that the extras need on a version of Python."""
    words = ["--quiet", "--no-header", "--no-annotate", "--only-binary=:all:", "--python-version", version]
    extras = [word for extra in EXTRAS for word in ("--extra", extra)]
    return subprocess.run(
        [sys.executable, "-m", "uv", "pip", "compile", *words, "--resolution", resolution, *extras, "pyproject.toml"],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for version in sys.argv[1:] or VERSIONS:
        (FOLDER / f"python{version}.txt").write_text(resolved(version), "utf-8")
    (FOLDER / "lowest.txt").write_text(resolved(VERSIONS[0], resolution="lowest-direct"), "utf-8")


if __name__ == "__main__":
    main()
