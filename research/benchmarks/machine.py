"""What the figures were measured on."""

import datetime
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("tensorflow", "keras", "numpy", "torch", "ctranslate2")
CPU_INFO = Path("/proc/cpuinfo")  # Linux only


def describe_machine() -> dict:
    """Processor, cores, versions and date."""
    from tf_models.runtime import available_cores

    return {
        "processor": _processor(),
        "cores": available_cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"python": platform.python_version(), **_versions()},
        "date": datetime.date.today().isoformat(),
    }


def _processor() -> str:
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _versions() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions
