"""Successors of the original Transformer: the same steps, each at its own learning rate."""

import csv
import math
import shlex
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from research.experiments.recipe import Results, Run, chosen, read_history
from research.experiments.translators import TranslatorRecipe, train_network
from tf_models.translation.settings import VARIANTS, TranslatorSettings

ORIGINAL, LONGER = "original", "original, 2 x the epochs"
# The original's optimizer is the preset's, Muon. These are without weight decay, as in their
# papers; the rates are where tuning starts.
OPTIMIZERS = {"adam": 0.004, "adafactor": 0.1}


class Variants(TranslatorRecipe):
    """Five trainings or more of each variant, a minute each on a quiet core.

    The first seed tunes the rate: doubled or halved as long as the validation loss of the last
    epoch falls. The other seeds take that rate. The table is also a file, variants.csv, beside the
    runs; research/experiments/variants.csv is one, which notebook 12 draws.
    """

    draws = False
    name = "variants"
    question = "what is each variant of the Transformer worth, at its own best learning rate?"
    max_pairs = 3000
    changes = {
        "d_model": 64,
        "dff": 128,
        "pieces": 1000,
        "max_lengths": (20, 20),
        "epochs": 10,
        "warmup_steps": 50,
        "peak": 0.008,
    }

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        super().add_options(parser)
        known = f"{ORIGINAL}, '{LONGER}', {', '.join([*VARIANTS, *OPTIMIZERS])}"
        parser.add_argument("--networks", nargs="+", metavar="NAME", help=f"only these of {known}")

    def settings(self) -> dict[str, TranslatorSettings]:
        original = self.preset_settings()
        twice = original.changed(epochs=2 * original.training.epochs)
        settings = {ORIGINAL: original, LONGER: twice}
        for name in VARIANTS:
            settings[name] = self.preset_settings(name)
        for name, peak in OPTIMIZERS.items():
            settings[name] = original.changed(optimizer=name, peak=peak, weight_decay=0.0)
        names = chosen("--networks", self.arguments.networks, settings)
        return {name: settings[name] for name in names}

    def train(self, run: Run) -> None:
        """Train the first seed at several rates, another one at the best of them."""
        if run.seed != self.arguments.seeds[0] or run.label == LONGER:
            self._train_at(self.tuned_rate(run), run)
            return
        start = self.settings()[run.label].optimizer.peak
        assert start is not None  # `changes` has one
        rates = [start / 2, start, 2 * start]
        losses = [self._train_at(rate, run) for rate in rates]
        while (best := losses.index(min(losses))) in (0, len(rates) - 1):
            at, rate = (0, rates[0] / 2) if best == 0 else (len(rates), 2 * rates[-1])
            rates.insert(at, rate)
            losses.insert(at, self._train_at(rate, run))

    def _train_at(self, rate: float, run: Run) -> float:
        """Validation loss at the end of a training at a rate; infinite if it diverged."""
        import keras

        at_rate = run._replace(path=run.path / f"{rate:g}")
        train_network(at_rate, self.corpus, self.settings()[run.label].changed(peak=rate))
        keras.backend.clear_session()
        return final_loss(at_rate.path)

    def tuned_rate(self, run: Run) -> float:
        """The rate at which the first seed of the same label ended with the lowest loss."""
        label = ORIGINAL if run.label == LONGER else run.path.name.rpartition("-")[0]
        first = run.path.with_name(f"{label}-{self.arguments.seeds[0]}")
        return float(min(first.iterdir(), key=final_loss).name)

    def results(self, runs: Sequence[Run]) -> Results:
        results, rows = Results(), []
        for run in runs:
            rate = self.tuned_rate(run)
            path = run.path / f"{rate:g}"
            *_, before, last = read_history(path)["val_loss"]
            fall = before - last
            values = {"rate": rate, "validation loss": last, "fall in the last epoch": fall}
            results.add(run.label, values)
            rows.append({"network": run.label, "seed": run.seed, **values})
        seeds = ",".join(map(str, self.arguments.seeds))
        words = ["python", "-m", "research.experiments", self.name, "--seeds", seeds]
        words += ["--networks", *self.arguments.networks] if self.arguments.networks else []
        with (self.folder / f"{self.name}.csv").open("w", encoding="utf-8", newline="") as file:
            file.write(f"# {shlex.join(words)}, {date.today()}\n")
            writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        return results


def final_loss(run_dir: Path) -> float:
    """The validation loss of the last epoch; infinite where it is no number."""
    loss = read_history(run_dir)["val_loss"][-1]
    return math.inf if math.isnan(loss) else loss
