"""What the end of a training shows: numbers, examples, figures."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tf_models.data.images.dataset import ImageSet
from tf_models.data.images.loading import ONE_HOT
from tf_models.plotting.files import save_figure
from tf_models.plotting.training_curves import plot_training_curves
from tf_models.tasks.autoencoding.anomalies import reconstruction_errors, roc
from tf_models.tasks.autoencoding.evaluation import ImportanceSampling, VAEEvaluation, evaluate_vae
from tf_models.tasks.autoencoding.figure_options import FigureOptions
from tf_models.tasks.autoencoding.figures import FIGURES, figures_of
from tf_models.tasks.autoencoding.pca import compare_with_pca, has_pca
from tf_models.tasks.autoencoding.sentence_coder import SentenceCoder
from tf_models.tasks.autoencoding.trained_model import ImageModel
from tf_models.training.history import History
from tf_models.training.run_directory import RunDirectory

SAMPLES, TEST_IMAGES = 100, 500  # of a VAE's first measure
SHOWN_SENTENCES = 5
BUCKET_WIDTH = 3  # words

Report = Callable[[str], None]


def report_autoencoder(run: RunDirectory, images: ImageSet, report: Report = print) -> None:
    """What a trained autoencoder makes of the test images: numbers, then figures."""
    model = ImageModel.load(run.path)
    tests = images.pixels(images.test)
    errors = reconstruction_errors(tests, model.reconstruct(tests))
    report(
        f"\n{len(tests)} test images through {model.code_size} numbers: squared error "
        f"{errors.mean():.4g} an image, {errors.mean() / tests[0].size:.4g} a pixel"
    )
    if images.name == ONE_HOT:
        _report_codes(model, tests, report)
    if has_pca(model, images):
        report(str(compare_with_pca(model, images)))
    if model.left_out_class is not None:
        *_, area = roc(errors, images.test.labels == model.left_out_class)
        name = images.class_name(model.left_out_class)
        report(f"class {name} by its error: area under the ROC curve {area:.3f}")
    report_figures(run, model, images, report)


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
        f"python scripts/evaluate_vae.py --run-dir {run.path}):"
    )
    evaluation = evaluate_vae(
        model.model,
        images,
        ImportanceSampling(SAMPLES),
        binarisation=model.binarisation,
        most=TEST_IMAGES,
    )
    report_evaluation(evaluation, report)
    report_figures(run, model, images, report)


def report_evaluation(evaluation: VAEEvaluation, report: Report = print) -> None:
    """All figures of an evaluation, a line each."""
    for name, value in name_figures(evaluation).items():
        shown = f"{value:,.2f}" if isinstance(value, float) else value
        report(f"  {name:32} {shown}")


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
    history, figures = History(run.history_file), {}
    if curves := history.columns():
        figures["training"] = plot_training_curves(curves, spikes=history.spikes())
    options = FigureOptions()
    for name in figures_of(model, images):
        figures[name] = FIGURES[name].draw(model, images, options)
    report("\nfigures:")
    for name, figure in figures.items():
        report(f"  {_save(run, name, figure)}")


def report_sentences(run: RunDirectory, sentences: list[str], report: Report = print) -> None:
    """Held-out sentences that come back as they were, by length, teacher forcing, a few of all."""
    coder = SentenceCoder.load(run.path)
    written, comparison = coder.reconstruct_and_compare(sentences, progress=True)
    exact = np.array([one == other for one, other in zip(sentences, written, strict=True)])
    report(
        f"\n{len(sentences)} held-out sentences through {coder.code_size} numbers (hidden and cell "
        f"state): {exact.mean():.1%} come back exactly\n\nwords  exact  sentences"
    )
    for words, (share, count) in exact_by_length(sentences, exact).items():
        report(f"{words:>5}  {share:>5.0%}  {count:>9,}")
    report("")
    for line in comparison.lines("sentences"):
        report(line)
    for sentence, back in list(zip(sentences, written, strict=True))[:SHOWN_SENTENCES]:
        report(f"\n  read     {sentence}\n  written  {back}")
    history = History(run.history_file)
    figure = plot_training_curves(history.columns(), spikes=history.spikes())
    report(f"\nfigures:\n  {_save(run, 'training', figure)}")


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
