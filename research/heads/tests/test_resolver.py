import numpy as np
import pytest
import tensorflow as tf

from research.heads.auxiliary_loss import HEAD, LAYER, PRONOUN_WEIGHT, Resolver
from tf_models.transformer.model import Transformer

SIZES = {
    "num_layers": LAYER,
    "d_model": 16,
    "num_heads": 2,
    "dff": 16,
    "pe_input": 9,
    "pe_target": 9,
}
ARGUMENTS = {**SIZES, "input_vocab_size": 20, "target_vocab_size": 20, "rate": 0.0}
IT, ER, SIE = 5, 6, 7


@pytest.fixture
def resolver():
    model = Resolver(**ARGUMENTS)
    model.build()
    model.it_id, model.pronoun_ids = IT, [ER, SIE, 8]
    return model


INP = tf.constant([[18, 3, IT, 19], [18, IT, IT, 19], [18, 3, 4, 19], [18, 4, IT, 19]])
TAR = tf.constant([[18, 3, ER, 19], [18, 4, ER, 19], [18, 3, SIE, 19], [18, SIE, ER, 19]])


def test_one_it_and_one_pronoun_count(resolver):
    enc_output, _ = resolver.encoder(INP)
    table = resolver.decoder.embedding.embeddings.numpy()
    er, sie, es = table[[ER, SIE, 8]] @ enc_output.numpy()[0, 2]  # of the first sentence's "it"
    by_hand = np.log(np.exp([er, sie, es]).sum()) - er
    found = resolver.pronoun_loss(INP, TAR, enc_output)
    np.testing.assert_allclose(found, by_hand, rtol=1e-5)


def test_the_loss_is_that_of_the_transformer_and_the_pronouns(resolver):
    plain = Transformer(**ARGUMENTS)
    plain.build()
    plain.set_weights(resolver.get_weights())
    expected = plain.loss_sums(INP, TAR, training=False)
    found = resolver.loss_sums(INP, TAR, training=False)
    np.testing.assert_allclose(found.loss, expected.loss, rtol=1e-6)
    with_pronouns = resolver.loss_sums(INP, TAR, training=True)
    enc_output, attention = resolver.encoder(INP)
    weights = attention[f"encoder_layer{LAYER}"].numpy()[:, HEAD - 1]
    attended = weights @ resolver.encoder.embedding(INP).numpy() * 4  # sqrt(d_model)
    both = [resolver.pronoun_loss(INP, TAR, states) for states in (enc_output, attended)]
    added = PRONOUN_WEIGHT * sum(both)
    np.testing.assert_allclose(with_pronouns.loss, expected.loss + added, rtol=1e-5)
    np.testing.assert_allclose(with_pronouns.metrics["loss"], expected.loss, rtol=1e-5)
