import numpy as np
import pytest
import tensorflow as tf

from research.heads.effects import (
    PronounChoice,
    pronoun_examples,
    translation_quality,
    with_max_length,
)
from research.heads.interventions import KINDS, head_ablated, heads_of


@pytest.fixture(scope="module")
def examples(translator, sentences):
    return pronoun_examples(translator, sentences, np.random.default_rng(0))


def test_the_moment_at_which_the_pronoun_is_written(translator, sentences, examples):
    tokens = translator.tokenizers.target.tokens
    assert len(examples.right) == 2  # the third sentence has none
    for i, pronoun in enumerate(("es", "er")):
        row = examples.rows[i]
        assert tokens(examples.tar[i].numpy())[row] == "▁weil"
        candidates = tokens(examples.candidates[i])
        assert candidates[examples.right[i]] == f"▁{pronoun}"
        assert candidates == ["▁er", "▁sie", "▁es"]


def test_the_edges_to_the_noun(translator, examples):
    read = translator.tokenizers.source.tokens
    for i, noun in enumerate(("animal", "street")):
        pieces = np.array(read(examples.inp[i].numpy()))
        rows, columns = np.nonzero(examples.noun["encoder"][i].numpy())
        assert "".join(pieces[np.unique(rows)]) == "▁it"
        assert "".join(pieces[np.unique(columns)]) == f"▁{noun}"
        rows, columns = np.nonzero(examples.noun["cross"][i].numpy())
        assert set(rows) == {examples.rows[i]}
        assert "".join(pieces[np.unique(columns)]) == f"▁{noun}"


def test_the_other_word_is_another_one(examples):
    for kind in KINDS:
        both = examples.noun[kind] * examples.other_word[kind]
        assert not both.numpy().any()
        assert (examples.other_word[kind].numpy().sum(axis=(1, 2)) > 0).all()


def test_choosing_is_what_the_model_does(translator, examples):
    found = PronounChoice(translator.model.network, examples).measure()
    logits, _ = translator.model.network(examples.inp, examples.tar)
    of_moment = np.stack([logits[i, row] for i, row in enumerate(examples.rows)])
    three = np.take_along_axis(of_moment, examples.candidates, axis=1)
    expected = tf.nn.softmax(three).numpy()[[0, 1], examples.right]
    assert found.probability == pytest.approx(100 * expected.mean(), abs=1e-2)
    assert found.right == 100 * np.mean(three.argmax(axis=1) == examples.right)


def test_a_masked_edge_counts(translator, examples):
    choice = PronounChoice(translator.model.network, examples)
    whole = choice.measure().probability
    heads = heads_of(translator.model.network)
    masked = {head: choice.measure([head]).probability for head in heads}
    assert all(value != pytest.approx(whole, abs=1e-4) for value in masked.values())
    assert len({round(value, 3) for value in masked.values()}) == len(masked)
    elsewhere = choice.measure(list(masked), examples.other_word).probability
    assert elsewhere != pytest.approx(choice.measure(list(masked)).probability, abs=1e-4)


def test_no_pronoun_no_choice(translator, sentences):
    assert pronoun_examples(translator, sentences[1:2], np.random.default_rng(0)) is None


def test_the_search_sees_a_head_go_and_come_back(translator, sentences):
    brief, network = with_max_length(translator, sentences), translator.model.network
    source = [sentences[0].source]

    def written():
        (best,) = brief.translate(source)[0]
        return best.text, pytest.approx(best.score, abs=1e-3)

    whole = written()
    for head in heads_of(network)[::2]:
        with head_ablated(network, head):
            assert written() != whole
    assert written() == whole


def test_quality_of_perfect_and_of_wrong_pronouns(translator, sentences, monkeypatch):
    class Says:
        tokenizers = translator.tokenizers

        def __init__(self, texts):
            self.texts = texts

        def translate(self, sources, beam_size):
            return [[type("T", (), {"text": text})] for text in self.texts]

    references = [one.target for one in sentences]
    perfect = translation_quality(Says(references), sentences)
    assert perfect.exact_match == 100
    assert perfect.bleu == pytest.approx(100)
    assert (perfect.pronouns, perfect.pronouns_by_place) == (100, 100)
    assert perfect.pronouns_by_meaning is None
    wrong = [text.replace(" es ", " sie ") for text in references]
    quality = translation_quality(Says(wrong), sentences)
    assert quality.pronouns == 50
    assert quality.exact_match == pytest.approx(200 / 3)


def test_a_with_max_length_stops(translator, sentences):
    assert with_max_length(translator, sentences[1:2]).max_length < translator.max_length
