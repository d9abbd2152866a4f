import numpy as np
import pytest

from tf_models.tasks.classification import transfer


@pytest.fixture
def files(tiny_inputs):
    return ["--train", tiny_inputs / "train.tsv", "--test", tiny_inputs / "test.tsv"]


def test_table_and_figure(files, run_dir, call, tmp_path, monkeypatch):
    asked = []

    def compare(folder, texts, settings, encoder_from, counts, seeds, **options):
        asked.append((folder, encoder_from.name, counts, list(seeds), settings.training.epochs))
        return {name: np.array([[0.5, 0.6], [0.7, 0.8]]) for name in ("random", "fine-tuned")}

    monkeypatch.setattr(transfer, "compare_starts", compare)
    figure, folder = tmp_path / "transfer.png", tmp_path / "runs"
    options = ["--encoder-from", run_dir, "--counts", 40, 8, "--run-dir", folder, "--repeats", 2]
    result = call("compare_transfer", *files, *options, "--epochs", 1, "--output", figure)

    assert result.status == 0
    *_, header, random, fine, output = result.out.splitlines()
    assert header.split() == ["test", "accuracy", "8", "labels", "40", "labels"]
    assert random.split() == ["random", "55.0%", "+-", "7.1", "75.0%", "+-", "7.1"]
    assert fine.split()[0] == "fine-tuned"
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert asked == [(folder, str(run_dir), [8, 40], [0, 1], 1)]


def test_interrupted(files, run_dir, call, tmp_path, monkeypatch):
    monkeypatch.setattr(transfer, "compare_starts", lambda *arguments, **options: None)
    options = ["--encoder-from", run_dir, "--counts", 8, "--run-dir", tmp_path / "runs"]
    result = call("compare_transfer", *files, *options)
    assert result.status == 130
    assert "the same command goes on from here" in result.out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--counts", 1000], "must be 2 (one a class) to 54; received 1000"),
        (["--repeats", 0], "--repeats must be at least 1; received 0"),
        (["--output", "transfer.doc"], "received '.doc'"),
        (["--encoder-from", "nowhere"], "no run directory at nowhere"),
        (["--num-layers", 7], "has num_layers=1; received 7: leave --num-layers out"),
    ],
)
def test_bad_options(options, complaint, files, run_dir, call, tmp_path):
    arguments = ["--encoder-from", run_dir, *files, "--run-dir", tmp_path / "runs", *options]
    assert complaint in call("compare_transfer", *arguments).complaint
    assert not (tmp_path / "runs").exists()


def test_runs_go_into_no_other_run(files, run_dir, call):
    result = call("compare_transfer", *files, "--run-dir", run_dir)
    assert "holds a run itself; name another folder" in result.complaint
