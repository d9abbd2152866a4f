"""Train a text classifier, score it beside baselines, draw its attention.

$ tf-models train-classifier
    which noun "it" stands for, in sentences of the package; two minutes
$ tf-models train-classifier --train train.tsv --test test.tsv
    your own lines of label<TAB>text
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from tf_models.classification.settings import TextClassifierSettings, text_preset
from tf_models.cli.command_line import RunArguments, parse_known, parse_training, quiet_tensorflow
from tf_models.data.labelled import embedded_texts, texts_of_files
from tf_models.errors import InputError


class Texts(RunArguments):
    """Arguments that decide which settings there are."""

    labels: Literal["reference", "type", "voice"] = "reference"
    """Labels of the embedded sentences: the noun that "it" stands for, the type (statement,
    question …), or the voice (active, passive)."""
    train: Path | None = None
    """Your own lines of label<TAB>text, or a .csv file, in place of embedded sentences."""


class Arguments(Texts):
    test: Path | None = None
    """Lines of label<TAB>text to test on; if left out, held out of --train."""
    max_texts: Annotated[int, Field(ge=2)] | None = None
    """Train on at most so many texts."""
    encoder_from: str | None = None
    """Start from the encoder and the tokenizer of the translator in this run directory, or of
    ready-made, the one that comes with the package."""
    settings: TextClassifierSettings = TextClassifierSettings()


def main() -> None:
    texts = parse_known(Texts)
    settings = text_preset("own-texts" if texts.train else texts.labels)
    arguments = parse_training(Arguments, settings)
    if arguments.test and not arguments.train:
        raise InputError("--test belongs to a file of --train; pass that as well")
    if arguments.settings.training.freeze and not arguments.encoder_from:
        raise InputError("--freeze leaves an encoder as it is: pass --encoder-from, too")
    if arguments.train is None:
        labelled = embedded_texts(arguments.labels)
    else:
        labelled = texts_of_files(arguments.train, arguments.test, arguments.seed)
    if arguments.max_texts:
        labelled = labelled.with_fewer(arguments.max_texts, arguments.seed)
    print(labelled.describe())
    with quiet_tensorflow():
        from tf_models.classification.train import TrainedEncoder, train_text_classifier
        from tf_models.translation.translate import source_encoder
    source = arguments.train or Path(arguments.labels)
    name = arguments.encoder_from
    run_dir = arguments.run_in(f"{source.name.split('.')[0]}-classifier")
    encoder = TrainedEncoder(name, *source_encoder(name)) if name else None
    train_text_classifier(
        run_dir,
        labelled,
        arguments.settings,
        seed=arguments.seed,
        encoder_from=encoder,
        minutes=arguments.minutes,
    )
