import numpy as np
import pytest
import tensorflow as tf

from tf_models.training import train_step
from tf_models.training.train_step import count_shards, shard, sum_gradients

X = tf.reshape(tf.range(10.0), (5, 2))
Y = tf.range(5.0)


@pytest.mark.parametrize(
    ("cores", "in_a_batch", "shards"),
    [(1, 4096, 1), (2, 4096, 2), (8, 1024, 4), (8, 100, 1), (2, 0, 1)],
)
def test_a_shard_is_worth_a_core(monkeypatch, cores, in_a_batch, shards):
    monkeypatch.setattr(train_step, "available_cores", lambda: cores)

    assert count_shards(in_a_batch, 256) == shards


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_every_example_is_in_one_shard(count):
    parts = shard((X, Y), count)

    assert len(parts) == count
    for x, y in parts:
        np.testing.assert_array_equal(x[:, 0], 2 * y)
    together = np.sort(np.concatenate([y for _, y in parts]))
    np.testing.assert_array_equal(together, Y)


@pytest.mark.parametrize("count", [2, 3])
def test_gradients_of_shards_are_those_of_the_whole(count):
    weights, table = tf.Variable([0.5, -1.0]), tf.Variable(tf.ones((3, 2)))

    def gradients(x, y):
        with tf.GradientTape() as tape:
            rows = tf.gather(table, tf.cast(y, tf.int32) % 3)  # its gradient is sparse
            loss = tf.reduce_sum((tf.linalg.matvec(x * rows, weights) - y) ** 2)
        return tape.gradient(loss, [weights, table])

    parts = sum_gradients([gradients(*part) for part in shard((X, Y), count)])
    for summed, whole in zip(parts, gradients(X, Y), strict=True):
        np.testing.assert_allclose(summed, tf.convert_to_tensor(whole), rtol=1e-6)
