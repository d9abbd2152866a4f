import keras
import numpy as np
import pytest

from research.heads.sentences import GoldSentence
from tf_models.data.annotated import BY_PLACE
from tf_models.data.subword_models import train_tokenizer
from tf_models.data.tokenizers import TokenizerPair
from tf_models.translation.model import build_transformer
from tf_models.translation.settings import TransformerSettings
from tf_models.translation.translate import Translator


def gold(adjectives, pronoun, noun):
    """'The animal left the street because it was …'; word 1 or word 4 is meant."""
    english, german = adjectives
    source = f"The animal left the street because it was too {english}."
    target = f"Das Tier verließ den Weg, weil {pronoun} zu {german} war."
    alignment = [(i, i) for i in range(5)] + [(5, 6), (6, 7), (7, 10), (8, 8), (9, 9), (10, 11)]
    empty = {"subject_of_verb": (), "noun_of_adjective": ()}
    edges = {
        "encoder": {**empty, "noun_of_it": ((6, noun),), "subject_of_verb": ((2, 1),)},
        "cross": {**empty, "noun_of_it": ((7, noun),)},
        "decoder": {**empty, "noun_of_it": ((7, noun),)},
    }
    return GoldSentence(source, target, tuple(alignment), edges, BY_PLACE)


@pytest.fixture(scope="session")
def sentences():
    """Two with a pronoun that stands for a noun, one without."""
    cat = GoldSentence(
        "The cat is tired.",
        "Die Katze ist müde.",
        tuple((i, i) for i in range(5)),
        dict.fromkeys(
            ("encoder", "decoder", "cross"),
            dict.fromkeys(("noun_of_it", "subject_of_verb", "noun_of_adjective"), ()),
        ),
    )
    return [gold(("tired", "müde"), "es", 1), cat, gold(("wide", "breit"), "er", 4)]


SETTINGS = TransformerSettings(num_layers=1, d_model=16, num_heads=2, dff=32, positions=64)


@pytest.fixture(scope="session")
def translator(sentences, tmp_path_factory):
    """Random weights; its tokenizers know er, sie and es as pieces of their own."""
    folder = tmp_path_factory.mktemp("tokenizers")
    texts = {
        "en": [one.source for one in sentences] * 5,
        "de": [one.target for one in sentences] * 5 + ["weil er weil sie weil es"] * 20,
    }
    tokenizers = TokenizerPair(
        *(train_tokenizer(of, code, 90, folder / code) for code, of in texts.items())
    )
    keras.utils.set_random_seed(0)
    model = build_transformer(SETTINGS, tokenizers, "float32")
    for weight in model.network.trainable_variables:
        weight.assign(weight + 0.3 * np.random.default_rng(1).normal(size=weight.shape))
    return Translator(model, tokenizers, SETTINGS.positions)
