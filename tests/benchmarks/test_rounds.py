from benchmarks.rounds import Summary, play, turns


def test_everyone_once_a_round_and_another_one_first():
    assert list(turns(["a", "b", "c"], 3)) == [
        *((0, "a"), (0, "b"), (0, "c")),
        *((1, "b"), (1, "c"), (1, "a")),
        *((2, "c"), (2, "a"), (2, "b")),
    ]


def test_figures_stay_with_their_rival():
    order = []

    def rival(name, figures):
        def measure():
            order.append(name)
            return figures.pop(0)

        return measure

    found = play({"slow": rival("slow", [9, 8, 7]), "fast": rival("fast", [1, 2, 3])}, rounds=3)

    assert found == {"slow": [9, 8, 7], "fast": [1, 2, 3]}
    assert order == ["slow", "fast", "fast", "slow", "slow", "fast"]


def test_the_bar_sees_every_turn():
    seen = []

    def watch(items):
        for item in items:
            seen.append(item)
            yield item

    play({"a": lambda: 1, "b": lambda: 2}, 2, watch)

    assert seen == [(0, "a"), (0, "b"), (1, "b"), (1, "a")]


def test_medians():
    assert Summary.of([5, 1, 100]) == Summary(median=5, lowest=1, highest=100)
    assert Summary.of(iter([4.0, 2.0])) == Summary(median=3.0, lowest=2.0, highest=4.0)
