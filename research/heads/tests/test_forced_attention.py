import numpy as np
import pytest

from research.heads.forced_attention import forced_attention
from tf_models.data.text.pairs import SentencePair
from tf_models.tasks.translation.attention import attention_of

PAIRS = [
    SentencePair("a cat", "eine Katze"),
    SentencePair("the dog sees the cat .", "der Hund sieht die Katze ."),
]


def test_of_a_batch_as_of_each_sentence_alone(random_translator):
    for pair, found in zip(PAIRS, forced_attention(random_translator, PAIRS), strict=True):
        alone = attention_of(random_translator, pair.source, pair.target)
        assert found.pair is pair
        assert found.source == alone.source_tokens
        assert found.target == [*alone.target_tokens, "<end>"]
        assert found.weights.keys() == alone.weights.keys()
        for kind, weights in alone.weights.items():
            np.testing.assert_allclose(found.weights[kind], weights, atol=1e-5)


def test_of_another_model(random_translator):
    class Uniform:
        def attention(self, inp, tar):
            weights = random_translator.model.attention(inp, tar)["cross"]
            return {"cross": weights * 0 + 0.5}

    (found,) = forced_attention(random_translator, PAIRS[:1], model=Uniform())
    assert found.weights["cross"] == pytest.approx(0.5)
