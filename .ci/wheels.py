"""For which systems the package index has wheels of all that the project installs.

    python .ci/wheels.py

It asks the index that pip (23.3 or newer) is set up for, and installs nothing. What packages
require in turn is read from those that are installed, with their conditions for each system. It
prints a table.
"""

import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = "tf-models"
PYTHONS = ("3.11", "3.12", "3.13")
GLIBC = ("_2_28", "_2_27", "_2_24", "_2_17", "2014", "2010")
# System -> tags of its wheels, and what conditions ask for.
SYSTEMS = {
    "Linux x86_64": ([f"manylinux{v}_x86_64" for v in GLIBC], ("linux", "Linux", "x86_64")),
    "Linux aarch64": ([f"manylinux{v}_aarch64" for v in GLIBC], ("linux", "Linux", "aarch64")),
    "Windows x86_64": (["win_amd64"], ("win32", "Windows", "AMD64")),
    "macOS arm64": (["macosx_14_0_arm64"], ("darwin", "Darwin", "arm64")),
    "macOS x86_64": (["macosx_14_0_x86_64"], ("darwin", "Darwin", "x86_64")),
}
NOT_FOUND = re.compile(r"No matching distribution found for ([\w.-]+)")


def required(name: str, environment: dict[str, str], extras: set[str]) -> Iterator[Requirement]:
    """What a package, if it is installed, requires where this environment is."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return
    for requirement in map(Requirement, lines):
        marker = requirement.marker
        if not marker or any(marker.evaluate({**environment, "extra": e}) for e in extras or {""}):
            yield requirement


def everything(environment: dict[str, str]) -> dict[str, str]:
    """All packages that the project needs there, by name: what pip is told."""
    found, waiting = {}, [Requirement(PROJECT)]
    while waiting:
        one = waiting.pop()
        for requirement in required(one.name, environment, one.extras):
            name = canonicalize_name(requirement.name)
            if name not in found or not found[name][1] >= requirement.extras:
                found[name] = f"{name}{requirement.specifier}", requirement.extras
                waiting.append(requirement)
    return {name: text for name, (text, _) in found.items()}


def without_wheel(packages: dict[str, str], python: str, tags: list[str]) -> list[str]:
    """Names of the packages that have no wheel for this Python and these tags."""
    packages, missing = dict(packages), []
    options = ["--dry-run", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check"]
    options += ["--python-version", python, *(f"--platform={tag}" for tag in tags)]
    with tempfile.TemporaryDirectory() as folder:
        while True:
            command = [sys.executable, "-m", "pip", "install", "--target", folder, *options]
            done = subprocess.run(
                [*command, *packages.values()], capture_output=True, encoding="utf-8"
            )
            if done.returncode == 0:
                return missing
            found = NOT_FOUND.search(done.stderr)
            name = canonicalize_name(found[1]) if found else ""
            if name not in packages:
                raise SystemExit(done.stderr)
            missing.append(name)
            del packages[name]


def main() -> None:
    print(f"| | {' | '.join(f'Python {python}' for python in PYTHONS)} |\n|---|" + "---|" * 3)
    for system, (tags, (sys_platform, platform_system, machine)) in SYSTEMS.items():
        cells = []
        for python in PYTHONS:
            environment = {
                "python_version": python,
                "python_full_version": f"{python}.0",
                "sys_platform": sys_platform,
                "platform_system": platform_system,
                "platform_machine": machine,
                "os_name": "nt" if sys_platform == "win32" else "posix",
                "platform_python_implementation": platform.python_implementation(),
                "implementation_name": "cpython",
            }
            packages = everything(environment)
            missing = without_wheel(packages, python, tags)
            cells.append(f"{len(packages) - len(missing)} of {len(packages)}")
            if missing:
                cells[-1] += f", none of {', '.join(missing)}"
        print(f"| {system} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
