"""Settings with which a translator learns the toy language in seconds."""

from tf_models.translation.settings import TranslatorSettings

TINY = TranslatorSettings().changed(
    num_layers=1,
    d_model=16,
    num_heads=2,
    dff=32,
    positions=32,
    pieces=80,
    batch_size=16,
    max_lengths=(30, 30),
    padded=False,
    warmup_steps=50,
    epochs=3,
)


def in_folder(folder, corpus, report=lambda line: None):
    """make(name="run", **changes): a translator's training in a run directory of that folder."""
    from tf_models.translation.train import train_translator

    def make(name="run", seed=0, data_dir=None, start_from=None, **changes):
        return train_translator(
            folder / name,
            corpus,
            TINY.changed(**changes),
            seed,
            data_dir=data_dir,
            start_from=start_from,
            fit=False,
            report=report,
        )

    return make


def tokenizers_of(training):
    """The tokenizers of a translator's training."""
    from tf_models.translation.load import load_settings

    return load_settings(training.run)[1]
