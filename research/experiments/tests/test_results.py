from research.experiments.recipe import Results


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
    assert whole.split() == ["as", "it", "is", "31.5", "[30,", "33]", "-"]
    assert one.split()[:5] == ["1", "head", "3", "[2,", "4]"]
    assert one.split()[5] == "1,234,567"
    assert len(head) == len(whole) == len(one)


def test_the_longer_side_goes_down():
    found = Results()
    for model in ("rnn", "transformer"):
        found.add(model, {"BLEU": 1.0, "exact": 2.5, "minutes": 3.0})
    head, *rows = found.table()
    assert head.split() == ["rnn", "transformer"]
    assert [row.split() for row in rows] == [
        ["BLEU", "1", "1"], ["exact", "2.5", "2.5"], ["minutes", "3", "3"]
    ]  # fmt: skip


def test_each_seed_and_the_difference_of_the_means():
    head, whole, one = results().seed_lines("BLEU")
    assert head.split() == ["BLEU", "difference", "of", "each", "seed"]
    assert whole.split() == ["as", "it", "is", "+0", "30", "33"]
    assert one.split() == ["1", "head", "-28.5", "2", "4"]


def test_a_row_without_a_value_is_not_drawn():
    assert results().column("longer") == {"1 head": [1234567, 1234567]}
