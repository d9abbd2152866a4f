"""The run directory of the translator that comes with the package, and how commands name one."""

import sys
from pathlib import Path

from tf_models.training.settings import Settings

RUN_DIR = Path(__file__).with_name("ready_made_run")
"""The translator that comes with the package: a run directory without what only training needs.

docs/corpus.md says how it was made.
"""

READY_MADE = "ready-made"  # its name on the command line


def run_dir_of(name: str) -> Path:
    """The run directory of a path on the command line, or of the name `READY_MADE`."""
    return RUN_DIR if name == READY_MADE else Path(name)


class TranslatorArguments(Settings):
    """The trained translator that a command uses."""

    run_dir: Path | None = None
    """Run directory; if left out, the translator of the package."""
    checkpoint: str | None = None
    """best, average, latest, or a name; if left out, what training chose, or else best."""

    @property
    def chosen_run_dir(self) -> Path:
        """The run directory, or the ready-made one; then a line says so on stderr."""
        if self.run_dir is not None:
            return self.run_dir
        print("no --run-dir: using the translator that comes with the package", file=sys.stderr)
        return RUN_DIR
