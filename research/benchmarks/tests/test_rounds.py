from research.benchmarks.rounds import run_rounds, summarise, turns


def test_each_system_once_a_round_and_another_one_first():
    assert list(turns(["a", "b", "c"], 3)) == [
        *((0, "a"), (0, "b"), (0, "c")),
        *((1, "b"), (1, "c"), (1, "a")),
        *((2, "c"), (2, "a"), (2, "b")),
    ]


def test_results_stay_with_their_system():
    order = []

    def system(name, results):
        def measure():
            order.append(name)
            return results.pop(0)

        return measure

    systems = {"slow": system("slow", [9, 8, 7]), "fast": system("fast", [1, 2, 3])}
    found = run_rounds(systems, rounds=3)

    assert found == {"slow": [9, 8, 7], "fast": [1, 2, 3]}
    assert order == ["slow", "fast", "fast", "slow", "slow", "fast"]


def test_the_progress_bar_gets_every_turn():
    seen = []

    def progress(items):
        for item in items:
            seen.append(item)
            yield item

    run_rounds({"a": lambda: 1, "b": lambda: 2}, 2, progress)

    assert seen == [(0, "a"), (0, "b"), (1, "b"), (1, "a")]


def test_medians():
    assert summarise([5, 1, 100]) == {"median": 5, "lowest": 1, "highest": 100}
    assert summarise(iter([4.0, 2.0])) == {"median": 3.0, "lowest": 2.0, "highest": 4.0}
