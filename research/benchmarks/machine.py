"""What the figures were measured on."""

import datetime
import platform
from importlib import metadata

PACKAGES = ("tensorflow", "keras", "numpy", "torch", "ctranslate2")


def describe_machine() -> dict:
    """Processor, cores, versions and date."""
    from tf_models.runtime import available_cores, processor_name

    return {
        "processor": processor_name(),
        "cores": available_cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"python": platform.python_version(), **_versions()},
        "date": datetime.date.today().isoformat(),
    }


def _versions() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions
