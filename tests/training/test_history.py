import math

import pytest

from tf_models.errors import InputError
from tf_models.training.history import History


def test_rows_survive_and_later_epochs_are_forgotten(tmp_path):
    file = tmp_path / "history.csv"
    history = History(file)
    history.add({"epoch": 1, "loss": 2.0})
    history.add({"epoch": 2, "loss": 1.5, "val_bleu": 10.0})

    columns = History(file).columns()
    assert columns["epoch"] == [1, 2]
    assert columns["loss"] == [2.0, 1.5]
    assert math.isnan(columns["val_bleu"][0])
    assert columns["val_bleu"][1] == 10.0
    assert History(file, epochs=1).columns()["epoch"] == [1]


def test_rows_since_the_best(tmp_path):
    history = History(tmp_path / "history.csv")
    for epoch, loss in enumerate((3.0, 1.0, 2.0), start=1):
        history.add({"epoch": epoch, "loss": loss})

    assert history.since_best("loss") == 1
    assert history.since_best("loss", highest=True) == 2
    assert history.since_best("val_bleu") == 0


@pytest.mark.parametrize("text", ["", "ep\n", "epoch,loss\n1,x\n", "epoch,loss\n1\n"])
def test_a_damaged_file_is_not_written_over(tmp_path, text):
    file = tmp_path / "history.csv"
    file.write_text(text)

    with pytest.raises(InputError, match="history.csv is damaged .* move it away"):
        History(file)
    assert file.read_text() == text
