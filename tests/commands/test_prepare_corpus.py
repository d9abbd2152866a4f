"""A corpus is prepared, and then trained on, from the command line."""

import pytest

from tests.support.commands import TINY, TINY_TEXT

LIMITS = TINY_TEXT[:4]  # pieces and length
OPTIONS = ["--preset", "toy", "--epochs", "1", *TINY]


@pytest.mark.slow
def test_prepared_and_trained_on(table, tmp_path, call):
    folder = tmp_path / "prepared"
    result = call("prepare_corpus", "--corpus", table, "--output", folder, *LIMITS)
    assert result.status == 0
    assert f"train-translator --corpus {folder} --preset best" in result.out
    assert "training the tokenizers on" in result.out

    training = ("train_translator", "--corpus", folder, *OPTIONS)
    result = call(*training, "--run-dir", tmp_path / "run")
    assert result.status == 0
    assert "training pairs, prepared" in result.out
    assert "exact match" in result.out
    assert (tmp_path / "run" / "figures" / "lengths.png").is_file()

    result = call(*training, "--run-dir", tmp_path / "run", "--max-pairs", "5")
    assert "which is prepared, has no --max-pairs" in result.complaint
    mixed = ("train_translator", "--corpus", table, folder, "--run-dir", tmp_path / "mixed")
    assert "is prepared; name it alone" in call(*mixed).complaint
    again = call("prepare_corpus", "--corpus", table, "--output", folder, *LIMITS)
    assert "holds a prepared corpus" in again.complaint


def test_a_corpus_too_large_for_memory(table, tmp_path, call, monkeypatch):
    from tf_models.data import resources

    monkeypatch.setattr(resources, "free_memory", lambda: 1 << 10)
    result = call("train_translator", "--corpus", table, "--run-dir", tmp_path / "run", *TINY)

    assert "prepare the corpus first: tf-models prepare-corpus" in result.complaint
    assert not (tmp_path / "run").exists()
