"""Models that translate, built from settings: the Transformer, its variants, recurrent networks."""

from typing import Any

from tf_models.data.tokenizers import TokenizerPair
from tf_models.transformer.variants import ORIGINAL
from tf_models.translation.protocol import TranslationModel
from tf_models.translation.recurrent_model import build_recurrent
from tf_models.translation.settings import TRANSFORMER, TranslatorSettings
from tf_models.translation.transformer_model import build_transformer


def build_model(
    settings: TranslatorSettings, tokenizers: TokenizerPair, dtype: str = "float32"
) -> TranslationModel:
    """The untrained model of these settings; dtype is a Keras dtype policy."""
    name = settings.architecture
    sizes: Any = settings.model
    if settings.is_recurrent:
        return build_recurrent(sizes, tokenizers, dtype, attends=name == "rnn-attention")
    network = ORIGINAL if name == TRANSFORMER else name
    return build_transformer(sizes, tokenizers, dtype, network)
