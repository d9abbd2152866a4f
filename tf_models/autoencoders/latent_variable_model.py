"""What all variational autoencoders share: training on a bound of log p(x), its terms named."""

import keras
import numpy as np
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.training import batch_sharding as towers

TERMS = ("loss", "reconstruction", "kl", "elbo")
Terms = dict[str, tf.Tensor]  # each (batch,), in nats, summed over pixels and latents


class LatentVariableModel(keras.Model):
    """A model p(x, z) = p(x | z) p(z) with an approximate posterior q(z | x).

    Compile it with an optimizer alone and fit it on images, or on pairs of (input, target), where
    the inputs may be corrupted. All terms are summed over pixels and latents, and their means over
    the images are logged:

        reconstruction  -E[log p(x | z)]
        kl              KL(q(z | x) || p(z))
        elbo            -(reconstruction + kl)
        loss            what is minimised

    Subclasses say what the terms are (`terms`), what an importance-weighted estimate of log p(x)
    needs (`log_weights`), and how to make images from nothing (`generate`).

    Args:
        beta: weight of the KL term (Higgins et al. 2017); 1 gives the ELBO.
        kl_warmup_steps: optimizer steps in which this weight rises from 0 to beta
            (Bowman et al. 2016, section 3.1). Validation always takes beta.
        further_terms: names of further terms that `terms` returns.

    Set `towers` before `fit` to train on so many parts of a batch at the same time.

    Raises:
        InputError: one of them is negative.
    """

    def __init__(
        self,
        *,
        beta: float = 1.0,
        kl_warmup_steps: int = 0,
        further_terms: tuple[str, ...] = (),
        **kwargs,
    ):
        super().__init__(**kwargs)
        for name, value in (("beta", beta), ("kl_warmup_steps", kl_warmup_steps)):
            if not value >= 0:
                raise InputError(f"{name} must be at least 0; received {value}")
        self.beta, self.kl_warmup_steps = beta, kl_warmup_steps
        self.towers = 1
        self._means = [keras.metrics.Mean(name=name) for name in (*TERMS, *further_terms)]

    def terms(
        self, x: tf.Tensor, target: tf.Tensor, kl_weight: tf.Tensor | float, training: bool
    ) -> Terms:
        """Each of `TERMS`, and the further ones, for each image, (batch,).

        Args:
            x: what the posterior sees, (batch, height, width, channels).
            target: what is to be explained, of the same shape.
            kl_weight: beta, or less during warm-up.
            training: whether to act as in training.
        """
        raise NotImplementedError

    def log_weights(self, x: tf.Tensor, samples: int) -> tf.Tensor:
        """log p(x, z) - log q(z | x) for several z ~ q(z | x), (samples, batch), in nats."""
        raise NotImplementedError

    def generate(self, count: int, temperature: float = 1.0) -> tf.Tensor:
        """Expected images of new latents, (count, height, width, channels).

        Args:
            count: number of images.
            temperature: factor on the standard deviations of the prior.
        """
        raise NotImplementedError

    def reseed(self, seed: int) -> None:
        """Let all samples that follow be decided by a seed."""
        states = [v for v in self.variables if v.name == "seed_generator_state"]
        # Each draw adds one to the second number, so the first one has to tell them apart.
        firsts = np.random.SeedSequence(seed).generate_state(len(states))
        for first, state in zip(firsts, states, strict=True):
            state.assign([int(first), 0])

    @property
    def metrics(self) -> list[keras.metrics.Metric]:
        """The means of `TERMS`; Keras resets them before each epoch."""
        return self._means

    def train_step(self, data) -> dict[str, tf.Tensor]:
        """One step of the optimizer, as `fit` wants it."""
        batch = _inputs_and_targets(data)
        size = tf.cast(tf.shape(batch[0])[0], tf.float32)
        parts = towers.split(batch, self.towers)
        gradients, terms = zip(*(self._train_tower(*part, size) for part in parts), strict=True)
        self.optimizer.apply(towers.add_up(gradients), self.trainable_variables)
        return self._log({name: tf.concat([t[name] for t in terms], 0) for name in terms[0]})

    def _train_tower(self, x, target, size: tf.Tensor) -> tuple[list[tf.Tensor], Terms]:
        """Gradients of a part of a batch of `size` images, and its terms."""
        with tf.GradientTape() as tape:
            terms = self.terms(x, target, self._kl_weight(), training=True)
            loss = tf.reduce_sum(terms["loss"]) / size
        weights = [weight.value for weight in self.trainable_variables]
        return tape.gradient(loss, weights), terms

    def test_step(self, data) -> dict[str, tf.Tensor]:
        """Evaluate one batch, as `evaluate` wants it."""
        x, target = _inputs_and_targets(data)
        return self._log(self.terms(x, target, self.beta, training=False))

    def _kl_weight(self):
        if not self.kl_warmup_steps:
            return self.beta
        done = tf.cast(self.optimizer.iterations, tf.float32)
        return self.beta * tf.minimum(1.0, done / self.kl_warmup_steps)

    def _log(self, terms: Terms) -> dict[str, tf.Tensor]:
        for mean in self._means:
            mean.update_state(terms[mean.name])
        return {mean.name: mean.result() for mean in self._means}

    def get_config(self):
        return {
            **super().get_config(),
            "beta": self.beta,
            "kl_warmup_steps": self.kl_warmup_steps,
        }


def _inputs_and_targets(data) -> tuple[tf.Tensor, tf.Tensor]:
    """Images alone, (images,), or (input, target)."""
    if not isinstance(data, (tuple, list)):
        return data, data
    x, target, _ = keras.utils.unpack_x_y_sample_weight(tuple(data))
    return x, (x if target is None else target)
