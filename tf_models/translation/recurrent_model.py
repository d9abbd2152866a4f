"""The recurrent translator as a `TranslationModel`: trained, decoded step by step, inspected."""

from collections.abc import Sequence

import tensorflow as tf

from tf_models.data.tokenizers import TokenizerPair
from tf_models.recurrent.translator import EncoderOutput, RecurrentTranslator, States, scaled
from tf_models.search import StepFunction, output_layer_for_search
from tf_models.translation.settings import RecurrentSettings


def build_recurrent(
    settings: RecurrentSettings, tokenizers: TokenizerPair, dtype: str, *, attends: bool
) -> "RecurrentModel":
    """The untrained model of these settings, built; dtype is a Keras dtype policy."""
    network = RecurrentTranslator(
        tokenizers.source.vocabulary_size,
        tokenizers.target.vocabulary_size,
        settings.d_model,
        settings.units,
        settings.cell,
        attends,
        settings.dropout,
        settings.tie_embeddings,
        dtype=dtype,
    )
    network.build()
    return RecurrentModel(network)


class RecurrentModel:
    """A `RecurrentTranslator` as training, search and plotting ask for it.

    Args:
        network: built.
    """

    def __init__(self, network: RecurrentTranslator):
        self.network = network
        self.attention_kinds = ("cross",) if network.decoder.attention else ()

    def encode(self, inp: tf.Tensor) -> EncoderOutput:
        """Read the sources once: ids (batch, inp_len)."""
        return self.network.read(inp)

    def initial_state(self, memory: EncoderOutput, n: int) -> States:
        """s_0, n times for each sentence: (batch, n, units) each."""
        return [tf.repeat(state[:, tf.newaxis], n, axis=1) for state in memory.states]

    def step(self, suppressed_ids: Sequence[int]) -> StepFunction:
        """One word more of each hypothesis (see `TranslationModel`)."""
        decoder = self.network.decoder
        logits_of = output_layer_for_search(*self.network.output_layer(), suppressed_ids)

        def step(ids: tf.Tensor, memory: EncoderOutput, states: States) -> tuple[tf.Tensor, States]:
            x = scaled(decoder.embedding, ids)  # (batch, n, embedding_dim)
            context, states, _ = decoder.step(x, states, memory)
            return logits_of(decoder.output(states[0], context, x, training=False)), states

        return step

    def attention(self, inp: tf.Tensor, tar: tf.Tensor) -> dict[str, tf.Tensor]:
        """The alignments, (batch, 1, 1, tar_len, inp_len): one layer, one head."""
        if not self.attention_kinds:
            return {}
        _, weights = self.network(inp, tar, training=False)
        return {"cross": weights[:, tf.newaxis, tf.newaxis]}
