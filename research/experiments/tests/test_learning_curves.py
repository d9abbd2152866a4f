import pytest

from research.experiments.learning_curves import BestSoFar, best_values, learning_curve
from tf_models.training.run_directory import History


@pytest.fixture
def histories(tmp_path):
    """Two seeds: the second has an epoch more, and BLEU from its second epoch on."""
    one = [{"val_loss": 3.0, "val_bleu": 10.0}, {"val_loss": 2.0, "val_bleu": 30.0}]
    two = [{"val_loss": 5.0}, {"val_loss": 3.0, "val_bleu": 20.0}, {"val_loss": 9.0}]
    found = {seed: History(tmp_path / str(seed)) for seed in (0, 7)}
    for history, rows in zip(found.values(), (one, two), strict=True):
        history.rows += [{"epoch": epoch, **row} for epoch, row in enumerate(rows, start=1)]
    return found


def test_mean_and_range_over_the_epochs_that_all_have(histories):
    assert learning_curve(histories, "val_loss") == ([1, 2], [4.0, 2.5], [3.0, 2.0], [5.0, 3.0])
    assert learning_curve(histories, "val_bleu") == ([2], [25.0], [20.0], [30.0])


def test_the_best_epoch_counts(histories, tmp_path):
    assert best_values(histories[0]) == {"val_loss": 2.0, "val_bleu": 30.0}
    assert best_values(histories[7]) == {"val_loss": 3.0, "val_bleu": 20.0}
    assert best_values(History(tmp_path / "none")) == {}


def test_minutes():
    run = BestSoFar([1.0, 2.5], [40.0, 70.0])
    assert [run.at(minutes) for minutes in (0.5, 1, 2, 3, 4)] == [None, 40.0, 40.0, 70.0, None]
    assert [run.minutes_to(bleu) for bleu in (40, 41, 71)] == [1.0, 2.5, None]
