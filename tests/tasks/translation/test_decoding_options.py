import json
import math

import pytest

from tf_models.errors import InputError
from tf_models.tasks.translation.decoding_options import DecodingOptions
from tf_models.tasks.translation.evaluation import EXTENDED_GRID, LENGTH_PENALTIES, choose_decoding
from tf_models.training.run_directory import RunDirectory


class MadeUpTrials:
    """BLEU falls by 2 with each 1 that the penalty is away from what suits the checkpoint."""

    def __init__(self, suits, bonus, luck):
        self._suits, self._bonus, self._luck = suits, bonus, luck
        self.tried = []

    def bleu(self, decoding):
        self.tried.append((decoding.checkpoint, decoding.length_penalty))
        return self._bleu(decoding)

    def is_better(self, one, other):
        return self._bleu(one) > self._bleu(other) + self._luck

    def _bleu(self, decoding):
        away = abs(decoding.length_penalty - self._suits[decoding.checkpoint])
        return 30 + self._bonus[decoding.checkpoint] - 2 * away


def choose(luck, *, best=0.6, average=0.6, bonus_of_best=0.0, seconds_left=math.inf):
    trials = MadeUpTrials(
        {"best": best, "average": average}, {"best": bonus_of_best, "average": 0.0}, luck
    )
    report = []
    options = {"seconds_left": lambda: seconds_left, "report": report.append}
    chosen = choose_decoding(trials, ["average", "best"], 5, **options)
    assert report[-1].startswith("chosen: ")
    return chosen, trials.tried


def test_the_first_checkpoint_is_kept_unless_another_is_significantly_better():
    assert choose(1.0, bonus_of_best=0.9)[0] == DecodingOptions("average", 5, 0.6)
    assert choose(1.0, bonus_of_best=1.1)[0] == DecodingOptions("best", 5, 0.6)


def test_the_default_penalty_is_kept_unless_another_is_significantly_better():
    assert choose(1.0, average=0.9, best=0.9)[0] == DecodingOptions("average", 5, 0.6)
    assert choose(0.5, average=0.9, best=0.9)[0] == DecodingOptions("average", 5, 0.9)


def test_no_penalty_is_farther_from_the_default_than_luck_asks_for():
    suits = {"average": 1.5, "best": 1.5}
    assert choose(1.0, **suits)[0].length_penalty == 1.2  # 0.6 below the best, 0.9 is 1.2 below
    assert choose(0.7, average=0.0, best=0.0)[0].length_penalty == 0.3


def test_the_grid_goes_on_while_bleu_rises():
    chosen, tried = choose(0.1, average=1.8, best=1.8)

    assert chosen == DecodingOptions("average", 5, 1.8)
    penalties = (*LENGTH_PENALTIES, 1.5, 1.8, 2.1)
    defaults = [("average", 0.6), ("best", 0.6)]
    assert tried == [*defaults, *(("average", alpha) for alpha in penalties)]


def test_without_time_the_first_checkpoint_is_measured_alone():
    chosen, tried = choose(0.1, average=1.8, bonus_of_best=9, seconds_left=-1)

    assert (chosen, tried) == (DecodingOptions("average", 5, 0.6), [("average", 0.6)])


def test_the_grid_ends_even_if_bleu_rises_for_ever():
    assert choose(0.1, average=99, best=99)[0].length_penalty == EXTENDED_GRID[-1]


def test_saved_and_read_again(tmp_path):
    run = RunDirectory(tmp_path)
    assert DecodingOptions.of(run) == DecodingOptions("best", 1, 0.6)
    assert DecodingOptions.of(run, beam_size=5) == DecodingOptions("best", 5, 0.6)
    DecodingOptions("average", 5, 0.9).save(run)

    assert DecodingOptions.of(run) == DecodingOptions("average", 5, 0.9)
    assert json.loads((tmp_path / "decoding.json").read_text())["beam_size"] == 5


@pytest.mark.parametrize(
    "text",
    [
        *("{", "[]", '{"beam": 5}', "7", "[" * 100_000),
        *(
            '{"beam_size": "5"}',
            '{"beam_size": 2.0}',
            '{"checkpoint": 3}',
            '{"length_penalty": []}',
        ),
    ],
)
def test_a_damaged_file_is_named(tmp_path, text):
    (tmp_path / "decoding.json").write_text(text)

    with pytest.raises(InputError, match="decoding.json is damaged .* remove it"):
        DecodingOptions.of(RunDirectory(tmp_path))
