import numpy as np
import pytest

from tf_models.plotting.confusion import plot_confusion

COUNTS = np.array([[3, 1], [0, 0]])


def test_counts_are_written_and_shares_are_shades(drawn_texts):
    figure = plot_confusion(COUNTS, ("cat", "dog"), title="4 texts")
    image = figure.axes[0].images[0]

    np.testing.assert_allclose(image.get_array(), [[0.75, 0.25], [0, 0]])
    assert [text.get_text() for text in figure.axes[0].texts] == ["3", "1", "0", "0"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["cat", "dog"]
    for text, box in drawn_texts(figure):
        assert min(box.x0, box.y0) >= 0, text
        assert box.x1 <= figure.bbox.width, text


def test_many_classes_have_no_numbers():
    figure = plot_confusion(np.eye(20, dtype=int), [str(n) for n in range(20)])
    assert not figure.axes[0].texts


@pytest.mark.parametrize("counts", [[[1, 2]], [[1, -1], [0, 2]], [[0.5, 1], [0, 2]]])
def test_what_is_no_confusion_matrix_is_refused(counts):
    with pytest.raises(ValueError, match=r"whole numbers of shape \(2, 2\)"):
        plot_confusion(np.array(counts), ("cat", "dog"))
