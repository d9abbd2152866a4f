import json

import pytest

from tf_models.errors import InputError
from tf_models.tasks.translation.decoding_options import (
    LENGTH_PENALTIES,
    DecodingOptions,
    choose_decoding,
)
from tf_models.training.run_directory import RunDirectory


def test_the_highest_validation_bleu_wins():
    """Each checkpoint has a penalty of its own that suits it."""
    tried = []

    def bleu(decoding):
        tried.append(decoding)
        suits = {"best": 0.6, "average": 1.2}[decoding.checkpoint]
        return 30 + (decoding.checkpoint == "average") - 2 * abs(decoding.length_penalty - suits)

    chosen = choose_decoding(bleu, ["best", "average"], 5, report=lambda line: None)

    assert chosen == DecodingOptions("average", 5, 1.2)
    assert {(d.checkpoint, d.length_penalty) for d in tried} == {
        (name, alpha) for name in ("best", "average") for alpha in LENGTH_PENALTIES
    }


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
