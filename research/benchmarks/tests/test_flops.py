import pytest

from research.benchmarks.flops import TransformerSizes, training_flop

# One layer, d_model 2, dff 3, 5 target ids; a source of 2 tokens and a target of 1.
# Every product of (m, k) with (k, n), as (m, k, n):
SMALL = TransformerSizes(num_layers=1, d_model=2, dff=3, target_vocab_size=5)
PRODUCTS = [
    *[(2, 2, 2)] * 4,  # the encoder's wq, wk, wv, dense
    *((2, 2, 2), (2, 2, 2)),  # its Q K^T, weights V
    *((2, 2, 3), (2, 3, 2)),  # its feed-forward network
    *[(1, 2, 2)] * 4,  # the decoder's first block
    *((1, 2, 1), (1, 1, 2)),
    *[(1, 2, 2)] * 2,  # the second one's wq and dense, from the target
    *[(2, 2, 2)] * 2,  # its wk and wv, from the source
    *((1, 2, 2), (1, 2, 2)),
    *((1, 2, 3), (1, 3, 2)),
    (1, 2, 5),  # the final layer
]


def test_counted_by_hand():
    by_hand = 3 * sum(2 * m * k * n for m, k, n in PRODUCTS)

    assert training_flop(SMALL, [2], [1]) == by_hand == 876


def test_a_batch_is_the_sum_of_its_sentences():
    apart = training_flop(SMALL, [2], [1]) + training_flop(SMALL, [7], [9])

    assert training_flop(SMALL, [2, 7], [1, 9]) == apart


def test_layers_multiply_all_but_the_final_one():
    output = 3 * 2 * 1 * 2 * 5
    two_layers = TransformerSizes(num_layers=2, d_model=2, dff=3, target_vocab_size=5)

    assert training_flop(two_layers, [2], [1]) == 2 * (876 - output) + output


def test_the_tutorials_size():
    """18 GFLOP for 64 sentences of 15 tokens."""
    sizes = TransformerSizes(num_layers=4, d_model=128, dff=512, target_vocab_size=10_002)

    assert training_flop(sizes, [15] * 64, [15] * 64) == pytest.approx(18e9, rel=0.05)
