"""Runs of every kind whose files say what they must not say: one line, before anything is built."""

import json
import os
import re
import shutil
import signal

import pytest
import tensorflow as tf

from tests.support.tiny_runs import FOLDER
from tf_models.data.large.prepared import DESCRIPTION, FILES, load_prepared
from tf_models.data.text.corpora import load_corpus
from tf_models.data.text.labelled import read_labelled
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.models import ImageModel
from tf_models.tasks.classification.text_classifier import TextClassifier
from tf_models.tasks.question_answering.answerer import Answerer
from tf_models.tasks.translation.run import corpus_of_run, metrics_of_run
from tf_models.tasks.translation.translator import Translator
from tf_models.training.run_directory import History, RunDirectory

LOADERS = {
    "translator": Translator,
    "recurrent": Translator,
    "autoencoder": ImageModel,
    "vae": ImageModel,
    "hierarchical": ImageModel,
    "classifier": TextClassifier,
    "questions": Answerer,
}
# What only training compares, or what may be anything.
UNREAD = re.compile(
    r"data\.((training|validation|test)_\w+)|versions.*|encoder_from|random_weights"
    r"|start_from|decay_over_epochs|format|kind"
)
MISSING = object()
WRONG = {  # values that nothing can have, as JSON has them
    "missing": MISSING,
    "an object": '{"a": 1}',
    "a list of lists": "[[1]]",
    "NaN": "NaN",
    "minus infinity": "-1e400",
    "5,000 digits": "9" * 5000,
    "a negative number": "-7",
    "null in a list": "[null]",
    "deep": "[" * 15 + "]" * 15,
}


@pytest.fixture
def copy(tmp_path):
    """copy("vae"): a run, to be damaged."""
    return lambda name: shutil.copytree(FOLDER / name, tmp_path / name)


@pytest.fixture(autouse=True)
def no_waiting():
    """What waits for a pipe fails."""

    def stop(number, frame):
        raise TimeoutError("waits for ever")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def complaint(action, *arguments):
    """The one line of the error."""
    with pytest.raises(InputError) as raised:
        action(*arguments)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def leaves(config, prefix=()):
    for name, value in config.items():
        path = (*prefix, name)
        yield path
        if isinstance(value, dict):
            yield from leaves(value, path)


def changed(config, path, text):
    """The JSON of a config with another value at one place."""
    config = json.loads(json.dumps(config))
    *sections, name = path
    section = config
    for one in sections:
        section = section[one]
    if text is MISSING:
        del section[name]
        return json.dumps(config)
    section[name] = "here"
    return json.dumps(config).replace('"here"', text)


@pytest.mark.parametrize("name", LOADERS)
def test_a_wrong_value_is_named_with_its_file(copy, name):
    run = copy(name)
    file = run / "config.json"
    config = json.loads(file.read_text())
    places = [path for path in leaves(config) if not UNREAD.fullmatch(".".join(path))]
    assert len(places) >= 20
    for number, path in enumerate(places):
        for text in list(WRONG.values())[number % 3 :: 3]:
            file.write_text(changed(config, path, text))
            line = complaint(LOADERS[name].load, run)
            assert line.startswith(f"{file} is damaged: "), (path, text, line)
            assert path[-1] in line, (path, text, line)


@pytest.mark.parametrize("name", LOADERS)
def test_another_model_than_the_checkpoint_has_is_never_built(copy, name):
    """However large it is said to be."""
    run = copy(name)
    config = json.loads((run / "config.json").read_text())
    sizes = [one for one, value in config["model"].items() if type(value) in (int, list)]
    assert sizes
    for size in sizes:
        value = "[2147483647]" if isinstance(config["model"][size], list) else "2000000000"
        (run / "config.json").write_text(changed(config, ("model", size), value))
        assert size in complaint(LOADERS[name].load, run)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "7", "null", '"x"', "[" * 100_000, '{"a":' * 100_000, '{"format": 4}'),
        *("\udcff", "9" * 5000, " " * (1 << 24) + "{}", '{"format": [4], "kind": "vae"}'),
        *(
            '{"format": 4, "kind": null}',
            '{"format": 4, "kind": 7}',
            '{"format": 4, "kind": ["vae"]}',
        ),
    ],
)
def test_a_file_that_is_no_config(tmp_path, text):
    (tmp_path / "config.json").write_bytes(text.encode(errors="surrogateescape"))
    for loader in LOADERS.values():
        assert "config.json" in complaint(loader.load, tmp_path)
    assert "config.json" in complaint(RunDirectory(tmp_path).prepare, {"kind": "vae"})


@pytest.mark.parametrize("name", ["translator", "autoencoder"])
@pytest.mark.parametrize("place", ["data", "seed", "changes", "exported", "model"])
def test_a_training_does_not_go_on_from_a_damaged_config(copy, name, place):
    run = copy(name)
    config = json.loads((run / "config.json").read_text())
    for text in WRONG.values():
        if text is not MISSING:
            (run / "config.json").write_text(changed({**config, place: 1}, (place,), text))
            now = {**config, "seed": 1, "model": {"a": 2}}
            assert place in complaint(RunDirectory(run).prepare, now)


def test_a_file_from_windows_is_no_damage(copy):
    run = copy("vae")
    file = run / "config.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))

    assert ImageModel.load(run).code_size == 3


STORED = "config/.ATTRIBUTES/VARIABLE_VALUE"
GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
TEXTS = ("[]", "null", "7", '"text"', "[1, 2]", "{", "", "[" * 100_000, '{"a":' * 900 + "1", "\xff")


def rewrite(run, name, tensor):
    """Write a run's best checkpoint again, with another tensor of that name."""
    prefix = next((run / "checkpoints" / "best").glob("*.index")).with_suffix("")
    reader = tf.train.load_checkpoint(str(prefix))
    tensors = {one: reader.get_tensor(one) for one in reader.get_variable_to_shape_map()}
    tensors[name] = tensor
    tf.raw_ops.SaveV2(
        prefix=str(prefix),
        tensor_names=list(tensors),
        shape_and_slices=[""] * len(tensors),
        tensors=[tf.constant(one) for one in tensors.values()],
    )


@pytest.mark.parametrize("loader", ["autoencoder", "questions"])
@pytest.mark.parametrize("name", [STORED, GRAPH])
@pytest.mark.parametrize("value", [*TEXTS, 7, 1.5, [b"{}", b"{}"], b"\x08\x96\x01", [[1.0]]])
def test_what_a_checkpoint_says_of_itself_is_damaged(copy, loader, name, value):
    run = copy(loader)
    if (name, value) == (GRAPH, ""):  # an empty graph is one, of another model
        return
    rewrite(run, name, value)

    assert re.match(r"checkpoint .*/ckpt-\d+ is damaged", complaint(LOADERS[loader].load, run))


def test_pipes_in_place_of_a_runs_files_are_refused(copy):
    """To open one would wait for whoever writes to it."""
    for name in ("config.json", "tokenizer/source.model"):
        run = copy("recurrent")
        replace_by_pipe(run / name)
        complaint(Translator.load, run)
        shutil.rmtree(run)
    for name in ("read.txt", "written.txt"):
        run = copy("questions")
        replace_by_pipe(run / "tokenizer" / name)
        complaint(Answerer.load, run)
        shutil.rmtree(run)
    for suffix in (".index", ".data-00000-of-00001"):
        run = copy("vae")
        replace_by_pipe(next((run / "checkpoints" / "best").glob(f"*{suffix}")))
        for other in (run / "checkpoints").glob("*.index"):
            other.unlink()
        complaint(ImageModel.load, run)
        shutil.rmtree(run)
    run = copy("vae")
    replace_by_pipe(run / "history.csv")
    complaint(History, run / "history.csv")
    replace_by_pipe(run / "lock.holder")
    with RunDirectory(run).locked():
        pass


def replace_by_pipe(path):
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def test_pipes_in_place_of_texts_are_refused(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("train.en", "train.de"):
        os.mkfifo(folder / name)
    pipe = folder / "train.en"
    for name in (str(folder), str(pipe), f"{pipe},{folder / 'train.de'}"):
        with pytest.raises(InputError, match="a device or a pipe"):
            load_corpus(name, source_language="en", target_language="de")
    assert "a device or a pipe" in complaint(read_labelled, pipe)
    prepared = tmp_path / "prepared"
    prepared.mkdir()
    data = ("corpus", "source_language", "target_language", "training_pairs", "seed", "settings")
    found = {"format": 2, "bytes": dict.fromkeys(FILES, 0), **dict.fromkeys(data, 0)}
    (prepared / DESCRIPTION).write_text(json.dumps(found))
    for name in FILES[:-1]:
        os.mkfifo(prepared / name)
    assert "a device or a pipe" in complaint(load_prepared, prepared)


@pytest.mark.parametrize("corpus", ["[]", "7", "[7]", "null", "{}"])
def test_the_names_of_a_runs_corpora(copy, corpus):
    run = copy("translator")
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(changed(config, ("data", "corpus"), corpus))
    for action in (corpus_of_run, metrics_of_run):
        assert "config.json is damaged: data.corpus is" in complaint(action, RunDirectory(run))
