"""The Vision Transformer (Dosovitskiy et al. 2021, section 3.1).

"An Image is Worth 16x16 Words": patches stand in place of words; layers are the Transformer's.
"""

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from tf_models.base import SummedLossModel
from tf_models.errors import InputError
from tf_models.layers import LayerNormalization, constructor_arguments
from tf_models.loss_sums import LossSums
from tf_models.losses import class_sums
from tf_models.transformer.layers import EncoderLayer

EMBEDDING_STD = 0.02  # of initial class token and positions, as in the authors' code


def patches(images: tf.Tensor, patch: int) -> tf.Tensor:
    """Patches of images: x in R^(H x W x C) -> x_p in R^(N x (P^2 C)).

    Each holds the pixels of a square, row by row. Images (batch, height, width, channels), whose
    sides patch = P divides, give (batch, height / P * width / P, P * P * channels).

    Example:
        >>> image = tf.reshape(tf.range(16), (1, 4, 4, 1))
        >>> print(patches(image, 2)[0].numpy())
        [[ 0  1  4  5]
         [ 2  3  6  7]
         [ 8  9 12 13]
         [10 11 14 15]]
    """
    height, width, channels = images.shape[1:]
    rows, columns = height // patch, width // patch
    x = tf.reshape(images, (-1, rows, patch, columns, patch, channels))
    x = tf.transpose(x, perm=[0, 1, 3, 2, 4, 5])  # (batch, rows, columns, P, P, channels)
    return tf.reshape(x, (-1, rows * columns, patch * patch * channels))


@keras.saving.register_keras_serializable(package="tf_models")
class VisionTransformer(SummedLossModel):
    """Patches, class token, learned positions, encoder layers and logits.

    Call it with images (batch, height, width, channels), 0 to 1. It returns

    - logits, (batch, num_classes), float32, for a softmax;
    - the attention weights by name, "encoder_layer1" …, (batch, num_heads, 1 + patches,
      1 + patches), of the class token, then the patches, row by row.

    Args:
        image_shape: height, width and channels.
        patch: pixels of a patch's side; it must divide height and width.
        num_layers, d_model, num_heads, dff, rate: as in `Transformer`.
        num_classes: number of classes.

    Raises:
        InputError: the patches do not cover the image.

    Example:
        >>> sizes = {"num_layers": 2, "d_model": 64, "num_heads": 4, "dff": 128}
        >>> vit = VisionTransformer((28, 28, 1), patch=7, **sizes, num_classes=10)
        >>> logits, attention = vit(tf.ones((3, 28, 28, 1)))
        >>> print(logits.shape, attention["encoder_layer2"].shape)
        (3, 10) (3, 4, 17, 17)
    """

    unit = "images"
    has_classes = True

    def __init__(
        self,
        image_shape: Sequence[int],
        patch: int,
        num_layers: int,
        d_model: int,
        num_heads: int,
        dff: int,
        num_classes: int,
        rate: float = 0.1,
        **kwargs: Any,
    ):
        image_shape = tuple(image_shape)  # JSON has lists
        self._arguments = constructor_arguments(locals())
        super().__init__(**kwargs)
        height, width, channels = image_shape
        if height % patch or width % patch:
            raise InputError(
                "patch must divide height and width of the images; "
                f"received patch={patch}, images of {height} x {width}"
            )
        self.image_shape = height, width, channels
        self.grid = height // patch, width // patch
        self.patch = patch
        self.d_model = d_model
        self.embedding = keras.layers.Dense(d_model, dtype=self.dtype_policy, name="embedding")
        self.dropout = keras.layers.Dropout(rate, dtype=self.dtype_policy)
        # x + Sublayer(LayerNorm(x)) twice, with GELU between (equations 2 and 3, figure 1).
        variant = {"activation": "gelu", "normalize_first": True, "dtype": self.dtype_policy}
        self.enc_layers = [
            EncoderLayer(d_model, num_heads, dff, rate, name=f"layer{i + 1}", **variant)
            for i in range(num_layers)
        ]
        self.layernorm = LayerNormalization(epsilon=1e-6, dtype=self.dtype_policy, name="layernorm")
        self.final_layer = keras.layers.Dense(num_classes, dtype="float32", name="final_layer")
        rows, columns = self.grid
        initializer = keras.initializers.RandomNormal(stddev=EMBEDDING_STD)
        self.class_token = self.add_weight((1, 1, self.d_model), initializer, name="class_token")
        shape = (1, 1 + rows * columns, self.d_model)
        self.pos_encoding = self.add_weight(shape, initializer, name="position_embedding")
        self.embedding.build((None, None, self.patch**2 * self.image_shape[-1]))
        for layer in self.enc_layers:
            layer.build((None, None, self.d_model))
        self.layernorm.build((None, self.d_model))
        self.final_layer.build((None, self.d_model))
        self.built = True

    def embed(self, images: tf.Tensor) -> tf.Tensor:
        """z_0 = [x_class; x_p^1 E; …; x_p^N E] + E_pos, (batch, 1 + N, d_model)."""
        if tuple(images.shape[1:]) != self.image_shape:
            raise InputError(
                f"images must be (batch, {', '.join(map(str, self.image_shape))}); "
                f"received {tuple(images.shape)}"
            )
        images = tf.cast(images, self.compute_dtype)  # bytes, too
        x = self.embedding(patches(images, self.patch))  # (batch, N, d_model), x_p E of equation 1
        class_token = tf.cast(self.class_token, x.dtype)
        class_tokens = tf.repeat(class_token, tf.shape(x)[0], axis=0)  # (batch, 1, d_model)
        return tf.concat([class_tokens, x], axis=1) + tf.cast(self.pos_encoding, x.dtype)

    def call(
        self, images: tf.Tensor, training: bool = False
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        """Classify images (batch, height, width, channels), 0 to 1."""
        z = self.dropout(self.embed(images), training=training)
        weights = {}
        for i, layer in enumerate(self.enc_layers, start=1):
            z, weights[f"encoder_layer{i}"] = layer(z, training=training)
        y = self.layernorm(z[:, 0])  # (batch, d_model), equation 4
        return self.final_layer(y), weights

    def loss_sums(
        self,
        images: tf.Tensor,
        labels: tf.Tensor,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        """Sums over the images (see `class_sums`)."""
        return class_sums(labels, self(images, training=training)[0], sample_weight)

    def symbolic_inputs(self) -> list[keras.KerasTensor]:
        return [keras.Input(self.image_shape, name="images")]
