import numpy as np
import pytest

from tf_models.plotting.codes import plot_codes


def test_few_numbers_are_written(drawn_texts):
    figure = plot_codes(np.array([[0.0, 1.0], [1.0, 0.25]]), ["a", "b"], title="codes")
    texts = [text for text, _ in drawn_texts(figure)]

    assert texts.count("1.00") == 2
    assert {"0.25", "a", "b", "codes"} <= set(texts)


def test_many_are_shades(drawn_texts):
    codes = np.linspace(-2, 5, 120).reshape(3, 40)
    figure = plot_codes(codes, ["a", "b", "c"], title="codes")
    assert figure.axes[0].images[0].get_array().shape == (3, 40)
    texts = {text for text, _ in drawn_texts(figure)}
    assert "5.00" not in texts
    assert "codes, -2 (light) to 5" in texts


def test_equal_codes_can_be_drawn():
    plot_codes(np.zeros((2, 3)), ["a", "b"]).canvas.draw()


def test_names_and_codes_must_fit():
    with pytest.raises(ValueError, match=r"\(1, code_size\); received \(2, 3\)"):
        plot_codes(np.zeros((2, 3)), ["a"])
