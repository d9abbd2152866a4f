"""Parts of a batch that are worked on at the same time, one on each core ("towers").

They share the weights, and their gradients are added up.
"""

from collections.abc import Sequence

import tensorflow as tf

Gradient = tf.Tensor | tf.IndexedSlices


def split(batch: Sequence[tf.Tensor], towers: int) -> list[tuple[tf.Tensor, ...]]:
    """Every n-th example of a batch: where it is sorted, by length say, the parts are alike.

    Args:
        batch: tensors, (batch, …) each.
        towers: number of parts, each a tuple of tensors; those of the last may be empty where
            there are fewer examples than parts.
    """
    examples = tf.range(tf.shape(batch[0])[0])
    # A gather moves whole rows; a slice with a stride goes number by number, 30 times as slow.
    return [
        tuple(tf.gather(tensor, examples[i::towers]) for tensor in batch) for i in range(towers)
    ]


def add_up(gradients: Sequence[Sequence[Gradient]]) -> list[tf.Tensor]:
    """The sum of the towers' gradients, for each variable.

    Args:
        gradients: of each tower, those by each variable.
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
