import numpy as np

from research.heads.forced_attention import forced_attention
from tf_models.translation.attention import attention_of


def test_of_a_batch_as_of_each_sentence_alone(translator, sentences):
    for pair, found in zip(sentences, forced_attention(translator, sentences), strict=True):
        alone = attention_of(translator, pair.source, pair.target)
        assert found.pair is pair
        assert found.source == alone["encoder"].rows
        assert found.target == [*alone["decoder"].rows, "<end>"]
        assert found.weights.keys() == alone.keys()
        for kind, maps in alone.items():
            np.testing.assert_allclose(found.weights[kind], maps.weights, atol=1e-5)
