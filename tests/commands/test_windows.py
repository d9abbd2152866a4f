"""The scripts in a Python without what Windows lacks (tests/support/windows/sitecustomize.py)."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.random_kills import state
from tests.support.commands import SCRIPTS, TINY, drawn
from tests.support.language import write_pairs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux plays Windows")

WINDOWS = Path(__file__).parents[1] / "support" / "windows"
ROOT = SCRIPTS.parent
EPOCHS = ["--epochs", "30"]
PRESET = ("--preset", "toy")
# Each is refused on Windows.
REFUSED = {
    "import fcntl": "ModuleNotFoundError",
    "from pwd import getpwuid": "ModuleNotFoundError",
    "import os; os.getuid()": "AttributeError",
    "from os import sched_getaffinity": "ImportError",
    "import signal; signal.SIGHUP": "AttributeError",
    "import socket; socket.AF_UNIX": "AttributeError",
    "import os; os.open('.', os.O_RDONLY)": "PermissionError",
    "import os; os.fsync(os.open('file', os.O_RDONLY))": "OSError",
    "import os; held = open('file', 'rb'); os.replace('other', 'file')": "PermissionError",
    "import os; held = open('file', 'rb'); os.remove('file')": "PermissionError",
    "import os; os.replace('folder', 'empty')": "PermissionError",
    "import os; os.symlink('file', 'link')": "PermissionError",
    "import os; os.mkdir('a:b')": "OSError",
    "open('nul.txt', 'wb')": "OSError",
    "open('text', 'w')": "EncodingWarning",
    "from pathlib import Path; Path('file').read_text()": "EncodingWarning",
}
TRY_ALL = """
import json, sys
for code in json.loads(sys.argv[1]):
    names = {"__name__": "tf_models.tried", "__file__": sys.argv[2]}
    try:
        exec(compile(code, sys.argv[2], "exec"), names)
        print("nothing")
    except (Exception, EncodingWarning) as error:
        print(type(error).__name__)
    names.clear()
"""
# Several scripts in one process: TensorFlow takes seconds to import.
RUN_ALL = """
import json, runpy, sys
for words in json.loads(sys.argv[1]):
    sys.argv = words
    try:
        runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        assert not end.code, words
"""


def environment():
    """Of a process that believes in Windows, with one of its code pages."""
    path = os.pathsep.join(map(str, (WINDOWS, ROOT)))
    code_page = {"PYTHONIOENCODING": "cp1252", "PYTHONWARNDEFAULTENCODING": "1"}
    return {**os.environ, "PYTHONPATH": path, **code_page}


def words_of(script, *arguments):
    return [str(SCRIPTS / f"{script}.py"), *map(str, arguments)]


def start(*words, where):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.Popen([sys.executable, *words], cwd=where, env=environment(), **pipes)


def printed(*commands, where):
    """By scripts, one after the other."""
    with start("-c", RUN_ALL, json.dumps(commands), where=where) as process:
        out, err = process.communicate()
    assert process.returncode == 0, err
    return out


def test_what_windows_refuses_is_refused(tmp_path):
    for name in ("file", "other"):
        (tmp_path / name).write_bytes(b"")
    for name in ("folder", "empty"):
        (tmp_path / name).mkdir()
    place = str(ROOT / "tf_models" / "tried.py")
    command = [sys.executable, "-c", TRY_ALL, json.dumps(list(REFUSED)), place]
    options = {"cwd": tmp_path, "env": environment(), "capture_output": True}
    done = subprocess.run(command, encoding="utf-8", check=True, **options)

    assert dict(zip(REFUSED, done.stdout.split(), strict=True)) == REFUSED


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run that Ctrl-C ended and the same command brought to its end, and what was printed."""
    folder = tmp_path_factory.mktemp("Läufe ж")
    write_pairs(folder / "deu.txt")
    options = ["--corpus", "deu.txt", "--run-dir", "Ä 1", *PRESET, *TINY, *EPOCHS]
    command = words_of("train_translator", *options)
    with start(*command, where=folder) as process:
        for line in process.stdout:
            if line.startswith("epoch 1/"):
                process.send_signal(signal.SIGINT)
                break
        rest, err = process.communicate()
    assert (process.returncode, err) == (130, "")
    assert "interrupted and saved in Ä 1" in rest
    assert "epoch 30/30" not in rest
    return folder / "Ä 1", printed(command, where=folder)


@pytest.mark.processes
def test_a_training_that_ctrl_c_ended_goes_on_to_the_weights_of_linux(trained, tmp_path):
    run_dir, out = trained
    assert "epoch 30/30" in out
    assert "epoch 1/30" not in out
    assert drawn(run_dir) >= {"training", "attention-cross"}

    command = [sys.executable, SCRIPTS / "train_translator.py", *PRESET, *TINY, *EPOCHS]
    command += ["--corpus", run_dir.parent / "deu.txt", "--run-dir", tmp_path / "linux"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert any(line.startswith("epoch 30/30") for line in process.stdout)
        process.kill()  # its scores and figures take longer
    assert state(run_dir) == state(tmp_path / "linux")


@pytest.mark.processes
def test_it_translates_draws_exports_and_makes_its_page(trained, tmp_path):
    run, sentence = ["--run-dir", trained[0]], "The fox loves the dog."
    (tmp_path / "saved").mkdir()  # a folder that is empty is replaced
    out = printed(
        words_of("export", *run, "--format", "run-directory", "--output", "small"),
        words_of("translate", "--run-dir", "small", sentence),
        words_of("export", *run, "--format", "saved-model", "--output", "saved"),
        words_of("plot_attention", *run, "--sentence", sentence, "--output", "heads.png"),
        words_of("view_attention", *run, "--output", "page.html"),
        where=tmp_path,
    )
    exported, translation, *_ = out.splitlines()
    assert exported.startswith("wrote small")
    assert translation.strip()
    assert (tmp_path / "saved" / "saved_model.pb").is_file()
    assert (tmp_path / "heads.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "page.html").read_bytes()
    assert b"\r" not in page
    assert "Ä 1" in page.decode()
