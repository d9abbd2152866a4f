"""Settings with which a classifier learns the toy language's labelled sentences in seconds."""

from tf_models.classification.settings import text_preset

TINY = text_preset("reference").changed(
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
    """train(name="run", **changes): a trained classifier's loop, in a run directory there."""
    from tf_models.classification.train import train_text_classifier
    from tf_models.training.run_directory import RunDirectory

    def train(name="run", *, texts=texts, report=lambda line: None, encoder_from=None, **changes):
        run, settings = RunDirectory(folder / name), TINY.changed(**changes)
        return train_text_classifier(
            run, texts, settings, 0, encoder_from=encoder_from, evaluates=False, report=report
        )

    return train
