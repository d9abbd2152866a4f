from research.experiments.comparison import minutes_to_bleu
from research.results import Results


def results():
    found = Results()
    for bleu, longer in ((30.0, None), (33.0, 1.0)):
        found.add("as it is", {"BLEU": bleu, "longer": longer})
    for bleu in (2.0, 4.0):
        found.add("1 head", {"BLEU": bleu, "longer": 1234567})
    return found


def test_means_with_the_lowest_and_the_highest():
    head, whole, one = results().table()
    assert head.split() == ["BLEU", "longer"]
    assert whole.split() == ["as", "it", "is", "31.50", "[30.00,", "33.00]", "-"]
    assert one.split()[:5] == ["1", "head", "3.00", "[2.00,", "4.00]"]
    assert one.split()[5] == "1,234,567"
    assert len(head) == len(whole) == len(one)


def test_the_numbers_of_a_measure_have_as_many_decimals():
    found = Results()
    for row, value in {"a": 96, "b": -0.07541, "c": 0}.items():
        found.add(row, {"off": value, "lost": value / 1000})
    cells = [line.split()[1:] for line in found.table()[1:]]
    assert cells == [["96.00", "0.09600"], ["-0.08", "-0.00008"], ["0.00", "0.00000"]]


def test_the_longer_side_goes_down():
    found = Results()
    for model in ("rnn", "transformer"):
        found.add(model, {"BLEU": 1.0, "exact": 2.5, "minutes": 3.0})
    head, *rows = found.table()
    assert head.split() == ["rnn", "transformer"]
    assert [row.split() for row in rows] == [
        ["BLEU", "1.000", "1.000"], ["exact", "2.500", "2.500"], ["minutes", "3.000", "3.000"]
    ]  # fmt: skip


def test_minutes_to_a_bleu(tmp_path):
    """It is measured from the second epoch on, and falls in the last."""
    text = "epoch,val_bleu,seconds\n1,nan,30\n2,20,30\n3,40.5,60\n4,15,60\n"
    (tmp_path / "history.csv").write_text(text)
    assert [minutes_to_bleu(tmp_path, goal) for goal in (20, 21, 41)] == [1.0, 2.0, None]
