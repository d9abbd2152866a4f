"""The machine that figures were measured on."""

import datetime
from importlib import metadata

from tf_models.runtime import available_cores, processor_name

PACKAGES = ("tensorflow", "keras", "torch", "ctranslate2")


class Machine:
    """Describes the machine, in a process of its own as all systems are."""

    def describe(self) -> str:
        """Processor, cores, versions and date, in one line."""
        installed = {dist.metadata["Name"] for dist in metadata.distributions()}
        versions = [f"{name} {metadata.version(name)}" for name in PACKAGES if name in installed]
        date = datetime.date.today().isoformat()
        return f"{processor_name()}, {available_cores()} cores; {', '.join(versions)}; {date}"
