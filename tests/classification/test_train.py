from dataclasses import replace

import pytest

from tests.support.tiny_classifier import in_folder
from tf_models.data.labelled import LabelledText
from tf_models.errors import InputError


@pytest.fixture(scope="module")
def classifier_training(texts, tmp_path_factory):
    """A training that has come to its end."""
    training = in_folder(tmp_path_factory.mktemp("classifiers"), texts)("whole")
    assert training.fit()
    return training


def test_the_best_epoch_has_the_highest_validation_accuracy(classifier_training):
    accuracies = classifier_training.history.columns()["val_accuracy"]
    (kept,) = (classifier_training.run.checkpoints / "best").glob("ckpt-*.index")
    best = accuracies.index(max(accuracies)) + 1  # the first of equals

    assert kept.stem == f"ckpt-{best}"


def test_long_texts_are_cut(prepare, texts):
    lines = []
    long = replace(texts, train=[*texts.train, LabelledText("The dog " * 30, "rising")])
    training = prepare(texts=long, max_length=12, report=lines.append)

    assert f"1 of {len(long.train)} training texts are cut to 12 tokens" in lines
    assert max(ids.shape[1] for ids, _ in training.batches.batches_from(0, 0, 1)) == 12


def test_the_directory_of_other_texts_or_settings(classifier_training, texts):
    prepare = in_folder(classifier_training.run.path.parent, texts)
    with pytest.raises(InputError, match="model.dff was 32 and is 8 now"):
        prepare("whole", dff=8)
    with pytest.raises(InputError, match="data.fingerprint was"):
        prepare("whole", texts=replace(texts, train=texts.train[::-1]))


def test_heads_must_divide_the_width(prepare):
    with pytest.raises(InputError, match="num_heads must divide d_model"):
        prepare(num_heads=3)
