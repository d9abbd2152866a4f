"""Successors of the original Transformer: trained for the same steps, and for the same time."""

import csv
from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure

from research.experiments.history import read_history
from research.experiments.recipe import Results, Run, Values
from research.experiments.translators import TranslatorRecipe
from tf_models.plotting.points import plot_strips
from tf_models.translation.settings import VARIANTS, TranslatorSettings
from tf_models.translation.translate import Translator

ORIGINAL = "original"
# Rates of the other optimizers; the preset's is Muon's.
OPTIMIZERS = {"adam": 0.003, "adafactor": 0.01}
MEASURES = ("loss", "accuracy")


class Variants(TranslatorRecipe):
    name = "variants"
    question = "what is each variant of the Transformer worth, for the same steps and time?"
    examples = """\
  python -m research.experiments variants --seeds 0,1,2
      ten trainings for each seed, a minute or two each on two quiet cores
  python -m research.experiments variants --max-pairs 30000 --set epochs=10
The table is also a file, variants.csv, beside the runs; the package has one of it, which notebook
12 reads (tf_models/transformer/variants.csv)."""
    max_pairs = 12_000
    # A rate that does not go down to zero: the same after any number of steps, or minutes.
    changes = {"epochs": 6, "schedule": "inverse_sqrt"}

    def settings(self) -> dict[str, TranslatorSettings]:
        original = self.preset_settings()
        networks = {name: self.preset_settings(name) for name in VARIANTS}
        optimizers = {
            name: original.changed(optimizer=name, peak=peak) for name, peak in OPTIMIZERS.items()
        }
        return {ORIGINAL: original, **networks, **optimizers}

    def results(self, runs: Sequence[Run]) -> Results:
        curves = {run.path: _curves(run) for run in runs}
        seconds = min(curve["seconds"][-1] for curve in curves.values())
        results, rows = Results(), []
        for run in runs:
            values = {**_sizes(run), **_reached(curves[run.path], seconds)}
            results.add(run.label, values)
            rows.append({"network": run.label, "seed": run.seed, **values})
        with (self.folder / f"{self.name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        return results

    def figures(self, results: Results, runs: Sequence[Run]) -> dict[str, Figure]:
        name = "loss, same time"
        return {self.name: plot_strips(results.column(name), axis_name=name, title=self.question)}


def _curves(run: Run) -> Mapping[str, list[float]]:
    """Seconds, and validation loss and accuracy at the end of each epoch.

    All epochs count as long as the middle one: the first one's compilation takes longer than its
    steps.
    """
    columns = read_history(run.path)
    return {
        "seconds": [median(columns["seconds"]) * epoch for epoch in columns["epoch"]],
        **{measure: columns[f"val_{measure}"] for measure in MEASURES},
    }


def _reached(curve: Mapping[str, list[float]], seconds: float) -> Values:
    """Values after all epochs, and after so many seconds, between two epochs."""
    found = {"seconds": curve["seconds"][-1]}
    for measure in MEASURES:
        found[f"{measure}, same steps"] = curve[measure][-1]
        found[f"{measure}, same time"] = float(np.interp(seconds, curve["seconds"], curve[measure]))
    return found


def _sizes(run: Run) -> Values:
    """Numbers of weights, and of what is cached of each token that is written."""
    model = Translator.load(run.path).model
    caches = tf.nest.flatten(model.initial_state(model.encode(tf.constant([[2, 3, 4]])), 1))
    cached = sum(heads * depth for _, _, heads, _, depth in (cache.shape for cache in caches))
    return {"parameters": model.network.count_params(), "cached of a token": cached}
