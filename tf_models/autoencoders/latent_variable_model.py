"""What all variational autoencoders share: training on a bound of log p(x), its terms named."""

import numpy as np
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.layers.summed_loss import SummedLossModel

TERMS = ("loss", "reconstruction", "kl", "elbo")
Terms = dict[str, tf.Tensor]  # each (batch,), in nats, summed over pixels and latents


class LatentVariableModel(SummedLossModel):
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

    Raises:
        InputError: one of them is negative.

    has_codes: whether encoder and decoder meet in one vector.
    is_generative: whether it makes images from nothing.
    """

    has_codes = False
    is_generative = True

    def __init__(
        self,
        *,
        beta: float = 1.0,
        kl_warmup_steps: int = 0,
        further_terms: tuple[str, ...] = (),
        **kwargs,
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

    def sums(self, x, target=None, *, training) -> Terms:
        """Each term summed over a batch of images, which may have other images as targets."""
        target = x if target is None else target
        kl_weight = self._kl_weight() if training else self.beta
        terms = self.terms(x, target, kl_weight, training=training)
        return {name: tf.reduce_sum(values) for name, values in terms.items()}

    def _kl_weight(self):
        if not self.kl_warmup_steps:
            return self.beta
        done = tf.cast(self.optimizer.iterations, tf.float32)
        return self.beta * tf.minimum(1.0, done / self.kl_warmup_steps)

    def get_config(self):
        return {**super().get_config(), "beta": self.beta, "kl_warmup_steps": self.kl_warmup_steps}
