"""Settings with which a classifier learns the toy language's labelled sentences in seconds."""

from tf_models.classification.settings import preset

TINY = preset("reference").changed(
    num_layers=1,
    d_model=16,
    num_heads=2,
    dff=32,
    dropout=0.1,
    max_length=20,
    pieces=60,
    batch_size=16,
    epochs=3,
)


def in_folder(folder, texts):
    """make(name="run", **changes): a classifier's training in a run directory of that folder."""
    from tf_models.classification.train import prepare_classifier_training
    from tf_models.training.run_directory import RunDirectory

    def make(name="run", *, texts=texts, seed=0, report=lambda line: None, **options):
        changes = {key: options.pop(key) for key in [*options] if key in TINY.flat()}
        run, settings = RunDirectory(folder / name), TINY.changed(**changes)
        return prepare_classifier_training(run, texts, settings, seed, report=report, **options)

    return make
