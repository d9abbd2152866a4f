import keras
import numpy as np
import pytest

from tf_models.data.subword_models import train_tokenizer
from tf_models.data.tokenizers import TokenizerPair
from tf_models.translation.model import build_transformer
from tf_models.translation.settings import TransformerSettings
from tf_models.translation.translate import Translator

TEXTS = {
    "en": ["the dog sees the cat .", "a cat sleeps .", "the animal crosses the street ."] * 5,
    "de": ["der Hund sieht die Katze .", "eine Katze schläft .", "das Tier überquert sie ."] * 5,
}


@pytest.fixture(scope="session")
def random_translator(tmp_path_factory):
    """A translator with random weights, large enough to speak with conviction."""
    folder = tmp_path_factory.mktemp("tokenizers")
    tokenizers = TokenizerPair(
        *(train_tokenizer(texts, code, 60, folder / code) for code, texts in TEXTS.items())
    )
    keras.utils.set_random_seed(0)
    settings = TransformerSettings(num_layers=2, d_model=16, num_heads=4, dff=32, positions=42)
    model = build_transformer(settings, tokenizers, "float32")
    for weight in model.network.trainable_variables:
        weight.assign(weight + 0.3 * np.random.default_rng(1).normal(size=weight.shape))
    return Translator(model, tokenizers, settings.positions)
