import contextlib
import errno
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tf_models.errors import InputError
from tf_models.files import FolderLock
from tf_models.training import run_directory
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


def test_a_worker_that_follows_writes_nothing_and_must_have_the_same_settings(run):
    follower = RunDirectory(run.path, writes=False)
    before = run.config_file.read_bytes()
    follower.prepare(CONFIG)
    changes = changed("training", epochs=9)
    with pytest.raises(InputError, match="training.epochs was 3 and is 9 now"):
        follower.prepare(changes, changeable=["training.epochs"])  # it would wait for more epochs
    with follower.locked():
        pass

    assert run.config_file.read_bytes() == before


def test_a_worker_that_does_not_see_the_chiefs_directory_says_so(tmp_path):
    with pytest.raises(InputError, match="a file system that they share"):
        RunDirectory(tmp_path / "elsewhere", writes=False).prepare(CONFIG)
    assert not (tmp_path / "elsewhere").exists()


def test_other_settings_are_refused_and_named(run):
    before = run.config_file.read_text()
    with pytest.raises(InputError, match="model.d_model was 16 and is 32 now"):
        run.prepare(changed("model", d_model=32))
    with pytest.raises(InputError, match="seed was 0 and is 1 now"):
        run.prepare({**CONFIG, "seed": 1})

    assert run.config_file.read_text() == before


def test_a_newer_format_is_no_damage(run):
    run.config_file.write_text(json.dumps({"format": 99, "sort": "of another name"}))
    with pytest.raises(InputError, match="has format 99, .* use the version that wrote it"):
        run.read_config("translator")


@pytest.mark.parametrize("of_file", [None, 1])
def test_another_format_is_named(run, of_file):
    config = {**run.read_config("translator"), "format": of_file}
    run.config_file.write_text(json.dumps(config))
    with pytest.raises(InputError, match=f"has format {of_file}, and this version reads format 4"):
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


def test_a_best_checkpoint_alone_is_a_checkpoint(run):
    (run.checkpoints / "best").mkdir()
    (run.checkpoints / "ckpt-1.index").rename(run.checkpoints / "best" / "ckpt-1.index")

    assert run.has_checkpoints
    with pytest.raises(InputError, match="model.d_model was 16 and is 32 now"):
        run.prepare(changed("model", d_model=32))


PREPARE = """
import json, os, sys
from pathlib import Path
from tf_models.training.run_directory import RunDirectory

run = RunDirectory(Path(sys.argv[1]))
run.prepare(json.loads(sys.argv[2]))
if hasattr(os, "fork"):
    begun, begins = os.pipe()
    if os.fork() == 0:
        os.write(begins, b"!")
        sys.stdin.read()  # a child that lives on
        os._exit(0)
    os.read(begun, 1)
print("prepared", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def prepared_elsewhere(path):
    """Another process has prepared a training, and has not begun to fit."""
    command = [sys.executable, "-c", PREPARE, path, json.dumps(CONFIG)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        assert process.stdout.readline() == "prepared\n"
        yield process
        process.kill()


@pytest.mark.parametrize("config", [CONFIG, {**CONFIG, "seed": 1}])
def test_a_run_belongs_to_one_process_from_the_check_of_the_settings_on(tmp_path, config):
    run = RunDirectory(tmp_path / "run")
    with prepared_elsewhere(run.path) as process:
        run.tokenizers.mkdir()
        (run.tokenizers / "source.model").write_text("of the first epoch")
        before = run.config_file.read_text()
        who = f"process {process.pid} on {socket.gethostname()}"
        refused = pytest.raises(InputError, match=f"another process is at work in .*{who}")
        with refused:
            run.prepare(config)
        with refused, run.locked():
            pass

        assert run.config_file.read_text() == before
        assert (run.tokenizers / "source.model").exists()
        process.kill()
        process.wait()
        run.prepare(config)  # though a child of it lives on


def test_the_process_that_trains_may_prepare_again(run):
    """As a notebook does."""
    again = RunDirectory(run.path)
    again.prepare(CONFIG)
    with again.locked(), run.locked():
        pass
    assert not (run.path / "lock.holder").exists()


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_file_system_without_locks_is_refused(tmp_path, monkeypatch, code):
    def flock(*arguments):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(InputError, match="cannot lock .*choose a folder on a disk that"):
        RunDirectory(tmp_path / "run").prepare(CONFIG)


def test_a_first_start_that_was_killed_is_no_stranger(tmp_path):
    (tmp_path / ".unfinished-abc").mkdir()
    (tmp_path / ".unfinished-abc" / "config.json").write_text("{")
    (tmp_path / "lock").write_text("")
    (tmp_path / "lock.holder").write_text("process 1 on nowhere")
    RunDirectory(tmp_path).prepare(CONFIG)

    there = {path.name for path in tmp_path.iterdir()}
    assert there == {"config.json", "lock", "lock.holder"}


def test_what_an_attempt_without_checkpoints_left_goes(run):
    (run.checkpoints / "ckpt-1.index").unlink()
    (run.checkpoints / "epochs").mkdir()
    (run.checkpoints / "epochs" / "ckpt-3.index").write_text("")
    elsewhere = run.path.parent / "elsewhere"
    for folder in (elsewhere, run.logs, run.path / "layers"):
        folder.mkdir()
        (folder / "file").write_text("")
    run.tokenizers.symlink_to(elsewhere)
    run.history_file.write_text("")
    run.prepare(changed("model", d_model=32))

    left = {path.name for path in run.path.iterdir()}
    lock = {"lock", "lock.holder"}
    assert left == {"config.json", "checkpoints", "layers", *lock}  # layers have runs of their own
    assert not list(run.checkpoints.iterdir())
    assert (elsewhere / "file").exists()  # what only a link led to


def test_another_machine_is_noted_and_the_first_one_stays(run, monkeypatch):
    first = run.read_config("translator")["versions"]
    assert run.changes == []
    monkeypatch.setattr(run_directory, "available_cores", lambda: 99)
    for _ in range(2):
        run.prepare(CONFIG)

        (change,) = run.changes
        assert re.fullmatch(r"versions.cores was \d+ and is 99 now", change)
        assert run.read_config("translator")["versions"] == first


def test_a_learning_rate_may_be_lowered_and_that_is_noted(run):
    rates = {"learning_rate": 0.01, "peak": None, "clip_norm": 0.0, "weight_decay": 0.0}
    with_rate = {**CONFIG, "optimizer": rates}
    run.config_file.unlink()
    (run.checkpoints / "ckpt-1.index").rename(run.path.parent / "kept")
    shutil.rmtree(run.checkpoints)
    run.prepare(with_rate)
    run.checkpoints.mkdir()
    (run.path.parent / "kept").rename(run.checkpoints / "ckpt-1.index")
    lower_rates = rates | {"learning_rate": 0.001, "peak": 0.002, "clip_norm": 9.0}
    lower = {**CONFIG, "optimizer": lower_rates}
    lowerable = [f"optimizer.{name}" for name in ("learning_rate", "peak", "clip_norm")]
    with pytest.raises(InputError, match="learning_rate was 0.01 and is 0.001 now"):
        run.prepare(lower)
    run.prepare(lower, lowerable=lowerable)

    assert run.read_config("translator")["optimizer"] == lower["optimizer"]
    assert run.changes[0] == "optimizer.learning_rate was 0.01 and is 0.001 now"
    with pytest.raises(InputError, match=r"rate was 0.001 and is 0.01 now.*clip_norm was 9.0 and"):
        run.prepare(with_rate, lowerable=lowerable)


def test_names_that_cannot_be_used(tmp_path):
    with pytest.raises(InputError, match="is a device"):
        RunDirectory(tmp_path / "aux").prepare(CONFIG)
    with pytest.raises(InputError, match="is no UTF-8"):
        RunDirectory(tmp_path / os.fsdecode(b"a\xff"))
    assert list(tmp_path.iterdir()) == []


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
    with pytest.raises(InputError, match="'format' is missing$"):  # of the last text
        run.read_config("translator")


def test_a_place_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot make run directory"):
        RunDirectory(tmp_path / "file" / "run").prepare(CONFIG)


def test_reading_the_lock_does_not_free_it(run):
    """As POSIX record locks are freed when their process closes the file."""
    import fcntl

    with run.locked():
        (run.path / "lock").read_bytes()
        with (run.path / "lock").open() as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with (run.path / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_full_disk_does_not_keep_a_process_from_locking(tmp_path, monkeypatch):
    def write_text(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    lock = FolderLock(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", write_text)
        lock.acquire()
    lock.release()
