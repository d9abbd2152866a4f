"""A corpus in a folder of token ids trains as the corpus itself does."""

import json
import os
import shutil
import signal

import numpy as np
import pytest

from tests.support.language import write_pairs
from tests.support.tiny import TINY
from tf_models.data import resources
from tf_models.data.large import prepare as preparing
from tf_models.data.large.prepare import CorpusSource
from tf_models.data.large.prepared import DESCRIPTION, FILES, IDS, is_prepared, load_prepared
from tf_models.data.text.corpora import load_corpus
from tf_models.errors import InputError
from tf_models.tasks.translation.run import make_tokenizers
from tf_models.tasks.translation.train import prepare_training
from tf_models.training.run_directory import RunDirectory


def silent(line):
    pass


def prepare(folder, name, **options):
    source = CorpusSource(str(name), **options)
    limits = TINY.batching.max_lengths
    preparing.prepare(folder, source, TINY.tokenizer, limits, make_tokenizers, report=silent)
    return load_prepared(folder)


def train(run_dir, corpus, settings=TINY):
    return prepare_training(RunDirectory(run_dir), corpus, settings, 0, report=silent)


def weights(training):
    return [variable.numpy() for variable in training.model.network.trainable_variables]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return write_pairs(tmp_path_factory.mktemp("corpus") / "deu.txt")


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("prepared") / "new" / "folder"
    prepare(path, table)
    return path


def test_the_same_splits_as_in_memory(folder, table):
    found, expected = load_prepared(folder), load_corpus(str(table))

    assert (found.validation, found.test) == (expected.validation, expected.test)
    assert len(found.train) == len(expected.train)
    assert (found.source_language, found.target_language) == ("en", "de")
    assert found.name == str(table)


@pytest.mark.slow
def test_training_in_two_sittings_ends_as_in_memory(folder, table, tmp_path):
    """Same tokenizers, batches, order and, after a restart, the same steps: to the last bit."""
    whole = train(tmp_path / "whole", load_corpus(str(table)))
    assert whole.fit()
    assert train(tmp_path / "parts", load_prepared(folder), TINY.changed(epochs=1)).fit()
    rest = train(tmp_path / "parts", load_prepared(folder))
    assert rest.fit()

    assert rest.run.tokenizers.joinpath("source.model").is_file()
    for found, expected in zip(weights(rest), weights(whole), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
def test_a_run_is_bound_to_the_folder(folder, table, tmp_path):
    train(tmp_path / "run", load_prepared(folder)).fit()
    assert not (tmp_path / "run" / "words.json.xz").exists()  # a corpus of ids has no words
    other = prepare(tmp_path / "other", table, max_pairs=60)

    with pytest.raises(InputError, match="data.fingerprint was"):
        train(tmp_path / "run", other)
    with pytest.raises(InputError, match="data.fingerprint was"):
        train(tmp_path / "run", load_corpus(str(table)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pieces": 70}, "was prepared with pieces 80; received 70"),
        ({"tokenizer": "joint"}, "was prepared with tokenizer separate; received joint"),
        ({"max_lengths": (30, 20)}, r"max_lengths \[30, 30\]; received \[30, 20\]"),
    ],
)
def test_other_settings_are_refused(folder, tmp_path, changes, message):
    with pytest.raises(InputError, match=message):
        train(tmp_path / "run", load_prepared(folder), TINY.changed(**changes))
    assert not (tmp_path / "run").exists()


def test_killed_while_preparing(table, folder, tmp_path):
    """Nothing looks finished, and the same call makes the same folder."""
    for step in ("_store", "Corpus", "write_ids", "_describe", "move_together"):
        child = os.fork()
        if not child:
            try:
                setattr(preparing, step, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
                prepare(tmp_path / "killed", table)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert not is_prepared(tmp_path / "killed")
        left = {path.name[:11] for path in (tmp_path / "killed").iterdir()}
        assert left == {"lock", "lock.holder", ".unfinished"}
    assert prepare(tmp_path / "killed", table).fingerprint() == load_prepared(folder).fingerprint()
    assert {path.name for path in (tmp_path / "killed").iterdir()} == {*FILES, "lock"}


def test_killed_while_files_are_moved(table, tmp_path, monkeypatch):
    def stop(files, folder):
        for file in files[:3]:
            os.replace(file, folder / file.name)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(preparing, "move_together", stop)
        with pytest.raises(KeyboardInterrupt):
            prepare(tmp_path / "killed", table)
    assert not is_prepared(tmp_path / "killed")
    assert len(prepare(tmp_path / "killed", table, max_pairs=50).train) == 48


def test_what_is_there_is_not_replaced(folder, table, tmp_path):
    with pytest.raises(InputError, match="holds a prepared corpus; train on it"):
        prepare(folder, table)
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"holds other files \(thesis.tex\)"):
        prepare(tmp_path, table)


def test_no_room(table, folder, tmp_path, monkeypatch):
    """Refused before anything is read."""
    monkeypatch.setattr(preparing, "training_bytes", lambda *_: 1 << 50)
    with pytest.raises(InputError, match=r"about 2.00PiB of disk"):
        prepare(tmp_path / "new", table)
    monkeypatch.setattr(preparing, "DISK_PER_BYTE", 0)
    with pytest.raises(InputError, match=r"about 512TiB of memory, .* --max-pairs"):
        prepare(tmp_path / "new", table)
    assert not is_prepared(tmp_path / "new")
    monkeypatch.setattr(resources, "free_memory", lambda: 1 << 30)
    with pytest.raises(InputError, match=r"about 1.50GiB of memory, and 1.00GiB are free"):
        load_prepared(folder)


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_folder(folder, tmp_path, file):
    shutil.copytree(folder, tmp_path / "folder")
    path = tmp_path / "folder" / file
    path.write_bytes(path.read_bytes()[:-10])

    with pytest.raises(InputError, match=f"{file} is damaged"):
        load_prepared(tmp_path / "folder")


def test_a_bit_that_fell_over(folder, tmp_path):
    """Ids of the same number of bytes would train on other sentences."""
    shutil.copytree(folder, tmp_path / "folder")
    ids = tmp_path / "folder" / IDS
    found = bytearray(ids.read_bytes())
    found[len(found) // 2] ^= 1
    ids.write_bytes(found)

    with pytest.raises(InputError, match="has other files"):
        load_prepared(tmp_path / "folder")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "is damaged: maximum recursion depth"),
        ("7", "is damaged"),
        ({"format": 7}, "has format 7"),
        ({"settings": None}, "or another prepared.json, than were prepared"),
        ({"corpus": 7}, "or another prepared.json, than were prepared"),
        ({"fingerprint": []}, "or another prepared.json, than were prepared"),
        ({"training_pairs": "x"}, "is damaged"),
        ({"bytes": {}}, "is damaged: 'train.arrow' is missing"),
    ],
)
def test_a_description_that_was_edited(folder, tmp_path, text, message):
    shutil.copytree(folder, tmp_path / "folder")
    description = tmp_path / "folder" / DESCRIPTION
    if isinstance(text, dict):
        text = json.dumps({**json.loads(description.read_text()), **text})
    description.write_text(text)

    with pytest.raises(InputError, match=message):
        load_prepared(tmp_path / "folder")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("toy", {}, "the corpus toy fits into memory"),
        ("missing.txt", {}, "no corpus, file or folder 'missing.txt'"),
        ("deu.txt", {"max_pairs": 0}, "must be at least 1; received 0"),
        ("deu.txt", {"languages": (None, "fr")}, "fr"),
    ],
)
def test_bad_input(table, tmp_path, name, options, message):
    name = table if name == "deu.txt" else name
    with pytest.raises(InputError, match=message):
        prepare(tmp_path / "new", name, **options)
    assert not (tmp_path / "new").exists()
