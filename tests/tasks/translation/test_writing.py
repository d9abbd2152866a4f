"""Whatever is written but a training: a full disk and a kill leave the old file, or nothing."""

import contextlib
import errno
import os
from pathlib import Path

import pytest
import tensorflow as tf
from matplotlib.figure import Figure

from tests.support.failing_disk import KILL, FailingDisk
from tests.support.language import write_pairs
from tests.support.tiny import TINY
from tests.support.tiny_runs import FOLDER
from tf_models.command_line import explain
from tf_models.data.large.prepare import CorpusSource, prepare
from tf_models.data.large.prepared import is_prepared, load_prepared
from tf_models.errors import InputError
from tf_models.files import LOCK, UNFINISHED, new_folder, write_text
from tf_models.plotting.files import save_animation, save_figure
from tf_models.tasks.translation.export.ctranslate2 import export_ctranslate2
from tf_models.tasks.translation.export.saved_model import export_saved_model
from tf_models.tasks.translation.page.page import make_page
from tf_models.tasks.translation.run import make_tokenizers
from tf_models.tasks.translation.translator import Translator

RUN = FOLDER / "translator"


@pytest.fixture(scope="module")
def translator():
    return Translator.load(RUN)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return write_pairs(tmp_path_factory.mktemp("corpus") / "deu.txt")


@pytest.fixture(scope="module")
def page(translator):
    return make_page(translator, ["The dog sees the fox."]).html


def exported(export, **options):
    def write(path, translator):
        with new_folder(path) as folder:
            export(translator, folder, **options)

    return write


def drawn():
    figure = Figure()
    figure.subplots().plot([1, 2, 4])
    return figure


@pytest.fixture
def write(request, translator, table, page, tmp_path):
    """write(): what a command does with its --output in the folder tmp_path / "here"."""
    path = tmp_path / "here" / request.param
    path.parent.mkdir()

    def prepared(path, translator):
        source = CorpusSource(str(table))
        options = (TINY.tokenizer, TINY.batching.max_lengths, make_tokenizers)
        prepare(path, source, *options, report=lambda line: None)

    def ctranslate2(path, translator):
        pytest.importorskip("ctranslate2")
        exported(export_ctranslate2)(path, translator)

    writers = {
        "page.html": lambda path, translator: write_text(path, page),
        "figure.png": lambda path, translator: save_figure(drawn(), path),
        "figure.pdf": lambda path, translator: save_figure(drawn(), path),
        "figure.svg": lambda path, translator: save_figure(drawn(), path),
        "figures.gif": lambda path, translator: save_animation([drawn(), drawn()], path),
        "saved-model": exported(export_saved_model),
        "ctranslate2": ctranslate2,
        "prepared": prepared,
    }
    return lambda: writers[request.param](path, translator)


FILES = ["page.html", "figure.png", "figure.pdf", "figure.svg", "figures.gif"]
FOLDERS = [*("prepared", "ctranslate2"), pytest.param("saved-model", marks=pytest.mark.slow)]


def tree(folder: Path) -> dict[str, int]:
    """Sizes of all files, by path; but for a lock's, and what a kill leaves to nobody."""
    found = {str(p.relative_to(folder)): p.stat().st_size for p in folder.rglob("*") if p.is_file()}
    return {n: size for n, size in found.items() if UNFINISHED not in n and LOCK not in n}


@contextlib.contextmanager
def no_file_larger_than(size):
    """As on a disk with little room: a part of what is written is taken, and then no more."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def refused_in_one_line(write):
    with pytest.raises((InputError, tf.errors.OpError)) as raised:
        write()
    line = str(raised.value) if isinstance(raised.value, InputError) else explain(raised.value)
    assert "\n" not in line
    return line


@pytest.mark.parametrize("write", [*FILES, *FOLDERS], indirect=True)
def test_a_full_disk_is_one_line_and_leaves_what_was_there(write, tmp_path, request):
    here, name = tmp_path / "here", request.node.callspec.params["write"]
    if name in FILES:
        (here / name).write_text("old")
    before = tree(here)
    for size in (0, 300):
        with no_file_larger_than(size):
            line = refused_in_one_line(write)
        assert os.strerror(errno.EFBIG) in line or name == "saved-model", line
        assert tree(here) == before
        assert not list(here.glob(f"{UNFINISHED}*"))
    write()

    assert tree(here) != before
    if name == "prepared":
        assert load_prepared(here / name).train


@pytest.mark.parametrize("write", [*FILES, *FOLDERS], indirect=True)
def test_a_kill_leaves_the_old_or_the_new(write, tmp_path, request, monkeypatch):
    here, name = tmp_path / "here", request.node.callspec.params["write"]
    # TensorFlow does not number the functions of a SavedModel alike each time.
    written = (lambda path: set(tree(path))) if name == "saved-model" else tree

    def begin():
        for path in sorted(here.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        if name in FILES:
            (here / name).write_text("old")

    begin()
    with FailingDisk(here).watching(monkeypatch) as disk:
        write()
    whole = written(here)
    begin()
    old = written(here)
    assert disk.count > 3
    parts = 2 if name == "saved-model" else 5  # it takes seconds to write one
    for stop in range(0, disk.count, max(1, disk.count // parts)):
        begin()
        with FailingDisk(here, stop, KILL).watching(monkeypatch) as stopped:
            write()
        assert stopped.stopped
        if name != "prepared":
            assert written(here) in (old, whole), stop
        elif is_prepared(here / name):
            assert load_prepared(here / name).train
        if written(here) != whole:
            write()
        assert set(written(here)) == set(whole), stop
