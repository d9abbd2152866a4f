"""The conditional VAE: images of the class that is asked for (Sohn et al. 2015, section 4.1)."""

import keras
import tensorflow as tf

from tf_models.autoencoders.variational import VAE
from tf_models.training.step import LossSums


@keras.saving.register_keras_serializable(package="tf_models")
class ConditionalVAE(VAE):
    """A VAE of p(x | y): encoder and decoder see the class y, one-hot, beside x and z.

    z then has to say only what the class leaves open, such as slant and thickness of a digit. (Its
    prior knows nothing of y: p(z | y) = N(0, 1), as in Kingma et al. 2014, section 2.)

    Fit it on pairs of images and class numbers (batch,), and call it with both: it returns the
    images' reconstructions.

    Args:
        encoder: [images, one-hot classes (batch, classes)] -> [mean, log_variance] of q(z | x, y),
            each (batch, latents), as `tf_models.autoencoders.networks.with_classes` makes it.
        decoder: z and the one-hot class side by side, (batch, latents + classes) -> parameters of
            p(x | z, y), of the images' shape.
        likelihood, further arguments: see `VAE`.

    Example:
        >>> from tf_models.autoencoders.networks import dense_decoder, dense_encoder
        >>> from tf_models.autoencoders.networks import normal_encoder, with_classes
        >>> encoder = normal_encoder(with_classes(dense_encoder((8, 8, 2), 64), 10), 3)
        >>> decoder = dense_decoder((8, 8, 1), 3 + 10, output_activation="linear")
        >>> print(ConditionalVAE(encoder, decoder).generate(20).shape)  # 0 to 9, twice
        (20, 8, 8, 1)
    """

    @property
    def classes(self) -> int:
        """Number of classes."""
        return self.encoder.inputs[1].shape[1]

    def call(self, x: tf.Tensor, labels: tf.Tensor, training: bool = False) -> tf.Tensor:
        z = self.sampling(*self._posterior([x, self._one_hot(labels)], training))
        return self.decode(z, labels, training)

    def decode(self, z: tf.Tensor, labels: tf.Tensor, training: bool = False) -> tf.Tensor:
        """Expected images (batch, …) of z (batch, latents) and class numbers (batch,)."""
        beside = tf.concat([z, self._one_hot(labels)], axis=-1)  # (batch, latents + classes)
        return self.likelihood.mean(self._parameters(beside, training))

    def loss_sums(
        self, x: tf.Tensor, labels: tf.Tensor, target: tf.Tensor | None = None, *, training: bool
    ) -> LossSums:
        y = self._one_hot(labels)
        target = x if target is None else target
        return super().loss_sums([x, y], [target, y], training=training)

    def log_weights(self, x: tuple[tf.Tensor, tf.Tensor], samples: int) -> tf.Tensor:
        images, labels = x
        return super().log_weights([images, self._one_hot(labels)], samples)

    def posterior_means(self, x: tuple[tf.Tensor, tf.Tensor]) -> tf.Tensor:
        images, labels = x
        return super().posterior_means([images, self._one_hot(labels)])

    def _log_p_x(self, target: tf.Tensor, z: tf.Tensor, training: bool) -> tf.Tensor:
        image, y = target
        y = tf.tile(y[tf.newaxis], [tf.shape(z)[0], 1, 1])  # (samples, batch, classes)
        return super()._log_p_x(image, tf.concat([z, y], axis=-1), training)

    def generate(self, count: int, temperature: float = 1.0) -> tf.Tensor:
        """Expected images of new latents, each class in turn: (count, height, width, channels)."""
        zeros = tf.zeros((count, self.decoder.input_shape[-1] - self.classes))  # (count, latents)
        z = self.sampling(zeros, zeros, temperature=temperature)
        return self.decode(z, tf.range(count) % self.classes)

    def _one_hot(self, labels: tf.Tensor) -> tf.Tensor:
        """(batch,) -> (batch, classes)."""
        return tf.one_hot(labels, self.classes)
