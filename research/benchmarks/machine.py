"""The machine that figures were measured on."""

import datetime
import platform
from importlib import metadata

from tf_models.runtime import available_cores

PACKAGES = ("tensorflow", "keras", "torch", "ctranslate2")


class Machine:
    """Describes the machine, in a process of its own as all systems are."""

    def describe(self) -> str:
        """Processor, cores, versions and date, in one line."""
        names = {found.metadata["Name"] for found in metadata.distributions()} & set(PACKAGES)
        versions = ", ".join(f"{name} {metadata.version(name)}" for name in sorted(names))
        today = datetime.date.today()
        return f"{platform.processor()}, {available_cores()} cores; {versions}; {today}"
