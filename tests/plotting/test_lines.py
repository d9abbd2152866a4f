import numpy as np
import pytest

from tf_models.plotting.lines import plot_lengths, plot_lines, plot_training_curves


def test_a_line_for_each_label(drawn_texts):
    lines = {"article": ([4.0, 8.0], [10.0, 20.0]), "best": ([1.0], [30.0])}
    figure = plot_lines(
        lines,
        axis_names=("minutes", "validation BLEU"),
        marks=[1, 5, 10],
        scales=("log", "linear"),
        title="two runs",
    )
    (axes,) = figure.axes

    drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert drawn == {"article": [[4, 10], [8, 20]], "best": [[1, 30]]}
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"two runs", "article", "best", "validation BLEU", "minutes"} <= texts
    assert {"1", "5", "10"} <= texts
    assert len({line.get_color() for line in axes.lines}) == 2


def test_a_band_behind_a_line():
    figure = plot_lines(
        {"a": ([1, 2], [3, 4]), "b": ([1, 2], [0, 0])},
        axis_names=("x", "y"),
        ranges={"a": ([2, 3], [5, 7])},
    )
    (band,) = figure.axes[0].collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    assert corners == {(1, 2), (2, 3), (1, 5), (2, 7)}


def test_a_diagonal_and_plain_numbers_on_a_logarithmic_axis(drawn_texts):
    figure = plot_lines(
        {"a": ([1, 2, 4], [0.5, 20, 300])}, axis_names=("x", "y"), scales=("log", "log")
    )
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"1", "10", "100"} <= texts
    assert not any("mathdefault" in text for text in texts)

    one_decade = plot_lines({"a": ([1, 2], [0.2, 8])}, axis_names=("x", "y"), scales=("log", "log"))
    assert {"0.5", "2", "5"} <= {text for text, _ in drawn_texts(one_decade)}

    roc = plot_lines({"a": ([0, 1], [0, 1])}, axis_names=("x", "y"), diagonal=True)
    assert len(roc.axes[0].lines) == 2
    low, high = roc.axes[0].get_xlim()
    assert [*roc.axes[0].lines[1].get_xdata()] == [0, 1]
    assert -0.1 < low < high < 1.1


def test_a_circle_is_round():
    figure = plot_lines({"a": ([-1, 0, 1], [0, 1, 0])}, axis_names=("x", "y"), equal=True)
    figure.draw_without_rendering()
    (axes,) = figure.axes
    origin, right, up = axes.transData.transform([(0, 0), (1, 0), (0, 1)])
    assert right[0] - origin[0] == pytest.approx(up[1] - origin[1])


def test_bars_count_sentences():
    figure = plot_lengths([3, 3, 5], [4, 4, 4], limits=(41, 42))
    source, target = figure.axes[0].containers

    assert [bar.get_height() for bar in source] == [0, 0, 2, 0, 1]
    assert [bar.get_height() for bar in target] == [0, 0, 0, 3, 0]
    lines = [line.get_xdata()[0] for line in figure.axes[0].lines]
    np.testing.assert_array_equal(lines, [41.5, 42.5])


def curves(axes):
    return {line.get_label(): line.get_ydata().tolist() for line in axes.lines}


def test_training_and_validation_over_the_epochs(drawn_texts):
    history = {
        "loss": [3.0, 2.0, 1.5],
        "val_loss": [3.1, 2.2, 1.9],
        "accuracy": [0.2, 0.4, 0.5],
        "val_accuracy": [0.2, 0.3, 0.4],
        "seconds": [9.0, 9.0, 9.0],
    }
    figure = plot_training_curves(history, title="a run")
    loss, accuracy = figure.axes
    assert curves(loss) == {"training": history["loss"], "validation": history["val_loss"]}
    assert curves(accuracy)["validation"] == history["val_accuracy"]
    assert loss.lines[0].get_xdata().tolist() == [1, 2, 3]
    assert {"a run", "loss", "accuracy", "epoch"} <= {text for text, _ in drawn_texts(figure)}


def test_a_first_epoch_far_above_the_others_has_a_logarithmic_axis(drawn_texts):
    figure = plot_training_curves({"loss": [90.0, 2.0, 1.0], "val_loss": [3.0, 2.0, 1.0]})
    assert figure.axes[0].get_yscale() == "log"
    assert {"1", "10", "50"} <= {text for text, _ in drawn_texts(figure)}
    for flat in (
        [9.0, 2.0, 1.9],
        [90.0, 2.0, -1.0],
        [1.0, 1.0, 90.0],
        [90.0, float("nan"), 1.0, 1.0],
    ):
        (axes,) = plot_training_curves({"loss": flat}).axes
        assert axes.get_yscale() == "linear"


def test_bleu_has_a_panel_where_it_was_measured(drawn_texts):
    figure = plot_training_curves({"loss": [2.0, 1.0], "val_bleu": [10.0, 20.0]})
    assert curves(figure.axes[1]) == {"training": [], "validation": [10.0, 20.0]}
    assert "BLEU" in {text for text, _ in drawn_texts(figure)}
