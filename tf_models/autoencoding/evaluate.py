"""Evaluation on test images: nats, squared errors, comparison with PCA."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from scipy.linalg import subspace_angles
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score
from tqdm import tqdm

from tf_models.autoencoders.variational import LatentVariableModel
from tf_models.autoencoding.model import ImageModel, reconstruction_errors
from tf_models.data.image_batches import ImageBatches
from tf_models.data.images import ONE_HOT, ImageSet
from tf_models.errors import Report, StrPath, counted

ACTIVE_VARIANCE = 0.01  # Burda et al. 2016, section 5.2
BATCH_SIZE = 50  # images at a time
IMPORTANCE_SAMPLES = 500  # samples for each estimate of a log-likelihood


def evaluate_run(
    run_dir: StrPath,
    *,
    checkpoint: str | None = None,
    dataset: str | None = None,
    data_dir: StrPath | None = None,
    importance_samples: int = IMPORTANCE_SAMPLES,
    report: Report = print,
) -> dict:
    """Measure a run: squared errors of an autoencoder, nats of a VAE.

    The checkpoint is "best", "latest" or a name; the images are those that it was trained on if no
    dataset is given; the importance samples are those of a VAE (see `report_likelihood`). Returns
    the figures by names with units. Raises InputError: the run or the images cannot be read.
    """
    model = ImageModel.load(run_dir, checkpoint)
    images = model.origin.load(dataset, data_dir)
    if model.is_generative:
        return report_likelihood(model, images, report, importance_samples=importance_samples)
    return report_errors(model, images, report)


def report_likelihood(
    model: ImageModel,
    images: ImageSet,
    report: Report = print,
    *,
    importance_samples: int = IMPORTANCE_SAMPLES,
    max_images: int | None = None,
    seed: int = 0,
) -> dict[str, float | int | str]:
    """Mean terms of the bound and log-likelihood of test images, in nats.

    They are summed over pixels and latents; images are binarised as in training, but once.
    The importance-weighted estimate is called "log-likelihood" where papers' numbers may stand
    beside it: of pixels that are not binarised it is a log-density of a Gaussian likelihood, and of
    a Bernoulli one a cross-entropy, which is not normalised.

    Only the first `max_images` count, or all if it is None; k is `importance_samples`; the seed
    decides samples and binarisation.

    Returns:
        figures by names with units; also the KL term of each group of a hierarchical model, or the
        active latents of a model with a single layer of them.
    """
    vae = model.model
    binarisation = model.settings.inputs.binarisation
    tests = images.test[:max_images]
    batches = ImageBatches(
        tests.images,
        images.maximum,
        BATCH_SIZE,
        seed,
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
    """Importance-weighted estimates of log p(x) in nats: (images,), float64.

    log (1/k) sum_i p(x, z_i) / q(z_i | x), z_i ~ q(z | x), k = `samples` (Burda et al. 2016,
    equation 8): on average too low, and the less so the larger k is. Weights are added up chunk by
    chunk, so that memory does not grow with k. The batches are of images (batch, height, width,
    channels), or of images and class numbers where the model is conditional.
    """
    counts = [min(chunk, samples - done) for done in range(0, samples, chunk)]

    @tf.function(reduce_retracing=True)
    def log_sum_of_weights(x: tf.Tensor) -> tf.Tensor:
        size = tf.shape(tf.nest.flatten(x)[0])[:1]
        total = tf.fill(size, tf.constant(-math.inf, tf.float64))  # (batch,)
        for count in tf.constant(counts):  # TensorFlow runs several at a time if cores are free
            log_weights = tf.cast(model.log_weights(x, count), tf.float64)  # (count, batch)
            total = tf.reduce_logsumexp(tf.concat([total[tf.newaxis], log_weights], 0), axis=0)
        return total

    return np.concatenate([log_sum_of_weights(x).numpy() - math.log(samples) for x in batches])


def active_units(means: np.ndarray) -> np.ndarray:
    """Latents that depend on x: Var_x(E[z | x]) > 0.01, (latents,) bool.

    The means are those of q(z | x) for many images, (images, latents).
    """
    return np.var(means, axis=0) > ACTIVE_VARIANCE


def report_errors(model: ImageModel, images: ImageSet, report: Report = print) -> dict:
    """Squared error of test images; PCA's and the ROC area where they apply."""
    tests = images.pixels(images.test)
    left_out = model.origin.left_out_class
    reconstructions = model.reconstruct(tests)
    errors = reconstruction_errors(tests, reconstructions)
    figures = {"images": len(tests), "squared error": float(errors.mean())}
    report(
        f"{counted(len(tests), 'test image')} through {counted(model.code_size, 'number')}: "
        f"squared error {errors.mean():.4g} an image, {errors.mean() / tests[0].size:.4g} a pixel"
    )
    if images.name == ONE_HOT:
        for image, code, reconstruction in zip(
            tests, model.encode(tests), reconstructions, strict=True
        ):
            bits = "".join(_rounded(code))
            exact = ", ".join(f"{number:.3f}" for number in code)
            before, after = " ".join(_rounded(image)), " ".join(_rounded(reconstruction))
            report(f"  {before} -> {bits} -> {after}   ({exact})")
    if model.has_pca(images):
        comparison = compare_with_pca(model, images)
        figures["squared error of PCA"] = comparison.pca_error
        report(str(comparison))
    if left_out is not None:
        area = float(roc_auc_score(images.test.labels == left_out, errors))
        figures["area under the ROC curve"] = area
        name = images.class_names[left_out]
        report(f"class {name} by its error: area under the ROC curve {area:.3f}")
    return figures


def _rounded(array: np.ndarray) -> list[str]:
    return [f"{number:.0f}" for number in array.ravel()]


class PcaComparison(NamedTuple):
    """Test images through a linear autoencoder and through PCA.

    pca_reconstructions: (n, height, width, channels).
    error, pca_error: |x - x^|^2, summed over pixels, mean over the images.
    angle: largest principal angle between what the decoder spans and PCA's subspace, in degrees.
    """

    pca_reconstructions: np.ndarray
    error: float
    pca_error: float
    angle: float

    def __str__(self) -> str:
        """Both errors and the angle, on one line."""
        return (
            f"squared error {self.error:.4g}, PCA's {self.pca_error:.4g} "
            f"({self.error / self.pca_error - 1:+z.2%}); largest angle between the subspaces "
            f"{self.angle:.2f}°"
        )


def compare_with_pca(model: ImageModel, images: ImageSet) -> PcaComparison:
    """Compare a linear model with PCA of the training images, on test images."""
    train, test = (images.pixels(split) for split in (images.train, images.test))
    kernel = model.model.decoder.get_weights()[0]  # (code_size, pixels)
    pca = PCA(len(kernel), svd_solver="full").fit(train.reshape(len(train), -1))
    codes = pca.transform(test.reshape(len(test), -1))  # (n, code_size)
    pca_reconstructions = pca.inverse_transform(codes).reshape(test.shape)
    return PcaComparison(
        pca_reconstructions,
        error=float(reconstruction_errors(test, model.reconstruct(test)).mean()),
        pca_error=float(reconstruction_errors(test, pca_reconstructions).mean()),
        angle=float(principal_angles(kernel, pca.components_).max()),
    )


def principal_angles(kernel: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Principal angles between two subspaces in degrees, largest first.

    The subspaces are the row spaces of a linear decoder's kernel and of PCA's components, both
    (code_size, features). Returns (code_size,), all 0 where the subspaces are equal.
    """
    return np.degrees(subspace_angles(kernel.T, components.T))


def pca_errors(images: ImageSet, sizes: Sequence[int]) -> dict[int, float]:
    """|x - x^|^2 by number of principal components, mean over the test images.

    It is summed over pixels, for sizes below the number of training images and that of pixels.
    """
    train, test = (
        images.pixels(split).reshape(len(split), -1) for split in (images.train, images.test)
    )
    pca = PCA(svd_solver="full").fit(train)  # the first components are the same for all sizes
    total = ((test - pca.mean_) ** 2).sum(axis=1).mean()
    explained = np.cumsum((pca.transform(test) ** 2).mean(axis=0))  # by one component, two …
    return {n: float(total - explained[n - 1]) for n in sizes if n < min(train.shape)}
