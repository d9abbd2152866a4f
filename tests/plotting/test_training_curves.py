import numpy as np
import pytest

from tf_models.plotting.training_curves import plot_training_curves


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
    assert curves(figure.axes[1]) == {"validation": [10.0, 20.0]}
    assert "BLEU" in {text for text, _ in drawn_texts(figure)}


def test_what_is_missing_is_not_drawn():
    figure = plot_training_curves({"loss": [2.0], "val_loss": [float("nan")]})
    assert len(figure.axes) == 1
    assert np.isnan(curves(figure.axes[0])["validation"]).all()


def test_spikes_are_marked_on_the_training_loss():
    history = {"loss": [3.0, 2.0, 9.0, 2.0], "val_loss": [3.0] * 4, "kl": [1.0] * 4}
    loss, kl = plot_training_curves(history, spikes=[3]).axes
    assert curves(loss)["spike"] == [9.0]
    assert loss.lines[-1].get_xdata().tolist() == [3]
    assert "spike" not in curves(kl)


def test_a_history_without_curves_is_refused():
    with pytest.raises(ValueError, match=r"loss or accuracy; received \['seconds'\]"):
        plot_training_curves({"seconds": [1.0]})
