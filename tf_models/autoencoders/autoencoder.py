"""The autoencoder x^ = g(f(x)): encoder f, code f(x) and decoder g."""

from typing import Any

import keras
import tensorflow as tf

from tf_models.autoencoders.networks import EncoderDecoder
from tf_models.base import SummedLossModel
from tf_models.errors import check_choice
from tf_models.loss_sums import LossSums, weighted

NO_PROBABILITIES = (
    'the loss "bernoulli" takes pixels from 0 to 1, and a decoder that ends with a sigmoid; divide '
    'bytes by 255, or take "mse"'
)


@keras.saving.register_keras_serializable(package="tf_models")
class Autoencoder(EncoderDecoder, SummedLossModel):
    """An encoder and a decoder that are trained together and used apart.

    Compile it with an optimizer alone, or with a loss of your own; fit it on (x, x), or on
    (corrupted x, x) to denoise. Call it with x (batch, …): it returns x^ of the same shape.

    Args:
        encoder: x -> code (batch, code_size).
        decoder: code -> x^.
        reconstruction_loss: "mse" or "bernoulli" (see `ReconstructionLoss`).

    Example:
        >>> encoder = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2, "sigmoid")])
        >>> decoder = keras.Sequential([keras.Input((2,)), keras.layers.Dense(4)])
        >>> autoencoder = Autoencoder(encoder, decoder)
        >>> autoencoder.compile(optimizer="adam")
        >>> print(autoencoder(keras.ops.eye(4)).shape, autoencoder.encoder(keras.ops.eye(4)).shape)
        (4, 4) (4, 2)
    """

    unit = "images"

    def __init__(
        self,
        encoder: keras.Model,
        decoder: keras.Model,
        reconstruction_loss: str = "mse",
        **kwargs: Any,
    ):
        super().__init__(("loss",), **kwargs)
        self.encoder, self.decoder = encoder, decoder
        self._reconstruction_loss = ReconstructionLoss(reconstruction_loss)
        self.built = True  # encoder and decoder come built

    def call(self, x: tf.Tensor, training: bool = False) -> tf.Tensor:
        x = tf.cast(x, self.compute_dtype)  # x may be bytes
        return self.decoder(self.encoder(x, training=training), training=training)

    def loss_sums(
        self,
        x: tf.Tensor,
        target: tf.Tensor | None = None,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        """Reconstruction loss of the targets (batch, …), by default x, summed."""
        target = x if target is None else target
        losses = self._reconstruction_loss.call(target, self(x, training=training))  # (batch,)
        loss = tf.reduce_sum(weighted(losses, sample_weight))
        return LossSums(loss, {"loss": loss})

    def inputs_and_labels(self, x: Any, y: Any) -> tuple[Any, Any]:
        return x, x if y is None else y

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "reconstruction_loss": self._reconstruction_loss.loss_kind}


@keras.saving.register_keras_serializable(package="tf_models")
class ReconstructionLoss(keras.losses.Loss):
    """L(x, x^), summed over pixels, averaged over the batch.

    loss_kind "mse": |x - x^|^2. "bernoulli": -sum x log x^ + (1 - x) log(1 - x^), in nats (the
    lecture's formula lacks the second term, without which x^ = 1 would be best everywhere). Raises
    InputError: another kind.
    """

    def __init__(self, loss_kind: str = "mse", name: str = "reconstruction", **kwargs: Any):
        super().__init__(name=name, **kwargs)
        check_choice("the loss", loss_kind, ("mse", "bernoulli"))
        self.loss_kind = loss_kind

    def call(self, y_true: tf.Tensor, y_pred: tf.Tensor) -> tf.Tensor:
        y_true, y_pred = tf.cast(y_true, tf.float32), tf.cast(y_pred, tf.float32)
        if self.loss_kind == "mse":
            pixel_losses = tf.math.squared_difference(y_true, y_pred)
        else:
            for pixels in (y_true, y_pred):
                tf.debugging.Assert(
                    tf.reduce_all((pixels >= 0) & (pixels <= 1)), [NO_PROBABILITIES]
                )
            pixel_losses = keras.ops.binary_crossentropy(y_true, y_pred)
        return tf.reduce_sum(pixel_losses, axis=range(1, pixel_losses.shape.rank))  # (batch,)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "loss_kind": self.loss_kind}
