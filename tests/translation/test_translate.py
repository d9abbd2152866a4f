import numpy as np
import pytest
import tensorflow as tf

from tests.support.eager import eagerly
from tf_models.errors import InputError
from tf_models.translation.attention import attention_of
from tf_models.translation.tracing import trace_greedy
from tf_models.translation.translate import Translator

SENTENCES = ["the dog sleeps .", "a cat", "the animal sees the street and the cat and the dog ."]


def plain_greedy(translator, sentence):
    """The tutorial's loop: the whole sentence again for each token."""
    source = tf.constant([translator.source.encode(sentence)])
    target = translator.tokenizers.target
    output = [target.start_id]
    while len(output) < translator.max_length:
        logits, _ = translator.model.network(source, tf.constant([output]))
        logits = logits[0, -1].numpy()
        logits[[0, target.start_id]] = -np.inf
        if (best := int(np.argmax(logits))) == target.end_id:
            break
        output.append(best)
    return output


@pytest.mark.parametrize(
    "sentence", [SENTENCES[1], pytest.param(SENTENCES[2], marks=pytest.mark.slow)]
)
def test_evaluate_is_the_tutorials_loop(random_translator, sentence):
    ids, weights = random_translator.evaluate(sentence)

    assert ids == plain_greedy(random_translator, sentence)
    assert weights["decoder_layer2_block2"].shape[1] == len(ids)


def test_a_network_of_your_own_translates(random_translator):
    network, tokenizers = random_translator.model.network, random_translator.tokenizers
    own = Translator(network, tokenizers, random_translator.max_length)

    assert own.translate(SENTENCES[1:2]) == random_translator.translate(SENTENCES[1:2])
    assert repr(own).endswith(" parameters, of no run)")


@pytest.mark.parametrize("beam_size", [1, 3])
def test_a_search_finds_the_same_without_a_compiler(random_translator, beam_size):
    options = {"beam_size": beam_size, "n_best": beam_size, "length_penalty": 0.6}
    few = random_translator.translate(SENTENCES, **options)
    many = random_translator.translate(6 * SENTENCES, **options)
    with eagerly():
        plain = random_translator.translate(SENTENCES, **options)

    for found, expected in zip(few + many, 7 * plain, strict=True):
        assert [one.text for one in found] == [one.text for one in expected]
        scores = [one.score for one in expected]
        assert [one.score for one in found] == pytest.approx(scores, rel=1e-4)


def test_beam_score_is_the_probability_of_its_sentence(random_translator):
    source = tf.constant([random_translator.source.encode(SENTENCES[0])])
    (found,) = random_translator.search(3, source).ids.numpy()
    score = random_translator.translate(SENTENCES[:1], beam_size=3, length_penalty=0.0)[0][0].score

    target = random_translator.tokenizers.target
    ids = [target.start_id, *found[0]]
    logits, _ = random_translator.model.network(source, tf.constant([ids[:-1]]))
    logits = logits.numpy()[0]
    logits[:, [0, target.start_id]] = -1e9
    log_probs = tf.nn.log_softmax(logits).numpy()
    expected = sum(row[i] for row, i in zip(log_probs, ids[1:], strict=True) if i != 0)
    assert score == pytest.approx(expected, abs=1e-3)


def test_attention_of_a_given_target(random_translator):
    """Row 11: cross-attention is (target length x source length)."""
    pair = "the dog sees the cat .", "der Hund sieht die Katze ."
    encoder, decoder, cross = attention_of(random_translator, *pair).values()

    assert (encoder.rows[0], encoder.rows[-1]) == ("<start>", "<end>")
    assert (cross.rows, cross.columns) == ([*decoder.rows[1:], "<end>"], encoder.rows)
    assert cross.weights.shape == (2, 4, len(decoder.rows), len(encoder.rows))
    np.testing.assert_allclose(cross.weights.sum(axis=-1), 1, atol=1e-5)


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("", "the sentence is empty"),
        ("  \t", "the sentence is empty"),
        ("the cat " * 60, "positions end at 42"),
    ],
)
def test_sentences_that_cannot_be_translated(random_translator, sentence, message):
    with pytest.raises(InputError, match=message):
        random_translator.translate([sentence])
    assert not random_translator.can_translate(sentence)


def test_unknown_characters_are_translated_around(random_translator):
    plain, *others = random_translator.translate(
        ["the cat", "the 😀 cat", "😀 the cat", "the cat 😀", "the\u200b ｃat", "the cát"]
    )
    assert [found.text for (found,) in others] == [plain[0].text] * len(others)
    assert [found.score for (found,) in others] == pytest.approx([plain[0].score] * len(others))


def test_a_sentence_gives_its_best_translation_back(random_translator):
    ((best, _),) = random_translator.translate(["the cat"], beam_size=2, n_best=2)
    assert random_translator.translate("the cat", beam_size=2) == best.text


def test_unknown_words_are_named_once_in_order(random_translator):
    known = frozenset({"the", "cat", "at", "0:00", "."})
    knowing = Translator(
        random_translator.model, random_translator.tokenizers, 42, known_words=known
    )
    assert knowing.unknown_words("The CAT, the Cat's Zoe at 7:30, Zoe, 😀.") == [
        "CAT", ",", "Zoe", "😀"
    ]  # fmt: skip
    assert random_translator.unknown_words("Zoe") == []  # nothing is known of its training


def test_maps_of_a_translation_that_does_not_end(random_translator):
    """Its last token is one that was written, and no end token."""
    translator = Translator(random_translator.model, random_translator.tokenizers, 42)
    translator.max_length = 3
    with eagerly():
        ids = translator.greedy_ids(translator.source.encode(SENTENCES[2]))
        attention = attention_of(translator, SENTENCES[2])["cross"]

    assert len(ids) == 3
    assert attention.rows == translator.tokenizers.target.tokens(ids)[1:]


def test_a_second_sentence_of_another_length_traces_nothing_new(random_translator):
    traced = []

    class Counted(type(random_translator.model)):
        def encode(self, inp):
            traced.append("encode")
            return super().encode(inp)

        def step(self, *arguments):
            traced.append("step")
            return super().step(*arguments)

        def attention(self, inp, tar):
            traced.append("attention")
            return super().attention(inp, tar)

    model = Counted(random_translator.model.network)
    translator = Translator(model, random_translator.tokenizers, random_translator.max_length)
    translator.evaluate(SENTENCES[0])
    first = list(traced)
    for sentence in SENTENCES:
        translator.evaluate(sentence)
        translator.translate([sentence], length_penalty=0.3)
        list(trace_greedy(translator, sentence))
    translator.translate(SENTENCES * 9)
    assert sorted(set(first)) == ["attention", "encode", "step"]
    assert traced == first


def test_new_weights_are_used(random_translator):
    """As after each epoch, when one translator measures BLEU."""
    source = random_translator.source.encode(SENTENCES[0])
    network = random_translator.model.network
    random_translator.greedy_ids(source)
    before = network.get_weights()
    try:
        for variable in network.trainable_variables:
            noise = np.random.default_rng(2).normal(size=variable.shape)
            variable.assign(variable + 0.3 * noise)
        expected = plain_greedy(random_translator, SENTENCES[0])
        assert random_translator.greedy_ids(source) == expected
        assert random_translator.evaluate(SENTENCES[0])[0] == expected
    finally:
        network.set_weights(before)
    assert plain_greedy(random_translator, SENTENCES[0]) != expected
