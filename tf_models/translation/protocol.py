"""What is asked of a model that translates.

Training, search, evaluation, export, plotting and the scripts ask this protocol and never the
class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # a script's --help need not wait for TensorFlow
    import keras
    import tensorflow as tf

    from tf_models.search import Nested, StepFunction

# Kinds of attention that a model may have, and their names in titles.
ATTENTION_KINDS = {
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
}
# The tutorial's names of the weights of each kind, layer by layer.
TUTORIAL_NAMES = {
    "encoder": "encoder_layer{}",
    "decoder": "decoder_layer{}_block1",
    "cross": "decoder_layer{}_block2",
}


class TranslationModel(Protocol):
    """What training, search, evaluation, export and plotting ask of a model that translates.

    network: the Keras model, built, whose variables are trained and saved.

    The article's Transformer, as it is, says so with one attribute more, `transformer`: see
    `inner_transformer`.
    """

    network: keras.Model

    @property
    def attention_kinds(self) -> Sequence[str]:
        """Those of `ATTENTION_KINDS` that it has; a recurrent model has "cross" only."""

    def encode(self, inp: tf.Tensor) -> Nested:
        """What the decoder reads of the sources (batch, inp_len): tensors (batch, ...) each."""

    def initial_state(self, memory: Nested, n: int) -> Nested:
        """The state before the first token, n hypotheses a sentence: tensors (batch, n, ...)."""

    def step(self, suppressed_ids: Sequence[int]) -> StepFunction:
        """The step that search calls (see `tf_models.search`), in which the suppressed ids
        have no probability.
        """

    def attention(self, inp: tf.Tensor, tar: tf.Tensor) -> Mapping[str, tf.Tensor]:
        """Attention weights while tar (batch, tar_len) is read, for each of `attention_kinds`:
        (batch, layers, heads, rows, columns), columns being what is attended to."""


def inner_transformer(model: TranslationModel) -> Any:
    """The article's Transformer within a model, or None, also of a variant: what can be inspected
    layer by layer, put into a live page and exported to CTranslate2."""
    return getattr(model, "transformer", None)
