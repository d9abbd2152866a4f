import os

import pytest

from tests.support.commands import drawn
from tests.support.images import write_folder, write_folders
from tests.support.tiny_runs import command_of


@pytest.mark.slow
def test_what_it_prints_and_leaves(tiny_inputs, as_users_run_it):
    run_dir, printed = as_users_run_it(*command_of("images", tiny_inputs))

    assert "rows.npz: 81 training, 9 validation and 30 test images of 6 x 5 x 1" in printed
    assert "for these images" not in printed
    lines = printed.splitlines()
    (first,) = (i for i, line in enumerate(lines) if line.startswith("30 test images: accuracy "))
    assert lines[first + 2].split() == ["precision", "recall", "f1-score", "support"]
    counts = [line.split()[-1] for line in (*lines[first + 4 : first + 7], lines[first + 8])]
    assert counts == ["10", "10", "10", "30"]
    assert drawn(run_dir) == {"training", "confusion", "attention"}
    assert {"config.json", "history.csv", "images.npz", "checkpoints"} <= set(os.listdir(run_dir))


def test_again_nothing_is_left_to_do(tiny_inputs, image_classifier_run, call):
    command = command_of("images", tiny_inputs)
    again = call(*command, "--run-dir", image_classifier_run)
    assert again.status == 0
    assert "resuming after epoch 2" in again.out
    assert "epoch 2/2" not in again.out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--patch", 3], "patch must divide height and width of the images; received patch=3"),
        (["--num-heads", 3], "num_heads must divide d_model; received d_model=64, num_heads=3"),
        (["--shift", -1], "shift must be at least 0; received -1"),
        (["--shift", 8], "received shift=8, images of 8 x 8 x 1"),
        (["--dataset", "nowhere"], "received 'nowhere', which is no file and no folder here"),
        (["--dataset", "NPZ"], "images of 6 x 5 pixels cannot be cut into equal patches"),
        (["--dataset", "NO CLASSES", "--image-size", 8], "a classifier needs images with labels"),
        (["--dataset", "CLASSES", "--patch", 1], "num_classes must be at least 2; received 1"),
    ],
)
def test_bad_options(options, complaint, npz, call, tmp_path):
    made = {
        "NPZ": lambda: npz,
        "NO CLASSES": lambda: write_folder(tmp_path / "plain"),
        "CLASSES": lambda: write_folders(tmp_path / "own", "one"),
    }
    options = [made.get(option, lambda one=option: one)() for option in options]
    result = call("train_image_classifier", *options, "--run-dir", tmp_path / "run")
    assert result.status == 2
    assert complaint in result.complaint
    assert not (tmp_path / "run").exists()
