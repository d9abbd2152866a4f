"""Search over scripted steps."""

import itertools

import numpy as np
import pytest
import tensorflow as tf

from tf_models.search import CHUNK_IDS, BeamSearch, best_continuations

LETTERS = "_abcdefghijklmnopqrstuvwxyz<>"  # padding first, start and end last
START, END = LETTERS.index("<"), LETTERS.index(">")


def spell(*words):
    """A step that spells one word for each sentence, whatever ids it is given; the words are its
    memory, and its state counts.
    """
    script = tf.constant(
        [[LETTERS.index(letter) for letter in word.ljust(12, ">")] for word in words]
    )

    def step(ids, memory, state):
        wanted = tf.gather(memory["script"], state["position"], batch_dims=1)  # (batch, n)
        return tf.one_hot(wanted, len(LETTERS), 5.0, 0.0), {"position": state["position"] + 1}

    position = tf.zeros((len(words), 1), tf.int32)
    return step, {"script": script}, {"position": position}


def text(ids):
    return "".join(LETTERS[i] for i in ids if i != 0)


def beam(step, beam_size, max_length=12):
    return BeamSearch(step, beam_size=beam_size, start_id=START, end_id=END, max_length=max_length)


def test_greedy_spells_words_of_different_lengths():
    step, *start = spell("danke", "hi", "")
    found = beam(step, 1)(*start)

    assert [text(row) for row in found.ids[:, 0].numpy()] == ["danke>", "hi>", ">"]
    assert found.ids.shape == (3, 1, 6)
    np.testing.assert_array_equal(found.ids[1, 0, 3:], [0, 0, 0])


def test_greedy_stops_at_the_limit():
    step, *start = spell("abcdefghi", "", "ab", "abcdefghij")
    found = beam(step, 1, max_length=4)(*start)

    assert [text(row) for row in found.ids[:, 0].numpy()] == ["abcd", ">", "ab>", "abcd"]


def test_an_observer_sees_each_step():
    step, *start = spell("hi")
    seen = []
    beam(step, 1)(*start, observe=seen.append)

    assert [text(beams.alive_ids[0, 0].numpy())[:3] for beams in seen[:2]] == ["<h", "<hi"]
    assert text(seen[-1].ended_ids[0, 0].numpy()) == "<hi>"


@pytest.mark.parametrize("beam_size", [1, 2])
def test_company_does_not_matter(beam_size):
    """Words of all lengths: each is spelled as if it were alone."""
    words = ["abcdefghij"[: 7 * i % 10] for i in range(20)]
    step, memory, state = spell(*words)
    search = beam(step, beam_size)
    found = search(memory, state)

    assert [text(row) for row in found.ids[:, 0].numpy()] == [word + ">" for word in words]
    for i in range(20):
        alone = search(*tf.nest.map_structure(lambda t, i=i: t[i : i + 1], (memory, state)))
        length = alone.ids.shape[2]
        np.testing.assert_array_equal(found.ids[i, :, :length], alone.ids[0])
        np.testing.assert_array_equal(found.ids[i, :, length:], 0)
        np.testing.assert_allclose(found.scores[i], alone.scores[0], atol=1e-6)


def test_in_a_graph_as_outside():
    step, memory, state = spell("danke", "hi", "", "nein")
    found = beam(step, 3)(memory, state)
    anywhere = tf.nest.map_structure(
        lambda tensor: tf.TensorSpec([None, *tensor.shape[1:]], tensor.dtype), (memory, state)
    )
    in_a_graph = tf.function(beam(step, 3).__call__, input_signature=anywhere)(memory, state)
    with_compiled_steps = beam(step, 3)
    with_compiled_steps.compile(memory, state)

    for other in (in_a_graph, with_compiled_steps(memory, state)):
        np.testing.assert_array_equal(other.ids, found.ids)
        np.testing.assert_allclose(other.scores, found.scores, atol=1e-6)


# A language of the letters a and b: log-probability of the next letter after each prefix.
TABLE = {
    "": {"a": 0.6, "b": 0.4},
    "a": {"a": 0.4, "b": 0.35, ">": 0.25},
    "b": {"a": 0.05, "b": 0.05, ">": 0.9},
}


def table_step(ids, memory, state):
    """Knows the letters so far by its state alone, which must follow the hypotheses."""
    prefixes = tf.concat([state, ids[:, :, tf.newaxis]], axis=2)  # (batch, n, len)
    rows = []
    for prefix in prefixes.numpy().reshape(-1, prefixes.shape[2]):
        letters = text(i for i in prefix if i != START)
        row = np.full(len(LETTERS), -30.0, np.float32)
        for letter, probability in TABLE.get(letters[-1:], {">": 1.0}).items():
            row[LETTERS.index(letter)] = np.log(probability)
        rows.append(row)
    return tf.reshape(tf.constant(rows), (*ids.shape, -1)), prefixes


def from_table(search, length_penalty=0.0):
    return search((), tf.zeros((1, 1, 0), tf.int32), length_penalty=length_penalty)


def best_by_enumeration(count, max_length, length_penalty):
    scored = []
    for length in range(1, max_length):
        for letters in itertools.product("ab", repeat=length):
            word = "".join(letters) + ">"
            log_prob = sum(
                np.log(TABLE[word[i - 1 : i] if i else ""].get(letter, 1e-13))
                for i, letter in enumerate(word)
            )
            scored.append((log_prob / ((5 + len(word)) / 6) ** length_penalty, word))
    return sorted(scored, reverse=True)[:count]


@pytest.mark.parametrize("length_penalty", [0.0, 1.0])
def test_wide_beam_finds_the_best_sentences_of_all(length_penalty):
    found = from_table(beam(table_step, 8, max_length=6), length_penalty)
    expected = best_by_enumeration(3, 6, length_penalty)

    assert [text(row) for row in found.ids[0, :3].numpy()] == [word for _, word in expected]
    np.testing.assert_allclose(found.scores[0, :3], [score for score, _ in expected], atol=1e-5)


def test_the_models_state_follows_its_hypothesis():
    """Two sentences, four hypotheses each: what the state remembers is what was written."""
    seen = []
    beam(table_step, 4, max_length=6)((), tf.zeros((2, 1, 0), tf.int32), seen.append)
    for beams in seen:
        possible = beams.alive_log_probs > -100
        np.testing.assert_array_equal(beams.state[possible], beams.alive_ids[:, :, :-1][possible])


def test_a_done_sentence_is_not_changed_by_its_neighbour():
    """After "a" has ended, the first sentence would find "bb" better, were it allowed to go on."""
    logits = {0: {"a": 0.0, "b": -1.0}, 1: {">": 0.0, "b": -0.5}, 2: {"b": 9.0, ">": 8.0}}

    def step(ids, memory, state):
        position = int(state[0, 0])
        row = np.full(len(LETTERS), -30.0, np.float32)
        for letter, logit in logits.get(position, {">": 0.0}).items():
            row[LETTERS.index(letter)] = logit
        slow = np.full(len(LETTERS), -30.0, np.float32)
        slow[LETTERS.index("c" if position < 5 else ">")] = 0.0
        rows = [[row], [slow]][: len(ids)]
        return tf.constant(np.array(rows)), state + 1

    search = beam(step, 1)
    alone, together = (search((), tf.zeros((n, 1)), length_penalty=3.0) for n in (1, 2))
    np.testing.assert_allclose(together.scores[0], alone.scores[0])
    assert text(together.ids[0, 0].numpy()) == text(alone.ids[0, 0].numpy()) == "a>"


def test_what_has_ended_stands_before_what_is_alive():
    """However good the score of a sentence without an end is."""

    def step(ids, memory, state):
        row = np.full(len(LETTERS), -30.0, np.float32)
        row[LETTERS.index("a")], row[END] = 5.0, 0.0
        return tf.constant(np.tile(row, (*ids.shape, 1))), state

    found = from_table(beam(step, 3, max_length=2))
    assert text(found.ids[0, 0].numpy()).endswith(">")
    assert text(found.ids[0, -1].numpy()) == "aa"


def test_beam_finds_what_greedy_misses():
    assert text(from_table(beam(table_step, 1, max_length=6)).ids[0, 0].numpy()) != "b>"
    assert text(from_table(beam(table_step, 2, max_length=6)).ids[0, 0].numpy()) == "b>"


def test_beam_of_one_is_greedy():
    table = tf.constant(np.random.default_rng(3).normal(size=(len(LETTERS), len(LETTERS))) * 3)

    def step(ids, memory, state):
        return tf.cast(tf.gather(table, ids), tf.float32) + 0.1 * state, state + 1.0

    def argmax(number):
        """The loop that one would write by hand."""
        ids, state = [START], tf.fill((1, 1, 1), float(number))
        while len(ids) <= 12 and ids[-1] != END:
            logits, state = step(tf.constant([[ids[-1]]]), (), state)
            ids.append(int(tf.argmax(logits[0, 0])))
        return ids[1:]

    found = beam(step, 1)((), tf.reshape(tf.range(4.0), (4, 1, 1)))
    for number, row in enumerate(found.ids[:, 0].numpy()):
        expected = argmax(number)
        assert row[: len(expected)].tolist() == expected


def sorted_continuations(logits, log_probs, count):
    """The plain way: top_k over all of the vocabulary."""
    batch, n, vocabulary = logits.shape
    totals = tf.nn.log_softmax(logits) + log_probs[:, :, tf.newaxis]
    best, places = tf.nn.top_k(tf.reshape(totals, (batch, n * vocabulary)), count)
    return best, places // vocabulary, places % vocabulary


@pytest.mark.parametrize("vocabulary", [3 * CHUNK_IDS, 3 * CHUNK_IDS + 1, 20, 1000])
@pytest.mark.parametrize(("n", "count"), [(1, 1), (1, 4), (1, 15), (5, 10)])
def test_best_continuations_are_those_of_all_log_probabilities(vocabulary, n, count):
    rng = np.random.default_rng(vocabulary + n)
    logits = tf.constant(rng.normal(scale=3, size=(7, n, vocabulary)), tf.float32)
    log_probs = tf.constant(rng.normal(size=(7, n)), tf.float32)

    found = best_continuations(logits, log_probs, count)
    expected = sorted_continuations(logits, log_probs, count)
    np.testing.assert_allclose(found[0], expected[0], atol=1e-5)
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[2], expected[2])


def test_of_equals_the_first_wins():
    """Few different values, so that ties lie within chunks, across them, and across hypotheses."""
    rng = np.random.default_rng(0)
    rare = rng.choice([0, 1, 2], p=[0.97, 0.02, 0.01], size=(50, 1, 5 * CHUNK_IDS))
    logits = tf.constant(rare, tf.float32) + tf.zeros((1, 4, 1))  # all hypotheses are alike

    ways = (best_continuations, sorted_continuations)
    found, expected = (way(logits, tf.zeros((50, 4)), 8) for way in ways)
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[2], expected[2])
