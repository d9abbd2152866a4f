"""Commands that read sentences name what their tokenizers lack; test_translate.py has more."""

import pytest

SENTENCE, TARGET = "The dog sees 🙂 the fox.", "Der Hund hört 猫 den Bär."
SAID = f"{SENTENCE}: not in the tokenizer's alphabet, so left out: 🙂"
SAID_OF_TARGET = f"{TARGET}: not in the tokenizer's alphabet, so left out: 猫"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (["plot_attention"], "map.png"),
        (["plot_figures", "--figure", "maps"], "map.png"),
        (["view_attention"], "page.html"),
    ],
)
def test_of_a_sentence_and_of_a_target(run_dir, call, tmp_path, command, output):
    options = ["--sentence", SENTENCE, "--target", TARGET, "--output", tmp_path / output]
    result = call(*command, "--run-dir", run_dir, *options)

    assert result.status == 0
    assert [line for line in result.err.splitlines() if "left out" in line] == [
        SAID,
        SAID_OF_TARGET,
    ]


def test_of_a_text_that_is_classified(classifier_run, call, tmp_path):
    command = ["plot_figures", "--figure", "attention", "--run-dir", classifier_run]
    result = call(*command, "--sentence", SENTENCE, "--output", tmp_path / "map.png")
    assert SAID in result.err.splitlines()


def test_of_a_sentence_that_is_split(run_dir, call):
    result = call("inspect_tokenizer", "--run-dir", run_dir, SENTENCE)
    assert result.out.count("not in the tokenizer's alphabet, so left out: 🙂") == 2
    assert "<unk>" not in result.out
