import numpy as np
import pytest
import tensorflow as tf

from tf_models.training import batch_sharding as towers

X = tf.reshape(tf.range(10.0), (5, 2))
Y = tf.range(5.0)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_every_example_is_in_one_part(count):
    parts = towers.split((X, Y), count)

    assert len(parts) == count
    for x, y in parts:
        np.testing.assert_array_equal(x[:, 0], 2 * y)
    together = np.sort(np.concatenate([y for _, y in parts]))
    np.testing.assert_array_equal(together, Y)


@pytest.mark.parametrize("count", [2, 3])
def test_gradients_of_parts_are_those_of_the_whole(count):
    weights, table = tf.Variable([0.5, -1.0]), tf.Variable(tf.ones((3, 2)))

    def gradients(x, y):
        with tf.GradientTape() as tape:
            rows = tf.gather(table, tf.cast(y, tf.int32) % 3)  # its gradient is sparse
            loss = tf.reduce_sum((tf.linalg.matvec(x * rows, weights) - y) ** 2)
        return tape.gradient(loss, [weights, table])

    parts = towers.add_up([gradients(*part) for part in towers.split((X, Y), count)])
    for summed, whole in zip(parts, gradients(X, Y), strict=True):
        np.testing.assert_allclose(summed, tf.convert_to_tensor(whole), rtol=1e-6)
