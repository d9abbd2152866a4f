from collections import Counter
from dataclasses import dataclass

from research.grammar.even_random import EvenRandom


@dataclass(frozen=True, eq=False)
class Entry:
    name: str
    level: int = 1


def test_what_fits_seldom_catches_up():
    both, alone = Entry("both"), Entry("alone")
    rng, times = EvenRandom(0), Counter()
    for _ in range(300):  # 'alone' fits in one of three places only
        for entries in ((both,), (both,), (both, alone)):
            times[rng.word(entries).name] += 1
    assert times["alone"] > 250


def test_words_of_higher_levels_stay_rarer():
    entries = [Entry(f"{level}", level) for level in (1, 2, 3)]
    rng = EvenRandom(0)
    times = Counter(rng.word(entries).level for _ in range(7_000))
    assert times[1] > 3.5 * times[2] > 10 * times[3] > 4_000


def test_the_same_seed_gives_the_same_words():
    entries = [Entry(str(i)) for i in range(50)]
    one, other = ([rng.word(entries) for _ in range(100)] for rng in (EvenRandom(3), EvenRandom(3)))
    assert one == other
