"""A VAE on test images, in the numbers that papers give."""

import numpy as np
from tqdm import tqdm

from tf_models.autoencoders.latent_variable_model import LatentVariableModel
from tf_models.data.images.batches import ImageBatches
from tf_models.data.images.dataset import ImageSet
from tf_models.tasks.autoencoding.log_likelihood import CHUNK, active_units, log_likelihoods


def evaluate_vae(
    model: LatentVariableModel,
    images: ImageSet,
    *,
    binarisation: str,
    samples: int,
    chunk: int = CHUNK,
    batch_size: int = 50,
    most: int | None = None,
    seed: int = 0,
    progress: bool = True,
) -> dict[str, float | int | str]:
    """Mean terms of the bound and mean importance-weighted log-likelihood of the test images.

    Args:
        model: trained.
        images: whose test images count.
        binarisation: of them, as in training; drawn once.
        samples: k of the importance-weighted estimate.
        chunk: samples at a time.
        batch_size: images at a time.
        most: take only so many of the first images.
        seed: of the binarisation and the samples.
        progress: whether to show a bar.

    Returns:
        by name: sizes and settings, the terms in nats (negative, but for kl and
        reconstruction), the standard error of the estimate's mean over the images, and the number
        of active latents where there is one code. For pixels that are not binarised the estimate
        has another name and cannot be compared with papers: it is a log-density of a Gaussian
        likelihood, and not even that of a Bernoulli one, whose cross-entropy is not normalised.
    """
    tests = images.test.images[:most]
    # Drawn once, whatever the batches.
    once = "none" if binarisation == "none" else "static"
    batches = ImageBatches(tests, images.maximum, batch_size, seed, binarisation=once)
    name = "log-likelihood" if binarisation != "none" else model.likelihood.non_binarised_name
    model.compile()
    model.reseed(seed)
    terms = model.evaluate(batches.in_order(), verbose=0, return_dict=True)
    bar = tqdm(batches.in_order(), total=len(batches), disable=None if progress else True)
    estimates = log_likelihoods(model, (x for x, _ in bar), samples, chunk)
    results = {
        "images": len(tests),
        "binarisation": binarisation,
        "elbo (nats)": float(terms["elbo"]),
        "reconstruction (nats)": float(terms["reconstruction"]),
        "kl (nats)": float(terms["kl"]),
        **{f"{k} (nats)": float(v) for k, v in terms.items() if k.startswith("kl_")},
        "importance samples": samples,
        f"{name} (nats)": float(estimates.mean()),
        "standard error (nats)": float(estimates.std() / len(tests) ** 0.5),
    }
    if hasattr(model, "encoder"):
        means = model.encoder.predict(batches.in_order().map(lambda x, _: x), verbose=0)[0]
        results["active latents"] = f"{int(np.sum(active_units(means)))} of {means.shape[1]}"
    return results
