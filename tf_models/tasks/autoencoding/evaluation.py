"""A VAE on test images, in the numbers that papers give: nats, active latents, sharpness."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from scipy.ndimage import laplace
from tqdm import tqdm

from tf_models.autoencoders.latent_variable_model import LatentVariableModel
from tf_models.data.images.batches import ImageBatches
from tf_models.data.images.dataset import ImageSet
from tf_models.errors import InputError
from tf_models.training.settings import check_seed

ACTIVE_VARIANCE = 0.01  # Burda et al. 2016, section 5.2
MAX_COUNT = 1_000_000  # of samples and images: days on any machine


@dataclass(frozen=True)
class ImportanceSampling:
    """How log p(x) is estimated.

    importance_samples: k of the estimate.
    chunk: samples at a time; what they need should stay in a core's cache.
    batch_size: images at a time.
    images: take only so many of the first images; all if None.
    seed: of the samples, and of the images' binarisation.

    Raises:
        InputError: a number is out of bounds.
    """

    importance_samples: int = 500
    chunk: int = 10
    batch_size: int = 50
    images: int | None = None
    seed: int = 0

    def __post_init__(self):
        check_seed(self.seed)
        for name in ("importance_samples", "chunk", "batch_size", "images"):
            value = getattr(self, name)
            if value is not None and not 1 <= value <= MAX_COUNT:
                raise InputError(f"{name} must be 1 to {MAX_COUNT}; received {value}")


@dataclass(frozen=True)
class VAEEvaluation:
    """Means over test images, in nats; summed over pixels and latents.

    images: their number. binarisation: of them.
    elbo, reconstruction, kl: terms of the bound (the ELBO is negative, the others are not).
    group_kls: KL term of each group of latents of a hierarchical model, first to last.
    samples: k of the estimate of log p(x).
    log_likelihood: that estimate. standard_error: of its mean over the images.
    likelihood_name: what the estimate is. Of pixels that are not binarised it cannot be compared
        with papers: it is a log-density of a Gaussian likelihood, and not even that of a Bernoulli
        one, whose cross-entropy is not normalised.
    active_latents, latents: of a model with one code (see `active_units`); None without.
    """

    images: int
    binarisation: str
    elbo: float
    reconstruction: float
    kl: float
    group_kls: tuple[float, ...]
    samples: int
    log_likelihood: float
    standard_error: float
    likelihood_name: str
    active_latents: int | None
    latents: int | None


def evaluate_vae(
    model: LatentVariableModel,
    images: ImageSet,
    sampling: ImportanceSampling,
    *,
    binarisation: str,
    progress: bool = True,
) -> VAEEvaluation:
    """Mean terms of the bound and mean importance-weighted log-likelihood of the test images.

    Args:
        model: trained.
        images: whose test images count.
        sampling: how the log-likelihood is estimated.
        binarisation: of the images, as in training; drawn once.
        progress: whether to show a bar.
    """
    tests = images.test.images[: sampling.images]
    batches = ImageBatches(
        tests,
        images.maximum,
        sampling.batch_size,
        sampling.seed,
        # Drawn once, whatever the batches.
        binarisation="none" if binarisation == "none" else "static",
    )
    model.compile()
    model.reseed(sampling.seed)
    terms = model.evaluate(batches.in_order(), verbose=0, return_dict=True)
    bar = tqdm(batches.in_order(), total=len(batches), disable=None if progress else True)
    samples, chunk = sampling.importance_samples, sampling.chunk
    estimates = log_likelihoods(model, (x for x, _ in bar), samples, chunk)
    active = active_latents(model, batches) if model.has_codes else None
    return VAEEvaluation(
        images=len(tests),
        binarisation=binarisation,
        elbo=float(terms["elbo"]),
        reconstruction=float(terms["reconstruction"]),
        kl=float(terms["kl"]),
        group_kls=tuple(float(v) for k, v in terms.items() if k.startswith("kl_")),
        samples=samples,
        log_likelihood=float(estimates.mean()),
        standard_error=float(estimates.std() / len(tests) ** 0.5),
        likelihood_name=(
            "log-likelihood" if binarisation != "none" else model.likelihood.non_binarised_name
        ),
        active_latents=None if active is None else int(np.sum(active)),
        latents=None if active is None else len(active),
    )


def log_likelihoods(
    model: LatentVariableModel, batches: Iterable[tf.Tensor], samples: int, chunk: int = 10
) -> np.ndarray:
    """Importance-weighted estimates of log p(x) for each image (Burda et al. 2016, equation 8).

    log (1/k) sum_i p(x, z_i) / q(z_i | x), z_i ~ q(z | x): on average too low, and the less so the
    larger k is. Weights are added up chunk by chunk, so that memory does not grow with k.

    Args:
        model: the model.
        batches: images, (batch, height, width, channels) each.
        samples: k.
        chunk: samples at a time.

    Returns:
        (images,), float64.

    Raises:
        InputError: `samples` or `chunk` is below 1.
    """
    if samples < 1 or chunk < 1:
        raise InputError(
            f"samples and chunk must be at least 1; received samples={samples}, chunk={chunk}"
        )
    counts = [min(chunk, samples - done) for done in range(0, samples, chunk)]

    @tf.function(reduce_retracing=True)
    def log_sum_of_weights(x):
        total = tf.fill(tf.shape(x)[:1], tf.constant(-math.inf, tf.float64))  # (batch,)
        for count in tf.constant(counts):  # several at a time, where cores are free
            log_weights = tf.cast(model.log_weights(x, count), tf.float64)  # (count, batch)
            total = _log_add(total, tf.reduce_logsumexp(log_weights, axis=0))
        return total

    return np.concatenate([log_sum_of_weights(x).numpy() - math.log(samples) for x in batches])


def _log_add(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """log(exp(a) + exp(b))."""
    return tf.reduce_logsumexp(tf.stack([a, b]), axis=0)


def active_latents(model: LatentVariableModel, batches: ImageBatches) -> np.ndarray:
    """Which latents of a model with one code say something about the images: (latents,) bool."""
    inputs = batches.in_order().map(lambda x, _: x)
    means, _ = model.encoder.predict(inputs, verbose=0)  # (images, latents) each
    return active_units(means)


def active_units(means: np.ndarray) -> np.ndarray:
    """Which latents say something about the image: Var_x(E[z | x]) > 0.01.

    Args:
        means: of q(z | x) for many images, (images, latents).

    Returns:
        (latents,) bool.
    """
    return np.var(means, axis=0) > ACTIVE_VARIANCE


def sharpness(images: np.ndarray) -> float:
    """Mean variance of the Laplacian of each image's channels (Pech-Pacheco et al. 2000).

    The Laplacian is large where shades change abruptly, so blur lowers its variance. It needs no
    reference image and no trained network, but says nothing about whether an image looks real.
    Compare it with that of real images: noise makes an image "sharp", too.

    Args:
        images: (n, height, width, channels).
    """
    second_differences = laplace(images, mode="nearest", axes=(1, 2))
    return float(second_differences.var(axis=(1, 2)).mean())
