"""Arguments of commands that use a trained translator."""

import sys
from pathlib import Path
from typing import Literal

from tf_models.cli.command_line import AttentionArguments
from tf_models.training.settings import NotNegative, Settings, Size
from tf_models.translation.settings import RUN_DIR


class TranslatorArguments(Settings):
    """The trained translator that a command uses."""

    run_dir: Path | None = None
    """Run directory; if left out, the translator of the package."""
    checkpoint: str | None = None
    """best, average, latest, or a name; if left out, average where the run has one, else best."""

    @property
    def chosen_run_dir(self) -> Path:
        """The run directory, or the ready-made one; then a line says so on stderr."""
        if self.run_dir is not None:
            return self.run_dir
        print("no --run-dir: using the translator that comes with the package", file=sys.stderr)
        return RUN_DIR


class SearchArguments(TranslatorArguments):
    """A translator and its search."""

    beam_size: Size | None = None
    """Hypotheses of the beam search, 1 is greedy; if left out, the run's."""
    length_penalty: NotNegative | None = None
    """Alpha of the length penalty; if left out, 0.6."""


class MapArguments(AttentionArguments):
    """Arguments of a figure of a translator's attention."""

    sentence: str | None = None
    """Sentence in the source language, in place of the article's."""
    target: str | None = None
    """Translation to force; if left out, the model's own."""
    kind: Literal["encoder", "decoder", "cross"] | None = None
    """Kind of attention; if left out, cross, or what a figure of plot-figures is of."""
    head: int | None = None
    """Draw this head alone, from 1."""
