"""What the end of a training shows, and what measures a run: numbers, examples, figures."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tf_models.data.images.dataset import ImageSet
from tf_models.data.images.loading import ONE_HOT
from tf_models.data.text_files import read_lines
from tf_models.errors import InputError, Report
from tf_models.plotting.files import save_figure
from tf_models.plotting.training_curves import plot_training_curves
from tf_models.tasks.autoencoding.anomalies import reconstruction_errors, roc
from tf_models.tasks.autoencoding.drawing import ImageRuns
from tf_models.tasks.autoencoding.evaluation import ImportanceSampling, VAEEvaluation, evaluate_vae
from tf_models.tasks.autoencoding.figures import FIGURES
from tf_models.tasks.autoencoding.pca import compare_with_pca, has_pca
from tf_models.tasks.autoencoding.sentence_coder import SentenceCoder
from tf_models.tasks.autoencoding.sentences import KIND
from tf_models.tasks.autoencoding.trained_model import ImageModel
from tf_models.training.history import History
from tf_models.training.run_directory import RunDirectory

SAMPLES, TEST_IMAGES = 100, 500  # of a VAE's first measure
SHOWN_SENTENCES = 5
BUCKET_WIDTH = 3  # words


def evaluate_run(
    run_dir: Path,
    *,
    checkpoint: str | None = None,
    source: Path | None = None,
    dataset: str | None = None,
    data_dir: Path | None = None,
    report: Report = print,
    **sampling: int,
) -> dict:
    """Measure a run: an autoencoder's errors, a VAE in nats, or which sentences come back.

    Args:
        run_dir: of the run.
        checkpoint: "best", "latest" or a name.
        source: sentences for a sequence autoencoder, a line each.
        dataset, data_dir: see `load_images`; the images that it was trained on if left out.
        report: what to do with a line for the reader.
        sampling: of a VAE (see `ImportanceSampling`).

    Returns:
        the figures by names with units.

    Raises:
        InputError: a file or the run cannot be read.
    """
    if RunDirectory(run_dir).read_kind() == KIND:
        if source is None:
            raise InputError("name the sentences to read and write again: --source FILE")
        sentences = [line for line in read_lines(source) if line.strip()]
        if not sentences:
            raise InputError(f"{source} holds no sentence")
        return report_reconstructions(SentenceCoder.load(run_dir, checkpoint), sentences, report)
    sampling = ImportanceSampling(**sampling)
    model = ImageModel.load(run_dir, checkpoint)
    images = model.load_images(dataset, data_dir)
    if model.is_generative:
        return report_likelihood(model, images, sampling, report)
    return report_errors(model, images, report)


def report_autoencoder(run: RunDirectory, images: ImageSet, report: Report = print) -> None:
    """What a trained autoencoder makes of the test images: numbers, then figures."""
    model = ImageModel.load(run.path)
    report("")
    report_errors(model, images, report)
    report_figures(run, model, images, report)


def report_errors(model: ImageModel, images: ImageSet, report: Report = print) -> dict:
    """Squared errors of the test images, and what only some models have: codes, PCA, anomalies.

    Returns:
        the numbers by name.
    """
    tests = images.pixels(images.test)
    errors = reconstruction_errors(tests, model.reconstruct(tests))
    found = {"images": len(tests), "squared error": float(errors.mean())}
    report(
        f"{len(tests)} test images through {model.code_size} numbers: squared error "
        f"{errors.mean():.4g} an image, {errors.mean() / tests[0].size:.4g} a pixel"
    )
    if images.name == ONE_HOT:
        _report_codes(model, tests, report)
    if has_pca(model, images):
        comparison = compare_with_pca(model, images)
        found["squared error of PCA"] = comparison.pca_error
        report(str(comparison))
    if model.left_out_class is not None:
        *_, area = roc(errors, images.test.labels == model.left_out_class)
        found["area under the ROC curve"] = area
        name = images.class_name(model.left_out_class)
        report(f"class {name} by its error: area under the ROC curve {area:.3f}")
    return found


def _report_codes(model: ImageModel, tests: np.ndarray, report: Report) -> None:
    """One-hot numbers, their codes, and what comes back."""
    codes = model.encode(tests)
    for one_hot, code, back in zip(tests, codes, model.decode(codes), strict=True):
        vectors = (" ".join(f"{value:.0f}" for value in x.ravel()) for x in (one_hot, back))
        bits = "".join(f"{value:.0f}" for value in code)
        exact = ", ".join(f"{value:.3f}" for value in code)
        report(f"  {next(vectors)} -> {bits} -> {next(vectors)}   ({exact})")


def report_vae(run: RunDirectory, images: ImageSet, report: Report = print) -> None:
    """A first measure of a trained VAE, then figures."""
    model = ImageModel.load(run.path)
    shown = min(TEST_IMAGES, len(images.test))
    report(
        f"\n{shown} of {len(images.test)} test images (more of them, or more samples: "
        f"python scripts/evaluate.py --run-dir {run.path}):"
    )
    report_likelihood(model, images, ImportanceSampling(SAMPLES, images=TEST_IMAGES), report)
    report_figures(run, model, images, report)


def report_likelihood(
    model: ImageModel, images: ImageSet, sampling: ImportanceSampling, report: Report = print
) -> dict:
    """Bound and log-likelihood of the test images, a line for each figure; all of them by name."""
    binarisation = model.binarisation
    figures = name_figures(evaluate_vae(model.model, images, sampling, binarisation=binarisation))
    for name, value in figures.items():
        shown = f"{value:,.2f}" if isinstance(value, float) else value
        report(f"  {name:32} {shown}")
    return figures


def name_figures(evaluation: VAEEvaluation) -> dict[str, float | int | str]:
    """The figures of an evaluation by names with units, for a reader and for JSON."""
    groups = {f"kl_{i} (nats)": kl for i, kl in enumerate(evaluation.group_kls, start=1)}
    figures = {
        "images": evaluation.images,
        "binarisation": evaluation.binarisation,
        "elbo (nats)": evaluation.elbo,
        "reconstruction (nats)": evaluation.reconstruction,
        "kl (nats)": evaluation.kl,
        **groups,
        "importance samples": evaluation.samples,
        f"{evaluation.likelihood_name} (nats)": evaluation.log_likelihood,
        "standard error (nats)": evaluation.standard_error,
    }
    if evaluation.latents is not None:
        figures["active latents"] = f"{evaluation.active_latents} of {evaluation.latents}"
    return figures


def report_figures(
    run: RunDirectory, model: ImageModel, images: ImageSet, report: Report = print
) -> None:
    """Draw all figures that say something, and the curves, into the run's folder of figures."""
    runs = ImageRuns({run.path.name: model}, images)
    left_out = {
        "sharpness": True,  # it compares runs
        "codes": model.is_generative,
        "traversal": not model.is_generative,
        "denoising": not model.corruption,
    }
    report("\nfigures:")
    for name in FIGURES.names_for(runs):
        if not left_out.get(name):
            report(f"  {_save(run, name, FIGURES.draw(name, runs))}")


def report_sentences(run: RunDirectory, sentences: list[str], report: Report = print) -> None:
    """What a trained sequence autoencoder makes of held-out sentences, then the curves."""
    report("")
    report_reconstructions(SentenceCoder.load(run.path), sentences, report)
    history = History(run.history_file)
    figure = plot_training_curves(history.columns(), spikes=history.spikes())
    report(f"\nfigures:\n  {_save(run, 'training', figure)}")


def report_reconstructions(
    coder: SentenceCoder, sentences: list[str], report: Report = print
) -> dict:
    """Sentences that come back as they were, by length, teacher forcing, a few of all.

    Returns:
        the numbers by name.
    """
    written, comparison = coder.reconstruct_and_compare(sentences, progress=True)
    exact = np.array([one == other for one, other in zip(sentences, written, strict=True)])
    report(
        f"{len(sentences)} sentences through {coder.code_size} numbers (hidden and cell state): "
        f"{exact.mean():.1%} come back exactly\n\nwords  exact  sentences"
    )
    for words, (share, count) in exact_by_length(sentences, exact).items():
        report(f"{words:>5}  {share:>5.0%}  {count:>9,}")
    report("")
    for line in comparison.lines("sentences"):
        report(line)
    for sentence, back in list(zip(sentences, written, strict=True))[:SHOWN_SENTENCES]:
        report(f"\n  read     {sentence}\n  written  {back}")
    return {"sentences": len(sentences), "exact match": float(exact.mean())}


def exact_by_length(sentences: Sequence[str], exact: np.ndarray) -> dict[str, tuple[float, int]]:
    """Share of sentences that came back exactly, 0 to 1, and their number, by numbers of words.

    Args:
        sentences: that were read.
        exact: which of them came back, (sentences,) bool.
    """
    buckets = np.array([(len(one.split()) - 1) // BUCKET_WIDTH for one in sentences])
    found = {}
    for bucket in np.unique(buckets):
        first, of_bucket = bucket * BUCKET_WIDTH + 1, exact[buckets == bucket]
        name = f"{first}-{first + BUCKET_WIDTH - 1}"
        found[name] = (float(of_bucket.mean()), len(of_bucket))
    return found


def _save(run: RunDirectory, name: str, figure) -> Path:
    path = run.figures / f"{name}.png"
    save_figure(figure, path)
    return path
