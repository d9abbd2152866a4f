import math

import pytest

from tf_models.errors import InputError
from tf_models.training.run_directory import History


def test_rows_survive(tmp_path):
    file = tmp_path / "history.csv"
    history = History(file)
    history.rows.append({"epoch": 1, "loss": 2.0})
    history.rows.append({"epoch": 2, "loss": 0.1 + 0.2, "val_bleu": 10.0})
    history.save()

    columns = History(file).columns()
    assert columns["epoch"] == [1, 2]
    assert columns["loss"] == [2.0, 0.1 + 0.2]  # to the last digit
    assert math.isnan(columns["val_bleu"][0])
    assert columns["val_bleu"][1] == 10.0
    assert history.text == History(file).text == file.read_text()


def test_rows_since_the_best(tmp_path):
    history = History(tmp_path / "history.csv")
    for epoch, loss in enumerate((3.0, 1.0, 2.0), start=1):
        history.rows.append({"epoch": epoch, "loss": loss})

    assert history.since_best("loss") == 1
    assert history.since_best("loss", highest=True) == 2
    assert history.since_best("val_bleu") == 0


def test_an_equal_value_is_no_better(tmp_path):
    history = History(tmp_path / "history.csv", "epoch,val_bleu\n1,0\n2,3.0\n3,3.0\n4,2\n")

    assert history.since_best("val_bleu", highest=True) == 2


def test_a_checkpoint_counts_not_the_file(tmp_path):
    (tmp_path / "history.csv").write_text("garbage")

    assert History(tmp_path / "history.csv", "epoch,loss\n1,2.5\n").rows == [
        {"epoch": 1, "loss": 2.5}
    ]
    assert History(tmp_path / "history.csv", "").rows == []


@pytest.mark.parametrize(
    "text",
    ["", "ep\n", "epoch,loss\n1,x\n", "epoch,loss\n1\n", "epoch\n1e400\n", "epoch,loss\n1,1e400\n"],
)
def test_a_damaged_file_is_not_written_over(tmp_path, text):
    file = tmp_path / "history.csv"
    file.write_text(text)

    with pytest.raises(InputError, match="history.csv is damaged .* remove it"):
        History(file)
    assert file.read_text() == text
