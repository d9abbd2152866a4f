"""Models of images on test data, in the numbers that papers give: nats and squared errors."""

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import tensorflow as tf
from sklearn.metrics import roc_auc_score, roc_curve
from tqdm import tqdm

from tf_models.autoencoders.variational import LatentVariableModel
from tf_models.autoencoding.model import ImageModel, reconstruction_errors
from tf_models.autoencoding.pca import compare_with_pca
from tf_models.data.image_batches import ImageBatches
from tf_models.data.images import ONE_HOT, ImageSet
from tf_models.errors import Report

ACTIVE_VARIANCE = 0.01  # Burda et al. 2016, section 5.2
BATCH_SIZE = 50  # images at a time


def evaluate_run(
    run_dir: Path,
    *,
    checkpoint: str | None = None,
    dataset: str | None = None,
    data_dir: Path | None = None,
    report: Report = print,
    **sampling: int,
) -> dict:
    """Measure a run: an autoencoder's errors, or a VAE in nats.

    The checkpoint is "best", "latest" or a name. The images of a dataset (see `load_images`) are
    those that it was trained on if left out; `sampling` is of a VAE (see `report_likelihood`).
    Returns the figures by names with units. Raises InputError: the run or the images cannot be
    read.
    """
    model = ImageModel.load(run_dir, checkpoint)
    images = model.origin.load(dataset, data_dir)
    if model.is_generative:
        return report_likelihood(model, images, report, **sampling)
    return report_errors(model, images, report)


def report_likelihood(
    model: ImageModel,
    images: ImageSet,
    report: Report = print,
    *,
    importance_samples: int = 500,
    max_images: int | None = None,
    seed: int = 0,
) -> dict[str, float | int | str]:
    """Mean terms of the bound and mean importance-weighted log-likelihood of the test images, which
    are binarised as in training, but once.

    The estimate is called "log-likelihood" where papers' numbers may stand beside it: of pixels
    that are not binarised it is a log-density of a Gaussian likelihood, and of a Bernoulli one a
    cross-entropy, which is not normalised.

    Args:
        model: a VAE.
        images: the test images among them are measured.
        report: takes the lines that are shown.
        importance_samples: k of the estimate.
        max_images: take only so many of the first images; all if None.
        seed: of the samples, and of the images' binarisation.

    Returns:
        figures by names with units, in nats, summed over pixels and latents; of a hierarchical
        model the KL term of each group, of one with a single layer its active latents.
    """
    vae, binarisation = model.model, model.settings.inputs.binarisation
    tests = images.test[:max_images]
    batches = ImageBatches(
        tests.images,
        images.maximum,
        BATCH_SIZE,
        seed,
        # Drawn once, whatever the batches.
        binarisation="none" if binarisation == "none" else "static",
        labels=tests.labels if model.settings.is_conditional else None,
    )
    # The target, which comes last, is the image itself.
    inputs = batches.in_order().map(lambda *batch: batch[0] if len(batch) == 2 else batch[:-1])
    vae.compile()
    vae.reseed(seed)
    terms = vae.evaluate(inputs, verbose=0, return_dict=True)
    bar = tqdm(inputs, desc="log-likelihood", total=len(batches), leave=False, disable=None)
    estimates = log_likelihoods(vae, bar, importance_samples)
    density = "log-likelihood" if binarisation != "none" else vae.likelihood.non_binarised_name
    figures: dict[str, float | int | str] = {
        "images": len(tests),
        "binarisation": binarisation,
        **{f"{name} (nats)": float(terms[name]) for name in vae.means.names if name != "loss"},
        "importance samples": importance_samples,
        f"{density} (nats)": float(estimates.mean()),
        "standard error (nats)": float(estimates.std() / len(tests) ** 0.5),
    }
    if hasattr(vae, "posterior_means"):
        active = active_units(np.concatenate([vae.posterior_means(x) for x in inputs]))
        figures["active latents"] = f"{active.sum()} of {len(active)}"
    for name, value in figures.items():
        report(f"  {name:32} {value:,.2f}" if isinstance(value, float) else f"  {name:32} {value}")
    return figures


def log_likelihoods(
    model: LatentVariableModel, batches: Iterable[tf.Tensor], samples: int, chunk: int = 10
) -> np.ndarray:
    """Importance-weighted estimates of log p(x) for each image (Burda et al. 2016, equation 8).

    log (1/k) sum_i p(x, z_i) / q(z_i | x), z_i ~ q(z | x): on average too low, and the less so the
    larger k is. Weights are added up chunk by chunk, so that memory does not grow with k.

    Args:
        model: the model.
        batches: images, (batch, height, width, channels) each; of a conditional model, images
            and their class numbers.
        samples: k.
        chunk: samples at a time.

    Returns:
        (images,), float64.
    """
    counts = [min(chunk, samples - done) for done in range(0, samples, chunk)]

    @tf.function(reduce_retracing=True)
    def log_sum_of_weights(x: tf.Tensor) -> tf.Tensor:
        size = tf.shape(tf.nest.flatten(x)[0])[:1]
        total = tf.fill(size, tf.constant(-math.inf, tf.float64))  # (batch,)
        for count in tf.constant(counts):  # several at a time, where cores are free
            log_weights = tf.cast(model.log_weights(x, count), tf.float64)  # (count, batch)
            total = tf.reduce_logsumexp(tf.concat([total[tf.newaxis], log_weights], 0), axis=0)
        return total

    return np.concatenate([log_sum_of_weights(x).numpy() - math.log(samples) for x in batches])


def active_units(means: np.ndarray) -> np.ndarray:
    """Latents that depend on the image: Var_x(E[z | x]) > 0.01, (latents,) bool.

    The means are those of q(z | x) for many images, (images, latents).
    """
    return np.var(means, axis=0) > ACTIVE_VARIANCE


def report_errors(model: ImageModel, images: ImageSet, report: Report = print) -> dict:
    """Squared errors of the test images, and what only some models have: codes, PCA, anomalies.
    Returns the numbers by name.
    """
    tests = images.pixels(images.test)
    errors = reconstruction_errors(tests, model.reconstruct(tests))
    figures = {"images": len(tests), "squared error": float(errors.mean())}
    report(
        f"{len(tests)} test images through {model.code_size} numbers: squared error "
        f"{errors.mean():.4g} an image, {errors.mean() / tests[0].size:.4g} a pixel"
    )
    if images.name == ONE_HOT:  # the numbers, their codes, and what comes back
        codes = model.encode(tests)
        for one_hot, code, back in zip(tests, codes, model.decode(codes), strict=True):
            before, bits, after = (_bits(part) for part in (one_hot, code, back))
            exact = ", ".join(f"{value:.3f}" for value in code)
            report(f"  {before} -> {bits.replace(' ', '')} -> {after}   ({exact})")
    if model.has_pca(images):
        comparison = compare_with_pca(model, images)
        figures["squared error of PCA"] = comparison.pca_error
        report(str(comparison))
    if model.origin.left_out_class is not None:
        *_, area = roc(errors, images.test.labels == model.origin.left_out_class)
        figures["area under the ROC curve"] = area
        name = images.names[model.origin.left_out_class]
        report(f"class {name} by its error: area under the ROC curve {area:.3f}")
    return figures


def _bits(values: np.ndarray) -> str:
    return " ".join(f"{value:.0f}" for value in values.ravel())


def roc(errors: np.ndarray, anomalous: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The receiver operating characteristic of "the error is above a threshold".

    Args:
        errors: (n,).
        anomalous: whether each image is an anomaly, (n,) bool.

    Returns:
        false positive rates and true positive rates for falling thresholds, and the area under
        the curve: the probability that an anomaly has a greater error than another image.
    """
    false_positives, true_positives, _ = roc_curve(anomalous, errors)
    return false_positives, true_positives, float(roc_auc_score(anomalous, errors))
