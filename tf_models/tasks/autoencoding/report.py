"""What the end of a training shows: numbers, examples, figures."""

from tf_models.data.images.dataset import ImageSet
from tf_models.errors import Report
from tf_models.plotting.files import save_figures
from tf_models.plotting.training_curves import plot_training_curves
from tf_models.tasks.autoencoding.drawing import ImageRuns
from tf_models.tasks.autoencoding.evaluation import (
    ImportanceSampling,
    report_errors,
    report_likelihood,
    report_reconstructions,
)
from tf_models.tasks.autoencoding.figures import FIGURES
from tf_models.tasks.autoencoding.models import ImageModel
from tf_models.tasks.autoencoding.sentences import SentenceCoder
from tf_models.training.history import History
from tf_models.training.run_directory import RunDirectory

SAMPLES, TEST_IMAGES = 100, 500  # of a VAE's first measure


def report_images(run: RunDirectory, images: ImageSet, report: Report = print) -> None:
    """What a trained autoencoder makes of the test images, or a first measure of a VAE; figures."""
    model = ImageModel.load(run.path)
    if model.is_generative:
        shown = min(TEST_IMAGES, len(images.test))
        report(
            f"\n{shown} of {len(images.test)} test images (more of them, or more samples: "
            f"python scripts/evaluate.py --run-dir {run.path}):"
        )
        report_likelihood(model, images, ImportanceSampling(SAMPLES, images=TEST_IMAGES), report)
    else:
        report("")
        report_errors(model, images, report)
    report_figures(run, model, images, report)


def report_figures(
    run: RunDirectory, model: ImageModel, images: ImageSet, report: Report = print
) -> None:
    """Draw all figures that say something, and the curves, into the run's folder of figures."""
    runs = ImageRuns({run.path.name: model}, images)
    left_out = {
        "sharpness": True,  # it compares runs
        "codes": model.is_generative,
        "traversal": not model.is_generative,
        "denoising": not model.settings.inputs.corruption,
    }
    shown = [name for name in FIGURES.names_for(runs) if not left_out.get(name)]
    save_figures({name: FIGURES.draw(name, runs) for name in shown}, run.figures, report)


def report_sentences(run: RunDirectory, sentences: list[str], report: Report = print) -> None:
    """What a trained sequence autoencoder makes of held-out sentences, then the curves."""
    report("")
    report_reconstructions(SentenceCoder.load(run.path), sentences, report)
    curves = plot_training_curves(History(run.history_file).columns())
    save_figures({"training": curves}, run.figures, report)
