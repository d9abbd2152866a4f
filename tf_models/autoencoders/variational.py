"""Variational autoencoders (Kingma & Welling 2014): bounds of log p(x)."""

import math
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from tf_models.autoencoders.distributions import (
    Likelihood,
    Sampling,
    kl_to_standard,
    log_density,
    make_likelihood,
    sum_units,
)
from tf_models.autoencoders.networks import EncoderDecoder
from tf_models.base import SummedLossModel
from tf_models.errors import InputError
from tf_models.loss_sums import LossSums, weighted

SAMPLES_TOGETHER = 10  # number that a decoder gets at a time, so few that a core's cache holds them
NO_PROBABILITIES = (
    "a Bernoulli likelihood is of pixels from 0 to 1: divide bytes by 255, or take "
    'likelihood="gaussian"'
)
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
        loss            minimised by training

    Subclasses define `terms`, `log_weights` and `generate`. All terms are computed in float32,
    whatever the encoder and the decoder compute in.

    Args:
        beta: weight of the KL term (Higgins et al. 2017); 1 gives the ELBO.
        kl_warmup_steps: optimizer steps in which this weight rises from 0 to beta
            (Bowman et al. 2016, section 3.1). Validation always takes beta.
        further_terms: names of further terms that `terms` returns.
    """

    unit = "images"
    shards_validation = False
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
        self.beta = beta
        self.kl_warmup_steps = kl_warmup_steps

    def terms(
        self, x: tf.Tensor, target: tf.Tensor, kl_weight: tf.Tensor | float, training: bool
    ) -> Terms:
        """Each of `TERMS`, and the further ones, for each image, (batch,).

        The posterior sees x (batch, height, width, channels); the target, of the same shape, is to
        be explained. The KL weight is beta, or less during warm-up.
        """
        raise NotImplementedError

    def log_weights(self, x: tf.Tensor, samples: int) -> tf.Tensor:
        """log p(x, z) - log q(z | x), z ~ q(z | x), in nats: (samples, batch)."""
        raise NotImplementedError

    def generate(self, count: int, temperature: float = 1.0) -> tf.Tensor:
        """Expected images of new latents, (count, height, width, channels).

        The temperature is a factor on the standard deviations of the prior.
        """
        raise NotImplementedError

    def fit(self, x: Any = None, y: Any = None, *args: Any, **options: Any) -> Any:
        """Fit as in Keras, after a check that the likelihood accepts the pixels.

        Raises InputError; for the first batch of a `tf.data.Dataset` an InvalidArgumentError.
        """
        if isinstance(x, tf.data.Dataset):
            x = x.enumerate().map(self._checked)
        elif hasattr(x, "shape") and not self.likelihood.takes(_target((x, y))):
            raise InputError(NO_PROBABILITIES)
        return super().fit(x, y, *args, **options)

    def _checked(self, number: tf.Tensor, batch: Any) -> Any:
        fits = tf.cond(number > 0, lambda: True, lambda: self.likelihood.takes(_target(batch)))
        tf.debugging.Assert(fits, [NO_PROBABILITIES])
        return batch

    def loss_sums(
        self,
        x: tf.Tensor,
        target: tf.Tensor | None = None,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        """Terms in nats, summed over images (batch, height, width, channels).

        The targets, by default x, are of the same shape.
        """
        target = x if target is None else target
        # Both may be bytes.
        x, target = tf.nest.map_structure(lambda part: tf.cast(part, tf.float32), (x, target))
        kl_weight = self._kl_weight() if training else self.beta
        terms = self.terms(x, target, kl_weight, training)
        terms["loss"] = weighted(terms["loss"], sample_weight)
        sums = {name: tf.reduce_sum(values) for name, values in terms.items()}
        return LossSums(sums["loss"], sums)

    def inputs_and_labels(self, x: Any, y: Any) -> tuple[Any, Any]:
        return x, x if y is None else y

    def _kl_weight(self) -> tf.Tensor | float:
        if not self.kl_warmup_steps:
            return self.beta
        steps = tf.cast(self.optimizer.iterations, tf.float32)
        return self.beta * tf.minimum(1.0, steps / self.kl_warmup_steps)

    def reseed(self, seed: int) -> None:
        """Seed all samples that follow."""
        states = [state for state in self.variables if state.name == "seed_generator_state"]
        # Each draw adds one to a state's second number, so the first one has to tell states apart.
        firsts = np.random.SeedSequence(seed).generate_state(len(states))
        for first, state in zip(firsts, states, strict=True):
            state.assign([int(first), 0])

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "beta": self.beta, "kl_warmup_steps": self.kl_warmup_steps}


@keras.saving.register_keras_serializable(package="tf_models")
class VAE(EncoderDecoder, LatentVariableModel):
    """One layer of latents z ~ N(0, 1), a normal posterior, and a decoder.

    It minimises reconstruction + beta * kl, the negative ELBO for beta = 1 (Kingma & Welling 2014,
    equation 10, with one sample of z).

    With `importance_samples` k > 1 it minimises the tighter bound -log (1/k) sum_i w_i,
    w_i = p(x, z_i) / q(z_i | x) (Burda et al. 2016, equation 8). Its gradient is the mean of the
    gradients of log w_i, weighted by w_i (equation 14). With `gradient_samples`, only so many
    samples are drawn by weight, with replacement, and the mean is theirs: the same on average, and
    cheaper. (The decoder runs again for these samples, so it must have no noise of its own.)

    Call it with images (batch, height, width, channels): it returns their reconstructions.

    Args:
        encoder: images -> [mean, log_variance] of q(z | x), each (batch, latents).
        decoder: z (batch, latents) -> parameters of p(x | z), of the images' shape. Its last layer
            is linear for both likelihoods: a sigmoid or tanh there would be taken for logits.
        likelihood: "bernoulli" (the parameters are logits, pixels are from 0 to 1) or "gaussian"
            (the parameters are means, pixels are any numbers).
        importance_samples: k; above 1, beta and warm-up must be left alone.
        gradient_samples: samples whose gradient is taken, drawn by weight; 0 takes all.
        seed: decides the samples.
        beta, kl_warmup_steps: see `LatentVariableModel`.

    Raises:
        InputError: beta or warm-up is set for the importance-weighted bound, which has no KL term.

    Example:
        >>> from tf_models.autoencoders.networks import dense_decoder, dense_encoder
        >>> from tf_models.autoencoders.networks import normal_encoder
        >>> shape, latents = (8, 8, 1), 20
        >>> encoder = normal_encoder(dense_encoder(shape, 64, [64]), latents)
        >>> vae = VAE(encoder, dense_decoder(shape, latents, [64], output_activation="linear"))
        >>> print(vae(tf.zeros((5, *shape))).shape, vae.generate(16).shape)
        (5, 8, 8, 1) (16, 8, 8, 1)
    """

    def __init__(
        self,
        encoder: keras.Model,
        decoder: keras.Model,
        likelihood: str = "bernoulli",
        *,
        importance_samples: int = 1,
        gradient_samples: int = 0,
        seed: int | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        if importance_samples > 1 and (self.beta != 1 or self.kl_warmup_steps):
            raise InputError(
                "the importance-weighted bound has no KL term to weigh: with importance_samples="
                f"{importance_samples} leave beta at 1 and kl_warmup_steps at 0"
            )
        if len(getattr(encoder, "outputs", (None, None))) < 2:
            raise InputError(
                "the encoder of a VAE returns [mean, log_variance] of q(z | x); see normal_encoder"
            )
        self.encoder, self.decoder = encoder, decoder
        self.importance_samples = importance_samples
        self.gradient_samples = gradient_samples
        self._likelihood_name = likelihood
        self._seed = seed
        self.likelihood = make_likelihood(likelihood)
        self.sampling = Sampling(seed, name="sampling", dtype="float32")
        self.built = True  # encoder and decoder come built

    @property
    def latents(self) -> int:
        """Number of latents."""
        return self.encoder.outputs[0].shape[-1]

    def call(self, x: tf.Tensor, training: bool = False) -> tf.Tensor:
        z = self.sampling(*self._posterior(x, training))
        return self.likelihood.mean(self._parameters(z, training))

    def terms(self, x: tf.Tensor, target: tf.Tensor, kl_weight: tf.Tensor, training: bool) -> Terms:
        posterior = self._posterior(x, training)
        z = self._samples(*posterior, self.importance_samples)  # (k, batch, latents)
        starts = range(0, self.importance_samples, SAMPLES_TOGETHER)
        chunks = [z[start : start + SAMPLES_TOGETHER] for start in starts]
        log_p_x = tf.concat([self._log_p_x(target, chunk, training) for chunk in chunks], axis=0)
        reconstruction = -tf.reduce_mean(log_p_x, axis=0)
        kl = sum_units(kl_to_standard(*posterior))
        elbo = -reconstruction - kl
        if self.importance_samples == 1:
            loss = reconstruction + kl_weight * kl
        else:
            loss = -self._importance_weighted(target, log_p_x, z, posterior, training)
        return {"loss": loss, "reconstruction": reconstruction, "kl": kl, "elbo": elbo}

    def _importance_weighted(
        self,
        target: tf.Tensor,
        log_p_x: tf.Tensor,
        z: tf.Tensor,
        posterior: tuple[tf.Tensor, tf.Tensor],
        training: bool,
    ) -> tf.Tensor:
        """log (1/k) sum_i w_i, (batch,); log_p_x is (k, batch), z (k, batch, …)."""
        log_weights = log_p_x - _log_ratio(z, *posterior)
        bound = tf.reduce_logsumexp(log_weights, axis=0) - math.log(self.importance_samples)
        if not training or not self.gradient_samples:
            return bound
        samples = self._drawn_by_weight(z, log_weights, *posterior)
        log_weights = self._log_p_x(target, samples, training)
        log_weights -= _log_ratio(samples, *posterior)  # (gradient_samples, batch)
        mean_log_weight = tf.reduce_mean(log_weights, axis=0)  # only its gradient counts
        return mean_log_weight + tf.stop_gradient(bound - mean_log_weight)

    def _drawn_by_weight(
        self, z: tf.Tensor, log_weights: tf.Tensor, mean: tf.Tensor, log_variance: tf.Tensor
    ) -> tf.Tensor:
        """Samples drawn by weight, as functions of their mean and log-variance."""
        seed = tf.cast(self.sampling.seed_generator.next(), tf.int32)
        by_image = tf.transpose(log_weights)  # (batch, k)
        indices = tf.random.stateless_categorical(by_image, self.gradient_samples, seed)
        samples = tf.gather(tf.transpose(z, [1, 0, 2]), indices, batch_dims=1)
        samples = tf.transpose(samples, [1, 0, 2])  # (gradient_samples, batch, latents)
        std = tf.exp(0.5 * log_variance)
        epsilon = tf.stop_gradient((samples - mean) / std)
        return mean + std * epsilon  # (gradient_samples, batch, latents)

    def log_weights(self, x: tf.Tensor, samples: int) -> tf.Tensor:
        posterior = self._posterior(x, training=False)
        z = self._samples(*posterior, samples)  # (samples, batch, latents)
        return self._log_p_x(x, z, training=False) - _log_ratio(z, *posterior)

    def posterior_means(self, x: tf.Tensor) -> tf.Tensor:
        """Means of q(z | x), (batch, latents)."""
        return self._posterior(x, training=False)[0]

    def generate(self, count: int, temperature: float = 1.0) -> tf.Tensor:
        zeros = tf.zeros((count, self.latents))
        z = self.sampling(zeros, zeros, temperature=temperature)
        return self.likelihood.mean(self._parameters(z, training=False))

    def _posterior(self, x: tf.Tensor, training: bool) -> tuple[tf.Tensor, tf.Tensor]:
        """Mean and log-variance of q(z | x), (batch, latents) each, float32."""
        x = tf.nest.map_structure(lambda part: tf.cast(part, self.compute_dtype), x)
        # The encoder of Keras' VAE example returns a sample as well.
        mean, log_variance, *_ = self.encoder(x, training=training)
        return tf.cast(mean, tf.float32), tf.cast(log_variance, tf.float32)

    def _samples(self, mean: tf.Tensor, log_variance: tf.Tensor, count: int) -> tf.Tensor:
        shape = tf.concat([[count], tf.shape(mean)], axis=0)
        return self.sampling(tf.broadcast_to(mean, shape), log_variance)

    def _parameters(self, z: tf.Tensor, training: bool) -> tf.Tensor:
        return tf.cast(self.decoder(z, training=training), tf.float32)

    def _log_p_x(self, target: tf.Tensor, z: tf.Tensor, training: bool) -> tf.Tensor:
        """log p(target | z), (samples, batch), for z (samples, batch, latents)."""
        flat = tf.reshape(z, (-1, z.shape[-1]))  # (samples * batch, latents)
        parameters = self._parameters(flat, training)
        parameters = tf.reshape(parameters, (tf.shape(z)[0], -1, *target.shape[1:]))
        return self.likelihood.log_probability(target, parameters)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "likelihood": self._likelihood_name,
            "importance_samples": self.importance_samples,
            "gradient_samples": self.gradient_samples,
            "seed": self._seed,
        }


@keras.saving.register_keras_serializable(package="tf_models")
class ConditionalVAE(VAE):
    """A VAE of p(x | y) with the class y (Sohn et al. 2015, section 4.1).

    Encoder and decoder see y, one-hot, beside x and z. So z only has to say what the class leaves
    open, such as slant and thickness of a digit. (Its prior does not depend on y: p(z | y) =
    N(0, 1), as in Kingma et al. 2014, section 2.)

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
        """Expected images (batch, …) of z (batch, latents) and labels (batch,)."""
        inputs = tf.concat([z, self._one_hot(labels)], axis=-1)  # (batch, latents + classes)
        return self.likelihood.mean(self._parameters(inputs, training))

    def loss_sums(
        self,
        x: tf.Tensor,
        labels: tf.Tensor,
        target: tf.Tensor | None = None,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        y = self._one_hot(labels)
        target = x if target is None else target
        return super().loss_sums(
            [x, y], [target, y], training=training, sample_weight=sample_weight
        )

    def inputs_and_labels(self, x: Any, y: Any) -> tuple[Any, Any]:
        data = self.named_data(x, y)
        return (data["x"], data["labels"]), data.get("target", data["x"])

    def symbolic_inputs(self) -> list[keras.KerasTensor]:
        images, _ = self.encoder.inputs
        labels = keras.Input((), dtype="int32", name="labels")
        return [keras.Input(images.shape[1:], name="x"), labels]

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
        """Expected images, classes in turn: (count, height, width, channels)."""
        zeros = tf.zeros((count, self.latents))
        z = self.sampling(zeros, zeros, temperature=temperature)
        return self.decode(z, tf.range(count) % self.classes)

    def _one_hot(self, labels: tf.Tensor) -> tf.Tensor:
        return tf.one_hot(tf.cast(labels, tf.int32), self.classes)  # (batch, classes)


def _target(batch: Any) -> tf.Tensor:
    """The target of images, (images, target) or (images, labels[, target])."""
    return [part for part in tf.nest.flatten(batch) if part is not None and len(part.shape) > 1][-1]


def _log_ratio(z: tf.Tensor, mean: tf.Tensor, log_variance: tf.Tensor) -> tf.Tensor:
    """log q(z | x) - log p(z), (samples, batch)."""
    ratio = log_density(z, mean, log_variance) - log_density(z, 0.0, tf.zeros_like(log_variance))
    return tf.reduce_sum(ratio, axis=-1)
