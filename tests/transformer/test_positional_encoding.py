import numpy as np
import pytest

from tf_models.transformer.positions import get_angles, positional_encoding


def test_angles_come_in_pairs():
    angles = get_angles(np.array([[0], [2]]), np.arange(4)[np.newaxis], 4)

    np.testing.assert_allclose(angles, [[0, 0, 0, 0], [2, 2, 0.02, 0.02]])


def test_interleaved_is_the_papers_formula():
    encoding = positional_encoding(20, 512)

    assert encoding.shape == (1, 20, 512)
    for position, pair in ((0, 0), (3, 0), (19, 100), (7, 255)):
        angle = position / 10000 ** (2 * pair / 512)
        assert float(encoding[0, position, 2 * pair]) == pytest.approx(np.sin(angle), abs=1e-6)
        assert float(encoding[0, position, 2 * pair + 1]) == pytest.approx(np.cos(angle), abs=1e-6)


@pytest.mark.parametrize("d_model", [6, 7])
def test_concatenated_holds_the_same_numbers_sines_first(d_model):
    interleaved = positional_encoding(9, d_model).numpy()
    concatenated = positional_encoding(9, d_model, interleaved=False).numpy()

    expected = np.concatenate([interleaved[..., 0::2], interleaved[..., 1::2]], axis=-1)
    np.testing.assert_array_equal(concatenated, expected)
