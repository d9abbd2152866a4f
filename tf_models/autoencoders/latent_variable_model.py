"""What all variational autoencoders share: training on a bound of log p(x), its terms named."""

from typing import Any

import keras
import numpy as np
import tensorflow as tf

from tf_models.autoencoders.autoencoder import ImageModelExport
from tf_models.autoencoders.distributions import Likelihood
from tf_models.errors import InputError
from tf_models.training.step import LossSums, SummedLossModel

TERMS = ("loss", "reconstruction", "kl", "elbo")
Terms = dict[str, tf.Tensor]  # each (batch,), in nats, summed over pixels and latents


class LatentVariableModel(ImageModelExport, SummedLossModel):
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

    All terms are computed in float32, whatever the encoder and the decoder compute in.

    Args:
        beta: weight of the KL term (Higgins et al. 2017); 1 gives the ELBO.
        kl_warmup_steps: optimizer steps in which this weight rises from 0 to beta
            (Bowman et al. 2016, section 3.1). Validation always takes beta.
        further_terms: names of further terms that `terms` returns.

    Raises:
        InputError: one of them is negative.

    has_codes: whether encoder and decoder meet in one vector.
    is_generative: whether it makes images from nothing.
    """

    unit = "images"
    shards_validation = False
    has_codes = False
    is_generative = True
    likelihood: Likelihood

    def __init__(
        self,
        *,
        beta: float = 1.0,
        kl_warmup_steps: int = 0,
        further_terms: tuple[str, ...] = (),
        **kwargs: Any,
    ):
        super().__init__((*TERMS, *further_terms), **kwargs)
        for name, value in (("beta", beta), ("kl_warmup_steps", kl_warmup_steps)):
            if not value >= 0:
                raise InputError(f"{name} must be at least 0; received {value}")
        self.beta, self.kl_warmup_steps = beta, kl_warmup_steps

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

        The temperature is a factor on the standard deviations of the prior.
        """
        raise NotImplementedError

    def reseed(self, seed: int) -> None:
        """Let all samples that follow be decided by a seed."""
        states = [v for v in self.variables if v.name == "seed_generator_state"]
        # Each draw adds one to the second number, so the first one has to tell them apart.
        firsts = np.random.SeedSequence(seed).generate_state(len(states))
        for first, state in zip(firsts, states, strict=True):
            state.assign([int(first), 0])

    def fit(self, x: Any = None, y: Any = None, **options: Any) -> keras.callbacks.History:
        """Train as Keras does; an InputError for pixels out of the likelihood's range."""
        if isinstance(x, np.ndarray):
            low, high = self.likelihood.pixels
            if not (x.min() >= low and x.max() <= high):
                raise InputError(
                    f"pixels must be {low:g} to {high:g}; received {x.min():g} to {x.max():g}: "
                    "divide bytes by 255, or choose the Gaussian likelihood"
                )
        return super().fit(x, y, **options)

    def loss_sums(
        self, x: tf.Tensor, target: tf.Tensor | None = None, *, training: bool
    ) -> LossSums:
        """Terms in nats, summed over images (batch, height, width, channels).

        The targets, x where left out, are of the same shape.
        """
        return self._summed(x, tf.cast(x if target is None else target, tf.float32), training)

    def _summed(self, x: tf.Tensor, target: tf.Tensor, training: bool) -> LossSums:
        kl_weight = self._kl_weight() if training else self.beta
        terms = self.terms(x, target, kl_weight, training=training)
        sums = {name: tf.reduce_sum(values) for name, values in terms.items()}
        return LossSums(sums["loss"], sums)

    def _kl_weight(self) -> tf.Tensor | float:
        if not self.kl_warmup_steps:
            return self.beta
        done = tf.cast(self.optimizer.iterations, tf.float32)
        return self.beta * tf.minimum(1.0, done / self.kl_warmup_steps)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "beta": self.beta, "kl_warmup_steps": self.kl_warmup_steps}
