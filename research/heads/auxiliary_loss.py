"""A Transformer whose encoder is trained to find what "it" stands for.

With the loss of a translator alone the decoder of a large model finds it, while it writes er, sie
or es. Here the encoder has to as well. The ready-made translator was trained in this way.
"""

from typing import Any

import tensorflow as tf

from tf_models.loss_sums import LossSums
from tf_models.output_layer import next_token_sums
from tf_models.sequence_to_sequence import teacher_forcing
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Transformer
from tf_models.translation.load import load_settings
from tf_models.translation.settings import RUN_DIR

LAYER, HEAD = 3, 1  # of the encoder, from 1: what it attends to at "it" must tell the pronoun
PRONOUN_WEIGHT = 8.0  # of the cross-entropy of one pronoun, beside that of one written token


class Resolver(Transformer):
    """The article's model with an auxiliary loss, and after the training the article's model.

    Where a source has one "it" and its target one of er, sie and es, two vectors must tell which
    one: the encoder's output at "it", and what head 1 of its layer 3 attends to there, as a mean
    of embeddings. Weights and arguments are those of `Transformer`, ids those of the ready-made
    translator.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        _, tokenizers = load_settings(RunDirectory(RUN_DIR))
        self.it_id = tokenizers.source.encode("it")[1]  # the first one is <start>
        self.pronoun_ids = [tokenizers.target.encode(word)[1] for word in ("er", "sie", "es")]

    def loss_sums(  # type: ignore[override]
        self, inp: tf.Tensor, tar: tf.Tensor, *, training: bool
    ) -> LossSums:
        tar_inp, tar_real = teacher_forcing(tar)
        enc_mask, look_ahead_mask, dec_mask = create_masks(inp, tar_inp)
        enc_output, attention = self.encoder(inp, training=training, padding_mask=enc_mask)
        states, _ = self.decoder(
            tar[:, :-1],
            enc_output,
            training=training,
            look_ahead_mask=look_ahead_mask,
            padding_mask=dec_mask,
        )
        sums = next_token_sums(self.final_layer, states, tar_real, training, self.label_smoothing)
        if not training:
            return sums
        weights = attention[f"encoder_layer{LAYER}"][:, HEAD - 1]  # (batch, inp_len, inp_len)
        words = self.encoder.embed(inp, tf.zeros(()))  # without positions
        attended = tf.matmul(weights, words)  # (batch, inp_len, d_model)
        pronouns = self.pronoun_loss(inp, tar, enc_output) + self.pronoun_loss(inp, tar, attended)
        return LossSums(sums.loss + PRONOUN_WEIGHT * pronouns, sums.metrics)

    def pronoun_loss(self, inp: tf.Tensor, tar: tf.Tensor, states: tf.Tensor) -> tf.Tensor:
        """Cross-entropy of er, sie or es given the state at "it": a sum over sentences.

        The logit of a pronoun is the product of the state and the pronoun's embedding.

        Args:
            inp, tar: ids, (batch, inp_len) and (batch, tar_len).
            states: (batch, inp_len, d_model).
        """
        is_it = tf.equal(inp, self.it_id)  # (batch, inp_len)
        is_pronoun = tf.equal(tar[..., tf.newaxis], self.pronoun_ids)  # (batch, tar_len, 3)
        wanted = tf.reduce_sum(tf.cast(is_pronoun, states.dtype), axis=1)  # (batch, 3)
        its = tf.reduce_sum(tf.cast(is_it, states.dtype), axis=1)  # (batch,)
        clear = tf.equal(its, 1) & tf.equal(tf.reduce_sum(wanted, axis=1), 1)
        state = tf.boolean_mask(states, is_it & clear[:, tf.newaxis])  # (sentences, d_model)
        pronouns = tf.gather(self.decoder.embedding.embeddings, self.pronoun_ids)  # (3, d_model)
        logits = tf.matmul(state, pronouns, transpose_b=True)  # (sentences, 3)
        labels = tf.boolean_mask(wanted, clear)
        return tf.reduce_sum(tf.nn.softmax_cross_entropy_with_logits(labels, logits))
