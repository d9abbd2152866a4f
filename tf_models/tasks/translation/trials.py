"""Trials: trainings of one corpus that differ in some settings, each with several seeds."""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tf_models.data.text.corpora import Corpus
from tf_models.errors import TrainingInterrupted
from tf_models.tasks.translation.settings import TranslatorSettings


class Trained(NamedTuple):
    """A trial that has come to its end: what a table calls it, its settings and its run."""

    name: str
    settings: TranslatorSettings
    run_dir: Path


def train_trials(
    folder: Path,
    corpus: Corpus,
    trials: Mapping[str, TranslatorSettings],
    seeds: Iterable[int],
    **options,
) -> Iterator[Trained]:
    """Train each trial with each seed, in run directories TRIAL-SEED; those that are done stay.

    Args:
        folder: of the run directories.
        corpus: to train on.
        trials: settings by what a table calls them.
        seeds: the outer loop, so that all trials have a first figure early.
        options: of `train_trial`.

    Raises:
        TrainingInterrupted: a signal came.
    """
    for seed in seeds:
        for name, settings in trials.items():
            run_dir = folder / f"{_folder_name(name)}-{seed}"
            print(f"\n{name}, seed {seed}: {run_dir}")
            train_trial(run_dir, corpus, settings, seed, **options)
            yield Trained(name, settings, run_dir)


def _folder_name(trial: str) -> str:
    return "".join(char if char.isalnum() else "-" for char in trial).strip("-")


def train_trial(
    run_dir: Path,
    corpus: Corpus,
    settings: TranslatorSettings,
    seed: int,
    *,
    bpemb_cache: Path | None = None,
    minutes: float = math.inf,
) -> None:
    """Train to the end, from wherever the run stands.

    Args:
        run_dir: new, or of the same trial before.
        corpus: to train on.
        settings: of the trial.
        seed: of everything.
        bpemb_cache: folder of BPEmb's files.
        minutes: begin no epoch after so much training.

    Raises:
        TrainingInterrupted: a signal came.
    """
    import keras

    from tf_models.tasks.translation.train import prepare_training
    from tf_models.training.run_directory import RunDirectory

    keras.backend.clear_session()  # of the run before: nothing of it is needed
    run = RunDirectory(run_dir)
    training = prepare_training(run, corpus, settings, seed, bpemb_cache=bpemb_cache)
    if not training.fit(minutes):
        raise TrainingInterrupted(run_dir.parent)
