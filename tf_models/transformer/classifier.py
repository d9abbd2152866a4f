"""Transformer classifier: encoder, pooling, feed-forward network, softmax.

(Lecture 7; Devlin et al. 2019, "BERT", section 3, take the output at the first token.)
"""

from typing import Any

import keras
import tensorflow as tf

from tf_models.base import SummedLossModel
from tf_models.errors import check_choice
from tf_models.layers import LayerNormalization, constructor_arguments
from tf_models.loss_sums import LossSums
from tf_models.losses import class_sums, real_tokens
from tf_models.transformer.layers import point_wise_feed_forward_network
from tf_models.transformer.masks import create_padding_mask
from tf_models.transformer.model import Encoder


@keras.saving.register_keras_serializable(package="tf_models")
class TransformerClassifier(SummedLossModel):
    """`Encoder`, pooling over tokens, feed-forward network, layer of logits.

    Call it with ids (batch, len), padded with 0. It returns

    - logits, (batch, num_classes), float32, for a softmax;
    - the encoder's attention weights by name, "encoder_layer1" …, (batch, num_heads, len, len).

    An encoder that is not trainable has no dropout, either.

    Args:
        num_layers, d_model, num_heads, dff, vocab_size, maximum_position_encoding, rate: as in
            `Encoder`.
        num_classes: number of classes.
        pooling: "mean" of the outputs at real tokens, or "first", that at the start token.

    Raises:
        InputError: no such pooling; in a call, there are more tokens than positions.

    Example:
        >>> sizes = {"num_layers": 2, "d_model": 64, "num_heads": 4, "dff": 256}
        >>> options = {"vocab_size": 100, "maximum_position_encoding": 50, "num_classes": 3}
        >>> classifier, ids = TransformerClassifier(**sizes, **options), tf.ones((8, 9), tf.int32)
        >>> logits, attention = classifier(ids)
        >>> print(logits.shape, attention["encoder_layer2"].shape)
        (8, 3) (8, 4, 9, 9)
    """

    unit = "texts"
    has_classes = True

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        dff: int,
        vocab_size: int,
        maximum_position_encoding: int,
        num_classes: int,
        rate: float = 0.1,
        pooling: str = "mean",
        **kwargs: Any,
    ):
        self._arguments = constructor_arguments(locals())
        super().__init__(**kwargs)
        self.autocast = False  # ids that come as floats have no room in 16 bits
        check_choice("pooling", pooling, ("mean", "first"))
        self.pooling = pooling
        stack = (num_layers, d_model, num_heads, dff, vocab_size, maximum_position_encoding, rate)
        self.encoder = Encoder(*stack, dtype=self.dtype_policy, name="encoder")
        self.ffn = point_wise_feed_forward_network(d_model, dff, self.dtype_policy)
        self.layernorm = LayerNormalization(epsilon=1e-6, dtype=self.dtype_policy, name="layernorm")
        self.dropout1 = keras.layers.Dropout(rate, dtype=self.dtype_policy)
        self.dropout2 = keras.layers.Dropout(rate, dtype=self.dtype_policy)
        self.final_layer = keras.layers.Dense(num_classes, dtype="float32", name="final_layer")
        self.encoder.build((None, None))
        for layer in (self.ffn, self.layernorm, self.final_layer):
            layer.build((None, d_model))
        self.built = True

    def call(
        self, ids: tf.Tensor, training: bool = False
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        outputs, weights = self.encoder(
            ids, training=training and self.encoder.trainable, padding_mask=create_padding_mask(ids)
        )
        pooled = self.dropout1(self.pool(outputs, ids), training=training)  # (batch, d_model)
        hidden = self.layernorm(pooled + self.ffn(pooled))  # (batch, d_model)
        hidden = self.dropout2(hidden, training=training)
        return self.final_layer(hidden), weights  # (batch, num_classes)

    def loss_sums(
        self,
        ids: tf.Tensor,
        labels: tf.Tensor,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        """Sums over the texts (see `class_sums`)."""
        return class_sums(labels, self(ids, training=training)[0], sample_weight)

    def symbolic_inputs(self) -> list[keras.KerasTensor]:
        return [keras.Input((None,), dtype="int32", name="ids")]

    def pool(self, outputs: tf.Tensor, ids: tf.Tensor) -> tf.Tensor:
        """Pool the outputs (batch, len, d_model) into vectors (batch, d_model).

        The mean of padding alone is 0.
        """
        if self.pooling == "first":
            return outputs[:, 0]
        real = tf.cast(real_tokens(ids), outputs.dtype)[..., tf.newaxis]  # (batch, len, 1)
        tokens = tf.maximum(tf.reduce_sum(real, axis=1), 1)  # (batch, 1)
        return tf.reduce_sum(outputs * real, axis=1) / tokens
