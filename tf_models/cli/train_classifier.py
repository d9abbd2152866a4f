"""Train a Transformer classifier, then score it beside baselines and draw its attention.

  tf-models train-classifier
      which noun "it" stands for, in sentences of the package; two minutes
  tf-models train-classifier --labels type
      statement, negation, question, command, or a sentence with a subordinate clause
  tf-models train-classifier --train train.tsv --test test.tsv
      your own lines of label<TAB>text
  tf-models train-classifier --train tfds:imdb_reviews --data-dir data
      texts of TensorFlow Datasets
  tf-models train-classifier --encoder-from ready-made --freeze --max-texts 1000
      the encoder of the translator of the package, and a new network on it
  tf-models train-classifier --encoder-from runs/toy-toy --run-dir runs/fine-tuned
      the encoder of your own translator, fine-tuned

Ctrl-C saves; the same command resumes.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from tf_models.classification.settings import ClassifierSettings, preset
from tf_models.cli.arguments import RunArguments
from tf_models.cli.command_line import parse, parse_some, quiet_tensorflow, train_to_end
from tf_models.errors import InputError


class Texts(RunArguments):
    """The texts, on which settings depend."""

    labels: Literal["reference", "type", "voice"] = "reference"
    """Of the embedded sentences: the noun that "it" stands for, the type (statement, question …),
    or the voice (active, passive)."""
    train: str | None = None
    """Your own lines of label<TAB>text, or tfds:NAME (imdb_reviews, ag_news_subset …), in place of
    embedded sentences."""

    @property
    def tfds_name(self) -> str | None:
        """The name of a data set of TensorFlow Datasets."""
        is_of_tfds = self.train is not None and self.train.startswith("tfds:")
        return str(self.train).removeprefix("tfds:") if is_of_tfds else None

    @property
    def name(self) -> str:
        """Of the run directory."""
        if self.train is None:
            return self.labels
        return (self.tfds_name or Path(self.train).resolve().name.split(".")[0]).replace("/", "-")


class Arguments(Texts):
    """All arguments."""

    test: Path | None = None
    """More lines, to test on; if left out, held out of --train."""
    max_texts: Annotated[int, Field(ge=2)] | None = None
    """Train on at most so many texts."""
    encoder_from: str | None = None
    """Start from the encoder and the tokenizer of the translator in this run directory, or of
    ready-made, the one that comes with the package."""
    settings: ClassifierSettings = ClassifierSettings()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.test and (not self.train or self.tfds_name):
            raise InputError("--test belongs to a file of --train; pass that as well")
        if self.settings.training.freeze and not self.encoder_from:
            raise InputError("--freeze leaves an encoder as it is: pass --encoder-from, too")
        return self


def main() -> None:
    texts = parse_some(Texts)
    settings = preset("own-texts" if texts.train else texts.labels)
    arguments = parse(Arguments, Arguments(settings=settings))
    settings, encoder_from = arguments.settings, None
    with quiet_tensorflow():
        from tf_models.classification.evaluate import report_classifier
        from tf_models.classification.text_classifier import TrainedEncoder
        from tf_models.classification.train import prepare_classifier_training
        from tf_models.training.run_directory import RunDirectory
        from tf_models.training.strategy import make_strategy
        from tf_models.translation.translate import source_encoder
    strategy = make_strategy()
    if name := arguments.encoder_from:
        encoder_from = TrainedEncoder(name, *source_encoder(name))
        settings = settings.changed(**encoder_from.sizes)
    labelled = load_texts(arguments)
    training = prepare_classifier_training(
        RunDirectory(arguments.run_dir or Path("runs") / f"{arguments.name}-classifier"),
        labelled,
        settings,
        arguments.seed,
        encoder_from=encoder_from,
        strategy=strategy,
        minutes=arguments.minutes,
    )
    train_to_end(training, lambda: report_classifier(training.run, labelled))


def load_texts(arguments: Arguments) -> Any:
    """The labelled texts of the command line."""
    from tf_models.data import labelled

    print(f"loading {arguments.train or 'the embedded sentences'}")
    seed, most = arguments.seed, arguments.max_texts
    if not arguments.train:
        texts = labelled.embedded_texts(arguments.labels)
    elif name := arguments.tfds_name:
        texts = labelled.texts_of_tfds(name, arguments.data_dir, seed)
    else:
        texts = labelled.texts_of_files(Path(arguments.train), arguments.test, seed)
    if most is not None and most < len(texts.train):
        texts = texts.with_fewer(most, seed)
    print(texts.describe())
    return texts
