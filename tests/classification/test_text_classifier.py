from dataclasses import replace

import numpy as np
import pytest
from matplotlib.text import Text

from tf_models.classification.evaluate import BASELINES, accuracy_by_kind, predict_with
from tf_models.classification.figures import draw_attention
from tf_models.classification.model import TextClassifier, plain_text
from tf_models.errors import InputError

SENTENCE = "The dog sees the fox."


@pytest.fixture(scope="module")
def learnt(texts, train):
    """A training that knows the order of the animals."""
    often = replace(texts, train=10 * texts.train)  # few epochs: each ends with checkpoints
    return train("learnt", texts=often, epochs=4, dropout=0.0, learning_rate=0.02)


@pytest.fixture(scope="module")
def classifier(learnt):
    return TextClassifier.load(learnt.run.path, "latest")


@pytest.mark.slow
def test_it_knows_the_order_and_a_bag_of_words_does_not(classifier, texts):
    read = classifier.classify([one.text for one in texts.train])
    of_words = predict_with(BASELINES["bag of words"], texts.train, texts.train)

    assert accuracy_by_kind(texts.train, read)["all"] > 0.95
    assert accuracy_by_kind(texts.train, of_words)["all"] < 0.75


def test_loaded_is_trained(classifier, learnt):
    ids = np.array([classifier.encode(SENTENCE)])
    np.testing.assert_array_equal(classifier.model(ids)[0], learnt.model(ids)[0])


def test_texts_alone_and_together(classifier, texts):
    sentences = [SENTENCE, "The wolf hears the bear.", "The man", SENTENCE]
    together = classifier.probabilities(sentences)

    np.testing.assert_allclose(together.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(classifier.probabilities(sentences[::-1])[::-1], together, atol=1e-6)
    for one, row in zip(sentences, together, strict=True):
        np.testing.assert_allclose(classifier.probabilities([one])[0], row, atol=1e-6)
    assert classifier.probabilities([]).shape == (0, 2)


def test_attention_of_a_text(classifier):
    tokens, weights = classifier.attention(SENTENCE)

    assert tokens[0] == "<start>"
    assert tokens[-1] == "<end>"
    assert weights.shape == (1, 2, len(tokens), len(tokens))
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)


def test_figures_of_attention(classifier):
    tokens, weights = classifier.attention(SENTENCE)
    rows = {"first": weights[0, :, 0], "mean": weights[0].mean(axis=1)}
    for query, expected in rows.items():
        figure = draw_attention(classifier, sentence=SENTENCE, query=query)
        maps = [axes.images[0].get_array() for axes in figure.axes if axes.images]
        np.testing.assert_allclose(np.concatenate(maps[:2]), expected, atol=1e-6)
    whole = draw_attention(classifier, sentence=SENTENCE, layer="1", words=True)
    said = {text.get_text() for text in whole.findobj(Text)}
    assert {"dog", "fox", "head 1", "head 2"} <= said
    (predicted,) = classifier.classify([SENTENCE])
    assert any(f"→ {predicted} (" in text.replace("\n", " ") for text in said)
    with pytest.raises(InputError, match="--query"):
        draw_attention(classifier, sentence=SENTENCE, query="last")


def test_labelled_texts_of_other_classes(classifier, tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text("falling\tone\nsideways\ttwo\n")
    with pytest.raises(InputError, match="received sideways"):
        classifier.read([path])


def test_plain_text():
    assert plain_text("Is He tired?") == "is he tired"
    assert plain_text("Is He tired?", plain=False) == "Is He tired?"
    assert plain_text("?!") == "?!"  # not nothing


def test_another_kind_of_run(tiny_run):
    with pytest.raises(InputError, match="a run of kind vae, not classifier"):
        TextClassifier.load(tiny_run("vae"))


def test_a_second_text_of_another_length_traces_nothing_new(classifier):
    traced = []

    def model(batch):
        traced.append(batch.shape)
        return classifier.model(batch)

    counted = replace(classifier, model=model)
    for text in (SENTENCE, "The man", SENTENCE * 2):
        np.testing.assert_allclose(
            counted.probabilities([text]), classifier.probabilities([text]), atol=1e-6
        )
    assert len(traced) == 1
