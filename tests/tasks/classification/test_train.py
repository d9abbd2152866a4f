from dataclasses import replace

import numpy as np
import pytest
from tests.support.interruption import curve, interrupt_after

from tests.support.tiny_classifier import in_folder
from tf_models.data.text.labelled import LabelledText
from tf_models.errors import InputError


@pytest.fixture(scope="module")
def classifier_training(texts, tmp_path_factory):
    """A training that has come to its end."""
    training = in_folder(tmp_path_factory.mktemp("classifiers"), texts)("whole")
    assert training.fit()
    return training


@pytest.mark.slow
def test_interrupted_and_resumed_is_uninterrupted(prepare, classifier_training):
    first = prepare("parts")
    interrupt_after(first, 6)  # of four batches an epoch
    assert not first.fit()
    second = prepare("parts")
    assert second.fit()

    assert curve(second) == curve(classifier_training)
    for a, b in zip(
        classifier_training.model.get_weights(), second.model.get_weights(), strict=True
    ):
        np.testing.assert_array_equal(a, b)


def test_the_best_epoch_has_the_highest_validation_accuracy(classifier_training):
    accuracies = classifier_training.loop.history.columns()["val_accuracy"]
    (kept,) = (classifier_training.run.checkpoints / "best").glob("ckpt-*.index")
    best = accuracies.index(max(accuracies)) + 1  # the first of equals

    assert kept.stem == f"ckpt-{best * len(classifier_training.batches)}"


def test_long_texts_are_cut_and_it_is_said(prepare, texts):
    said = []
    long = replace(texts, train=[*texts.train, LabelledText("The dog " * 30, "rising")])
    training = prepare(texts=long, max_length=12, report=said.append)

    assert f"1 of {len(long.train)} training texts are cut to 12 tokens" in said
    assert max(ids.shape[1] for ids, _ in training.loop._batches.epoch(0)) == 12


def test_the_directory_of_other_texts_or_settings(classifier_training, texts):
    prepare = in_folder(classifier_training.run.path.parent, texts)
    with pytest.raises(InputError, match="model.dff was 32 and is 8 now"):
        prepare("whole", dff=8)
    with pytest.raises(InputError, match="data.fingerprint was"):
        prepare("whole", texts=replace(texts, train=texts.train[::-1]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"num_heads": 3}, "num_heads must divide d_model; received d_model=16, num_heads=3"),
        ({"max_length": 2}, "max_length: must be greater than or equal to 3; received 2"),
    ],
)
def test_settings_that_make_no_sense(prepare, change, message):
    with pytest.raises(InputError, match=message):
        prepare(**change)
