"""A language of a hundred sentences, and settings with which a model learns it in seconds."""

from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.tasks.translation.settings import TranslatorSettings

ANIMALS = {"dog": "Hund", "cat": "Kater", "bear": "Bär", "fox": "Fuchs", "wolf": "Wolf"}
DOES = {"sees": "sieht", "hears": "hört", "seeks": "sucht", "loves": "liebt"}
PAIRS = [
    SentencePair(f"the {a} {verb} the {b} .", f"der {ANIMALS[a]} {DOES[verb]} den {ANIMALS[b]} .")
    for a in ANIMALS
    for b in ANIMALS
    for verb in DOES
]
TINY = TranslatorSettings().changed(
    num_layers=1,
    d_model=16,
    num_heads=2,
    dff=32,
    positions=40,
    pieces=60,
    batching="bucketed",
    batch_size=16,
    longest_source=30,
    longest_target=30,
    warmup_steps=50,
    epochs=3,
)


def make_corpus() -> Corpus:
    """Most pairs for training, a few held out."""
    training = [pair for i, pair in enumerate(PAIRS) if i % 7]
    held_out = PAIRS[::7]
    return Corpus("tiny", "en", "de", training, held_out[:5], held_out[5:])


def in_folder(folder, corpus):
    """make(name="run", **changes): a translator's training in a run directory of that folder."""
    from tf_models.tasks.translation.train import prepare_training
    from tf_models.training.run_directory import RunDirectory

    def make(name="run", seed=0, bpemb_cache=None, **changes):
        return prepare_training(
            RunDirectory(folder / name),
            corpus,
            TINY.changed(**changes),
            seed,
            bpemb_cache=bpemb_cache,
            report=lambda line: None,
        )

    return make
