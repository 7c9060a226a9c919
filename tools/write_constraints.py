"""Write deploy/constraints/python3.*.txt: the newest versions of all that newscrawler needs, names and versions only.

    python tools/write_constraints.py [3.11 3.12 …]

pip resolves for each version of Python what the extras crawler, postgresql, web, cluster and parquet need, from wheels alone, and
installs nothing. Conditions on the version of Python are those of the Python that runs this, so a file may name more than is needed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "deploy" / "constraints"
EXTRAS = ("crawler", "postgresql", "web", "cluster", "parquet")
VERSIONS = ("3.11", "3.12", "3.13")


def resolved(version: str) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(each for extra in EXTRAS for each in project["optional-dependencies"][extra])]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        words = ["--dry-run", "--quiet", "--ignore-installed", "--only-binary=:all:", "--python-version", version]
        subprocess.run(
            [sys.executable, "-m", "pip", "install", *words, "--target", folder, "--report", str(report), *wanted],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        found = [each["metadata"] for each in json.loads(report.read_text("utf-8"))["install"]]
    return sorted(f"{each['name'].lower().replace('_', '-')}=={each['version']}" for each in found)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for version in sys.argv[1:] or VERSIONS:
        (FOLDER / f"python{version}.txt").write_text("\n".join(resolved(version)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
