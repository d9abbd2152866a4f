"""Batch shards: parts of a batch that are worked on at the same time, one on each core.

They share the weights, and their gradients are added up.
"""

from collections.abc import Sequence

import tensorflow as tf

from tf_models.runtime import available_cores

Gradient = tf.Tensor | tf.IndexedSlices


def count_shards(batch_size: int, least: int) -> int:
    """How many shards to cut a batch into: one a core, if each is worth a core of its own.

    Args:
        batch_size: about how many tokens, or examples, a batch has.
        least: how many a shard has at least.
    """
    return max(1, min(available_cores(), batch_size // least))


def shard(batch: Sequence[tf.Tensor], num_shards: int) -> list[tuple[tf.Tensor, ...]]:
    """Every n-th example of a batch: where it is sorted, by length say, the shards are alike.

    Args:
        batch: tensors, (batch, …) each.
        num_shards: number of parts, each a tuple of tensors; some are empty where there are fewer
            examples than shards.
    """
    examples = tf.range(tf.shape(batch[0])[0])
    # A gather moves whole rows; a slice with a stride goes number by number, 30 times as slow.
    return [
        tuple(tf.gather(tensor, examples[i::num_shards]) for tensor in batch)
        for i in range(num_shards)
    ]


def sum_gradients(gradients: Sequence[Sequence[Gradient]]) -> list[tf.Tensor]:
    """The sum of the shards' gradients, for each variable.

    Args:
        gradients: of each shard, those by each variable.
    """
    return [_sum(of_variable) for of_variable in zip(*gradients, strict=True)]


def _sum(gradients: Sequence[Gradient]) -> tf.Tensor:
    if all(isinstance(gradient, tf.IndexedSlices) for gradient in gradients):
        slices = tf.IndexedSlices(
            tf.concat([g.values for g in gradients], axis=0),
            tf.concat([g.indices for g in gradients], axis=0),
            gradients[0].dense_shape,
        )
        return tf.convert_to_tensor(slices)
    return tf.add_n([tf.convert_to_tensor(gradient) for gradient in gradients])
