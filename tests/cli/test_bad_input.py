"""Ordinary kinds of bad input: one clear message each, no traceback, nothing lost."""

import json
import shutil

import pytest

from tests.support.images import write_folder

SENTENCE = "The dog sees the fox."
TEXTS = {
    "empty": b"",
    "one-column": b"one column\n",
    "latin": b"A dog.\tEin Hund.\nA c\xe4t.\tEine Katze.\n",
    "nul": b"A dog.\tEin\0Hund.\n",
}
# Words of a command, and a part of the message.
CASES = {
    # files that people bring
    "train-translator --corpus {missing} --run-dir {new}": "missing",
    "train-translator --corpus {empty} --run-dir {new}": "empty",
    "train-translator --corpus {one-column} --languages en-de --run-dir {new}": "line 1",
    "train-translator --corpus {latin} --languages en-de --run-dir {new}": "line 2",
    "train-translator --corpus {nul} --run-dir {new}": "line 1",
    "train-translator --corpus {folder} --run-dir {new}": "folder",
    "train-translator --corpus {good} --run-dir {folder}": "is no run directory",
    "train-classifier --train {one-column} --run-dir {new}": "expected label<TAB>text",
    "train-question-answering --train {empty} --test {empty} --run-dir {new}": "no question",
    "train-vae --dataset {latin} --run-dir {new}": "latin",
    "train-autoencoder --dataset {sizes} --run-dir {new}": "one size",
    "classify --run-dir {images} {latin}": "cannot read image",
    "view-attention --run-dir {run} --output x.html --sentence A B --target C": "one --sentence",
    # options
    "train-translator --num-layer 2": "--num-layers",
    "train-translator --epochs 0": "epochs: must be greater than or equal to 1; received 0",
    "train-translator --d-model 130": "num_heads must divide d_model",
    "train-translator --batch-size 8 --batch-tokens 9": "add --batch-tokens 0 to count pairs",
    "train-translator --languages en": "such as en-es",
    "train-translator --start-from ready-made --model gelu": "leave out --preset and --model",
    "train-translator --model lstm": "must be one of transformer, rnn-attention, rnn",
    "train-autoencoder --model lstm --image-size 8": "--model lstm has no --image-size",
    "train-autoencoder --model one-hot --dataset digits": "--model one-hot has no --dataset",
    "train-autoencoder --language de": "--model dense has no --language",
    "train-autoencoder --model lstm --dataset digits": "no corpus, file or folder 'digits'",
    "train-classifier --freeze": "--encoder-from",
    "plot-attention --sentence Hi. --output heads.jpg": "saved as .png, .pdf or .svg",
    "plot-attention --run-dir {run} --sentence Hi. --layer 7 --output {new}.png": "--layer must be",
    "plot-figures --figure training --run-dir {run} {vae} --output {new}.png": "shows one run",
    "plot-figures --figure samples --run-dir {run} --output {new}.png": "does not fit this run",
    "export --output {folder}": "exists already",
    "translate --run-dir {run} --n-best 2 Hi.": "n_best must be",
    "answer --run-dir {questions} --question Who?": "no facts",
    "evaluate --run-dir {run} --source {good} --reference {one-column}": "lines and",
    "plot-figures --figure mask --output x.png": "no figure",
    # runs
    "translate --run-dir {missing} Hi.": "no run directory at",
    "plot-figures --figure training --run-dir {no-history} --output {new}.png": "history.csv",
    "translate --run-dir {vae} Hi.": "kind vae, not translator",
    "translate --run-dir {run} --checkpoint ckpt-9 Hi.": "ckpt-9",
    "translate --run-dir {no-config} Hi.": "config.json is damaged",
    "translate --run-dir {edited-config} Hi.": "num_layers",
    "translate --run-dir {other-config} Hi.": "damaged or of another model",
    "translate --run-dir {no-weights} Hi.": "ckpt",
    "translate --run-dir {no-tokenizer} Hi.": "source.model",
    "train-translator --start-from {vae} --corpus {good} --run-dir {new}": "kind vae",
}


@pytest.fixture(scope="module")
def places(tiny_run, tiny_inputs, tmp_path_factory):
    """Paths by the names in `CASES`."""
    folder = tmp_path_factory.mktemp("bad")
    found = {name: folder / name for name in ("missing", "new", "folder", "sizes", *TEXTS)}
    for name, content in TEXTS.items():
        found[name].write_bytes(content)
    found["folder"].mkdir()
    (found["folder"] / "thesis.txt").write_text("mine")
    write_folder(found["sizes"] / "small")
    write_folder(found["sizes"] / "odd", (9, 9))
    runs = {"run": "translator", "vae": "vae", "images": "images", "questions": "questions"}
    found |= {name: tiny_run(run) for name, run in runs.items()}
    broken = "no-config edited-config other-config no-weights no-tokenizer no-history"
    for name in broken.split():
        found[name] = shutil.copytree(found["run"], folder / name)
    (found["no-history"] / "history.csv").unlink()
    (found["no-config"] / "config.json").write_text("{")
    for name, setting, value in (("edited-config", "num_layers", 0), ("other-config", "dff", 64)):
        file = found[name] / "config.json"
        config = json.loads(file.read_text())
        config["model"][setting] = value
        file.write_text(json.dumps(config))
    for file in (found["no-weights"] / "checkpoints").rglob("*.data*"):
        file.write_bytes(b"damaged")
    (found["no-tokenizer"] / "tokenizer" / "source.model").write_bytes(b"damaged")
    return found | {"good": tiny_inputs / "deu.txt"}


@pytest.mark.parametrize("words", CASES)
def test_one_message_says_what_is_wrong(words, places, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *options = words.split(" ")
    result = call(name.replace("-", "_"), *(word.format(**places) for word in options))

    assert CASES[words] in result.complaint
    assert result.status in (1, 2)
    assert not places["new"].exists() or not list(places["new"].rglob("ckpt*"))
    assert [path.name for path in places["folder"].iterdir()] == ["thesis.txt"]
    assert not list(tmp_path.iterdir())


@pytest.mark.processes
def test_a_full_disk_is_one_line_and_the_same_command_resumes(table, tmp_path, spawn, call):
    """A limit on file sizes stands in for the full disk: the next checkpoint does not fit."""
    import resource

    command = ["train_translator", "--corpus", table, "--run-dir", tmp_path / "run"]
    command += ["--preset", "toy", "--epochs", 1, "--max-length", 16, "--pieces", 200]
    limit = 400_000  # bytes: enough for the tokenizers

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    assert "checkpoint" in spawn(*command, preexec_fn=small_files).complaint
    assert call(*command).status == 0
