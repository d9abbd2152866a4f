import json

import pytest

from tf_models.errors import InputError
from tf_models.training.run_directory import EXPORTED, RunDirectory

CONFIG = {
    "kind": "translator",
    "model": {"d_model": 16, "num_heads": 2},
    "training": {"epochs": 3, "batch_size": 8},
    "seed": 0,
}


@pytest.fixture
def run(tmp_path):
    run = RunDirectory(tmp_path / "runs" / "one")
    run.prepare(CONFIG)
    run.checkpoints.mkdir()
    (run.checkpoints / "ckpt-1.index").write_text("")
    return run


def changed(section, **values):
    return {**CONFIG, section: {**CONFIG[section], **values}}


def test_config_round_trip(run):
    config = run.read_config("translator")

    assert {name: config[name] for name in CONFIG} == CONFIG
    assert {"python", "tensorflow", "keras"} <= config["versions"].keys()


def test_the_same_settings_go_on(run):
    run.prepare(CONFIG)


def test_more_epochs_go_on(run):
    changes = changed("training", epochs=9)
    with pytest.raises(InputError, match="training.epochs was 3 and is 9 now"):
        run.prepare(changes)
    run.prepare(changes, changeable=["training.epochs"])

    assert run.read_config("translator")["training"]["epochs"] == 9


def test_other_settings_are_refused_and_named(run):
    before = run.config_file.read_text()
    with pytest.raises(InputError, match="model.d_model was 16 and is 32 now"):
        run.prepare(changed("model", d_model=32))
    with pytest.raises(InputError, match="seed was 0 and is 1 now"):
        run.prepare({**CONFIG, "seed": 1})

    assert run.config_file.read_text() == before


@pytest.mark.parametrize("of_file", [None, 1])
def test_another_format_is_named(run, of_file):
    config = {**run.read_config("translator"), "format": of_file}
    run.config_file.write_text(json.dumps(config))
    with pytest.raises(InputError, match=f"has format {of_file}, and this version reads format 2"):
        run.read_config("translator")


def test_a_first_attempt_that_failed_binds_nobody(run):
    """No checkpoint, no curve to bend: tokenizers of the failed attempt go, the settings change."""
    run.tokenizers.mkdir()
    (run.tokenizers / "source.model").write_text("old")
    checkpoint = run.checkpoints / "ckpt-1.index"
    checkpoint.unlink()
    run.prepare(changed("model", d_model=32))

    assert run.read_config("translator")["model"]["d_model"] == 32
    assert not run.tokenizers.exists()


def test_an_exported_model_is_never_trained_over(run):
    config = {**json.loads(run.config_file.read_text()), EXPORTED: True}
    run.config_file.write_text(json.dumps(config))
    before = run.config_file.read_text()
    with pytest.raises(InputError, match="without the state of its training; choose another"):
        run.prepare(changed("model", d_model=32))

    assert run.config_file.read_text() == before


def test_a_kill_between_the_best_and_the_latest_checkpoint(run):
    """The best one is saved first; the same command may start again."""
    (run.checkpoints / "best").mkdir()
    (run.checkpoints / "ckpt-1.index").rename(run.checkpoints / "best" / "ckpt-1.index")
    run.prepare(CONFIG)

    assert not run.has_checkpoints


def test_two_trainings_at_once(run):
    refused = pytest.raises(InputError, match="another training is running")
    with run.locked(), refused, run.locked():
        pass
    with run.locked():
        pass


def test_a_second_start_changes_nothing_of_a_run_that_is_training(run):
    run.tokenizers.mkdir()
    (run.tokenizers / "source.model").write_text("of the first epoch")
    (run.checkpoints / "ckpt-1.index").unlink()
    before = run.config_file.read_text()
    with run.locked(), pytest.raises(InputError, match="another training is running"):
        run.prepare(changed("model", d_model=32))

    assert run.config_file.read_text() == before
    assert (run.tokenizers / "source.model").exists()


def test_names_that_tensorflow_takes_for_patterns(tmp_path):
    with pytest.raises(InputError, match="in its path"):
        RunDirectory(tmp_path / "b[1]").prepare(CONFIG)


def test_another_kind_is_refused(run):
    with pytest.raises(InputError, match="holds a run of kind translator, not autoencoder"):
        run.read_config("autoencoder")


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(InputError, match="is no run directory"):
        RunDirectory(tmp_path).prepare(CONFIG)

    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_missing_and_damaged(tmp_path, run):
    with pytest.raises(InputError, match="no run directory at .*; train first"):
        RunDirectory(tmp_path / "missing").read_config("translator")
    for text in ("{", "[]", json.dumps({"model": 1})):
        run.config_file.write_text(text)
        with pytest.raises(InputError, match="config.json is damaged"):
            run.read_config("translator")
    with pytest.raises(InputError, match="'kind' is missing$"):  # of the last text
        run.read_config("translator")


def test_a_place_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot make run directory"):
        RunDirectory(tmp_path / "file" / "run").prepare(CONFIG)
