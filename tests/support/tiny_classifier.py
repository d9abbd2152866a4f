"""Eighty labelled sentences, and settings with which a classifier learns them in seconds."""

from tf_models.data.text.labelled import LabelledText, LabelledTexts
from tf_models.tasks.classification.settings import ClassifierSettings

ANIMALS = ("bear", "cat", "dog", "fox", "wolf")
VERBS = ("sees", "hears", "seeks", "loves")
TINY = ClassifierSettings().changed(
    num_layers=1,
    d_model=16,
    num_heads=2,
    dff=32,
    dropout=0.1,
    positions=20,
    pieces=60,
    batch_size=16,
    epochs=3,
)


def make_texts():
    """Do the animals stand in alphabetical order? The words are the same in both classes."""
    every = [
        LabelledText(f"the {a} {verb} the {b} .", "rising" if a < b else "falling", verb)
        for verb in VERBS
        for a in ANIMALS
        for b in ANIMALS
        if a != b
    ]
    train = [one for i, one in enumerate(every) if i % 5]
    return LabelledTexts("animals", ("falling", "rising"), train, every[::10], every[5::10])


def in_folder(folder, texts):
    """make(name="run", **changes): a classifier's training in a run directory of that folder."""
    from tf_models.tasks.classification.train import prepare_classifier_training
    from tf_models.training.run_directory import RunDirectory

    def make(name="run", *, texts=texts, seed=0, report=lambda line: None, **options):
        changes = {key: options.pop(key) for key in [*options] if key in TINY.flat()}
        run, settings = RunDirectory(folder / name), TINY.changed(**changes)
        return prepare_classifier_training(run, texts, settings, seed, report=report, **options)

    return make
