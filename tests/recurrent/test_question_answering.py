"""The question answering models: what must hold whatever the weights are."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.recurrent.question_answering import LSTMAnsweringModel, QuestionAnsweringModel

UNITS, HOPS, START, END = 5, 2, 5, 6
FACTS = np.array(
    [[[2, 3, 4], [5, 6, 0], [0, 0, 0]], [[7, 8, 9], [3, 2, 0], [4, 4, 4]]], np.int32
)  # the first story has one fact less
QUESTIONS = np.array([[3, 4, 0, 0], [9, 8, 7, 2]], np.int32)
ANSWERS = np.array([[START, 2, END, 0], [START, 3, 4, END]], np.int32)
SUPPORT = np.array([[1, 0, 0], [0, 0, 0]], np.int32)  # of the first story only
TAR_INP = ANSWERS[:, :-1]
BATCH = [tf.constant(part) for part in (FACTS, QUESTIONS, ANSWERS, SUPPORT)]


def build(hops=HOPS, **options):
    keras.utils.set_random_seed(0)
    return QuestionAnsweringModel(10, 7, embedding_dim=4, units=UNITS, hops=hops, **options)


@pytest.fixture(scope="module")
def model():
    return build()


@pytest.fixture(scope="module")
def lstms():
    keras.utils.set_random_seed(0)
    return LSTMAnsweringModel(10, 7, embedding_dim=4, units=UNITS)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gru(x, state, cell):
    """Cho et al. 2014, as Keras has it (reset_after): one step."""
    kernel, recurrent, (bias, recurrent_bias) = (weight.numpy() for weight in cell.weights)
    from_x, from_state = x @ kernel + bias, state @ recurrent + recurrent_bias
    update, reset = (
        sigmoid(from_x[part] + from_state[part])
        for part in (slice(0, UNITS), slice(UNITS, 2 * UNITS))
    )
    new = np.tanh(from_x[2 * UNITS :] + reset * from_state[2 * UNITS :])
    return update * state + (1 - update) * new


def read(ids, model):
    state = np.zeros(UNITS)
    for i in ids[ids != 0]:
        state = gru(model.embedding.embeddings.numpy()[i], state, model.encoder_rnn.cell)
    return state


def attend(model, state, annotations):
    """Bahdanau et al. 2015, appendix A.1.2."""
    attention = model.attention
    first = state @ attention.W1.kernel.numpy() + attention.W1.bias.numpy()
    second = annotations @ attention.W2.kernel.numpy() + attention.W2.bias.numpy()
    scores = np.tanh(first + second) @ attention.V.kernel.numpy()[:, 0]
    weights = np.exp(scores) / np.exp(scores).sum()
    return weights @ annotations, weights


def test_equal_to_the_equations_written_out(model):
    encoded = model.encode(FACTS, QUESTIONS)
    logits, attended = model(FACTS, QUESTIONS, TAR_INP)
    for story, facts in enumerate((2, 3)):
        asked = read(QUESTIONS[story], model)
        vectors = [read(fact, model) for fact in FACTS[story, :facts]]
        x = np.array([np.concatenate([f, asked, f * asked]) for f in vectors])
        both = []
        for layer, order in (
            (model.story_rnn.forward_layer, range(facts)),
            (model.story_rnn.backward_layer, reversed(range(facts))),
        ):
            states, state = np.zeros((facts, UNITS)), np.zeros(UNITS)
            for i in order:
                states[i] = state = gru(x[i], state, layer.cell)
            both.append(states)
        annotations = np.concatenate(both, axis=1)  # (facts, 2 units)
        state = np.tanh(asked @ model.bridge.kernel.numpy() + model.bridge.bias.numpy())
        for hop in range(HOPS):
            context, weights = attend(model, state, annotations)
            np.testing.assert_allclose(encoded.hop_weights[story, hop, :facts], weights, atol=1e-6)
            state = gru(context, state, model.hop_cell)
        np.testing.assert_allclose(encoded.state[story], state, atol=1e-6)

        embedded = model.target_embedding.embeddings.numpy()[START]
        context, weights = attend(model, state, annotations)
        np.testing.assert_allclose(attended[story, 0, :facts], weights, atol=1e-6)
        state = gru(np.concatenate([embedded, context]), state, model.decoder_cell)
        first = np.concatenate([state, context]) @ model.final_layer.kernel.numpy()
        np.testing.assert_allclose(logits[story, 0], first + model.final_layer.bias, atol=1e-5)


def lstm(x, state, cell):
    """Hochreiter and Schmidhuber 1997 with forget gates, as Keras has it: one step."""
    kernel, recurrent, bias = (weight.numpy() for weight in cell.weights)
    h, c = state
    i, f, new, o = np.split(x @ kernel + h @ recurrent + bias, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(new)
    return sigmoid(o) * np.tanh(c), c


def test_the_last_state_of_one_lstm_begins_the_other(lstms):
    logits = lstms(FACTS, QUESTIONS, TAR_INP)
    for story in range(2):
        words = np.concatenate([FACTS[story].ravel(), QUESTIONS[story]])
        state = np.zeros(UNITS), np.zeros(UNITS)
        for word in words[words != 0]:
            state = lstm(lstms.embedding.embeddings.numpy()[word], state, lstms.encoder.cell)
        for place, word in enumerate(TAR_INP[story]):
            x = lstms.target_embedding.embeddings.numpy()[word]
            state = lstm(x, state, lstms.decoder.cell)
            expected = state[0] @ lstms.final_layer.kernel.numpy() + lstms.final_layer.bias
            np.testing.assert_allclose(logits[story, place], expected, atol=1e-5)


def test_lstms_read_padding_nowhere_and_write_step_by_step(lstms):
    logits = lstms(FACTS, QUESTIONS, TAR_INP)
    wider = np.pad(FACTS, ((0, 0), (0, 4), (0, 2))), np.pad(QUESTIONS, ((0, 0), (0, 3)))
    np.testing.assert_allclose(lstms(*wider, TAR_INP), logits, atol=1e-6)
    story = lstms.encode(FACTS, QUESTIONS)
    state = tuple(one[:, tf.newaxis] for one in story.state)
    for i in range(TAR_INP.shape[1]):
        step, state = lstms.step(TAR_INP[:, i : i + 1], story, state)
        np.testing.assert_allclose(step[:, 0], logits[:, i], atol=1e-6)


def test_padding_changes_nothing(model):
    logits, weights = model(FACTS, QUESTIONS, TAR_INP)
    facts = np.pad(FACTS, ((0, 0), (0, 4), (0, 2)))  # more facts, and more words in each
    padded, padded_weights = model(facts, np.pad(QUESTIONS, ((0, 0), (0, 3))), TAR_INP)

    np.testing.assert_allclose(padded, logits, atol=1e-6)
    np.testing.assert_allclose(padded_weights[:, :, :3], weights, atol=1e-6)
    assert not np.any(padded_weights[:, :, 3:])
    assert not np.any(weights[0, :, 2])
    np.testing.assert_allclose(np.sum(weights, axis=-1), 1, atol=1e-6)


def test_a_story_is_answered_alone_as_among_others(model):
    together, _ = model(FACTS, QUESTIONS, TAR_INP)
    alone, _ = model(FACTS[:1, :2], QUESTIONS[:1, :2], TAR_INP[:1])
    np.testing.assert_allclose(alone[0], together[0], atol=1e-6)


def test_step_by_step_is_as_all_at_once(model):
    logits, _ = model(FACTS, QUESTIONS, TAR_INP)
    encoded = model.encode(FACTS, QUESTIONS)
    state = encoded.state[:, tf.newaxis]
    for i in range(TAR_INP.shape[1]):
        step, state = model.step(TAR_INP[:, i : i + 1], encoded, state)
        np.testing.assert_allclose(step[:, 0], logits[:, i], atol=1e-6)


@pytest.mark.parametrize("hops", [0, 3])
def test_as_many_hops_as_asked_for(hops):
    model = build(hops)
    assert model.encode(FACTS, QUESTIONS).hop_weights.shape == (2, hops, 3)
    with tf.GradientTape() as tape:
        loss = model.loss_sums(*BATCH, training=True).loss
    assert None not in tape.gradient(loss, model.trainable_variables)  # a layer for nothing


def test_sums_of_shards_are_those_of_the_batch(model):
    """One of them is empty, as a batch of one question has on two cores."""
    whole = model.loss_sums(*BATCH, training=False).metrics
    parts = [
        model.loss_sums(*(part[i:j] for part in BATCH), training=False).metrics
        for i, j in ((0, 1), (1, 2), (2, 2))
    ]
    for name, value in whole.items():
        np.testing.assert_allclose(sum(part[name] for part in parts), value, rtol=1e-5)
    assert model.count(*BATCH) == 5


def test_hops_are_trained_to_attend_to_the_support():
    """In training, and by the questions whose support is known."""
    plain, guided = build(), build(support_weight=2.0)
    losses = [float(one.loss_sums(*BATCH, training=True).loss) for one in (plain, guided)]
    weights = plain.encode(FACTS, QUESTIONS).hop_weights[0].numpy()  # (hops, facts)
    seen = 1 - np.prod(1 - weights[:, 0])  # the only fact of its support
    assert losses[1] - losses[0] == pytest.approx(-2 * np.log(seen), rel=1e-4)
    losses = [float(one.loss_sums(*BATCH, training=False).loss) for one in (plain, guided)]
    assert losses[0] == losses[1]


@pytest.mark.slow
def test_it_learns_two_answers_saved_and_loaded(tmp_path):
    model = build(support_weight=0.1)
    model.compile(keras.optimizers.Adam(0.03))
    data = tf.data.Dataset.from_tensors(((FACTS, QUESTIONS), (ANSWERS, SUPPORT))).repeat(60)
    history = model.fit(data, shuffle=False, verbose=0).history
    assert history["accuracy"][-1] > 0.5
    logits, _ = model(FACTS, QUESTIONS, TAR_INP)
    right = ANSWERS[:, 1:]
    assert (np.argmax(logits, axis=-1) == right)[right != 0].all()

    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded(FACTS, QUESTIONS, TAR_INP)[0], logits)
