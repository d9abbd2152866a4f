import io
import re
import shutil

import pytest

from tests.support.commands import POSITIONS
from tf_models.data.words import word_forms
from tf_models.files import write_text
from tf_models.training.run_directory import RunDirectory


def test_the_translator_of_the_package_where_none_is_named(call):
    result = call("translate", "My name is Anna.")

    assert (result.status, result.out) == (0, "Mein Name ist Anna.\n")
    assert result.err.splitlines() == [
        "no --run-dir: using the translator that comes with the package"
    ]


def test_standard_input_keeps_lines_together(run_dir, call, monkeypatch):
    """Nothing is lost: a line that cannot be translated gives an empty line and a complaint."""
    lines = [b"The dog sees the fox.", b"", b"The bear. " * 20, b"Caf\xe9.", b"The man."]
    stream = io.TextIOWrapper(io.BytesIO(b"\n".join(lines)), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stream)
    result = call("translate", "--run-dir", run_dir)

    out, err = result.out.split("\n"), result.err.splitlines()
    assert [bool(line) for line in out] == [True, False, False, False, True, False]
    assert result.status == 1
    assert [line.split(":")[0] for line in err] == ["sentence 2", "sentence 3", "sentence 4"]
    assert "empty" in err[0]
    assert f"positions end at {POSITIONS}" in err[1]


@pytest.fixture
def knowing_run(run_dir, tmp_path):
    """The run directory with a list of its words."""
    knowing = tmp_path / "run"
    shutil.copytree(run_dir, knowing)
    words = word_forms(["The dog sees the fox.", "So a bear sleeps!"])
    write_text(RunDirectory(knowing).words_file, "\n".join(words))
    return knowing


def test_unknown_words_are_named_in_a_line_for_each_sentence(knowing_run, call):
    sentences = ["The bear.", "The seeth bear.", "The 😀 dog cat."]
    result = call("translate", "--run-dir", knowing_run, *sentences)

    assert result.err.splitlines() == [
        "sentence 2: unknown words: seeth",
        "sentence 3: unknown words: 😀 cat",
    ]


def test_unknown_words_of_standard_input_and_of_the_prompt(knowing_run, call, monkeypatch):
    for typed in (False, True):
        stream = io.TextIOWrapper(io.BytesIO(b"The bear.\nThe cat.\n"), encoding="utf-8")
        monkeypatch.setattr(stream, "isatty", lambda typed=typed: typed, raising=False)
        monkeypatch.setattr("sys.stdin", stream)
        result = call("translate", "--run-dir", knowing_run, "--beam-size", 2, "--n-best", 2)
        assert result.status == 0
        assert "sentence 2: unknown words: cat" in result.err
        assert "sentence 1" not in result.err
        assert len(result.out.splitlines()) == 4


def test_n_best_with_scores(run_dir, call):
    result = call("translate", "--run-dir", run_dir, "--beam-size", 3, "--n-best", 2, "The fox.")
    scores = [float(line.split("\t")[0]) for line in result.out.splitlines()]

    assert len(scores) == 2
    assert scores[0] >= scores[1]


@pytest.mark.slow
def test_steps_and_tree_leave_standard_output_alone(run_dir, call):
    plain = call("translate", "--run-dir", run_dir, "The fox.")
    steps = call("translate", "--run-dir", run_dir, "--show-steps", "The fox.")
    assert steps.out == plain.out
    assert steps.err.splitlines()[0].split()[:3] == ["1", "<start>", "->"]

    tree = call("translate", "--run-dir", run_dir, "--beam-size", 2, "--show-tree", "The fox.")
    assert tree.err.splitlines()[0] == "<start>"
    assert re.fullmatch(r"  \S+ +-\d+\.\d+.*", tree.err.splitlines()[1])


def test_a_byte_that_is_not_utf8_is_named(run_dir, call, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO("The fox.\nGrü".encode() + b"\xdf.\n"), "utf-8")
    monkeypatch.setattr("sys.stdin", stream)
    result = call("translate", "--run-dir", run_dir)

    assert result.err.strip() == "sentence 2: byte 0xdf at position 5 is not UTF-8"
