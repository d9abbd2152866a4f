"""What the type checker finds: of tf_models anything, of the rest what only Windows or macOS lacks.

    python .ci/platforms.py

Without arguments it checks the library, the scripts and the research; pyproject.toml says how.
"""

import subprocess
import sys


def errors(platform: str, paths: list[str]) -> set[str]:
    """All that mypy finds for a platform: FILE:LINE: error: MESSAGE."""
    command = [sys.executable, "-m", "mypy", "--platform", platform, *paths]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    if done.returncode not in (0, 1):  # it could not check
        raise SystemExit(done.stdout + done.stderr)
    return {line for line in done.stdout.splitlines() if ": error: " in line}


def main() -> int:
    paths = sys.argv[1:]
    usual = errors("linux", paths)
    of_library = sorted(error for error in usual if error.startswith("tf_models"))
    print(f"tf_models: {len(of_library)} errors", *of_library, sep="\n  ")
    status = bool(of_library)
    for platform in ("win32", "darwin"):
        lacking = sorted(errors(platform, paths) - usual)
        print(f"{platform}: {len(lacking)} errors that Linux has not", *lacking, sep="\n  ")
        status |= bool(lacking)
    return status


if __name__ == "__main__":
    sys.exit(main())
