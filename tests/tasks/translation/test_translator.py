import time

import numpy as np
import pytest
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.tasks.translation.attention import attention_of, value_norms_of

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


def test_evaluate_searches_in_the_graph_that_translate_uses(random_translator, monkeypatch):
    """Step by step it took 20 times as long."""

    def step_by_step(*options):
        raise AssertionError("searched step by step")

    monkeypatch.setattr(random_translator.searcher, "watch", step_by_step)
    random_translator.evaluate(SENTENCES[0])
    graphs = dict(random_translator.searcher._compiled)
    ids, _ = random_translator.evaluate(SENTENCES[2])
    text = random_translator.translate([SENTENCES[2]], beam_size=1)[0][0].text

    assert random_translator.tokenizers.target.decode(ids[1:]) == text
    assert graphs == random_translator.searcher._compiled


def test_order_and_company_do_not_matter(random_translator):
    together = random_translator.translate(SENTENCES)
    alone = [random_translator.translate([sentence])[0] for sentence in SENTENCES]

    assert [t[0].text for t in together] == [t[0].text for t in alone]


@pytest.mark.parametrize("beam_size", [1, 3])
def test_a_search_finds_the_same_with_and_without_a_compiler(random_translator, beam_size):
    options = {"beam_size": beam_size, "n_best": beam_size, "length_penalty": 0.6}
    plain = random_translator.translate(SENTENCES, compiled=False, **options)

    for found, expected in zip(
        random_translator.translate(SENTENCES, **options), plain, strict=True
    ):
        assert [one.text for one in found] == [one.text for one in expected]
        scores = [one.score for one in expected]
        assert [one.score for one in found] == pytest.approx(scores, rel=1e-4)


@pytest.fixture
def one_by_one(random_translator, monkeypatch):
    """one_by_one(): translations of `SENTENCES`, each by itself and by what XLA compiles."""
    searcher = random_translator.searcher

    def translate():
        return [random_translator.translate([s], beam_size=1)[0][0] for s in SENTENCES]

    monkeypatch.setattr(searcher, "_before_xla", len(SENTENCES))
    plain = translate()
    assert searcher._before_xla == 0  # the next one is compiled
    return translate, plain


@pytest.mark.slow
def test_xla_finds_the_same_and_compiles_once_for_a_length_bucket(one_by_one, random_translator):
    translate, plain = one_by_one

    def seconds():
        begun = time.process_time()
        found = translate()
        return found, time.process_time() - begun

    found, compiling = seconds()
    assert [one.text for one in found] == [one.text for one in plain]
    assert [one.score for one in found] == pytest.approx([one.score for one in plain], rel=1e-4)
    assert random_translator.searcher._greedy_in_xla.experimental_get_tracing_count() == 2
    begun = time.process_time()
    random_translator.translate(["the cat sees a dog ."], beam_size=1)  # as long, and another one
    assert time.process_time() - begun < compiling / 10


def test_where_there_is_no_xla_it_is_tried_once(one_by_one, random_translator, monkeypatch):
    translate, plain = one_by_one
    tried = []

    def fail(source):
        tried.append(source)
        raise tf.errors.UnimplementedError(None, None, "no XLA")

    monkeypatch.setattr(random_translator.searcher, "_search_in_xla", fail)
    assert [one.text for one in translate()] == [one.text for one in plain]
    assert len(tried) == 1


def test_beam_scores_at_least_as_well_as_greedy(random_translator):
    greedy = random_translator.translate(SENTENCES)
    beam = random_translator.translate(SENTENCES, beam_size=4, n_best=4, length_penalty=0.0)

    for one, several in zip(greedy, beam, strict=True):
        assert len(several) == 4
        scores = [translation.score for translation in several]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] >= one[0].score - 1e-4


def test_beam_score_is_the_probability_of_its_sentence(random_translator):
    source = tf.constant([random_translator.source.encode(SENTENCES[0])])
    (found,) = random_translator.searcher.search(source.numpy().tolist(), 3, 0.0).ids.numpy()
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
    attention = attention_of(
        random_translator, "the dog sees the cat .", "der Hund sieht die Katze ."
    )

    assert attention.source_tokens[0] == "<start>"
    assert attention.source_tokens[-1] == "<end>"
    assert attention.target_tokens[0] == "<start>"
    assert attention.next_tokens == [*attention.target_tokens[1:], "<end>"]
    for i in (1, 2):
        cross = attention.weights["cross"][i - 1]
        assert cross.shape == (4, len(attention.target_tokens), len(attention.source_tokens))
        np.testing.assert_allclose(cross.sum(axis=-1), 1, atol=1e-5)


def test_weights_times_the_norms_of_their_values(random_translator):
    pair = "the dog sees the cat .", "der Hund sieht die Katze ."
    plain = attention_of(random_translator, *pair).weights
    moved = attention_of(random_translator, *pair, value_norms=True).weights
    ids = [random_translator.source.encode(pair[0]), random_translator.target.encode(pair[1])[:-1]]
    norms = value_norms_of(random_translator, *ids)
    for kind, weights in plain.items():
        for row in range(weights.shape[2]):
            np.testing.assert_allclose(moved[kind][:, :, row], weights[:, :, row] * norms[kind])


def test_attention_of_its_own_translation(random_translator):
    attention = attention_of(random_translator, "a cat sleeps .")
    text = random_translator.translate(["a cat sleeps ."])[0][0].text

    assert (
        random_translator.tokenizers.target.decode(random_translator.tokenizers.target.encode(text))
        == text
    )
    assert len(attention.next_tokens) == attention.weights["decoder"].shape[-1]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("", "the sentence is empty"),
        ("  \t", "the sentence is empty"),
        ("a \0 b", "NUL byte"),
        ("caf\udce9", "not UTF-8"),
        ("the cat " * 60, "positions end at 42"),
        (b"a cat", "a sentence must be text; received bytes: b'a cat'"),
        (None, "a sentence must be text; received NoneType: None"),
        (7, "received int: 7"),
        (["a", "cat"], "received list"),
        (tf.constant("a cat"), "a sentence must be text; received EagerTensor"),
    ],
)
def test_sentences_that_cannot_be_translated(random_translator, sentence, message):
    with pytest.raises(InputError, match=message):
        random_translator.translate([sentence])
    assert not random_translator.can_translate(sentence)


@pytest.mark.parametrize("sentences", ["a cat sleeps .", "cat", b"a cat", "", None, 7])
def test_what_is_no_list_of_sentences(random_translator, sentences):
    with pytest.raises(InputError, match="expected a list of sentences; received") as error:
        random_translator.translate(sentences)
    assert "\n" not in str(error.value)


def test_sentences_in_whatever_they_come(random_translator):
    expected = [one[0].text for one in random_translator.translate(SENTENCES[:2])]
    for same in (np.array(SENTENCES[:2]), tuple(SENTENCES[:2]), (s for s in SENTENCES[:2])):
        assert [one[0].text for one in random_translator.translate(same)] == expected


@pytest.mark.parametrize("whole", [int, np.int64, np.uint8, np.int32])
def test_numbers_of_any_type(random_translator, whole):
    options = {"n_best": whole(2), "length_penalty": np.float32(0.5)}
    found = random_translator.translate(SENTENCES[:1], beam_size=whole(2), **options)
    assert len(found[0]) == 2
    assert list(random_translator.searcher._compiled).count(2) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_best": 3}, "n_best must be 1 to beam_size=1; received 3"),
        ({"beam_size": 2.0}, "beam_size must be a whole number; received 2.0"),
        ({"beam_size": "2"}, "beam_size must be a whole number; received '2'"),
        ({"beam_size": -1}, "beam_size must be at least 1; received -1"),
        ({"beam_size": 5000}, "beam_size must be at most 30 with 60 ids; received 5000"),
        ({"beam_size": 2, "length_penalty": float("nan")}, "received nan"),
    ],
)
def test_searches_that_make_no_sense(random_translator, options, message):
    with pytest.raises(InputError, match=message):
        random_translator.translate(["a cat"], **options)


def test_length_penalty_decides(random_translator):
    plain, rewarded = (
        random_translator.translate(SENTENCES, beam_size=4, length_penalty=alpha)
        for alpha in (0.0, 3.0)
    )
    assert [t[0].score for t in plain] != [t[0].score for t in rewarded]


def test_unknown_characters_are_translated_around(random_translator):
    plain, *others = random_translator.translate(
        ["the cat", "the 😀 cat", "😀 the cat", "the cat 😀", "the\u200b ｃat", "the cát"]
    )
    assert [found.text for (found,) in others] == [plain[0].text] * len(others)
    assert [found.score for (found,) in others] == pytest.approx([plain[0].score] * len(others))
    said = [str(found.remarks) for (found,) in others]
    assert said[:3] == ["not in the tokenizer's alphabet, so left out: 😀"] * 3
    assert said[3:] == ["", "read without accents: á"]


def test_maps_of_a_translation_that_does_not_end(random_translator, monkeypatch):
    """Its last token is one that was written, and no end token."""
    for cut_short in (random_translator, random_translator.searcher):
        monkeypatch.setattr(
            cut_short, "max_length" if cut_short is random_translator else "_max_length", 3
        )
    ids = random_translator.greedy_ids(random_translator.source.encode(SENTENCES[2]))
    attention = attention_of(random_translator, SENTENCES[2])

    assert len(ids) == 3
    assert attention.next_tokens == random_translator.tokenizers.target.tokens(ids)[1:]
